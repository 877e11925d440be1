/* bind_with.c - WITH: common table expressions, recursive ones, and which are inlined.
 *
 * A query that is read once, writes nothing and is not volatile stands where it is read, so that conditions reach its
 * tables; any other is run once and its rows are kept (RelWith, RelCte). Every reference is bound as a projection with
 * columns of its own over a RelCte; inlining puts the query itself below that projection.
 */
#include "planner/bind/bind_query.h"

/* A ScopeCte with what only this file needs: where it is read. */
typedef struct CteEntry {
    ScopeCte base;
    VEC(RelProject *) references;
    bool inlined;
} CteEntry;

/* ---- references ---- */

static Rel *cte_reader(Binder *binder, const ScopeCte *cte)
{
    RelCte *reader = rel_new(binder->arena, cte->working_table ? REL_WORKING_TABLE : REL_CTE, sizeof *reader);
    reader->cte = cte->cte;
    reader->base.column_count = cte->column_count;
    reader->base.columns = ARENA_ARRAY(binder->arena, RelColumn, cte->column_count);
    for (int i = 0; i < cte->column_count; i++) {
        reader->base.columns[i] = cte->columns[i];
        reader->base.columns[i].id = binder_new_column(binder);
    }
    return &reader->base;
}

Status bind_cte_reference(Binder *binder, ScopeCte *cte, int position, Rel **out)
{
    if (!cte->cte) { /* itself, where that is not allowed */
        (void)err_set(binder->err, binder->arena, ERR_INVALID_RECURSION,
                      "recursive query \"%s\" does not have the form non-recursive-term UNION [ALL] recursive-term",
                      cte->name);
        return err_at(binder->err, cte->ast->position);
    }
    if (cte->column_count == 0 && cte->cte->modifies) {
        (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED,
                      "WITH query \"%s\" does not have a RETURNING clause", cte->name);
        return err_at(binder->err, position);
    }
    Rel *reader = cte_reader(binder, cte);
    cte->cte->references++;
    if (cte->working_table) {
        *out = reader;
        return ST_OK;
    }
    RelProject *project = rel_new_over(binder->arena, REL_PROJECT, sizeof *project, reader);
    project->exprs = ARENA_ARRAY(binder->arena, Expr *, reader->column_count);
    for (int i = 0; i < reader->column_count; i++)
        project->exprs[i] = rel_column_expr(binder->arena, &reader->columns[i]);
    VEC_PUSH(binder->arena, ((CteEntry *)cte)->references, project);
    *out = &project->base;
    return ST_OK;
}

/* ---- definitions ---- */

static Status name_columns(Binder *binder, ScopeCte *entry, const AstCte *ast, const Rel *rel)
{
    if (ast->columns.count > rel->column_count) {
        (void)err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                      "WITH query \"%s\" has %d columns available but %d columns specified", ast->name,
                      rel->column_count, ast->columns.count);
        return err_at(binder->err, ast->position);
    }
    entry->column_count = rel->column_count;
    entry->columns = ARENA_ARRAY(binder->arena, RelColumn, rel->column_count);
    for (int i = 0; i < rel->column_count; i++) {
        entry->columns[i] = (RelColumn){.name = rel->columns[i].name, .type = rel->columns[i].type};
        if (i < ast->columns.count) entry->columns[i].name = ast->columns.items[i];
    }
    return ST_OK;
}

static bool is_modifying(const AstStmt *stmt)
{
    return stmt->kind == AST_INSERT || stmt->kind == AST_UPDATE || stmt->kind == AST_DELETE;
}

static Status bind_definition(Binder *binder, const AstStmt *stmt, Rel **out)
{
    Scope *scope = binder->scope;
    BindClause clause = binder->clause;
    Status status = stmt->kind == AST_SELECT ? bind_select(binder, (const AstSelect *)stmt, out)
                    : is_modifying(stmt)     ? bind_query_stmt(binder, stmt, out)
                                             : bind_bracketed(binder, stmt, out);
    binder->scope = scope;
    binder->clause = clause;
    return status;
}

static Cte *new_cte(Binder *binder, const char *name, Rel *rel)
{
    Cte *cte = ARENA_NEW(binder->arena, Cte);
    cte->name = name;
    cte->rel = rel;
    cte->number = binder->next_cte++;
    return cte;
}

static Status bind_plain_cte(Binder *binder, const AstCte *ast, CteEntry *entry)
{
    Rel *rel;
    TRY(bind_definition(binder, ast->stmt, &rel));
    TRY(name_columns(binder, &entry->base, ast, rel));
    entry->base.cte = new_cte(binder, ast->name, rel);
    entry->base.cte->modifies = is_modifying(ast->stmt);
    return ST_OK;
}

/* ---- recursion ---- */

static Status check_recursive_types(Binder *binder, const ScopeCte *entry, const Rel *start, const Rel *step)
{
    if (start->column_count != step->column_count)
        return err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR,
                       "each UNION query must have the same number of columns");
    for (int i = 0; i < start->column_count; i++) {
        TypeRef types[2] = {start->columns[i].type, step->columns[i].type}, all;
        int positions[2] = {0, 0};
        TRY(bind_common_type_of(binder, types, positions, 2, "UNION", &all));
        if (all.oid == types[0].oid || types[1].oid == OID_UNKNOWN) continue;
        (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH,
                      "recursive query \"%s\" column %d has type %s in non-recursive term but type %s overall",
                      entry->name, i + 1, type_words(types[0], binder->arena), type_words(all, binder->arena));
        err_hint(binder->err, binder->arena, "Cast the output of the non-recursive term to the correct type.");
        return ST_ERROR;
    }
    return ST_OK;
}

