/* bind_forecast.c - FORECAST TABLE: a table drafted as CREATE TABLE would, and a query whose rows are its inserts. */
#include <stdlib.h>
#include <strings.h>

#include "planner/bind/bind_ddl.h"
#include "planner/bind/bind_session.h"
#include "planner/utility_keyspace.h"

/* ---- options ---- */

static Status bind_options(Binder *b, const AstOptionVec *options, UtilityForecast *u)
{
    const struct {
        const char *name;
        int64_t *place, max;
    } known[] = {{"nodes", &u->nodes, 64}, {"rows", &u->rows, INT64_C(1) << 50}, {"range_max_bytes", &u->range_max_bytes, INT64_C(1) << 50}};
    for (int i = 0; i < options->count; i++) {
        const AstOption *option = &options->items[i];
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k].name, option->name) != 0) k++;
        if (k == sizeof known / sizeof *known)
            return ddl_fail(b, option->position, ERR_SYNTAX_ERROR, "unrecognized FORECAST option \"%s\"", option->name);
        const char *text = option_text(option);
        *known[k].place = text ? strtoll(text, NULL, 10) : 0;
        if (*known[k].place < 1 || *known[k].place > known[k].max)
            return ddl_fail(b, option->position, ERR_INVALID_PARAMETER_VALUE, "%s of FORECAST must be between 1 and %lld",
                            option->name, (long long)known[k].max);
    }
    return ST_OK;
}

/* ---- which column takes which of the query's ---- */

static int nth_user_column(const TableDesc *table, int n)
{
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->hidden || column->computed != COMPUTED_NONE) continue;
        if (n-- == 0) return i;
    }
    return -1;
}

static int column_named(const TableDesc *table, const char *name)
{
    int ordinal = table_column_by_name(table, name);
    if (ordinal < 0) return -1;
    const ColumnDesc *column = &table->columns.items[ordinal];
    return column->hidden || column->computed != COMPUTED_NONE ? -1 : ordinal;
}

/* By name if every column of the query has the name of a different one of the table, else by place. */
static Status map_columns(Binder *b, const Rel *query, UtilityForecast *u, int position)
{
    const TableDesc *table = u->draft;
    bool by_name = true;
    u->ordinals = ARENA_ARRAY(b->arena, int, query->column_count + 1);
    for (int c = 0; c < query->column_count; c++) {
        u->ordinals[c] = column_named(table, query->columns[c].name);
        by_name &= u->ordinals[c] >= 0;
        for (int before = 0; before < c; before++) by_name &= u->ordinals[before] != u->ordinals[c];
    }
    for (int c = 0; c < query->column_count && !by_name; c++) {
        u->ordinals[c] = nth_user_column(table, c);
        if (u->ordinals[c] < 0)
            return ddl_fail(b, position, ERR_SYNTAX_ERROR, "the query has more columns than table \"%s\"", table->base.name);
    }
    for (int c = 0; c < query->column_count; c++) u->sources[u->ordinals[c]] = FORECAST_GIVEN;
    return ST_OK;
}

static Status bind_rows(Binder *b, const AstForecast *ast, UtilityForecast *u)
{
    Rel *query;
    TRY(bind_query_stmt(b, ast->query, &query));
    TRY(map_columns(b, query, u, ast->query->position));
    RelProject *project = ARENA_NEW(b->arena, RelProject);
    project->base = (Rel){.kind = REL_PROJECT, .column_count = query->column_count, .input_count = 1};
    project->base.columns = ARENA_ARRAY(b->arena, RelColumn, query->column_count + 1);
    project->base.inputs = ARENA_ARRAY(b->arena, Rel *, 1);
    project->base.inputs[0] = query;
    project->exprs = ARENA_ARRAY(b->arena, Expr *, query->column_count + 1);
    for (int c = 0; c < query->column_count; c++) {
        const ColumnDesc *column = &u->draft->columns.items[u->ordinals[c]];
        Expr *e = expr_column(b->arena, query->columns[c].id, query->columns[c].type, query->columns[c].name);
        TRY(bind_coerce(b, e, column->type, CAST_EXPLICIT, ast->query->position, &project->exprs[c]));
        project->base.columns[c] = (RelColumn){.id = binder_new_column(b), .name = column->name, .type = column->type};
    }
    return plan_nested(b, &project->base, &u->query);
}

/* ---- where the other columns' values come from ---- */

