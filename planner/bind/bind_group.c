/* bind_group.c - GROUP BY and aggregates: the RelAggregate, and what stands above it in terms of its columns.
 *
 * Above the grouping an expression may use group keys, aggregates and columns of enclosing queries. A key that is a
 * plain column keeps its ColId, so nothing needs to be rewritten for it; another key's expression is replaced by its
 * column.
 */
#include "planner/bind/bind_query.h"

typedef VEC(uint64_t) MaskVec;

typedef struct Grouping {
    Binder *binder;
    const AstSelect *select;
    TargetVec *targets;
    ExprVec keys;
    VEC(ColId) key_ids;
    MaskVec sets;  /* one mask per grouping set */
    bool has_sets; /* ROLLUP, CUBE, GROUPING SETS or () was written */
    Status status; /* of the rewriting walk */
} Grouping;

enum { KEYS_MAX = 64 };

/* ---- keys ---- */

/* A key may name an output column whose expression cannot stand in GROUP BY: what the select list computes above the
 * grouping is already a column of its own there. */
static Status check_key(const Grouping *g, const Expr *key, int position)
{
    const Block *block = g->binder->scope->block;
    ColSet used = {0};
    expr_columns(key, &used, g->binder->arena);
    for (int i = 0; i < block->aggregates.count; i++)
        if (colset_has(&used, block->aggregates.items[i].id)) return bind_check_part(g->binder, PART_AGGREGATE, position);
    for (int i = 0; i < block->windows.count; i++)
        if (colset_has(&used, block->windows.items[i].id)) return bind_check_part(g->binder, PART_WINDOW, position);
    return ST_OK;
}

static Status add_key(Grouping *g, const AstExpr *ast, uint64_t *mask)
{
    Expr *key;
    int target;
    TRY(bind_output_reference(g->binder, ast, g->targets, OUTPUT_GROUP_BY, &target, &key));
    TRY(bind_resolve_unknown(g->binder, key, &key));
    TRY(check_key(g, key, key->position > 0 ? key->position : ast->position));
    if (target >= 0) g->targets->items[target].expr = key;
    for (int i = 0; i < g->keys.count; i++) {
        if (!expr_equal(g->keys.items[i], key)) continue;
        if (target >= 0) g->targets->items[target].expr = g->keys.items[i];
        *mask = UINT64_C(1) << i;
        return ST_OK;
    }
    if (g->keys.count == KEYS_MAX) return err_unsupported(g->binder->err, g->binder->arena, "more than 64 group keys");
    const TypeDef *type = type_find(key->type.oid);
    if (!type || !type->hash) {
        (void)err_set(g->binder->err, g->binder->arena, ERR_UNDEFINED_FUNCTION,
                      "could not identify an equality operator for type %s", type_words(key->type, g->binder->arena));
        return err_at(g->binder->err, ast->position);
    }
    *mask = UINT64_C(1) << g->keys.count;
    VEC_PUSH(g->binder->arena, g->keys, key);
    return ST_OK;
}

/* ---- grouping sets ---- */

static Status sets_of(Grouping *g, const AstExpr *ast, MaskVec *sets);

/* The columns of one item of ROLLUP or CUBE: a, or (a, b) taken together. */
static Status mask_of(Grouping *g, const AstExpr *ast, uint64_t *mask)
{
    *mask = 0;
    if (ast->kind != AST_ROW) return add_key(g, ast, mask);
    const AstRow *row = (const AstRow *)ast;
    for (int i = 0; i < row->items.count; i++) {
        uint64_t one;
        TRY(add_key(g, row->items.items[i], &one));
        *mask |= one;
    }
    return ST_OK;
}

static Status rollup_sets(Grouping *g, const AstGroupingSet *set, MaskVec *sets)
{
    uint64_t masks[KEYS_MAX + 1] = {0}, all = 0;
    int n = set->items.count;
    if (n > KEYS_MAX) return err_unsupported(g->binder->err, g->binder->arena, "more than 64 group keys");
    for (int i = 0; i < n; i++) {
        TRY(mask_of(g, set->items.items[i], &masks[i]));
        all |= masks[i];
    }
    for (int left = n; left >= 0; left--) {
        uint64_t mask = 0;
        for (int i = 0; i < left; i++) mask |= masks[i];
        VEC_PUSH(g->binder->arena, *sets, mask);
    }
    return ST_OK;
}

