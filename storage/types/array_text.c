/* Arrays as text: {1,2,NULL}, {{a,b},{c,d}}, [0:1]={5,6}; and the vectors of the catalog, 1 2 3. */
#include <assert.h>

#include "storage/base/list.h"
#include "storage/types/type_array.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"

typedef VEC(Value) ValueVec;

typedef struct Parse {
    TypeCtx *ctx;
    const TypeDef *element;
    int32_t typmod;
    Slice text;
    size_t at;
    int dimension_count; /* 0 until the first element shows the depth */
    int32_t lengths[ARRAY_DIMENSIONS_MAX], lower_bounds[ARRAY_DIMENSIONS_MAX];
    bool length_known[ARRAY_DIMENSIONS_MAX];
    int declared_count; /* dimensions given before the '='; 0: none */
    int32_t declared_lengths[ARRAY_DIMENSIONS_MAX];
    ValueVec values;
} Parse;

static Status malformed(Parse *p, const char *detail)
{
    err_set(p->ctx->err, p->ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "malformed array literal: \"%.*s\"",
            (int)p->text.size, (const char *)p->text.data);
    if (detail) err_detail(p->ctx->err, p->ctx->arena, "%s", detail);
    return ST_ERROR;
}

static void skip_space(Parse *p)
{
    while (p->at < p->text.size && is_space(p->text.data[p->at])) p->at++;
}

static uint8_t peek(const Parse *p)
{
    return p->at < p->text.size ? p->text.data[p->at] : 0;
}

static bool parse_bound(Parse *p, int64_t *out)
{
    size_t start = p->at;
    if (peek(p) == '-' || peek(p) == '+') p->at++;
    while (is_digit(peek(p))) p->at++;
    return int_parse(slice_of(p->text.data + start, p->at - start), out) == INT_PARSED && *out <= INT32_MAX &&
           *out >= INT32_MIN;
}

/* [1:3][0:1]= */
static Status parse_dimensions(Parse *p)
{
    for (skip_space(p); peek(p) == '['; skip_space(p)) {
        int64_t low = 1, high;
        p->at++;
        if (p->declared_count == ARRAY_DIMENSIONS_MAX)
            return err_set(p->ctx->err, p->ctx->arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                           "number of array dimensions (%d) exceeds the maximum allowed (%d)", ARRAY_DIMENSIONS_MAX + 1,
                           ARRAY_DIMENSIONS_MAX);
        if (!parse_bound(p, &high)) return malformed(p, "\"[\" must introduce explicitly-specified array dimensions.");
        if (peek(p) == ':') {
            p->at++;
            low = high;
            if (!parse_bound(p, &high)) return malformed(p, "Missing array dimension value.");
        }
        if (peek(p) != ']') return malformed(p, "Missing \"]\" after array dimensions.");
        p->at++;
        if (high < low)
            return err_set(p->ctx->err, p->ctx->arena, ERR_ARRAY_SUBSCRIPT_ERROR,
                           "upper bound cannot be less than lower bound");
        if (high - low >= INT32_MAX) return malformed(p, NULL);
        p->lower_bounds[p->declared_count] = (int32_t)low;
        p->declared_lengths[p->declared_count++] = (int32_t)(high - low + 1);
    }
    if (!p->declared_count) return ST_OK;
    if (peek(p) != '=') return malformed(p, "Missing \"=\" after array dimensions.");
    p->at++;
    skip_space(p);
    return peek(p) == '{' ? ST_OK : malformed(p, "Array contents must start with \"{\".");
}

/* The text of one element without quotes and escapes; trailing white space goes only where it was bare. */
static Status scan_element(Parse *p, Slice *out, bool *is_null)
{
    uint8_t *text = arena_alloc(p->ctx->arena, p->text.size - p->at + 1);
    size_t size = 0, keep = 0;
    bool quoted = false, escaped = false;
    while (p->at < p->text.size) {
        uint8_t c = p->text.data[p->at];
        if (c == ',' || c == '}') break;
        if (c == '{') return malformed(p, "Unexpected \"{\" character.");
        if (c == '"') {
            if (quoted || keep) return malformed(p, "Unexpected array element.");
            quoted = true;
            for (p->at++; p->at < p->text.size && p->text.data[p->at] != '"'; p->at++) {
                if (p->text.data[p->at] == '\\' && ++p->at == p->text.size) break;
                text[size++] = p->text.data[p->at];
            }
            if (p->at >= p->text.size) return malformed(p, "Unexpected end of input.");
            p->at++;
            size_t end = p->at;
            skip_space(p);
            if (p->at < p->text.size && peek(p) != ',' && peek(p) != '}') {
                p->at = end;
                return malformed(p, "Incorrectly quoted array element.");
            }
            keep = size;
            continue;
        }
        if (c == '\\') {
            escaped = true;
            if (++p->at == p->text.size) return malformed(p, "Unexpected end of input.");
            c = p->text.data[p->at];
            text[size++] = c;
            keep = size;
        } else {
            text[size++] = c;
            if (!is_space(c)) keep = size;
        }
        p->at++;
    }
    *out = slice_of(text, keep);
    *is_null = !quoted && !escaped && text_is_word(*out, "null");
    if (!quoted && keep == 0)
        return malformed(p, peek(p) == '}' ? "Unexpected \"}\" character." : "Unexpected \",\" character.");
    return ST_OK;
}

