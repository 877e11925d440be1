/* path_indexed_expr.c - an expression that some index holds is read from its entries instead of being computed from rows.
 *
 *   SELECT a + b FROM t WHERE a + b > 7, index on (a + b)
 *   render(a + b) over index join over scan t@i      becomes      scan t@i, whose hidden column is a + b
 *
 * The part of a query that stands over one table is planned twice: as written, and with the hidden columns in place of
 * their expressions, by indexes that hold those columns. The cheaper one stays. No index that would have to compute them
 * is taken: an expression below a CASE must not be computed for rows that the CASE keeps from it.
 */
#include "planner/paths/path_scan.h"

typedef struct Replacement {
    Expr *before, *after;
} Replacement;

typedef struct Replacing {
    Paths *p;
    const Source *source;
    ColSet held; /* the hidden columns that now stand for their expressions */
    VEC(Replacement) replacements;
    bool back; /* put what was there before in place again */
} Replacing;

static Expr *hidden_column(Arena *arena, Expr *e, void *argument)
{
    Replacing *r = argument;
    const SpanTable *spans = &r->source->spans;
    if (e->arg_count == 0) return NULL;
    for (int o = 0; o < spans->table->columns.count; o++) {
        const ColumnDesc *column = &spans->table->columns.items[o];
        if (!spans->computed[o] || e->type.oid != column->type.oid) continue;
        bool spelled = spans->spelled && spans->spelled[o] && expr_equal(e, spans->spelled[o]);
        if (!spelled && !expr_equal(e, spans->computed[o])) continue;
        colset_add(&r->held, arena, spans->columns[o]);
        Expr *read = expr_column(arena, spans->columns[o], e->type, column->name);
        read->position = e->position;
        return read;
    }
    return NULL;
}

static void find_in_slot(Expr **slot, void *argument)
{
    Replacing *r = argument;
    if (!*slot) return;
    Expr *after = expr_replace(r->p->arena, *slot, hidden_column, r);
    if (after != *slot) VEC_PUSH(r->p->arena, r->replacements, ((Replacement){*slot, after}));
}

static void put_in_slot(Expr **slot, void *argument)
{
    const Replacing *r = argument;
    for (int i = 0; *slot && i < r->replacements.count; i++) {
        const Replacement *one = &r->replacements.items[i];
        if (*slot != (r->back ? one->after : one->before)) continue;
        *slot = r->back ? one->before : one->after;
        return;
    }
}

/* Of rel and what stands below it, down to the table. */
static void each_slot(Rel *rel, void (*each)(Expr **slot, void *argument), Replacing *r)
{
    for (; rel->kind != REL_TABLE; rel = rel->inputs[0]) rel_each_expr(rel, each, r);
}

static bool passes_columns_through(const Rel *rel)
{
    return rel->kind == REL_FILTER || rel->kind == REL_SORT || rel->kind == REL_LIMIT || rel->kind == REL_WINDOW;
}

/* The table that rel computes from, with nothing between that changes columns; NULL: there is none. */
static RelTable *table_below(const Rel *rel)
{
    if (rel->kind != REL_PROJECT && rel->kind != REL_AGGREGATE) return NULL;
    Rel *below = rel->inputs[0];
    while (passes_columns_through(below)) below = below->inputs[0];
    return below->kind == REL_TABLE ? (RelTable *)below : NULL;
}

static bool has_computed_columns(const TableDesc *table)
{
    for (int o = 0; o < table->columns.count; o++)
        if (table->columns.items[o].computed_expr) return true;
    return false;
}

Status path_indexed_expr(Paths *p, Rel *rel, const Wanted *wanted, Plan **plan)
{
    RelTable *table = table_below(rel);
    Plan *as_written = *plan, *by_index;
    Source *source;
    if (!table || !has_computed_columns(table->table)) return ST_OK;
    TRY(path_source(p, table, &source));
    Replacing r = {.p = p, .source = source};
    each_slot(rel, find_in_slot, &r);
    if (r.replacements.count == 0) return ST_OK;
    each_slot(rel, put_in_slot, &r);
    p->held = &r.held;
    Status st = path_dispatch(p, rel, wanted, &by_index);
    p->held = NULL;
    r.back = st != ST_OK || by_index->cost >= as_written->cost;
    if (r.back)
        each_slot(rel, put_in_slot, &r);
    else
        *plan = by_index;
    return st;
}
