/* op_lookup_join.c - for each left row, the entries of an index that its values name.
 *
 * Where the key is the whole primary key the rows of a batch are fetched at once; otherwise each left row has a scan of its
 * own over the spans that its values make.
 */
#include <assert.h>

#include "executor/ops/join_pairs.h"
#include "executor/ops/key_spans.h"
#include "executor/ops/op_classes.h"
#include "executor/ops/scan_reader.h"

typedef struct OpLookupJoin {
    Op base;
    JoinPairs pairs;
    TableAccess *access;
    int *ordinals, fetched_count, key_column; /* key_column: of the right columns, the primary key bytes; -1 */
    bool by_key;          /* the spans are whole primary keys */
    Batch left;
    int left_next;
    Arena *row_arena;     /* spans and fetched values of the left rows in progress */
    /* By scan: */
    TableScan *scan;
    bool in_row;
    Value **vectors;
    Slice *keys;
    int rows, row_next;
    Value *right_row;
} OpLookupJoin;

enum { LOOKUP_ROWS = 64 };

/* One key per left row, not a list. */
static bool spans_are_single(const SpanTemplate *template)
{
    for (int i = 0; i < template->part_count; i++) {
        const SpanPart *part = &template->parts[i];
        if (part->kind == SPAN_POINTS && (part->value_count != 1 || part->array)) return false;
    }
    return true;
}

static Status lookup_init(OpLookupJoin *self)
{
    Op *op = &self->base;
    const PlanLookupJoin *plan = (const PlanLookupJoin *)op->plan;
    const Plan *left = op->plan->inputs[0];
    Arena *arena = op->exec->arena;
    self->access = table_access_create(plan->table, arena);
    self->ordinals = ARENA_ARRAY(arena, int, plan->right_count + 1);
    self->vectors = ARENA_ARRAY(arena, Value *, plan->right_count + 1);
    self->right_row = ARENA_ARRAY(arena, Value, plan->right_count + 1);
    self->keys = ARENA_ARRAY(arena, Slice, LOOKUP_ROWS);
    self->key_column = -1;
    for (int i = 0; i < plan->right_count; i++) {
        if (plan->ordinals[i] < 0)
            self->key_column = i;
        else {
            self->vectors[self->fetched_count] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
            self->ordinals[self->fetched_count++] = plan->ordinals[i];
        }
    }
    self->by_key = plan->spans.template_count == 1 && span_set_is_keys(&plan->spans) && self->key_column < 0 &&
                   spans_are_single(&plan->spans.templates[0]);
    JoinSides sides = {left->columns, plan->right_columns, left->column_count, plan->right_count};
    return join_pairs_init(&self->pairs, op, plan->join, &sides, plan->condition);
}

static Status lookup_open(Op *op)
{
    OpLookupJoin *self = (OpLookupJoin *)op;
    if (!self->access) TRY(lookup_init(self));
    self->left = (Batch){0};
    self->left_next = 0;
    self->in_row = false;
    self->scan = NULL;
    self->pairs.pairs = self->pairs.done_count = 0;
    self->row_arena = arena_create(op->arena, 0);
    return op_open_inputs(op);
}

static Status spans_of_row(OpLookupJoin *self, int row, KeySpanList *spans)
{
    Op *op = &self->base;
    const Plan *left = op->plan->inputs[0];
    const PlanLookupJoin *plan = (const PlanLookupJoin *)op->plan;
    for (int c = 0; c < left->column_count; c++) *exec_outer(op->exec, left->columns[c]) = &self->left.columns[c][row];
    return key_spans_expand(op->exec, self->access, &plan->spans, spans, self->row_arena);
}

/* ---- by key ---- */

/* Fetches for the next left rows, as many as fit, and pairs each with what was found. */
static Status fetch_rows(OpLookupJoin *self)
{
    Op *op = &self->base;
    int rows = batch_rows(&self->left) - self->left_next, count = 0;
    if (rows > self->pairs.capacity) rows = self->pairs.capacity;
    Slice *keys = ARENA_ARRAY(self->row_arena, Slice, rows + 1);
    int *key_of = ARENA_ARRAY(self->row_arena, int, rows + 1);
    bool *found = ARENA_ARRAY(self->row_arena, bool, rows + 1);
    for (int i = 0; i < rows; i++) {
        KeySpanList spans;
        TRY(spans_of_row(self, batch_row(&self->left, self->left_next + i), &spans));
        key_of[i] = spans.count ? count : -1;
        if (spans.count) keys[count++] = spans.spans[0].start;
    }
    TRY(row_fetch(self->access, op->exec->txn, keys, count, self->ordinals, self->fetched_count, self->vectors, found,
                  self->row_arena, op->exec->err));
    uint64_t matches = 0;
    for (int i = 0; i < count; i++) matches += found[i];
    index_count_reads(self->access, op->exec->txn, ((const PlanLookupJoin *)op->plan)->index, (uint64_t)count, matches);
    for (int i = 0; i < rows; i++) {
        int row = batch_row(&self->left, self->left_next + i), at = key_of[i];
        if (at >= 0 && found[at]) {
            for (int c = 0; c < self->fetched_count; c++) self->right_row[c] = self->vectors[c][at];
            join_pairs_add(&self->pairs, row, self->right_row, -1);
        }
        join_pairs_done(&self->pairs, row);
    }
    self->left_next += rows;
    return ST_OK;
}

