/* cost.c - prices of the elementary steps. */
#include "planner/cost/cost.h"

#include <math.h>

double cost_width(const TableDesc *table, const IndexDesc *index)
{
    int columns = index->primary ? table->columns.count
                                 : index->columns.count + index->suffix.count + index->stored.count;
    return 1 + 0.04 * columns;
}

double cost_sort(double rows, double limit)
{
    double kept = limit > 0 && limit < rows ? limit : rows;
    return 2 + rows * 0.2 * log2(kept + 2);
}

static double part_points(const SpanPart *part)
{
    if (part->kind != SPAN_POINTS) return 1;
    double points = part->array ? 10.0 * part->value_count : part->value_count;
    return points + part->or_null;
}

double cost_span_count(const SpanSet *set)
{
    if (!set->template_count) return 1;
    double total = 0;
    for (int t = 0; t < set->template_count; t++) {
        double product = 1;
        for (int i = 0; i < set->templates[t].part_count; i++) product *= part_points(&set->templates[t].parts[i]);
        total += product;
    }
    return total;
}
