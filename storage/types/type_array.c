/* Arrays as bytes: building, reading, order, the wire's form. Their text is in array_text.c. */
#include "storage/types/type_array.h"

#include <assert.h>

#include "storage/types/type_defs.h"

enum { FIXED_BYTES = 8, ELEMENTS_MAX = 134217727 };

static uint32_t load32(const uint8_t *p)
{
    uint32_t n;
    memcpy(&n, p, sizeof n);
    return n;
}

static void store32(uint8_t *p, uint32_t n)
{
    memcpy(p, &n, sizeof n);
}

void array_open(Value value, Array *array)
{
    const uint8_t *p = value.p;
    *array = (Array){.dimension_count = (int)load32(p), .element = load32(p + 4)};
    assert(array->dimension_count >= 0 && array->dimension_count <= ARRAY_DIMENSIONS_MAX);
    const TypeDef *element = type_find(array->element);
    array->rep = element ? element->rep : REP_BYTES;
    if (array->dimension_count == 0) return;
    array->has_nulls = load32(p + 8);
    array->count = 1;
    p += 12;
    for (int i = 0; i < array->dimension_count; i++, p += 8) {
        array->lengths[i] = (int32_t)load32(p);
        array->lower_bounds[i] = (int32_t)load32(p + 4);
        array->count *= array->lengths[i];
    }
    array->nulls = p;
    array->values = array->has_nulls ? p + (array->count + 7) / 8 : p;
}

Value array_element(const Array *array, int index)
{
    assert(index >= 0 && index < array->count);
    if (array->has_nulls && array->nulls[index / 8] >> (index % 8) & 1) return VALUE_NULL;
    if (array->rep != REP_BYTES) {
        int64_t bits;
        memcpy(&bits, array->values + (size_t)index * FIXED_BYTES, sizeof bits);
        return value_int(bits);
    }
    const uint8_t *bytes = array->values + 4 * (size_t)array->count;
    uint32_t start = index ? load32(array->values + 4 * (size_t)(index - 1)) : 0;
    return value_bytes(bytes + start, load32(array->values + 4 * (size_t)index) - start);
}

Value array_at(const Array *array, const int32_t *subscripts, int subscript_count)
{
    int index = 0;
    if (array->dimension_count == 0 || subscript_count != array->dimension_count) return VALUE_NULL;
    for (int i = 0; i < subscript_count; i++) {
        int64_t at = (int64_t)subscripts[i] - array->lower_bounds[i];
        if (at < 0 || at >= array->lengths[i]) return VALUE_NULL;
        index = index * array->lengths[i] + (int)at;
    }
    return array_element(array, index);
}

static Status too_large(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed (%d)",
                   ELEMENTS_MAX);
}

static void put_elements(uint8_t *at, const Value *elements, int count, TypeRep rep)
{
    uint8_t *bytes = at + 4 * (size_t)count;
    uint32_t end = 0;
    for (int i = 0; i < count; i++) {
        if (rep != REP_BYTES) {
            int64_t bits = elements[i].null ? 0 : elements[i].i;
            memcpy(at + (size_t)i * FIXED_BYTES, &bits, sizeof bits);
            continue;
        }
        uint32_t size = elements[i].null ? 0 : elements[i].size;
        if (size) memcpy(bytes + end, elements[i].p, size);
        end += size;
        store32(at + 4 * (size_t)i, end);
    }
}

