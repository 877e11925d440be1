/* rel.c - making and walking logical queries. */
#include "planner/rel.h"

#include <assert.h>

static const size_t rel_sizes[] = {
    [REL_TABLE] = sizeof(RelTable),
    [REL_SYSTEM] = sizeof(RelSystem),
    [REL_FUNCTION] = sizeof(RelFunction),
    [REL_VALUES] = sizeof(RelValues),
    [REL_FILTER] = sizeof(RelFilter),
    [REL_PROJECT] = sizeof(RelProject),
    [REL_PROJECT_SET] = sizeof(RelProjectSet),
    [REL_JOIN] = sizeof(RelJoin),
    [REL_AGGREGATE] = sizeof(RelAggregate),
    [REL_WINDOW] = sizeof(RelWindow),
    [REL_DISTINCT] = sizeof(RelDistinct),
    [REL_SORT] = sizeof(RelSort),
    [REL_LIMIT] = sizeof(RelLimit),
    [REL_SET_OP] = sizeof(RelSetOp),
    [REL_CTE] = sizeof(RelCte),
    [REL_WITH] = sizeof(RelWith),
    [REL_WORKING_TABLE] = sizeof(RelCte),
    [REL_LOCK] = sizeof(RelLock),
    [REL_INSERT] = sizeof(RelInsert),
    [REL_UPDATE] = sizeof(RelUpdate),
    [REL_DELETE] = sizeof(RelDelete),
    [REL_STATEMENT_ROWS] = sizeof(RelStatementRows),
};

static const char *const rel_names[] = {
#define REL_NAME(kind, word) word,
    REL_KINDS(REL_NAME)
#undef REL_NAME
};

const char *rel_kind_name(RelKind kind)
{
    return rel_names[kind];
}

void *rel_new(Arena *arena, RelKind kind, size_t size)
{
    assert(size == rel_sizes[kind]);
    Rel *rel = arena_alloc(arena, size);
    rel->kind = kind;
    return rel;
}

void *rel_new_over(Arena *arena, RelKind kind, size_t size, Rel *input)
{
    Rel *rel = rel_new(arena, kind, size);
    rel->inputs = ARENA_ARRAY(arena, Rel *, 1);
    rel->inputs[0] = input;
    rel->input_count = 1;
    rel->columns = input->columns;
    rel->column_count = input->column_count;
    return rel;
}

Rel *rel_filter(Arena *arena, Rel *input, Expr *condition)
{
    if (!condition || expr_is_true(condition)) return input;
    RelFilter *filter = rel_new_over(arena, REL_FILTER, sizeof *filter, input);
    filter->condition = condition;
    return &filter->base;
}

const RelColumn *rel_find_column(const Rel *rel, ColId id)
{
    for (int i = 0; i < rel->column_count; i++)
        if (rel->columns[i].id == id) return &rel->columns[i];
    return NULL;
}

Expr *rel_column_expr(Arena *arena, const RelColumn *column)
{
    return expr_column(arena, column->id, column->type, column->name);
}

/* ---- walking ---- */

typedef void (*EachExpr)(Expr **slot, void *argument);

static void each_of(Expr **items, int count, EachExpr each, void *argument)
{
    for (int i = 0; items && i < count; i++)
        if (items[i]) each(&items[i], argument);
}

static void each_key(SortKey *keys, int count, EachExpr each, void *argument)
{
    for (int i = 0; i < count; i++) each(&keys[i].expr, argument);
}

static void each_of_target(WriteTarget *target, EachExpr each, void *argument)
{
    each_of(target->computed, target->table->columns.count, each, argument);
    each_of(target->checks, target->table->checks.count, each, argument);
    each_of(target->predicates, target->table->indexes.count, each, argument);
}

static void each_of_change(Rel *rel, EachExpr each, void *argument)
{
    if (rel->kind == REL_INSERT) {
        RelInsert *insert = (RelInsert *)rel;
        each_of_target(&insert->target, each, argument);
        each_of(insert->set, insert->target.table->columns.count, each, argument);
        each_of(&insert->where, 1, each, argument);
        each_of(insert->returning, rel->column_count, each, argument);
    } else if (rel->kind == REL_UPDATE) {
        RelUpdate *update = (RelUpdate *)rel;
        each_of_target(&update->target, each, argument);
        each_of(update->set, update->target.table->columns.count, each, argument);
        each_of(update->returning, rel->column_count, each, argument);
    } else {
        RelDelete *delete_ = (RelDelete *)rel;
        each_of_target(&delete_->target, each, argument);
        each_of(delete_->returning, rel->column_count, each, argument);
    }
}

