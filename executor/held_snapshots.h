/* held_snapshots.h - which sessions keep old pages of the store from being used again: rowkey.snapshots, and the log. */
#ifndef EXECUTOR_HELD_SNAPSHOTS_H
#define EXECUTOR_HELD_SNAPSHOTS_H

#include "executor/stmt_internal.h"

typedef struct SnapshotHolder {
    uint64_t session_id;
    const char *user;
    HeldSnapshot held;
    const ActivityView *now; /* what the session does */
} SnapshotHolder;

typedef VEC(SnapshotHolder) SnapshotHolderVec;

/* The sessions that hold a snapshot now, oldest first. */
void list_snapshot_holders(Server *server, SnapshotHolderVec *holders, Arena *arena);
const char *isolation_words(TxnIsolation isolation);

#endif
