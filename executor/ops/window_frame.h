/* window_frame.h - one window function over the rows of one partition: its frames, and what it comes to for each row. */
#ifndef EXECUTOR_OPS_WINDOW_FRAME_H
#define EXECUTOR_OPS_WINDOW_FRAME_H

#include "executor/eval.h"
#include "executor/sorter.h"

typedef struct WindowCall {
    const ExprWindow *e;
    int args, partition, order;            /* places of the first value of each among a row's */
    int filter, start_offset, end_offset;  /* -1: none */
    const TypeDef **types;                 /* of a row's values */
    SorterKey *order_keys;
    AggCtx agg;
} WindowCall;

typedef struct WindowPartition {
    Value **rows;
    int count;
    int result; /* the place in a row that gets the function's value */
} WindowPartition;

/* types: of a row's values. Made once. */
void window_call_types(WindowCall *call, Exec *exec, const TypeDef **types);
bool window_same_partition(const WindowCall *call, const Value *a, const Value *b);
Status window_partition_run(WindowCall *call, WindowPartition *partition, Exec *exec, Arena *arena);

#endif
