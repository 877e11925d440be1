#include "executor/constraint/deferred.h"

#include "executor/constraint/fk.h"

typedef struct DeferredRow {
    DescId child, parent; /* of a unique key: the table, twice */
    uint32_t key_id;      /* CONSTRAINT_OF_INDEX ...: of a unique key */
    FkEventKind kind;
    FkRow row;
    int done_level; /* savepoints there were when it was checked; -1: it waits */
} DeferredRow;

typedef struct ConstraintMode {
    bool all, deferred;
    DescId table;
    uint32_t constraint;
} ConstraintMode;

typedef struct DeferredConstraints {
    Arena *arena;
    VEC(DeferredRow) rows;
    VEC(ConstraintMode) modes; /* the newest that fits counts */
} DeferredConstraints;

static DeferredConstraints *deferred_of(SessionState *s)
{
    if (!s->deferred) {
        Arena *arena = arena_create(s->session.arena, 0);
        s->deferred = ARENA_NEW(arena, DeferredConstraints);
        s->deferred->arena = arena;
    }
    return s->deferred;
}

void deferred_end(SessionState *s)
{
    if (!s->deferred) return;
    Arena *arena = s->deferred->arena;
    s->deferred = NULL;
    arena_destroy(arena);
}

/* ---- savepoints ---- */

DeferredMark deferred_mark(const SessionState *s)
{
    return s->deferred ? (DeferredMark){s->deferred->rows.count, s->deferred->modes.count} : (DeferredMark){0};
}

void deferred_rollback(SessionState *s, DeferredMark mark, int level)
{
    DeferredConstraints *d = s->deferred;
    if (!d) return;
    if (d->rows.count > mark.rows) d->rows.count = mark.rows;
    if (d->modes.count > mark.modes) d->modes.count = mark.modes;
    for (int i = 0; i < d->rows.count; i++)
        if (d->rows.items[i].done_level >= level) d->rows.items[i].done_level = -1;
}

void deferred_release(SessionState *s, int level)
{
    DeferredConstraints *d = s->deferred;
    for (int i = 0; d && i < d->rows.count; i++)
        if (d->rows.items[i].done_level > level) d->rows.items[i].done_level = level;
}

/* ---- what waits ---- */

bool constraint_is_deferred(const Exec *exec, DescId table, uint32_t constraint, bool deferrable, bool initially_deferred)
{
    const SessionState *s = exec->session ? state_of(exec->session) : NULL;
    if (!deferrable || !s) return false;
    for (int i = s->deferred ? s->deferred->modes.count - 1 : -1; i >= 0; i--) {
        const ConstraintMode *mode = &s->deferred->modes.items[i];
        if (mode->all || (mode->table == table && mode->constraint == constraint)) return mode->deferred;
    }
    return initially_deferred;
}

static Value *copy_values(const Value *values, const TableDesc *table, const int *ordinals, int count, Arena *arena)
{
    Value *copy = ARENA_ARRAY(arena, Value, count + 1);
    for (int i = 0; i < count; i++)
        copy[i] = values[i].null ? VALUE_NULL : value_copy(exec_type(table->columns.items[ordinals[i]].type.oid), values[i], arena);
    return copy;
}

void constraint_defer(FkLink *link, FkEventKind kind, const FkRow *row)
{
    DeferredConstraints *d = deferred_of(state_of(link->run->exec->session));
    const FkTable *table = kind == FK_CHECK ? link->child : link->parent;
    const int *ordinals = kind == FK_CHECK ? link->child_ordinals : link->parent_ordinals;
    FkRow copy = {.key = copy_values(row->key, table->table, ordinals, link->count, d->arena),
                  .row = arena_slice(d->arena, row->row)};
    if (row->new_key) copy.new_key = copy_values(row->new_key, table->table, ordinals, link->count, d->arena);
    VEC_PUSH(d->arena, d->rows, (DeferredRow){.child = link->child->table->base.id, .parent = link->parent->table->base.id,
                                              .key_id = link->key->id, .kind = kind, .row = copy, .done_level = -1});
}

void constraint_defer_unique(UniqueLink *link, const Value *tuple)
{
    DeferredConstraints *d = deferred_of(state_of(link->run->exec->session));
    const TableDesc *table = link->table->table;
    FkRow copy = {.key = copy_values(tuple, table, link->ordinals, link->count, d->arena)};
    VEC_PUSH(d->arena, d->rows, (DeferredRow){.child = table->base.id, .parent = table->base.id, .row = copy, .done_level = -1,
                                              .key_id = CONSTRAINT_OF_INDEX | link->index->id});
}

bool deferred_has_table(const SessionState *s, DescId table)
{
    const DeferredConstraints *d = s->deferred;
    for (int i = 0; d && i < d->rows.count; i++) {
        const DeferredRow *row = &d->rows.items[i];
        if (row->done_level < 0 && (row->kind == FK_CHECK ? row->child : row->parent) == table) return true;
    }
    return false;
}

