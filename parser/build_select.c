/* build_select.c - SELECT, its clauses, FROM. */
#include "parser/build.h"

#include <strings.h>

/* ---- the core ---- */

/* WHERE to WINDOW are collected in the AstSelect that becomes the statement. */
AstSelect *build_query_tail(Parser *p, AstExpr *where, AstSelect *group_by, AstExpr *having, const AstWindowVec *windows)
{
    AstSelect *select = group_by ? group_by : ARENA_NEW(p->arena, AstSelect);
    select->where = where;
    select->having = having;
    select->windows = *windows;
    return select;
}

AstSelect *build_group_by(Parser *p, bool distinct, const AstExprVec *items)
{
    AstSelect *select = ARENA_NEW(p->arena, AstSelect);
    select->group_by = *items;
    select->group_distinct = distinct;
    return select;
}

static void start_select(Parser *p, AstSelect *select, const Token *first)
{
    select->base.kind = AST_SELECT;
    select->base.position = first->position;
    select->base.source.data = (const uint8_t *)first->text;
    select->depth = p->deepest;
    build_finish(p, &select->base);
}

AstSelect *build_select(Parser *p, const Token *first, const AstTargetVec *targets, const AstInto *into, const FromClause *from, AstSelect *tail)
{
    start_select(p, tail, first);
    tail->into = into;
    tail->targets = *targets;
    tail->from = from->items;
    tail->as_of = from->as_of;
    return tail;
}

AstSelect *build_distinct(Parser *p, const AstExprVec *on)
{
    AstSelect *select = ARENA_NEW(p->arena, AstSelect);
    select->distinct = true;
    if (on) select->distinct_on = *on;
    return select;
}

AstSelect *build_select_distinct(Parser *p, const AstSelect *distinct, AstSelect *select)
{
    (void)p;
    select->distinct = true;
    select->distinct_on = distinct->distinct_on;
    return select;
}

AstInto *build_into(Parser *p, const Token *at, AstPersistence persistence, const AstName *name)
{
    AstInto *into = ARENA_NEW(p->arena, AstInto);
    (void)at;
    *into = (AstInto){name->position, persistence, *name};
    return into;
}

AstSelect *build_values(Parser *p, const Token *first, const AstExprVec *row)
{
    AstSelect *select = ARENA_NEW(p->arena, AstSelect);
    start_select(p, select, first);
    select->is_values = true;
    VEC_PUSH(p->arena, select->values, *row);
    return select;
}

/* TABLE t is SELECT * FROM t. */
AstSelect *build_table_select(Parser *p, const Token *first, AstFromTable *table)
{
    AstSelect *select = ARENA_NEW(p->arena, AstSelect);
    start_select(p, select, first);
    AstTarget star = {.position = first->position, .expr = build_star(p, first)};
    VEC_PUSH(p->arena, select->targets, star);
    VEC_PUSH(p->arena, select->from, &table->base);
    return select;
}

AstSelect *build_set_op(Parser *p, const Token *op, AstSetOp kind, bool all, AstSelect *left, AstSelect *right)
{
    AstSelect *select = ARENA_NEW(p->arena, AstSelect);
    start_select(p, select, op);
    select->base.position = left->base.position;
    select->base.source.data = left->base.source.data;
    build_finish(p, &select->base);
    select->op = kind;
    select->all = all;
    select->left = left;
    select->right = right;
    select->depth = build_depth(p, (left->depth > right->depth ? left->depth : right->depth) + 1);
    return select;
}

AstSelect *build_select_enclosed(Parser *p, const Token *paren, AstSelect *select)
{
    select->base.source.data = (const uint8_t *)paren->text;
    build_finish(p, &select->base);
    return select;
}

/* SELECT ... INTO t is CREATE TABLE t AS; of a set operation the first select says so. */
static AstStmt *create_from_into(Parser *p, AstSelect *select, AstSelect *first)
{
    AstCreateTableAs *stmt = ARENA_NEW(p->arena, AstCreateTableAs);
    stmt->base = select->base;
    stmt->base.kind = AST_CREATE_TABLE_AS;
    stmt->persistence = first->into->persistence;
    stmt->name = first->into->name;
    stmt->query = &select->base;
    first->into = NULL;
    return &stmt->base;
}

AstStmt *build_top_select(Parser *p, AstSelect *select)
{
    AstSelect *first = select;
    build_finish(p, &select->base);
    while (first->op != AST_SET_OP_NONE) first = first->left;
    return first->into ? create_from_into(p, select, first) : &select->base;
}

