#include "storage/types/type_inet.h"

#include "storage/types/type_defs.h"

/* The families of PostgreSQL's binary form. */
enum { WIRE_V4 = 2, WIRE_V6 = 3, WIRE_HEAD_BYTES = 4 };

Inet inet_load(Value value)
{
    Inet inet = {.family = value.p[0]};
    size_t size = (size_t)inet_size(&inet);
    inet.bits = value.p[1 + size];
    memcpy(inet.address, value.p + 2 + size, size);
    return inet;
}

Inet inet_network(const Inet *inet)
{
    Inet network = *inet;
    for (int bit = inet->bits; bit < inet_size(inet) * 8; bit++)
        network.address[bit / 8] = (uint8_t)(network.address[bit / 8] & ~(0x80 >> bit % 8));
    return network;
}

Value inet_store(const Inet *inet, Arena *arena)
{
    size_t size = (size_t)inet_size(inet);
    Inet network = inet_network(inet);
    uint8_t *bytes = arena_alloc(arena, 2 + 2 * size);
    bytes[0] = (uint8_t)inet->family;
    memcpy(bytes + 1, network.address, size);
    bytes[1 + size] = (uint8_t)inet->bits;
    memcpy(bytes + 2 + size, inet->address, size);
    return value_bytes(bytes, 2 + 2 * size);
}

bool inet_holds(const Inet *outer, const Inet *inner)
{
    if (outer->family != inner->family || outer->bits > inner->bits) return false;
    Inet cut = *inner;
    cut.bits = outer->bits;
    Inet a = inet_network(outer), b = inet_network(&cut);
    return memcmp(a.address, b.address, sizeof a.address) == 0;
}

/* ---- text in ---- */

typedef struct Parse {
    Slice text;
    size_t at;
} Parse;

static int peek(const Parse *p)
{
    return p->at < p->text.size ? p->text.data[p->at] : -1;
}

/* A number of at most max; false if there are no digits. */
static bool take_number(Parse *p, int max, int *number)
{
    size_t start = p->at;
    for (*number = 0; peek(p) >= 0 && is_digit((uint8_t)peek(p)); p->at++) {
        *number = *number * 10 + peek(p) - '0';
        if (*number > max) return false;
    }
    return p->at > start;
}

/* Up to four numbers with dots between; their count is 0 for what is none. */
static int take_v4(Parse *p, uint8_t *address)
{
    int count = 0, number;
    while (count < 4) {
        if (!take_number(p, 255, &number)) return 0;
        address[count++] = (uint8_t)number;
        if (peek(p) != '.') break;
        if (count == 4) return 0;
        p->at++;
    }
    return count;
}

static int hex_value(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Groups of 16 bits; one "::" stands for as many zeros as are missing; the last 32 bits may be written as in v4. */
static bool take_v6(Parse *p, uint8_t *address)
{
    uint8_t bytes[INET_BYTES_MAX] = {0};
    int count = 0, gap = -1;
    if (peek(p) == ':') {
        if (p->at + 1 >= p->text.size || p->text.data[p->at + 1] != ':') return false;
        p->at++;
    }
    for (;;) {
        if (peek(p) == ':' && gap < 0) {
            gap = count;
            p->at++;
        }
        size_t start = p->at;
        int group = 0, digits = 0;
        for (; hex_value(peek(p)) >= 0 && digits < 5; p->at++, digits++) group = group << 4 | hex_value(peek(p));
        if (digits == 0) {
            if (gap != count) return false;
            break;
        }
        if (peek(p) == '.') {
            p->at = start;
            if (count > INET_BYTES_MAX - 4 || take_v4(p, bytes + count) != 4) return false;
            count += 4;
            break;
        }
        if (digits > 4 || count > INET_BYTES_MAX - 2) return false;
        bytes[count++] = (uint8_t)(group >> 8);
        bytes[count++] = (uint8_t)group;
        if (peek(p) != ':') break;
        p->at++;
    }
    if (gap < 0 ? count != INET_BYTES_MAX : count >= INET_BYTES_MAX) return false;
    if (gap < 0) gap = count;
    memcpy(address, bytes, (size_t)gap);
    memcpy(address + INET_BYTES_MAX - (count - gap), bytes + gap, (size_t)(count - gap));
    return true;
}

static bool take_bits(Parse *p, int max, int *bits)
{
    if (peek(p) != '/') return false;
    p->at++;
    return take_number(p, max, bits);
}

/* Networks of the old classes, when a cidr has no prefix length; as many bytes as are written at least. */
static int class_bits(const Inet *inet, int written)
{
    int first = inet->address[0];
    int bits = first >= 240 ? 32 : first >= 224 ? 8 : first >= 192 ? 24 : first >= 128 ? 16 : 8;
    if (bits < written * 8) bits = written * 8;
    return bits == 8 && first == 224 ? 4 : bits;
}

static bool parse_inet(Slice text, bool cidr, Inet *inet)
{
    Parse p = {.text = text};
    *inet = (Inet){.family = text.size && memchr(text.data, ':', text.size) ? INET_V6 : INET_V4};
    if (inet->family == INET_V6) {
        if (!take_v6(&p, inet->address)) return false;
        inet->bits = 128;
        if (peek(&p) == '/' && !take_bits(&p, 128, &inet->bits)) return false;
        return p.at == text.size;
    }
    int written = take_v4(&p, inet->address);
    if (!written) return false;
    if (p.at == text.size) {
        inet->bits = cidr ? class_bits(inet, written) : 32;
        return cidr || written == 4;
    }
    /* Bytes left out are zero, but the prefix must not reach into them. */
    if (!take_bits(&p, 32, &inet->bits) || p.at != text.size) return false;
    return written == 4 || inet->bits <= written * 8;
}

static Status inet_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    Inet inet;
    bool cidr = type->oid == OID_CIDR;
    if (!parse_inet(text, cidr, &inet)) return type_invalid_text(ctx, type->name, text);
    Inet network = inet_network(&inet);
    if (cidr && memcmp(network.address, inet.address, sizeof inet.address) != 0) {
        (void)err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "invalid cidr value: \"%.*s\"", (int)text.size,
                      (const char *)text.data);
        err_detail(ctx->err, ctx->arena, "Value has bits set to right of mask.");
        return ST_ERROR;
    }
    *out = inet_store(&inet, ctx->arena);
    return ST_OK;
}

