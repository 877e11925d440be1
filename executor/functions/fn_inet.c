/* fn_inet.c - operators and functions of IP and hardware addresses. */
#include "executor/functions/families.h"
#include "storage/types/type_inet.h"

static Status put(FnCtx *ctx, const Inet *inet, Value *out)
{
    *out = inet_store(inet, ctx->type.arena);
    return ST_OK;
}

static Status put_text(FnCtx *ctx, Buf *text, Value *out)
{
    bool failed = text->failed;
    if (!failed) *out = value_slice(buf_to_arena(text, ctx->type.arena));
    buf_finish(text);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

/* ---- who holds whom ---- */

#define INET_PAIR(name, fact)                                                                                        \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Inet a = inet_load(args[0]), b = inet_load(args[1]);                                                         \
        *out = value_bool(fact);                                                                                     \
        return ST_OK;                                                                                                \
    }

INET_PAIR(within, a.bits > b.bits && inet_holds(&b, &a))
INET_PAIR(within_or_same, inet_holds(&b, &a))
INET_PAIR(holds, a.bits < b.bits && inet_holds(&a, &b))
INET_PAIR(holds_or_same, inet_holds(&a, &b))
INET_PAIR(overlaps, inet_holds(&a, &b) || inet_holds(&b, &a))
INET_PAIR(same_family, a.family == b.family)

/* ---- arithmetic ---- */

static Status sizes_differ(FnCtx *ctx, const char *verb)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "cannot %s inet values of different sizes", verb);
}

#define INET_BITWISE(name, verb, OP)                                                                                 \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Inet a = inet_load(args[0]), b = inet_load(args[1]);                                                         \
        if (a.family != b.family) return sizes_differ(ctx, verb);                                                    \
        for (int i = 0; i < inet_size(&a); i++) a.address[i] = (uint8_t)(a.address[i] OP b.address[i]);              \
        if (b.bits > a.bits) a.bits = b.bits;                                                                        \
        return put(ctx, &a, out);                                                                                    \
    }

INET_BITWISE(bit_and, "AND", &)
INET_BITWISE(bit_or, "OR", |)

static Status bit_not(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]);
    for (int i = 0; i < inet_size(&a); i++) a.address[i] = (uint8_t)~a.address[i];
    return put(ctx, &a, out);
}

static Status out_of_range(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "result is out of range");
}

static Status add_number(FnCtx *ctx, Inet a, int64_t number, Value *out)
{
    int carry = 0;
    for (int i = inet_size(&a) - 1; i >= 0; i--) {
        int sum = a.address[i] + (int)(number & 0xff) + carry;
        a.address[i] = (uint8_t)sum;
        carry = sum >> 8;
        /* The shift of a negative number brings in its sign. */
        number >>= 8;
    }
    /* What is left is the sign, and a carry undoes it: -1 + 1. A v4 address has only the low 32 bits of the number added. */
    return number + carry == 0 ? put(ctx, &a, out) : out_of_range(ctx);
}

static Status add(FnCtx *ctx, const Value *args, Value *out)
{
    return add_number(ctx, inet_load(args[0]), args[1].i, out);
}

static Status add_to(FnCtx *ctx, const Value *args, Value *out)
{
    return add_number(ctx, inet_load(args[1]), args[0].i, out);
}

static Status subtract(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i == INT64_MIN) return out_of_range(ctx);
    return add_number(ctx, inet_load(args[0]), -args[1].i, out);
}

static Status difference(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]), b = inet_load(args[1]);
    if (a.family != b.family) return sizes_differ(ctx, "subtract");
    unsigned __int128 x = 0, y = 0;
    for (int i = 0; i < inet_size(&a); i++) {
        x = x << 8 | a.address[i];
        y = y << 8 | b.address[i];
    }
    bool negative = x < y;
    unsigned __int128 size = negative ? y - x : x - y;
    if (size > (unsigned __int128)INT64_MAX + negative) return out_of_range(ctx);
    *out = value_int((int64_t)(negative ? -(uint64_t)size : (uint64_t)size));
    return ST_OK;
}

/* ---- parts ---- */

static Status family(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(inet_load(args[0]).family);
    return ST_OK;
}

static Status masklen(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(inet_load(args[0]).bits);
    return ST_OK;
}

static Status network(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]), network = inet_network(&a);
    return put(ctx, &network, out);
}

/* Ones up to the prefix, or behind it. */
static Inet mask_of(const Inet *a, bool of_host)
{
    Inet mask = {.family = a->family, .bits = inet_size(a) * 8};
    for (int i = 0; i < mask.bits; i++)
        if ((i >= a->bits) == of_host) mask.address[i / 8] = (uint8_t)(mask.address[i / 8] | 0x80 >> i % 8);
    return mask;
}

static Status netmask(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]), mask = mask_of(&a, false);
    return put(ctx, &mask, out);
}

static Status hostmask(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]), mask = mask_of(&a, true);
    return put(ctx, &mask, out);
}

static Status broadcast(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]), mask = mask_of(&a, true);
    for (int i = 0; i < inet_size(&a); i++) a.address[i] |= mask.address[i];
    return put(ctx, &a, out);
}

static Status set_masklen(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]);
    int64_t bits = args[1].i == -1 ? inet_size(&a) * 8 : args[1].i;
    if (bits < 0 || bits > inet_size(&a) * 8)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid mask length: %d", (int)bits);
    a.bits = (int)bits;
    if (ctx->result_type.oid == OID_CIDR) a = inet_network(&a);
    return put(ctx, &a, out);
}

