/* ALTER TABLE on columns. */
#include "parser/ast_print.h"
#include "parser/parse.h"
#include "planner/bind/bind_ddl_foreign_key.h"
#include "planner/bind/bind_ddl_rename.h"
#include "storage/catalog/depend.h"

/* ---- ADD COLUMN ---- */

static Status add_column_constraints(AlterDraft *a, const AstColumnDef *ast)
{
    for (int i = 0; i < ast->constraints.count; i++) {
        AstAlterAction action = {.kind = AST_ALTER_ADD_CONSTRAINT, .position = ast->position};
        AstConstraint constraint = *ast->constraints.items[i];
        if (constraint.kind == AST_CONSTRAINT_FOREIGN_KEY) TRY(alter_add_foreign_key(a, ast->constraints.items[i], ast->name));
        if (constraint.kind != AST_CONSTRAINT_PRIMARY_KEY && constraint.kind != AST_CONSTRAINT_UNIQUE &&
            constraint.kind != AST_CONSTRAINT_CHECK)
            continue;
        AstIndexElem *elem = ARENA_NEW(a->b->arena, AstIndexElem);
        elem->position = ast->position;
        elem->column = ast->name;
        if (constraint.kind != AST_CONSTRAINT_CHECK) VEC_PUSH(a->b->arena, constraint.key, elem);
        action.constraint = arena_copy(a->b->arena, &constraint, sizeof constraint);
        TRY(alter_add_constraint(a, &action));
    }
    return ST_OK;
}

Status alter_add_column(AlterDraft *a, const AstAlterAction *action)
{
    const AstColumnDef *ast = action->column;
    TableDesc *table = a->d->table;
    if (action->if_not_exists && table_column_by_name(table, ast->name) >= 0) {
        ddl_notice(a->b, &a->d->notices, ERR_DUPLICATE_COLUMN, "column \"%s\" of relation \"%s\" already exists, skipping", ast->name,
                   table->base.name);
        return ST_OK;
    }
    int ordinal = table->columns.count;
    TRY(ddl_add_column(a->d, ast));
    TRY(ddl_check_columns(a->d, ordinal));
    const ColumnDesc *column = &table->columns.items[ordinal];
    /* Rows that lack the column read it as NULL, which is right for a plain column; anything else is written out. */
    if (column->default_expr) {
        VEC_PUSH(a->b->arena, a->utility->rewrite, (RewriteColumn){column->id, column->default_expr});
        a->rewrite = true;
    } else if (column->computed == COMPUTED_STORED || (column->not_null && column->computed == COMPUTED_NONE)) {
        a->rewrite = true;
    }
    return add_column_constraints(a, ast);
}

/* ---- DROP COLUMN ---- */

static bool index_uses(const AlterDraft *a, const IndexDesc *index, uint32_t column_id)
{
    for (int i = 0; i < index->columns.count; i++) {
        if (index->columns.items[i].column_id == column_id) return true;
        int ordinal = table_column_by_id(a->d->table, index->columns.items[i].column_id);
        const ColumnDesc *key = &a->d->table->columns.items[ordinal];
        for (int h = 0; h < key->hashed_columns.count; h++)
            if ((uint32_t)key->hashed_columns.items[h] == column_id) return true;
        if (key->role == COLUMN_EXPRESSION &&
            ddl_text_uses_column(a->b, key->computed_expr, a->d->table->columns.items[table_column_by_id(a->d->table, column_id)].name))
            return true;
    }
    for (int i = 0; i < index->stored.count; i++)
        if ((uint32_t)index->stored.items[i] == column_id) return true;
    return false;
}

/* A view whose query may use the column; NULL: none. */
static const Desc *view_using(AlterDraft *a, const char *column)
{
    Dependent *list;
    int count = depend_list(a->b->session->catalog, a->before->base.id, &list, a->b->arena);
    for (int i = 0; i < count; i++) {
        const char *query = list[i].desc->kind == DESC_VIEW    ? ((const ViewDesc *)list[i].desc)->query
                            : list[i].desc->kind == DESC_TABLE ? ((const TableDesc *)list[i].desc)->view_query
                                                               : NULL;
        if (query && ddl_query_uses_name(a->b, query, column)) return list[i].desc;
    }
    return NULL;
}

