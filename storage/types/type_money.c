/* type_money.c - amounts in cents, printed as $1,234.56. */
#include "storage/types/cast_run.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_money.h"
#include "storage/types/type_numeric.h"

static Status money_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    Slice t = text_trim(text);
    size_t at = 0;
    bool negative = false, overflow = false;
    int64_t amount = 0;
    int decimals = -1;
    for (; at < t.size && (t.data[at] == '$' || t.data[at] == '-' || t.data[at] == '(' || t.data[at] == '+' || is_space(t.data[at])); at++)
        negative |= t.data[at] == '-' || t.data[at] == '(';
    bool rounded = false;
    for (; at < t.size; at++) {
        uint8_t c = t.data[at];
        if (c == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (c == ',' && decimals < 0) continue;
        if (!is_digit(c)) break;
        if (decimals == MONEY_DECIMALS) {
            /* The first digit too many rounds, those after it say nothing. */
            if (!rounded && c >= '5') overflow |= __builtin_sub_overflow(amount, 1, &amount);
            rounded = true;
            continue;
        }
        if (decimals >= 0) decimals++;
        overflow |= __builtin_mul_overflow(amount, 10, &amount) || __builtin_sub_overflow(amount, c - '0', &amount);
    }
    for (int d = decimals < 0 ? 0 : decimals; d < MONEY_DECIMALS; d++) overflow |= __builtin_mul_overflow(amount, 10, &amount);
    for (; at < t.size && (is_space(t.data[at]) || t.data[at] == ')' || t.data[at] == '-' || t.data[at] == '$'); at++)
        negative |= t.data[at] == '-';
    if (at < t.size) return type_invalid_text(ctx, "money", text);
    if (overflow || (!negative && amount == INT64_MIN)) return type_text_out_of_range(ctx, "money", text);
    *out = value_int(negative ? amount : -amount); /* counted downwards, where there is one more */
    return ST_OK;
}

static void money_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    char digits[24], text[40];
    uint64_t amount = value.i < 0 ? -(uint64_t)value.i : (uint64_t)value.i;
    int count = 0, n = 0;
    for (; amount || count < MONEY_DECIMALS + 1; amount /= 10) digits[count++] = (char)('0' + amount % 10);
    for (int i = count - 1; i >= 0; i--) {
        text[n++] = digits[i];
        int whole = i - MONEY_DECIMALS;
        if (whole == 0) text[n++] = '.';
        else if (whole > 0 && whole % 3 == 0) text[n++] = ',';
    }
    buf_put_str(out, value.i < 0 ? "-$" : "$");
    buf_put(out, text, (size_t)n);
}

static Status money_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != 8) return type_invalid_binary(ctx);
    *out = value_int((int64_t)load_u64(bytes.data));
    return ST_OK;
}

static void money_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u64(out, (uint64_t)value.i);
}

const TypeDef type_money = {
    .oid = OID_MONEY, .array_oid = 791, .name = "money", .sql_name = "money", .crdb_name = "MONEY", .length = 8,
    .category = 'N', .rep = REP_INT, .key_class = KEY_CLASS_INT, .in = money_in, .out = money_out,
    .receive = money_receive, .send = money_send, .compare = type_int_compare, .hash = type_int_hash,
};

/* ---- casts ---- */

CAST_BODY(cast_money_to_numeric)
{
    *out = numeric_from_int128(in.i, MONEY_DECIMALS, ctx->arena);
    return ST_OK;
}

CAST_BODY(cast_numeric_to_money)
{
    Value cents, hundred = numeric_from_int(MONEY_UNIT, ctx->arena);
    TRY(numeric_mul(ctx, in, hundred, &cents));
    return cast_numeric_to_int8(ctx, cents, -1, false, out);
}

CAST_BODY(cast_int_to_money)
{
    int64_t cents;
    if (__builtin_mul_overflow(in.i, (int64_t)MONEY_UNIT, &cents)) return type_out_of_range(ctx, "bigint");
    *out = value_int(cents);
    return ST_OK;
}