static Status cube_sets(Grouping *g, const AstGroupingSet *set, MaskVec *sets)
{
    uint64_t masks[12];
    int n = set->items.count;
    if (n > 12)
        return err_set(g->binder->err, g->binder->arena, ERR_TOO_MANY_COLUMNS, "CUBE is limited to 12 elements");
    for (int i = 0; i < n; i++) TRY(mask_of(g, set->items.items[i], &masks[i]));
    for (int pick = (1 << n) - 1; pick >= 0; pick--) {
        uint64_t mask = 0;
        for (int i = 0; i < n; i++)
            if (pick >> (n - 1 - i) & 1) mask |= masks[i];
        VEC_PUSH(g->binder->arena, *sets, mask);
    }
    return ST_OK;
}

static Status grouping_set(Grouping *g, const AstGroupingSet *set, MaskVec *sets)
{
    g->has_sets = true;
    switch (set->grouping) {
    case AST_GROUPING_EMPTY:
        VEC_PUSH(g->binder->arena, *sets, 0);
        return ST_OK;
    case AST_GROUPING_ROLLUP:
        return rollup_sets(g, set, sets);
    case AST_GROUPING_CUBE:
        return cube_sets(g, set, sets);
    case AST_GROUPING_SETS:
        for (int i = 0; i < set->items.count; i++) TRY(sets_of(g, set->items.items[i], sets));
        return ST_OK;
    }
    return ST_OK;
}

static Status sets_of(Grouping *g, const AstExpr *ast, MaskVec *sets)
{
    if (ast->kind == AST_GROUPING_SET) return grouping_set(g, (const AstGroupingSet *)ast, sets);
    uint64_t mask;
    TRY(mask_of(g, ast, &mask));
    VEC_PUSH(g->binder->arena, *sets, mask);
    return ST_OK;
}

/* Items of GROUP BY are combined: each set of the one with each of the other. */
static Status bind_group_by(Grouping *g)
{
    Arena *arena = g->binder->arena;
    VEC_PUSH(arena, g->sets, 0);
    for (int i = 0; i < g->select->group_by.count; i++) {
        MaskVec own = {0}, crossed = {0};
        TRY(sets_of(g, g->select->group_by.items[i], &own));
        for (int a = 0; a < g->sets.count; a++)
            for (int b = 0; b < own.count; b++) {
                uint64_t mask = g->sets.items[a] | own.items[b];
                bool known = false;
                for (int c = 0; g->select->group_distinct && c < crossed.count; c++) known |= crossed.items[c] == mask;
                if (!known) VEC_PUSH(arena, crossed, mask);
            }
        if (crossed.count > 4096)
            return err_set(g->binder->err, arena, ERR_STATEMENT_TOO_COMPLEX,
                           "too many grouping sets present (maximum 4096)");
        g->sets = crossed;
    }
    return ST_OK;
}

/* ---- the columns of grouped tables ---- */

static bool is_key_column(const Grouping *g, ColId id)
{
    for (int i = 0; i < g->keys.count; i++)
        if (g->keys.items[i]->kind == EXPR_COLUMN && ((ExprColumn *)g->keys.items[i])->column == id) return true;
    return false;
}

/* All of a primary key's columns among the keys: the table's other columns follow from them. */
static bool determines(const Grouping *g, const ScopeItem *item)
{
    if (!item->table || g->has_sets) return false;
    const TableDesc *table = item->table->table;
    const IndexDesc *primary = table_primary(table);
    int declared = 0;
    for (int i = 0; i < primary->columns.count; i++) {
        const IndexColumn *key = &primary->columns.items[i];
        if (key->implicit) continue;
        int ordinal = table_column_by_id(table, key->column_id);
        if (ordinal < 0 || !is_key_column(g, item->table->base.columns[ordinal].id)) return false;
        declared++;
    }
    return declared > 0;
}

static void add_key_column(Grouping *g, Expr *column)
{
    VEC_PUSH(g->binder->arena, g->keys, column);
    VEC_PUSH(g->binder->arena, g->key_ids, ((ExprColumn *)column)->column);
}

