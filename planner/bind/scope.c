/* scope.c - looking up columns and tables of FROM. */
#include "planner/bind/scope.h"

Scope *scope_push(Binder *binder)
{
    Scope *scope = ARENA_NEW(binder->arena, Scope);
    scope->outer = binder->scope;
    binder->scope = scope;
    return scope;
}

ScopeItem *scope_item_new(Binder *binder, const char *name, Rel *rel)
{
    ScopeItem *item = ARENA_NEW(binder->arena, ScopeItem);
    item->name = name;
    item->columns = rel->columns;
    item->column_count = rel->column_count;
    item->name_visible = name != NULL;
    item->columns_visible = true;
    item->lateral_ok = true;
    item->rel = rel;
    return item;
}

ScopeItem *scope_find_item(const Scope *scope, const char *name)
{
    for (int i = 0; i < scope->items.count; i++) {
        ScopeItem *item = scope->items.items[i];
        if (item->name_visible && strcmp(item->name, name) == 0) return item;
    }
    return NULL;
}

Status scope_add(Binder *binder, Scope *scope, ScopeItem *item)
{
    if (item->name) {
        const ScopeItem *other = scope_find_item(scope, item->name);
        /* Two tables of one name in different schemas may stand side by side, if neither has an alias. */
        if (other && !(other->schema && item->schema && other->schema != item->schema))
            return err_set(binder->err, binder->arena, ERR_DUPLICATE_ALIAS,
                           "table name \"%s\" specified more than once", item->name);
    }
    VEC_PUSH(binder->arena, scope->items, item);
    return ST_OK;
}

ScopeCte *scope_find_cte(const Scope *scope, const char *name)
{
    for (; scope; scope = scope->outer)
        for (int i = scope->ctes.count - 1; i >= 0; i--)
            if (strcmp(scope->ctes.items[i]->name, name) == 0) return scope->ctes.items[i];
    return NULL;
}

const ScopeItem *scope_owner(const Scope *scope, ColId column)
{
    for (int i = 0; i < scope->items.count; i++) {
        const ScopeItem *item = scope->items.items[i];
        for (int c = 0; c < item->column_count; c++)
            if (item->columns[c].id == column) return item;
    }
    return NULL;
}

/* ---- columns by name ---- */

static Status not_lateral(Binder *binder, const ScopeItem *item, int position)
{
    const char *name = item->name ? item->name : "unnamed_join";
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_TABLE,
                  "invalid reference to FROM-clause entry for table \"%s\"", name);
    if (item->lateral_only)
        err_detail(binder->err, binder->arena,
                   "The combining JOIN type must be INNER or LEFT for a LATERAL reference.");
    return err_at(binder->err, position);
}

static Status ambiguous_column(Binder *binder, const char *name, int position)
{
    (void)err_set(binder->err, binder->arena, ERR_AMBIGUOUS_COLUMN, "column reference \"%s\" is ambiguous", name);
    return err_at(binder->err, position);
}

/* The column of an item; *found NULL if there is none. */
static Status column_of_item(Binder *binder, const ScopeItem *item, const char *name, int position, RelColumn **found)
{
    *found = NULL;
    for (int i = 0; i < item->column_count; i++) {
        if (strcmp(item->columns[i].name, name) != 0) continue;
        if (*found) return ambiguous_column(binder, name, position);
        *found = &item->columns[i];
    }
    return ST_OK;
}

static bool seen_now(const ScopeItem *item)
{
    return !item->lateral_only || item->lateral_ok;
}

/* A join's own columns keep where they come from. */
static void note_use(Binder *binder, const ScopeItem *item, const RelColumn *column, const AstColumn *ast)
{
    bind_note_read(binder, item, column);
    if (!binder->uses || !(item->relation_oid == column->table_id || (!item->relation_oid && !item->name))) return;
    VEC_PUSH(binder->arena, binder->uses->columns, (ColumnUse){ast, column->table_id, column->column_id});
}

/* Among the visible columns of one level. */
static Status column_of_level(Binder *binder, const Scope *scope, const AstColumn *ast, RelColumn **found)
{
    const char *name = VEC_LAST(ast->names);
    int position = ast->base.position;
    const ScopeItem *found_in = NULL;
    *found = NULL;
    for (int i = 0; i < scope->items.count; i++) {
        const ScopeItem *item = scope->items.items[i];
        if (!item->columns_visible) continue;
        RelColumn *column;
        TRY(column_of_item(binder, item, name, position, &column));
        if (!column) continue;
        if (*found) return ambiguous_column(binder, name, position);
        if (!seen_now(item)) return not_lateral(binder, item, position);
        *found = column;
        found_in = item;
    }
    if (*found) note_use(binder, found_in, *found, ast);
    return ST_OK;
}

static Expr *column_expr(Binder *binder, const RelColumn *column, int position)
{
    Expr *e = rel_column_expr(binder->arena, column);
    e->position = position;
    return e;
}

/* A whole row: its visible columns as a record; of a scalar function its value. */
static Expr *whole_row(Binder *binder, const ScopeItem *item, int position)
{
    if (item->scalar) return column_expr(binder, &item->columns[0], position);
    VEC(Expr *) fields = {0};
    VEC(const char *) names = {0};
    for (int i = 0; i < item->column_count; i++) {
        if (item->columns[i].hidden) continue;
        bind_note_read(binder, item, &item->columns[i]);
        VEC_PUSH(binder->arena, fields, column_expr(binder, &item->columns[i], position));
        VEC_PUSH(binder->arena, names, item->columns[i].name);
    }
    Expr *row = expr_new(binder->arena, EXPR_ROW, (TypeRef){OID_RECORD, -1}, fields.items, fields.count);
    ((ExprRow *)row)->names = names.items;
    row->position = position;
    return row;
}

