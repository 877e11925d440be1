#include "executor/spill.h"

#include <assert.h>

Spill *spill_create(Exec *exec, const TypeDef *const *types, int width, int level, Arena *arena)
{
    Spill *spill = ARENA_NEW(arena, Spill);
    assert(level < SPILL_LEVEL_MAX);
    *spill = (Spill){.exec = exec, .arena = arena, .types = types, .width = width, .level = level};
    return spill;
}

static SpillPart *part_create(Spill *spill)
{
    Arena *arena = arena_create(spill->arena, 0);
    SpillPart *part = ARENA_NEW(arena, SpillPart);
    *part = (SpillPart){.exec = spill->exec, .arena = arena, .level = spill->level + 1};
    part->store = row_store_create(spill->exec, spill->types, spill->width, arena);
    row_store_spill_always(part->store);
    return part;
}

/* Four bits a level, not those that a hash table of a few thousand entries is indexed by. */
static int part_number(const Spill *spill, uint64_t hash)
{
    return (int)(hash >> (36 + 4 * spill->level)) & (SPILL_PARTS - 1);
}

Status spill_add(Spill *spill, uint64_t hash, const Value *row)
{
    SpillPart **part = &spill->parts[part_number(spill, hash)];
    if (!*part) *part = part_create(spill);
    return row_store_add((*part)->store, row);
}

Status spill_end(Spill *spill, uint64_t *bytes)
{
    for (int i = 0; i < SPILL_PARTS; i++) {
        if (!spill->parts[i]) continue;
        TRY(row_store_spill(spill->parts[i]->store));
        *bytes += row_store_spilled(spill->parts[i]->store);
    }
    return ST_OK;
}

SpillPart *spill_take(Spill *spill, SpillPart *others)
{
    for (int i = SPILL_PARTS - 1; i >= 0; i--) {
        if (!spill->parts[i]) continue;
        spill->parts[i]->next = others;
        others = spill->parts[i];
        spill->parts[i] = NULL;
    }
    return others;
}

void spill_part_free(SpillPart *part)
{
    if (part) arena_destroy(part->arena);
}

SpillSource spill_source_op(Op *op)
{
    return (SpillSource){.op = op};
}

SpillSource spill_source_part(SpillPart *part)
{
    SpillSource source = {.part = part};
    if (part) row_reader_init(&source.reader, part->store, part->arena);
    return source;
}

Status spill_source_next(SpillSource *source, Batch *batch)
{
    if (source->op) return op_next(source->op, batch);
    if (!source->part) return ST_END;
    Exec *exec = source->part->exec;
    if (exec->session) TRY(interrupt_poll(&exec->session->interrupt, exec->err));
    return row_reader_next(&source->reader, batch);
}
