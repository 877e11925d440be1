/* eval_subquery.c - (SELECT ...), EXISTS, ANY, ALL and ARRAY(SELECT ...) as expressions.
 *
 * A subquery that uses nothing of the enclosing queries runs once per run of the statement and its rows are kept; the
 * others have their operator tree built once and rewound per row, with the row's columns set as outer values. Where the
 * planner found a plan of all answers at once, that one is run when the rows so far have cost as much, and its rows are kept.
 */
#include "executor/eval_internal.h"

#include <assert.h>

#include "executor/value_set.h"
#include "storage/types/type_array.h"

struct SubProgram {
    SubProgram *next;
    const ExprSubquery *e;
    Op *op;
    const TypeDef **types; /* of the subquery's columns */
    int width;
    int *args;             /* registers of e's args */
    CallSite *site;        /* ANY and ALL by an operator that is no comparison */
    bool hashable;         /* = ANY or <> ALL of one column */
    /* Rows kept of an uncorrelated subquery. */
    uint64_t run;          /* of the Exec; 0: not yet */
    Arena *arena;
    VEC(Value *) rows;
    ValueSet *set;
    bool has_null;
    Value single;          /* scalar, EXISTS, ARRAY */
    struct SubAnswers *answers; /* NULL: there are none */
};

/* All answers of a correlated subquery, by the keys. */
typedef struct SubAnswers {
    Op *op;
    const TypeDef **types;
    int key_count, width;
    uint64_t run;    /* of the Exec that the fields below belong to */
    double asked;    /* rows answered one by one */
    bool refused;    /* they could not be had: one by one to the end */
    Arena *arena;
    ValueSet *keys;  /* NULL: not run yet */
    VEC(Value) values; /* scalar: by the number of the key */
    bool has_missing;
    Value missing;   /* the answer where no row matches */
} SubAnswers;

static bool correlated(const SubProgram *sub)
{
    return sub->e->outer_count + sub->e->bound_count > 0;
}

static void set_outer(Program *p, const SubProgram *sub, int row)
{
    for (int i = 0; i < sub->e->outer_count; i++)
        for (int c = 0; c < p->column_count; c++)
            if (p->columns[c] == sub->e->outer[i]) *exec_outer(p->exec, sub->e->outer[i]) = &p->input->columns[c][row];
    int first = sub->e->base.arg_count - sub->e->bound_count;
    for (int i = 0; i < sub->e->bound_count; i++)
        *exec_outer(p->exec, sub->e->bound[i]) = &eval_rows(p, sub->args[first + i])[row];
}

static Status sub_start(Program *p, SubProgram *sub)
{
    if (!sub->op) TRY(op_build(p->exec, sub->e->plan, &sub->op));
    return sub->op->opened ? op_rewind(sub->op) : op_open(sub->op);
}

/* ---- one value: scalar, EXISTS, ARRAY ---- */

static Status scalar_value(Program *p, SubProgram *sub, Arena *arena, Value *out)
{
    Batch batch;
    int count = 0;
    Status st;
    *out = VALUE_NULL;
    sub->op->rows_wanted = 2;
    while ((st = op_next(sub->op, &batch)) == ST_OK) {
        if (batch_rows(&batch) == 0) continue;
        count += batch_rows(&batch);
        if (count > 1)
            return err_set(p->exec->err, p->exec->arena, ERR_CARDINALITY_VIOLATION,
                           "more than one row returned by a subquery used as an expression");
        Value v = batch.columns[0][batch_row(&batch, 0)];
        if (!v.null) *out = value_copy(sub->types[0], v, arena);
    }
    return st == ST_END ? ST_OK : st;
}

static Status exists_value(SubProgram *sub, Value *out)
{
    Batch batch;
    Status st;
    *out = value_bool(false);
    sub->op->rows_wanted = 1;
    while ((st = op_next(sub->op, &batch)) == ST_OK) {
        if (batch_rows(&batch) == 0) continue;
        *out = value_bool(true);
        return ST_OK;
    }
    return st == ST_END ? ST_OK : st;
}

static Status array_value(Program *p, SubProgram *sub, Arena *arena, Value *out)
{
    Batch batch;
    Status st;
    VEC(Value) items = {0};
    while ((st = op_next(sub->op, &batch)) == ST_OK)
        for (int i = 0; i < batch_rows(&batch); i++) {
            Value v = batch.columns[0][batch_row(&batch, i)];
            VEC_PUSH(arena, items, v.null ? VALUE_NULL : value_copy(sub->types[0], v, arena));
        }
    if (st != ST_END) return st;
    TypeCtx ctx = {.arena = arena, .env = exec_type_env(p->exec), .err = p->exec->err};
    return array_build(&ctx, sub->types[0]->oid, items.items, items.count, out);
}

