/* format_number_read.c - to_number: the digits of an input by a number's template. */
#include "executor/functions/format_number.h"

typedef struct Reader {
    const NumberPicture *picture;
    const char *at, *end;
    char sign;          /* ' ': none seen */
    char *digits;
    size_t count;
    int before, after;  /* digits read on either side of the point */
    bool point_seen, digits_begun;
} Reader;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_character(Reader *r)
{
    if (r->at < r->end) r->at += format_character(slice_of(r->at, (size_t)(r->end - r->at)));
}

/* What stands for a text of n characters in the template, as long as it cannot belong to the number. */
static void skip_decoration(Reader *r, int n)
{
    for (; n > 0 && r->at < r->end && !strchr("0123456789.,+-", *r->at); n--) skip_character(r);
}

static void read_sign_in_front(Reader *r)
{
    bool bracket = (r->picture->flags & PICTURE_BRACKET) && *r->at == '<';
    if (*r->at == '-' || *r->at == '+')
        r->sign = *r->at++;
    else if (bracket && !((r->picture->flags & PICTURE_SIGN) && r->picture->sign_place == SIGN_IN_FRONT)) {
        r->sign = '-';
        r->at++;
    }
}

/* A sign behind the number stands right behind its last digit (S), or, with PL, MI and SG, where a digit was
 * expected and not found. The
 * caller passes over one character afterwards. */
static void read_sign_behind(Reader *r, bool took)
{
    int flags = r->picture->flags;
    if ((flags & PICTURE_SIGN) && took && r->at + 1 < r->end && !is_digit(r->at[1])) {
        if (r->at[1] == '-' || r->at[1] == '+') r->sign = *++r->at;
    } else if (!took && !(flags & PICTURE_SIGN) && (flags & (PICTURE_PLUS | PICTURE_MINUS))) {
        if (*r->at == '-' || *r->at == '+') r->sign = *r->at;
    }
}

static void read_place(Reader *r, NumberField field)
{
    bool took = false;
    if (*r->at == ' ') r->at++;
    if (r->at >= r->end) return;
    bool first = r->before + r->after == 0;
    if (r->sign == ' ' && first && (field == NUMBER_ZERO || field == NUMBER_NINE)) read_sign_in_front(r);
    if (r->at >= r->end) return;
    if (is_digit(*r->at)) {
        if (r->point_seen && r->after == r->picture->after) return;
        r->digits[r->count++] = *r->at;
        if (r->point_seen)
            r->after++;
        else
            r->before++;
        took = true;
    } else if ((r->picture->flags & PICTURE_DECIMAL) && !r->point_seen && *r->at == '.') {
        r->digits[r->count++] = '.';
        r->point_seen = took = true;
    }
    if (r->sign == ' ' && r->before + r->after > 0) read_sign_behind(r, took);
}

static bool take_sign(Reader *r, const char *signs)
{
    if (!*r->at || !strchr(signs, *r->at)) {
        skip_decoration(r, 1);
        return false;
    }
    r->sign = *r->at;
    return true;
}

/* True: one character of the input is done with. */
static bool read_field(Reader *r, NumberField field)
{
    switch (field) {
    case NUMBER_NINE:
    case NUMBER_ZERO:
    case NUMBER_POINT:
    case NUMBER_LOCAL_POINT: read_place(r, field); return true;
    case NUMBER_COMMA:
    case NUMBER_GROUP: return !(r->picture->flags & PICTURE_FILL) && *r->at == ',';
    case NUMBER_CURRENCY: skip_decoration(r, 1); return false;
    case NUMBER_ORDINAL: skip_decoration(r, 2); return false;
    case NUMBER_MINUS: return take_sign(r, "-");
    case NUMBER_PLUS: return take_sign(r, "+");
    case NUMBER_SIGN: return take_sign(r, "+-");
    case NUMBER_BLANK:
    case NUMBER_CURRENCY_C:
    case NUMBER_EXPONENT:
    case NUMBER_FILL:
    case NUMBER_BRACKET:
    case NUMBER_ROMAN:
    case NUMBER_SPELL:
    case NUMBER_LOCAL_SIGN:
    case NUMBER_SHIFT: return false;
    }
    return false;
}

Status number_picture_read(TypeCtx *ctx, const NumberPicture *picture, Slice input, char **number, int *scale)
{
    if (picture->flags & PICTURE_EXPONENT)
        return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED, "\"EEEE\" not supported for input");
    if (picture->flags & PICTURE_ROMAN)
        return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED, "\"RN\" not supported for input");
    const char *text = arena_strndup(ctx->arena, input.data, input.size);
    char *digits = arena_alloc(ctx->arena, input.size + 2);
    Reader r = {.picture = picture, .at = text, .end = text + input.size, .sign = ' ', .digits = digits + 1, .count = 0};
    for (const FormatNode *node = picture->nodes; node->kind != FORMAT_END && r.at < r.end; node++) {
        if (node->kind != FORMAT_FIELD)
            skip_character(&r);
        else if (read_field(&r, (NumberField)node->word->field))
            r.at++;
    }
    if (r.count && r.digits[r.count - 1] == '.') r.count--;
    digits[0] = r.sign;
    r.digits[r.count] = 0;
    *number = digits;
    *scale = r.after;
    return ST_OK;
}
