#include "executor/check/check_rows.h"

#include "executor/ddl/ddl_internal.h"
#include "storage/table/table_check.h"

typedef struct RowsCheck {
    CheckRun *run;
    const TableDesc *table;
    Exec *exec;
    RowTarget target;
    Arena *row_arena;
    Value *stored; /* computed columns as they were read */
    ForeignKeyCheck *foreign_keys;
    int foreign_key_count;
} RowsCheck;

/* ---- one row ---- */

static bool values_differ(TypeRef type, Value a, Value b)
{
    const TypeDef *def = exec_type(type.oid);
    if (a.null || b.null) return a.null != b.null;
    return def->compare && def->compare(def, a, b) != 0;
}

/* A stored computed column has the value that its expression gives. */
static void check_computed(RowsCheck *c, const Value *row, const Finding *where)
{
    for (int i = 0; i < c->table->columns.count; i++) {
        const ColumnDesc *column = &c->table->columns.items[i];
        if (column->computed == COMPUTED_STORED && values_differ(column->type, c->stored[i], row[i]))
            finding_add(c->run->findings, where, "column \"%s\" does not have the value that its expression gives",
                        column->name);
    }
}

static void check_nulls(RowsCheck *c, const Value *row, const Finding *where)
{
    for (int i = 0; i < c->table->columns.count; i++) {
        const ColumnDesc *column = &c->table->columns.items[i];
        if (column->not_null && row[i].null)
            finding_add(c->run->findings, where, "column \"%s\" is NOT NULL, but NULL", column->name);
    }
}

static Status check_conditions(RowsCheck *c, const Value *row, const Finding *where)
{
    RowTarget *rt = &c->target;
    if (!rt->checks) return ST_OK;
    Value *results = ARENA_ARRAY(c->row_arena, Value, rt->check_count);
    TRY(eval_row(rt->checks, row, c->row_arena, results));
    for (int i = 0; i < rt->check_count; i++) {
        const CheckDesc *check = &c->table->checks.items[rt->check_numbers[i]];
        if (check->validated && !results[i].null && !results[i].i)
            finding_add(c->run->findings, where, "check constraint \"%s\" is broken", check->name);
    }
    return ST_OK;
}

static Status check_references(RowsCheck *c, const Value *row, const Finding *where, Error *err)
{
    for (int i = 0; i < c->foreign_key_count; i++) {
        const char *problem;
        TRY(foreign_key_check(c->run, &c->foreign_keys[i], row, &problem, c->row_arena, err));
        if (problem) finding_add(c->run->findings, where, "%s", problem);
    }
    return ST_OK;
}

static Status row_compute(void *argument, Value *row, bool *in_predicate, const Finding *where, Error *err)
{
    RowsCheck *c = argument;
    RowImage image;
    arena_reset(c->row_arena);
    c->exec->err = err;
    memcpy(c->stored, row, sizeof *row * (size_t)c->table->columns.count);
    TRY(row_target_compute(&c->target, row, c->row_arena));
    TRY(row_target_image(&c->target, row, in_predicate, &image, c->row_arena));
    for (int i = 0; i < c->table->indexes.count && !image.in_predicate; i++) in_predicate[i] = true;
    if (!where) return ST_OK;
    check_computed(c, row, where);
    check_nulls(c, row, where);
    TRY(check_conditions(c, row, where));
    return check_references(c, row, where, err);
}

/* ---- one table ---- */

static void complain(RowsCheck *c, const char *problem)
{
    finding_add(c->run->findings,
                &(Finding){.kind = "catalog",
                           .database = checked_database(c->run->catalog, &c->table->base),
                           .table = c->table->base.name},
                "its expressions cannot be read, and its rows were not checked: %s", problem);
}

static Status rows_run(RowsCheck *c, Arena *arena, Error *err)
{
    WriteTarget *target;
    Error problem = {0};
    c->exec->err = &problem;
    if (ddl_write_target(c->exec, c->table, &target) != ST_OK ||
        row_target_init(&c->target, c->exec, target) != ST_OK) {
        complain(c, problem.message);
        return ST_OK;
    }
    c->row_arena = arena_create(arena, 0);
    c->stored = ARENA_ARRAY(arena, Value, c->table->columns.count + 1);
    c->foreign_keys = foreign_key_checks(c->run, c->table, &c->foreign_key_count, arena);
    TableCheck how = {checked_database(c->run->catalog, &c->table->base), row_compute, c};
    return table_check(c->target.access, c->run->txn, &how, c->run->findings, err);
}

Status check_table_rows(CheckRun *run, const TableDesc *table, Error *err)
{
    Arena *arena = arena_create(NULL, 0);
    Plan plan = {.kind = PLAN_VALUES}; /* an Exec stands over some plan; this one is never run */
    PlannedStmt planned = {.plan = &plan};
    RowsCheck c = {.run = run, .table = table};
    run->session->database_id = table->base.parent_database;
    c.exec = exec_create(run->session, &planned, arena);
    exec_start(c.exec, run->txn, NULL, err);
    Status st = rows_run(&c, arena, err);
    row_target_close(&c.target);
    arena_destroy(arena);
    return st;
}
