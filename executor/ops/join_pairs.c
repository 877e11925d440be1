#include "executor/ops/join_pairs.h"

#include <assert.h>

enum { PAIRS_FIRST = 32 };

static void make_room(JoinPairs *jp, int rows)
{
    Arena *arena = jp->op->exec->arena;
    jp->capacity = rows;
    for (int c = 0; c < jp->left_count + jp->right_count; c++) jp->vectors[c] = ARENA_ARRAY(arena, Value, 2 * rows);
    jp->pair_left = ARENA_ARRAY(arena, int, rows);
    jp->pair_right = ARENA_ARRAY(arena, int, rows);
    jp->done = ARENA_ARRAY(arena, int, rows);
    jp->done_at = ARENA_ARRAY(arena, int, rows);
}

Status join_pairs_init(JoinPairs *jp, Op *op, JoinKind kind, const JoinSides *sides, Expr *condition)
{
    Arena *arena = op->exec->arena;
    int columns = sides->left_count + sides->right_count;
    *jp = (JoinPairs){.op = op, .kind = kind, .left_count = sides->left_count, .right_count = sides->right_count};
    jp->vectors = ARENA_ARRAY(arena, Value *, columns + 1);
    jp->left_matched = ARENA_ARRAY(arena, bool, BATCH_ROWS_MAX);
    make_room(jp, PAIRS_FIRST);
    if (!condition) return ST_OK;
    ColId *ids = ARENA_ARRAY(arena, ColId, columns + 1);
    memcpy(ids, sides->left, sizeof(ColId) * (size_t)sides->left_count);
    memcpy(ids + sides->left_count, sides->right, sizeof(ColId) * (size_t)sides->right_count);
    return eval_compile(op->exec, &condition, 1, ids, columns, &jp->condition);
}

void join_pairs_close(JoinPairs *jp)
{
    eval_close(jp->condition);
}

void join_pairs_begin(JoinPairs *jp, const Batch *left)
{
    assert(jp->pairs == 0 && jp->done_count == 0 && left->row_count <= BATCH_ROWS_MAX);
    jp->left = *left;
    memset(jp->left_matched, 0, sizeof(bool) * (size_t)left->row_count);
}

static void put_left(JoinPairs *jp, int at, int left_row)
{
    for (int c = 0; c < jp->left_count; c++) jp->vectors[c][at] = jp->left.columns[c][left_row];
}

void join_pairs_add(JoinPairs *jp, int left_row, const Value *right, int right_number)
{
    assert(jp->pairs < jp->capacity);
    int at = jp->pairs++;
    jp->pair_left[at] = left_row;
    jp->pair_right[at] = right_number;
    put_left(jp, at, left_row);
    for (int c = 0; c < jp->right_count; c++) jp->vectors[jp->left_count + c][at] = right[c];
    if (!jp->condition) jp->left_matched[left_row] = true;
}

void join_pairs_done(JoinPairs *jp, int left_row)
{
    assert(jp->done_count < jp->capacity);
    jp->done[jp->done_count] = left_row;
    jp->done_at[jp->done_count++] = jp->pairs;
}

static bool kind_keeps_left(JoinKind kind)
{
    return kind == JOIN_LEFT || kind == JOIN_FULL;
}

/* What the end of a left row adds to the output: -1 nothing, else a row of the vectors or, for semi and anti, of the batch. */
static int row_at_end(JoinPairs *jp, int left_row)
{
    bool matched = jp->left_matched[left_row];
    if (jp->kind == JOIN_SEMI) return matched ? left_row : -1;
    if (jp->kind == JOIN_ANTI) return matched ? -1 : left_row;
    if (!kind_keeps_left(jp->kind) || matched) return -1;
    int at = jp->pairs + jp->extra++;
    put_left(jp, at, left_row);
    for (int c = 0; c < jp->right_count; c++) jp->vectors[jp->left_count + c][at] = VALUE_NULL;
    return at;
}

static Status test_pairs(JoinPairs *jp, bool *passed)
{
    memset(passed, !jp->condition, sizeof(bool) * (size_t)(jp->pairs + 1));
    if (jp->condition && jp->pairs > 0) {
        Batch batch = {.columns = jp->vectors, .column_count = jp->left_count + jp->right_count, .row_count = jp->pairs};
        int *selected = ARENA_ARRAY(jp->op->batch_arena, int, jp->pairs), count;
        TRY(eval_filter(jp->condition, &batch, jp->op->batch_arena, selected, &count));
        for (int i = 0; i < count; i++) passed[selected[i]] = true;
    }
    for (int i = 0; i < jp->pairs; i++) {
        if (!passed[i]) continue;
        jp->left_matched[jp->pair_left[i]] = true;
        if (jp->right_matched && jp->pair_right[i] >= 0) jp->right_matched[jp->pair_right[i]] = true;
    }
    return ST_OK;
}

Status join_pairs_flush(JoinPairs *jp, Batch *out)
{
    Arena *arena = jp->op->batch_arena;
    bool *passed = ARENA_ARRAY(arena, bool, jp->pairs + 1);
    int *rows = ARENA_ARRAY(arena, int, jp->pairs + jp->done_count + 1), count = 0;
    bool left_only = jp->kind == JOIN_SEMI || jp->kind == JOIN_ANTI;
    jp->extra = 0;
    TRY(test_pairs(jp, passed));
    for (int pair = 0, done = 0; pair < jp->pairs || done < jp->done_count;) {
        if (done < jp->done_count && jp->done_at[done] <= pair) {
            int row = row_at_end(jp, jp->done[done++]);
            if (row >= 0) rows[count++] = row;
            continue;
        }
        if (passed[pair] && !left_only) rows[count++] = pair;
        pair++;
    }
    *out = (Batch){.columns = left_only ? jp->left.columns : jp->vectors, .column_count = jp->op->plan->column_count,
                   .row_count = left_only ? jp->left.row_count : jp->pairs + jp->extra, .selected = rows,
                   .selected_count = count};
    jp->grow = join_pairs_full(jp);
    jp->pairs = jp->done_count = 0;
    return ST_OK;
}

/* After a full flush more is likely to come: the next rows get more room. */
void join_pairs_grow(JoinPairs *jp)
{
    int rows = jp->capacity * 4 < BATCH_ROWS_MAX ? jp->capacity * 4 : BATCH_ROWS_MAX;
    assert(jp->pairs == 0 && jp->done_count == 0);
    if (jp->grow && rows > jp->capacity) make_room(jp, rows);
    jp->grow = false;
}

void join_pairs_right_only(JoinPairs *jp, Value *const *rows, int count, Batch *out)
{
    if (2 * jp->capacity < count) make_room(jp, BATCH_ROWS_MAX);
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < jp->left_count; c++) jp->vectors[c][i] = VALUE_NULL;
        for (int c = 0; c < jp->right_count; c++) jp->vectors[jp->left_count + c][i] = rows[i][c];
    }
    *out = (Batch){.columns = jp->vectors, .column_count = jp->op->plan->column_count, .row_count = count};
}
