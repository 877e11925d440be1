/* op_merge_join.c - both sides in the order of the keys, walked side by side.
 *
 * For each left row the right rows of its key - the group - are kept, as the next left row may have the same key.
 */
#include <assert.h>

#include "executor/ops/join_pairs.h"
#include "executor/ops/op_classes.h"
#include "executor/sorter.h"

typedef struct OpMergeJoin {
    Op base;
    bool initialised;
    JoinPairs pairs;
    int *left_keys, *right_keys, key_count;
    SorterKey *order;            /* over a key tuple */
    const TypeDef **right_types;
    Batch left, right;
    int left_next, right_next;
    bool left_ended, right_ended, in_row;
    Arena *group_arena;
    VEC(Value *) group;          /* right rows of one key */
    VEC(bool) group_matched;
    Value *group_key, *left_key, *right_key;
    bool has_group;
    int group_next;
    VEC(Value *) unmatched;      /* RIGHT, FULL: right rows that found nobody, to be handed out */
    int unmatched_next;
    Arena *unmatched_arena;
} OpMergeJoin;

static Status merge_init(OpMergeJoin *self)
{
    Op *op = &self->base;
    const PlanJoin *plan = (const PlanJoin *)op->plan;
    const Plan *left = op->plan->inputs[0], *right = op->plan->inputs[1];
    Arena *arena = op->exec->arena;
    int n = self->key_count = plan->key_count;
    self->left_keys = ARENA_ARRAY(arena, int, n + 1);
    self->right_keys = ARENA_ARRAY(arena, int, n + 1);
    self->order = ARENA_ARRAY(arena, SorterKey, n + 1);
    self->group_key = ARENA_ARRAY(arena, Value, n + 1);
    self->left_key = ARENA_ARRAY(arena, Value, n + 1);
    self->right_key = ARENA_ARRAY(arena, Value, n + 1);
    self->right_types = op_types(right, arena);
    for (int i = 0; i < n; i++) {
        self->left_keys[i] = op_column(left, plan->left_keys[i]);
        self->right_keys[i] = op_column(right, plan->right_keys[i]);
        bool descending = plan->key_descending && plan->key_descending[i];
        bool nulls_first = i < left->order_count ? left->order[i].nulls_first : descending;
        self->order[i] = (SorterKey){i, descending, nulls_first, exec_type(left->types[self->left_keys[i]].oid)};
    }
    self->initialised = true;
    JoinSides sides = {left->columns, right->columns, left->column_count, right->column_count};
    return join_pairs_init(&self->pairs, op, plan->join, &sides, plan->condition);
}

static Status merge_open(Op *op)
{
    OpMergeJoin *self = (OpMergeJoin *)op;
    if (!self->initialised) TRY(merge_init(self));
    self->left = self->right = (Batch){0};
    self->left_next = self->right_next = self->group_next = self->unmatched_next = 0;
    self->left_ended = self->right_ended = self->in_row = self->has_group = false;
    self->group_arena = arena_create(op->arena, 0);
    self->unmatched_arena = arena_create(op->arena, 0);
    memset(&self->group, 0, sizeof self->group);
    memset(&self->group_matched, 0, sizeof self->group_matched);
    memset(&self->unmatched, 0, sizeof self->unmatched);
    self->pairs.pairs = self->pairs.done_count = 0;
    return op_open_inputs(op);
}

static bool keeps_right(const OpMergeJoin *self)
{
    return self->pairs.kind == JOIN_RIGHT || self->pairs.kind == JOIN_FULL;
}

static Value *copy_right(OpMergeJoin *self, int row, Arena *arena)
{
    Value *copy = ARENA_ARRAY(arena, Value, self->pairs.right_count + 1);
    for (int c = 0; c < self->pairs.right_count; c++) {
        Value v = self->right.columns[c][row];
        copy[c] = v.null ? VALUE_NULL : value_copy(self->right_types[c], v, arena);
    }
    return copy;
}

/* The right row in front, its key in right_key; *ended if there is none. */
static Status peek_right(OpMergeJoin *self, int *row, bool *ended)
{
    Op *op = &self->base;
    while (!self->right_ended && self->right_next >= batch_rows(&self->right)) {
        Status st = op_next(op->inputs[1], &self->right);
        if (st == ST_ERROR) return st;
        self->right_ended = st == ST_END;
        self->right_next = 0;
    }
    *ended = self->right_ended;
    if (*ended) return ST_OK;
    *row = batch_row(&self->right, self->right_next);
    for (int i = 0; i < self->key_count; i++) self->right_key[i] = self->right.columns[self->right_keys[i]][*row];
    return ST_OK;
}

static bool has_null(const Value *key, int count)
{
    for (int i = 0; i < count; i++)
        if (key[i].null) return true;
    return false;
}

static void skip_right(OpMergeJoin *self, int row)
{
    if (keeps_right(self))
        VEC_PUSH(self->unmatched_arena, self->unmatched, copy_right(self, row, self->unmatched_arena));
    self->right_next++;
}

