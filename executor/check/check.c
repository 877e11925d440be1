#include "executor/check/check.h"

#include <errno.h>
#include <unistd.h>

#include "executor/builtins.h"
#include "executor/check/check_rows.h"
#include "storage/kv/kv.h"
#include "storage/range/range_check.h"

static void not_checked(Findings *findings, const char *kind, const char *what, const Error *problem)
{
    finding_add(findings, &(Finding){.kind = kind}, "%s: %s", what, problem->message);
}

static Status check_ranges(Kv *kv, Findings *findings, Error *err)
{
    KvSnapshot *snapshot;
    TRY(kv_snapshot_open(kv, &snapshot, err));
    Status st = range_check(snapshot, findings, err);
    kv_snapshot_close(snapshot);
    return st;
}

/* One snapshot for all of it. */
static Status begin(Store *store, Findings *findings, Txn **txn, Error *err)
{
    TxnOptions options = {.isolation = TXN_REPEATABLE_READ, .read_only = true, .interrupt = findings->interrupt};
    TRY(txn_begin(store, &options, txn, err));
    Status st = txn_statement_begin(*txn, err);
    if (st != ST_OK) txn_rollback(*txn);
    return st;
}

/* ---- tables ---- */

/* Somebody who may log in somewhere: expressions are planned as their statements are. */
static Status open_session(Server *server, const CheckedCatalog *catalog, Session **session, Error *err)
{
    SessionOptions options = {0};
    for (int i = 0; i < catalog->list.count; i++) {
        const Desc *desc = catalog->list.items[i].desc;
        if (desc->kind == DESC_ROLE && ((const RoleDesc *)desc)->login) options.user = desc->name;
        if (desc->kind == DESC_DATABASE) options.database = desc->name;
    }
    if (!options.user || !options.database) {
        *err = (Error){.sqlstate = ERR_DATA_CORRUPTED, .message = "no role that may log in, or no database"};
        return ST_ERROR;
    }
    TRY(session_open(server, &options, session, err));
    Status st = txn_state_ensure(state_of(*session), err);
    if (st != ST_OK) session_close(*session);
    return st;
}

static Status check_tables(Server *server, Txn *txn, const CheckedCatalog *catalog, Findings *findings, Error *err)
{
    Session *session;
    if (open_session(server, catalog, &session, err) != ST_OK) {
        not_checked(findings, "catalog", "no session can be opened, and rows were not checked", err);
        return ST_OK;
    }
    CheckRun run = {session, txn, catalog, findings};
    Status st = ST_OK;
    for (int i = 0; i < catalog->list.count && st == ST_OK; i++) {
        const CheckedDesc *of = &catalog->list.items[i];
        if (of->desc->kind == DESC_TABLE && of->sound) st = check_table_rows(&run, (const TableDesc *)of->desc, err);
    }
    session_close(session);
    return st;
}

/* The texts of an error may lie in what is about to go. */
static Status keep_error(Status st, Arena *arena, Error *err)
{
    if (st == ST_ERROR && err->message) err->message = arena_strdup(arena, err->message);
    if (st == ST_ERROR) err->detail = err->hint = NULL;
    return st;
}

static Status check_contents(Server *server, Findings *findings, Arena *arena, Error *err)
{
    Txn *txn;
    CheckedCatalog catalog;
    TRY(begin(server->store, findings, &txn, err));
    Status st = catalog_check(txn, &catalog, findings, arena, err);
    if (st == ST_OK) st = check_tables(server, txn, &catalog, findings, err);
    st = keep_error(st, arena, err);
    txn_rollback(txn);
    return st;
}

Status check_server(Server *server, Findings *findings, Arena *arena, Error *err)
{
    TRY(check_ranges(store_kv(server->store), findings, err));
    return check_contents(server, findings, arena, err);
}

/* ---- a closed store ---- */

static Status check_there(const char *directory, Arena *arena, Error *err)
{
    const char *path = arena_printf(arena, "%s/data.mdb", directory);
    if (access(path, R_OK | W_OK) == 0) return ST_OK;
    return err_set(err, arena, ERR_IO_ERROR, "there is no store in \"%s\": could not open \"%s\": %s", directory, path,
                   strerror(errno));
}

/* The catalog's records without the catalog: it does not open if they are damaged. */
static Status check_catalog_only(Store *store, Findings *findings, Arena *arena, Error *err)
{
    Txn *txn;
    CheckedCatalog catalog;
    TRY(begin(store, findings, &txn, err));
    Status st = keep_error(catalog_check(txn, &catalog, findings, arena, err), arena, err);
    txn_rollback(txn);
    return st;
}

/* Deeper and deeper, as far as each step lets the next one be opened. */
static Status check_opened(const char *directory, Findings *findings, Arena *arena, Error *err)
{
    StoreOptions store_options = {.sessions_max = 8, .no_services = true};
    Server *server;
    Store *store;
    ServerOptions options = {.data_directory = directory, .sessions_max = 8, .no_services = true};
    if (server_open(&options, &server, arena, err) == ST_OK) {
        Status st = check_contents(server, findings, arena, err);
        server_close(server);
        return st;
    }
    Error problem = *err;
    if (store_open(directory, &store_options, &store, arena, err) != ST_OK) {
        not_checked(findings, "range", "the store does not open, and what is in it was not checked", err);
        return ST_OK;
    }
    Status st = check_catalog_only(store, findings, arena, err);
    store_close(store);
    not_checked(findings, "catalog", "the catalog does not open, and rows were not checked", &problem);
    return st;
}

Status check_directory(const char *directory, Findings *findings, Arena *arena, Error *err)
{
    Kv *kv;
    KvOptions options = {.readers_max = 16};
    TRY(check_there(directory, arena, err));
    TRY(kv_open("lmdb", directory, &options, &kv, arena, err));
    Status st = keep_error(check_ranges(kv, findings, err), arena, err);
    kv_close(kv);
    return st == ST_OK ? check_opened(directory, findings, arena, err) : st;
}
