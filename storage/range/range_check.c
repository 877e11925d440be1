#include "storage/range/range_check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

typedef struct RangeCheck {
    KvSnapshot *snapshot;
    Findings *findings;
    RangeList ranges;
    bool whole; /* they cover all keys once: pairs can be counted */
    Arena *arena;
} RangeCheck;

static void complain(RangeCheck *check, Slice key, const char *problem)
{
    check->whole = false;
    finding_add(check->findings, &(Finding){.kind = "range", .key = key}, "%s", problem);
}

static const char *print(RangeCheck *check, Slice key)
{
    return key.size ? key_text(key, NULL, check->arena) : "/Min";
}

/* A range begins where the one before it ends. */
static void check_start(RangeCheck *check, Slice key, const Range *range)
{
    Slice end = {0};
    if (check->ranges.count) end = check->ranges.items[check->ranges.count - 1]->end;
    int order = slice_compare(range->start, end);
    if (order == 0 && slice_compare(range->start, range->end) < 0) return;
    complain(check, key,
             arena_printf(check->arena,
                          order > 0   ? "range r%" PRId64 " starts at %s: there is a gap behind %s"
                          : order < 0 ? "range r%" PRId64 " starts at %s and overlaps the one that ends at %s"
                                      : "range r%" PRId64 " starts at %s, where it ends; the one before ends at %s",
                          range->id, print(check, range->start), print(check, end)));
}

static Status read_records(RangeCheck *check, Error *err)
{
    KvScan *scan;
    KvBlock block;
    Status st;
    TRY(kv_scan_open(check->snapshot, SLICE_LIT("\x03"), SLICE_LIT("\x04"), false, 0, &scan, err));
    while ((st = kv_scan_next(scan, &block, err)) == ST_OK) {
        for (int i = 0; i < block.count; i++) {
            Range *range = range_from_record(block.pairs[i].key, block.pairs[i].value);
            if (!range) {
                complain(check, block.pairs[i].key, "the record of a range is damaged");
                continue;
            }
            check_start(check, block.pairs[i].key, range);
            range_list_push(&check->ranges, range);
        }
    }
    kv_scan_close(scan);
    return st == ST_END ? ST_OK : st;
}

static void check_end(RangeCheck *check)
{
    if (check->ranges.count == 0) {
        complain(check, (Slice){0}, "there is no record of a range");
        return;
    }
    const Range *last = check->ranges.items[check->ranges.count - 1];
    if (!slice_equal(last->end, ROW_KEY_MAX))
        complain(check, (Slice){0},
                 arena_printf(check->arena, "the last range, r%" PRId64 ", ends at %s: no range holds what lies behind",
                              last->id, print(check, last->end)));
}

static int compare_ids(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void check_ids(RangeCheck *check)
{
    int count = check->ranges.count;
    int64_t *ids = ARENA_ARRAY(check->arena, int64_t, count + 1);
    for (int i = 0; i < count; i++) ids[i] = check->ranges.items[i]->id;
    qsort(ids, (size_t)count, sizeof *ids, compare_ids);
    for (int i = 1; i < count; i++)
        if (ids[i] == ids[i - 1])
            complain(check, (Slice){0}, arena_printf(check->arena, "two ranges have the id r%" PRId64, ids[i]));
}

static bool in_known_area(Slice key)
{
    return key.data[0] == ROW_KEY_SYSTEM || (key.data[0] >= ROW_KEY_TABLE && key.data[0] < ROW_KEY_TABLE_END);
}

static void compare_counts(RangeCheck *check, const Range *range, const RangeSums *counted)
{
    const RangeSums *kept = &range->sums;
    if (kept->keys == counted->keys && kept->key_bytes == counted->key_bytes &&
        kept->value_bytes == counted->value_bytes)
        return;
    finding_add(check->findings, &(Finding){.kind = "range", .key = range->start},
                "range r%" PRId64 " counts %" PRId64 " keys, %" PRId64 " key bytes, %" PRId64
                " value bytes; it holds %" PRId64 ", %" PRId64 ", %" PRId64,
                range->id, kept->keys, kept->key_bytes, kept->value_bytes, counted->keys, counted->key_bytes,
                counted->value_bytes);
}

typedef struct Counting {
    int at; /* the range that the pairs at hand lie in */
    RangeSums sums;
} Counting;

static void count_pair(RangeCheck *check, Counting *counting, const KvPair *pair)
{
    if (pair->key.data[0] == ROW_KEY_META2) return; /* the directory's own are not counted */
    if (!in_known_area(pair->key))
        finding_add(check->findings, &(Finding){.kind = "range", .key = pair->key},
                    "a key outside every area of the map");
    while (counting->at + 1 < check->ranges.count &&
           slice_compare(pair->key, check->ranges.items[counting->at]->end) >= 0) {
        compare_counts(check, check->ranges.items[counting->at++], &counting->sums);
        counting->sums = (RangeSums){0};
    }
    sums_add(&counting->sums, &(RangeSums){1, (int64_t)pair->key.size, (int64_t)pair->value.size});
}

static Status count_pairs(RangeCheck *check, Error *err)
{
    KvScan *scan;
    KvBlock block;
    Counting counting = {0};
    Status st;
    TRY(kv_scan_open(check->snapshot, (Slice){0}, (Slice){0}, false, 0, &scan, err));
    while ((st = kv_scan_next(scan, &block, err)) == ST_OK) {
        for (int i = 0; i < block.count; i++) count_pair(check, &counting, &block.pairs[i]);
        st = findings_advance(check->findings, (uint64_t)block.count, err);
        if (st != ST_OK) break;
    }
    kv_scan_close(scan);
    if (st != ST_END) return st;
    for (; counting.at < check->ranges.count; counting.at++, counting.sums = (RangeSums){0})
        compare_counts(check, check->ranges.items[counting.at], &counting.sums);
    return ST_OK;
}

Status range_check(KvSnapshot *snapshot, Findings *findings, Error *err)
{
    RangeCheck check = {.snapshot = snapshot, .findings = findings, .whole = true, .arena = arena_create(NULL, 0)};
    Status st = read_records(&check, err);
    if (st == ST_OK) {
        check_end(&check);
        check_ids(&check);
        if (check.whole) st = count_pairs(&check, err);
    }
    for (int i = 0; i < check.ranges.count; i++) free(check.ranges.items[i]);
    free(check.ranges.items);
    arena_destroy(check.arena);
    return st;
}