Status array_build_shaped(TypeCtx *ctx, Oid element, const Value *elements, ArrayShape shape, Value *out)
{
    int dimension_count = shape.dimension_count;
    TypeRep rep = type_find(element) ? type_find(element)->rep : REP_BYTES;
    int64_t count = dimension_count ? 1 : 0;
    for (int i = 0; i < dimension_count; i++) {
        if (shape.lengths[i] < 0 || (count *= shape.lengths[i]) > ELEMENTS_MAX) return too_large(ctx);
    }
    if (count == 0) dimension_count = 0;
    size_t size = count ? 12 + 8 * (size_t)dimension_count : 8, bytes = 0;
    bool has_nulls = false;
    for (int i = 0; i < count; i++) {
        has_nulls |= elements[i].null;
        bytes += rep != REP_BYTES ? FIXED_BYTES : 4 + (elements[i].null ? 0 : (size_t)elements[i].size);
    }
    size_t bitmap = has_nulls ? (size_t)(count + 7) / 8 : 0;
    if (bytes > (1u << 30)) return too_large(ctx);
    uint8_t *p = arena_try_alloc(ctx->arena, size + bitmap + bytes);
    if (!p) return err_no_memory(ctx->err);
    store32(p, (uint32_t)dimension_count);
    store32(p + 4, element);
    if (count) {
        store32(p + 8, has_nulls);
        for (int i = 0; i < dimension_count; i++) {
            store32(p + 12 + 8 * i, (uint32_t)shape.lengths[i]);
            store32(p + 16 + 8 * i, (uint32_t)(shape.lower_bounds ? shape.lower_bounds[i] : 1));
        }
        for (int i = 0; i < count && has_nulls; i++)
            if (elements[i].null) p[size + (size_t)i / 8] = (uint8_t)(p[size + (size_t)i / 8] | 1 << (i % 8));
        put_elements(p + size + bitmap, elements, (int)count, rep);
    }
    *out = value_bytes(p, size + bitmap + bytes);
    return ST_OK;
}

Status array_build(TypeCtx *ctx, Oid element, const Value *elements, int count, Value *out)
{
    return array_build_shaped(ctx, element, elements, (ArrayShape){1, &(int32_t){count}, NULL}, out);
}

Status array_build_vector(TypeCtx *ctx, Oid element, const Value *elements, int count, Value *out)
{
    return array_build_shaped(ctx, element, elements, (ArrayShape){1, &(int32_t){count}, &(int32_t){0}}, out);
}

/* ---- binary ---- */

/* What of a message is left to read. */
typedef struct Reader {
    Slice rest;
    bool failed;
} Reader;

static int32_t read_int(Reader *r)
{
    if (r->rest.size < 4) {
        r->failed = true;
        return 0;
    }
    int32_t n = (int32_t)load_u32(r->rest.data);
    r->rest = slice_of(r->rest.data + 4, r->rest.size - 4);
    return n;
}

static Status receive_element(const TypeDef *element, TypeCtx *ctx, Reader *r, int32_t typmod, Value *out)
{
    int32_t size = read_int(r);
    *out = VALUE_NULL;
    if (size == -1) return ST_OK;
    if (r->failed || size < 0 || (size_t)size > r->rest.size) return type_invalid_binary(ctx);
    Slice bytes = slice_of(r->rest.data, (size_t)size);
    r->rest = slice_of(r->rest.data + size, r->rest.size - (size_t)size);
    return element->receive(element, ctx, bytes, typmod, out);
}

Status array_receive(const TypeDef *type, TypeCtx *ctx, Slice message, int32_t typmod, Value *out)
{
    Reader r = {.rest = message};
    int32_t dimensions = read_int(&r), flags = read_int(&r);
    const TypeDef *element = type_find((Oid)read_int(&r));
    int32_t lengths[ARRAY_DIMENSIONS_MAX] = {0}, lower_bounds[ARRAY_DIMENSIONS_MAX] = {0};
    if (r.failed || dimensions < 0 || (flags != 0 && flags != 1)) return type_invalid_binary(ctx);
    if (dimensions > ARRAY_DIMENSIONS_MAX)
        return err_set(ctx->err, ctx->arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)", dimensions,
                       ARRAY_DIMENSIONS_MAX);
    if (!element || (type->element_oid && element->oid != type->element_oid))
        return err_set(ctx->err, ctx->arena, ERR_DATATYPE_MISMATCH, "wrong element type");
    int64_t count = dimensions ? 1 : 0;
    for (int i = 0; i < dimensions; i++) {
        lengths[i] = read_int(&r);
        lower_bounds[i] = read_int(&r);
        if (r.failed || lengths[i] < 0) return type_invalid_binary(ctx);
        /* Every element takes four bytes of the message at least. */
        if ((count *= lengths[i]) > (int64_t)r.rest.size / 4 + 1) return type_invalid_binary(ctx);
    }
    Value *elements = arena_try_alloc(ctx->arena, sizeof *elements * (size_t)(count + 1));
    if (!elements) return err_no_memory(ctx->err);
    for (int i = 0; i < count; i++) TRY(receive_element(element, ctx, &r, typmod, &elements[i]));
    if (r.rest.size) return type_invalid_binary(ctx);
    return array_build_shaped(ctx, element->oid, elements, (ArrayShape){dimensions, lengths, lower_bounds}, out);
}

