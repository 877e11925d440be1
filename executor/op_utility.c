/* op_utility.c - a statement that is no query as a source of rows: SELECT ... FROM [EXPLAIN (KEYS) ...]. It runs when its first
 * row is asked for, within the statement around it. */
#include "executor/ddl/ddl.h"
#include "executor/ops/op_classes.h"
#include "executor/utility_run.h"

typedef struct OpUtility {
    Op base;
    RowStore *store; /* NULL: it has not run yet */
    RowReader reader;
} OpUtility;

static Status utility_open(Op *op)
{
    ((OpUtility *)op)->store = NULL;
    return ST_OK;
}

static Status explain_rows(OpUtility *self, const UtilityExplain *u)
{
    Op *op = &self->base;
    Exec *exec = op->exec;
    SessionState *s = state_of(exec->session);
    int count = op->plan->column_count;
    ResultColumn *columns = ARENA_ARRAY(op->arena, ResultColumn, count + 1);
    for (int i = 0; i < count; i++) columns[i] = (ResultColumn){.name = op->plan->names[i], .type = op->plan->types[i]};
    Portal portal = {.session = s, .stmt = s->running ? s->running->stmt : NULL, .arena = op->arena, .statement_begun = true,
                     .columns = columns, .column_count = count, .around = exec};
    if (exec->planned->param_count && exec->params)
        portal.params = arena_copy(op->arena, exec->params, sizeof *exec->params * (size_t)exec->planned->param_count);
    TRY(explain_run(&portal, u, exec->err));
    self->store = portal.store;
    return ST_OK;
}

static Status ddl_rows(OpUtility *self, const PlanUtility *u)
{
    Op *op = &self->base;
    Batch rows = {0};
    TRY(ddl_run(op->exec, u, &rows));
    self->store = row_store_create(op->exec, op_types(op->plan, op->arena), op->plan->column_count, op->arena);
    return rows.row_count ? row_store_add_batch(self->store, &rows) : ST_OK;
}

static Status utility_next(Op *op, Batch *batch)
{
    OpUtility *self = (OpUtility *)op;
    const PlanUtility *u = (const PlanUtility *)op->plan;
    if (!self->store) {
        PlannedStmt statement = {.plan = arena_copy(op->arena, u, sizeof *u), .tag = u->tag};
        if (u->utility == UTILITY_EXPLAIN) {
            TRY(explain_rows(self, (const UtilityExplain *)u));
        } else {
            TRY(txn_state_check_read_only(state_of(op->exec->session), &statement, op->exec->err));
            TRY(ddl_rows(self, u));
        }
        row_reader_init(&self->reader, self->store, op->arena);
    }
    return row_reader_next(&self->reader, batch);
}

const OpClass op_utility_class = {"utility", sizeof(OpUtility), utility_open, utility_next, NULL, NULL};
