/* txn_snapshot.c - what a transaction reads from: one snapshot, and older ones as long as scans on them are open. */
#include <assert.h>
#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/txn/txn_internal.h"

static TxnSnapshot *snapshot_create(Txn *txn)
{
    TxnSnapshot *snapshot = txn->spare;
    txn->spare = NULL;
    if (!snapshot) snapshot = calloc(1, sizeof *snapshot);
    if (!snapshot) abort();
    return snapshot;
}

static void snapshot_close(Txn *txn, TxnSnapshot *snapshot)
{
    assert(snapshot->scans == 0);
    kv_snapshot_close(snapshot->kv);
    *snapshot = (TxnSnapshot){0};
    if (txn->spare)
        free(snapshot);
    else
        txn->spare = snapshot;
}

/* The oldest snapshot that the transaction holds is what its session shows to others. */
static void show_held(const Txn *txn)
{
    LockSession *session = txn->options.session;
    if (!session) return;
    const TxnSnapshot *oldest = txn->current;
    for (const TxnSnapshot *s = txn->retained; s; s = s->next) oldest = s;
    if (oldest && oldest->since_us)
        lock_session_show_snapshot(session, &(HeldSnapshot){.version = kv_snapshot_version(oldest->kv),
                                                            .since_us = oldest->since_us,
                                                            .isolation = txn->options.isolation});
    else
        lock_session_show_snapshot(session, NULL);
}

Status txn_snapshot(Txn *txn, TxnSnapshot **out, Error *err)
{
    TxnSnapshot *snapshot = txn->current;
    if (snapshot && snapshot->kv && !snapshot->stale) {
        *out = snapshot;
        return ST_OK;
    }
    if (!snapshot) snapshot = txn->current = snapshot_create(txn);
    if (!snapshot->kv)
        TRY(kv_snapshot_open(txn->store->kv, &snapshot->kv, err));
    else
        TRY(kv_snapshot_renew(snapshot->kv, err));
    snapshot->stale = false;
    snapshot->since_us = clock_now_us();
    show_held(txn);
    *out = snapshot;
    return ST_OK;
}

void txn_snapshot_release(Txn *txn, TxnSnapshot *snapshot)
{
    assert(snapshot->scans > 0);
    if (--snapshot->scans || snapshot == txn->current) return;
    for (TxnSnapshot **link = &txn->retained; *link; link = &(*link)->next)
        if (*link == snapshot) {
            *link = snapshot->next;
            snapshot_close(txn, snapshot);
            show_held(txn);
            return;
        }
    assert(false);
}

Status txn_statement_begin(Txn *txn, Error *err)
{
    if (txn->statement_arena) arena_reset(txn->statement_arena);
    TxnSnapshot *snapshot = txn->current;
    /* The first statement's snapshot is that of the transaction, whether or not the statement reads anything. */
    if (txn->options.isolation != TXN_READ_COMMITTED) return txn_snapshot_take(txn, err);
    if (!snapshot) return ST_OK;
    if (snapshot->scans) {
        snapshot->next = txn->retained;
        txn->retained = snapshot;
        txn->current = NULL;
    } else {
        snapshot->stale = true;
    }
    return ST_OK;
}

Status txn_snapshot_take(Txn *txn, Error *err)
{
    TxnSnapshot *snapshot;
    return txn_snapshot(txn, &snapshot, err);
}

/* ---- what is committed now ---- */

Status txn_newest_begin(Txn *txn, Error *err)
{
    txn->view.paused = true;
    if (txn->options.isolation == TXN_READ_COMMITTED) return txn_statement_begin(txn, err);
    TRY(txn_snapshot_take(txn, err));
    assert(!txn->set_aside);
    txn->set_aside = txn->current;
    txn->current = NULL;
    txn->tracks_after = txn->tracks_reads;
    txn->tracks_reads = false;
    return ST_OK;
}

void txn_newest_end(Txn *txn)
{
    txn->view.paused = false;
    if (!txn->set_aside) return;
    TxnSnapshot *used = txn->current;
    txn->current = txn->set_aside;
    txn->set_aside = NULL;
    txn->tracks_reads = txn->tracks_after;
    if (used && used->scans) {
        used->next = txn->retained;
        txn->retained = used;
    } else if (used) {
        snapshot_close(txn, used);
    }
    show_held(txn);
}

void txn_statement_end(Txn *txn)
{
    TxnSnapshot *snapshot = txn->current;
    if (txn->options.isolation != TXN_READ_COMMITTED || !snapshot || !snapshot->kv || snapshot->scans) return;
    kv_snapshot_pause(snapshot->kv);
    snapshot->stale = true;
    snapshot->since_us = 0;
    show_held(txn);
}

void txn_snapshots_end(Txn *txn)
{
    txn_newest_end(txn);
    if (txn->current) snapshot_close(txn, txn->current);
    txn->current = NULL;
    show_held(txn);
    kv_snapshot_close(txn->newest);
}

uint64_t txn_snapshot_version(const Txn *txn)
{
    const TxnSnapshot *snapshot = txn->current;
    return snapshot && snapshot->kv && !snapshot->stale ? kv_snapshot_version(snapshot->kv) : kv_version(txn->store->kv);
}
