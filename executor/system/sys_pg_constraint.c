/* pg_constraint. */
#include "executor/system/describe.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "planner/deparse.h"

typedef struct ConstraintFacts {
    Oid oid, index, referenced;
    const char *name, *expression;
    char type;
    bool deferrable, deferred, validated, no_inherit;
    const Value *keys;
    int key_count;
    const ForeignKeyDesc *foreign_key; /* NULL: it is none */
    const TableDesc *parent;
    const TypeDesc *domain; /* NULL: it is a table's */
} ConstraintFacts;

/* ---- foreign keys ---- */

static char action_letter(FkAction action)
{
    switch (action) {
    case FK_NO_ACTION: return 'a';
    case FK_RESTRICT: return 'r';
    case FK_CASCADE: return 'c';
    case FK_SET_NULL: return 'n';
    case FK_SET_DEFAULT: return 'd';
    }
    return 'a';
}

/* The operator by which two columns are compared: PostgreSQL's numbers. */
static Oid equal_operator(Oid left, Oid right)
{
    static const struct {
        Oid left, right, equal;
    } rows[] = {{OID_INT2, OID_INT2, 94}, {OID_INT4, OID_INT4, 96}, {OID_INT8, OID_INT8, 410}, {OID_INT2, OID_INT4, 532},
                {OID_INT4, OID_INT2, 533}, {OID_INT4, OID_INT8, 15}, {OID_INT8, OID_INT4, 416}, {OID_INT2, OID_INT8, 1862},
                {OID_INT8, OID_INT2, 1868}, {OID_TEXT, OID_TEXT, 98}, {OID_BOOL, OID_BOOL, 91}, {OID_UUID, OID_UUID, 2972},
                {OID_NUMERIC, OID_NUMERIC, 1752}, {OID_FLOAT4, OID_FLOAT4, 620}, {OID_FLOAT8, OID_FLOAT8, 670},
                {OID_FLOAT4, OID_FLOAT8, 1120}, {OID_FLOAT8, OID_FLOAT4, 1130}, {OID_DATE, OID_DATE, 1093},
                {OID_TIMESTAMP, OID_TIMESTAMP, 2060}, {OID_TIMESTAMPTZ, OID_TIMESTAMPTZ, 1320}, {OID_BYTEA, OID_BYTEA, 1955},
                {OID_INTERVAL, OID_INTERVAL, 1330}, {OID_TIME, OID_TIME, 1108}, {OID_OID, OID_OID, 607}};
    if (left == OID_VARCHAR) left = OID_TEXT;
    if (right == OID_VARCHAR) right = OID_TEXT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].left == left && rows[i].right == right) return rows[i].equal;
    return left == right ? 0 : equal_operator(left, left);
}

static Oid column_type(const TableDesc *table, int id)
{
    int ordinal = table_column_by_id(table, (uint32_t)id);
    return ordinal < 0 ? 0 : table->columns.items[ordinal].type.oid;
}

typedef enum OperatorSides { PARENT_CHILD, PARENT_PARENT, CHILD_CHILD } OperatorSides;

static Status put_operators(SysRow *r, const TableDesc *child, const ConstraintFacts *f, OperatorSides sides)
{
    const ForeignKeyDesc *key = f->foreign_key;
    Value *oids = ARENA_ARRAY(sys_arena(r->ctx), Value, key->columns.count + 1);
    for (int i = 0; i < key->columns.count; i++) {
        Oid from = column_type(child, key->columns.items[i]), to = column_type(f->parent, key->referenced_columns.items[i]);
        oids[i] = value_int(equal_operator(sides == CHILD_CHILD ? from : to, sides == PARENT_PARENT ? to : from));
    }
    return sys_array(r, OID_OID, oids, key->columns.count);
}

static Status put_ids(SysRow *r, const IntVec *ids)
{
    Value *values = ARENA_ARRAY(sys_arena(r->ctx), Value, ids->count + 1);
    for (int i = 0; i < ids->count; i++) values[i] = value_int(ids->items[i]);
    return sys_array(r, OID_INT2, values, ids->count);
}

static Status put_foreign_key(SysRow *r, const TableDesc *child, const ConstraintFacts *f)
{
    if (!f->foreign_key) {
        sys_nulls(r, 5);
        return ST_OK;
    }
    TRY(put_ids(r, &f->foreign_key->referenced_columns));
    TRY(put_operators(r, child, f, PARENT_CHILD));
    TRY(put_operators(r, child, f, PARENT_PARENT));
    TRY(put_operators(r, child, f, CHILD_CHILD));
    if (f->foreign_key->on_delete_columns.count) return put_ids(r, &f->foreign_key->on_delete_columns);
    sys_null(r);
    return ST_OK;
}

/* ---- rows ---- */

