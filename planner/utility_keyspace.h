/* utility_keyspace.h - bound statements about the key space: SPLIT AT, UNSPLIT AT, SCATTER. All return rows.
 *
 * They act outside the transaction: ROLLBACK does not undo a split.
 */
#ifndef PLANNER_UTILITY_KEYSPACE_H
#define PLANNER_UTILITY_KEYSPACE_H

#include "planner/plan.h"
#include "planner/utility.h"

/* UTILITY_SPLIT_AT, UTILITY_UNSPLIT_AT. The query's columns are the first key columns of the index, of exactly their types. */
typedef struct UtilitySplitAt {
    PlanUtility base;
    const TableDesc *table;
    const IndexDesc *index;
    PlannedStmt *query;
    bool all;         /* UNSPLIT ALL: no query */
    Expr *expiration; /* text, timestamp, decimal or interval; NULL: for ever */
} UtilitySplitAt;

/* UTILITY_SCATTER: the bounds are prefixes of the key. */
typedef struct UtilityScatter {
    PlanUtility base;
    const TableDesc *table;
    const IndexDesc *index;
    Expr **from, **to;
    int from_count, to_count;
} UtilityScatter;

#endif
