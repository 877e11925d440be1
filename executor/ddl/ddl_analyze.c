/* ANALYZE: reads all rows once, keeps an even sample of them, and works out from the sample what the planner asks for. */
#include <math.h>
#include <stdlib.h>

#include "executor/ddl/ddl_internal.h"
#include "storage/base/clock.h"

enum { SAMPLE_ROWS = 10000, HISTOGRAM_STEPS = 100, COMMON_MAX = 100 };

typedef struct Sample {
    Exec *exec;
    const TableDesc *table;
    int *ordinals; /* of the analyzed columns */
    int column_count;
    Value **values; /* values[c][i] */
    Arena *arena;
    int64_t rows;   /* seen */
    int kept;
    uint64_t random;
} Sample;

static uint64_t next_random(Sample *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

static Status sample_row(void *argument, Value *row, Arena *arena)
{
    Sample *s = argument;
    int64_t number = s->rows++;
    int place = s->kept;
    if (s->kept == SAMPLE_ROWS) {
        uint64_t pick = next_random(s) % (uint64_t)(number + 1);
        if (pick >= SAMPLE_ROWS) return ST_OK;
        place = (int)pick;
    } else {
        s->kept++;
    }
    for (int c = 0; c < s->column_count; c++) {
        const ColumnDesc *column = &s->table->columns.items[s->ordinals[c]];
        Value v = row[s->ordinals[c]];
        s->values[c][place] = v.null ? v : value_copy(exec_type(column->type.oid), v, s->arena);
    }
    return ST_OK;
}

typedef struct Run {
    Value value;
    int count;
} Run;

static _Thread_local const TypeDef *sort_type; /* qsort passes no argument along */

static int compare_values(const void *a, const void *b)
{
    return type_compare(sort_type, *(const Value *)a, *(const Value *)b);
}

static int compare_runs(const void *a, const void *b)
{
    const Run *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return type_compare(sort_type, x->value, y->value);
}

/* Haas and Stokes' estimator, from how many values the sample has once. */
static double estimate_distinct(int sampled, int distinct, int once, double rows)
{
    if (once == sampled && sampled > 1) return rows;
    if (once == 0 || sampled >= rows) return distinct;
    double n = sampled, estimate = n * distinct / (n - once + once * n / rows);
    return estimate < distinct ? distinct : estimate > rows ? rows : floor(estimate + 0.5);
}

static int split_runs(const TypeDef *type, const Value *values, int count, Run *runs, int *once)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (n && type_compare(type, runs[n - 1].value, values[i]) == 0)
            runs[n - 1].count++;
        else
            runs[n++] = (Run){values[i], 1};
    }
    *once = 0;
    for (int i = 0; i < n; i++) *once += runs[i].count == 1;
    return n;
}

/* Values clearly above the average frequency, or all of them where there are few. */
static int pick_common(Run *runs, int n, int sampled)
{
    if (n <= COMMON_MAX && sampled > n) {
        int repeated = 0;
        for (int i = 0; i < n; i++) repeated += runs[i].count > 1;
        if (repeated == n) return n;
    }
    double average = (double)sampled / n;
    int common = 0;
    while (common < n && common < COMMON_MAX && runs[common].count > 1 && runs[common].count > 1.25 * average) common++;
    return common;
}

static void add_histogram(ColumnStats *stats, const Run *runs, int n, Arena *arena)
{
    if (n < 2) return;
    int64_t total = 0;
    for (int i = 0; i < n; i++) total += runs[i].count;
    int steps = n - 1 < HISTOGRAM_STEPS ? n - 1 : HISTOGRAM_STEPS, run = 0;
    int64_t seen = runs[0].count;
    for (int step = 0; step <= steps; step++) {
        int64_t wanted = step == steps ? total : total * step / steps + 1;
        while (seen < wanted && run < n - 1) seen += runs[++run].count;
        VEC_PUSH(arena, stats->histogram, runs[step == steps ? n - 1 : run].value);
    }
}

static int compare_runs_by_value(const void *a, const void *b)
{
    return type_compare(sort_type, ((const Run *)a)->value, ((const Run *)b)->value);
}

static void analyze_column(Sample *s, int c, ColumnStats *stats)
{
    const ColumnDesc *column = &s->table->columns.items[s->ordinals[c]];
    const TypeDef *type = exec_type(column->type.oid);
    stats->column_id = column->id;
    int present = 0;
    Value *values = ARENA_ARRAY(s->arena, Value, s->kept + 1);
    for (int i = 0; i < s->kept; i++)
        if (!s->values[c][i].null) values[present++] = s->values[c][i];
    if (s->kept) stats->null_fraction = 1.0 - (double)present / s->kept;
    if (!present || !type->compare) return;
    sort_type = type;
    qsort(values, (size_t)present, sizeof *values, compare_values);
    Run *runs = ARENA_ARRAY(s->arena, Run, present);
    int once, n = split_runs(type, values, present, runs, &once);
    stats->distinct = estimate_distinct(present, n, once, (double)s->rows * (1.0 - stats->null_fraction));
    qsort(runs, (size_t)n, sizeof *runs, compare_runs);
    int common = pick_common(runs, n, present);
    for (int i = 0; i < common; i++) {
        VEC_PUSH(s->arena, stats->common, runs[i].value);
        VEC_PUSH(s->arena, stats->common_fraction, (double)runs[i].count / s->kept);
    }
    qsort(runs + common, (size_t)(n - common), sizeof *runs, compare_runs_by_value);
    add_histogram(stats, runs + common, n - common, s->arena);
}

static bool is_wanted(const AnalyzeTarget *target, uint32_t column_id)
{
    for (int i = 0; i < target->columns.count; i++)
        if ((uint32_t)target->columns.items[i] == column_id) return true;
    return target->columns.count == 0;
}

static Status analyze_table(Exec *exec, const AnalyzeTarget *target, Arena *arena)
{
    Sample s = {.exec = exec, .table = target->table, .arena = arena, .random = UINT64_C(0x9e3779b97f4a7c15)};
    int columns = target->table->columns.count;
    s.ordinals = ARENA_ARRAY(arena, int, columns);
    s.values = ARENA_ARRAY(arena, Value *, columns);
    for (int i = 0; i < columns; i++) {
        if (!is_wanted(target, target->table->columns.items[i].id)) continue;
        s.values[s.column_count] = ARENA_ARRAY(arena, Value, SAMPLE_ROWS);
        s.ordinals[s.column_count++] = i;
    }
    TRY(ddl_each_row(exec, target->table, sample_row, &s));
    TableStats stats = {.row_count = s.rows, .analyzed_at_us = clock_now_us()};
    for (int c = 0; c < s.column_count; c++) {
        ColumnStats column = {0};
        analyze_column(&s, c, &column);
        VEC_PUSH(arena, stats.columns, column);
    }
    return catalog_put_stats(ddl_view(exec), target->table->base.id, &stats, exec->err);
}

Status ddl_analyze(Exec *exec, const UtilityAnalyze *u)
{
    for (int i = 0; i < u->targets.count; i++) {
        Arena *arena = arena_create(exec->arena, 0);
        Status st = analyze_table(exec, &u->targets.items[i], arena);
        arena_destroy(arena);
        TRY(st);
    }
    ddl_notices(exec, &u->notices);
    return ST_OK;
}