static Status parse_element(Parse *p, int depth)
{
    Slice text = {0};
    bool is_null = false;
    Value value = VALUE_NULL;
    if (p->dimension_count == 0) p->dimension_count = depth;
    if (p->dimension_count != depth)
        return malformed(p, "Multidimensional arrays must have sub-arrays with matching dimensions.");
    TRY(scan_element(p, &text, &is_null));
    if (!is_null) TRY(p->element->in(p->element, p->ctx, text, p->typmod, &value));
    VEC_PUSH(p->ctx->arena, p->values, value);
    return ST_OK;
}

/* From a '{' to its '}'; depth is 1 for the outermost. */
static Status parse_braces(Parse *p, int depth)
{
    if (depth > ARRAY_DIMENSIONS_MAX)
        return err_set(p->ctx->err, p->ctx->arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)", depth, ARRAY_DIMENSIONS_MAX);
    int32_t count = 0;
    p->at++;
    skip_space(p);
    if (peek(p) == '}') {
        p->at++;
        return depth == 1 ? ST_OK : malformed(p, "Unexpected \"}\" character.");
    }
    for (;; count++) {
        skip_space(p);
        if (p->at == p->text.size) return malformed(p, "Unexpected end of input.");
        if (peek(p) == '{' && p->dimension_count == depth)
            return malformed(p, "Unexpected \"{\" character.");
        TRY(peek(p) == '{' ? parse_braces(p, depth + 1) : parse_element(p, depth));
        skip_space(p);
        uint8_t c = peek(p);
        if (p->at == p->text.size) return malformed(p, "Unexpected end of input.");
        if (c != ',' && c != '}') return malformed(p, "Unexpected array element.");
        p->at++;
        if (c == '}') break;
    }
    if (p->length_known[depth - 1] && p->lengths[depth - 1] != count + 1)
        return malformed(p, "Multidimensional arrays must have sub-arrays with matching dimensions.");
    p->lengths[depth - 1] = count + 1;
    p->length_known[depth - 1] = true;
    return ST_OK;
}

Status array_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    Parse p = {.ctx = ctx, .element = type_find(type->element_oid), .typmod = typmod, .text = text};
    for (int i = 0; i < ARRAY_DIMENSIONS_MAX; i++) p.lower_bounds[i] = 1;
    TRY(parse_dimensions(&p));
    if (peek(&p) != '{') return malformed(&p, "Array value must start with \"{\" or dimension information.");
    TRY(parse_braces(&p, 1));
    skip_space(&p);
    if (p.at != text.size) return malformed(&p, "Junk after closing right brace.");
    bool same = p.declared_count == 0 || p.declared_count == p.dimension_count;
    for (int i = 0; i < p.declared_count && same; i++) same = p.declared_lengths[i] == p.lengths[i];
    if (!same) return malformed(&p, "Specified array dimensions do not match array contents.");
    ArrayShape shape = {p.dimension_count, p.lengths, p.lower_bounds};
    return array_build_shaped(ctx, p.element->oid, p.values.items, shape, out);
}

static bool needs_quotes(Slice text)
{
    if (text.size == 0 || text_is_word(text, "null")) return true;
    for (size_t i = 0; i < text.size; i++)
        if (is_space(text.data[i]) || strchr("{}\",\\", text.data[i])) return true;
    return false;
}

