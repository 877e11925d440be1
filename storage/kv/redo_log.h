/* redo_log.h - the files in which commits become durable before they reach LMDB.
 *
 * Two files, "redo.0" and "redo.1", are used in turn; each holds one segment, numbered without gaps. Bytes of an older
 * segment that was in the file before are told from the segment's own by the checksums, which begin with a random salt.
 *
 *   segment  "rowkeyL1", number (8), salt (8), version before its first record (8), CRC-32C (4); at 512: records
 *   record   CRC-32C of what follows, begun with the CRC of the record before (4); size of the body (4); version (8); body
 *   body     pairs: kind (1: 1 put, 2 delete), key size (2), value size (4), key, value
 *
 * Numbers are big endian. Files are filled with zeros ahead of the records, so that a sync writes no metadata.
 * Functions return 0 or an errno code. One thread at a time, but for redo_log_sync and redo_log_bytes.
 */
#ifndef STORAGE_KV_REDO_LOG_H
#define STORAGE_KV_REDO_LOG_H

#include "storage/base/buf.h"

typedef struct RedoLog RedoLog;

/* How far a store has come: segments up to and with `segment`, and all commits up to `version`. */
typedef struct RedoPosition {
    uint64_t segment, version;
} RedoPosition;

Status redo_log_open(const char *directory, bool no_sync, RedoLog **log, Arena *arena, Error *err);
void redo_log_close(RedoLog *log); /* the files stay; NULL is allowed */
void redo_log_remove(RedoLog *log);

/* ---- recovery ---- */

typedef bool (*RedoPairTaker)(void *argument, uint64_t version, Slice key, const Slice *value); /* NULL: deleted */
/* Hands on, in order, the pairs of all segments behind the position, which they continue, and moves it to the end. A last
 * record that was written in part is left out. XX001: the segments are not what was written. */
Status redo_log_recover(RedoLog *log, RedoPosition *position, RedoPairTaker take, void *argument, Arena *arena, Error *err);

/* ---- writing ---- */

/* What follows goes into this segment, in the place of the last but one. Its first record continues version. */
void redo_log_start(RedoLog *log, uint64_t segment, uint64_t version);

void redo_record_begin(Buf *record);
void redo_record_put(Buf *record, Slice key, const Slice *value); /* value NULL: deleted */
bool redo_record_is_empty(const Buf *record);
/* Has the segment a place on the disk? One that has none may not be counted: recovery would miss it. */
bool redo_log_is_started(const RedoLog *log);
/* Writes the record. When this fails, it is as if it had not been called. */
int redo_log_append(RedoLog *log, Buf *record, uint64_t version);
/* Makes what was appended durable. When this fails, nobody knows what is on the disk. Any thread. */
int redo_log_sync(RedoLog *log);

uint64_t redo_log_bytes(const RedoLog *log); /* of the files */
uint64_t redo_log_syncs(const RedoLog *log);

/* For tests: the n-th write or sync from now fails so (0: none). A short write leaves half of the bytes; a full disk stays
 * full for all writes that follow, or for those that make a file longer. */
typedef enum RedoFault {
    REDO_FAULT_WRITE,
    REDO_FAULT_SHORT_WRITE,
    REDO_FAULT_DISK_FULL,
    REDO_FAULT_SYNC,
    REDO_FAULT_NO_GROWTH
} RedoFault;
void redo_log_fault_arm(RedoLog *log, uint64_t n, RedoFault fault);

#endif
