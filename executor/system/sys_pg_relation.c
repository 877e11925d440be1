/* Relations and their parts: pg_class, pg_attribute, pg_attrdef, pg_index. */
#include "executor/system/acl_text.h"
#include "executor/system/describe.h"
#include "executor/system/static_rows.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "planner/deparse.h"

enum { AM_HEAP = 2, AM_BTREE = 403, COLLATION_DEFAULT = 100, COLLATION_C = 950 };

/* ---- pg_class ---- */

typedef struct ClassFacts {
    const char *name, *owner;
    Oid schema, am;
    char kind;
    int columns, checks;
    double rows;
    int64_t pages;
    bool has_index, has_triggers, unpopulated;
} ClassFacts;

static int visible_columns(const TableDesc *table)
{
    return (int)table->next_column_id - 1;
}

static ClassFacts facts_of_table(SystemCtx *ctx, const TableDesc *table, const IndexDesc *index)
{
    ClassFacts f = {.name = table->base.name, .owner = table->base.owner, .schema = table->base.parent_schema,
                    .am = AM_HEAP, .kind = table->view_query ? 'm' : 'r', .has_index = true};
    const TableStats *stats = catalog_table_stats(ctx->fn.session->catalog, table, sys_arena(ctx));
    f.rows = (double)stats->row_count;
    f.pages = stats->bytes / 8192;
    f.columns = visible_columns(table);
    for (int i = 0; i < table->checks.count; i++) f.checks += !table->checks.items[i].hidden;
    f.unpopulated = table->view_query && !table->populated && !index;
    f.has_triggers = !index && !table->view_query; /* else psql looks for no foreign keys */
    if (!index) return f;
    f.name = index->name;
    f.am = AM_BTREE;
    f.kind = 'i';
    f.columns = f.checks = 0;
    for (int i = 0; i < index->columns.count; i++) f.columns += !index->columns.items[i].implicit;
    f.columns += index->stored.count;
    f.has_index = false;
    return f;
}

static ClassFacts facts(SystemCtx *ctx, const SysRelation *r)
{
    if (r->system) {
        int columns = 1;
        for (const char *c = r->system->columns; *c; c++) columns += *c == ',';
        return (ClassFacts){.name = r->system->name, .owner = "postgres", .schema = sys_schema_oid(r->system->schema),
                            .kind = r->system->fill ? 'r' : 'v', .columns = columns};
    }
    if (r->desc->kind == DESC_TABLE) return facts_of_table(ctx, (const TableDesc *)r->desc, r->index);
    ClassFacts f = {.name = r->desc->name, .owner = r->desc->owner, .schema = r->desc->parent_schema};
    f.kind = r->desc->kind == DESC_VIEW ? 'v' : 'S';
    f.columns = r->desc->kind == DESC_VIEW ? ((const ViewDesc *)r->desc)->columns.count : 3;
    return f;
}

static bool is_temporary(SystemCtx *ctx, const Desc *desc)
{
    const char *schema = sys_schema_name(ctx, desc->parent_schema);
    return schema && strncmp(schema, "pg_temp_", 8) == 0;
}

