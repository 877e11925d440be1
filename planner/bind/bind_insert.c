/* bind_insert.c - INSERT and UPSERT.
 *
 * The input of a RelInsert returns one column per table column, in ordinal order: what was given is fitted to the
 * column's type, the rest is defaults. VALUES becomes a RelValues of that width; a SELECT gets a projection above it.
 */
#include "parser/ast_ddl.h"
#include "parser/ast_print.h"
#include "planner/bind/bind_change.h"
#include "storage/catalog/acl.h"

typedef struct Insert {
    Binder *binder;
    const AstInsert *ast;
    const TableDesc *table;
    Access *access;
    IntVec ordinals; /* of the columns given, in their order */
    Expr **defaults; /* per table column, bound when first asked for */
    RelInsert *rel;
    ScopeItem *existing_item;
} Insert;

/* ---- the columns given ---- */

static Status listed_columns(Insert *in)
{
    Binder *binder = in->binder;
    for (int i = 0; i < in->ast->columns.count; i++) {
        int ordinal, position = in->ast->column_positions.items[i];
        TRY(bind_written_column(binder, in->table, in->ast->columns.items[i], position, &ordinal));
        for (int k = 0; k < in->ordinals.count; k++) {
            if (in->ordinals.items[k] != ordinal) continue;
            (void)err_set(binder->err, binder->arena, ERR_DUPLICATE_COLUMN, "column \"%s\" specified more than once",
                          in->ast->columns.items[i]);
            return err_at(binder->err, position);
        }
        VEC_PUSH(binder->arena, in->ordinals, ordinal);
    }
    return ST_OK;
}

static Status target_columns(Insert *in)
{
    if (in->ast->has_columns) return listed_columns(in);
    for (int i = 0; i < in->table->columns.count; i++)
        if (!in->table->columns.items[i].hidden) VEC_PUSH(in->binder->arena, in->ordinals, i);
    return ST_OK;
}

static Status default_of(Insert *in, int ordinal, Expr **out)
{
    if (!in->defaults[ordinal]) TRY(bind_column_default(in->binder, in->table, ordinal, &in->defaults[ordinal]));
    *out = in->defaults[ordinal];
    return ST_OK;
}

static Status check_width(Insert *in, int width, int extra_position)
{
    Binder *binder = in->binder;
    if (width > in->ordinals.count) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "INSERT has more expressions than target columns");
        return err_at(binder->err, extra_position);
    }
    if (in->ast->has_columns && width < in->ordinals.count) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "INSERT has more target columns than expressions");
        return err_at(binder->err, in->ast->column_positions.items[width]);
    }
    in->ordinals.count = width;
    return ST_OK;
}

static RelColumn *input_columns(Insert *in)
{
    int count = in->table->columns.count;
    RelColumn *columns = ARENA_ARRAY(in->binder->arena, RelColumn, count);
    for (int i = 0; i < count; i++) {
        const ColumnDesc *column = &in->table->columns.items[i];
        columns[i] = (RelColumn){.id = binder_new_column(in->binder), .name = column->name, .type = column->type};
    }
    return columns;
}

/* ---- VALUES ---- */

static Status fit_cell(Insert *in, int ordinal, Expr *given, Expr **out)
{
    const ColumnDesc *column = &in->table->columns.items[ordinal];
    if (given->kind == EXPR_DEFAULT) return default_of(in, ordinal, out);
    TRY(bind_check_assignable(in->binder, column, true, in->ast->overriding, given->position));
    /* OVERRIDING USER VALUE: what is given for an identity column is not used. */
    if (in->ast->overriding == AST_OVERRIDING_USER && column->identity != IDENTITY_NONE)
        return default_of(in, ordinal, out);
    return bind_coerce_assignment(in->binder, given, column->type, column->name, out);
}

static Status fill_row(Insert *in, Expr **given, Expr ***out)
{
    int count = in->table->columns.count;
    Expr **row = ARENA_ARRAY(in->binder->arena, Expr *, count);
    for (int i = 0; i < in->ordinals.count; i++) {
        int ordinal = in->ordinals.items[i];
        TRY(fit_cell(in, ordinal, given[i], &row[ordinal]));
    }
    for (int i = 0; i < count; i++)
        if (!row[i]) TRY(default_of(in, i, &row[i]));
    *out = row;
    return ST_OK;
}

