/* cast_network.c - casts of addresses and bit strings. */
#include "storage/types/cast_run.h"
#include "storage/types/type_bit.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_inet.h"

CAST_BODY(cast_inet_to_cidr)
{
    Inet inet = inet_load(in), network = inet_network(&inet);
    *out = inet_store(&network, ctx->arena);
    return ST_OK;
}

CAST_BODY(cast_inet_to_text)
{
    Inet inet = inet_load(in);
    Buf text = {0};
    inet_put_text(&inet, true, &text);
    *out = value_slice(buf_to_arena(&text, ctx->arena));
    buf_finish(&text);
    return ST_OK;
}

CAST_BODY(cast_macaddr_to_macaddr8)
{
    return type_macaddr8.receive(&type_macaddr8, ctx, value_to_slice(in), -1, out);
}

CAST_BODY(cast_macaddr8_to_macaddr)
{
    if (in.p[3] != 0xff || in.p[4] != 0xfe) {
        (void)err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "macaddr8 data out of range to convert to macaddr");
        err_hint(ctx->err, ctx->arena,
                 "Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example "
                 "xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.");
        return ST_ERROR;
    }
    uint8_t *bytes = arena_alloc(ctx->arena, MACADDR_BYTES);
    memcpy(bytes, in.p, 3);
    memcpy(bytes + 3, in.p + 5, 3);
    *out = value_bytes(bytes, MACADDR_BYTES);
    return ST_OK;
}

/* The lowest bits of the number; the sign goes on to the left. */
CAST_BODY(cast_int_to_bit)
{
    uint32_t count = typmod > 0 ? (uint32_t)typmod : 1;
    uint8_t *bytes;
    TRY(bits_make(ctx, count, &bytes, out));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = count - 1 - i;
        bool set = place < 64 ? in.i >> place & 1 : in.i < 0;
        if (set) bytes[i / 8] = (uint8_t)(bytes[i / 8] | 0x80 >> i % 8);
    }
    return ST_OK;
}

static Status bits_to_int(TypeCtx *ctx, Value in, uint32_t width, const char *name, uint64_t *out)
{
    Bits bits = bits_open(in);
    *out = 0;
    if (bits.count > width) return type_out_of_range(ctx, name);
    for (uint32_t i = 0; i < bits.count; i++) *out = *out << 1 | bits_at(bits, i);
    return ST_OK;
}

CAST_BODY(cast_bit_to_int4)
{
    uint64_t number;
    TRY(bits_to_int(ctx, in, 32, "integer", &number));
    *out = value_int((int32_t)(uint32_t)number);
    return ST_OK;
}

CAST_BODY(cast_bit_to_int8)
{
    uint64_t number;
    TRY(bits_to_int(ctx, in, 64, "bigint", &number));
    *out = value_int((int64_t)number);
    return ST_OK;
}
