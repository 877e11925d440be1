/* bind_setop.c - UNION, INTERSECT, EXCEPT and VALUES. */
#include "planner/bind/bind_query.h"

static const char *set_op_word(AstSetOp op)
{
    return op == AST_SET_OP_UNION ? "UNION" : op == AST_SET_OP_INTERSECT ? "INTERSECT" : "EXCEPT";
}

/* ---- fitting the columns of a query ---- */

static Status fit(Binder *binder, Expr *e, TypeRef type, const char *name, Expr **out)
{
    if (name) return bind_coerce_assignment(binder, e, type, name, out);
    return bind_coerce(binder, e, (TypeRef){type.oid, -1}, CAST_IMPLICIT, e->position, out);
}

static bool fits_already(const Rel *rel, const TypeRef *types, bool assignment)
{
    for (int i = 0; i < rel->column_count; i++) {
        TypeRef have = rel->columns[i].type;
        if (have.oid != types[i].oid) return false;
        if (assignment && types[i].typmod >= 0 && have.typmod != types[i].typmod) return false;
    }
    return true;
}

/* The rows of VALUES, and the projection of a plain SELECT, are changed in place: literals get their value at once. */
static Status fit_values(Binder *binder, RelValues *values, const TypeRef *types, const char *const *names)
{
    for (int r = 0; r < values->row_count; r++)
        for (int c = 0; c < values->base.column_count; c++) {
            Expr **cell = &values->rows[r][c];
            if ((*cell)->kind == EXPR_DEFAULT) continue;
            TRY(fit(binder, *cell, types[c], names ? names[c] : NULL, cell));
        }
    return ST_OK;
}

static Status fit_project(Binder *binder, RelProject *project, const TypeRef *types, const char *const *names)
{
    Rel *rel = &project->base;
    for (int i = 0; i < rel->column_count; i++) {
        Expr *before = project->exprs[i];
        TRY(fit(binder, before, types[i], names ? names[i] : NULL, &project->exprs[i]));
        if (project->exprs[i] == before) continue;
        /* Another value than the column it was: another id. */
        if (before->kind == EXPR_COLUMN && rel->columns[i].id == ((ExprColumn *)before)->column)
            rel->columns[i].id = binder_new_column(binder);
        rel->columns[i].type = project->exprs[i]->type;
    }
    return ST_OK;
}

Status bind_fit_columns(Binder *binder, Rel **rel, const TypeRef *types, const char *const *names)
{
    Rel *query = *rel;
    if (fits_already(query, types, names != NULL)) return ST_OK;
    if (query->kind == REL_PROJECT) return fit_project(binder, (RelProject *)query, types, names);
    if (query->kind == REL_VALUES) {
        TRY(fit_values(binder, (RelValues *)query, types, names));
        for (int i = 0; i < query->column_count; i++) query->columns[i].type = types[i];
        return ST_OK;
    }
    RelProject *project = rel_new_over(binder->arena, REL_PROJECT, sizeof *project, query);
    int count = query->column_count;
    project->exprs = ARENA_ARRAY(binder->arena, Expr *, count);
    project->base.columns = arena_copy(binder->arena, query->columns, sizeof(RelColumn) * (size_t)count);
    for (int i = 0; i < count; i++) project->exprs[i] = rel_column_expr(binder->arena, &query->columns[i]);
    *rel = &project->base;
    return fit_project(binder, project, types, names);
}

/* ---- set operations ---- */

static Status common_types(Binder *binder, const AstSelect *select, const Rel *left, const Rel *right, TypeRef *types)
{
    const AstSelect *first = select->right;
    while (first->op != AST_SET_OP_NONE) first = first->left;
    if (left->column_count != right->column_count) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR,
                      "each %s query must have the same number of columns", set_op_word(select->op));
        return err_at(binder->err, first->targets.count ? first->targets.items[0].position : first->base.position);
    }
    for (int i = 0; i < left->column_count; i++) {
        TypeRef pair[2] = {left->columns[i].type, right->columns[i].type};
        bool listed = first->targets.count == right->column_count;
        int position = listed ? first->targets.items[i].expr->position : 0;
        int positions[2] = {position, position};
        TRY(bind_common_type_of(binder, pair, positions, 2, set_op_word(select->op), &types[i]));
        const TypeDef *type = type_find(types[i].oid);
        if (select->all || (type && type->hash)) continue;
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_FUNCTION,
                      "could not identify an equality operator for type %s", type_words(types[i], binder->arena));
        return err_at(binder->err, position);
    }
    return ST_OK;
}

