/* format_number.c - what a number's template asks for, and to_char by it. */
#include "executor/functions/format_number.h"
#include "storage/types/type_defs.h"

/* ---- the template as a whole ---- */

static Status conflict(TypeCtx *ctx, const char *message)
{
    return err_set(ctx->err, ctx->arena, ERR_SYNTAX_ERROR, "%s", message);
}

static Status add_digit(TypeCtx *ctx, NumberPicture *p, bool zero)
{
    if (p->flags & PICTURE_BRACKET)
        return conflict(ctx, zero ? "\"0\" must be ahead of \"PR\"" : "\"9\" must be ahead of \"PR\"");
    bool behind = p->flags & PICTURE_DECIMAL;
    if (!zero && (p->flags & PICTURE_SHIFT)) {
        p->shift++;
        return ST_OK;
    }
    if (zero && !behind && !(p->flags & PICTURE_ZERO)) {
        p->flags |= PICTURE_ZERO;
        p->zero_first = p->before + 1;
    }
    if (behind)
        p->after++;
    else
        p->before++;
    if (zero) p->zero_end = p->before + p->after;
    return ST_OK;
}

static Status add_local_sign(TypeCtx *ctx, NumberPicture *p)
{
    if (p->flags & PICTURE_SIGN) return conflict(ctx, "cannot use \"S\" twice");
    if (p->flags & (PICTURE_PLUS | PICTURE_MINUS | PICTURE_BRACKET))
        return conflict(ctx, "cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together");
    p->flags |= PICTURE_SIGN;
    p->sign_place = p->flags & PICTURE_DECIMAL ? SIGN_BEHIND : SIGN_IN_FRONT;
    p->before_sign = p->before;
    return ST_OK;
}

static Status add_point(TypeCtx *ctx, NumberPicture *p)
{
    if (p->flags & PICTURE_DECIMAL) return conflict(ctx, "multiple decimal points");
    if (p->flags & PICTURE_SHIFT) return conflict(ctx, "cannot use \"V\" and decimal point together");
    p->flags |= PICTURE_DECIMAL;
    return ST_OK;
}

static Status add_flag(TypeCtx *ctx, NumberPicture *p, int flag, int excluded, const char *message)
{
    if (p->flags & excluded) return conflict(ctx, message);
    p->flags |= flag;
    return ST_OK;
}

static Status add_exponent(TypeCtx *ctx, NumberPicture *p)
{
    if (p->flags & ~(PICTURE_DECIMAL | PICTURE_ZERO | PICTURE_EXPONENT)) {
        (void)conflict(ctx, "\"EEEE\" is incompatible with other formats");
        err_detail(ctx->err, ctx->arena, "\"EEEE\" may only be used together with digit and decimal point patterns.");
        return ST_ERROR;
    }
    p->flags |= PICTURE_EXPONENT;
    return ST_OK;
}

static Status add_field(TypeCtx *ctx, NumberPicture *p, NumberField field)
{
    if (p->flags & PICTURE_EXPONENT)
        return conflict(ctx, field == NUMBER_EXPONENT ? "cannot use \"EEEE\" twice" : "\"EEEE\" must be the last pattern used");
    switch (field) {
    case NUMBER_NINE: return add_digit(ctx, p, false);
    case NUMBER_ZERO: return add_digit(ctx, p, true);
    case NUMBER_BLANK:
        if (!p->before && !p->after && !(p->flags & PICTURE_ZERO)) p->flags |= PICTURE_BLANK;
        return ST_OK;
    case NUMBER_LOCAL_POINT:
    case NUMBER_POINT: return add_point(ctx, p);
    case NUMBER_FILL: p->flags |= PICTURE_FILL; return ST_OK;
    case NUMBER_LOCAL_SIGN: return add_local_sign(ctx, p);
    case NUMBER_MINUS:
        return add_flag(ctx, p, PICTURE_MINUS, PICTURE_SIGN, "cannot use \"S\" and \"MI\" together");
    case NUMBER_PLUS: return add_flag(ctx, p, PICTURE_PLUS, PICTURE_SIGN, "cannot use \"S\" and \"PL\" together");
    case NUMBER_SIGN:
        return add_flag(ctx, p, PICTURE_MINUS | PICTURE_PLUS, PICTURE_SIGN, "cannot use \"S\" and \"SG\" together");
    case NUMBER_BRACKET:
        return add_flag(ctx, p, PICTURE_BRACKET, PICTURE_SIGN | PICTURE_PLUS | PICTURE_MINUS,
                        "cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together");
    case NUMBER_ROMAN: p->flags |= PICTURE_ROMAN; return ST_OK;
    case NUMBER_SHIFT:
        return add_flag(ctx, p, PICTURE_SHIFT, PICTURE_DECIMAL, "cannot use \"V\" and decimal point together");
    case NUMBER_EXPONENT: return add_exponent(ctx, p);
    case NUMBER_COMMA:
    case NUMBER_CURRENCY_C:
    case NUMBER_GROUP:
    case NUMBER_CURRENCY:
    case NUMBER_SPELL:
    case NUMBER_ORDINAL: return ST_OK;
    }
    return ST_OK;
}

