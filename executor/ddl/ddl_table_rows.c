#include "executor/ddl/ddl_internal.h"
#include "executor/stmt_internal.h"
#include "executor/stmt_internal.h"

#include <assert.h>

/* ---- expressions of a descriptor ---- */

static Status table_expr(Exec *exec, const WriteTarget *target, const char *text, TypeRef wanted, Expr **out)
{
    return plan_table_expr(exec->session, &(TableExpr){target->table, target->row, text, wanted}, out, exec->arena, exec->err);
}

Status ddl_write_target(Exec *exec, const TableDesc *table, WriteTarget **out)
{
    Arena *arena = exec->arena;
    WriteTarget *target = ARENA_NEW(arena, WriteTarget);
    target->table = table;
    target->row = ARENA_ARRAY(arena, RelColumn, table->columns.count);
    target->computed = ARENA_ARRAY(arena, Expr *, table->columns.count);
    target->checks = ARENA_ARRAY(arena, Expr *, table->checks.count + 1);
    target->predicates = ARENA_ARRAY(arena, Expr *, table->indexes.count);
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        target->row[i] = (RelColumn){.id = i + 1, .name = column->name, .type = column->type};
    }
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->computed_expr) TRY(table_expr(exec, target, column->computed_expr, column->type, &target->computed[i]));
    }
    for (int i = 0; i < table->checks.count; i++) {
        const CheckDesc *check = &table->checks.items[i];
        if (!check->hidden) TRY(table_expr(exec, target, check->expr, (TypeRef){OID_BOOL, -1}, &target->checks[i]));
    }
    for (int i = 0; i < table->indexes.count; i++) {
        const char *predicate = table->indexes.items[i].predicate;
        if (predicate) TRY(table_expr(exec, target, predicate, (TypeRef){OID_BOOL, -1}, &target->predicates[i]));
    }
    *out = target;
    return ST_OK;
}

Status ddl_fresh_snapshot(Exec *exec)
{
    if (txn_options(exec->txn)->isolation == TXN_READ_COMMITTED) return txn_statement_begin(exec->txn, exec->err);
    if (txn_snapshot_version(exec->txn) == store_version(txn_store(exec->txn))) return ST_OK;
    return err_set(exec->err, exec->arena, ERR_SERIALIZATION_FAILURE,
                   "restart transaction: rows were committed after this transaction's snapshot");
}

/* ---- reading all rows ---- */

typedef struct AllRows {
    Exec *exec;
    const TableDesc *table;
    RowTarget target;
    TableScan *scan;
    int *ordinals; /* stored columns */
    int count;
    Value **vectors;
    Value *row;
} AllRows;

static bool is_stored(const TableDesc *table, int ordinal)
{
    const ColumnDesc *column = &table->columns.items[ordinal];
    return column->computed != COMPUTED_VIRTUAL || table_column_in_primary(table, column->id);
}

static Status open_all(AllRows *all, Exec *exec, const TableDesc *table)
{
    Arena *arena = exec->arena;
    WriteTarget *target;
    *all = (AllRows){.exec = exec, .table = table};
    TRY(ddl_write_target(exec, table, &target));
    TRY(row_target_init(&all->target, exec, target));
    int columns = table->columns.count;
    all->ordinals = ARENA_ARRAY(arena, int, columns);
    all->row = ARENA_ARRAY(arena, Value, columns);
    for (int i = 0; i < columns; i++)
        if (is_stored(table, i)) all->ordinals[all->count++] = i;
    all->vectors = ARENA_ARRAY(arena, Value *, all->count + 1);
    for (int i = 0; i < all->count; i++) all->vectors[i] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
    Buf start = {0}, end = {0};
    index_span(table->base.id, table_primary(table)->id, &start, &end);
    KeySpan *span = ARENA_NEW(arena, KeySpan);
    *span = (KeySpan){arena_slice(arena, buf_slice(&start)), arena_slice(arena, buf_slice(&end))};
    buf_finish(&start);
    buf_finish(&end);
    TableScanOptions options = {.index = table_primary(table), .spans = span, .span_count = 1, .columns = all->ordinals,
                                .column_count = all->count};
    return table_scan_open(all->target.access, exec->txn, &options, &all->scan, arena, exec->err);
}

