#include "storage/kv/lmdb_long_key.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "storage/base/buf.h"

enum { PREFIX_ROOM = LMDB_CHUNK + LMDB_LAYER_CHUNK * LMDB_LEVELS_MAX };

/* An entry's key as LMDB stores it. */
typedef struct RawKey {
    uint8_t bytes[LMDB_LINK_SIZE];
    size_t size;
} RawKey;

static size_t chunk_of(int depth)
{
    return depth ? LMDB_LAYER_CHUNK : LMDB_CHUNK;
}

static void id_write(uint64_t id, uint8_t out[LMDB_LAYER_ID])
{
    for (int i = 0; i < LMDB_LAYER_ID; i++) out[i] = (uint8_t)(id >> (56 - 8 * i));
}

/* What `rest` is stored under at a depth: the link of its chunk if it is longer than one. */
static MDB_val raw_key(RawKey *raw, int depth, uint64_t id, Slice rest)
{
    size_t chunk = chunk_of(depth), used = 0;
    bool link = rest.size > chunk;
    size_t size = link ? chunk : rest.size;
    if (depth) {
        id_write(id, raw->bytes);
        used = LMDB_LAYER_ID;
    }
    if (size) memcpy(raw->bytes + used, rest.data, size);
    raw->size = used + size;
    if (link) raw->bytes[raw->size++] = 0;
    assert(raw->size <= LMDB_LINK_SIZE);
    return (MDB_val){raw->size, raw->bytes};
}

/* ---- the cursor ---- */

int lmdb_cursor_open(LmdbCursor *cursor, MDB_txn *txn, MDB_dbi map, MDB_dbi layers)
{
    *cursor = (LmdbCursor){.txn = txn, .map = map, .layers = layers};
    int rc = mdb_cursor_open(txn, map, &cursor->levels[0]);
    cursor->renewed[0] = rc == 0;
    return rc;
}

int lmdb_cursor_renew(LmdbCursor *cursor, MDB_txn *txn)
{
    memset(cursor->renewed, 0, sizeof cursor->renewed);
    cursor->txn = txn;
    cursor->depth = 0;
    cursor->renewed[0] = true;
    return mdb_cursor_renew(txn, cursor->levels[0]);
}

void lmdb_cursor_close(LmdbCursor *cursor)
{
    for (int i = 0; i < LMDB_LEVELS_MAX; i++)
        if (cursor->levels[i]) mdb_cursor_close(cursor->levels[i]);
    free(cursor->prefix);
    *cursor = (LmdbCursor){0};
}

static int level_ready(LmdbCursor *cursor, int depth)
{
    int rc = 0;
    assert(depth > 0);
    if (depth >= LMDB_LEVELS_MAX) return MDB_CORRUPTED;
    if (!cursor->prefix) cursor->prefix = malloc(PREFIX_ROOM);
    if (!cursor->prefix) return ENOMEM;
    if (!cursor->levels[depth])
        rc = mdb_cursor_open(cursor->txn, cursor->layers, &cursor->levels[depth]);
    else if (!cursor->renewed[depth])
        rc = mdb_cursor_renew(cursor->txn, cursor->levels[depth]);
    cursor->renewed[depth] = rc == 0;
    return rc;
}

static size_t prefix_size(int depth)
{
    return depth ? LMDB_CHUNK + (size_t)LMDB_LAYER_CHUNK * (size_t)(depth - 1) : 0;
}

static bool on_link(const LmdbCursor *cursor)
{
    return cursor->key.mv_size == LMDB_LINK_SIZE;
}

/* Goes down the link that the cursor stands on; the new level's cursor has no position yet. */
static int push(LmdbCursor *cursor)
{
    int depth = cursor->depth + 1;
    int rc = level_ready(cursor, depth);
    if (rc) return rc;
    if (cursor->value.mv_size != LMDB_LAYER_ID) return MDB_CORRUPTED;
    size_t id_size = cursor->depth ? LMDB_LAYER_ID : 0;
    const uint8_t *raw = cursor->key.mv_data;
    memcpy(cursor->prefix + prefix_size(cursor->depth), raw + id_size, chunk_of(cursor->depth));
    cursor->ids[depth] = load_u64(cursor->value.mv_data);
    cursor->depth = depth;
    return 0;
}

static int step(LmdbCursor *cursor, MDB_cursor_op op)
{
    return mdb_cursor_get(cursor->levels[cursor->depth], &cursor->key, &cursor->value, op);
}

static bool in_layer(const LmdbCursor *cursor)
{
    if (!cursor->depth) return true;
    return cursor->key.mv_size > LMDB_LAYER_ID && load_u64(cursor->key.mv_data) == cursor->ids[cursor->depth];
}

