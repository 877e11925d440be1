/* lmdb_long_key.h - keys longer than LMDB takes (511 bytes), in their place in the order.
 *
 *   map     key of 1 to 510 bytes                        -> value
 *           first 510 bytes of a longer key, 00          -> layer id (8 bytes, big endian); always 511 bytes: a link
 *   layers  layer id (8), the next 1 to 502 bytes        -> value
 *           layer id (8), the next 502 bytes, 00         -> id of the layer below; 511 bytes
 *           00 00 00 00 00 00 00 00                      -> the layer id used last
 *
 * A link sorts behind the complete key of its 510 bytes and before all that is greater, and its whole layer belongs
 * there: depth-first order is the order of the logical keys. A layer is never empty after a commit.
 * Functions return LMDB's codes. The cursor costs ordinary keys one comparison of a length.
 */
#ifndef STORAGE_KV_LMDB_LONG_KEY_H
#define STORAGE_KV_LMDB_LONG_KEY_H

#include <lmdb.h>
#include <stdbool.h>

#include "storage/base/slice.h"

/* 8,192 bytes are 510 and 16 times 502; a bound may be a little longer than a key. */
enum { LMDB_CHUNK = 510, LMDB_LAYER_CHUNK = 502, LMDB_LINK_SIZE = 511, LMDB_LAYER_ID = 8, LMDB_LEVELS_MAX = 20 };

typedef struct LmdbCursor {
    MDB_txn *txn;
    MDB_dbi map, layers;
    int depth; /* 0: in the map */
    MDB_cursor *levels[LMDB_LEVELS_MAX];
    bool renewed[LMDB_LEVELS_MAX]; /* for txn */
    uint64_t ids[LMDB_LEVELS_MAX];
    MDB_val key, value; /* of the entry it stands on, as LMDB has it; never a link */
    uint8_t *prefix;    /* what the links above have taken off the key; room for a whole key */
} LmdbCursor;

/* In a read transaction that was renewed, lmdb_cursor_renew makes an old cursor usable again. */
int lmdb_cursor_open(LmdbCursor *cursor, MDB_txn *txn, MDB_dbi map, MDB_dbi layers);
int lmdb_cursor_renew(LmdbCursor *cursor, MDB_txn *txn);
void lmdb_cursor_close(LmdbCursor *cursor);

/* Each leaves the cursor on an entry or returns MDB_NOTFOUND. */
int lmdb_cursor_seek(LmdbCursor *cursor, Slice key);        /* the first >= key */
int lmdb_cursor_seek_before(LmdbCursor *cursor, Slice key); /* the last < key */
int lmdb_cursor_last(LmdbCursor *cursor);
int lmdb_cursor_next_any(LmdbCursor *cursor);
int lmdb_cursor_previous_any(LmdbCursor *cursor);
int lmdb_cursor_enter_first(LmdbCursor *cursor);
int lmdb_cursor_enter_last(LmdbCursor *cursor);

static inline int lmdb_cursor_next(LmdbCursor *cursor)
{
    if (cursor->depth) return lmdb_cursor_next_any(cursor);
    int rc = mdb_cursor_get(cursor->levels[0], &cursor->key, &cursor->value, MDB_NEXT);
    return rc == 0 && cursor->key.mv_size == LMDB_LINK_SIZE ? lmdb_cursor_enter_first(cursor) : rc;
}

static inline int lmdb_cursor_previous(LmdbCursor *cursor)
{
    if (cursor->depth) return lmdb_cursor_previous_any(cursor);
    int rc = mdb_cursor_get(cursor->levels[0], &cursor->key, &cursor->value, MDB_PREV);
    return rc == 0 && cursor->key.mv_size == LMDB_LINK_SIZE ? lmdb_cursor_enter_last(cursor) : rc;
}

size_t lmdb_cursor_key_size(const LmdbCursor *cursor);
/* The logical key in out, which has room for lmdb_cursor_key_size bytes. */
Slice lmdb_cursor_key_copy(const LmdbCursor *cursor, uint8_t *out);

/* Single keys of more than LMDB_CHUNK bytes. */
int lmdb_long_get(MDB_txn *txn, MDB_dbi map, MDB_dbi layers, Slice key, MDB_val *value);
/* *old_size: -1 if the key is new. */
int lmdb_long_put(MDB_txn *txn, MDB_dbi map, MDB_dbi layers, Slice key, Slice value, int64_t *old_size);
int lmdb_long_delete(MDB_txn *txn, MDB_dbi map, MDB_dbi layers, Slice key);

#endif
