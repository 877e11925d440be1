#include "executor/ddl/temp_schema.h"

#include "executor/ddl/ddl_internal.h"
#include "executor/stmt_internal.h"
#include "storage/base/log.h"
#include "storage/catalog/acl.h"
#include "storage/catalog/catalog_snapshot.h"

Status temp_schema_prepare(Exec *exec, const Desc *object)
{
    const Session *session = exec->session;
    if (!object->parent_schema || object->parent_schema != session->temp_schema) return ST_OK;
    if (catalog_find_id(ddl_view(exec), session->temp_schema)) return ST_OK;
    /* Nobody owns it by name: a session may act under several roles. */
    SchemaDesc schema = {{.kind = DESC_SCHEMA, .id = session->temp_schema, .parent_database = session->database_id,
                          .name = session->temp_schema_name, .owner = ROLE_DATABASE_OWNER}};
    return catalog_put(ddl_view(exec), &schema.base, exec->err);
}

/* ---- dropping ---- */

typedef struct Emptying {
    Exec *exec;
    Arena *arena;
    DescId schema;
} Emptying;

static Emptying emptying(Session *session, Txn *txn, DescId schema, Error *err)
{
    static Plan plan = {.kind = PLAN_UTILITY};
    static const PlannedStmt nothing = {.plan = &plan};
    Emptying e = {.arena = arena_create(NULL, 0), .schema = schema};
    e.exec = exec_create(session, &nothing, e.arena);
    exec_start(e.exec, txn, NULL, err);
    return e;
}

static int list(const Emptying *e, DescKind kind, const Desc ***objects)
{
    return catalog_list(ddl_view(e->exec), kind, 0, e->schema, objects, e->arena);
}

static Status drop_object(Emptying *e, const Desc *desc)
{
    Buf start = {0}, end = {0};
    if (desc->kind == DESC_TABLE) {
        TRY(table_clear(e->exec->txn, (const TableDesc *)desc, e->exec->err));
        ddl_forget_table(e->exec, desc->id);
    } else if (desc->kind == DESC_SEQUENCE) {
        table_span(desc->id, &start, &end);
        Status st = txn_delete_span(e->exec->txn, buf_slice(&start), buf_slice(&end), e->exec->err);
        buf_finish(&start);
        buf_finish(&end);
        TRY(st);
    }
    return catalog_delete(ddl_view(e->exec), desc->id, e->exec->err);
}

static Status drop_all(Emptying *e)
{
    static const DescKind kinds[] = {DESC_VIEW, DESC_TABLE, DESC_SEQUENCE, DESC_TYPE};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const Desc **objects;
        int count = list(e, kinds[k], &objects);
        for (int i = 0; i < count; i++) TRY(drop_object(e, objects[i]));
    }
    return ST_OK;
}

/* The table with its sequences and the views that read it. */
static Status drop_table(Emptying *e, const TableDesc *table)
{
    const Desc **objects;
    int count = list(e, DESC_VIEW, &objects);
    for (int i = 0; i < count; i++) {
        const IntVec *on = &((const ViewDesc *)objects[i])->depends_on;
        bool depends = false;
        for (int k = 0; k < on->count; k++) depends |= (DescId)on->items[k] == table->base.id;
        if (depends) TRY(drop_object(e, objects[i]));
    }
    count = list(e, DESC_SEQUENCE, &objects);
    for (int i = 0; i < count; i++)
        if (((const SequenceDesc *)objects[i])->owner_table == table->base.id) TRY(drop_object(e, objects[i]));
    return drop_object(e, &table->base);
}

static Status on_commit(Emptying *e)
{
    const Desc **tables;
    int count = list(e, DESC_TABLE, &tables);
    for (int i = 0; i < count; i++) {
        const TableDesc *table = (const TableDesc *)tables[i];
        if (table->on_commit == ON_COMMIT_DELETE) TRY(table_clear(e->exec->txn, table, e->exec->err));
        if (table->on_commit == ON_COMMIT_DROP) TRY(drop_table(e, table));
    }
    return ST_OK;
}