/* SET_RANGE at the cursor's level. MDB_NOTFOUND: nothing in this layer. */
static int seek_raw(LmdbCursor *cursor, MDB_val raw)
{
    cursor->key = raw;
    int rc = step(cursor, raw.mv_size ? MDB_SET_RANGE : MDB_FIRST);
    return rc == 0 && !in_layer(cursor) ? MDB_NOTFOUND : rc;
}

int lmdb_cursor_enter_first(LmdbCursor *cursor)
{
    uint8_t id[LMDB_LAYER_ID];
    while (on_link(cursor)) {
        int rc = push(cursor);
        if (rc) return rc;
        id_write(cursor->ids[cursor->depth], id);
        rc = seek_raw(cursor, (MDB_val){sizeof id, id});
        if (rc) return rc == MDB_NOTFOUND ? MDB_CORRUPTED : rc;
    }
    return 0;
}

int lmdb_cursor_enter_last(LmdbCursor *cursor)
{
    uint8_t id[LMDB_LAYER_ID];
    while (on_link(cursor)) {
        int rc = push(cursor);
        if (rc) return rc;
        id_write(cursor->ids[cursor->depth] + 1, id);
        cursor->key = (MDB_val){sizeof id, id};
        rc = step(cursor, MDB_SET_RANGE);
        if (rc == 0) rc = step(cursor, MDB_PREV);
        else if (rc == MDB_NOTFOUND) rc = step(cursor, MDB_LAST);
        if (rc) return rc == MDB_NOTFOUND ? MDB_CORRUPTED : rc;
        if (!in_layer(cursor)) return MDB_CORRUPTED;
    }
    return 0;
}

int lmdb_cursor_next_any(LmdbCursor *cursor)
{
    for (;;) {
        int rc = step(cursor, MDB_NEXT);
        if (rc == 0 && in_layer(cursor)) return lmdb_cursor_enter_first(cursor);
        if (rc != 0 && rc != MDB_NOTFOUND) return rc;
        if (cursor->depth == 0) return MDB_NOTFOUND;
        cursor->depth--;
    }
}

int lmdb_cursor_previous_any(LmdbCursor *cursor)
{
    for (;;) {
        int rc = step(cursor, MDB_PREV);
        if (rc == 0 && in_layer(cursor)) return lmdb_cursor_enter_last(cursor);
        if (rc != 0 && rc != MDB_NOTFOUND) return rc;
        if (cursor->depth == 0) return MDB_NOTFOUND;
        cursor->depth--;
    }
}

int lmdb_cursor_last(LmdbCursor *cursor)
{
    cursor->depth = 0;
    int rc = step(cursor, MDB_LAST);
    return rc ? rc : lmdb_cursor_enter_last(cursor);
}

int lmdb_cursor_seek(LmdbCursor *cursor, Slice key)
{
    RawKey raw;
    Slice rest = key;
    cursor->depth = 0;
    for (;;) {
        MDB_val wanted = raw_key(&raw, cursor->depth, cursor->ids[cursor->depth], rest);
        int rc = seek_raw(cursor, wanted);
        if (rc == MDB_NOTFOUND && cursor->depth) {
            /* All of this layer is less; what follows its link is greater. */
            cursor->depth--;
            return lmdb_cursor_next_any(cursor);
        }
        if (rc) return rc;
        bool exact = cursor->key.mv_size == raw.size && memcmp(cursor->key.mv_data, raw.bytes, raw.size) == 0;
        if (rest.size <= chunk_of(cursor->depth) || !exact) return lmdb_cursor_enter_first(cursor);
        rest = slice_of(rest.data + chunk_of(cursor->depth), rest.size - chunk_of(cursor->depth));
        rc = push(cursor);
        if (rc) return rc;
    }
}

int lmdb_cursor_seek_before(LmdbCursor *cursor, Slice key)
{
    int rc = lmdb_cursor_seek(cursor, key);
    if (rc == 0) return lmdb_cursor_previous(cursor);
    return rc == MDB_NOTFOUND ? lmdb_cursor_last(cursor) : rc;
}

size_t lmdb_cursor_key_size(const LmdbCursor *cursor)
{
    return prefix_size(cursor->depth) + cursor->key.mv_size - (cursor->depth ? LMDB_LAYER_ID : 0);
}

Slice lmdb_cursor_key_copy(const LmdbCursor *cursor, uint8_t *out)
{
    size_t above = prefix_size(cursor->depth), id_size = cursor->depth ? LMDB_LAYER_ID : 0;
    if (above) memcpy(out, cursor->prefix, above);
    memcpy(out + above, (const uint8_t *)cursor->key.mv_data + id_size, cursor->key.mv_size - id_size);
    return slice_of(out, lmdb_cursor_key_size(cursor));
}

/* ---- single keys ---- */

typedef struct Path {
    int depth; /* of the entry of the whole key */
    uint64_t ids[LMDB_LEVELS_MAX];
    Slice rests[LMDB_LEVELS_MAX];
} Path;

