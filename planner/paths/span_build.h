/* span_build.h - from the conjuncts over one table to the spans of one of its indexes.
 *
 * Each conjunct is analysed once (span_analyse): it becomes a union of terms, a term being a list of column constraints.
 * For each index span_choose multiplies the terms of all conjuncts out, cuts each product to the part of the key it pins,
 * fills in leading columns whose values are derived (buckets, hash codes), and says which conjuncts the spans guarantee:
 * those need no filter. All memory is in SpanTable.arena.
 */
#ifndef PLANNER_PATHS_SPAN_BUILD_H
#define PLANNER_PATHS_SPAN_BUILD_H

#include "planner/span.h"

typedef struct RelColumn RelColumn;

typedef struct SpanTable {
    const TableDesc *table;
    const ColId *columns;   /* per ordinal */
    Expr *const *computed;  /* per ordinal: the computed expression over those columns; NULL where there is none */
    Expr *const *spelled;   /* the same where it reads other computed columns: with their expressions in place. NULL: none */
    const SpanPart *checked;  /* per ordinal: the values that a CHECK allows; no values: not known. NULL: none at all */
    const TypeEnv *env;
    ColSet own;             /* the same columns as a set */
    Arena *arena;
} SpanTable;

typedef struct SpanPair {
    int ordinal;
    SpanPart part;
} SpanPair;

typedef VEC(SpanPair) SpanPairs;

/* tight: the pairs say all that the condition does; else rows they let through must be filtered. */
typedef struct SpanTerm {
    SpanPairs pairs;
    bool tight;
} SpanTerm;

typedef struct SpanCondition {
    Expr *expr;
    bool usable; /* has terms; none of them: it can never be true */
    VEC(SpanTerm) terms;
} SpanCondition;

void span_analyse(const SpanTable *table, Expr *conjunct, SpanCondition *condition);

typedef struct SpanOptions {
    int first_column; /* skip scan: the leading columns left free */
    int column_count; /* no columns behind these are looked at; 0: all are */
    bool streams;     /* derive leading values even if nothing behind them is constrained */
} SpanOptions;

typedef struct SpanChoice {
    SpanSet set;
    bool *enforced;    /* per condition: no filter needed */
    int prefix;        /* key columns constrained by every template */
    bool *used;        /* per condition: it narrows the spans */
} SpanChoice;

void span_choose(const SpanTable *table, const IndexDesc *index, const SpanCondition *conditions, int count,
                 const SpanOptions *options, SpanChoice *choice);

/* ---- pieces, shared by the files of the family ---- */

typedef enum CombineResult {
    COMBINE_EXACT,    /* *part is the intersection */
    COMBINE_KEPT,     /* *part holds more than the intersection: what it was before is kept, `other` must be filtered */
    COMBINE_REPLACED, /* *part is now `other`: what it was before must be filtered */
    COMBINE_EMPTY
} CombineResult;
/* Narrows *part by another constraint of the same column. */
CombineResult span_combine(const TypeDef *type, SpanPart *part, const SpanPart *other, Arena *arena);
/* A range with both bounds constant that holds nothing. */
bool span_range_is_empty(const TypeDef *type, const SpanPart *part);
bool span_part_is_constant(const SpanPart *part);

/* The order of two non-NULL values in an ascending key: SQL's, but for NaN, which keys put first. */
int span_value_compare(const TypeDef *type, Value a, Value b);
bool span_value_is_nan(const TypeDef *type, Value value);

/* Whether ranges of this type mean the same in key order as in SQL's order. */
bool span_type_ranges(const TypeDef *type);
/* Whether equal values have equal keys. */
bool span_type_points(const TypeDef *type);

/* The values a column can have without looking, as SPAN_POINTS: buckets, yb_hash_code(x) % n, bool. False: not known. */
bool span_domain(const SpanTable *table, int ordinal, SpanPart *part);
/* The ordinals that the column's computed expression reads. False if it is not computed. */
bool span_inputs(const SpanTable *table, int ordinal, IntVec *inputs);
/* The same; true only where the column has one value wherever the inputs have equal ones (but for 0 and -0). */
bool span_follows(const SpanTable *table, int ordinal, IntVec *inputs);

#endif
