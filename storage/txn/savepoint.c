/* savepoint.c - marks in an overlay.
 *
 * A mark is a moment and how many writes had been noted until then; going back takes the states younger than the moment
 * off the keys that were written since. Marks stay until they are released or one before them is gone back to.
 */
#include <assert.h>

#include "storage/txn/overlay.h"

int overlay_mark(Overlay *overlay)
{
    Mark mark = {overlay->moment, overlay->touched.count, overlay->hidden};
    overlay->moment_kept = overlay->moment++;
    VEC_PUSH(overlay->arena, overlay->marks, mark);
    return overlay->marks.count - 1;
}

static void state_restore(Write *write, uint64_t moment)
{
    while (write->moment > moment) {
        if (write->older)
            *write = *write->older;
        else
            *write = (Write){.kind = WRITE_NONE};
    }
}

void overlay_roll_back(Overlay *overlay, int mark)
{
    assert(mark >= 0 && mark < overlay->marks.count);
    const Mark *to = &overlay->marks.items[mark];
    while (overlay->touched.count > to->touched_count)
        state_restore(sorted_record(overlay->touched.items[--overlay->touched.count]), to->moment);
    overlay->hidden = to->hidden;
    overlay->marks.count = mark + 1;
    DeadMoments dead = {to->moment, overlay->moment};
    while (overlay->spill.dead.count && VEC_LAST(overlay->spill.dead).after >= dead.after) overlay->spill.dead.count--;
    while (overlay->spill.spans.count && VEC_LAST(overlay->spill.spans).moment > to->moment) overlay->spill.spans.count--;
    if (overlay->spill.runs.count) VEC_PUSH(overlay->arena, overlay->spill.dead, dead);
    /* What is written from now on must not be taken for what the mark saw. */
    overlay->moment++;
    if (!overlay->views_open) overlay->moment_kept = to->moment;
}

void overlay_release(Overlay *overlay, int mark)
{
    assert(mark >= 0);
    if (mark >= overlay->marks.count) return;
    overlay->marks.count = mark;
    if (mark == 0) overlay->touched.count = 0;
    if (!overlay->views_open) overlay->moment_kept = mark ? VEC_LAST(overlay->marks).moment : 0;
}
