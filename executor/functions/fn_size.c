/* fn_size.c - sizes in bytes as people write them. */
#include "executor/functions/families.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_numeric.h"

typedef struct SizeUnit {
    const char *name;
    int shift; /* 2^shift bytes */
} SizeUnit;

static const SizeUnit units[] = {{"bytes", 0}, {"kB", 10}, {"MB", 20}, {"GB", 30}, {"TB", 40}, {"PB", 50}};
enum { UNIT_COUNT = 6 };

/* The largest unit in which the number has at most five digits. From kB on, halves are counted and rounded at the end. */
static Status size_pretty(FnCtx *ctx, const Value *args, Value *out)
{
    TypeCtx *type = &ctx->type;
    Value size = args[0];
    int unit = 0;
    for (; unit + 1 < UNIT_COUNT; unit++) {
        Value limit = numeric_from_int(unit == 0 ? 10 * 1024 : 20 * 1024 - 1, type->arena);
        if (numeric_compare(numeric_abs(size, type->arena), limit) < 0) break;
        TRY(numeric_div_trunc(type, size, numeric_from_int(unit == 0 ? 512 : 1024, type->arena), &size));
    }
    if (unit > 0) {
        TRY(numeric_add(type, size, numeric_from_int(numeric_sign(size) < 0 ? -1 : 1, type->arena), &size));
        TRY(numeric_div_trunc(type, size, numeric_from_int(2, type->arena), &size));
    }
    const char *text = type_text((TypeRef){OID_NUMERIC, -1}, type->env, size, type->arena);
    *out = value_str(arena_printf(type->arena, "%s %s", text, units[unit].name));
    return ST_OK;
}

static Status bad_size(FnCtx *ctx, Slice text)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid size: \"%.*s\"", (int)text.size,
                   (const char *)text.data);
}

/* Bytes of a number's text at the front: sign, digits, point, exponent. */
static size_t number_length(Slice text)
{
    size_t i = text.size && (text.data[0] == '-' || text.data[0] == '+'), digits = 0;
    for (; i < text.size && is_digit(text.data[i]); i++) digits++;
    if (i < text.size && text.data[i] == '.')
        for (i++; i < text.size && is_digit(text.data[i]); i++) digits++;
    if (!digits) return 0;
    size_t e = i;
    if (e < text.size && to_lower(text.data[e]) == 'e') {
        e++;
        if (e < text.size && (text.data[e] == '-' || text.data[e] == '+')) e++;
        size_t start = e;
        while (e < text.size && is_digit(text.data[e])) e++;
        if (e > start) return e;
    }
    return i;
}

static bool same_word(Slice text, const char *word)
{
    size_t size = strlen(word);
    if (text.size != size) return false;
    for (size_t i = 0; i < size; i++)
        if (to_lower(text.data[i]) != to_lower((uint8_t)word[i])) return false;
    return true;
}

static Status find_unit(FnCtx *ctx, Slice all, Slice name, int *shift)
{
    *shift = 0;
    if (!name.size || same_word(name, "b")) return ST_OK;
    for (int i = 0; i < UNIT_COUNT; i++) {
        if (!same_word(name, units[i].name)) continue;
        *shift = units[i].shift;
        return ST_OK;
    }
    (void)bad_size(ctx, all);
    err_detail(ctx->type.err, ctx->type.arena, "Invalid size unit: \"%.*s\".", (int)name.size, (const char *)name.data);
    err_hint(ctx->type.err, ctx->type.arena,
             "Valid units are \"bytes\", \"B\", \"kB\", \"MB\", \"GB\", \"TB\", and \"PB\".");
    return ST_ERROR;
}

static Status size_bytes(FnCtx *ctx, const Value *args, Value *out)
{
    Slice all = value_to_slice(args[0]), text = text_trim(all);
    size_t size = number_length(text);
    Value number;
    int shift;
    if (!size) return bad_size(ctx, all);
    TRY(numeric_parse(&ctx->type, slice_of(text.data, size), &number));
    TRY(find_unit(ctx, all, text_trim(slice_of(text.data + size, text.size - size)), &shift));
    TRY(numeric_mul(&ctx->type, number, numeric_from_int(INT64_C(1) << shift, ctx->type.arena), &number));
    return numeric_to_int(&ctx->type, number, OID_INT8, out);
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_size_rows[] = {
    { 3334, "pg_size_bytes", "text",     "int8", FN, size_bytes },
    { 3166, "pg_size_pretty", "numeric", "text", FN, size_pretty },
    { 0 }
};
/* clang-format on */