Status bind_set_op(Binder *binder, const AstSelect *select, Rel **out)
{
    static const SetOpKind kinds[] = {[AST_SET_OP_UNION] = SET_OP_UNION,
                                      [AST_SET_OP_INTERSECT] = SET_OP_INTERSECT,
                                      [AST_SET_OP_EXCEPT] = SET_OP_EXCEPT};
    Rel *left, *right;
    TRY(bind_select_unsettled(binder, select->left, &left));
    TRY(bind_select_unsettled(binder, select->right, &right));
    TypeRef *types = ARENA_ARRAY(binder->arena, TypeRef, left->column_count);
    TRY(common_types(binder, select, left, right, types));
    TRY(bind_fit_columns(binder, &left, types, NULL));
    TRY(bind_fit_columns(binder, &right, types, NULL));
    RelSetOp *node = rel_new(binder->arena, REL_SET_OP, sizeof *node);
    node->op = kinds[select->op];
    node->all = select->all;
    node->base.inputs = ARENA_ARRAY(binder->arena, Rel *, 2);
    node->base.inputs[0] = left;
    node->base.inputs[1] = right;
    node->base.input_count = 2;
    node->base.column_count = left->column_count;
    node->base.columns = ARENA_ARRAY(binder->arena, RelColumn, left->column_count);
    for (int i = 0; i < left->column_count; i++)
        node->base.columns[i] =
            (RelColumn){.id = binder_new_column(binder), .name = left->columns[i].name, .type = types[i]};
    *out = &node->base;
    return bind_output_tail(binder, select, false, out);
}

/* ---- VALUES ---- */

static Status bind_row_of(Binder *binder, const AstExprVec *ast, int width, Expr ***out)
{
    if (ast->count != width) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "VALUES lists must all be the same length");
        return err_at(binder->err, ast->count ? ast->items[0]->position : 0);
    }
    *out = ARENA_ARRAY(binder->arena, Expr *, width);
    for (int i = 0; i < width; i++) {
        TRY(bind_expr(binder, ast->items[i], &(*out)[i]));
        if (!(*out)[i]->position) (*out)[i]->position = ast->items[i]->position;
    }
    return ST_OK;
}

/* Each column in the type that all its rows have in common. */
static Status settle_values(Binder *binder, RelValues *values)
{
    Expr **column = ARENA_ARRAY(binder->arena, Expr *, values->row_count);
    for (int c = 0; c < values->base.column_count; c++) {
        for (int r = 0; r < values->row_count; r++) column[r] = values->rows[r][c];
        TRY(bind_to_common_type(binder, column, values->row_count, "VALUES", &values->base.columns[c].type));
        for (int r = 0; r < values->row_count; r++) values->rows[r][c] = column[r];
    }
    return ST_OK;
}

Status bind_values(Binder *binder, const AstSelect *select, Rel **out)
{
    RelValues *values = rel_new(binder->arena, REL_VALUES, sizeof *values);
    int width = select->values.items[0].count;
    values->row_count = select->values.count;
    values->rows = ARENA_ARRAY(binder->arena, Expr **, values->row_count);
    values->base.columns = ARENA_ARRAY(binder->arena, RelColumn, width);
    values->base.column_count = width;
    for (int i = 0; i < width; i++)
        values->base.columns[i] = (RelColumn){.id = binder_new_column(binder),
                                              .name = arena_printf(binder->arena, "column%d", i + 1),
                                              .type = {OID_UNKNOWN, -1}};
    BindClause clause = binder->clause;
    if (clause != CLAUSE_INSERT) binder->clause = CLAUSE_VALUES;
    for (int r = 0; r < values->row_count; r++)
        TRY(bind_row_of(binder, &select->values.items[r], width, &values->rows[r]));
    *out = &values->base;
    if (clause == CLAUSE_INSERT) return ST_OK; /* fitted to the table's columns, DEFAULT and all */
    TRY(settle_values(binder, values));
    return bind_output_tail(binder, select, true, out);
}
