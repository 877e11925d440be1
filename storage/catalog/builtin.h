/* builtin.h - the shapes of what the binary brings along: functions, operators, aggregates, system relations.
 *
 * The rows live in executor/ (functions/fn_*.c, system/sys_*.c); main hands them to catalog_open as one const
 * argument, so the planner finds lower() through the catalog as it finds a user's table. pg_proc, overload resolution,
 * constant folding and evaluation all read these rows; nobody keeps a second list.
 */
#ifndef STORAGE_CATALOG_BUILTIN_H
#define STORAGE_CATALOG_BUILTIN_H

#include "storage/catalog/desc.h"
#include "storage/types/cast.h"

typedef struct Session Session; /* planner/session.h; opaque here */
typedef struct Txn Txn;

/* What a function body may use. One per expression program and thread. */
typedef struct FnCtx {
    TypeCtx type;            /* arena: lives as long as the batch; err; env */
    Session *session;        /* settings, user, search_path; NULL while folding constants at start */
    Txn *txn;                /* NULL while folding */
    const TypeRef *arg_types; /* actual types of the call, for polymorphic and variadic bodies */
    int arg_count;
    TypeRef result_type;
    void *site;              /* memory of the call site, zeroed at compile time, FuncDef.site_size bytes: compiled patterns ... */
    Arena *site_arena;       /* lives as long as the expression program */
} FnCtx;

typedef enum FnFlags {
    FN_STRICT = 1,     /* NULL in, NULL out: the body never sees NULL */
    FN_IMMUTABLE = 2,  /* may be folded */
    FN_STABLE = 4,     /* constant within a statement; neither flag: volatile */
    FN_VARIADIC = 8,   /* the last argument repeats; its type in `arguments` is that of one element */
    FN_SET = 16,       /* returns rows: use .rows */
    FN_OPERATOR = 32,  /* name is an operator symbol: found by `a + b`, not by f(a) */
    FN_HIDDEN = 64     /* not in pg_proc: bodies that only the binder calls */
} FnFlags;

/* One row of a function: args has arg_count values; out is NULL by default only if the body sets it so. */
typedef Status (*FnBody)(FnCtx *ctx, const Value *args, Value *out);
/* The same over n rows: args[i][row]; `active` lists the rows to compute. Optional, for the hot few. */
typedef Status (*FnBatchBody)(FnCtx *ctx, Value *const *args, const int *active, int n, Value *out);

/* A set-returning function: start is called once per call, next until ST_END; state is zeroed memory of state_size. */
typedef struct FnRows {
    size_t state_size;
    Status (*start)(FnCtx *ctx, void *state, const Value *args);
    Status (*next)(FnCtx *ctx, void *state, Value *out /* one per result column */);
    const char *columns; /* "key text, value jsonb"; NULL: one column of the result type, named as the function */
} FnRows;

typedef struct FuncDef {
    Oid oid; /* PostgreSQL's; rowkey's own start at 9000 */
    const char *name;      /* "lower", "crdb_internal.pretty_key", "+" */
    const char *arguments; /* "text, int4"; "" for none; polymorphic: anyelement, anyarray, any */
    const char *result;
    int flags;
    FnBody body;
    FnBatchBody batch;
    const FnRows *rows;
    size_t site_size;
} FuncDef;

/* An aggregate: state is zeroed memory of state_size in the group's arena. Also usable as a window function. */
typedef struct AggCtx {
    FnCtx fn;      /* type.arena is the group's arena: lives until the aggregate is finished */
    bool distinct; /* duplicates have been removed by the caller */
    const struct AggOrder { bool descending, nulls_first; } *order; /* of WITHIN GROUP, one per ordered argument */
    int order_count;
} AggCtx;

typedef enum AggFlags {
    AGG_STRICT = 1,       /* rows with a NULL argument are skipped */
    AGG_ORDER_MATTERS = 2,
    AGG_VARIADIC = 4,
    AGG_ORDERED_SET = 8,   /* called WITHIN GROUP (ORDER BY ...): the ordered arguments follow the direct ones */
    AGG_HYPOTHETICAL = 16  /* the same, with as many direct arguments of the same types */
} AggFlags;

typedef struct AggDef {
    Oid oid;
    const char *name, *arguments, *result; /* arguments "*" for count(*) */
    int flags;
    size_t state_size;
    Status (*step)(AggCtx *ctx, void *state, const Value *args);
    Status (*final)(AggCtx *ctx, void *state, Value *out);
    /* Takes other into state; NULL: not to be computed in parts. */
    Status (*merge)(AggCtx *ctx, void *state, const void *other);
    /* Undoes a step, for moving frames; NULL: the frame is recomputed. */
    Status (*unstep)(AggCtx *ctx, void *state, const Value *args);
} AggDef;

/* A virtual table: columns as SQL ("oid oid, relname name"), and a producer of rows. */
typedef struct SystemRows SystemRows;
typedef struct CatalogSnapshot CatalogSnapshot;

/* What the planner could push down: an equality on one column. column < 0: everything is wanted. */
typedef struct SystemFilter {
    int column;
    Value value;
} SystemFilter;

typedef struct SystemCtx {
    FnCtx fn;
    const CatalogSnapshot *catalog;
    SystemFilter filter;
    SystemRows *rows;
} SystemCtx;

typedef struct SystemRelation {
    Oid oid;
    const char *schema, *name;
    const char *columns;                /* "oid oid, relname name, ..." */
    Status (*fill)(SystemCtx *ctx);     /* calls system_row for each row */
    const char *view;                   /* or: a SELECT, and fill is NULL */
    const char *filter_columns;         /* names that fill looks at in ctx->filter; NULL: none */
} SystemRelation;

/* Appends a row: one Value per column; bytes are copied. Implemented by executor/ops/op_system.c through rows->append. */
struct SystemRows {
    Status (*append)(SystemRows *rows, const Value *values);
};
static inline Status system_row(SystemCtx *ctx, const Value *values)
{
    return ctx->rows->append(ctx->rows, values);
}

/* Window functions proper (row_number, rank, lag ...): see executor/functions/fn_window.c. */
typedef struct WindowDef {
    Oid oid;
    const char *name, *arguments, *result;
    int kind; /* meaning known to op_window.c */
} WindowDef;

typedef struct Builtins {
    const FuncDef *const *function_families; /* arrays, each ended by a row with name NULL; the list ended by NULL */
    const AggDef *const *aggregate_families;
    const WindowDef *windows;                  /* ended by name NULL; NULL: none */
    const SystemRelation *const *relation_families;
    /* Names of functions and operators for the reg* types, those included that are no FuncDef. NULL and 0: none. */
    const char *(*reg_name)(Oid reg_type, Oid oid);
    Oid (*reg_find)(Oid reg_type, const char *name);
} Builtins;

#endif
