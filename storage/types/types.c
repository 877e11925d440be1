/* The list of all built-in types, and the ways to find one. */
#include <assert.h>

#include "storage/types/type_array.h"
#include "storage/types/json_path.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_user.h"

const TypeEnv type_env_default = {.extra_float_digits = 1};

/* Element types: the variable that holds the row. clang-format off */
#define SCALAR_TYPES(X)                                                                                              \
    X(16, type_bool) X(17, type_bytea) X(18, type_char) X(19, type_name_def) X(20, type_int8) X(21, type_int2)         \
    X(22, type_int2vector) X(23, type_int4) X(24, type_regproc) X(25, type_text_def) X(26, type_oid)                 \
    X(28, type_xid) X(29, type_cid) X(30, type_oidvector) X(114, type_json) X(194, type_node_tree)                   \
    X(650, type_cidr) X(774, type_macaddr8) X(829, type_macaddr) X(869, type_inet)              \
    X(700, type_float4) X(701, type_float8) X(705, type_unknown) X(1033, type_aclitem) X(1042, type_bpchar)          \
    X(1043, type_varchar) X(1082, type_date) X(1083, type_time) X(1114, type_timestamp) X(1184, type_timestamptz)    \
    X(1186, type_interval) X(1560, type_bit) X(1562, type_varbit) X(1266, type_timetz) X(1700, type_numeric) X(1790, type_refcursor)                        \
    X(2202, type_regprocedure) X(2203, type_regoper) X(2204, type_regoperator) X(2205, type_regclass)                \
    X(2206, type_regtype) X(2249, type_record) X(2275, type_cstring) X(2277, type_anyarray) X(2950, type_uuid)       \
    X(3220, type_pg_lsn) X(3361, type_pg_ndistinct) X(3402, type_pg_dependencies) X(5017, type_pg_mcv_list)         \
    X(3734, type_regconfig) X(3769, type_regdictionary) X(3802, type_jsonb) X(4089, type_regnamespace)               \
    X(3904, type_int4range) X(3906, type_numrange) X(3908, type_tsrange) X(3910, type_tstzrange)                     \
    X(3912, type_daterange) X(3926, type_int8range) X(4096, type_regrole) X(4191, type_regcollation) X(4072, type_jsonpath) X(5069, type_xid8) \
    X(4451, type_int4multirange) X(4532, type_nummultirange) X(4533, type_tsmultirange)                              \
    X(4534, type_tstzmultirange) X(4535, type_datemultirange) X(4536, type_int8multirange) X(9750, type_citext) X(790, type_money)

