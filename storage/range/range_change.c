#include <assert.h>
#include <stdlib.h>

#include "storage/range/directory_internal.h"

/* How many ids were ever given out, as a counter in the map: raising it is also what makes the group that writes the
 * records of a change. */
#define RANGE_IDS_KEY SLICE_LIT("\x04range-ids")

Change *change_create(Directory *directory)
{
    pthread_mutex_lock(&directory->change_mutex);
    directory_collect_notes(directory); /* what was read before belongs to the ranges as they were */
    Change *change = calloc(1, sizeof *change);
    if (!change) abort();
    return change;
}

static Range *fresh_range(Change *change, const Range *like, Slice start, Slice end)
{
    Range *range = range_create(like->id, start, end);
    range->sticky_until_us = like->sticky_until_us;
    range->fixed = like->fixed;
    atomic_store(&range->placement, atomic_load(&like->placement));
    range_list_push(&change->fresh, range);
    return range;
}

void change_plan_split(Directory *directory, Change *change, Range *old, const Boundary *boundaries, int count)
{
    range_list_push(&change->old, old);
    for (int i = 0; i <= count; i++) {
        Slice start = i ? boundaries[i - 1].key : old->start, end = i < count ? boundaries[i].key : old->end;
        assert(slice_compare(start, end) < 0);
        Range *range = fresh_range(change, old, start, end);
        if (i == 0) continue;
        range->id = directory->next_id + change->ids_taken++;
        range->sticky_until_us = boundaries[i - 1].sticky_until_us;
        range->fixed = boundaries[i - 1].fixed;
        /* A table, an index or a bucket begins where there is room; what is cut otherwise stays until it is moved. */
        if (range->fixed) atomic_store(&range->placement, 0);
    }
}

void change_plan_merge(Directory *directory, Change *change, RangePlace first, Slice end)
{
    Range *left = range_map_at(&directory->ranges, first), *range;
    for (RangePlace place = first; (range = range_map_at(&directory->ranges, place)) && slice_compare(range->end, end) <= 0;
         place = range_map_next(&directory->ranges, place))
        range_list_push(&change->old, range);
    fresh_range(change, left, left->start, end);
}

Range *change_plan_rewrite(Change *change, Range *old)
{
    range_list_push(&change->old, old);
    return fresh_range(change, old, old->start, old->end);
}

static void change_begin(Directory *directory, Change *change)
{
    change->settled = calloc((size_t)change->fresh.count, sizeof *change->settled);
    change->begun = calloc((size_t)change->old.count, sizeof *change->begun);
    if (!change->begun || !change->settled) abort();
    pthread_mutex_lock(&directory->mutex);
    directory->waiting_for_gap++;
    while (directory->in_group) pthread_cond_wait(&directory->gap, &directory->mutex);
    for (int i = 0; i < change->old.count; i++) {
        change->old.items[i]->change = change;
        change->begun[i] = change->old.items[i]->sums;
    }
    topology_plan(directory, &change->fresh);
    directory->change = change;
    directory->waiting_for_gap--;
    pthread_cond_broadcast(&directory->gap);
    pthread_mutex_unlock(&directory->mutex);
}

static Status change_commit(Directory *directory, Change *change, Error *err)
{
    pthread_mutex_lock(&directory->mutex);
    change->ready = true;
    pthread_mutex_unlock(&directory->mutex);
    KvOp raise = {.kind = KV_ADD, .key = RANGE_IDS_KEY, .delta = change->ids_taken};
    uint64_t version;
    KvOutcome outcome = kv_commit_ops(directory->kv, &raise, 1, &version, err);
    if (outcome == KV_FAILED || outcome == KV_UNKNOWN) return ST_ERROR;
    assert(outcome == KV_COMMITTED && change->applied);
    return ST_OK;
}

static void change_free(Directory *directory, Change *change)
{
    pthread_mutex_lock(&directory->mutex);
    /* An unfinished change must not be in a group any more when its ranges go. */
    directory->waiting_for_gap++;
    while (directory->in_group) pthread_cond_wait(&directory->gap, &directory->mutex);
    directory->waiting_for_gap--;
    if (directory->change == change) directory->change = NULL;
    RangeList *gone = change->applied ? &change->old : &change->fresh;
    for (int i = 0; !change->applied && i < change->old.count; i++) change->old.items[i]->change = NULL;
    for (int i = 0; i < gone->count; i++) range_destroy(gone->items[i]);
    directory->last = NULL;
    pthread_cond_broadcast(&directory->gap);
    pthread_mutex_unlock(&directory->mutex);
    if (change->applied) directory->next_id += change->ids_taken;
    free(change->old.items);
    free(change->fresh.items);
    free(change->touched.items);
    free(change->begun);
    free(change->log);
    free(change->settled);
    free(change);
}

Status change_run(Directory *directory, Change *change, Error *err)
{
    Status st = ST_OK;
    if (change->old.count) {
        change_begin(directory, change);
        st = change_count(directory, change, err);
        if (st == ST_OK) st = change_commit(directory, change, err);
    }
    change_free(directory, change);
    pthread_mutex_unlock(&directory->change_mutex);
    return st;
}
