#include <assert.h>

#include "storage/base/clock.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"
#include "storage/table/row_decode.h"

/* The families beside 0 that a decoder reads, as indexes. */
static int wanted_families(const RowDecoder *decoder, int *families)
{
    int count = 1;
    families[0] = 0;
    for (int f = 1; f < decoder->family_count; f++)
        if (decoder->readers[f]) families[count++] = f;
    return count;
}

/* One key per row and family, rows first, so that they are sorted if the rows are. */
static Slice *pair_keys(const RowDecoder *decoder, const Slice *rows, int n, const int *families, int family_count,
                        Arena *arena)
{
    Slice *keys = ARENA_ARRAY(arena, Slice, n * family_count);
    Buf key = {0};
    for (int i = 0; i < n; i++) {
        for (int f = 0; f < family_count; f++) {
            buf_clear(&key);
            buf_put_slice(&key, rows[i]);
            row_key_family(decoder->access->families[families[f]].id, &key);
            keys[i * family_count + f] = arena_slice(arena, buf_slice(&key));
        }
    }
    buf_finish(&key);
    return keys;
}

typedef struct Pairs {
    Slice *keys, *values;
    bool *found;
    int count;
} Pairs;

/* The keys of one call may be far apart; each is a request of its own range. */
static void note_reads(RangeNotes *notes, const Pairs *pairs, uint64_t began_ns, Arena *arena)
{
    uint64_t each_ns = (clock_monotonic_ns() - began_ns) / (uint64_t)pairs->count;
    RangeRequest *gets = ARENA_ARRAY(arena, RangeRequest, pairs->count);
    for (int i = 0; i < pairs->count; i++)
        gets[i] = (RangeRequest){.start = pairs->keys[i], .pairs = pairs->found[i], .busy_ns = each_ns,
                                 .bytes = pairs->found[i] ? pairs->keys[i].size + pairs->values[i].size : 0};
    range_notes_add(notes, (RangeRequests){gets, pairs->count});
}

Status row_fetch(const TableAccess *access, Txn *txn, const Slice *keys, int n, const int *columns, int column_count,
                 Value **out, bool *found, Arena *arena, Error *err)
{
    if (n == 0) return ST_OK;
    RowDecoder *decoder = row_decoder_create(access, table_primary(access->table), columns, column_count, false, arena);
    int *families = ARENA_ARRAY(arena, int, access->family_count);
    int family_count = wanted_families(decoder, families), pair_count = n * family_count;
    Pairs pairs = {pair_keys(decoder, keys, n, families, family_count, arena), ARENA_ARRAY(arena, Slice, pair_count),
                   ARENA_ARRAY(arena, bool, pair_count), pair_count};
    RangeNotes *notes = txn_notes(txn);
    uint64_t began_ns = notes ? clock_monotonic_ns() : 0;
    TRY(txn_get_many(txn, pairs.keys, pair_count, pairs.found, pairs.values, err));
    if (notes) note_reads(notes, &pairs, began_ns, arena);
    for (int i = 0; i < n; i++) {
        int first = i * family_count;
        found[i] = pairs.found[first];
        RowPlace place = {out, i, arena};
        row_decode_absent(decoder, &place);
        if (!found[i]) continue;
        for (int f = 0; f < family_count; f++)
            if (pairs.found[first + f])
                TRY(row_decode(decoder, families[f], &(RowPair){pairs.keys[first + f], pairs.values[first + f]}, &place, err));
    }
    return ST_OK;
}

Status row_fetch_locked(const TableAccess *access, Txn *txn, Slice key, LockMode mode, LockWait wait, const int *columns,
                        int column_count, Value *out, bool *found, Arena *arena, Error *err)
{
    RowDecoder *decoder = row_decoder_create(access, table_primary(access->table), columns, column_count, false, arena);
    int *families = ARENA_ARRAY(arena, int, access->family_count);
    int family_count = wanted_families(decoder, families);
    Slice *pairs = pair_keys(decoder, &key, 1, families, family_count, arena);
    Value **rows = ARENA_ARRAY(arena, Value *, column_count + 1);
    bool waited;
    for (int c = 0; c < column_count; c++) rows[c] = &out[c];
    *found = false;
    TRY(txn_lock(txn, pairs[0], mode, wait, &waited, err));
    RowPlace place = {rows, 0, arena};
    row_decode_absent(decoder, &place);
    /* Family 0 tells whether there is a row. */
    for (int f = 0; f < family_count; f++) {
        Slice value;
        bool pair_found;
        TRY(txn_get_locked(txn, pairs[f], &pair_found, &value, err));
        if (f == 0) *found = pair_found;
        if (!*found) return ST_OK;
        if (!pair_found) continue;
        TRY(row_decode(decoder, families[f], &(RowPair){pairs[f], arena_slice(arena, value)}, &place, err));
    }
    return ST_OK;
}
