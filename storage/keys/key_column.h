/* key_column.h - SQL values in keys: from a Value of some type to ordered bytes, and back.
 *
 * What a key cannot say about a value - the display scale of a bare numeric, the sign of a zero, blanks at the end of a
 * char without a length, the case of a citext - key_column_loses tells; rows then keep the original beside the key (row_value.h).
 * The order of the bytes is the type's own order but for NaN, which keys put before all numbers, JSON, whose kinds rank
 * as CockroachDB has them, and intervals equal only by rule (1 month, 30 days), which are told apart. Any thread.
 */
#ifndef STORAGE_KEYS_KEY_COLUMN_H
#define STORAGE_KEYS_KEY_COLUMN_H

#include "storage/base/buf.h"
#include "storage/types/type.h"

typedef struct KeyColumn {
    TypeRef type;
    KeyClass key_class;
    bool descending;
} KeyColumn;

/* A type that is not built in is an enum: its values are the labels' physical bytes. */
KeyColumn key_column(TypeRef type, bool descending);

/* Appends one value, NULL included. 0A000 for a type without an order in keys and for arrays of several dimensions,
 * 22008 for an interval longer than 292 years. Nothing is appended then. */
Status key_column_encode(const KeyColumn *column, Value value, Buf *out, Error *err);
/* Takes one value off the front. Bytes borrow from the key where they can, else lie in the arena. false: damaged. */
bool key_column_decode(const KeyColumn *column, Slice *key, Arena *arena, Value *value);
/* Would decoding give something that prints differently? */
bool key_column_loses(const KeyColumn *column, Value value);

#endif
