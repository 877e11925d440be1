/* utility_keyspace.h - bound statements about the key space: SPLIT AT, UNSPLIT AT, SCATTER. All return rows.
 *
 * They act outside the transaction: ROLLBACK does not undo a split.
 */
#ifndef PLANNER_UTILITY_KEYSPACE_H
#define PLANNER_UTILITY_KEYSPACE_H

#include "planner/plan.h"
#include "planner/utility_ddl.h"

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

/* Where the values of a column that the query does not give come from. */
typedef enum ForecastSource {
    FORECAST_DEFAULT,   /* its DEFAULT, evaluated; NULL without one */
    FORECAST_GIVEN,     /* the query */
    FORECAST_SEQUENCE, FORECAST_ROW_ID, FORECAST_ROW_ID_REVERSED,
    FORECAST_CLOCK,     /* one row a millisecond */
    FORECAST_UUID_RANDOM, FORECAST_UUID_V7
} ForecastSource;

/* UTILITY_FORECAST: a table that is not made, and rows in the order of their inserts. */
typedef struct UtilityForecast {
    PlanUtility base;
    const TableDesc *draft;
    OwnedSequenceVec sequences;
    IndexSplitVec splits;
    ForecastSource *sources; /* per column */
    PlannedStmt *query;      /* its columns have the types of the table's */
    int *ordinals;           /* of the query's columns */
    int64_t nodes, rows, range_max_bytes; /* 0: not said */
} UtilityForecast;

/* UTILITY_RELOCATE: the query's first column is a node (LEASE) or an array of nodes, the others are as for SPLIT AT. */
typedef struct UtilityRelocate {
    PlanUtility base;
    const TableDesc *table;
    const IndexDesc *index;
    PlannedStmt *query;
    bool lease, non_voters; /* else voters */
} UtilityRelocate;

/* UTILITY_RELOCATE_RANGE: ALTER RANGE; the ranges are one id, or a query's first column. */
typedef struct UtilityRelocateRange {
    PlanUtility base;
    Expr *range_id; /* NULL: the query */
    PlannedStmt *query;
    bool lease, non_voters;
    Expr *from, *to; /* nodes; from NULL with LEASE */
} UtilityRelocateRange;

/* UTILITY_CONFIGURE_ZONE */
typedef struct ZoneAssignment {
    const char *variable;
    Expr *value; /* int8 or text; NULL: COPY FROM PARENT */
} ZoneAssignment;
typedef struct UtilityConfigureZone {
    PlanUtility base;
    char kind; /* d database, t table, i index; RANGE: r default, m meta, s system, l liveness, e timeseries */
    DescId id;
    uint32_t index_id;
    bool discard;
    VEC(ZoneAssignment) assignments;
} UtilityConfigureZone;

#endif
