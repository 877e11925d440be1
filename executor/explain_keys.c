/* explain_keys.c - EXPLAIN (KEYS): the pairs that a statement would write, or the spans that it would read.
 *
 * A statement that writes is run to its end under a savepoint, each put and delete is noted as the transaction gets it,
 * and everything is undone. Sequences answer what would come next without moving. Nothing of it is visible to others but
 * the locks, which an explicit transaction keeps until it ends. A statement that only reads is not run.
 */
#include <inttypes.h>

#include "executor/constraint/constraint.h"
#include "executor/ops/key_spans.h"
#include "executor/system/key_names.h"
#include "executor/utility_run.h"
#include "storage/range/range.h"
#include "storage/types/type_json.h"

enum { KEY_FIELDS_MAX = 9, ROWS_PER_RESET = 256 };

typedef struct KeyListing {
    Portal *portal;
    const UtilityExplain *u;
    Arena *arena; /* texts of rows; emptied now and then while a statement runs */
    KeyNamer namer;
    Error *err;
    Status status;
    Buf json; /* the rows so far */
    int rows;
} KeyListing;

/* ---- rows ---- */

static const char *const written_names[] = {"operation", "table_name", "index_name", "key", "value", "range_id", "node",
                                            "key_bytes", "value_bytes"};
static const char *const read_names[] = {"operation", "table_name", "index_name", "span", "start_key", "end_key",
                                         "range_id", "node"};

static void put_hex(Slice bytes, Buf *out)
{
    buf_put_str(out, "\"\\\\x");
    for (size_t i = 0; i < bytes.size; i++) buf_printf(out, "%02x", bytes.data[i]);
    buf_put_u8(out, '"');
}

static void put_json_row(KeyListing *l, const char *const *names, const Value *row, int count)
{
    buf_put_str(&l->json, l->rows ? ", {" : "{");
    for (int i = 0; i < count; i++) {
        bool number = strcmp(names[i], "range_id") == 0 || strcmp(names[i], "node") == 0;
        buf_printf(&l->json, "%s\"%s\": ", i ? ", " : "", names[i]);
        if (row[i].null) buf_put_str(&l->json, "null");
        else if (number) buf_printf(&l->json, "%" PRId64, row[i].i);
        else if (strstr(names[i], "_bytes")) put_hex(value_to_slice(row[i]), &l->json);
        else json_put_string(value_to_slice(row[i]), &l->json);
    }
    buf_put_u8(&l->json, '}');
}

static void put_row(KeyListing *l, const char *const *names, const Value *row, int count)
{
    if (l->status != ST_OK) return;
    if (l->u->format == EXPLAIN_JSON) put_json_row(l, names, row, count);
    else l->status = row_store_add(l->portal->store, row);
    l->rows++;
}

static Value text_or_null(const char *text)
{
    return text ? value_str(text) : VALUE_NULL;
}

/* ---- what is written ---- */

/* A delete of what is not there is no pair. */
static bool deletes_nothing(KeyListing *l, Slice key)
{
    bool found = false;
    Slice value;
    if (l->status == ST_OK) l->status = txn_get(l->portal->session->txn, key, &found, &value, l->err);
    return !found;
}

static void note_write(void *argument, Slice key, const Slice *value)
{
    KeyListing *l = argument;
    KeyName name;
    RangeDesc range;
    if (!value && deletes_nothing(l, key)) return;
    if (l->rows % ROWS_PER_RESET == 0) {
        arena_reset(l->arena);
        l->namer.table = NULL;
    }
    key_name(&l->namer, key, value, &name);
    directory_find(store_directory(l->portal->session->server->store), key, &range, l->arena);
    const PairContents *c = &name.contents;
    Value row[KEY_FIELDS_MAX] = {
        value_str(value ? "put" : "delete"),
        text_or_null(name.table ? name.table->base.name : NULL),
        text_or_null(name.index ? name.index->name : NULL),
        value_str(name.pretty),
        text_or_null(value && name.table ? key_name_columns(&l->namer, name.table, c->value, c->value_count) : NULL),
        value_int(range.id),
        value_int(range.lease_holder ? range.lease_holder : 1),
        value_slice(key),
        value ? value_slice(*value) : VALUE_NULL,
    };
    put_row(l, written_names, row, KEY_FIELDS_MAX);
}

