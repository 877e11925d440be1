/* range_text.c - ranges as text and on the wire: [1,5) and "empty". */
#include "storage/types/type_defs.h"
#include "storage/types/type_range.h"

typedef struct Parse {
    const TypeDef *type, *element;
    TypeCtx *ctx;
    Slice text;
    size_t at;
} Parse;

static Status malformed(Parse *p, const char *detail)
{
    (void)err_set(p->ctx->err, p->ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "malformed range literal: \"%.*s\"",
                  (int)p->text.size, (const char *)p->text.data);
    err_detail(p->ctx->err, p->ctx->arena, "%s", detail);
    return ST_ERROR;
}

static int peek(const Parse *p)
{
    return p->at < p->text.size ? p->text.data[p->at] : -1;
}

static void skip_space(Parse *p)
{
    while (p->at < p->text.size && is_space(p->text.data[p->at])) p->at++;
}

/* Takes one byte of a bound, or a quote; escapes undone. */
static void take_byte(Parse *p, bool *quoted, Buf *bound)
{
    uint8_t c = p->text.data[p->at++];
    if (c == '\\' && p->at < p->text.size) {
        buf_put_u8(bound, p->text.data[p->at++]);
    } else if (c != '"') {
        buf_put_u8(bound, c);
    } else if (*quoted && peek(p) == '"') {
        buf_put_u8(bound, '"');
        p->at++;
    } else {
        *quoted = !*quoted;
    }
}

static Status scan_bound(Parse *p, Buf *bound)
{
    bool quoted = false;
    for (;;) {
        int c = peek(p);
        if (c < 0) return malformed(p, "Unexpected end of input.");
        if (!quoted && (c == ',' || c == ')' || c == ']')) return ST_OK;
        if (c == '\\' && p->at + 1 >= p->text.size) return malformed(p, "Unexpected end of input.");
        take_byte(p, &quoted, bound);
    }
}

static Status parse_bound(Parse *p, RangeBound *bound)
{
    int c = peek(p);
    Buf text = {0};
    bound->infinite = c == ',' || c == ')' || c == ']';
    if (bound->infinite) return ST_OK;
    Status status = scan_bound(p, &text);
    if (status == ST_OK && text.failed) status = err_no_memory(p->ctx->err);
    Slice copy = status == ST_OK ? buf_to_arena(&text, p->ctx->arena) : (Slice){0};
    buf_finish(&text);
    return status == ST_OK ? p->element->in(p->element, p->ctx, copy, -1, &bound->value) : status;
}

static Status parse_bounds(Parse *p, Range *range)
{
    int open = peek(p);
    if (open != '[' && open != '(') return malformed(p, "Missing left parenthesis or bracket.");
    range->lower.inclusive = open == '[';
    p->at++;
    TRY(parse_bound(p, &range->lower));
    if (peek(p) != ',') return malformed(p, "Missing comma after lower bound.");
    p->at++;
    TRY(parse_bound(p, &range->upper));
    int close = peek(p);
    if (close != ']' && close != ')') return malformed(p, close == ',' ? "Too many commas." : "Unexpected end of input.");
    range->upper.inclusive = close == ']';
    p->at++;
    return ST_OK;
}

static Status parse_range(Parse *p, Value *out)
{
    Range range = {0};
    Slice rest = slice_of(p->text.data + p->at, p->text.size - p->at);
    range.empty = rest.size >= 5 && text_is_word(slice_of(rest.data, 5), "empty");
    if (range.empty) p->at += 5;
    else TRY(parse_bounds(p, &range));
    return range_build(p->ctx, p->type, &range, out);
}

Status range_parse(const TypeDef *type, TypeCtx *ctx, Slice text, size_t *end, Value *out)
{
    Parse p = {.type = type, .element = range_element(type->oid), .ctx = ctx, .text = text};
    TRY(parse_range(&p, out));
    *end = p.at;
    return ST_OK;
}

