/* sys_row.h - a row of a system relation, built column by column in the order of the relation's list. */
#ifndef EXECUTOR_SYSTEM_SYS_ROW_H
#define EXECUTOR_SYSTEM_SYS_ROW_H

#include <assert.h>

#include "planner/session.h"
#include "storage/types/type_array.h"

enum { SYS_COLUMNS_MAX = 48 };

typedef struct SysRow {
    SystemCtx *ctx;
    Value values[SYS_COLUMNS_MAX];
    int count;
} SysRow;

static inline const CatalogView *sys_view(const SystemCtx *ctx)
{
    return ctx->fn.session->catalog;
}

static inline Arena *sys_arena(const SystemCtx *ctx)
{
    return ctx->fn.type.arena;
}

static inline SysRow sys_begin(SystemCtx *ctx)
{
    return (SysRow){.ctx = ctx};
}

static inline void sys_value(SysRow *r, Value v)
{
    assert(r->count < SYS_COLUMNS_MAX);
    r->values[r->count++] = v;
}

static inline void sys_null(SysRow *r)
{
    sys_value(r, VALUE_NULL);
}

static inline void sys_nulls(SysRow *r, int n)
{
    while (n-- > 0) sys_null(r);
}

static inline void sys_int(SysRow *r, int64_t i)
{
    sys_value(r, value_int(i));
}

static inline void sys_bool(SysRow *r, bool b)
{
    sys_value(r, value_bool(b));
}

static inline void sys_float(SysRow *r, double f)
{
    sys_value(r, value_float(f));
}

/* NULL text: NULL. */
static inline void sys_text(SysRow *r, const char *text)
{
    sys_value(r, text ? value_str(text) : VALUE_NULL);
}

static inline void sys_bytes(SysRow *r, Slice bytes)
{
    sys_value(r, value_slice(bytes));
}

/* One character of type "char"; 0: the empty one. */
static inline void sys_char(SysRow *r, char c)
{
    char *copy = arena_strndup(sys_arena(r->ctx), &c, 1);
    sys_value(r, value_bytes(copy, c ? 1 : 0));
}

static inline Status sys_array(SysRow *r, Oid element, const Value *values, int count)
{
    Value array;
    TRY(array_build(&r->ctx->fn.type, element, values, count, &array));
    sys_value(r, array);
    return ST_OK;
}

static inline Status sys_vector(SysRow *r, Oid element, const Value *values, int count)
{
    Value vector;
    TRY(array_build_vector(&r->ctx->fn.type, element, values, count, &vector));
    sys_value(r, vector);
    return ST_OK;
}

static inline Status sys_emit(SysRow *r)
{
    return system_row(r->ctx, r->values);
}

/* The value that column number `column` is wanted to have; false: all rows are wanted. */
static inline bool sys_wants(const SystemCtx *ctx, int column, Value *value)
{
    if (ctx->filter.column != column) return false;
    *value = ctx->filter.value;
    return true;
}

#endif
