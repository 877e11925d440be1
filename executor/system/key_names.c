#include "executor/system/key_names.h"

#include <math.h>

#include "executor/system/range_rows.h"
#include "storage/types/type_json.h"

void key_name(KeyNamer *namer, Slice key, const Slice *value, KeyName *name)
{
    *name = (KeyName){0};
    const RangeRow printer = {.view = namer->session->catalog};
    name->pretty = range_key_text(&printer, key, -1, namer->arena);
    name->table = range_key_table(namer->session->catalog, key, &name->index);
    if (!name->table || !name->index) return;
    if (namer->table != name->table) {
        namer->table = name->table;
        namer->access = table_access_create(name->table, namer->arena);
    }
    /* What a damaged value has left is shown without it. */
    if (!pair_read(namer->access, name->index, key, value, &name->contents, namer->arena))
        if (!pair_read(namer->access, name->index, key, NULL, &name->contents, namer->arena)) name->contents.whole = false;
}

/* ---- values as text ---- */

static bool is_bare(const ColumnDesc *column, const TypeDef *type, Value value)
{
    if (type->rep == REP_FLOAT) return isfinite(value.f);
    return type->category == 'N' || type->oid == OID_BOOL || column->role == COLUMN_HASH_CODE;
}

static void put_value(const KeyNamer *namer, const ColumnDesc *column, Value value, Buf *out)
{
    const TypeDef *type = type_find(column->type.oid);
    if (type) type->out(type, &namer->session->type_env, value, out);
    else buf_put(out, value.p, value.size);
}

static void put_quoted(Slice text, Buf *out)
{
    buf_put_u8(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\'') buf_put_u8(out, '\'');
        buf_put_u8(out, text.data[i]);
    }
    buf_put_u8(out, '\'');
}

static void put_literal(const KeyNamer *namer, const ColumnDesc *column, Value value, Buf *out)
{
    const TypeDef *type = type_find(column->type.oid);
    if (value.null) {
        buf_put_str(out, "NULL");
    } else if (column->role == COLUMN_HASH_CODE) {
        buf_printf(out, "0x%04x", (unsigned)value.i);
    } else if (type && type->oid == OID_BOOL) {
        buf_put_str(out, value.i ? "true" : "false");
    } else if (type && is_bare(column, type, value)) {
        put_value(namer, column, value, out);
    } else {
        Buf text = {0};
        put_value(namer, column, value, &text);
        put_quoted(buf_slice(&text), out);
        buf_finish(&text);
    }
}

const char *key_name_columns(const KeyNamer *namer, const TableDesc *table, const PairColumn *columns, int count)
{
    if (count == 0) return NULL;
    Buf out = {0};
    for (int i = 0; i < count; i++) {
        const ColumnDesc *column = &table->columns.items[columns[i].ordinal];
        buf_printf(&out, "%s%s=", i ? ", " : "", column->name);
        put_literal(namer, column, columns[i].value, &out);
    }
    const char *text = buf_to_str(&out, namer->arena);
    buf_finish(&out);
    return text;
}

/* ---- as JSON ---- */

static void put_json(const KeyNamer *namer, const ColumnDesc *column, Value value, Buf *out)
{
    const TypeDef *type = type_find(column->type.oid);
    if (value.null) {
        buf_put_str(out, "null");
    } else if (type && type->oid == OID_BOOL) {
        buf_put_str(out, value.i ? "true" : "false");
    } else {
        Buf text = {0};
        put_value(namer, column, value, &text);
        Slice s = buf_slice(&text);
        /* Infinity and NaN are no numbers of JSON. */
        bool number = type && is_bare(column, type, value) && s.size && (s.data[s.size - 1] >= '0' && s.data[s.size - 1] <= '9');
        if (number || (type && (type->oid == OID_JSON || type->oid == OID_JSONB))) buf_put_slice(out, s);
        else json_put_string(s, out);
        buf_finish(&text);
    }
}

const char *key_name_json(const KeyNamer *namer, const TableDesc *table, const PairColumn *columns, int count)
{
    Buf out = {0};
    buf_put_u8(&out, '{');
    for (int i = 0; i < count; i++) {
        const ColumnDesc *column = &table->columns.items[columns[i].ordinal];
        if (i) buf_put_str(&out, ", ");
        json_put_string(slice_str(column->name), &out);
        buf_put_str(&out, ": ");
        put_json(namer, column, columns[i].value, &out);
    }
    buf_put_u8(&out, '}');
    const char *text = buf_to_str(&out, namer->arena);
    buf_finish(&out);
    return text;
}
