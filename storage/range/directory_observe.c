/* The directory as the engine's observer: what each commit does to each range, written in the same commit. */
#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "storage/base/clock.h"
#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

static uint64_t thread_cpu_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Waits for a change that wants to begin, which takes no time but must not come in the middle of a group. */
static void group_begin(Directory *directory)
{
    pthread_mutex_lock(&directory->mutex);
    while (directory->waiting_for_gap) pthread_cond_wait(&directory->gap, &directory->mutex);
    directory->in_group = true;
    pthread_mutex_unlock(&directory->mutex);
    directory->last = NULL;
    directory->group_pairs = 0;
    directory->group_cpu_ns = atomic_load_explicit(&directory->accounting, memory_order_relaxed) ? thread_cpu_ns() : 0;
}

static uint64_t next_random(Directory *directory)
{
    directory->random ^= directory->random << 13;
    directory->random ^= directory->random >> 7;
    directory->random ^= directory->random << 17;
    return directory->random;
}

/* Counts the pair as work; the key stands for the group's writes of the range with the same chance as each other one. */
static void count_write(Directory *directory, Range *range, Slice key, int64_t new_size)
{
    GroupWrites *written = &range->written;
    written->pairs++;
    written->bytes += key.size + (uint64_t)(new_size > 0 ? new_size : 0);
    directory->group_pairs++;
    if (next_random(directory) % written->pairs) return;
    written->key_offset = directory->sampled_keys.size;
    written->key_size = key.size;
    buf_put_slice(&directory->sampled_keys, key);
}

void directory_changed(void *argument, Slice key, int64_t old_size, int64_t new_size)
{
    Directory *directory = argument;
    if (!directory->in_group) group_begin(directory);
    /* The directory's own records are not counted: they would never come to rest. */
    if (key.data[0] == ROW_KEY_META2) return;
    Range *range = directory->last;
    if (!range || !range_holds(range, key)) range = range_map_get(&directory->ranges, key);
    directory->last = range;
    if (!range->touched) {
        range->touched = true;
        range_list_push(&directory->touched, range);
    }
    int64_t keys = (new_size >= 0) - (old_size >= 0);
    RangeSums sums = {keys, keys * (int64_t)key.size, (new_size > 0 ? new_size : 0) - (old_size > 0 ? old_size : 0)};
    sums_add(&range->group, &sums);
    if (directory->group_cpu_ns && key.data[0] != ROW_KEY_SYSTEM) count_write(directory, range, key, new_size);
    if (!range->change) return;
    const RangeList *fresh = &range->change->fresh;
    Range *part = fresh->items[range_list_find(fresh, key)];
    sums_add(&part->group, &sums);
    if (part->touched) return;
    part->touched = true;
    range_list_push(&range->change->touched, part);
}

/* ---- flush ---- */

/* What was counted and what the log has behind the count. The group in flight is added where they are used. */
static void settle(Change *change)
{
    for (int i = 0; i < change->fresh.count; i++) change->settled[i] = change->fresh.items[i]->sums;
    for (int i = 0; i < change->log_count; i++)
        if (change->log[i].version > change->counted_version)
            sums_add(&change->settled[change->log[i].index], &change->log[i].sums);
}

static void flush_begin(Directory *directory)
{
    pthread_mutex_lock(&directory->mutex);
    directory->applying = directory->change && directory->change->ready && !directory->change->applied;
    pthread_mutex_unlock(&directory->mutex);
    if (directory->applying) settle(directory->change);
    directory->step = directory->applying ? FLUSH_DROP_OLD : FLUSH_PUT_TOUCHED;
    directory->position = 0;
}

/* Its record is overwritten. */
static bool ends_a_fresh_range(const Change *change, const Range *old)
{
    int index = range_list_find(&change->fresh, old->start);
    while (index < change->fresh.count && slice_compare(change->fresh.items[index]->end, old->end) < 0) index++;
    return index < change->fresh.count && slice_equal(change->fresh.items[index]->end, old->end);
}

