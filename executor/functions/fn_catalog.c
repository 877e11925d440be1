/* fn_catalog.c - what clients ask about objects of the catalog: definitions, names, visibility, comments, sizes. */
#include "executor/functions/families.h"
#include "executor/system/describe.h"
#include "executor/system/static_rows.h"
#include "planner/deparse.h"
#include "planner/session.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"
#include "storage/types/type_user.h"

static const CatalogView *view_of(const FnCtx *ctx)
{
    return ctx->session->catalog;
}

static Status text_or_null(const char *text, Value *out)
{
    *out = text ? value_str(text) : VALUE_NULL;
    return ST_OK;
}

static Status no_text(FnCtx *ctx, const Value *args, Value *out)
{
    *out = VALUE_NULL;
    return ST_OK;
}

static Status yes(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(true);
    return ST_OK;
}

static Status no(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(false);
    return ST_OK;
}

/* ---- names and types ---- */

static Status pg_get_userbyid(FnCtx *ctx, const Value *args, Value *out)
{
    const Desc *role = catalog_find_id(view_of(ctx), (DescId)args[0].i);
    if (role && role->kind == DESC_ROLE) return text_or_null(role->name, out);
    return text_or_null(arena_printf(ctx->type.arena, "unknown (OID=%u)", (Oid)args[0].i), out);
}

/* Not strict: the typmod may be NULL, which leaves it out. */
static Status format_type(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[0].null) return no_text(ctx, args, out);
    TypeRef type = {(Oid)args[0].i, args[1].null ? -1 : (int32_t)args[1].i};
    bool known = type_find(type.oid) && !user_type_find(type.oid);
    const char *name = known || !type_find(type.oid) ? static_type_name(type, ctx->type.arena)
                                                     : session_type_name(ctx->session, type, ctx->type.arena);
    return text_or_null(name, out);
}

static Status find_name(FnCtx *ctx, Oid type_oid, Value name, Value *out)
{
    const TypeDef *type = type_find(type_oid);
    Error ignored;
    TypeCtx quiet = {ctx->type.arena, ctx->type.env, &ignored};
    if (type->in(type, &quiet, value_to_slice(name), -1, out) != ST_OK) *out = VALUE_NULL;
    return ST_OK;
}

static Status to_regclass(FnCtx *ctx, const Value *args, Value *out)
{
    return find_name(ctx, OID_REGCLASS, args[0], out);
}

static Status to_regtype(FnCtx *ctx, const Value *args, Value *out)
{
    return find_name(ctx, OID_REGTYPE, args[0], out);
}

/* Visible: the schema is on the search path, and no earlier one hides the name. */
static bool is_visible(FnCtx *ctx, DescId schema, const char *name)
{
    const DescId *path;
    int count = session_search_path(ctx->session, &path, ctx->type.arena);
    for (int i = 0; i < count; i++) {
        if (path[i] == schema) return true;
        const char *word = session_schema_name(ctx->session, path[i]);
        if (catalog_find_object(view_of(ctx), path[i], name)) return false;
        if (word && catalog_find_system(view_of(ctx), word, name)) return false;
    }
    return false;
}

static Status pg_table_is_visible(FnCtx *ctx, const Value *args, Value *out)
{
    Oid oid = (Oid)args[0].i;
    const IndexDesc *index;
    const TableDesc *table = catalog_find_index_oid(view_of(ctx), oid, &index);
    const SystemRelation *system = catalog_find_system_oid(view_of(ctx), oid);
    const Desc *desc = catalog_find_id(view_of(ctx), oid);
    *out = VALUE_NULL;
    if (table)
        *out = value_bool(is_visible(ctx, table->base.parent_schema, index->name));
    else if (system)
        *out = value_bool(is_visible(ctx, session_find_schema(ctx->session, system->schema), system->name));
    else if (desc)
        *out = value_bool(is_visible(ctx, desc->parent_schema, desc->name));
    return ST_OK;
}

/* Functions of crdb_internal and rowkey are seen by their qualified names only. */
static Status pg_function_is_visible(FnCtx *ctx, const Value *args, Value *out)
{
    const FuncDef *function = catalog_function_oid(view_of(ctx), (Oid)args[0].i);
    const Value *known = static_find(STATIC_PG_PROC, (Oid)args[0].i);
    if (known)
        *out = value_bool(known[PROC_SCHEMA].i == OID_PG_CATALOG_SCHEMA);
    else
        *out = value_bool(function && !strchr(function->name, '.'));
    return ST_OK;
}

/* ---- definitions ---- */

