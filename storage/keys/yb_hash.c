#include "storage/keys/yb_hash.h"

#include <assert.h>
#include <math.h>

#include "storage/types/type_enum.h"
#include "storage/types/type_numeric.h"

/* ---- the 64-bit hash: Bob Jenkins' lookup2 in its 64-bit form ---- */

static const uint64_t GOLD = UINT64_C(0xE08C1D668B756F82), SEED = 97;

typedef struct Mix {
    uint64_t a, b, c;
} Mix;

static void mix(Mix *m)
{
    uint64_t a = m->a, b = m->b, c = m->c;
    a = (a - b - c) ^ (c >> 43);
    b = (b - c - a) ^ (a << 9);
    c = (c - a - b) ^ (b >> 8);
    a = (a - b - c) ^ (c >> 38);
    b = (b - c - a) ^ (a << 23);
    c = (c - a - b) ^ (b >> 5);
    a = (a - b - c) ^ (c >> 35);
    b = (b - c - a) ^ (a << 49);
    c = (c - a - b) ^ (b >> 11);
    a = (a - b - c) ^ (c >> 12);
    b = (b - c - a) ^ (a << 18);
    c = (c - a - b) ^ (b >> 22);
    *m = (Mix){a, b, c};
}

/* The first n bytes as a little-endian number, at most eight. */
static uint64_t load_little(const uint8_t *p, size_t n)
{
    uint64_t value = 0;
    if (n > 8) n = 8;
    for (size_t i = 0; i < n; i++) value |= (uint64_t)p[i] << (8 * i);
    return value;
}

static uint64_t hash64(Slice bytes)
{
    Mix m = {GOLD, GOLD, SEED};
    const uint8_t *p = bytes.data;
    size_t left = bytes.size;
    for (; left >= 24; left -= 24, p += 24) {
        m.a += load_little(p, 8);
        m.b += load_little(p + 8, 8);
        m.c += load_little(p + 16, 8);
        mix(&m);
    }
    m.c += bytes.size;
    m.a += load_little(p, left);
    if (left > 8) m.b += load_little(p + 8, left - 8);
    /* The lowest byte of c is left to the length. */
    if (left > 16) m.c += load_little(p + 16, left - 16) << 8;
    mix(&m);
    return m.c;
}

uint32_t yb_hash_code(Slice image)
{
    uint64_t h = hash64(image);
    return (uint32_t)(((h >> 48) ^ (3 * (h >> 32)) ^ (5 * (h >> 16)) ^ (7 * (h & 0xffff))) & 0xffff);
}

uint32_t yb_hash_tablet_start(uint32_t i, uint32_t n)
{
    assert(i < n);
    return (uint32_t)((uint64_t)i * YB_HASH_CODES / n);
}

/* ---- images ---- */

/* An order-preserving number of variable length: after two bits for the sign of the decimal, a run of ones says how
 * many bytes there are; a negative exponent is the complement. */
static void put_decimal_exponent(Buf *image, int64_t exponent)
{
    uint8_t bytes[16] = {0};
    if (exponent == 0) {
        buf_put_u8(image, 0x20);
        return;
    }
    uint64_t size = exponent < 0 ? -(uint64_t)exponent : (uint64_t)exponent;
    int bit_length = 64 - __builtin_clzll(size);
    int n = (bit_length + 1 + 2 + 6) / 7;
    for (int i = 0; i < n && i < 8; i++) bytes[n - 1 - i] = (uint8_t)(size >> (8 * i));
    for (int i = 0; i < n + 2; i++) bytes[i / 8] |= (uint8_t)(0x80 >> (i % 8));
    if (exponent < 0)
        for (int i = 0; i < n; i++) bytes[i] = (uint8_t)~bytes[i];
    bytes[0] &= 0x3f;
    buf_put(image, bytes, (size_t)n);
}

void yb_hash_decimal_image(bool negative, const char *digits, size_t count, int64_t point, Buf *image)
{
    if (count == 0) {
        buf_put_u8(image, 0x80);
        return;
    }
    size_t start = image->size;
    put_decimal_exponent(image, point);
    for (size_t i = 0; i < count; i += 2) {
        int ones = i + 1 < count ? digits[i + 1] - '0' : 0;
        int pair = (10 * (digits[i] - '0') + ones) * 2;
        buf_put_u8(image, (uint8_t)(pair + (i + 2 < count)));
    }
    if (image->failed) return;
    image->data[start] |= 0xc0;
    if (negative)
        for (size_t i = start; i < image->size; i++) image->data[i] = (uint8_t)~image->data[i];
}