static Status single_value(Program *p, SubProgram *sub, Arena *arena, Value *out)
{
    TRY(sub_start(p, sub));
    if (sub->e->sub_kind == SUBQUERY_EXISTS) return exists_value(sub, out);
    if (sub->e->sub_kind == SUBQUERY_ARRAY) return array_value(p, sub, arena, out);
    assert(sub->e->sub_kind == SUBQUERY_SCALAR);
    return scalar_value(p, sub, arena, out);
}

/* ---- all answers at once ---- */

static void answers_start(SubAnswers *all, uint64_t run)
{
    arena_reset(all->arena);
    all->run = run;
    all->asked = 0;
    all->refused = all->has_missing = false;
    all->keys = NULL;
    memset(&all->values, 0, sizeof all->values);
}

/* A key that is NULL equals nothing: no row asks for it. */
static void keep_answer(SubAnswers *all, const Batch *batch, int row)
{
    Value key[SUBQUERY_KEYS_MAX];
    bool added;
    for (int k = 0; k < all->key_count; k++) {
        key[k] = batch->columns[k][row];
        if (key[k].null) return;
    }
    value_set_put(all->keys, key, &added);
    if (!added || all->width == all->key_count) return;
    Value v = batch->columns[all->key_count][row];
    VEC_PUSH(all->arena, all->values, v.null ? VALUE_NULL : value_copy(all->types[all->key_count], v, all->arena));
}

static Status read_answers(Program *p, SubProgram *sub)
{
    SubAnswers *all = sub->answers;
    Batch batch;
    Status st;
    if (!all->op) TRY(op_build(p->exec, sub->e->answers, &all->op));
    TRY(all->op->opened ? op_rewind(all->op) : op_open(all->op));
    all->keys = value_set_create(all->arena, all->types, all->key_count);
    while ((st = op_next(all->op, &batch)) == ST_OK)
        for (int i = 0; i < batch_rows(&batch); i++) keep_answer(all, &batch, batch_row(&batch, i));
    return st == ST_END ? ST_OK : st;
}

/* An error in a value (22...) may come from rows that nobody asks about: then it is as if there were no such plan. */
static Status answers_run(Program *p, SubProgram *sub)
{
    SubAnswers *all = sub->answers;
    Status status = read_answers(p, sub);
    op_close(all->op);
    if (status == ST_OK) return ST_OK;
    if (strncmp(sqlstate_code(p->exec->err->sqlstate), "22", 2) != 0) return status;
    *p->exec->err = (Error){0};
    answers_start(all, p->exec->run);
    all->refused = true;
    return ST_OK;
}

/* Whether the answers are at hand now. */
static Status answers_ready(Program *p, SubProgram *sub, bool *ready)
{
    SubAnswers *all = sub->answers;
    *ready = false;
    if (!all) return ST_OK;
    if (all->run != p->exec->run) answers_start(all, p->exec->run);
    if (!all->keys && !all->refused && all->asked++ >= sub->e->answers_after) TRY(answers_run(p, sub));
    *ready = all->keys != NULL;
    return ST_OK;
}

static Status find_answer(Program *p, SubProgram *sub, const Instr *in, int row, Value *out)
{
    SubAnswers *all = sub->answers;
    Value key[SUBQUERY_KEYS_MAX];
    bool null = false;
    for (int k = 0; k < all->key_count; k++) {
        key[k] = eval_rows(p, in->args[k])[row];
        null = null || key[k].null;
    }
    int number = null ? -1 : value_set_find(all->keys, key);
    bool exists = sub->e->sub_kind == SUBQUERY_EXISTS;
    if (exists) *out = value_bool(number >= 0);
    else if (number >= 0) *out = all->values.items[number];
    if (exists || number >= 0) return ST_OK;
    if (!all->has_missing) {
        set_outer(p, sub, row);
        TRY(single_value(p, sub, all->arena, &all->missing));
        all->has_missing = true;
    }
    *out = all->missing;
    return ST_OK;
}

