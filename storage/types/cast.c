#include "storage/types/cast.h"

#include <assert.h>

#include "storage/types/cast_run.h"
#include "storage/types/type_array.h"
#include "storage/types/type_citext.h"
#include "storage/types/type_defs.h"

#define I CAST_IMPLICIT
#define A CAST_ASSIGNMENT
#define E CAST_EXPLICIT
#define BINARY CAST_BINARY, NULL
#define IN_OUT CAST_IN_OUT, NULL
#define RUN(body) CAST_FUNCTION, body

enum { CHAR = OID_CHAR, REGPROCEDURE = 2202, REGOPER = 2203, REGOPERATOR = 2204, REGCONFIG = 3734, REGDICTIONARY = 3769,
       REGCOLLATION = 4191, XID = 28, XID8 = 5069, NODE_TREE = 194, PG_NDISTINCT = 3361, PG_DEPENDENCIES = 3402, PG_MCV_LIST = 5017 };

/* What every type of object numbers has. int4 and oid differ here by the sign, so that what PostgreSQL relabels is a
 * function. */
#define REG_ROWS(R)                                                                                                  \
    {OID_INT8, R, I, RUN(cast_int8_to_oid)}, {OID_INT2, R, I, RUN(cast_int4_to_oid)},                                \
    {OID_INT4, R, I, RUN(cast_int4_to_oid)}, {OID_OID, R, I, BINARY}, {R, OID_INT8, A, RUN(cast_same)},              \
    {R, OID_INT4, A, RUN(cast_oid_to_int4)}, {R, OID_OID, I, BINARY}

