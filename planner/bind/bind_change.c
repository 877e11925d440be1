/* bind_change.c - UPDATE and DELETE, and what they share with INSERT. */
#include "planner/bind/bind_change.h"
#include "storage/catalog/acl.h"

/* ---- the table ---- */

Status bind_change_table(Binder *binder, const AstName *name, const char *word, const TableDesc **table, Access **access)
{
    BoundName found;
    TRY(bind_find_relation(binder, name, true, &found));
    if (found.system)
        return err_set(binder->err, binder->arena, ERR_INSUFFICIENT_PRIVILEGE,
                       "permission denied: \"%s\" is a system catalog", name->name);
    if (found.desc->kind == DESC_VIEW) {
        (void)err_set(binder->err, binder->arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot %s view \"%s\"", word,
                      name->name);
        return ST_ERROR;
    }
    if (found.desc->kind != DESC_TABLE) {
        (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "cannot change sequence \"%s\"", name->name);
        return err_at(binder->err, name->position);
    }
    if (session_is_other_temp(binder->session, found.desc->parent_schema))
        return err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot access temporary tables of other sessions");
    *table = (const TableDesc *)found.desc;
    if ((*table)->view_query)
        return err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE,
                       strcmp(word, "copy to") == 0 ? "cannot copy to materialized view \"%s\"" : "cannot change materialized view \"%s\"",
                       name->name);
    *access = bind_access(binder, found.desc, 0);
    binder->modifies = true;
    binder_use_table(binder, *table, TABLE_ROW_EXCLUSIVE);
    return ST_OK;
}

/* ---- the target ---- */

static Status bind_computed(Binder *binder, const TableDesc *table, WriteTarget *target)
{
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->computed == COMPUTED_NONE) continue;
        TRY(bind_table_text(binder, &(TableExpr){table, target->row, column->computed_expr, column->type}, column->name,
                            &target->computed[i]));
    }
    return ST_OK;
}

static Status bind_checks(Binder *binder, const TableDesc *table, WriteTarget *target)
{
    TypeRef boolean = {OID_BOOL, -1};
    for (int i = 0; i < table->checks.count; i++) {
        const CheckDesc *check = &table->checks.items[i];
        if (check->hidden) continue; /* a bucket is in its range by construction */
        TRY(bind_table_text(binder, &(TableExpr){table, target->row, check->expr, boolean}, check->name,
                            &target->checks[i]));
    }
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if (!index->predicate) continue;
        TRY(bind_table_text(binder, &(TableExpr){table, target->row, index->predicate, boolean}, index->name,
                            &target->predicates[i]));
    }
    return ST_OK;
}

Status bind_write_target(Binder *binder, const TableDesc *table, WriteTarget *target)
{
    target->table = table;
    target->row = bind_table_columns(binder, table);
    target->computed = ARENA_ARRAY(binder->arena, Expr *, table->columns.count);
    target->checks = ARENA_ARRAY(binder->arena, Expr *, table->checks.count);
    target->predicates = ARENA_ARRAY(binder->arena, Expr *, table->indexes.count);
    TRY(bind_computed(binder, table, target));
    return bind_checks(binder, table, target);
}

Status bind_written_column(Binder *binder, const TableDesc *table, const char *name, int position, int *ordinal)
{
    *ordinal = table_column_by_name(table, name);
    if (*ordinal < 0) {
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_COLUMN,
                      "column \"%s\" of relation \"%s\" does not exist", name, table->base.name);
        return err_at(binder->err, position);
    }
    const ColumnDesc *column = &table->columns.items[*ordinal];
    if (!column->hidden || column->computed == COMPUTED_NONE) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                  "cannot write directly to computed column \"%s\"", name);
    return err_at(binder->err, position);
}

Status bind_column_default(Binder *binder, const TableDesc *table, int ordinal, Expr **out)
{
    const ColumnDesc *column = &table->columns.items[ordinal];
    bool identity = column->identity != IDENTITY_NONE && column->sequence_id;
    if (column->default_expr && !identity)
        return bind_table_text(binder, &(TableExpr){table, NULL, column->default_expr, column->type}, column->name,
                               out);
    if (!column->sequence_id || column->computed != COMPUTED_NONE) return bind_type_default(binder, column, out);
    Expr **sequence = ARENA_ARRAY(binder->arena, Expr *, 1), *next; /* the call keeps the list */
    sequence[0] = expr_const(binder->arena, (TypeRef){OID_REGCLASS, -1}, value_int(column->sequence_id));
    TRY(bind_function(binder, identity ? "rowkey.identity_next" : "nextval", sequence, 1, 0, &next));
    return bind_coerce_assignment(binder, next, column->type, column->name, out);
}

