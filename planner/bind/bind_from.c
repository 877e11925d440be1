/* bind_from.c - the items of FROM: tables, views, system relations, subqueries, functions.
 *
 * While FROM is being built the items so far are in binder->scope already: that is what LATERAL sees. A plain subquery
 * is bound one scope further out and so sees none of them.
 */
#include "parser/ast_ddl.h"
#include "planner/bind/bind_query.h"
#include "planner/privilege.h"

enum { VIEW_DEPTH_MAX = 100 };

/* ---- aliases ---- */

static int visible_count(const ScopeItem *item)
{
    int count = 0;
    for (int i = 0; i < item->column_count; i++) count += !item->columns[i].hidden;
    return count;
}

Status bind_alias(Binder *binder, ScopeItem *item, const AstAlias *alias)
{
    if (alias->name) {
        item->name = alias->name;
        item->name_visible = true;
        item->schema = DESC_ID_NONE;
    }
    if (alias->columns.count == 0) return ST_OK;
    int available = visible_count(item), next = 0;
    if (alias->columns.count > available)
        return err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                       "table \"%s\" has %d columns available but %d columns specified", item->name ? item->name : "",
                       available, alias->columns.count);
    item->columns = arena_copy(binder->arena, item->columns, sizeof(RelColumn) * (size_t)item->column_count);
    for (int i = 0; i < item->column_count && next < alias->columns.count; i++)
        if (!item->columns[i].hidden) item->columns[i].name = alias->columns.items[next++];
    return ST_OK;
}

/* ---- relations ---- */

static Status check_hint(Binder *binder, const TableDesc *table, const AstFromTable *ast)
{
    if (!ast->index || strcmp(ast->index, "primary") == 0 || table_index_by_name(table, ast->index)) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "index \"%s\" not found", ast->index);
    return err_at(binder->err, ast->base.position);
}

Status bind_table(Binder *binder, Access *access, const AstFromTable *ast, RelTable **out, ScopeItem **item)
{
    const TableDesc *table = (const TableDesc *)access->desc;
    TRY(check_hint(binder, table, ast));
    if (table->view_query && !table->populated && !binder->view_uses) {
        (void)err_set(binder->err, binder->arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                      "materialized view \"%s\" has not been populated", table->base.name);
        err_hint(binder->err, binder->arena, "Use the REFRESH MATERIALIZED VIEW command.");
        return ST_ERROR;
    }
    if (ast->sample) return err_unsupported(binder->err, binder->arena, "TABLESAMPLE");
    RelTable *rel = rel_new(binder->arena, REL_TABLE, sizeof *rel);
    rel->table = table;
    rel->alias = ast->base.alias.name;
    rel->index_hint = ast->index && strcmp(ast->index, "primary") == 0 ? table_primary(table)->name : ast->index;
    rel->no_full_scan = ast->no_full_scan;
    rel->base.columns = bind_table_columns(binder, table);
    rel->base.column_count = table->columns.count;
    *item = scope_item_new(binder, table->base.name, &rel->base);
    (*item)->schema = table->base.parent_schema;
    (*item)->table = rel;
    bind_access_item(*item, access);
    (*item)->relation_oid = table->base.id;
    *out = rel;
    return ST_OK;
}

/* A query by its text, in a scope that sees nothing of the statement around it. What it reads is the business of the
 * owner of the view whose text it is; owner NULL: of nobody. */
static Status bind_stored_query(Binder *binder, const char *text, const char *owner, Rel **out)
{
    if (++binder->depth > VIEW_DEPTH_MAX)
        return err_set(binder->err, binder->arena, ERR_INVALID_OBJECT_DEFINITION,
                       "infinite recursion detected in rules for relation");
    IntVec *view_uses = binder->view_uses;
    NameUses *uses = binder->uses;
    const char *acting = binder->acting;
    bool trusted = binder->trusted;
    binder->view_uses = NULL;
    binder->uses = NULL;
    binder->acting = owner;
    binder->trusted = trusted || !owner;
    Status status = bind_query_text(binder, text, out);
    binder->acting = acting;
    binder->trusted = trusted;
    binder->view_uses = view_uses;
    binder->uses = uses;
    binder->depth--;
    return status;
}

static Status bind_view(Binder *binder, const ViewDesc *view, Rel **out)
{
    TRY(bind_stored_query(binder, view->query, view->base.owner, out));
    Rel *rel = *out;
    rel->columns = arena_copy(binder->arena, rel->columns, sizeof(RelColumn) * (size_t)rel->column_count);
    for (int i = 0; i < rel->column_count && i < view->columns.count; i++) {
        rel->columns[i].name = view->columns.items[i].name;
        rel->columns[i].table_id = view->base.id;
        rel->columns[i].column_id = view->columns.items[i].id;
    }
    return ST_OK;
}