static Status class_row(SystemCtx *ctx, const SysRelation *relation)
{
    ClassFacts f = facts(ctx, relation);
    SysRow r = sys_begin(ctx);
    sys_int(&r, relation->oid);
    sys_text(&r, f.name);
    sys_int(&r, f.schema);
    sys_int(&r, 0); /* reltype */
    sys_int(&r, 0); /* reloftype */
    sys_int(&r, sys_role_oid(ctx, f.owner));
    sys_int(&r, f.am);
    sys_int(&r, f.kind == 'v' ? 0 : relation->oid); /* relfilenode */
    sys_int(&r, 0); /* reltablespace */
    sys_int(&r, f.pages);
    sys_float(&r, f.rows);
    sys_int(&r, 0); /* relallvisible */
    sys_int(&r, 0); /* reltoastrelid */
    sys_bool(&r, f.has_index);
    sys_bool(&r, false); /* relisshared */
    sys_char(&r, relation->desc && is_temporary(ctx, relation->desc) ? 't' : 'p');
    sys_char(&r, f.kind);
    sys_int(&r, f.columns);
    sys_int(&r, f.checks);
    sys_bool(&r, f.kind == 'v' || f.kind == 'm'); /* relhasrules */
    sys_bool(&r, f.has_triggers);
    sys_bool(&r, false); /* relhassubclass */
    sys_bool(&r, false); /* relrowsecurity */
    sys_bool(&r, false); /* relforcerowsecurity */
    sys_bool(&r, !f.unpopulated); /* relispopulated */
    sys_char(&r, f.kind == 'r' || f.kind == 'm' ? 'd' : 'n');
    sys_bool(&r, false); /* relispartition */
    sys_int(&r, 0); /* relrewrite */
    sys_int(&r, 0); /* relfrozenxid */
    sys_int(&r, 0); /* relminmxid */
    if (relation->desc && !relation->index)
        TRY(sys_acl(&r, relation->desc));
    else
        sys_null(&r);
    sys_nulls(&r, 2);
    return sys_emit(&r);
}

static Status fill_pg_class(SystemCtx *ctx)
{
    return sys_each_relation(ctx, 0, class_row);
}

/* ---- pg_attribute ---- */

typedef struct AttributeFacts {
    const char *name;
    TypeRef type;
    int number;
    bool not_null, has_default;
    char identity, generated;
    const AclVec *acl; /* NULL: none */
} AttributeFacts;

static Oid collation_of(const TypeDef *type)
{
    if (!type) return 0;
    const TypeDef *element = type->element_oid && type_is_array(type) ? type_find(type->element_oid) : type;
    if (element->oid == OID_NAME) return COLLATION_C;
    return element->category == 'S' ? COLLATION_DEFAULT : 0;
}

static char align_of(int length)
{
    return length == 1 ? 'c' : length == 2 ? 's' : length == 8 ? 'd' : 'i';
}

static Status attribute_row(SystemCtx *ctx, Oid relation, const AttributeFacts *f)
{
    const TypeDef *type = type_find(f->type.oid);
    const Value *known = static_find(STATIC_PG_TYPE, f->type.oid);
    int length = known ? (int)known[TYPE_LENGTH].i : type ? type->length : -1;
    bool array = type && type_is_array(type);
    SysRow r = sys_begin(ctx);
    sys_int(&r, relation);
    sys_text(&r, f->name);
    sys_int(&r, type_ref_oid(f->type));
    sys_int(&r, -1); /* attstattarget */
    sys_int(&r, length);
    sys_int(&r, f->number);
    sys_int(&r, array ? 1 : 0);
    sys_int(&r, -1); /* attcacheoff */
    sys_int(&r, f->type.domain ? -1 : f->type.typmod);
    sys_bool(&r, length == 1 || length == 2 || length == 4 || length == 8);
    sys_char(&r, known ? (char)*known[TYPE_ALIGN].p : align_of(length));
    sys_char(&r, known ? (char)*known[TYPE_STORAGE].p : length < 0 ? 'x' : 'p');
    sys_char(&r, 0); /* attcompression */
    sys_bool(&r, f->not_null);
    sys_bool(&r, f->has_default);
    sys_bool(&r, false); /* atthasmissing */
    sys_char(&r, f->identity);
    sys_char(&r, f->generated);
    sys_bool(&r, false); /* attisdropped */
    sys_bool(&r, true);  /* attislocal */
    sys_int(&r, 0); /* attinhcount */
    sys_int(&r, collation_of(type));
    Value acl = VALUE_NULL;
    if (f->acl) TRY(acl_array(&ctx->fn.type, ctx->fn.session, f->acl, &acl));
    sys_value(&r, acl);
    sys_nulls(&r, 3);
    return sys_emit(&r);
}

