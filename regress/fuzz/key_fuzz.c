/* key_fuzz.c - the key codec over arbitrary bytes: printing never fails, what decodes encodes, and decodes the same again. */
#include <stdlib.h>

#include "storage/keys/key_column.h"
#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const Oid types[] = {OID_BOOL, OID_INT4, OID_INT8, OID_FLOAT8, OID_NUMERIC, OID_TEXT, OID_BYTEA, OID_UUID, OID_DATE,
                            OID_TIME, OID_TIMETZ, OID_TIMESTAMP, OID_TIMESTAMPTZ, OID_INTERVAL, OID_JSONB, OID_INT4_ARRAY,
                            OID_TEXT_ARRAY};

static void round_trip(const KeyColumn *column, Slice key, Arena *arena)
{
    Value value, again;
    Error err = {0};
    Buf first = {0}, second = {0};
    if (key_column_decode(column, &key, arena, &value) && key_column_encode(column, value, &first, &err) == ST_OK) {
        Slice encoded = buf_slice(&first);
        if (!key_column_decode(column, &encoded, arena, &again) || encoded.size) abort();
        if (key_column_encode(column, again, &second, &err) != ST_OK) abort();
        if (!slice_equal(buf_slice(&first), buf_slice(&second))) abort();
    }
    buf_finish(&first);
    buf_finish(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    Arena *arena = arena_create(NULL, 0);
    Slice key = slice_of(data + 2, size - 2), row;
    KeyColumn column = key_column((TypeRef){types[data[0] % (sizeof types / sizeof *types)], -1}, data[1] & 1);
    uint32_t family, table, index;
    Buf text = {0};
    round_trip(&column, key, arena);
    key_print(key, NULL, &text);
    KeyPrintColumn directions[2] = {{.descending = data[1] & 2}, {.descending = data[1] & 4, .hash_code = data[1] & 8}};
    KeyPrintStyle style = {directions, 2, (int)(data[1] >> 6) - 1};
    key_print(key, &style, &text);
    (void)row_key_split(key, &row, &family);
    (void)row_key_take_prefix(&key, &table, &index);
    buf_finish(&text);
    arena_destroy(arena);
    return 0;
}