Status number_picture(TypeCtx *ctx, Slice text, NumberPicture *picture)
{
    *picture = (NumberPicture){0};
    TRY(format_template_parse(ctx, FORMAT_NUMBERS, text, false, &picture->nodes));
    for (const FormatNode *node = picture->nodes; node->kind != FORMAT_END; node++)
        if (node->kind == FORMAT_FIELD) TRY(add_field(ctx, picture, (NumberField)node->word->field));
    return ST_OK;
}

/* ---- to_char ---- */

typedef struct Printer {
    TypeCtx *ctx;
    const NumberPicture *picture;
    int flags;              /* the picture's, as far as they matter for this number */
    int sign_place;
    NumberText number;
    const char *at;         /* the next of number.digits */
    const char *last_shown; /* FM: the last digit behind the point that is not a trailing zero; NULL: all are shown */
    int place, place_count; /* digit places passed; places that there are, less one */
    int zero_from;          /* the place of the first 0 */
    bool sign_done, digits_begun;
    bool ended;             /* a place that has nothing to show ends the text */
    Buf *out;
} Printer;

static const char *last_relevant(const Printer *p)
{
    const char *point = strchr(p->number.digits, '.'), *last = point;
    if (!point) return NULL;
    for (const char *c = point + 1; *c; c++)
        if (*c != '0') last = c;
    /* Digits that a 0 asks for stay. */
    if (p->picture->zero_end > p->number.padding) {
        int last_place = (int)strlen(p->number.digits) - 1, zeros = p->picture->zero_end - p->number.padding;
        const char *asked = p->number.digits + (zeros < last_place ? zeros : last_place);
        if (asked > last) last = asked;
    }
    return last;
}

static void prepare_sign(Printer *p)
{
    if (p->flags & (PICTURE_PLUS | PICTURE_MINUS)) {
        p->sign_done = (p->flags & PICTURE_MINUS) != 0; /* PL alone writes no minus: the number does */
        return;
    }
    if (!p->number.negative && (p->flags & PICTURE_FILL)) p->flags &= ~PICTURE_BRACKET;
    p->sign_done = !p->number.negative && (p->flags & PICTURE_FILL) && !(p->flags & PICTURE_SIGN);
    if (p->sign_place == SIGN_IN_FRONT && p->picture->before == p->picture->before_sign) p->sign_place = SIGN_BEHIND;
}

static void put_sign_in_front(Printer *p)
{
    bool negative = p->number.negative;
    if (p->flags & PICTURE_SIGN) {
        if (p->sign_place != SIGN_IN_FRONT) return;
        buf_put_u8(p->out, negative ? '-' : '+');
    } else if (p->flags & PICTURE_BRACKET) {
        buf_put_u8(p->out, negative ? '<' : ' ');
    } else if (negative) {
        buf_put_u8(p->out, '-');
    } else if (!(p->flags & PICTURE_FILL)) {
        buf_put_u8(p->out, ' ');
    }
    p->sign_done = true;
}

/* 9.9 of 0.1 is " .1": the zero before the point is left out. */
static bool is_silent_zero(const Printer *p)
{
    return !(p->flags & PICTURE_ZERO) && p->at == p->number.digits && *p->at == '0' && p->picture->after != 0;
}

static bool ends_in_point(const Printer *p)
{
    return p->last_shown && *p->last_shown == '.';
}

static void put_digit(Printer *p, NumberField field)
{
    if (*p->at == '.') {
        if (!ends_in_point(p) || (p->flags & PICTURE_FILL)) buf_put_u8(p->out, '.');
    } else if (p->last_shown && p->at > p->last_shown && field != NUMBER_ZERO) {
        return;
    } else if (is_silent_zero(p)) {
        if (!(p->flags & PICTURE_FILL))
            buf_put_u8(p->out, ' ');
        else if (ends_in_point(p))
            buf_put_u8(p->out, '0');
    } else {
        if (*p->at)
            buf_put_u8(p->out, (uint8_t)*p->at);
        else
            p->ended = true;
        p->digits_begun = true;
    }
}

static void put_sign_behind(Printer *p)
{
    if (p->sign_done && (p->flags & PICTURE_BRACKET))
        buf_put_u8(p->out, p->number.negative ? '>' : ' ');
    else if ((p->flags & PICTURE_SIGN) && p->sign_place == SIGN_BEHIND)
        buf_put_u8(p->out, p->number.negative ? '-' : '+');
}

