/* op_hash_join.c - the right side in a hash table, the left side looked up in it. */
#include <assert.h>

#include "executor/ops/join_pairs.h"
#include "executor/ops/op_classes.h"
#include "executor/value_set.h"

typedef struct OpHashJoin {
    Op base;
    JoinPairs pairs;
    int *left_keys, *right_keys;
    bool *null_safe;          /* per key: NULL equals NULL */
    int key_count;
    const TypeDef **key_types, **right_types;
    ValueSet *table;          /* distinct keys of the right side */
    VEC(int) heads, next;     /* chains of right rows: by key number, by row number; -1 ends */
    VEC(int) tails;
    VEC(Value *) rows;        /* of the right side */
    bool right_has_null_key, built;
    Value *key;
    Batch left;
    int left_next;            /* the row in progress */
    int candidate;            /* its next right row; -2: not looked up yet */
    bool left_ended;
    int right_next;           /* RIGHT, FULL: the next row to be tested for having matched */
} OpHashJoin;

static Status hash_init(OpHashJoin *self)
{
    Op *op = &self->base;
    const PlanJoin *plan = (const PlanJoin *)op->plan;
    const Plan *left = op->plan->inputs[0], *right = op->plan->inputs[1];
    Arena *arena = op->exec->arena;
    self->key_count = plan->key_count;
    self->left_keys = ARENA_ARRAY(arena, int, plan->key_count + 1);
    self->right_keys = ARENA_ARRAY(arena, int, plan->key_count + 1);
    self->null_safe = ARENA_ARRAY(arena, bool, plan->key_count + 1);
    self->key_types = ARENA_ARRAY(arena, const TypeDef *, plan->key_count + 1);
    self->key = ARENA_ARRAY(arena, Value, plan->key_count + 1);
    self->right_types = op_types(right, arena);
    for (int i = 0; i < plan->key_count; i++) {
        self->left_keys[i] = op_column(left, plan->left_keys[i]);
        self->right_keys[i] = op_column(right, plan->right_keys[i]);
        assert(self->left_keys[i] >= 0 && self->right_keys[i] >= 0);
        self->null_safe[i] = plan->key_ops && plan->key_ops[i] == COMPARE_NE;
        self->key_types[i] = exec_type(right->types[self->right_keys[i]].oid);
    }
    JoinSides sides = {left->columns, right->columns, left->column_count, right->column_count};
    return join_pairs_init(&self->pairs, op, plan->join, &sides, plan->condition);
}

static Status hash_open(Op *op)
{
    OpHashJoin *self = (OpHashJoin *)op;
    if (!self->key) TRY(hash_init(self));
    self->built = self->right_has_null_key = self->left_ended = false;
    memset(&self->heads, 0, sizeof self->heads);
    memset(&self->tails, 0, sizeof self->tails);
    memset(&self->next, 0, sizeof self->next);
    memset(&self->rows, 0, sizeof self->rows);
    self->left = (Batch){0};
    self->left_next = self->right_next = 0;
    self->candidate = -2;
    self->pairs.pairs = self->pairs.done_count = 0;
    self->pairs.right_matched = NULL;
    return op_open_inputs(op);
}

/* ---- building ---- */

/* False: a NULL that equals nothing is among the keys. */
static bool load_key(OpHashJoin *self, Value *const *columns, int row, const int *places)
{
    for (int i = 0; i < self->key_count; i++) {
        self->key[i] = columns[places[i]][row];
        if (self->key[i].null && !self->null_safe[i]) return false;
    }
    return true;
}

static void build_row(OpHashJoin *self, const Batch *in, int row)
{
    Op *op = &self->base;
    int columns = op->plan->inputs[1]->column_count, number = self->rows.count;
    Value *copy = ARENA_ARRAY(op->arena, Value, columns + 1);
    for (int c = 0; c < columns; c++) {
        Value v = in->columns[c][row];
        copy[c] = v.null ? VALUE_NULL : value_copy(self->right_types[c], v, op->arena);
    }
    VEC_PUSH(op->arena, self->rows, copy);
    VEC_PUSH(op->arena, self->next, -1);
    if (!load_key(self, in->columns, row, self->right_keys)) {
        self->right_has_null_key = true;
        return;
    }
    bool added;
    int key = value_set_put(self->table, self->key, &added);
    if (added) {
        VEC_PUSH(op->arena, self->heads, number);
        VEC_PUSH(op->arena, self->tails, number);
        return;
    }
    self->next.items[self->tails.items[key]] = number;
    self->tails.items[key] = number;
}

