/* fn_sequence.c - sequences and unique_rowid(). */
#include "executor/functions/families.h"
#include "planner/privilege.h"
#include "planner/settings.h"
#include "storage/catalog/catalog.h"

static Status find_sequence(FnCtx *ctx, Value oid, const SequenceDesc **sequence)
{
    const Desc *desc = catalog_find_id(ctx->session->catalog, (DescId)oid.i);
    if (!desc)
        return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_TABLE, "could not open relation with OID %u",
                       (unsigned)oid.i);
    if (desc->kind != DESC_SEQUENCE)
        return err_set(ctx->type.err, ctx->type.arena, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a sequence", desc->name);
    *sequence = (const SequenceDesc *)desc;
    return ST_OK;
}

/* What currval and lastval answer: the session's last values, newest first. */
typedef struct LastValue {
    struct LastValue *next;
    DescId id;
    int64_t value;
    bool used; /* false, in a rehearsal only: setval(..., false) */
} LastValue;

static void remember(Session *session, DescId id, int64_t value, bool used)
{
    void **list = session->rehearsal ? &session->rehearsed_values : &session->last_values;
    LastValue **at = (LastValue **)list;
    while (*at && (*at)->id != id) at = &(*at)->next;
    LastValue *entry = *at;
    if (entry)
        *at = entry->next;
    else
        entry = ARENA_NEW(session->rehearsal ? session->rehearsal : session->arena, LastValue);
    *entry = (LastValue){*list, id, value, used};
    *list = entry;
}

static const LastValue *find_value(const void *list, DescId id)
{
    const LastValue *l = list;
    while (l && l->id != id) l = l->next;
    return l;
}

/* The value that would come next, and that others still get. */
static Status rehearse_next(FnCtx *ctx, const SequenceDesc *sequence, int64_t *value)
{
    const LastValue *before = find_value(ctx->session->rehearsed_values, sequence->base.id);
    bool used = before && before->used;
    if (before)
        *value = before->value;
    else
        TRY(sequence_read(catalog_view_catalog(ctx->session->catalog), sequence, value, &used, ctx->type.err));
    return used ? sequence_after(sequence, *value, value, ctx->type.err) : ST_OK;
}

static Status check_writable(FnCtx *ctx, const char *function)
{
    if (!setting_bool(ctx->session->settings, SETTING_transaction_read_only)) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_READ_ONLY_SQL_TRANSACTION,
                   "cannot execute %s() in a read-only transaction", function);
}

/* One of the privileges is enough. */
static Status check_allowed(FnCtx *ctx, const SequenceDesc *sequence, uint32_t any)
{
    const Session *session = ctx->session;
    if (!sequence->base.acl_given && strcmp(sequence->base.owner, session->user) == 0) return ST_OK;
    if (privileges_held(session, session->user, &sequence->base) & any) return ST_OK;
    return privilege_denied(&sequence->base, ctx->type.arena, ctx->type.err);
}

static Status next_value(FnCtx *ctx, const SequenceDesc *sequence, Value *out)
{
    int64_t value;
    if (ctx->session->rehearsal)
        TRY(rehearse_next(ctx, sequence, &value));
    else
        TRY(sequence_next(catalog_view_catalog(ctx->session->catalog), sequence, &value, ctx->type.err));
    remember(ctx->session, sequence->base.id, value, true);
    *out = value_int(value);
    return ST_OK;
}

static Status nextval(FnCtx *ctx, const Value *args, Value *out)
{
    const SequenceDesc *sequence;
    TRY(find_sequence(ctx, args[0], &sequence));
    TRY(check_allowed(ctx, sequence, ACL_USAGE | ACL_UPDATE));
    TRY(check_writable(ctx, "nextval"));
    return next_value(ctx, sequence, out);
}

/* The value of an identity column: who may insert into the table needs no privilege on the sequence behind it. */
static Status identity_next(FnCtx *ctx, const Value *args, Value *out)
{
    const SequenceDesc *sequence;
    TRY(check_writable(ctx, "nextval"));
    TRY(find_sequence(ctx, args[0], &sequence));
    return next_value(ctx, sequence, out);
}

static Status currval(FnCtx *ctx, const Value *args, Value *out)
{
    const SequenceDesc *sequence;
    TRY(find_sequence(ctx, args[0], &sequence));
    TRY(check_allowed(ctx, sequence, ACL_SELECT | ACL_USAGE));
    const LastValue *last = find_value(ctx->session->rehearsed_values, sequence->base.id);
    if (!last || !last->used) last = find_value(ctx->session->last_values, sequence->base.id);
    if (last) {
        *out = value_int(last->value);
        return ST_OK;
    }
    return err_set(ctx->type.err, ctx->type.arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                   "currval of sequence \"%s\" is not yet defined in this session", sequence->base.name);
}