/* clang-format off */
static const CastDef rows[] = {
    {OID_BOOL, OID_INT4, E, RUN(cast_same)},
    {OID_BOOL, OID_TEXT, A, RUN(cast_bool_to_text)},
    {OID_BOOL, OID_BPCHAR, A, RUN(cast_bool_to_text)},
    {OID_BOOL, OID_VARCHAR, A, RUN(cast_bool_to_text)},
    {CHAR, OID_INT4, E, RUN(cast_char_to_int4)},
    {CHAR, OID_TEXT, I, RUN(cast_char_to_text)},
    {CHAR, OID_BPCHAR, A, RUN(cast_char_to_text)},
    {CHAR, OID_VARCHAR, A, RUN(cast_char_to_text)},
    {OID_NAME, OID_TEXT, I, RUN(cast_same)},
    {OID_NAME, OID_BPCHAR, A, RUN(cast_same)},
    {OID_NAME, OID_VARCHAR, A, RUN(cast_same)},
    {OID_INT8, OID_INT2, A, RUN(cast_to_int2)},
    {OID_INT8, OID_INT4, A, RUN(cast_to_int4)},
    {OID_INT8, OID_OID, I, RUN(cast_int8_to_oid)},
    {OID_INT8, OID_FLOAT4, I, RUN(cast_int_to_float4)},
    {OID_INT8, OID_FLOAT8, I, RUN(cast_int_to_float8)},
    {OID_INT8, OID_NUMERIC, I, RUN(cast_int_to_numeric)},
    {OID_INT2, OID_INT8, I, RUN(cast_same)},
    {OID_INT2, OID_INT4, I, RUN(cast_same)},
    {OID_INT2, OID_OID, I, RUN(cast_int4_to_oid)},
    {OID_INT2, OID_FLOAT4, I, RUN(cast_int_to_float4)},
    {OID_INT2, OID_FLOAT8, I, RUN(cast_int_to_float8)},
    {OID_INT2, OID_NUMERIC, I, RUN(cast_int_to_numeric)},
    {OID_INT4, OID_BOOL, E, RUN(cast_int_to_bool)},
    {OID_INT4, CHAR, E, RUN(cast_int4_to_char)},
    {OID_INT4, OID_INT8, I, RUN(cast_same)},
    {OID_INT4, OID_INT2, A, RUN(cast_to_int2)},
    {OID_INT4, OID_OID, I, RUN(cast_int4_to_oid)},
    {OID_INT4, OID_FLOAT4, I, RUN(cast_int_to_float4)},
    {OID_INT4, OID_FLOAT8, I, RUN(cast_int_to_float8)},
    {OID_INT4, OID_NUMERIC, I, RUN(cast_int_to_numeric)},
    {OID_TEXT, CHAR, A, RUN(cast_text_to_char)},
    {OID_TEXT, OID_NAME, I, RUN(cast_text_to_name)},
    {OID_TEXT, OID_BPCHAR, I, BINARY},
    {OID_TEXT, OID_VARCHAR, I, BINARY},
    {OID_TEXT, OID_REGCLASS, I, RUN(cast_text_to_regclass)},
    {OID_OID, OID_INT8, A, RUN(cast_same)},
    {OID_OID, OID_INT4, A, RUN(cast_oid_to_int4)},
    {OID_JSON, OID_JSONB, A, IN_OUT},
    {NODE_TREE, OID_TEXT, I, BINARY},
    {PG_NDISTINCT, OID_BYTEA, I, BINARY},
    {PG_NDISTINCT, OID_TEXT, I, IN_OUT},
    {PG_DEPENDENCIES, OID_BYTEA, I, BINARY},
    {PG_DEPENDENCIES, OID_TEXT, I, IN_OUT},
    {PG_MCV_LIST, OID_BYTEA, I, BINARY},
    {PG_MCV_LIST, OID_TEXT, I, IN_OUT},
    {OID_FLOAT4, OID_INT8, A, RUN(cast_float_to_int8)},
    {OID_FLOAT4, OID_INT2, A, RUN(cast_float_to_int2)},
    {OID_FLOAT4, OID_INT4, A, RUN(cast_float_to_int4)},
    {OID_FLOAT4, OID_FLOAT8, I, RUN(cast_same)},
    {OID_FLOAT4, OID_NUMERIC, A, RUN(cast_float4_to_numeric)},
    {OID_FLOAT8, OID_INT8, A, RUN(cast_float_to_int8)},
    {OID_FLOAT8, OID_INT2, A, RUN(cast_float_to_int2)},
    {OID_FLOAT8, OID_INT4, A, RUN(cast_float_to_int4)},
    {OID_FLOAT8, OID_FLOAT4, A, RUN(cast_float8_to_float4)},
    {OID_FLOAT8, OID_NUMERIC, A, RUN(cast_float8_to_numeric)},
    {OID_BPCHAR, CHAR, A, RUN(cast_text_to_char)},
    {OID_BPCHAR, OID_NAME, I, RUN(cast_bpchar_to_name)},
    {OID_BPCHAR, OID_TEXT, I, RUN(cast_bpchar_to_text)},
    {OID_BPCHAR, OID_BPCHAR, I, RUN(cast_same)},
    {OID_BPCHAR, OID_VARCHAR, I, RUN(cast_bpchar_to_text)},
    {OID_VARCHAR, CHAR, A, RUN(cast_text_to_char)},
    {OID_VARCHAR, OID_NAME, I, RUN(cast_text_to_name)},
    {OID_VARCHAR, OID_TEXT, I, BINARY},
    {OID_VARCHAR, OID_BPCHAR, I, BINARY},
    {OID_VARCHAR, OID_VARCHAR, I, RUN(cast_same)},
    {OID_VARCHAR, OID_REGCLASS, I, RUN(cast_text_to_regclass)},
    {OID_DATE, OID_TIMESTAMP, I, RUN(cast_date_to_timestamp)},
    {OID_DATE, OID_TIMESTAMPTZ, I, RUN(cast_date_to_timestamptz)},
    {OID_TIME, OID_TIME, I, RUN(cast_same)},
    {OID_TIME, OID_INTERVAL, I, RUN(cast_time_to_interval)},
    {OID_TIME, OID_TIMETZ, I, RUN(cast_time_to_timetz)},
    {OID_TIMESTAMP, OID_DATE, A, RUN(cast_timestamp_to_date)},
    {OID_TIMESTAMP, OID_TIME, A, RUN(cast_timestamp_to_time)},
    {OID_TIMESTAMP, OID_TIMESTAMP, I, RUN(cast_same)},
    {OID_TIMESTAMP, OID_TIMESTAMPTZ, I, RUN(cast_timestamp_to_timestamptz)},
    {OID_TIMESTAMPTZ, OID_DATE, A, RUN(cast_timestamptz_to_date)},
    {OID_TIMESTAMPTZ, OID_TIME, A, RUN(cast_timestamptz_to_time)},
    {OID_TIMESTAMPTZ, OID_TIMESTAMP, A, RUN(cast_timestamptz_to_timestamp)},
    {OID_TIMESTAMPTZ, OID_TIMESTAMPTZ, I, RUN(cast_same)},
    {OID_TIMESTAMPTZ, OID_TIMETZ, A, RUN(cast_timestamptz_to_timetz)},
    {OID_INTERVAL, OID_TIME, A, RUN(cast_interval_to_time)},
    {OID_INTERVAL, OID_INTERVAL, I, RUN(cast_same)},
    {OID_TIMETZ, OID_TIME, A, RUN(cast_timetz_to_time)},
    {OID_TIMETZ, OID_TIMETZ, I, RUN(cast_same)},
    {OID_NUMERIC, OID_INT8, A, RUN(cast_numeric_to_int8)},
    {OID_NUMERIC, OID_INT2, A, RUN(cast_numeric_to_int2)},
    {OID_NUMERIC, OID_INT4, A, RUN(cast_numeric_to_int4)},
    {OID_NUMERIC, OID_FLOAT4, I, RUN(cast_numeric_to_float4)},
    {OID_NUMERIC, OID_FLOAT8, I, RUN(cast_numeric_to_float8)},
    {OID_NUMERIC, OID_NUMERIC, I, RUN(cast_same)},
    {OID_INT4RANGE, OID_INT4MULTIRANGE, E, RUN(cast_int4range_to_set)},
    {OID_INT8RANGE, OID_INT8MULTIRANGE, E, RUN(cast_int8range_to_set)},
    {OID_NUMRANGE, OID_NUMMULTIRANGE, E, RUN(cast_numrange_to_set)},
    {OID_DATERANGE, OID_DATEMULTIRANGE, E, RUN(cast_daterange_to_set)},
    {OID_TSRANGE, OID_TSMULTIRANGE, E, RUN(cast_tsrange_to_set)},
    {OID_TSTZRANGE, OID_TSTZMULTIRANGE, E, RUN(cast_tstzrange_to_set)},
    {OID_CITEXT, OID_TEXT, I, BINARY},
    {OID_CITEXT, OID_VARCHAR, I, BINARY},
    {OID_CITEXT, OID_BPCHAR, A, BINARY},
    {OID_TEXT, OID_CITEXT, A, BINARY},
    {OID_VARCHAR, OID_CITEXT, A, BINARY},
    {OID_BPCHAR, OID_CITEXT, A, RUN(cast_bpchar_to_text)},
    {OID_BOOL, OID_CITEXT, A, RUN(cast_bool_to_text)},
    {OID_INET, OID_CITEXT, A, RUN(cast_inet_to_text)},
    {OID_MONEY, OID_NUMERIC, A, RUN(cast_money_to_numeric)},
    {OID_NUMERIC, OID_MONEY, A, RUN(cast_numeric_to_money)},
    {OID_INT4, OID_MONEY, A, RUN(cast_int_to_money)},
    {OID_INT8, OID_MONEY, A, RUN(cast_int_to_money)},
    {OID_CIDR, OID_INET, I, BINARY},
    {OID_CIDR, OID_TEXT, A, RUN(cast_inet_to_text)},
    {OID_CIDR, OID_BPCHAR, A, RUN(cast_inet_to_text)},
    {OID_CIDR, OID_VARCHAR, A, RUN(cast_inet_to_text)},
    {OID_INET, OID_CIDR, A, RUN(cast_inet_to_cidr)},
    {OID_INET, OID_TEXT, A, RUN(cast_inet_to_text)},
    {OID_INET, OID_BPCHAR, A, RUN(cast_inet_to_text)},
    {OID_INET, OID_VARCHAR, A, RUN(cast_inet_to_text)},
    {OID_MACADDR, OID_MACADDR8, I, RUN(cast_macaddr_to_macaddr8)},
    {OID_MACADDR8, OID_MACADDR, I, RUN(cast_macaddr8_to_macaddr)},
    {OID_INT8, OID_BIT, E, RUN(cast_int_to_bit)},
    {OID_INT4, OID_BIT, E, RUN(cast_int_to_bit)},
    {OID_BIT, OID_INT8, E, RUN(cast_bit_to_int8)},
    {OID_BIT, OID_INT4, E, RUN(cast_bit_to_int4)},
    {OID_BIT, OID_BIT, I, RUN(cast_same)},
    {OID_BIT, OID_VARBIT, I, BINARY},
    {OID_VARBIT, OID_BIT, I, BINARY},
    {OID_VARBIT, OID_VARBIT, I, RUN(cast_same)},
    {OID_JSONB, OID_BOOL, E, RUN(cast_jsonb_to_bool)},
    {OID_JSONB, OID_INT8, E, RUN(cast_jsonb_to_int8)},
    {OID_JSONB, OID_INT2, E, RUN(cast_jsonb_to_int2)},
    {OID_JSONB, OID_INT4, E, RUN(cast_jsonb_to_int4)},
    {OID_JSONB, OID_JSON, A, IN_OUT},
    {OID_JSONB, OID_FLOAT4, E, RUN(cast_jsonb_to_float4)},
    {OID_JSONB, OID_FLOAT8, E, RUN(cast_jsonb_to_float8)},
    {OID_JSONB, OID_NUMERIC, E, RUN(cast_jsonb_to_numeric)},
    {XID8, XID, E, RUN(cast_int4_to_oid)},
    {OID_REGPROC, REGPROCEDURE, I, BINARY},
    {REGPROCEDURE, OID_REGPROC, I, BINARY},
    {REGOPER, REGOPERATOR, I, BINARY},
    {REGOPERATOR, REGOPER, I, BINARY},
    REG_ROWS(OID_REGPROC),
    REG_ROWS(REGPROCEDURE),
    REG_ROWS(REGOPER),
    REG_ROWS(REGOPERATOR),
    REG_ROWS(OID_REGCLASS),
    REG_ROWS(OID_REGTYPE),
    REG_ROWS(REGCONFIG),
    REG_ROWS(REGDICTIONARY),
    REG_ROWS(OID_REGNAMESPACE),
    REG_ROWS(OID_REGROLE),
    REG_ROWS(REGCOLLATION),
};
/* clang-format on */

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

