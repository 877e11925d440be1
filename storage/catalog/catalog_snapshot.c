#include "storage/catalog/catalog_snapshot.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "storage/base/map.h"

enum { SHARD_COUNT = 64 };
/* MAP_REFERRED: by the table that a foreign key refers to. */
typedef enum MapKind { MAP_ID, MAP_NAME, MAP_STATS, MAP_REFERRED, MAP_COUNT } MapKind;

typedef struct Item {
    uint64_t hash;
    Entry *entry;
    uint32_t index_id; /* MAP_NAME; MAP_REFERRED: the foreign key's */
} Item;

/* Sorted by hash. */
typedef struct Shard {
    _Atomic int references;
    int count;
    Item items[];
} Shard;

struct CatalogSnapshot {
    _Atomic int references;
    uint64_t version;
    Shard *maps[MAP_COUNT][SHARD_COUNT]; /* NULL: empty */
};

static void *must_alloc(size_t size)
{
    void *block = calloc(1, size);
    if (!block) abort();
    return block;
}

/* ---- entries and shards ---- */

Entry *entry_create(Arena *arena, const Desc *desc)
{
    Entry *entry = must_alloc(sizeof *entry);
    *entry = (Entry){.references = 1, .arena = arena, .id = desc->id, .desc = desc};
    return entry;
}

Entry *entry_create_stats(Arena *arena, DescId id, const TableStats *stats)
{
    Entry *entry = must_alloc(sizeof *entry);
    *entry = (Entry){.references = 1, .arena = arena, .id = id, .stats = stats};
    return entry;
}

Entry *entry_retain(Entry *entry)
{
    atomic_fetch_add_explicit(&entry->references, 1, memory_order_relaxed);
    return entry;
}

void entry_release(Entry *entry)
{
    if (!entry || atomic_fetch_sub_explicit(&entry->references, 1, memory_order_acq_rel) > 1) return;
    arena_destroy(entry->arena);
    free(entry);
}

static void shard_release(Shard *shard)
{
    if (!shard || atomic_fetch_sub_explicit(&shard->references, 1, memory_order_acq_rel) > 1) return;
    for (int i = 0; i < shard->count; i++) entry_release(shard->items[i].entry);
    free(shard);
}