static const char *column_words(const Grouping *g, const ScopeItem *item, ColId id)
{
    const char *name = "?column?";
    for (int i = 0; i < item->column_count; i++)
        if (item->columns[i].id == id) name = item->columns[i].name;
    return item->name ? arena_printf(g->binder->arena, "%s.%s", item->name, name) : name;
}

/* A column of FROM above the grouping: allowed as a key only. */
static Status check_column(Grouping *g, ColId id, int position, bool in_subquery)
{
    const ScopeItem *item = scope_owner(g->binder->scope, id);
    if (!item || is_key_column(g, id)) return ST_OK;
    if (determines(g, item)) {
        for (int i = 0; i < item->column_count; i++)
            if (item->columns[i].id == id) add_key_column(g, rel_column_expr(g->binder->arena, &item->columns[i]));
        return ST_OK;
    }
    if (in_subquery)
        (void)err_set(g->binder->err, g->binder->arena, ERR_GROUPING_ERROR,
                      "subquery uses ungrouped column \"%s\" from outer query", column_words(g, item, id));
    else
        (void)err_set(g->binder->err, g->binder->arena, ERR_GROUPING_ERROR,
                      "column \"%s\" must appear in the GROUP BY clause or be used in an aggregate function",
                      column_words(g, item, id));
    return err_at(g->binder->err, position);
}

/* The set-returning calls of the keys, and those in their arguments, make their rows below the grouping. */
static void lower_set_calls(Grouping *g, Rel **rel)
{
    Block *block = g->binder->scope->block;
    ColSet used = {0};
    for (int i = 0; i < g->keys.count; i++) expr_columns(g->keys.items[i], &used, g->binder->arena);
    for (int i = block->set_calls.count - 1; i >= 0; i--) {
        BlockSetCall *call = &block->set_calls.items[i];
        call->below = colset_has(&used, call->id);
        if (call->below) expr_columns(call->call, &used, g->binder->arena);
    }
    bind_set_calls(g->binder, rel, true);
}

/* ---- what stands above ---- */

static Expr *above_grouping(Arena *arena, Expr *e, void *argument)
{
    Grouping *g = argument;
    if (g->status != ST_OK) return e;
    for (int i = 0; i < g->key_ids.count; i++) {
        /* A constant stands for a key only in the very output column that the key names. */
        if (e->kind == EXPR_CONST ? g->keys.items[i] != e : !expr_equal(g->keys.items[i], e)) continue;
        if (e->kind == EXPR_COLUMN && ((ExprColumn *)e)->column == g->key_ids.items[i]) return e;
        const char *name = e->kind == EXPR_COLUMN ? ((ExprColumn *)e)->name : expr_text(e, arena);
        Expr *column = expr_column(arena, g->key_ids.items[i], e->type, name);
        column->position = e->position;
        return column;
    }
    if (e->kind == EXPR_COLUMN) {
        g->status = check_column(g, ((ExprColumn *)e)->column, e->position, false);
        return e;
    }
    if (e->kind == EXPR_SUBQUERY) {
        const ExprSubquery *sub = (const ExprSubquery *)e;
        for (int i = 0; i < sub->outer_count && g->status == ST_OK; i++)
            g->status = check_column(g, sub->outer[i], e->position, true);
    }
    return NULL;
}

static Status rewrite(Grouping *g, Expr **e)
{
    if (!*e) return ST_OK;
    *e = expr_replace(g->binder->arena, *e, above_grouping, g);
    return g->status;
}

static Status rewrite_all(Grouping *g, AboveGrouping *above)
{
    Block *block = g->binder->scope->block;
    for (int i = 0; i < g->targets->count; i++) TRY(rewrite(g, &g->targets->items[i].expr));
    TRY(rewrite(g, &above->having));
    for (int i = 0; i < above->key_count; i++) TRY(rewrite(g, &above->keys[i].expr));
    for (int i = 0; i < block->windows.count; i++) {
        Expr *call = &block->windows.items[i].call->base;
        TRY(rewrite(g, &call));
        block->windows.items[i].call = (ExprWindow *)call;
    }
    for (int i = 0; i < block->set_calls.count; i++)
        if (!block->set_calls.items[i].below) TRY(rewrite(g, &block->set_calls.items[i].call));
    return ST_OK;
}

/* ---- the node ---- */