void yb_hash_enum_image(float sort_order, Oid label_oid, Buf *image)
{
    uint32_t bits;
    memcpy(&bits, &sort_order, sizeof bits);
    buf_put_u32(image, bits);
    buf_put_u32(image, label_oid);
}

static void put_float4(Buf *image, float value)
{
    uint32_t bits = UINT32_C(0x7fc00000);
    if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
    buf_put_u32(image, bits);
}

static void put_float8(Buf *image, double value)
{
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
    buf_put_u64(image, bits);
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static void put_trimmed(Buf *image, Slice text)
{
    while (text.size && is_blank(text.data[text.size - 1])) text.size--;
    buf_put_slice(image, text);
}

static Status put_numeric(Value value, Buf *image, Arena *arena, Error *err)
{
    NumericDigits n;
    numeric_digits(value, arena, &n);
    if (n.kind != NUMERIC_FINITE)
        return err_set(err, arena, ERR_FEATURE_NOT_SUPPORTED, "DECIMAL does not support %s yet",
                       n.kind == NUMERIC_NAN ? "NaN" : "Infinity");
    char *digits = arena_alloc(arena, (size_t)n.count + 1);
    for (int i = 0; i < n.count; i++) digits[i] = (char)('0' + n.digits[i]);
    yb_hash_decimal_image(n.negative, digits, (size_t)n.count, n.exponent, image);
    return ST_OK;
}

bool yb_hash_supports(Oid type)
{
    switch (type) {
    case OID_BOOL: case OID_CHAR: case OID_INT2: case OID_INT4: case OID_DATE: case OID_INT8: case OID_TIME:
    case OID_TIMESTAMP: case OID_TIMESTAMPTZ: case OID_OID: case OID_REGPROC: case OID_REGCLASS: case OID_REGTYPE:
    case OID_REGNAMESPACE: case OID_REGROLE: case OID_FLOAT4: case OID_FLOAT8: case OID_TEXT: case OID_VARCHAR:
    case OID_NAME: case OID_BYTEA: case OID_UUID: case OID_BPCHAR: case OID_NUMERIC: return true;
    default: return type_enum_shape(type) != NULL;
    }
}

Status yb_hash_image(Oid type, Value value, Buf *image, Arena *arena, Error *err)
{
    if (value.null) return ST_OK;
    switch (type) {
    case OID_BOOL: buf_put_u8(image, value.i != 0); return ST_OK;
    case OID_INT2: buf_put_u16(image, (uint16_t)value.i); return ST_OK;
    case OID_INT4: case OID_DATE: case OID_OID: case OID_REGPROC: case OID_REGCLASS: case OID_REGTYPE:
    case OID_REGNAMESPACE: case OID_REGROLE: buf_put_u32(image, (uint32_t)value.i); return ST_OK;
    case OID_INT8: case OID_TIME: case OID_TIMESTAMP: case OID_TIMESTAMPTZ:
        buf_put_u64(image, (uint64_t)value.i);
        return ST_OK;
    case OID_FLOAT4: put_float4(image, (float)value.f); return ST_OK;
    case OID_FLOAT8: put_float8(image, value.f); return ST_OK;
    case OID_TEXT: case OID_VARCHAR: case OID_NAME: case OID_CHAR: case OID_BYTEA: case OID_UUID:
        buf_put(image, value.p, value.size);
        return ST_OK;
    case OID_BPCHAR: put_trimmed(image, value_to_slice(value)); return ST_OK;
    case OID_NUMERIC: return put_numeric(value, image, arena, err);
    default: break;
    }
    const EnumMember *member = type_enum_member(type, value);
    if (member) {
        yb_hash_enum_image(member->sort_order, member->oid, image);
        return ST_OK;
    }
    err_set(err, arena, ERR_FEATURE_NOT_SUPPORTED, "unsupported datatype given to yb_hash_code");
    err_detail(err, arena, "Only types supported by HASH key columns are allowed.");
    err_hint(err, arena, "Use explicit casts to ensure input types are as desired.");
    return ST_ERROR;
}
