#include "storage/catalog/catalog_internal.h"

#include <stdio.h>

#include "storage/base/clock.h"
#include "storage/catalog/catalog_store.h"
#include "storage/kv/kv.h"

/* A sequence's record is the last value that may have been handed out: `used` (1 byte), value (8 bytes big endian).
 * Values are handed out from memory up to the recorded one; before going further the record is moved ahead by a block
 * and made durable. So a crash skips at most a block and never hands out a value twice; a clean stop skips nothing.
 * Blocks grow while they are used up quickly, to keep a busy sequence from syncing often. */

enum { BLOCK_FIRST = 32, BLOCK_MAX = 8192, BLOCK_QUICK_NS = 200 * 1000 * 1000 };

typedef struct SequenceState {
    DescId id;
    pthread_mutex_t mutex; /* guards the rest; held while the record is written, so that one block is taken at a time */
    bool loaded;
    int64_t last;      /* the newest value handed out, or the start value if `used` is false */
    bool used;
    int64_t recorded;  /* what the record says */
    bool recorded_used;
    int64_t increment; /* by which the block was taken */
    int64_t block;
    uint64_t block_taken_ns;
} SequenceState;

struct SequenceCache {
    Arena *arena;
    pthread_mutex_t mutex; /* guards states and the arena; taken before no other lock */
    Map states;            /* by id */
};

SequenceCache *sequence_cache_create(Arena *arena)
{
    SequenceCache *cache = ARENA_NEW(arena, SequenceCache);
    cache->arena = arena;
    pthread_mutex_init(&cache->mutex, NULL);
    return cache;
}

static SequenceState *state_of(Catalog *catalog, DescId id)
{
    SequenceCache *cache = catalog->sequences;
    pthread_mutex_lock(&cache->mutex);
    SequenceState *state = map_get(&cache->states, slice_of(&id, sizeof id));
    if (!state) {
        state = ARENA_NEW(cache->arena, SequenceState);
        state->id = id;
        state->block = BLOCK_FIRST;
        pthread_mutex_init(&state->mutex, NULL);
        map_put(&cache->states, cache->arena, slice_of(&state->id, sizeof state->id), state);
    }
    pthread_mutex_unlock(&cache->mutex);
    return state;
}

static Status load_record(Catalog *catalog, SequenceState *state, int64_t start, Error *err)
{
    KvSnapshot *snapshot;
    TRY(kv_snapshot_open(store_kv(catalog->store), &snapshot, err));
    Buf key = {0};
    store_key_sequence(state->id, &key);
    Slice at = buf_slice(&key), value;
    bool found;
    Status st = kv_get_many(snapshot, &at, 1, &found, &value, err);
    if (st == ST_OK) {
        bool whole = found && value.size == 9;
        state->used = whole && value.data[0];
        state->last = whole ? (int64_t)load_u64(value.data + 1) : start;
        state->recorded = state->last;
        state->recorded_used = state->used;
        state->loaded = true;
    }
    buf_finish(&key);
    kv_snapshot_close(snapshot);
    return st;
}

static Status write_record(Catalog *catalog, SequenceState *state, int64_t value, bool used, Error *err)
{
    Buf key = {0}, record = {0};
    store_key_sequence(state->id, &key);
    buf_put_u8(&record, used);
    buf_put_u64(&record, (uint64_t)value);
    uint64_t version;
    KvOp op = {.kind = KV_PUT, .key = buf_slice(&key), .value = buf_slice(&record)};
    KvOutcome outcome = kv_commit_ops(store_kv(catalog->store), &op, 1, &version, err);
    buf_finish(&key);
    buf_finish(&record);
    if (outcome == KV_CONFLICT || outcome == KV_TOO_OLD)
        return fail_literal(err, ERR_SERIALIZATION_FAILURE, "could not advance the sequence");
    if (outcome != KV_COMMITTED) return ST_ERROR;
    state->recorded = value;
    state->recorded_used = used;
    return ST_OK;
}

/* The caller gives no arena; the text lives until the thread's next such error. */
static Status limit_reached(const SequenceDesc *s, Error *err)
{
    static _Thread_local char text[192];
    bool up = s->increment > 0;
    snprintf(text, sizeof text, "nextval: reached %s value of sequence \"%s\" (%lld)", up ? "maximum" : "minimum",
             s->base.name, (long long)(up ? s->maximum : s->minimum));
    return fail_literal(err, ERR_SEQUENCE_GENERATOR_LIMIT_EXCEEDED, text);
}

/* The value after `last`, without regard to cycling; false if there is none. */
static bool step(const SequenceDesc *s, int64_t last, int64_t *next)
{
    if (__builtin_add_overflow(last, s->increment, next)) return false;
    return *next >= s->minimum && *next <= s->maximum;
}

