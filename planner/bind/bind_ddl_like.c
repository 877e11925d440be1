/* bind_ddl_like.c - CREATE TABLE ... (LIKE source INCLUDING ...): columns at once, constraints and indexes when the rest is there. */
#include "parser/ast_print.h"
#include "parser/parse.h"
#include "planner/bind/bind_ddl_like.h"
#include "planner/bind/bind_ddl_owner.h"

bool ddl_like_includes(const AstTableLike *ast, const char *what)
{
    bool on = false;
    for (int i = 0; i < ast->options.count; i++)
        if (strcmp(ast->options.items[i].name, what) == 0 || strcmp(ast->options.items[i].name, "all") == 0)
            on = !ast->options.items[i].excluding;
    return on;
}

Status ddl_like_source(Binder *b, const AstTableLike *ast, const Desc **source)
{
    BoundName found;
    TRY(bind_find_relation(b, &ast->table, true, &found));
    if (found.system) return ddl_unsupported(b, ast->position, "LIKE of a system catalog");
    if (found.desc->kind != DESC_TABLE && found.desc->kind != DESC_VIEW) {
        ddl_fail(b, ast->position, ERR_WRONG_OBJECT_TYPE, "relation \"%s\" is invalid in LIKE clause", ast->table.name);
        return ST_ERROR;
    }
    TRY(privilege_check(b->session, found.desc, ACL_SELECT, b->arena, b->err));
    *source = found.desc;
    return ST_OK;
}

/* ---- columns ---- */

/* A sequence of its own that counts as the source's does. */
static Status own_identity(TableDraft *d, ColumnDesc *column, const ColumnDesc *from)
{
    const Desc *desc = catalog_find_id(d->b->session->catalog, from->sequence_id);
    TRY(ddl_own_sequence(d, column, column->type.oid, NULL));
    column->identity = from->identity;
    if (!desc || desc->kind != DESC_SEQUENCE) return ST_OK;
    const SequenceDesc *old = (const SequenceDesc *)desc;
    SequenceDesc *new = VEC_LAST(d->sequences).draft;
    new->start = old->start;
    new->increment = old->increment;
    new->minimum = old->minimum;
    new->maximum = old->maximum;
    new->cache = old->cache;
    new->cycle = old->cycle;
    return ST_OK;
}

static Status add_column(TableDraft *d, const AstTableLike *ast, const ColumnDesc *from)
{
    Binder *b = d->b;
    if (table_column_by_name(d->table, from->name) >= 0)
        return ddl_fail(b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" specified more than once", from->name);
    ColumnDesc column = *from;
    column.id = d->table->next_column_id++;
    column.identity = IDENTITY_NONE;
    column.family = 0;
    column.absent_text = NULL;
    column.sequence_id = 0;
    if (!ddl_like_includes(ast, "defaults") || from->identity != IDENTITY_NONE) column.default_expr = NULL;
    if (!ddl_like_includes(ast, "comments")) column.comment = NULL;
    if (!ddl_like_includes(ast, "generated")) column.computed = COMPUTED_NONE, column.computed_expr = NULL;
    if (from->identity != IDENTITY_NONE && ddl_like_includes(ast, "identity")) TRY(own_identity(d, &column, from));
    VEC_PUSH(b->arena, d->table->columns, column);
    VEC_PUSH(b->arena, d->asts, NULL);
    return ST_OK;
}

static Status add_view_column(TableDraft *d, const ColumnDesc *from)
{
    if (table_column_by_name(d->table, from->name) >= 0)
        return ddl_fail(d->b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" specified more than once", from->name);
    VEC_PUSH(d->b->arena, d->table->columns, (ColumnDesc){.id = d->table->next_column_id++, .name = from->name, .type = from->type});
    VEC_PUSH(d->b->arena, d->asts, NULL);
    return ST_OK;
}

Status ddl_like_columns(TableDraft *d, const AstTableLike *ast)
{
    const Desc *source;
    TRY(ddl_like_source(d->b, ast, &source));
    if (source->kind == DESC_VIEW) {
        const ViewDesc *view = (const ViewDesc *)source;
        for (int i = 0; i < view->columns.count; i++) TRY(add_view_column(d, &view->columns.items[i]));
        return ST_OK;
    }
    const TableDesc *table = (const TableDesc *)source;
    for (int i = 0; i < table->columns.count; i++)
        if (!table->columns.items[i].hidden) TRY(add_column(d, ast, &table->columns.items[i]));
    return ST_OK;
}

/* ---- constraints and indexes ---- */

static Status add_checks(TableDraft *d, const TableDesc *source)
{
    Binder *b = d->b;
    for (int i = 0; i < source->checks.count; i++) {
        CheckDesc check = source->checks.items[i];
        if (check.hidden) continue;
        if (ddl_constraint_exists(d->table, check.name))
            return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "check constraint \"%s\" already exists", check.name);
        check.id = d->table->next_constraint_id++;
        check.validated = true;
        VEC_PUSH(b->arena, d->table->checks, check);
    }
    return ST_OK;
}

