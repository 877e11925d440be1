/* plan_print_json.c - EXPLAIN (FORMAT JSON) and YAML: PostgreSQL's shape, so that plan viewers and drivers can read it.
 *
 * Keys that PostgreSQL has are spelt as there (Node Type, Relation Name, Plan Rows, Actual Rows, Plans); what only rowkey
 * knows follows under the name it has in the text form, in capitals (Spans, Streams, KV Pairs Read).
 */
#include <ctype.h>

#include "planner/plan_print.h"

typedef struct JsonPrinter {
    const PlanPrintOptions *options;
    Buf *out;
    int depth;
    bool first;      /* no comma in front of the next key */
    bool yaml;
    bool after_dash; /* YAML: the next key is on the line of its list item's dash */
} JsonPrinter;

/* ---- JSON ---- */

static void put_text(Buf *out, const char *text)
{
    buf_put_u8(out, '"');
    for (const char *at = text; *at; at++) {
        uint8_t byte = (uint8_t)*at;
        if (byte == '"' || byte == '\\')
            buf_printf(out, "\\%c", byte);
        else if (byte == '\n')
            buf_put_str(out, "\\n");
        else if (byte == '\t')
            buf_put_str(out, "\\t");
        else if (byte < ' ')
            buf_printf(out, "\\u%04x", byte);
        else
            buf_put_u8(out, byte);
    }
    buf_put_u8(out, '"');
}

static void new_line(JsonPrinter *j)
{
    buf_put_u8(j->out, '\n');
    for (int i = 0; i < j->depth; i++) buf_put_str(j->out, "  ");
}

static void put_key(JsonPrinter *j, const char *key)
{
    if (j->yaml) {
        if (!j->after_dash) new_line(j);
        j->after_dash = false;
        buf_printf(j->out, "%s: ", key);
        return;
    }
    if (!j->first) buf_put_u8(j->out, ',');
    j->first = false;
    new_line(j);
    put_text(j->out, key);
    buf_put_str(j->out, ": ");
}

static void put_string(JsonPrinter *j, const char *key, const char *value)
{
    put_key(j, key);
    put_text(j->out, value);
}

static void put_number(JsonPrinter *j, const char *key, double value, int decimals)
{
    put_key(j, key);
    buf_printf(j->out, "%.*f", decimals, value);
}

static void put_bool(JsonPrinter *j, const char *key, bool value)
{
    put_key(j, key);
    buf_put_str(j->out, value ? "true" : "false");
}

static void open_bracket(JsonPrinter *j, char bracket)
{
    if (!j->yaml) buf_put_u8(j->out, (uint8_t)bracket);
    j->depth++;
    j->first = true;
}

static void close_bracket(JsonPrinter *j, char bracket)
{
    j->depth--;
    j->first = false;
    if (j->yaml) return;
    new_line(j);
    buf_put_u8(j->out, (uint8_t)bracket);
}

/* The next member of a list, an object. */
static void open_item(JsonPrinter *j, bool first)
{
    if (!j->yaml && !first) buf_put_u8(j->out, ',');
    if (!j->yaml || j->depth > 1) new_line(j);
    if (!j->yaml) {
        open_bracket(j, '{');
        return;
    }
    buf_put_str(j->out, "- ");
    j->depth++;
    j->after_dash = true;
}

/* ---- nodes ---- */

