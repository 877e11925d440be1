#include "storage/types/type_int.h"

#include <assert.h>

#include "storage/types/type_defs.h"

static const char digit_pairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Digits of value right-aligned before `end`; returns where they start. */
static uint8_t *digits_before(uint8_t *end, uint64_t value)
{
    while (value >= 100) {
        end -= 2;
        memcpy(end, digit_pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, digit_pairs + value * 2, 2);
    } else {
        *--end = (uint8_t)('0' + value);
    }
    return end;
}

void int_put_unsigned_text(Buf *out, uint64_t value)
{
    uint8_t text[20], *start = digits_before(text + sizeof text, value);
    buf_put(out, start, (size_t)(text + sizeof text - start));
}

void int_put_text(Buf *out, int64_t value)
{
    uint8_t text[21], *start = digits_before(text + sizeof text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    if (value < 0) *--start = '-';
    buf_put(out, start, (size_t)(text + sizeof text - start));
}

void int_put_padded(Buf *out, uint64_t value, int width)
{
    uint8_t text[20];
    assert(width <= (int)sizeof text);
    for (int i = width; i-- > 0; value /= 10) text[i] = (uint8_t)('0' + value % 10);
    buf_put(out, text, (size_t)width);
}

IntParse int_parse(Slice text, int64_t *value)
{
    Slice t = text_trim(text);
    bool negative = t.size && t.data[0] == '-';
    size_t i = t.size && (t.data[0] == '-' || t.data[0] == '+') ? 1 : 0;
    if (i == t.size) return INT_MALFORMED;
    /* Built downwards, as the negative range is the larger one. */
    int64_t n = 0;
    bool overflow = false;
    for (; i < t.size; i++) {
        if (!is_digit(t.data[i])) return INT_MALFORMED;
        overflow |= __builtin_mul_overflow(n, 10, &n);
        overflow |= __builtin_sub_overflow(n, t.data[i] - '0', &n);
    }
    if (overflow || (!negative && n == INT64_MIN)) return INT_OVERFLOW;
    *value = negative ? n : -n;
    return INT_PARSED;
}

static void int_range(Oid oid, int64_t *min, int64_t *max)
{
    *min = oid == OID_INT2 ? INT16_MIN : oid == OID_INT4 ? INT32_MIN : INT64_MIN;
    *max = oid == OID_INT2 ? INT16_MAX : oid == OID_INT4 ? INT32_MAX : INT64_MAX;
}

Status int_fit(TypeCtx *ctx, Oid type, __int128 value, Value *out)
{
    int64_t min, max;
    int_range(type, &min, &max);
    if (value < min || value > max) return type_out_of_range(ctx, type_find(type)->sql_name);
    *out = value_int((int64_t)value);
    return ST_OK;
}

static Status int_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    int64_t value, min, max;
    int_range(type->oid, &min, &max);
    IntParse parsed = int_parse(text, &value);
    if (parsed == INT_MALFORMED) return type_invalid_text(ctx, type->sql_name, text);
    if (parsed == INT_OVERFLOW || value < min || value > max) return type_text_out_of_range(ctx, type->sql_name, text);
    *out = value_int(value);
    return ST_OK;
}

static void int_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    int_put_text(out, value.i);
}

static Status int_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != (size_t)type->length) return type_invalid_binary(ctx);
    if (type->length == 2)
        *out = value_int((int16_t)load_u16(bytes.data));
    else if (type->length == 4)
        *out = value_int((int32_t)load_u32(bytes.data));
    else
        *out = value_int((int64_t)load_u64(bytes.data));
    return ST_OK;
}

static void int_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    if (type->length == 2)
        buf_put_u16(out, (uint16_t)value.i);
    else if (type->length == 4)
        buf_put_u32(out, (uint32_t)value.i);
    else
        buf_put_u64(out, (uint64_t)value.i);
}

int type_int_compare(const TypeDef *type, Value a, Value b)
{
    return (a.i > b.i) - (a.i < b.i);
}

uint64_t type_int_hash(const TypeDef *type, Value value)
{
    return hash_int(value.i);
}

#define INT_TYPE(Oid_, array, bytes, name_, sql, crdb)                                                               \
    {                                                                                                                \
        .oid = (Oid_), .array_oid = (array), .name = (name_), .sql_name = (sql), .crdb_name = (crdb),                \
        .length = (bytes), .category = 'N', .rep = REP_INT, .key_class = KEY_CLASS_INT, .in = int_in,                \
        .out = int_out, .receive = int_receive, .send = int_send, .compare = type_int_compare,                       \
        .hash = type_int_hash                                                                                        \
    }

const TypeDef type_int2 = INT_TYPE(OID_INT2, OID_INT2_ARRAY, 2, "int2", "smallint", "INT2");
const TypeDef type_int4 = INT_TYPE(OID_INT4, OID_INT4_ARRAY, 4, "int4", "integer", "INT4");
const TypeDef type_int8 = INT_TYPE(OID_INT8, OID_INT8_ARRAY, 8, "int8", "bigint", "INT8");
