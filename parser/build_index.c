/* build_index.c - indexes and keys: their elements, and the clauses behind them. */
#include "parser/build.h"

/* ---- elements ---- */

AstIndexElem *build_opclass(Parser *p, const AstName *name, const AstOptionVec *options)
{
    AstIndexElem *elem = ARENA_NEW(p->arena, AstIndexElem);
    elem->opclass = *name;
    if (options) elem->opclass_options = *options;
    return elem;
}

AstIndexElem *build_index_elem_options(Parser *p, const AstName *collation, AstIndexElem *opclass, AstKeyMode mode, AstNulls nulls)
{
    AstIndexElem *elem = opclass ? opclass : ARENA_NEW(p->arena, AstIndexElem);
    elem->collation = *collation;
    elem->mode = mode;
    elem->nulls = nulls;
    return elem;
}

AstIndexElem *build_index_column(Parser *p, const Token *name, AstIndexElem *elem)
{
    (void)p;
    elem->position = name->position;
    elem->column = name->value;
    return elem;
}

AstIndexElem *build_index_expr(Parser *p, AstExpr *expr, AstIndexElem *elem)
{
    (void)p;
    elem->position = expr->position;
    elem->expr = expr;
    return elem;
}

static const char *plain_column(const AstExpr *expr)
{
    const AstColumn *column = (const AstColumn *)expr;
    return expr->kind == AST_COLUMN && !column->star && column->names.count == 1 ? column->names.items[0] : NULL;
}

/* (a) is the column a: also YugabyteDB's ((a) HASH, b). */
AstIndexElem *build_index_parens(Parser *p, AstExpr *expr, AstIndexElem *elem)
{
    elem->column = plain_column(expr);
    if (!elem->column) return build_index_expr(p, expr, elem);
    elem->position = expr->position;
    return elem;
}

/* (a, b) HASH. */
AstIndexElem *build_index_group(Parser *p, const Token *at, AstExprVec *items, AstExpr *last)
{
    AstIndexElem *elem = ARENA_NEW(p->arena, AstIndexElem);
    elem->position = at->position;
    elem->mode = AST_KEY_HASH;
    VEC_PUSH(p->arena, *items, last);
    for (int i = 0; i < items->count; i++) {
        const char *column = plain_column(items->items[i]);
        if (!column)
            build_fail(p, ERR_FEATURE_NOT_SUPPORTED, items->items[i]->position, "expressions in a HASH column group are not supported");
        VEC_PUSH(p->arena, elem->group, column ? column : "");
    }
    return elem;
}

/* ---- clauses ---- */

AstIndexDef *build_index_kind(Parser *p, bool unique, bool inverted, bool vector)
{
    AstIndexDef *index = ARENA_NEW(p->arena, AstIndexDef);
    index->unique = unique;
    index->inverted = inverted;
    index->vector = vector;
    return index;
}

IndexClause build_clause_hash(const Token *at, AstExpr *bucket_count)
{
    return (IndexClause){.token = *at, .hash = {true, at->position, bucket_count}};
}

void build_merge_clause(Parser *p, AstIndexDef *index, const IndexClause *clause)
{
    if (clause->hash.present) {
        build_once(p, &clause->token, index->hash.present);
        index->hash = clause->hash;
    } else if (clause->options.count > 0) {
        build_once(p, &clause->token, index->options.count > 0);
        index->options = clause->options;
    } else if (clause->including.count > 0) {
        build_once(p, &clause->token, index->including.count > 0);
        index->including = clause->including;
    } else if (clause->split.present) {
        if (index->split.present) build_fail(p, ERR_SYNTAX_ERROR, clause->split.position, "syntax error at or near \"SPLIT\"");
        index->split = clause->split;
    }
}

void build_index_partition(Parser *p, AstIndexDef *index, const AstPartitionBy *partition)
{
    if (index->partition.by != AST_PARTITION_NONE)
        build_fail(p, ERR_SYNTAX_ERROR, partition->position, "syntax error at or near \"PARTITION\"");
    index->partition = *partition;
}

/* VISIBILITY 0.0 is not visible; fractions are CockroachDB's partial visibility, which counts as visible. */
bool build_visibility(const AstExpr *number)
{
    const char *text = ((const AstLiteral *)number)->text;
    return strspn(text, "0.") == strlen(text);
}

/* ---- the index ---- */

AstIndexDef *build_index_rest(AstIndexDef *index, const char *method, const AstIndexElemVec *key)
{
    index->method = method;
    index->key = *key;
    return index;
}

AstIndexDef *build_inline_index(Parser *p, const Token *at, const AstIndexDef *kind, const Token *name, AstIndexDef *index)
{
    (void)p;
    index->position = at->position;
    index->name = name ? name->value : NULL;
    if (kind) {
        index->unique = kind->unique;
        index->inverted = kind->inverted;
        index->vector = kind->vector;
    }
    return index;
}

/* Name and table are collected in the AstCreateIndex that becomes the statement. */
AstCreateIndex *build_index_target(Parser *p, const Token *name, bool only, const AstName *table)
{
    AstCreateIndex *stmt = ARENA_NEW(p->arena, AstCreateIndex);
    stmt->index = ARENA_NEW(p->arena, AstIndexDef);
    stmt->index->name = name ? name->value : NULL;
    stmt->index->position = name ? name->position : table->position;
    stmt->only = only;
    stmt->table = *table;
    return stmt;
}

AstCreateIndex *build_if_not_exists(AstCreateIndex *stmt)
{
    stmt->if_not_exists = true;
    return stmt;
}

AstStmt *build_create_index(Parser *p, const Token *first, const AstIndexDef *kind, int concurrently, AstCreateIndex *target, AstIndexDef *index)
{
    AstCreateIndex *stmt = NEW_STMT(p, AstCreateIndex, AST_CREATE_INDEX, first);
    AstStmt base = stmt->base;
    *stmt = *target;
    stmt->base = base;
    index->name = target->index->name;
    index->position = target->index->position;
    index->unique = kind->unique;
    index->inverted = kind->inverted;
    index->vector = kind->vector;
    stmt->index = index;
    stmt->concurrently = concurrently > 0;
    stmt->nonconcurrently = concurrently < 0;
    return &stmt->base;
}
