/* forecast_model.h - ranges as they would come about: pairs in the order of their inserts, cut by size, on nodes.
 *
 * The first four fifths of the pairs build the ranges, each pair standing for `weight` of its kind, so that a sample shows
 * what a larger table is like; the rest only tells where the next inserts go. Then the ranges are placed on nodes as
 * rebalancing by load would have them in the end. No catalog, no store, no clock: the same
 * pairs give the same answer.
 */
#ifndef EXECUTOR_DDL_FORECAST_MODEL_H
#define EXECUTOR_DDL_FORECAST_MODEL_H

#include "storage/base/arena.h"
#include "storage/base/list.h"

typedef struct ForecastModel ForecastModel;

/* What is to be known of an index before its first pair. */
typedef struct ForecastIndex {
    Slice start;          /* of all its keys */
    const Slice *splits;  /* further range starts, sorted */
    int split_count;
    bool by_hash_code;    /* cut between hash codes only */
} ForecastIndex;

/* Everything is copied into the arena. */
ForecastModel *forecast_model_create(const ForecastIndex *indexes, int count, int nodes, Arena *arena);
/* One pair of a row; rows come in the order of their inserts, and all pairs of a row one after another. */
void forecast_model_add(ForecastModel *model, int index, int64_t row, Slice key, size_t value_size);
int64_t forecast_model_pairs(const ForecastModel *model);
/* rows: how many were given; weight: rows that each stands for. */
void forecast_model_run(ForecastModel *model, int64_t rows, double weight, double range_max_bytes);

/* Shares are of the last fifth of the inserts, 0..1. */
typedef struct ForecastSpread {
    int64_t ranges;       /* in the end */
    int nodes;            /* that hold one */
    int64_t ranges_written;
    double hottest_range, hottest_node;
    bool hottest_is_first, hottest_is_last;
    double ascending, descending; /* inserts above, below all keys before them */
    bool whole;           /* one is too large and cannot be cut */
    bool coarse;          /* too few pairs for their weight: ranges are a guess */
    double bytes;         /* of all pairs, weighted */
} ForecastSpread;
/* index -1: of the whole table, directions left out. */
ForecastSpread forecast_model_spread(const ForecastModel *model, int index);

#endif
