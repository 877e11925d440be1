/* plan_print.c - EXPLAIN's tree laid out as CockroachDB does: bullets, branches, fields below their node. */
#include "planner/plan_print.h"

typedef struct Layout {
    void (*line)(void *argument, const char *text);
    void *argument;
    Arena *arena;
} Layout;

static void put_line(Layout *l, const char *prefix, const char *text)
{
    l->line(l->argument, arena_printf(l->arena, "%s%s", prefix, text));
}

static void put_field(Layout *l, const char *prefix, const char *margin, const PrintField *field)
{
    put_line(l, prefix, field->value ? arena_printf(l->arena, "%s%s: %s", margin, field->key, field->value)
                                     : arena_printf(l->arena, "%s%s", margin, field->key));
}

static void lay_out(Layout *l, const PrintNode *node, const char *prefix, const char *branch, const char *below)
{
    put_line(l, prefix, arena_printf(l->arena, "%s• %s", branch, node->name));
    const char *inner = arena_printf(l->arena, "%s%s", prefix, below);
    const char *margin = node->children.count ? "│ " : "  ";
    for (int i = 0; i < node->fields.count; i++)
        put_field(l, inner, margin, &node->fields.items[i]);
    for (int i = 0; i < node->children.count; i++) {
        bool last = i == node->children.count - 1;
        put_line(l, inner, "│");
        lay_out(l, node->children.items[i], inner, last ? "└── " : "├── ", last ? "    " : "│   ");
    }
}

PrintNode *plan_print_whole(PlanPrinter *printer, const Plan *plan)
{
    PrintNode *tree = plan_print_tree(printer, plan);
    if (!printer->subqueries.count) return tree;
    PrintNode *root = ARENA_NEW(printer->arena, PrintNode);
    root->name = "root";
    VEC_PUSH(printer->arena, root->children, tree);
    for (int i = 0; i < printer->subqueries.count; i++)
        VEC_PUSH(printer->arena, root->children, printer->subqueries.items[i]);
    return root;
}

Status plan_print(const PlannedStmt *planned, const PlanPrintOptions *options,
                  void (*line)(void *argument, const char *text), void *argument, Arena *arena, Error *err)
{
    PlanPrinter printer = {.options = options, .arena = arena};
    Layout layout = {line, argument, arena};
    PrintNode *tree = plan_print_whole(&printer, planned->plan);
    lay_out(&layout, tree, "", "", "");
    if (printer.warnings.count) line(argument, "");
    for (int i = 0; i < printer.warnings.count; i++) line(argument, printer.warnings.items[i]);
    return ST_OK;
}
