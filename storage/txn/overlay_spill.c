/* overlay_spill.c - an overlay that has outgrown its memory: going to runs, and reading them together with what is newer.
 *
 * Where a key has several states (for marks and views), the oldest go to a run of their own that lies below, and so on, so
 * a run has each key once. Of the entries of one key the newest that is valid for a view counts: its moment is not behind
 * the view, was not gone back over, and no span that was deleted later covers it.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "storage/txn/run_file.h"

/* Keys with more states than this keep the overlay in memory. */
enum { DEPTH_MAX = 8, FOUND_BYTES = 4 << 20 };

void overlay_allow_spill(Overlay *overlay, const char *directory, size_t memory_max)
{
    overlay->spill.directory = directory;
    overlay->spill.memory_max = memory_max;
}

void overlay_finish(Overlay *overlay)
{
    assert(!overlay->cursors);
    if (overlay->spill.file >= 0) close(overlay->spill.file);
    overlay->spill.file = -1;
}

static bool is_valid(const Overlay *overlay, Slice key, const Write *write, uint64_t moment)
{
    if (write->moment > moment) return false;
    for (int i = 0; i < overlay->spill.dead.count; i++) {
        const DeadMoments *dead = &overlay->spill.dead.items[i];
        if (write->moment > dead->after && write->moment <= dead->up_to) return false;
    }
    for (int i = 0; i < overlay->spill.spans.count; i++) {
        const SpanNote *note = &overlay->spill.spans.items[i];
        if (note->moment < write->moment || note->moment > moment || slice_compare(key, note->span.start) < 0) continue;
        if (!note->span.end.size || slice_compare(key, note->span.end) < 0) return false;
    }
    return true;
}

static void reading_failed(Overlay *overlay, const Error *err)
{
    overlay->failed = true;
    overlay->failure = *err;
}

/* ---- one key ---- */

/* What was found is copied, as the block it lies in goes with the next look-up. */
static void found_keep(Overlay *overlay, const Write *write)
{
    Arena **values = overlay->spill.values;
    if (!values[0] || arena_bytes(values[0]) > FOUND_BYTES) {
        Arena *elder = values[1];
        values[1] = values[0];
        values[0] = elder ? elder : arena_create(overlay->arena, 0);
        arena_reset(values[0]);
    }
    overlay->found = *write;
    if (write->kind == WRITE_PUT) overlay->found.value.data = arena_copy(values[0], write->value.data, write->size);
}

const Write *overlay_find_spilled(Overlay *overlay, Slice key)
{
    const Write *answer = NULL;
    Error err;
    for (int i = overlay->spill.runs.count - 1; i >= 0 && !answer; i--) {
        RunCursor cursor;
        bool found;
        if (!run_may_hold(overlay->spill.runs.items[i], key)) continue;
        run_cursor_init(&cursor, overlay->spill.runs.items[i], false);
        if (run_cursor_find(&cursor, key, &found, &err) != ST_OK) {
            reading_failed(overlay, &err);
            found = false;
        }
        if (found && is_valid(overlay, key, &cursor.write, UINT64_MAX)) {
            found_keep(overlay, &cursor.write);
            answer = &overlay->found;
        }
        run_cursor_finish(&cursor);
    }
    return answer;
}

/* ---- the cursor over memory and runs ---- */

typedef struct MergeSource {
    int age;        /* greater is newer; memory is the newest */
    bool in_memory;
    SortedNode *node; /* of memory */
    RunCursor run;
    Slice key;
    const Write *write; /* NULL: exhausted */
} MergeSource;

typedef struct OverlayMerge {
    MergeSource *sources;
    MergeSource **heap; /* the next entry first; of one key the newest first */
    int source_count, heap_count;
    MergeSource *current;
    uint8_t *last; /* the key handed out last: older entries of it are passed over */
    size_t last_size, last_max;
    bool has_last;
} OverlayMerge;

static bool comes_before(const OverlayCursor *cursor, const MergeSource *a, const MergeSource *b)
{
    int order = slice_compare(a->key, b->key);
    if (order == 0) return a->age > b->age;
    return cursor->descending ? order > 0 : order < 0;
}

static void heap_sink(OverlayCursor *cursor, int at)
{
    OverlayMerge *merge = cursor->merge;
    for (;;) {
        int first = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < merge->heap_count; child++)
            if (comes_before(cursor, merge->heap[child], merge->heap[first])) first = child;
        if (first == at) return;
        MergeSource *moved = merge->heap[at];
        merge->heap[at] = merge->heap[first];
        merge->heap[first] = moved;
        at = first;
    }
}

