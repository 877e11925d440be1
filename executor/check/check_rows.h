/* check_rows.h - one table's part of a check: its expressions, its constraints, its rows. Inside executor/check. */
#ifndef EXECUTOR_CHECK_CHECK_ROWS_H
#define EXECUTOR_CHECK_CHECK_ROWS_H

#include "executor/stmt_internal.h"
#include "storage/base/finding.h"
#include "storage/catalog/catalog_check.h"
#include "storage/table/row.h"

typedef struct CheckRun {
    Session *session; /* expressions are planned in it; its transaction is another one */
    Txn *txn;         /* what is read */
    const CheckedCatalog *catalog;
    Findings *findings;
} CheckRun;

Status check_table_rows(CheckRun *run, const TableDesc *table, Error *err);

/* ---- check_foreign_key.c ---- */

typedef struct ForeignKeyCheck {
    const ForeignKeyDesc *key;
    TableAccess *referenced;
    const IndexDesc *index; /* a unique one over just the referenced columns */
    int *ordinals;          /* per key column of the index: the column of the referring table */
    int column_count;
} ForeignKeyCheck;
/* For each foreign key of the table that can be looked up; *count of them. */
ForeignKeyCheck *foreign_key_checks(const CheckRun *run, const TableDesc *table, int *count, Arena *arena);
/* *problem: what is wrong with the row, in the arena; NULL: nothing. */
Status foreign_key_check(const CheckRun *run, const ForeignKeyCheck *check, const Value *row, const char **problem,
                         Arena *arena, Error *err);

#endif
