/* exec.h - one running statement: what its operators and expressions share. */
#ifndef EXECUTOR_OPS_EXEC_H
#define EXECUTOR_OPS_EXEC_H

#include "executor/ops/op.h"

struct Exec {
    Session *session;
    Txn *txn;
    Arena *arena;            /* lives as long as the portal */
    Error *err;              /* the one of the call in progress */
    const PlannedStmt *planned;
    const Value *params;     /* $1 ... */
    const TypeRef *param_types;
    Value **outer;           /* outer[ColId]: the value of that column in the enclosing row; NULL: not set */
    int outer_count;
    OpStats *stats;          /* by Plan.number */
    bool timing;             /* EXPLAIN ANALYZE: take time */
    int64_t rows_affected;   /* INSERT, UPDATE, DELETE */
    size_t work_mem_bytes;
    void *ctes;              /* materialised WITH queries by Cte.number */
};

#endif
