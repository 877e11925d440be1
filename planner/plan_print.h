/* plan_print.h - EXPLAIN's tree: what its two files share. Inside the planner only.
 *
 * A plan is first turned into a tree of PrintNodes (plan_print_node.c): nodes that are invisible are left out, a scan's
 * filter becomes a node of its own, a merge of streams gets a child per stream. Then the tree is laid out (plan_print.c,
 * plan_print_json.c).
 */
#ifndef PLANNER_PLAN_PRINT_H
#define PLANNER_PLAN_PRINT_H

#include "planner/plan.h"

typedef struct PrintField {
    const char *key, *value; /* value NULL: the key says all */
} PrintField;

typedef struct PrintNode PrintNode;
struct PrintNode {
    const char *name;
    const Plan *plan; /* NULL: none of its own */
    bool is_filter;   /* of the plan, which is the node below */
    VEC(PrintField) fields;
    VEC(PrintNode *) children;
};

typedef struct PlanPrinter {
    const PlanPrintOptions *options;
    Arena *arena;
    VEC(PrintNode *) subqueries; /* children of the root node, behind the main plan */
    StrVec warnings;
} PlanPrinter;

PrintNode *plan_print_tree(PlanPrinter *printer, const Plan *plan);
/* The same, below a root together with its subqueries if there are any. */
PrintNode *plan_print_whole(PlanPrinter *printer, const Plan *plan);

/* Spans as one field's value; *count says how many there are, -1 where they are not known yet (plan_print_spans.c). */
const char *plan_print_spans(PlanPrinter *printer, const SpanSet *set, int *count);
/* The spans of one stream, and the next one's start in *at; NULL: no more. spans from plan_print_expand. */
bool plan_print_expand(PlanPrinter *printer, const SpanSet *set, LogicalSpan **spans, int *count);
const char *plan_print_span_list(PlanPrinter *printer, const SpanSet *set, const LogicalSpan *spans, int count);
/* How many spans from `from` on share its first `columns` values. */
int plan_print_stream_size(const SpanSet *set, const LogicalSpan *spans, int count, int from, int columns);

const char *plan_print_expr(PlanPrinter *printer, const Expr *e);

/* ---- warnings (plan_print_warn.c) ---- */
void plan_warn_scan(PlanPrinter *printer, const PlanScan *scan, int spans);
void plan_warn_estimate(PlanPrinter *printer, const PlanScan *scan);
void plan_warn_sort(PlanPrinter *printer, const PlanSort *sort);

void print_field(PlanPrinter *printer, PrintNode *node, const char *key, const char *value); /* value NULL: key alone */
const char *print_grouped(Arena *arena, double count); /* 12,385 */

#endif
