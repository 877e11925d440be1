/* bind_fixture.h - for tests: a session over two tables on the memory engine, with a handful of functions.
 *
 *   t (id int4 key, a int8, b text, c timestamptz, v varchar(20))     u (id int4 key, t_id int4, x numeric, d int2)
 */
#ifndef PLANNER_BIND_BIND_FIXTURE_H
#define PLANNER_BIND_BIND_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "parser/parse.h"
#include "planner/bind/bind.h"
#include "planner/plan.h"
#include "planner/rules/rules.h"
#include "planner/settings.h"

typedef struct Fixture {
    Arena *arena;
    char directory[64];
    Store *store;
    Catalog *catalog;
    Txn *txn;
    Session session;
    Error err;
} Fixture;

static Status int_add(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].i + args[1].i);
    return ST_OK;
}

static Status always_fails(FnCtx *ctx, const Value *args, Value *out)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_DIVISION_BY_ZERO, "division by zero");
}

static const FnRows series_rows = {0};
enum { PURE = FN_STRICT | FN_IMMUTABLE };
static const FuncDef functions[] = {
    {1, "+", "int4, int4", "int4", PURE | FN_OPERATOR, int_add},
    {2, "+", "int8, int8", "int8", PURE | FN_OPERATOR, int_add},
    {3, "+", "float8, float8", "float8", PURE | FN_OPERATOR, int_add},
    {4, "+", "date, int4", "date", PURE | FN_OPERATOR, int_add},
    {5, "/", "int4, int4", "int4", PURE | FN_OPERATOR, always_fails},
    {6, "-", "int4", "int4", PURE | FN_OPERATOR, int_add},
    {7, "||", "text, text", "text", PURE | FN_OPERATOR, always_fails},
    {8, "lower", "text", "text", PURE, always_fails},
    {9, "abs", "int4", "int4", PURE, int_add},
    {10, "abs", "float8", "float8", PURE, int_add},
    {11, "random", "", "float8", 0, always_fails},
    {12, "now", "", "timestamptz", FN_STABLE, always_fails},
    {13, "array_append", "anyarray, anyelement", "anyarray", FN_IMMUTABLE, always_fails},
    {14, "concat", "any", "text", FN_STABLE | FN_VARIADIC, always_fails},
    {15, "generate_series", "int4, int4", "int4", PURE | FN_SET, NULL, NULL, &series_rows},
    {0}};
static const AggDef aggregates[] = {{20, "count", "*", "int8"},
                                    {21, "count", "any", "int8"},
                                    {22, "sum", "int4", "int8"},
                                    {23, "sum", "int8", "numeric"},
                                    {24, "max", "int4", "int4"},
                                    {0}};
static const WindowDef windows[] = {{30, "row_number", "", "int8", 0}, {31, "lag", "anyelement, int4", "anyelement", 1}, {0}};
static const FuncDef *const function_list[] = {functions, NULL};
static const AggDef *const aggregate_list[] = {aggregates, NULL};
static const SystemRelation *const relation_list[] = {NULL};
static const Builtins few_builtins = {function_list, aggregate_list, windows, relation_list};

static void fixture_table(Fixture *f, const char *name, const ColumnDesc *columns, int count)
{
    CatalogView *view = f->session.catalog;
    TableDesc *table = ARENA_NEW(f->arena, TableDesc);
    table->base = (Desc){.kind = DESC_TABLE, .name = name, .owner = "postgres", .parent_database = f->session.database_id};
    table->base.parent_schema = catalog_find_schema(view, f->session.database_id, "public")->id;
    for (int i = 0; i < count; i++) {
        VEC_PUSH(f->arena, table->columns, columns[i]);
        VEC_LAST(table->columns).id = (uint32_t)i + 1;
    }
    IndexDesc primary = {.id = 1, .name = arena_printf(f->arena, "%s_pkey", name), .unique = true, .primary = true};
    VEC_PUSH(f->arena, primary.columns, (IndexColumn){.column_id = 1});
    VEC_PUSH(f->arena, table->indexes, primary);
    table->next_column_id = (uint32_t)count + 1;
    table->next_index_id = 2;
    assert_int_equal(catalog_new_id(view, &table->base.id, &f->err), ST_OK);
    assert_int_equal(catalog_put(view, &table->base, &f->err), ST_OK);
}

static int fixture_open(void **state)
{
    static const ColumnDesc t[] = {{.name = "id", .type = {OID_INT4, -1}, .not_null = true},
                                   {.name = "a", .type = {OID_INT8, -1}},
                                   {.name = "b", .type = {OID_TEXT, -1}, .default_expr = "'none'"},
                                   {.name = "c", .type = {OID_TIMESTAMPTZ, -1}},
                                   {.name = "v", .type = {OID_VARCHAR, 24}}};
    static const ColumnDesc u[] = {{.name = "id", .type = {OID_INT4, -1}, .not_null = true},
                                   {.name = "t_id", .type = {OID_INT4, -1}},
                                   {.name = "x", .type = {OID_NUMERIC, -1}},
                                   {.name = "d", .type = {OID_INT2, -1}}};
    Arena *arena = arena_create(NULL, 0);
    Fixture *f = ARENA_NEW(arena, Fixture);
    StoreOptions options = {.engine = "memory", .no_sync = true, .sessions_max = 8};
    f->arena = arena;
    snprintf(f->directory, sizeof f->directory, "/tmp/rowkey-bind-XXXXXX");
    if (!mkdtemp(f->directory)) return -1;
    if (store_open(f->directory, &options, &f->store, arena, &f->err) != ST_OK) return -1;
    if (catalog_open(f->store, &few_builtins, &f->catalog, arena, &f->err) != ST_OK) return -1;
    if (txn_begin(f->store, &(TxnOptions){0}, &f->txn, &f->err) != ST_OK) return -1;
    if (txn_statement_begin(f->txn, &f->err) != ST_OK) return -1;
    f->session = (Session){.arena = arena, .user = "postgres", .database = "postgres", .type_env = type_env_default};
    f->session.settings = settings_create(arena);
    f->session.catalog = catalog_view_create(f->catalog, f->txn);
    f->session.database_id = catalog_find_database(f->session.catalog, "postgres")->id;
    fixture_table(f, "t", t, 5);
    fixture_table(f, "u", u, 4);
    *state = f;
    return 0;
}

static int fixture_close(void **state)
{
    Fixture *f = *state;
    char path[128];
    txn_rollback(f->txn);
    catalog_close(f->catalog);
    store_close(f->store);
    snprintf(path, sizeof path, "%s/rowkey.lock", f->directory);
    unlink(path);
    rmdir(f->directory);
    arena_destroy(f->arena);
    return 0;
}

static inline Status fixture_bind(Fixture *f, Binder *binder, const char *sql, Rel **rel)
{
    AstStmt *stmt;
    const char *rest = sql;
    f->err = (Error){0};
    TRY(parse_next(sql, &rest, &stmt, f->arena, &f->err));
    binder_init(binder, &f->session, f->arena, &f->err);
    return bind_query_stmt(binder, stmt, rel);
}

#endif
