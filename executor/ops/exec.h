/* exec.h - one running statement: what its operators and expressions share.
 *
 * An Exec outlives one run: a prepared statement keeps its operator tree and programs and runs them again with other
 * parameters and another transaction (exec_start). Everything in `arena` stays for all runs.
 */
#ifndef EXECUTOR_OPS_EXEC_H
#define EXECUTOR_OPS_EXEC_H

#include "executor/ops/op.h"

typedef struct CteBuffer CteBuffer; /* op_cte.h */
struct ConstraintRun;               /* constraint/fk.h */

struct Exec {
    Session *session;
    Txn *txn;
    Arena *arena;            /* lives as long as the operator tree */
    Error *err;              /* the one of the call in progress */
    const PlannedStmt *planned;
    const Value *params;     /* $1 ... */
    const TypeRef *param_types;
    Value **outer;           /* outer[ColId]: the value of that column in the enclosing row; NULL: not set */
    int outer_count;
    OpStats *stats;          /* by Plan.number */
    bool timing;             /* EXPLAIN ANALYZE: take time */
    int64_t rows_affected;   /* INSERT, UPDATE, DELETE */
    const Plan *main_plan;   /* the one whose rows the tag counts */
    size_t work_mem_bytes;
    const char *temp_directory; /* for what exceeds work_mem; NULL: the system's */
    CteBuffer **ctes;        /* materialised WITH queries by Cte.number */
    int cte_count;
    bool retry_statement;    /* a row was changed by another transaction after the snapshot: run again with a new one */
    struct ConstraintRun *constraints; /* what has yet to be checked when the statement has ended; NULL: nothing */
    uint64_t run;            /* grows with each start: parameters and uncorrelated subqueries are read anew */
};

/* An Exec over a plan; nothing runs before exec_start. */
Exec *exec_create(Session *session, const PlannedStmt *planned, Arena *arena);
/* Sets what differs from run to run. params must stay valid until the next start. */
void exec_start(Exec *exec, Txn *txn, const Value *params, Error *err);
/* Room for outer[column]; returns the place. */
Value **exec_outer(Exec *exec, ColId column);
const TypeEnv *exec_type_env(const Exec *exec);
/* The type's row; types of users' own are held and compared as their physical bytes. */
const TypeDef *exec_type(Oid oid);

#endif
