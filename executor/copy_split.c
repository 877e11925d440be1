#include "executor/copy.h"

void copy_splitter_add(CopySplitter *s, Slice bytes)
{
    /* What has been used makes room once it is worth the move. */
    if (s->start > 0 && s->start >= s->pending.size / 2) {
        memmove(s->pending.data, s->pending.data + s->start, s->pending.size - s->start);
        s->pending.size -= s->start;
        s->scanned -= s->start;
        s->start = 0;
    }
    buf_put_slice(&s->pending, bytes);
}

/* Is the byte at `at` the end of a line? *length: of the end; 0 and false: more bytes are needed to tell. */
static bool line_ends(CopySplitter *s, size_t at, bool final, size_t *length)
{
    uint8_t c = s->pending.data[at];
    *length = 1;
    if (c == '\n') {
        if (s->eol == EOL_UNKNOWN) s->eol = EOL_NL;
        return s->eol != EOL_CR;
    }
    if (c != '\r' || s->eol == EOL_NL) return false;
    bool last = at + 1 == s->pending.size;
    if (last && !final && s->eol != EOL_CR) {
        *length = 0;
        return false;
    }
    bool newline_follows = !last && s->pending.data[at + 1] == '\n';
    if (s->eol == EOL_UNKNOWN) s->eol = newline_follows ? EOL_CRNL : EOL_CR;
    if (s->eol == EOL_CR) return true;
    *length = newline_follows ? 2 : 1;
    return newline_follows;
}

static void step_csv(CopySplitter *s, uint8_t c)
{
    const UtilityCopy *copy = s->copy;
    if (s->after_escape) {
        s->after_escape = false;
        return;
    }
    if (s->in_quotes && c == (uint8_t)copy->escape && copy->escape != copy->quote)
        s->after_escape = true;
    else if (c == (uint8_t)copy->quote)
        s->in_quotes = !s->in_quotes;
}

/* The first of the bytes c in data[at .. end), or end. */
static size_t byte_find(const uint8_t *data, size_t at, size_t end, uint8_t c)
{
    const uint8_t *found = at < end ? memchr(data + at, c, end - at) : NULL;
    return found ? (size_t)(found - data) : end;
}

/* Steps over the bytes that do not matter to where a row ends. */
static size_t next_that_matters(const CopySplitter *s)
{
    const UtilityCopy *copy = s->copy;
    const uint8_t *data = s->pending.data;
    size_t at = s->scanned, end = s->pending.size;
    if (s->after_escape) return at;
    if (copy->format != COPY_CSV) {
        end = byte_find(data, at, end, '\n');
        end = byte_find(data, at, end, '\r');
        return byte_find(data, at, end, '\\');
    }
    if (!s->in_quotes) {
        end = byte_find(data, at, end, '\n');
        end = byte_find(data, at, end, '\r');
    }
    end = byte_find(data, at, end, (uint8_t)copy->quote);
    return copy->escape != copy->quote ? byte_find(data, at, end, (uint8_t)copy->escape) : end;
}

/* ST_END: the row is not complete yet. */
static Status find_row(CopySplitter *s, bool final, Slice *row)
{
    bool csv = s->copy->format == COPY_CSV;
    while ((s->scanned = next_that_matters(s)) < s->pending.size) {
        size_t at = s->scanned, length = 0;
        uint8_t c = s->pending.data[at];
        bool may_end = csv ? !s->in_quotes : !s->after_escape;
        if (may_end && line_ends(s, at, final, &length)) {
            *row = slice_of(s->pending.data + s->start, at - s->start);
            s->start = s->scanned = at + length;
            s->in_quotes = s->after_escape = false;
            return ST_OK;
        }
        if (may_end && c == '\r' && length == 0) return ST_END;
        if (csv)
            step_csv(s, c);
        else
            s->after_escape = !s->after_escape && c == '\\';
        s->scanned++;
    }
    if (!final || s->start == s->pending.size) return ST_END;
    *row = slice_of(s->pending.data + s->start, s->pending.size - s->start);
    s->start = s->scanned = s->pending.size;
    return ST_OK;
}

static Status binary_error(Arena *arena, const char *what, Error *err)
{
    return err_set(err, arena, ERR_BAD_COPY_FILE_FORMAT, "%s", what);
}

static Status binary_header(CopySplitter *s, bool final, Arena *arena, Error *err)
{
    static const uint8_t signature[11] = "PGCOPY\n\377\r\n";
    const uint8_t *p = s->pending.data + s->start;
    size_t size = s->pending.size - s->start;
    if (size < 19) return final ? binary_error(arena, "COPY file signature not recognized", err) : ST_END;
    if (memcmp(p, signature, sizeof signature) != 0)
        return binary_error(arena, "COPY file signature not recognized", err);
    uint32_t extension = load_u32(p + 15);
    if (size < 19 + (size_t)extension) return final ? binary_error(arena, "invalid COPY file header (wrong length)", err) : ST_END;
    s->start += 19 + extension;
    s->header_seen = true;
    return ST_OK;
}

/* A tuple: a count of fields, then each with its size in front. */
static Status binary_row(CopySplitter *s, bool final, Slice *row, Arena *arena, Error *err)
{
    if (!s->header_seen) TRY(binary_header(s, final, arena, err));
    const uint8_t *p = s->pending.data + s->start;
    size_t size = s->pending.size - s->start, at = 2;
    if (size < 2) return ST_END;
    int fields = (int16_t)load_u16(p);
    if (fields == -1) {
        s->ended = true;
        return ST_END;
    }
    for (int i = 0; i < fields; i++) {
        if (size < at + 4) return final ? binary_error(arena, "unexpected EOF in COPY data", err) : ST_END;
        int32_t length = (int32_t)load_u32(p + at);
        at += 4;
        if (length < -1) return binary_error(arena, "invalid field size", err);
        if (length > 0) at += (size_t)length;
        if (size < at) return final ? binary_error(arena, "unexpected EOF in COPY data", err) : ST_END;
    }
    *row = slice_of(p, at);
    s->start += at;
    s->scanned = s->start;
    return ST_OK;
}

Status copy_splitter_next(CopySplitter *s, bool final, Slice *row, Arena *arena, Error *err)
{
    if (s->pending.failed) return err_no_memory(err);
    if (s->ended) return ST_END;
    if (s->copy->format == COPY_BINARY) return binary_row(s, final, row, arena, err);
    TRY(find_row(s, final, row));
    s->ended = slice_equal_str(*row, "\\.");
    return s->ended ? ST_END : ST_OK;
}