/* The catalog holds the text already, with all its parentheses; the pretty form is made from it. */
static Status pg_get_expr(FnCtx *ctx, const Value *args, Value *out)
{
    *out = args[0];
    bool pretty = ctx->arg_count > 2 && args[2].i && args[0].size && args[0].p[0] == '(';
    const Desc *desc = pretty ? catalog_find_id(view_of(ctx), (DescId)args[1].i) : NULL;
    if (!desc || desc->kind != DESC_TABLE) return ST_OK;
    const char *text = arena_strndup(ctx->type.arena, args[0].p, args[0].size);
    return text_or_null(deparse_table_expr(ctx->session, (const TableDesc *)desc, text, true, ctx->type.arena), out);
}

static Status pg_get_indexdef(FnCtx *ctx, const Value *args, Value *out)
{
    const IndexDesc *index;
    const TableDesc *table = catalog_find_index_oid(view_of(ctx), (Oid)args[0].i, &index);
    bool pretty = ctx->arg_count > 2 && args[2].i;
    if (!table) return no_text(ctx, args, out);
    if (ctx->arg_count > 1 && args[1].i)
        return text_or_null(describe_index_column(ctx->session, table, index, &(DescribePart){(int)args[1].i, pretty}, ctx->type.arena), out);
    return text_or_null(describe_index(ctx->session, table, index, pretty, ctx->type.arena), out);
}

static Status pg_get_constraintdef(FnCtx *ctx, const Value *args, Value *out)
{
    return text_or_null(describe_constraint_oid(ctx->session, (Oid)args[0].i, ctx->arg_count > 1 && args[1].i, ctx->type.arena), out);
}

static Status view_text(FnCtx *ctx, Oid oid, Value *out)
{
    const Desc *desc = catalog_find_id(view_of(ctx), oid);
    const SystemRelation *system = catalog_find_system_oid(view_of(ctx), oid);
    if (system && system->view) return text_or_null(system->view, out);
    const char *query = !desc                       ? NULL
                        : desc->kind == DESC_VIEW   ? ((const ViewDesc *)desc)->query
                        : desc->kind == DESC_TABLE  ? ((const TableDesc *)desc)->view_query
                                                    : NULL;
    return text_or_null(query ? arena_printf(ctx->type.arena, " %s;", query) : NULL, out);
}

static Status pg_get_viewdef(FnCtx *ctx, const Value *args, Value *out)
{
    return view_text(ctx, (Oid)args[0].i, out);
}

static Status pg_get_viewdef_name(FnCtx *ctx, const Value *args, Value *out)
{
    Value oid;
    TRY(find_name(ctx, OID_REGCLASS, args[0], &oid));
    return oid.null ? no_text(ctx, args, out) : view_text(ctx, (Oid)oid.i, out);
}

/* ---- comments ---- */

static const char *comment_of(FnCtx *ctx, Oid oid)
{
    const IndexDesc *index;
    if (catalog_find_index_oid(view_of(ctx), oid, &index)) return index->comment;
    const Desc *desc = catalog_find_id(view_of(ctx), oid);
    return desc ? desc->comment : NULL;
}

static Status obj_description(FnCtx *ctx, const Value *args, Value *out)
{
    return text_or_null(comment_of(ctx, (Oid)args[0].i), out);
}

static Status col_description(FnCtx *ctx, const Value *args, Value *out)
{
    const Desc *desc = catalog_find_id(view_of(ctx), (DescId)args[0].i);
    if (!desc || desc->kind != DESC_TABLE) return no_text(ctx, args, out);
    int ordinal = table_column_by_id((const TableDesc *)desc, (uint32_t)args[1].i);
    return text_or_null(ordinal < 0 ? NULL : ((const TableDesc *)desc)->columns.items[ordinal].comment, out);
}

/* ---- sizes, from the ranges' counters ---- */

static int64_t span_bytes(FnCtx *ctx, Buf *start, Buf *end)
{
    int64_t keys = 0, key_bytes = 0, value_bytes = 0;
    directory_span_stats(store_directory(txn_store(ctx->txn)), buf_slice(start), buf_slice(end), &keys, &key_bytes, &value_bytes);
    buf_finish(start);
    buf_finish(end);
    return key_bytes + value_bytes;
}

static int64_t index_bytes(FnCtx *ctx, DescId table, uint32_t index_id)
{
    Buf start = {0}, end = {0};
    row_key_index_prefix(table, index_id, &start);
    row_key_index_prefix(table, index_id + 1, &end);
    return span_bytes(ctx, &start, &end);
}

static int64_t table_bytes(FnCtx *ctx, DescId table)
{
    Buf start = {0}, end = {0};
    row_key_table_prefix(table, &start);
    row_key_table_prefix(table + 1, &end);
    return span_bytes(ctx, &start, &end);
}