static void each_of_aggregate(RelAggregate *aggregate, EachExpr each, void *argument)
{
    each_of(aggregate->keys, aggregate->key_count, each, argument);
    for (int i = 0; i < aggregate->aggregate_count; i++) {
        Expr *e = &aggregate->aggregates[i]->base;
        each(&e, argument);
        aggregate->aggregates[i] = (ExprAggregate *)e;
    }
    each_of(aggregate->grouping_calls, aggregate->grouping_call_count, each, argument);
}

static void each_of_window(RelWindow *window, EachExpr each, void *argument)
{
    for (int i = 0; i < window->function_count; i++) {
        Expr *e = &window->functions[i]->base;
        each(&e, argument);
        window->functions[i] = (ExprWindow *)e;
    }
}

static void each_of_function(RelFunction *function, EachExpr each, void *argument)
{
    for (int i = 0; i < function->item_count; i++) each(&function->items[i].call, argument);
}

static void each_of_values(RelValues *values, EachExpr each, void *argument)
{
    for (int r = 0; r < values->row_count; r++) each_of(values->rows[r], values->base.column_count, each, argument);
}

void rel_each_expr(Rel *rel, EachExpr each, void *argument)
{
    switch (rel->kind) {
    case REL_FUNCTION:
        each_of_function((RelFunction *)rel, each, argument);
        return;
    case REL_VALUES:
        each_of_values((RelValues *)rel, each, argument);
        return;
    case REL_FILTER:
        each_of(&((RelFilter *)rel)->condition, 1, each, argument);
        return;
    case REL_PROJECT:
        each_of(((RelProject *)rel)->exprs, rel->column_count, each, argument);
        return;
    case REL_PROJECT_SET:
        each_of(((RelProjectSet *)rel)->calls, ((RelProjectSet *)rel)->call_count, each, argument);
        return;
    case REL_JOIN:
        each_of(&((RelJoin *)rel)->condition, 1, each, argument);
        return;
    case REL_AGGREGATE:
        each_of_aggregate((RelAggregate *)rel, each, argument);
        return;
    case REL_WINDOW:
        each_of_window((RelWindow *)rel, each, argument);
        return;
    case REL_DISTINCT:
        each_of(((RelDistinct *)rel)->on, ((RelDistinct *)rel)->on_count, each, argument);
        return;
    case REL_SORT:
        each_key(((RelSort *)rel)->keys, ((RelSort *)rel)->key_count, each, argument);
        return;
    case REL_LIMIT:
        each_of(&((RelLimit *)rel)->limit, 1, each, argument);
        each_of(&((RelLimit *)rel)->offset, 1, each, argument);
        return;
    case REL_INSERT:
    case REL_UPDATE:
    case REL_DELETE:
        each_of_change(rel, each, argument);
        return;
    case REL_TABLE:
    case REL_SYSTEM:
    case REL_SET_OP:
    case REL_CTE:
    case REL_WITH:
    case REL_WORKING_TABLE:
    case REL_LOCK:
    case REL_STATEMENT_ROWS:
        return;
    }
}

void rel_each_input(Rel *rel, void (*each)(Rel **slot, void *argument), void *argument)
{
    if (rel->kind == REL_WITH) {
        RelWith *with = (RelWith *)rel;
        for (int i = 0; i < with->cte_count; i++) {
            each(&with->ctes[i]->rel, argument);
            if (with->ctes[i]->recursive) each(&with->ctes[i]->recursive, argument);
        }
    }
    for (int i = 0; i < rel->input_count; i++) each(&rel->inputs[i], argument);
}

/* The walkers below only read: the tree behind a const Rel is handed out by place but not changed. */
static Rel *reading(const Rel *rel)
{
    union {
        const Rel *in;
        Rel *out;
    } view = {rel};
    return view.out;
}

/* ---- columns ---- */

void rel_column_set(const Rel *rel, ColSet *set, Arena *arena)
{
    for (int i = 0; i < rel->column_count; i++) colset_add(set, arena, rel->columns[i].id);
}

typedef struct Gather {
    ColSet *set;
    Arena *arena;
} Gather;

