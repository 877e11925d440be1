/* fn_multirange.c - sets of ranges: making them, taking them apart, how they lie to ranges and values. */
#include "executor/functions/families.h"
#include "storage/types/type_array.h"
#include "storage/types/type_multirange.h"

/* ---- arguments: a multirange, or a range as a set of one ---- */

static Status open_set(FnCtx *ctx, const Value *args, int i, Multirange *set)
{
    const TypeDef *type = type_find(ctx->arg_types[i].oid);
    if (multirange_element(type->oid)) return multirange_open(&ctx->type, type, args[i], set);
    *set = (Multirange){.element = range_element(type->oid), .range = type, .ranges = ARENA_NEW(ctx->type.arena, Range)};
    range_open(type, args[i], set->ranges);
    set->count = !set->ranges->empty;
    return ST_OK;
}

static Status open_pair(FnCtx *ctx, const Value *args, Multirange *a, Multirange *b)
{
    TRY(open_set(ctx, args, 0, a));
    return open_set(ctx, args, 1, b);
}

static Status build(FnCtx *ctx, Range *ranges, int count, Value *out)
{
    return multirange_build(&ctx->type, type_find(ctx->result_type.oid), ranges, count, out);
}

/* ---- making ---- */

static Status make_empty(FnCtx *ctx, const Value *args, Value *out)
{
    return build(ctx, NULL, 0, out);
}

static Status make_one(FnCtx *ctx, const Value *args, Value *out)
{
    Range range;
    range_open(type_find(ctx->arg_types[0].oid), args[0], &range);
    return build(ctx, &range, 1, out);
}

static Status make(FnCtx *ctx, const Value *args, Value *out)
{
    Range *ranges = ARENA_ARRAY(ctx->type.arena, Range, ctx->arg_count);
    for (int i = 0; i < ctx->arg_count; i++) range_open(type_find(ctx->arg_types[i].oid), args[i], &ranges[i]);
    return build(ctx, ranges, ctx->arg_count, out);
}

/* ---- looking into one ---- */

static Status lower(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange set;
    TRY(open_set(ctx, args, 0, &set));
    *out = set.count == 0 || set.ranges[0].lower.infinite ? VALUE_NULL : set.ranges[0].lower.value;
    return ST_OK;
}

static Status upper(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange set;
    TRY(open_set(ctx, args, 0, &set));
    *out = set.count == 0 || set.ranges[set.count - 1].upper.infinite ? VALUE_NULL : set.ranges[set.count - 1].upper.value;
    return ST_OK;
}

#define SET_FACT(name, fact)                                                                                         \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Multirange set;                                                                                              \
        TRY(open_set(ctx, args, 0, &set));                                                                           \
        *out = value_bool(fact);                                                                                     \
        return ST_OK;                                                                                                \
    }

SET_FACT(isempty, set.count == 0)
SET_FACT(lower_inc, set.count && set.ranges[0].lower.inclusive)
SET_FACT(lower_inf, set.count && set.ranges[0].lower.infinite)
SET_FACT(upper_inc, set.count && set.ranges[set.count - 1].upper.inclusive)
SET_FACT(upper_inf, set.count && set.ranges[set.count - 1].upper.infinite)

static Range whole(const Multirange *set)
{
    if (set->count == 0) return (Range){.empty = true};
    return range_merge(set->element, &set->ranges[0], &set->ranges[set->count - 1]);
}

static Status merge(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange set;
    TRY(open_set(ctx, args, 0, &set));
    Range all = whole(&set);
    return range_build(&ctx->type, set.range, &all, out);
}

/* ---- two of them ---- */

static bool contains_all(const Multirange *a, const Multirange *b)
{
    for (int i = 0; i < b->count; i++)
        if (!multirange_contains(a, &b->ranges[i])) return false;
    return true;
}

static bool overlap(const Multirange *a, const Multirange *b)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            if (range_overlaps(a->element, &a->ranges[i], &b->ranges[k])) return true;
    return false;
}

static bool touch(const Multirange *a, const Multirange *b)
{
    Range x = whole(a), y = whole(b);
    return range_adjacent(a->element, &x, &y);
}

#define SET_PAIR(name, fact)                                                                                         \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Multirange a, b;                                                                                             \
        TRY(open_pair(ctx, args, &a, &b));                                                                           \
        Range x = whole(&a), y = whole(&b);                                                                          \
        *out = value_bool(fact);                                                                                     \
        (void)x;                                                                                                     \
        (void)y;                                                                                                     \
        return ST_OK;                                                                                                \
    }

