/* fn_overlaps.c - (start, end) OVERLAPS (start, end): SQL's rule, where an end may be given as a length, and may be unknown. */
#include "executor/functions/families.h"
#include "storage/types/type_timestamp.h"

typedef struct Period { Value start, end; } Period;

static Status end_of(FnCtx *ctx, const Value *args, int argument, Value *end)
{
    Value start = args[argument], length = args[argument + 1];
    int64_t us = 0;
    *end = length;
    if (ctx->arg_types[argument + 1].oid != OID_INTERVAL) return ST_OK;
    *end = VALUE_NULL;
    if (start.null || length.null) return ST_OK;
    Interval interval = interval_load(length);
    switch (ctx->arg_types[argument].oid) {
    case OID_TIMESTAMP: TRY(timestamp_add_interval(&ctx->type, start.i, interval, &us)); break;
    case OID_TIMESTAMPTZ:
        TRY(timestamptz_add_interval(&ctx->type, start.i, interval, ctx->type.env->time_zone, &us));
        break;
    default: /* a time of day, which begins anew at midnight */
        us = (start.i + interval.us % US_PER_DAY) % US_PER_DAY;
        if (us < 0) us += US_PER_DAY;
    }
    *end = value_int(us);
    return ST_OK;
}

/* In order of time; if one side is unknown, the known one is the start. False: both are unknown. */
static bool order_period(const TypeDef *type, Period *p)
{
    bool swap = p->start.null || (!p->end.null && type_compare(type, p->start, p->end) > 0);
    if (swap) *p = (Period){p->end, p->start};
    return !p->start.null;
}

static Value truth(bool known, bool value)
{
    return known ? value_bool(value) : VALUE_NULL;
}

static Status overlaps(FnCtx *ctx, const Value *args, Value *out)
{
    const TypeDef *type = type_find(ctx->arg_types[0].oid);
    Period a = {.start = args[0]}, b = {.start = args[2]};
    TRY(end_of(ctx, args, 0, &a.end));
    TRY(end_of(ctx, args, 2, &b.end));
    *out = VALUE_NULL;
    if (!order_period(type, &a) || !order_period(type, &b)) return ST_OK;
    int order = type_compare(type, a.start, b.start);
    if (order == 0) {
        *out = truth(!a.end.null && !b.end.null, true);
        return ST_OK;
    }
    Period first = order < 0 ? a : b, second = order < 0 ? b : a;
    if (first.end.null) return ST_OK;
    bool inside = type_compare(type, second.start, first.end) < 0;
    *out = truth(inside || !second.end.null, inside);
    return ST_OK;
}

/* clang-format off */
#define FN FN_IMMUTABLE
const FuncDef fn_overlaps_rows[] = {
    { 1271, "overlaps", "timetz, timetz, timetz, timetz",                     "bool", FN, overlaps },
    { 1304, "overlaps", "timestamptz, timestamptz, timestamptz, timestamptz", "bool", FN, overlaps },
    { 1305, "overlaps", "timestamptz, interval, timestamptz, interval",       "bool", FN_STABLE, overlaps },
    { 1306, "overlaps", "timestamptz, timestamptz, timestamptz, interval",    "bool", FN_STABLE, overlaps },
    { 1307, "overlaps", "timestamptz, interval, timestamptz, timestamptz",    "bool", FN_STABLE, overlaps },
    { 1308, "overlaps", "time, time, time, time",             "bool", FN, overlaps },
    { 1309, "overlaps", "time, interval, time, interval",     "bool", FN, overlaps },
    { 1310, "overlaps", "time, time, time, interval",         "bool", FN, overlaps },
    { 1311, "overlaps", "time, interval, time, time",         "bool", FN, overlaps },
    { 2041, "overlaps", "timestamp, timestamp, timestamp, timestamp", "bool", FN, overlaps },
    { 2042, "overlaps", "timestamp, interval, timestamp, interval",   "bool", FN, overlaps },
    { 2043, "overlaps", "timestamp, timestamp, timestamp, interval",  "bool", FN, overlaps },
    { 2044, "overlaps", "timestamp, interval, timestamp, timestamp",  "bool", FN, overlaps },
    { 0 }
};
/* clang-format on */
