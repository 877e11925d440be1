#include "executor/ops/row_target.h"

#include <assert.h>

#include "planner/computed_guard.h"
#include "planner/session.h"

static Status compile_over_row(RowTarget *rt, Expr *const *exprs, int count, Program **program)
{
    return eval_compile(rt->exec, exprs, count, rt->columns, rt->column_count, program);
}

static Status init_checks(RowTarget *rt)
{
    Arena *arena = rt->exec->arena;
    Expr **exprs = ARENA_ARRAY(arena, Expr *, rt->table->checks.count + 1);
    rt->check_numbers = ARENA_ARRAY(arena, int, rt->table->checks.count + 1);
    for (int i = 0; i < rt->table->checks.count; i++) {
        if (!rt->target->checks || !rt->target->checks[i]) continue;
        rt->check_numbers[rt->check_count] = i;
        exprs[rt->check_count++] = rt->target->checks[i];
    }
    return rt->check_count ? compile_over_row(rt, exprs, rt->check_count, &rt->checks) : ST_OK;
}

Status row_target_init(RowTarget *rt, Exec *exec, const WriteTarget *target)
{
    Arena *arena = exec->arena;
    *rt = (RowTarget){.exec = exec, .target = target, .table = target->table};
    rt->access = table_access_create(target->table, arena);
    rt->column_count = target->table->columns.count;
    rt->columns = ARENA_ARRAY(arena, ColId, rt->column_count + 1);
    rt->all_ordinals = ARENA_ARRAY(arena, int, rt->column_count + 1);
    rt->computed = ARENA_ARRAY(arena, Program *, rt->column_count + 1);
    for (int i = 0; i < rt->column_count; i++) {
        rt->columns[i] = target->row[i].id;
        rt->all_ordinals[i] = i;
    }
    for (int i = 0; i < rt->column_count; i++) {
        if (!target->computed || !target->computed[i]) continue;
        Expr *e = computed_guard(arena, rt->table, i, target->computed[i], target->predicates);
        TRY(compile_over_row(rt, &e, 1, &rt->computed[i]));
    }
    TRY(init_checks(rt));
    int indexes = target->table->indexes.count;
    rt->predicates = ARENA_ARRAY(arena, Program *, indexes + 1);
    rt->in_predicate = ARENA_ARRAY(arena, bool, indexes + 1);
    rt->in_predicate_before = ARENA_ARRAY(arena, bool, indexes + 1);
    for (int i = 0; i < indexes; i++) {
        if (!target->predicates || !target->predicates[i]) continue;
        TRY(compile_over_row(rt, &target->predicates[i], 1, &rt->predicates[i]));
        rt->partial = true;
    }
    return ST_OK;
}

void row_target_close(RowTarget *rt)
{
    for (int i = 0; rt->computed && i < rt->column_count; i++) eval_close(rt->computed[i]);
    eval_close(rt->checks);
}

Status row_target_compute(RowTarget *rt, Value *row, Arena *arena)
{
    for (int i = 0; i < rt->column_count; i++)
        if (rt->computed[i]) TRY(eval_row(rt->computed[i], row, arena, &row[i]));
    return ST_OK;
}

Status row_target_compute_virtual(RowTarget *rt, Value *row, Arena *arena)
{
    for (int i = 0; i < rt->column_count; i++)
        if (rt->computed[i] && rt->table->columns.items[i].computed == COMPUTED_VIRTUAL)
            TRY(eval_row(rt->computed[i], row, arena, &row[i]));
    return ST_OK;
}

/* "(1, null, abc)", as PostgreSQL shows the row that was refused; long values are cut. */
static void failing_row(RowTarget *rt, const Value *row)
{
    enum { SHOWN_BYTES_MAX = 64 };
    Buf text = {0};
    bool first = true;
    for (int i = 0; i < rt->column_count; i++) {
        const ColumnDesc *column = &rt->table->columns.items[i];
        if (column->hidden) continue;
        if (!first) buf_put_str(&text, ", ");
        first = false;
        if (row[i].null) {
            buf_put_str(&text, "null");
            continue;
        }
        size_t start = text.size;
        const TypeDef *type = exec_type(column->type.oid);
        type->out(type, exec_type_env(rt->exec), row[i], &text);
        if (text.size - start <= SHOWN_BYTES_MAX) continue;
        text.size = start + SHOWN_BYTES_MAX;
        while (text.size > start && (text.data[text.size] & 0xC0) == 0x80) text.size--;
        buf_put_str(&text, "...");
    }
    err_detail(rt->exec->err, rt->exec->arena, "Failing row contains (%s).", buf_to_str(&text, rt->exec->arena));
    buf_finish(&text);
}