static void close_all(AllRows *all)
{
    if (all->scan) table_scan_close(all->scan);
    row_target_close(&all->target);
}

static Status each_of_block(AllRows *all, int rows, DdlRowFn each, void *argument, Arena *arena)
{
    for (int r = 0; r < rows; r++) {
        arena_reset(arena);
        for (int i = 0; i < all->table->columns.count; i++) all->row[i] = VALUE_NULL;
        for (int i = 0; i < all->count; i++) all->row[all->ordinals[i]] = all->vectors[i][r];
        TRY(row_target_compute(&all->target, all->row, arena));
        TRY(each(argument, all->row, arena));
    }
    return interrupt_poll(txn_options(all->exec->txn)->interrupt, all->exec->err);
}

Status ddl_each_row(Exec *exec, const TableDesc *table, DdlRowFn each, void *argument)
{
    AllRows all;
    Arena *arena = arena_create(exec->arena, 0);
    Status st = open_all(&all, exec, table);
    while (st == ST_OK) {
        int rows = 0;
        st = table_scan_next(all.scan, all.vectors, NULL, BATCH_ROWS_MAX, &rows, exec->err);
        if (st == ST_OK) st = each_of_block(&all, rows, each, argument, arena);
    }
    close_all(&all);
    if (st == ST_ERROR) session_keep_error(state_of(exec->session), exec->err); /* the row that failed has its texts in here */
    arena_destroy(arena);
    return st == ST_END ? ST_OK : st;
}

/* ---- backfill ---- */

typedef struct Backfill {
    RowTarget target;
    Arena *arena;
    int index; /* among table->indexes */
    Progress *progress;
    int64_t rows;
} Backfill;

/* The entries go down into the store with the transaction, so it is its end that ends the work. */
static void backfill_end(void *progress, bool committed)
{
    (void)committed;
    progress_end(progress);
}

static void backfill_begin(Backfill *b, Exec *exec, const TableDesc *table, uint32_t index_id)
{
    const TableStats *stats = catalog_table_stats(exec->session->catalog, table, b->arena);
    b->progress = &state_of(exec->session)->progress;
    progress_begin(b->progress, &(ProgressStart){.command = PROGRESS_CREATE_INDEX, .table = table->base.id,
                                                 .index = index_oid(table->base.id, index_id),
                                                 .rows_total = (int64_t)stats->row_count});
    txn_on_end(exec->txn, backfill_end, b->progress);
}

static Status backfill_row(void *argument, Value *row, bool *in_predicate, Error *err)
{
    Backfill *b = argument;
    RowImage image;
    arena_reset(b->arena);
    progress_set(b->progress, 0, ++b->rows);
    TRY(row_target_compute(&b->target, row, b->arena));
    TRY(row_target_image(&b->target, row, b->target.in_predicate, &image, b->arena));
    *in_predicate = !image.in_predicate || image.in_predicate[b->index];
    return ST_OK;
}

Status ddl_backfill_index(Exec *exec, const TableDesc *table, uint32_t index_id)
{
    Backfill b = {.arena = arena_create(exec->arena, 0)};
    WriteTarget *target;
    const IndexDesc *index = table_index_by_id(table, index_id);
    b.index = (int)(index - table->indexes.items);
    backfill_begin(&b, exec, table, index_id);
    Status st = ddl_write_target(exec, table, &target);
    if (st == ST_OK) {
        st = row_target_init(&b.target, exec, target);
        if (st == ST_OK)
            st = index_backfill(b.target.access, exec->txn, index, backfill_row, &b, exec->err);
        if (st == ST_ERROR && exec->err->table) exec->err->schema = session_schema_name(exec->session, table->base.parent_schema);
        row_target_close(&b.target);
    }
    if (st == ST_OK) atomic_store(&b.progress->phase, INDEX_PHASE_LOADING);
    else progress_end(b.progress);
    if (st == ST_ERROR) session_keep_error(state_of(exec->session), exec->err);
    arena_destroy(b.arena);
    return st;
}

/* ---- rewriting ---- */

