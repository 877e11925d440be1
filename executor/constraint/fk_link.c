/* fk_link.c - a foreign key made ready: the columns at both ends, conversions between their types, the index of the parent. */
#include "executor/constraint/fk.h"

Status fk_table(ConstraintRun *run, const TableDesc *table, FkTable **out)
{
    for (FkTable *t = run->tables; t; t = t->next)
        if (t->table->base.id == table->base.id) {
            *out = t;
            return ST_OK;
        }
    FkTable *t = ARENA_NEW(run->arena, FkTable);
    *t = (FkTable){.next = run->tables, .run = run, .table = table, .access = table_access_create(table, run->arena)};
    run->tables = t;
    *out = t;
    return ST_OK;
}

/* ---- conversions ---- */

/* Two types whose values have the same bytes in keys. */
static bool same_in_keys(Oid a, Oid b)
{
    bool integers = (a == OID_INT2 || a == OID_INT4 || a == OID_INT8) && (b == OID_INT2 || b == OID_INT4 || b == OID_INT8);
    bool texts = (a == OID_TEXT || a == OID_VARCHAR) && (b == OID_TEXT || b == OID_VARCHAR);
    return a == b || integers || texts;
}

static FkConvert convert_between(TypeRef from, TypeRef to)
{
    FkConvert c = {.same = same_in_keys(from.oid, to.oid), .from = exec_type(from.oid), .to = exec_type(to.oid), .type = {to.oid, -1}};
    if (c.same) return c;
    (void)cast_find_path(from.oid, to.oid, CAST_EXPLICIT, &c.there);
    (void)cast_find_path(to.oid, from.oid, CAST_EXPLICIT, &c.back);
    return c;
}

/* A value has an equal one of the other type if it comes back the same. */
static bool convert_value(const FkConvert *c, TypeCtx *ctx, Value in, Value *out)
{
    Value back;
    Error ignored;
    TypeCtx quiet = {ctx->arena, ctx->env, &ignored};
    if (cast_run(&quiet, &c->there, in, -1, false, out) != ST_OK || out->null) return false;
    if (cast_run(&quiet, &c->back, *out, -1, false, &back) != ST_OK || back.null) return false;
    return type_compare(c->from, in, back) == 0;
}

Status fk_convert(FkLink *link, const FkConvert *converts, const Value *tuple, Value *out, bool *possible, Arena *arena)
{
    TypeCtx ctx = {arena, exec_type_env(link->run->exec), link->run->exec->err};
    *possible = true;
    for (int i = 0; i < link->count && *possible; i++) {
        out[i] = tuple[i];
        if (!converts[i].same) *possible = convert_value(&converts[i], &ctx, tuple[i], &out[i]);
    }
    return ST_OK;
}

/* ---- keys ---- */

Status fk_key_maker(FkTable *table, const IndexDesc *index, FkKeyMaker *maker)
{
    ConstraintRun *run = table->run;
    const TableDesc *desc = table->table;
    int columns = desc->columns.count;
    *maker = (FkKeyMaker){.index = index, .row = ARENA_ARRAY(run->arena, Value, columns + 1)};
    maker->implicit = ARENA_ARRAY(run->arena, int, index->columns.count + 1);
    maker->programs = ARENA_ARRAY(run->arena, Program *, index->columns.count + 1);
    for (int i = 0; i < columns; i++) maker->row[i] = VALUE_NULL;
    RelColumn *row = NULL;
    ColId *ids = NULL;
    for (int i = 0; i < index->columns.count; i++) {
        if (!index->columns.items[i].implicit) continue;
        int ordinal = table_column_by_id(desc, index->columns.items[i].column_id);
        if (!row) {
            row = ARENA_ARRAY(run->arena, RelColumn, columns + 1);
            ids = ARENA_ARRAY(run->arena, ColId, columns + 1);
            for (int c = 0; c < columns; c++) {
                row[c] = (RelColumn){.id = c + 1, .name = desc->columns.items[c].name, .type = desc->columns.items[c].type};
                ids[c] = c + 1;
            }
        }
        Expr *e;
        const ColumnDesc *column = &desc->columns.items[ordinal];
        TRY(plan_table_expr(run->exec->session, &(TableExpr){desc, row, column->computed_expr, column->type}, &e, run->arena,
                            run->exec->err));
        maker->implicit[maker->implicit_count] = ordinal;
        TRY(eval_compile(run->exec, &e, 1, ids, columns, &maker->programs[maker->implicit_count++]));
    }
    return ST_OK;
}

