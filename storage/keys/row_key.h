/* row_key.h - where a row lies in the map.
 *
 *   /Table/<table>/<index>/<column>/.../<family>
 *
 *   table, index   uvarint ascending (ordered.h); 106/1 is f2 89
 *   columns        the index's key columns, each in its own direction, then - in entries of a secondary index that are
 *                  not unique by themselves - the primary key's remaining columns, ascending
 *   family         0: the byte 88. Others: uvarint(family), then 88 + the length of that uvarint, so that the last byte
 *                  says how much to cut off to get the row: 1 is 89 89, 200 is f6 c8 8a
 *
 * All pairs of a row share the key up to the family, which is why boundaries of ranges are keys without it.
 * Other areas: empty is /Min, 02.. /Meta1, 03.. /Meta2 (range directory), 04.. /System, 88..fa /Table, ff ff /Max.
 * The functions append to `out`. Any thread.
 */
#ifndef STORAGE_KEYS_ROW_KEY_H
#define STORAGE_KEYS_ROW_KEY_H

#include "storage/base/buf.h"

enum {
    ROW_KEY_META1 = 0x02, ROW_KEY_META2 = 0x03, ROW_KEY_SYSTEM = 0x04, ROW_KEY_SYSTEM_END = 0x05,
    ROW_KEY_TABLE = 0x88, ROW_KEY_TABLE_END = 0xfa, ROW_KEY_FAMILY_ZERO = 0x88
};

#define ROW_KEY_MAX SLICE_LIT("\xff\xff") /* behind every key */

void row_key_table_prefix(uint32_t table_id, Buf *out);
void row_key_index_prefix(uint32_t table_id, uint32_t index_id, Buf *out);
void row_key_family(uint32_t family, Buf *out);

/* Takes table and index id off the front. false: no key of an index. */
bool row_key_take_prefix(Slice *key, uint32_t *table_id, uint32_t *index_id);

/* Cuts the family off a whole key. false: the key is too short to end in one, or not in the tables' area. */
bool row_key_split(Slice key, Slice *row, uint32_t *family);

/* The smallest key behind all that start with `prefix`; ff ff for the empty one, unchanged if all bytes are ff. */
void row_key_prefix_end(Slice prefix, Buf *out);

/* Where a range record lies whose range ends at end_key, and where to look for the range that holds a key: the first
 * record behind that place. */
void row_key_meta2(Slice end_key, Buf *out);

#endif
