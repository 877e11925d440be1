/* txn_view.c - the moment in the transaction's own writes that a statement reads at.
 *
 *   WITH moved AS (DELETE FROM a RETURNING id) SELECT count(*) FROM a
 *
 * counts the deleted rows too: all parts of a statement see what was there before it. While a view is held, scans and gets
 * see the own writes made before it; whatever asks for the newest state of a key still gets that.
 */
#include <string.h>

#include "storage/txn/txn_internal.h"

void txn_view_hold(Txn *txn)
{
    if (txn->view.held) return;
    txn_writes_start(txn);
    overlay_cursor_begin(&txn->view.cursor, &txn->overlay, false);
    txn->view.held = true;
    txn->view.paused = false;
}

void txn_view_release(Txn *txn)
{
    if (!txn->view.held) return;
    overlay_cursor_end(&txn->view.cursor);
    txn->view.held = false;
}

/* The write of a key that a read is to see; NULL: none. */
const Write *txn_write_seen(Txn *txn, Slice key)
{
    if (!txn_view_applies(txn)) return overlay_find(&txn->overlay, key);
    OverlayCursor *cursor = &txn->view.cursor;
    overlay_cursor_seek(cursor, key);
    return cursor->write && slice_equal(cursor->key, key) ? overlay_cursor_write(cursor) : NULL;
}

static bool starts_with(Slice key, Slice prefix)
{
    return key.size >= prefix.size && memcmp(key.data, prefix.data, prefix.size) == 0;
}

bool txn_written_since_view(Txn *txn, Slice prefix)
{
    OverlayCursor newest;
    bool written = false;
    if (!txn->view.held) return false;
    overlay_cursor_begin(&newest, &txn->overlay, false);
    overlay_cursor_seek(&newest, prefix);
    while (newest.write && !written && starts_with(newest.key, prefix)) {
        written = newest.write->moment > txn->view.cursor.moment;
        overlay_cursor_next(&newest);
    }
    overlay_cursor_end(&newest);
    return written;
}