static bool drop_old(Directory *directory, KvOp *op)
{
    Change *change = directory->change;
    while (directory->position < change->old.count) {
        const Range *range = change->old.items[directory->position++];
        if (ends_a_fresh_range(change, range)) continue;
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
    const Range *range = directory->change->fresh.items[index];
    RangeSums sums = directory->change->settled[index];
    sums_add(&sums, &range->group);
    *op = put_record(directory, range, &sums);
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
    for (int i = 0; i < change->touched.count; i++) {
        const Range *range = change->touched.items[i];
        if (change->log_count == change->log_capacity) {
            change->log_capacity = change->log_capacity ? change->log_capacity * 2 : 64;
            change->log = realloc(change->log, sizeof *change->log * (size_t)change->log_capacity);
            if (!change->log) abort();
        }
        change->log[change->log_count++] = (Booking){version, range_list_find(&change->fresh, range->start), range->group};
    }
}

/* The new ranges take the place of the old ones, which change_run frees. What has the same bounds keeps its load. */
static void replace_ranges(Directory *directory, Change *change)
{
    for (int i = 0; i < change->old.count; i++) topology_leave(directory, change->old.items[i]);
    for (int i = 0, old = 0; i < change->fresh.count; i++) {
        Range *range = change->fresh.items[i];
        sums_add(&change->settled[i], &range->group);
        range->sums = change->settled[i];
        range->group = (RangeSums){0};
        while (slice_compare(change->old.items[old]->end, range->start) <= 0) old++;
        Range *before = change->old.items[old];
        if (slice_equal(before->start, range->start) && slice_equal(before->end, range->end)) {
            range->load = before->load;
            before->load = NULL;
            if (before->sticky_until_us == range->sticky_until_us) range->made_at_ns = before->made_at_ns;
            /* The lease may have been moved in the meantime. */
            if (!change->placed) atomic_store(&range->placement, atomic_load(&before->placement));
        }
        topology_enter(directory, range);
    }
    range_map_replace(&directory->ranges, &change->old, &change->fresh);
    atomic_store(&directory->sizes_to_judge, true);
    atomic_store(&directory->replicas_to_judge, true);
    change->applied = true;
}

static void forget_group(Directory *directory)
{
    Change *change = directory->change;
    for (int i = 0; i < directory->touched.count; i++) {
        directory->touched.items[i]->touched = false;
        directory->touched.items[i]->group = (RangeSums){0};
        directory->touched.items[i]->written = (GroupWrites){0};
    }
    for (int i = 0; change && i < change->touched.count; i++) {
        change->touched.items[i]->touched = false;
        change->touched.items[i]->group = (RangeSums){0};
    }
    if (change) change->touched.count = 0;
    directory->touched.count = 0;
    directory->step = FLUSH_IDLE;
    directory->applying = false;
    directory->last = NULL;
    buf_clear(&directory->sampled_keys);
}

static void end_committed(Directory *directory, uint64_t version)
{
    int64_t least = atomic_load_explicit(&directory->bytes_max_least, memory_order_relaxed);
    bool large = false;
    if (directory->group_cpu_ns) directory_note_writes(directory, thread_cpu_ns() - directory->group_cpu_ns, clock_monotonic_ns());
    for (int i = 0; i < directory->touched.count; i++) {
        Range *range = directory->touched.items[i];
        sums_add(&range->sums, &range->group);
        large |= range_bytes(range) > least;
    }
    if (large) atomic_store_explicit(&directory->sizes_to_judge, true, memory_order_relaxed);
    if (directory->applying) replace_ranges(directory, directory->change);
    else if (directory->change && !directory->change->applied) book(directory->change, version);
}

void directory_ended(void *argument, bool committed, uint64_t version)
{
    Directory *directory = argument;
    pthread_mutex_lock(&directory->mutex);
    if (committed) end_committed(directory, version);
    forget_group(directory);
    directory->in_group = false;
    pthread_cond_broadcast(&directory->gap);
    pthread_mutex_unlock(&directory->mutex);
}
