#include "executor/ops/window_frame.h"

#include <assert.h>

#include "executor/functions/window_kinds.h"

/* A partition being gone over. Peers: rows equal in the order. */
typedef struct Walk {
    WindowCall *call;
    WindowPartition *p;
    Exec *exec;
    Arena *arena;
    int *peer_start, *peer_end, *group; /* by row: its peers' first, behind their last; number of the group */
} Walk;

void window_call_types(WindowCall *call, Exec *exec, const TypeDef **types)
{
    const ExprWindow *e = call->e;
    Arena *arena = exec->arena;
    TypeRef *arg_types = ARENA_ARRAY(arena, TypeRef, e->base.arg_count + 1);
    for (int i = 0; i < e->base.arg_count; i++) arg_types[i] = e->base.args[i]->type;
    call->types = types;
    call->order_keys = ARENA_ARRAY(arena, SorterKey, e->spec->order_count + 1);
    for (int i = 0; i < e->spec->order_count; i++)
        call->order_keys[i] = (SorterKey){call->order + i, e->spec->order[i].descending, e->spec->order[i].nulls_first,
                                          types[call->order + i]};
    call->agg.fn = (FnCtx){.arg_types = arg_types, .arg_count = e->base.arg_count, .result_type = e->base.type,
                           .site_arena = arena};
}

bool window_same_partition(const WindowCall *call, const Value *a, const Value *b)
{
    for (int i = call->partition; i < call->partition + call->e->spec->partition_count; i++) {
        if (a[i].null != b[i].null) return false;
        if (!a[i].null && type_compare(call->types[i], a[i], b[i]) != 0) return false;
    }
    return true;
}

static int compare_order(const Walk *w, int a, int b)
{
    return sorter_compare(w->call->order_keys, w->call->e->spec->order_count, w->p->rows[a], w->p->rows[b]);
}

static void find_peers(Walk *w)
{
    int n = w->p->count, group = 0;
    w->peer_start = ARENA_ARRAY(w->arena, int, n + 1);
    w->peer_end = ARENA_ARRAY(w->arena, int, n + 1);
    w->group = ARENA_ARRAY(w->arena, int, n + 1);
    for (int start = 0, end; start < n; start = end, group++) {
        for (end = start + 1; end < n && compare_order(w, start, end) == 0; end++) continue;
        for (int i = start; i < end; i++) {
            w->peer_start[i] = start;
            w->peer_end[i] = end;
            w->group[i] = group;
        }
    }
}

/* ---- frames ---- */

static Status offset_value(Walk *w, int place, const char *which, Value *offset)
{
    *offset = w->p->rows[0][place];
    if (offset->null)
        return err_set(w->exec->err, w->exec->arena, ERR_NULL_VALUE_NOT_ALLOWED, "frame %s offset must not be null", which);
    bool is_int = w->call->types[place]->rep == REP_INT;
    if (is_int && offset->i < 0)
        return err_set(w->exec->err, w->exec->arena, ERR_INVALID_PRECEDING_OR_FOLLOWING_SIZE,
                       "frame %s offset must not be negative", which);
    return ST_OK;
}

/* RANGE with an offset: the first row whose order value is not before (for an end: the first that is behind) value ± offset.
 * Defined for one order column of a number. */
static Status range_edge(Walk *w, int row, Value offset, int sign, bool is_end, int *edge)
{
    const SorterKey *key = &w->call->order_keys[0];
    Value v = w->p->rows[row][key->column];
    if (w->call->e->spec->order_count != 1 || (key->type->rep != REP_INT && key->type->rep != REP_FLOAT) ||
        key->type->category != 'N')
        return err_unsupported(w->exec->err, w->exec->arena, "RANGE with an offset of this type");
    if (v.null) {
        *edge = is_end ? w->peer_end[row] : w->peer_start[row];
        return ST_OK;
    }
    if (key->descending) sign = -sign;
    if (key->type->rep == REP_INT) {
        if (__builtin_add_overflow(v.i, sign * offset.i, &v.i)) v.i = sign > 0 ? INT64_MAX : INT64_MIN;
    } else {
        v.f += sign * offset.f;
    }
    SorterKey alone = {0, key->descending, key->nulls_first, key->type};
    int at = 0;
    for (; at < w->p->count; at++) {
        int order = sorter_compare(&alone, 1, &w->p->rows[at][key->column], &v);
        if (is_end ? order > 0 : order >= 0) break;
    }
    *edge = at;
    return ST_OK;
}

