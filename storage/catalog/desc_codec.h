/* desc_codec.h - descriptors as the bytes of their catalog record.
 *
 *   record := version (1 byte) kind (1 byte) fields...
 *
 * Numbers are LEB128 (signed ones zigzag), texts a length plus one (0: NULL) and bytes, lists a count and items. A new
 * field is appended behind a check of the record's version, so older records stay readable; writing is always in the
 * newest version. What is read lives in the arena. A record that cannot be read is XX001.
 */
#ifndef STORAGE_CATALOG_DESC_CODEC_H
#define STORAGE_CATALOG_DESC_CODEC_H

#include "storage/catalog/catalog.h"

enum { DESC_CODEC_VERSION = 7 };

/* An index OID has the top bit, 21 bits of the table's id and 10 of the index's. */
enum { INDEX_OID_BITS = 10, INDEX_OID_TABLES = 1 << 21 };

void desc_encode(const Desc *desc, Buf *out);
MUST_USE Status desc_decode(Slice bytes, Arena *arena, Desc **desc, Error *err);
/* A deep copy in the arena. */
Desc *desc_copy(const Desc *desc, Arena *arena);

/* reps[i]: how the values of the i-th ColumnStats are held. */
void stats_encode(const TableStats *stats, const TypeRep *reps, Buf *out);
MUST_USE Status stats_decode(Slice bytes, Arena *arena, TableStats **stats, Error *err);

#endif
