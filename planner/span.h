/* span.h - which part of an index a scan reads, as the planner knows it: templates over key columns.
 *
 * A SpanTemplate constrains a prefix of an index's key columns (IndexDesc.columns, then suffix): every part but the last
 * pins its column to a point or a list of points, the last may also be a range. Expressions in parts are constants,
 * parameters or columns of an enclosing query (lookup joins, apply); they have exactly the key column's type.
 * span_expand evaluates them into LogicalSpans: sorted in key order, disjoint, without duplicates. EXPLAIN prints those,
 * executor/ops encodes them into KeySpans.
 */
#ifndef PLANNER_SPAN_H
#define PLANNER_SPAN_H

#include "planner/expr.h"

typedef enum SpanPartKind {
    SPAN_POINTS,   /* = or IN: each of `values` (an array value's elements if `array`); a NULL among them matches nothing */
    SPAN_NULL,     /* IS NULL */
    SPAN_NOT_NULL, /* IS NOT NULL */
    SPAN_RANGE,    /* low and high, either may be NULL (open); never matches NULL */
    SPAN_COMPUTED  /* a bucket or hash code that follows from the later parts' chosen points: `computed` over key_columns */
} SpanPartKind;

typedef struct SpanPart {
    SpanPartKind kind;
    Expr **values;
    int value_count;
    bool array, or_null; /* or_null: SPAN_POINTS that also take NULL */
    Expr *low, *high;
    bool low_inclusive, high_inclusive;
    Expr *computed;
} SpanPart;

typedef struct SpanTemplate {
    SpanPart *parts;
    int part_count;
} SpanTemplate;

typedef struct SpanSet {
    const TableDesc *table;
    const IndexDesc *index;
    ColId *key_columns; /* the ColId of each key column in this scan, for SPAN_COMPUTED; one per key column */
    SpanTemplate *templates; /* a union; none: the whole index */
    int template_count;
    int first_column;     /* the key column that part 0 constrains: not 0 in a skip scan only */
    int separate_columns; /* spans are never joined across values of that many leading columns: merge streams */
    bool contradiction;   /* nothing can match: the scan is empty */
} SpanSet;

/* Values in key order. A bound with fewer values than the key covers all that start so. */
typedef struct LogicalSpan {
    Value *start, *end;
    int start_count, end_count; /* 0: from the first, to the last entry */
    bool start_inclusive, end_inclusive;
    bool start_after_null; /* the value behind the last start value is NOT NULL: skips the NULLs of that column */
    bool end_before_null;  /* the same for a descending column, where NULLs are last */
} LogicalSpan;

typedef Status (*SpanEval)(void *argument, Expr *e, Value *value, Error *err);

/* The key column types: one per part. Returns spans in key order (column directions respected). */
Status span_expand(const SpanSet *set, SpanEval eval, void *argument, LogicalSpan **spans, int *count, Arena *arena,
                   Error *err);
/* The i-th key column: its descriptor and direction. Suffix columns are ascending. */
const ColumnDesc *span_key_column(const TableDesc *table, const IndexDesc *index, int i, bool *descending);
int span_key_column_count(const IndexDesc *index);
/* Can it be expanded before the plan runs: do its parts depend on no row and no subquery? */
bool span_set_is_known(const SpanSet *set);
/* "[/1 - /5]" as EXPLAIN prints it. */
void span_print(const SpanSet *set, const LogicalSpan *span, Buf *out);
/* The same from the template, for values that are not known yet: "[/$1 - /$1]". */
void span_print_template(const SpanSet *set, const SpanTemplate *template, Buf *out, Arena *arena);
/* Constants only; fails with 0A000 on anything else. */
Status span_eval_constant(void *argument, Expr *e, Value *value, Error *err);

#endif