static int layer_create(MDB_txn *txn, MDB_dbi layers, uint64_t *id)
{
    uint8_t zero[LMDB_LAYER_ID] = {0}, bytes[LMDB_LAYER_ID];
    MDB_val key = {sizeof zero, zero}, value;
    int rc = mdb_get(txn, layers, &key, &value);
    if (rc != 0 && rc != MDB_NOTFOUND) return rc;
    *id = (rc == 0 && value.mv_size == LMDB_LAYER_ID ? load_u64(value.mv_data) : 0) + 1;
    id_write(*id, bytes);
    value = (MDB_val){sizeof bytes, bytes};
    return mdb_put(txn, layers, &key, &value, 0);
}

/* Follows the links of a key down to the layer of its last piece, making those that are missing if `make`. */
static int path_follow(MDB_txn *txn, MDB_dbi map, MDB_dbi layers, Slice key, bool make, Path *path)
{
    RawKey raw;
    path->depth = 0;
    path->ids[0] = 0;
    path->rests[0] = key;
    while (path->rests[path->depth].size > chunk_of(path->depth)) {
        int d = path->depth;
        MDB_dbi tree = d ? layers : map;
        MDB_val link = raw_key(&raw, d, path->ids[d], path->rests[d]), value;
        if (d + 1 >= LMDB_LEVELS_MAX) return MDB_NOTFOUND;
        int rc = mdb_get(txn, tree, &link, &value);
        if (rc == 0 && value.mv_size != LMDB_LAYER_ID) return MDB_CORRUPTED;
        if (rc == 0) {
            path->ids[d + 1] = load_u64(value.mv_data);
        } else if (rc == MDB_NOTFOUND && make) {
            uint8_t bytes[LMDB_LAYER_ID];
            rc = layer_create(txn, layers, &path->ids[d + 1]);
            if (rc) return rc;
            id_write(path->ids[d + 1], bytes);
            value = (MDB_val){sizeof bytes, bytes};
            rc = mdb_put(txn, tree, &link, &value, 0);
        }
        if (rc) return rc;
        size_t chunk = chunk_of(d);
        path->rests[d + 1] = slice_of(path->rests[d].data + chunk, path->rests[d].size - chunk);
        path->depth++;
    }
    return 0;
}

int lmdb_long_get(MDB_txn *txn, MDB_dbi map, MDB_dbi layers, Slice key, MDB_val *value)
{
    Path path;
    RawKey raw;
    int rc = path_follow(txn, map, layers, key, false, &path);
    if (rc) return rc;
    MDB_val wanted = raw_key(&raw, path.depth, path.ids[path.depth], path.rests[path.depth]);
    return mdb_get(txn, path.depth ? layers : map, &wanted, value);
}

int lmdb_long_put(MDB_txn *txn, MDB_dbi map, MDB_dbi layers, Slice key, Slice value, int64_t *old_size)
{
    Path path;
    RawKey raw;
    int rc = path_follow(txn, map, layers, key, true, &path);
    if (rc) return rc;
    MDB_dbi tree = path.depth ? layers : map;
    MDB_val wanted = raw_key(&raw, path.depth, path.ids[path.depth], path.rests[path.depth]), stored;
    rc = mdb_get(txn, tree, &wanted, &stored);
    if (rc != 0 && rc != MDB_NOTFOUND) return rc;
    *old_size = rc == 0 ? (int64_t)stored.mv_size : -1;
    stored = (MDB_val){value.size, (void *)(uintptr_t)value.data};
    return mdb_put(txn, tree, &wanted, &stored, 0);
}

/* *empty: no entry has this layer id. */
static int layer_is_empty(MDB_txn *txn, MDB_dbi layers, uint64_t id, bool *empty)
{
    uint8_t bytes[LMDB_LAYER_ID];
    MDB_cursor *cursor;
    int rc = mdb_cursor_open(txn, layers, &cursor);
    if (rc) return rc;
    id_write(id, bytes);
    MDB_val key = {sizeof bytes, bytes}, value;
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    *empty = rc == MDB_NOTFOUND || (rc == 0 && (key.mv_size < LMDB_LAYER_ID || load_u64(key.mv_data) != id));
    mdb_cursor_close(cursor);
    return rc == MDB_NOTFOUND ? 0 : rc;
}

int lmdb_long_delete(MDB_txn *txn, MDB_dbi map, MDB_dbi layers, Slice key)
{
    Path path;
    RawKey raw;
    int rc = path_follow(txn, map, layers, key, false, &path);
    if (rc) return rc;
    for (int depth = path.depth;; depth--) {
        MDB_val entry = raw_key(&raw, depth, path.ids[depth], path.rests[depth]);
        rc = mdb_del(txn, depth ? layers : map, &entry, NULL);
        if (rc || depth == 0) return rc;
        bool empty;
        rc = layer_is_empty(txn, layers, path.ids[depth], &empty);
        if (rc || !empty) return rc;
    }
}
