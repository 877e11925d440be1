#include "executor/constraint/constraint.h"
#include "executor/constraint/deferred.h"
#include "executor/ddl/ddl_internal.h"

static bool reads_rows(const UtilityAlterTable *u)
{
    for (int i = 0; i < u->steps.count; i++)
        if (u->steps.items[i].kind != ALTER_STEP_CLEAR_INDEX && u->steps.items[i].kind != ALTER_STEP_DROP_SEQUENCE)
            return true;
    return false;
}

static Status run_step(Exec *exec, const UtilityAlterTable *u, const TableDesc *after, const AlterStep *step)
{
    switch (step->kind) {
    case ALTER_STEP_BACKFILL_INDEX: return ddl_backfill_index(exec, after, step->id);
    case ALTER_STEP_CLEAR_INDEX:
        ddl_forget_index(exec, u->before->base.id, step->id);
        return index_clear(exec->txn, u->before->base.id, step->id, exec->err);
    case ALTER_STEP_REWRITE: return ddl_rewrite(exec, u, after);
    case ALTER_STEP_VALIDATE_CHECK: return ddl_validate_check(exec, after, step->id);
    case ALTER_STEP_VALIDATE_FOREIGN_KEY: return constraints_validate(exec, after, step->id);
    case ALTER_STEP_VALIDATE_UNIQUE: return constraints_validate_unique(exec, after, step->id);
    case ALTER_STEP_VALIDATE_NOT_NULL: return ddl_validate_not_null(exec, u->before, step->id);
    case ALTER_STEP_DROP_SEQUENCE:
        return catalog_find_id(ddl_view(exec), step->id) ? catalog_delete(ddl_view(exec), step->id, exec->err) : ST_OK;
    }
    return ST_OK;
}

static bool comes_last(AlterStepKind kind)
{
    return kind == ALTER_STEP_VALIDATE_FOREIGN_KEY || kind == ALTER_STEP_VALIDATE_UNIQUE;
}

/* Validation reads the rows as they were, so it comes before anything is rewritten; foreign keys are looked up last, as the
 * columns and indexes at both ends must be there. */
static Status run_steps(Exec *exec, const UtilityAlterTable *u, const TableDesc *after)
{
    bool rewrites = false;
    for (int i = 0; i < u->steps.count; i++) rewrites = rewrites || u->steps.items[i].kind == ALTER_STEP_REWRITE;
    for (int i = 0; i < u->steps.count; i++) {
        const AlterStep *step = &u->steps.items[i];
        /* Rewriting checks every row against the new constraints itself. */
        if (rewrites && step->kind == ALTER_STEP_VALIDATE_CHECK) continue;
        if (!comes_last(step->kind)) TRY(run_step(exec, u, after, step));
    }
    for (int i = 0; i < u->steps.count; i++)
        if (comes_last(u->steps.items[i].kind)) TRY(run_step(exec, u, after, &u->steps.items[i]));
    return ST_OK;
}

static Status change_sequences(Exec *exec, const UtilityAlterTable *u)
{
    for (int i = 0; i < u->sequence_changes.count; i++) {
        const SequenceChange *change = &u->sequence_changes.items[i];
        TRY(catalog_put(ddl_view(exec), &change->after->base, exec->err));
        if (change->restart)
            TRY(sequence_set(catalog_view_catalog(ddl_view(exec)), change->after, change->restart_value, false, exec->err));
    }
    return ST_OK;
}

static Status alter_one(Exec *exec, const UtilityAlterTable *u)
{
    if (u->steps.count || u->after->columns.count != u->before->columns.count || u->after->foreign_keys.count != u->before->foreign_keys.count)
        TRY(deferred_refuse(exec, u->base.tag, &u->before->base));
    TableDesc *after = table_desc_copy(u->after, exec->arena);
    TRY(ddl_put_table_sequences(exec, &u->sequences, after));
    TRY(change_sequences(exec, u));
    TRY(catalog_put(ddl_view(exec), &after->base, exec->err));
    TRY(ddl_put_views(exec, &u->views));
    if (reads_rows(u)) TRY(ddl_fresh_snapshot(exec));
    TRY(run_steps(exec, u, after));
    TRY(ddl_note_referenced(exec, u->before, after));
    ddl_notices(exec, &u->notices);
    return ddl_add_boundaries(exec, u->before, after, &u->splits);
}

Status ddl_alter_table(Exec *exec, const UtilityAlterTable *u)
{
    for (; u; u = u->next) TRY(alter_one(exec, u));
    return ST_OK;
}