int cast_count(void)
{
    return ROW_COUNT;
}

const CastDef *cast_at(int index)
{
    assert(index >= 0 && index < ROW_COUNT);
    return &rows[index];
}

const CastDef *cast_find(Oid source, Oid target)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (rows[i].source == source && rows[i].target == target) return &rows[i];
    return NULL;
}

static bool is_polymorphic(Oid oid)
{
    return oid == OID_ANY || oid == OID_ANYELEMENT || oid == OID_ANYARRAY || oid == OID_ANYNONARRAY;
}

static Oid array_element_of(const TypeDef *type)
{
    return type && type_is_array(type) ? type->element_oid : 0;
}

static bool is_string(const TypeDef *type)
{
    return type && type->category == 'S';
}

/* By elements where both are arrays; through text to and from strings, if the context asks for it. */
static bool synthesize(Oid source, Oid target, CastContext context, CastDef *path)
{
    const TypeDef *from = type_find(source), *to = type_find(target);
    Oid from_element = array_element_of(from), to_element = array_element_of(to);
    bool to_vector = target == OID_INT2VECTOR || target == OID_OIDVECTOR;
    CastDef element;
    if (from_element && to_element && !to_vector &&
        cast_find_path(from_element, to_element, context, &element)) {
        path->method = CAST_ARRAY;
        path->context = element.context;
        return true;
    }
    if (from_element && to_element && !to_vector) return false;
    path->method = CAST_IN_OUT;
    path->context = is_string(to) ? CAST_ASSIGNMENT : CAST_EXPLICIT;
    return context >= path->context && (is_string(to) || is_string(from));
}

