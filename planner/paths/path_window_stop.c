/* path_window_stop.c - the first n rows of each partition are wanted: of the others as few as possible are read.
 *
 *   row_number() OVER (ORDER BY a) <= 3                  a LIMIT for the input
 *   row_number() OVER (PARTITION BY k ORDER BY a) <= 3   three rows of each k: a scan of (k, a) seeks from one k to the next
 *   rank() OVER (...) <= 3                               how many there are is not known before; the window stops
 */
#include "planner/paths/path_window.h"

#include <math.h>
#include <string.h>

static const char *name_of(const ExprWindow *function)
{
    return function->window && !function->filter ? function->window->name : "";
}

bool path_window_runs(const RelWindow *rel)
{
    for (int i = 0; i < rel->function_count; i++) {
        const char *name = name_of(rel->functions[i]);
        if (strcmp(name, "row_number") != 0 && strcmp(name, "rank") != 0 && strcmp(name, "dense_rank") != 0) return false;
    }
    return rel->function_count > 0;
}

static int function_of(const RelWindow *rel, const Expr *e)
{
    int first = rel->base.column_count - rel->function_count;
    for (int i = 0; e->kind == EXPR_COLUMN && i < rel->function_count; i++)
        if (rel->base.columns[first + i].id == ((const ExprColumn *)e)->column) return i;
    return -1;
}

/* n < 3 is n <= 2. What is no constant is left as it is: one row too many does no harm, the filter is still there. */
static Expr *below_it(Paths *p, Expr *limit)
{
    Value value;
    if (!expr_is_const(limit, &value) || value.null || value.i == INT64_MIN) return limit;
    return expr_const(p->arena, limit->type, value_int(value.i - 1));
}

static bool is_count(const Expr *e)
{
    bool whole = e->type.oid == OID_INT8 || e->type.oid == OID_INT4 || e->type.oid == OID_INT2;
    return whole && (e->kind == EXPR_CONST || e->kind == EXPR_PARAM);
}

static WindowStop stop_of(Paths *p, const RelWindow *rel, const Expr *condition)
{
    WindowStop none = {0}, stop = {0};
    if (condition->kind != EXPR_COMPARE) return none;
    Expr *left = condition->args[0], *right = condition->args[1];
    CompareOp op = ((const ExprCompare *)condition)->op;
    bool mirrored = function_of(rel, left) < 0;
    stop.function = function_of(rel, mirrored ? right : left);
    stop.limit = mirrored ? left : right;
    if (stop.function < 0 || !is_count(stop.limit)) return none;
    stop.is_row_number = strcmp(name_of(rel->functions[stop.function]), "row_number") == 0;
    switch (op) {
    case COMPARE_EQ: return stop;
    case COMPARE_LE: return mirrored ? none : stop;
    case COMPARE_GE: return mirrored ? stop : none;
    case COMPARE_LT: stop.limit = below_it(p, stop.limit); return mirrored ? none : stop;
    case COMPARE_GT: stop.limit = below_it(p, stop.limit); return mirrored ? stop : none;
    case COMPARE_NE: return none;
    }
    return none;
}

WindowStop path_window_stop(Paths *p, const RelWindow *rel, Expr *const *conjuncts, int count)
{
    WindowStop found = {0};
    for (int i = 0; i < count && !found.is_row_number; i++) {
        WindowStop stop = stop_of(p, rel, conjuncts[i]);
        if (stop.limit && (!found.limit || stop.is_row_number)) found = stop;
    }
    return found;
}

/* The partition's columns; NULL: some are computed. */
static ColId *partition_columns(Paths *p, const WindowSpec *spec)
{
    ColId *columns = ARENA_ARRAY(p->arena, ColId, spec->partition_count + 1);
    for (int i = 0; i < spec->partition_count; i++) {
        if (spec->partition[i]->kind != EXPR_COLUMN) return NULL;
        columns[i] = ((const ExprColumn *)spec->partition[i])->column;
    }
    return columns;
}

void path_window_ask(Paths *p, const RelWindow *rel, const WindowStop *stop, Wanted *below)
{
    const WindowSpec *spec = rel->functions[0]->spec;
    bool sorts = spec->partition_count + spec->order_count > 0;
    if (!stop->limit || (sorts && !below->order_count)) return;
    if (spec->partition_count == 0) {
        below->rows = path_limit_rows(stop->limit);
        if (stop->is_row_number) below->limit = stop->limit;
        return;
    }
    ColId *columns = partition_columns(p, spec);
    if (!columns || !stop->is_row_number) return;
    below->distinct = columns;
    below->distinct_count = spec->partition_count;
    below->first = spec->order;
    below->first_count = spec->order_count;
    below->distinct_each = stop->limit;
}

double path_window_rows(Paths *p, const RelWindow *rel, const WindowStop *stop, double rows)
{
    const WindowSpec *spec = rel->functions[0]->spec;
    ColId *columns = partition_columns(p, spec);
    double each = path_limit_rows(stop->limit);
    if (!columns || each <= 0) return rows;
    return fmin(rows, each * path_distinct_count(p, columns, spec->partition_count, rows));
}
