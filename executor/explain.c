/* explain.c - EXPLAIN and EXPLAIN ANALYZE: header lines, the plan's tree, and what really happened per node. */
#include <assert.h>
#include <inttypes.h>

#include "executor/constraint/constraint.h"
#include "executor/eval.h"
#include "executor/ops/key_spans.h"
#include "executor/utility_run.h"
#include "planner/settings.h"
#include "planner/utility_keyspace.h"
#include "storage/base/clock.h"
#include "storage/base/log.h"
#include "storage/range/range.h"

typedef void (*FieldFn)(void *print, const char *key, const char *value);

typedef struct Explain {
    Portal *portal;
    const UtilityExplain *u;
    const PlannedStmt *stmt; /* the explained statement: of EXECUTE the prepared one */
    const Value *params;
    Exec *exec; /* of the explained statement; NULL: it does not run */
    bool generic; /* the plan is that of a prepared statement */
    bool steady; /* what differs from run to run is left out */
    Arena *arena;
    Error *err;
    Status status;
    uint64_t planning_ns, execution_ns;
} Explain;

/* ---- numbers as people read them ---- */

static const char *grouped(Arena *arena, uint64_t n)
{
    char digits[32], out[48];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n), to = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out[to++] = ',';
        out[to++] = digits[i];
    }
    return arena_strndup(arena, out, (size_t)to);
}

static const char *bytes_text(Arena *arena, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double n = (double)bytes;
    int unit = 0;
    for (; n >= 1024 && unit < 4; unit++) n /= 1024;
    return arena_printf(arena, unit > 0 && n < 10 ? "%.1f %s" : "%.0f %s", n, units[unit]);
}

static const char *duration_text(Arena *arena, uint64_t ns)
{
    uint64_t us = (ns + 500) / 1000;
    if (us < 1000) return arena_printf(arena, "%" PRIu64 "µs", us);
    if (us < 1000000) return arena_printf(arena, "%" PRIu64 "ms", (us + 500) / 1000);
    if (us < 60000000) return arena_printf(arena, "%.1fs", (double)us / 1e6);
    return arena_printf(arena, "%" PRIu64 "m%02" PRIu64 "s", us / 60000000, us / 1000000 % 60);
}

/* ---- lines ---- */

static void put_line(void *argument, const char *text)
{
    Explain *x = argument;
    Value row = value_str(text);
    if (x->status == ST_OK) x->status = row_store_add(x->portal->store, &row);
}

static void put_header(Explain *x, const char *key, const char *value)
{
    put_line(x, arena_printf(x->arena, "%s: %s", key, value));
}

/* ---- per-node statistics ---- */

static bool reads_store(PlanKind kind)
{
    return kind == PLAN_SCAN || kind == PLAN_SKIP_SCAN || kind == PLAN_DISTINCT_SCAN || kind == PLAN_MERGE_STREAMS || kind == PLAN_INDEX_JOIN ||
           kind == PLAN_LOOKUP_JOIN;
}

/* The node's own share: what it booked less what its inputs did. */
static TxnCounters own_counters(const Explain *x, const Plan *plan)
{
    TxnCounters own = x->exec->stats[plan->number].kv;
    for (int i = 0; i < plan->input_count; i++) {
        const TxnCounters *input = &x->exec->stats[plan->inputs[i]->number].kv;
        own.seeks -= input->seeks;
        own.gets -= input->gets;
        own.pairs_read -= input->pairs_read;
        own.bytes_read -= input->bytes_read;
        own.blocks -= input->blocks;
    }
    return own;
}

static uint64_t own_time(const Explain *x, const Plan *plan)
{
    uint64_t own = x->exec->stats[plan->number].time_ns, below = 0;
    for (int i = 0; i < plan->input_count; i++) below += x->exec->stats[plan->inputs[i]->number].time_ns;
    return own > below ? own - below : 0;
}

static void store_fields(Explain *x, const Plan *plan, FieldFn field, void *print)
{
    TxnCounters own = own_counters(x, plan);
    if (!x->steady) field(print, "KV time", duration_text(x->arena, own_time(x, plan)));
    field(print, "KV rows decoded", grouped(x->arena, own.pairs_read));
    if (x->u->verbose || own.pairs_read != x->exec->stats[plan->number].rows)
        field(print, "KV pairs read", grouped(x->arena, own.pairs_read));
    field(print, "KV bytes read", bytes_text(x->arena, own.bytes_read));
    field(print, "KV gRPC calls", grouped(x->arena, own.blocks + own.gets));
}

static int node_count(const Explain *x)
{
    return directory_node_count(store_directory(x->portal->session->server->store));
}

