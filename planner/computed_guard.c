#include "planner/computed_guard.h"

static bool is_key_of(const IndexDesc *index, uint32_t column_id)
{
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].column_id == column_id) return true;
    return false;
}

Expr *computed_guard(Arena *arena, const TableDesc *table, int ordinal, Expr *e, Expr *const *predicates)
{
    const ColumnDesc *column = &table->columns.items[ordinal];
    VEC(Expr *) any = {0};
    if (column->role != COLUMN_EXPRESSION || !predicates) return e;
    for (int i = 0; i < table->indexes.count; i++) {
        if (!is_key_of(&table->indexes.items[i], column->id)) continue;
        if (!predicates[i]) return e;
        VEC_PUSH(arena, any, predicates[i]);
    }
    if (!any.count) return e;
    Expr **branches = ARENA_ARRAY(arena, Expr *, 3);
    branches[0] = any.count == 1 ? any.items[0] : expr_or(arena, any.items, any.count);
    branches[1] = e;
    branches[2] = expr_const(arena, e->type, VALUE_NULL);
    return expr_new(arena, EXPR_CASE, e->type, branches, 3);
}
