/* CREATE and ALTER of what has no rows, CREATE TABLE, CREATE TABLE AS. */
#include <assert.h>

#include "executor/ddl/ddl_internal.h"
#include "executor/ddl/temp_schema.h"
#include "executor/scram.h"
#include "executor/system/static_rows.h"
#include "storage/catalog/desc_codec.h"

/* The numbers of PostgreSQL's own types are passed over: in pg_type every number is there once. */
static Status new_type_id(Exec *exec, DescId *id)
{
    do {
        TRY(catalog_new_id(ddl_view(exec), id, exec->err));
    } while (type_find(*id) || static_find(STATIC_PG_TYPE, *id));
    return ST_OK;
}

/* Ids of the array type and of labels that have none yet. */
static Status number_type(Exec *exec, TypeDesc *type)
{
    if (!type->array_oid) TRY(new_type_id(exec, &type->array_oid));
    for (int i = 0; i < type->labels.count; i++)
        if (!type->labels.items[i].oid) TRY(catalog_new_id(ddl_view(exec), &type->labels.items[i].oid, exec->err));
    return ST_OK;
}

static Status put_new(Exec *exec, Desc *draft)
{
    TRY(draft->kind == DESC_TYPE ? new_type_id(exec, &draft->id) : catalog_new_id(ddl_view(exec), &draft->id, exec->err));
    ddl_apply_default_acl(exec, draft);
    TRY(temp_schema_prepare(exec, draft));
    if (draft->kind == DESC_TYPE) TRY(number_type(exec, (TypeDesc *)draft));
    TRY(catalog_put(ddl_view(exec), draft, exec->err));
    return draft->kind == DESC_TYPE ? catalog_define_type(ddl_view(exec), (const TypeDesc *)draft, exec->err) : ST_OK;
}

/* Others learn of the change when they are committed; nobody knows yet of a type that this transaction has made. */
static Status change_type(Exec *exec, TypeDesc *type)
{
    CatalogView *view = ddl_view(exec);
    const CatalogSnapshot *committed = catalog_snapshot(catalog_view_catalog(view));
    bool own = catalog_snapshot_find(committed, type->base.id) == NULL;
    catalog_release(committed);
    TRY(number_type(exec, type));
    TRY(catalog_put(view, &type->base, exec->err));
    return own ? catalog_define_type(view, type, exec->err) : ST_OK;
}

/* The verifier of what was written; "" takes a role's password away. */
static Status store_password(Exec *exec, Desc *desc, const char *password)
{
    if (!password) return ST_OK;
    RoleDesc *role = (RoleDesc *)desc;
    assert(desc->kind == DESC_ROLE);
    role->password = NULL;
    return *password ? password_verifier(password, &role->password, exec->arena, exec->err) : ST_OK;
}

Status ddl_create(Exec *exec, const UtilityCreate *u)
{
    Desc *draft = desc_copy(u->draft, exec->arena);
    TRY(store_password(exec, draft, u->password));
    TRY(put_new(exec, draft));
    ddl_notices(exec, &u->notices);
    for (int i = 0; i < u->changes.count; i++) {
        Desc *after = desc_copy(u->changes.items[i].after, exec->arena);
        VEC_LAST(((RoleDesc *)after)->member_of).role = draft->id; /* a member of the new role */
        TRY(catalog_put(ddl_view(exec), after, exec->err));
    }
    if (draft->kind != DESC_DATABASE) return ST_OK;
    SchemaDesc schema = {{.kind = DESC_SCHEMA, .parent_database = draft->id, .name = "public", .owner = "pg_database_owner"}};
    return put_new(exec, &schema.base);
}

Status ddl_put_views(Exec *exec, const ViewChangeVec *views)
{
    for (int i = 0; i < views->count; i++) TRY(catalog_put(ddl_view(exec), views->items[i].after, exec->err));
    for (int i = 0; i < views->count; i++) {
        const ViewDesc *view = (const ViewDesc *)views->items[i].after;
        const char *text = view->query;
        ParsedStmt *stmt;
        PlannedStmt planned = {0};
        PlanParams params = {0};
        Error ignored;
        if (plan_parse(text, &text, &stmt, exec->arena, &ignored) == ST_OK &&
            plan_statement(exec->session, stmt, &params, &planned, exec->arena, &ignored) == ST_OK)
            continue;
        return err_set(exec->err, exec->arena, ERR_DEPENDENT_OBJECTS_STILL_EXIST,
                       "cannot rename what view \"%s\" depends on: its query could not be kept as it is", view->base.name);
    }
    return ST_OK;
}

static Status refuse_row(void *argument, const Batch *batch)
{
    *(bool *)argument |= batch_rows(batch) > 0;
    return ST_OK;
}

Status ddl_change(Exec *exec, const UtilityChange *u)
{
    for (int i = 0; i < u->probes.count; i++) {
        bool found = false;
        TRY(ddl_run_query(exec, u->probes.items[i].query, refuse_row, &found));
        if (found) return err_set(exec->err, exec->arena, u->probes.items[i].code, "%s", u->probes.items[i].message);
    }
    for (int i = 0; i < u->changes.count; i++) {
        const DescChange *change = &u->changes.items[i];
        TRY(store_password(exec, change->after, u->password));
        if (change->after->kind == DESC_TYPE)
            TRY(change_type(exec, (TypeDesc *)desc_copy(change->after, exec->arena)));
        else
            TRY(catalog_put(ddl_view(exec), change->after, exec->err));
        if (u->restart)
            TRY(sequence_set(catalog_view_catalog(ddl_view(exec)), (const SequenceDesc *)change->after, u->restart_value,
                             false, exec->err));
    }
    TRY(ddl_put_views(exec, &u->views));
    ddl_notices(exec, &u->notices);
    return ST_OK;
}

