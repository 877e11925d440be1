/* range_rows.h - ranges with what printing their keys needs, for the relations that show them. */
#ifndef EXECUTOR_SYSTEM_RANGE_ROWS_H
#define EXECUTOR_SYSTEM_RANGE_ROWS_H

#include "executor/system/sys_row.h"
#include "storage/range/range.h"

typedef struct RangeRow {
    RangeDesc range;
    const CatalogView *view; /* tells the directions of key columns */
} RangeRow;

/* The ranges that overlap [start, end). */
int range_rows_list(SystemCtx *ctx, Slice start, Slice end, RangeRow **rows);
void range_row_find(SystemCtx *ctx, Slice key, RangeRow *row);

/* The key as people read it, without /Table and `skip` more parts; -1: whole. Descending columns print as they are. */
const char *range_key_text(const RangeRow *row, Slice key, int skip, Arena *arena);
/* The nodes that have a replica, and their localities: "simulated" where there are more than one. */
Status range_put_replicas(SysRow *r, const RangeDesc *range);
Status range_put_voters(SysRow *r, const RangeDesc *range);
Status range_put_non_voters(SysRow *r, const RangeDesc *range);
Status range_put_localities(SysRow *r, const RangeDesc *range);
const char *range_locality(const SystemCtx *ctx, int node);
Value range_enforced_until(const RangeDesc *range); /* NULL: not split by hand */
Status range_megabytes(TypeCtx *ctx, int64_t bytes, Value *out); /* numeric */
Status range_span_stats(TypeCtx *ctx, const RangeDesc *range, Value *out); /* jsonb */

/* The table and index that a key belongs to; one that ends behind the table's id is where its primary index begins. NULL:
 * none, and *index NULL where there is no such index. */
const TableDesc *range_key_table(const CatalogView *view, Slice key, const IndexDesc **index);
/* The table and index whose keys the range starts in; NULL where there is none. */
const TableDesc *range_table(const RangeRow *row, const IndexDesc **index);

#endif