/* ---- text out ---- */

static int group_at(const Inet *inet, int i)
{
    return inet->address[2 * i] << 8 | inet->address[2 * i + 1];
}

/* The longest run of zero groups, two at least; the first of equal ones. */
static int longest_gap(const Inet *inet, int *length)
{
    int best = -1, best_length = 1;
    for (int i = 0; i < 8; i++) {
        int n = 0;
        while (i + n < 8 && group_at(inet, i + n) == 0) n++;
        if (n > best_length) {
            best = i;
            best_length = n;
        }
        i += n;
    }
    *length = best < 0 ? 0 : best_length;
    return best;
}

static void put_v6(const Inet *inet, Buf *out)
{
    int length, gap = longest_gap(inet, &length);
    /* ::1.2.3.4 and ::ffff:1.2.3.4 */
    bool v4_tail = gap == 0 && (length == 6 || (length == 5 && group_at(inet, 5) == 0xffff));
    int groups = v4_tail ? 6 : 8;
    for (int i = 0; i < groups; i++) {
        if (gap >= 0 && i >= gap && i < gap + length) {
            if (i == gap) buf_put_u8(out, ':');
            continue;
        }
        if (i) buf_put_u8(out, ':');
        buf_printf(out, "%x", (unsigned)group_at(inet, i));
    }
    if (v4_tail) {
        const uint8_t *a = inet->address + 12;
        buf_printf(out, ":%d.%d.%d.%d", a[0], a[1], a[2], a[3]);
    } else if (gap >= 0 && gap + length == 8) {
        buf_put_u8(out, ':');
    }
}

void inet_put_address(const Inet *inet, Buf *out)
{
    const uint8_t *a = inet->address;
    if (inet->family == INET_V4) buf_printf(out, "%d.%d.%d.%d", a[0], a[1], a[2], a[3]);
    else put_v6(inet, out);
}

void inet_put_text(const Inet *inet, bool always_bits, Buf *out)
{
    inet_put_address(inet, out);
    if (always_bits || inet->bits != inet_size(inet) * 8) buf_printf(out, "/%d", inet->bits);
}

static void inet_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Inet inet = inet_load(value);
    inet_put_text(&inet, type->oid == OID_CIDR, out);
}

/* ---- binary: family, bits, whether it is a cidr, the number of bytes, the address ---- */

static Status inet_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    const char *name = type->name;
    if (bytes.size < WIRE_HEAD_BYTES) return type_invalid_binary(ctx);
    int family = bytes.data[0];
    if (family != WIRE_V4 && family != WIRE_V6)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_BINARY_REPRESENTATION,
                       "invalid address family in external \"%s\" value", name);
    Inet inet = {.family = family == WIRE_V4 ? INET_V4 : INET_V6, .bits = bytes.data[1]};
    int size = inet_size(&inet);
    if (inet.bits > size * 8)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_BINARY_REPRESENTATION, "invalid bits in external \"%s\" value", name);
    if (bytes.data[3] != size || bytes.size != (size_t)(WIRE_HEAD_BYTES + size))
        return err_set(ctx->err, ctx->arena, ERR_INVALID_BINARY_REPRESENTATION, "invalid length in external \"%s\" value", name);
    memcpy(inet.address, bytes.data + WIRE_HEAD_BYTES, (size_t)size);
    Inet network = inet_network(&inet);
    if (type->oid == OID_CIDR && memcmp(network.address, inet.address, sizeof inet.address) != 0) {
        (void)err_set(ctx->err, ctx->arena, ERR_INVALID_BINARY_REPRESENTATION, "invalid external \"cidr\" value");
        err_detail(ctx->err, ctx->arena, "Value has bits set to right of mask.");
        return ST_ERROR;
    }
    *out = inet_store(&inet, ctx->arena);
    return ST_OK;
}

static void inet_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Inet inet = inet_load(value);
    buf_put_u8(out, inet.family == INET_V4 ? WIRE_V4 : WIRE_V6);
    buf_put_u8(out, (uint8_t)inet.bits);
    buf_put_u8(out, type->oid == OID_CIDR);
    buf_put_u8(out, (uint8_t)inet_size(&inet));
    buf_put(out, inet.address, (size_t)inet_size(&inet));
}

const TypeDef type_inet = {
    .oid = OID_INET, .array_oid = 1041, .name = "inet", .sql_name = "inet", .crdb_name = "INET", .length = -1,
    .category = 'I', .preferred = true, .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = inet_in, .out = inet_out,
    .receive = inet_receive, .send = inet_send, .compare = type_bytes_compare, .hash = type_bytes_hash,
};

const TypeDef type_cidr = {
    .oid = OID_CIDR, .array_oid = 651, .name = "cidr", .sql_name = "cidr", .crdb_name = "CIDR", .length = -1,
    .category = 'I', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = inet_in, .out = inet_out,
    .receive = inet_receive, .send = inet_send, .compare = type_bytes_compare, .hash = type_bytes_hash,
};