/* ---- tables ---- */

/* Sequences come first: the table's columns carry their ids, they carry the table's. */
Status ddl_put_table_sequences(Exec *exec, const OwnedSequenceVec *sequences, TableDesc *table)
{
    for (int i = 0; i < sequences->count; i++) {
        SequenceDesc *sequence = (SequenceDesc *)desc_copy(&sequences->items[i].draft->base, exec->arena);
        sequence->owner_table = table->base.id;
        TRY(put_new(exec, &sequence->base));
        int ordinal = table_column_by_id(table, sequences->items[i].column_id);
        if (ordinal >= 0) table->columns.items[ordinal].sequence_id = sequence->base.id;
    }
    return ST_OK;
}

static bool has_key(const TableDesc *table, uint32_t id)
{
    for (int i = 0; table && i < table->foreign_keys.count; i++)
        if (table->foreign_keys.items[i].id == id) return true;
    return false;
}

Status ddl_note_referenced(Exec *exec, const TableDesc *before, const TableDesc *after)
{
    for (int i = 0; i < after->foreign_keys.count; i++) {
        const ForeignKeyDesc *key = &after->foreign_keys.items[i];
        if (has_key(before, key->id) || key->referenced_table == after->base.id) continue;
        const Desc *referenced = catalog_find_id(ddl_view(exec), key->referenced_table);
        if (referenced) TRY(catalog_put(ddl_view(exec), desc_copy(referenced, exec->arena), exec->err));
    }
    return ST_OK;
}

static Status create_table(Exec *exec, TableDesc *table, const OwnedSequenceVec *sequences, const IndexSplitVec *splits)
{
    TRY(catalog_new_id(ddl_view(exec), &table->base.id, exec->err));
    ddl_apply_default_acl(exec, &table->base);
    TRY(temp_schema_prepare(exec, &table->base));
    exec->session->temp_on_commit |= table->on_commit != ON_COMMIT_PRESERVE;
    TRY(txn_lock_table(exec->txn, table->base.id, TABLE_ACCESS_EXCLUSIVE, LOCK_WAIT, exec->err));
    TRY(ddl_put_table_sequences(exec, sequences, table));
    for (int i = 0; i < table->foreign_keys.count; i++) /* the table's own id was not known before */
        if (!table->foreign_keys.items[i].referenced_table) table->foreign_keys.items[i].referenced_table = table->base.id;
    TRY(catalog_put(ddl_view(exec), &table->base, exec->err));
    TRY(ddl_note_referenced(exec, NULL, table));
    return ddl_add_boundaries(exec, NULL, table, splits);
}

Status ddl_create_table(Exec *exec, const UtilityCreateTable *u)
{
    TableDesc *table = table_desc_copy(u->draft, exec->arena);
    TRY(create_table(exec, table, &u->sequences, &u->splits));
    ddl_notices(exec, &u->notices);
    return ST_OK;
}

/* ---- CREATE TABLE AS ---- */

typedef struct TableFill {
    Exec *exec;
    RowTarget target;
    RowWriter *writer;
    Arena *arena;
    Value *row;
    int query_columns;
    Expr **defaults; /* of the hidden columns; NULL: none */
} TableFill;

static Status fill_batch(void *argument, const Batch *batch)
{
    TableFill *f = argument;
    for (int i = 0; i < batch_rows(batch); i++) {
        int r = batch_row(batch, i);
        arena_reset(f->arena);
        for (int c = 0; c < f->target.column_count; c++) {
            f->row[c] = c < f->query_columns ? batch->columns[c][r] : VALUE_NULL;
            if (f->defaults[c]) TRY(eval_single(f->exec, f->defaults[c], &f->row[c], f->arena));
        }
        TRY(row_target_compute(&f->target, f->row, f->arena));
        TRY(row_insert(f->writer, (RowImage){.values = f->row}, f->exec->err));
        f->exec->rows_affected++;
    }
    return ST_OK;
}

static Status open_fill(TableFill *f, Exec *exec, const TableDesc *table, int query_columns)
{
    WriteTarget *target;
    *f = (TableFill){.exec = exec, .query_columns = query_columns};
    TRY(ddl_write_target(exec, table, &target));
    TRY(row_target_init(&f->target, exec, target));
    f->row = ARENA_ARRAY(exec->arena, Value, table->columns.count);
    f->defaults = ARENA_ARRAY(exec->arena, Expr *, table->columns.count);
    for (int i = query_columns; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (!column->default_expr) continue;
        TRY(plan_table_expr(exec->session, &(TableExpr){table, target->row, column->default_expr, column->type}, &f->defaults[i], exec->arena, exec->err));
    }
    f->arena = arena_create(exec->arena, 0);
    f->writer = row_writer_create(f->target.access, exec->txn, arena_create(exec->arena, 0));
    return ST_OK;
}

Status ddl_create_table_as(Exec *exec, const UtilityCreateTableAs *u)
{
    static const OwnedSequenceVec no_sequences;
    static const IndexSplitVec no_splits;
    TableDesc *table = table_desc_copy(u->draft, exec->arena);
    if (u->refreshed) {
        TRY(table_clear(exec->txn, u->refreshed, exec->err));
        if (u->refreshed->populated != table->populated) TRY(catalog_put(ddl_view(exec), &table->base, exec->err));
    } else {
        TRY(create_table(exec, table, &no_sequences, &no_splits));
    }
    exec->rows_affected = 0;
    if (!u->with_data) return ST_OK;
    TableFill fill;
    TRY(open_fill(&fill, exec, table, u->query->column_count));
    Status st = ddl_run_query(exec, u->query, fill_batch, &fill);
    row_target_close(&fill.target);
    return st;
}
