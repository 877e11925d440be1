/* bind_join.c - JOIN: conditions, USING and NATURAL, and which names are seen behind it. */
#include "planner/bind/bind_query.h"

/* The part of a scope that one side of a join added. */
typedef struct Side {
    int first, end;
    Rel *rel;
} Side;

/* ---- columns by name on one side ---- */

static Status find_on_side(Binder *binder, const Side *side, const char *name, const char *which, RelColumn *out)
{
    bool found = false;
    for (int i = side->first; i < side->end; i++) {
        const ScopeItem *item = binder->scope->items.items[i];
        for (int c = 0; item->columns_visible && c < item->column_count; c++) {
            if (strcmp(item->columns[c].name, name) != 0) continue;
            if (found)
                return err_set(binder->err, binder->arena, ERR_AMBIGUOUS_COLUMN,
                               "common column name \"%s\" appears more than once in %s table", name, which);
            *out = item->columns[c];
            found = true;
        }
    }
    if (found) return ST_OK;
    return err_set(binder->err, binder->arena, ERR_UNDEFINED_COLUMN,
                   "column \"%s\" specified in USING clause does not exist in %s table", name, which);
}

static void visible_columns(Binder *binder, const Side *side, RelColumnVec *columns)
{
    *columns = (RelColumnVec){0};
    for (int i = side->first; i < side->end; i++) {
        const ScopeItem *item = binder->scope->items.items[i];
        for (int c = 0; item->columns_visible && c < item->column_count; c++)
            VEC_PUSH(binder->arena, *columns, item->columns[c]);
    }
}

static bool has_name(const RelColumnVec *columns, const char *name)
{
    for (int i = 0; i < columns->count; i++)
        if (!columns->items[i].hidden && strcmp(columns->items[i].name, name) == 0) return true;
    return false;
}

/* The names that both sides have, in the left's order. */
static void natural_names(Binder *binder, const RelColumnVec *left, const RelColumnVec *right, StrVec *names)
{
    for (int i = 0; i < left->count; i++)
        if (!left->items[i].hidden && has_name(right, left->items[i].name))
            VEC_PUSH(binder->arena, *names, left->items[i].name);
}

/* ---- USING ---- */

typedef struct Using {
    StrVec names;
    RelColumnVec left, right; /* the pairs */
    RelColumnVec merged;
    VEC(Expr *) merged_exprs; /* FULL: coalesce of the pair */
} Using;

static Status bind_pairs(Binder *binder, const Side *left, const Side *right, Using *using_, Expr **condition)
{
    for (int i = 0; i < using_->names.count; i++) {
        RelColumn l, r;
        Expr *equal;
        TRY(find_on_side(binder, left, using_->names.items[i], "left", &l));
        TRY(find_on_side(binder, right, using_->names.items[i], "right", &r));
        TRY(bind_compare(binder, COMPARE_EQ, rel_column_expr(binder->arena, &l), rel_column_expr(binder->arena, &r), 0,
                         &equal));
        *condition = expr_and2(binder->arena, *condition, equal);
        bind_note_read(binder, NULL, &l);
        bind_note_read(binder, NULL, &r);
        VEC_PUSH(binder->arena, using_->left, l);
        VEC_PUSH(binder->arena, using_->right, r);
    }
    return ST_OK;
}

/* The merged column is the side's that always has a row; of a FULL join the first that is not NULL. */
static Status merge_pairs(Binder *binder, AstJoinKind kind, Using *using_)
{
    for (int i = 0; i < using_->names.count; i++) {
        RelColumn left = using_->left.items[i], right = using_->right.items[i];
        Expr **sides = ARENA_ARRAY(binder->arena, Expr *, 2);
        sides[0] = rel_column_expr(binder->arena, &left);
        sides[1] = rel_column_expr(binder->arena, &right);
        RelColumn merged = kind == AST_JOIN_RIGHT ? right : left;
        Expr *e = NULL;
        if (kind == AST_JOIN_FULL) {
            TypeRef type;
            TRY(bind_to_common_type(binder, sides, 2, "JOIN/USING", &type));
            e = expr_new(binder->arena, EXPR_COALESCE, type, sides, 2);
            merged = (RelColumn){.id = binder_new_column(binder), .name = using_->names.items[i], .type = type};
        }
        merged.name = using_->names.items[i];
        VEC_PUSH(binder->arena, using_->merged, merged);
        VEC_PUSH(binder->arena, using_->merged_exprs, e);
    }
    return ST_OK;
}

/* A FULL join's merged columns are computed above it. */
static Rel *project_merged(Binder *binder, const Using *using_, Rel *join)
{
    int added = using_->merged.count, count = join->column_count + added;
    RelProject *project = rel_new_over(binder->arena, REL_PROJECT, sizeof *project, join);
    project->exprs = ARENA_ARRAY(binder->arena, Expr *, count);
    project->base.columns = ARENA_ARRAY(binder->arena, RelColumn, count);
    project->base.column_count = count;
    for (int i = 0; i < join->column_count; i++) {
        project->base.columns[i] = join->columns[i];
        project->exprs[i] = rel_column_expr(binder->arena, &join->columns[i]);
    }
    for (int i = 0; i < added; i++) {
        project->base.columns[join->column_count + i] = using_->merged.items[i];
        project->exprs[join->column_count + i] = using_->merged_exprs.items[i];
    }
    return &project->base;
}