static Status check_droppable(AlterDraft *a, const AstAlterAction *action, const ColumnDesc *column)
{
    Binder *b = a->b;
    const char *table = ddl_shown_name(b, &a->before->base);
    if (column->role == COLUMN_BUCKET)
        return ddl_fail(b, 0, ERR_INVALID_TABLE_DEFINITION, "cannot drop shard column \"%s\"", column->name);
    if (index_uses(a, table_primary(a->d->table), column->id))
        return ddl_fail(b, 0, ERR_INVALID_COLUMN_REFERENCE, "column \"%s\" is referenced by the primary key", column->name);
    for (int i = 0; i < a->d->table->columns.count; i++) {
        const ColumnDesc *other = &a->d->table->columns.items[i];
        if (other->role != COLUMN_USER || other->computed == COMPUTED_NONE) continue;
        if (!ddl_text_uses_column(b, other->computed_expr, column->name)) continue;
        ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST,
                 "cannot drop column %s of table %s because other objects depend on it", column->name, table);
        err_detail(b->err, b->arena, "column %s of table %s depends on column %s of table %s", other->name,
                   table, column->name, table);
        err_hint(b->err, b->arena, "Use DROP ... CASCADE to drop the dependent objects too.");
        return ST_ERROR;
    }
    const Desc *view = view_using(a, column->name);
    if (!view) return ST_OK;
    ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop column %s of table %s because other objects depend on it",
             column->name, table);
    err_detail(b->err, b->arena, "view %s depends on column %s of table %s", view->name, column->name, table);
    err_hint(b->err, b->arena, "Use DROP ... CASCADE to drop the dependent objects too.");
    return ST_ERROR;
}

static void drop_uses(AlterDraft *a, const ColumnDesc *column)
{
    TableDesc *table = a->d->table;
    for (int i = table->indexes.count - 1; i > 0; i--) {
        const IndexDesc *index = &table->indexes.items[i];
        bool in_predicate = index->predicate && ddl_text_uses_column(a->b, index->predicate, column->name);
        if (in_predicate || index_uses(a, index, column->id)) alter_remove_index(a, index->id);
    }
    int kept = 0;
    for (int i = 0; i < table->checks.count; i++)
        if (table->checks.items[i].hidden || !ddl_text_uses_column(a->b, table->checks.items[i].expr, column->name))
            table->checks.items[kept++] = table->checks.items[i];
    table->checks.count = kept;
    if (column->sequence_id) alter_step(a, ALTER_STEP_DROP_SEQUENCE, column->sequence_id);
}

Status alter_drop_column(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal = table_column_by_name(a->d->table, action->name);
    if (ordinal < 0 && action->if_exists) {
        ddl_notice(a->b, &a->d->notices, ERR_SUCCESSFUL_COMPLETION, "column \"%s\" of relation \"%s\" does not exist, skipping", action->name,
                   a->before->base.name);
        return ST_OK;
    }
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc column = a->d->table->columns.items[ordinal];
    TRY(check_droppable(a, action, &column));
    const char *what = arena_printf(a->b->arena, "column %s of table %s", column.name, ddl_shown_name(a->b, &a->before->base));
    TRY(alter_drop_referrers(a, NULL, column.id, &(DroppedPart){what, what, action->behavior == AST_DROP_CASCADE}));
    alter_drop_column_keys(a, column.id);
    drop_uses(a, &column);
    alter_remove_column(a, table_column_by_id(a->d->table, column.id));
    return ST_OK;
}

/* ---- ALTER COLUMN ---- */

static bool only_widens(TypeRef from, TypeRef to)
{
    bool from_text = from.oid == OID_VARCHAR || from.oid == OID_TEXT;
    bool to_text = to.oid == OID_VARCHAR || to.oid == OID_TEXT;
    if (!from_text || !to_text) return false;
    return to.typmod < 0 || (from.typmod >= 0 && to.typmod >= from.typmod);
}

Status alter_column_type(AlterDraft *a, const AstAlterAction *action)
{
    Binder *b = a->b;
    int ordinal;
    TypeRef type;
    TRY(alter_find_column(a, action->name, &ordinal));
    TRY(bind_type(b, action->column->type, &type));
    TRY(ddl_check_collation(b, &action->column->collation));
    ColumnDesc *column = &a->d->table->columns.items[ordinal];
    if (column->computed != COMPUTED_NONE) return ddl_unsupported(b, action->position, "ALTER COLUMN TYPE of a computed column");
    const Desc *view = view_using(a, column->name);
    if (view) {
        ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "cannot alter type of a column used by a view or rule");
        err_detail(b->err, b->arena, "rule _RETURN on view %s depends on column \"%s\"", view->name, column->name);
        return ST_ERROR;
    }
    TypeRef old = column->type;
    column->type = type;
    TRY(alter_check_key_types(a, column->id));
    if (!action->expr && only_widens(old, type)) return ST_OK;
    CastDef path;
    if (!action->expr && !cast_find_path(old.oid, type.oid, CAST_ASSIGNMENT, &path)) {
        const char *target = type_format(type, b->arena);
        ddl_fail(b, 0, ERR_DATATYPE_MISMATCH, "column \"%s\" cannot be cast automatically to type %s", action->name, target);
        err_hint(b->err, b->arena, "You might need to specify \"USING %s::%s\".", ddl_quoted(b, action->name), target);
        return ST_ERROR;
    }
    RewriteColumn rewrite = {.column_id = column->id, .expr = ddl_quoted(b, action->name)};
    if (action->expr) {
        Expr *e;
        TRY(bind_standalone(b, action->expr, &(Standalone){CLAUSE_ALTER_USING, a->before, bind_table_columns(b, a->before), type, action->name}, &e));
        rewrite.expr = ast_expr_text(action->expr, b->arena);
    }
    VEC_PUSH(b->arena, a->utility->rewrite, rewrite);
    a->rewrite = true;
    return ST_OK;
}

