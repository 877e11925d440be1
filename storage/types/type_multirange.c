#include "storage/types/type_multirange.h"

#include <stdlib.h>

#include "storage/base/list.h"
#include "storage/types/cast_run.h"
#include "storage/types/type_defs.h"

enum { COUNT_BYTES = 4, SIZE_BYTES = 4 };

typedef VEC(Range) RangeVec;

/* ---- bytes ---- */

static uint32_t load32(const uint8_t *p)
{
    uint32_t n;
    memcpy(&n, p, sizeof n);
    return n;
}

/* The bytes of the range that *at is at; *at goes on to the next. */
static Value next_range(const uint8_t **at)
{
    uint32_t size = load32(*at);
    Value range = value_bytes(*at + SIZE_BYTES, size);
    *at += SIZE_BYTES + size;
    return range;
}

static const TypeDef *range_type(const TypeDef *type)
{
    return type_find(range_over(multirange_element(type->oid)->oid));
}

Status multirange_open(TypeCtx *ctx, const TypeDef *type, Value value, Multirange *set)
{
    const uint8_t *at = value.p + COUNT_BYTES;
    *set = (Multirange){.element = multirange_element(type->oid), .range = range_type(type), .count = (int)load32(value.p)};
    set->ranges = arena_try_alloc(ctx->arena, sizeof *set->ranges * (size_t)(set->count + 1));
    if (!set->ranges) return err_no_memory(ctx->err);
    for (int i = 0; i < set->count; i++) range_open(set->range, next_range(&at), &set->ranges[i]);
    return ST_OK;
}

static int compare_ranges(const void *a, const void *b, void *element)
{
    return range_order(element, a, b);
}

/* Joins what touches; the ranges are in order and none is empty. Returns how many are left. */
static int join_touching(const TypeDef *element, Range *ranges, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        Range *last = kept ? &ranges[kept - 1] : NULL;
        if (last && (range_overlaps(element, last, &ranges[i]) || range_adjacent(element, last, &ranges[i])))
            *last = range_merge(element, last, &ranges[i]);
        else
            ranges[kept++] = ranges[i];
    }
    return kept;
}

static Status put_ranges(TypeCtx *ctx, const TypeDef *range, const Range *ranges, int count, Buf *out)
{
    uint32_t n = (uint32_t)count;
    buf_put(out, &n, sizeof n);
    for (int i = 0; i < count; i++) {
        Value one;
        TRY(range_build(ctx, range, &ranges[i], &one));
        buf_put(out, &one.size, sizeof one.size);
        buf_put(out, one.p, one.size);
    }
    return out->failed ? err_no_memory(ctx->err) : ST_OK;
}

Status multirange_build(TypeCtx *ctx, const TypeDef *type, Range *ranges, int count, Value *out)
{
    const TypeDef *range = range_type(type);
    const TypeDef *element = range_element(range->oid);
    Buf bytes = {0};
    int kept = 0;
    for (int i = 0; i < count; i++) {
        /* Canonical first: whether discrete ranges touch shows only then. */
        Value one;
        TRY(range_build(ctx, range, &ranges[i], &one));
        range_open(range, one, &ranges[kept]);
        kept += !ranges[kept].empty;
    }
    if (kept) qsort_r(ranges, (size_t)kept, sizeof *ranges, compare_ranges, (void *)(uintptr_t)element);
    kept = join_touching(element, ranges, kept);
    Status status = put_ranges(ctx, range, ranges, kept, &bytes);
    if (status == ST_OK) *out = value_slice(buf_to_arena(&bytes, ctx->arena));
    buf_finish(&bytes);
    return status;
}

bool multirange_contains(const Multirange *whole, const Range *part)
{
    if (part->empty) return true;
    for (int i = 0; i < whole->count; i++)
        if (range_contains(whole->element, &whole->ranges[i], part)) return true;
    return false;
}

/* ---- text ---- */

