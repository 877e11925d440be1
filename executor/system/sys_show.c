/* The relations that SHOW forms read: schema rowkey, one relation each (planner/bind/bind_show.c has the queries). */
#include <stdlib.h>

#include "executor/system/describe.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"

/* ---- databases, schemas, roles, sequences ---- */

static Status show_database(SystemCtx *ctx, const Desc *desc)
{
    SysRow r = sys_begin(ctx);
    sys_text(&r, desc->name);
    sys_text(&r, desc->owner);
    sys_null(&r);
    sys_null(&r);
    TRY(sys_array(&r, OID_TEXT, NULL, 0));
    sys_null(&r);
    sys_text(&r, desc->comment);
    return sys_emit(&r);
}

static Status fill_show_databases(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_DATABASE, 0, show_database);
}

static Status schema_row(SystemCtx *ctx, DescId database, const char *name, const char *owner, const char *comment)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, database);
    sys_text(&r, name);
    sys_text(&r, owner);
    sys_text(&r, comment);
    return sys_emit(&r);
}

static Status show_schema(SystemCtx *ctx, const Desc *desc)
{
    return schema_row(ctx, desc->parent_database, desc->name, desc->owner, desc->comment);
}

static Status built_in_schemas(SystemCtx *ctx, const Desc *database)
{
    static const char *const names[] = {"crdb_internal", "information_schema", "pg_catalog", "rowkey"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) TRY(schema_row(ctx, database->id, names[i], NULL, NULL));
    return ST_OK;
}

static Status fill_show_schemas(SystemCtx *ctx)
{
    TRY(sys_each_desc(ctx, DESC_SCHEMA, 0, show_schema));
    return sys_each_desc(ctx, DESC_DATABASE, 0, built_in_schemas);
}

static Status show_sequence(SystemCtx *ctx, const Desc *desc)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, desc->parent_database);
    sys_text(&r, sys_schema_name(ctx, desc->parent_schema));
    sys_text(&r, desc->name);
    return sys_emit(&r);
}

static Status fill_show_sequences(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_SEQUENCE, 0, show_sequence);
}

static Status show_role(SystemCtx *ctx, const Desc *desc)
{
    const RoleDesc *role = (const RoleDesc *)desc;
    Arena *arena = sys_arena(ctx);
    const char *options = "";
    if (role->create_db) options = "CREATEDB";
    if (role->create_role) options = arena_printf(arena, "%s%sCREATEROLE", options, *options ? ", " : "");
    if (!role->login) options = arena_printf(arena, "%s%sNOLOGIN", options, *options ? ", " : "");
    SysRow r = sys_begin(ctx);
    sys_text(&r, desc->name);
    sys_text(&r, options);
    TRY(sys_array(&r, OID_TEXT, NULL, 0));
    return sys_emit(&r);
}

static Status fill_show_roles(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_ROLE, 0, show_role);
}

/* ---- tables ---- */

static Status show_table(SystemCtx *ctx, const Desc *desc)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, desc->parent_database);
    sys_text(&r, sys_schema_name(ctx, desc->parent_schema));
    sys_text(&r, desc->name);
    sys_text(&r, desc->kind == DESC_TABLE ? "table" : desc->kind == DESC_VIEW ? "view" : "sequence");
    sys_text(&r, desc->owner);
    if (desc->kind == DESC_TABLE)
        sys_int(&r, catalog_table_stats(ctx->fn.session->catalog, (const TableDesc *)desc, sys_arena(ctx))->row_count);
    else
        sys_int(&r, 0);
    sys_null(&r);
    sys_text(&r, desc->comment);
    return sys_emit(&r);
}

static Status fill_show_tables(SystemCtx *ctx)
{
    Value wanted;
    DescId database = sys_wants(ctx, 0, &wanted) ? (DescId)wanted.i : 0;
    TRY(sys_each_desc(ctx, DESC_TABLE, database, show_table));
    TRY(sys_each_desc(ctx, DESC_VIEW, database, show_table));
    return sys_each_desc(ctx, DESC_SEQUENCE, database, show_table);
}

/* ---- columns ---- */

static bool index_has(const IndexDesc *index, uint32_t column_id)
{
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].column_id == column_id) return true;
    for (int i = 0; i < index->suffix.count; i++)
        if ((uint32_t)index->suffix.items[i] == column_id) return true;
    for (int i = 0; i < index->stored.count; i++)
        if ((uint32_t)index->stored.items[i] == column_id) return true;
    return false;
}

static int compare_texts(const void *a, const void *b)
{
    return slice_compare(value_to_slice(*(const Value *)a), value_to_slice(*(const Value *)b));
}