static Status table_attributes(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->hidden) continue;
        bool computed = column->computed != COMPUTED_NONE;
        AttributeFacts f = {.name = column->name, .type = column->type, .number = (int)column->id,
                            .not_null = column->not_null, .acl = &column->acl,
                            .has_default = computed || (column->default_expr && column->identity == IDENTITY_NONE)};
        f.identity = column->identity == IDENTITY_ALWAYS ? 'a' : column->identity == IDENTITY_BY_DEFAULT ? 'd' : 0;
        f.generated = computed ? 's' : 0;
        TRY(attribute_row(ctx, table->base.id, &f));
    }
    return ST_OK;
}

static Status index_attributes(SystemCtx *ctx, const SysRelation *relation)
{
    const TableDesc *table = (const TableDesc *)relation->desc;
    const IndexDesc *index = relation->index;
    int number = 0, expressions = 0;
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *key = &index->columns.items[i];
        const ColumnDesc *column = &table->columns.items[table_column_by_id(table, key->column_id)];
        if (key->implicit) continue;
        AttributeFacts f = {.name = column->name, .type = column->type, .number = ++number};
        if (column->role == COLUMN_EXPRESSION)
            f.name = expressions++ ? arena_printf(sys_arena(ctx), "expr%d", expressions - 1) : "expr";
        TRY(attribute_row(ctx, relation->oid, &f));
    }
    for (int i = 0; i < index->stored.count; i++) {
        const ColumnDesc *column = &table->columns.items[table_column_by_id(table, (uint32_t)index->stored.items[i])];
        TRY(attribute_row(ctx, relation->oid, &(AttributeFacts){.name = column->name, .type = column->type, .number = ++number}));
    }
    return ST_OK;
}

static Status list_attributes(SystemCtx *ctx, Oid relation, const SysColumn *columns, int count)
{
    for (int i = 0; i < count; i++)
        TRY(attribute_row(ctx, relation,
                          &(AttributeFacts){.name = columns[i].name, .type = columns[i].type, .number = i + 1}));
    return ST_OK;
}

static Status attributes_of(SystemCtx *ctx, const SysRelation *relation)
{
    static const SysColumn of_sequence[] = {
        {"last_value", {OID_INT8, -1}}, {"log_cnt", {OID_INT8, -1}}, {"is_called", {OID_BOOL, -1}}};
    if (relation->system) {
        SysColumn *columns;
        int count = sys_columns(relation->system->columns, &columns, sys_arena(ctx));
        return list_attributes(ctx, relation->oid, columns, count);
    }
    if (relation->index) return index_attributes(ctx, relation);
    if (relation->desc->kind == DESC_TABLE) return table_attributes(ctx, (const TableDesc *)relation->desc);
    if (relation->desc->kind == DESC_SEQUENCE) return list_attributes(ctx, relation->oid, of_sequence, 3);
    const ViewDesc *view = (const ViewDesc *)relation->desc;
    for (int i = 0; i < view->columns.count; i++)
        TRY(attribute_row(ctx, relation->oid, &(AttributeFacts){.name = view->columns.items[i].name,
                                                                .type = view->columns.items[i].type, .number = i + 1}));
    return ST_OK;
}

static Status fill_pg_attribute(SystemCtx *ctx)
{
    return sys_each_relation(ctx, 0, attributes_of);
}

/* ---- pg_attrdef ---- */

static const char *default_text(SystemCtx *ctx, const TableDesc *table, const ColumnDesc *column)
{
    if (column->computed != COMPUTED_NONE)
        return deparse_table_expr(ctx->fn.session, table, column->computed_expr, false, sys_arena(ctx));
    const char *text = describe_default(ctx->fn.session, column, sys_arena(ctx));
    bool computes = text && strncmp(text, "nextval(", 8) != 0;
    return computes ? deparse_default(ctx->fn.session, table, column, text, sys_arena(ctx)) : text;
}