/* Right rows of the group that met nobody join those to be handed out. */
static void end_group(OpMergeJoin *self)
{
    for (int i = 0; keeps_right(self) && i < self->group.count; i++) {
        if (self->group_matched.items[i]) continue;
        Value *copy = ARENA_ARRAY(self->unmatched_arena, Value, self->pairs.right_count + 1);
        for (int c = 0; c < self->pairs.right_count; c++) {
            Value v = self->group.items[i][c];
            copy[c] = v.null ? VALUE_NULL : value_copy(self->right_types[c], v, self->unmatched_arena);
        }
        VEC_PUSH(self->unmatched_arena, self->unmatched, copy);
    }
    arena_reset(self->group_arena);
    memset(&self->group, 0, sizeof self->group);
    memset(&self->group_matched, 0, sizeof self->group_matched);
    self->has_group = false;
}

/* Reads the right rows of left_key into the group, past smaller ones. */
static Status load_group(OpMergeJoin *self)
{
    int row;
    bool ended;
    for (;;) {
        TRY(peek_right(self, &row, &ended));
        if (ended) break;
        int order = sorter_compare(self->order, self->key_count, self->right_key, self->left_key);
        if (order > 0) break;
        if (order < 0 || has_null(self->right_key, self->key_count)) {
            skip_right(self, row);
            continue;
        }
        VEC_PUSH(self->group_arena, self->group, copy_right(self, row, self->group_arena));
        VEC_PUSH(self->group_arena, self->group_matched, false);
        self->right_next++;
    }
    for (int i = 0; i < self->key_count; i++) {
        Value v = self->left_key[i];
        self->group_key[i] = v.null ? VALUE_NULL : value_copy(self->order[i].type, v, self->group_arena);
    }
    self->has_group = true;
    return ST_OK;
}

static bool group_fits(const OpMergeJoin *self)
{
    return self->has_group && sorter_compare(self->order, self->key_count, self->group_key, self->left_key) == 0;
}

/* Pairs of one left row. The group may be replaced only when no pair that borrows from it waits. */
static Status merge_row(OpMergeJoin *self, int row, bool *ended)
{
    *ended = false;
    if (!self->in_row) {
        for (int i = 0; i < self->key_count; i++) self->left_key[i] = self->left.columns[self->left_keys[i]][row];
        bool null = has_null(self->left_key, self->key_count);
        if (!null && !group_fits(self)) {
            if (self->pairs.pairs > 0) return ST_OK;
            end_group(self);
            TRY(load_group(self));
        }
        self->in_row = true;
        self->group_next = null ? self->group.count : 0;
    }
    while (self->group_next < self->group.count && !join_pairs_full(&self->pairs) && !join_pairs_settled(&self->pairs, row)) {
        join_pairs_add(&self->pairs, row, self->group.items[self->group_next], self->group_next);
        self->group_next++;
    }
    *ended = (self->group_next >= self->group.count || join_pairs_settled(&self->pairs, row)) &&
             !join_pairs_full(&self->pairs);
    return ST_OK;
}

static Status merge_batch(OpMergeJoin *self, Batch *batch)
{
    join_pairs_grow(&self->pairs);
    while (self->left_next < batch_rows(&self->left)) {
        int row = batch_row(&self->left, self->left_next);
        bool ended;
        TRY(merge_row(self, row, &ended));
        if (!ended) break;
        join_pairs_done(&self->pairs, row);
        self->left_next++;
        self->in_row = false;
    }
    self->pairs.right_matched = keeps_right(self) ? self->group_matched.items : NULL;
    return join_pairs_flush(&self->pairs, batch);
}

static Status right_only(OpMergeJoin *self, Batch *batch)
{
    int count = self->unmatched.count - self->unmatched_next;
    if (count > BATCH_ROWS_MAX) count = BATCH_ROWS_MAX;
    join_pairs_right_only(&self->pairs, self->unmatched.items + self->unmatched_next, count, batch);
    self->unmatched_next += count;
    return ST_OK;
}

static Status drain_right(OpMergeJoin *self)
{
    int row;
    bool ended = false;
    end_group(self);
    while (keeps_right(self) && !ended && self->unmatched.count - self->unmatched_next < BATCH_ROWS_MAX) {
        TRY(peek_right(self, &row, &ended));
        if (!ended) skip_right(self, row);
    }
    return ST_OK;
}

static Status merge_next(Op *op, Batch *batch)
{
    OpMergeJoin *self = (OpMergeJoin *)op;
    for (;;) {
        if (self->left_ended) {
            TRY(drain_right(self));
            return self->unmatched_next < self->unmatched.count ? right_only(self, batch) : ST_END;
        }
        if (self->left_next >= batch_rows(&self->left)) {
            Status st = op_next(op->inputs[0], &self->left);
            if (st == ST_ERROR) return st;
            self->left_ended = st == ST_END;
            if (self->left_ended) continue;
            self->left_next = 0;
            join_pairs_begin(&self->pairs, &self->left);
        }
        TRY(merge_batch(self, batch));
        if (batch->selected_count > 0) return ST_OK;
    }
}

static void merge_close(Op *op)
{
    join_pairs_close(&((OpMergeJoin *)op)->pairs);
}

const OpClass op_merge_join_class = {"merge join", sizeof(OpMergeJoin), merge_open, merge_next, NULL, merge_close};