AstStmt *build_inner_select(Parser *p, AstSelect *select)
{
    build_finish(p, &select->base);
    return &select->base;
}

/* ---- ORDER BY, LIMIT, FOR UPDATE, WITH: also around a select in parentheses, which may have its own ---- */

static void set_limit(Parser *p, AstSelect *select, const Limit *limit)
{
    if (limit->offset) {
        if (select->offset) build_fail(p, ERR_SYNTAX_ERROR, limit->offset->position, "multiple OFFSET clauses not allowed");
        select->offset = limit->offset;
    }
    if (limit->limit) {
        if (select->limit) build_fail(p, ERR_SYNTAX_ERROR, limit->limit->position, "multiple LIMIT clauses not allowed");
        select->limit = limit->limit;
    }
    if (limit->with_ties) {
        if (select->order_by.count == 0)
            build_fail(p, ERR_SYNTAX_ERROR, 0, "WITH TIES cannot be specified without ORDER BY clause");
        select->with_ties = true;
    }
}

AstSelect *build_select_tail(Parser *p, AstWith *with, AstSelect *select, const AstSortVec *order, const Limit *limit,
                             const AstLockingVec *locking)
{
    if (order && order->count > 0) {
        if (select->order_by.count > 0)
            build_fail(p, ERR_SYNTAX_ERROR, order->items[0].expr->position, "multiple ORDER BY clauses not allowed");
        select->order_by = *order;
    }
    for (int i = 0; locking && i < locking->count; i++) VEC_PUSH(p->arena, select->locking, locking->items[i]);
    if (limit) set_limit(p, select, limit);
    for (int i = 0; select->with_ties && i < select->locking.count; i++)
        if (select->locking.items[i].wait == AST_LOCK_SKIP)
            build_fail(p, ERR_SYNTAX_ERROR, 0, "SKIP LOCKED and WITH TIES options cannot be used together");
    if (with) {
        if (select->with) build_fail(p, ERR_SYNTAX_ERROR, with->position, "multiple WITH clauses not allowed");
        select->with = with;
        select->base.position = with->position;
        select->base.source.data = (const uint8_t *)with->text;
    }
    if (p->deepest > select->depth) select->depth = p->deepest;
    build_finish(p, &select->base);
    return select;
}

Limit build_limit(Limit limit, AstExpr *offset)
{
    limit.offset = offset;
    return limit;
}

Limit build_refuse_limit(Parser *p, const Token *at)
{
    build_fail(p, ERR_SYNTAX_ERROR, at->position, "LIMIT #,# syntax is not supported");
    err_hint(p->err, p->arena, "Use separate LIMIT and OFFSET clauses.");
    return (Limit){0};
}

AstWith *build_with(Parser *p, const Token *at, bool recursive, const AstCteVec *ctes)
{
    AstWith *with = ARENA_NEW(p->arena, AstWith);
    with->position = at->position;
    with->text = at->text;
    with->recursive = recursive;
    with->ctes = *ctes;
    return with;
}

/* ---- FROM ---- */

static void *new_from(Parser *p, AstFromKind kind, size_t size, int position)
{
    AstFrom *from = arena_alloc(p->arena, size);
    from->kind = kind;
    from->position = position;
    from->depth = 1;
    return from;
}
#define NEW_FROM(p, Type, kind, position) ((Type *)new_from((p), (kind), sizeof(Type), (position)))

AstFromTable *build_relation(Parser *p, const AstName *name, bool only)
{
    AstFromTable *table = NEW_FROM(p, AstFromTable, AST_FROM_TABLE, name->position);
    table->name = *name;
    table->found = ARENA_NEW(p->arena, AstFound);
    table->only = only;
    return table;
}

AstFromTable *build_relation_index(Parser *p, const AstName *name, const Token *index)
{
    AstFromTable *table = build_relation(p, name, false);
    table->index = index->value;
    return table;
}

AstFromTable *build_relation_alias(AstFromTable *table, const Token *alias)
{
    table->base.alias.name = alias->value;
    return table;
}

/* A hint is an AstFromTable of which only the hint's field is set. */
AstFromTable *build_hint_index(Parser *p, const Token *index)
{
    AstFromTable *hint = ARENA_NEW(p->arena, AstFromTable);
    hint->index = index->value;
    return hint;
}

AstFromTable *build_hint_direction(Parser *p, AstSortDirection direction)
{
    AstFromTable *hint = ARENA_NEW(p->arena, AstFromTable);
    hint->index_direction = direction;
    return hint;
}