static void give_key_ids(Grouping *g)
{
    for (int i = 0; i < g->keys.count; i++) {
        const Expr *key = g->keys.items[i];
        /* In a grouping set a key may be NULL where its column is not: it is another column then. */
        bool same = key->kind == EXPR_COLUMN && !g->has_sets &&
                    scope_owner(g->binder->scope, ((const ExprColumn *)key)->column);
        VEC_PUSH(g->binder->arena, g->key_ids, same ? ((const ExprColumn *)key)->column : binder_new_column(g->binder));
    }
}

/* GROUPING(a, b): for each argument the position of its key, as a constant. */
static Status grouping_call(Grouping *g, const BlockGrouping *call, Expr **out)
{
    Expr **args = ARENA_ARRAY(g->binder->arena, Expr *, call->arg_count);
    for (int i = 0; i < call->arg_count; i++) {
        int key = -1;
        for (int k = 0; k < g->keys.count && key < 0; k++)
            if (expr_equal(g->keys.items[k], call->args[i])) key = k;
        if (key < 0) {
            (void)err_set(g->binder->err, g->binder->arena, ERR_GROUPING_ERROR,
                          "arguments to GROUPING must be grouping expressions of the associated query level");
            return err_at(g->binder->err, call->position);
        }
        args[i] = expr_const(g->binder->arena, (TypeRef){OID_INT4, -1}, value_int(key));
    }
    *out = expr_new(g->binder->arena, EXPR_ROW, (TypeRef){OID_RECORD, -1}, args, call->arg_count);
    return ST_OK;
}

static void add_output(RelAggregate *node, ColId id, const char *name, TypeRef type)
{
    node->base.columns[node->base.column_count++] = (RelColumn){.id = id, .name = name, .type = type};
}

static Status make_node(Grouping *g, Rel **rel)
{
    Binder *binder = g->binder;
    const Block *block = binder->scope->block;
    RelAggregate *node = rel_new_over(binder->arena, REL_AGGREGATE, sizeof *node, *rel);
    int count = g->keys.count + block->aggregates.count + block->groupings.count;
    node->keys = g->keys.items;
    node->key_count = g->keys.count;
    node->aggregates = ARENA_ARRAY(binder->arena, ExprAggregate *, block->aggregates.count);
    node->aggregate_count = block->aggregates.count;
    node->grouping_calls = ARENA_ARRAY(binder->arena, Expr *, block->groupings.count);
    node->grouping_call_count = block->groupings.count;
    node->grouping_sets = g->has_sets ? g->sets.items : NULL;
    node->grouping_set_count = g->has_sets ? g->sets.count : 0;
    node->base.columns = ARENA_ARRAY(binder->arena, RelColumn, count);
    node->base.column_count = 0;
    for (int i = 0; i < g->keys.count; i++) {
        const Expr *key = g->keys.items[i];
        const char *name = key->kind == EXPR_COLUMN ? ((const ExprColumn *)key)->name : expr_text(key, binder->arena);
        add_output(node, g->key_ids.items[i], name, key->type);
    }
    for (int i = 0; i < block->aggregates.count; i++) {
        ExprAggregate *call = block->aggregates.items[i].call;
        node->aggregates[i] = call;
        add_output(node, block->aggregates.items[i].id, call->aggregate->name, call->base.type);
    }
    for (int i = 0; i < block->groupings.count; i++) {
        TRY(grouping_call(g, &block->groupings.items[i], &node->grouping_calls[i]));
        add_output(node, block->groupings.items[i].id, "grouping", (TypeRef){OID_INT4, -1});
    }
    *rel = &node->base;
    return ST_OK;
}

Status bind_grouping_of(Binder *binder, const AstSelect *select, AboveGrouping *above, Rel **rel)
{
    Block *block = binder->scope->block;
    Grouping g = {.binder = binder, .select = select, .targets = above->targets, .status = ST_OK};
    BindClause clause = binder->clause;
    binder->clause = CLAUSE_GROUP_BY;
    Status status = bind_group_by(&g);
    binder->clause = clause;
    TRY(status);
    if (!select->group_by.count && !above->having && !block->aggregates.count && !block->groupings.count) return ST_OK;
    lower_set_calls(&g, rel);
    give_key_ids(&g);
    TRY(rewrite_all(&g, above));
    TRY(make_node(&g, rel));
    *rel = rel_filter(binder->arena, *rel, above->having);
    return ST_OK;
}
