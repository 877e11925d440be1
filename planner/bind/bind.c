/* bind.c - the Binder itself, and utilities' plans. */
#include "planner/bind/bind.h"

void binder_init(Binder *binder, Session *session, Arena *arena, Error *err)
{
    *binder = (Binder){
        .session = session, .arena = arena, .err = err, .types = {arena, &session->type_env, err}, .next_column = 1};
}

void binder_use_table(Binder *binder, const TableDesc *table, TableLockMode mode)
{
    for (int i = 0; i < binder->tables.count; i++) {
        TableUse *use = &binder->tables.items[i];
        if (use->table != table->base.id) continue;
        if (use->mode == mode) return;
        /* A table whose rows are locked is found as any other first. */
        if (use->mode == TABLE_ACCESS_SHARE && mode == TABLE_ROW_SHARE) use->mode = mode;
        if (use->mode == mode || (mode == TABLE_ACCESS_SHARE && use->mode == TABLE_ROW_SHARE)) return;
    }
    VEC_PUSH(binder->arena, binder->tables, (TableUse){table->base.id, mode});
}

void *bind_utility(Binder *binder, UtilityKind kind, const char *tag, size_t size)
{
    PlanUtility *utility = arena_alloc(binder->arena, size);
    utility->base.kind = PLAN_UTILITY;
    utility->utility = kind;
    utility->tag = tag;
    return utility;
}

void bind_utility_columns(Binder *binder, PlanUtility *utility, const RelColumn *columns, int count)
{
    Plan *plan = &utility->base;
    plan->columns = ARENA_ARRAY(binder->arena, ColId, count);
    plan->types = ARENA_ARRAY(binder->arena, TypeRef, count);
    plan->names = ARENA_ARRAY(binder->arena, const char *, count);
    plan->column_count = count;
    for (int i = 0; i < count; i++) {
        plan->columns[i] = columns[i].id ? columns[i].id : binder_new_column(binder);
        plan->types[i] = columns[i].type;
        plan->names[i] = columns[i].name;
    }
}

RelColumn *bind_table_columns(Binder *binder, const TableDesc *table)
{
    int count = table->columns.count;
    RelColumn *columns = ARENA_ARRAY(binder->arena, RelColumn, count);
    for (int i = 0; i < count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        columns[i] = (RelColumn){
            binder_new_column(binder), column->name, column->type, column->hidden, table->base.id, column->id};
    }
    return columns;
}