/* Nodes that answered; an operator that books none ran where the one node is. */
static const char *nodes_text(Explain *x, uint64_t nodes)
{
    if (node_count(x) == 1 || !nodes) return "n1";
    Buf text = {0};
    for (int node = 0; node < 64; node++)
        if (nodes >> node & 1) buf_printf(&text, "%sn%d", text.size ? ", " : "", node + 1);
    buf_put_str(&text, " (simulated)");
    const char *copy = buf_to_str(&text, x->arena);
    buf_finish(&text);
    return copy;
}

static void ranges_field(Explain *x, const OpStats *stats, FieldFn field, void *print)
{
    if (stats->ranges == 0) return;
    if (x->steady) {
        field(print, "ranges", grouped(x->arena, stats->ranges));
        return;
    }
    Buf text = {0};
    buf_printf(&text, "%" PRIu64 " (", stats->ranges);
    for (uint64_t i = 0; i < stats->ranges && i < 16; i++)
        buf_printf(&text, "%sr%" PRId64, i ? ", " : "", stats->range_ids[i]);
    buf_put_str(&text, stats->ranges > 16 ? ", …)" : ")");
    field(print, "ranges", buf_to_str(&text, x->arena));
    buf_finish(&text);
}

/* rowkey's own fields come last, so that readers of CockroachDB's find theirs where they expect them. */
static void rowkey_fields(Explain *x, const Plan *plan, FieldFn field, void *print)
{
    const OpStats *stats = &x->exec->stats[plan->number];
    if (reads_store(plan->kind)) field(print, "seeks", grouped(x->arena, own_counters(x, plan).seeks));
    if (stats->streams) field(print, "streams", grouped(x->arena, stats->streams));
    if (stats->prefixes) field(print, "prefixes skipped", grouped(x->arena, stats->prefixes));
    ranges_field(x, stats, field, print);
    if (stats->hops && node_count(x) > 1)
        field(print, "node hops", arena_printf(x->arena, "%s (simulated)", grouped(x->arena, stats->hops)));
}

static void node_stats(void *argument, const Plan *plan, FieldFn field, void *print)
{
    Explain *x = argument;
    const OpStats *stats = &x->exec->stats[plan->number];
    field(print, "sql nodes", "n1");
    if (reads_store(plan->kind)) field(print, "kv nodes", nodes_text(x, stats->nodes));
    field(print, "actual row count", grouped(x->arena, stats->rows));
    if (x->u->verbose) field(print, "vectorized batch count", grouped(x->arena, stats->batches));
    if (reads_store(plan->kind)) store_fields(x, plan, field, print);
    if (!x->steady) field(print, "estimated max memory allocated", bytes_text(x->arena, stats->memory_max));
    if (stats->spill_bytes) field(print, "estimated max sql temp disk usage", bytes_text(x->arena, stats->spill_bytes));
    if (!x->steady) field(print, "sql cpu time", duration_text(x->arena, own_time(x, plan)));
    rowkey_fields(x, plan, field, print);
}

/* ---- running ---- */

static Status run_to_end(Explain *x, Op *op)
{
    Batch batch;
    Status st = op_open(op);
    while (st == ST_OK) st = op_next(op, &batch);
    if (st == ST_END && constraints_finish(x->exec) != ST_OK) st = ST_ERROR;
    if (st == ST_ERROR) session_keep_error(x->portal->session, x->err); /* the operators hold its texts */
    op_close(op);
    return st == ST_END ? ST_OK : st;
}

static Status analyze(Explain *x)
{
    Portal *p = x->portal;
    SessionState *s = p->session;
    if (!p->statement_begun) TRY(txn_state_statement(s, x->err));
    p->statement_begun = false;
    TxnMark mark = txn_savepoint(s->txn);
    for (;;) {
        Op *op;
        x->exec = exec_create(&s->session, x->stmt, p->arena);
        x->exec->timing = true;
        x->exec->temp_directory = s->server->temp_directory;
        exec_start(x->exec, s->txn, x->params, x->err);
        TRY(op_build(x->exec, x->stmt->plan, &op));
        uint64_t start = clock_monotonic_ns();
        Status st = run_to_end(x, op);
        x->execution_ns = clock_monotonic_ns() - start;
        if (st != ST_ERROR || !x->exec->retry_statement) return st;
        TRY(txn_state_retry_statement(s, mark, x->err));
    }
}

static const char *isolation_word(TxnIsolation isolation)
{
    switch (isolation) {
    case TXN_READ_COMMITTED: return "read committed";
    case TXN_REPEATABLE_READ: return "repeatable read";
    case TXN_SERIALIZABLE: return "serializable";
    }
    return "";
}

