/* utility_txn.h - transaction control, as bind_session.c hands it to the executor. */
#ifndef PLANNER_UTILITY_TXN_H
#define PLANNER_UTILITY_TXN_H

#include "planner/utility.h"

/* What BEGIN and SET TRANSACTION may say; `has` flags tell what was said. */
typedef struct TxnModes {
    bool has_isolation, has_read_only, has_deferrable;
    int isolation; /* ISOLATION_* of settings.h */
    bool read_only, deferrable;
} TxnModes;

typedef struct UtilityBegin { PlanUtility base; TxnModes modes; } UtilityBegin;              /* UTILITY_BEGIN */
typedef struct UtilityEnd { PlanUtility base; bool chain; } UtilityEnd;                      /* COMMIT, ROLLBACK */
typedef struct UtilitySavepoint { PlanUtility base; const char *name; } UtilitySavepoint;    /* SAVEPOINT, RELEASE, ROLLBACK_TO */
typedef struct UtilitySetTransaction {                                                       /* UTILITY_SET_TRANSACTION */
    PlanUtility base;
    bool of_session; /* SESSION CHARACTERISTICS: sets the default_transaction_* settings */
    TxnModes modes;
} UtilitySetTransaction;

/* UTILITY_SET_CONSTRAINTS. A constraint's number: a foreign key's id, or CONSTRAINT_OF_INDEX and an index's. */
#define CONSTRAINT_OF_INDEX UINT32_C(0x80000000)
typedef struct ConstraintRef {
    DescId table;
    uint32_t constraint;
} ConstraintRef;
typedef struct UtilitySetConstraints {
    PlanUtility base;
    bool all, deferred;
    VEC(ConstraintRef) constraints;
} UtilitySetConstraints;

#endif
