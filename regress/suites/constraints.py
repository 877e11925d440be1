"""No orphan and no key twice, whatever sessions do at once: eight of them add, move and delete parents and children at random,
at each isolation level, with foreign keys of each action, some deferred, and a deferrable unique key. Then the tables are looked at with SQL,
and the store by rowkey.check(). Seeds are fixed; what the sessions meet is not."""
import io
import random
import threading

import psycopg2

from server import Server

SESSIONS, STEPS, PARENTS = 8, 150, 30

TABLES = """
    create table p (id int primary key, code int unique, n int default 0);
    insert into p select i, i + 1000, 0 from generate_series(1, %(parents)s) g(i);
    create table plain (id serial primary key, p int references p);
    create table cascade (id serial primary key, p int references p on delete cascade on update cascade, code int references p (code));
    create index on cascade (p);
    create table nulls (id serial primary key, p int references p on delete set null on update set null);
    create table later (id serial primary key, p int references p deferrable initially deferred, code int references p (code) on update cascade);
    create table grand (id serial primary key, c int references cascade on delete cascade);
    create table once (id serial primary key, k int unique deferrable initially deferred);
"""
ORPHANS = """
    select 'plain', count(*) from plain c where p is not null and not exists (select from p where p.id = c.p) union all
    select 'cascade', count(*) from cascade c where p is not null and not exists (select from p where p.id = c.p) union all
    select 'cascade code', count(*) from cascade c where code is not null and not exists (select from p where p.code = c.code) union all
    select 'nulls', count(*) from nulls c where p is not null and not exists (select from p where p.id = c.p) union all
    select 'later', count(*) from later c where p is not null and not exists (select from p where p.id = c.p) union all
    select 'later code', count(*) from later c where code is not null and not exists (select from p where p.code = c.code) union all
    select 'grand', count(*) from grand g where c is not null and not exists (select from cascade where cascade.id = g.c) union all
    select 'once', count(*) from (select k from once group by k having count(*) > 1) twice
"""
# What a session may be refused: violations, conflicts, deadlocks.
REFUSED = ("23503", "23505", "40001", "40P01")


def statement(r):
    p, q = r.randint(1, PARENTS), r.randint(1, PARENTS)
    return r.choice([
        f"insert into p values ({p}, {p + 1000}) on conflict do nothing",
        f"insert into p values ({p}, {q + 1000}) on conflict do nothing",
        f"delete from p where id = {p}",
        f"delete from p where id in ({p}, {q})",
        f"update p set id = {q} where id = {p}",
        f"update p set code = {q + 1000} where id = {p}",
        f"update p set n = n + 1 where id = {p}",
        f"insert into plain (p) values ({p}), ({q})",
        f"insert into cascade (p, code) values ({p}, {q + 1000})",
        f"insert into cascade (p) select id from p where id <= {p}",
        f"insert into nulls (p) values ({p})",
        f"insert into later (p, code) values ({p}, {q + 1000})",
        f"insert into grand (c) select id from cascade where p = {p}",
        f"update plain set p = {q} where p = {p}",
        f"update cascade set p = {q} where p = {p}",
        f"delete from plain where p = {p}",
        f"delete from later where p = {p}",
        f"delete from cascade where p = {p}",
        f"insert into once (k) values ({p})",
        f"update once set k = k + 1 where k between {p} and {p + 3}",
        f"delete from once where k = {p}",
    ])


def session(dsn, level, seed, problems):
    r = random.Random(seed)
    connection = psycopg2.connect(dsn)
    connection.autocommit = True
    cursor = connection.cursor()
    try:
        for _ in range(STEPS):
            try:
                cursor.execute(f"begin isolation level {level}")
                for _ in range(r.randint(1, 4)):
                    cursor.execute(statement(r))
                cursor.execute("commit" if r.random() < 0.9 else "rollback")
            except psycopg2.Error as e:
                if e.pgcode not in REFUSED:
                    problems.append(f"{e.pgcode}: {e}")
                    return
                cursor.execute("rollback")
    finally:
        connection.close()


def storm(server, level):
    admin = psycopg2.connect(server.dsn())
    admin.autocommit = True
    cursor = admin.cursor()
    database = "storm_" + level.replace(" ", "_")
    cursor.execute(f"create database {database}")
    inside = psycopg2.connect(server.dsn(database))
    inside.autocommit = True
    rows = inside.cursor()
    rows.execute(TABLES % {"parents": PARENTS})
    problems = []
    threads = [threading.Thread(target=session, args=(server.dsn(database), level, seed, problems)) for seed in range(SESSIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows.execute(ORPHANS)
    problems += [f"{count} wrong rows: {name}" for name, count in rows.fetchall() if count]
    rows.execute("select (select count(*) from plain) + (select count(*) from cascade) + (select count(*) from later)")
    if not rows.fetchone()[0]:
        problems.append("no row came through")
    cursor.execute("select * from rowkey.check()")
    problems += [f"rowkey.check(): {finding}" for finding in cursor.fetchall()[:5]]
    inside.close()
    admin.close()
    return "; ".join(problems[:5]) or None


def copy(server):
    """COPY looks rows up as they come: many good ones, then one that refers to nothing, and one that refers to a later row."""
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("create table cp (id int primary key); insert into cp select generate_series(1, 2000);"
                   "create table cc (id int primary key, p int references cp, up int references cc)")
    rows = [f"{i}\t{i % 2000 + 1}\t{i % 5000 + 1}\n" for i in range(1, 5001)]
    cursor.copy_expert("copy cc from stdin", io.StringIO("".join(rows)))
    problems = []
    try:
        cursor.copy_expert("copy cc from stdin", io.StringIO("".join(f"{i}\t{2001 if i == 8500 else 7}\t1\n" for i in range(6001, 9001))))
        problems.append("a row that refers to nothing was taken")
    except psycopg2.Error as e:
        if (e.pgcode, e.diag.message_detail) != ("23503", 'Key (p)=(2001) is not present in table "cp".'):
            problems.append(f"{e.pgcode}: {e}")
    cursor.execute("select count(*) from cc")
    count = cursor.fetchone()[0]
    if count != 5000:
        problems.append(f"{count} rows, 5000 wanted")
    cursor.execute("drop table cc, cp")
    connection.close()
    return "; ".join(problems) or None


def run():
    server = Server()
    try:
        yield "COPY into a table with foreign keys", copy(server)
        for level in ("read committed", "repeatable read", "serializable"):
            yield f"storm of parents and children at {level}", storm(server, level)
    finally:
        server.stop()