/* The schema's name, for drivers that look at the error's fields. */
static const char *row_target_schema(const RowTarget *rt)
{
    const Session *session = rt->exec->session;
    return session && session->catalog ? session_schema_name(session, rt->table->base.parent_schema) : NULL;
}

Status row_target_outcome(const RowTarget *rt, Status st)
{
    Error *err = rt->exec->err;
    if (st == ST_ERROR && err->table && !err->schema) err->schema = row_target_schema(rt);
    return st;
}

static Status refuse(RowTarget *rt, const Value *row, const char *column, const char *constraint)
{
    Error *err = rt->exec->err;
    failing_row(rt, row);
    err->schema = row_target_schema(rt);
    err->table = rt->table->base.name;
    err->table_id = rt->table->base.id;
    err->column = column;
    err->constraint = constraint;
    return ST_ERROR;
}

Status row_target_check(RowTarget *rt, const Value *row, Arena *arena)
{
    Error *err = rt->exec->err;
    for (int i = 0; i < rt->column_count; i++) {
        const ColumnDesc *column = &rt->table->columns.items[i];
        if (!column->not_null || !row[i].null || column->role != COLUMN_USER) continue;
        (void)err_set(err, rt->exec->arena, ERR_NOT_NULL_VIOLATION,
                      "null value in column \"%s\" of relation \"%s\" violates not-null constraint", column->name,
                      rt->table->base.name);
        return refuse(rt, row, column->name, NULL);
    }
    if (!rt->checks) return ST_OK;
    Value *results = ARENA_ARRAY(arena, Value, rt->check_count);
    TRY(eval_row(rt->checks, row, arena, results));
    for (int i = 0; i < rt->check_count; i++) {
        if (results[i].null || results[i].i) continue;
        const CheckDesc *check = &rt->table->checks.items[rt->check_numbers[i]];
        (void)err_set(err, rt->exec->arena, ERR_CHECK_VIOLATION,
                      "new row for relation \"%s\" violates check constraint \"%s\"", rt->table->base.name, check->name);
        return refuse(rt, row, NULL, check->name);
    }
    return ST_OK;
}

Status row_target_image(RowTarget *rt, const Value *row, bool *which, RowImage *image, Arena *arena)
{
    *image = (RowImage){.values = row};
    if (!rt->partial) return ST_OK;
    for (int i = 0; i < rt->table->indexes.count; i++) {
        which[i] = true;
        if (rt->predicates[i]) TRY(eval_row_test(rt->predicates[i], row, arena, &which[i], NULL));
    }
    image->in_predicate = which;
    return ST_OK;
}

static bool expr_opaque(const Expr *e)
{
    return e && expr_has_subquery(e);
}

static void note_opaque(Expr **slot, void *argument)
{
    if (expr_opaque(*slot)) *(bool *)argument = true;
}

bool plan_has_subquery(const Plan *plan)
{
    bool found = false;
    Plan *walked;
    memcpy(&walked, &plan, sizeof walked); /* only looked at */
    plan_each_expr(walked, note_opaque, &found);
    for (int i = 0; i < plan->input_count && !found; i++) found = plan_has_subquery(plan->inputs[i]);
    return found;
}

static bool table_is_read(const Plan *plan, DescId table)
{
    if (plan->kind == PLAN_SCAN || plan->kind == PLAN_SKIP_SCAN || plan->kind == PLAN_DISTINCT_SCAN || plan->kind == PLAN_MERGE_STREAMS)
        return ((const PlanScan *)plan)->table->base.id == table;
    if (plan->kind == PLAN_INDEX_JOIN) return ((const PlanIndexJoin *)plan)->table->base.id == table;
    if (plan->kind == PLAN_LOOKUP_JOIN) return ((const PlanLookupJoin *)plan)->table->base.id == table;
    /* Whatever else may hide a scan. */
    return plan->kind == PLAN_WITH || plan->kind == PLAN_CTE || plan->kind == PLAN_SYSTEM;
}

bool plan_reads_table(const Plan *plan, DescId table)
{
    if (table_is_read(plan, table) || plan_has_subquery(plan)) return true;
    for (int i = 0; i < plan->input_count; i++)
        if (plan_reads_table(plan->inputs[i], table)) return true;
    return false;
}
