/* lock_deadlock.c - the search for circles among those who wait, and how one is told. With the mutex of waiting held. */
#include <stdlib.h>

#include "storage/base/buf.h"
#include "storage/txn/lock_internal.h"

static void blocker_push(BlockerList *list, const LockOwner *owner)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->items = realloc(list->items, sizeof *list->items * (size_t)list->capacity);
        if (!list->items) abort();
    }
    list->items[list->count++] = (Blocker){owner->session, owner->txn_id};
}

void lock_push_blockers(const LockSession *session, BlockerList *list)
{
    LockQueue *queue = session->waits_in;
    unsigned int in_the_way = 0;
    if (!queue) return;
    for (int mode = 0; mode < 8; mode++)
        if (session->waiter->modes & (1u << mode)) in_the_way |= queue->conflicts[mode];
    pthread_mutex_lock(&queue->shard->mutex);
    for (int i = 0; i < queue->holder_count; i++)
        if (queue->holders[i].owner->session != session && (queue->holders[i].modes & in_the_way))
            blocker_push(list, queue->holders[i].owner);
    pthread_mutex_unlock(&queue->shard->mutex);
    for (const LockWaiter *waiter = queue->first; waiter && waiter != session->waiter; waiter = waiter->next)
        if (waiter->modes & in_the_way) blocker_push(list, waiter->owner);
}

const char *lock_mode_name(LockedKind kind, int mode)
{
    static const char *const names[] = {"AccessShareLock", "RowShareLock", "RowExclusiveLock", "ShareUpdateExclusiveLock",
                                        "ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"};
    /* What PostgreSQL calls the lock on the row itself, which it takes while it waits for the row's last writer. */
    static const char *const row_names[] = {"AccessShareLock", "RowShareLock", "ExclusiveLock", "AccessExclusiveLock"};
    return kind == LOCKED_ROW ? row_names[mode] : names[mode];
}

/* "Process 7 waits for ShareLock on transaction 12; blocked by process 9." A row is free when its writer's transaction ends. */
static void put_line(const LockSession *session, const LockSession *blocker, uint64_t transaction, Buf *out)
{
    const LockTag *tag = &session->waiter->tag;
    const char *mode = lock_mode_name(tag->kind, __builtin_ctz(session->waiter->modes));
    if (out->size) buf_put_str(out, "\n");
    buf_printf(out, "Process %llu waits for %s on ", (unsigned long long)session->id,
               tag->kind == LOCKED_ROW ? "ShareLock" : mode);
    if (tag->kind == LOCKED_ROW)
        buf_printf(out, "transaction %llu", (unsigned long long)transaction);
    else if (tag->kind == LOCKED_TABLE)
        buf_printf(out, "relation %u of database %u", tag->class, session->database);
    else
        buf_printf(out, "advisory lock [%u,%u,%u,%u]", tag->database, tag->class, tag->object, tag->sub);
    buf_printf(out, "; blocked by process %llu.", (unsigned long long)blocker->id);
}

static Status deadlock(const LockSession *start, Blocker last, Arena *arena, Error *err)
{
    *err = (Error){.sqlstate = ERR_DEADLOCK_DETECTED, .message = "deadlock detected",
                   .hint = "See server log for query details."};
    if (!arena) return ST_ERROR;
    /* The path was found from its start and is known from its end. */
    int length = 1;
    for (const LockSession *s = last.session; s != start; s = s->met_from) length++;
    const LockSession **path = ARENA_ARRAY(arena, const LockSession *, length + 1);
    uint64_t *transactions = ARENA_ARRAY(arena, uint64_t, length + 1);
    path[length] = start;
    transactions[length] = last.transaction;
    for (const LockSession *s = last.session; length-- > 0; s = s->met_from) {
        path[length] = s;
        transactions[length] = s->met_transaction;
    }
    Buf detail = {0};
    for (int i = 0; i == 0 || path[i] != start; i++) put_line(path[i], path[i + 1], transactions[i + 1], &detail);
    err->detail = buf_to_str(&detail, arena);
    buf_finish(&detail);
    return ST_ERROR;
}

Status lock_check_circle(LockTable *table, LockSession *start, Arena *arena, Error *err)
{
    BlockerList open = {0}, next = {0};
    Status st = ST_OK;
    uint64_t search = ++table->searches;
    lock_push_blockers(start, &open);
    for (int i = 0; i < open.count; i++) open.items[i].session->met_from = start;
    while (open.count && st == ST_OK) {
        Blocker b = open.items[--open.count];
        if (b.session->search == search) continue;
        b.session->search = search;
        b.session->met_transaction = b.transaction;
        next.count = 0;
        lock_push_blockers(b.session, &next);
        for (int i = 0; i < next.count && st == ST_OK; i++) {
            LockSession *met = next.items[i].session;
            if (met == start) {
                st = deadlock(start, (Blocker){b.session, next.items[i].transaction}, arena, err);
                break;
            }
            if (met->search == search) continue;
            met->met_from = b.session;
            if (open.count == open.capacity) {
                open.capacity *= 2;
                open.items = realloc(open.items, sizeof *open.items * (size_t)open.capacity);
                if (!open.items) abort();
            }
            open.items[open.count++] = next.items[i];
        }
    }
    free(open.items);
    free(next.items);
    return st;
}
