/* key_spans.h - a scan's span templates to the key bytes that it reads. */
#ifndef EXECUTOR_OPS_KEY_SPANS_H
#define EXECUTOR_OPS_KEY_SPANS_H

#include "executor/ops/exec.h"
#include "storage/table/row.h"

typedef struct KeySpanList {
    KeySpan *spans; /* sorted, disjoint */
    int count;
    bool single; /* each holds all keys of one prefix: neighbouring points may have been joined into a range */
} KeySpanList;

/* Evaluates the templates under the Exec's parameters and outer row. Everything lives in the arena. */
Status key_spans_expand(Exec *exec, const TableAccess *access, const SpanSet *set, KeySpanList *list, Arena *arena);
/* One logical span's bytes. */
Status key_span_encode(Exec *exec, const TableAccess *access, const IndexDesc *index, const LogicalSpan *span,
                       KeySpan *out, Arena *arena);
/* The first key behind all that start with `prefix`. */
Slice key_prefix_end(Slice prefix, Arena *arena);
/* Books the ranges that the spans touch; only while EXPLAIN ANALYZE runs. */
void key_spans_count_ranges(Op *op, const KeySpanList *list);
/* Books the nodes that are asked for these rows of one batch, one request each; likewise. */
void key_spans_count_hops(Op *op, const Slice *keys, int count);
/* SpanEval for span_expand and plan_print; argument: the Exec, results in its arena. */
Status key_spans_eval(void *argument, Expr *e, Value *value, Error *err);

#endif
