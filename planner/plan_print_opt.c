/* plan_print_opt.c - EXPLAIN (OPT): the short tree of CockroachDB's optimizer, names of its operators.
 *
 *   sort
 *    └── select
 *         ├── scan users
 *         └── filters
 *              └── age > 30
 */
#include "planner/plan_print.h"

typedef struct OptNode OptNode;
struct OptNode {
    const char *text;
    VEC(OptNode *) children;
};

static OptNode *opt_node(Arena *arena, const char *text)
{
    OptNode *node = ARENA_NEW(arena, OptNode);
    node->text = text;
    return node;
}

static const char *field_of(const PrintNode *node, const char *key)
{
    for (int i = 0; i < node->fields.count; i++)
        if (strcmp(node->fields.items[i].key, key) == 0) return node->fields.items[i].value;
    return NULL;
}

static bool is_scan(const PrintNode *node)
{
    return strstr(node->name, "scan") != NULL && field_of(node, "spans") != NULL;
}

/* t@t_pkey is the table itself. */
static const char *scanned(Arena *arena, const char *table)
{
    const char *at = strchr(table, '@');
    size_t length = at ? (size_t)(at - table) : 0;
    bool primary = at && strncmp(at + 1, table, length) == 0 && strcmp(at + 1 + length, "_pkey") == 0;
    return primary ? arena_strndup(arena, table, length) : table;
}

static OptNode *make(Arena *arena, const PrintNode *node)
{
    static const char *const shown[] = {"equality", "order", "group by", "distinct on", "count", "offset", "k", "limit"};
    const char *filter = field_of(node, "filter"), *spans = field_of(node, "spans"), *table = field_of(node, "table");
    OptNode *out = opt_node(arena, node->is_filter || filter ? "select" : node->name);
    if (is_scan(node)) {
        out->text = arena_printf(arena, "%s %s", node->name, scanned(arena, table));
        if (strncmp(spans, "FULL", 4) != 0) VEC_PUSH(arena, out->children, opt_node(arena, arena_printf(arena, "constraint: %s", spans)));
    } else if (table) {
        out->text = arena_printf(arena, "%s %s", out->text, scanned(arena, table));
    }
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const char *value = field_of(node, shown[i]);
        if (value) VEC_PUSH(arena, out->children, opt_node(arena, arena_printf(arena, "%s: %s", shown[i], value)));
    }
    for (int i = 0; i < node->children.count; i++) VEC_PUSH(arena, out->children, make(arena, node->children.items[i]));
    if (filter) {
        OptNode *filters = opt_node(arena, "filters");
        VEC_PUSH(arena, filters->children, opt_node(arena, filter));
        VEC_PUSH(arena, out->children, filters);
    }
    return out;
}

static void lay_out(LineSink sink, const OptNode *node, const char *prefix, Arena *arena)
{
    for (int i = 0; i < node->children.count; i++) {
        bool last = i == node->children.count - 1;
        sink.line(sink.argument, arena_printf(arena, "%s %s%s", prefix, last ? "└── " : "├── ", node->children.items[i]->text));
        lay_out(sink, node->children.items[i], arena_printf(arena, "%s %s", prefix, last ? "    " : "│   "), arena);
    }
}

void plan_print_opt(const PlannedStmt *planned, const PlanPrintOptions *options, LineSink sink, Arena *arena)
{
    PlanPrinter printer = {.options = options, .arena = arena};
    OptNode *root = make(arena, plan_print_whole(&printer, planned->plan));
    sink.line(sink.argument, root->text);
    lay_out(sink, root, "", arena);
}