bool cast_find_path(Oid source, Oid target, CastContext context, CastDef *path)
{
    *path = (CastDef){.source = source, .target = target, .method = CAST_BINARY};
    if (source == target || is_polymorphic(target)) return true;
    if (source == OID_UNKNOWN || source == OID_CSTRING) {
        path->method = CAST_IN_OUT;
        return true;
    }
    const CastDef *row = cast_find(source, target);
    if (!row) return synthesize(source, target, context, path);
    *path = *row;
    return row->context <= context;
}

static Status run_in_out(TypeCtx *ctx, const CastDef *path, Value value, int32_t typmod, Value *out)
{
    const TypeDef *from = type_find(path->source), *to = type_find(path->target);
    Slice text;
    if (from->oid == OID_UNKNOWN || from->oid == OID_CSTRING || (is_string(from) && from->oid != OID_BPCHAR)) {
        text = value_to_slice(value);
    } else {
        Buf buf = {0};
        from->out(from, ctx->env, value, &buf);
        if (buf.failed) {
            buf_finish(&buf);
            return err_no_memory(ctx->err);
        }
        text = buf_to_arena(&buf, ctx->arena);
        buf_finish(&buf);
    }
    /* Only an interval's typmod changes how its text is read. */
    return to->in(to, ctx, text, to->oid == OID_INTERVAL ? typmod : -1, out);
}