static Status bind_system(Binder *binder, const SystemRelation *system, const AstFromTable *ast, Rel **out)
{
    if (!binder->trusted && privilege_is_secret(system) &&
        !privilege_is_superuser(binder->session, binder->acting ? binder->acting : binder->session->user))
        binder->denied_system = system;
    if (!system->fill) return bind_stored_query(binder, system->view, NULL, out);
    RelColumnVec columns;
    TRY(bind_column_list(binder, system->columns, &columns));
    for (int i = 0; i < columns.count; i++) {
        columns.items[i].id = binder_new_column(binder);
        columns.items[i].table_id = system->oid;
        columns.items[i].column_id = (uint32_t)i + 1;
    }
    RelSystem *rel = rel_new(binder->arena, REL_SYSTEM, sizeof *rel);
    rel->relation = system;
    rel->alias = ast->base.alias.name;
    rel->base.columns = columns.items;
    rel->base.column_count = columns.count;
    *out = &rel->base;
    return ST_OK;
}

/* A sequence reads as a table of one row. */
static Status bind_sequence(Binder *binder, const Desc *sequence, Rel **out)
{
    const char *query = arena_printf(binder->arena, "SELECT last_value, log_cnt, is_called FROM rowkey.sequence_state(%u)", sequence->id);
    return bind_stored_query(binder, query, NULL, out);
}

/* The text of a view says in which schema its relations were found. */
static void note_found(Binder *binder, const BoundName *found, const AstFromTable *ast)
{
    IntVec *uses = binder->view_uses;
    if (!uses) return;
    ast->found->schema = session_schema_name(binder->session, found->schema);
    if (!found->desc) return;
    for (int i = 0; i < uses->count; i++)
        if ((DescId)uses->items[i] == found->desc->id) return;
    VEC_PUSH(binder->arena, *uses, (int)found->desc->id);
}

