#include "storage/base/arena.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* Blocks double from BLOCK_FIRST to BLOCK_LARGE, so a small statement costs one malloc and a large one few. */
enum { BLOCK_FIRST = 2048, BLOCK_LARGE = 256 * 1024, ALIGNMENT = 16 };

typedef struct Block {
    struct Block *next;
    size_t size, used; /* of the bytes behind the header */
} Block;

typedef struct Deferred {
    struct Deferred *next;
    void (*run)(void *);
    void *argument;
} Deferred;

struct Arena {
    Arena *parent, *child_first, *sibling_next, *sibling_previous;
    Block *blocks; /* the newest first */
    Deferred *deferred;
    size_t bytes, bytes_max;
};

#define HEADER ((sizeof(Block) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1))

static void account(Arena *arena, size_t plus, size_t minus)
{
    for (Arena *a = arena; a; a = a->parent) a->bytes += plus - minus;
}

static bool within_budget(const Arena *arena, size_t size)
{
    for (const Arena *a = arena; a; a = a->parent)
        if (a->bytes_max && (size > a->bytes_max || a->bytes > a->bytes_max - size)) return false;
    return true;
}

Arena *arena_create(Arena *parent, size_t bytes_max)
{
    Arena *arena = calloc(1, sizeof *arena);
    if (!arena) abort();
    arena->bytes_max = bytes_max;
    arena->parent = parent;
    if (parent) {
        arena->sibling_next = parent->child_first;
        if (parent->child_first) parent->child_first->sibling_previous = arena;
        parent->child_first = arena;
    }
    return arena;
}

static void run_deferred(Arena *arena)
{
    while (arena->deferred) {
        Deferred *d = arena->deferred;
        arena->deferred = d->next;
        d->run(d->argument);
    }
}

static void empty(Arena *arena, bool keep_one)
{
    run_deferred(arena);
    while (arena->child_first) arena_destroy(arena->child_first);
    Block *kept = NULL;
    for (Block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        if (keep_one && !kept && b->size <= BLOCK_LARGE) {
            kept = b;
            continue;
        }
        account(arena, 0, b->size + HEADER);
        free(b);
    }
    if (kept) {
        memset((uint8_t *)kept + HEADER, 0, kept->used);
        kept->used = 0;
        kept->next = NULL;
    }
    arena->blocks = kept;
}

void arena_reset(Arena *arena)
{
    empty(arena, true);
}

void arena_destroy(Arena *arena)
{
    if (!arena) return;
    empty(arena, false);
    if (arena->sibling_previous)
        arena->sibling_previous->sibling_next = arena->sibling_next;
    else if (arena->parent)
        arena->parent->child_first = arena->sibling_next;
    if (arena->sibling_next) arena->sibling_next->sibling_previous = arena->sibling_previous;
    free(arena);
}

size_t arena_bytes(const Arena *arena)
{
    return arena->bytes;
}

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static Block *block_add(Arena *arena, size_t size)
{
    size_t wanted = arena->blocks ? arena->blocks->size * 2 : BLOCK_FIRST;
    if (wanted > BLOCK_LARGE) wanted = BLOCK_LARGE;
    if (wanted < size) wanted = size;
    Block *b = calloc(1, HEADER + wanted);
    if (!b) return NULL;
    b->size = wanted;
    /* A block made for one large piece goes behind the current one, whose rest stays in use. */
    if (arena->blocks && size > BLOCK_LARGE / 2 && arena->blocks->size - arena->blocks->used > 512) {
        b->next = arena->blocks->next;
        arena->blocks->next = b;
    } else {
        b->next = arena->blocks;
        arena->blocks = b;
    }
    account(arena, HEADER + wanted, 0);
    return b;
}

static void *take(Arena *arena, size_t size)
{
    Block *b = arena->blocks;
    if (size > SIZE_MAX / 2) return NULL;
    size = rounded(size ? size : 1);
    if (!b || b->size - b->used < size) b = block_add(arena, size);
    if (!b) return NULL;
    void *memory = (uint8_t *)b + HEADER + b->used;
    b->used += size;
    return memory;
}

void *arena_alloc(Arena *arena, size_t size)
{
    void *memory = take(arena, size);
    if (!memory) abort();
    return memory;
}

void *arena_try_alloc(Arena *arena, size_t size)
{
    return within_budget(arena, size) ? take(arena, size) : NULL;
}

void *arena_copy(Arena *arena, const void *data, size_t size)
{
    void *memory = arena_alloc(arena, size);
    if (size) memcpy(memory, data, size);
    return memory;
}

void *arena_grow(Arena *arena, void *block, size_t old_size, size_t new_size)
{
    assert(new_size >= old_size);
    Block *b = arena->blocks;
    if (block && b && (uint8_t *)block + rounded(old_size) == (uint8_t *)b + HEADER + b->used) {
        size_t extra = rounded(new_size) - rounded(old_size);
        if (b->size - b->used >= extra) {
            b->used += extra;
            return block;
        }
    }
    void *grown = arena_alloc(arena, new_size);
    if (old_size) memcpy(grown, block, old_size);
    return grown;
}

char *arena_strndup(Arena *arena, const void *text, size_t size)
{
    char *copy = arena_alloc(arena, size + 1);
    if (size) memcpy(copy, text, size);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    assert(size >= 0);
    char *text = arena_alloc(arena, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

Slice arena_slice(Arena *arena, Slice bytes)
{
    return slice_of(arena_copy(arena, bytes.data, bytes.size), bytes.size);
}

void arena_defer(Arena *arena, void (*run)(void *), void *argument)
{
    Deferred *d = ARENA_NEW(arena, Deferred);
    *d = (Deferred){arena->deferred, run, argument};
    arena->deferred = d;
}