static void source_from_memory(OverlayCursor *cursor, MergeSource *source, SortedNode *node)
{
    const Write *write = NULL;
    while (node && !(write = overlay_state_at(node, cursor->moment)))
        node = cursor->descending ? node->previous : node->next;
    source->node = node;
    source->write = node ? write : NULL;
    if (node) source->key = sorted_key(node);
}

static void source_from_run(OverlayCursor *cursor, MergeSource *source, Status status, const Error *err)
{
    if (status != ST_OK) reading_failed(cursor->overlay, err);
    source->write = status == ST_OK && source->run.at_entry ? &source->run.write : NULL;
    source->key = source->run.key;
}

static void source_next(OverlayCursor *cursor, MergeSource *source)
{
    Error err;
    if (source->in_memory) {
        source_from_memory(cursor, source, cursor->descending ? source->node->previous : source->node->next);
    } else {
        source_from_run(cursor, source, run_cursor_next(&source->run, &err), &err);
    }
}

static void source_seek(OverlayCursor *cursor, MergeSource *source, Slice key)
{
    Error err;
    const SortedMap *keys = &cursor->overlay->keys;
    if (!source->in_memory)
        source_from_run(cursor, source, run_cursor_seek(&source->run, key, &err), &err);
    else if (!cursor->descending)
        source_from_memory(cursor, source, key.size ? sorted_map_seek(keys, key) : keys->first);
    else
        source_from_memory(cursor, source, key.size ? sorted_map_before(keys, key) : keys->last);
}

static void top_next(OverlayCursor *cursor)
{
    OverlayMerge *merge = cursor->merge;
    source_next(cursor, merge->heap[0]);
    if (!merge->heap[0]->write) merge->heap[0] = merge->heap[--merge->heap_count];
    heap_sink(cursor, 0);
}

/* To the first entry that counts. */
static void merge_settle(OverlayCursor *cursor)
{
    OverlayMerge *merge = cursor->merge;
    for (; merge->heap_count; top_next(cursor)) {
        MergeSource *top = merge->heap[0];
        if (merge->has_last && slice_equal(top->key, slice_of(merge->last, merge->last_size))) continue;
        if (!top->in_memory && !is_valid(cursor->overlay, top->key, top->write, cursor->moment)) continue;
        merge->current = top;
        cursor->node = top->in_memory ? top->node : NULL;
        cursor->key = top->key;
        cursor->write = top->write;
        return;
    }
    cursor->node = NULL;
    cursor->write = NULL;
}

static void merge_make(OverlayCursor *cursor)
{
    const Overlay *overlay = cursor->overlay;
    int count = overlay->spill.runs.count + 1;
    OverlayMerge *merge = calloc(1, sizeof *merge);
    if (!merge) abort();
    merge->sources = calloc((size_t)count, sizeof *merge->sources);
    merge->heap = calloc((size_t)count, sizeof(MergeSource *));
    if (!merge->sources || !merge->heap) abort();
    merge->source_count = count;
    for (int i = 0; i < count; i++) {
        merge->sources[i].age = i;
        merge->sources[i].in_memory = i == count - 1;
        if (i < count - 1) run_cursor_init(&merge->sources[i].run, overlay->spill.runs.items[i], cursor->descending);
    }
    cursor->merge = merge;
}

void overlay_merge_seek(OverlayCursor *cursor, Slice key)
{
    if (cursor->merge && cursor->merge->source_count != cursor->overlay->spill.runs.count + 1) overlay_merge_end(cursor);
    if (!cursor->merge) merge_make(cursor);
    OverlayMerge *merge = cursor->merge;
    merge->heap_count = 0;
    merge->has_last = false;
    for (int i = 0; i < merge->source_count; i++) {
        source_seek(cursor, &merge->sources[i], key);
        if (merge->sources[i].write) merge->heap[merge->heap_count++] = &merge->sources[i];
    }
    for (int i = merge->heap_count / 2 - 1; i >= 0; i--) heap_sink(cursor, i);
    merge_settle(cursor);
}

