#include "executor/ops/agg_group.h"

#include <stdlib.h>

#include "executor/sorter.h"

typedef struct Extra {
    ValueSet *distinct;
    VEC(Value *) rows; /* arguments and order keys of every row, for ORDER BY */
} Extra;

struct Group {
    Extra *extras; /* one per aggregate; NULL: no DISTINCT, no ORDER BY */
    _Alignas(16) unsigned char states[];
};

static void use_order(AggCtx *ctx, const ExprAggregate *e, Arena *arena)
{
    struct AggOrder *order = ARENA_ARRAY(arena, struct AggOrder, e->order_count);
    for (int o = 0; o < e->order_count; o++)
        order[o] = (struct AggOrder){e->order[o].descending, e->order[o].nulls_first};
    ctx->order = order;
    ctx->order_count = e->order_count;
}

Status agg_list_init(AggList *list, Exec *exec, ExprAggregate *const *aggregates, int count, const Plan *input)
{
    Arena *arena = exec->arena;
    *list = (AggList){.exec = exec, .count = count, .specs = ARENA_ARRAY(arena, AggSpec, count + 1)};
    VEC(Expr *) exprs = {0};
    for (int i = 0; i < count; i++) {
        const ExprAggregate *e = aggregates[i];
        AggSpec *spec = &list->specs[i];
        TypeRef *arg_types = ARENA_ARRAY(arena, TypeRef, e->base.arg_count + 1);
        spec->e = e;
        spec->first = exprs.count;
        spec->arg_count = e->base.arg_count;
        spec->order_count = e->order_count;
        spec->types = ARENA_ARRAY(arena, const TypeDef *, e->base.arg_count + e->order_count + 1);
        for (int a = 0; a < e->base.arg_count; a++) {
            arg_types[a] = e->base.args[a]->type;
            spec->types[a] = exec_type(arg_types[a].oid);
            VEC_PUSH(arena, exprs, e->base.args[a]);
        }
        for (int o = 0; o < e->order_count; o++) {
            spec->types[e->base.arg_count + o] = exec_type(e->order[o].expr->type.oid);
            VEC_PUSH(arena, exprs, e->order[o].expr);
        }
        spec->filter = e->filter ? exprs.count : -1;
        if (e->filter) VEC_PUSH(arena, exprs, e->filter);
        spec->ctx.fn = (FnCtx){.arg_types = arg_types, .arg_count = e->base.arg_count, .result_type = e->base.type,
                               .site_arena = arena};
        spec->ctx.distinct = e->distinct;
        if (e->aggregate->flags & (AGG_ORDERED_SET | AGG_HYPOTHETICAL)) use_order(&spec->ctx, e, arena);
        spec->state_offset = list->state_size;
        list->state_size += (e->aggregate->state_size + 15) & ~(size_t)15;
        list->has_extras |= e->distinct || e->order_count > 0;
    }
    list->results = ARENA_ARRAY(arena, Value *, exprs.count + 1);
    return eval_compile(exec, exprs.items, exprs.count, input->columns, input->column_count, &list->program);
}

void agg_list_close(AggList *list)
{
    eval_close(list->program);
}

Status agg_list_load(AggList *list, const Batch *batch, Arena *arena)
{
    return eval_run(list->program, batch, arena, list->results);
}

Group *agg_group_create(const AggList *list, Arena *arena)
{
    Group *group = arena_alloc(arena, sizeof(Group) + list->state_size);
    if (list->has_extras) group->extras = ARENA_ARRAY(arena, Extra, list->count);
    return group;
}

static Status step(AggList *list, AggSpec *spec, Group *group, const Value *args, Arena *arena)
{
    spec->ctx.fn.type = (TypeCtx){arena, exec_type_env(list->exec), list->exec->err};
    spec->ctx.fn.session = list->exec->session;
    spec->ctx.fn.txn = list->exec->txn;
    return spec->e->aggregate->step(&spec->ctx, group->states + spec->state_offset, args);
}