static int group_edge(const Walk *w, int64_t group, bool is_end)
{
    for (int i = 0; i < w->p->count; i++)
        if (is_end ? w->group[i] > group : w->group[i] >= group) return i;
    return w->p->count;
}

static Status bound_offset(Walk *w, int row, FrameBound bound, int place, bool is_end, int *edge)
{
    const WindowSpec *spec = w->call->e->spec;
    Value offset;
    TRY(offset_value(w, place, is_end ? "ending" : "starting", &offset));
    int sign = bound == FRAME_PRECEDING ? -1 : 1;
    switch (spec->unit) {
    case FRAME_RANGE: return range_edge(w, row, offset, sign, is_end, edge);
    case FRAME_GROUPS: *edge = group_edge(w, w->group[row] + sign * offset.i, is_end); return ST_OK;
    case FRAME_ROWS: break;
    }
    int64_t distance = offset.i > w->p->count ? w->p->count + 1 : offset.i;
    int64_t at = row + sign * distance + is_end;
    *edge = at < 0 ? 0 : at > w->p->count ? w->p->count : (int)at;
    return ST_OK;
}

static Status frame_edge(Walk *w, int row, bool is_end, int *edge)
{
    const WindowSpec *spec = w->call->e->spec;
    FrameBound bound = is_end ? spec->end : spec->start;
    switch (bound) {
    case FRAME_UNBOUNDED_PRECEDING: *edge = 0; return ST_OK;
    case FRAME_UNBOUNDED_FOLLOWING: *edge = w->p->count; return ST_OK;
    case FRAME_CURRENT_ROW:
        if (spec->unit == FRAME_ROWS)
            *edge = row + is_end;
        else
            *edge = is_end ? w->peer_end[row] : w->peer_start[row];
        return ST_OK;
    case FRAME_PRECEDING:
    case FRAME_FOLLOWING:
        return bound_offset(w, row, bound, is_end ? w->call->end_offset : w->call->start_offset, is_end, edge);
    }
    return ST_OK;
}

static bool excluded(const Walk *w, int row, int other)
{
    bool peer = other >= w->peer_start[row] && other < w->peer_end[row];
    switch (w->call->e->spec->exclude) {
    case FRAME_EXCLUDE_NONE: return false;
    case FRAME_EXCLUDE_CURRENT_ROW: return other == row;
    case FRAME_EXCLUDE_GROUP: return peer;
    case FRAME_EXCLUDE_TIES: return peer && other != row;
    }
    return false;
}

/* ---- aggregates ---- */

static Status agg_step_row(Walk *w, void *state, int row)
{
    WindowCall *call = w->call;
    const Value *values = w->p->rows[row];
    if (call->filter >= 0 && (values[call->filter].null || !values[call->filter].i)) return ST_OK;
    const Value *args = values + call->args;
    if (call->e->aggregate->flags & AGG_STRICT)
        for (int i = 0; i < call->e->base.arg_count; i++)
            if (args[i].null) return ST_OK;
    return call->e->aggregate->step(&call->agg, state, args);
}

/* A frame that only grows is stepped on; any other is computed anew. */
static Status run_aggregate(Walk *w)
{
    WindowCall *call = w->call;
    const AggDef *def = call->e->aggregate;
    const TypeDef *result = type_find(call->e->base.type.oid);
    void *state = NULL;
    int done_start = -1, done_end = -1;
    Value last = VALUE_NULL;
    for (int row = 0; row < w->p->count; row++) {
        int start, end;
        TRY(frame_edge(w, row, false, &start));
        TRY(frame_edge(w, row, true, &end));
        bool grows = state && start == done_start && end >= done_end && call->e->spec->exclude == FRAME_EXCLUDE_NONE;
        bool same = grows && end == done_end;
        if (!grows) {
            state = arena_alloc(w->arena, def->state_size + 16);
            done_end = start;
        }
        for (int i = done_end; i < end; i++)
            if (!excluded(w, row, i)) TRY(agg_step_row(w, state, i));
        done_start = start;
        if (end > done_end) done_end = end;
        if (!same) {
            Value now = {0};
            TRY(def->final(&call->agg, state, &now));
            /* The next step may reuse the bytes. */
            last = now.null ? VALUE_NULL : value_copy(result, now, w->arena);
        }
        w->p->rows[row][w->p->result] = last;
    }
    return ST_OK;
}