void overlay_merge_next(OverlayCursor *cursor)
{
    OverlayMerge *merge = cursor->merge;
    assert(cursor->write && merge->heap[0] == merge->current);
    if (cursor->key.size > merge->last_max) {
        merge->last_max = cursor->key.size * 2;
        merge->last = realloc(merge->last, merge->last_max);
        if (!merge->last) abort();
    }
    if (cursor->key.size) memcpy(merge->last, cursor->key.data, cursor->key.size);
    merge->last_size = cursor->key.size;
    merge->has_last = true;
    merge_settle(cursor);
}

static void merge_destroy(void *argument)
{
    OverlayMerge *merge = argument;
    for (int i = 0; i < merge->source_count; i++)
        if (!merge->sources[i].in_memory) run_cursor_finish(&merge->sources[i].run);
    free(merge->sources);
    free(merge->heap);
    free(merge->last);
    free(merge);
}

void overlay_merge_end(OverlayCursor *cursor)
{
    if (cursor->merge) merge_destroy(cursor->merge);
    cursor->merge = NULL;
}

/* ---- going to runs ---- */

static int depth_of(SortedNode *node)
{
    int depth = 0;
    for (const Write *write = sorted_record(node); write && write->kind != WRITE_NONE; write = write->older) depth++;
    return depth;
}

static int depth_max(const Overlay *overlay)
{
    int max = 0;
    for (SortedNode *node = overlay->keys.first; node; node = node->next) {
        int depth = depth_of(node);
        if (depth > max) max = depth;
    }
    return max;
}

/* The states that have `newer` newer ones of the same key. */
static Status run_write(Overlay *overlay, int newer, Error *err)
{
    RunWriter writer;
    Run *run;
    Status status = ST_OK;
    const SortedMap *keys = &overlay->keys;
    run_writer_init(&writer, overlay->arena, overlay->spill.file, overlay->spill.file_bytes, keys->count);
    for (SortedNode *node = keys->first; node && status == ST_OK; node = node->next) {
        const Write *write = sorted_record(node);
        for (int i = 0; i < newer && write; i++) write = write->older;
        if (write && write->kind != WRITE_NONE) status = run_writer_add(&writer, sorted_key(node), write, err);
    }
    Status finished = run_writer_finish(&writer, &run, status == ST_OK ? err : &(Error){0});
    if (status == ST_OK) status = finished;
    if (status == ST_OK && run) VEC_PUSH(overlay->arena, overlay->spill.runs, run);
    if (status == ST_OK) overlay->spill.file_bytes = writer.offset;
    return status;
}

/* Open cursors go on from the key they stand on. Descending, that is the last one before the key and a zero byte. What they
 * have handed out stays until the memory that is retired goes. */
static void cursors_reseat(Overlay *overlay, Arena *keys)
{
    for (OverlayCursor *cursor = overlay->cursors; cursor; cursor = cursor->next) {
        if (cursor->merge) arena_defer(keys, merge_destroy, cursor->merge);
        cursor->merge = NULL;
        cursor->node = NULL;
        if (!cursor->write) continue;
        uint8_t *key = arena_alloc(keys, cursor->key.size + 1);
        if (cursor->key.size) memcpy(key, cursor->key.data, cursor->key.size);
        overlay_cursor_seek(cursor, slice_of(key, cursor->key.size + (cursor->descending ? 1 : 0)));
    }
}

Status overlay_relieve(Overlay *overlay, Error *err)
{
    OverlaySpill *spill = &overlay->spill;
    int depth = overlay->keeps_older ? depth_max(overlay) : 1;
    if (depth > DEPTH_MAX) {
        spill->memory_max *= 2;
        return ST_OK;
    }
    if (spill->file < 0) spill->file = run_file_create(spill->directory);
    if (spill->file < 0) {
        *err = (Error){.sqlstate = ERR_IO_ERROR, .message = "could not create temporary file in the data directory"};
        return ST_ERROR;
    }
    for (int newer = depth - 1; newer >= 0; newer--) TRY(run_write(overlay, newer, err));
    arena_destroy(spill->retired);
    spill->retired = overlay->memory;
    overlay->memory = arena_create(overlay->arena, 0);
    sorted_map_init(&overlay->keys, overlay->memory, sizeof(Write));
    memset(&overlay->touched, 0, sizeof overlay->touched);
    for (int i = 0; i < overlay->marks.count; i++) overlay->marks.items[i].touched_count = 0;
    overlay->keeps_older = false;
    overlay->moment++;
    spill->spills++;
    cursors_reseat(overlay, spill->retired);
    return ST_OK;
}