static Status values_input(Insert *in, Rel *query, Rel **out)
{
    RelValues *given = (RelValues *)query, *values = rel_new(in->binder->arena, REL_VALUES, sizeof *values);
    const AstExprVec *first = &in->ast->query->values.items[0];
    int extra = first->count > in->ordinals.count ? first->items[in->ordinals.count]->position : 0;
    TRY(check_width(in, query->column_count, extra));
    values->row_count = given->row_count;
    values->rows = ARENA_ARRAY(in->binder->arena, Expr **, given->row_count);
    for (int r = 0; r < given->row_count; r++) TRY(fill_row(in, given->rows[r], &values->rows[r]));
    values->base.columns = input_columns(in);
    values->base.column_count = in->table->columns.count;
    *out = &values->base;
    return ST_OK;
}

static Status defaults_input(Insert *in, Rel **out)
{
    RelValues *values = rel_new(in->binder->arena, REL_VALUES, sizeof *values);
    in->ordinals.count = 0;
    values->row_count = 1;
    values->rows = ARENA_ARRAY(in->binder->arena, Expr **, 1);
    TRY(fill_row(in, NULL, &values->rows[0]));
    values->base.columns = input_columns(in);
    values->base.column_count = in->table->columns.count;
    *out = &values->base;
    return ST_OK;
}

/* ---- SELECT ---- */

/* Literals of the query's own list get the column's type at once, with their position for errors. */
static Status fit_query(Insert *in, Rel **query)
{
    int width = (*query)->column_count;
    TypeRef *types = ARENA_ARRAY(in->binder->arena, TypeRef, width);
    const char **names = ARENA_ARRAY(in->binder->arena, const char *, width);
    for (int i = 0; i < width; i++) {
        const ColumnDesc *column = &in->table->columns.items[in->ordinals.items[i]];
        TRY(bind_check_assignable(in->binder, column, true, in->ast->overriding, 0));
        types[i] = column->type;
        names[i] = column->name;
    }
    return bind_fit_columns(in->binder, query, types, names);
}

static Status query_input(Insert *in, Rel *query, Rel **out)
{
    const AstSelect *ast = in->ast->query;
    int extra = 0;
    if (in->ordinals.count < ast->targets.count) extra = ast->targets.items[in->ordinals.count].position;
    TRY(check_width(in, query->column_count, extra));
    TRY(fit_query(in, &query));
    int count = in->table->columns.count;
    RelProject *project = rel_new_over(in->binder->arena, REL_PROJECT, sizeof *project, query);
    project->exprs = ARENA_ARRAY(in->binder->arena, Expr *, count);
    for (int i = 0; i < in->ordinals.count; i++)
        project->exprs[in->ordinals.items[i]] = rel_column_expr(in->binder->arena, &query->columns[i]);
    for (int i = 0; i < count; i++)
        if (!project->exprs[i]) TRY(default_of(in, i, &project->exprs[i]));
    project->base.columns = input_columns(in);
    project->base.column_count = count;
    *out = &project->base;
    return ST_OK;
}

static bool is_bare_values(const AstSelect *query)
{
    return query->is_values && !query->with && query->order_by.count == 0 && !query->limit && !query->offset;
}

static Status bind_input(Insert *in, Rel **out)
{
    Rel *query;
    const AstSelect *ast = in->ast->query;
    if (!ast) return defaults_input(in, out);
    if (is_bare_values(ast)) {
        in->binder->clause = CLAUSE_INSERT;
        TRY(bind_values(in->binder, ast, &query));
        return values_input(in, query, out);
    }
    in->binder->clause = CLAUSE_SELECT;
    TRY(bind_select_unsettled(in->binder, ast, &query));
    return query_input(in, query, out);
}

/* ---- ON CONFLICT ---- */

/* The column that an element of the conflict target names: a plain one, or the hidden one of an indexed expression. */
static int conflict_column(Insert *in, const AstIndexElem *elem)
{
    if (elem->column) return table_column_by_name(in->table, elem->column);
    const char *text = ast_expr_text(elem->expr, in->binder->arena);
    for (int i = 0; i < in->table->columns.count; i++) {
        const ColumnDesc *column = &in->table->columns.items[i];
        if (column->role == COLUMN_EXPRESSION && strcmp(column->computed_expr, text) == 0) return i;
    }
    return -1;
}

static bool in_list(const IntVec *list, int value)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == value) return true;
    return false;
}

