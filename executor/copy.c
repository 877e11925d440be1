#include "executor/copy.h"

#include "executor/constraint/constraint.h"

#include <assert.h>

#include "executor/ops/op_insert.h"
#include "storage/base/utf8.h"

enum { PIECE_BYTES = 64 * 1024 };

struct CopyIn {
    const UtilityCopy *copy;
    CopySplitter splitter;
    Exec *exec;
    Op *op;             /* the INSERT of one row, run per row */
    const TypeDef **types;
    Value *params;
    Arena *row_arena;
    int64_t line, rows, bytes;
    bool started, header_done;
};

struct CopyOut {
    const UtilityCopy *copy;
    Exec *exec;
    Op *op;
    const TypeDef **types;
    Value *row;
    Buf out;
    VEC(size_t) ends; /* where each row of `out` ends: a row is a message of its own */
    int given;        /* rows of `out` handed out */
    int64_t rows, bytes;
    bool started, ended;
};

static const TypeDef **column_types(const UtilityCopy *copy, Arena *arena)
{
    const TypeDef **types = ARENA_ARRAY(arena, const TypeDef *, copy->column_count + 1);
    for (int i = 0; i < copy->column_count; i++) types[i] = exec_type(copy->columns[i].type.oid);
    return types;
}

Status copy_bind(Portal *p, const UtilityCopy *copy, Error *err)
{
    if (copy->from) {
        CopyIn *in = p->copy_in = ARENA_NEW(p->arena, CopyIn);
        in->copy = in->splitter.copy = copy;
        in->types = column_types(copy, p->arena);
        in->params = ARENA_ARRAY(p->arena, Value, copy->column_count + 1);
        in->row_arena = arena_create(p->arena, 0);
        return ST_OK;
    }
    CopyOut *out = p->copy_out = ARENA_NEW(p->arena, CopyOut);
    out->copy = copy;
    out->types = column_types(copy, p->arena);
    out->row = ARENA_ARRAY(p->arena, Value, copy->column_count + 1);
    return ST_OK;
}

void copy_close(Portal *p)
{
    if ((p->copy_in && p->copy_in->started) || (p->copy_out && p->copy_out->started)) progress_end(&p->session->progress);
    if (p->copy_in) {
        op_close(p->copy_in->op);
        p->copy_in->op = NULL;
        buf_finish(&p->copy_in->splitter.pending);
    }
    if (p->copy_out) {
        op_close(p->copy_out->op);
        p->copy_out->op = NULL;
        buf_finish(&p->copy_out->out);
    }
}

int portal_copy_columns(const Portal *p)
{
    return p->copy_in ? p->copy_in->copy->column_count : p->copy_out->copy->column_count;
}

bool portal_copy_binary(const Portal *p)
{
    return (p->copy_in ? p->copy_in->copy : p->copy_out->copy)->format == COPY_BINARY;
}

static Status start_statement(Portal *p, const PlannedStmt *planned, Exec **exec, Op **op, Error *err)
{
    SessionState *s = p->session;
    if (s->phase == PHASE_FAILED) return txn_state_aborted_error(s, err);
    if (!p->statement_begun) TRY(txn_state_statement(s, err));
    s->implicit_statements++;
    *exec = exec_create(&s->session, planned, p->arena);
    (*exec)->temp_directory = s->server->temp_directory;
    exec_start(*exec, s->txn, p->params, err);
    p->state = PORTAL_ACTIVE;
    TRY(op_build(*exec, planned->plan, op));
    return ST_OK;
}

/* Runs a step of a copy and ends the portal if it failed. */
static Status copy_outcome(Portal *p, Status st, Error *err)
{
    if (st != ST_ERROR) return st;
    session_keep_error(p->session, err);
    copy_close(p);
    p->state = PORTAL_FAILED;
    return session_error(p->session, err);
}

/* ---- FROM ---- */

static Status start_in(Portal *p, Error *err)
{
    CopyIn *in = p->copy_in;
    if (in->started) {
        in->exec->err = err;
        return ST_OK;
    }
    TRY(start_statement(p, in->copy->insert, &in->exec, &in->op, err));
    in->exec->params = in->params;
    in->started = true;
    progress_begin(&p->session->progress, &(ProgressStart){.command = PROGRESS_COPY_FROM, .table = in->copy->table->base.id});
    return op_open(in->op);
}

static void line_context(CopyIn *in, int column, const CopyField *field, Error *err)
{
    if (err->context) return;
    const char *table = in->copy->table->base.name;
    Arena *arena = in->exec->arena;
    enum { SHOWN_BYTES_MAX = 100 };
    if (column < 0)
        err->context = arena_printf(arena, "COPY %s, line %lld", table, (long long)in->line);
    else if (field->null)
        err->context = arena_printf(arena, "COPY %s, line %lld, column %s: null input", table, (long long)in->line,
                                    in->copy->columns[column].name);
    else
        err->context = arena_printf(arena, "COPY %s, line %lld, column %s: \"%.*s%s\"", table, (long long)in->line,
                                    in->copy->columns[column].name,
                                    (int)(field->text.size > SHOWN_BYTES_MAX ? SHOWN_BYTES_MAX : field->text.size),
                                    (const char *)field->text.data, field->text.size > SHOWN_BYTES_MAX ? "..." : "");
}

