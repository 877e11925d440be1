/* redo_read.c - reading through the tables in memory to LMDB. */
#include <assert.h>
#include <stdlib.h>

#include "storage/kv/redo_internal.h"

enum { TABLES = 2 };

/* ---- single keys ---- */

static MemFound tables_get(const RedoSnapshot *snapshot, Slice key, Slice *value)
{
    MemFound found = mem_table_get(snapshot->active, key, snapshot->base.version, value);
    if (found == MEM_NOTHING && snapshot->frozen) found = mem_table_get(snapshot->frozen, key, snapshot->base.version, value);
    return found;
}

static bool tables_are_empty(const RedoSnapshot *snapshot)
{
    return mem_table_is_empty(snapshot->active) && !snapshot->frozen;
}

static Status get_one(RedoSnapshot *snapshot, const Slice *key, bool *found, Slice *value, Error *err)
{
    MemFound known = tables_get(snapshot, *key, value);
    if (known == MEM_NOTHING) return kv_get_many(snapshot->lower, key, 1, found, value, err);
    *found = known == MEM_VALUE;
    if (!*found) *value = (Slice){0};
    return ST_OK;
}

Status redo_get_many(KvSnapshot *base, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    RedoSnapshot *snapshot = (RedoSnapshot *)base;
    assert(snapshot->active);
    if (n == 1) return get_one(snapshot, keys, found, values, err);
    TRY(kv_get_many(snapshot->lower, keys, n, found, values, err));
    if (tables_are_empty(snapshot)) return ST_OK;
    for (int i = 0; i < n; i++) {
        Slice value;
        MemFound known = tables_get(snapshot, keys[i], &value);
        if (known == MEM_NOTHING) continue;
        found[i] = known == MEM_VALUE;
        values[i] = found[i] ? value : (Slice){0};
    }
    return ST_OK;
}

/* ---- scans ---- */

/* The next pair of a table that the scan has not passed. */
typedef struct TableCursor {
    const MemNode *node; /* NULL: nothing is left in the span */
    MemFound found;
    Slice key, value;
} TableCursor;

struct RedoScan {
    KvScan base;
    RedoScan *next; /* among the idle ones of its snapshot */
    KvScan *lower;
    KvBlock block; /* of LMDB */
    int at;        /* in the block */
    bool lower_ended, descending;
    TableCursor tables[TABLES]; /* active, frozen */
    KvSpan span;
    Buf bounds; /* what span points into */
    int rows, rows_max;
    KvPair *pairs;
    int pairs_max;
};

static int scan_order(const RedoScan *scan, Slice a, Slice b)
{
    int order = slice_compare(a, b);
    return scan->descending ? -order : order;
}

/* Goes on from the cursor's node to one that the snapshot sees. */
static void cursor_settle(const RedoScan *scan, TableCursor *cursor)
{
    for (; cursor->node; cursor->node = scan->descending ? mem_node_previous(cursor->node) : mem_node_next(cursor->node)) {
        cursor->key = mem_node_key(cursor->node);
        if (!kv_span_holds(&scan->span, cursor->key)) break;
        cursor->found = mem_node_read(cursor->node, scan->base.snapshot->version, &cursor->value);
        if (cursor->found != MEM_NOTHING) return;
    }
    cursor->node = NULL;
}

static void cursor_step(const RedoScan *scan, TableCursor *cursor)
{
    cursor->node = scan->descending ? mem_node_previous(cursor->node) : mem_node_next(cursor->node);
    cursor_settle(scan, cursor);
}

/* target: where to begin, in the span. */
static void cursors_position(RedoScan *scan, Slice target)
{
    const RedoSnapshot *snapshot = (const RedoSnapshot *)scan->base.snapshot;
    const MemTable *tables[TABLES] = {snapshot->active, snapshot->frozen};
    for (int i = 0; i < TABLES; i++) {
        scan->tables[i] = (TableCursor){0};
        if (!tables[i] || mem_table_is_empty(tables[i])) continue;
        scan->tables[i].node = scan->descending ? mem_table_seek_before(tables[i], target) : mem_table_seek(tables[i], target);
        cursor_settle(scan, &scan->tables[i]);
    }
}

static RedoScan *scan_create(RedoSnapshot *snapshot)
{
    RedoScan *scan = snapshot->scans_idle;
    if (scan)
        snapshot->scans_idle = scan->next;
    else
        scan = calloc(1, sizeof *scan);
    if (!scan) return NULL;
    scan->base.snapshot = &snapshot->base;
    scan->block = (KvBlock){0};
    scan->at = 0;
    scan->lower_ended = false;
    return scan;
}

static void scan_destroy(RedoScan *scan)
{
    buf_finish(&scan->bounds);
    free(scan->pairs);
    free(scan);
}

void redo_scans_destroy(RedoSnapshot *snapshot)
{
    for (RedoScan *scan = snapshot->scans_idle, *next; scan; scan = next) {
        next = scan->next;
        scan_destroy(scan);
    }
    snapshot->scans_idle = NULL;
}

static bool bounds_set(RedoScan *scan, const KvSpan *span)
{
    buf_clear(&scan->bounds);
    buf_put_slice(&scan->bounds, span->start);
    buf_put_slice(&scan->bounds, span->end);
    scan->span.start = slice_of(scan->bounds.data, span->start.size);
    scan->span.end = slice_of(span->end.size ? scan->bounds.data + span->start.size : NULL, span->end.size);
    return !scan->bounds.failed;
}

