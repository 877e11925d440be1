/* path_window.c - window functions: one node, and one sort below it, per PARTITION BY and ORDER BY. */
#include "planner/paths/path_window.h"

static bool same_sort(const WindowSpec *a, const WindowSpec *b)
{
    if (a->partition_count != b->partition_count || a->order_count != b->order_count) return false;
    for (int i = 0; i < a->partition_count; i++)
        if (!expr_equal(a->partition[i], b->partition[i])) return false;
    for (int i = 0; i < a->order_count; i++) {
        const SortKey *x = &a->order[i], *y = &b->order[i];
        if (x->descending != y->descending || x->nulls_first != y->nulls_first || !expr_equal(x->expr, y->expr))
            return false;
    }
    return true;
}

static void add_key(Paths *p, Extension *extension, SortKey *keys, int *count, SortKey key)
{
    ColId id = path_as_column(p, extension, key.expr);
    if (key.expr->kind != EXPR_COLUMN)
        key.expr = expr_column(p->arena, id, key.expr->type, expr_text(key.expr, p->arena));
    for (int i = 0; i < *count; i++)
        if (((const ExprColumn *)keys[i].expr)->column == id) return;
    keys[(*count)++] = key;
}

/* The order of the first window, if it is one of plain columns: an index may have it. */
static void ask_for_order(Paths *p, const WindowSpec *spec, Wanted *below)
{
    Extension extension = {0};
    SortKey *keys = ARENA_ARRAY(p->arena, SortKey, spec->partition_count + spec->order_count + 1);
    int count = 0;
    for (int i = 0; i < spec->partition_count; i++)
        add_key(p, &extension, keys, &count, (SortKey){.expr = spec->partition[i]});
    for (int i = 0; i < spec->order_count; i++) add_key(p, &extension, keys, &count, spec->order[i]);
    if (extension.exprs.count) return;
    below->order = keys;
    below->order_count = count;
}

static Plan *sorted_for(Paths *p, Plan *input, const WindowSpec *spec, const Wanted *below)
{
    Extension extension = {0};
    SortKey *keys = ARENA_ARRAY(p->arena, SortKey, spec->partition_count + spec->order_count + 1);
    int count = 0;
    for (int i = 0; i < spec->partition_count; i++)
        add_key(p, &extension, keys, &count, (SortKey){.expr = spec->partition[i]});
    for (int i = 0; i < spec->order_count; i++) add_key(p, &extension, keys, &count, spec->order[i]);
    input = path_extend(p, input, extension.exprs.items, extension.ids.items, extension.exprs.count);
    return count ? path_make_sort(p, input, keys, count, below ? below->limit : NULL, below ? below->rows : 0) : input;
}

static PlanWindow *window_over(Paths *p, Plan *input, ExprWindow **functions, const RelColumn *const *columns, int count)
{
    PlanWindow *window = path_new_over(p, PLAN_WINDOW, sizeof *window, input);
    window->functions = functions;
    window->function_count = count;
    for (int i = 0; i < count; i++)
        path_add_column(p, &window->base, columns[i]->id, columns[i]->type, columns[i]->name);
    window->base.cost += input->rows_estimated * COST_HASH_BUILD * count;
    return window;
}

static bool share_one_sort(const RelWindow *rel)
{
    for (int i = 1; i < rel->function_count; i++)
        if (!same_sort(rel->functions[0]->spec, rel->functions[i]->spec)) return false;
    return rel->function_count > 0;
}

/* The functions only count rows: what comes first in the input comes first in the output, whatever follows. */
static Status running_window(Paths *p, RelWindow *rel, const WindowStop *stop, Wanted *below, Plan **plan)
{
    const RelColumn **columns = ARENA_ARRAY(p->arena, const RelColumn *, rel->function_count);
    int first = rel->base.column_count - rel->function_count;
    for (int i = 0; i < rel->function_count; i++) columns[i] = &rel->base.columns[first + i];
    path_window_ask(p, rel, stop, below);
    TRY(path_rel(p, rel->base.inputs[0], below, plan));
    PlanWindow *window = window_over(p, sorted_for(p, *plan, rel->functions[0]->spec, below), rel->functions, columns,
                                     rel->function_count);
    window->running = true;
    window->stop = stop->limit;
    window->stop_function = stop->function;
    if (stop->limit) window->base.rows_estimated = path_window_rows(p, rel, stop, window->base.rows_estimated);
    *plan = &window->base;
    return ST_OK;
}

static Status general_window(Paths *p, RelWindow *rel, Wanted *below, Plan **plan)
{
    TRY(path_rel(p, rel->base.inputs[0], below, plan));
    bool *done = ARENA_ARRAY(p->arena, bool, rel->function_count + 1);
    int first_column = rel->base.column_count - rel->function_count;
    for (int i = 0; i < rel->function_count; i++) {
        if (done[i]) continue;
        ExprWindow **functions = ARENA_ARRAY(p->arena, ExprWindow *, rel->function_count);
        const RelColumn **columns = ARENA_ARRAY(p->arena, const RelColumn *, rel->function_count);
        int count = 0;
        for (int f = i; f < rel->function_count; f++) {
            if (done[f] || !same_sort(rel->functions[i]->spec, rel->functions[f]->spec)) continue;
            done[f] = true;
            columns[count] = &rel->base.columns[first_column + f];
            functions[count++] = rel->functions[f];
        }
        *plan = &window_over(p, sorted_for(p, *plan, rel->functions[i]->spec, NULL), functions, columns, count)->base;
    }
    return ST_OK;
}

/* A limit above reaches below if the rows come in the order that it is about. */
static void pass_limit(const RelWindow *rel, bool filtered, const Wanted *wanted, Wanted *below)
{
    const WindowSpec *spec = rel->functions[0]->spec;
    bool sorts = spec->partition_count + spec->order_count > 0;
    if (sorts && !below->order_count) return;
    if (wanted->order_count > below->order_count || !path_order_equal(wanted->order, below->order, wanted->order_count)) return;
    below->limit = filtered ? NULL : wanted->limit;
    below->rows = filtered ? wanted->rows * 3 : wanted->rows;
}

Status path_window(Paths *p, RelWindow *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan)
{
    Wanted below = path_wanted_columns(p, &wanted->columns);
    for (int i = 0; i < count; i++) path_need(p, &below, conjuncts[i]);
    for (int i = 0; i < rel->function_count; i++) path_need(p, &below, &rel->functions[i]->base);
    if (rel->function_count) ask_for_order(p, rel->functions[0]->spec, &below);
    if (share_one_sort(rel) && path_window_runs(rel)) {
        WindowStop stop = path_window_stop(p, rel, conjuncts, count);
        pass_limit(rel, count > 0, wanted, &below);
        TRY(running_window(p, rel, &stop, &below, plan));
        double rows = (*plan)->rows_estimated;
        *plan = path_make_filter(p, *plan, conjuncts, count);
        if (stop.limit && count == 1) (*plan)->rows_estimated = rows;
        return ST_OK;
    }
    TRY(general_window(p, rel, &below, plan));
    *plan = path_make_filter(p, *plan, conjuncts, count);
    return ST_OK;
}