Status bind_check_assignable(Binder *binder, const ColumnDesc *column, bool insert, AstOverriding overriding,
                             int position)
{
    bool generated = column->computed != COMPUTED_NONE, identity = column->identity == IDENTITY_ALWAYS;
    if (!generated && (!identity || (insert && overriding != AST_OVERRIDING_NONE))) return ST_OK;
    if (insert)
        (void)err_set(binder->err, binder->arena, ERR_GENERATED_ALWAYS,
                      "cannot insert a non-DEFAULT value into column \"%s\"", column->name);
    else
        (void)err_set(binder->err, binder->arena, ERR_GENERATED_ALWAYS, "column \"%s\" can only be updated to DEFAULT",
                      column->name);
    if (generated) {
        err_detail(binder->err, binder->arena, "Column \"%s\" is a generated column.", column->name);
    } else {
        err_detail(binder->err, binder->arena, "Column \"%s\" is an identity column defined as GENERATED ALWAYS.",
                   column->name);
        if (insert) err_hint(binder->err, binder->arena, "Use OVERRIDING SYSTEM VALUE to override.");
    }
    (void)position; /* PostgreSQL gives none */
    return ST_ERROR;
}

/* ---- SET ---- */

typedef struct Assign {
    Binder *binder;
    const TableDesc *table;
    Rel **rel;
    Expr **out;
} Assign;

static Status assign(Assign *a, const char *name, int position, Expr *value)
{
    int ordinal;
    Binder *binder = a->binder;
    TRY(bind_written_column(binder, a->table, name, position, &ordinal));
    const ColumnDesc *column = &a->table->columns.items[ordinal];
    if (a->out[ordinal])
        return err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "multiple assignments to same column \"%s\"",
                       name);
    if (value->kind == EXPR_DEFAULT) {
        if (column->computed != COMPUTED_NONE) return ST_OK; /* it is computed anyway */
        return bind_column_default(binder, a->table, ordinal, &a->out[ordinal]);
    }
    TRY(bind_check_assignable(binder, column, false, AST_OVERRIDING_NONE, position));
    return bind_coerce_assignment(binder, value, column->type, column->name, &a->out[ordinal]);
}

static Status count_mismatch(Assign *a, const AstAssignment *ast, int values)
{
    (void)err_set(a->binder->err, a->binder->arena, ERR_SYNTAX_ERROR,
                  "number of columns does not match number of values");
    (void)values;
    return err_at(a->binder->err, ast->position);
}

/* (a, b) = (SELECT x, y ...): the subquery is joined to the rows, one row or none. */
static Status assign_subquery(Assign *a, const AstAssignment *ast, const AstSubquery *subquery)
{
    Binder *binder = a->binder;
    Rel *rel;
    if (!a->rel) return err_unsupported(binder->err, binder->arena, "a subquery for several columns here");
    Scope *scope = binder->scope;
    BindClause clause = binder->clause;
    TRY(bind_select(binder, subquery->select, &rel));
    binder->scope = scope;
    binder->clause = clause;
    if (rel->column_count != ast->columns.count) return count_mismatch(a, ast, rel->column_count);
    RelJoin *join = (RelJoin *)bind_cross_join(binder, *a->rel, rel);
    join->join = JOIN_LEFT;
    *a->rel = &join->base;
    for (int i = 0; i < ast->columns.count; i++)
        TRY(assign(a, ast->columns.items[i], ast->positions.items[i],
                   rel_column_expr(binder->arena, &rel->columns[i])));
    return ST_OK;
}

static Status assign_row(Assign *a, const AstAssignment *ast, const AstRow *row)
{
    if (row->items.count != ast->columns.count) return count_mismatch(a, ast, row->items.count);
    for (int i = 0; i < ast->columns.count; i++) {
        Expr *value;
        TRY(bind_expr(a->binder, row->items.items[i], &value));
        if (!value->position) value->position = row->items.items[i]->position;
        TRY(assign(a, ast->columns.items[i], ast->positions.items[i], value));
    }
    return ST_OK;
}

