/* arena.h - memory by lifetime.
 *
 * An Arena is a list of blocks that are freed together. There is one per session, transaction, statement and batch,
 * passed as an argument; nothing in it is freed alone. An arena belongs to one thread at a time.
 *
 *   - arena_alloc is for small, code-sized things: zeroed, never NULL (no memory for a block: abort, the store survives).
 *   - arena_try_alloc is for sizes that the client or the data decides: zeroed, NULL when the arena's budget or the
 *     machine's memory is exhausted; the caller reports 53200.
 *   - arena_defer runs a function when the arena is reset or destroyed, last registered first.
 *   - A child is destroyed with its parent. Budgets count the bytes of the arena and all its children.
 */
#ifndef STORAGE_BASE_ARENA_H
#define STORAGE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "storage/base/slice.h"

typedef struct Arena Arena;

/* parent may be NULL. bytes_max 0 means the parent's budget, or none. */
Arena *arena_create(Arena *parent, size_t bytes_max);
void arena_reset(Arena *arena);   /* runs what was deferred, destroys children, frees all but one block */
void arena_destroy(Arena *arena); /* NULL is allowed */
size_t arena_bytes(const Arena *arena);

void *arena_alloc(Arena *arena, size_t size) __attribute__((returns_nonnull, malloc, alloc_size(2)));
void *arena_try_alloc(Arena *arena, size_t size) __attribute__((malloc, alloc_size(2)));
void *arena_copy(Arena *arena, const void *data, size_t size) __attribute__((returns_nonnull));
/* Grows an array: returns a block of new_size with old_size bytes taken over (in place where it was the last one). */
void *arena_grow(Arena *arena, void *block, size_t old_size, size_t new_size) __attribute__((returns_nonnull));
char *arena_strdup(Arena *arena, const char *text) __attribute__((returns_nonnull));
char *arena_strndup(Arena *arena, const void *text, size_t size) __attribute__((returns_nonnull));
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3), returns_nonnull));
char *arena_vprintf(Arena *arena, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
Slice arena_slice(Arena *arena, Slice bytes);

void arena_defer(Arena *arena, void (*run)(void *), void *argument);

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, n) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(n)))

#endif