static Status defaults_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        const char *text = column->hidden || column->identity != IDENTITY_NONE ? NULL : default_text(ctx, table, column);
        if (!text) continue;
        SysRow r = sys_begin(ctx);
        sys_int(&r, sys_attrdef_oid(table, column));
        sys_int(&r, table->base.id);
        sys_int(&r, column->id);
        sys_text(&r, text);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_attrdef(SystemCtx *ctx)
{
    return sys_each_table(ctx, 1, defaults_of);
}

/* ---- pg_index ---- */

typedef struct IndexArrays {
    Value *keys, *collations, *classes, *options;
    int columns, key_columns;
    const char *expressions;
} IndexArrays;

/* Numbers of operator classes as PostgreSQL has them for the commonest types; others have none here. */
static Oid operator_class(Oid type, const char *name)
{
    if (name && strcmp(name, "text_pattern_ops") == 0) return 4217;
    if (name && strcmp(name, "varchar_pattern_ops") == 0) return 4218;
    if (name && strcmp(name, "bpchar_pattern_ops") == 0) return 4219;
    if (name && strcmp(name, "varchar_ops") == 0) return 10044;
    switch (type) {
    case OID_INT4: return 1978;
    case OID_INT8: return 3124;
    case OID_INT2: return 1979;
    case OID_TEXT:
    case OID_VARCHAR: return 3126;
    case OID_UUID: return 2967;
    case OID_TIMESTAMPTZ: return 3127;
    case OID_TIMESTAMP: return 3128;
    case OID_NUMERIC: return 3125;
    case OID_DATE: return 3122;
    case OID_BOOL: return 424;
    }
    return 0;
}

static IndexArrays index_arrays(SystemCtx *ctx, const TableDesc *table, const IndexDesc *index)
{
    Arena *arena = sys_arena(ctx);
    int room = index->columns.count + index->stored.count + 1;
    IndexArrays a = {ARENA_ARRAY(arena, Value, room), ARENA_ARRAY(arena, Value, room), ARENA_ARRAY(arena, Value, room),
                     ARENA_ARRAY(arena, Value, room), 0, 0, NULL};
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *key = &index->columns.items[i];
        const ColumnDesc *column = &table->columns.items[table_column_by_id(table, key->column_id)];
        if (key->implicit) continue;
        bool expression = column->role == COLUMN_EXPRESSION;
        a.keys[a.columns] = value_int(expression ? 0 : column->id);
        a.collations[a.columns] = value_int(collation_of(type_find(column->type.oid)));
        a.classes[a.columns] = value_int(operator_class(column->type.oid, key->opclass));
        a.options[a.columns] = value_int(key->descending * 1 + key->nulls_first * 2 + key->hash_mode * 4);
        const char *text = expression ? deparse_table_expr(ctx->fn.session, table, column->computed_expr, false, arena) : NULL;
        if (text) a.expressions = a.expressions ? arena_printf(arena, "%s, %s", a.expressions, text) : text;
        a.columns++;
    }
    a.key_columns = a.columns;
    for (int i = 0; i < index->stored.count; i++) a.keys[a.columns++] = value_int(index->stored.items[i]);
    return a;
}

