/* value_set.h - a hash table over tuples of values: IN lists, hashed subqueries, DISTINCT, groups, join builds.
 *
 * Tuples have a fixed width; two are the same if each pair is equal by its type, and NULL equals NULL (callers that want
 * SQL's = keep NULLs out). Tuples are copied into the arena, bytes included. An entry keeps its number, from 0 in order of
 * insertion, so callers hold what belongs to it in an array of their own.
 */
#ifndef EXECUTOR_VALUE_SET_H
#define EXECUTOR_VALUE_SET_H

#include "storage/types/type.h"

typedef struct ValueSet ValueSet;

/* types: one per place; each must have a hash. Copied. */
ValueSet *value_set_create(Arena *arena, const TypeDef *const *types, int width);
/* The number of the tuple, added if it was not there (*added, may be NULL). */
int value_set_put(ValueSet *set, const Value *tuple, bool *added);
static inline bool value_set_add(ValueSet *set, const Value *tuple)
{
    bool added;
    value_set_put(set, tuple, &added);
    return added;
}
/* -1: it is not there. */
int value_set_find(const ValueSet *set, const Value *tuple);
static inline bool value_set_has(const ValueSet *set, const Value *tuple)
{
    return value_set_find(set, tuple) >= 0;
}
int value_set_count(const ValueSet *set);
/* Valid until the next put. */
const Value *value_set_tuple(const ValueSet *set, int number);
uint64_t value_tuple_hash(const TypeDef *const *types, int width, const Value *tuple);
bool value_tuple_equal(const TypeDef *const *types, int width, const Value *a, const Value *b);

#endif
