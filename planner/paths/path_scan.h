/* path_scan.h - one table under its conditions: candidates, the choice among them, and the plan of the one chosen. */
#ifndef PLANNER_PATHS_PATH_SCAN_H
#define PLANNER_PATHS_PATH_SCAN_H

#include "planner/paths/path.h"

/* ---- columns of an index (path_columns.c) ---- */

/* Does an entry hold the column's value? A virtual one that is no key column is held nowhere. */
bool index_holds(const TableDesc *table, const IndexDesc *index, int ordinal);
/* Held, or computable from what is. */
bool index_gives(const Source *source, const IndexDesc *index, int ordinal);
/* All of the expression's own columns given? */
bool index_gives_expr(const Source *source, const IndexDesc *index, const Expr *e);
/* Own columns that are not held replaced by the expressions that compute them. */
Expr *index_lower(const Source *source, const IndexDesc *index, Expr *e);
/* The ordinals to read so that the wanted columns (own ones of the set) can be given; ascending. */
void index_read_columns(const Source *source, const IndexDesc *index, const ColSet *wanted, IntVec *ordinals);
/* On top of a plan that reads those: a projection that computes the wanted virtual columns. */
Plan *path_compute_virtual(Paths *p, const Source *source, const IndexDesc *index, const ColSet *wanted, Plan *plan);
/* Appends the columns to a plan; ordinals has one entry per column, -1 for the key bytes. */
void path_add_ordinals(Paths *p, const Source *source, Plan *plan, const IntVec *ordinals);

/* ---- candidates (path_scan.c) ---- */

typedef struct Candidate {
    PlanKind kind; /* SCAN, SKIP_SCAN, MERGE_STREAMS */
    const IndexDesc *index;
    SpanChoice choice;
    SpanChoice prefix; /* SKIP_SCAN: what constrains the columns stepped over */
    bool covering, ordered, descending;
    int order_keys; /* of the wanted order: all of them if `ordered` */
    int skip_columns, stream_columns;
    double prefixes; /* one row of each of so many prefixes is read; 0: all rows */
    double seeks, rows_read, rows_fetched, rows_out; /* priced */
    double cost;
} Candidate;

typedef struct TablePath {
    Paths *p;
    Source *source;
    const Wanted *wanted;
    SpanCondition *conditions;
    double *shares;    /* selectivity of each */
    int count;
    bool *pinned;      /* per ordinal: has one value in all rows that count */
    bool *not_null;    /* per ordinal */
    bool *not_nan;     /* per ordinal: of float and numeric columns */
    Candidate best;
    bool found;
} TablePath;

/* A part of an index key: its columns from `from`, of which those up to `until` are enough to tell rows apart. */
typedef struct KeyPart {
    const IndexDesc *index;
    int from, until;
} KeyPart;
/* How many of the sort keys that part delivers (path_order_index.c). */
int path_index_order(const TablePath *t, const KeyPart *part, const SortKey *keys, int count, bool *descending);
/* How many rows of the candidate a LIMIT above will have read, whole segments of a partial order included; 0: all. */
double path_rows_needed(const TablePath *t, const Candidate *candidate);
/* Whether a partial index has all rows that the conditions let through; marks conditions that it guarantees. */
bool path_predicate_holds(const TablePath *t, const IndexDesc *index, bool *guaranteed);

/* Whether the table reference's `t@index` lets the index be used. */
bool path_hint_allows(const RelTable *rel, const IndexDesc *index);

/* Analyses the conjuncts and finds the best candidate over all indexes that the table reference allows. */
Status path_scan_choose(Paths *p, RelTable *rel, Expr **conjuncts, int count, const Wanted *wanted, TablePath *t);

/* Prices a candidate and keeps it if it is the best so far. */
void path_offer(TablePath *t, Candidate *candidate);
/* guaranteed: conditions that a partial index's predicate says. */
Candidate path_start_candidate(const TablePath *t, const IndexDesc *index, PlanKind kind, const SpanOptions *options,
                               const bool *guaranteed);

/* ---- prefixes of a key (path_distinct_scan.c) ---- */

/* How many values the first n columns of the key have together under the conditions; 0: not known. */
double path_prefix_count(const TablePath *t, const IndexDesc *index, int n);
/* Has the column one value in all rows that count? */
bool path_is_pinned(const TablePath *t, ColId column);
/* One row, or a few, of each prefix. */
void path_offer_distinct(TablePath *t, const IndexDesc *index, const bool *guaranteed);

/* ---- an order in pieces (path_segments.c) ---- */

/* Where keys and SQL put NULL (or NaN) at different ends: the values, the NaNs and the NULLs read one after the other, each
 * in index order, if that beats `best`; else *plan is NULL. */
Status path_segments(const TablePath *best, RelTable *rel, Expr **conjuncts, int count, Plan **plan);

/* ---- OR by several indexes (path_union.c) ---- */
Status path_union(const TablePath *best, RelTable *rel, Expr **conjuncts, int count, Plan **plan);

/* ---- the plan (path_scan_build.c) ---- */
Plan *path_scan_build(TablePath *t, const Candidate *candidate);

#endif