static Status malformed(TypeCtx *ctx, Slice text, const char *detail)
{
    (void)err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "malformed multirange literal: \"%.*s\"",
                  (int)text.size, (const char *)text.data);
    err_detail(ctx->err, ctx->arena, "%s", detail);
    return ST_ERROR;
}

static size_t skip_space(Slice text, size_t at)
{
    while (at < text.size && is_space(text.data[at])) at++;
    return at;
}

static Status parse_one(const TypeDef *range, TypeCtx *ctx, Slice text, size_t *at, RangeVec *ranges)
{
    size_t end;
    Value value;
    Range one;
    Slice rest = slice_of(text.data + *at, text.size - *at);
    bool starts = rest.size && (rest.data[0] == '[' || rest.data[0] == '(' ||
                                (rest.size >= 5 && text_is_word(slice_of(rest.data, 5), "empty")));
    if (!starts) return malformed(ctx, text, rest.size ? "Expected range start." : "Unexpected end of input.");
    if (range_parse(range, ctx, rest, &end, &value) != ST_OK) {
        bool ends = ctx->err->detail && strcmp(ctx->err->detail, "Unexpected end of input.") == 0;
        return ends ? malformed(ctx, text, "Unexpected end of input.") : ST_ERROR;
    }
    range_open(range, value, &one);
    VEC_PUSH(ctx->arena, *ranges, one);
    *at = skip_space(text, *at + end);
    return ST_OK;
}

static Status multirange_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    const TypeDef *range = range_type(type);
    RangeVec ranges = {0};
    size_t at = skip_space(text, 0);
    if (at == text.size || text.data[at] != '{') return malformed(ctx, text, "Missing left brace.");
    at = skip_space(text, at + 1);
    bool first = true;
    for (; first ? at == text.size || text.data[at] != '}' : true; first = false) {
        TRY(parse_one(range, ctx, text, &at, &ranges));
        if (at == text.size) return malformed(ctx, text, "Unexpected end of input.");
        if (text.data[at] == '}') break;
        if (text.data[at] != ',') return malformed(ctx, text, "Expected comma or end of multirange.");
        at = skip_space(text, at + 1);
    }
    if (skip_space(text, at + 1) != text.size) return malformed(ctx, text, "Junk after closing right brace.");
    return multirange_build(ctx, type, ranges.items, ranges.count, out);
}

static void multirange_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    const TypeDef *range = range_type(type);
    const uint8_t *at = value.p + COUNT_BYTES;
    buf_put_u8(out, '{');
    for (uint32_t i = 0, count = load32(value.p); i < count; i++) {
        if (i) buf_put_u8(out, ',');
        range_out(range, env, next_range(&at), out);
    }
    buf_put_u8(out, '}');
}

/* ---- binary: the number of ranges, then the size and the bytes of each ---- */

static Status multirange_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    const TypeDef *range = range_type(type);
    RangeVec ranges = {0};
    if (bytes.size < COUNT_BYTES) return type_invalid_binary(ctx);
    uint32_t count = load_u32(bytes.data);
    Slice rest = slice_of(bytes.data + COUNT_BYTES, bytes.size - COUNT_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        Value value;
        Range one;
        if (rest.size < SIZE_BYTES || load_u32(rest.data) > rest.size - SIZE_BYTES) return type_invalid_binary(ctx);
        uint32_t size = load_u32(rest.data);
        TRY(range_receive(range, ctx, slice_of(rest.data + SIZE_BYTES, size), -1, &value));
        rest = slice_of(rest.data + SIZE_BYTES + size, rest.size - SIZE_BYTES - size);
        range_open(range, value, &one);
        VEC_PUSH(ctx->arena, ranges, one);
    }
    if (rest.size) return type_invalid_binary(ctx);
    return multirange_build(ctx, type, ranges.items, ranges.count, out);
}

