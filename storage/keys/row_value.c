#include "storage/keys/row_value.h"

#include <assert.h>

enum {
    ROW_FORMAT = 1, ROW_FORMAT_MASK = 0x0f, ROW_WIDE = 0x10, ROW_HEAD_START = 3, ROW_KIND_BITS = 3,
    ROW_ID_FAR = 31, ROW_CELLS_MAX = 20000, ROW_NARROW_MAX = 0xffff, LAYOUTS_KEPT = 4
};

static const uint8_t cell_sizes[] = {
    [CELL_BYTES] = 0, [CELL_U8] = 1, [CELL_I16] = 2, [CELL_I32] = 4,
    [CELL_U32] = 4, [CELL_I64] = 8, [CELL_F32] = 4, [CELL_16_BYTES] = 16,
};

CellKind cell_kind(TypeRef type)
{
    const TypeDef *def = type_find(type.oid);
    if (!def) return CELL_BYTES;
    if (def->rep == REP_FLOAT) return def->length == 4 ? CELL_F32 : CELL_I64;
    if (type.oid == OID_UUID) return CELL_16_BYTES;
    if (def->rep == REP_BYTES) return CELL_BYTES;
    if (def->length == 1) return CELL_U8;
    if (def->length == 2) return CELL_I16;
    if (def->length == 4) return type.oid == OID_INT4 || type.oid == OID_DATE ? CELL_I32 : CELL_U32;
    return CELL_I64;
}

static void put_little(Buf *out, uint64_t value, size_t size)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> (8 * i));
    buf_put(out, bytes, size);
}

static uint64_t get_little(const uint8_t *p, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) value |= (uint64_t)p[i] << (8 * i);
    return value;
}

static uint32_t get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* ---- writing ---- */

static void put_head(const Cell *cells, int count, bool wide, Buf *out)
{
    size_t start = out->size;
    buf_put_u8(out, ROW_FORMAT | (wide ? ROW_WIDE : 0));
    put_little(out, 0, 2);
    uint32_t before = 0;
    for (int i = 0; i < count; i++) {
        assert(i == 0 || cells[i].id > before);
        uint32_t step = cells[i].id - before;
        bool far = step >= ROW_ID_FAR;
        buf_put_u8(out, (uint8_t)((far ? ROW_ID_FAR : step) << ROW_KIND_BITS | cells[i].kind));
        if (far) put_little(out, cells[i].id, 4);
        before = cells[i].id;
    }
    if (out->failed) return;
    size_t size = out->size - start;
    out->data[start + 1] = (uint8_t)size;
    out->data[start + 2] = (uint8_t)(size >> 8);
}

static void put_fixed(Buf *out, CellKind kind, Value value)
{
    static const uint8_t zeros[16];
    float single;
    uint32_t bits;
    if (value.null) {
        buf_put(out, zeros, cell_sizes[kind]);
    } else if (kind == CELL_16_BYTES) {
        assert(value.size == 16);
        buf_put(out, value.p, 16);
    } else if (kind == CELL_F32) {
        single = (float)value.f;
        memcpy(&bits, &single, sizeof bits);
        put_little(out, bits, 4);
    } else {
        put_little(out, (uint64_t)value.i, cell_sizes[kind]);
    }
}

Status row_value_write(const Cell *cells, const Value *values, int count, Buf *out, Error *err)
{
    if (count > ROW_CELLS_MAX) {
        *err = (Error){.sqlstate = ERR_TOO_MANY_COLUMNS, .message = "too many columns in a row"};
        return ST_ERROR;
    }
    if (count == 0) return ST_OK;
    uint64_t bytes = 0, end = 0;
    for (int i = 0; i < count; i++)
        if (cells[i].kind == CELL_BYTES && !values[i].null) bytes += values[i].size;
    bool wide = bytes > ROW_NARROW_MAX;
    put_head(cells, count, wide, out);
    for (int i = 0; i < count; i += 8) {
        uint8_t nulls = 0;
        for (int b = 0; b < 8 && i + b < count; b++) nulls |= (uint8_t)(values[i + b].null << b);
        buf_put_u8(out, nulls);
    }
    for (int i = 0; i < count; i++)
        if (cells[i].kind != CELL_BYTES) put_fixed(out, cells[i].kind, values[i]);
    for (int i = 0; i < count; i++) {
        if (cells[i].kind != CELL_BYTES) continue;
        if (!values[i].null) end += values[i].size;
        put_little(out, end, wide ? 4 : 2);
    }
    for (int i = 0; i < count; i++)
        if (cells[i].kind == CELL_BYTES && !values[i].null) buf_put(out, values[i].p, values[i].size);
    return out->failed ? err_no_memory(err) : ST_OK;
}

