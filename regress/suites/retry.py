"""What the server retries by itself, byte by byte: whole Query messages and pipelines, as long as nothing was sent."""
import threading

import psycopg2

from server import Server
from suites.wire import Wire, bind, error, execute, kinds, parse

FORCE = "select crdb_internal.force_retry('20ms')"
FOR_EVER = "select crdb_internal.force_retry('1h')"


def same(got, wanted):
    return None if got == wanted else f"got {got!r}, wanted {wanted!r}"


def texts(server):
    w = Wire(server)
    m = w.query("create table t (a int); insert into t values (1); selct 1")
    yield "a mistake refuses the whole text", same((kinds(m), error(m).get("C")), ("EZ", "42601"))
    yield "nothing of it has run", same(kinds(w.query("create table t (a int)")), "CZ")
    yield "one statement", same(kinds(w.query(FORCE)), "TDCZ")
    yield "several statements", same(kinds(w.query(f"select 1; {FORCE}; select 3")), "TDCTDCTDCZ")
    yield "a block within the text", same(kinds(w.query(f"begin; select 1; {FORCE}; commit; select 4")), "CTDCTDCCTDCZ")
    m = w.query(f"begin; commit; {FOR_EVER}; select 4")
    yield "not behind a commit", same((kinds(m), error(m).get("C")), ("CCEZ", "40001"))
    w.query("begin")
    m = w.query(FOR_EVER)
    yield "not in the client's block", same((kinds(m), error(m).get("C"), m[-1][1]), ("EZ", "40001", b"E"))
    w.query("rollback")
    m = w.query(f"select repeat('x', 70000) from generate_series(1, 3); {FOR_EVER}")
    yield "not after results were sent", same((kinds(m), error(m).get("C")), ("TDDDCEZ", "40001"))
    w.query("set results_buffer_size = 1000000")
    m = w.query(f"select repeat('x', 70000) from generate_series(1, 3); {FORCE}")
    yield "a larger buffer keeps them", same(kinds(m), "TDDDCTDCZ")


def pipelines(server):
    for name in ("", "named"):
        w = Wire(server)
        w.send("P", parse(name, "select 1"))
        w.send("B", bind("", name))
        w.send("E", execute())
        w.send("P", parse("", FORCE))
        w.send("B", bind("", ""))
        w.send("E", execute())
        w.send("S")
        yield f"pipeline with the statement {name!r}", same(kinds(w.messages()), "12DC12DCZ")
    w.send("P", parse("", FOR_EVER))
    w.send("H")
    w.message()
    w.send("B", bind("", ""))
    w.send("E", execute())
    w.send("S")
    m = w.messages()
    yield "not after a Flush", same((kinds(m), error(m).get("C")), ("2EZ", "40001"))
    w.query("create table p (a int primary key)")
    w.send("P", parse("", "insert into p values (1)"))
    w.send("B", bind("", ""))
    w.send("E", execute())
    w.send("P", parse("", "insert into p values (1)"))
    w.send("B", bind("", ""))
    w.send("E", execute())
    w.send("P", parse("", "insert into p values (2)"))
    w.send("S")
    m = w.messages()
    yield "a pipeline is one transaction", same((kinds(m), error(m).get("C")), ("12C12EZ", "23505"))
    m = w.query("select count(*) from p")
    yield "all of it is undone", same(m[1][1][-1:], b"0")


def increments(server, sql, count, errors):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("set default_transaction_isolation = serializable")
    for _ in range(count):
        try:
            cursor.execute(sql)
        except psycopg2.Error as e:
            errors.append(str(e))
    connection.close()


def contention(server):
    """Every session works on one row at SERIALIZABLE, each statement a transaction of its own: nobody may see an error."""
    w = Wire(server)
    w.query("create table c (id int primary key, n int); insert into c values (1, 0), (2, 0)")
    for name, sql, row in (("one statement", "update c set n = n + 1 where id = 1", 1),
                           ("a batch that fails at its commit",
                            "select sum(n) from c; update c set n = n + 1 where id = 2", 2)):
        errors = []
        threads = [threading.Thread(target=increments, args=(server, sql, 25, errors)) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        m = w.query(f"select n from c where id = {row}")
        yield f"contention, {name}", same((errors[:1], m[1][1][6:]), ([], b"100"))


def run():
    with Server() as server:
        yield from texts(server)
        yield from pipelines(server)
        yield from contention(server)
        complaints = server.close()
        yield "server", complaints[0] if complaints else None
