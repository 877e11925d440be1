/* Ranges as SHOW RANGES and SHOW RANGE FOR ROW show them. A request names the form and the object; how the ends of a range
 * print depends on both (reference: CockroachDB 23.1 and later). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "executor/system/range_rows.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "storage/keys/row_key.h"

#define ELLIPSIS "\xe2\x80\xa6"

/* ---- how the ends of a range print ---- */

/* The object that a form is about, and the marks that its ends have. NULL marks are not used by the form. */
typedef struct RangeForm {
    Slice table_start, table_end, index_start, index_end;
    const char *index_start_text, *table_start_text, *index_end_text, *table_end_text;
    bool by_index; /* before and after are told by the index's bounds, else the table's */
    int skip;      /* parts left out of a key inside; -1: keys print whole */
} RangeForm;

static Slice keep(Buf *key, Arena *arena)
{
    Slice copy = arena_slice(arena, buf_slice(key));
    buf_clear(key);
    return copy;
}

static void form_bounds(RangeForm *f, DescId table, uint32_t index, Arena *arena)
{
    Buf key = {0};
    row_key_table_prefix(table, &key);
    f->table_start = keep(&key, arena);
    row_key_table_prefix(table + 1, &key);
    f->table_end = keep(&key, arena);
    row_key_index_prefix(table, index, &key);
    f->index_start = keep(&key, arena);
    row_key_index_prefix(table, index + 1, &key);
    f->index_end = keep(&key, arena);
    buf_finish(&key);
}

static const char *start_text(const RangeForm *f, const RangeRow *row, Arena *arena)
{
    Slice key = row->range.start;
    if (f->skip < 0) return range_key_text(row, key, -1, arena);
    if (f->index_start_text && slice_equal(key, f->index_start)) return f->index_start_text;
    if (slice_equal(key, f->table_start)) return f->table_start_text;
    if (slice_compare(key, f->by_index ? f->index_start : f->table_start) < 0)
        return arena_printf(arena, "<before:%s>", range_key_text(row, key, -1, arena));
    return arena_printf(arena, ELLIPSIS "%s", range_key_text(row, key, f->skip, arena));
}

static const char *end_text(const RangeForm *f, const RangeRow *row, Arena *arena)
{
    Slice key = row->range.end;
    if (f->skip < 0) return range_key_text(row, key, -1, arena);
    if (f->index_end_text && slice_equal(key, f->index_end)) return f->index_end_text;
    if (slice_equal(key, f->table_end)) return f->table_end_text;
    if (slice_compare(key, f->by_index ? f->index_end : f->table_end) > 0)
        return arena_printf(arena, "<after:%s>", range_key_text(row, key, -1, arena));
    return arena_printf(arena, ELLIPSIS "%s", range_key_text(row, key, f->skip, arena));
}

/* ---- SHOW RANGES ---- */

typedef struct Request {
    const char *text;
    char form;  /* t, i, d, c, as bind_show.h lists them */
    DescId object;
    uint32_t index;
    char overlaps; /* t: a row per table, i: per index, -: per range */
    bool details;
    const char *rest;
} Request;

static bool read_request(SystemCtx *ctx, Request *request)
{
    Value wanted;
    if (!sys_wants(ctx, 0, &wanted)) return false;
    request->text = arena_strndup(sys_arena(ctx), wanted.p, wanted.size);
    int used = 0;
    if (sscanf(request->text, "%c %u %u %n", &request->form, &request->object, &request->index, &used) < 3) return false;
    request->rest = request->text + used;
    request->overlaps = *request->rest;
    request->details = request->overlaps && request->rest[1] == 'd';
    return true;
}

/* The part of the key space that a row's overlap columns and statistics are about. */
typedef struct Overlap {
    const Desc *database, *schema;
    const TableDesc *table; /* NULL: the range as a whole */
    const IndexDesc *index;
} Overlap;

static void put_overlap_keys(SysRow *r, const Request *q, const RangeRow *row, const Overlap *o)
{
    Arena *arena = sys_arena(r->ctx);
    RangeForm f = {0};
    if (o->table) form_bounds(&f, o->table->base.id, o->index ? o->index->id : 1, arena);
    int skip = q->form == 't' ? 1 : -1;
    const char *dots = skip > 0 ? ELLIPSIS : "";
    if (o->index) {
        sys_text(r, arena_printf(arena, "%s%s", dots, range_key_text(row, f.index_start, skip, arena)));
        sys_text(r, arena_printf(arena, "%s%s", dots, range_key_text(row, f.index_end, skip, arena)));
        sys_bytes(r, f.index_start);
        sys_bytes(r, f.index_end);
    } else {
        sys_nulls(r, 4);
    }
    if (o->table) {
        sys_text(r, range_key_text(row, f.table_start, -1, arena));
        sys_text(r, range_key_text(row, f.table_end, -1, arena));
        sys_bytes(r, f.table_start);
        sys_bytes(r, f.table_end);
    } else {
        sys_nulls(r, 4);
    }
}