static void analyze_header(Explain *x)
{
    const OpStats *root = &x->exec->stats[x->stmt->plan->number];
    uint64_t memory = 0, spilled = 0;
    for (int i = 0; i < x->stmt->plan_count; i++) {
        memory += x->exec->stats[i].memory_max;
        spilled += x->exec->stats[i].spill_bytes;
    }
    if (!x->steady) {
        put_header(x, "planning time", duration_text(x->arena, x->planning_ns));
        put_header(x, "execution time", duration_text(x->arena, x->execution_ns));
    }
    put_header(x, "distribution", "local");
    put_header(x, "vectorized", "true");
    put_header(x, "plan type", x->generic ? "generic, reused" : "custom");
    put_header(x, "rows decoded from KV",
               arena_printf(x->arena, "%s (%s, %s gRPC calls)", grouped(x->arena, root->kv.pairs_read),
                            bytes_text(x->arena, root->kv.bytes_read),
                            grouped(x->arena, root->kv.blocks + root->kv.gets)));
    if (!x->steady) put_header(x, "maximum memory usage", bytes_text(x->arena, memory));
    if (spilled) put_header(x, "max sql temp disk usage", bytes_text(x->arena, spilled));
    if (root->kv.pairs_written)
        put_header(x, "KV pairs written", grouped(x->arena, root->kv.pairs_written));
    put_header(x, "isolation level", isolation_word(x->portal->session->isolation));
}

static void node_actual(void *argument, const Plan *plan, PlanActual *actual)
{
    const Explain *x = argument;
    const OpStats *stats = &x->exec->stats[plan->number];
    *actual = (PlanActual){(double)stats->rows, (double)stats->opens, x->steady ? 0 : (double)stats->time_ns / 1e6};
}

static PlanPrintOptions print_options(Explain *x)
{
    PlanPrintOptions options = {.verbose = x->u->verbose, .types = x->u->types, .analyze = x->u->analyze,
                                .yaml = x->u->format == EXPLAIN_YAML, .steady = x->steady};
    Exec *spans = x->exec;
    if (!spans) {
        spans = exec_create(&x->portal->session->session, x->stmt, x->arena);
        exec_start(spans, x->portal->session->txn, x->params, x->err);
    }
    if (x->u->analyze) {
        options.stats = node_stats;
        options.actual = node_actual;
        options.argument = x;
    }
    options.eval = key_spans_eval;
    options.eval_argument = spans;
    return options;
}

static Status explain_json(Explain *x)
{
    Buf out = {0};
    PlanPrintOptions options = print_options(x);
    options.planning_ms = (double)x->planning_ns / 1e6;
    options.execution_ms = (double)x->execution_ns / 1e6;
    Status st = plan_print_json(x->stmt, &options, &out, x->arena, x->err);
    if (st == ST_OK) put_line(x, buf_to_str(&out, x->arena));
    buf_finish(&out);
    return st == ST_OK ? x->status : st;
}

/* EXPLAIN (DIST): YugabyteDB's summary. */
static void storage_lines(Explain *x)
{
    const TxnCounters *kv = &x->exec->stats[x->stmt->plan->number].kv;
    put_line(x, "");
    put_header(x, "Storage Read Requests", grouped(x->arena, kv->blocks + kv->gets));
    put_header(x, "Storage Rows Scanned", grouped(x->arena, kv->pairs_read));
    put_header(x, "Catalog Read Requests", "0");
    put_header(x, "Storage Write Requests", grouped(x->arena, kv->pairs_written));
}

static Status explain_text(Explain *x)
{
    if (x->u->analyze) {
        analyze_header(x);
    } else {
        put_header(x, "distribution", "local");
        put_header(x, "vectorized", "true");
    }
    put_line(x, "");
    PlanPrintOptions options = print_options(x);
    TRY(plan_print(x->stmt, &options, put_line, x, x->arena, x->err));
    if (x->u->dist && x->exec) storage_lines(x);
    return x->status;
}

/* ---- EXECUTE ---- */

/* The prepared statement's plan, with the values given. */
static Status show_prepared(Explain *x, const UtilityExecute *execute)
{
    Stmt *stmt;
    Value *params;
    TRY(prepare_execute(x->portal, execute, &stmt, &params, x->err));
    if (!stmt->parsed || stmt->planned.plan->kind == PLAN_UTILITY)
        return err_unsupported(x->err, state_error_arena(x->portal->session), "EXPLAIN EXECUTE of this statement");
    TRY(plan_choice(stmt, params, &x->stmt, x->arena, x->err));
    x->generic = x->stmt == &stmt->planned;
    x->params = params;
    x->planning_ns = stmt->planning_ns;
    return ST_OK;
}

