/* op_project_set.c - set-returning functions in the select list: each input row once per row of the longest call, the
 * shorter ones padded with NULL. */
#include "executor/ops/op_classes.h"
#include "executor/ops/op_function.h"
#include "storage/types/type_record.h"

/* A call whose rows have several columns: they become one record. */
typedef struct RecordCall {
    RecordField *fields;
    Value *values;
    int count; /* 0: one column, which is the result itself */
} RecordCall;

typedef struct OpProjectSet {
    Op base;
    FunctionCall *calls;
    RecordCall *records; /* beside the calls */
    Value **out;
    Value *row;      /* the input row in progress */
    Batch in;
    int in_next;     /* the next row of it */
    bool in_row;     /* calls are running for `row` */
    Arena *call_arena;
} OpProjectSet;

/* The types out of "name type, name type". */
static Status record_call_init(RecordCall *record, const FunctionCall *call, Exec *exec)
{
    const char *text = call->function && call->function->rows ? call->function->rows->columns : NULL;
    if (!text || !strchr(text, ',')) return ST_OK;
    record->count = 1;
    for (const char *c = text; *c; c++) record->count += *c == ',';
    record->fields = ARENA_ARRAY(exec->arena, RecordField, record->count);
    record->values = ARENA_ARRAY(exec->arena, Value, record->count);
    for (int i = 0; i < record->count; i++) {
        size_t n = strcspn(text, ",");
        const char *word = memchr(text, ' ', n);
        const char *name = arena_strndup(exec->arena, word + 1, (size_t)(text + n - word - 1));
        const TypeDef *type = type_find_name(name);
        if (!type) return err_unsupported(exec->err, exec->arena, call->function->name);
        record->fields[i].type = type->oid;
        text += n;
        while (*text == ',' || *text == ' ') text++;
    }
    return ST_OK;
}

static Status record_call_next(RecordCall *record, FunctionCall *call, Exec *exec, Value *out)
{
    Status st = function_call_next(call, exec, record->values);
    if (st != ST_OK) return st;
    for (int i = 0; i < record->count; i++) record->fields[i].value = record->values[i];
    return record_build(&call->ctx.type, record->fields, record->count, out);
}

static Status set_open(Op *op)
{
    OpProjectSet *self = (OpProjectSet *)op;
    const PlanProjectSet *plan = (const PlanProjectSet *)op->plan;
    const Plan *input = op->plan->inputs[0];
    Arena *arena = op->exec->arena;
    if (!self->calls) {
        self->calls = ARENA_ARRAY(arena, FunctionCall, plan->call_count + 1);
        self->out = ARENA_ARRAY(arena, Value *, op->plan->column_count + 1);
        self->row = ARENA_ARRAY(arena, Value, input->column_count + 1);
        for (int c = 0; c < op->plan->column_count; c++) self->out[c] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
        self->records = ARENA_ARRAY(arena, RecordCall, plan->call_count + 1);
        for (int i = 0; i < plan->call_count; i++) {
            TRY(function_call_init(&self->calls[i], op->exec, plan->calls[i], input->columns, input->column_count));
            TRY(record_call_init(&self->records[i], &self->calls[i], op->exec));
        }
    }
    self->in = (Batch){0};
    self->in_next = 0;
    self->in_row = false;
    self->call_arena = arena_create(op->arena, 0);
    return op_open_inputs(op);
}

static Status start_row(OpProjectSet *self)
{
    Op *op = &self->base;
    const PlanProjectSet *plan = (const PlanProjectSet *)op->plan;
    int row = batch_row(&self->in, self->in_next++);
    for (int c = 0; c < self->in.column_count; c++) self->row[c] = self->in.columns[c][row];
    for (int i = 0; i < plan->call_count; i++)
        TRY(function_call_start(&self->calls[i], op->exec, self->row, self->call_arena));
    self->in_row = true;
    return ST_OK;
}

/* The next output row for the current input row; *some false: its calls are dry. */
static Status set_row(OpProjectSet *self, int at, bool *some)
{
    Op *op = &self->base;
    const PlanProjectSet *plan = (const PlanProjectSet *)op->plan;
    int input_columns = op->plan->inputs[0]->column_count;
    *some = false;
    for (int i = 0; i < plan->call_count; i++) {
        Value *place = &self->out[input_columns + i][at];
        /* A plain expression beside set-returning ones repeats its value. */
        if (!self->calls[i].function) {
            *place = self->calls[i].single;
            continue;
        }
        self->calls[i].ctx.type.arena = op->batch_arena;
        Status st = self->records[i].count ? record_call_next(&self->records[i], &self->calls[i], op->exec, place)
                                           : function_call_next(&self->calls[i], op->exec, place);
        if (st == ST_ERROR) return st;
        *some |= st == ST_OK;
        if (st == ST_END) *place = VALUE_NULL;
    }
    for (int c = 0; c < input_columns; c++) self->out[c][at] = self->row[c];
    return ST_OK;
}

static Status set_next(Op *op, Batch *batch)
{
    OpProjectSet *self = (OpProjectSet *)op;
    int rows = 0, wanted = op->rows_wanted ? op->rows_wanted : BATCH_ROWS_MAX;
    /* Values of this batch may borrow from the arguments of any call that was started during it. */
    if (!self->in_row) arena_reset(self->call_arena);
    while (rows < wanted) {
        if (!self->in_row) {
            /* Rows handed out borrow from the input batch, so a new one begins a batch of our own. */
            if (self->in_next >= batch_rows(&self->in)) {
                if (rows > 0) break;
                self->in_next = 0;
                TRY(op_next(op->inputs[0], &self->in));
                continue;
            }
            TRY(start_row(self));
        }
        bool some;
        TRY(set_row(self, rows, &some));
        self->in_row = some;
        rows += some;
    }
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

static void set_close(Op *op)
{
    OpProjectSet *self = (OpProjectSet *)op;
    const PlanProjectSet *plan = (const PlanProjectSet *)op->plan;
    for (int i = 0; self->calls && i < plan->call_count; i++) eval_close(self->calls[i].args);
}

const OpClass op_project_set_class = {"project set", sizeof(OpProjectSet), set_open, set_next, NULL, set_close};