static void multirange_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    const TypeDef *range = range_type(type);
    const uint8_t *at = value.p + COUNT_BYTES;
    uint32_t count = load32(value.p);
    buf_put_u32(out, count);
    for (uint32_t i = 0; i < count; i++) {
        Buf one = {0};
        range_send(range, env, next_range(&at), &one);
        buf_put_u32(out, (uint32_t)one.size);
        buf_put_slice(out, buf_slice(&one));
        out->failed |= one.failed;
        buf_finish(&one);
    }
}

/* ---- order: range by range, then by their number ---- */

static int multirange_compare(const TypeDef *type, Value a, Value b)
{
    const TypeDef *range = range_type(type);
    uint32_t a_count = load32(a.p), b_count = load32(b.p);
    const uint8_t *x = a.p + COUNT_BYTES, *y = b.p + COUNT_BYTES;
    for (uint32_t i = 0; i < a_count && i < b_count; i++) {
        int order = range_compare(range, next_range(&x), next_range(&y));
        if (order) return order;
    }
    return (a_count > b_count) - (a_count < b_count);
}

static uint64_t multirange_hash(const TypeDef *type, Value value)
{
    const TypeDef *range = range_type(type);
    const uint8_t *at = value.p + COUNT_BYTES;
    uint64_t hash = 1;
    for (uint32_t i = 0, count = load32(value.p); i < count; i++) hash = hash * 31 + range_hash(range, next_range(&at));
    return hash_int((int64_t)hash);
}

#define MULTIRANGE_TYPE(variable, oid_, array_, name_, crdb)                                                         \
    const TypeDef variable = {                                                                                       \
        .oid = (oid_), .array_oid = (array_), .name = (name_), .sql_name = (name_), .crdb_name = (crdb),             \
        .length = -1, .category = 'R', .rep = REP_BYTES, .key_class = KEY_CLASS_NONE, .in = multirange_in,           \
        .out = multirange_out, .receive = multirange_receive, .send = multirange_send,                               \
        .compare = multirange_compare, .hash = multirange_hash}

MULTIRANGE_TYPE(type_int4multirange, OID_INT4MULTIRANGE, 6150, "int4multirange", "INT4MULTIRANGE");
MULTIRANGE_TYPE(type_int8multirange, OID_INT8MULTIRANGE, 6157, "int8multirange", "INT8MULTIRANGE");
MULTIRANGE_TYPE(type_nummultirange, OID_NUMMULTIRANGE, 6151, "nummultirange", "NUMMULTIRANGE");
MULTIRANGE_TYPE(type_datemultirange, OID_DATEMULTIRANGE, 6155, "datemultirange", "DATEMULTIRANGE");
MULTIRANGE_TYPE(type_tsmultirange, OID_TSMULTIRANGE, 6152, "tsmultirange", "TSMULTIRANGE");
MULTIRANGE_TYPE(type_tstzmultirange, OID_TSTZMULTIRANGE, 6153, "tstzmultirange", "TSTZMULTIRANGE");

/* ---- casts ---- */

#define MULTIRANGE_CAST(name, from, to)                                                                              \
    CAST_BODY(name)                                                                                                  \
    {                                                                                                                \
        Range range;                                                                                                 \
        range_open(&(from), in, &range);                                                                             \
        return multirange_build(ctx, &(to), &range, 1, out);                                                         \
    }

MULTIRANGE_CAST(cast_int4range_to_set, type_int4range, type_int4multirange)
MULTIRANGE_CAST(cast_int8range_to_set, type_int8range, type_int8multirange)
MULTIRANGE_CAST(cast_numrange_to_set, type_numrange, type_nummultirange)
MULTIRANGE_CAST(cast_daterange_to_set, type_daterange, type_datemultirange)
MULTIRANGE_CAST(cast_tsrange_to_set, type_tsrange, type_tsmultirange)
MULTIRANGE_CAST(cast_tstzrange_to_set, type_tstzrange, type_tstzmultirange)