static Status row_error(CopyIn *in, Slice row, Error *err)
{
    if (in->copy->format == COPY_BINARY) {
        line_context(in, -1, NULL, err);
        return ST_ERROR;
    }
    int shown = row.size > 100 ? 100 : (int)row.size;
    err->context = arena_printf(in->exec->arena, "COPY %s, line %lld: \"%.*s%s\"", in->copy->table->base.name,
                                (long long)in->line, shown, (const char *)row.data, row.size > 100 ? "..." : "");
    return ST_ERROR;
}

static Status check_field_count(CopyIn *in, Slice row, int count, Error *err)
{
    int wanted = in->copy->column_count;
    if (count == wanted) return ST_OK;
    if (count > wanted)
        (void)err_set(err, in->exec->arena, ERR_BAD_COPY_FILE_FORMAT, "extra data after last expected column");
    else
        (void)err_set(err, in->exec->arena, ERR_BAD_COPY_FILE_FORMAT, "missing data for column \"%s\"",
                      in->copy->columns[count].name);
    return row_error(in, row, err);
}

static Status read_text_row(CopyIn *in, Slice row, Error *err)
{
    CopyField *fields;
    int count;
    size_t valid = utf8_valid_prefix(row);
    if (valid < row.size) {
        (void)err_set(err, in->exec->arena, ERR_CHARACTER_NOT_IN_REPERTOIRE,
                      "invalid byte sequence for encoding \"UTF8\": 0x%02x", row.data[valid]);
        line_context(in, -1, NULL, err);
        return ST_ERROR;
    }
    if (copy_parse_fields(in->copy, row, &fields, &count, in->row_arena, err) != ST_OK) return row_error(in, row, err);
    TRY(check_field_count(in, row, count, err));
    TypeCtx ctx = {in->row_arena, exec_type_env(in->exec), err};
    for (int i = 0; i < count; i++) {
        in->params[i] = VALUE_NULL;
        if (fields[i].null) continue;
        Status st = in->types[i]->in(in->types[i], &ctx, fields[i].text, in->copy->columns[i].type.typmod, &in->params[i]);
        if (st == ST_ERROR) line_context(in, i, &fields[i], err);
        TRY(st);
    }
    return ST_OK;
}

static Status read_binary_row(CopyIn *in, Slice row, Error *err)
{
    int count = (int16_t)load_u16(row.data);
    if (count != in->copy->column_count) {
        (void)err_set(err, in->exec->arena, ERR_BAD_COPY_FILE_FORMAT, "row field count is %d, expected %d", count,
                      in->copy->column_count);
        return row_error(in, row, err);
    }
    TypeCtx ctx = {in->row_arena, exec_type_env(in->exec), err};
    size_t at = 2;
    for (int i = 0; i < count; i++) {
        int32_t size = (int32_t)load_u32(row.data + at);
        at += 4;
        in->params[i] = VALUE_NULL;
        if (size < 0) continue;
        Slice bytes = slice_of(row.data + at, (size_t)size);
        Status st = in->types[i]->receive(in->types[i], &ctx, bytes, in->copy->columns[i].type.typmod, &in->params[i]);
        if (st == ST_ERROR) row_error(in, row, err);
        TRY(st);
        at += (size_t)size;
    }
    return ST_OK;
}

static Status read_header(CopyIn *in, Slice row, Error *err)
{
    CopyField *fields;
    int count;
    in->header_done = true;
    if (in->copy->header != COPY_HEADER_MATCH) return ST_OK;
    TRY(copy_parse_fields(in->copy, row, &fields, &count, in->row_arena, err));
    if (count != in->copy->column_count) {
        (void)err_set(err, in->exec->arena, ERR_BAD_COPY_FILE_FORMAT, "wrong number of fields in header line: got %d, expected %d",
                      count, in->copy->column_count);
        return row_error(in, row, err);
    }
    for (int i = 0; i < count; i++) {
        if (slice_equal_str(fields[i].text, in->copy->columns[i].name)) continue;
        (void)err_set(err, in->exec->arena, ERR_BAD_COPY_FILE_FORMAT,
                      "column name mismatch in header line field %d: got \"%.*s\", expected \"%s\"", i + 1,
                      (int)fields[i].text.size, (const char *)fields[i].text.data, in->copy->columns[i].name);
        return row_error(in, row, err);
    }
    return ST_OK;
}