static int shard_first(const Shard *shard, uint64_t hash)
{
    int low = 0, high = shard->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (shard->items[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline int shard_of(uint64_t hash)
{
    return (int)(hash >> 58);
}

_Static_assert(SHARD_COUNT == 1 << 6, "shard_of takes six bits");

static uint64_t hash_id(DescId id)
{
    return hash_bytes(&id, sizeof id);
}

static uint64_t hash_name(NameClass class, DescId parent, const char *name)
{
    uint64_t place = (uint64_t)class << 32 | parent;
    return hash_bytes(name, strlen(name)) ^ (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* ---- names ---- */

static NameUse own_name(const Desc *desc)
{
    NameUse use = {.database = desc->parent_database, .name = desc->name};
    switch (desc->kind) {
    case DESC_DATABASE: use.class = NAME_DATABASE; break;
    case DESC_SCHEMA: use.class = NAME_SCHEMA, use.parent = desc->parent_database; break;
    case DESC_TABLE:
    case DESC_VIEW:
    case DESC_SEQUENCE:
    case DESC_TYPE: use.class = NAME_OBJECT, use.parent = desc->parent_schema; break;
    case DESC_ROLE: use.class = NAME_ROLE; break;
    }
    return use;
}

int name_uses(const Desc *desc, NameUse **uses, Arena *arena)
{
    const TableDesc *table = desc->kind == DESC_TABLE ? (const TableDesc *)desc : NULL;
    int index_count = table ? table->indexes.count : 0;
    *uses = ARENA_ARRAY(arena, NameUse, 1 + index_count);
    (*uses)[0] = own_name(desc);
    for (int i = 0; i < index_count; i++) {
        (*uses)[1 + i] = (*uses)[0];
        (*uses)[1 + i].name = table->indexes.items[i].name;
        (*uses)[1 + i].index_id = table->indexes.items[i].id;
    }
    return 1 + index_count;
}

/* The name that an item of MAP_NAME stands for, read from its descriptor. */
static NameUse item_name(const Item *item)
{
    NameUse use = own_name(item->entry->desc);
    if (item->index_id) {
        const IndexDesc *index = table_index_by_id((const TableDesc *)item->entry->desc, item->index_id);
        assert(index);
        use.name = index->name;
    }
    return use;
}

/* ---- deriving ---- */

CatalogSnapshot *snapshot_empty(void)
{
    CatalogSnapshot *snapshot = must_alloc(sizeof *snapshot);
    snapshot->references = 1;
    return snapshot;
}

/* Replaces one shard: without the items of `gone` that hash to it, with one more item. Either may be NULL. */
static void shard_change(Shard **place, uint64_t hash, const Entry *gone, uint32_t gone_index, Item *added)
{
    Shard *old = *place;
    int old_count = old ? old->count : 0;
    Shard *shard = must_alloc(sizeof *shard + sizeof(Item) * (size_t)(old_count + 1));
    shard->references = 1;
    bool placed = !added;
    for (int i = 0; i < old_count; i++) {
        const Item *item = &old->items[i];
        if (gone && item->entry == gone && item->hash == hash && item->index_id == gone_index) continue;
        if (!placed && added->hash < item->hash) {
            shard->items[shard->count++] = *added;
            placed = true;
        }
        shard->items[shard->count++] = *item;
    }
    if (!placed) shard->items[shard->count++] = *added;
    for (int i = 0; i < shard->count; i++) entry_retain(shard->items[i].entry);
    shard_release(old);
    *place = shard;
}

static void put_item(CatalogSnapshot *snapshot, MapKind map, uint64_t hash, Entry *entry, uint32_t index_id)
{
    Item item = {hash, entry, index_id};
    shard_change(&snapshot->maps[map][shard_of(hash)], hash, NULL, 0, &item);
}

static void drop_item(CatalogSnapshot *snapshot, MapKind map, uint64_t hash, const Entry *entry, uint32_t index_id)
{
    shard_change(&snapshot->maps[map][shard_of(hash)], hash, entry, index_id, NULL);
}

static Entry *find_by_id(const CatalogSnapshot *snapshot, MapKind map, DescId id)
{
    uint64_t hash = hash_id(id);
    const Shard *shard = snapshot->maps[map][shard_of(hash)];
    if (!shard) return NULL;
    for (int i = shard_first(shard, hash); i < shard->count && shard->items[i].hash == hash; i++)
        if (shard->items[i].entry->id == id) return shard->items[i].entry;
    return NULL;
}

static void change_references(CatalogSnapshot *snapshot, Entry *entry, bool put)
{
    if (entry->desc->kind != DESC_TABLE) return;
    const TableDesc *table = (const TableDesc *)entry->desc;
    for (int i = 0; i < table->foreign_keys.count; i++) {
        const ForeignKeyDesc *key = &table->foreign_keys.items[i];
        if (put) put_item(snapshot, MAP_REFERRED, hash_id(key->referenced_table), entry, key->id);
        else drop_item(snapshot, MAP_REFERRED, hash_id(key->referenced_table), entry, key->id);
    }
}

static void change_desc(CatalogSnapshot *snapshot, Entry *old, Entry *new)
{
    if (old && new && old->desc->version >= new->desc->version) return;
    Arena *scratch = arena_create(NULL, 0);
    NameUse *uses;
    if (old) {
        entry_retain(old);
        for (int i = name_uses(old->desc, &uses, scratch) - 1; i >= 0; i--)
            drop_item(snapshot, MAP_NAME, hash_name(uses[i].class, uses[i].parent, uses[i].name), old, uses[i].index_id);
        change_references(snapshot, old, false);
        drop_item(snapshot, MAP_ID, hash_id(old->id), old, 0);
        entry_release(old);
    }
    if (new) {
        for (int i = name_uses(new->desc, &uses, scratch) - 1; i >= 0; i--)
            put_item(snapshot, MAP_NAME, hash_name(uses[i].class, uses[i].parent, uses[i].name), new, uses[i].index_id);
        put_item(snapshot, MAP_ID, hash_id(new->id), new, 0);
        change_references(snapshot, new, true);
    }
    arena_destroy(scratch);
}

static void change_stats(CatalogSnapshot *snapshot, Entry *old, Entry *new)
{
    if (old) {
        entry_retain(old);
        drop_item(snapshot, MAP_STATS, hash_id(old->id), old, 0);
        entry_release(old);
    }
    if (new) put_item(snapshot, MAP_STATS, hash_id(new->id), new, 0);
}

CatalogSnapshot *snapshot_derive(const CatalogSnapshot *base, const CatalogChange *changes, int count, uint64_t version)
{
    CatalogSnapshot *snapshot = must_alloc(sizeof *snapshot);
    snapshot->references = 1;
    snapshot->version = version;
    for (int m = 0; m < MAP_COUNT; m++)
        for (int i = 0; i < SHARD_COUNT; i++) {
            snapshot->maps[m][i] = base->maps[m][i];
            if (snapshot->maps[m][i])
                atomic_fetch_add_explicit(&snapshot->maps[m][i]->references, 1, memory_order_relaxed);
        }
    for (int i = 0; i < count; i++) {
        const CatalogChange *change = &changes[i];
        if (change->desc_changed) change_desc(snapshot, find_by_id(snapshot, MAP_ID, change->id), change->desc);
        if (change->stats_changed) change_stats(snapshot, find_by_id(snapshot, MAP_STATS, change->id), change->stats);
    }
    return snapshot;
}

const CatalogSnapshot *snapshot_retain(const CatalogSnapshot *snapshot)
{
    CatalogSnapshot *counted = (CatalogSnapshot *)(uintptr_t)snapshot;
    atomic_fetch_add_explicit(&counted->references, 1, memory_order_relaxed);
    return snapshot;
}

void catalog_release(const CatalogSnapshot *snapshot)
{
    CatalogSnapshot *counted = (CatalogSnapshot *)(uintptr_t)snapshot;
    if (!counted || atomic_fetch_sub_explicit(&counted->references, 1, memory_order_acq_rel) > 1) return;
    for (int m = 0; m < MAP_COUNT; m++)
        for (int i = 0; i < SHARD_COUNT; i++) shard_release(counted->maps[m][i]);
    free(counted);
}

uint64_t catalog_version(const CatalogSnapshot *snapshot)
{
    return snapshot->version;
}

/* ---- finding ---- */

Entry *snapshot_find_entry(const CatalogSnapshot *snapshot, DescId id)
{
    return find_by_id(snapshot, MAP_ID, id);
}

const Desc *catalog_snapshot_find(const CatalogSnapshot *snapshot, DescId id)
{
    return snapshot_find_id(snapshot, id);
}

const Desc *snapshot_find_id(const CatalogSnapshot *snapshot, DescId id)
{
    Entry *entry = find_by_id(snapshot, MAP_ID, id);
    return entry ? entry->desc : NULL;
}

const TableStats *snapshot_find_stats(const CatalogSnapshot *snapshot, DescId id)
{
    Entry *entry = find_by_id(snapshot, MAP_STATS, id);
    return entry ? entry->stats : NULL;
}

const Desc *snapshot_find_name(const CatalogSnapshot *snapshot, NameClass class, DescId parent, const char *name,
                               uint32_t *index_id)
{
    uint64_t hash = hash_name(class, parent, name);
    const Shard *shard = snapshot->maps[MAP_NAME][shard_of(hash)];
    if (!shard) return NULL;
    for (int i = shard_first(shard, hash); i < shard->count && shard->items[i].hash == hash; i++) {
        NameUse use = item_name(&shard->items[i]);
        if (use.class != class || use.parent != parent || strcmp(use.name, name) != 0) continue;
        if (index_id) *index_id = shard->items[i].index_id;
        return shard->items[i].entry->desc;
    }
    return NULL;
}

void snapshot_each(const CatalogSnapshot *snapshot, void (*each)(void *argument, const Desc *desc), void *argument)
{
    for (int s = 0; s < SHARD_COUNT; s++) {
        const Shard *shard = snapshot->maps[MAP_ID][s];
        for (int i = 0; shard && i < shard->count; i++) each(argument, shard->items[i].entry->desc);
    }
}

void snapshot_each_referrer(const CatalogSnapshot *snapshot, DescId table,
                            void (*each)(void *argument, const TableDesc *table, uint32_t foreign_key), void *argument)
{
    uint64_t hash = hash_id(table);
    const Shard *shard = snapshot->maps[MAP_REFERRED][shard_of(hash)];
    if (!shard) return;
    for (int i = shard_first(shard, hash); i < shard->count && shard->items[i].hash == hash; i++)
        each(argument, (const TableDesc *)shard->items[i].entry->desc, shard->items[i].index_id);
}
