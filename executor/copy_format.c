#include "executor/copy.h"

/* ---- text ---- */

static void put_escaped(const UtilityCopy *copy, Slice text, Buf *out)
{
    static const char letters[] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['\v'] = 'v'};
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        bool control = c < sizeof letters && letters[c];
        if (control) {
            buf_put_u8(out, '\\');
            buf_put_u8(out, (uint8_t)letters[c]);
            continue;
        }
        if (c == '\\' || c == (uint8_t)copy->delimiter) buf_put_u8(out, '\\');
        buf_put_u8(out, c);
    }
}

/* ---- CSV ---- */

static bool csv_needs_quotes(const UtilityCopy *copy, Slice text)
{
    if (slice_equal_str(text, copy->null_text)) return true;
    if (copy->column_count == 1 && slice_equal_str(text, "\\.")) return true;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        if (c == (uint8_t)copy->delimiter || c == (uint8_t)copy->quote || c == '\n' || c == '\r') return true;
    }
    return false;
}

static void put_csv(const UtilityCopy *copy, Slice text, bool force, Buf *out)
{
    if (!force && !csv_needs_quotes(copy, text)) {
        buf_put_slice(out, text);
        return;
    }
    buf_put_u8(out, (uint8_t)copy->quote);
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        if (c == (uint8_t)copy->quote || c == (uint8_t)copy->escape) buf_put_u8(out, (uint8_t)copy->escape);
        buf_put_u8(out, c);
    }
    buf_put_u8(out, (uint8_t)copy->quote);
}

/* ---- rows ---- */

static void put_binary_row(const UtilityCopy *copy, const TypeEnv *env, const TypeDef *const *types, const Value *row,
                           Buf *out)
{
    buf_put_u16(out, (uint16_t)copy->column_count);
    for (int i = 0; i < copy->column_count; i++) {
        size_t at = out->size;
        buf_put_u32(out, row[i].null ? UINT32_MAX : 0);
        if (row[i].null) continue;
        types[i]->send(types[i], env, row[i], out);
        if (out->failed) return;
        uint32_t size = (uint32_t)(out->size - at - 4);
        for (int b = 0; b < 4; b++) out->data[at + (size_t)b] = (uint8_t)(size >> (24 - 8 * b));
    }
}

void copy_format_row(const UtilityCopy *copy, const TypeEnv *env, const TypeDef *const *types, const Value *row, Buf *out)
{
    if (copy->format == COPY_BINARY) {
        put_binary_row(copy, env, types, row, out);
        return;
    }
    Buf text = {0};
    for (int i = 0; i < copy->column_count; i++) {
        if (i > 0) buf_put_u8(out, (uint8_t)copy->delimiter);
        if (row[i].null) {
            buf_put_str(out, copy->null_text);
            continue;
        }
        buf_clear(&text);
        types[i]->out(types[i], env, row[i], &text);
        if (copy->format == COPY_CSV)
            put_csv(copy, buf_slice(&text), copy->force_quote_all || (copy->force_quote && copy->force_quote[i]), out);
        else
            put_escaped(copy, buf_slice(&text), out);
    }
    out->failed |= text.failed;
    buf_finish(&text);
    buf_put_u8(out, '\n');
}

void copy_format_header(const UtilityCopy *copy, Buf *out)
{
    if (copy->format == COPY_BINARY) {
        buf_put(out, "PGCOPY\n\377\r\n", 11);
        buf_put_u32(out, 0);
        buf_put_u32(out, 0);
        return;
    }
    if (copy->header == COPY_HEADER_OFF) return;
    for (int i = 0; i < copy->column_count; i++) {
        if (i > 0) buf_put_u8(out, (uint8_t)copy->delimiter);
        if (copy->format == COPY_CSV)
            put_csv(copy, slice_str(copy->columns[i].name), false, out);
        else
            put_escaped(copy, slice_str(copy->columns[i].name), out);
    }
    buf_put_u8(out, '\n');
}

void copy_format_end(const UtilityCopy *copy, Buf *out)
{
    if (copy->format == COPY_BINARY) buf_put_u16(out, UINT16_MAX);
}