AstFromTable *build_hint_flag(Parser *p, bool full_scan)
{
    AstFromTable *hint = ARENA_NEW(p->arena, AstFromTable);
    hint->no_full_scan = full_scan;
    hint->no_index_join = !full_scan;
    return hint;
}

void build_hint_merge(Parser *p, AstFromTable *hints, const AstFromTable *hint)
{
    (void)p;
    if (hint->index) hints->index = hint->index;
    if (hint->index_direction != AST_SORT_DEFAULT) hints->index_direction = hint->index_direction;
    hints->no_full_scan |= hint->no_full_scan;
    hints->no_index_join |= hint->no_index_join;
}

AstFromTable *build_relation_hints(Parser *p, const AstName *name, const AstFromTable *hints)
{
    AstFromTable *table = build_relation(p, name, false);
    build_hint_merge(p, table, hints);
    return table;
}

AstFromTable *build_sample(Parser *p, const AstName *method, const AstExprVec *args, AstExpr *seed)
{
    AstFromTable *table = ARENA_NEW(p->arena, AstFromTable);
    table->sample = method->name;
    table->sample_args = *args;
    table->sample_seed = seed;
    return table;
}

AstFrom *build_table_ref(Parser *p, AstFromTable *table, const AstAlias *alias, const AstFromTable *sample)
{
    (void)p;
    table->base.alias = *alias;
    if (sample) {
        table->sample = sample->sample;
        table->sample_args = sample->sample_args;
        table->sample_seed = sample->sample_seed;
    }
    return &table->base;
}

AstFrom *build_ordinality(AstFrom *from)
{
    from->ordinality = true;
    return from;
}

AstFrom *build_from_alias(AstFrom *from, const AstAlias *alias, bool lateral)
{
    from->alias = *alias;
    from->lateral = lateral;
    return from;
}

AstFrom *build_from_subquery(Parser *p, AstSelect *select, const AstAlias *alias, bool lateral)
{
    AstFromSubquery *from = NEW_FROM(p, AstFromSubquery, AST_FROM_SUBQUERY, select->base.position);
    from->select = select;
    from->base.depth = build_depth(p, p->deepest + 1);
    return build_from_alias(&from->base, alias, lateral);
}

AstFrom *build_from_statement(Parser *p, const Token *at, AstStmt *stmt, const AstAlias *alias)
{
    AstFromStatement *from = NEW_FROM(p, AstFromStatement, AST_FROM_STATEMENT, at->position);
    from->stmt = stmt;
    from->base.depth = build_depth(p, p->deepest + 1);
    return build_from_alias(&from->base, alias, false);
}

AstFrom *build_from_function(Parser *p, AstExpr *call, bool ordinality)
{
    AstFromFunction *from = NEW_FROM(p, AstFromFunction, AST_FROM_FUNCTION, call->position);
    VEC_PUSH(p->arena, from->items, (AstFunctionItem){.call = call});
    from->base.ordinality = ordinality;
    return &from->base;
}

AstFrom *build_rows_from(Parser *p, const Token *at, const AstFunctionItemVec *items, bool ordinality)
{
    AstFromFunction *from = NEW_FROM(p, AstFromFunction, AST_FROM_FUNCTION, at->position);
    from->items = *items;
    from->rows_from = true;
    from->base.ordinality = ordinality;
    return &from->base;
}

AstFrom *build_join(Parser *p, const Token *at, AstJoinKind kind, AstFrom *left, AstFrom *right, const JoinCondition *condition)
{
    AstFromJoin *join = NEW_FROM(p, AstFromJoin, AST_FROM_JOIN, at->position);
    join->join = kind;
    join->left = left;
    join->right = right;
    join->base.depth = build_depth(p, (left->depth > right->depth ? left->depth : right->depth) + 1);
    if (condition) {
        join->on = condition->on;
        join->has_using = !condition->on;
        join->using_columns = condition->using_columns;
        join->using_alias = condition->alias;
    }
    return &join->base;
}

AstFrom *build_natural_join(Parser *p, const Token *at, AstJoinKind kind, AstFrom *left, AstFrom *right)
{
    AstFrom *from = build_join(p, at, kind, left, right, NULL);
    ((AstFromJoin *)from)->natural = true;
    return from;
}

AstColumnDef *build_column_def(Parser *p, const Token *name, AstType *type, const AstName *collation)
{
    AstColumnDef *column = ARENA_NEW(p->arena, AstColumnDef);
    column->position = name->position;
    column->name = name->value;
    column->type = type;
    column->collation = *collation;
    return column;
}
