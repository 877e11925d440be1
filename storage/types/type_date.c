#include "storage/types/datetime_parse.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"

/* Days of the proleptic Gregorian calendar: years are counted from March, so that the leap day comes last. */
int64_t date_from_civil(int64_t year, int month, int day)
{
    int64_t y = year - (month <= 2);
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 730425; /* 0000-03-01 to 2000-01-01 */
}

void date_to_civil(int64_t days, int64_t *year, int *month, int *day)
{
    int64_t z = days + 730425;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t day_of_era = z - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int shifted = (int)((5 * day_of_year + 2) / 153);
    *day = (int)(day_of_year - (153 * shifted + 2) / 5) + 1;
    *month = shifted < 10 ? shifted + 3 : shifted - 9;
    *year = year_of_era + era * 400 + (*month <= 2);
}

int days_in_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (leap && month == 2);
}

static void put_year(int64_t year, Buf *out)
{
    int64_t shown = year > 0 ? year : 1 - year;
    if (shown < 10000)
        int_put_padded(out, (uint64_t)shown, 4);
    else
        int_put_text(out, shown);
}

static void put_two(Buf *out, uint8_t before, int n)
{
    if (before) buf_put_u8(out, before);
    int_put_padded(out, (uint64_t)n, 2);
}

void date_put_text(int64_t days, const TypeEnv *env, Buf *out)
{
    if (days == DATE_INFINITY || days == DATE_MINUS_INFINITY) {
        buf_put_str(out, days > 0 ? "infinity" : "-infinity");
        return;
    }
    int64_t year;
    int month, day;
    date_to_civil(days, &year, &month, &day);
    bool day_first = env->date_order == DATE_DMY;
    switch (env->date_style) {
    case DATE_ISO:
        put_year(year, out);
        put_two(out, '-', month);
        put_two(out, '-', day);
        break;
    case DATE_SQL:
        put_two(out, 0, day_first ? day : month);
        put_two(out, '/', day_first ? month : day);
        buf_put_u8(out, '/');
        put_year(year, out);
        break;
    case DATE_GERMAN:
        put_two(out, 0, day);
        put_two(out, '.', month);
        buf_put_u8(out, '.');
        put_year(year, out);
        break;
    case DATE_POSTGRES:
        put_two(out, 0, day_first ? day : month);
        put_two(out, '-', day_first ? month : day);
        buf_put_u8(out, '-');
        put_year(year, out);
        break;
    }
    if (year <= 0) buf_put_str(out, " BC");
}

/* yyyy-mm-dd, as most dates arrive. */
static bool parse_plain(Slice t, int64_t *days)
{
    static const uint8_t digit_at[] = {1, 1, 1, 1, 0, 1, 1, 0, 1, 1};
    if (t.size != 10 || t.data[4] != '-' || t.data[7] != '-') return false;
    for (int i = 0; i < 10; i++)
        if (digit_at[i] && !is_digit(t.data[i])) return false;
    const uint8_t *d = t.data;
    int year = (d[0] - '0') * 1000 + (d[1] - '0') * 100 + (d[2] - '0') * 10 + (d[3] - '0');
    int month = (d[5] - '0') * 10 + (d[6] - '0'), day = (d[8] - '0') * 10 + (d[9] - '0');
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return false;
    *days = date_from_civil(year, month, day);
    return true;
}

static Status date_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    int64_t days;
    if (!parse_plain(text, &days)) {
        DateTime dt;
        TRY(datetime_parse(ctx, OID_DATE, "date", text, &dt));
        if (dt.kind != DATETIME_FIELDS) {
            days = dt.kind == DATETIME_INFINITY ? DATE_INFINITY : DATE_MINUS_INFINITY;
        } else {
            if (dt.civil.year > 5874897 || dt.civil.year < -4800) return datetime_out_of_range(ctx, "date", text);
            days = date_from_civil(dt.civil.year, dt.civil.month, dt.civil.day);
            if (days < DATE_MIN || days >= DATE_END) return datetime_out_of_range(ctx, "date", text);
        }
    }
    *out = value_int(days);
    return ST_OK;
}

static void date_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    date_put_text(value.i, env, out);
}

static Status date_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != 4) return type_invalid_binary(ctx);
    int32_t days = (int32_t)load_u32(bytes.data);
    if (days != DATE_INFINITY && days != DATE_MINUS_INFINITY && (days < DATE_MIN || days >= DATE_END))
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "date out of range");
    *out = value_int(days);
    return ST_OK;
}

static void date_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u32(out, (uint32_t)value.i);
}

const TypeDef type_date = {
    .oid = OID_DATE, .array_oid = OID_DATE_ARRAY, .name = "date", .sql_name = "date", .crdb_name = "DATE", .length = 4,
    .category = 'D', .rep = REP_INT, .key_class = KEY_CLASS_DATE, .in = date_in, .out = date_out,
    .receive = date_receive, .send = date_send, .compare = type_int_compare, .hash = type_int_hash,
};
