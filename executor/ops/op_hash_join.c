/* op_hash_join.c - the right side in a hash table, the left side looked up in it.
 *
 * A right side that outgrows work_mem is put aside by the hash of its keys, the left side likewise, and then the parts are
 * joined pair by pair; a pair whose right part is still too large is cut again.
 */
#include <assert.h>

#include "executor/ops/join_pairs.h"
#include "executor/ops/op_classes.h"
#include "executor/spill.h"
#include "executor/value_set.h"

/* Parts with the same keys; one of them may be NULL: no rows. */
typedef struct PartPair {
    struct PartPair *next;
    SpillPart *left, *right;
} PartPair;

typedef struct OpHashJoin {
    Op base;
    JoinPairs pairs;
    int *left_keys, *right_keys;
    bool *null_safe;          /* per key: NULL equals NULL */
    int key_count;
    const TypeDef **key_types, **right_types, **left_types;
    Arena *arena;             /* of the table and the rows of the right side, or of a part of it */
    SpillSource left_source;
    PartPair *pairs_left;     /* to be joined */
    PartPair *current;        /* NULL: the inputs themselves */
    int64_t right_row_count;  /* in all */
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
    self->left_types = op_types(left, arena);
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

/* Forgets the table and what was found in it. */
static void table_clear(OpHashJoin *self)
{
    arena_destroy(self->arena);
    self->arena = arena_create(self->base.arena, 0);
    self->table = value_set_create(self->arena, self->key_types, self->key_count);
    memset(&self->heads, 0, sizeof self->heads);
    memset(&self->tails, 0, sizeof self->tails);
    memset(&self->next, 0, sizeof self->next);
    memset(&self->rows, 0, sizeof self->rows);
    self->left = (Batch){0};
    self->left_next = self->right_next = 0;
    self->candidate = -2;
    self->left_ended = false;
    self->pairs.right_matched = NULL;
}

static Status hash_open(Op *op)
{
    OpHashJoin *self = (OpHashJoin *)op;
    if (!self->key) TRY(hash_init(self));
    self->built = self->right_has_null_key = false;
    self->right_row_count = 0;
    self->pairs_left = self->current = NULL;
    self->arena = NULL;
    table_clear(self);
    self->pairs.pairs = self->pairs.done_count = 0;
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
    int columns = self->base.plan->inputs[1]->column_count, number = self->rows.count;
    Value *copy = ARENA_ARRAY(self->arena, Value, columns + 1);
    for (int c = 0; c < columns; c++) {
        Value v = in->columns[c][row];
        copy[c] = v.null ? VALUE_NULL : value_copy(self->right_types[c], v, self->arena);
    }
    VEC_PUSH(self->arena, self->rows, copy);
    VEC_PUSH(self->arena, self->next, -1);
    if (!load_key(self, in->columns, row, self->right_keys)) {
        self->right_has_null_key = true;
        return;
    }
    bool added;
    int key = value_set_put(self->table, self->key, &added);
    if (added) {
        VEC_PUSH(self->arena, self->heads, number);
        VEC_PUSH(self->arena, self->tails, number);
        return;
    }
    self->next.items[self->tails.items[key]] = number;
    self->tails.items[key] = number;
}

/* A row whose key equals nothing may go anywhere. */
static uint64_t key_hash(const OpHashJoin *self, bool usable)
{
    return usable ? value_tuple_hash(self->key_types, self->key_count, self->key) : 0;
}

static Status put_batch_aside(OpHashJoin *self, Spill *spill, const Batch *in, const int *keys)
{
    Value *row = ARENA_ARRAY(self->base.batch_arena, Value, in->column_count + 1);
    for (int i = 0; i < batch_rows(in); i++) {
        int at = batch_row(in, i);
        bool usable = load_key(self, in->columns, at, keys);
        if (!usable && keys == self->right_keys) self->right_has_null_key = true;
        for (int c = 0; c < in->column_count; c++) row[c] = in->columns[c][at];
        TRY(spill_add(spill, key_hash(self, usable), row));
    }
    arena_reset(self->base.batch_arena);
    return ST_OK;
}

/* What the table holds already. */
static Status put_table_aside(OpHashJoin *self, Spill *spill)
{
    for (int i = 0; i < self->rows.count; i++) {
        Value *row = self->rows.items[i];
        bool usable = true;
        for (int k = 0; k < self->key_count && usable; k++) {
            self->key[k] = row[self->right_keys[k]];
            usable = !self->key[k].null || self->null_safe[k];
        }
        TRY(spill_add(spill, key_hash(self, usable), row));
    }
    table_clear(self);
    return ST_OK;
}

static void push_pairs(OpHashJoin *self, Spill *left, Spill *right)
{
    for (int i = 0; i < SPILL_PARTS; i++) {
        if (!left->parts[i] && !right->parts[i]) continue;
        PartPair *pair = ARENA_NEW(self->base.arena, PartPair);
        *pair = (PartPair){self->pairs_left, left->parts[i], right->parts[i]};
        self->pairs_left = pair;
    }
}

/* Reads the right source into the table. If it outgrows its memory, both sources go to parts instead, and nothing is left
 * of them: *spilled. */
static Status build(OpHashJoin *self, SpillSource *right, int level, bool *spilled)
{
    Op *op = &self->base;
    const Plan *const *inputs = (const Plan *const *)op->plan->inputs;
    Spill *spill = NULL;
    Batch in;
    Status st;
    while ((st = spill_source_next(right, &in)) == ST_OK) {
        if (!self->current) self->right_row_count += batch_rows(&in);
        if (spill) {
            TRY(put_batch_aside(self, spill, &in, self->right_keys));
            continue;
        }
        for (int i = 0; i < batch_rows(&in); i++) build_row(self, &in, batch_row(&in, i));
        if (level == SPILL_LEVEL_MAX || arena_bytes(self->arena) <= op->exec->work_mem_bytes) continue;
        spill = spill_create(op->exec, self->right_types, inputs[1]->column_count, level, op->arena);
        TRY(put_table_aside(self, spill));
    }
    if (st == ST_ERROR) return st;
    *spilled = spill != NULL;
    if (!spill) return ST_OK;
    Spill *left = spill_create(op->exec, self->left_types, inputs[0]->column_count, level, op->arena);
    while ((st = spill_source_next(&self->left_source, &in)) == ST_OK)
        TRY(put_batch_aside(self, left, &in, self->left_keys));
    if (st == ST_ERROR) return st;
    TRY(spill_end(spill, &op->stats->spill_bytes));
    TRY(spill_end(left, &op->stats->spill_bytes));
    push_pairs(self, left, spill);
    return ST_OK;
}

/* The next pair whose right part fits. ST_END: none is left. */
static Status build_pair(OpHashJoin *self)
{
    for (bool spilled = true; spilled;) {
        if (self->current) {
            spill_part_free(self->current->left);
            spill_part_free(self->current->right);
        }
        PartPair *pair = self->current = self->pairs_left;
        if (!pair) return ST_END;
        self->pairs_left = pair->next;
        table_clear(self);
        self->left_source = spill_source_part(pair->left);
        SpillSource right = spill_source_part(pair->right);
        int level = pair->right ? pair->right->level : pair->left->level;
        TRY(build(self, &right, level, &spilled));
    }
    return ST_OK;
}

static Status build_first(OpHashJoin *self)
{
    Op *op = &self->base;
    bool spilled;
    SpillSource right = spill_source_op(op->inputs[1]);
    self->left_source = spill_source_op(op->inputs[0]);
    TRY(build(self, &right, 0, &spilled));
    op_close(op->inputs[1]);
    self->built = true;
    return spilled ? build_pair(self) : ST_OK;
}

/* ---- probing ---- */

/* NOT IN: a NULL anywhere makes the answer unknown, so the row is not returned; with nothing to compare it is. */
static bool null_aware_drops(OpHashJoin *self, bool key_is_null)
{
    const PlanJoin *plan = (const PlanJoin *)self->base.plan;
    if (!plan->null_aware || self->right_row_count == 0) return false;
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
    if (self->pairs.kind != JOIN_RIGHT && self->pairs.kind != JOIN_FULL) return ST_END;
    for (; self->right_next < self->rows.count && count < BATCH_ROWS_MAX; self->right_next++)
        if (!self->pairs.right_matched[self->right_next]) rows[count++] = self->rows.items[self->right_next];
    if (count == 0) return ST_END;
    join_pairs_right_only(&self->pairs, rows, count, batch);
    return ST_OK;
}

static Status next_left(OpHashJoin *self)
{
    Status st = spill_source_next(&self->left_source, &self->left);
    if (st == ST_ERROR) return st;
    self->left_next = 0;
    if (st == ST_OK)
        join_pairs_begin(&self->pairs, &self->left);
    else
        self->left = (Batch){0};
    self->left_ended = st == ST_END;
    return ST_OK;
}

static Status hash_next(Op *op, Batch *batch)
{
    OpHashJoin *self = (OpHashJoin *)op;
    if (!self->built) TRY(build_first(self));
    for (;;) {
        if (!self->pairs.right_matched && (self->pairs.kind == JOIN_RIGHT || self->pairs.kind == JOIN_FULL))
            self->pairs.right_matched = ARENA_ARRAY(self->arena, bool, self->rows.count + 1);
        if (self->left_ended) {
            Status st = right_rest(self, batch);
            if (st != ST_END) return st;
            TRY(self->pairs_left ? build_pair(self) : ST_END);
            continue;
        }
        if (self->left_next >= batch_rows(&self->left)) {
            TRY(next_left(self));
            if (self->left_ended) continue;
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