static void gather_made(Rel **slot, void *argument)
{
    const Gather *g = argument;
    rel_made_columns(*slot, g->set, g->arena);
}

static void add_row(const RelColumn *row, int count, ColSet *set, Arena *arena)
{
    for (int i = 0; row && i < count; i++) colset_add(set, arena, row[i].id);
}

static const WriteTarget *write_target(const Rel *rel)
{
    if (rel->kind == REL_INSERT) return &((const RelInsert *)rel)->target;
    if (rel->kind == REL_UPDATE) return &((const RelUpdate *)rel)->target;
    if (rel->kind == REL_DELETE) return &((const RelDelete *)rel)->target;
    return NULL;
}

void rel_made_columns(const Rel *rel, ColSet *set, Arena *arena)
{
    rel_column_set(rel, set, arena);
    const WriteTarget *target = write_target(rel);
    if (target) add_row(target->row, target->table->columns.count, set, arena);
    if (rel->kind == REL_INSERT) add_row(((const RelInsert *)rel)->existing, target->table->columns.count, set, arena);
    rel_each_input(reading(rel), gather_made, &(Gather){set, arena});
}

static void gather_used_expr(Expr **slot, void *argument)
{
    const Gather *g = argument;
    expr_columns(*slot, g->set, g->arena);
}

static void gather_used(Rel **slot, void *argument)
{
    rel_each_expr(*slot, gather_used_expr, argument);
    rel_each_input(*slot, gather_used, argument);
}

int rel_outer_columns(const Rel *rel, ColId **columns, Arena *arena)
{
    ColSet used = {0}, made = {0};
    Rel *tree = reading(rel);
    gather_used(&tree, &(Gather){&used, arena});
    rel_made_columns(rel, &made, arena);
    VEC(ColId) outer = {0};
    for (ColId id = 1; id < used.word_count * 64; id++)
        if (colset_has(&used, id) && !colset_has(&made, id)) VEC_PUSH(arena, outer, id);
    *columns = outer.items;
    return outer.count;
}

/* ---- copies ---- */

static void *copy_array(Arena *arena, const void *items, size_t size, int count)
{
    return items && count ? arena_copy(arena, items, size * (size_t)count) : NULL;
}

static void copy_input(Rel **slot, void *argument)
{
    *slot = rel_copy(argument, *slot);
}

static void copy_target(Arena *arena, WriteTarget *target)
{
    target->computed = copy_array(arena, target->computed, sizeof(Expr *), target->table->columns.count);
    target->checks = copy_array(arena, target->checks, sizeof(Expr *), target->table->checks.count);
    target->predicates = copy_array(arena, target->predicates, sizeof(Expr *), target->table->indexes.count);
}

static void copy_change(Arena *arena, Rel *rel)
{
    if (rel->kind == REL_INSERT) {
        RelInsert *insert = (RelInsert *)rel;
        copy_target(arena, &insert->target);
        insert->set = copy_array(arena, insert->set, sizeof(Expr *), insert->target.table->columns.count);
        insert->returning = copy_array(arena, insert->returning, sizeof(Expr *), rel->column_count);
    } else if (rel->kind == REL_UPDATE) {
        RelUpdate *update = (RelUpdate *)rel;
        copy_target(arena, &update->target);
        update->set = copy_array(arena, update->set, sizeof(Expr *), update->target.table->columns.count);
        update->returning = copy_array(arena, update->returning, sizeof(Expr *), rel->column_count);
    } else {
        RelDelete *delete_ = (RelDelete *)rel;
        copy_target(arena, &delete_->target);
        delete_->returning = copy_array(arena, delete_->returning, sizeof(Expr *), rel->column_count);
    }
}

static void copy_values(Arena *arena, RelValues *values)
{
    values->rows = copy_array(arena, values->rows, sizeof(Expr **), values->row_count);
    for (int r = 0; r < values->row_count; r++)
        values->rows[r] = copy_array(arena, values->rows[r], sizeof(Expr *), values->base.column_count);
}

static void copy_with(Arena *arena, RelWith *with)
{
    with->ctes = copy_array(arena, with->ctes, sizeof(Cte *), with->cte_count);
    /* The Cte itself stays: RelCte nodes below name it by address. */
}

