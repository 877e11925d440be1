/* path_columns.c - what an index entry holds of a row, and what can be computed from that. */
#include "planner/computed_guard.h"
#include "planner/paths/path_scan.h"

static bool lists(const IntVec *ids, uint32_t id)
{
    for (int i = 0; i < ids->count; i++)
        if (ids->items[i] == (int)id) return true;
    return false;
}

bool index_holds(const TableDesc *table, const IndexDesc *index, int ordinal)
{
    const ColumnDesc *column = &table->columns.items[ordinal];
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].column_id == column->id) return true;
    if (lists(&index->suffix, column->id)) return true;
    if (index->primary) return column->computed != COMPUTED_VIRTUAL;
    return lists(&index->stored, column->id);
}

bool index_gives(const Source *source, const IndexDesc *index, int ordinal)
{
    if (index_holds(source->table, index, ordinal)) return true;
    if (source->table->columns.items[ordinal].computed != COMPUTED_VIRTUAL) return false;
    IntVec inputs = {0};
    span_inputs(&source->spans, ordinal, &inputs);
    for (int i = 0; i < inputs.count; i++)
        if (!index_holds(source->table, index, inputs.items[i])) return false;
    return source->spans.computed[ordinal] != NULL;
}

bool index_gives_expr(const Source *source, const IndexDesc *index, const Expr *e)
{
    ColSet used = {0};
    expr_columns(e, &used, source->spans.arena);
    for (int i = 0; i < source->table->columns.count; i++)
        if (colset_has(&used, source->spans.columns[i]) && !index_gives(source, index, i)) return false;
    return true;
}

Expr *index_lower(const Source *source, const IndexDesc *index, Expr *e)
{
    int count = source->table->columns.count, replaced = 0;
    Arena *arena = source->spans.arena;
    ColId *ids = ARENA_ARRAY(arena, ColId, count);
    Expr **by = ARENA_ARRAY(arena, Expr *, count);
    for (int i = 0; i < count; i++) {
        if (!source->spans.computed[i] || index_holds(source->table, index, i)) continue;
        if (source->table->columns.items[i].computed != COMPUTED_VIRTUAL) continue;
        ids[replaced] = source->spans.columns[i];
        by[replaced++] = source->spans.computed[i];
    }
    return replaced ? expr_substitute(arena, e, ids, by, replaced) : e;
}

void index_read_columns(const Source *source, const IndexDesc *index, const ColSet *wanted, IntVec *ordinals)
{
    Arena *arena = source->spans.arena;
    ColSet read = {0};
    for (int i = 0; i < source->table->columns.count; i++) {
        if (!colset_has(wanted, source->spans.columns[i])) continue;
        if (index_holds(source->table, index, i))
            colset_add(&read, arena, source->spans.columns[i]);
        else if (source->spans.computed[i])
            expr_columns(computed_guard(arena, source->table, i, source->spans.computed[i], source->predicates), &read, arena);
    }
    for (int i = 0; i < source->table->columns.count; i++)
        if (colset_has(&read, source->spans.columns[i])) VEC_PUSH(arena, *ordinals, i);
}

Plan *path_compute_virtual(Paths *p, const Source *source, const IndexDesc *index, const ColSet *wanted, Plan *plan)
{
    Extension extension = {0};
    for (int i = 0; i < source->table->columns.count; i++) {
        if (!colset_has(wanted, source->spans.columns[i]) || path_column_index(plan, source->spans.columns[i]) >= 0)
            continue;
        if (index_holds(source->table, index, i) || !source->spans.computed[i]) continue;
        Expr *e = computed_guard(p->arena, source->table, i, source->spans.computed[i], source->predicates);
        VEC_PUSH(p->arena, extension.exprs, e);
        VEC_PUSH(p->arena, extension.ids, source->spans.columns[i]);
    }
    return path_extend(p, plan, extension.exprs.items, extension.ids.items, extension.exprs.count);
}

void path_add_ordinals(Paths *p, const Source *source, Plan *plan, const IntVec *ordinals)
{
    for (int i = 0; i < ordinals->count; i++) {
        int ordinal = ordinals->items[i];
        if (ordinal < 0) {
            path_add_column(p, plan, source->key_bytes, (TypeRef){OID_BYTEA, -1}, "primary_key");
            continue;
        }
        const ColumnDesc *column = &source->table->columns.items[ordinal];
        path_add_column(p, plan, source->spans.columns[ordinal], column->type, column->name);
    }
}