static const char *node_type(const PrintNode *node)
{
    if (!node->plan) return "Result";
    if (node->is_filter) return "Filter";
    switch (node->plan->kind) {
    case PLAN_SCAN: {
        const PlanScan *scan = (const PlanScan *)node->plan;
        if (scan->spans.contradiction) return "Result";
        if (!scan->index->primary) return "Index Only Scan";
        return scan->spans.template_count ? "Index Scan" : "Seq Scan";
    }
    case PLAN_SKIP_SCAN: return "Skip Scan";
    case PLAN_DISTINCT_SCAN: return "Distinct Index Scan";
    case PLAN_MERGE_STREAMS: return "Merge Append";
    case PLAN_INDEX_JOIN: return "Index Join";
    case PLAN_SYSTEM: return "Virtual Table Scan";
    case PLAN_FUNCTION: return "Function Scan";
    case PLAN_VALUES: return "Values Scan";
    case PLAN_FILTER: return "Filter";
    case PLAN_PROJECT: return "Result";
    case PLAN_PROJECT_SET: return "ProjectSet";
    case PLAN_LIMIT: return "Limit";
    case PLAN_SORT:
    case PLAN_TOP_K: return "Sort";
    case PLAN_DISTINCT: return "Unique";
    case PLAN_HASH_JOIN: return "Hash Join";
    case PLAN_MERGE_JOIN: return "Merge Join";
    case PLAN_LOOKUP_JOIN: return "Lookup Join";
    case PLAN_NESTED_LOOP:
    case PLAN_APPLY: return "Nested Loop";
    case PLAN_AGGREGATE: return "Aggregate";
    case PLAN_WINDOW: return "WindowAgg";
    case PLAN_APPEND: return "Append";
    case PLAN_SET_OP: return "SetOp";
    case PLAN_WITH: return "Result";
    case PLAN_CTE: return "CTE Scan";
    case PLAN_WORKING_TABLE: return "WorkTable Scan";
    case PLAN_RECURSIVE: return "Recursive Union";
    case PLAN_LOCK: return "LockRows";
    case PLAN_INSERT:
    case PLAN_UPDATE:
    case PLAN_DELETE: return "ModifyTable";
    case PLAN_UTILITY: return "Utility";
    }
    return "Result";
}

static const char *join_type(JoinKind join)
{
    switch (join) {
    case JOIN_INNER: return "Inner";
    case JOIN_LEFT: return "Left";
    case JOIN_RIGHT: return "Right";
    case JOIN_FULL: return "Full";
    case JOIN_SEMI: return "Semi";
    case JOIN_ANTI: return "Anti";
    }
    return "Inner";
}

static void put_kind_fields(JsonPrinter *j, const Plan *plan)
{
    switch (plan->kind) {
    case PLAN_HASH_JOIN:
    case PLAN_MERGE_JOIN:
    case PLAN_NESTED_LOOP:
    case PLAN_APPLY: put_string(j, "Join Type", join_type(((const PlanJoin *)plan)->join)); return;
    case PLAN_LOOKUP_JOIN: put_string(j, "Join Type", join_type(((const PlanLookupJoin *)plan)->join)); return;
    case PLAN_SCAN:
    case PLAN_SKIP_SCAN:
    case PLAN_DISTINCT_SCAN:
    case PLAN_MERGE_STREAMS:
        put_string(j, "Scan Direction", ((const PlanScan *)plan)->descending ? "Backward" : "Forward");
        return;
    case PLAN_AGGREGATE: {
        const PlanAggregate *group = (const PlanAggregate *)plan;
        bool sorted = group->keys_ordered == group->key_count;
        put_string(j, "Strategy", group->scalar ? "Plain" : sorted ? "Sorted" : "Hashed");
        return;
    }
    case PLAN_INSERT: put_string(j, "Operation", "Insert"); return;
    case PLAN_UPDATE: put_string(j, "Operation", "Update"); return;
    case PLAN_DELETE: put_string(j, "Operation", "Delete"); return;
    case PLAN_INDEX_JOIN:
    case PLAN_SYSTEM:
    case PLAN_FUNCTION:
    case PLAN_VALUES:
    case PLAN_FILTER:
    case PLAN_PROJECT:
    case PLAN_PROJECT_SET:
    case PLAN_LIMIT:
    case PLAN_SORT:
    case PLAN_TOP_K:
    case PLAN_DISTINCT:
    case PLAN_WINDOW:
    case PLAN_APPEND:
    case PLAN_SET_OP:
    case PLAN_WITH:
    case PLAN_CTE:
    case PLAN_WORKING_TABLE:
    case PLAN_RECURSIVE:
    case PLAN_LOCK:
    case PLAN_UTILITY: return;
    }
}

