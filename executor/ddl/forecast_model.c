#include "executor/ddl/forecast_model.h"

#include <stdlib.h>

#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

typedef struct ModelPair {
    Slice key;
    int64_t row;
    double bytes; /* key and value */
    int index;
} ModelPair;

typedef struct ModelRange {
    Slice start;
    int node;   /* from 0 */
    int number; /* in the order of their making */
    bool whole; /* it cannot be cut */
    double bytes;
    VEC(const ModelPair *) pairs;
    int64_t writes; /* of the last fifth */
} ModelRange;

typedef struct ModelIndex {
    ForecastIndex facts;
    VEC(ModelRange *) ranges; /* sorted */
    Slice least, most;        /* keys so far */
    int64_t writes, ascending, descending;
} ModelIndex;

struct ForecastModel {
    Arena *arena;
    ModelIndex *indexes;
    int index_count, nodes;
    VEC(ModelPair *) pairs;
    int range_count;
    double range_max_bytes, weight;
};

static ModelRange *add_range(ForecastModel *model, Slice start)
{
    ModelRange *range = ARENA_NEW(model->arena, ModelRange);
    range->start = arena_slice(model->arena, start);
    range->number = model->range_count++;
    return range;
}

ForecastModel *forecast_model_create(const ForecastIndex *indexes, int count, int nodes, Arena *arena)
{
    ForecastModel *model = ARENA_NEW(arena, ForecastModel);
    model->arena = arena;
    model->indexes = ARENA_ARRAY(arena, ModelIndex, count + 1);
    model->index_count = count;
    model->nodes = nodes;
    for (int i = 0; i < count; i++) {
        ModelIndex *m = &model->indexes[i];
        m->facts = indexes[i];
        VEC_PUSH(arena, m->ranges, add_range(model, indexes[i].start));
        for (int s = 0; s < indexes[i].split_count; s++)
            if (slice_compare(indexes[i].splits[s], VEC_LAST(m->ranges)->start) > 0)
                VEC_PUSH(arena, m->ranges, add_range(model, indexes[i].splits[s]));
    }
    return model;
}

void forecast_model_add(ForecastModel *model, int index, int64_t row, Slice key, size_t value_size)
{
    ModelPair *pair = ARENA_NEW(model->arena, ModelPair);
    *pair = (ModelPair){arena_slice(model->arena, key), row, (double)(key.size + value_size), index};
    VEC_PUSH(model->arena, model->pairs, pair);
}

int64_t forecast_model_pairs(const ForecastModel *model)
{
    return model->pairs.count;
}

/* ---- cutting ---- */

static int find_range(const ModelIndex *m, Slice key)
{
    int low = 0, high = m->ranges.count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (slice_compare(m->ranges.items[middle]->start, key) <= 0) low = middle;
        else high = middle;
    }
    return low;
}

static int compare_pairs(const void *a, const void *b)
{
    return slice_compare((*(ModelPair *const *)a)->key, (*(ModelPair *const *)b)->key);
}

/* Where a range may begin at or before this key: at a row, or at a hash code. */
static Slice boundary_at(const ModelIndex *m, Slice key)
{
    uint32_t table, index, family;
    Slice row = key;
    if (!m->facts.by_hash_code) return row_key_split(key, &row, &family) ? row : key;
    Slice rest = key;
    if (!row_key_take_prefix(&rest, &table, &index) || !ordered_skip(&rest)) return key;
    return slice_of(key.data, (size_t)(rest.data - key.data));
}

/* The boundary nearest to the middle of the bytes; empty if there is none inside. */
static Slice middle_of(const ModelIndex *m, const ModelRange *range)
{
    double bytes = 0;
    Slice best = {0};
    for (int i = 0; i < range->pairs.count; i++) {
        Slice boundary = boundary_at(m, range->pairs.items[i]->key);
        bool inside = i > 0 && slice_compare(boundary, range->start) > 0 && slice_compare(boundary, range->pairs.items[0]->key) > 0;
        if (inside && (bytes < range->bytes / 2 || !best.size)) best = boundary;
        if (inside && bytes >= range->bytes / 2) break;
        bytes += range->pairs.items[i]->bytes;
    }
    return best;
}

/* The right half becomes a range of its own. */
static void split_range(ForecastModel *model, ModelIndex *m, int at)
{
    ModelRange *left = m->ranges.items[at];
    qsort(left->pairs.items, (size_t)left->pairs.count, sizeof *left->pairs.items, compare_pairs);
    Slice boundary = middle_of(m, left);
    left->whole = !boundary.size;
    if (left->whole) return;
    ModelRange *right = add_range(model, boundary);
    int kept = 0;
    for (int i = 0; i < left->pairs.count; i++) {
        const ModelPair *pair = left->pairs.items[i];
        if (slice_compare(pair->key, boundary) < 0) {
            left->pairs.items[kept++] = pair;
            continue;
        }
        VEC_PUSH(model->arena, right->pairs, pair);
        right->bytes += pair->bytes;
        left->bytes -= pair->bytes;
    }
    left->pairs.count = kept;
    VEC_PUSH(model->arena, m->ranges, right);
    for (int i = m->ranges.count - 1; i > at + 1; i--) m->ranges.items[i] = m->ranges.items[i - 1];
    m->ranges.items[at + 1] = right;
}

/* ---- nodes ---- */