typedef struct Rewrite {
    Exec *exec;
    const TableDesc *before, *after;
    RowTarget target;
    RowWriter *writer;
    Arena *writer_arena;
    int *source;         /* per column of after: ordinal in before; -1: new */
    Program **programs;  /* per column of after: its new value over before's row; NULL: taken over */
    Value *row;
} Rewrite;

static Status compile_rewrites(Rewrite *w, const UtilityAlterTable *u)
{
    Exec *exec = w->exec;
    int columns = w->before->columns.count;
    WriteTarget over = {.table = w->before, .row = ARENA_ARRAY(exec->arena, RelColumn, columns)};
    ColId *ids = ARENA_ARRAY(exec->arena, ColId, columns + 1);
    for (int i = 0; i < columns; i++) {
        const ColumnDesc *column = &w->before->columns.items[i];
        over.row[i] = (RelColumn){.id = i + 1, .name = column->name, .type = column->type};
        ids[i] = i + 1;
    }
    for (int i = 0; i < u->rewrite.count; i++) {
        int ordinal = table_column_by_id(w->after, u->rewrite.items[i].column_id);
        if (ordinal < 0) continue; /* added and dropped again by one statement */
        Expr *e;
        TRY(table_expr(exec, &over, u->rewrite.items[i].expr, w->after->columns.items[ordinal].type, &e));
        TRY(eval_compile(exec, &e, 1, ids, columns, &w->programs[ordinal]));
    }
    return ST_OK;
}

static Status contains_null(Rewrite *w, const ColumnDesc *column)
{
    Error *err = w->exec->err;
    (void)err_set(err, w->exec->arena, ERR_NOT_NULL_VIOLATION, "column \"%s\" of relation \"%s\" contains null values",
                  column->name, w->after->base.name);
    err->schema = session_schema_name(w->exec->session, w->after->base.parent_schema);
    err->table = w->after->base.name;
    err->table_id = w->after->base.id;
    err->column = column->name;
    return ST_ERROR;
}

/* The index is made anew, so it is not the row that is refused. */
static Status rebuilt_twice(const Rewrite *w)
{
    Error *err = w->exec->err;
    const char *end = err->detail ? strstr(err->detail, " already exists.") : NULL;
    err->message = arena_printf(w->exec->arena, "could not create unique index \"%s\"", err->constraint);
    if (end) err->detail = arena_printf(w->exec->arena, "%.*s is duplicated.", (int)(end - err->detail), err->detail);
    err->schema = session_schema_name(w->exec->session, w->after->base.parent_schema);
    return ST_ERROR;
}

static Status rewrite_row(void *argument, Value *before, Arena *arena)
{
    Rewrite *w = argument;
    for (int i = 0; i < w->after->columns.count; i++) {
        w->row[i] = w->source[i] >= 0 ? before[w->source[i]] : VALUE_NULL;
        if (w->programs[i]) TRY(eval_row(w->programs[i], before, arena, &w->row[i]));
    }
    TRY(row_target_compute(&w->target, w->row, arena));
    for (int i = 0; i < w->after->columns.count; i++) {
        const ColumnDesc *column = &w->after->columns.items[i];
        if (column->not_null && w->row[i].null && column->role == COLUMN_USER) return contains_null(w, column);
    }
    TRY(row_target_check(&w->target, w->row, arena));
    RowImage image;
    TRY(row_target_image(&w->target, w->row, w->target.in_predicate, &image, arena));
    Status st = row_insert(w->writer, image, w->exec->err);
    return st == ST_ERROR && w->exec->err->sqlstate == ERR_UNIQUE_VIOLATION ? rebuilt_twice(w) : st;
}