/* The last value of a block that starts at `first`: as many steps as fit between the bounds. */
static int64_t block_end(const SequenceDesc *s, int64_t first, int64_t block)
{
    __int128 end = (__int128)first + (__int128)s->increment * (block - 1);
    __int128 bound = s->increment > 0 ? s->maximum : s->minimum;
    if (s->increment > 0 ? end <= bound : end >= bound) return (int64_t)end;
    return (int64_t)((__int128)first + (bound - first) / s->increment * s->increment);
}

Status sequence_after(const SequenceDesc *s, int64_t last, int64_t *next, Error *err)
{
    if (step(s, last, next)) return ST_OK;
    if (!s->cycle) return limit_reached(s, err);
    *next = s->increment > 0 ? s->minimum : s->maximum;
    return ST_OK;
}

static bool is_covered(const SequenceState *state, const SequenceDesc *s, int64_t value)
{
    if (!state->recorded_used || state->increment != s->increment) return false;
    return s->increment > 0 ? value <= state->recorded : value >= state->recorded;
}

static Status take(Catalog *catalog, SequenceState *state, const SequenceDesc *s, int64_t *value, Error *err)
{
    if (!state->loaded) TRY(load_record(catalog, state, s->start, err));
    int64_t next = state->last;
    bool wrapped = false;
    if (state->used && !step(s, state->last, &next)) {
        if (!s->cycle) return limit_reached(s, err);
        next = s->increment > 0 ? s->minimum : s->maximum;
        wrapped = true;
    }
    if (wrapped || !is_covered(state, s, next)) {
        uint64_t now = clock_monotonic_ns();
        if (now - state->block_taken_ns < BLOCK_QUICK_NS && state->block < BLOCK_MAX) state->block *= 2;
        state->block_taken_ns = now;
        TRY(write_record(catalog, state, block_end(s, next, state->block), true, err));
        state->increment = s->increment;
    }
    state->last = next;
    state->used = true;
    *value = next;
    return ST_OK;
}

Status sequence_next(Catalog *catalog, const SequenceDesc *sequence, int64_t *value, Error *err)
{
    SequenceState *state = state_of(catalog, sequence->base.id);
    pthread_mutex_lock(&state->mutex);
    Status st = take(catalog, state, sequence, value, err);
    pthread_mutex_unlock(&state->mutex);
    return st;
}

Status sequence_set(Catalog *catalog, const SequenceDesc *sequence, int64_t value, bool is_called, Error *err)
{
    SequenceState *state = state_of(catalog, sequence->base.id);
    pthread_mutex_lock(&state->mutex);
    Status st = write_record(catalog, state, value, is_called, err);
    if (st == ST_OK) {
        state->last = value;
        state->used = is_called;
        state->loaded = true;
        state->block = BLOCK_FIRST;
    }
    pthread_mutex_unlock(&state->mutex);
    return st;
}

Status sequence_read(Catalog *catalog, const SequenceDesc *sequence, int64_t *last_value, bool *is_called, Error *err)
{
    SequenceState *state = state_of(catalog, sequence->base.id);
    pthread_mutex_lock(&state->mutex);
    Status st = state->loaded ? ST_OK : load_record(catalog, state, sequence->start, err);
    *last_value = state->last;
    *is_called = state->used;
    pthread_mutex_unlock(&state->mutex);
    return st;
}

/* Ids of descriptors come from a sequence that no descriptor describes. */
Status sequence_next_id(Catalog *catalog, int64_t *value, Error *err)
{
    static const SequenceDesc ids = {.base.id = TABLE_IDS, .start = DESC_ID_FIRST_USER, .increment = 1,
                                     .minimum = DESC_ID_FIRST_USER, .maximum = INT32_MAX};
    return sequence_next(catalog, &ids, value, err);
}

void sequence_cache_close(Catalog *catalog)
{
    SequenceCache *cache = catalog->sequences;
    for (size_t i = 0; i < cache->states.slot_count; i++) {
        SequenceState *state = cache->states.slots[i].value;
        if (!state) continue;
        bool exists = state->id == TABLE_IDS || snapshot_find_id(catalog->current, state->id);
        Error ignored; /* the record then stays ahead, which costs values but repeats none */
        if (exists && state->loaded && (state->last != state->recorded || state->used != state->recorded_used))
            if (write_record(catalog, state, state->last, state->used, &ignored) != ST_OK) state->loaded = false;
        pthread_mutex_destroy(&state->mutex);
    }
    pthread_mutex_destroy(&cache->mutex);
}
