#include "storage/keys/key_print.h"

#include "storage/base/utf8.h"
#include "storage/keys/key_print_part.h"
#include "storage/keys/row_key.h"

enum { PREFIX_END_TRIES = 20, NAMESPACE_TABLE = 0xa6, NAMESPACE_TABLE_MAX = 0xa7 };

/* "/a/b/c" of what lies behind the area's name. false: undecodable; what could be read and ??? have been printed. */
static bool print_parts(Slice key, const KeyPrintStyle *style, Arena *arena, Buf *out)
{
    /* Table id and index id come before the style's columns. */
    for (int i = -2; key.size; i++) {
        KeyPrintColumn column = {0};
        if (i >= 0 && style->columns && i < style->count) column = style->columns[i];
        buf_put_u8(out, '/');
        if (!key_print_part(&key, column, arena, out)) {
            buf_put_str(out, "???");
            return false;
        }
    }
    return true;
}

/* Prints the key of which this one is the prefix end. Many prefixes share an end; the one taken is the longest that
 * decodes after the last byte was lowered and up to twenty ff were added. */
static bool print_prefix_end(Slice key, const KeyPrintStyle *style, Arena *arena, Buf *out)
{
    if (key.size == 0 || key.data[key.size - 1] == 0) return false;
    size_t start = out->size;
    uint8_t *prefix = arena_alloc(arena, key.size + PREFIX_END_TRIES);
    memcpy(prefix, key.data, key.size);
    memset(prefix + key.size, 0xff, PREFIX_END_TRIES);
    prefix[key.size - 1]--;
    for (size_t added = 0; added <= PREFIX_END_TRIES; added++) {
        if (print_parts(slice_of(prefix, key.size + added), style, arena, out)) {
            buf_put_str(out, "/PrefixEnd");
            return true;
        }
        out->size = start;
    }
    return false;
}

static void print_table_area(Slice key, const KeyPrintStyle *style, Arena *arena, Buf *out)
{
    if (key.size == 1 && key.data[0] == NAMESPACE_TABLE_MAX) {
        buf_put_str(out, "/NamespaceTable/Max");
        return;
    }
    buf_put_str(out, key.data[0] == NAMESPACE_TABLE ? "/NamespaceTable" : "/Table");
    size_t start = out->size;
    if (print_parts(key, style, arena, out)) return;
    size_t end = out->size;
    if (!print_prefix_end(key, style, arena, out)) return;
    /* The better reading stands behind the one with ???: move it to the front. */
    memmove(out->data + start, out->data + end, out->size - end);
    out->size -= end - start;
}

static void print_after(const char *area, Slice rest, const KeyPrintStyle *style, Arena *arena, Buf *out);

static void print_system(Slice key, Buf *out)
{
    static const Slice liveness = {(const uint8_t *)"\x04\x00liveness-", 11}, status = {(const uint8_t *)"\x04status-node-", 13},
                       series = {(const uint8_t *)"\x04tsd", 4};
    bool is_liveness = slice_starts_with(key, liveness), is_status = slice_starts_with(key, status);
    if (is_liveness || is_status) {
        Slice node = slice_of(key.data + (is_liveness ? liveness.size : status.size),
                              key.size - (is_liveness ? liveness.size : status.size));
        buf_put_str(out, is_liveness ? "/System/NodeLiveness" : "/System/StatusNode");
        if (node.size == 0) return;
        buf_put_u8(out, '/');
        if (!key_print_part(&node, (KeyPrintColumn){0}, NULL, out)) buf_put_str(out, "???");
        return;
    }
    buf_put_str(out, slice_starts_with(key, series) ? "/System/tsd" : "/System/");
    if (slice_starts_with(key, series)) key = slice_of(key.data + series.size, key.size - series.size);
    else key = slice_of(key.data + 1, key.size - 1);
    if (key.size) key_print_quoted(key, out);
}

static void print_tenant(Slice key, const KeyPrintStyle *style, Arena *arena, Buf *out)
{
    Slice rest = slice_of(key.data + 1, key.size - 1);
    buf_put_str(out, "/Tenant/");
    if (rest.size == 0 || !key_print_part(&rest, (KeyPrintColumn){0}, NULL, out)) {
        buf_put_str(out, "???");
        return;
    }
    if (rest.size) print_after("", rest, style, arena, out);
}

static void print_key(Slice key, const KeyPrintStyle *style, Arena *arena, Buf *out)
{
    uint8_t first = key.size ? key.data[0] : 0;
    if (key.size == 0) buf_put_str(out, "/Min");
    else if (slice_equal(key, ROW_KEY_MAX)) buf_put_str(out, "/Max");
    else if (first == 0x01) print_after("/Local", slice_of(key.data + 1, key.size - 1), style, arena, out);
    else if (first == ROW_KEY_META1) print_after("/Meta1", slice_of(key.data + 1, key.size - 1), style, arena, out);
    else if (first == ROW_KEY_META2) print_after("/Meta2", slice_of(key.data + 1, key.size - 1), style, arena, out);
    else if (first == ROW_KEY_SYSTEM) print_system(key, out);
    else if (first == ROW_KEY_SYSTEM_END && key.size == 1) buf_put_str(out, "/System/Max");
    else if (first == ROW_KEY_TABLE_END && key.size == 1) buf_put_str(out, "/Table/Max");
    else if (first >= ROW_KEY_TABLE && first < ROW_KEY_TABLE_END) print_table_area(key, style, arena, out);
    else if (first == 0xfe && key.size > 1) print_tenant(key, style, arena, out);
    else print_after("", key, style, arena, out);
}

/* An area's name and the key that it addresses: a table key by its parts, other bytes in quotes. */
static void print_after(const char *area, Slice rest, const KeyPrintStyle *style, Arena *arena, Buf *out)
{
    buf_put_str(out, area);
    if (slice_equal(rest, ROW_KEY_MAX) && *area) {
        buf_put_str(out, "/Max");
    } else if (rest.size == 1 && rest.data[0] == ROW_KEY_TABLE_END) {
        buf_put_str(out, "/Table/Max");
    } else if (rest.size && rest.data[0] >= ROW_KEY_TABLE && rest.data[0] < ROW_KEY_TABLE_END) {
        print_key(rest, style, arena, out);
    } else {
        buf_put_u8(out, '/');
        key_print_quoted(rest, out);
    }
}

/* Drops the area's name and n further parts from the text behind `start`. */
static void strip_parts(Buf *out, size_t start, int n)
{
    size_t from = start;
    for (int i = 0; i <= n; i++) {
        const uint8_t *slash = from + 1 < out->size ? memchr(out->data + from + 1, '/', out->size - from - 1) : NULL;
        if (!slash) {
            out->size = start;
            return;
        }
        from = (size_t)(slash - out->data);
    }
    memmove(out->data + start, out->data + from, out->size - from);
    out->size -= from - start;
}

void key_print(Slice key, const KeyPrintStyle *style, Buf *out)
{
    KeyPrintStyle whole = KEY_PRINT_WHOLE;
    if (!style) style = &whole;
    size_t start = out->size;
    Arena *arena = arena_create(NULL, 0);
    print_key(key, style, arena, out);
    arena_destroy(arena);
    if (style->skip >= 0 && !out->failed) strip_parts(out, start, style->skip);
}

const char *key_text(Slice key, const KeyPrintStyle *style, Arena *arena)
{
    Buf out = {0};
    key_print(key, style, &out);
    const char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}