/* What differs from run to run is imitated, so that a forecast does not. */
static ForecastSource default_source(Binder *b, const ColumnDesc *column)
{
    static const struct {
        const char *function;
        ForecastSource source;
    } known[] = {{"nextval", FORECAST_SEQUENCE},
                 {"unique_rowid", FORECAST_ROW_ID},
                 {"unordered_unique_rowid", FORECAST_ROW_ID_REVERSED},
                 {"gen_random_uuid", FORECAST_UUID_RANDOM},
                 {"uuid_generate_v4", FORECAST_UUID_RANDOM},
                 {"uuidv7", FORECAST_UUID_V7},
                 {"now", FORECAST_CLOCK},
                 {"current_timestamp", FORECAST_CLOCK},
                 {"localtimestamp", FORECAST_CLOCK},
                 {"transaction_timestamp", FORECAST_CLOCK},
                 {"statement_timestamp", FORECAST_CLOCK},
                 {"clock_timestamp", FORECAST_CLOCK},
                 {"current_date", FORECAST_CLOCK}};
    bool bare;
    if (column->identity != IDENTITY_NONE) return FORECAST_SEQUENCE;
    if (!column->default_expr) return FORECAST_DEFAULT;
    const char *function = ddl_called_function(b, column->default_expr, &bare);
    for (size_t i = 0; bare && i < sizeof known / sizeof *known; i++)
        if (strcmp(function, known[i].function) == 0) return known[i].source;
    return FORECAST_DEFAULT;
}

/* A source whose values the column's type cannot take as they are is evaluated after all. */
static ForecastSource fitting_source(const ColumnDesc *column, ForecastSource source)
{
    Oid type = column->type.oid;
    bool is_int = type == OID_INT2 || type == OID_INT4 || type == OID_INT8;
    switch (source) {
    case FORECAST_SEQUENCE: return is_int ? source : FORECAST_DEFAULT;
    case FORECAST_ROW_ID:
    case FORECAST_ROW_ID_REVERSED: return type == OID_INT8 ? source : FORECAST_DEFAULT;
    case FORECAST_UUID_RANDOM:
    case FORECAST_UUID_V7: return type == OID_UUID ? source : FORECAST_DEFAULT;
    case FORECAST_CLOCK:
        return type == OID_TIMESTAMP || type == OID_TIMESTAMPTZ || type == OID_DATE ? source : FORECAST_DEFAULT;
    case FORECAST_DEFAULT:
    case FORECAST_GIVEN: break;
    }
    return source;
}

static void bind_result(Binder *b, UtilityForecast *u)
{
    static const TypeRef text = {OID_TEXT, -1}, number = {OID_FLOAT8, -1}, count = {OID_INT8, -1};
    const RelColumn columns[] = {
        {.name = "index_name", .type = text},      {.name = "key_columns", .type = text},
        {.name = "pairs_per_row", .type = number}, {.name = "key_bytes", .type = number},
        {.name = "value_bytes", .type = number},   {.name = "write_amplification", .type = number},
        {.name = "buckets", .type = count},        {.name = "hottest_bucket", .type = number},
        {.name = "ranges", .type = count},         {.name = "hottest_range", .type = number},
        {.name = "nodes", .type = count},          {.name = "hottest_node", .type = number},
        {.name = "verdict", .type = text}};
    bind_utility_columns(b, &u->base, columns, sizeof columns / sizeof *columns);
}

Status bind_forecast(Binder *b, const AstForecast *ast, Plan **out)
{
    UtilityForecast *u = bind_utility(b, UTILITY_FORECAST, "FORECAST", sizeof *u);
    TableDraft *d;
    TRY(bind_options(b, &ast->options, u));
    /* In no schema, so that no name is taken. */
    TRY(ddl_draft_create_table(b, DESC_ID_NONE, (const AstCreateTable *)ast->table, &d));
    u->draft = d->table;
    u->sequences = d->sequences;
    u->splits = d->splits;
    u->sources = ARENA_ARRAY(b->arena, ForecastSource, d->table->columns.count + 1);
    TRY(bind_rows(b, ast, u));
    for (int i = 0; i < d->table->columns.count; i++) {
        const ColumnDesc *column = &d->table->columns.items[i];
        if (u->sources[i] != FORECAST_GIVEN) u->sources[i] = fitting_source(column, default_source(b, column));
    }
    bind_result(b, u);
    *out = &u->base.base;
    return ST_OK;
}