static Status run_correlated(Program *p, const Instr *in, const int *rows, int n)
{
    SubProgram *sub = in->state;
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        bool ready;
        TRY(answers_ready(p, sub, &ready));
        if (ready) {
            TRY(find_answer(p, sub, in, rows[i], &out[rows[i]]));
            continue;
        }
        set_outer(p, sub, rows[i]);
        TRY(single_value(p, sub, p->batch, &out[rows[i]]));
    }
    return ST_OK;
}

static Status run_single(Program *p, const Instr *in, const int *rows, int n)
{
    SubProgram *sub = in->state;
    Value *out = eval_rows(p, in->out);
    if (correlated(sub)) return run_correlated(p, in, rows, n);
    if (sub->run != p->exec->run) {
        arena_reset(sub->arena);
        TRY(single_value(p, sub, sub->arena, &sub->single));
        op_close(sub->op);
        sub->run = p->exec->run;
    }
    for (int i = 0; i < n; i++) out[rows[i]] = sub->single;
    return ST_OK;
}

/* ---- ANY, ALL ---- */

static Status compare_pair(Program *p, SubProgram *sub, Value left, Value right, int column, Value *out)
{
    if (sub->site) {
        Value pair[2] = {left, right};
        return eval_call_row(p, sub->site, pair, out);
    }
    *out = VALUE_NULL;
    if (!left.null && !right.null)
        *out = value_bool(eval_compare_holds((int)sub->e->op, type_compare(sub->types[column], left, right)));
    return ST_OK;
}

/* left op right over whole rows: equality of all pairs, or the order of the first pair that differs. */
static Status compare_rows(Program *p, SubProgram *sub, const Value *left, const Value *right, Value *out)
{
    if (sub->width == 1) return compare_pair(p, sub, left[0], right[0], 0, out);
    bool equality = sub->e->op == COMPARE_EQ || sub->e->op == COMPARE_NE, null = false;
    int order = 0;
    for (int i = 0; i < sub->width && order == 0; i++) {
        if (left[i].null || right[i].null) {
            null = true;
            if (!equality) break;
        } else {
            order = type_compare(sub->types[i], left[i], right[i]);
        }
    }
    bool known = order != 0 ? equality || !null : !null;
    *out = known ? value_bool(eval_compare_holds((int)sub->e->op, order)) : VALUE_NULL;
    return ST_OK;
}

typedef struct AnyState {
    bool decided, null;
} AnyState;

static Status any_step(Program *p, SubProgram *sub, const Value *left, const Value *right, AnyState *state)
{
    Value v;
    TRY(compare_rows(p, sub, left, right, &v));
    if (v.null)
        state->null = true;
    else
        state->decided = (v.i != 0) == (sub->e->sub_kind == SUBQUERY_ANY);
    return ST_OK;
}

static Value any_result(const SubProgram *sub, AnyState state)
{
    bool any = sub->e->sub_kind == SUBQUERY_ANY;
    if (state.decided) return value_bool(any);
    return state.null ? VALUE_NULL : value_bool(!any);
}

static Status keep_rows(Program *p, SubProgram *sub)
{
    arena_reset(sub->arena);
    memset(&sub->rows, 0, sizeof sub->rows);
    sub->has_null = false;
    sub->set = sub->hashable ? value_set_create(sub->arena, sub->types, 1) : NULL;
    TRY(sub_start(p, sub));
    Batch batch;
    Status st;
    while ((st = op_next(sub->op, &batch)) == ST_OK)
        for (int i = 0; i < batch_rows(&batch); i++) {
            int row = batch_row(&batch, i);
            if (sub->set) {
                if (batch.columns[0][row].null)
                    sub->has_null = true;
                else
                    value_set_add(sub->set, &batch.columns[0][row]);
                continue;
            }
            Value *kept = ARENA_ARRAY(sub->arena, Value, sub->width);
            for (int c = 0; c < sub->width; c++)
                kept[c] = batch.columns[c][row].null ? VALUE_NULL
                                                     : value_copy(sub->types[c], batch.columns[c][row], sub->arena);
            VEC_PUSH(sub->arena, sub->rows, kept);
        }
    if (st != ST_END) return st;
    op_close(sub->op);
    sub->run = p->exec->run;
    return ST_OK;
}

static Status any_over_kept(Program *p, SubProgram *sub, const Value *left, Value *out)
{
    AnyState state = {0};
    if (sub->set) {
        bool empty = value_set_count(sub->set) == 0 && !sub->has_null;
        state.null = !empty && (left[0].null || sub->has_null);
        state.decided = !left[0].null && value_set_has(sub->set, left);
    } else {
        for (int i = 0; i < sub->rows.count && !state.decided; i++)
            TRY(any_step(p, sub, left, sub->rows.items[i], &state));
    }
    *out = any_result(sub, state);
    return ST_OK;
}