static Status lastval(FnCtx *ctx, const Value *args, Value *out)
{
    const LastValue *last = ctx->session->rehearsed_values;
    if (!last || !last->used) last = ctx->session->last_values;
    if (!last)
        return err_set(ctx->type.err, ctx->type.arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                       "lastval is not yet defined in this session");
    const Desc *sequence = catalog_find_id(ctx->session->catalog, last->id);
    if (sequence) TRY(check_allowed(ctx, (const SequenceDesc *)sequence, ACL_SELECT | ACL_USAGE));
    *out = value_int(last->value);
    return ST_OK;
}

static Status setval(FnCtx *ctx, const Value *args, Value *out)
{
    const SequenceDesc *sequence;
    bool is_called = ctx->arg_count < 3 || args[2].i;
    TRY(find_sequence(ctx, args[0], &sequence));
    TRY(check_allowed(ctx, sequence, ACL_UPDATE));
    TRY(check_writable(ctx, "setval"));
    if (args[1].i < sequence->minimum || args[1].i > sequence->maximum)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE,
                       "setval: value %lld is out of bounds for sequence \"%s\" (%lld..%lld)", (long long)args[1].i,
                       sequence->base.name, (long long)sequence->minimum, (long long)sequence->maximum);
    if (!ctx->session->rehearsal)
        TRY(sequence_set(catalog_view_catalog(ctx->session->catalog), sequence, args[1].i, is_called, ctx->type.err));
    if (is_called || ctx->session->rehearsal) remember(ctx->session, sequence->base.id, args[1].i, is_called);
    *out = args[1];
    return ST_OK;
}

static Status unique_rowid(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t id;
    TRY(catalog_row_id(catalog_view_catalog(ctx->session->catalog), &id, ctx->type.err));
    *out = value_int(id);
    return ST_OK;
}

/* The same with the 48 bits of its time in reverse, so that neighbours in time are far apart; the node's 15 stay. */
static Status unordered_unique_rowid(FnCtx *ctx, const Value *args, Value *out)
{
    enum { TIME_BITS = 48, NODE_BITS = 15 };
    TRY(unique_rowid(ctx, args, out));
    uint64_t id = (uint64_t)out->i, time = id >> NODE_BITS, reversed = 0;
    for (int i = 0; i < TIME_BITS; i++) reversed |= (time >> i & 1) << (TIME_BITS - 1 - i);
    *out = value_int((int64_t)(reversed << NODE_BITS | (id & ((1 << NODE_BITS) - 1))));
    return ST_OK;
}

/* What a sequence shows when it is read as a table. */
typedef struct StateRows {
    Oid sequence; /* 0: handed out */
} StateRows;

static Status state_start(FnCtx *ctx, void *state, const Value *args)
{
    ((StateRows *)state)->sequence = (Oid)args[0].i;
    return ST_OK;
}

static Status state_next(FnCtx *ctx, void *state, Value *out)
{
    StateRows *s = state;
    const Desc *desc = s->sequence ? catalog_find_id(ctx->session->catalog, s->sequence) : NULL;
    s->sequence = 0;
    if (!desc || desc->kind != DESC_SEQUENCE) return ST_END;
    const SequenceDesc *sequence = (const SequenceDesc *)desc;
    int64_t last;
    bool called;
    TRY(sequence_read(catalog_view_catalog(ctx->session->catalog), sequence, &last, &called, ctx->type.err));
    out[0] = value_int(last);
    out[1] = value_int(0);
    out[2] = value_bool(called);
    return ST_OK;
}

static const FnRows state_rows = {sizeof(StateRows), state_start, state_next, "last_value int8, log_cnt int8, is_called bool"};

/* clang-format off */
const FuncDef fn_sequence_rows[] = {
    { 1575, "currval", "regclass",            "int8", FN_STRICT, currval },
    { 2559, "lastval", "",                    "int8", FN_STRICT, lastval },
    { 1574, "nextval", "regclass",            "int8", FN_STRICT, nextval },
    { 9602, "rowkey.identity_next", "regclass", "int8", FN_STRICT | FN_HIDDEN, identity_next },
    { 9601, "rowkey.sequence_state", "oid",   "record", FN_STRICT | FN_SET, NULL, NULL, &state_rows },
    { 1576, "setval", "regclass, int8",       "int8", FN_STRICT, setval },
    { 1765, "setval", "regclass, int8, bool", "int8", FN_STRICT, setval },
    { 9017, "unique_rowid", "",               "int8", FN_STRICT, unique_rowid },
    { 9018, "unordered_unique_rowid", "",     "int8", FN_STRICT, unordered_unique_rowid },
    { 0 }
};
/* clang-format on */