static void put_place(Printer *p, NumberField field)
{
    bool padding = p->place < p->number.padding, zero = p->flags & PICTURE_ZERO;
    if (p->flags & PICTURE_ROMAN) return;
    p->digits_begun = false;
    bool here = p->place >= p->number.padding || (zero && p->zero_from == p->place);
    if (!p->sign_done && here && (!is_silent_zero(p) || ends_in_point(p))) put_sign_in_front(p);
    if (padding && (!zero || p->zero_from > p->place)) {
        if (!(p->flags & PICTURE_FILL)) buf_put_u8(p->out, ' ');
    } else if (padding) {
        buf_put_u8(p->out, '0');
        p->digits_begun = true;
    } else {
        put_digit(p, field);
        if (*p->at) p->at++;
    }
    int end = p->place_count + (p->number.padding ? 1 : 0) + (p->flags & PICTURE_DECIMAL ? 1 : 0);
    if (p->last_shown && p->last_shown == p->at) end = p->place;
    if (p->place + 1 == end && !p->ended) put_sign_behind(p);
    p->place++;
}

static Status put_ordinal(Printer *p, bool upper)
{
    const char *ending;
    if ((p->flags & (PICTURE_ROMAN | PICTURE_DECIMAL)) || p->number.digits[0] == '#' || p->number.negative) return ST_OK;
    TRY(format_ordinal(p->ctx, slice_str(p->number.digits), upper, &ending));
    buf_put_str(p->out, ending);
    return ST_OK;
}

static void put_roman(Printer *p, bool lower)
{
    size_t size = strlen(p->at);
    for (size_t i = size; !(p->flags & PICTURE_FILL) && i < 15; i++) buf_put_u8(p->out, ' ');
    for (const char *c = p->at; *c; c++) buf_put_u8(p->out, lower ? to_lower((uint8_t)*c) : (uint8_t)*c);
}

/* The character, or a blank in its place unless FM. */
static void put_or_blank(Printer *p, bool shown, uint8_t c)
{
    if (shown)
        buf_put_u8(p->out, c);
    else if (!(p->flags & PICTURE_FILL))
        buf_put_u8(p->out, ' ');
}

static Status put_field(Printer *p, const FormatWord *word)
{
    switch ((NumberField)word->field) {
    case NUMBER_NINE:
    case NUMBER_ZERO:
    case NUMBER_POINT:
    case NUMBER_LOCAL_POINT: put_place(p, (NumberField)word->field); break;
    case NUMBER_COMMA:
    case NUMBER_GROUP: put_or_blank(p, p->digits_begun, ','); break;
    case NUMBER_CURRENCY: buf_put_u8(p->out, ' '); break; /* the locale is C */
    case NUMBER_ROMAN: put_roman(p, word->letters == CASE_LOWER); break;
    case NUMBER_ORDINAL: return put_ordinal(p, word->letters == CASE_UPPER);
    case NUMBER_MINUS: put_or_blank(p, p->number.negative, '-'); break;
    case NUMBER_PLUS: put_or_blank(p, !p->number.negative && !(p->flags & PICTURE_ROMAN), '+'); break;
    case NUMBER_SIGN:
        if (p->flags & PICTURE_ROMAN) /* has no sign */
            p->ended = true;
        else
            buf_put_u8(p->out, p->number.negative ? '-' : '+');
        break;
    case NUMBER_BLANK:
    case NUMBER_CURRENCY_C:
    case NUMBER_EXPONENT:
    case NUMBER_FILL:
    case NUMBER_BRACKET:
    case NUMBER_SPELL:
    case NUMBER_LOCAL_SIGN:
    case NUMBER_SHIFT: break;
    }
    return ST_OK;
}

Status number_picture_put(TypeCtx *ctx, const NumberPicture *picture, NumberText number, Buf *out)
{
    Printer p = {.ctx = ctx, .picture = picture, .flags = picture->flags, .sign_place = picture->sign_place,
                 .number = number, .at = number.digits, .out = out};
    if (picture->flags & PICTURE_EXPONENT) {
        buf_put_str(out, number.digits);
        return ST_OK;
    }
    if (picture->flags & PICTURE_ROMAN) p.flags &= PICTURE_FILL | PICTURE_ROMAN;
    p.zero_from = picture->zero_first ? picture->zero_first - 1 : 0;
    prepare_sign(&p);
    p.place_count = picture->before + picture->after - 1;
    if ((p.flags & PICTURE_FILL) && (p.flags & PICTURE_DECIMAL)) p.last_shown = last_relevant(&p);
    if (!p.sign_done && number.padding == 0) p.place_count++;
    for (const FormatNode *node = picture->nodes; node->kind != FORMAT_END && !p.ended; node++) {
        if (node->kind == FORMAT_FIELD)
            TRY(put_field(&p, node->word));
        else
            buf_put_slice(out, node->text);
    }
    return ST_OK;
}