/* Does the unique index have exactly these columns? */
static bool index_matches(const Insert *in, const IndexDesc *index, const IntVec *ordinals, const char *predicate)
{
    int declared = 0;
    if (!index->unique && !index->primary) return false;
    if (index->predicate && (!predicate || strcmp(index->predicate, predicate) != 0)) return false;
    for (int i = 0; i < index->columns.count; i++) {
        if (index->columns.items[i].implicit) continue;
        if (!in_list(ordinals, table_column_by_id(in->table, index->columns.items[i].column_id))) return false;
        declared++;
    }
    return declared == ordinals->count;
}

static Status no_deferrable_arbiter(const Insert *in, const IndexDesc *index)
{
    Error *err = in->binder->err;
    (void)err_set(err, in->binder->arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                  "ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters");
    err->schema = session_schema_name(in->binder->session, in->table->base.parent_schema);
    err->table = in->table->base.name;
    err->table_id = in->table->base.id;
    err->constraint = index->name;
    return ST_ERROR;
}

/* Without a target every unique index is one. */
static Status check_arbiters(const Insert *in)
{
    for (int i = 0; i < in->table->indexes.count; i++)
        if (in->table->indexes.items[i].deferrable) return no_deferrable_arbiter(in, &in->table->indexes.items[i]);
    return ST_OK;
}

static Status infer_arbiters(Insert *in)
{
    Binder *binder = in->binder;
    IntVec ordinals = {0};
    const char *predicate = in->ast->conflict_where ? ast_expr_text(in->ast->conflict_where, binder->arena) : NULL;
    for (int i = 0; i < in->ast->conflict_target.count; i++) {
        const AstIndexElem *elem = in->ast->conflict_target.items[i];
        int ordinal = conflict_column(in, elem);
        if (ordinal < 0 && elem->column) {
            (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_COLUMN, "column \"%s\" does not exist",
                          elem->column);
            return err_at(binder->err, elem->position);
        }
        if (!in_list(&ordinals, ordinal)) VEC_PUSH(binder->arena, ordinals, ordinal);
        if (ordinal >= 0) bind_access_column(binder, in->access, ACL_SELECT, in->table->columns.items[ordinal].id);
    }
    VEC(const IndexDesc *) found = {0};
    for (int i = 0; i < in->table->indexes.count; i++) {
        const IndexDesc *index = &in->table->indexes.items[i];
        if (index_matches(in, index, &ordinals, predicate)) VEC_PUSH(binder->arena, found, index);
    }
    in->rel->arbiters = found.items;
    in->rel->arbiter_count = found.count;
    for (int i = 0; i < found.count; i++)
        if (!index_is_unique(found.items[i])) return no_deferrable_arbiter(in, found.items[i]);
    if (found.count) return ST_OK;
    return err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                   "there is no unique or exclusion constraint matching the ON CONFLICT specification");
}

static Status named_arbiter(Insert *in)
{
    Binder *binder = in->binder;
    const IndexDesc *index = table_index_by_name(in->table, in->ast->conflict_constraint);
    if (!index || (!index->unique && !index->primary))
        return err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT,
                       "constraint \"%s\" for table \"%s\" does not exist", in->ast->conflict_constraint,
                       in->table->base.name);
    if (!index_is_unique(index)) return no_deferrable_arbiter(in, index);
    in->rel->arbiters = ARENA_ARRAY(binder->arena, const IndexDesc *, 1);
    in->rel->arbiters[0] = index;
    in->rel->arbiter_count = 1;
    return ST_OK;
}

static ScopeItem *item_over(Insert *in, const char *name, RelColumn *columns)
{
    Rel shape = {.columns = columns, .column_count = in->table->columns.count};
    ScopeItem *item = scope_item_new(in->binder, name, &shape);
    item->rel = NULL;
    item->relation_oid = in->table->base.id;
    item->access = in->access;
    return item;
}

/* SET and WHERE see the row in the way under the table's name, and the new one as `excluded`. */
static Status bind_do_update(Insert *in)
{
    Binder *binder = in->binder;
    RelInsert *rel = in->rel;
    rel->existing = bind_table_columns(binder, in->table);
    rel->set = ARENA_ARRAY(binder->arena, Expr *, in->table->columns.count);
    Scope *outer = binder->scope, *scope = scope_push(binder);
    const char *name = in->ast->alias ? in->ast->alias : in->table->base.name;
    ScopeItem *excluded = item_over(in, "excluded", rel->target.row);
    excluded->columns_visible = false;
    TRY(scope_add(binder, scope, item_over(in, name, rel->existing)));
    TRY(scope_add(binder, scope, excluded));
    TRY(bind_assignments(binder, &in->ast->set, in->table, NULL, rel->set));
    bind_access_updated(binder, in->access, rel->set);
    binder->clause = CLAUSE_WHERE;
    if (in->ast->set_where) TRY(bind_condition(binder, in->ast->set_where, "WHERE", &rel->where));
    binder->scope = outer;
    return ST_OK;
}