/* The smallest network that holds both. */
static Status merge(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]), b = inet_load(args[1]);
    if (a.family != b.family)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "cannot merge addresses from different families");
    if (b.bits < a.bits) a.bits = b.bits;
    while (!inet_holds(&a, &b)) a.bits--;
    a = inet_network(&a);
    return put(ctx, &a, out);
}

/* ---- text ---- */

static Status host(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]);
    Buf text = {0};
    inet_put_address(&a, &text);
    return put_text(ctx, &text, out);
}

static Status show(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]);
    Buf text = {0};
    inet_put_text(&a, true, &text);
    return put_text(ctx, &text, out);
}

static Status abbrev_inet(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]);
    Buf text = {0};
    inet_put_text(&a, false, &text);
    return put_text(ctx, &text, out);
}

/* Of a v4 network only the bytes that the prefix reaches: 10.1/16. A v6 one loses the :: at its end if groups come before. */
static Status abbrev_cidr(FnCtx *ctx, const Value *args, Value *out)
{
    Inet a = inet_load(args[0]);
    Buf text = {0};
    if (a.family == INET_V6) {
        inet_put_text(&a, true, &text);
        return put_text(ctx, &text, out);
    }
    int bytes = a.bits ? (a.bits + 7) / 8 : 1;
    for (int i = 0; i < bytes; i++) buf_printf(&text, i ? ".%d" : "%d", a.address[i]);
    buf_printf(&text, "/%d", a.bits);
    return put_text(ctx, &text, out);
}

/* ---- hardware addresses ---- */

#define MACADDR_BITWISE(name, expression)                                                                            \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        uint8_t *p = arena_alloc(ctx->type.arena, args[0].size);                                                     \
        for (uint32_t i = 0; i < args[0].size; i++) p[i] = (uint8_t)(expression);                                    \
        *out = value_bytes(p, args[0].size);                                                                         \
        return ST_OK;                                                                                                \
    }

MACADDR_BITWISE(macaddr_and, args[0].p[i] & args[1].p[i])
MACADDR_BITWISE(macaddr_or, args[0].p[i] | args[1].p[i])
MACADDR_BITWISE(macaddr_not, ~args[0].p[i])
MACADDR_BITWISE(macaddr_trunc, i < 3 ? args[0].p[i] : 0)
MACADDR_BITWISE(macaddr8_set7bit, i ? args[0].p[i] : args[0].p[i] | 2)

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
const FuncDef fn_inet_rows[] = {
    { 931,  "<<",  "inet, inet", "bool", OP, within },
    { 932,  "<<=", "inet, inet", "bool", OP, within_or_same },
    { 933,  ">>",  "inet, inet", "bool", OP, holds },
    { 934,  ">>=", "inet, inet", "bool", OP, holds_or_same },
    { 3552, "&&",  "inet, inet", "bool", OP, overlaps },
    { 2634, "~",   "inet",       "inet", OP, bit_not },
    { 2635, "&",   "inet, inet", "inet", OP, bit_and },
    { 2636, "|",   "inet, inet", "inet", OP, bit_or },
    { 2637, "+",   "inet, int8", "inet", OP, add },
    { 2638, "+",   "int8, inet", "inet", OP, add_to },
    { 2639, "-",   "inet, int8", "inet", OP, subtract },
    { 2640, "-",   "inet, inet", "int8", OP, difference },
    { 3147, "~",   "macaddr",           "macaddr",  OP, macaddr_not },
    { 3148, "&",   "macaddr, macaddr",  "macaddr",  OP, macaddr_and },
    { 3149, "|",   "macaddr, macaddr",  "macaddr",  OP, macaddr_or },
    { 3368, "~",   "macaddr8",          "macaddr8", OP, macaddr_not },
    { 3369, "&",   "macaddr8, macaddr8", "macaddr8", OP, macaddr_and },
    { 3370, "|",   "macaddr8, macaddr8", "macaddr8", OP, macaddr_or },
    { 598,  "abbrev", "inet",         "text", FN, abbrev_inet },
    { 599,  "abbrev", "cidr",         "text", FN, abbrev_cidr },
    { 698,  "broadcast", "inet",      "inet", FN, broadcast },
    { 711,  "family", "inet",         "int4", FN, family },
    { 699,  "host", "inet",           "text", FN, host },
    { 1362, "hostmask", "inet",       "inet", FN, hostmask },
    { 4063, "inet_merge", "inet, inet", "cidr", FN, merge },
    { 4071, "inet_same_family", "inet, inet", "bool", FN, same_family },
    { 4125, "macaddr8_set7bit", "macaddr8", "macaddr8", FN, macaddr8_set7bit },
    { 697,  "masklen", "inet",        "int4", FN, masklen },
    { 696,  "netmask", "inet",        "inet", FN, netmask },
    { 683,  "network", "inet",        "cidr", FN, network },
    { 605,  "set_masklen", "inet, int4", "inet", FN, set_masklen },
    { 635,  "set_masklen", "cidr, int4", "cidr", FN, set_masklen },
    { 730,  "text", "inet",           "text", FN, show },
    { 753,  "trunc", "macaddr",       "macaddr", FN, macaddr_trunc },
    { 4112, "trunc", "macaddr8",      "macaddr8", FN, macaddr_trunc },
    { 0 }
};
/* clang-format on */
