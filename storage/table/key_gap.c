/* key_gap.c - writing rows whose keys come in order, without looking for each.
 *
 * Of each unique index the writer knows a gap: behind the last key that it wrote and before some later one there is
 * nothing, neither its transaction's nor committed. A key in the gap is free, which costs two comparisons. A commit of
 * others makes the rest of the gap to be looked at again: they may have put the key before its lock was had.
 */
#include "storage/table/row_writer.h"

enum { ASCENDING_MIN = 8, USES_MIN = 8, PENALTY_MAX = 4096 };

KeyGap *key_gaps_create(const TableAccess *access, Arena *arena)
{
    return ARENA_ARRAY(arena, KeyGap, access->index_count);
}

void key_gaps_finish(KeyGap *gaps, int count)
{
    for (int i = 0; i < count; i++) {
        buf_finish(&gaps[i].last);
        buf_finish(&gaps[i].end);
    }
}

/* Whatever others write into the transaction may lie in a gap. */
void key_gaps_begin_row(RowWriter *writer)
{
    if (writer->pairs_written == txn_counters(writer->txn)->pairs_written) return;
    for (int i = 0; i < writer->access->index_count; i++) writer->gaps[i].known = false;
}

static void wrote(KeyGap *gap, Slice key)
{
    if (slice_compare(key, buf_slice(&gap->last)) <= 0) return;
    buf_clear(&gap->last);
    buf_put_slice(&gap->last, key);
}

void key_gaps_end_row(RowWriter *writer)
{
    for (int i = 0; i < writer->access->index_count; i++) {
        const EncodedEntry *entry = &writer->after[i];
        if (entry->exists && writer->gaps[i].watched) wrote(&writer->gaps[i], buf_slice(&entry->key));
    }
    writer->pairs_written = txn_counters(writer->txn)->pairs_written;
}

static bool inside(const KeyGap *gap, Slice key)
{
    return slice_compare(key, buf_slice(&gap->last)) > 0 && slice_compare(key, buf_slice(&gap->end)) < 0;
}

/* Looks for the gap that begins at the key. Not known afterwards: the key is there. */
static Status gap_find(RowWriter *writer, int index, Slice key, Error *err)
{
    KeyGap *gap = &writer->gaps[index];
    Buf start = {0};
    index_span(writer->access->table->base.id, writer->access->indexes[index].index->id, &start, &gap->end);
    buf_finish(&start);
    TRY(txn_own_gap(writer->txn, key, &gap->end, err));
    TRY(txn_committed_gap(writer->txn, key, &gap->end, &gap->version, err));
    gap->known = !gap->end.failed && slice_compare(key, buf_slice(&gap->end)) < 0;
    gap->uses = 0;
    return ST_OK;
}

/* A search that was hardly used makes the next one wait for longer. */
static bool is_worth_a_search(KeyGap *gap, Slice key)
{
    bool ascending = gap->last.size && slice_compare(key, buf_slice(&gap->last)) > 0;
    if (gap->uses >= 0) {
        gap->penalty = gap->uses >= USES_MIN ? 0 : gap->penalty >= PENALTY_MAX / 2 ? PENALTY_MAX : gap->penalty * 2 + 1;
        gap->uses = -1;
        gap->ascending = 0;
    }
    if (!ascending) {
        buf_clear(&gap->last);
        gap->ascending = 0;
        return false;
    }
    return ++gap->ascending > ASCENDING_MIN + gap->penalty;
}

Status key_gap_covers(RowWriter *writer, int index, Slice key, bool *covers, Error *err)
{
    KeyGap *gap = &writer->gaps[index];
    *covers = false;
    if (txn_options(writer->txn)->isolation != TXN_READ_COMMITTED) return ST_OK;
    if (!gap->watched) {
        gap->watched = true;
        gap->uses = -1;
    }
    if (gap->known && inside(gap, key)) {
        if (gap->version != store_version(txn_store(writer->txn)))
            TRY(txn_committed_gap(writer->txn, key, &gap->end, &gap->version, err));
        gap->known = slice_compare(key, buf_slice(&gap->end)) < 0;
    } else {
        gap->known = false;
        if (is_worth_a_search(gap, key)) TRY(gap_find(writer, index, key, err));
    }
    *covers = gap->known;
    if (gap->known) gap->uses++;
    return ST_OK;
}