static Status bind_assignment(Assign *a, const AstAssignment *ast)
{
    if (ast->indirection) return err_unsupported(a->binder->err, a->binder->arena, "assignment to a part of a column");
    bool subquery = ast->value->kind == AST_SUBQUERY && ((AstSubquery *)ast->value)->subquery == AST_SUBQUERY_SCALAR;
    if (ast->multiple && subquery) return assign_subquery(a, ast, (const AstSubquery *)ast->value);
    if (ast->multiple && ast->value->kind == AST_ROW) return assign_row(a, ast, (const AstRow *)ast->value);
    if (ast->columns.count != 1) return count_mismatch(a, ast, 1);
    Expr *value;
    TRY(bind_expr(a->binder, ast->value, &value));
    if (!value->position) value->position = ast->value->position;
    return assign(a, ast->columns.items[0], ast->positions.items[0], value);
}

Status bind_assignments(Binder *binder, const AstAssignmentVec *set, const TableDesc *table, Rel **rel, Expr **out)
{
    Assign a = {binder, table, rel, out};
    BindClause clause = binder->clause;
    binder->clause = CLAUSE_UPDATE_SET;
    for (int i = 0; i < set->count; i++) TRY(bind_assignment(&a, &set->items[i]));
    binder->clause = clause;
    return ST_OK;
}

void bind_access_updated(Binder *binder, Access *access, Expr *const *set)
{
    const TableDesc *table = (const TableDesc *)access->desc;
    access->wanted |= ACL_UPDATE;
    for (int i = 0; i < table->columns.count; i++)
        if (set[i]) bind_access_column(binder, access, ACL_UPDATE, table->columns.items[i].id);
}

/* ---- RETURNING ---- */

Status bind_returning(Binder *binder, bool has_returning, const AstTargetVec *ast, Rel *rel, Expr ***returning)
{
    rel->columns = NULL;
    rel->column_count = 0;
    *returning = NULL;
    if (!has_returning) return ST_OK;
    TargetVec targets;
    binder->clause = CLAUSE_RETURNING;
    TRY(bind_targets(binder, ast, &targets));
    TRY(bind_settle_targets(binder, &targets));
    *returning = ARENA_ARRAY(binder->arena, Expr *, targets.count);
    rel->columns = ARENA_ARRAY(binder->arena, RelColumn, targets.count);
    rel->column_count = targets.count;
    for (int i = 0; i < targets.count; i++) {
        const Target *target = &targets.items[i];
        (*returning)[i] = target->expr;
        rel->columns[i] = (RelColumn){binder_new_column(binder), target->name,     target->expr->type, false,
                                      target->table_id,          target->column_id};
    }
    return ST_OK;
}

/* ---- UPDATE, DELETE ---- */

/* The rows to change: the target's scan, joined to what else is listed, filtered, sorted and limited. */
typedef struct ChangeRows {
    const AstFromTable *table;
    const AstFromVec *others;
    const AstExpr *where;
    const AstSortVec *order_by;
    const AstExpr *limit;
    RelTable *from;
    ScopeItem *item;
    Rel *rel;
    Access *access;
} ChangeRows;

static Status bind_change_from(Binder *binder, ChangeRows *rows)
{
    Rel *others;
    binder->clause = CLAUSE_FROM;
    (void)scope_push(binder);
    TRY(bind_table(binder, rows->access, rows->table, &rows->from, &rows->item));
    TRY(bind_alias(binder, rows->item, &rows->table->base.alias));
    TRY(scope_add(binder, binder->scope, rows->item));
    rows->rel = &rows->from->base;
    TRY(bind_from(binder, rows->others, &others));
    if (others) rows->rel = bind_cross_join(binder, rows->rel, others);
    if (!rows->where) return ST_OK;
    if (rows->where->kind == AST_CURRENT_OF) return err_unsupported(binder->err, binder->arena, "WHERE CURRENT OF");
    Expr *condition;
    binder->clause = CLAUSE_WHERE;
    TRY(bind_condition(binder, rows->where, "WHERE", &condition));
    rows->rel = rel_filter(binder->arena, rows->rel, condition);
    return ST_OK;
}