Status ddl_rewrite(Exec *exec, const UtilityAlterTable *u, const TableDesc *after)
{
    Rewrite w = {.exec = exec, .before = u->before, .after = after};
    WriteTarget *target;
    TRY(ddl_write_target(exec, after, &target));
    w.source = ARENA_ARRAY(exec->arena, int, after->columns.count);
    w.programs = ARENA_ARRAY(exec->arena, Program *, after->columns.count);
    w.row = ARENA_ARRAY(exec->arena, Value, after->columns.count);
    for (int i = 0; i < after->columns.count; i++)
        w.source[i] = table_column_by_id(u->before, after->columns.items[i].id);
    w.writer_arena = arena_create(exec->arena, 0);
    Status st = row_target_init(&w.target, exec, target);
    if (st == ST_OK) st = compile_rewrites(&w, u);
    if (st == ST_OK) {
        w.writer = row_writer_create(w.target.access, exec->txn, w.writer_arena);
        st = ddl_each_row(exec, u->before, rewrite_row, &w);
    }
    for (int i = 0; i < u->before->indexes.count && st == ST_OK; i++)
        st = index_clear(exec->txn, u->before->base.id, u->before->indexes.items[i].id, exec->err);
    for (int i = 0; i < after->columns.count; i++) eval_close(w.programs[i]);
    row_target_close(&w.target);
    if (st == ST_ERROR) session_keep_error(state_of(exec->session), exec->err); /* the writer holds its texts */
    arena_destroy(w.writer_arena);
    return st;
}

/* ---- validation ---- */

typedef struct Validation {
    Exec *exec;
    const TableDesc *table;
    const CheckDesc *check;
    Program *program;
    int ordinal;
} Validation;

static Status validate_check_row(void *argument, Value *row, Arena *arena)
{
    Validation *v = argument;
    Value result;
    TRY(eval_row(v->program, row, arena, &result));
    if (result.null || result.i) return ST_OK;
    Error *err = v->exec->err;
    (void)err_set(err, v->exec->arena, ERR_CHECK_VIOLATION, "check constraint \"%s\" of relation \"%s\" is violated by some row",
                  v->check->name, v->table->base.name);
    err->schema = session_schema_name(v->exec->session, v->table->base.parent_schema);
    err->table = v->table->base.name;
    err->table_id = v->table->base.id;
    err->constraint = v->check->name;
    return ST_ERROR;
}

Status ddl_validate_check(Exec *exec, const TableDesc *table, uint32_t check_id)
{
    Validation v = {.exec = exec, .table = table};
    WriteTarget *target;
    int number = -1;
    for (int i = 0; i < table->checks.count; i++)
        if (table->checks.items[i].id == check_id) number = i;
    if (number < 0) return ST_OK;
    v.check = &table->checks.items[number];
    TRY(ddl_write_target(exec, table, &target));
    ColId *ids = ARENA_ARRAY(exec->arena, ColId, table->columns.count);
    for (int i = 0; i < table->columns.count; i++) ids[i] = target->row[i].id;
    TRY(eval_compile(exec, &target->checks[number], 1, ids, table->columns.count, &v.program));
    Status st = ddl_each_row(exec, table, validate_check_row, &v);
    eval_close(v.program);
    return st;
}

static Status validate_not_null_row(void *argument, Value *row, Arena *arena)
{
    Validation *v = argument;
    if (!row[v->ordinal].null) return ST_OK;
    Rewrite w = {.exec = v->exec, .after = v->table};
    return contains_null(&w, &v->table->columns.items[v->ordinal]);
}

Status ddl_validate_not_null(Exec *exec, const TableDesc *table, uint32_t column_id)
{
    Validation v = {.exec = exec, .table = table, .ordinal = table_column_by_id(table, column_id)};
    return v.ordinal < 0 ? ST_OK : ddl_each_row(exec, table, validate_not_null_row, &v);
}

/* ---- nested queries ---- */

Status ddl_run_query(Exec *exec, const PlannedStmt *query, DdlBatchFn each, void *argument)
{
    Exec *inner = exec_create(exec->session, query, exec->arena);
    exec_start(inner, exec->txn, exec->params, exec->err);
    inner->temp_directory = exec->temp_directory;
    Op *op;
    TRY(op_build(inner, query->plan, &op));
    Status st = op_open(op);
    while (st == ST_OK) {
        Batch batch = {0};
        st = op_next(op, &batch);
        if (st == ST_OK) st = each(argument, &batch);
    }
    if (st == ST_ERROR) session_keep_error(state_of(exec->session), exec->err); /* the operators hold its texts */
    op_close(op);
    return st == ST_END ? ST_OK : st;
}
