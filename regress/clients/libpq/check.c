/* check.c - libpq: parametrised and prepared statements in text and binary, pipelines, single rows, COPY, errors, cancel. */
#include <arpa/inet.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static PGconn *db;
static int checks;

static void same(const char *name, const char *got, const char *wanted)
{
    checks++;
    if (got && strcmp(got, wanted) == 0) return;
    printf("FAIL libpq: %s: got %s, wanted %s (%s)\n", name, got ? got : "nothing", wanted, PQerrorMessage(db));
    exit(1);
}

static PGresult *run(const char *sql)
{
    PGresult *r = PQexec(db, sql);
    ExecStatusType s = PQresultStatus(r);
    if (s != PGRES_COMMAND_OK && s != PGRES_TUPLES_OK) same(sql, PQerrorMessage(db), "no error");
    return r;
}

static void parameters(void)
{
    const char *values[2] = {"41", NULL};
    PGresult *r = PQexecParams(db, "select $1::int4 + 1, $2::text is null", 2, NULL, values, NULL, NULL, 0);
    same("text parameter", PQgetvalue(r, 0, 0), "42");
    same("NULL parameter", PQgetvalue(r, 0, 1), "t");
    PQclear(r);
    uint32_t number = htonl(7);
    const char *binary[1] = {(const char *)&number};
    int lengths[1] = {4}, formats[1] = {1};
    r = PQexecParams(db, "select $1::int4 * 6", 1, NULL, binary, lengths, formats, 1);
    uint32_t got;
    memcpy(&got, PQgetvalue(r, 0, 0), 4);
    char text[16];
    snprintf(text, sizeof text, "%u", ntohl(got));
    same("binary both ways", text, "42");
    PQclear(r);
}

static void prepared(void)
{
    PQclear(run("create table pq_t (id int primary key, s text)"));
    PQclear(PQprepare(db, "ins", "insert into pq_t values ($1, $2)", 0, NULL));
    for (int i = 0; i < 100; i++) {
        char id[12];
        snprintf(id, sizeof id, "%d", i);
        const char *values[2] = {id, "x"};
        PGresult *r = PQexecPrepared(db, "ins", 2, values, NULL, NULL, 0);
        if (i == 0) same("insert tag", PQcmdStatus(r), "INSERT 0 1");
        PQclear(r);
    }
    PGresult *r = PQdescribePrepared(db, "ins");
    same("described parameters", PQnparams(r) == 2 && PQparamtype(r, 0) == 23 && PQparamtype(r, 1) == 25 ? "ok" : "no", "ok");
    PQclear(r);
    r = run("select count(*) from pq_t");
    same("rows", PQgetvalue(r, 0, 0), "100");
    PQclear(r);
    r = PQexec(db, "insert into pq_t values (1, 'y')");
    same("sqlstate", PQresultErrorField(r, PG_DIAG_SQLSTATE), "23505");
    same("constraint", PQresultErrorField(r, PG_DIAG_CONSTRAINT_NAME), "pq_t_pkey");
    same("detail", PQresultErrorField(r, PG_DIAG_MESSAGE_DETAIL), "Key (id)=(1) already exists.");
    PQclear(r);
}

static void pipeline(void)
{
    PQenterPipelineMode(db);
    for (int i = 0; i < 50; i++) {
        char id[12];
        snprintf(id, sizeof id, "%d", 1000 + i);
        const char *values[1] = {id};
        PQsendQueryParams(db, "insert into pq_t values ($1, 'p')", 1, NULL, values, NULL, NULL, 0);
    }
    PQpipelineSync(db);
    int done = 0;
    for (;;) {
        PGresult *r = PQgetResult(db);
        if (!r) continue;
        ExecStatusType s = PQresultStatus(r);
        PQclear(r);
        if (s == PGRES_PIPELINE_SYNC) break;
        done += s == PGRES_COMMAND_OK;
    }
    PQexitPipelineMode(db);
    same("pipeline", done == 50 ? "ok" : "no", "ok");
}

static void rows_and_copy(void)
{
    int rows = 0;
    PQsendQuery(db, "select id from pq_t order by id");
    PQsetSingleRowMode(db);
    for (PGresult *r; (r = PQgetResult(db)); PQclear(r)) rows += PQresultStatus(r) == PGRES_SINGLE_TUPLE;
    same("single rows", rows == 150 ? "ok" : "no", "ok");
    PQclear(PQexec(db, "copy pq_t from stdin"));
    PQputCopyData(db, "5000\tc\n50", 9);
    PQputCopyData(db, "01\t\\N\n", 6);
    PQputCopyEnd(db, NULL);
    PGresult *r = PQgetResult(db);
    same("copy in", PQcmdStatus(r), "COPY 2");
    PQclear(r);
    while ((r = PQgetResult(db))) PQclear(r);
    PQclear(PQexec(db, "copy (select * from pq_t where id >= 5000 order by id) to stdout"));
    char *line, all[100] = "";
    while (PQgetCopyData(db, &line, 0) > 0) {
        strncat(all, line, sizeof all - strlen(all) - 1);
        PQfreemem(line);
    }
    same("copy out", all, "5000\tc\n5001\t\\N\n");
    while ((r = PQgetResult(db))) PQclear(r);
}

static void cancel(void)
{
    char problem[256];
    PGcancel *c = PQgetCancel(db);
    PQsendQuery(db, "select pg_sleep(20)");
    /* A cancel that comes before the statement has begun is ignored, as the protocol says. */
    usleep(300000);
    PQcancel(c, problem, sizeof problem);
    PQfreeCancel(c);
    PGresult *r = PQgetResult(db);
    same("cancel", PQresultErrorField(r, PG_DIAG_SQLSTATE), "57014");
    PQclear(r);
    while ((r = PQgetResult(db))) PQclear(r);
}

int main(void)
{
    db = PQconnectdb(getenv("PGURL"));
    if (PQstatus(db) != CONNECTION_OK) same("connect", PQerrorMessage(db), "no error");
    PQclear(run("drop table if exists pq_t"));
    parameters();
    prepared();
    pipeline();
    rows_and_copy();
    cancel();
    PQclear(run("drop table pq_t"));
    PQfinish(db);
    printf("OK libpq %d\n", checks);
    return 0;
}