void array_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Array array;
    array_open(value, &array);
    const TypeDef *element = type_find(array.element);
    buf_put_u32(out, (uint32_t)array.dimension_count);
    buf_put_u32(out, array.has_nulls);
    buf_put_u32(out, array.element);
    for (int i = 0; i < array.dimension_count; i++) {
        buf_put_u32(out, (uint32_t)array.lengths[i]);
        buf_put_u32(out, (uint32_t)array.lower_bounds[i]);
    }
    for (int i = 0; i < array.count; i++) {
        Value v = array_element(&array, i);
        size_t start = out->size;
        buf_put_u32(out, UINT32_MAX);
        if (v.null) continue;
        element->send(element, env, v, out);
        if (out->failed) return;
        uint32_t size = (uint32_t)(out->size - start - 4);
        const uint8_t big[] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size};
        memcpy(out->data + start, big, sizeof big);
    }
}

/* ---- order ---- */

static int compare_ints(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Element by element, NULL above all; then by number of elements, and by shape. */
int array_compare(const TypeDef *type, Value a, Value b)
{
    Array x, y;
    array_open(a, &x);
    array_open(b, &y);
    const TypeDef *element = type_find(x.element);
    for (int i = 0; i < x.count && i < y.count; i++) {
        Value v = array_element(&x, i), w = array_element(&y, i);
        int order = v.null || w.null ? (int)v.null - (int)w.null : element->compare(element, v, w);
        if (order) return order;
    }
    if (x.count != y.count) return compare_ints(x.count, y.count);
    if (x.dimension_count != y.dimension_count) return compare_ints(x.dimension_count, y.dimension_count);
    for (int i = 0; i < x.dimension_count; i++)
        if (x.lengths[i] != y.lengths[i]) return compare_ints(x.lengths[i], y.lengths[i]);
    for (int i = 0; i < x.dimension_count; i++)
        if (x.lower_bounds[i] != y.lower_bounds[i]) return compare_ints(x.lower_bounds[i], y.lower_bounds[i]);
    return 0;
}

uint64_t array_hash(const TypeDef *type, Value value)
{
    Array array;
    array_open(value, &array);
    const TypeDef *element = type_find(array.element);
    uint64_t hash = 1;
    for (int i = 0; i < array.count; i++) {
        Value v = array_element(&array, i);
        hash = hash * 31 + (v.null ? 0 : element->hash(element, v));
    }
    return hash_int((int64_t)hash);
}

/* ---- typmod: the element's ---- */

Status array_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    Array array;
    array_open(in, &array);
    const TypeDef *element = type_find(array.element);
    *out = in;
    if (typmod < 0 || !element->fit || array.count == 0) return ST_OK;
    Value *elements = arena_try_alloc(ctx->arena, sizeof *elements * (size_t)array.count);
    if (!elements) return err_no_memory(ctx->err);
    for (int i = 0; i < array.count; i++) {
        elements[i] = array_element(&array, i);
        if (!elements[i].null) TRY(element->fit(element, ctx, elements[i], typmod, explicit_cast, &elements[i]));
    }
    ArrayShape shape = {array.dimension_count, array.lengths, array.lower_bounds};
    return array_build_shaped(ctx, array.element, elements, shape, out);
}

Status array_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod)
{
    const TypeDef *element = type_find(type->element_oid);
    if (element->typmod_in) return element->typmod_in(element, ctx, args, arg_count, typmod);
    return err_set(ctx->err, ctx->arena, ERR_SYNTAX_ERROR, "type modifier is not allowed for type \"%s\"",
                   element->name);
}