Status redo_scan_open(KvSnapshot *base, const KvSpan *span, bool descending, int rows_max, KvScan **out, Error *err)
{
    RedoSnapshot *snapshot = (RedoSnapshot *)base;
    assert(snapshot->active);
    RedoScan *scan = scan_create(snapshot);
    if (!scan) return err_no_memory(err);
    Status status = bounds_set(scan, span) ? ST_OK : err_no_memory(err);
    if (status == ST_OK) status = kv_scan_open(snapshot->lower, span->start, span->end, descending, rows_max, &scan->lower, err);
    if (status != ST_OK) {
        scan_destroy(scan);
        return status;
    }
    scan->descending = descending;
    scan->rows_max = rows_max;
    scan->rows = rows_max < KV_BLOCK_ROWS_FIRST ? rows_max : KV_BLOCK_ROWS_FIRST;
    cursors_position(scan, descending ? scan->span.end : scan->span.start);
    snapshot->scans_open++;
    *out = &scan->base;
    return ST_OK;
}

void redo_scan_close(KvScan *base)
{
    RedoScan *scan = (RedoScan *)base;
    RedoSnapshot *snapshot = (RedoSnapshot *)base->snapshot;
    assert(snapshot->scans_open > 0);
    kv_scan_close(scan->lower);
    snapshot->scans_open--;
    scan->next = snapshot->scans_idle;
    snapshot->scans_idle = scan;
}

Status redo_scan_seek(KvScan *base, Slice key, Error *err)
{
    RedoScan *scan = (RedoScan *)base;
    TRY(kv_scan_seek(scan->lower, key, err));
    scan->block = (KvBlock){0};
    scan->at = 0;
    scan->lower_ended = false;
    scan->rows = scan->rows_max < KV_BLOCK_ROWS_FIRST ? scan->rows_max : KV_BLOCK_ROWS_FIRST;
    bool before_start = slice_compare(key, scan->span.start) < 0;
    bool behind_end = scan->span.end.size && slice_compare(key, scan->span.end) > 0;
    Slice target = key;
    if (before_start && !scan->descending) target = scan->span.start;
    if (behind_end && scan->descending) target = scan->span.end;
    cursors_position(scan, target);
    /* Nothing lies before the empty key, which a seek backwards in a table takes for the end. */
    if (scan->descending && (before_start || !target.size))
        for (int i = 0; i < TABLES; i++) scan->tables[i].node = NULL;
    return ST_OK;
}

static bool pairs_room(RedoScan *scan)
{
    if (scan->rows <= scan->pairs_max) return true;
    KvPair *pairs = realloc(scan->pairs, sizeof *pairs * (size_t)scan->rows);
    if (!pairs) return false;
    scan->pairs = pairs;
    scan->pairs_max = scan->rows;
    return true;
}

static Status lower_fill(RedoScan *scan, Error *err)
{
    if (scan->lower_ended || scan->at < scan->block.count) return ST_OK;
    Status status = kv_scan_next(scan->lower, &scan->block, err);
    scan->at = 0;
    scan->lower_ended = status == ST_END;
    if (status != ST_OK) scan->block = (KvBlock){0};
    return status == ST_END ? ST_OK : status;
}

/* Whether all that is left of LMDB's block comes before what the tables have. */
static bool lower_alone(const RedoScan *scan)
{
    if (scan->at == scan->block.count) return false;
    Slice last = scan->block.pairs[scan->block.count - 1].key;
    for (int i = 0; i < TABLES; i++)
        if (scan->tables[i].node && scan_order(scan, scan->tables[i].key, last) <= 0) return false;
    return true;
}

/* The table whose pair is next, the active one if both have it; then the frozen one's is passed over. */
static TableCursor *table_first(RedoScan *scan)
{
    TableCursor *active = &scan->tables[0], *frozen = &scan->tables[1];
    if (!frozen->node) return active->node ? active : NULL;
    if (!active->node) return frozen;
    int order = scan_order(scan, active->key, frozen->key);
    if (order == 0) cursor_step(scan, frozen);
    return order <= 0 ? active : frozen;
}

/* A block of pairs from all, as long as this block of LMDB lasts: its bytes go when the next is fetched. */
static void merge(RedoScan *scan, KvBlock *block)
{
    while (block->count < scan->rows && (scan->at < scan->block.count || scan->lower_ended)) {
        TableCursor *table = table_first(scan);
        const KvPair *lower = scan->at < scan->block.count ? &scan->block.pairs[scan->at] : NULL;
        if (!table && !lower) return;
        int order = !table ? 1 : !lower ? -1 : scan_order(scan, table->key, lower->key);
        if (order >= 0) scan->at++;
        if (order > 0) {
            scan->pairs[block->count++] = *lower;
            continue;
        }
        if (table->found == MEM_VALUE) scan->pairs[block->count++] = (KvPair){table->key, table->value};
        cursor_step(scan, table);
    }
}

Status redo_scan_next(KvScan *base, KvBlock *block, Error *err)
{
    RedoScan *scan = (RedoScan *)base;
    if (!pairs_room(scan)) return err_no_memory(err);
    *block = (KvBlock){scan->pairs, 0};
    for (;;) {
        TRY(lower_fill(scan, err));
        if (lower_alone(scan)) {
            *block = (KvBlock){scan->block.pairs + scan->at, scan->block.count - scan->at};
            scan->at = scan->block.count;
            return ST_OK;
        }
        merge(scan, block);
        if (block->count) break;
        if (scan->lower_ended && !scan->tables[0].node && !scan->tables[1].node) return ST_END;
    }
    scan->rows = scan->rows * 2 < scan->rows_max ? scan->rows * 2 : scan->rows_max;
    return ST_OK;
}
