#include "storage/types/type_range.h"

#include "storage/types/type_defs.h"
#include "storage/types/type_timestamp.h"

enum { BOUND_HEAD = 4, FIXED_BYTES = 8 };

static const struct {
    Oid range, multirange, element;
} range_types[] = {
    {OID_INT4RANGE, OID_INT4MULTIRANGE, OID_INT4},    {OID_INT8RANGE, OID_INT8MULTIRANGE, OID_INT8},
    {OID_NUMRANGE, OID_NUMMULTIRANGE, OID_NUMERIC},   {OID_DATERANGE, OID_DATEMULTIRANGE, OID_DATE},
    {OID_TSRANGE, OID_TSMULTIRANGE, OID_TIMESTAMP},   {OID_TSTZRANGE, OID_TSTZMULTIRANGE, OID_TIMESTAMPTZ},
};
enum { RANGE_TYPE_COUNT = sizeof range_types / sizeof range_types[0] };

const TypeDef *range_element(Oid oid)
{
    for (int i = 0; i < RANGE_TYPE_COUNT; i++)
        if (range_types[i].range == oid) return type_find(range_types[i].element);
    return NULL;
}

const TypeDef *multirange_element(Oid oid)
{
    for (int i = 0; i < RANGE_TYPE_COUNT; i++)
        if (range_types[i].multirange == oid) return type_find(range_types[i].element);
    return NULL;
}

Oid range_over(Oid element)
{
    for (int i = 0; i < RANGE_TYPE_COUNT; i++)
        if (range_types[i].element == element) return range_types[i].range;
    return 0;
}

Oid multirange_over(Oid element)
{
    for (int i = 0; i < RANGE_TYPE_COUNT; i++)
        if (range_types[i].element == element) return range_types[i].multirange;
    return 0;
}

/* ---- bytes ---- */

static Value read_bound(const TypeDef *element, const uint8_t **at)
{
    uint32_t size;
    Value value;
    memcpy(&size, *at, sizeof size);
    const uint8_t *bytes = *at + BOUND_HEAD;
    *at = bytes + size;
    if (element->rep == REP_BYTES) return value_bytes(bytes, size);
    value = value_int(0);
    memcpy(&value.i, bytes, sizeof value.i);
    return value;
}

void range_open(const TypeDef *type, Value value, Range *range)
{
    const TypeDef *element = range_element(type->oid);
    const uint8_t *at = value.p + 1;
    int flags = value.p[0];
    *range = (Range){.empty = (flags & RANGE_EMPTY) != 0,
                     .lower = {.infinite = (flags & RANGE_LOWER_INFINITE) != 0, .inclusive = (flags & RANGE_LOWER_INCLUSIVE) != 0},
                     .upper = {.infinite = (flags & RANGE_UPPER_INFINITE) != 0, .inclusive = (flags & RANGE_UPPER_INCLUSIVE) != 0}};
    if (range->empty) return;
    if (!range->lower.infinite) range->lower.value = read_bound(element, &at);
    if (!range->upper.infinite) range->upper.value = read_bound(element, &at);
}

static size_t bound_size(const TypeDef *element, const RangeBound *bound)
{
    if (bound->infinite) return 0;
    return BOUND_HEAD + (element->rep == REP_BYTES ? bound->value.size : FIXED_BYTES);
}

static uint8_t *write_bound(const TypeDef *element, const RangeBound *bound, uint8_t *at)
{
    if (bound->infinite) return at;
    uint32_t size = element->rep == REP_BYTES ? bound->value.size : FIXED_BYTES;
    memcpy(at, &size, sizeof size);
    memcpy(at + BOUND_HEAD, element->rep == REP_BYTES ? bound->value.p : (const uint8_t *)&bound->value.i, size);
    return at + BOUND_HEAD + size;
}