/* table: NULL for a domain's. */
static Status constraint_row(SystemCtx *ctx, const TableDesc *table, const ConstraintFacts *f)
{
    const ForeignKeyDesc *key = f->foreign_key;
    SysRow r = sys_begin(ctx);
    sys_int(&r, f->oid);
    sys_text(&r, f->name);
    sys_int(&r, table ? table->base.parent_schema : f->domain->base.parent_schema);
    sys_char(&r, f->type);
    sys_bool(&r, f->deferrable);
    sys_bool(&r, f->deferred);
    sys_bool(&r, f->validated);
    sys_int(&r, table ? table->base.id : 0);
    sys_int(&r, f->domain ? f->domain->base.id : 0); /* contypid */
    sys_int(&r, f->index);
    sys_int(&r, 0); /* conparentid */
    sys_int(&r, f->referenced);
    sys_char(&r, key ? action_letter(key->on_update) : ' ');
    sys_char(&r, key ? action_letter(key->on_delete) : ' ');
    sys_char(&r, key ? (key->match_full ? 'f' : 's') : ' ');
    sys_bool(&r, true); /* conislocal */
    sys_int(&r, 0);
    sys_bool(&r, f->no_inherit);
    if (table)
        TRY(sys_array(&r, OID_INT2, f->keys, f->key_count));
    else
        sys_null(&r);
    TRY(put_foreign_key(&r, table, f));
    sys_null(&r); /* conexclop */
    sys_text(&r, f->expression);
    return sys_emit(&r);
}

static Status key_constraint(SystemCtx *ctx, const TableDesc *table, const IndexDesc *index)
{
    Value *keys = ARENA_ARRAY(sys_arena(ctx), Value, index->columns.count + 1);
    ConstraintFacts f = {.oid = index_oid(table->base.id, index->id), .index = index_oid(table->base.id, index->id),
                         .name = index->name, .type = index->primary || index->logical_primary ? 'p' : 'u', .deferrable = index->deferrable,
                         .deferred = index->initially_deferred, .validated = true, .no_inherit = true, .keys = keys};
    for (int i = 0; i < index->columns.count; i++)
        if (!index->columns.items[i].implicit) keys[f.key_count++] = value_int(index->columns.items[i].column_id);
    return constraint_row(ctx, table, &f);
}

static Status foreign_key(SystemCtx *ctx, const TableDesc *table, const ForeignKeyDesc *key)
{
    const Desc *parent = catalog_find_id(ctx->fn.session->catalog, key->referenced_table);
    if (!parent || parent->kind != DESC_TABLE) return ST_OK;
    const IndexDesc *index = table_referenced_index((const TableDesc *)parent, key);
    Value *keys = ARENA_ARRAY(sys_arena(ctx), Value, key->columns.count + 1);
    ConstraintFacts f = {.oid = describe_constraint_id(table, key->id), .index = index ? index_oid(parent->id, index->id) : 0,
                         .referenced = parent->id, .name = key->name, .type = 'f', .deferrable = key->deferrable,
                         .deferred = key->initially_deferred, .validated = key->validated, .no_inherit = true, .keys = keys,
                         .foreign_key = key, .parent = (const TableDesc *)parent};
    for (int i = 0; i < key->columns.count; i++) keys[f.key_count++] = value_int(key->columns.items[i]);
    return constraint_row(ctx, table, &f);
}

static Status constraints_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if ((index->is_constraint || index->primary) && sys_index_is_listed(table, index)) TRY(key_constraint(ctx, table, index));
    }
    for (int i = 0; i < table->checks.count; i++) {
        const CheckDesc *check = &table->checks.items[i];
        if (check->hidden) continue;
        ConstraintFacts f = {.oid = describe_constraint_id(table, check->id), .name = check->name, .expression = deparse_table_expr(ctx->fn.session, table, check->expr, false, sys_arena(ctx)),
                             .type = 'c', .validated = check->validated, .no_inherit = check->no_inherit};
        TRY(constraint_row(ctx, table, &f));
    }
    for (int i = 0; i < table->foreign_keys.count; i++) TRY(foreign_key(ctx, table, &table->foreign_keys.items[i]));
    return ST_OK;
}

static Status domain_constraints(SystemCtx *ctx, const Desc *desc)
{
    const TypeDesc *domain = (const TypeDesc *)desc;
    for (int i = 0; i < domain->checks.count; i++) {
        const CheckDesc *check = &domain->checks.items[i];
        ConstraintFacts f = {.oid = describe_domain_constraint_id(domain, check->id), .name = check->name, .type = 'c',
                             .validated = check->validated, .domain = domain};
        f.expression = deparse_domain_check(ctx->fn.session, domain, check->expr, false, sys_arena(ctx));
        TRY(constraint_row(ctx, NULL, &f));
    }
    return ST_OK;
}

static Status fill_pg_constraint(SystemCtx *ctx)
{
    Value wanted;
    TRY(sys_each_table(ctx, 7, constraints_of));
    if (sys_wants(ctx, 7, &wanted) && wanted.i) return ST_OK;
    return sys_each_desc(ctx, DESC_TYPE, ctx->fn.session->database_id, domain_constraints);
}

/* clang-format off */
const SystemRelation sys_pg_constraint_rows[] = {
    {2606, "pg_catalog", "pg_constraint",
     "oid oid, conname name, connamespace oid, contype \"char\", condeferrable bool, condeferred bool, "
     "convalidated bool, conrelid oid, contypid oid, conindid oid, conparentid oid, confrelid oid, "
     "confupdtype \"char\", confdeltype \"char\", confmatchtype \"char\", conislocal bool, coninhcount "
     "int4, connoinherit bool, conkey int2[], confkey int2[], conpfeqop oid[], conppeqop oid[], conffeqop "
     "oid[], confdelsetcols int2[], conexclop oid[], conbin pg_node_tree",
     fill_pg_constraint, NULL, "conrelid"},
    {0},
};