/* The primary index holds every column. */
static Status put_indices(SysRow *r, const TableDesc *table, const ColumnDesc *column)
{
    Value *names = ARENA_ARRAY(sys_arena(r->ctx), Value, table->indexes.count + 1);
    int count = 0;
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if (index->primary ? column->computed != COMPUTED_VIRTUAL || index_has(index, column->id) : index_has(index, column->id))
            names[count++] = value_str(index->name);
    }
    qsort(names, (size_t)count, sizeof *names, compare_texts);
    return sys_array(r, OID_TEXT, names, count);
}

static Status show_columns_of_table(SystemCtx *ctx, const TableDesc *table)
{
    Arena *arena = sys_arena(ctx);
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->role == COLUMN_EXPRESSION) continue;
        SysRow r = sys_begin(ctx);
        sys_int(&r, table->base.id);
        sys_int(&r, i + 1);
        sys_text(&r, column->name);
        sys_text(&r, type_format_crdb(column->type, arena));
        sys_bool(&r, !column->not_null);
        sys_text(&r, column->default_expr);
        sys_text(&r, column->computed_expr ? describe_generation(table, column, false, arena) : "");
        TRY(put_indices(&r, table, column));
        sys_bool(&r, column->hidden);
        sys_text(&r, column->comment);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status plain_column(SystemCtx *ctx, Oid relation, int ordinal, const char *name, TypeRef type)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, relation);
    sys_int(&r, ordinal);
    sys_text(&r, name);
    sys_text(&r, type_format_crdb(type, sys_arena(ctx)));
    sys_bool(&r, true);
    sys_null(&r);
    sys_text(&r, "");
    TRY(sys_array(&r, OID_TEXT, NULL, 0));
    sys_bool(&r, false);
    sys_null(&r);
    return sys_emit(&r);
}

static Status show_columns_of(SystemCtx *ctx, const SysRelation *relation)
{
    if (relation->index) return ST_OK;
    if (relation->system) {
        SysColumn *columns;
        int count = sys_columns(relation->system->columns, &columns, sys_arena(ctx));
        for (int i = 0; i < count; i++) TRY(plain_column(ctx, relation->oid, i + 1, columns[i].name, columns[i].type));
        return ST_OK;
    }
    if (relation->desc->kind == DESC_TABLE) return show_columns_of_table(ctx, (const TableDesc *)relation->desc);
    if (relation->desc->kind != DESC_VIEW) return ST_OK;
    const ViewDesc *view = (const ViewDesc *)relation->desc;
    for (int i = 0; i < view->columns.count; i++)
        TRY(plain_column(ctx, relation->oid, i + 1, view->columns.items[i].name, view->columns.items[i].type));
    return ST_OK;
}

static Status fill_show_columns(SystemCtx *ctx)
{
    return sys_each_relation(ctx, 0, show_columns_of);
}

/* ---- indexes ---- */

typedef struct IndexRow {
    const TableDesc *table;
    const IndexDesc *index;
    int seq;
} IndexRow;

static Status index_row(SystemCtx *ctx, IndexRow *at, const ColumnDesc *column, const char *direction, bool storing, bool implicit)
{
    const char *definition = column->role == COLUMN_EXPRESSION ? column->computed_expr : column->name;
    SysRow r = sys_begin(ctx);
    sys_int(&r, at->table->base.parent_database);
    sys_int(&r, at->table->base.id);
    sys_text(&r, at->table->base.name);
    sys_text(&r, at->index->name);
    sys_bool(&r, !at->index->unique);
    sys_int(&r, ++at->seq);
    sys_text(&r, column->name);
    sys_text(&r, definition);
    sys_text(&r, direction);
    sys_bool(&r, storing);
    sys_bool(&r, implicit);
    sys_bool(&r, true);
    sys_text(&r, at->index->comment);
    return sys_emit(&r);
}

static bool in_key(const IndexDesc *index, uint32_t id)
{
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].column_id == id) return true;
    return false;
}

static Status show_index(SystemCtx *ctx, IndexRow *at)
{
    const TableDesc *table = at->table;
    const IndexDesc *index = at->index;
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *key = &index->columns.items[i];
        const ColumnDesc *column = &table->columns.items[table_column_by_id(table, key->column_id)];
        TRY(index_row(ctx, at, column, key->descending ? "DESC" : "ASC", false, key->implicit));
    }
    if (index->primary) {
        for (int i = 0; i < table->columns.count; i++) {
            const ColumnDesc *column = &table->columns.items[i];
            if (column->computed != COMPUTED_VIRTUAL && !in_key(index, column->id))
                TRY(index_row(ctx, at, column, "N/A", true, false));
        }
        return ST_OK;
    }
    for (int i = 0; i < index->stored.count; i++)
        TRY(index_row(ctx, at, &table->columns.items[table_column_by_id(table, (uint32_t)index->stored.items[i])], "N/A", true, false));
    for (int i = 0; i < index->suffix.count; i++)
        TRY(index_row(ctx, at, &table->columns.items[table_column_by_id(table, (uint32_t)index->suffix.items[i])],
                      index->unique ? "N/A" : "ASC", index->unique, true));
    return ST_OK;
}