static Status run_watched(KeyListing *l, Exec *exec, TxnMark mark)
{
    Op *op;
    Batch batch;
    Session *session = &l->portal->session->session;
    Txn *txn = l->portal->session->txn;
    TRY(op_build(exec, l->u->stmt->plan, &op));
    session->rehearsal = arena_create(NULL, 0);
    session->rehearsed_values = NULL;
    txn_watch(txn, note_write, l);
    Status st = op_open(op);
    while (st == ST_OK) st = op_next(op, &batch);
    if (st == ST_END && constraints_finish(exec) != ST_OK) st = ST_ERROR;
    if (st == ST_ERROR) session_keep_error(l->portal->session, l->err); /* the operators hold its texts */
    op_close(op);
    txn_watch(txn, NULL, NULL);
    arena_destroy(session->rehearsal);
    session->rehearsal = NULL;
    session->rehearsed_values = NULL;
    if (st == ST_END) txn_rollback_to(txn, mark);
    return st == ST_END ? l->status : st;
}

static Status list_writes(KeyListing *l)
{
    Portal *p = l->portal;
    SessionState *s = p->session;
    TxnMark mark = txn_savepoint(s->txn);
    for (;;) {
        Exec *exec = exec_create(&s->session, l->u->stmt, p->arena);
        exec->temp_directory = s->server->temp_directory;
        exec_start(exec, s->txn, p->params, l->err);
        Status st = run_watched(l, exec, mark);
        if (st == ST_ERROR && p->around) p->around->retry_statement |= exec->retry_statement;
        if (st != ST_ERROR || !exec->retry_statement || p->around) return st;
        TRY(txn_state_retry_statement(s, mark, l->err));
        row_store_clear(p->store);
        buf_clear(&l->json);
        l->rows = 0;
    }
}

/* ---- what is read ---- */

/* One scan; its spans are known, or the whole index may be read. */
typedef struct ScanKeys {
    Exec *exec;
    TableAccess *access;
    const TableDesc *table;
    const IndexDesc *index;
    const char *operation;
} ScanKeys;

static const char *key_text_of(KeyListing *l, Slice key)
{
    KeyName name;
    key_name(&l->namer, key, NULL, &name);
    return name.pretty;
}

static void put_read(KeyListing *l, const ScanKeys *scan, const char *span, const KeySpan *keys, const RangeDesc *range)
{
    bool clip_start = range && slice_compare(keys->start, range->start) < 0;
    bool clip_end = range && slice_compare(range->end, keys->end) < 0;
    Value row[] = {
        value_str(scan->operation),
        value_str(scan->table->base.name),
        value_str(scan->index->name),
        text_or_null(span),
        range ? value_str(key_text_of(l, clip_start ? range->start : keys->start)) : VALUE_NULL,
        range ? value_str(key_text_of(l, clip_end ? range->end : keys->end)) : VALUE_NULL,
        range ? value_int(range->id) : VALUE_NULL,
        range ? value_int(range->lease_holder ? range->lease_holder : 1) : VALUE_NULL,
    };
    put_row(l, read_names, row, sizeof row / sizeof *row);
}

/* A row per range that the span touches. */
static void put_span(KeyListing *l, const ScanKeys *scan, const char *text, const KeySpan *keys)
{
    RangeDesc *ranges;
    Directory *directory = store_directory(l->portal->session->server->store);
    int count = directory_list(directory, keys->start, keys->end, &ranges, l->arena);
    for (int i = 0; i < count; i++) put_read(l, scan, text, keys, &ranges[i]);
}

static const char *buf_text(KeyListing *l, Buf *text)
{
    const char *copy = buf_to_str(text, l->arena);
    buf_finish(text);
    return copy;
}

static void put_whole_index(KeyListing *l, const ScanKeys *scan, const char *text)
{
    Buf start = {0}, end = {0};
    index_span(scan->table->base.id, scan->index->id, &start, &end);
    KeySpan keys = {arena_slice(l->arena, buf_slice(&start)), arena_slice(l->arena, buf_slice(&end))};
    buf_finish(&start);
    buf_finish(&end);
    put_span(l, scan, text, &keys);
}

static const char *template_texts(KeyListing *l, const SpanSet *set)
{
    Buf text = {0};
    for (int t = 0; t < set->template_count; t++) {
        if (t) buf_put_u8(&text, ' ');
        span_print_template(set, &set->templates[t], &text, l->arena);
    }
    return buf_text(l, &text);
}

static Status list_scan(KeyListing *l, ScanKeys *scan, const PlanScan *plan)
{
    const SpanSet *set = plan->prefix_spans.template_count ? &plan->prefix_spans : &plan->spans;
    LogicalSpan *spans;
    int count;
    scan->access = table_access_create(plan->table, l->portal->arena);
    if (set->contradiction) return ST_OK;
    if (set->template_count == 0) return put_whole_index(l, scan, "FULL SCAN"), ST_OK;
    /* What is stepped over is seen only while it runs: what bounds it is listed. */
    if (plan->base.kind == PLAN_SKIP_SCAN && !plan->prefix_spans.template_count) return put_whole_index(l, scan, template_texts(l, set)), ST_OK;
    if (!span_set_is_known(set)) {
        put_read(l, scan, template_texts(l, set), NULL, NULL);
        return ST_OK;
    }
    TRY(span_expand(set, key_spans_eval, scan->exec, &spans, &count, l->portal->arena, l->err));
    for (int i = 0; i < count; i++) {
        Buf text = {0};
        KeySpan keys;
        TRY(key_span_encode(scan->exec, scan->access, set->index, &spans[i], &keys, l->portal->arena));
        span_print(set, &spans[i], &text);
        const char *copy = buf_text(l, &text);
        if (slice_compare(keys.start, keys.end) < 0) put_span(l, scan, copy, &keys);
    }
    return ST_OK;
}

