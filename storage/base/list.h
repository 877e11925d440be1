/* list.h - arrays that grow in an arena.
 *
 *   VEC(Column) columns = {0};
 *   VEC_PUSH(arena, columns, (Column){...});
 *   for (int i = 0; i < columns.count; i++) use(&columns.items[i]);
 *
 * Pointers to items are valid until the next push. Name a VEC type with a typedef where it crosses a function.
 */
#ifndef STORAGE_BASE_LIST_H
#define STORAGE_BASE_LIST_H

#include "storage/base/arena.h"

#define VEC(Type)                                                                                                    \
    struct {                                                                                                         \
        Type *items;                                                                                                 \
        int count, capacity;                                                                                         \
    }

#define VEC_RESERVE(arena, vec)                                                                                      \
    ((vec).count < (vec).capacity                                                                                    \
         ? (void)0                                                                                                   \
         : (void)((vec).items = arena_grow((arena), (vec).items, sizeof *(vec).items * (size_t)(vec).count,          \
                                           sizeof *(vec).items * (size_t)((vec).count ? (vec).count * 2 : 4)),       \
                  (vec).capacity = (vec).count ? (vec).count * 2 : 4))

#define VEC_PUSH(arena, vec, ...)                                                                                    \
    do {                                                                                                             \
        VEC_RESERVE((arena), (vec));                                                                                 \
        (vec).items[(vec).count++] = __VA_ARGS__;                                                                    \
    } while (0)

#define VEC_LAST(vec) ((vec).items[(vec).count - 1])

typedef VEC(const char *) StrVec;
typedef VEC(int) IntVec;

#endif