/* ---- reading ---- */

/* Where a wanted column is in all rows with one head. */
typedef struct Place {
    bool absent;
    CellKind kind;
    uint32_t null_bit;
    uint32_t offset; /* fixed: from the start of the value. Bytes: of its end offset */
    bool first;      /* bytes: it starts where the bytes do */
} Place;

typedef struct Layout {
    uint8_t *head;
    size_t head_size, bytes_start; /* of the bytes of varying cells */
    bool wide;
    Place *places; /* one per wanted column */
} Layout;

struct RowReader {
    const Cell *wanted;
    int count;
    Arena *arena;
    Layout layouts[LAYOUTS_KEPT];
    int layout_count, next_evicted;
    const Layout *layout; /* of the value opened; NULL: it is empty */
    Slice value;
};

RowReader *row_reader_create(const Cell *wanted, int count, Arena *arena)
{
    RowReader *reader = ARENA_NEW(arena, RowReader);
    reader->wanted = arena_copy(arena, wanted, sizeof *wanted * (size_t)count);
    reader->count = count;
    reader->arena = arena;
    return reader;
}

typedef struct HeadWalk {
    const uint8_t *at, *end;
    uint32_t id;
    CellKind kind;
} HeadWalk;

/* The next column of a head. false: the end, or damage (then at != end). */
static bool head_next(HeadWalk *walk)
{
    if (walk->at >= walk->end) return false;
    uint32_t step = *walk->at >> ROW_KIND_BITS;
    walk->kind = (CellKind)(*walk->at & ((1 << ROW_KIND_BITS) - 1));
    if (step == ROW_ID_FAR) {
        if (walk->end - walk->at < 5) return false;
        walk->id = get_u32(walk->at + 1);
        walk->at += 5;
    } else {
        walk->id += step;
        walk->at++;
    }
    return true;
}

static int wanted_index(const RowReader *reader, uint32_t id, int from)
{
    for (int i = from; i < reader->count; i++)
        if (reader->wanted[i].id == id) return i;
    return -1;
}

/* Numbers of other widths may be met where a column was widened; taking a number for an address must not happen. */
static bool is_pointer(CellKind kind)
{
    return kind == CELL_BYTES || kind == CELL_16_BYTES;
}

static bool layout_fill(RowReader *reader, Layout *layout)
{
    HeadWalk walk = {.at = layout->head + ROW_HEAD_START, .end = layout->head + layout->head_size};
    uint32_t count = 0, fixed = 0, varying = 0, offset_size = layout->wide ? 4 : 2;
    for (; head_next(&walk); count++) {
        fixed += cell_sizes[walk.kind];
        varying += walk.kind == CELL_BYTES;
    }
    if (walk.at != walk.end) return false;
    uint32_t fixed_at = (uint32_t)layout->head_size + (count + 7) / 8, offsets_at = fixed_at + fixed;
    layout->bytes_start = offsets_at + varying * offset_size;
    walk = (HeadWalk){.at = layout->head + ROW_HEAD_START, .end = layout->head + layout->head_size};
    for (int i = 0; i < reader->count; i++) layout->places[i] = (Place){.absent = true};
    uint32_t varying_seen = 0;
    for (uint32_t n = 0; head_next(&walk); n++) {
        Place place = {.kind = walk.kind, .null_bit = (uint32_t)layout->head_size * 8 + n, .offset = fixed_at};
        if (walk.kind == CELL_BYTES) {
            place.offset = offsets_at + varying_seen * offset_size;
            place.first = varying_seen++ == 0;
        }
        fixed_at += cell_sizes[walk.kind];
        for (int i = wanted_index(reader, walk.id, 0); i >= 0; i = wanted_index(reader, walk.id, i + 1)) {
            if (is_pointer(walk.kind) != is_pointer(reader->wanted[i].kind)) return false;
            layout->places[i] = place;
        }
    }
    return true;
}