static Status pg_relation_size(FnCtx *ctx, const Value *args, Value *out)
{
    const IndexDesc *index;
    const TableDesc *table = catalog_find_index_oid(view_of(ctx), (Oid)args[0].i, &index);
    const Desc *desc = catalog_find_id(view_of(ctx), (DescId)args[0].i);
    if (table)
        *out = value_int(index_bytes(ctx, table->base.id, index->id));
    else if (desc && desc->kind == DESC_TABLE)
        *out = value_int(index_bytes(ctx, desc->id, table_primary((const TableDesc *)desc)->id));
    else
        *out = value_int(0);
    return ST_OK;
}

static Status pg_total_relation_size(FnCtx *ctx, const Value *args, Value *out)
{
    const Desc *desc = catalog_find_id(view_of(ctx), (DescId)args[0].i);
    if (!desc || desc->kind != DESC_TABLE) return pg_relation_size(ctx, args, out);
    *out = value_int(table_bytes(ctx, desc->id));
    return ST_OK;
}

static Status pg_indexes_size(FnCtx *ctx, const Value *args, Value *out)
{
    Value total, own;
    TRY(pg_total_relation_size(ctx, args, &total));
    TRY(pg_relation_size(ctx, args, &own));
    *out = value_int(total.i - own.i);
    return ST_OK;
}

static Status database_size(FnCtx *ctx, const Desc *database, Value *out)
{
    const Desc **tables;
    if (!database || database->kind != DESC_DATABASE)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_CATALOG_NAME, "database does not exist");
    int64_t bytes = 0;
    int count = catalog_list(view_of(ctx), DESC_TABLE, database->id, 0, &tables, ctx->type.arena);
    for (int i = 0; i < count; i++) bytes += table_bytes(ctx, tables[i]->id);
    *out = value_int(bytes);
    return ST_OK;
}

static Status pg_database_size(FnCtx *ctx, const Value *args, Value *out)
{
    return database_size(ctx, catalog_find_id(view_of(ctx), (DescId)args[0].i), out);
}

static Status pg_database_size_name(FnCtx *ctx, const Value *args, Value *out)
{
    const char *name = arena_strndup(ctx->type.arena, args[0].p, args[0].size);
    return database_size(ctx, catalog_find_database(view_of(ctx), name), out);
}

/* ---- sequences ---- */

static const Desc *owned_sequence(FnCtx *ctx, const TableDesc *table, uint32_t column)
{
    const Desc **list;
    int count = catalog_list(view_of(ctx), DESC_SEQUENCE, table->base.parent_database, 0, &list, ctx->type.arena);
    for (int i = 0; i < count; i++) {
        const SequenceDesc *sequence = (const SequenceDesc *)list[i];
        if (sequence->owner_table == table->base.id && sequence->owner_column == column) return list[i];
    }
    return NULL;
}

static Status pg_get_serial_sequence(FnCtx *ctx, const Value *args, Value *out)
{
    Value oid;
    const TypeDef *regclass = type_find(OID_REGCLASS);
    TRY(regclass->in(regclass, &ctx->type, value_to_slice(args[0]), -1, &oid));
    const Desc *desc = catalog_find_id(view_of(ctx), (DescId)oid.i);
    if (!desc || desc->kind != DESC_TABLE) return no_text(ctx, args, out);
    const TableDesc *table = (const TableDesc *)desc;
    const char *name = arena_strndup(ctx->type.arena, args[1].p, args[1].size);
    int ordinal = table_column_by_name(table, name);
    if (ordinal < 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_COLUMN, "column \"%s\" of relation \"%s\" does not exist",
                       name, table->base.name);
    const Desc *sequence = owned_sequence(ctx, table, table->columns.items[ordinal].id);
    if (!sequence) return no_text(ctx, args, out);
    const char *schema = session_schema_name(ctx->session, sequence->parent_schema);
    return text_or_null(arena_printf(ctx->type.arena, "%s.%s", describe_identifier(schema, ctx->type.arena),
                                     describe_identifier(sequence->name, ctx->type.arena)), out);
}

static Status pg_sequence_last_value(FnCtx *ctx, const Value *args, Value *out)
{
    const Desc *desc = catalog_find_id(view_of(ctx), (DescId)args[0].i);
    *out = VALUE_NULL;
    if (!desc || desc->kind != DESC_SEQUENCE) return ST_OK;
    int64_t last;
    bool called;
    TRY(sequence_read(catalog_view_catalog(ctx->session->catalog), (const SequenceDesc *)desc, &last, &called, ctx->type.err));
    if (called) *out = value_int(last);
    return ST_OK;
}

