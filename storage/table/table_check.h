/* table_check.h - do a table's rows decode, do they keep their constraints, and does every index agree with them?
 *
 * Reads under the transaction's snapshot, in bounded memory: every row, from which its keys and entries are computed
 * anew and looked up; then every index, whose entries are counted. Only where there are more than the rows account for
 * is each entry traced back to its row. ST_ERROR: the check could not be made.
 */
#ifndef STORAGE_TABLE_TABLE_CHECK_H
#define STORAGE_TABLE_TABLE_CHECK_H

#include "storage/base/finding.h"
#include "storage/table/row.h"

typedef struct TableCheck {
    const char *database; /* for the findings */
    /* Fills the computed columns of a row that was read, and says whether each index holds it (in_predicate[i]). With
     * `where` it also reports broken constraints. ST_ERROR: some expression cannot be computed for this row. */
    Status (*row)(void *argument, Value *row, bool *in_predicate, const Finding *where, Error *err);
    void *argument;
} TableCheck;

Status table_check(const TableAccess *access, Txn *txn, const TableCheck *how, Findings *findings, Error *err);

#endif
