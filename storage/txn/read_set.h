/* read_set.h - what a SERIALIZABLE transaction has read: the spans that must be unchanged when it commits. */
#ifndef STORAGE_TXN_READ_SET_H
#define STORAGE_TXN_READ_SET_H

#include "storage/base/list.h"
#include "storage/kv/kv.h"

typedef struct ReadSet {
    Arena *arena;
    VEC(KvSpan) spans;
    int merged_count; /* spans that are sorted and disjoint since the last merge */
} ReadSet;

void read_set_point(ReadSet *set, Slice key);
void read_set_span(ReadSet *set, Slice start, Slice end); /* both are copied */
/* From start to key, key included. */
void read_set_up_to(ReadSet *set, Slice start, Slice key);
/* Sorts the spans and makes those that touch one. Beyond a bound, neighbours become one too: a needless conflict is
 * possible then, a missed one never. */
void read_set_merge(ReadSet *set);

#endif