static bool is_pair_column(const RelColumnVec *pairs, ColId id)
{
    for (int i = 0; i < pairs->count; i++)
        if (pairs->items[i].id == id) return true;
    return false;
}

static void add_rest(Binder *binder, const RelColumnVec *side, const RelColumnVec *pairs, RelColumnVec *out)
{
    for (int i = 0; i < side->count; i++)
        if (!is_pair_column(pairs, side->items[i].id)) VEC_PUSH(binder->arena, *out, side->items[i]);
}

/* ---- names behind the join ---- */

static void hide_items(Binder *binder, int first, int end, bool names_too)
{
    for (int i = first; i < end; i++) {
        binder->scope->items.items[i]->columns_visible = false;
        if (names_too) binder->scope->items.items[i]->name_visible = false;
    }
}

/* One item for all columns of the join: merged ones first, then the left's and the right's. */
static Status add_join_item(Binder *binder, const AstFromJoin *ast, const Side *left, const Side *right,
                            const Using *using_, Rel *rel)
{
    RelColumnVec all = {0}, left_columns, right_columns;
    visible_columns(binder, left, &left_columns);
    visible_columns(binder, right, &right_columns);
    for (int i = 0; i < using_->merged.count; i++) VEC_PUSH(binder->arena, all, using_->merged.items[i]);
    add_rest(binder, &left_columns, &using_->left, &all);
    add_rest(binder, &right_columns, &using_->right, &all);
    hide_items(binder, left->first, right->end, ast->base.alias.name != NULL);
    ScopeItem *item = scope_item_new(binder, NULL, rel);
    item->columns = all.items;
    item->column_count = all.count;
    TRY(bind_alias(binder, item, &ast->base.alias));
    TRY(scope_add(binder, binder->scope, item));
    if (!ast->using_alias) return ST_OK;
    ScopeItem *merged = scope_item_new(binder, ast->using_alias, rel);
    merged->columns = using_->merged.items;
    merged->column_count = using_->merged.count;
    merged->columns_visible = false;
    return scope_add(binder, binder->scope, merged);
}

/* ---- the join ---- */

static JoinKind join_kind(AstJoinKind kind)
{
    switch (kind) {
    case AST_JOIN_INNER:
    case AST_JOIN_CROSS:
        return JOIN_INNER;
    case AST_JOIN_LEFT:
        return JOIN_LEFT;
    case AST_JOIN_RIGHT:
        return JOIN_RIGHT;
    case AST_JOIN_FULL:
        return JOIN_FULL;
    }
    return JOIN_INNER;
}

/* ON sees the two sides and what encloses the query, not the items that stand before the join in FROM. */
static Status bind_on(Binder *binder, const AstExpr *on, const Side *left, const Side *right, Expr **condition)
{
    Scope *scope = binder->scope, sides = *scope;
    BindClause clause = binder->clause;
    sides.items.items = scope->items.items + left->first;
    sides.items.count = sides.items.capacity = right->end - left->first;
    binder->scope = &sides;
    binder->clause = CLAUSE_ON;
    Status status = bind_condition(binder, on, "JOIN/ON", condition);
    binder->scope = scope;
    binder->clause = clause;
    return status;
}

static Status bind_sides(Binder *binder, const AstFromJoin *ast, Side *left, Side *right)
{
    Scope *scope = binder->scope;
    left->first = scope->items.count;
    TRY(bind_from_item(binder, ast->left, &left->rel));
    left->end = right->first = scope->items.count;
    bool reachable = ast->join != AST_JOIN_RIGHT && ast->join != AST_JOIN_FULL;
    for (int i = left->first; i < left->end; i++) {
        scope->items.items[i]->lateral_only = true;
        scope->items.items[i]->lateral_ok = reachable;
    }
    TRY(bind_from_item(binder, ast->right, &right->rel));
    right->end = scope->items.count;
    for (int i = left->first; i < left->end; i++) {
        scope->items.items[i]->lateral_only = false;
        scope->items.items[i]->lateral_ok = true;
    }
    return ST_OK;
}

Status bind_join(Binder *binder, const AstFromJoin *ast, Rel **out)
{
    Side left = {0}, right = {0};
    Using using_ = {.names = ast->using_columns};
    Expr *condition = NULL;
    TRY(bind_sides(binder, ast, &left, &right));
    if (ast->natural) {
        RelColumnVec left_columns, right_columns;
        visible_columns(binder, &left, &left_columns);
        visible_columns(binder, &right, &right_columns);
        natural_names(binder, &left_columns, &right_columns, &using_.names);
    }
    TRY(bind_pairs(binder, &left, &right, &using_, &condition));
    TRY(merge_pairs(binder, ast->join, &using_));
    if (ast->on) TRY(bind_on(binder, ast->on, &left, &right, &condition));
    RelJoin *join = (RelJoin *)bind_cross_join(binder, left.rel, right.rel);
    join->join = join_kind(ast->join);
    join->condition = condition;
    *out = &join->base;
    if (ast->join == AST_JOIN_FULL && using_.merged.count) *out = project_merged(binder, &using_, *out);
    if (using_.names.count == 0 && !ast->base.alias.name) return ST_OK;
    return add_join_item(binder, ast, &left, &right, &using_, *out);
}
