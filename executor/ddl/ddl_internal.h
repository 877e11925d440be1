/* ddl_internal.h - what the statement families of executor/ddl share. */
#ifndef EXECUTOR_DDL_DDL_INTERNAL_H
#define EXECUTOR_DDL_DDL_INTERNAL_H

#include "executor/ddl/ddl.h"
#include "executor/ops/row_target.h"
#include "planner/session.h"
#include "planner/utility_ddl.h"
#include "planner/utility_keyspace.h"

static inline CatalogView *ddl_view(Exec *exec)
{
    return exec->session->catalog;
}

void ddl_notices(Exec *exec, const NoticeVec *notices);

/* ---- ddl.c: the families ---- */

Status ddl_create(Exec *exec, const UtilityCreate *u);
Status ddl_create_table(Exec *exec, const UtilityCreateTable *u);
Status ddl_create_table_as(Exec *exec, const UtilityCreateTableAs *u);
Status ddl_alter_table(Exec *exec, const UtilityAlterTable *u);
Status ddl_change(Exec *exec, const UtilityChange *u);
Status ddl_drop(Exec *exec, const UtilityDrop *u);
Status ddl_truncate(Exec *exec, const UtilityTruncate *u);
Status ddl_analyze(Exec *exec, const UtilityAnalyze *u);
Status ddl_split_at(Exec *exec, const UtilitySplitAt *u, Batch *rows);
Status ddl_unsplit_at(Exec *exec, const UtilitySplitAt *u, Batch *rows);
Status ddl_scatter(Exec *exec, const UtilityScatter *u, Batch *rows);
Status ddl_forecast(Exec *exec, const UtilityForecast *u, Batch *rows);
Status ddl_relocate(Exec *exec, const UtilityRelocate *u, Batch *rows);
Status ddl_relocate_range(Exec *exec, const UtilityRelocateRange *u, Batch *rows);
Status ddl_configure_zone(Exec *exec, const UtilityConfigureZone *u);

/* Raises the version of tables that new foreign keys refer to, so that who has an older catalog does not go on to change
 * their rows. before NULL: the table is new. */
Status ddl_note_referenced(Exec *exec, const TableDesc *before, const TableDesc *after);
/* What the owner's default privileges say of a new object. */
void ddl_apply_default_acl(Exec *exec, Desc *desc);
/* Puts views whose texts follow a renaming that is in the catalog already. 2BP01 if one cannot be bound any more. */
Status ddl_put_views(Exec *exec, const ViewChangeVec *views);
/* Puts the sequences that columns own, and their ids into the columns. */
Status ddl_put_table_sequences(Exec *exec, const OwnedSequenceVec *sequences, TableDesc *table);

/* ---- ddl_table_rows.c: rows of a table as DDL reads and writes them ---- */

/* Expressions of the descriptor's texts over fresh columns. */
Status ddl_write_target(Exec *exec, const TableDesc *table, WriteTarget **target);
/* Has a snapshot that sees all that was committed before the table's lock was had. 40001 where the isolation level
 * keeps an older one. */
Status ddl_fresh_snapshot(Exec *exec);
/* Calls each for every row of the table, all its columns filled, computed ones too. Values live until each returns. */
typedef Status (*DdlRowFn)(void *argument, Value *row, Arena *arena);
Status ddl_each_row(Exec *exec, const TableDesc *table, DdlRowFn each, void *argument);
Status ddl_backfill_index(Exec *exec, const TableDesc *table, uint32_t index_id);
Status ddl_rewrite(Exec *exec, const UtilityAlterTable *u, const TableDesc *after);
Status ddl_validate_check(Exec *exec, const TableDesc *table, uint32_t check_id);
Status ddl_validate_not_null(Exec *exec, const TableDesc *table, uint32_t column_id);

/* A nested query, run to its end. */
typedef Status (*DdlBatchFn)(void *argument, const Batch *batch);
Status ddl_run_query(Exec *exec, const PlannedStmt *query, DdlBatchFn each, void *argument);

/* ---- ddl_ranges.c ---- */

/* The starts of the indexes that `before` (NULL: the table is new) lacks, the table's own start and end, the splits. */
Status ddl_add_boundaries(Exec *exec, const TableDesc *before, const TableDesc *table, const IndexSplitVec *splits);
/* After the commit: forgets the boundaries of a table that is dropped, or those inside one of its indexes. */
void ddl_forget_table(Exec *exec, DescId table);
void ddl_forget_index(Exec *exec, DescId table, uint32_t index_id);

#endif
