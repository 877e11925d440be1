/* pg_depend and pg_rewrite: what belongs to what, and the rule that makes a view one. */
#include "executor/system/describe.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "storage/catalog/extension.h"
#include "storage/types/type_user.h"

enum {
    CLASS_TYPE = 1247, CLASS_PROC = 1255, CLASS_RELATION = 1259, CLASS_ATTRDEF = 2604, CLASS_CONSTRAINT = 2606, CLASS_NAMESPACE = 2615,
    CLASS_REWRITE = 2618, CLASS_EXTENSION = 3079
};

typedef struct ObjectRef {
    Oid class, oid;
    int64_t part; /* attnum; 0: the whole */
} ObjectRef;

static Status depend(SystemCtx *ctx, ObjectRef object, ObjectRef on, char type)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, object.class);
    sys_int(&r, object.oid);
    sys_int(&r, object.part);
    sys_int(&r, on.class);
    sys_int(&r, on.oid);
    sys_int(&r, on.part);
    sys_char(&r, type);
    return sys_emit(&r);
}

static ObjectRef column_ref(const TableDesc *table, uint32_t column)
{
    return (ObjectRef){CLASS_RELATION, table->base.id, column};
}

static Status in_schema(SystemCtx *ctx, Oid class, const Desc *desc)
{
    return depend(ctx, (ObjectRef){class, desc->id, 0}, (ObjectRef){CLASS_NAMESPACE, desc->parent_schema, 0}, 'n');
}

/* Of an array, its element's; 0: a built-in type. */
static Oid user_type_id(TypeRef type)
{
    const UserType *user = user_type_find(type_ref_oid(type));
    return user ? user->def.oid : 0;
}

/* ---- tables ---- */

static Status of_column(SystemCtx *ctx, const TableDesc *table, const ColumnDesc *column)
{
    if (column->hidden) return ST_OK;
    ObjectRef self = column_ref(table, column->id), definition = {CLASS_ATTRDEF, sys_attrdef_oid(table, column), 0};
    const Desc *type = catalog_find_id(sys_view(ctx), user_type_id(column->type));
    if (type && type->kind == DESC_TYPE) TRY(depend(ctx, self, (ObjectRef){CLASS_TYPE, type->id, 0}, 'n'));
    if (column->identity != IDENTITY_NONE) return ST_OK;
    if (column->computed != COMPUTED_NONE || column->default_expr) TRY(depend(ctx, definition, self, 'a'));
    const Desc *sequence = describe_nextval_sequence(ctx->fn.session, column->default_expr, sys_arena(ctx));
    return sequence ? depend(ctx, definition, (ObjectRef){CLASS_RELATION, sequence->id, 0}, 'n') : ST_OK;
}

static Status of_index(SystemCtx *ctx, const TableDesc *table, const IndexDesc *index)
{
    Oid oid = index_oid(table->base.id, index->id);
    bool constraint = index->primary || index->is_constraint;
    ObjectRef self = {constraint ? CLASS_CONSTRAINT : CLASS_RELATION, oid, 0};
    if (constraint) TRY(depend(ctx, (ObjectRef){CLASS_RELATION, oid, 0}, self, 'i'));
    int listed = 0;
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *key = &index->columns.items[i];
        const ColumnDesc *column = &table->columns.items[table_column_by_id(table, key->column_id)];
        if (column->hidden) continue;
        TRY(depend(ctx, self, column_ref(table, column->id), 'a'));
        listed++;
    }
    return listed ? ST_OK : depend(ctx, self, column_ref(table, 0), 'a');
}

static Status of_foreign_key(SystemCtx *ctx, const TableDesc *table, const ForeignKeyDesc *key)
{
    ObjectRef self = {CLASS_CONSTRAINT, describe_constraint_id(table, key->id), 0};
    for (int i = 0; i < key->columns.count; i++) TRY(depend(ctx, self, column_ref(table, (uint32_t)key->columns.items[i]), 'a'));
    for (int i = 0; i < key->referenced_columns.count; i++)
        TRY(depend(ctx, self, (ObjectRef){CLASS_RELATION, key->referenced_table, key->referenced_columns.items[i]}, 'n'));
    return ST_OK;
}

static Status of_table(SystemCtx *ctx, const TableDesc *table)
{
    TRY(in_schema(ctx, CLASS_RELATION, &table->base));
    for (int i = 0; i < table->columns.count; i++) TRY(of_column(ctx, table, &table->columns.items[i]));
    for (int i = 0; i < table->indexes.count; i++)
        if (sys_index_is_listed(table, &table->indexes.items[i])) TRY(of_index(ctx, table, &table->indexes.items[i]));
    for (int i = 0; i < table->checks.count; i++) {
        if (table->checks.items[i].hidden) continue;
        TRY(depend(ctx, (ObjectRef){CLASS_CONSTRAINT, describe_constraint_id(table, table->checks.items[i].id), 0}, column_ref(table, 0), 'a'));
    }
    for (int i = 0; i < table->foreign_keys.count; i++) TRY(of_foreign_key(ctx, table, &table->foreign_keys.items[i]));
    return ST_OK;
}

