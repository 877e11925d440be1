/* bind_referrers.c - which other tables a statement must look at, or change, because of foreign keys: their locks, and
 * the constraints that look at what it takes away. */
#include "planner/bind/bind_change.h"

typedef struct Reach {
    Binder *binder;
    VEC(const TableDesc *) changed; /* tables whose rows the statement may change */
} Reach;

static void use_referenced(Binder *binder, const TableDesc *table)
{
    for (int i = 0; i < table->foreign_keys.count; i++) {
        DescId id = table->foreign_keys.items[i].referenced_table;
        const Desc *referenced = catalog_find_id(binder->session->catalog, id);
        if (referenced && id != table->base.id) binder_use_table(binder, (const TableDesc *)referenced, TABLE_ROW_SHARE);
    }
}

static bool only_looks(FkAction action)
{
    return action == FK_NO_ACTION || action == FK_RESTRICT;
}

static void reach(Reach *r, const TableDesc *table, const Referrer *list, int count);

/* Rows of the table are deleted or updated by an action. */
static void reach_changed(Reach *r, const TableDesc *table)
{
    Referrer *list;
    for (int i = 0; i < r->changed.count; i++)
        if (r->changed.items[i]->base.id == table->base.id) return;
    int count = depend_referrers(r->binder->session->catalog, table->base.id, &list, r->binder->arena);
    reach(r, table, list, count);
}

static void reach(Reach *r, const TableDesc *table, const Referrer *list, int count)
{
    VEC_PUSH(r->binder->arena, r->changed, table);
    use_referenced(r->binder, table);
    for (int i = 0; i < count; i++) {
        bool looks = only_looks(list[i].key->on_delete) && only_looks(list[i].key->on_update);
        if (list[i].table->base.id != table->base.id)
            binder_use_table(r->binder, list[i].table, looks ? TABLE_ROW_SHARE : TABLE_ROW_EXCLUSIVE);
        if (!looks) reach_changed(r, list[i].table);
    }
}

/* May a SET list change a column that the key refers to? Computed columns follow others. */
static bool touches(const TableDesc *table, const ForeignKeyDesc *key, Expr *const *set)
{
    for (int i = 0; i < key->referenced_columns.count; i++) {
        int ordinal = table_column_by_id(table, (uint32_t)key->referenced_columns.items[i]);
        if (ordinal < 0 || set[ordinal] || table->columns.items[ordinal].computed != COMPUTED_NONE) return true;
    }
    return false;
}

void bind_referrers(Binder *binder, WriteTarget *target, ReferrerUse use, Expr *const *set)
{
    Reach r = {.binder = binder};
    Referrer *list = NULL;
    int count = 0, kept = 0;
    if (use != REFERRERS_STAY) count = depend_referrers(binder->session->catalog, target->table->base.id, &list, binder->arena);
    for (int i = 0; i < count; i++)
        if (use == REFERRERS_OF_DELETED || !set || touches(target->table, list[i].key, set)) list[kept++] = list[i];
    target->referrers = list;
    target->referrer_count = kept;
    reach(&r, target->table, list, kept);
}