static Status index_row(SystemCtx *ctx, const TableDesc *table, const IndexDesc *index)
{
    IndexArrays a = index_arrays(ctx, table, index);
    Session *session = ctx->fn.session;
    const char *predicate = index->predicate ? deparse_table_expr(session, table, index->predicate, false, sys_arena(ctx)) : NULL;
    bool public = index->state == INDEX_PUBLIC;
    SysRow r = sys_begin(ctx);
    sys_int(&r, index_oid(table->base.id, index->id));
    sys_int(&r, table->base.id);
    sys_int(&r, a.columns);
    sys_int(&r, a.key_columns);
    sys_bool(&r, index->unique);
    sys_bool(&r, index->nulls_not_distinct);
    sys_bool(&r, index->primary || index->logical_primary);
    sys_bool(&r, false); /* indisexclusion */
    sys_bool(&r, index_is_unique(index) || !index->unique); /* indimmediate */
    sys_bool(&r, false); /* indisclustered */
    sys_bool(&r, public);
    sys_bool(&r, false); /* indcheckxmin */
    sys_bool(&r, public);
    sys_bool(&r, true);  /* indislive */
    sys_bool(&r, false); /* indisreplident */
    TRY(sys_vector(&r, OID_INT2, a.keys, a.columns));
    TRY(sys_vector(&r, OID_OID, a.collations, a.key_columns));
    TRY(sys_vector(&r, OID_OID, a.classes, a.key_columns));
    TRY(sys_vector(&r, OID_INT2, a.options, a.key_columns));
    sys_text(&r, a.expressions);
    sys_text(&r, predicate);
    return sys_emit(&r);
}

static Status indexes_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++)
        if (sys_index_is_listed(table, &table->indexes.items[i])) TRY(index_row(ctx, table, &table->indexes.items[i]));
    return ST_OK;
}

static Status fill_pg_index(SystemCtx *ctx)
{
    Value wanted;
    const IndexDesc *index;
    if (!sys_wants(ctx, 0, &wanted)) return sys_each_table(ctx, 1, indexes_of);
    const TableDesc *table = catalog_find_index_oid(sys_view(ctx), (Oid)wanted.i, &index);
    return table && sys_index_is_listed(table, index) ? index_row(ctx, table, index) : ST_OK;
}

/* clang-format off */
const SystemRelation sys_pg_relation_rows[] = {
    {1259, "pg_catalog", "pg_class",
     "oid oid, relname name, relnamespace oid, reltype oid, reloftype oid, relowner oid, relam oid, "
     "relfilenode oid, reltablespace oid, relpages int4, reltuples float4, relallvisible int4, "
     "reltoastrelid oid, relhasindex bool, relisshared bool, relpersistence \"char\", relkind \"char\", "
     "relnatts int2, relchecks int2, relhasrules bool, relhastriggers bool, relhassubclass bool, "
     "relrowsecurity bool, relforcerowsecurity bool, relispopulated bool, relreplident \"char\", "
     "relispartition bool, relrewrite oid, relfrozenxid xid, relminmxid xid, relacl aclitem[], reloptions "
     "text[], relpartbound pg_node_tree",
     fill_pg_class, NULL, "oid"},
    {1249, "pg_catalog", "pg_attribute",
     "attrelid oid, attname name, atttypid oid, attstattarget int4, attlen int2, attnum int2, attndims "
     "int4, attcacheoff int4, atttypmod int4, attbyval bool, attalign \"char\", attstorage \"char\", "
     "attcompression \"char\", attnotnull bool, atthasdef bool, atthasmissing bool, attidentity \"char\", "
     "attgenerated \"char\", attisdropped bool, attislocal bool, attinhcount int4, attcollation oid, "
     "attacl aclitem[], attoptions text[], attfdwoptions text[], attmissingval anyarray",
     fill_pg_attribute, NULL, "attrelid"},
    {2604, "pg_catalog", "pg_attrdef",
     "oid oid, adrelid oid, adnum int2, adbin pg_node_tree",
     fill_pg_attrdef, NULL, "adrelid"},
    {2610, "pg_catalog", "pg_index",
     "indexrelid oid, indrelid oid, indnatts int2, indnkeyatts int2, indisunique bool, indnullsnotdistinct "
     "bool, indisprimary bool, indisexclusion bool, indimmediate bool, indisclustered bool, indisvalid "
     "bool, indcheckxmin bool, indisready bool, indislive bool, indisreplident bool, indkey int2vector, "
     "indcollation oidvector, indclass oidvector, indoption int2vector, indexprs pg_node_tree, indpred "
     "pg_node_tree",
     fill_pg_index, NULL, "indrelid,indexrelid"},
    {0},
};