static Status build(OpHashJoin *self)
{
    Op *op = &self->base;
    Batch in;
    Status st;
    self->table = value_set_create(op->arena, self->key_types, self->key_count);
    while ((st = op_next(op->inputs[1], &in)) == ST_OK)
        for (int i = 0; i < batch_rows(&in); i++) build_row(self, &in, batch_row(&in, i));
    if (st == ST_ERROR) return st;
    op_close(op->inputs[1]);
    if (self->pairs.kind == JOIN_RIGHT || self->pairs.kind == JOIN_FULL)
        self->pairs.right_matched = ARENA_ARRAY(op->arena, bool, self->rows.count + 1);
    self->built = true;
    return ST_OK;
}

/* ---- probing ---- */

/* NOT IN: a NULL anywhere makes the answer unknown, so the row is not returned; with nothing to compare it is. */
static bool null_aware_drops(OpHashJoin *self, bool key_is_null)
{
    const PlanJoin *plan = (const PlanJoin *)self->base.plan;
    if (!plan->null_aware || self->rows.count == 0) return false;
    return self->right_has_null_key || key_is_null;
}

static void look_up(OpHashJoin *self, int row)
{
    bool usable = load_key(self, self->left.columns, row, self->left_keys);
    int key = usable ? value_set_find(self->table, self->key) : -1;
    self->candidate = key < 0 ? -1 : self->heads.items[key];
    if (null_aware_drops(self, !usable)) {
        self->candidate = -1;
        self->pairs.left_matched[row] = true;
    }
}

static void probe(OpHashJoin *self)
{
    int rows = batch_rows(&self->left);
    while (self->left_next < rows && !join_pairs_full(&self->pairs)) {
        int row = batch_row(&self->left, self->left_next);
        if (self->candidate == -2) look_up(self, row);
        while (self->candidate >= 0 && !join_pairs_full(&self->pairs)) {
            if (join_pairs_settled(&self->pairs, row)) {
                self->candidate = -1;
                break;
            }
            join_pairs_add(&self->pairs, row, self->rows.items[self->candidate], self->candidate);
            self->candidate = self->next.items[self->candidate];
        }
        if (self->candidate >= 0 || join_pairs_full(&self->pairs)) return;
        join_pairs_done(&self->pairs, row);
        self->left_next++;
        self->candidate = -2;
    }
}

static Status right_rest(OpHashJoin *self, Batch *batch)
{
    Value *rows[BATCH_ROWS_MAX];
    int count = 0;
    if (!self->pairs.right_matched) return ST_END;
    for (; self->right_next < self->rows.count && count < BATCH_ROWS_MAX; self->right_next++)
        if (!self->pairs.right_matched[self->right_next]) rows[count++] = self->rows.items[self->right_next];
    if (count == 0) return ST_END;
    join_pairs_right_only(&self->pairs, rows, count, batch);
    return ST_OK;
}

static Status hash_next(Op *op, Batch *batch)
{
    OpHashJoin *self = (OpHashJoin *)op;
    if (!self->built) TRY(build(self));
    for (;;) {
        if (self->left_ended) return right_rest(self, batch);
        if (self->left_next >= batch_rows(&self->left)) {
            Status st = op_next(op->inputs[0], &self->left);
            if (st == ST_ERROR) return st;
            if (st == ST_END) {
                self->left_ended = true;
                self->left = (Batch){0};
                continue;
            }
            self->left_next = 0;
            join_pairs_begin(&self->pairs, &self->left);
        }
        join_pairs_grow(&self->pairs);
        probe(self);
        TRY(join_pairs_flush(&self->pairs, batch));
        if (batch->selected_count > 0) return ST_OK;
    }
}

static void hash_close(Op *op)
{
    join_pairs_close(&((OpHashJoin *)op)->pairs);
}

const OpClass op_hash_join_class = {"hash join", sizeof(OpHashJoin), hash_open, hash_next, NULL, hash_close};
