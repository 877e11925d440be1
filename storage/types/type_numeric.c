#include "storage/types/type_numeric.h"

#include <assert.h>

#include "storage/types/numeric_internal.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"

enum {
    HEADER = 4,
    KIND_NEGATIVE = 0x4000, KIND_SPECIAL = 0x8000, KIND_MASK = 0xC000, SCALE_MASK = 0x3FFF,
    SPECIAL_NAN = 0, SPECIAL_INFINITY = 1, SPECIAL_MINUS_INFINITY = 2,
    /* The wire's words for the sign. */
    WIRE_POSITIVE = 0x0000, WIRE_NEGATIVE = 0x4000, WIRE_NAN = 0xC000, WIRE_INFINITY = 0xD000,
    WIRE_MINUS_INFINITY = 0xF000
};

static uint16_t head_of(Value value)
{
    uint16_t head;
    assert(value.size >= HEADER || (value.size >= 2 && value.p[1] & 0x80));
    memcpy(&head, value.p, sizeof head);
    return head;
}

NumericKind numeric_kind(Value value)
{
    uint16_t head = head_of(value);
    if ((head & KIND_MASK) != KIND_SPECIAL) return NUMERIC_FINITE;
    int special = head & SCALE_MASK;
    return special == SPECIAL_NAN        ? NUMERIC_NAN
           : special == SPECIAL_INFINITY ? NUMERIC_INFINITY
                                         : NUMERIC_MINUS_INFINITY;
}

int numeric_scale(Value value)
{
    return numeric_kind(value) == NUMERIC_FINITE ? head_of(value) & SCALE_MASK : 0;
}

int numeric_sign(Value value)
{
    NumericKind kind = numeric_kind(value);
    if (kind != NUMERIC_FINITE) return kind == NUMERIC_NAN ? 0 : kind == NUMERIC_INFINITY ? 1 : -1;
    if (value.size == HEADER) return 0;
    return head_of(value) & KIND_NEGATIVE ? -1 : 1;
}

Num num_load(Value value, Arena *arena)
{
    NumericKind kind = numeric_kind(value);
    if (kind != NUMERIC_FINITE) return num_special(kind);
    uint16_t head = head_of(value);
    int16_t weight;
    memcpy(&weight, value.p + 2, sizeof weight);
    Num n = {NUMERIC_FINITE, (head & KIND_MASK) == KIND_NEGATIVE, weight, head & SCALE_MASK,
             (int)(value.size - HEADER) / 2, NULL};
    const void *digits = value.p + HEADER;
    if (((uintptr_t)digits & 1) && n.count) digits = arena_copy(arena, digits, (size_t)n.count * 2);
    n.digits = digits;
    return n;
}

Value num_store_small(const Num *n, Arena *arena)
{
    uint16_t head;
    if (n->kind != NUMERIC_FINITE) {
        int special = n->kind == NUMERIC_NAN ? SPECIAL_NAN
                      : n->kind == NUMERIC_INFINITY ? SPECIAL_INFINITY : SPECIAL_MINUS_INFINITY;
        head = (uint16_t)(KIND_SPECIAL | special);
        return value_bytes(arena_copy(arena, &head, sizeof head), sizeof head);
    }
    assert(n->scale >= 0 && n->scale <= NUMERIC_SCALE_MAX);
    assert(n->count == 0 || (n->digits[0] && n->digits[n->count - 1]));
    head = (uint16_t)((n->negative ? KIND_NEGATIVE : 0) | n->scale);
    int16_t weight = (int16_t)n->weight;
    size_t size = HEADER + 2 * (size_t)n->count;
    uint8_t *bytes = arena_alloc(arena, size);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + 2, &weight, sizeof weight);
    if (n->count) memcpy(bytes + HEADER, n->digits, 2 * (size_t)n->count);
    return value_bytes(bytes, size);
}

Status num_overflow(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format");
}

Status num_store(TypeCtx *ctx, const Num *n, Value *out)
{
    if (n->kind == NUMERIC_FINITE &&
        (n->weight > WEIGHT_MAX || n->weight < -WEIGHT_MAX - 1 || n->scale > NUMERIC_SCALE_MAX))
        return num_overflow(ctx);
    *out = num_store_small(n, ctx->arena);
    return ST_OK;
}

/* ---- text ---- */

/* A literal taken apart: the decimals between start and end, a point among them, counting from 10^weight. */
typedef struct Literal {
    Slice decimals;
    bool negative;
    int digit_count, fraction, exponent; /* an exponent that no numeric has is cut to INT32_MAX / 2 */
} Literal;