/* DISTINCT drops what was seen; ORDER BY keeps the row for later. *now: step it at once. */
static void step_extra(const AggSpec *spec, Extra *extra, const Value *values, Arena *arena, bool *now)
{
    *now = true;
    if (spec->e->distinct) {
        if (!extra->distinct) extra->distinct = value_set_create(arena, spec->types, spec->arg_count);
        *now = value_set_add(extra->distinct, values);
    }
    if (!*now || spec->order_count == 0) return;
    int width = spec->arg_count + spec->order_count;
    Value *kept = ARENA_ARRAY(arena, Value, width);
    for (int i = 0; i < width; i++)
        kept[i] = values[i].null ? VALUE_NULL : value_copy(spec->types[i], values[i], arena);
    VEC_PUSH(arena, extra->rows, kept);
    *now = false;
}

static Status step_spec(AggList *list, AggSpec *spec, Group *group, int row, Arena *arena)
{
    enum { ON_STACK = 16 };
    Value on_stack[ON_STACK], *values = on_stack;
    int width = spec->arg_count + spec->order_count;
    if (spec->filter >= 0) {
        Value keep = list->results[spec->filter][row];
        if (keep.null || !keep.i) return ST_OK;
    }
    if (width > ON_STACK) values = ARENA_ARRAY(arena, Value, width);
    for (int i = 0; i < width; i++) values[i] = list->results[spec->first + i][row];
    if (spec->e->aggregate->flags & AGG_STRICT)
        for (int i = 0; i < spec->arg_count; i++)
            if (values[i].null) return ST_OK;
    bool now = true;
    if (group->extras) step_extra(spec, &group->extras[spec - list->specs], values, arena, &now);
    return now ? step(list, spec, group, values, arena) : ST_OK;
}

Status agg_step(AggList *list, Group *group, int row, Arena *group_arena)
{
    for (int i = 0; i < list->count; i++) TRY(step_spec(list, &list->specs[i], group, row, group_arena));
    return ST_OK;
}

typedef struct OrderContext {
    SorterKey *keys;
    int count;
} OrderContext;

static int compare_kept(const void *a, const void *b, void *argument)
{
    const OrderContext *context = argument;
    return sorter_compare(context->keys, context->count, *(Value *const *)a, *(Value *const *)b);
}

static Status step_ordered(AggList *list, AggSpec *spec, Group *group, Arena *arena)
{
    Extra *extra = &group->extras[spec - list->specs];
    OrderContext context = {ARENA_ARRAY(arena, SorterKey, spec->order_count), spec->order_count};
    for (int i = 0; i < spec->order_count; i++)
        context.keys[i] = (SorterKey){spec->arg_count + i, spec->e->order[i].descending, spec->e->order[i].nulls_first,
                                      spec->types[spec->arg_count + i]};
    if (extra->rows.count > 1)
        qsort_r(extra->rows.items, (size_t)extra->rows.count, sizeof(Value *), compare_kept, &context);
    for (int i = 0; i < extra->rows.count; i++) TRY(step(list, spec, group, extra->rows.items[i], arena));
    return ST_OK;
}

Status agg_final(AggList *list, Group *group, Value *out, Arena *group_arena)
{
    for (int i = 0; i < list->count; i++) {
        AggSpec *spec = &list->specs[i];
        if (spec->order_count > 0) TRY(step_ordered(list, spec, group, group_arena));
        spec->ctx.fn.type = (TypeCtx){group_arena, exec_type_env(list->exec), list->exec->err};
        spec->ctx.fn.session = list->exec->session;
        spec->ctx.fn.txn = list->exec->txn;
        out[i] = (Value){0};
        TRY(spec->e->aggregate->final(&spec->ctx, group->states + spec->state_offset, &out[i]));
    }
    return ST_OK;
}