/* Arrays: own oid, element oid, typname, SQL name, CockroachDB's name. */
#define ARRAY_TYPES(X)                                                                                               \
    X(1000, 16, "_bool", "boolean[]", "BOOL[]")                                                                      \
    X(1001, 17, "_bytea", "bytea[]", "BYTES[]")                                                                      \
    X(1002, 18, "_char", "\"char\"[]", "\"char\"[]")                                                                 \
    X(1003, 19, "_name", "name[]", "NAME[]")                                                                         \
    X(1016, 20, "_int8", "bigint[]", "INT8[]")                                                                       \
    X(1005, 21, "_int2", "smallint[]", "INT2[]")                                                                     \
    X(1006, 22, "_int2vector", "int2vector[]", "INT2VECTOR[]")                                                       \
    X(1007, 23, "_int4", "integer[]", "INT4[]")                                                                      \
    X(1008, 24, "_regproc", "regproc[]", "REGPROC[]")                                                                \
    X(1009, 25, "_text", "text[]", "STRING[]")                                                                       \
    X(1028, 26, "_oid", "oid[]", "OID[]")                                                                            \
    X(1011, 28, "_xid", "xid[]", "XID[]")                                                                            \
    X(1012, 29, "_cid", "cid[]", "CID[]")                                                                            \
    X(1013, 30, "_oidvector", "oidvector[]", "OIDVECTOR[]")                                                          \
    X(1021, 700, "_float4", "real[]", "FLOAT4[]")                                                                    \
    X(1022, 701, "_float8", "double precision[]", "FLOAT8[]")                                                        \
    X(1034, 1033, "_aclitem", "aclitem[]", "STRING[]")                                                               \
    X(1014, 1042, "_bpchar", "character[]", "CHAR[]")                                                                \
    X(1015, 1043, "_varchar", "character varying[]", "VARCHAR[]")                                                    \
    X(1182, 1082, "_date", "date[]", "DATE[]")                                                                       \
    X(1183, 1083, "_time", "time without time zone[]", "TIME[]")                                                     \
    X(1115, 1114, "_timestamp", "timestamp without time zone[]", "TIMESTAMP[]")                                      \
    X(1185, 1184, "_timestamptz", "timestamp with time zone[]", "TIMESTAMPTZ[]")                                     \
    X(1187, 1186, "_interval", "interval[]", "INTERVAL[]")                                                           \
    X(1270, 1266, "_timetz", "time with time zone[]", "TIMETZ[]")                                                    \
    X(1231, 1700, "_numeric", "numeric[]", "DECIMAL[]")                                                              \
    X(2207, 2202, "_regprocedure", "regprocedure[]", "REGPROCEDURE[]")                                               \
    X(2208, 2203, "_regoper", "regoper[]", "REGOPER[]")                                                              \
    X(2209, 2204, "_regoperator", "regoperator[]", "REGOPERATOR[]")                                                  \
    X(2210, 2205, "_regclass", "regclass[]", "REGCLASS[]")                                                           \
    X(2211, 2206, "_regtype", "regtype[]", "REGTYPE[]")                                                              \
    X(2287, 2249, "_record", "record[]", "RECORD[]")                                                                 \
    X(1263, 2275, "_cstring", "cstring[]", "STRING[]")                                                               \
    X(2951, 2950, "_uuid", "uuid[]", "UUID[]")                                                                       \
    X(3735, 3734, "_regconfig", "regconfig[]", "REGCONFIG[]")                                                        \
    X(3770, 3769, "_regdictionary", "regdictionary[]", "REGDICTIONARY[]")                                            \
    X(4073, 4072, "_jsonpath", "jsonpath[]", "JSONPATH[]")                                                           \
    X(3807, 3802, "_jsonb", "jsonb[]", "JSONB[]")                                                                    \
    X(4090, 4089, "_regnamespace", "regnamespace[]", "REGNAMESPACE[]")                                               \
    X(4097, 4096, "_regrole", "regrole[]", "REGROLE[]")                                                              \
    X(4192, 4191, "_regcollation", "regcollation[]", "REGCOLLATION[]")                                               \
    X(3905, 3904, "_int4range", "int4range[]", "INT4RANGE[]")                                                        \
    X(3907, 3906, "_numrange", "numrange[]", "NUMRANGE[]")                                                           \
    X(3909, 3908, "_tsrange", "tsrange[]", "TSRANGE[]")                                                              \
    X(3911, 3910, "_tstzrange", "tstzrange[]", "TSTZRANGE[]")                                                        \
    X(3913, 3912, "_daterange", "daterange[]", "DATERANGE[]")                                                        \
    X(3927, 3926, "_int8range", "int8range[]", "INT8RANGE[]")                                                        \
    X(651, 650, "_cidr", "cidr[]", "CIDR[]") X(775, 774, "_macaddr8", "macaddr8[]", "MACADDR8[]")                      \
    X(1040, 829, "_macaddr", "macaddr[]", "MACADDR[]") X(1041, 869, "_inet", "inet[]", "INET[]")                      \
    X(1561, 1560, "_bit", "bit[]", "BIT[]") X(1563, 1562, "_varbit", "bit varying[]", "VARBIT[]")                       \
    X(6150, 4451, "_int4multirange", "int4multirange[]", "INT4MULTIRANGE[]")                                         \
    X(6151, 4532, "_nummultirange", "nummultirange[]", "NUMMULTIRANGE[]")                                            \
    X(6152, 4533, "_tsmultirange", "tsmultirange[]", "TSMULTIRANGE[]")                                               \
    X(6153, 4534, "_tstzmultirange", "tstzmultirange[]", "TSTZMULTIRANGE[]")                                         \
    X(6155, 4535, "_datemultirange", "datemultirange[]", "DATEMULTIRANGE[]")                                         \
    X(6157, 4536, "_int8multirange", "int8multirange[]", "INT8MULTIRANGE[]")                                         \
    X(791, 790, "_money", "money[]", "MONEY[]") X(9751, 9750, "_citext", "citext[]", "CITEXT[]")                       \
    X(271, 5069, "_xid8", "xid8[]", "XID8[]")

