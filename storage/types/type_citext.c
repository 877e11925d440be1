#include "storage/types/type_citext.h"

#include <unicode/uchar.h>

#include "storage/base/utf8.h"
#include "storage/types/type_defs.h"

static bool is_ascii(Slice text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] >= 0x80) return false;
    return true;
}

void citext_fold(Slice text, Buf *out)
{
    for (size_t i = 0; i < text.size;) {
        if (text.data[i] < 0x80) {
            buf_put_u8(out, to_lower(text.data[i++]));
            continue;
        }
        uint8_t lower[4];
        int length;
        int32_t code_point = utf8_decode(text.data + i, text.size - i, &length);
        if (code_point < 0) {
            buf_put_u8(out, text.data[i++]);
            continue;
        }
        buf_put(out, lower, (size_t)utf8_encode(u_tolower(code_point), lower));
        i += (size_t)length;
    }
}

bool citext_is_folded(Slice text)
{
    if (is_ascii(text)) {
        for (size_t i = 0; i < text.size; i++)
            if (to_lower(text.data[i]) != text.data[i]) return false;
        return true;
    }
    Buf folded = {0};
    citext_fold(text, &folded);
    bool same = slice_equal(buf_slice(&folded), text);
    buf_finish(&folded);
    return same;
}

static int compare_ascii(Slice a, Slice b)
{
    for (size_t i = 0; i < a.size && i < b.size; i++) {
        int order = to_lower(a.data[i]) - to_lower(b.data[i]);
        if (order) return order;
    }
    return (a.size > b.size) - (a.size < b.size);
}

static int citext_compare(const TypeDef *type, Value a, Value b)
{
    Slice x = value_to_slice(a), y = value_to_slice(b);
    if (is_ascii(x) && is_ascii(y)) return compare_ascii(x, y);
    Buf folded_x = {0}, folded_y = {0};
    citext_fold(x, &folded_x);
    citext_fold(y, &folded_y);
    int order = slice_compare(buf_slice(&folded_x), buf_slice(&folded_y));
    buf_finish(&folded_x);
    buf_finish(&folded_y);
    return order;
}

static uint64_t citext_hash(const TypeDef *type, Value value)
{
    Buf folded = {0};
    citext_fold(value_to_slice(value), &folded);
    uint64_t hash = type_bytes_hash(type, value_slice(buf_slice(&folded)));
    buf_finish(&folded);
    return hash;
}

static Status citext_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    return type_text_def.in(&type_text_def, ctx, text, -1, out);
}

static Status citext_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    return type_text_def.receive(&type_text_def, ctx, bytes, -1, out);
}

static void citext_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put(out, value.p, value.size);
}

const TypeDef type_citext = {
    .oid = OID_CITEXT, .array_oid = 9751, .name = "citext", .sql_name = "citext", .crdb_name = "CITEXT", .length = -1,
    .category = 'S', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = citext_in, .out = citext_out,
    .receive = citext_receive, .send = citext_out, .compare = citext_compare, .hash = citext_hash,
};
