/* cost.h - what work costs, how many rows come out: estimates from live row counts and ANALYZE's statistics.
 *
 * Costs are in units of reading the next entry of a scan. Row counts are those of the range counters (exact); a small or
 * unknown table is priced as if it had ROWS_MIN rows, since a plan may outlive the emptiness it was made under and an
 * index look-up on a small table costs nothing anyway.
 */
#ifndef PLANNER_COST_COST_H
#define PLANNER_COST_COST_H

#include "planner/paths/span_build.h"
#include "planner/rel.h"
#include "planner/session.h"

/* One table reference of the statement, with what planning asks of it again and again. */
typedef struct Source {
    const RelTable *rel;
    const TableDesc *table;
    const TableStats *stats;
    SpanTable spans;         /* columns, computed expressions */
    Expr **predicates;       /* per index: of a partial one, over the columns; else NULL */
    double rows;             /* as counted */
    double rows_priced;      /* at least COST_ROWS_MIN */
    bool analyzed;
    ColId key_bytes;         /* column of the primary key bytes, where a parent wants them; 0 */
    bool locking;            /* lock the rows read */
    LockMode lock_mode;
    LockWait lock_wait;
} Source;

#define COST_ROWS_MIN 1000.0
#define COST_SEEK 3.0
#define COST_FETCH 5.0        /* one row through an index join */
#define COST_FILTER 0.02      /* one condition on one row */
#define COST_HASH_BUILD 1.0
#define COST_HASH_PROBE 0.5
#define COST_MERGE 0.2        /* one row of either side of a merge join */
#define COST_OUTPUT 0.05
#define COST_DISABLED 1e9     /* what enable_... = off adds */

Status source_create(Session *session, const RelTable *rel, Source **source, Arena *arena, Error *err);

/* Distinct values of a column, by ordinal, among rows_priced. */
double source_distinct(const Source *source, int ordinal);
/* Is that known, or a guess? */
bool source_distinct_known(const Source *source, int ordinal);
double source_null_fraction(const Source *source, int ordinal);

/* The share of rows that satisfy an analysed condition. */
double selectivity_condition(const Source *source, const SpanCondition *condition);
/* The share that one constraint of one column leaves. */
double selectivity_part(const Source *source, const SpanPair *pair);
/* Of an expression nothing is known about. */
double selectivity_guess(const Expr *e);
/* Upper bound of the rows that the conditions leave, where they pin a unique key; else INFINITY. */
double selectivity_unique_limit(const Source *source, const SpanCondition *conditions, int count);

/* Bytes of an entry, in units of a narrow one. */
double cost_width(const TableDesc *table, const IndexDesc *index);
double cost_sort(double rows, double limit /* 0: none */);
/* Spans that the set will expand to. */
double cost_span_count(const SpanSet *set);

#endif
