/* Casts between dates, times, timestamps and intervals; those with a zone use the session's. */
#include "storage/types/cast_run.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_time.h"
#include "storage/types/type_timestamp.h"

static int64_t time_of_day(int64_t us)
{
    int64_t rest = us % US_PER_DAY;
    return rest < 0 ? rest + US_PER_DAY : rest;
}

CAST_BODY(cast_date_to_timestamp)
{
    *out = (Value){0};
    return timestamp_from_date(ctx, in.i, &out->i);
}

CAST_BODY(cast_date_to_timestamptz)
{
    *out = (Value){0};
    return timestamptz_from_date(ctx, in.i, ctx->env->time_zone, &out->i);
}

CAST_BODY(cast_timestamp_to_date)
{
    *out = value_int(date_from_timestamp(in.i));
    return ST_OK;
}

CAST_BODY(cast_timestamp_to_time)
{
    *out = timestamp_is_infinite(in.i) ? VALUE_NULL : value_int(time_of_day(in.i));
    return ST_OK;
}

CAST_BODY(cast_timestamp_to_timestamptz)
{
    *out = (Value){0};
    return timestamptz_from_timestamp(ctx, in.i, ctx->env->time_zone, &out->i);
}

CAST_BODY(cast_timestamptz_to_timestamp)
{
    *out = (Value){0};
    return timestamp_from_timestamptz(ctx, in.i, ctx->env->time_zone, &out->i);
}

CAST_BODY(cast_timestamptz_to_date)
{
    int64_t local = in.i;
    if (!timestamp_is_infinite(in.i)) local = time_zone_to_local(ctx->env->time_zone, in.i);
    *out = value_int(date_from_timestamp(local));
    return ST_OK;
}

CAST_BODY(cast_timestamptz_to_time)
{
    int64_t local = timestamp_is_infinite(in.i) ? 0 : time_zone_to_local(ctx->env->time_zone, in.i);
    *out = timestamp_is_infinite(in.i) ? VALUE_NULL : value_int(time_of_day(local));
    return ST_OK;
}

CAST_BODY(cast_timestamptz_to_timetz)
{
    if (timestamp_is_infinite(in.i)) {
        *out = VALUE_NULL;
        return ST_OK;
    }
    int east = time_zone_offset(ctx->env->time_zone, in.i, NULL, NULL);
    *out = timetz_store((TimeTz){time_of_day(in.i + east * US_PER_SECOND), -east}, ctx->arena);
    return ST_OK;
}

CAST_BODY(cast_time_to_interval)
{
    *out = interval_store((Interval){.us = in.i}, ctx->arena);
    return ST_OK;
}

CAST_BODY(cast_time_to_timetz)
{
    int east = time_zone_offset(ctx->env->time_zone, ctx->env->transaction_start_us, NULL, NULL);
    *out = timetz_store((TimeTz){in.i, -east}, ctx->arena);
    return ST_OK;
}

CAST_BODY(cast_timetz_to_time)
{
    *out = value_int(timetz_load(in).us);
    return ST_OK;
}

CAST_BODY(cast_interval_to_time)
{
    *out = value_int(time_of_day(interval_load(in).us));
    return ST_OK;
}
