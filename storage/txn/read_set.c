#include "storage/txn/read_set.h"

#include <stdlib.h>

enum { MERGE_AT = 16384, SPANS_MAX = 65536 };

static void add(ReadSet *set, KvSpan span)
{
    VEC_PUSH(set->arena, set->spans, span);
    if (set->spans.count - set->merged_count > MERGE_AT) read_set_merge(set);
}

/* The first key behind a key is the key and a zero byte. */
static Slice behind(Arena *arena, Slice key)
{
    uint8_t *bytes = arena_alloc(arena, key.size + 1);
    if (key.size) memcpy(bytes, key.data, key.size);
    return slice_of(bytes, key.size + 1);
}

void read_set_point(ReadSet *set, Slice key)
{
    if (set->spans.count && slice_equal(VEC_LAST(set->spans).start, key)) return;
    Slice end = behind(set->arena, key);
    add(set, (KvSpan){slice_of(end.data, key.size), end});
}

void read_set_span(ReadSet *set, Slice start, Slice end)
{
    add(set, (KvSpan){arena_slice(set->arena, start), arena_slice(set->arena, end)});
}

void read_set_up_to(ReadSet *set, Slice start, Slice key)
{
    add(set, (KvSpan){arena_slice(set->arena, start), behind(set->arena, key)});
}

static int span_order(const void *a, const void *b)
{
    return slice_compare(((const KvSpan *)a)->start, ((const KvSpan *)b)->start);
}

static void join(KvSpan *span, const KvSpan *next)
{
    if (!span->end.size) return;
    if (!next->end.size || slice_compare(span->end, next->end) < 0) span->end = next->end;
}

void read_set_merge(ReadSet *set)
{
    KvSpan *spans = set->spans.items;
    int kept = 0;
    if (!set->spans.count) return;
    qsort(spans, (size_t)set->spans.count, sizeof *spans, span_order);
    for (int i = 1; i < set->spans.count; i++) {
        bool apart = spans[kept].end.size && slice_compare(spans[kept].end, spans[i].start) < 0;
        if (apart)
            spans[++kept] = spans[i];
        else
            join(&spans[kept], &spans[i]);
    }
    int count = kept + 1;
    while (count > SPANS_MAX) {
        int pairs = count / 2;
        for (int i = 0; i < pairs; i++) {
            KvSpan pair = spans[2 * i];
            join(&pair, &spans[2 * i + 1]);
            spans[i] = pair;
        }
        if (count % 2) spans[pairs] = spans[count - 1];
        count = pairs + count % 2;
    }
    set->spans.count = set->merged_count = count;
}
