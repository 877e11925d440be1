/* fn_advisory.c - advisory locks: numbers that the applications give a meaning. */
#include "executor/functions/families.h"
#include "planner/session.h"

/* One bigint names a lock, or two ints; the two kinds never meet. */
static AdvisoryKey key_of(const FnCtx *ctx, const Value *args)
{
    AdvisoryKey key = {.database = ctx->session->database_id};
    if (ctx->arg_count == 1) {
        key.class = (uint32_t)((uint64_t)args[0].i >> 32);
        key.object = (uint32_t)args[0].i;
        key.sub = 1;
    } else {
        key.class = (uint32_t)args[0].i;
        key.object = (uint32_t)args[1].i;
        key.sub = 2;
    }
    return key;
}

typedef Status (*LockFn)(Txn *txn, const AdvisoryKey *key, bool shared, LockWait wait, Error *err);

static Status wait_for(FnCtx *ctx, const Value *args, bool shared, LockFn lock, Value *out)
{
    AdvisoryKey key = key_of(ctx, args);
    *out = value_bytes("", 0);
    return lock(ctx->txn, &key, shared, LOCK_WAIT, ctx->type.err);
}

static Status try_for(FnCtx *ctx, const Value *args, bool shared, LockFn lock, Value *out)
{
    AdvisoryKey key = key_of(ctx, args);
    Status st = lock(ctx->txn, &key, shared, LOCK_SKIP, ctx->type.err);
    *out = value_bool(st == ST_OK);
    return st == ST_ERROR ? st : ST_OK;
}

static Status unlock(FnCtx *ctx, const Value *args, bool shared, Value *out)
{
    AdvisoryKey key = key_of(ctx, args);
    bool had = txn_session_unlock(ctx->txn, &key, shared);
    if (!had)
        session_notice(ctx->session, "WARNING", ERR_WARNING, "you don't own a lock of type %s",
                       shared ? "ShareLock" : "ExclusiveLock");
    *out = value_bool(had);
    return ST_OK;
}

static Status session_exclusive(FnCtx *ctx, const Value *args, Value *out)
{
    return wait_for(ctx, args, false, txn_session_lock, out);
}

static Status session_shared(FnCtx *ctx, const Value *args, Value *out)
{
    return wait_for(ctx, args, true, txn_session_lock, out);
}

static Status txn_exclusive(FnCtx *ctx, const Value *args, Value *out)
{
    return wait_for(ctx, args, false, txn_lock_advisory, out);
}

static Status txn_shared(FnCtx *ctx, const Value *args, Value *out)
{
    return wait_for(ctx, args, true, txn_lock_advisory, out);
}

static Status try_session_exclusive(FnCtx *ctx, const Value *args, Value *out)
{
    return try_for(ctx, args, false, txn_session_lock, out);
}

static Status try_session_shared(FnCtx *ctx, const Value *args, Value *out)
{
    return try_for(ctx, args, true, txn_session_lock, out);
}

static Status try_txn_exclusive(FnCtx *ctx, const Value *args, Value *out)
{
    return try_for(ctx, args, false, txn_lock_advisory, out);
}

static Status try_txn_shared(FnCtx *ctx, const Value *args, Value *out)
{
    return try_for(ctx, args, true, txn_lock_advisory, out);
}

static Status unlock_exclusive(FnCtx *ctx, const Value *args, Value *out)
{
    return unlock(ctx, args, false, out);
}

static Status unlock_shared(FnCtx *ctx, const Value *args, Value *out)
{
    return unlock(ctx, args, true, out);
}

static Status unlock_all(FnCtx *ctx, const Value *args, Value *out)
{
    session_unlock_all(txn_options(ctx->txn)->session);
    *out = value_bytes("", 0);
    return ST_OK;
}

/* clang-format off */
const FuncDef fn_advisory_rows[] = {
    { 2880, "pg_advisory_lock", "int8",                   "void", FN_STRICT, session_exclusive },
    { 2882, "pg_try_advisory_lock", "int8",               "bool", FN_STRICT, try_session_exclusive },
    { 2881, "pg_advisory_lock_shared", "int8",            "void", FN_STRICT, session_shared },
    { 2883, "pg_try_advisory_lock_shared", "int8",        "bool", FN_STRICT, try_session_shared },
    { 2884, "pg_advisory_unlock", "int8",                 "bool", FN_STRICT, unlock_exclusive },
    { 2885, "pg_advisory_unlock_shared", "int8",          "bool", FN_STRICT, unlock_shared },
    { 2886, "pg_advisory_lock", "int4, int4",             "void", FN_STRICT, session_exclusive },
    { 2887, "pg_advisory_lock_shared", "int4, int4",      "void", FN_STRICT, session_shared },
    { 2888, "pg_try_advisory_lock", "int4, int4",         "bool", FN_STRICT, try_session_exclusive },
    { 2889, "pg_try_advisory_lock_shared", "int4, int4",  "bool", FN_STRICT, try_session_shared },
    { 2890, "pg_advisory_unlock", "int4, int4",           "bool", FN_STRICT, unlock_exclusive },
    { 2891, "pg_advisory_unlock_shared", "int4, int4",    "bool", FN_STRICT, unlock_shared },
    { 2892, "pg_advisory_unlock_all", "",                 "void", FN_STRICT, unlock_all },
    { 3089, "pg_advisory_xact_lock", "int8",              "void", FN_STRICT, txn_exclusive },
    { 3090, "pg_advisory_xact_lock_shared", "int8",       "void", FN_STRICT, txn_shared },
    { 3091, "pg_try_advisory_xact_lock", "int8",          "bool", FN_STRICT, try_txn_exclusive },
    { 3092, "pg_try_advisory_xact_lock_shared", "int8",   "bool", FN_STRICT, try_txn_shared },
    { 3093, "pg_advisory_xact_lock", "int4, int4",        "void", FN_STRICT, txn_exclusive },
    { 3094, "pg_advisory_xact_lock_shared", "int4, int4", "void", FN_STRICT, txn_shared },
    { 3095, "pg_try_advisory_xact_lock", "int4, int4",    "bool", FN_STRICT, try_txn_exclusive },
    { 3096, "pg_try_advisory_xact_lock_shared", "int4, int4", "bool", FN_STRICT, try_txn_shared },
    { 0 }
};
/* clang-format on */