static void copy_aggregate(Arena *arena, RelAggregate *a)
{
    a->keys = copy_array(arena, a->keys, sizeof(Expr *), a->key_count);
    a->aggregates = copy_array(arena, a->aggregates, sizeof *a->aggregates, a->aggregate_count);
    a->grouping_calls = copy_array(arena, a->grouping_calls, sizeof(Expr *), a->grouping_call_count);
}

/* Makes the arrays of expressions of a copied node its own. */
static void own_exprs(Arena *arena, Rel *rel)
{
#define OWN(Type, field, item_size, count)                                                                             \
    (((Type *)rel)->field = copy_array(arena, ((Type *)rel)->field, (item_size), (count)))
    switch (rel->kind) {
    case REL_FUNCTION:
        OWN(RelFunction, items, sizeof(RelFunctionItem), ((RelFunction *)rel)->item_count);
        return;
    case REL_VALUES:
        copy_values(arena, (RelValues *)rel);
        return;
    case REL_PROJECT:
        OWN(RelProject, exprs, sizeof(Expr *), rel->column_count);
        return;
    case REL_PROJECT_SET:
        OWN(RelProjectSet, calls, sizeof(Expr *), ((RelProjectSet *)rel)->call_count);
        return;
    case REL_AGGREGATE:
        copy_aggregate(arena, (RelAggregate *)rel);
        return;
    case REL_WINDOW:
        OWN(RelWindow, functions, sizeof(ExprWindow *), ((RelWindow *)rel)->function_count);
        return;
    case REL_DISTINCT:
        OWN(RelDistinct, on, sizeof(Expr *), ((RelDistinct *)rel)->on_count);
        return;
    case REL_SORT:
        OWN(RelSort, keys, sizeof(SortKey), ((RelSort *)rel)->key_count);
        return;
    case REL_INSERT:
    case REL_UPDATE:
    case REL_DELETE:
        copy_change(arena, rel);
        return;
    case REL_WITH:
        copy_with(arena, (RelWith *)rel);
        return;
    case REL_TABLE:
    case REL_SYSTEM:
    case REL_FILTER:
    case REL_JOIN:
    case REL_LIMIT:
    case REL_SET_OP:
    case REL_CTE:
    case REL_WORKING_TABLE:
    case REL_LOCK:
    case REL_STATEMENT_ROWS:
        return;
    }
#undef OWN
}

Rel *rel_copy(Arena *arena, Rel *rel)
{
    /* UPDATE, DELETE and FOR UPDATE name the scan of their table by address. */
    if (rel->kind == REL_TABLE) return rel;
    Rel *copy = arena_copy(arena, rel, rel_sizes[rel->kind]);
    copy->inputs = copy_array(arena, rel->inputs, sizeof(Rel *), rel->input_count);
    own_exprs(arena, copy);
    rel_each_input(copy, copy_input, arena);
    return copy;
}

typedef struct Replace {
    Arena *arena;
    const ColId *columns;
    Expr *const *replacements;
    int count;
} Replace;

static void replace_in_expr(Expr **slot, void *argument)
{
    const Replace *r = argument;
    *slot = expr_substitute(r->arena, *slot, r->columns, r->replacements, r->count);
}

static void replace_in_rel(Rel **slot, void *argument)
{
    rel_each_expr(*slot, replace_in_expr, argument);
    rel_each_input(*slot, replace_in_rel, argument);
}

Rel *rel_substitute(Arena *arena, Rel *rel, const ColId *columns, Expr *const *replacements, int count)
{
    Rel *copy = rel_copy(arena, rel);
    replace_in_rel(&copy, &(Replace){arena, columns, replacements, count});
    return copy;
}

/* ---- volatility ---- */

static void worst_of_expr(Expr **slot, void *argument)
{
    Volatility *worst = argument, own = expr_volatility(*slot);
    if (own > *worst) *worst = own;
}

static void worst_of_rel(Rel **slot, void *argument)
{
    Volatility *worst = argument;
    if ((*slot)->kind == REL_LOCK || (*slot)->kind == REL_STATEMENT_ROWS || write_target(*slot))
        *worst = VOLATILITY_VOLATILE;
    rel_each_expr(*slot, worst_of_expr, argument);
    rel_each_input(*slot, worst_of_rel, argument);
}

Volatility rel_volatility(const Rel *rel)
{
    Volatility worst = VOLATILITY_IMMUTABLE;
    Rel *tree = reading(rel);
    worst_of_rel(&tree, &worst);
    return worst;
}
