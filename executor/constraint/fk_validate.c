/* fk_validate.c - ALTER TABLE: all rows of a table against a foreign key. */
#include "executor/constraint/fk.h"

#include "executor/ddl/ddl_internal.h"

static Status validate_row(void *argument, Value *row, Arena *arena)
{
    (void)arena;
    return constraints_inserted(argument, row);
}

Status constraints_validate(Exec *exec, const TableDesc *table, uint32_t foreign_key_id)
{
    ConstraintRun *run = constraint_run_create(exec, arena_create(exec->arena, 0));
    TableConstraints constraints = {0};
    FkLink *link = NULL;
    run->nothing_waits = true;
    run->early = true;
    for (int i = 0; i < table->foreign_keys.count && !link; i++)
        if (table->foreign_keys.items[i].id == foreign_key_id) TRY(fk_link(run, table, &table->foreign_keys.items[i], &link));
    if (!link) return ST_OK;
    constraints = (TableConstraints){.table = link->child, .outgoing = &link, .outgoing_count = 1};
    TRY(ddl_each_row(exec, table, validate_row, &constraints));
    return constraint_run_finish(run);
}