/* Numbers never need quotes: what they print holds none of the characters above, but for the commas of money. */
static void put_element(const TypeDef *element, const TypeEnv *env, Value value, Buf *out)
{
    if (value.null) {
        buf_put_str(out, "NULL");
        return;
    }
    if ((element->category == 'N' && element->oid != OID_MONEY) || element->category == 'B') {
        element->out(element, env, value, out);
        return;
    }
    Buf text = {0};
    element->out(element, env, value, &text);
    Slice t = buf_slice(&text);
    if (!needs_quotes(t)) {
        buf_put_slice(out, t);
    } else {
        buf_put_u8(out, '"');
        for (size_t i = 0; i < t.size; i++) {
            if (t.data[i] == '"' || t.data[i] == '\\') buf_put_u8(out, '\\');
            buf_put_u8(out, t.data[i]);
        }
        buf_put_u8(out, '"');
    }
    out->failed |= text.failed;
    buf_finish(&text);
}

static void put_braces(const Array *array, const TypeEnv *env, int dimension, int *next, Buf *out)
{
    const TypeDef *element = type_find(array->element);
    buf_put_u8(out, '{');
    for (int i = 0; i < array->lengths[dimension]; i++) {
        if (i) buf_put_u8(out, ',');
        if (dimension + 1 < array->dimension_count)
            put_braces(array, env, dimension + 1, next, out);
        else
            put_element(element, env, array_element(array, (*next)++), out);
    }
    buf_put_u8(out, '}');
}

void array_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Array array;
    array_open(value, &array);
    bool shifted = false;
    int next = 0;
    if (array.count == 0) {
        buf_put_str(out, "{}");
        return;
    }
    for (int i = 0; i < array.dimension_count; i++) shifted |= array.lower_bounds[i] != 1;
    for (int i = 0; i < array.dimension_count && shifted; i++)
        buf_printf(out, "[%d:%d]", array.lower_bounds[i], array.lower_bounds[i] + array.lengths[i] - 1);
    if (shifted) buf_put_u8(out, '=');
    put_braces(&array, env, 0, &next, out);
}

/* ---- int2vector, oidvector ---- */

static Status vector_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    const TypeDef *element = type_find(type->element_oid);
    ValueVec values = {0};
    for (size_t i = 0; i < text.size;) {
        if (is_space(text.data[i])) {
            i++;
            continue;
        }
        size_t start = i;
        Value value;
        while (i < text.size && !is_space(text.data[i])) i++;
        TRY(element->in(element, ctx, slice_of(text.data + start, i - start), -1, &value));
        VEC_PUSH(ctx->arena, values, value);
    }
    return array_build_vector(ctx, element->oid, values.items, values.count, out);
}

static void vector_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Array array;
    array_open(value, &array);
    const TypeDef *element = type_find(array.element);
    for (int i = 0; i < array.count; i++) {
        if (i) buf_put_u8(out, ' ');
        element->out(element, env, array_element(&array, i), out);
    }
}

/* An empty vector has one dimension of no elements on the wire, unlike an empty array. */
static void vector_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Array array;
    array_open(value, &array);
    if (array.count) {
        array_send(type, env, value, out);
        return;
    }
    const uint32_t words[] = {1, 0, array.element, 0, 0};
    for (int i = 0; i < 5; i++) buf_put_u32(out, words[i]);
}

static Status anyarray_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot accept a value of type %s", type->name);
}

const TypeDef type_int2vector = {
    .oid = OID_INT2VECTOR, .array_oid = 1006, .element_oid = OID_INT2, .name = "int2vector", .sql_name = "int2vector",
    .crdb_name = "INT2VECTOR", .length = -1, .category = 'A', .rep = REP_BYTES, .in = vector_in, .out = vector_out,
    .receive = array_receive, .send = vector_send, .compare = array_compare, .hash = array_hash,
};

const TypeDef type_oidvector = {
    .oid = OID_OIDVECTOR, .array_oid = 1013, .element_oid = OID_OID, .name = "oidvector", .sql_name = "oidvector",
    .crdb_name = "OIDVECTOR", .length = -1, .category = 'A', .rep = REP_BYTES, .in = vector_in, .out = vector_out,
    .receive = array_receive, .send = vector_send, .compare = array_compare, .hash = array_hash,
};

const TypeDef type_anyarray = {
    .oid = OID_ANYARRAY, .name = "anyarray", .sql_name = "anyarray", .crdb_name = "anyarray", .length = -1,
    .category = 'P', .rep = REP_BYTES, .in = anyarray_in, .out = array_out, .receive = anyarray_in, .send = array_send,
    .compare = array_compare, .hash = array_hash,
};