SET_PAIR(contains, contains_all(&a, &b))
SET_PAIR(contained, contains_all(&b, &a))
SET_PAIR(overlaps, overlap(&a, &b))
SET_PAIR(adjacent, touch(&a, &b))
SET_PAIR(before, range_before(a.element, &x, &y))
SET_PAIR(after, range_before(a.element, &y, &x))
SET_PAIR(over_left, range_over_left(a.element, &x, &y))
SET_PAIR(over_right, range_over_right(a.element, &x, &y))

static bool holds(const Multirange *set, Value value)
{
    for (int i = 0; i < set->count; i++)
        if (range_contains_value(set->element, &set->ranges[i], value)) return true;
    return false;
}

static Status contains_value(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange set;
    TRY(open_set(ctx, args, 0, &set));
    *out = value_bool(holds(&set, args[1]));
    return ST_OK;
}

static Status value_contained(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange set;
    TRY(open_set(ctx, args, 1, &set));
    *out = value_bool(holds(&set, args[0]));
    return ST_OK;
}

static Status add(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange a, b;
    TRY(open_pair(ctx, args, &a, &b));
    Range *all = ARENA_ARRAY(ctx->type.arena, Range, a.count + b.count);
    memcpy(all, a.ranges, sizeof *all * (size_t)a.count);
    memcpy(all + a.count, b.ranges, sizeof *all * (size_t)b.count);
    return build(ctx, all, a.count + b.count, out);
}

static Status intersect(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange a, b;
    int count = 0;
    TRY(open_pair(ctx, args, &a, &b));
    Range *common = ARENA_ARRAY(ctx->type.arena, Range, a.count + b.count + 1);
    for (int i = 0; i < a.count; i++)
        for (int k = 0; k < b.count; k++)
            if (range_overlaps(a.element, &a.ranges[i], &b.ranges[k]))
                common[count++] = range_intersect(a.element, &a.ranges[i], &b.ranges[k]);
    return build(ctx, common, count, out);
}

/* Cuts b out of the range: what is left of b goes to the list, what is right of it stays. */
static void cut(const TypeDef *element, Range *rest, const Range *b, Range *list, int *count)
{
    if (rest->empty || !range_overlaps(element, rest, b)) return;
    if (range_bound_compare(element, &rest->lower, RANGE_LOWER, &b->lower, RANGE_LOWER) < 0) {
        Range left = {.lower = rest->lower, .upper = b->lower};
        left.upper.inclusive = !b->lower.inclusive;
        list[(*count)++] = left;
    }
    rest->empty = range_bound_compare(element, &rest->upper, RANGE_UPPER, &b->upper, RANGE_UPPER) <= 0;
    rest->lower = b->upper;
    rest->lower.inclusive = !b->upper.inclusive;
}

static Status subtract(FnCtx *ctx, const Value *args, Value *out)
{
    Multirange a, b;
    int count = 0;
    TRY(open_pair(ctx, args, &a, &b));
    Range *left = ARENA_ARRAY(ctx->type.arena, Range, a.count + b.count + 1);
    for (int i = 0; i < a.count; i++) {
        Range rest = a.ranges[i];
        for (int k = 0; k < b.count; k++) cut(a.element, &rest, &b.ranges[k], left, &count);
        if (!rest.empty) left[count++] = rest;
    }
    return build(ctx, left, count, out);
}

/* ---- taking apart, and collecting ---- */

typedef struct SetSeries {
    Multirange set;
    int next;
} SetSeries;

static Status unnest_start(FnCtx *ctx, void *state, const Value *args)
{
    return open_set(ctx, args, 0, &((SetSeries *)state)->set);
}

static Status unnest_next(FnCtx *ctx, void *state, Value *out)
{
    SetSeries *s = state;
    if (s->next >= s->set.count) return ST_END;
    return range_build(&ctx->type, s->set.range, &s->set.ranges[s->next++], out);
}

static const FnRows unnest_rows = {sizeof(SetSeries), unnest_start, unnest_next, NULL};

typedef struct RangeList {
    Range *items;
    int count, room;
    bool any;
} RangeList;