/* ---- other objects ---- */

static Status of_sequence(SystemCtx *ctx, const Desc *desc)
{
    const SequenceDesc *sequence = (const SequenceDesc *)desc;
    TRY(in_schema(ctx, CLASS_RELATION, desc));
    const Desc *owner = sequence->owner_table ? catalog_find_id(sys_view(ctx), sequence->owner_table) : NULL;
    if (!owner || owner->kind != DESC_TABLE) return ST_OK;
    const TableDesc *table = (const TableDesc *)owner;
    int ordinal = table_column_by_id(table, sequence->owner_column);
    bool identity = ordinal >= 0 && table->columns.items[ordinal].identity != IDENTITY_NONE;
    return depend(ctx, (ObjectRef){CLASS_RELATION, desc->id, 0}, column_ref(table, sequence->owner_column), identity ? 'i' : 'a');
}

/* A view's columns are not told apart: it needs the whole of what it reads. */
static Status of_view(SystemCtx *ctx, const Desc *desc)
{
    const IntVec *depends_on = desc->kind == DESC_VIEW ? &((const ViewDesc *)desc)->depends_on : &((const TableDesc *)desc)->depends_on;
    ObjectRef self = {CLASS_RELATION, desc->id, 0}, rule = {CLASS_REWRITE, sys_rule_oid(desc), 0};
    TRY(in_schema(ctx, CLASS_RELATION, desc));
    TRY(depend(ctx, rule, self, 'i'));
    TRY(depend(ctx, rule, self, 'n'));
    for (int i = 0; i < depends_on->count; i++) {
        const Desc *used = catalog_find_id(sys_view(ctx), (DescId)depends_on->items[i]);
        if (!used) continue;
        TRY(depend(ctx, rule, (ObjectRef){used->kind == DESC_TYPE ? CLASS_TYPE : CLASS_RELATION, used->id, 0}, 'n'));
    }
    return ST_OK;
}

static Status of_matview(SystemCtx *ctx, const TableDesc *table)
{
    return table->view_query ? of_view(ctx, &table->base) : ST_OK;
}

static Status of_type(SystemCtx *ctx, const Desc *desc)
{
    const TypeDesc *type = (const TypeDesc *)desc;
    ObjectRef self = {CLASS_TYPE, desc->id, 0};
    TRY(in_schema(ctx, CLASS_TYPE, desc));
    for (int i = 0; i < type->checks.count; i++)
        TRY(depend(ctx, (ObjectRef){CLASS_CONSTRAINT, describe_domain_constraint_id(type, type->checks.items[i].id), 0}, self, 'a'));
    Oid below = type->form == TYPE_DOMAIN ? user_type_id(type->of) : 0;
    return below ? depend(ctx, self, (ObjectRef){CLASS_TYPE, below, 0}, 'n') : ST_OK;
}

/* What the program brings along beside pg_catalog belongs to extension rowkey: pg_dump leaves it alone. */
static Status of_extension(SystemCtx *ctx)
{
    const Builtins *builtins = catalog_builtins(catalog_view_catalog(ctx->fn.session->catalog));
    ObjectRef extension = {CLASS_EXTENSION, OID_EXTENSION_ROWKEY, 0};
    TRY(depend(ctx, (ObjectRef){CLASS_NAMESPACE, OID_CRDB_INTERNAL_SCHEMA, 0}, extension, 'e'));
    TRY(depend(ctx, (ObjectRef){CLASS_NAMESPACE, OID_ROWKEY_SCHEMA, 0}, extension, 'e'));
    for (const SystemRelation *const *family = builtins->relation_families; *family; family++) {
        for (const SystemRelation *row = *family; row->name; row++) {
            Oid schema = sys_schema_oid(row->schema);
            if (schema != OID_CRDB_INTERNAL_SCHEMA && schema != OID_ROWKEY_SCHEMA) continue;
            TRY(depend(ctx, (ObjectRef){CLASS_RELATION, row->oid, 0}, extension, 'e'));
        }
    }
    for (const FuncDef *const *family = builtins->function_families; *family; family++)
        for (const FuncDef *row = *family; row->name; row++)
            if (strchr(row->name, '.') && strlen(row->name) > 3 && !(row->flags & (FN_OPERATOR | FN_HIDDEN)))
                TRY(depend(ctx, (ObjectRef){CLASS_PROC, row->oid, 0}, extension, 'e'));
    return ST_OK;
}