/* The statistics cost more than all the rest, so they are made only where they are shown. */
static Status put_details(SysRow *r, const RangeRow *row, bool details)
{
    int64_t size = row->range.key_bytes + row->range.value_bytes;
    Value megabytes = VALUE_NULL, stats = VALUE_NULL;
    if (details) TRY(range_megabytes(&r->ctx->fn.type, size, &megabytes));
    if (details) TRY(range_span_stats(&r->ctx->fn.type, &row->range, &stats));
    sys_value(r, megabytes);
    sys_int(r, row->range.lease_holder);
    sys_text(r, range_locality(r->ctx, row->range.lease_holder));
    TRY(range_put_replicas(r, &row->range));
    TRY(range_put_localities(r, &row->range));
    TRY(range_put_voters(r, &row->range));
    TRY(range_put_non_voters(r, &row->range));
    TRY(sys_array(r, OID_INT8, NULL, 0));
    sys_value(r, range_enforced_until(&row->range));
    sys_int(r, size);
    sys_value(r, stats);
    return ST_OK;
}

typedef struct Listing {
    SystemCtx *ctx;
    Request request;
    RangeForm form;
    int ordinal;
} Listing;

static Status range_row(Listing *l, const RangeRow *row, const Overlap *o)
{
    Arena *arena = sys_arena(l->ctx);
    SysRow r = sys_begin(l->ctx);
    sys_text(&r, l->request.text);
    sys_text(&r, start_text(&l->form, row, arena));
    sys_text(&r, end_text(&l->form, row, arena));
    sys_bytes(&r, row->range.start);
    sys_bytes(&r, row->range.end);
    sys_int(&r, row->range.id);
    sys_text(&r, o->database ? o->database->name : NULL);
    sys_text(&r, o->schema ? o->schema->name : NULL);
    sys_text(&r, o->table ? o->table->base.name : NULL);
    sys_value(&r, o->table ? value_int(o->table->base.id) : VALUE_NULL);
    sys_text(&r, o->index ? o->index->name : NULL);
    sys_value(&r, o->index ? value_int(o->index->id) : VALUE_NULL);
    put_overlap_keys(&r, &l->request, row, o);
    TRY(put_details(&r, row, l->request.details));
    sys_int(&r, l->ordinal++);
    return sys_emit(&r);
}

static bool overlaps(const RangeDesc *range, Slice start, Slice end)
{
    return slice_compare(range->start, end) < 0 && slice_compare(start, range->end) < 0;
}

static Overlap overlap_of(SystemCtx *ctx, const TableDesc *table, const IndexDesc *index)
{
    const CatalogView *view = sys_view(ctx);
    return (Overlap){catalog_find_id(view, table->base.parent_database), catalog_find_id(view, table->base.parent_schema),
                     table, index};
}

/* One row for each index of the table that the range overlaps, or one for the table. */
static Status table_overlaps(Listing *l, const RangeRow *row, const TableDesc *table)
{
    Arena *arena = sys_arena(l->ctx);
    RangeForm f;
    form_bounds(&f, table->base.id, 1, arena);
    if (!overlaps(&row->range, f.table_start, f.table_end)) return ST_OK;
    if (l->request.overlaps == 't') {
        Overlap o = overlap_of(l->ctx, table, NULL);
        return range_row(l, row, &o);
    }
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        form_bounds(&f, table->base.id, index->id, arena);
        if (!overlaps(&row->range, f.index_start, f.index_end)) continue;
        Overlap o = overlap_of(l->ctx, table, index);
        if (l->request.form == 't') {
            l->form.index_start = f.index_start;
            l->form.index_end = f.index_end;
        }
        TRY(range_row(l, row, &o));
    }
    return ST_OK;
}

static Status object_form(SystemCtx *ctx, Listing *l, const TableDesc **table)
{
    const Request *q = &l->request;
    const Desc *desc = catalog_find_id(sys_view(ctx), q->object);
    *table = desc && desc->kind == DESC_TABLE ? (const TableDesc *)desc : NULL;
    if (!*table) return ST_END;
    form_bounds(&l->form, q->object, q->index, sys_arena(ctx));
    l->form.skip = q->form == 't' ? 1 : 2;
    l->form.by_index = q->form == 'i';
    l->form.table_start_text = q->form == 'i' ? ELLIPSIS "/TableMin" : ELLIPSIS "/<TableMin>";
    l->form.table_end_text = ELLIPSIS "/<TableMax>";
    if (q->form == 'i' || q->overlaps == 'i') {
        l->form.index_start_text = ELLIPSIS "/<IndexMin>";
        l->form.index_end_text = q->form == 'i' ? ELLIPSIS "/<IndexMax>" : ELLIPSIS "/" ELLIPSIS "/<IndexMax>";
    }
    return ST_OK;
}