static Status show_indexes_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++) {
        IndexRow at = {table, &table->indexes.items[i], 0};
        TRY(show_index(ctx, &at));
    }
    return ST_OK;
}

static Status fill_show_indexes(SystemCtx *ctx)
{
    return sys_each_table(ctx, 1, show_indexes_of);
}

/* ---- constraints, SHOW CREATE ---- */

static Status constraint_row(SystemCtx *ctx, const TableDesc *table, const char *name, const char *type, const char *details,
                             bool validated)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, table->base.id);
    sys_text(&r, table->base.name);
    sys_text(&r, name);
    sys_text(&r, type);
    sys_text(&r, details);
    sys_bool(&r, validated);
    return sys_emit(&r);
}

static Status show_constraints_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if (!index->is_constraint && !index->primary) continue;
        TRY(constraint_row(ctx, table, index->name, index->primary || index->logical_primary ? "PRIMARY KEY" : "UNIQUE",
                           describe_key_constraint(table, index, sys_arena(ctx)), true));
    }
    for (int i = 0; i < table->checks.count; i++) {
        const CheckDesc *check = &table->checks.items[i];
        if (!check->hidden)
            TRY(constraint_row(ctx, table, check->name, "CHECK", describe_check(ctx->fn.session, table, check, false, sys_arena(ctx)), check->validated));
    }
    for (int i = 0; i < table->foreign_keys.count; i++) {
        const ForeignKeyDesc *key = &table->foreign_keys.items[i];
        Buf text = {0};
        describe_put_foreign_key(&text, ctx->fn.session->catalog, table, key, false);
        const char *details = buf_to_str(&text, sys_arena(ctx));
        buf_finish(&text);
        TRY(constraint_row(ctx, table, key->name, "FOREIGN KEY", details, key->validated));
    }
    return ST_OK;
}

static Status fill_show_constraints(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, show_constraints_of);
}

static Status show_create_of(SystemCtx *ctx, const SysRelation *relation)
{
    if (relation->index || relation->system) return ST_OK;
    SysRow r = sys_begin(ctx);
    sys_int(&r, relation->desc->parent_database);
    sys_int(&r, relation->oid);
    sys_text(&r, relation->desc->name);
    sys_text(&r, describe_create(sys_view(ctx), relation->desc, sys_arena(ctx)));
    return sys_emit(&r);
}

static Status fill_show_create(SystemCtx *ctx)
{
    return sys_each_relation(ctx, 1, show_create_of);
}

/* clang-format off */
const SystemRelation sys_show_rows[] = {
    {9701, "rowkey", "show_databases", "database_name text, owner text, primary_region text, secondary_region text, "
     "regions text[], survival_goal text, comment text", fill_show_databases, NULL, NULL},
    {9702, "rowkey", "show_schemas", "database_id oid, schema_name text, owner text, comment text", fill_show_schemas, NULL, NULL},
    {9703, "rowkey", "show_tables", "database_id oid, schema_name text, table_name text, type text, owner text, "
     "estimated_row_count int8, locality text, comment text", fill_show_tables, NULL, "database_id"},
    {9704, "rowkey", "show_columns", "relation_id oid, ordinal int8, column_name text, data_type text, is_nullable bool, "
     "column_default text, generation_expression text, indices text[], is_hidden bool, comment text",
     fill_show_columns, NULL, "relation_id"},
    {9705, "rowkey", "show_indexes", "database_id oid, relation_id oid, table_name text, index_name text, non_unique bool, "
     "seq_in_index int8, column_name text, definition text, direction text, storing bool, implicit bool, visible bool, "
     "comment text", fill_show_indexes, NULL, "relation_id"},
    {9706, "rowkey", "show_constraints", "relation_id oid, table_name text, constraint_name text, constraint_type text, "
     "details text, validated bool", fill_show_constraints, NULL, "relation_id"},
    {9707, "rowkey", "show_create", "database_id oid, relation_id oid, table_name text, create_statement text",
     fill_show_create, NULL, "relation_id"},
    {9708, "rowkey", "show_sequences", "database_id oid, sequence_schema text, sequence_name text", fill_show_sequences, NULL, NULL},
    {9709, "rowkey", "show_roles", "username text, options text, member_of text[]", fill_show_roles, NULL, NULL},
    {0},
};
