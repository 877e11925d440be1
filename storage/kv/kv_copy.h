/* kv_copy.h - a store as a file: copied while it is at work, and compacted while it is not.
 *
 * What is there under its name is whole: a copy is written under another one, synced, renamed, and the directory is
 * synced. A crash leaves the old state, or the new one, and perhaps a file `data.mdb.new`, which the next attempt
 * overwrites. SQLSTATEs: 53100 disk full, 58030 I/O error, 55000 the target is not empty, 55006 the store is in use.
 */
#ifndef STORAGE_KV_KV_COPY_H
#define STORAGE_KV_KV_COPY_H

#include "storage/kv/kv.h"

/* Writes a compact copy of the store, as of one commit point not before the call, into a directory that is empty or
 * does not exist yet; its parent exists. Reading and writing go on meanwhile. */
Status kv_copy_to(Kv *kv, const char *directory, uint64_t *bytes, Arena *arena, Error *err);
/* Puts a compact copy in the place of the file of a store that nobody has open. */
Status kv_compact(const char *directory, uint64_t *bytes_before, uint64_t *bytes_after, Arena *arena, Error *err);
/* Copies such a file, which kv_copy_to has written, into a directory that does not exist yet. */
Status kv_copy_file(const char *from, const char *directory, Arena *arena, Error *err);

#endif
