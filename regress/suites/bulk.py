"""Large work: what others see of it, what it needs of memory, and what is left when it is ended."""
import io
import threading

import psycopg2

from server import Server, wait_until


def connect(server):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    return connection


def run(connection, sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else None


def sqlstate(connection, sql):
    try:
        run(connection, sql)
    except psycopg2.Error as e:
        return e.pgcode
    return "ok"


def copy(connection, table, lines):
    with connection.cursor() as cursor:
        cursor.copy_expert(f"copy {table} from stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def keys_in_order(server):
    """A writer that no longer looks for each key still meets those of others, committed or not, and its own."""
    a, b = connect(server), connect(server)
    for outcome, wanted in (("commit", "23505"), ("rollback", "ok")):
        run(a, "drop table if exists ordered")
        run(a, "create table ordered (id int primary key, u int unique)")
        run(b, "begin")
        run(b, "insert into ordered values (500, 5000)")
        answer = []
        thread = threading.Thread(target=lambda: answer.append(
            sqlstate(a, "insert into ordered select i, i from generate_series(1, 1000) i")))
        thread.start()
        waits = not thread.join(0.3) and thread.is_alive()
        run(b, outcome)
        thread.join(20)
        if not waits:
            return f"did not wait for a key that another was about to commit ({outcome})"
        if answer != [wanted]:
            return f"after {outcome}: {answer}"
    run(a, "insert into ordered values (5000, 5000)")
    for sql, state in (
            ("insert into ordered select i, i + 10000 from generate_series(4000, 6000) i", "23505"),  # one is there
            ("insert into ordered select i, i from generate_series(4990, 4999) i", "ok"),
            ("insert into ordered select i / 2, i + 20000 from generate_series(20000, 20100) i", "23505"),  # its own
            ("insert into ordered select i + 30000, i / 2 from generate_series(60000, 60100) i", "23505"),
            ("with x as (insert into ordered select i, i from generate_series(40000, 40200) i returning id) "
             "insert into ordered select id + 1, id + 50000 from x", "23505"),
            ("insert into ordered select i, null from generate_series(50000, 50100) i", "ok"),
            ("insert into ordered values (50101, null)", "ok")):
        if sqlstate(a, sql) != state:
            return f"{sqlstate(a, sql)} instead of {state}: {sql}"
    run(a, "begin")
    run(a, "lock table ordered in exclusive mode")
    copy(a, "ordered", (f"{i}\t{i}" for i in range(60000, 70000)))
    if sqlstate(a, "insert into ordered values (65000, 1)") != "23505":
        return "under a table lock a key was taken twice"
    run(a, "rollback")
    return None


def many_locks(server):
    """The rows of a statement of very many are locked one by one, however that is remembered."""
    a, b = connect(server), connect(server)
    run(a, "create table locked (id int primary key, v int)")
    run(a, "begin")
    run(a, "insert into locked select i, i from generate_series(1, 60000) i")
    run(b, "set lock_timeout = '100ms'")
    for i in (1, 17000, 30000, 59999):
        if sqlstate(b, f"insert into locked values ({i}, 0)") != "55P03":
            return f"key {i} was not locked"
    if sqlstate(b, "insert into locked values (60001, 0)") != "ok":
        return "a key that nobody has is locked"
    run(a, "commit")
    for i in (1, 30000):
        if sqlstate(b, f"insert into locked values ({i}, 0)") != "23505":
            return f"key {i} is not there"
    if run(b, "select count(*) from locked") != [(60001,)]:
        return "rows are missing"
    return None


CASES = (keys_in_order, many_locks)


def run_all():
    with Server() as server:
        for case in CASES:
            yield case.__name__, case(server)
