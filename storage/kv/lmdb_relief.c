/* lmdb_relief.c - large write transactions in little memory.
 *
 * LMDB keeps the pages that a transaction has changed in memory until it has 131,071 of them, 512 MiB, and then writes them
 * to the file. It does so earlier when an operation announces more than there is room for, and has no call to ask for
 * that. So an operation is made that announces much and changes nothing: the tree "relief" has one item, and putting a
 * series of items that begins with it is refused because it is there, after LMDB has made room for the series.
 * LMDB 0.9.24 forgets its list of these pages when the transaction ends: 8 bytes a page, 1 MiB at most. That is little for
 * a large load and too much for the flush of a table every few seconds, so only the former asks for it (LmdbWrite.large).
 * Pages written early are not part of the store before the commit; should LMDB ever judge otherwise, only memory is lost.
 */
#include "storage/kv/lmdb_internal.h"

enum { ITEM_BYTES = 8, SERIES_ITEMS = 1 << 26 }; /* 512 MiB, as many as LMDB keeps */

static const char item[ITEM_BYTES];

static MDB_val relief_key(void)
{
    return lmdb_val(SLICE_LIT("relief"));
}

int lmdb_relief_open(MDB_txn *txn, MDB_dbi *relief)
{
    MDB_val key = relief_key(), value = lmdb_val(slice_of(item, ITEM_BYTES));
    int rc = mdb_dbi_open(txn, "relief", MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED, relief);
    if (rc == 0) rc = mdb_put(txn, *relief, &key, &value, MDB_NODUPDATA);
    return rc == MDB_KEYEXIST ? 0 : rc;
}

int lmdb_relieve(MDB_txn *txn, MDB_dbi relief)
{
    MDB_cursor *cursor;
    MDB_val key = relief_key();
    MDB_val series[2] = {lmdb_val(slice_of(item, ITEM_BYTES)), {SERIES_ITEMS, NULL}};
    int rc = mdb_cursor_open(txn, relief, &cursor);
    if (rc) return rc;
    rc = mdb_cursor_put(cursor, &key, series, MDB_MULTIPLE | MDB_NODUPDATA);
    mdb_cursor_close(cursor);
    return rc == MDB_KEYEXIST ? 0 : rc;
}