static Status list_object(SystemCtx *ctx, Listing *l)
{
    const TableDesc *table = NULL;
    Status st = object_form(ctx, l, &table);
    if (st != ST_OK) return st == ST_END ? ST_OK : st;
    Slice start = l->form.by_index ? l->form.index_start : l->form.table_start;
    Slice end = l->form.by_index ? l->form.index_end : l->form.table_end;
    RangeRow *rows;
    int count = range_rows_list(ctx, start, end, &rows);
    for (int i = 0; i < count; i++) {
        if (l->request.overlaps == 'i' && l->request.form == 't') {
            TRY(table_overlaps(l, &rows[i], table));
            continue;
        }
        Overlap none = {0};
        TRY(range_row(l, &rows[i], &none));
    }
    return ST_OK;
}

static bool touches_database(SystemCtx *ctx, const RangeRow *row, const Desc **tables, int count)
{
    for (int i = 0; i < count; i++) {
        RangeForm f;
        form_bounds(&f, tables[i]->id, 1, sys_arena(ctx));
        if (overlaps(&row->range, f.table_start, f.table_end)) return true;
    }
    return false;
}

static Status list_many(SystemCtx *ctx, Listing *l)
{
    const Desc **tables;
    DescId database = l->request.form == 'd' ? l->request.object : 0;
    int table_count = catalog_list(sys_view(ctx), DESC_TABLE, database, 0, &tables, sys_arena(ctx));
    RangeRow *rows;
    int count = range_rows_list(ctx, (Slice){0}, ROW_KEY_MAX, &rows);
    l->form.skip = -1;
    for (int i = 0; i < count; i++) {
        if (database && !touches_database(ctx, &rows[i], tables, table_count)) continue;
        if (l->request.overlaps == '-') {
            Overlap none = {0};
            TRY(range_row(l, &rows[i], &none));
            continue;
        }
        for (int t = 0; t < table_count; t++) TRY(table_overlaps(l, &rows[i], (const TableDesc *)tables[t]));
    }
    return ST_OK;
}

static Status fill_show_ranges(SystemCtx *ctx)
{
    Listing l = {.ctx = ctx};
    if (!read_request(ctx, &l.request)) return ST_OK;
    return l.request.form == 't' || l.request.form == 'i' ? list_object(ctx, &l) : list_many(ctx, &l);
}

/* ---- SHOW RANGE FOR ROW ---- */

static Slice from_hex(const char *hex, Arena *arena)
{
    size_t size = strlen(hex) / 2;
    uint8_t *bytes = arena_alloc(arena, size + 1);
    for (size_t i = 0; i < size; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return slice_of(bytes, size);
}

static Status fill_show_range_for_row(SystemCtx *ctx)
{
    Listing l = {.ctx = ctx};
    Arena *arena = sys_arena(ctx);
    if (!read_request(ctx, &l.request)) return ST_OK;
    form_bounds(&l.form, l.request.object, l.request.index, arena);
    l.form.skip = 2;
    l.form.table_start_text = ELLIPSIS "/<TableMin>";
    l.form.table_end_text = ELLIPSIS "/<TableMax>";
    RangeRow row;
    range_row_find(ctx, from_hex(l.request.rest, arena), &row);
    SysRow r = sys_begin(ctx);
    sys_text(&r, l.request.text);
    sys_text(&r, start_text(&l.form, &row, arena));
    sys_text(&r, end_text(&l.form, &row, arena));
    sys_int(&r, row.range.id);
    sys_int(&r, row.range.lease_holder);
    sys_text(&r, range_locality(ctx, row.range.lease_holder));
    TRY(range_put_replicas(&r, &row.range));
    TRY(range_put_localities(&r, &row.range));
    TRY(range_put_voters(&r, &row.range));
    TRY(range_put_non_voters(&r, &row.range));
    return sys_emit(&r);
}

/* clang-format off */
const SystemRelation sys_ranges_rows[] = {
    {9720, "rowkey", "show_ranges", "request text, start_key text, end_key text, raw_start_key bytea, raw_end_key bytea, "
     "range_id int8, database_name text, schema_name text, table_name text, table_id int8, index_name text, index_id int8, "
     "index_start_key text, index_end_key text, raw_index_start_key bytea, raw_index_end_key bytea, table_start_key text, "
     "table_end_key text, raw_table_start_key bytea, raw_table_end_key bytea, range_size_mb numeric, lease_holder int8, "
     "lease_holder_locality text, replicas int8[], replica_localities text[], voting_replicas int8[], "
     "non_voting_replicas int8[], learner_replicas int8[], split_enforced_until timestamp, range_size int8, span_stats jsonb, "
     "ordinal int8", fill_show_ranges, NULL, "request"},
    {9721, "rowkey", "show_range_for_row", "request text, start_key text, end_key text, range_id int8, lease_holder int8, "
     "lease_holder_locality text, replicas int8[], replica_localities text[], voting_replicas int8[], "
     "non_voting_replicas int8[]", fill_show_range_for_row, NULL, "request"},
    {0},
};
