/* op_sort.c - ORDER BY, and its first k rows.
 *
 * Where the input comes ordered by the leading keys already, it is sorted in pieces: rows are read up to a place where
 * those keys change, sorted and handed out, before more is read. Below a LIMIT the rest is then never read.
 */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"
#include "executor/sorter.h"

typedef struct OpSort {
    Op base;
    SorterKey *keys;
    Sorter *sorter;   /* of the piece; NULL: the input has not been read yet */
    Arena *piece;     /* what one piece needs */
    Batch in;         /* the input's batch in use, from in_next on */
    int in_next;
    Value *last;      /* the leading keys of the row taken last */
    int64_t limit, returned; /* limit < 0: none */
    bool input_done;
} OpSort;

static Status sort_open(Op *op)
{
    OpSort *self = (OpSort *)op;
    const PlanSort *plan = (const PlanSort *)op->plan;
    self->sorter = NULL;
    self->piece = arena_create(op->arena, 0);
    self->in = (Batch){0};
    self->in_next = 0;
    self->input_done = false;
    self->returned = 0;
    self->limit = -1;
    if (!self->keys) self->keys = sorter_keys(op->plan->inputs[0], plan->keys, plan->key_count, op->exec->arena);
    self->last = ARENA_ARRAY(op->arena, Value, plan->keys_already_ordered + 1);
    if (plan->k) {
        Value k;
        TRY(eval_single(op->exec, plan->k, &k, op->arena));
        if (!k.null) self->limit = k.i;
    }
    return op_open_inputs(op);
}

static Status sort_whole(OpSort *self)
{
    Op *op = &self->base;
    Batch batch;
    Status st;
    while ((st = op_next(op->inputs[0], &batch)) == ST_OK) TRY(sorter_add(self->sorter, &batch));
    self->input_done = true;
    return st == ST_END ? ST_OK : st;
}

/* ---- pieces ---- */

static bool starts_new(const OpSort *self, int row)
{
    const PlanSort *plan = (const PlanSort *)self->base.plan;
    for (int i = 0; i < plan->keys_already_ordered; i++) {
        SorterKey key = self->keys[i];
        Value v = self->in.columns[key.column][row];
        key.column = 0;
        if (sorter_compare(&key, 1, &self->last[i], &v) != 0) return true;
    }
    return false;
}

static void remember(OpSort *self, int row)
{
    const PlanSort *plan = (const PlanSort *)self->base.plan;
    for (int i = 0; i < plan->keys_already_ordered; i++) {
        Value v = self->in.columns[self->keys[i].column][row];
        self->last[i] = v.null ? VALUE_NULL : value_copy(self->keys[i].type, v, self->piece);
    }
}

/* The rows of the batch in use that still belong to the piece; *ended: the first row behind it was seen. */
static Status take_rows(OpSort *self, int64_t wanted, int64_t *taken, bool *ended)
{
    int rows = batch_rows(&self->in), count = 0;
    int *selected = ARENA_ARRAY(self->piece, int, rows + 1);
    for (; self->in_next < rows; self->in_next++) {
        int row = batch_row(&self->in, self->in_next);
        *ended = *taken + count >= wanted && starts_new(self, row);
        if (*ended) break;
        selected[count++] = row;
        /* What comes before is compared with nothing. */
        if (*taken + count >= wanted) remember(self, row);
    }
    if (count == 0) return ST_OK;
    *taken += count;
    Batch part = self->in;
    part.selected = selected;
    part.selected_count = count;
    return sorter_add(self->sorter, &part);
}

/* At least as many rows as are likely to be wanted, up to where the leading keys change. */
static Status sort_piece(OpSort *self)
{
    Op *op = &self->base;
    int64_t wanted = BATCH_ROWS_MAX, taken = 0;
    bool ended = false;
    if (op->rows_wanted) wanted = op->rows_wanted;
    if (self->limit >= 0 && self->limit - self->returned < wanted) wanted = self->limit - self->returned;
    if (wanted < 1) wanted = 1;
    while (!ended && !self->input_done) {
        if (self->in_next >= batch_rows(&self->in)) {
            int64_t more = wanted > taken ? wanted - taken + 1 : BATCH_ROWS_FIRST;
            op->inputs[0]->rows_wanted = more < BATCH_ROWS_MAX ? (int)more : BATCH_ROWS_MAX;
            Status st = op_next(op->inputs[0], &self->in);
            self->in_next = 0;
            if (st == ST_ERROR) return st;
            self->input_done = st == ST_END;
            if (self->input_done) break;
        }
        TRY(take_rows(self, wanted, &taken, &ended));
    }
    return taken ? ST_OK : ST_END;
}

static Status sort_next_piece(OpSort *self)
{
    Op *op = &self->base;
    const PlanSort *plan = (const PlanSort *)op->plan;
    if (self->input_done && self->sorter) return ST_END;
    if (self->limit >= 0 && self->returned >= self->limit && self->sorter) return ST_END;
    arena_reset(self->piece);
    int64_t limit = self->limit < 0 ? -1 : self->limit - self->returned;
    self->sorter = sorter_create(op->exec, op->plan->inputs[0], self->keys, plan->key_count, limit, self->piece);
    Status st = plan->keys_already_ordered ? sort_piece(self) : sort_whole(self);
    if (st != ST_OK) return st;
    st = sorter_finish(self->sorter);
    op->stats->spill_bytes += sorter_spilled(self->sorter);
    return st;
}

static Status sort_next(Op *op, Batch *batch)
{
    OpSort *self = (OpSort *)op;
    for (;;) {
        if (self->sorter) {
            Status st = sorter_next(self->sorter, batch);
            if (st == ST_OK) self->returned += batch_rows(batch);
            if (st != ST_END) return st;
        }
        TRY(sort_next_piece(self));
    }
}

const OpClass op_sort_class = {"sort", sizeof(OpSort), sort_open, sort_next, NULL, NULL};
const OpClass op_top_k_class = {"top-k", sizeof(OpSort), sort_open, sort_next, NULL, NULL};