static Status key_elems(Binder *b, const TableDesc *source, const IndexDesc *index, AstIndexElemVec *key)
{
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *column = &index->columns.items[i];
        const ColumnDesc *of = &source->columns.items[table_column_by_id(source, column->column_id)];
        if (column->implicit) continue;
        AstIndexElem *elem = ARENA_NEW(b->arena, AstIndexElem);
        elem->mode = column->hash_mode ? AST_KEY_HASH : column->descending ? AST_KEY_DESC : AST_KEY_ASC;
        if (of->role == COLUMN_EXPRESSION) TRY(parse_expr_text(of->computed_expr, &elem->expr, b->arena, b->err));
        else elem->column = of->name;
        VEC_PUSH(b->arena, *key, elem);
    }
    return ST_OK;
}

/* The source's hash group is one element. */
static void group_hashed(Binder *b, AstIndexElemVec *key)
{
    int hashed = 0;
    while (hashed < key->count && key->items[hashed]->mode == AST_KEY_HASH && key->items[hashed]->column) hashed++;
    if (hashed < 2) return;
    AstIndexElem *group = key->items[0];
    for (int i = 0; i < hashed; i++) VEC_PUSH(b->arena, group->group, key->items[i]->column);
    group->column = NULL;
    for (int i = hashed; i < key->count; i++) key->items[i - hashed + 1] = key->items[i];
    key->count -= hashed - 1;
}

static Status sharding(Binder *b, const IndexDesc *index, IndexSpec *spec)
{
    AstHash *hash = ARENA_NEW(b->arena, AstHash);
    spec->hash = hash;
    if (!index->bucket_count) return ST_OK;
    hash->present = true;
    return parse_expr_text(arena_printf(b->arena, "%d", (int)index->bucket_count), &hash->bucket_count, b->arena, b->err);
}

static Status add_index(TableDraft *d, const TableDesc *source, const IndexDesc *index)
{
    static const AstOptionVec no_options;
    Binder *b = d->b;
    AstIndexElemVec *key = ARENA_NEW(b->arena, AstIndexElemVec);
    StrVec *including = ARENA_NEW(b->arena, StrVec);
    AstExpr *where = NULL;
    IndexDesc *made;
    IndexSpec spec = {.unique = index->unique, .primary = index->primary || index->logical_primary, .is_constraint = index->is_constraint,
                      .deferrable = index->deferrable, .initially_deferred = index->initially_deferred, .key = key,
                      .including = including, .options = &no_options, .nulls_not_distinct = index->nulls_not_distinct};
    TRY(key_elems(b, source, index, key));
    group_hashed(b, key);
    TRY(sharding(b, index, &spec));
    for (int i = 0; i < index->stored.count; i++)
        VEC_PUSH(b->arena, *including, source->columns.items[table_column_by_id(source, (uint32_t)index->stored.items[i])].name);
    if (index->predicate) TRY(parse_expr_text(index->predicate, &where, b->arena, b->err));
    spec.where = where;
    return ddl_add_index(d, &spec, index->primary ? 1 : 0, &made);
}

static bool has_own_key(const TableDesc *table)
{
    const IndexDesc *primary = table_primary(table);
    for (int i = 0; i < primary->columns.count; i++) {
        int ordinal = table_column_by_id(table, primary->columns.items[i].column_id);
        if (table->columns.items[ordinal].role == COLUMN_ROWID) return false;
    }
    return true;
}

Status ddl_like_primary(TableDraft *d, const AstTableElemVec *elems, bool *has_primary)
{
    for (int i = 0; i < elems->count; i++) {
        const AstTableLike *like = elems->items[i].like;
        const Desc *source;
        if (!like || !ddl_like_includes(like, "indexes")) continue;
        TRY(ddl_like_source(d->b, like, &source));
        if (source->kind != DESC_TABLE || !has_own_key((const TableDesc *)source)) continue;
        if (*has_primary)
            return ddl_fail(d->b, 0, ERR_INVALID_TABLE_DEFINITION, "multiple primary keys for table \"%s\" are not allowed",
                            d->table->base.name);
        *has_primary = true;
        TRY(add_index(d, (const TableDesc *)source, table_primary((const TableDesc *)source)));
    }
    return ST_OK;
}

Status ddl_like_rest(TableDraft *d, const AstTableElemVec *elems)
{
    for (int i = 0; i < elems->count; i++) {
        const AstTableLike *like = elems->items[i].like;
        const Desc *source;
        if (!like) continue;
        TRY(ddl_like_source(d->b, like, &source));
        if (source->kind != DESC_TABLE) continue;
        const TableDesc *table = (const TableDesc *)source;
        if (ddl_like_includes(like, "constraints")) TRY(add_checks(d, table));
        for (int x = 1; x < table->indexes.count && ddl_like_includes(like, "indexes"); x++)
            TRY(add_index(d, table, &table->indexes.items[x]));
    }
    return ST_OK;
}
