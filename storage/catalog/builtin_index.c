#include <stdio.h>

#include "storage/catalog/catalog_internal.h"

/* The rows of the binary, hashed once at start. An overload set is an array in the order of the families. */

typedef struct Overloads {
    VEC(const void *) rows;
} Overloads;

static void add_named(Map *map, Arena *arena, const char *name, const void *row)
{
    Overloads *set = map_get(map, slice_str(name));
    if (!set) {
        set = ARENA_NEW(arena, Overloads);
        map_put(map, arena, slice_str(name), set);
    }
    VEC_PUSH(arena, set->rows, row);
}

static void add_oid(Map *map, Arena *arena, Oid oid, const void *row)
{
    if (!oid) return;
    const Oid *key = arena_copy(arena, &oid, sizeof oid);
    if (!map_get(map, slice_of(key, sizeof *key)))
        map_put(map, arena, slice_of(key, sizeof *key), (void *)(uintptr_t)row);
}

void builtin_index_build(Catalog *catalog)
{
    const Builtins *b = catalog->builtins;
    Arena *arena = catalog->arena;
    for (const FuncDef *const *family = b->function_families; family && *family; family++)
        for (const FuncDef *row = *family; row->name; row++) {
            add_named(&catalog->functions, arena, row->name, row);
            add_oid(&catalog->functions_by_oid, arena, row->oid, row);
        }
    for (const AggDef *const *family = b->aggregate_families; family && *family; family++)
        for (const AggDef *row = *family; row->name; row++) add_named(&catalog->aggregates, arena, row->name, row);
    for (const WindowDef *row = b->windows; row && row->name; row++)
        add_named(&catalog->windows, arena, row->name, row);
    for (const SystemRelation *const *family = b->relation_families; family && *family; family++)
        for (const SystemRelation *row = *family; row->name; row++) {
            const char *qualified = arena_printf(arena, "%s.%s", row->schema, row->name);
            map_put(&catalog->relations, arena, slice_str(qualified), (void *)(uintptr_t)row);
            add_oid(&catalog->relations_by_oid, arena, row->oid, row);
        }
}

static int overloads(const Map *map, const char *name, const void *const **rows)
{
    const Overloads *set = map_get(map, slice_str(name));
    *rows = set ? set->rows.items : NULL;
    return set ? set->rows.count : 0;
}

int catalog_functions(const CatalogView *view, const char *name, const FuncDef *const **rows)
{
    return overloads(&view->catalog->functions, name, (const void *const **)rows);
}

int catalog_aggregates(const CatalogView *view, const char *name, const AggDef *const **rows)
{
    return overloads(&view->catalog->aggregates, name, (const void *const **)rows);
}

const WindowDef *catalog_window(const CatalogView *view, const char *name)
{
    const void *const *rows;
    return overloads(&view->catalog->windows, name, &rows) ? rows[0] : NULL;
}

const FuncDef *catalog_function_oid(const CatalogView *view, Oid oid)
{
    return map_get(&view->catalog->functions_by_oid, slice_of(&oid, sizeof oid));
}

const SystemRelation *catalog_find_system(const CatalogView *view, const char *schema, const char *name)
{
    char qualified[160];
    int size = snprintf(qualified, sizeof qualified, "%s.%s", schema, name);
    if (size < 0 || (size_t)size >= sizeof qualified) return NULL;
    return map_get(&view->catalog->relations, slice_of(qualified, (size_t)size));
}

const SystemRelation *catalog_find_system_oid(const CatalogView *view, Oid oid)
{
    return map_get(&view->catalog->relations_by_oid, slice_of(&oid, sizeof oid));
}