static Status bind_change_limit(Binder *binder, ChangeRows *rows)
{
    if (rows->order_by->count) {
        RelSort *sort = rel_new_over(binder->arena, REL_SORT, sizeof *sort, rows->rel);
        sort->keys = ARENA_ARRAY(binder->arena, SortKey, rows->order_by->count);
        binder->clause = CLAUSE_ORDER_BY;
        for (int i = 0; i < rows->order_by->count; i++) {
            Expr *e;
            TRY(bind_expr(binder, rows->order_by->items[i].expr, &e));
            TRY(bind_sort_key(binder, &rows->order_by->items[i], e, &sort->keys[i]));
            sort->key_count++;
        }
        rows->rel = &sort->base;
    }
    return bind_limit(binder, rows->limit, NULL, false, &rows->rel);
}

static Status bind_update_in_scope(Binder *binder, const AstUpdate *ast, Access *access, Rel **out)
{
    ChangeRows rows = {ast->table, &ast->from, ast->where, &ast->order_by, ast->limit, NULL, NULL, NULL, access};
    const TableDesc *table = (const TableDesc *)access->desc;
    TRY(bind_change_from(binder, &rows));
    Expr **set = ARENA_ARRAY(binder->arena, Expr *, table->columns.count);
    TRY(bind_assignments(binder, &ast->set, table, &rows.rel, set));
    bind_access_updated(binder, access, set);
    TRY(bind_change_limit(binder, &rows));
    RelUpdate *update = rel_new_over(binder->arena, REL_UPDATE, sizeof *update, rows.rel);
    update->from = rows.from;
    update->set = set;
    TRY(bind_write_target(binder, table, &update->target));
    bind_referrers(binder, &update->target, REFERRERS_OF_UPDATED, set);
    /* RETURNING sees the new row under the table's name. */
    RelColumn *row = arena_copy(binder->arena, update->target.row, sizeof *row * (size_t)table->columns.count);
    for (int i = 0; i < table->columns.count; i++) row[i].name = rows.item->columns[i].name;
    rows.item->columns = row;
    TRY(bind_returning(binder, ast->has_returning, &ast->returning, &update->base, &update->returning));
    *out = &update->base;
    return ST_OK;
}

static Status bind_delete_in_scope(Binder *binder, const AstDelete *ast, Access *access, Rel **out)
{
    ChangeRows rows = {ast->table, &ast->using_, ast->where, &ast->order_by, ast->limit, NULL, NULL, NULL, access};
    const TableDesc *table = (const TableDesc *)access->desc;
    access->wanted |= ACL_DELETE;
    TRY(bind_change_from(binder, &rows));
    TRY(bind_change_limit(binder, &rows));
    RelDelete *delete_ = rel_new_over(binder->arena, REL_DELETE, sizeof *delete_, rows.rel);
    delete_->from = rows.from;
    TRY(bind_write_target(binder, table, &delete_->target));
    bind_referrers(binder, &delete_->target, REFERRERS_OF_DELETED, NULL);
    TRY(bind_returning(binder, ast->has_returning, &ast->returning, &delete_->base, &delete_->returning));
    *out = &delete_->base;
    return ST_OK;
}

Status bind_update(Binder *binder, const AstUpdate *ast, Rel **out)
{
    Scope *outer = binder->scope, *with_scope = NULL;
    BindClause clause = binder->clause;
    const TableDesc *table;
    Access *access;
    TRY(bind_change_table(binder, &ast->table->name, "update", &table, &access));
    if (ast->with) {
        TRY(bind_with(binder, ast->with));
        with_scope = binder->scope;
    }
    TRY(bind_update_in_scope(binder, ast, access, out));
    if (with_scope) *out = bind_with_finish(binder, with_scope, *out);
    binder->scope = outer;
    binder->clause = clause;
    return ST_OK;
}

Status bind_delete(Binder *binder, const AstDelete *ast, Rel **out)
{
    Scope *outer = binder->scope, *with_scope = NULL;
    BindClause clause = binder->clause;
    const TableDesc *table;
    Access *access;
    TRY(bind_change_table(binder, &ast->table->name, "delete from", &table, &access));
    if (ast->with) {
        TRY(bind_with(binder, ast->with));
        with_scope = binder->scope;
    }
    TRY(bind_delete_in_scope(binder, ast, access, out));
    if (with_scope) *out = bind_with_finish(binder, with_scope, *out);
    binder->scope = outer;
    binder->clause = clause;
    return ST_OK;
}