static bool scan_exponent(Slice t, size_t *at, int *exponent)
{
    bool negative = false;
    int64_t n = 0;
    size_t i = *at + 1;
    if (i < t.size && (t.data[i] == '-' || t.data[i] == '+')) negative = t.data[i++] == '-';
    if (i == t.size || !is_digit(t.data[i])) return false;
    for (; i < t.size && is_digit(t.data[i]); i++) {
        n = n * 10 + (t.data[i] - '0');
        if (n > INT32_MAX / 2) n = INT32_MAX / 2;
    }
    *at = i;
    *exponent = (int)(negative ? -n : n);
    return true;
}

static bool scan_literal(Slice t, Literal *literal)
{
    size_t i = 0;
    *literal = (Literal){0};
    if (t.size && (t.data[0] == '-' || t.data[0] == '+')) literal->negative = t.data[i++] == '-';
    size_t start = i;
    bool point = false;
    for (; i < t.size && (is_digit(t.data[i]) || (t.data[i] == '.' && !point)); i++) {
        if (t.data[i] == '.') {
            point = true;
            continue;
        }
        literal->digit_count++;
        literal->fraction += point;
    }
    if (literal->digit_count == 0) return false;
    literal->decimals = slice_of(t.data + start, i - start);
    if (i < t.size && (t.data[i] == 'e' || t.data[i] == 'E') && !scan_exponent(t, &i, &literal->exponent)) return false;
    return i == t.size;
}

static const uint16_t tens[] = {1, 10, 100, 1000};

static Num num_of_literal(const Literal *l, Arena *arena)
{
    int scale = l->fraction - l->exponent; /* the last decimal counts 10^-scale */
    int behind = ((scale % BASE_DIGITS) + BASE_DIGITS) % BASE_DIGITS;
    behind = behind ? BASE_DIGITS - behind : 0;
    int count = (l->digit_count + behind + BASE_DIGITS - 1) / BASE_DIGITS;
    uint16_t *digits = ARENA_ARRAY(arena, uint16_t, count);
    int from_end = l->digit_count - 1 + behind;
    for (size_t i = 0; i < l->decimals.size; i++) {
        if (l->decimals.data[i] == '.') continue;
        uint16_t *digit = &digits[count - 1 - from_end / BASE_DIGITS];
        *digit = (uint16_t)(*digit + (l->decimals.data[i] - '0') * tens[from_end % BASE_DIGITS]);
        from_end--;
    }
    int low = -(scale + behind) / BASE_DIGITS;
    return num_normal(digits, count, low + count - 1, l->negative, scale > 0 ? scale : 0);
}

static bool parse_special(Slice t, NumericKind *kind)
{
    bool negative = t.size && t.data[0] == '-';
    Slice word = t.size && (negative || t.data[0] == '+') ? slice_of(t.data + 1, t.size - 1) : t;
    if (text_is_word(t, "nan"))
        *kind = NUMERIC_NAN;
    else if (text_is_word(word, "infinity") || text_is_word(word, "inf"))
        *kind = negative ? NUMERIC_MINUS_INFINITY : NUMERIC_INFINITY;
    else
        return false;
    return true;
}

Status numeric_parse(TypeCtx *ctx, Slice text, Value *out)
{
    Slice t = text_trim(text);
    Literal literal;
    NumericKind kind;
    if (parse_special(t, &kind)) {
        Num special = num_special(kind);
        return num_store(ctx, &special, out);
    }
    if (t.size > 1000000 || !scan_literal(t, &literal)) return type_invalid_text(ctx, "numeric", text);
    Num n = num_of_literal(&literal, ctx->arena);
    return num_store(ctx, &n, out);
}

static Status numeric_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out);

static Status numeric_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    TRY(numeric_parse(ctx, text, out));
    return numeric_fit(type, ctx, *out, typmod, false, out);
}

static void put_fraction(const Value value, int count, int weight, int scale, Buf *out)
{
    uint8_t *at = buf_reserve(out, (size_t)scale + BASE_DIGITS);
    if (!at) return;
    for (int written = 0, w = -1; written < scale; written += BASE_DIGITS, w--) {
        int i = weight - w;
        uint16_t digit = 0;
        if (i >= 0 && i < count) memcpy(&digit, value.p + HEADER + 2 * i, sizeof digit);
        for (int j = 0; j < BASE_DIGITS; j++) at[written + j] = (uint8_t)('0' + digit / tens[BASE_DIGITS - 1 - j] % 10);
    }
    out->size += (size_t)scale;
}