/* Arrays of what has no order. */
#define UNORDERED_ARRAY_TYPES(X)                                                                                     \
    X(3221, 3220, "_pg_lsn", "pg_lsn[]", "STRING[]") X(199, 114, "_json", "json[]", "JSON[]") X(2201, 1790, "_refcursor", "refcursor[]", "REFCURSOR[]")

/* Pseudo-types: they stand in signatures and never hold a value, void's empty one aside. */
#define PSEUDO_TYPES(X)                                                                                              \
    X(2276, "any", "\"any\"", 4) X(2278, "void", "void", 4) X(2279, "trigger", "trigger", 4)                         \
    X(2280, "language_handler", "language_handler", 4) X(2281, "internal", "internal", 8)                            \
    X(2283, "anyelement", "anyelement", 4) X(2776, "anynonarray", "anynonarray", 4) X(3500, "anyenum", "anyenum", 4) \
    X(3831, "anyrange", "anyrange", -1) X(5077, "anycompatible", "anycompatible", 4)                                 \
    X(5078, "anycompatiblearray", "anycompatiblearray", -1)                                                          \
    X(5079, "anycompatiblenonarray", "anycompatiblenonarray", 4) X(4537, "anymultirange", "anymultirange", -1)        \
    X(5080, "anycompatiblerange", "anycompatiblerange", -1)                                                          \
    X(4538, "anycompatiblemultirange", "anycompatiblemultirange", -1)
/* clang-format on */

static Status pseudo_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    if (type->oid == OID_VOID) {
        *out = value_bytes("", 0);
        return ST_OK;
    }
    return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot accept a value of type %s", type->name);
}

static Status pseudo_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    return pseudo_in(type, ctx, bytes, typmod, out);
}

static void pseudo_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
}

#define ARRAY_ROW(oid_, element, name_, sql, crdb)                                                                   \
    ARRAY_ROW_BY(oid_, element, name_, sql, crdb, array_compare, array_hash)
#define UNORDERED_ARRAY_ROW(oid_, element, name_, sql, crdb) ARRAY_ROW_BY(oid_, element, name_, sql, crdb, NULL, NULL)
#define ARRAY_ROW_BY(oid_, element, name_, sql, crdb, compare_, hash_)                                               \
    static const TypeDef array_##oid_ = {                                                                            \
        .oid = (oid_), .element_oid = (element), .name = (name_), .sql_name = (sql), .crdb_name = (crdb),            \
        .length = -1, .category = 'A', .rep = REP_BYTES, .key_class = KEY_CLASS_ARRAY, .in = array_in,               \
        .out = array_out, .receive = array_receive, .send = array_send, .compare = (compare_),                       \
        .hash = (hash_), .fit = array_fit, .typmod_in = array_typmod_in, .typmod_out = array_typmod_out_##oid_};

#define PSEUDO_ROW(oid_, name_, sql, length_)                                                                        \
    static const TypeDef pseudo_##oid_ = {.oid = (oid_), .name = (name_), .sql_name = (sql), .crdb_name = (sql),     \
                                          .length = (length_), .category = 'P', .rep = REP_BYTES, .in = pseudo_in,   \
                                          .out = pseudo_out, .receive = pseudo_receive, .send = pseudo_out};

