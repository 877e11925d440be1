/* plan_print_spans.c - the spans of a scan, as far as they are known when the plan is printed. */
#include <math.h>
#include <stdio.h>

#include "planner/plan_print.h"
#include "storage/keys/key_print.h"
#include "storage/table/row.h"

enum { SPANS_SHOWN = 4 };

static bool find_row_value(const Expr *e, void *argument)
{
    bool *found = argument;
    *found = *found || e->kind == EXPR_COLUMN || e->kind == EXPR_SUBQUERY;
    return !*found;
}

static bool depends_on_row(const Expr *e)
{
    bool found = false;
    if (e) expr_walk(e, find_row_value, &found);
    return found;
}

/* Values from an enclosing row or from a subquery exist only while the plan runs. */
bool span_set_is_known(const SpanSet *set)
{
    for (int t = 0; t < set->template_count; t++) {
        for (int i = 0; i < set->templates[t].part_count; i++) {
            const SpanPart *part = &set->templates[t].parts[i];
            if (depends_on_row(part->low) || depends_on_row(part->high)) return false;
            for (int v = 0; v < part->value_count; v++)
                if (depends_on_row(part->values[v])) return false;
        }
    }
    return true;
}

bool plan_print_expand(PlanPrinter *p, const SpanSet *set, LogicalSpan **spans, int *count)
{
    Error err = {0};
    SpanEval eval = p->options->eval ? p->options->eval : span_eval_constant;
    void *argument = p->options->eval ? p->options->eval_argument : p->arena;
    return span_set_is_known(set) && span_expand(set, eval, argument, spans, count, p->arena, &err) == ST_OK;
}

/* ---- VERBOSE: spans as the keys they are, table and index left out ---- */

static KeyPrintStyle key_style(PlanPrinter *p, const SpanSet *set)
{
    int count = span_key_column_count(set->index);
    KeyPrintColumn *columns = ARENA_ARRAY(p->arena, KeyPrintColumn, count);
    for (int i = 0; i < count; i++) {
        const ColumnDesc *column = span_key_column(set->table, set->index, i, &columns[i].descending);
        columns[i].hash_code = column->role == COLUMN_HASH_CODE;
    }
    return (KeyPrintStyle){.columns = columns, .count = count, .skip = 2};
}

/* The first key behind all that start with key. */
static void to_prefix_end(Buf *key)
{
    while (key->size && key->data[key->size - 1] == 0xff) key->size--;
    if (key->size) key->data[key->size - 1]++;
}

static bool put_bound(const TableAccess *access, const SpanSet *set, const Value *values, int count, bool null, Buf *key)
{
    Value padded[64];
    Error err = {0};
    if (count > 62) return false;
    if (count) memcpy(padded, values, sizeof *values * (size_t)count);
    if (null) padded[count++] = VALUE_NULL;
    return index_key_prefix(access, set->index, padded, count, key, &err) == ST_OK;
}

/* One row of a table whose rows are one pair each: its key, family and all. */
static bool is_whole_key(const SpanSet *set, const LogicalSpan *span)
{
    if (!set->index->primary || set->table->families.count > 1 || span->start_count != set->index->columns.count)
        return false;
    if (span->end_count != span->start_count || !span->start_inclusive || !span->end_inclusive) return false;
    for (int i = 0; i < span->start_count; i++) {
        const TypeDef *type = type_find(span_key_column(set->table, set->index, i, NULL)->type.oid);
        if (!type || span->start[i].null || span->end[i].null || type_compare(type, span->start[i], span->end[i]) != 0)
            return false;
    }
    return true;
}

static bool put_physical(PlanPrinter *p, const TableAccess *access, const SpanSet *set, const LogicalSpan *span, Buf *out)
{
    Buf start = {0}, end = {0};
    KeyPrintStyle style = key_style(p, set);
    bool ok = put_bound(access, set, span->start, span->start_count, span->start_after_null, &start) &&
              put_bound(access, set, span->end, span->end_count, span->end_before_null, &end);
    if (ok && (span->start_after_null || (span->start_count && !span->start_inclusive))) to_prefix_end(&start);
    if (ok && !span->end_before_null && (span->end_count == 0 || span->end_inclusive)) to_prefix_end(&end);
    if (ok) {
        key_print(buf_slice(&start), &style, out);
        if (is_whole_key(set, span)) {
            buf_put_str(out, "/0");
        } else {
            buf_put_u8(out, '-');
            key_print(buf_slice(&end), &style, out);
        }
    }
    buf_finish(&start);
    buf_finish(&end);
    return ok;
}

static const char *physical_list(PlanPrinter *p, const SpanSet *set, const LogicalSpan *spans, int count)
{
    Buf out = {0};
    const TableAccess *access = table_access_create(set->table, p->arena);
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        if (i) buf_put_u8(&out, ' ');
        ok = put_physical(p, access, set, &spans[i], &out);
    }
    const char *text = ok ? buf_to_str(&out, p->arena) : NULL;
    buf_finish(&out);
    return text;
}

const char *plan_print_span_list(PlanPrinter *p, const SpanSet *set, const LogicalSpan *spans, int count)
{
    const char *physical = p->options->verbose && !set->first_column ? physical_list(p, set, spans, count) : NULL;
    if (physical) return physical;
    Buf out = {0};
    for (int i = 0; i < count && i < SPANS_SHOWN; i++) {
        if (i) buf_put_u8(&out, ' ');
        span_print(set, &spans[i], &out);
    }
    if (count > SPANS_SHOWN) buf_printf(&out, " … (%d more)", count - SPANS_SHOWN);
    const char *text = buf_to_str(&out, p->arena);
    buf_finish(&out);
    return text;
}

static const char *template_list(PlanPrinter *p, const SpanSet *set)
{
    Buf out = {0};
    for (int t = 0; t < set->template_count && t < SPANS_SHOWN; t++) {
        if (t) buf_put_u8(&out, ' ');
        span_print_template(set, &set->templates[t], &out, p->arena);
    }
    if (set->template_count > SPANS_SHOWN) buf_printf(&out, " … (%d more)", set->template_count - SPANS_SHOWN);
    const char *text = buf_to_str(&out, p->arena);
    buf_finish(&out);
    return text;
}

const char *plan_print_spans(PlanPrinter *p, const SpanSet *set, int *count)
{
    LogicalSpan *spans;
    if (plan_print_expand(p, set, &spans, count)) return plan_print_span_list(p, set, spans, *count);
    *count = -1;
    return template_list(p, set);
}

int plan_print_stream_size(const SpanSet *set, const LogicalSpan *spans, int count, int from, int columns)
{
    int size = 1;
    for (; from + size < count; size++) {
        const LogicalSpan *a = &spans[from], *b = &spans[from + size];
        if (a->start_count < columns || b->start_count < columns) break;
        bool same = true;
        for (int i = 0; i < columns && same; i++) {
            const ColumnDesc *column = span_key_column(set->table, set->index, set->first_column + i, NULL);
            const TypeDef *type = type_find(column->type.oid);
            same = a->start[i].null == b->start[i].null;
            if (same && !a->start[i].null && type) same = type_compare(type, a->start[i], b->start[i]) == 0;
        }
        if (!same) break;
    }
    return size;
}

const char *print_grouped(Arena *arena, double count)
{
    char digits[32];
    Buf out = {0};
    int size = snprintf(digits, sizeof digits, "%.0f", round(count));
    for (int i = 0; i < size; i++) {
        if (i && (size - i) % 3 == 0) buf_put_u8(&out, ',');
        buf_put_u8(&out, (uint8_t)digits[i]);
    }
    const char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}
