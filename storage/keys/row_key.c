#include "storage/keys/row_key.h"

#include "storage/keys/ordered.h"

void row_key_table_prefix(uint32_t table_id, Buf *out)
{
    ordered_put_uvarint(out, table_id, false);
}

void row_key_index_prefix(uint32_t table_id, uint32_t index_id, Buf *out)
{
    ordered_put_uvarint(out, table_id, false);
    ordered_put_uvarint(out, index_id, false);
}

void row_key_family(uint32_t family, Buf *out)
{
    if (family == 0) {
        buf_put_u8(out, ROW_KEY_FAMILY_ZERO);
        return;
    }
    size_t start = out->size;
    ordered_put_uvarint(out, family, false);
    buf_put_u8(out, (uint8_t)(ROW_KEY_FAMILY_ZERO + (out->size - start)));
}

static bool take_id(Slice *key, uint32_t *id)
{
    uint64_t found;
    Slice rest = *key;
    if (!ordered_get_uvarint(&rest, false, &found) || found > UINT32_MAX) return false;
    *id = (uint32_t)found;
    *key = rest;
    return true;
}

bool row_key_take_prefix(Slice *key, uint32_t *table_id, uint32_t *index_id)
{
    Slice rest = *key;
    if (!take_id(&rest, table_id) || !take_id(&rest, index_id)) return false;
    *key = rest;
    return true;
}

bool row_key_split(Slice key, Slice *row, uint32_t *family)
{
    if (key.size < 2 || key.data[0] < ROW_KEY_TABLE || key.data[0] >= ROW_KEY_TABLE_END) return false;
    uint8_t last = key.data[key.size - 1];
    if (last < ROW_KEY_FAMILY_ZERO) return false;
    size_t length = (size_t)(last - ROW_KEY_FAMILY_ZERO);
    if (length + 1 >= key.size || length > 5) return false;
    *row = slice_of(key.data, key.size - length - 1);
    *family = 0;
    Slice id = slice_of(row->data + row->size, length);
    return length == 0 || (take_id(&id, family) && id.size == 0);
}

void row_key_prefix_end(Slice prefix, Buf *out)
{
    if (prefix.size == 0) {
        buf_put_slice(out, ROW_KEY_MAX);
        return;
    }
    size_t kept = prefix.size;
    while (kept && prefix.data[kept - 1] == 0xff) kept--;
    if (kept == 0) {
        buf_put_slice(out, prefix);
        return;
    }
    buf_put(out, prefix.data, kept - 1);
    buf_put_u8(out, (uint8_t)(prefix.data[kept - 1] + 1));
}

void row_key_meta2(Slice end_key, Buf *out)
{
    buf_put_u8(out, ROW_KEY_META2);
    buf_put_slice(out, end_key);
}