/* UPSERT overwrites the columns that were given, or all of them where no list was. */
static void bind_upsert(Insert *in)
{
    RelInsert *rel = in->rel;
    rel->conflict = CONFLICT_UPSERT;
    rel->existing = bind_table_columns(in->binder, in->table);
    rel->set = ARENA_ARRAY(in->binder->arena, Expr *, in->table->columns.count);
    for (int i = 0; i < in->table->columns.count; i++) {
        const ColumnDesc *column = &in->table->columns.items[i];
        bool given = in->ast->has_columns ? in_list(&in->ordinals, i) : !column->hidden;
        if (given && column->computed == COMPUTED_NONE)
            rel->set[i] = rel_column_expr(in->binder->arena, &rel->target.row[i]);
    }
    bind_access_updated(in->binder, in->access, rel->set);
}

static Status bind_conflict(Insert *in)
{
    const AstInsert *ast = in->ast;
    if (ast->upsert) bind_upsert(in);
    if (ast->on_conflict == AST_ON_CONFLICT_NONE) return ST_OK;
    if (ast->conflict_target.count) TRY(infer_arbiters(in));
    if (ast->conflict_constraint) TRY(named_arbiter(in));
    if (ast->on_conflict == AST_ON_CONFLICT_NOTHING && !in->rel->arbiter_count) TRY(check_arbiters(in));
    if (ast->on_conflict == AST_ON_CONFLICT_NOTHING) {
        in->rel->conflict = CONFLICT_NOTHING;
        return ST_OK;
    }
    in->rel->conflict = CONFLICT_UPDATE;
    if (in->rel->arbiter_count) return bind_do_update(in);
    (void)err_set(in->binder->err, in->binder->arena, ERR_SYNTAX_ERROR,
                  "ON CONFLICT DO UPDATE requires inference specification or constraint name");
    err_hint(in->binder->err, in->binder->arena, "For example, ON CONFLICT (column_name).");
    return err_at(in->binder->err, ast->conflict_position);
}

/* ---- the statement ---- */

static Status bind_insert_in_scope(Insert *in, Rel **out)
{
    Binder *binder = in->binder;
    Rel *input;
    TRY(target_columns(in));
    TRY(bind_input(in, &input));
    for (int i = 0; i < in->ordinals.count; i++)
        bind_access_column(binder, in->access, ACL_INSERT, in->table->columns.items[in->ordinals.items[i]].id);
    RelInsert *rel = in->rel = rel_new_over(binder->arena, REL_INSERT, sizeof *rel, input);
    rel->overriding_system = in->ast->overriding == AST_OVERRIDING_SYSTEM;
    TRY(bind_write_target(binder, in->table, &rel->target));
    TRY(bind_conflict(in));
    bool may_update = rel->conflict == CONFLICT_UPDATE || rel->conflict == CONFLICT_UPSERT;
    bind_referrers(binder, &rel->target, may_update ? REFERRERS_OF_UPDATED : REFERRERS_STAY, rel->set);
    Scope *outer = binder->scope, *scope = scope_push(binder);
    const char *name = in->ast->alias ? in->ast->alias : in->table->base.name;
    TRY(scope_add(binder, scope, item_over(in, name, rel->target.row)));
    TRY(bind_returning(binder, in->ast->has_returning, &in->ast->returning, &rel->base, &rel->returning));
    binder->scope = outer;
    *out = &rel->base;
    return ST_OK;
}

Status bind_insert(Binder *binder, const AstInsert *ast, Rel **out)
{
    Insert in = {.binder = binder, .ast = ast};
    Scope *outer = binder->scope, *with_scope = NULL;
    BindClause clause = binder->clause;
    TRY(bind_change_table(binder, &ast->table, "insert into", &in.table, &in.access));
    in.access->wanted |= ACL_INSERT;
    in.defaults = ARENA_ARRAY(binder->arena, Expr *, in.table->columns.count);
    if (ast->with) {
        TRY(bind_with(binder, ast->with));
        with_scope = binder->scope;
    }
    TRY(bind_insert_in_scope(&in, out));
    if (with_scope) *out = bind_with_finish(binder, with_scope, *out);
    binder->scope = outer;
    binder->clause = clause;
    return ST_OK;
}