/* An array's typmod is its element's. */
#define ARRAY_TYPMOD_OUT(oid_, element, name_, sql, crdb)                                                            \
    static void array_typmod_out_##oid_(int32_t typmod, Buf *out)                                                    \
    {                                                                                                                \
        const TypeDef *of = type_find(element);                                                                      \
        if (of->typmod_out) of->typmod_out(typmod, out);                                                             \
    }

ARRAY_TYPES(ARRAY_TYPMOD_OUT)
UNORDERED_ARRAY_TYPES(ARRAY_TYPMOD_OUT)
ARRAY_TYPES(ARRAY_ROW)
UNORDERED_ARRAY_TYPES(UNORDERED_ARRAY_ROW)
PSEUDO_TYPES(PSEUDO_ROW)

enum { OID_END = 9760 };

#define AT_SCALAR(oid, variable) [oid] = &variable,
#define AT_ARRAY(oid, element, name, sql, crdb) [oid] = &array_##oid,
#define AT_PSEUDO(oid, name, sql, length) [oid] = &pseudo_##oid,
static const TypeDef *const by_oid[OID_END] = {SCALAR_TYPES(AT_SCALAR) ARRAY_TYPES(AT_ARRAY)
                                                 UNORDERED_ARRAY_TYPES(AT_ARRAY) PSEUDO_TYPES(AT_PSEUDO)};

#define COUNT_SCALAR(oid, variable) +1
#define COUNT_ARRAY(oid, element, name, sql, crdb) +1
#define COUNT_PSEUDO(oid, name, sql, length) +1
enum { TYPE_COUNT = SCALAR_TYPES(COUNT_SCALAR) ARRAY_TYPES(COUNT_ARRAY) UNORDERED_ARRAY_TYPES(COUNT_ARRAY)
                        PSEUDO_TYPES(COUNT_PSEUDO) };

const TypeDef *type_find(Oid oid)
{
    if (oid < OID_END && by_oid[oid]) return by_oid[oid];
    const UserType *type = user_type_find(oid);
    return !type ? NULL : oid == type->def.oid ? &type->def : &type->array;
}

int type_count(void)
{
    return TYPE_COUNT;
}

const TypeDef *type_at(int index)
{
    assert(index >= 0 && index < TYPE_COUNT);
    for (Oid oid = 0;; oid++)
        if (by_oid[oid] && index-- == 0) return by_oid[oid];
}

/* Names that are neither typname nor SQL name. */
static const struct {
    const char *name;
    Oid oid;
} aliases[] = {
    {"int", OID_INT4},          {"float", OID_FLOAT8},
    {"decimal", OID_NUMERIC},   {"dec", OID_NUMERIC},
    {"string", OID_TEXT},       {"bytes", OID_BYTEA},
    {"blob", OID_BYTEA},        {"int64", OID_INT8},
    {"char varying", OID_VARCHAR}, {"nchar", OID_BPCHAR},
    {"national character", OID_BPCHAR}, {"national char", OID_BPCHAR},
    {"national character varying", OID_VARCHAR}, {"national char varying", OID_VARCHAR},
    {"nchar varying", OID_VARCHAR}, {"time without time zone", OID_TIME},
    {"\"any\"", OID_ANY},       {"double", OID_FLOAT8},
};

static const TypeDef *find_scalar_name(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcmp(aliases[i].name, name) == 0) return by_oid[aliases[i].oid];
    for (Oid oid = 0; oid < OID_END; oid++)
        if (by_oid[oid] && (strcmp(by_oid[oid]->name, name) == 0 || strcmp(by_oid[oid]->sql_name, name) == 0))
            return by_oid[oid];
    return NULL;
}

const TypeDef *type_find_name(const char *name)
{
    const TypeDef *found = find_scalar_name(name);
    size_t size = strlen(name);
    if (found || size < 3 || size > 64 || strcmp(name + size - 2, "[]") != 0) return found;
    char element[64] = "";
    memcpy(element, name, size - 2);
    const TypeDef *of = type_find_name(element);
    return of ? type_find(of->element_oid && type_is_array(of) ? of->oid : of->array_oid) : NULL;
}

