/* recent_commits.h - which keys changed lately: what a batch's `unchanged` spans are judged by.
 *
 * An ordered record from key to the version of its last commit, bounded in bytes. What falls out of it raises the floor:
 * a snapshot below the floor cannot be judged any more. Used by one thread at a time: the one that leads a commit group.
 */
#ifndef STORAGE_KV_RECENT_COMMITS_H
#define STORAGE_KV_RECENT_COMMITS_H

#include "storage/base/slice.h"
#include "storage/kv/kv.h"

typedef struct RecentCommits RecentCommits;

RecentCommits *recent_commits_create(size_t bytes_max, uint64_t floor);
void recent_commits_destroy(RecentCommits *recent); /* NULL is allowed */

/* A group begins that will have this version. While nobody holds a guard only groups of few keys are remembered; the end
 * of a larger one drops all that is known. Notes count for the later batches of the same group at once. */
void recent_commits_begin(RecentCommits *recent, uint64_t version, bool guarded);
void recent_commits_note(RecentCommits *recent, Slice key);
/* not committed: the notes since begin are taken back. */
void recent_commits_end(RecentCommits *recent, bool committed);

/* Whether the snapshot is too old to judge. */
bool recent_commits_too_old(const RecentCommits *recent, uint64_t snapshot_version);
/* Whether a key of the span was committed after the snapshot. */
bool recent_commits_changed(const RecentCommits *recent, const KvSpan *span, uint64_t snapshot_version);

#endif