static Status range_agg_step(AggCtx *ctx, void *state, const Value *args)
{
    RangeList *s = state;
    Multirange set;
    Arena *arena = ctx->fn.type.arena;
    Value kept[1] = {value_copy(type_find(ctx->fn.arg_types[0].oid), args[0], arena)};
    TRY(open_set(&ctx->fn, kept, 0, &set));
    s->any = true;
    if (s->count + set.count > s->room) {
        int room = s->room * 2 + set.count + 8;
        s->items = arena_grow(arena, s->items, sizeof(Range) * (size_t)s->room, sizeof(Range) * (size_t)room);
        s->room = room;
    }
    for (int i = 0; i < set.count; i++) s->items[s->count++] = set.ranges[i];
    return ST_OK;
}

static Oid set_type(Oid argument)
{
    const TypeDef *element = range_element(argument);
    return element ? multirange_over(element->oid) : argument;
}

static Status range_agg_final(AggCtx *ctx, void *state, Value *out)
{
    RangeList *s = state;
    *out = VALUE_NULL;
    if (!s->any) return ST_OK;
    return multirange_build(&ctx->fn.type, type_find(set_type(ctx->fn.arg_types[0].oid)), s->items, s->count, out);
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define MAKE(name, range, none, one, many)                                                                           \
    { none, name, "",    name, FN, make_empty },                                                                     \
    { one,  name, range, name, FN, make_one },                                                                       \
    { many, name, range, name, FN | FN_VARIADIC, make },
#define BOTH(symbol, set_set, set_range, range_set, body)                                                            \
    { set_set,   symbol, "anymultirange, anymultirange", "bool", OP, body },                                         \
    { set_range, symbol, "anymultirange, anyrange",      "bool", OP, body },                                         \
    { range_set, symbol, "anyrange, anymultirange",      "bool", OP, body },
const FuncDef fn_multirange_rows[] = {
    { 2869, "@>", "anymultirange, anyelement", "bool", OP, contains_value },
    { 2872, "<@", "anyelement, anymultirange", "bool", OP, value_contained },
    BOTH("@>",  2871, 2870, 4539, contains)
    BOTH("<@",  2874, 4540, 2873, contained)
    BOTH("&&",  2868, 2867, 2866, overlaps)
    BOTH("<<",  4397, 4396, 4395, before)
    BOTH(">>",  4400, 4399, 4398, after)
    BOTH("&<",  2877, 2876, 2875, over_left)
    BOTH("&>",  4142, 4035, 3585, over_right)
    BOTH("-|-", 4198, 4180, 4179, adjacent)
    { 4392, "+", "anymultirange, anymultirange", "anymultirange", OP, add },
    { 4393, "-", "anymultirange, anymultirange", "anymultirange", OP, subtract },
    { 4394, "*", "anymultirange, anymultirange", "anymultirange", OP, intersect },
    MAKE("int4multirange", "int4range", 4280, 4281, 4282)
    MAKE("nummultirange",  "numrange",  4283, 4284, 4285)
    MAKE("tsmultirange",   "tsrange",   4286, 4287, 4288)
    MAKE("tstzmultirange", "tstzrange", 4289, 4290, 4291)
    MAKE("datemultirange", "daterange", 4292, 4293, 4294)
    MAKE("int8multirange", "int8range", 4295, 4296, 4297)
    { 4237, "isempty", "anymultirange",     "bool", FN, isempty },
    { 4235, "lower", "anymultirange",       "anyelement", FN, lower },
    { 4238, "lower_inc", "anymultirange",   "bool", FN, lower_inc },
    { 4240, "lower_inf", "anymultirange",   "bool", FN, lower_inf },
    { 4298, "multirange", "anyrange",       "anymultirange", FN, make_one },
    { 4228, "range_merge", "anymultirange", "anyrange", FN, merge },
    { 1293, "unnest", "anymultirange",      "anyrange", FN | FN_SET, NULL, NULL, &unnest_rows },
    { 4236, "upper", "anymultirange",       "anyelement", FN, upper },
    { 4239, "upper_inc", "anymultirange",   "bool", FN, upper_inc },
    { 4241, "upper_inf", "anymultirange",   "bool", FN, upper_inf },
    { 0 }
};

const AggDef fn_multirange_aggregate_rows[] = {
    { 4301, "range_agg", "anyrange",      "anymultirange", AGG_STRICT, sizeof(RangeList), range_agg_step, range_agg_final },
    { 6227, "range_agg", "anymultirange", "anymultirange", AGG_STRICT, sizeof(RangeList), range_agg_step, range_agg_final },
    { 0 }
};
/* clang-format on */