static Status explain_opt(Explain *x)
{
    PlanPrintOptions options = print_options(x);
    plan_print_opt(x->stmt, &options, (LineSink){put_line, x}, x->arena);
    return x->status;
}

static Status explain_format(Explain *x)
{
    switch (x->u->format) {
    case EXPLAIN_TEXT: return explain_text(x);
    case EXPLAIN_JSON:
    case EXPLAIN_YAML: return explain_json(x);
    case EXPLAIN_OPT: return explain_opt(x);
    }
    return ST_OK;
}

/* ---- log_min_duration_statement ---- */

static void log_line(void *argument, const char *text)
{
    if (*text) log_write(LOG_INFO, "%s%s", (const char *)argument, text);
}

void explain_log(Portal *p, uint64_t taken_ns)
{
    static const char indent[] = "    ";
    static const UtilityExplain how = {.analyze = true};
    Error err = {0};
    Arena *arena = arena_create(NULL, 0);
    Explain x = {.portal = p, .u = &how, .arena = arena, .err = &err, .stmt = p->exec->planned, .params = p->params,
                 .exec = p->exec};
    PlanPrintOptions options = print_options(&x);
    /* Of a Query message the whole text, as PostgreSQL logs it: its rest begins behind this statement already. */
    const char *text = p->stmt->text ? p->stmt->text : p->session->query_origin;
    log_write(LOG_INFO, "duration: %.3f ms  statement: %s", (double)taken_ns / 1e6, text ? text : p->stmt->planned.tag);
    void *prefix;
    memcpy(&prefix, &(const char *){indent}, sizeof prefix);
    if (plan_print(x.stmt, &options, log_line, prefix, arena, &err) != ST_OK) log_write(LOG_INFO, "%s(no plan)", indent);
    arena_destroy(arena);
}

/* ---- SPLIT AT ---- */

/* A child's tree: its first line hangs on the node above. */
typedef struct ChildLines {
    Explain *x;
    bool begun;
} ChildLines;

static void put_child_line(void *argument, const char *text)
{
    ChildLines *child = argument;
    put_line(child->x, arena_printf(child->x->arena, "%s%s", child->begun ? "    " : "└── ", text));
    child->begun = true;
}

static Status explain_split(Explain *x, const UtilitySplitAt *u)
{
    const char *expiry = u->expiration ? expr_text(u->expiration, x->arena) : "CAST(NULL AS STRING)";
    put_header(x, "distribution", "local");
    put_header(x, "vectorized", "true");
    put_line(x, "");
    put_line(x, "• split");
    put_line(x, arena_printf(x->arena, "│ index: %s@%s", u->table->base.name, u->index->name));
    put_line(x, arena_printf(x->arena, "│ expiry: %s", expiry));
    put_line(x, "│");
    ChildLines child = {x, false};
    x->stmt = u->query;
    PlanPrintOptions options = print_options(x);
    TRY(plan_print(u->query, &options, put_child_line, &child, x->arena, x->err));
    return x->status;
}

Status explain_run(Portal *p, const UtilityExplain *u, Error *err)
{
    Explain x = {.portal = p, .u = u, .arena = p->arena, .err = err, .stmt = u->stmt, .params = p->params};
    x.steady = setting_bool(p->session->session.settings, SETTING_yb_explain_hide_non_deterministic_fields);
    TRY(portal_store_create(p, p->columns, p->column_count, err));
    if (u->keys) return explain_keys(p, u, err);
    if (p->stmt) x.planning_ns = p->stmt->planning_ns;
    const PlanUtility *utility = (const PlanUtility *)u->stmt->plan;
    if (u->stmt->plan->kind == PLAN_UTILITY && utility->utility == UTILITY_EXECUTE) {
        TRY(show_prepared(&x, (const UtilityExecute *)utility));
    } else if (u->stmt->plan->kind == PLAN_UTILITY) {
        if (u->analyze) return err_unsupported(err, state_error_arena(p->session), "EXPLAIN ANALYZE of this statement");
        if (utility->utility == UTILITY_SPLIT_AT && u->format == EXPLAIN_TEXT)
            return explain_split(&x, (const UtilitySplitAt *)utility);
        put_line(&x, ((const PlanUtility *)u->stmt->plan)->tag);
        return x.status;
    }
    if (u->analyze) TRY(analyze(&x));
    return explain_format(&x);
}