/* ---- when ---- */

Status temp_schema_commit(Session *session, Txn *txn, Error *err)
{
    if (!session->temp_on_commit || !txn || !session->catalog || !txn_has_writes(txn)) return ST_OK;
    Emptying e = emptying(session, txn, session->temp_schema, err);
    Status st = on_commit(&e);
    arena_destroy(e.arena);
    return st;
}

Status temp_schema_empty(Session *session, Txn *txn, Error *err)
{
    if (!session->temp_schema || !catalog_find_id(session->catalog, session->temp_schema)) return ST_OK;
    Emptying e = emptying(session, txn, session->temp_schema, err);
    Status st = drop_all(&e);
    arena_destroy(e.arena);
    return st;
}

static Status drop_schema(SessionState *s, DescId schema, Error *err)
{
    TRY(txn_state_ensure(s, err));
    if (!catalog_find_id(s->session.catalog, schema)) return txn_state_commit(s, err);
    Emptying e = emptying(&s->session, s->txn, schema, err);
    Status st = drop_all(&e);
    if (st == ST_OK) st = catalog_delete(ddl_view(e.exec), schema, err);
    arena_destroy(e.arena);
    if (st == ST_OK) return txn_state_commit(s, err);
    txn_state_rollback(s);
    return st;
}

void temp_schema_leave(Session *session)
{
    Error err = {0};
    if (!session->temp_schema) return;
    session->temp_on_commit = false;
    session->interrupt.raised = INTERRUPT_NONE; /* a session that was ended still tidies up */
    session->interrupt.deadline_ns = 0;
    if (drop_schema(state_of(session), session->temp_schema, &err) != ST_OK)
        log_write(LOG_WARNING, "temporary objects of session %llu stay until the next start: %s",
                  (unsigned long long)session->id, err.message);
}

/* ---- after a crash ---- */

typedef struct Leftover {
    DescId schema;
    const char *database;
} Leftover;
typedef VEC(Leftover) LeftoverVec;

typedef struct Search {
    const CatalogSnapshot *snapshot;
    Arena *arena;
    const char *user; /* a superuser who may log in */
    LeftoverVec leftovers;
} Search;

static void look_at(void *argument, const Desc *desc)
{
    Search *search = argument;
    const RoleDesc *role = desc->kind == DESC_ROLE ? (const RoleDesc *)desc : NULL;
    if (role && role->superuser && role->login && !search->user) search->user = arena_strdup(search->arena, role->base.name);
    if (desc->kind != DESC_SCHEMA || strncmp(desc->name, "pg_temp_", 8) != 0) return;
    const Desc *database = catalog_snapshot_find(search->snapshot, desc->parent_database);
    Leftover leftover = {desc->id, database ? arena_strdup(search->arena, database->name) : NULL};
    if (database) VEC_PUSH(search->arena, search->leftovers, leftover);
}

void temp_schema_sweep(Server *server)
{
    Arena *arena = arena_create(NULL, 0);
    Search search = {.snapshot = catalog_snapshot(server->catalog), .arena = arena};
    snapshot_each(search.snapshot, look_at, &search);
    catalog_release(search.snapshot);
    for (int i = 0; i < search.leftovers.count && search.user; i++) {
        const Leftover *leftover = &search.leftovers.items[i];
        Error err = {0};
        Session *session;
        SessionOptions options = {.user = search.user, .database = leftover->database};
        if (session_open(server, &options, &session, &err) != ST_OK) continue;
        if (drop_schema(state_of(session), leftover->schema, &err) != ST_OK)
            log_write(LOG_WARNING, "temporary objects of an earlier session could not be dropped: %s", err.message);
        session_close(session);
    }
    arena_destroy(arena);
}