static void put_actual(JsonPrinter *j, const Plan *plan)
{
    if (!j->options->actual) return;
    PlanActual actual = {0};
    j->options->actual(j->options->argument, plan, &actual);
    put_number(j, "Actual Startup Time", 0, 3);
    put_number(j, "Actual Total Time", actual.milliseconds, 3);
    put_number(j, "Actual Rows", actual.rows, 0);
    put_number(j, "Actual Loops", actual.loops, 0);
}

/* "KV pairs read" is "KV Pairs Read" here. */
static void put_field(JsonPrinter *j, const PrintField *field)
{
    char key[64];
    size_t size = 0;
    bool at_start = true;
    if (strcmp(field->key, "table") == 0 && field->value) {
        const char *at = strchr(field->value, '@');
        char table[256];
        size_t length = at ? (size_t)(at - field->value) : strlen(field->value);
        if (length >= sizeof table) length = sizeof table - 1;
        memcpy(table, field->value, length);
        table[length] = 0;
        put_string(j, "Relation Name", table);
        put_string(j, "Alias", table);
        if (at) put_string(j, "Index Name", at + 1);
        return;
    }
    for (const char *from = field->key; *from && size < sizeof key - 1; from++) {
        key[size++] = at_start ? (char)toupper((unsigned char)*from) : *from;
        at_start = *from == ' ';
    }
    key[size] = 0;
    if (field->value)
        put_string(j, key, field->value);
    else
        put_bool(j, key, true);
}

static void put_node(JsonPrinter *j, const PrintNode *node, const char *relationship)
{
    const Plan *plan = node->plan;
    put_string(j, "Node Type", node_type(node));
    if (relationship) put_string(j, "Parent Relationship", relationship);
    put_bool(j, "Parallel Aware", false);
    put_bool(j, "Async Capable", false);
    if (plan) {
        if (!node->is_filter) put_kind_fields(j, plan);
        put_number(j, "Startup Cost", 0, 2);
        put_number(j, "Total Cost", plan->cost, 2);
        put_number(j, "Plan Rows", plan->rows_estimated, 0);
        put_number(j, "Plan Width", 8 * plan->column_count, 0);
        put_actual(j, plan);
    }
    for (int i = 0; i < node->fields.count; i++) put_field(j, &node->fields.items[i]);
    if (node->children.count) {
        bool many = node->children.count > 2 || (plan && !node->is_filter && (plan->kind == PLAN_APPEND || plan->kind == PLAN_MERGE_STREAMS));
        put_key(j, "Plans");
        open_bracket(j, '[');
        for (int i = 0; i < node->children.count; i++) {
            open_item(j, i == 0);
            put_node(j, node->children.items[i], many ? "Member" : i ? "Inner" : "Outer");
        }
        close_bracket(j, ']');
    }
    close_bracket(j, '}');
}

Status plan_print_json(const PlannedStmt *planned, const PlanPrintOptions *options, Buf *out, Arena *arena, Error *err)
{
    PlanPrinter printer = {.options = options, .arena = arena};
    JsonPrinter j = {.options = options, .out = out, .yaml = options->yaml};
    PrintNode *tree = plan_print_whole(&printer, planned->plan);
    open_bracket(&j, '[');
    if (j.yaml) j.depth = 0;
    open_item(&j, true);
    put_key(&j, "Plan");
    open_bracket(&j, '{');
    put_node(&j, tree, NULL);
    if (options->actual) {
        put_number(&j, "Planning Time", options->planning_ms, 3);
        put_key(&j, "Triggers");
        open_bracket(&j, '[');
        close_bracket(&j, ']');
        put_number(&j, "Execution Time", options->execution_ms, 3);
    }
    close_bracket(&j, '}');
    close_bracket(&j, ']');
    return out->failed ? err_no_memory(err) : ST_OK;
}
