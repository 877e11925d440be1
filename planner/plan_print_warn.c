/* plan_print_warn.c - what a person should know about a plan, in words below EXPLAIN's tree.
 *
 * A full scan that a condition throws most of away, all buckets read for a range, a sort that an index would save, an
 * estimate that was far off. Small tables are not worth a warning.
 */
#include "planner/plan_print.h"

enum { ROWS_WORTH_A_WARNING = 1000 };

static void warn(PlanPrinter *p, const char *text)
{
    for (int i = 0; i < p->warnings.count; i++)
        if (strcmp(p->warnings.items[i], text) == 0) return;
    VEC_PUSH(p->arena, p->warnings, text);
}

/* ---- scans ---- */

void plan_warn_scan(PlanPrinter *p, const PlanScan *scan, int spans)
{
    const ColumnDesc *first = span_key_column(scan->table, scan->index, 0, NULL);
    int buckets = first->bucket_count;
    if (first->role == COLUMN_BUCKET && spans >= buckets)
        warn(p, arena_printf(p->arena, "warning: all %d buckets of %s are read, since not every hashed column is bound",
                             buckets, scan->index->name));
    bool full = scan->base.kind == PLAN_SCAN && scan->spans.template_count == 0 && !scan->spans.contradiction;
    if (!full || !scan->filter || scan->limit || scan->rows_hint > 0 || scan->table_rows < ROWS_WORTH_A_WARNING) return;
    warn(p, arena_printf(p->arena, "warning: full scan of %s: all %s rows are read to find those with %s", scan->table->base.name,
                         print_grouped(p->arena, scan->table_rows), plan_print_expr(p, scan->filter)));
}

/* ---- estimates ---- */

void plan_warn_estimate(PlanPrinter *p, const PlanScan *scan)
{
    if (!p->options->actual || scan->limit || scan->rows_hint > 0) return;
    PlanActual actual = {0};
    p->options->actual(p->options->argument, &scan->base, &actual);
    double estimate = scan->base.rows_estimated;
    if (actual.loops != 1 || (actual.rows * 2 + 100 >= estimate && estimate * 2 + 100 >= actual.rows)) return;
    warn(p, arena_printf(p->arena,
                         "WARNING: the row count estimate on table \"%s\" is inaccurate, consider running 'ANALYZE %s'",
                         scan->table->base.name, scan->table->base.name));
}

/* ---- sorts ---- */

/* The scan that the sort reads through nodes that keep rows as they are; NULL: it is not that simple. */
static const PlanScan *scan_below(const Plan *plan)
{
    for (;;) {
        if (plan->kind == PLAN_SCAN) return (const PlanScan *)plan;
        if (plan->kind != PLAN_PROJECT && plan->kind != PLAN_FILTER && plan->kind != PLAN_INDEX_JOIN) return NULL;
        plan = plan->inputs[0];
    }
}

static const ColumnDesc *column_named(const TableDesc *table, const char *name)
{
    int ordinal = table_column_by_name(table, name);
    if (ordinal < 0 || table->columns.items[ordinal].role != COLUMN_USER) return NULL;
    return &table->columns.items[ordinal];
}

/* Does some index have these columns in front already? It was not worth using then. */
static bool index_exists(const TableDesc *table, const PlanSort *sort)
{
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if (index->predicate) continue;
        int at = 0, matched = 0;
        while (at < index->columns.count && index->columns.items[at].implicit) at++;
        for (; matched < sort->key_count && at < index->columns.count; matched++, at++) {
            const ColumnDesc *column = column_named(table, ((const ExprColumn *)sort->keys[matched].expr)->name);
            if (!column || column->id != index->columns.items[at].column_id) break;
        }
        if (matched == sort->key_count) return true;
    }
    return false;
}

void plan_warn_sort(PlanPrinter *p, const PlanSort *sort)
{
    const PlanScan *scan = scan_below(sort->base.inputs[0]);
    if (!scan || sort->base.inputs[0]->rows_estimated < ROWS_WORTH_A_WARNING || sort->keys_already_ordered) return;
    Buf keys = {0};
    for (int i = 0; i < sort->key_count; i++) {
        const SortKey *key = &sort->keys[i];
        const ExprColumn *column = (const ExprColumn *)key->expr;
        if (key->expr->kind != EXPR_COLUMN || !column->name || !column_named(scan->table, column->name)) {
            buf_finish(&keys);
            return;
        }
        buf_printf(&keys, "%s%s%s", i ? ", " : "", column->name, key->descending ? " DESC" : "");
    }
    if (!index_exists(scan->table, sort))
        warn(p, arena_printf(p->arena, "warning: %s rows are sorted; an index would have them in order: CREATE INDEX ON %s (%s)",
                             print_grouped(p->arena, sort->base.inputs[0]->rows_estimated), scan->table->base.name,
                             buf_to_str(&keys, p->arena)));
    buf_finish(&keys);
}
