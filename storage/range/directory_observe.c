/* The directory as the engine's observer: what each commit does to each range, written in the same commit. */
#include <assert.h>
#include <stdlib.h>

#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

/* Waits for a change that wants to begin, which takes no time but must not come in the middle of a group. */
static void group_begin(Directory *directory)
{
    pthread_mutex_lock(&directory->mutex);
    while (directory->waiting_for_gap) pthread_cond_wait(&directory->gap, &directory->mutex);
    directory->in_group = true;
    pthread_mutex_unlock(&directory->mutex);
    directory->last = NULL;
}

static bool holds(const Range *range, Slice key)
{
    return slice_compare(key, range->start) >= 0 && slice_compare(key, range->end) < 0;
}

void directory_changed(void *argument, Slice key, int64_t old_size, int64_t new_size)
{
    Directory *directory = argument;
    if (!directory->in_group) group_begin(directory);
    /* The directory's own records are not counted: they would never come to rest. */
    if (key.data[0] == ROW_KEY_META2) return;
    Range *range = directory->last;
    if (!range || !holds(range, key)) range = directory->ranges.items[range_list_find(&directory->ranges, key)];
    directory->last = range;
    if (!range->touched) {
        range->touched = true;
        range_list_push(&directory->touched, range);
    }
    int64_t keys = (new_size >= 0) - (old_size >= 0);
    RangeSums sums = {keys, keys * (int64_t)key.size, (new_size > 0 ? new_size : 0) - (old_size > 0 ? old_size : 0)};
    sums_add(&range->group, &sums);
    if (range->change) {
        RangeList *fresh = &range->change->fresh;
        sums_add(&fresh->items[range_list_find(fresh, key)]->group, &sums);
    }
}

/* ---- flush ---- */

/* What the log has behind the count becomes part of the sums. The group in flight is added where they are used. */
static RangeSums fresh_sums(const Change *change, int index)
{
    RangeSums sums = change->fresh.items[index]->sums;
    for (int i = 0; i < change->log_count; i++)
        if (change->log[i].index == index && change->log[i].version > change->counted_version)
            sums_add(&sums, &change->log[i].sums);
    sums_add(&sums, &change->fresh.items[index]->group);
    return sums;
}

static void flush_begin(Directory *directory)
{
    pthread_mutex_lock(&directory->mutex);
    directory->applying = directory->change && directory->change->ready && !directory->change->applied;
    pthread_mutex_unlock(&directory->mutex);
    directory->step = directory->applying ? FLUSH_DROP_OLD : FLUSH_PUT_TOUCHED;
    directory->position = 0;
}

static bool ends_a_fresh_range(const Change *change, Slice end)
{
    for (int i = 0; i < change->fresh.count; i++)
        if (slice_equal(change->fresh.items[i]->end, end)) return true;
    return false;
}

static bool drop_old(Directory *directory, KvOp *op)
{
    Change *change = directory->change;
    while (directory->position < change->old.count) {
        const Range *range = change->old.items[directory->position++];
        if (ends_a_fresh_range(change, range->end)) continue;
        buf_clear(&directory->key);
        row_key_meta2(range->end, &directory->key);
        *op = (KvOp){.kind = KV_DELETE, .key = buf_slice(&directory->key)};
        return true;
    }
    return false;
}

static KvOp put_record(Directory *directory, const Range *range, const RangeSums *sums)
{
    range_record(range, sums, &directory->key, &directory->value);
    return (KvOp){.kind = KV_PUT, .key = buf_slice(&directory->key), .value = buf_slice(&directory->value)};
}

static bool put_fresh(Directory *directory, KvOp *op)
{
    if (directory->position == directory->change->fresh.count) return false;
    int index = directory->position++;
    RangeSums sums = fresh_sums(directory->change, index);
    *op = put_record(directory, directory->change->fresh.items[index], &sums);
    return true;
}

static bool put_touched(Directory *directory, KvOp *op)
{
    while (directory->position < directory->touched.count) {
        Range *range = directory->touched.items[directory->position++];
        if (directory->applying && range->change) continue;
        RangeSums sums = range->sums;
        sums_add(&sums, &range->group);
        *op = put_record(directory, range, &sums);
        return true;
    }
    return false;
}

bool directory_flush(void *argument, KvOp *op)
{
    Directory *directory = argument;
    if (directory->step == FLUSH_IDLE) flush_begin(directory);
    if (directory->step == FLUSH_DROP_OLD) {
        if (drop_old(directory, op)) return true;
        directory->step = FLUSH_PUT_FRESH;
        directory->position = 0;
    }
    if (directory->step == FLUSH_PUT_FRESH) {
        if (put_fresh(directory, op)) return true;
        directory->step = FLUSH_PUT_TOUCHED;
        directory->position = 0;
    }
    return put_touched(directory, op);
}

/* ---- the end of a group ---- */

static void book(Change *change, uint64_t version)
{
    for (int i = 0; i < change->fresh.count; i++) {
        Range *range = change->fresh.items[i];
        if (!range->group.keys && !range->group.key_bytes && !range->group.value_bytes) continue;
        if (change->log_count == change->log_capacity) {
            change->log_capacity = change->log_capacity ? change->log_capacity * 2 : 64;
            change->log = realloc(change->log, sizeof *change->log * (size_t)change->log_capacity);
            if (!change->log) abort();
        }
        change->log[change->log_count++] = (Booking){version, i, range->group};
    }
}

/* The new ranges take the place of the old ones, which change_run frees. */
static void replace_ranges(Directory *directory, Change *change)
{
    RangeList merged = {0};
    int fresh = 0;
    for (int i = 0; i < change->fresh.count; i++) {
        change->fresh.items[i]->sums = fresh_sums(change, i);
        change->fresh.items[i]->group = (RangeSums){0};
    }
    for (int i = 0; i < directory->ranges.count; i++) {
        Range *range = directory->ranges.items[i];
        for (; fresh < change->fresh.count; fresh++) {
            if (slice_compare(change->fresh.items[fresh]->start, range->start) > 0) break;
            range_list_push(&merged, change->fresh.items[fresh]);
        }
        if (range->change != change) range_list_push(&merged, range);
    }
    for (; fresh < change->fresh.count; fresh++) range_list_push(&merged, change->fresh.items[fresh]);
    free(directory->ranges.items);
    directory->ranges = merged;
    change->applied = true;
}

static void forget_group(Directory *directory)
{
    for (int i = 0; i < directory->touched.count; i++) {
        directory->touched.items[i]->touched = false;
        directory->touched.items[i]->group = (RangeSums){0};
    }
    for (int i = 0; directory->change && i < directory->change->fresh.count; i++)
        directory->change->fresh.items[i]->group = (RangeSums){0};
    directory->touched.count = 0;
    directory->step = FLUSH_IDLE;
    directory->applying = false;
    directory->last = NULL;
}

void directory_ended(void *argument, bool committed, uint64_t version)
{
    Directory *directory = argument;
    pthread_mutex_lock(&directory->mutex);
    if (committed) {
        for (int i = 0; i < directory->touched.count; i++)
            sums_add(&directory->touched.items[i]->sums, &directory->touched.items[i]->group);
        if (directory->applying) replace_ranges(directory, directory->change);
        else if (directory->change && !directory->change->applied) book(directory->change, version);
    }
    forget_group(directory);
    directory->in_group = false;
    pthread_cond_broadcast(&directory->gap);
    pthread_mutex_unlock(&directory->mutex);
}