static Expr *tableoid(Binder *binder, const ScopeItem *item)
{
    return expr_const(binder->arena, (TypeRef){OID_OID, -1}, value_int(item->relation_oid));
}

static Status find_unqualified(Binder *binder, const AstColumn *ast, Expr **out)
{
    const char *name = VEC_LAST(ast->names);
    int position = ast->base.position;
    for (const Scope *scope = binder->scope; scope; scope = scope->outer) {
        RelColumn *column;
        TRY(column_of_level(binder, scope, ast, &column));
        if (column) {
            *out = column_expr(binder, column, position);
            return ST_OK;
        }
    }
    for (const Scope *scope = binder->scope; scope; scope = scope->outer) {
        if (strcmp(name, "tableoid") == 0 && scope->items.count == 1 && scope->items.items[0]->relation_oid) {
            *out = tableoid(binder, scope->items.items[0]);
            return ST_OK;
        }
        const ScopeItem *item = scope_find_item(scope, name);
        if (!item) continue;
        *out = whole_row(binder, item, position);
        return ST_OK;
    }
    return scope_no_column(binder, NULL, name, position);
}

/* ---- t.a ---- */

static bool is_item(const Binder *binder, const ScopeItem *item, const char *schema, const char *table)
{
    if (!item->name_visible || strcmp(item->name, table) != 0) return false;
    return !schema || (item->schema && item->schema == session_find_schema(binder->session, schema));
}

static Status find_table(Binder *binder, const char *schema, const char *table, int position, ScopeItem **out)
{
    *out = NULL;
    for (const Scope *scope = binder->scope; scope && !*out; scope = scope->outer) {
        for (int i = 0; i < scope->items.count; i++) {
            ScopeItem *item = scope->items.items[i];
            if (!is_item(binder, item, schema, table)) continue;
            if (*out) {
                (void)err_set(binder->err, binder->arena, ERR_AMBIGUOUS_ALIAS, "table reference \"%s\" is ambiguous",
                              table);
                return err_at(binder->err, position);
            }
            *out = item;
        }
    }
    if (!*out) return scope_no_table(binder, table, position);
    if (!seen_now(*out)) return not_lateral(binder, *out, position);
    return ST_OK;
}

/* The parts of a name before the last `behind` ones; 0A000 or 42601 for what is too long. */
static Status qualifier(Binder *binder, const AstColumn *name, int behind, const char **schema, const char **table)
{
    int count = name->names.count - behind;
    *schema = count >= 2 ? name->names.items[count - 2] : NULL;
    *table = name->names.items[count - 1];
    if (count <= 2) return ST_OK;
    if (count == 3 && strcmp(name->names.items[0], binder->session->database) == 0) return ST_OK;
    if (count == 3) {
        (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED,
                      "cross-database references are not implemented: %s.%s.%s", name->names.items[0], *schema, *table);
        return err_at(binder->err, name->base.position);
    }
    (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "improper qualified name (too many dotted names)");
    return err_at(binder->err, name->base.position);
}

Status scope_find_column(Binder *binder, const AstColumn *name, Expr **out)
{
    int position = name->base.position;
    const char *column_name = VEC_LAST(name->names);
    if (name->names.count == 1) return find_unqualified(binder, name, out);
    const char *schema, *table;
    ScopeItem *item;
    RelColumn *column;
    TRY(qualifier(binder, name, 1, &schema, &table));
    TRY(find_table(binder, schema, table, position, &item));
    TRY(column_of_item(binder, item, column_name, position, &column));
    if (column) {
        note_use(binder, item, column, name);
        *out = column_expr(binder, column, position);
        return ST_OK;
    }
    if (strcmp(column_name, "tableoid") == 0 && item->relation_oid) {
        *out = tableoid(binder, item);
        return ST_OK;
    }
    return scope_no_column(binder, table, column_name, position);
}

/* ---- * ---- */

static void add_visible(Binder *binder, const ScopeItem *item, RelColumnVec *columns)
{
    for (int i = 0; i < item->column_count; i++) {
        if (item->columns[i].hidden) continue;
        bind_note_read(binder, item, &item->columns[i]);
        VEC_PUSH(binder->arena, *columns, item->columns[i]);
    }
}

Status scope_star(Binder *binder, const AstColumn *name, RelColumnVec *columns)
{
    *columns = (RelColumnVec){0};
    if (name->names.count == 0) {
        const Scope *scope = binder->scope;
        bool any = false;
        for (int i = 0; scope && i < scope->items.count; i++) {
            if (!scope->items.items[i]->columns_visible || scope->items.items[i]->lateral_only) continue;
            add_visible(binder, scope->items.items[i], columns);
            any = true;
        }
        if (any) return ST_OK;
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "SELECT * with no tables specified is not valid");
        return err_at(binder->err, name->base.position);
    }
    const char *schema, *table;
    ScopeItem *item;
    TRY(qualifier(binder, name, 0, &schema, &table));
    TRY(find_table(binder, schema, table, name->base.position, &item));
    add_visible(binder, item, columns);
    return ST_OK;
}