Status fk_key_fill(FkTable *table, FkKeyMaker *maker, const int *ordinals, const Value *tuple, int count)
{
    for (int i = 0; i < count; i++) maker->row[ordinals[i]] = tuple[i];
    for (int i = 0; i < maker->implicit_count; i++)
        TRY(eval_row(maker->programs[i], maker->row, table->run->exec->arena, &maker->row[maker->implicit[i]]));
    return ST_OK;
}

Status fk_referenced_key(FkLink *link, const Value *tuple, Buf *key)
{
    FkTable *parent = link->parent;
    if (!link->referenced.index) {
        const IndexDesc *index = table_referenced_index(parent->table, link->key);
        if (!index)
            return err_set(link->run->exec->err, link->run->exec->arena, ERR_INTERNAL_ERROR,
                           "foreign key \"%s\" has no unique index to look its rows up", link->key->name);
        TRY(fk_key_maker(parent, index, &link->referenced));
    }
    TRY(fk_key_fill(parent, &link->referenced, link->parent_ordinals, tuple, link->count));
    buf_clear(key);
    return index_unique_key(parent->access, link->referenced.index, link->referenced.row, key, link->run->exec->err);
}

/* ---- links ---- */

static void link_columns(FkLink *link)
{
    Arena *arena = link->run->arena;
    const TableDesc *child = link->child->table, *parent = link->parent->table;
    int n = link->count = link->key->columns.count;
    link->child_ordinals = ARENA_ARRAY(arena, int, n + 1);
    link->parent_ordinals = ARENA_ARRAY(arena, int, n + 1);
    link->child_types = ARENA_ARRAY(arena, const TypeDef *, n + 1);
    link->tuple = ARENA_ARRAY(arena, Value, n + 1);
    link->new_tuple = ARENA_ARRAY(arena, Value, n + 1);
    link->to_parent = ARENA_ARRAY(arena, FkConvert, n + 1);
    link->to_child = ARENA_ARRAY(arena, FkConvert, n + 1);
    for (int i = 0; i < n; i++) {
        int c = table_column_by_id(child, (uint32_t)link->key->columns.items[i]);
        int p = table_column_by_id(parent, (uint32_t)link->key->referenced_columns.items[i]);
        TypeRef child_type = child->columns.items[c].type, parent_type = parent->columns.items[p].type;
        link->child_ordinals[i] = c;
        link->parent_ordinals[i] = p;
        link->child_types[i] = exec_type(child_type.oid);
        link->to_parent[i] = convert_between(child_type, parent_type);
        link->to_child[i] = convert_between(parent_type, child_type);
    }
}

Status fk_link(ConstraintRun *run, const TableDesc *child, const ForeignKeyDesc *key, FkLink **out)
{
    for (FkLink *l = run->links; l; l = l->next)
        if (l->child->table->base.id == child->base.id && l->key->id == key->id) {
            *out = l;
            return ST_OK;
        }
    *out = NULL;
    const Desc *parent = catalog_find_id(run->exec->session->catalog, key->referenced_table);
    if (!parent || parent->kind != DESC_TABLE) return ST_OK;
    FkLink *link = ARENA_NEW(run->arena, FkLink);
    link->run = run;
    link->key = key;
    TRY(fk_table(run, child, &link->child));
    TRY(fk_table(run, (const TableDesc *)parent, &link->parent));
    link_columns(link);
    link->next = run->links;
    run->links = link;
    *out = link;
    return ST_OK;
}