static Status bind_found(Binder *binder, const BoundName *found, const AstFromTable *ast, Rel **out, ScopeItem **item)
{
    if (found->desc && session_is_other_temp(binder->session, found->desc->parent_schema))
        return err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot access temporary tables of other sessions");
    Access *access = found->desc ? bind_access(binder, found->desc, ACL_SELECT) : NULL;
    note_found(binder, found, ast);
    if (found->system) {
        TRY(bind_system(binder, found->system, ast, out));
    } else if (found->desc->kind == DESC_VIEW) {
        bind_locks_pass_down(binder, ast->base.alias.name ? ast->base.alias.name : ast->name.name);
        TRY(bind_view(binder, (const ViewDesc *)found->desc, out));
    } else if (found->desc->kind == DESC_TABLE) {
        RelTable *table;
        binder_use_table(binder, (const TableDesc *)found->desc, TABLE_ACCESS_SHARE);
        TRY(bind_table(binder, access, ast, &table, item));
        *out = &table->base;
        return ST_OK;
    } else if (found->desc->kind == DESC_SEQUENCE) {
        TRY(bind_sequence(binder, found->desc, out));
    } else {
        (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a table or view", found->desc->name);
        return err_at(binder->err, ast->name.position);
    }
    *item = scope_item_new(binder, ast->name.name, *out);
    (*item)->schema = found->schema;
    (*item)->relation_oid = found->system ? found->system->oid : found->desc->id;
    if (access) bind_access_item(*item, access);
    return ST_OK;
}

static Status bind_from_table(Binder *binder, const AstFromTable *ast, Rel **out, ScopeItem **item)
{
    ScopeCte *cte = ast->name.schema ? NULL : scope_find_cte(binder->scope, ast->name.name);
    if (cte) {
        TRY(bind_cte_reference(binder, cte, ast->name.position, out));
        *item = scope_item_new(binder, ast->name.name, *out);
        return ST_OK;
    }
    BoundName found;
    TRY(bind_find_relation(binder, &ast->name, true, &found));
    if (binder->uses && found.desc) VEC_PUSH(binder->arena, binder->uses->tables, (RelationUse){ast, found.desc->id});
    return bind_found(binder, &found, ast, out, item);
}

/* ---- subqueries ---- */

static Status bind_from_subquery(Binder *binder, const AstFromSubquery *ast, Rel **out, ScopeItem **item)
{
    Scope *scope = binder->scope;
    BindClause clause = binder->clause;
    bind_locks_pass_down(binder, ast->base.alias.name);
    if (!ast->base.lateral) binder->scope = scope->outer;
    Status status = bind_select(binder, ast->select, out);
    binder->scope = scope;
    binder->clause = clause;
    TRY(status);
    *item = scope_item_new(binder, NULL, *out);
    return ST_OK;
}

static Status bind_from_statement(Binder *binder, const AstFromStatement *ast, Rel **out, ScopeItem **item)
{
    Scope *scope = binder->scope;
    binder->scope = NULL;
    Status status = bind_bracketed(binder, ast->stmt, out);
    binder->scope = scope;
    TRY(status);
    *item = scope_item_new(binder, NULL, *out);
    return ST_OK;
}

/* ---- functions ---- */

static Status bind_definitions(Binder *binder, const AstColumnDefVec *definitions, RelColumnVec *columns)
{
    for (int i = 0; i < definitions->count; i++) {
        RelColumn column = {.name = definitions->items[i]->name};
        TRY(bind_type(binder, definitions->items[i]->type, &column.type));
        VEC_PUSH(binder->arena, *columns, column);
    }
    return ST_OK;
}

/* Polymorphic columns of a function's rows are of its first argument's element type. */
static void settle_polymorphic(const Expr *call, RelColumnVec *columns)
{
    const TypeDef *first = call->arg_count ? type_find(call->args[0]->type.oid) : NULL;
    for (int i = 0; first && i < columns->count; i++)
        if (columns->items[i].type.oid == OID_ANYELEMENT)
            columns->items[i].type.oid = first->element_oid ? first->element_oid : first->oid;
}

/* What one function of FROM returns: as it was defined, as the function says, or one value. */
static Status function_columns(Binder *binder, const Expr *call, const AstColumnDefVec *definitions, const char *name,
                               RelColumnVec *columns, bool *scalar)
{
    const FuncDef *function = call->kind == EXPR_CALL ? ((const ExprCall *)call)->function : NULL;
    const char *listed = function && function->rows ? function->rows->columns : NULL;
    *columns = (RelColumnVec){0};
    *scalar = false;
    if (definitions->count) return bind_definitions(binder, definitions, columns);
    if (listed) {
        TRY(bind_column_list(binder, listed, columns));
        settle_polymorphic(call, columns);
        *scalar = columns->count == 1 && call->type.oid != OID_RECORD;
        return ST_OK;
    }
    if (call->type.oid == OID_RECORD && call->kind != EXPR_ROW) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR,
                      "a column definition list is required for functions returning \"record\"");
        return err_at(binder->err, call->position);
    }
    *scalar = true;
    VEC_PUSH(binder->arena, *columns, (RelColumn){.name = name, .type = call->type});
    return ST_OK;
}

typedef struct FunctionParts {
    VEC(RelFunctionItem) items;
    RelColumnVec columns;
    bool scalar;
} FunctionParts;

static Status bind_function_call(Binder *binder, const AstExpr *ast, Expr **out)
{
    BindClause clause = binder->clause;
    binder->clause = CLAUSE_FROM;
    Status status =
        ast->kind == AST_CALL ? bind_call_in_from(binder, (const AstCall *)ast, out) : bind_expr(binder, ast, out);
    binder->clause = clause;
    TRY(status);
    return bind_resolve_unknown(binder, *out, out);
}

static Status add_function(Binder *binder, const AstExpr *ast, const AstColumnDefVec *definitions, const char *name,
                           FunctionParts *parts)
{
    Expr *call;
    RelColumnVec columns;
    bool scalar;
    TRY(bind_function_call(binder, ast, &call));
    TRY(function_columns(binder, call, definitions, name, &columns, &scalar));
    VEC_PUSH(binder->arena, parts->items, (RelFunctionItem){call, columns.count});
    parts->scalar = scalar && parts->items.count == 1;
    for (int i = 0; i < columns.count; i++) {
        columns.items[i].id = binder_new_column(binder);
        VEC_PUSH(binder->arena, parts->columns, columns.items[i]);
    }
    return ST_OK;
}

/* unnest(a, b) is ROWS FROM (unnest(a), unnest(b)). */
static Status add_unnests(Binder *binder, const AstCall *call, FunctionParts *parts)
{
    static const AstColumnDefVec none;
    for (int i = 0; i < call->args.count; i++) {
        AstCall *one = arena_copy(binder->arena, call, sizeof *one);
        one->args = (AstExprVec){0};
        VEC_PUSH(binder->arena, one->args, call->args.items[i]);
        TRY(add_function(binder, &one->base, &none, "unnest", parts));
    }
    return ST_OK;
}