static Status run_array(TypeCtx *ctx, const CastDef *path, Value value, int32_t typmod, bool explicit_cast, Value *out)
{
    const TypeDef *to = type_find(path->target);
    CastDef element;
    Array array;
    array_open(value, &array);
    bool found = cast_find_path(array.element, to->element_oid, CAST_EXPLICIT, &element);
    assert(found);
    (void)found;
    Value *elements = arena_try_alloc(ctx->arena, sizeof *elements * (size_t)(array.count + 1));
    if (!elements) return err_no_memory(ctx->err);
    for (int i = 0; i < array.count; i++) {
        elements[i] = array_element(&array, i);
        if (!elements[i].null) TRY(cast_run(ctx, &element, elements[i], typmod, explicit_cast, &elements[i]));
    }
    ArrayShape shape = {array.dimension_count, array.lengths, array.lower_bounds};
    return array_build_shaped(ctx, to->element_oid, elements, shape, out);
}

Status cast_run(TypeCtx *ctx, const CastDef *path, Value value, int32_t typmod, bool explicit_cast, Value *out)
{
    assert(!value.null);
    switch (path->method) {
    case CAST_BINARY: *out = value; break;
    case CAST_FUNCTION: TRY(path->run(ctx, value, typmod, explicit_cast, out)); break;
    case CAST_IN_OUT: TRY(run_in_out(ctx, path, value, typmod, out)); break;
    case CAST_ARRAY: return run_array(ctx, path, value, typmod, explicit_cast, out);
    }
    const TypeDef *to = type_find(path->target);
    if (out->null || typmod < 0 || !to || !to->fit) return ST_OK;
    return to->fit(to, ctx, *out, typmod, explicit_cast, out);
}