/* A head seen for the first time, or again after others have taken its place. */
static const Layout *layout_make(RowReader *reader, Slice value, size_t head_size)
{
    Layout *layout = &reader->layouts[reader->next_evicted];
    if (reader->layout_count < LAYOUTS_KEPT) {
        layout = &reader->layouts[reader->layout_count++];
        layout->places = ARENA_ARRAY(reader->arena, Place, reader->count ? reader->count : 1);
    } else {
        reader->next_evicted = (reader->next_evicted + 1) % LAYOUTS_KEPT;
    }
    if (!layout->head || layout->head_size < head_size) layout->head = arena_alloc(reader->arena, head_size);
    memcpy(layout->head, value.data, head_size);
    layout->head_size = head_size;
    layout->wide = (value.data[0] & ROW_WIDE) != 0;
    if (layout_fill(reader, layout)) return layout;
    layout->head_size = 0;
    return NULL;
}

static inline bool layout_fits(const Layout *layout, Slice value)
{
    return layout->head_size && value.size >= layout->head_size &&
           memcmp(value.data, layout->head, layout->head_size) == 0;
}

bool row_reader_open(RowReader *reader, Slice value)
{
    reader->value = value;
    if (value.size == 0) {
        reader->layout = NULL;
        return true;
    }
    if (!reader->layout || !layout_fits(reader->layout, value)) {
        reader->layout = NULL;
        for (int i = 0; i < reader->layout_count && !reader->layout; i++)
            if (layout_fits(&reader->layouts[i], value)) reader->layout = &reader->layouts[i];
    }
    if (!reader->layout) {
        if (value.size < ROW_HEAD_START || (value.data[0] & ROW_FORMAT_MASK) != ROW_FORMAT) return false;
        size_t head_size = get_little(value.data + 1, 2);
        if (head_size < ROW_HEAD_START || head_size > value.size) return false;
        reader->layout = layout_make(reader, value, head_size);
    }
    if (!reader->layout || value.size < reader->layout->bytes_start) {
        reader->layout = NULL;
        return false;
    }
    return true;
}

static CellState bytes_cell(const Layout *layout, const Place *place, Slice value, Value *out)
{
    const uint8_t *end_at = value.data + place->offset;
    uint32_t start = 0, end;
    if (layout->wide) {
        end = get_u32(end_at);
        if (!place->first) start = get_u32(end_at - 4);
    } else {
        end = (uint32_t)(end_at[0] | end_at[1] << 8);
        if (!place->first) start = (uint32_t)(end_at[-2] | end_at[-1] << 8);
    }
    if (start > end || end > value.size - layout->bytes_start) return CELL_DAMAGED;
    *out = value_bytes(value.data + layout->bytes_start + start, end - start);
    return CELL_PRESENT;
}

static Value fixed_cell(CellKind kind, const uint8_t *p)
{
    float single;
    uint32_t bits;
    switch (kind) {
    case CELL_U8: return value_int(*p);
    case CELL_I16: return value_int((int16_t)(p[0] | p[1] << 8));
    case CELL_I32: return value_int((int32_t)get_u32(p));
    case CELL_U32: return value_int(get_u32(p));
    case CELL_I64: return value_int((int64_t)((uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32));
    case CELL_F32:
        bits = get_u32(p);
        memcpy(&single, &bits, sizeof single);
        return value_float(single);
    case CELL_16_BYTES: return value_bytes(p, 16);
    case CELL_BYTES: break;
    }
    return VALUE_NULL;
}

CellState row_reader_cell(const RowReader *reader, int i, Value *out)
{
    const Layout *layout = reader->layout;
    if (!layout) return CELL_ABSENT;
    const Place *place = &layout->places[i];
    if (place->absent) return CELL_ABSENT;
    if (reader->value.data[place->null_bit / 8] >> (place->null_bit % 8) & 1) {
        *out = VALUE_NULL;
        return CELL_PRESENT;
    }
    if (place->kind == CELL_BYTES) return bytes_cell(layout, place, reader->value, out);
    *out = fixed_cell(place->kind, reader->value.data + place->offset);
    return CELL_PRESENT;
}