static int compare_writes(const void *a, const void *b)
{
    const ModelRange *x = *(ModelRange *const *)a, *y = *(ModelRange *const *)b;
    if (x->writes != y->writes) return x->writes < y->writes ? 1 : -1;
    return x->number < y->number ? -1 : 1;
}

/* Where rebalancing by load and by count would bring them: the busiest first, each to the node that has least to do. */
static void place_ranges(ForecastModel *model)
{
    ModelRange **all = ARENA_ARRAY(model->arena, ModelRange *, model->range_count);
    int64_t *writes = ARENA_ARRAY(model->arena, int64_t, model->nodes);
    int *ranges = ARENA_ARRAY(model->arena, int, model->nodes), count = 0;
    for (int i = 0; i < model->index_count; i++)
        for (int r = 0; r < model->indexes[i].ranges.count; r++) all[count++] = model->indexes[i].ranges.items[r];
    qsort(all, (size_t)count, sizeof *all, compare_writes);
    for (int i = 0; i < count; i++) {
        int best = 0;
        for (int n = 1; n < model->nodes; n++)
            if (all[i]->writes ? writes[n] < writes[best] : ranges[n] < ranges[best]) best = n;
        all[i]->node = best;
        writes[best] += all[i]->writes;
        ranges[best]++;
    }
}

/* ---- running ---- */

static void note_direction(ModelIndex *m, Slice key, bool counted)
{
    bool first = !m->least.data;
    m->ascending += counted && !first && slice_compare(key, m->most) > 0;
    m->descending += counted && !first && slice_compare(key, m->least) < 0;
    if (first || slice_compare(key, m->most) > 0) m->most = key;
    if (first || slice_compare(key, m->least) < 0) m->least = key;
}

void forecast_model_run(ForecastModel *model, int64_t rows, double weight, double range_max_bytes)
{
    int64_t building = rows - rows / 5;
    model->range_max_bytes = range_max_bytes;
    model->weight = weight;
    for (int p = 0; p < model->pairs.count; p++) {
        ModelPair *pair = model->pairs.items[p];
        ModelIndex *m = &model->indexes[pair->index];
        bool counted = pair->row >= building || rows < 5;
        note_direction(m, pair->key, counted);
        int at = find_range(m, pair->key);
        ModelRange *range = m->ranges.items[at];
        m->writes += counted;
        range->writes += counted;
        if (pair->row >= building) continue;
        pair->bytes *= weight;
        range->bytes += pair->bytes;
        VEC_PUSH(model->arena, range->pairs, pair);
        /* A range that could not be cut is tried again when it has doubled: sorting it each time would take too long. */
        bool due = !range->whole || (range->pairs.count & (range->pairs.count - 1)) == 0;
        if (range->bytes > range_max_bytes && due) split_range(model, m, at);
    }
    place_ranges(model);
}

/* ---- what came of it ---- */

static void sum_index(const ForecastModel *model, const ModelIndex *m, ForecastSpread *s, int64_t *node_writes, bool *node_used)
{
    int64_t most = 0;
    for (int r = 0; r < m->ranges.count; r++) {
        const ModelRange *range = m->ranges.items[r];
        s->bytes += range->bytes;
        /* Few pairs that stand for very many: their range would have been cut between rows that the sample lacks. */
        s->whole |= range->whole && range->bytes > model->range_max_bytes;
        if (!m->facts.by_hash_code && model->weight > 2 && range->bytes > 2 * model->range_max_bytes) {
            s->coarse = true;
            s->ranges += (int64_t)(range->bytes / model->range_max_bytes);
        }
        s->ranges_written += range->writes > 0;
        node_writes[range->node] += range->writes;
        node_used[range->node] = true;
        if (range->writes <= most) continue;
        most = range->writes;
        s->hottest_is_first = r == 0;
        s->hottest_is_last = r == m->ranges.count - 1;
    }
    double share = m->writes ? (double)most / (double)m->writes : 0;
    if (share > s->hottest_range) s->hottest_range = share;
    s->ranges += m->ranges.count;
    s->ascending = m->writes ? (double)m->ascending / (double)m->writes : 0;
    s->descending = m->writes ? (double)m->descending / (double)m->writes : 0;
}

ForecastSpread forecast_model_spread(const ForecastModel *model, int index)
{
    ForecastSpread s = {0};
    int64_t *node_writes = ARENA_ARRAY(model->arena, int64_t, model->nodes), writes = 0;
    bool *node_used = ARENA_ARRAY(model->arena, bool, model->nodes);
    for (int i = 0; i < model->index_count; i++) {
        if (index >= 0 && i != index) continue;
        sum_index(model, &model->indexes[i], &s, node_writes, node_used);
        writes += model->indexes[i].writes;
    }
    for (int n = 0; n < model->nodes; n++) {
        s.nodes += node_used[n];
        double share = writes ? (double)node_writes[n] / (double)writes : 0;
        if (share > s.hottest_node) s.hottest_node = share;
    }
    /* Of the table: the busiest range's share of all pairs. */
    if (index < 0) {
        int64_t most = 0;
        for (int i = 0; i < model->index_count; i++)
            for (int r = 0; r < model->indexes[i].ranges.count; r++)
                if (model->indexes[i].ranges.items[r]->writes > most) most = model->indexes[i].ranges.items[r]->writes;
        s.hottest_range = writes ? (double)most / (double)writes : 0;
        s.ascending = s.descending = 0;
    }
    return s;
}
