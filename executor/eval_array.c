/* eval_array.c - ARRAY[...], ROW(...), (row).field, array[subscript]. */
#include "executor/eval_internal.h"

#include <assert.h>

#include "storage/types/type_array.h"
#include "storage/types/type_record.h"

enum { NAME_BYTES = 64 };

/* ---- ARRAY[...] ---- */

/* Arrays of one shape put side by side: one more dimension in front. */
static Status build_nested(TypeCtx *ctx, Oid element, const Value *parts, int part_count, Value *out)
{
    Array first = {0}, part;
    int32_t lengths[ARRAY_DIMENSIONS_MAX], bounds[ARRAY_DIMENSIONS_MAX];
    Value *all = NULL;
    for (int i = 0; i < part_count; i++) {
        if (!parts[i].null) array_open(parts[i], &part);
        if (i == 0 && !parts[i].null) {
            first = part;
            all = arena_try_alloc(ctx->arena, sizeof(Value) * (size_t)part_count * (size_t)(first.count + 1));
            if (!all) return err_no_memory(ctx->err);
        }
        bool same = !parts[i].null && part.dimension_count == first.dimension_count &&
                    memcmp(part.lengths, first.lengths, sizeof(int32_t) * (size_t)first.dimension_count) == 0;
        if (!same || first.dimension_count == ARRAY_DIMENSIONS_MAX)
            return err_set(ctx->err, ctx->arena, ERR_ARRAY_SUBSCRIPT_ERROR,
                           "multidimensional arrays must have array expressions with matching dimensions");
        for (int e = 0; e < part.count; e++) all[i * first.count + e] = array_element(&part, e);
    }
    lengths[0] = part_count;
    bounds[0] = 1;
    for (int d = 0; d < first.dimension_count; d++) {
        lengths[d + 1] = first.lengths[d];
        bounds[d + 1] = first.lower_bounds[d];
    }
    if (part_count == 0 || first.count == 0) return array_build(ctx, element, NULL, 0, out);
    return array_build_shaped(ctx, element, all, (ArrayShape){first.dimension_count + 1, lengths, bounds}, out);
}

static Status run_array(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    Value *items = ARENA_ARRAY(p->batch, Value, in->arg_count + 1);
    TypeCtx ctx = eval_type_ctx(p);
    Oid element = in->type->element_oid;
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < in->arg_count; a++) items[a] = eval_rows(p, in->args[a])[rows[i]];
        if (in->op)
            TRY(build_nested(&ctx, element, items, in->arg_count, &out[rows[i]]));
        else
            TRY(array_build(&ctx, element, items, in->arg_count, &out[rows[i]]));
    }
    return ST_OK;
}

/* ---- rows ---- */

static Status run_row(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    RecordField *fields = ARENA_ARRAY(p->batch, RecordField, in->arg_count + 1);
    TypeCtx ctx = eval_type_ctx(p);
    const char **names = ((const ExprRow *)in->expr)->names;
    for (int a = 0; a < in->arg_count; a++)
        fields[a] = (RecordField){.type = in->expr->args[a]->type.oid, .name = names ? slice_str(names[a]) : (Slice){0}};
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < in->arg_count; a++) fields[a].value = eval_rows(p, in->args[a])[rows[i]];
        TRY(record_build(&ctx, fields, in->arg_count, &out[rows[i]]));
    }
    return ST_OK;
}

static Status run_field(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *record = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++)
        out[rows[i]] = record[rows[i]].null ? VALUE_NULL : record_field(record[rows[i]], in->op).value;
    return ST_OK;
}

/* ---- subscripts ---- */

static Status run_subscript(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *arrays = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        int32_t subscripts[ARRAY_DIMENSIONS_MAX];
        bool null = arrays[rows[i]].null || in->arg_count - 1 > ARRAY_DIMENSIONS_MAX;
        for (int a = 1; a < in->arg_count && !null; a++) {
            Value v = eval_rows(p, in->args[a])[rows[i]];
            null = v.null;
            subscripts[a - 1] = (int32_t)v.i;
        }
        out[rows[i]] = VALUE_NULL;
        if (null) continue;
        Array array;
        array_open(arrays[rows[i]], &array);
        out[rows[i]] = array_at(&array, subscripts, in->arg_count - 1);
    }
    return ST_OK;
}

/* A name is a row of bytes, numbered from 0. */
static Status run_name_subscript(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *names = eval_rows(p, in->args[0]), *numbers = eval_rows(p, in->args[1]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        Value name = names[rows[i]], number = numbers[rows[i]];
        bool inside = !name.null && !number.null && number.i >= 0 && number.i < NAME_BYTES;
        out[rows[i]] = !inside ? VALUE_NULL : value_bytes(name.p + (number.i < name.size ? number.i : 0), number.i < name.size);
    }
    return ST_OK;
}

static Status slice_array(TypeCtx *ctx, Value value, Value low, Value high, Value *out)
{
    Array array;
    array_open(value, &array);
    if (array.dimension_count > 1) return err_unsupported(ctx->err, ctx->arena, "a slice of a multidimensional array");
    int64_t first = array.dimension_count ? array.lower_bounds[0] : 1, last = first + array.count - 1;
    int64_t from = low.null || low.i < first ? first : low.i, to = high.null || high.i > last ? last : high.i;
    int count = to < from ? 0 : (int)(to - from + 1);
    Value *items = ARENA_ARRAY(ctx->arena, Value, count + 1);
    for (int i = 0; i < count; i++) items[i] = array_element(&array, (int)(from - first) + i);
    return array_build(ctx, array.element, items, count, out);
}

static Status run_slice(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *arrays = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    TypeCtx ctx = eval_type_ctx(p);
    for (int i = 0; i < n; i++) {
        out[rows[i]] = VALUE_NULL;
        if (arrays[rows[i]].null) continue;
        Value low = eval_rows(p, in->args[1])[rows[i]], high = eval_rows(p, in->args[2])[rows[i]];
        TRY(slice_array(&ctx, arrays[rows[i]], low, high, &out[rows[i]]));
    }
    return ST_OK;
}

Status eval_compile_array(Program *p, const Expr *e, int *reg)
{
    int *args, op = 0;
    InstrRun run = run_array;
    const TypeDef *type = exec_type(e->type.oid);
    TRY(eval_compile_args(p, e->args, e->arg_count, &args));
    if (e->kind == EXPR_ROW) {
        run = run_row;
    } else if (e->kind == EXPR_FIELD) {
        run = run_field;
        op = ((const ExprField *)e)->field;
    } else if (e->kind == EXPR_SUBSCRIPT) {
        bool name = e->args[0]->type.oid == OID_NAME && e->arg_count == 2 && !((const ExprSubscript *)e)->slice;
        if (!name && !type_is_array(exec_type(e->args[0]->type.oid)))
            return err_unsupported(p->exec->err, p->exec->arena, "a subscript of this type");
        run = name ? run_name_subscript : ((const ExprSubscript *)e)->slice ? run_slice : run_subscript;
    } else {
        assert(e->kind == EXPR_ARRAY);
        op = e->arg_count > 0 && e->args[0]->type.oid == e->type.oid;
    }
    Instr *in = eval_emit(p, run, e);
    in->args = args;
    in->arg_count = e->arg_count;
    in->type = type;
    in->op = op;
    *reg = in->out;
    return ST_OK;
}
