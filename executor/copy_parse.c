#include "executor/copy.h"

#include <assert.h>

typedef VEC(CopyField) FieldVec;

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* What follows a backslash at p[at]; returns where to go on. */
static size_t unescape(Slice row, size_t at, uint8_t *out)
{
    const uint8_t *p = row.data;
    uint8_t c = p[at++];
    switch (c) {
    case 'b': *out = '\b'; return at;
    case 'f': *out = '\f'; return at;
    case 'n': *out = '\n'; return at;
    case 'r': *out = '\r'; return at;
    case 't': *out = '\t'; return at;
    case 'v': *out = '\v'; return at;
    }
    *out = c;
    if (c >= '0' && c <= '7') {
        int value = c - '0';
        for (int i = 0; i < 2 && at < row.size && p[at] >= '0' && p[at] <= '7'; i++) value = value * 8 + (p[at++] - '0');
        *out = (uint8_t)value;
    } else if (c == 'x' && at < row.size && hex_digit(p[at]) >= 0) {
        int value = hex_digit(p[at++]);
        if (at < row.size && hex_digit(p[at]) >= 0) value = value * 16 + hex_digit(p[at++]);
        *out = (uint8_t)value;
    }
    return at;
}

/* A row without escapes is its fields: they are handed out where they lie. */
static void parse_plain_text(const UtilityCopy *copy, Slice row, FieldVec *fields, Arena *arena)
{
    const uint8_t *at = row.data, *end = row.data + row.size;
    Slice null_text = slice_str(copy->null_text);
    for (;;) {
        const uint8_t *delimiter = at < end ? memchr(at, (uint8_t)copy->delimiter, (size_t)(end - at)) : NULL;
        Slice text = slice_of(at, (size_t)((delimiter ? delimiter : end) - at));
        VEC_PUSH(arena, *fields, (CopyField){text, slice_equal(text, null_text), false});
        if (!delimiter) return;
        at = delimiter + 1;
    }
}

static void parse_text(const UtilityCopy *copy, Slice row, FieldVec *fields, Arena *arena)
{
    size_t at = 0;
    uint8_t delimiter = (uint8_t)copy->delimiter;
    Slice null_text = slice_str(copy->null_text);
    for (;;) {
        size_t start = at, size = 0;
        uint8_t *text = arena_alloc(arena, row.size - at + 1);
        while (at < row.size && row.data[at] != delimiter) {
            if (row.data[at] == '\\' && at + 1 < row.size)
                at = unescape(row, at + 1, &text[size]);
            else
                text[size] = row.data[at++];
            size++;
        }
        /* The NULL marker is compared before escapes are undone: \N, not N. */
        bool null = slice_equal(slice_of(row.data + start, at - start), null_text);
        VEC_PUSH(arena, *fields, (CopyField){slice_of(text, size), null, false});
        if (at >= row.size) return;
        at++;
    }
}

static Status parse_csv_field(const UtilityCopy *copy, Slice row, size_t *place, CopyField *field, Arena *arena, Error *err)
{
    size_t at = *place, size = 0;
    uint8_t *text = arena_alloc(arena, row.size - at + 1);
    bool in_quotes = false;
    uint8_t quote = (uint8_t)copy->quote, escape = (uint8_t)copy->escape;
    field->quoted = false;
    for (; at < row.size; at++) {
        uint8_t c = row.data[at];
        if (!in_quotes && c == (uint8_t)copy->delimiter) break;
        if (in_quotes && c == escape && at + 1 < row.size && (row.data[at + 1] == escape || row.data[at + 1] == quote)) {
            text[size++] = row.data[++at];
        } else if (c == quote) {
            in_quotes = !in_quotes;
            field->quoted = true;
        } else {
            text[size++] = c;
        }
    }
    if (in_quotes) return err_set(err, arena, ERR_BAD_COPY_FILE_FORMAT, "unterminated CSV quoted field");
    *place = at;
    field->text = slice_of(text, size);
    return ST_OK;
}

static Status parse_csv(const UtilityCopy *copy, Slice row, FieldVec *fields, Arena *arena, Error *err)
{
    size_t at = 0;
    for (;;) {
        CopyField field;
        TRY(parse_csv_field(copy, row, &at, &field, arena, err));
        int i = fields->count;
        bool known = i < copy->column_count;
        bool not_null = known && copy->force_not_null && copy->force_not_null[i];
        bool force_null = known && copy->force_null && copy->force_null[i];
        bool is_marker = slice_equal_str(field.text, copy->null_text);
        field.null = is_marker && (field.quoted ? force_null : !not_null);
        VEC_PUSH(arena, *fields, field);
        if (at >= row.size) return ST_OK;
        at++;
    }
}

Status copy_parse_fields(const UtilityCopy *copy, Slice row, CopyField **out, int *count, Arena *arena, Error *err)
{
    assert(copy->format != COPY_BINARY);
    FieldVec fields = {.capacity = copy->column_count + 1};
    fields.items = ARENA_ARRAY(arena, CopyField, fields.capacity);
    if (copy->format == COPY_CSV)
        TRY(parse_csv(copy, row, &fields, arena, err));
    else if (row.size && memchr(row.data, '\\', row.size))
        parse_text(copy, row, &fields, arena);
    else
        parse_plain_text(copy, row, &fields, arena);
    *out = fields.items;
    *count = fields.count;
    return ST_OK;
}
