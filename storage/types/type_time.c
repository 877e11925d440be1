#include "storage/types/type_time.h"

#include "storage/types/datetime_parse.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"

enum { PRECISION_MAX = 6, WEST_MAX = 16 * 3600 };

TimeTz timetz_load(Value value)
{
    TimeTz time;
    memcpy(&time.us, value.p, sizeof time.us);
    memcpy(&time.west, value.p + 8, sizeof time.west);
    return time;
}

Value timetz_store(TimeTz time, Arena *arena)
{
    uint8_t *bytes = arena_alloc(arena, TIMETZ_BYTES);
    memcpy(bytes, &time.us, sizeof time.us);
    memcpy(bytes + 8, &time.west, sizeof time.west);
    return value_bytes(bytes, TIMETZ_BYTES);
}

int64_t time_round(int64_t us, int32_t precision)
{
    static const int64_t units[] = {1000000, 100000, 10000, 1000, 100, 10, 1};
    if (precision < 0 || precision > PRECISION_MAX) return us;
    int64_t unit = units[precision], half = unit / 2;
    return us >= 0 ? (us + half) / unit * unit : -((half - us) / unit * unit);
}

void time_put_text(int64_t us, Buf *out)
{
    uint8_t text[15], *at = text;
    int fields[] = {(int)(us / US_PER_HOUR), (int)(us / US_PER_MINUTE % 60), (int)(us / US_PER_SECOND % 60)};
    for (int i = 0; i < 3; i++) {
        if (i) *at++ = ':';
        *at++ = (uint8_t)('0' + fields[i] / 10);
        *at++ = (uint8_t)('0' + fields[i] % 10);
    }
    buf_put(out, text, 8);
    int fraction = (int)(us % US_PER_SECOND), width = 6;
    if (!fraction) return;
    for (; fraction % 10 == 0; fraction /= 10) width--;
    buf_put_u8(out, '.');
    int_put_padded(out, (uint64_t)fraction, width);
}

static int64_t civil_us(const CivilTime *c)
{
    return c->hour * US_PER_HOUR + c->minute * US_PER_MINUTE + c->second * US_PER_SECOND + c->us;
}

static Status time_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    DateTime dt;
    TRY(datetime_parse(ctx, OID_TIME, "time", text, &dt));
    /* A zone is read and forgotten, unless it needs a date to mean anything. */
    if (dt.zone && !dt.has_date) return datetime_invalid(ctx, "time", text);
    int64_t us = civil_us(&dt.civil);
    if (us > US_PER_DAY) return datetime_out_of_range(ctx, "date/time field value", text);
    *out = value_int(time_round(us, typmod));
    return ST_OK;
}

static void time_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    time_put_text(value.i, out);
}

static Status check_time(TypeCtx *ctx, int64_t us)
{
    if (us < 0 || us > US_PER_DAY)
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "time out of range");
    return ST_OK;
}

static Status time_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != 8) return type_invalid_binary(ctx);
    int64_t us = (int64_t)load_u64(bytes.data);
    TRY(check_time(ctx, us));
    *out = value_int(time_round(us, typmod));
    return ST_OK;
}

static void time_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u64(out, (uint64_t)value.i);
}

static Status time_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    *out = value_int(time_round(in.i, typmod));
    return ST_OK;
}

static Status timetz_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    DateTime dt;
    TRY(datetime_parse(ctx, OID_TIMETZ, "time with time zone", text, &dt));
    if (dt.zone && !dt.has_date && dt.has_zone) return datetime_invalid(ctx, "time with time zone", text);
    int64_t us = civil_us(&dt.civil);
    if (us > US_PER_DAY) return datetime_out_of_range(ctx, "date/time field value", text);
    int east = dt.east;
    if (!dt.has_zone || dt.zone) {
        const TimeZone *zone = dt.zone ? dt.zone : ctx->env->time_zone;
        int64_t moment = ctx->env->transaction_start_us;
        if (dt.has_date) TRY(datetime_utc_us(ctx, "time with time zone", text, &dt, &moment));
        east = time_zone_offset(zone, moment, NULL, NULL);
    }
    if (east <= -WEST_MAX || east >= WEST_MAX)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_TIME_ZONE_DISPLACEMENT_VALUE,
                       "time zone displacement out of range: \"%.*s\"", (int)text.size, (const char *)text.data);
    *out = timetz_store((TimeTz){time_round(us, typmod), -east}, ctx->arena);
    return ST_OK;
}

