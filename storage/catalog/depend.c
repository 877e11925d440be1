#include "storage/catalog/depend.h"

#include <stdlib.h>

#include "storage/catalog/catalog_internal.h"

typedef struct Search {
    DescId id;
    Arena *arena;
    VEC(Dependent) found;
} Search;

/* A hidden column goes with the one that it is computed from. */
static bool is_of_type(const ColumnDesc *column, DescId type)
{
    Oid oid = type_ref_oid(column->type);
    const TypeDef *def = oid >= DESC_ID_FIRST_USER && !column->hidden ? type_find(oid) : NULL;
    return def && (def->oid == type || def->element_oid == type);
}

static void visit(void *argument, const Desc *desc)
{
    Search *search = argument;
    if (desc->kind == DESC_VIEW) {
        const ViewDesc *view = (const ViewDesc *)desc;
        for (int i = 0; i < view->depends_on.count; i++)
            if ((DescId)view->depends_on.items[i] == search->id) {
                VEC_PUSH(search->arena, search->found, (Dependent){.desc = desc, .kind = DEPEND_NORMAL});
                return;
            }
    } else if (desc->kind == DESC_TYPE && ((const TypeDesc *)desc)->form == TYPE_DOMAIN) {
        const TypeDef *def = type_find(type_ref_oid(((const TypeDesc *)desc)->of));
        if (def && (def->oid == search->id || def->element_oid == search->id))
            VEC_PUSH(search->arena, search->found, (Dependent){.desc = desc, .kind = DEPEND_NORMAL});
    } else if (desc->kind == DESC_SEQUENCE) {
        if (((const SequenceDesc *)desc)->owner_table == search->id)
            VEC_PUSH(search->arena, search->found, (Dependent){.desc = desc, .kind = DEPEND_AUTO});
    } else if (desc->kind == DESC_TABLE) {
        const TableDesc *table = (const TableDesc *)desc;
        for (int i = 0; i < table->depends_on.count; i++)
            if ((DescId)table->depends_on.items[i] == search->id) {
                VEC_PUSH(search->arena, search->found, (Dependent){.desc = desc, .kind = DEPEND_NORMAL});
                return;
            }
        for (int i = 0; i < table->foreign_keys.count; i++)
            if (table->foreign_keys.items[i].referenced_table == search->id && desc->id != search->id)
                VEC_PUSH(search->arena, search->found, (Dependent){desc, DEPEND_NORMAL, &table->foreign_keys.items[i], NULL});
        for (int i = 0; i < table->columns.count; i++)
            if (is_of_type(&table->columns.items[i], search->id))
                VEC_PUSH(search->arena, search->found, (Dependent){desc, DEPEND_NORMAL, NULL, &table->columns.items[i]});
    }
}

/* In the order in which they were made. */
static int older_dependent(const void *a, const void *b)
{
    const Dependent *one = a, *two = b;
    if (one->desc->id != two->desc->id) return one->desc->id < two->desc->id ? -1 : 1;
    if (!one->foreign_key || !two->foreign_key) return 0;
    return one->foreign_key->id < two->foreign_key->id ? -1 : 1;
}

int depend_list(const CatalogView *view, DescId id, Dependent **list, Arena *arena)
{
    Search search = {.id = id, .arena = arena};
    snapshot_each(view->current, visit, &search);
    if (search.found.count) qsort(search.found.items, (size_t)search.found.count, sizeof(Dependent), older_dependent);
    *list = search.found.items;
    return search.found.count;
}

/* ---- foreign keys ---- */

typedef struct ReferrerSearch {
    DescId table;
    Arena *arena;
    VEC(Referrer) found;
} ReferrerSearch;

static void visit_referrer(void *argument, const TableDesc *table, uint32_t foreign_key)
{
    ReferrerSearch *search = argument;
    for (int i = 0; i < table->foreign_keys.count; i++)
        if (table->foreign_keys.items[i].id == foreign_key && table->foreign_keys.items[i].referenced_table == search->table)
            VEC_PUSH(search->arena, search->found, (Referrer){table, &table->foreign_keys.items[i]});
}

static int older_first(const void *a, const void *b)
{
    const Referrer *one = a, *two = b;
    if (one->table != two->table) return one->table->base.id < two->table->base.id ? -1 : 1;
    return one->key->id < two->key->id ? -1 : 1;
}

int depend_referrers(const CatalogView *view, DescId table, Referrer **list, Arena *arena)
{
    ReferrerSearch search = {.table = table, .arena = arena};
    snapshot_each_referrer(view->current, table, visit_referrer, &search);
    if (search.found.count) qsort(search.found.items, (size_t)search.found.count, sizeof(Referrer), older_first);
    *list = search.found.items;
    return search.found.count;
}