void numeric_put_text(Value value, Buf *out)
{
    NumericKind kind = numeric_kind(value);
    if (kind != NUMERIC_FINITE) {
        buf_put_str(out, kind == NUMERIC_NAN ? "NaN" : kind == NUMERIC_INFINITY ? "Infinity" : "-Infinity");
        return;
    }
    uint16_t head = head_of(value), digit;
    int16_t weight;
    memcpy(&weight, value.p + 2, sizeof weight);
    int count = (int)(value.size - HEADER) / 2, scale = head & SCALE_MASK;
    if (head & KIND_NEGATIVE) buf_put_u8(out, '-');
    if (weight < 0 || count == 0) buf_put_u8(out, '0');
    for (int i = 0; i <= weight && count; i++) {
        digit = 0;
        if (i < count) memcpy(&digit, value.p + HEADER + 2 * i, sizeof digit);
        if (i == 0)
            int_put_unsigned_text(out, digit);
        else
            int_put_padded(out, digit, BASE_DIGITS);
    }
    if (scale == 0) return;
    buf_put_u8(out, '.');
    put_fraction(value, count, weight, scale, out);
}

static void numeric_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    numeric_put_text(value, out);
}

/* ---- binary ---- */

static Status wire_fault(TypeCtx *ctx, const char *what)
{
    return err_set(ctx->err, ctx->arena, ERR_INVALID_BINARY_REPRESENTATION, "invalid %s in external \"numeric\" value",
                   what);
}

static Status receive_num(TypeCtx *ctx, Slice bytes, Num *n)
{
    if (bytes.size < 8) return type_invalid_binary(ctx);
    int count = load_u16(bytes.data), weight = (int16_t)load_u16(bytes.data + 2);
    uint16_t sign = load_u16(bytes.data + 4), scale = load_u16(bytes.data + 6);
    if (bytes.size != 8 + 2 * (size_t)count) return wire_fault(ctx, "length");
    if (sign == WIRE_NAN || sign == WIRE_INFINITY || sign == WIRE_MINUS_INFINITY) {
        *n = num_special(sign == WIRE_NAN        ? NUMERIC_NAN
                         : sign == WIRE_INFINITY ? NUMERIC_INFINITY
                                                 : NUMERIC_MINUS_INFINITY);
        return ST_OK;
    }
    if (sign != WIRE_POSITIVE && sign != WIRE_NEGATIVE) return wire_fault(ctx, "sign");
    if (scale > NUMERIC_SCALE_MAX) return wire_fault(ctx, "scale");
    uint16_t *digits = ARENA_ARRAY(ctx->arena, uint16_t, count);
    for (int i = 0; i < count; i++) {
        digits[i] = load_u16(bytes.data + 8 + 2 * i);
        if (digits[i] >= BASE) return wire_fault(ctx, "digit");
    }
    Num sent = num_normal(digits, count, weight, sign == WIRE_NEGATIVE, scale);
    *n = num_trunc(&sent, scale, ctx->arena);
    return ST_OK;
}

static Status numeric_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    Num n = {0};
    TRY(receive_num(ctx, bytes, &n));
    TRY(num_store(ctx, &n, out));
    return numeric_fit(type, ctx, *out, typmod, false, out);
}

static void numeric_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    NumericKind kind = numeric_kind(value);
    if (kind != NUMERIC_FINITE) {
        buf_put_u32(out, 0);
        buf_put_u16(out, kind == NUMERIC_NAN        ? WIRE_NAN
                         : kind == NUMERIC_INFINITY ? WIRE_INFINITY
                                                    : WIRE_MINUS_INFINITY);
        /* PostgreSQL sends the scale field of its own format, which for the infinities is 0x20. */
        buf_put_u16(out, kind == NUMERIC_NAN ? 0 : 0x20);
        return;
    }
    uint16_t head = head_of(value), digit;
    int16_t weight;
    memcpy(&weight, value.p + 2, sizeof weight);
    int count = (int)(value.size - HEADER) / 2;
    buf_put_u16(out, (uint16_t)count);
    buf_put_u16(out, (uint16_t)weight);
    buf_put_u16(out, head & KIND_NEGATIVE ? WIRE_NEGATIVE : WIRE_POSITIVE);
    buf_put_u16(out, head & SCALE_MASK);
    for (int i = 0; i < count; i++) {
        memcpy(&digit, value.p + HEADER + 2 * i, sizeof digit);
        buf_put_u16(out, digit);
    }
}

/* ---- order ---- */