static Status bind_from_function(Binder *binder, const AstFromFunction *ast, Rel **out, ScopeItem **item)
{
    FunctionParts parts = {0};
    const char *function_name = bind_output_name(ast->items.items[0].call);
    const char *alias = ast->base.alias.name;
    bool single = ast->items.count == 1;
    for (int i = 0; i < ast->items.count; i++) {
        const AstFunctionItem *f = &ast->items.items[i];
        const AstCall *call = f->call->kind == AST_CALL ? (const AstCall *)f->call : NULL;
        const AstColumnDefVec *definitions =
            single && !f->definitions.count ? &ast->base.alias.definitions : &f->definitions;
        const char *name = single && alias ? alias : bind_output_name(f->call);
        if (call && call->args.count > 1 && strcmp(call->name.name, "unnest") == 0)
            TRY(add_unnests(binder, call, &parts));
        else
            TRY(add_function(binder, f->call, definitions, name, &parts));
    }
    if (ast->base.ordinality) {
        RelColumn ordinality = {.id = binder_new_column(binder), .name = "ordinality", .type = {OID_INT8, -1}};
        VEC_PUSH(binder->arena, parts.columns, ordinality);
    }
    RelFunction *rel = rel_new(binder->arena, REL_FUNCTION, sizeof *rel);
    rel->items = parts.items.items;
    rel->item_count = parts.items.count;
    rel->ordinality = ast->base.ordinality;
    rel->base.columns = parts.columns.items;
    rel->base.column_count = parts.columns.count;
    *out = &rel->base;
    *item = scope_item_new(binder, function_name, *out);
    (*item)->scalar = parts.scalar && !ast->base.ordinality;
    return ST_OK;
}

/* ---- items ---- */

Status bind_from_item(Binder *binder, const AstFrom *from, Rel **out)
{
    ScopeItem *item = NULL;
    switch (from->kind) {
    case AST_FROM_TABLE:
        TRY(bind_from_table(binder, (const AstFromTable *)from, out, &item));
        break;
    case AST_FROM_SUBQUERY:
        TRY(bind_from_subquery(binder, (const AstFromSubquery *)from, out, &item));
        break;
    case AST_FROM_FUNCTION:
        TRY(bind_from_function(binder, (const AstFromFunction *)from, out, &item));
        break;
    case AST_FROM_STATEMENT:
        TRY(bind_from_statement(binder, (const AstFromStatement *)from, out, &item));
        break;
    case AST_FROM_JOIN:
        return bind_join(binder, (const AstFromJoin *)from, out);
    }
    if (from->ordinality && from->kind != AST_FROM_FUNCTION)
        return err_unsupported(binder->err, binder->arena, "WITH ORDINALITY of a relation");
    TRY(bind_alias(binder, item, &from->alias));
    return scope_add(binder, binder->scope, item);
}

Rel *bind_cross_join(Binder *binder, Rel *left, Rel *right)
{
    RelJoin *join = rel_new(binder->arena, REL_JOIN, sizeof *join);
    Rel *rel = &join->base;
    join->join = JOIN_INNER;
    rel->inputs = ARENA_ARRAY(binder->arena, Rel *, 2);
    rel->inputs[0] = left;
    rel->inputs[1] = right;
    rel->input_count = 2;
    rel->column_count = left->column_count + right->column_count;
    rel->columns = ARENA_ARRAY(binder->arena, RelColumn, rel->column_count);
    for (int i = 0; i < left->column_count; i++) rel->columns[i] = left->columns[i];
    for (int i = 0; i < right->column_count; i++) rel->columns[left->column_count + i] = right->columns[i];
    bind_mark_lateral(binder, join);
    return rel;
}

void bind_mark_lateral(Binder *binder, RelJoin *join)
{
    ColId *outer;
    int count = rel_outer_columns(join->base.inputs[1], &outer, binder->arena);
    ColSet made = {0};
    rel_made_columns(join->base.inputs[0], &made, binder->arena);
    for (int i = 0; i < count; i++) join->lateral |= colset_has(&made, outer[i]);
}

Status bind_from(Binder *binder, const AstFromVec *from, Rel **out)
{
    *out = NULL;
    for (int i = 0; i < from->count; i++) {
        Rel *rel;
        TRY(bind_from_item(binder, from->items[i], &rel));
        *out = *out ? bind_cross_join(binder, *out, rel) : rel;
    }
    return ST_OK;
}