Status range_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    Parse p = {.type = type, .element = range_element(type->oid), .ctx = ctx, .text = text};
    skip_space(&p);
    TRY(parse_range(&p, out));
    bool word = p.at && is_alpha(text.data[p.at - 1]);
    skip_space(&p);
    if (p.at == text.size) return ST_OK;
    return malformed(&p, word ? "Junk after \"empty\" key word." : "Junk after right parenthesis or bracket.");
}

/* ---- out ---- */

static bool needs_quotes(Slice text)
{
    if (text.size == 0) return true;
    for (size_t i = 0; i < text.size; i++)
        if (is_space(text.data[i]) || strchr("\"\\()[],", text.data[i])) return true;
    return false;
}

static void put_bound(const TypeDef *element, const TypeEnv *env, const RangeBound *bound, Buf *out)
{
    if (bound->infinite) return;
    Buf text = {0};
    element->out(element, env, bound->value, &text);
    Slice t = buf_slice(&text);
    bool quoted = needs_quotes(t);
    if (quoted) buf_put_u8(out, '"');
    for (size_t i = 0; i < t.size; i++) {
        if (quoted && (t.data[i] == '"' || t.data[i] == '\\')) buf_put_u8(out, t.data[i]);
        buf_put_u8(out, t.data[i]);
    }
    if (quoted) buf_put_u8(out, '"');
    out->failed |= text.failed;
    buf_finish(&text);
}

void range_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    const TypeDef *element = range_element(type->oid);
    Range range;
    range_open(type, value, &range);
    if (range.empty) {
        buf_put_str(out, "empty");
        return;
    }
    buf_put_u8(out, range.lower.inclusive ? '[' : '(');
    put_bound(element, env, &range.lower, out);
    buf_put_u8(out, ',');
    put_bound(element, env, &range.upper, out);
    buf_put_u8(out, range.upper.inclusive ? ']' : ')');
}

/* ---- binary: flags, then the size and the bytes of each bound that is there ---- */

static Status receive_bound(const TypeDef *element, TypeCtx *ctx, Slice *rest, RangeBound *bound)
{
    if (bound->infinite) return ST_OK;
    if (rest->size < 4) return type_invalid_binary(ctx);
    uint32_t size = load_u32(rest->data);
    if (size > rest->size - 4) return type_invalid_binary(ctx);
    Slice bytes = slice_of(rest->data + 4, size);
    *rest = slice_of(bytes.data + size, rest->size - 4 - size);
    return element->receive(element, ctx, bytes, -1, &bound->value);
}

Status range_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    const TypeDef *element = range_element(type->oid);
    if (bytes.size == 0) return type_invalid_binary(ctx);
    int flags = bytes.data[0];
    Range range = {.empty = (flags & RANGE_EMPTY) != 0,
                   .lower = {.infinite = (flags & RANGE_LOWER_INFINITE) != 0, .inclusive = (flags & RANGE_LOWER_INCLUSIVE) != 0},
                   .upper = {.infinite = (flags & RANGE_UPPER_INFINITE) != 0, .inclusive = (flags & RANGE_UPPER_INCLUSIVE) != 0}};
    Slice rest = slice_of(bytes.data + 1, bytes.size - 1);
    if (!range.empty) {
        TRY(receive_bound(element, ctx, &rest, &range.lower));
        TRY(receive_bound(element, ctx, &rest, &range.upper));
    }
    return rest.size ? type_invalid_binary(ctx) : range_build(ctx, type, &range, out);
}

static void send_bound(const TypeDef *element, const TypeEnv *env, const RangeBound *bound, Buf *out)
{
    if (bound->infinite) return;
    Buf bytes = {0};
    element->send(element, env, bound->value, &bytes);
    buf_put_u32(out, (uint32_t)bytes.size);
    buf_put_slice(out, buf_slice(&bytes));
    out->failed |= bytes.failed;
    buf_finish(&bytes);
}

void range_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    const TypeDef *element = range_element(type->oid);
    Range range;
    range_open(type, value, &range);
    buf_put_u8(out, value.p[0]);
    if (range.empty) return;
    send_bound(element, env, &range.lower, out);
    send_bound(element, env, &range.upper, out);
}