/* ---- by scan ---- */

static Status start_scan(OpLookupJoin *self, int row)
{
    Op *op = &self->base;
    const PlanLookupJoin *plan = (const PlanLookupJoin *)op->plan;
    KeySpanList spans;
    TRY(spans_of_row(self, row, &spans));
    self->in_row = true;
    self->rows = self->row_next = 0;
    if (spans.count == 0) return ST_OK;
    TableScanOptions options = {.index = plan->index, .spans = spans.spans, .span_count = spans.count,
                                .columns = self->ordinals, .column_count = self->fetched_count,
                                .limit_hint = plan->key_unique ? 1 : 0, .want_keys = self->key_column >= 0};
    return table_scan_open(self->access, op->exec->txn, &options, &self->scan, self->row_arena, op->exec->err);
}

static void load_right(OpLookupJoin *self, int at)
{
    Op *op = &self->base;
    const PlanLookupJoin *plan = (const PlanLookupJoin *)op->plan;
    for (int c = 0, v = 0; c < plan->right_count; c++) {
        bool is_key = c == self->key_column;
        Value value = is_key ? value_slice(self->keys[at]) : self->vectors[v++][at];
        const TypeDef *type = is_key ? type_find(OID_BYTEA) : exec_type(plan->table->columns.items[plan->ordinals[c]].type.oid);
        /* Blocks of the scan are given back before the pairs are flushed. */
        self->right_row[c] = value.null ? VALUE_NULL : value_copy(type, value, op->batch_arena);
    }
}

/* Adds pairs of the left row until its entries end or the pairs are full. */
static Status scan_row(OpLookupJoin *self, int row, bool *ended)
{
    *ended = false;
    while (!join_pairs_full(&self->pairs)) {
        *ended = join_pairs_settled(&self->pairs, row) || !self->scan;
        if (*ended) return ST_OK;
        if (self->row_next < self->rows) {
            load_right(self, self->row_next++);
            join_pairs_add(&self->pairs, row, self->right_row, -1);
            continue;
        }
        self->row_next = self->rows = 0;
        Status st = table_scan_next(self->scan, self->vectors, self->keys, LOOKUP_ROWS, &self->rows, self->base.exec->err);
        if (st == ST_ERROR) return st;
        *ended = st == ST_END;
        if (*ended) return ST_OK;
    }
    return ST_OK;
}

static void end_scan(OpLookupJoin *self)
{
    if (self->scan) table_scan_close(self->scan);
    self->scan = NULL;
    self->in_row = false;
}

static Status scan_rows(OpLookupJoin *self)
{
    while (self->left_next < batch_rows(&self->left) && !join_pairs_full(&self->pairs)) {
        int row = batch_row(&self->left, self->left_next);
        bool ended;
        if (!self->in_row) TRY(start_scan(self, row));
        TRY(scan_row(self, row, &ended));
        if (!ended) return ST_OK;
        end_scan(self);
        join_pairs_done(&self->pairs, row);
        self->left_next++;
    }
    return ST_OK;
}

static Status lookup_next(Op *op, Batch *batch)
{
    OpLookupJoin *self = (OpLookupJoin *)op;
    for (;;) {
        if (self->left_next >= batch_rows(&self->left)) {
            TRY(op_next(op->inputs[0], &self->left));
            self->left_next = 0;
            join_pairs_begin(&self->pairs, &self->left);
        }
        if (!self->in_row) arena_reset(self->row_arena);
        join_pairs_grow(&self->pairs);
        TRY(self->by_key ? fetch_rows(self) : scan_rows(self));
        TRY(join_pairs_flush(&self->pairs, batch));
        if (batch->selected_count > 0) return ST_OK;
    }
}

static void lookup_close(Op *op)
{
    OpLookupJoin *self = (OpLookupJoin *)op;
    end_scan(self);
    join_pairs_close(&self->pairs);
}

const OpClass op_lookup_join_class = {"lookup join", sizeof(OpLookupJoin), lookup_open, lookup_next, NULL, lookup_close};
