#include "storage/types/type_record.h"

#include <assert.h>

#include "storage/types/type_defs.h"

static const uint32_t NULL_SIZE = UINT32_MAX, NAMED = 1u << 31;

static uint32_t load32(const uint8_t *p)
{
    uint32_t n;
    memcpy(&n, p, sizeof n);
    return n;
}

static TypeRep rep_of(Oid oid)
{
    const TypeDef *type = type_find(oid);
    return type ? type->rep : REP_BYTES;
}

void record_open(Value value, RecordReader *reader)
{
    assert(value.size >= 4);
    uint32_t count = load32(value.p);
    *reader = (RecordReader){.next = value.p + 4, .count = (int)(count & ~NAMED), .named = count & NAMED};
}

bool record_next(RecordReader *reader, RecordField *field)
{
    if (reader->read == reader->count) return false;
    Slice name = {0};
    if (reader->named) {
        name = slice_of(reader->next + 4, load32(reader->next));
        reader->next += 4 + name.size;
    }
    uint32_t size = load32(reader->next + 4);
    *field = (RecordField){.type = load32(reader->next), .value = VALUE_NULL, .name = name};
    reader->next += 8;
    reader->read++;
    if (size == NULL_SIZE) return true;
    if (rep_of(field->type) == REP_BYTES) {
        field->value = value_bytes(reader->next, size);
    } else {
        int64_t bits;
        assert(size == sizeof bits);
        memcpy(&bits, reader->next, sizeof bits);
        field->value = value_int(bits);
    }
    reader->next += size;
    return true;
}

RecordField record_field(Value value, int index)
{
    RecordReader reader;
    RecordField field = {.value = VALUE_NULL};
    record_open(value, &reader);
    assert(index >= 0 && index < reader.count);
    for (int i = 0; i <= index; i++) record_next(&reader, &field);
    return field;
}

Status record_build(TypeCtx *ctx, const RecordField *fields, int count, Value *out)
{
    size_t size = 4;
    bool named = count > 0 && fields[0].name.data;
    for (int i = 0; i < count; i++) {
        size += 8 + (named ? 4 + fields[i].name.size : 0);
        if (!fields[i].value.null) size += rep_of(fields[i].type) == REP_BYTES ? fields[i].value.size : 8;
    }
    uint8_t *bytes = arena_try_alloc(ctx->arena, size), *at = bytes;
    if (!bytes) return err_no_memory(ctx->err);
    uint32_t n = (uint32_t)count | (named ? NAMED : 0);
    memcpy(at, &n, 4);
    at += 4;
    for (int i = 0; i < count; i++) {
        const Value *v = &fields[i].value;
        bool is_bytes = rep_of(fields[i].type) == REP_BYTES;
        uint32_t field_size = v->null ? NULL_SIZE : is_bytes ? v->size : 8, name_size = (uint32_t)fields[i].name.size;
        if (named) {
            memcpy(at, &name_size, 4);
            memcpy(at + 4, fields[i].name.data, name_size);
            at += 4 + name_size;
        }
        memcpy(at, &fields[i].type, 4);
        memcpy(at + 4, &field_size, 4);
        at += 8;
        if (v->null || field_size == 0) continue;
        if (is_bytes)
            memcpy(at, v->p, v->size);
        else
            memcpy(at, &v->i, 8);
        at += field_size;
    }
    *out = value_bytes(bytes, size);
    return ST_OK;
}

static bool needs_quotes(Slice text)
{
    if (text.size == 0) return true;
    for (size_t i = 0; i < text.size; i++)
        if (is_space(text.data[i]) || strchr("\"\\(),", text.data[i])) return true;
    return false;
}

static void record_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    RecordReader reader;
    RecordField field;
    Buf text = {0};
    record_open(value, &reader);
    buf_put_u8(out, '(');
    while (record_next(&reader, &field)) {
        if (reader.read > 1) buf_put_u8(out, ',');
        const TypeDef *of = type_find(field.type);
        if (field.value.null || !of) continue;
        buf_clear(&text);
        of->out(of, env, field.value, &text);
        Slice t = buf_slice(&text);
        bool quote = needs_quotes(t);
        if (quote) buf_put_u8(out, '"');
        for (size_t i = 0; i < t.size; i++) {
            if (t.data[i] == '"' || t.data[i] == '\\') buf_put_u8(out, t.data[i]);
            buf_put_u8(out, t.data[i]);
        }
        if (quote) buf_put_u8(out, '"');
        out->failed |= text.failed;
    }
    buf_put_u8(out, ')');
    buf_finish(&text);
}

static Status record_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED,
                   "input of anonymous composite types is not implemented");
}

static void record_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    RecordReader reader;
    RecordField field;
    record_open(value, &reader);
    buf_put_u32(out, (uint32_t)reader.count);
    while (record_next(&reader, &field)) {
        const TypeDef *of = type_find(field.type);
        buf_put_u32(out, field.type);
        size_t start = out->size;
        buf_put_u32(out, UINT32_MAX);
        if (field.value.null || !of) continue;
        of->send(of, env, field.value, out);
        if (out->failed) return;
        uint32_t size = (uint32_t)(out->size - start - 4);
        const uint8_t big[] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size};
        memcpy(out->data + start, big, sizeof big);
    }
}

/* Field by field, NULL above all; the shorter record first. Fields of unlike types stand in the order of their types:
 * whoever compares records for SQL has refused these before. */
static int record_compare(const TypeDef *type, Value a, Value b)
{
    RecordReader x, y;
    RecordField f, g;
    record_open(a, &x);
    record_open(b, &y);
    while (x.read < x.count && y.read < y.count) {
        record_next(&x, &f);
        record_next(&y, &g);
        if (f.value.null || g.value.null) {
            if (f.value.null != g.value.null) return f.value.null ? 1 : -1;
            continue;
        }
        if (f.type != g.type) return f.type > g.type ? 1 : -1;
        const TypeDef *of = type_find(f.type);
        int order = of && of->compare ? of->compare(of, f.value, g.value) : 0;
        if (order) return order;
    }
    return (x.count > y.count) - (x.count < y.count);
}

static uint64_t record_hash(const TypeDef *type, Value value)
{
    RecordReader reader;
    RecordField field;
    uint64_t hash = 1;
    record_open(value, &reader);
    while (record_next(&reader, &field)) {
        const TypeDef *of = type_find(field.type);
        hash = hash * 31 + (field.value.null || !of || !of->hash ? 0 : of->hash(of, field.value));
    }
    return hash_int((int64_t)hash);
}

const TypeDef type_record = {
    .oid = OID_RECORD, .array_oid = OID_RECORD_ARRAY, .name = "record", .sql_name = "record", .crdb_name = "RECORD",
    .length = -1, .category = 'P', .rep = REP_BYTES, .in = record_in, .out = record_out, .receive = record_in,
    .send = record_send, .compare = record_compare, .hash = record_hash,
};
