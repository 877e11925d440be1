/* scan_reader.h - spans of an index to batches: what scan, skip scan and merge streams share.
 *
 * Batches start small and grow, so that a point look-up is cheap and a full scan is fast.
 */
#ifndef EXECUTOR_OPS_SCAN_READER_H
#define EXECUTOR_OPS_SCAN_READER_H

#include "executor/ops/key_spans.h"
#include "executor/ops/row_lock.h"

typedef struct ScanReader {
    Op *op;
    const PlanScan *plan;
    TableAccess *access;  /* NULL: not initialised */
    int *ordinals;        /* table columns read */
    int column_count;
    Value **vectors;      /* one per ordinal */
    Slice *keys;          /* primary keys, where wanted */
    bool want_keys;
    int key_column;       /* the output column that holds the primary key bytes; -1: none */
    Value *key_vector;
    Value **out;          /* as Batch.columns */
    int capacity, batch_rows;
    TableScan *scan;      /* NULL: no spans, or not started */
    bool keys_only;       /* the spans pin every column of the primary key */
    bool by_key;          /* each span of this run is one whole primary key: rows are fetched instead of scanned */
    KeySpanList spans;    /* by_key: those of this run */
    int next_span;
} ScanReader;

/* Do the templates pin every column of the primary key? Then each span is one key, or several neighbours joined. */
bool span_set_is_keys(const SpanSet *set);

/* Made once per operator, in exec->arena. */
void scan_reader_init(ScanReader *reader, Op *op, const PlanScan *plan);
/* limit_hint: rows probably wanted; 0: unknown. spans live in op->arena. */
Status scan_reader_start(ScanReader *reader, const KeySpanList *spans, uint64_t limit_hint);
/* The next rows; ST_END. wanted: at most so many, 0: as many as grow. */
Status scan_reader_next(ScanReader *reader, int wanted, Batch *batch);
void scan_reader_stop(ScanReader *reader);

#endif