static Status fill_pg_depend(SystemCtx *ctx)
{
    DescId database = ctx->fn.session->database_id;
    TRY(of_extension(ctx));
    TRY(sys_each_table(ctx, -1, of_table));
    TRY(sys_each_desc(ctx, DESC_SEQUENCE, database, of_sequence));
    TRY(sys_each_desc(ctx, DESC_TYPE, database, of_type));
    TRY(sys_each_table(ctx, -1, of_matview));
    return sys_each_desc(ctx, DESC_VIEW, database, of_view);
}

/* ---- pg_rewrite, pg_extension ---- */

static Status rule_row(SystemCtx *ctx, const Desc *desc)
{
    const char *query = desc->kind == DESC_VIEW ? ((const ViewDesc *)desc)->query : ((const TableDesc *)desc)->view_query;
    SysRow r = sys_begin(ctx);
    sys_int(&r, sys_rule_oid(desc));
    sys_text(&r, "_RETURN");
    sys_int(&r, desc->id);
    sys_char(&r, '1'); /* SELECT */
    sys_char(&r, 'O');
    sys_bool(&r, true);
    sys_text(&r, "<>");
    sys_text(&r, query);
    return sys_emit(&r);
}

static Status matview_rule(SystemCtx *ctx, const TableDesc *table)
{
    return table->view_query ? rule_row(ctx, &table->base) : ST_OK;
}

static Status fill_pg_rewrite(SystemCtx *ctx)
{
    TRY(sys_each_table(ctx, -1, matview_rule));
    return sys_each_desc(ctx, DESC_VIEW, ctx->fn.session->database_id, rule_row);
}

static const DatabaseDesc *own_database(SystemCtx *ctx)
{
    return (const DatabaseDesc *)catalog_find_id(sys_view(ctx), ctx->fn.session->database_id);
}

static Status extension_row(SystemCtx *ctx, Oid oid, const char *name, const char *version, Oid schema)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, oid);
    sys_text(&r, name);
    sys_int(&r, sys_role_oid(ctx, "postgres"));
    sys_int(&r, schema);
    sys_bool(&r, false);
    sys_text(&r, version);
    sys_nulls(&r, 2);
    return sys_emit(&r);
}

static Status fill_pg_extension(SystemCtx *ctx)
{
    const DatabaseDesc *database = own_database(ctx);
    TRY(extension_row(ctx, OID_EXTENSION_ROWKEY, "rowkey", "1.0", OID_PG_CATALOG_SCHEMA));
    for (int i = 0; i < extension_count(); i++) {
        const ExtensionDef *extension = extension_at(i);
        int index = extension_index(database, extension);
        if (index < 0 && !extension->always) continue;
        const Desc *schema = index < 0 ? NULL : catalog_find_schema(sys_view(ctx), database->base.id, extension_schema(database, index));
        TRY(extension_row(ctx, extension->oid, extension->name, extension->version,
                          schema ? schema->id : OID_PG_CATALOG_SCHEMA));
    }
    return ST_OK;
}

static Status fill_pg_available_extensions(SystemCtx *ctx)
{
    const DatabaseDesc *database = own_database(ctx);
    for (int i = 0; i < extension_count(); i++) {
        const ExtensionDef *extension = extension_at(i);
        bool installed = extension->always || extension_index(database, extension) >= 0;
        SysRow r = sys_begin(ctx);
        sys_text(&r, extension->name);
        sys_text(&r, extension->version);
        sys_text(&r, installed ? extension->version : NULL);
        sys_text(&r, extension->comment);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_pg_depend_rows[] = {
    {2608, "pg_catalog", "pg_depend",
     "classid oid, objid oid, objsubid int4, refclassid oid, refobjid oid, refobjsubid int4, deptype \"char\"",
     fill_pg_depend, NULL, NULL},
    {2618, "pg_catalog", "pg_rewrite",
     "oid oid, rulename name, ev_class oid, ev_type \"char\", ev_enabled \"char\", is_instead bool, "
     "ev_qual pg_node_tree, ev_action pg_node_tree",
     fill_pg_rewrite, NULL, NULL},
    {3079, "pg_catalog", "pg_extension",
     "oid oid, extname name, extowner oid, extnamespace oid, extrelocatable bool, extversion text, "
     "extconfig oid[], extcondition text[]",
     fill_pg_extension, NULL, NULL},
    {12081, "pg_catalog", "pg_available_extensions",
     "name name, default_version text, installed_version text, comment text",
     fill_pg_available_extensions, NULL, NULL},
    {0},
};
