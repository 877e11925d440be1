/* lock_table.c - locks on tables. Readers and writers of rows take weak ones, which never conflict with each other: each
 * owner notes them for itself, as long as nobody holds or wants a strong one.
 *
 * Who wants a strong lock first raises the count of its name, then puts every owner's note of that table into the shared
 * table of locks, and then asks there as for any lock. An owner looks at the count with its own mutex held, so its
 * note is either seen by the one who moves them, or it sees the count and goes to the shared table itself.
 */
#include <assert.h>

#include "storage/txn/lock_internal.h"

#define FROM(m) (0xffu & ~((1u << (m)) - 1)) /* this mode and all stronger ones */
const uint16_t lock_table_conflicts[8] = {
    [TABLE_ACCESS_SHARE] = FROM(TABLE_ACCESS_EXCLUSIVE),
    [TABLE_ROW_SHARE] = FROM(TABLE_EXCLUSIVE),
    [TABLE_ROW_EXCLUSIVE] = FROM(TABLE_SHARE),
    [TABLE_SHARE_UPDATE_EXCLUSIVE] = FROM(TABLE_SHARE_UPDATE_EXCLUSIVE),
    [TABLE_SHARE] = FROM(TABLE_ROW_EXCLUSIVE) & ~(1u << TABLE_SHARE),
    [TABLE_SHARE_ROW_EXCLUSIVE] = FROM(TABLE_ROW_EXCLUSIVE),
    [TABLE_EXCLUSIVE] = FROM(TABLE_ROW_SHARE),
    [TABLE_ACCESS_EXCLUSIVE] = FROM(TABLE_ACCESS_SHARE),
};

static _Atomic uint32_t *strong_count(LockTable *table, uint64_t name)
{
    return &table->strong[name >> 54];
}

static LockRequest table_request(LockOwner *owner, uint32_t id, int mode, const LockPatience *patience)
{
    return (LockRequest){.owner = owner, .name = lock_table_name(id), .conflicts = lock_table_conflicts,
                         .tag = {.kind = LOCKED_TABLE, .class = id}, .mode = mode, .patience = patience};
}

static bool fast_take(LockTable *table, LockOwner *owner, uint32_t id, int mode)
{
    bool taken = false;
    pthread_mutex_lock(&owner->fast_mutex);
    for (int i = 0; i < owner->fast_count && !taken; i++)
        taken = owner->fast[i].table_id == id && owner->fast[i].mode == mode;
    if (!taken && owner->fast_count < FAST_LOCKS_MAX && atomic_load(strong_count(table, lock_table_name(id))) == 0) {
        owner->fast[owner->fast_count++] = (FastLock){id, (uint8_t)mode, false};
        taken = true;
    }
    pthread_mutex_unlock(&owner->fast_mutex);
    return taken;
}

static void move_notes(LockTable *table, uint32_t id)
{
    LockShard *shard = lock_shard(table, lock_table_name(id));
    pthread_mutex_lock(&table->owners_mutex);
    for (LockOwner *owner = table->owners; owner; owner = owner->next) {
        pthread_mutex_lock(&owner->fast_mutex);
        for (int i = 0; i < owner->fast_count; i++) {
            FastLock *note = &owner->fast[i];
            if (note->table_id != id || note->moved) continue;
            LockRequest request = table_request(owner, id, note->mode, NULL);
            pthread_mutex_lock(&shard->mutex);
            lock_hold_moved(shard, &request);
            pthread_mutex_unlock(&shard->mutex);
            note->moved = true;
        }
        pthread_mutex_unlock(&owner->fast_mutex);
    }
    pthread_mutex_unlock(&table->owners_mutex);
}

void lock_strong_end(LockTable *table, uint64_t name)
{
    uint32_t before = atomic_fetch_sub(strong_count(table, name), 1);
    assert(before > 0);
    (void)before;
}

Status lock_table_id(LockTable *table, LockOwner *owner, uint32_t id, TableLockMode mode, const LockPatience *patience,
                     Error *err)
{
    if (mode <= TABLE_ROW_EXCLUSIVE && fast_take(table, owner, id, (int)mode)) return ST_OK;
    LockRequest request = table_request(owner, id, (int)mode, patience);
    bool strong = mode > TABLE_SHARE_UPDATE_EXCLUSIVE, waited, already = false;
    if (strong) {
        atomic_fetch_add(strong_count(table, request.name), 1);
        move_notes(table, id);
    }
    Status st = lock_acquire(table, &request, &waited, &already, err);
    if (st == ST_OK && !already)
        lock_held_push(owner, request.name, request.mode);
    else if (strong)
        lock_strong_end(table, request.name);
    return st;
}

void lock_fast_release_to(LockTable *table, LockOwner *owner, int count)
{
    FastLock released[FAST_LOCKS_MAX];
    if (owner->fast_count <= count) return;
    pthread_mutex_lock(&owner->fast_mutex);
    int n = owner->fast_count - count;
    memcpy(released, owner->fast + count, sizeof *released * (size_t)n);
    owner->fast_count = count;
    pthread_mutex_unlock(&owner->fast_mutex);
    for (int i = 0; i < n; i++)
        if (released[i].moved)
            lock_release(table, owner, lock_table_name(released[i].table_id) | (uint64_t)released[i].mode << NAME_KIND_BITS);
}
