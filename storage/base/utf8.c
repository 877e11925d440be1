#include "storage/base/utf8.h"

int utf8_length(uint8_t first)
{
    if (first < 0xc2 || first > 0xf4) return 1;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

int32_t utf8_decode(const uint8_t *p, size_t n, int *length)
{
    static const int32_t lowest[5] = {0, 0, 0x80, 0x800, 0x10000};
    int size = n ? utf8_length(p[0]) : 0;
    *length = 1;
    if (size == 0 || (size_t)size > n) return -1;
    if (size == 1) return p[0] < 0x80 ? p[0] : -1;
    int32_t code = p[0] & (0x7f >> size);
    for (int i = 1; i < size; i++) {
        if ((p[i] & 0xc0) != 0x80) return -1;
        code = code << 6 | (p[i] & 0x3f);
    }
    if (code < lowest[size] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return -1;
    *length = size;
    return code;
}

size_t utf8_valid_prefix(Slice text)
{
    size_t at = 0;
    while (at < text.size) {
        int length;
        if (text.data[at] && text.data[at] < 0x80) {
            at++;
            continue;
        }
        if (utf8_decode(text.data + at, text.size - at, &length) <= 0) return at;
        at += (size_t)length;
    }
    return at;
}

int utf8_encode(int32_t c, uint8_t out[4])
{
    if (c < 0x80) return out[0] = (uint8_t)c, 1;
    if (c < 0x800) {
        out[0] = (uint8_t)(0xc0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xe0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (c & 0x3f));
    return 4;
}

size_t utf8_count(Slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += (text.data[i] & 0xc0) != 0x80;
    return count;
}

size_t utf8_offset(Slice text, size_t characters)
{
    size_t at = 0;
    while (characters-- && at < text.size) at += (size_t)utf8_length(text.data[at]);
    return at < text.size ? at : text.size;
}
