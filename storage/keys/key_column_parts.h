/* key_column_parts.h - the types whose way into a key takes a file. Inside storage/keys only. */
#ifndef STORAGE_KEYS_KEY_COLUMN_PARTS_H
#define STORAGE_KEYS_KEY_COLUMN_PARTS_H

#include "storage/keys/key_column.h"

/* A numeric's digits to base 10000 are two pairs each, so both ways go without decimal digits in between. */
void key_numeric_put(Value numeric, bool descending, Buf *out);
/* scale: of the column; -1: the least that shows all digits. */
bool key_numeric_get(Slice *key, bool descending, int scale, Arena *arena, Value *numeric);
bool key_numeric_loses(Value numeric, int scale);

void key_json_put(Value jsonb, bool descending, Buf *out);
bool key_json_get(Slice *key, bool descending, Arena *arena, Value *jsonb);
bool key_json_loses(Value jsonb);

void key_range_put(const KeyColumn *column, Value value, Buf *out);
bool key_range_get(const KeyColumn *column, Slice *key, Arena *arena, Value *value);
bool key_range_loses(const KeyColumn *column, Value value);

#endif
