#include <pthread.h>
#include <time.h>

#include "executor/constraint/deferred.h"
#include "executor/ddl/ddl_internal.h"
#include "executor/stmt_internal.h"

enum { LEAVE_LOOKS = 100, LEAVE_LOOK_NS = 50000000 };

static int count_others(SessionState *self, DescId database)
{
    int others = 0;
    pthread_mutex_lock(&self->server->sessions_lock);
    for (SessionState *s = self->server->sessions; s; s = s->next)
        others += s != self && s->session.database_id == database;
    pthread_mutex_unlock(&self->server->sessions_lock);
    return others;
}

/* A database in use by another session stays. Sessions whose clients have just gone get five seconds to end, as in
 * PostgreSQL: a program that disconnects and drops its database must not depend on who is quicker. */
static Status check_not_connected(Exec *exec, const Desc *database)
{
    SessionState *self = state_of(exec->session);
    int others = count_others(self, database->id);
    for (int i = 0; others && i < LEAVE_LOOKS; i++) {
        TRY(interrupt_poll(&exec->session->interrupt, exec->err));
        nanosleep(&(struct timespec){.tv_nsec = LEAVE_LOOK_NS}, NULL);
        others = count_others(self, database->id);
    }
    if (!others) return ST_OK;
    (void)err_set(exec->err, exec->arena, ERR_OBJECT_IN_USE, "database \"%s\" is being accessed by other users", database->name);
    err_detail(exec->err, exec->arena, others == 1 ? "There is %d other session using the database."
                                                   : "There are %d other sessions using the database.", others);
    return ST_ERROR;
}

static Status drop_one(Exec *exec, const Desc *desc)
{
    TRY(deferred_refuse(exec, "DROP TABLE", desc));
    if (desc->kind == DESC_TABLE) {
        TRY(table_clear(exec->txn, (const TableDesc *)desc, exec->err));
        ddl_forget_table(exec, desc->id);
    }
    if (desc->kind == DESC_SEQUENCE) {
        Buf start = {0}, end = {0};
        table_span(desc->id, &start, &end);
        Status st = txn_delete_span(exec->txn, buf_slice(&start), buf_slice(&end), exec->err);
        buf_finish(&start);
        buf_finish(&end);
        TRY(st);
    }
    return catalog_delete(ddl_view(exec), desc->id, exec->err);
}

Status ddl_drop(Exec *exec, const UtilityDrop *u)
{
    /* Before anything is locked: a session that ends takes its temporary objects away. */
    for (int i = 0; i < u->objects.count; i++)
        if (u->objects.items[i]->kind == DESC_DATABASE) TRY(check_not_connected(exec, u->objects.items[i]));
    for (int i = 0; i < u->changes.count; i++) TRY(catalog_put(ddl_view(exec), u->changes.items[i].after, exec->err));
    for (int i = 0; i < u->objects.count; i++) TRY(drop_one(exec, u->objects.items[i]));
    ddl_notices(exec, &u->notices);
    return ST_OK;
}

Status ddl_truncate(Exec *exec, const UtilityTruncate *u)
{
    for (int i = 0; i < u->tables.count; i++) {
        const TableDesc *table = u->tables.items[i];
        TRY(deferred_refuse(exec, "TRUNCATE", &table->base));
        TRY(table_clear(exec->txn, table, exec->err));
    }
    for (int i = 0; i < u->restart.count; i++)
        TRY(sequence_set(catalog_view_catalog(ddl_view(exec)), u->restart.items[i], u->restart.items[i]->start, false,
                         exec->err));
    ddl_notices(exec, &u->notices);
    return ST_OK;
}