static Status write_range(TypeCtx *ctx, const TypeDef *element, const Range *range, Value *out)
{
    if (range->empty) {
        *out = value_bytes("\x01", 1);
        return ST_OK;
    }
    int flags = (range->lower.infinite ? RANGE_LOWER_INFINITE : 0) | (range->upper.infinite ? RANGE_UPPER_INFINITE : 0) |
                (range->lower.inclusive ? RANGE_LOWER_INCLUSIVE : 0) | (range->upper.inclusive ? RANGE_UPPER_INCLUSIVE : 0);
    size_t size = 1 + bound_size(element, &range->lower) + bound_size(element, &range->upper);
    uint8_t *bytes = arena_try_alloc(ctx->arena, size);
    if (!bytes) return err_no_memory(ctx->err);
    bytes[0] = (uint8_t)flags;
    write_bound(element, &range->upper, write_bound(element, &range->lower, bytes + 1));
    *out = value_bytes(bytes, size);
    return ST_OK;
}

/* ---- canonical form ---- */

static bool is_discrete(const TypeDef *element)
{
    return element->oid == OID_INT4 || element->oid == OID_INT8 || element->oid == OID_DATE;
}

static Status step_up(TypeCtx *ctx, const TypeDef *element, RangeBound *bound, bool inclusive)
{
    int64_t last = element->oid == OID_INT4 ? INT32_MAX : element->oid == OID_INT8 ? INT64_MAX : DATE_END - 1;
    bool infinity = element->oid == OID_DATE && (bound->value.i == DATE_INFINITY || bound->value.i == DATE_MINUS_INFINITY);
    if (bound->infinite || infinity || bound->inclusive == inclusive) return ST_OK;
    if (bound->value.i >= last)
        return err_set(ctx->err, ctx->arena,
                       element->oid == OID_DATE ? ERR_DATETIME_FIELD_OVERFLOW : ERR_NUMERIC_VALUE_OUT_OF_RANGE, "%s out of range",
                       element->sql_name);
    bound->value.i++;
    bound->inclusive = inclusive;
    return ST_OK;
}

static bool bounds_leave_nothing(const TypeDef *element, const Range *range)
{
    if (range->lower.infinite || range->upper.infinite) return false;
    int order = element->compare(element, range->lower.value, range->upper.value);
    return order == 0 && !(range->lower.inclusive && range->upper.inclusive);
}

Status range_build(TypeCtx *ctx, const TypeDef *type, const Range *range, Value *out)
{
    const TypeDef *element = range_element(type->oid);
    Range r = *range;
    if (r.empty) return write_range(ctx, element, &r, out);
    r.lower.inclusive &= !r.lower.infinite;
    r.upper.inclusive &= !r.upper.infinite;
    if (!r.lower.infinite && !r.upper.infinite && element->compare(element, r.lower.value, r.upper.value) > 0)
        return err_set(ctx->err, ctx->arena, ERR_DATA_EXCEPTION,
                       "range lower bound must be less than or equal to range upper bound");
    r.empty = bounds_leave_nothing(element, &r);
    if (!r.empty && is_discrete(element)) {
        TRY(step_up(ctx, element, &r.lower, true));
        TRY(step_up(ctx, element, &r.upper, false));
        r.empty = bounds_leave_nothing(element, &r);
    }
    return write_range(ctx, element, &r, out);
}

/* ---- the types ---- */

#define RANGE_TYPE(variable, oid_, array_, name_, crdb)                                                              \
    const TypeDef variable = {                                                                                       \
        .oid = (oid_), .array_oid = (array_), .name = (name_), .sql_name = (name_), .crdb_name = (crdb),             \
        .length = -1, .category = 'R', .rep = REP_BYTES, .key_class = KEY_CLASS_RANGE, .in = range_in,               \
        .out = range_out, .receive = range_receive, .send = range_send, .compare = range_compare, .hash = range_hash}

RANGE_TYPE(type_int4range, OID_INT4RANGE, 3905, "int4range", "INT4RANGE");
RANGE_TYPE(type_int8range, OID_INT8RANGE, 3927, "int8range", "INT8RANGE");
RANGE_TYPE(type_numrange, OID_NUMRANGE, 3907, "numrange", "NUMRANGE");
RANGE_TYPE(type_daterange, OID_DATERANGE, 3913, "daterange", "DATERANGE");
RANGE_TYPE(type_tsrange, OID_TSRANGE, 3909, "tsrange", "TSRANGE");
RANGE_TYPE(type_tstzrange, OID_TSTZRANGE, 3911, "tstzrange", "TSTZRANGE");