static Status take_row(CopyIn *in, Slice row, Error *err)
{
    in->line++;
    arena_reset(in->row_arena);
    if (in->copy->format != COPY_BINARY && in->copy->header != COPY_HEADER_OFF && !in->header_done)
        return read_header(in, row, err);
    TRY(in->copy->format == COPY_BINARY ? read_binary_row(in, row, err) : read_text_row(in, row, err));
    in->exec->run++;
    Status st = op_insert_next_row(in->op);
    if (st == ST_ERROR) line_context(in, -1, NULL, err);
    TRY(st);
    in->rows++;
    return ST_OK;
}

static Status take_rows(Portal *p, bool final, Error *err)
{
    CopyIn *in = p->copy_in;
    for (;;) {
        Slice row;
        Status st = copy_splitter_next(&in->splitter, final, &row, in->row_arena, err);
        if (st == ST_END) return ST_OK;
        if (st == ST_ERROR) line_context(in, -1, NULL, err);
        TRY(st);
        TRY(take_row(in, row, err));
    }
}

static Status run_in(Portal *p, Slice bytes, bool final, Error *err)
{
    TRY(start_in(p, err));
    CopyIn *in = p->copy_in;
    if (bytes.size) copy_splitter_add(&in->splitter, bytes);
    TRY(take_rows(p, final, err));
    in->bytes += (int64_t)bytes.size;
    progress_set(&p->session->progress, in->bytes, in->rows);
    if (!final) return ST_OK;
    TRY(constraints_finish(in->exec));
    snprintf(p->tag, sizeof p->tag, "COPY %lld", (long long)p->copy_in->rows);
    copy_close(p);
    p->state = PORTAL_DONE;
    return ST_OK;
}

Status portal_copy_in(Portal *p, Slice bytes, Error *err)
{
    return copy_outcome(p, run_in(p, bytes, false, err), err);
}

Status portal_copy_in_end(Portal *p, Error *err)
{
    return copy_outcome(p, run_in(p, (Slice){0}, true, err), err);
}

/* ---- TO ---- */

static Status start_out(Portal *p, Error *err)
{
    CopyOut *out = p->copy_out;
    if (out->started) {
        out->exec->err = err;
        return ST_OK;
    }
    TRY(start_statement(p, out->copy->query, &out->exec, &out->op, err));
    out->started = true;
    DescId table = out->copy->table ? out->copy->table->base.id : 0;
    progress_begin(&p->session->progress, &(ProgressStart){.command = PROGRESS_COPY_TO, .table = table});
    copy_format_header(out->copy, &out->out);
    /* A header line is a message of its own, the binary header comes with the first one: clients that parse rows count on it. */
    if (out->out.size && out->copy->format != COPY_BINARY) VEC_PUSH(p->arena, out->ends, out->out.size);
    return op_open(out->op);
}

static Status format_batch(Portal *p, CopyOut *out)
{
    Batch batch;
    TRY(op_next(out->op, &batch));
    for (int i = 0; i < batch_rows(&batch); i++) {
        int row = batch_row(&batch, i);
        for (int c = 0; c < out->copy->column_count; c++) out->row[c] = batch.columns[c][row];
        copy_format_row(out->copy, exec_type_env(out->exec), out->types, out->row, &out->out);
        VEC_PUSH(p->arena, out->ends, out->out.size);
        out->rows++;
    }
    return out->out.failed ? err_no_memory(out->exec->err) : ST_OK;
}

static Status fill_out(Portal *p, CopyOut *out, Error *err)
{
    buf_clear(&out->out);
    out->ends.count = out->given = 0;
    TRY(start_out(p, err));
    while (!out->ended && out->out.size < PIECE_BYTES) {
        Status st = format_batch(p, out);
        if (st == ST_ERROR) return st;
        out->ended = st == ST_END;
        size_t before = out->out.size;
        if (out->ended) copy_format_end(out->copy, &out->out);
        if (out->out.size > before) VEC_PUSH(p->arena, out->ends, out->out.size);
    }
    out->bytes += (int64_t)out->out.size;
    progress_set(&p->session->progress, out->bytes, out->rows);
    return ST_OK;
}

static Status run_out(Portal *p, Slice *bytes, Error *err)
{
    CopyOut *out = p->copy_out;
    if (p->state == PORTAL_DONE) return ST_END;
    if (out->given == out->ends.count) TRY(fill_out(p, out, err));
    if (out->given < out->ends.count) {
        size_t start = out->given ? out->ends.items[out->given - 1] : 0;
        *bytes = slice_of(out->out.data + start, out->ends.items[out->given++] - start);
        return ST_OK;
    }
    snprintf(p->tag, sizeof p->tag, "COPY %lld", (long long)out->rows);
    copy_close(p);
    p->state = PORTAL_DONE;
    return ST_END;
}

Status portal_copy_out(Portal *p, Slice *bytes, Error *err)
{
    return copy_outcome(p, run_out(p, bytes, err), err);
}