Status deferred_refuse(const Exec *exec, const char *tag, const Desc *table)
{
    if (table->kind != DESC_TABLE || !exec->session || !deferred_has_table(state_of(exec->session), table->id)) return ST_OK;
    return err_set(exec->err, exec->arena, ERR_OBJECT_IN_USE, "cannot %s \"%s\" because it has pending trigger events", tag,
                   table->name);
}

/* ---- checking ---- */

static const ForeignKeyDesc *find_key(const TableDesc *table, uint32_t id)
{
    for (int i = 0; i < table->foreign_keys.count; i++)
        if (table->foreign_keys.items[i].id == id) return &table->foreign_keys.items[i];
    return NULL;
}

/* NULL: the constraint has been dropped since. */
static Status link_of(ConstraintRun *run, const DeferredRow *row, FkLink **link)
{
    const Desc *child = catalog_find_id(run->exec->session->catalog, row->child);
    const ForeignKeyDesc *key = child && child->kind == DESC_TABLE ? find_key((const TableDesc *)child, row->key_id) : NULL;
    *link = NULL;
    return key ? fk_link(run, (const TableDesc *)child, key, link) : ST_OK;
}

/* The same for a key of a deferrable unique index. */
static Status unique_of(ConstraintRun *run, const DeferredRow *row, UniqueLink **link)
{
    const Desc *desc = catalog_find_id(run->exec->session->catalog, row->child);
    *link = NULL;
    if (!desc || desc->kind != DESC_TABLE) return ST_OK;
    const IndexDesc *index = table_index_by_id((const TableDesc *)desc, row->key_id & ~CONSTRAINT_OF_INDEX);
    FkTable *table;
    if (!index || !index->deferrable) return ST_OK;
    TRY(fk_table(run, (const TableDesc *)desc, &table));
    return unique_link(run, table, index, link);
}

static Status take_unique(SessionState *s, ConstraintRun *run, DeferredRow *row, bool all)
{
    UniqueLink *link;
    TRY(unique_of(run, row, &link));
    if (link && !all && constraint_is_deferred(run->exec, row->child, row->key_id, true, link->index->initially_deferred)) return ST_OK;
    row->done_level = s->savepoints.count;
    return link ? unique_event(link, row->row.key) : ST_OK;
}

static Status check_waiting(SessionState *s, ConstraintRun *run, bool all)
{
    DeferredConstraints *d = s->deferred;
    for (int i = 0; i < d->rows.count; i++) {
        DeferredRow *row = &d->rows.items[i];
        FkLink *link;
        if (row->done_level >= 0) continue;
        if (row->key_id & CONSTRAINT_OF_INDEX) {
            TRY(take_unique(s, run, row, all));
            continue;
        }
        TRY(link_of(run, row, &link));
        if (link && !all &&
            constraint_is_deferred(run->exec, row->child, row->key_id, link->key->deferrable, link->key->initially_deferred))
            continue;
        row->done_level = s->savepoints.count;
        if (link) TRY(fk_event(link, row->kind, &row->row));
    }
    return constraint_run_finish(run);
}

static bool any_waits(const SessionState *s)
{
    for (int i = 0; s->deferred && i < s->deferred->rows.count; i++)
        if (s->deferred->rows.items[i].done_level < 0) return true;
    return false;
}

static Status run_check(SessionState *s, bool all, Error *err)
{
    if (!any_waits(s)) return ST_OK;
    Arena *arena = arena_create(s->session.arena, 0);
    Exec outer = {.session = &s->session, .arena = arena, .txn = s->txn, .err = err, .work_mem_bytes = (size_t)64 << 20,
                  .temp_directory = s->server->temp_directory};
    ConstraintRun *run = constraint_run_create(&outer, arena);
    run->nothing_waits = true;
    Status st = txn_statement_begin(s->txn, err);
    if (st == ST_OK) st = check_waiting(s, run, all);
    if (st == ST_ERROR) session_keep_error(s, err);
    arena_destroy(arena);
    return st;
}

Status deferred_commit(SessionState *s, Error *err)
{
    return run_check(s, true, err);
}

Status deferred_set(SessionState *s, const UtilitySetConstraints *u, Error *err)
{
    if (s->phase != PHASE_BLOCK)
        session_notice(&s->session, "WARNING", ERR_NO_ACTIVE_SQL_TRANSACTION,
                       "SET CONSTRAINTS can only be used in transaction blocks");
    DeferredConstraints *d = deferred_of(s);
    if (u->all) VEC_PUSH(d->arena, d->modes, (ConstraintMode){.all = true, .deferred = u->deferred});
    for (int i = 0; i < u->constraints.count; i++)
        VEC_PUSH(d->arena, d->modes, (ConstraintMode){.table = u->constraints.items[i].table, .deferred = u->deferred,
                                                      .constraint = u->constraints.items[i].constraint});
    return u->deferred ? ST_OK : run_check(s, false, err);
}