/* ---- window functions proper ---- */

static Status frame_value(Walk *w, int row, int64_t nth, bool from_end, Value *out)
{
    int start, end;
    TRY(frame_edge(w, row, false, &start));
    TRY(frame_edge(w, row, true, &end));
    *out = VALUE_NULL;
    for (int i = from_end ? end - 1 : start; i >= start && i < end; i += from_end ? -1 : 1) {
        if (excluded(w, row, i)) continue;
        if (--nth > 0) continue;
        *out = w->p->rows[i][w->call->args];
        return ST_OK;
    }
    return ST_OK;
}

static void shifted_value(Walk *w, int row, int sign, Value *out)
{
    const WindowCall *call = w->call;
    const Value *args = w->p->rows[row] + call->args;
    int64_t distance = call->e->base.arg_count > 1 ? args[1].i : 1;
    *out = VALUE_NULL;
    if (call->e->base.arg_count > 1 && args[1].null) return;
    int64_t at = row + sign * distance;
    if (at >= 0 && at < w->p->count)
        *out = w->p->rows[at][call->args];
    else if (call->e->base.arg_count > 2)
        *out = args[2];
}

static Status ntile_value(Walk *w, int row, Value *out)
{
    Value buckets = w->p->rows[0][w->call->args];
    *out = VALUE_NULL;
    if (buckets.null) return ST_OK;
    if (buckets.i <= 0)
        return err_set(w->exec->err, w->exec->arena, ERR_INVALID_ARGUMENT_FOR_NTILE_FUNCTION,
                       "argument of ntile must be greater than zero");
    int64_t size = w->p->count / buckets.i, larger = w->p->count % buckets.i;
    int64_t in_larger = larger * (size + 1);
    *out = value_int(row < in_larger ? row / (size + 1) + 1 : larger + (size ? (row - in_larger) / size : 0) + 1);
    return ST_OK;
}

static Status nth_value(Walk *w, int row, Value *out)
{
    Value n = w->p->rows[row][w->call->args + 1];
    *out = VALUE_NULL;
    if (n.null) return ST_OK;
    if (n.i <= 0)
        return err_set(w->exec->err, w->exec->arena, ERR_INVALID_ARGUMENT_FOR_NTH_VALUE_FUNCTION,
                       "argument of nth_value must be greater than zero");
    return frame_value(w, row, n.i, false, out);
}

static Status function_value(Walk *w, int row, Value *out)
{
    int n = w->p->count;
    switch ((WindowKind)w->call->e->window->kind) {
    case WINDOW_ROW_NUMBER: *out = value_int(row + 1); return ST_OK;
    case WINDOW_RANK: *out = value_int(w->peer_start[row] + 1); return ST_OK;
    case WINDOW_DENSE_RANK: *out = value_int(w->group[row] + 1); return ST_OK;
    case WINDOW_PERCENT_RANK: *out = value_float(n > 1 ? (double)w->peer_start[row] / (n - 1) : 0); return ST_OK;
    case WINDOW_CUME_DIST: *out = value_float((double)w->peer_end[row] / n); return ST_OK;
    case WINDOW_NTILE: return ntile_value(w, row, out);
    case WINDOW_LAG: shifted_value(w, row, -1, out); return ST_OK;
    case WINDOW_LEAD: shifted_value(w, row, 1, out); return ST_OK;
    case WINDOW_FIRST_VALUE: return frame_value(w, row, 1, false, out);
    case WINDOW_LAST_VALUE: return frame_value(w, row, 1, true, out);
    case WINDOW_NTH_VALUE: return nth_value(w, row, out);
    }
    return ST_OK;
}

Status window_partition_run(WindowCall *call, WindowPartition *partition, Exec *exec, Arena *arena)
{
    Walk w = {.call = call, .p = partition, .exec = exec, .arena = arena};
    call->agg.fn.type = (TypeCtx){arena, exec_type_env(exec), exec->err};
    call->agg.fn.session = exec->session;
    call->agg.fn.txn = exec->txn;
    find_peers(&w);
    if (call->e->aggregate) return run_aggregate(&w);
    for (int row = 0; row < partition->count; row++)
        TRY(function_value(&w, row, &partition->rows[row][partition->result]));
    return ST_OK;
}