Status alter_column_default(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal;
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc *column = &a->d->table->columns.items[ordinal];
    if (column->identity != IDENTITY_NONE)
        return ddl_fail(a->b, 0, ERR_SYNTAX_ERROR, "column \"%s\" of relation \"%s\" is an identity column", column->name,
                        a->before->base.name);
    if (column->computed != COMPUTED_NONE)
        return ddl_fail(a->b, 0, ERR_SYNTAX_ERROR, "column \"%s\" of relation \"%s\" is a generated column", column->name,
                        a->before->base.name);
    column->default_expr = NULL;
    if (action->kind == AST_ALTER_COLUMN_DROP_DEFAULT) return ST_OK;
    TRY(ddl_check_default(a->b, column, action->expr));
    column->default_expr = ast_expr_text(action->expr, a->b->arena);
    return ST_OK;
}

Status alter_column_not_null(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal;
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc *column = &a->d->table->columns.items[ordinal];
    if (action->kind == AST_ALTER_COLUMN_SET_NOT_NULL) {
        if (!column->not_null && table_column_by_id(a->before, column->id) >= 0)
            alter_step(a, ALTER_STEP_VALIDATE_NOT_NULL, column->id);
        column->not_null = true;
        return ST_OK;
    }
    if (table_column_in_primary(a->d->table, column->id))
        return ddl_fail(a->b, 0, ERR_INVALID_TABLE_DEFINITION, "column \"%s\" is in a primary key", column->name);
    if (column->identity != IDENTITY_NONE)
        return ddl_fail(a->b, 0, ERR_SYNTAX_ERROR, "column \"%s\" of relation \"%s\" is an identity column", column->name,
                        a->before->base.name);
    column->not_null = false;
    return ST_OK;
}

/* ---- RENAME COLUMN ---- */

/* The bucket column's name and expression are made from its members' names. */
static void rename_bucket(AlterDraft *a, ColumnDesc *column, const char *old_check)
{
    TableDesc *table = a->d->table;
    StrVec names = {0};
    for (int i = 0; i < column->hashed_columns.count; i++) {
        int ordinal = table_column_by_id(table, (uint32_t)column->hashed_columns.items[i]);
        VEC_PUSH(a->b->arena, names, table->columns.items[ordinal].name);
    }
    ColumnDesc renamed = ddl_describe_bucket(a->b, &names, column->bucket_count);
    for (int i = 0; i < table->checks.count; i++) {
        CheckDesc *check = &table->checks.items[i];
        if (!check->hidden || strcmp(check->name, old_check) != 0) continue;
        CheckDesc fresh = ddl_describe_bucket_check(a->b, &renamed);
        check->name = fresh.name;
        check->expr = fresh.expr;
    }
    column->name = renamed.name;
    column->computed_expr = renamed.computed_expr;
}

static Status rename_in_texts(AlterDraft *a, const char *old, const char *new)
{
    TableDesc *table = a->d->table;
    for (int i = 0; i < table->columns.count; i++) {
        ColumnDesc *column = &table->columns.items[i];
        if (column->computed_expr) TRY(ddl_rename_column_in_text(a->b, &column->computed_expr, old, new));
    }
    for (int i = 0; i < table->checks.count; i++)
        TRY(ddl_rename_column_in_text(a->b, &table->checks.items[i].expr, old, new));
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].predicate)
            TRY(ddl_rename_column_in_text(a->b, &table->indexes.items[i].predicate, old, new));
    return ST_OK;
}

Status alter_rename_column(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal;
    TableDesc *table = a->d->table;
    if (table_column_by_name(table, action->name) < 0)
        return ddl_fail(a->b, 0, ERR_UNDEFINED_COLUMN, "column \"%s\" does not exist", action->name);
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc *column = &table->columns.items[ordinal];
    if (column->role == COLUMN_BUCKET)
        return ddl_fail(a->b, 0, ERR_INVALID_TABLE_DEFINITION, "cannot rename shard column");
    if (table_column_by_name(table, action->new_name) >= 0)
        return ddl_fail(a->b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" of relation \"%s\" already exists", action->new_name,
                        a->before->base.name);
    const char *old = column->name;
    Renamed renamed = {.object = &a->before->base, .column_id = column->id, .old_name = old, .new_name = action->new_name};
    TRY(ddl_rename_in_views(a->b, &renamed, &a->utility->views));
    uint32_t id = column->id;
    column->name = action->new_name;
    TRY(rename_in_texts(a, old, action->new_name));
    for (int i = 0; i < table->columns.count; i++) {
        ColumnDesc *other = &table->columns.items[i];
        for (int h = 0; other->role == COLUMN_BUCKET && h < other->hashed_columns.count; h++)
            if ((uint32_t)other->hashed_columns.items[h] == id) {
                rename_bucket(a, other, arena_printf(a->b->arena, "check_%s", other->name));
                break;
            }
    }
    return ST_OK;
}
