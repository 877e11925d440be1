/* spill.h - rows put aside by the hash of their key, when what an operator keeps by key has outgrown work_mem.
 *
 * Rows of one key go to one part, in the order in which they came, and each part is then worked on by itself. A part that
 * is still too large is put aside again, by other bits of the hash; at SPILL_LEVEL_MAX it is taken as it is.
 */
#ifndef EXECUTOR_SPILL_H
#define EXECUTOR_SPILL_H

#include "executor/row_store.h"

enum { SPILL_PARTS = 16, SPILL_LEVEL_MAX = 6 };

typedef struct SpillPart {
    struct SpillPart *next;
    Exec *exec;
    RowStore *store;
    Arena *arena; /* holds all of it */
    int level;    /* of the parts that this one would be cut into */
} SpillPart;

typedef struct Spill {
    Exec *exec;
    Arena *arena;
    const TypeDef *const *types;
    int width, level;
    SpillPart *parts[SPILL_PARTS]; /* NULL: no row */
} Spill;

/* types: of the rows' columns; must stay. Parts that are left are freed with the arena. */
Spill *spill_create(Exec *exec, const TypeDef *const *types, int width, int level, Arena *arena);
Status spill_add(Spill *spill, uint64_t hash, const Value *row);
/* Nothing more comes: what is in memory goes to the files. *bytes grows by their size. */
Status spill_end(Spill *spill, uint64_t *bytes);
/* The parts that have rows, in front of a list of others. */
SpillPart *spill_take(Spill *spill, SpillPart *others);
void spill_part_free(SpillPart *part); /* NULL is allowed */

/* Rows from an operator, or from a part; both NULL: none. */
typedef struct SpillSource {
    Op *op;
    SpillPart *part;
    RowReader reader;
} SpillSource;
SpillSource spill_source_op(Op *op);
/* The part is not freed by the source. */
SpillSource spill_source_part(SpillPart *part);
Status spill_source_next(SpillSource *source, Batch *batch);

#endif