void zone_offset_put_text(int east, Buf *out)
{
    int magnitude = east < 0 ? -east : east;
    buf_put_u8(out, east < 0 ? '-' : '+');
    int_put_padded(out, (uint64_t)magnitude / 3600, 2);
    if (magnitude % 3600 == 0) return;
    buf_put_u8(out, ':');
    int_put_padded(out, (uint64_t)magnitude / 60 % 60, 2);
    if (magnitude % 60 == 0) return;
    buf_put_u8(out, ':');
    int_put_padded(out, (uint64_t)magnitude % 60, 2);
}

static void timetz_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    TimeTz time = timetz_load(value);
    time_put_text(time.us, out);
    zone_offset_put_text(-time.west, out);
}

static Status timetz_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != TIMETZ_BYTES) return type_invalid_binary(ctx);
    TimeTz time = {(int64_t)load_u64(bytes.data), (int32_t)load_u32(bytes.data + 8)};
    TRY(check_time(ctx, time.us));
    if (time.west <= -WEST_MAX || time.west >= WEST_MAX)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_TIME_ZONE_DISPLACEMENT_VALUE,
                       "time zone displacement out of range");
    time.us = time_round(time.us, typmod);
    *out = timetz_store(time, ctx->arena);
    return ST_OK;
}

static void timetz_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    TimeTz time = timetz_load(value);
    buf_put_u64(out, (uint64_t)time.us);
    buf_put_u32(out, (uint32_t)time.west);
}

static Status timetz_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    TimeTz time = timetz_load(in);
    time.us = time_round(time.us, typmod);
    *out = timetz_store(time, ctx->arena);
    return ST_OK;
}

/* By the moment in UTC, then by zone. */
static int timetz_compare(const TypeDef *type, Value a, Value b)
{
    TimeTz x = timetz_load(a), y = timetz_load(b);
    int64_t x_utc = x.us + x.west * US_PER_SECOND, y_utc = y.us + y.west * US_PER_SECOND;
    if (x_utc != y_utc) return x_utc > y_utc ? 1 : -1;
    return (x.west > y.west) - (x.west < y.west);
}

static uint64_t timetz_hash(const TypeDef *type, Value value)
{
    return hash_bytes(value.p, value.size);
}

Status time_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod)
{
    bool stamp = type->oid == OID_TIMESTAMP || type->oid == OID_TIMESTAMPTZ;
    bool zoned = type->oid == OID_TIMETZ || type->oid == OID_TIMESTAMPTZ;
    if (arg_count != 1) return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "invalid type modifier");
    if (args[0] < 0)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "%s(%d)%s precision must not be negative",
                       stamp ? "TIMESTAMP" : "TIME", args[0], zoned ? " WITH TIME ZONE" : "");
    *typmod = args[0] > PRECISION_MAX ? PRECISION_MAX : args[0];
    return ST_OK;
}

void time_typmod_out(int32_t typmod, Buf *out)
{
    if (typmod >= 0) buf_printf(out, "(%d)", typmod);
}

const TypeDef type_time = {
    .oid = OID_TIME, .array_oid = 1183, .name = "time", .sql_name = "time without time zone", .crdb_name = "TIME",
    .length = 8, .category = 'D', .rep = REP_INT, .key_class = KEY_CLASS_INT, .in = time_in, .out = time_out,
    .receive = time_receive, .send = time_send, .compare = type_int_compare, .hash = type_int_hash, .fit = time_fit,
    .typmod_in = time_typmod_in, .typmod_out = time_typmod_out,
};

const TypeDef type_timetz = {
    .oid = OID_TIMETZ, .array_oid = 1270, .name = "timetz", .sql_name = "time with time zone", .crdb_name = "TIMETZ",
    .length = TIMETZ_BYTES, .category = 'D', .rep = REP_BYTES, .key_class = KEY_CLASS_TIMETZ, .in = timetz_in,
    .out = timetz_out, .receive = timetz_receive, .send = timetz_send, .compare = timetz_compare, .hash = timetz_hash,
    .fit = timetz_fit, .typmod_in = time_typmod_in, .typmod_out = time_typmod_out,
};