static Status list_node(KeyListing *l, Exec *exec, const Plan *plan)
{
    if (plan->kind == PLAN_SCAN || plan->kind == PLAN_SKIP_SCAN || plan->kind == PLAN_MERGE_STREAMS) {
        const PlanScan *p = (const PlanScan *)plan;
        const char *word = plan->kind == PLAN_SKIP_SCAN ? "skip scan" : p->descending ? "revscan" : "scan";
        ScanKeys scan = {.exec = exec, .table = p->table, .index = p->index, .operation = word};
        return list_scan(l, &scan, p);
    }
    if (plan->kind == PLAN_INDEX_JOIN) {
        const TableDesc *table = ((const PlanIndexJoin *)plan)->table;
        ScanKeys scan = {.exec = exec, .table = table, .index = table_primary(table), .operation = "index join"};
        put_read(l, &scan, NULL, NULL, NULL);
    }
    if (plan->kind == PLAN_LOOKUP_JOIN) {
        const PlanLookupJoin *p = (const PlanLookupJoin *)plan;
        ScanKeys scan = {.exec = exec, .table = p->table, .index = p->index, .operation = "lookup join"};
        put_read(l, &scan, template_texts(l, &p->spans), NULL, NULL);
    }
    return ST_OK;
}

static void list_reads(KeyListing *l, Exec *exec, Plan *plan);

typedef struct SubqueryReads {
    KeyListing *listing;
    Exec *exec;
} SubqueryReads;

static bool list_subquery(const Expr *e, void *argument)
{
    SubqueryReads *reads = argument;
    if (e->kind == EXPR_SUBQUERY && ((const ExprSubquery *)e)->plan)
        list_reads(reads->listing, reads->exec, ((const ExprSubquery *)e)->plan);
    return true;
}

static void list_subqueries(Expr **slot, void *argument)
{
    expr_walk(*slot, list_subquery, argument);
}

/* What feeds a node comes before it, and what its expressions read before that. */
static void list_reads(KeyListing *l, Exec *exec, Plan *plan)
{
    const PlanWith *with = plan->kind == PLAN_WITH ? (const PlanWith *)plan : NULL;
    SubqueryReads reads = {l, exec};
    for (int i = 0; with && i < with->cte_count; i++) list_reads(l, exec, with->plans[i]);
    for (int i = 0; i < plan->input_count; i++) list_reads(l, exec, plan->inputs[i]);
    plan_each_expr(plan, list_subqueries, &reads);
    if (l->status == ST_OK) l->status = list_node(l, exec, plan);
}

/* ---- both ---- */

static Status list_keys(KeyListing *l)
{
    Portal *p = l->portal;
    SessionState *s = p->session;
    if (!p->statement_begun) TRY(txn_state_statement(s, l->err));
    p->statement_begun = false;
    if (!l->u->stmt->read_only) return list_writes(l);
    Exec *exec = exec_create(&s->session, l->u->stmt, p->arena);
    exec_start(exec, s->txn, p->params, l->err);
    list_reads(l, exec, l->u->stmt->plan);
    return l->status;
}

Status explain_keys(Portal *p, const UtilityExplain *u, Error *err)
{
    Arena *errors = state_error_arena(p->session);
    if (u->analyze) return err_unsupported(err, errors, "EXPLAIN (KEYS) with ANALYZE");
    if (u->stmt->plan->kind == PLAN_UTILITY) return err_unsupported(err, errors, "EXPLAIN (KEYS) of this statement");
    if (p->session->session.rehearsal) return err_unsupported(err, errors, "EXPLAIN (KEYS) within EXPLAIN (KEYS)");
    KeyListing l = {.portal = p, .u = u, .arena = arena_create(p->arena, 0), .err = err};
    l.namer = (KeyNamer){.session = &p->session->session, .arena = l.arena};
    Status st = list_keys(&l);
    if (st == ST_OK && u->format == EXPLAIN_JSON) {
        Value row = value_str(arena_printf(p->arena, "[%s]", buf_to_str(&l.json, p->arena)));
        st = row_store_add(p->store, &row);
    }
    buf_finish(&l.json);
    return st;
}