static Status any_over_run(Program *p, SubProgram *sub, const Value *left, Value *out)
{
    AnyState state = {0};
    Value *right = ARENA_ARRAY(p->batch, Value, sub->width);
    Batch batch;
    Status st = ST_OK;
    TRY(sub_start(p, sub));
    while (!state.decided && (st = op_next(sub->op, &batch)) == ST_OK)
        for (int i = 0; i < batch_rows(&batch) && !state.decided; i++) {
            for (int c = 0; c < sub->width; c++) right[c] = batch.columns[c][batch_row(&batch, i)];
            TRY(any_step(p, sub, left, right, &state));
        }
    if (st == ST_ERROR) return st;
    *out = any_result(sub, state);
    return ST_OK;
}

static Status run_any(Program *p, const Instr *in, const int *rows, int n)
{
    SubProgram *sub = in->state;
    Value *out = eval_rows(p, in->out);
    Value *left = ARENA_ARRAY(p->batch, Value, sub->width);
    if (!correlated(sub) && sub->run != p->exec->run) TRY(keep_rows(p, sub));
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < sub->width; a++) left[a] = eval_rows(p, in->args[a])[rows[i]];
        if (correlated(sub)) {
            set_outer(p, sub, rows[i]);
            TRY(any_over_run(p, sub, left, &out[rows[i]]));
        } else {
            TRY(any_over_kept(p, sub, left, &out[rows[i]]));
        }
    }
    return ST_OK;
}

/* ---- compiling ---- */

static bool sub_hashable(const SubProgram *sub)
{
    const ExprSubquery *e = sub->e;
    if (sub->width != 1 || e->function || !sub->types[0]->hash) return false;
    return (e->sub_kind == SUBQUERY_ANY && e->op == COMPARE_EQ) || (e->sub_kind == SUBQUERY_ALL && e->op == COMPARE_NE);
}

static SubAnswers *make_answers(Program *p, const ExprSubquery *e)
{
    if (!e->answers) return NULL;
    SubAnswers *all = ARENA_NEW(p->arena, SubAnswers);
    all->types = op_types(e->answers, p->arena);
    all->width = e->answers->column_count;
    all->key_count = e->base.arg_count - e->bound_count;
    all->arena = arena_create(p->arena, 0);
    return all;
}

Status eval_compile_subquery(Program *p, const Expr *e, int *reg)
{
    SubProgram *sub = ARENA_NEW(p->arena, SubProgram);
    sub->e = (const ExprSubquery *)e;
    assert(sub->e->plan);
    sub->types = op_types(sub->e->plan, p->arena);
    sub->width = sub->e->plan->column_count;
    sub->arena = arena_create(p->arena, 0);
    sub->hashable = sub_hashable(sub);
    bool any = sub->e->sub_kind == SUBQUERY_ANY || sub->e->sub_kind == SUBQUERY_ALL;
    if (any && sub->e->function) {
        TypeRef types[2] = {e->args[0]->type, sub->e->plan->types[0]};
        sub->site = eval_call_site(p, sub->e->function, types, 2, (TypeRef){OID_BOOL, -1});
    }
    /* Columns of queries further out must be there when the program is loaded; those of this level are set per row. */
    int *args;
    TRY(eval_compile_args(p, e->args, e->arg_count, &args));
    sub->args = args;
    assert(!any || e->arg_count - sub->e->bound_count == sub->width);
    assert(any || sub->e->answers || e->arg_count == sub->e->bound_count);
    sub->answers = any ? NULL : make_answers(p, sub->e);
    sub->next = p->subqueries;
    p->subqueries = sub;
    Instr *in = eval_emit(p, any ? run_any : run_single, e);
    in->args = args;
    in->arg_count = e->arg_count;
    in->state = sub;
    *reg = in->out;
    return ST_OK;
}

void eval_close_subqueries(Program *p)
{
    for (SubProgram *sub = p->subqueries; sub; sub = sub->next) {
        op_close(sub->op);
        arena_reset(sub->arena);
        sub->run = 0;
        if (!sub->answers) continue;
        op_close(sub->answers->op);
        answers_start(sub->answers, 0);
    }
}