#define STABLE (FN_STRICT | FN_STABLE)

/* clang-format off */
const FuncDef fn_catalog_rows[] = {
    { 1216, "col_description", "oid, int4",            "text", STABLE, col_description },
    { 1081, "format_type", "oid, int4",                "text", FN_STABLE, format_type },
    { 1348, "obj_description", "oid",                  "text", STABLE, obj_description },
    { 1215, "obj_description", "oid, name",            "text", STABLE, obj_description },
    { 3815, "pg_collation_is_visible", "oid",          "bool", STABLE, yes },
    { 2093, "pg_conversion_is_visible", "oid",         "bool", STABLE, yes },
    { 2168, "pg_database_size", "name",                "int8", FN_STRICT, pg_database_size_name },
    { 2324, "pg_database_size", "oid",                 "int8", FN_STRICT, pg_database_size },
    { 2081, "pg_function_is_visible", "oid",           "bool", STABLE, pg_function_is_visible },
    { 1387, "pg_get_constraintdef", "oid",             "text", STABLE, pg_get_constraintdef },
    { 2508, "pg_get_constraintdef", "oid, bool",       "text", STABLE, pg_get_constraintdef },
    { 1716, "pg_get_expr", "pg_node_tree, oid",        "text", STABLE, pg_get_expr },
    { 2509, "pg_get_expr", "pg_node_tree, oid, bool",  "text", STABLE, pg_get_expr },
    { 1643, "pg_get_indexdef", "oid",                  "text", STABLE, pg_get_indexdef },
    { 2507, "pg_get_indexdef", "oid, int4, bool",      "text", STABLE, pg_get_indexdef },
    { 3352, "pg_get_partkeydef", "oid",                "text", STABLE, no_text },
    { 1573, "pg_get_ruledef", "oid",                   "text", STABLE, no_text },
    { 2504, "pg_get_ruledef", "oid, bool",             "text", STABLE, no_text },
    { 1665, "pg_get_serial_sequence", "text, text",    "text", STABLE, pg_get_serial_sequence },
    { 6174, "pg_get_statisticsobjdef_columns", "oid",  "text", STABLE, no_text },
    { 1662, "pg_get_triggerdef", "oid",                "text", STABLE, no_text },
    { 2730, "pg_get_triggerdef", "oid, bool",          "text", STABLE, no_text },
    { 1642, "pg_get_userbyid", "oid",                  "name", STABLE, pg_get_userbyid },
    { 1640, "pg_get_viewdef", "text",                  "text", STABLE, pg_get_viewdef_name },
    { 2505, "pg_get_viewdef", "text, bool",            "text", STABLE, pg_get_viewdef_name },
    { 1641, "pg_get_viewdef", "oid",                   "text", STABLE, pg_get_viewdef },
    { 2506, "pg_get_viewdef", "oid, bool",             "text", STABLE, pg_get_viewdef },
    { 2998, "pg_indexes_size", "regclass",             "int8", FN_STRICT, pg_indexes_size },
    { 2083, "pg_opclass_is_visible", "oid",            "bool", STABLE, yes },
    { 2082, "pg_operator_is_visible", "oid",           "bool", STABLE, yes },
    { 6121, "pg_relation_is_publishable", "regclass",  "bool", STABLE, no },
    { 2325, "pg_relation_size", "regclass",            "int8", FN_STRICT, pg_relation_size },
    { 2332, "pg_relation_size", "regclass, text",      "int8", FN_STRICT, pg_relation_size },
    { 4032, "pg_sequence_last_value", "regclass",      "int8", FN_STRICT, pg_sequence_last_value },
    { 3403, "pg_statistics_obj_is_visible", "oid",     "bool", STABLE, yes },
    { 2079, "pg_table_is_visible", "oid",              "bool", STABLE, pg_table_is_visible },
    { 2997, "pg_table_size", "regclass",               "int8", FN_STRICT, pg_relation_size },
    { 3778, "pg_tablespace_location", "oid",           "text", STABLE, no_text },
    { 2286, "pg_total_relation_size", "regclass",      "int8", FN_STRICT, pg_total_relation_size },
    { 3758, "pg_ts_config_is_visible", "oid",          "bool", STABLE, yes },
    { 2080, "pg_type_is_visible", "oid",               "bool", STABLE, yes },
    { 1993, "shobj_description", "oid, name",          "text", STABLE, obj_description },
    { 3495, "to_regclass", "text",                     "regclass", STABLE, to_regclass },
    { 3493, "to_regtype", "text",                      "regtype", STABLE, to_regtype },
    {0},
};