/* The precision of a time type stands inside its name: timestamp(3) with time zone. */
static size_t typmod_position(const TypeDef *type, const char *name)
{
    const TypeDef *base = type_is_array(type) && type->element_oid ? type_find(type->element_oid) : type;
    size_t end = strlen(name);
    if (type_is_array(type) && end > 2 && strcmp(name + end - 2, "[]") == 0) end -= 2;
    bool is_time = base->oid == OID_TIME || base->oid == OID_TIMETZ || base->oid == OID_TIMESTAMP ||
                   base->oid == OID_TIMESTAMPTZ;
    const char *blank = is_time ? strchr(name, ' ') : NULL;
    return blank ? (size_t)(blank - name) : end;
}

static const char *format_with(const TypeDef *type, const char *name, int32_t typmod, Arena *arena)
{
    if (typmod < 0 || !type->typmod_out) return name;
    Buf text = {0};
    size_t at = typmod_position(type, name);
    buf_put(&text, name, at);
    type->typmod_out(typmod, &text);
    buf_put_str(&text, name + at);
    const char *result = buf_to_str(&text, arena);
    buf_finish(&text);
    return result;
}

const char *type_format(TypeRef ref, Arena *arena)
{
    const TypeDef *type = type_find(type_ref_oid(ref));
    if (!type) return ref.oid ? "???" : "-";
    if (ref.domain) return type->sql_name;
    return format_with(type, type->sql_name, ref.typmod, arena);
}

const char *type_format_crdb(TypeRef ref, Arena *arena)
{
    const TypeDef *type = type_find(type_ref_oid(ref));
    if (!type) return "???";
    if (ref.domain) return type->crdb_name;
    /* CHAR is CHAR(1), and DECIMAL(10) has no scale to show. */
    if (type->oid == OID_BPCHAR && ref.typmod == 4 + 1) return type->crdb_name;
    if (type->oid == OID_NUMERIC && ref.typmod >= 4 && ((ref.typmod - 4) & 0x7ff) == 0)
        return arena_printf(arena, "DECIMAL(%d)", (ref.typmod - 4) >> 16);
    return format_with(type, type->crdb_name, ref.typmod, arena);
}

const char *type_text(TypeRef ref, const TypeEnv *env, Value value, Arena *arena)
{
    const TypeDef *type = type_find(ref.oid);
    assert(type && !value.null);
    Buf text = {0};
    type->out(type, env, value, &text);
    const char *result = buf_to_str(&text, arena);
    buf_finish(&text);
    return result;
}

Value value_copy(const TypeDef *type, Value value, Arena *arena)
{
    if (value.null || type->rep != REP_BYTES) return value;
    return value_bytes(arena_copy(arena, value.p, value.size), value.size);
}

Status type_invalid_text(TypeCtx *ctx, const char *type_name, Slice text)
{
    return err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "invalid input syntax for type %s: \"%.*s\"",
                   type_name, (int)text.size, (const char *)text.data);
}

Status type_text_out_of_range(TypeCtx *ctx, const char *type_name, Slice text)
{
    return err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value \"%.*s\" is out of range for type %s",
                   (int)text.size, (const char *)text.data, type_name);
}

Status type_out_of_range(TypeCtx *ctx, const char *type_name)
{
    return err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "%s out of range", type_name);
}

Status type_invalid_binary(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_INVALID_BINARY_REPRESENTATION, "incorrect binary data format");
}

Slice text_trim(Slice text)
{
    while (text.size && is_space(text.data[0])) text = slice_of(text.data + 1, text.size - 1);
    while (text.size && is_space(text.data[text.size - 1])) text.size--;
    return text;
}

bool text_is_word(Slice text, const char *word)
{
    if (text.size != strlen(word)) return false;
    for (size_t i = 0; i < text.size; i++)
        if (to_lower(text.data[i]) != (uint8_t)word[i]) return false;
    return true;
}
