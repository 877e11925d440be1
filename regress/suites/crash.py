"""Crashes: the server is killed under load from many sessions (regress/crash/kill.py); numbers that must not come twice."""
import shutil
import sys
import tempfile
import threading

import psycopg2

from server import Server

sys.path.insert(0, "regress")
from crash import kill  # noqa: E402

ROUNDS = 20


def connect(server):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    return connection


def ask(server, sql):
    connection = connect(server)
    cursor = connection.cursor()
    cursor.execute(sql)
    row = cursor.fetchone()
    connection.close()
    return row


def row_ids(server):
    """A bulk load takes row ids faster than the clock goes; a crash does not set them back."""
    cursor = connect(server).cursor()
    cursor.execute("create table loaded (x int)")
    last = 0
    for number in range(3):
        cursor.execute("insert into loaded select i from generate_series(1, 200000) i")
        cursor.execute("select max(rowid) from loaded")
        last = cursor.fetchone()[0]
        server.kill()
        server.start()
        cursor = connect(server).cursor()
        cursor.execute("select unique_rowid()")
        first = cursor.fetchone()[0]
        yield f"unique_rowid() after crash {number + 1}", None if first > last else f"{first} after {last}"
    cursor.execute("select unique_rowid()")
    last = cursor.fetchone()[0]
    server.stop()
    server.start()
    first = ask(server, "select unique_rowid()")[0]
    yield "unique_rowid() after a clean stop", None if first > last else f"{first} after {last}"


def sequences(server):
    """Sessions share a sequence without waiting for each other's transactions; a block of values costs one commit."""
    admin = connect(server)
    cursor = admin.cursor()
    cursor.execute("create sequence busy")
    cursor.execute("create sequence down increment -3 maxvalue 100 start 100 minvalue -100000")
    waiting = connect(server)
    waiting.autocommit = False
    waiting.cursor().execute("select nextval('busy')")  # a transaction that stays open holds up nobody
    values, downs = [[] for _ in range(8)], [[] for _ in range(8)]

    def take(number):
        c = connect(server).cursor()
        for _ in range(40):
            c.execute("select nextval('busy'), nextval('down') from generate_series(1, 25)")
            for up, down in c.fetchall():
                values[number].append(up)
                downs[number].append(down)
    cursor.execute("select commits from rowkey.store")
    before = cursor.fetchone()[0]
    threads = [threading.Thread(target=take, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    cursor.execute("select commits from rowkey.store")
    commits = cursor.fetchone()[0] - before
    waiting.rollback()
    flat = [v for own in values for v in own]
    yield "nextval() from 8 sessions", None if len(flat) == len(set(flat)) == 8000 else f"{len(flat)} values, {len(set(flat))} different"
    ordered = all(a < b for own in values for a, b in zip(own, own[1:])) and all(a > b for own in downs for a, b in zip(own, own[1:]))
    yield "each session's values grow", None if ordered else "they do not"
    yield "nextval() is not a commit each", None if commits < 16000 / 8 else f"{commits} commits for 16000 values"
    server.kill()
    server.start()
    up, down = ask(server, "select nextval('busy'), nextval('down')")
    yield "nextval() after a crash", None if up > max(flat) and down < min(v for own in downs for v in own) else f"{up}, {down}"


def left_overs(server):
    """Sequences are not transactional, but what a rollback or a drop leaves of them is nothing that check complains of."""
    cursor = connect(server).cursor()
    cursor.execute("begin")
    cursor.execute("create sequence undone")
    cursor.execute("create table undone_too (id bigserial primary key, s serial)")
    cursor.execute("select nextval('undone')")
    cursor.execute("insert into undone_too default values")
    cursor.execute("rollback")
    cursor.execute("create sequence dropped")
    cursor.execute("select nextval('dropped')")
    cursor.execute("drop sequence dropped")
    cursor.execute("select * from rowkey.check()")
    findings = cursor.fetchall()
    server.stop()
    yield "sequences rolled back and dropped", str(findings) if findings else kill.check_offline(server)


def run():
    yield from kill.rounds(ROUNDS, seed=20, load_seconds=(0.1, 0.7))
    data = tempfile.mkdtemp(prefix="rowkey-crash-")
    server = Server(data=data)
    yield from row_ids(server)
    yield from sequences(server)
    yield from left_overs(server)
    yield "server", (server.close() or [None])[0]
    shutil.rmtree(data, ignore_errors=True)
