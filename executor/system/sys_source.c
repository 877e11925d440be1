#include "executor/system/sys_source.h"

#include "storage/catalog/acl.h"

/* ---- relations ---- */

bool sys_index_is_listed(const TableDesc *table, const IndexDesc *index)
{
    if (!index->primary) return true;
    for (int i = 0; i < index->columns.count; i++) {
        int ordinal = table_column_by_id(table, index->columns.items[i].column_id);
        if (table->columns.items[ordinal].role == COLUMN_ROWID) return false;
    }
    return true;
}

static Status each_of_table(SystemCtx *ctx, const TableDesc *table, SysEach each)
{
    TRY(each(ctx, &(SysRelation){.oid = table->base.id, .desc = &table->base}));
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if (!sys_index_is_listed(table, index)) continue;
        TRY(each(ctx, &(SysRelation){.oid = index_oid(table->base.id, index->id), .desc = &table->base, .index = index}));
    }
    return ST_OK;
}

static Status one_relation(SystemCtx *ctx, Oid oid, SysEach each)
{
    const CatalogView *view = sys_view(ctx);
    const IndexDesc *index;
    const TableDesc *table = catalog_find_index_oid(view, oid, &index);
    if (table) return each(ctx, &(SysRelation){.oid = oid, .desc = &table->base, .index = index});
    const SystemRelation *system = catalog_find_system_oid(view, oid);
    if (system) return each(ctx, &(SysRelation){.oid = oid, .system = system});
    const Desc *desc = catalog_find_id(view, oid);
    bool relation = desc && (desc->kind == DESC_TABLE || desc->kind == DESC_VIEW || desc->kind == DESC_SEQUENCE);
    if (!relation || desc->parent_database != ctx->fn.session->database_id) return ST_OK;
    return each(ctx, &(SysRelation){.oid = oid, .desc = desc});
}

static Status each_system(SystemCtx *ctx, SysEach each)
{
    const Builtins *builtins = catalog_builtins(catalog_view_catalog(ctx->fn.session->catalog));
    for (const SystemRelation *const *family = builtins->relation_families; family && *family; family++)
        for (const SystemRelation *row = *family; row->name; row++)
            TRY(each(ctx, &(SysRelation){.oid = row->oid, .system = row}));
    return ST_OK;
}

Status sys_each_relation(SystemCtx *ctx, int oid_column, SysEach each)
{
    static const DescKind kinds[] = {DESC_TABLE, DESC_VIEW, DESC_SEQUENCE};
    Value wanted;
    if (sys_wants(ctx, oid_column, &wanted)) return one_relation(ctx, (Oid)wanted.i, each);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const Desc **list;
        int count = catalog_list(sys_view(ctx), kinds[k], ctx->fn.session->database_id, 0, &list, sys_arena(ctx));
        for (int i = 0; i < count; i++) {
            if (kinds[k] == DESC_TABLE)
                TRY(each_of_table(ctx, (const TableDesc *)list[i], each));
            else
                TRY(each(ctx, &(SysRelation){.oid = list[i]->id, .desc = list[i]}));
        }
    }
    return each_system(ctx, each);
}

Status sys_each_table(SystemCtx *ctx, int oid_column, SysEachTable each)
{
    Value wanted;
    if (oid_column >= 0 && sys_wants(ctx, oid_column, &wanted)) {
        const Desc *desc = catalog_find_id(sys_view(ctx), (DescId)wanted.i);
        return desc && desc->kind == DESC_TABLE ? each(ctx, (const TableDesc *)desc) : ST_OK;
    }
    const Desc **list;
    int count = catalog_list(sys_view(ctx), DESC_TABLE, ctx->fn.session->database_id, 0, &list, sys_arena(ctx));
    for (int i = 0; i < count; i++) TRY(each(ctx, (const TableDesc *)list[i]));
    return ST_OK;
}

Status sys_each_desc(SystemCtx *ctx, DescKind kind, DescId database, SysEachDesc each)
{
    const Desc **list;
    int count = catalog_list(sys_view(ctx), kind, database, 0, &list, sys_arena(ctx));
    for (int i = 0; i < count; i++) TRY(each(ctx, list[i]));
    return ST_OK;
}

/* ---- columns ---- */

/* "oid oid, \"position\" int4, relkind \"char\"": a name, a blank, a type. */
int sys_columns(const char *list, SysColumn **columns, Arena *arena)
{
    int count = 1;
    for (const char *p = list; *p; p++) count += *p == ',';
    *columns = ARENA_ARRAY(arena, SysColumn, count);
    const char *p = list;
    for (int i = 0; i < count; i++) {
        while (*p == ' ') p++;
        const char *end = strchr(p, ',');
        if (!end) end = p + strlen(p);
        const char *blank = memchr(p, ' ', (size_t)(end - p));
        assert(blank);
        bool quoted = *p == '"';
        (*columns)[i].name = arena_strndup(arena, p + quoted, (size_t)(blank - p) - (quoted ? 2 : 0));
        const TypeDef *type = type_find_name(arena_strndup(arena, blank + 1, (size_t)(end - blank - 1)));
        (*columns)[i].type = (TypeRef){type ? type->oid : OID_TEXT, -1};
        p = *end ? end + 1 : end;
    }
    return count;
}

/* ---- names ---- */

Oid sys_attrdef_oid(const TableDesc *table, const ColumnDesc *column)
{
    return table->base.id * 2000u + column->id;
}

/* A view has no indexes: their numbers are free. */
Oid sys_rule_oid(const Desc *view)
{
    return index_oid(view->id, 1);
}

Oid sys_schema_oid(const char *schema)
{
    if (strcmp(schema, "pg_catalog") == 0) return OID_PG_CATALOG_SCHEMA;
    if (strcmp(schema, "information_schema") == 0) return OID_INFORMATION_SCHEMA;
    if (strcmp(schema, "crdb_internal") == 0) return OID_CRDB_INTERNAL_SCHEMA;
    return OID_ROWKEY_SCHEMA;
}

Oid sys_role_oid(const SystemCtx *ctx, const char *role)
{
    const Desc *desc = role ? catalog_find_role(sys_view(ctx), role) : NULL;
    if (role && !desc && strcmp(role, ROLE_DATABASE_OWNER) == 0) return OID_ROLE_DATABASE_OWNER;
    if (!desc) desc = catalog_find_role(sys_view(ctx), "postgres");
    return desc ? desc->id : 0;
}

const char *sys_schema_name(const SystemCtx *ctx, DescId schema)
{
    return session_schema_name(ctx->fn.session, schema);
}
