/* source.c - one table reference: its columns, computed expressions, partial predicates and statistics. */
#include "planner/cost/cost.h"
#include "planner/plan.h"

static Status bind_computed(Session *session, Source *source, Arena *arena, Error *err)
{
    const TableDesc *table = source->table;
    Expr **computed = ARENA_ARRAY(arena, Expr *, table->columns.count);
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (!column->computed_expr) continue;
        TRY(plan_table_expr(session, &(TableExpr){table, source->rel->base.columns, column->computed_expr, column->type}, &computed[i], arena, err));
    }
    source->spans.computed = computed;
    return ST_OK;
}

/* Computed columns that read computed columns, as the hash code over an indexed expression does. */
static void spell_out(Source *source, Arena *arena)
{
    int n = source->table->columns.count, count = 0;
    Expr *const *computed = source->spans.computed;
    ColId *columns = ARENA_ARRAY(arena, ColId, n);
    Expr **exprs = ARENA_ARRAY(arena, Expr *, n), **spelled = NULL;
    ColSet replaced = {0};
    for (int i = 0; i < n; i++) {
        if (!computed[i]) continue;
        columns[count] = source->spans.columns[i];
        exprs[count++] = computed[i];
        colset_add(&replaced, arena, source->spans.columns[i]);
    }
    for (int i = 0; i < n && count > 1; i++) {
        ColSet used = {0};
        if (!computed[i]) continue;
        expr_columns(computed[i], &used, arena);
        if (!colset_intersects(&used, &replaced)) continue;
        if (!spelled) spelled = ARENA_ARRAY(arena, Expr *, n);
        spelled[i] = expr_substitute(arena, computed[i], columns, exprs, count);
    }
    source->spans.spelled = spelled;
}

static Status bind_predicates(Session *session, Source *source, Arena *arena, Error *err)
{
    const TableDesc *table = source->table;
    source->predicates = ARENA_ARRAY(arena, Expr *, table->indexes.count);
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if (!index->predicate) continue;
        TRY(plan_table_expr(session, &(TableExpr){table, source->rel->base.columns, index->predicate, (TypeRef){OID_BOOL, -1}}, &source->predicates[i], arena, err));
    }
    return ST_OK;
}

/* CHECK (kind IN ('a', 'b')): the column's domain. A check that is not of that form says nothing here. */
static void take_domain(Source *source, Expr *check, SpanPart *checked)
{
    SpanCondition condition;
    span_analyse(&source->spans, check, &condition);
    if (!condition.usable || condition.terms.count != 1) return;
    const SpanTerm *term = &condition.terms.items[0];
    if (!term->tight || term->pairs.count != 1) return;
    const SpanPart *part = &term->pairs.items[0].part;
    SpanPart *domain = &checked[term->pairs.items[0].ordinal];
    if (part->kind != SPAN_POINTS || !span_part_is_constant(part) || part->or_null) return;
    if (domain->value_count == 0 || part->value_count < domain->value_count) *domain = *part;
}

static bool may_be_list(const char *text)
{
    return strcasestr(text, " in (") || strcasestr(text, "= any") || strcasestr(text, " or ");
}

static Status bind_domains(Session *session, Source *source, Arena *arena, Error *err)
{
    const TableDesc *table = source->table;
    SpanPart *checked = NULL;
    for (int i = 0; i < table->checks.count; i++) {
        const CheckDesc *check = &table->checks.items[i];
        Expr *e;
        if (check->hidden || !check->validated || !may_be_list(check->expr)) continue;
        TRY(plan_table_expr(session, &(TableExpr){table, source->rel->base.columns, check->expr, (TypeRef){OID_BOOL, -1}}, &e, arena, err));
        if (!checked) checked = ARENA_ARRAY(arena, SpanPart, table->columns.count);
        take_domain(source, e, checked);
    }
    source->spans.checked = checked;
    return ST_OK;
}

Status source_create(Session *session, const RelTable *rel, Source **out, Arena *arena, Error *err)
{
    static const TableStats no_stats;
    Source *source = ARENA_NEW(arena, Source);
    const TableDesc *table = rel->table;
    source->rel = rel;
    source->table = table;
    ColId *columns = ARENA_ARRAY(arena, ColId, table->columns.count);
    for (int i = 0; i < table->columns.count; i++) {
        columns[i] = rel->base.columns[i].id;
        colset_add(&source->spans.own, arena, columns[i]);
    }
    source->spans.table = table;
    source->spans.columns = columns;
    source->spans.env = session ? &session->type_env : &type_env_default;
    source->spans.arena = arena;
    TRY(bind_computed(session, source, arena, err));
    spell_out(source, arena);
    TRY(bind_predicates(session, source, arena, err));
    TRY(bind_domains(session, source, arena, err));
    source->stats = session && session->catalog ? catalog_table_stats(session->catalog, table, arena) : &no_stats;
    source->rows = source->stats->row_count > 0 ? (double)source->stats->row_count : 0;
    source->rows_priced = source->rows < COST_ROWS_MIN ? COST_ROWS_MIN : source->rows;
    source->analyzed = source->stats->analyzed_at_us != 0;
    *out = source;
    return ST_OK;
}

static const ColumnStats *stats_of(const Source *source, int ordinal)
{
    uint32_t id = source->table->columns.items[ordinal].id;
    for (int i = 0; i < source->stats->columns.count; i++)
        if (source->stats->columns.items[i].column_id == id) return &source->stats->columns.items[i];
    return NULL;
}

static bool is_unique_alone(const Source *source, int ordinal)
{
    uint32_t id = source->table->columns.items[ordinal].id;
    for (int i = 0; i < source->table->indexes.count; i++) {
        const IndexDesc *index = &source->table->indexes.items[i];
        if (!index_is_unique(index) || index->predicate) continue;
        int declared = 0;
        bool has = false;
        for (int c = 0; c < index->columns.count; c++) {
            if (index->columns.items[c].implicit) continue;
            declared++;
            has = has || index->columns.items[c].column_id == id;
        }
        if (declared == 1 && has) return true;
    }
    return false;
}

bool source_distinct_known(const Source *source, int ordinal)
{
    const ColumnDesc *column = &source->table->columns.items[ordinal];
    SpanPart domain;
    return stats_of(source, ordinal) || span_domain(&source->spans, ordinal, &domain) || column->role == COLUMN_BUCKET || column->type.oid == OID_BOOL ||
           is_unique_alone(source, ordinal);
}

double source_distinct(const Source *source, int ordinal)
{
    const ColumnDesc *column = &source->table->columns.items[ordinal];
    if (is_unique_alone(source, ordinal)) return source->rows_priced;
    const ColumnStats *stats = stats_of(source, ordinal);
    if (stats && stats->distinct > 0) return stats->distinct;
    if (column->role == COLUMN_BUCKET) return column->bucket_count;
    if (column->type.oid == OID_BOOL) return 2;
    SpanPart domain;
    if (span_domain(&source->spans, ordinal, &domain)) return domain.value_count;
    return source->rows_priced / 10;
}

double source_null_fraction(const Source *source, int ordinal)
{
    const ColumnDesc *column = &source->table->columns.items[ordinal];
    if (column->not_null) return 0;
    const ColumnStats *stats = stats_of(source, ordinal);
    return stats ? stats->null_fraction : 0.01;
}
