/* The record of a range lies under /Meta2/<end key>; its value, big endian:
 *
 *   0      format, 2
 *   1      bit 0: fixed
 *   2..    id, sticky_until_us, key_count, key_bytes, value_bytes, placement (8 bytes each)
 *   50..   start key
 *
 * In format 1 the lease holder (4 bytes) stands in the place of the placement, and the start key at 46.
 */
#include <assert.h>
#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

enum { RECORD_FORMAT = 2, RECORD_FORMAT_NO_REPLICAS = 1, RECORD_PLACEMENT = 42, RECORD_FIXED = 1 };

Range *range_create(int64_t id, Slice start, Slice end)
{
    Range *range = calloc(1, sizeof *range + start.size + end.size);
    if (!range) abort();
    uint8_t *bytes = (uint8_t *)(range + 1);
    if (start.size) memcpy(bytes, start.data, start.size);
    memcpy(bytes + start.size, end.data, end.size);
    range->id = id;
    range->start = slice_of(bytes, start.size);
    range->end = slice_of(bytes + start.size, end.size);
    range->made_at_ns = clock_monotonic_ns();
    return range;
}

void range_destroy(Range *range)
{
    load_destroy(range->load);
    free(range);
}

void range_list_push(RangeList *list, Range *range)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->items = realloc(list->items, sizeof *list->items * (size_t)list->capacity);
        if (!list->items) abort();
    }
    list->items[list->count++] = range;
}

int range_list_find(const RangeList *list, Slice key)
{
    int low = 0, high = list->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (slice_compare(list->items[middle]->end, key) > 0) high = middle;
        else low = middle + 1;
    }
    return low;
}

void range_record(const Range *range, const RangeSums *sums, Buf *key, Buf *value)
{
    buf_clear(key);
    buf_clear(value);
    row_key_meta2(range->end, key);
    buf_put_u8(value, RECORD_FORMAT);
    buf_put_u8(value, range->fixed ? RECORD_FIXED : 0);
    buf_put_u64(value, (uint64_t)range->id);
    buf_put_u64(value, (uint64_t)range->sticky_until_us);
    buf_put_u64(value, (uint64_t)sums->keys);
    buf_put_u64(value, (uint64_t)sums->key_bytes);
    buf_put_u64(value, (uint64_t)sums->value_bytes);
    assert(value->size == RECORD_PLACEMENT);
    buf_put_u64(value, atomic_load_explicit(&range->placement, memory_order_relaxed));
    buf_put_slice(value, range->start);
}

Range *range_from_record(Slice key, Slice value)
{
    if (key.size < 2 || value.size < RECORD_PLACEMENT + 4) return NULL;
    int format = value.data[0];
    size_t start = RECORD_PLACEMENT + (format == RECORD_FORMAT ? 8 : 4);
    if ((format != RECORD_FORMAT && format != RECORD_FORMAT_NO_REPLICAS) || value.size < start) return NULL;
    const uint8_t *p = value.data + 2;
    Range *range = range_create((int64_t)load_u64(p), slice_of(value.data + start, value.size - start),
                                slice_of(key.data + 1, key.size - 1));
    range->fixed = (value.data[1] & RECORD_FIXED) != 0;
    range->sticky_until_us = (int64_t)load_u64(p + 8);
    range->sums = (RangeSums){(int64_t)load_u64(p + 16), (int64_t)load_u64(p + 24), (int64_t)load_u64(p + 32)};
    if (format == RECORD_FORMAT) atomic_store(&range->placement, load_u64(value.data + RECORD_PLACEMENT));
    return range;
}