int numeric_compare(Value a, Value b)
{
    static const int rank[] = {
        [NUMERIC_MINUS_INFINITY] = 0, [NUMERIC_FINITE] = 1, [NUMERIC_INFINITY] = 2, [NUMERIC_NAN] = 3};
    int rank_a = rank[numeric_kind(a)], rank_b = rank[numeric_kind(b)];
    if (rank_a != rank_b || rank_a != 1) return (rank_a > rank_b) - (rank_a < rank_b);
    int sign_a = numeric_sign(a), sign_b = numeric_sign(b);
    if (sign_a != sign_b || sign_a == 0) return (sign_a > sign_b) - (sign_a < sign_b);
    int16_t weight_a, weight_b;
    memcpy(&weight_a, a.p + 2, sizeof weight_a);
    memcpy(&weight_b, b.p + 2, sizeof weight_b);
    if (weight_a != weight_b) return weight_a > weight_b ? sign_a : -sign_a;
    for (uint32_t i = HEADER; i < a.size && i < b.size; i += 2) {
        uint16_t digit_a, digit_b;
        memcpy(&digit_a, a.p + i, sizeof digit_a);
        memcpy(&digit_b, b.p + i, sizeof digit_b);
        if (digit_a != digit_b) return digit_a > digit_b ? sign_a : -sign_a;
    }
    return sign_a * ((a.size > b.size) - (a.size < b.size));
}

uint64_t numeric_hash(Value value)
{
    NumericKind kind = numeric_kind(value);
    if (kind != NUMERIC_FINITE) return hash_int(kind);
    /* All but the display scale: weight and digits, and the sign. */
    return hash_bytes(value.p + 2, value.size - 2) ^ (numeric_sign(value) < 0 ? UINT64_C(0x9E3779B97F4A7C15) : 0);
}

static int numeric_type_compare(const TypeDef *type, Value a, Value b)
{
    return numeric_compare(a, b);
}

static uint64_t numeric_type_hash(const TypeDef *type, Value value)
{
    return numeric_hash(value);
}

/* ---- typmod ---- */

bool numeric_typmod(int32_t typmod, int *precision, int *scale)
{
    if (typmod < 4) return false;
    *precision = (typmod - 4) >> 16 & 0xFFFF;
    *scale = (((typmod - 4) & 0x7FF) ^ 1024) - 1024;
    return true;
}

static Status field_overflow(TypeCtx *ctx, int precision, int scale, bool infinite)
{
    err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "numeric field overflow");
    int whole = precision - scale;
    if (infinite)
        err_detail(ctx->err, ctx->arena, "A field with precision %d, scale %d cannot hold an infinite value.",
                   precision, scale);
    else
        err_detail(ctx->err, ctx->arena,
                   "A field with precision %d, scale %d must round to an absolute value less than %s%d.", precision,
                   scale, whole ? "10^" : "", whole ? whole : 1);
    return ST_ERROR;
}

static int decimal_width(const Num *n)
{
    int first = n->digits[0];
    return n->weight * BASE_DIGITS + (first >= 1000 ? 4 : first >= 100 ? 3 : first >= 10 ? 2 : 1);
}

static Status numeric_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    int precision, scale;
    *out = in;
    if (!numeric_typmod(typmod, &precision, &scale)) return ST_OK;
    NumericKind kind = numeric_kind(in);
    if (kind == NUMERIC_NAN) return ST_OK;
    if (kind != NUMERIC_FINITE) return field_overflow(ctx, precision, scale, true);
    Num n = num_load(in, ctx->arena);
    Num rounded = num_round(&n, scale, ctx->arena);
    if (rounded.count && decimal_width(&rounded) > precision - scale)
        return field_overflow(ctx, precision, scale, false);
    return num_store(ctx, &rounded, out);
}

static Status numeric_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod)
{
    if (arg_count < 1 || arg_count > 2)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "invalid NUMERIC type modifier");
    int scale = arg_count == 2 ? args[1] : 0;
    if (args[0] < 1 || args[0] > NUMERIC_PRECISION_MAX)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE,
                       "NUMERIC precision %d must be between 1 and %d", args[0], NUMERIC_PRECISION_MAX);
    if (scale < -1000 || scale > 1000)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE,
                       "NUMERIC scale %d must be between -1000 and 1000", scale);
    *typmod = (args[0] << 16 | (scale & 0x7FF)) + 4;
    return ST_OK;
}

static void numeric_typmod_out(int32_t typmod, Buf *out)
{
    int precision, scale;
    if (numeric_typmod(typmod, &precision, &scale)) buf_printf(out, "(%d,%d)", precision, scale);
}

const TypeDef type_numeric = {
    .oid = OID_NUMERIC, .array_oid = OID_NUMERIC_ARRAY, .name = "numeric", .sql_name = "numeric",
    .crdb_name = "DECIMAL", .length = -1, .category = 'N', .rep = REP_BYTES, .key_class = KEY_CLASS_DECIMAL,
    .in = numeric_in, .out = numeric_out, .receive = numeric_receive, .send = numeric_send,
    .compare = numeric_type_compare, .hash = numeric_type_hash, .fit = numeric_fit, .typmod_in = numeric_typmod_in,
    .typmod_out = numeric_typmod_out,
};