static Status fit_step(Binder *binder, const Rel *start, Rel **step)
{
    TypeRef *types = ARENA_ARRAY(binder->arena, TypeRef, start->column_count);
    for (int i = 0; i < start->column_count; i++) types[i] = start->columns[i].type;
    return bind_fit_columns(binder, step, types, NULL);
}

/* start UNION [ALL] step, where step may read the working table. *recursive false: it does not, so it is a plain query.
 */
static Status bind_recursive_cte(Binder *binder, const AstCte *ast, CteEntry *entry, bool *recursive)
{
    const AstSelect *select = (const AstSelect *)ast->stmt;
    Rel *start, *step;
    *recursive = false;
    if (ast->stmt->kind != AST_SELECT || select->op != AST_SET_OP_UNION) return ST_OK;
    ColId next_column = binder->next_column;
    TRY(bind_definition(binder, &select->left->base, &start));
    TRY(name_columns(binder, &entry->base, ast, start));
    Cte *cte = entry->base.cte = new_cte(binder, ast->name, start);
    entry->base.working_table = true;
    Scope *scope = binder->scope;
    Status status = bind_select_unsettled(binder, select->right, &step);
    binder->scope = scope;
    entry->base.working_table = false;
    TRY(status);
    if (cte->references == 0) { /* no recursion after all: bound again as a whole */
        binder->next_column = binder->next_column > next_column ? binder->next_column : next_column;
        entry->base.cte = NULL;
        return ST_OK;
    }
    *recursive = true;
    if (select->order_by.count || select->limit || select->offset)
        return err_unsupported(binder->err, binder->arena, "ORDER BY or LIMIT in a recursive query");
    TRY(check_recursive_types(binder, &entry->base, start, step));
    TRY(fit_step(binder, start, &step));
    cte->recursive = step;
    cte->union_all = select->all;
    cte->references = 0;
    return ST_OK;
}

static Status bind_cte(Binder *binder, const AstWith *with, const AstCte *ast)
{
    CteEntry *entry = ARENA_NEW(binder->arena, CteEntry);
    entry->base.name = ast->name;
    entry->base.ast = ast;
    if (ast->search_or_cycle) return err_unsupported(binder->err, binder->arena, "a SEARCH or CYCLE clause");
    for (int i = 0; i < binder->scope->ctes.count; i++) {
        if (strcmp(binder->scope->ctes.items[i]->name, ast->name) != 0) continue;
        (void)err_set(binder->err, binder->arena, ERR_DUPLICATE_ALIAS,
                      "WITH query name \"%s\" specified more than once", ast->name);
        return err_at(binder->err, ast->position);
    }
    bool recursive = false;
    if (with->recursive) {
        VEC_PUSH(binder->arena, binder->scope->ctes, &entry->base); /* sees itself */
        TRY(bind_recursive_cte(binder, ast, entry, &recursive));
    }
    if (!recursive) TRY(bind_plain_cte(binder, ast, entry));
    if (!with->recursive) VEC_PUSH(binder->arena, binder->scope->ctes, &entry->base);
    return ST_OK;
}

Status bind_with(Binder *binder, const AstWith *with)
{
    (void)scope_push(binder);
    for (int i = 0; i < with->ctes.count; i++) TRY(bind_cte(binder, with, &with->ctes.items[i]));
    return ST_OK;
}

/* ---- which are kept ---- */

static bool to_be_inlined(const CteEntry *entry)
{
    const Cte *cte = entry->base.cte;
    AstMaterialized wish = entry->base.ast->materialized;
    if (cte->modifies || cte->recursive || wish == AST_MATERIALIZED_YES) return false;
    if (cte->references == 0) return true; /* never read: not run at all */
    /* Two copies would share their ColIds, so even NOT MATERIALIZED inlines only a single reference. */
    return cte->references == 1 && rel_volatility(cte->rel) != VOLATILITY_VOLATILE;
}

static void inline_reference(Binder *binder, const CteEntry *entry)
{
    for (int r = 0; r < entry->references.count; r++) {
        RelProject *project = entry->references.items[r];
        project->base.inputs[0] = entry->base.cte->rel;
        RelColumn *columns = ARENA_ARRAY(binder->arena, RelColumn, project->base.column_count);
        for (int i = 0; i < project->base.column_count; i++) {
            columns[i] = project->base.columns[i];
            project->exprs[i] = rel_column_expr(binder->arena, &entry->base.cte->rel->columns[i]);
        }
        project->base.columns = columns;
    }
}

Rel *bind_with_finish(Binder *binder, Scope *scope, Rel *body)
{
    VEC(Cte *) kept = {0};
    /* From the last: one that is inlined into another no longer reads what that one read for it. */
    for (int i = scope->ctes.count - 1; i >= 0; i--) {
        CteEntry *entry = (CteEntry *)scope->ctes.items[i];
        entry->inlined = to_be_inlined(entry);
        if (entry->inlined) inline_reference(binder, entry);
    }
    for (int i = 0; i < scope->ctes.count; i++)
        if (!((CteEntry *)scope->ctes.items[i])->inlined) VEC_PUSH(binder->arena, kept, scope->ctes.items[i]->cte);
    if (kept.count == 0) return body;
    RelWith *with = rel_new_over(binder->arena, REL_WITH, sizeof *with, body);
    with->ctes = kept.items;
    with->cte_count = kept.count;
    return &with->base;
}
