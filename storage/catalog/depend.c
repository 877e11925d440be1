#include "storage/catalog/depend.h"

#include "storage/catalog/catalog_internal.h"

typedef struct Search {
    DescId id;
    Arena *arena;
    VEC(Dependent) found;
} Search;

static void visit(void *argument, const Desc *desc)
{
    Search *search = argument;
    if (desc->kind == DESC_VIEW) {
        const ViewDesc *view = (const ViewDesc *)desc;
        for (int i = 0; i < view->depends_on.count; i++)
            if ((DescId)view->depends_on.items[i] == search->id) {
                VEC_PUSH(search->arena, search->found, (Dependent){desc, DEPEND_NORMAL, NULL});
                return;
            }
    } else if (desc->kind == DESC_SEQUENCE) {
        if (((const SequenceDesc *)desc)->owner_table == search->id)
            VEC_PUSH(search->arena, search->found, (Dependent){desc, DEPEND_AUTO, NULL});
    } else if (desc->kind == DESC_TABLE) {
        const TableDesc *table = (const TableDesc *)desc;
        for (int i = 0; i < table->foreign_keys.count; i++)
            if (table->foreign_keys.items[i].referenced_table == search->id && desc->id != search->id)
                VEC_PUSH(search->arena, search->found, (Dependent){desc, DEPEND_NORMAL, &table->foreign_keys.items[i]});
    }
}

int depend_list(const CatalogView *view, DescId id, Dependent **list, Arena *arena)
{
    Search search = {.id = id, .arena = arena};
    snapshot_each(view->current, visit, &search);
    *list = search.found.items;
    return search.found.count;
}
