/* The record of a range lies under /Meta2/<end key>; its value, big endian:
 *
 *   0      format, 1
 *   1      bit 0: fixed
 *   2..    id, sticky_until_us, key_count, key_bytes, value_bytes (8 bytes each), lease_holder (4)
 *   46..   start key
 */
#include <assert.h>
#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

enum { RECORD_FORMAT = 1, RECORD_START_KEY = 46, RECORD_FIXED = 1 };

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
    range->lease_holder = 1;
    range->made_at_ns = clock_monotonic_ns();
    return range;
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
    int low = 0, high = list->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (slice_compare(list->items[middle]->end, key) > 0) high = middle;
        else low = middle + 1;
    }
    return low; /* /Max holds what lies behind it, too: nothing does */
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
    buf_put_u32(value, (uint32_t)range->lease_holder);
    assert(value->size == RECORD_START_KEY);
    buf_put_slice(value, range->start);
}

Range *range_from_record(Slice key, Slice value)
{
    if (key.size < 2 || value.size < RECORD_START_KEY || value.data[0] != RECORD_FORMAT) return NULL;
    const uint8_t *p = value.data + 2;
    Range *range = range_create((int64_t)load_u64(p), slice_of(value.data + RECORD_START_KEY, value.size - RECORD_START_KEY),
                                slice_of(key.data + 1, key.size - 1));
    range->fixed = (value.data[1] & RECORD_FIXED) != 0;
    range->sticky_until_us = (int64_t)load_u64(p + 8);
    range->sums = (RangeSums){(int64_t)load_u64(p + 16), (int64_t)load_u64(p + 24), (int64_t)load_u64(p + 32)};
    range->lease_holder = (int)load_u32(p + 40);
    return range;
}
