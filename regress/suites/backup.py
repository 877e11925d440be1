"""Looking after a store: a copy made while eight sessions write, what is restored from it, and a file made small again."""
import os
import random
import shutil
import subprocess
import tempfile
import threading

import psycopg2

from server import Server

ACCOUNTS, CLIENTS, EACH = 200, 8, 1000


def rowkey(*arguments):
    return subprocess.run(["build/rowkey", *arguments], capture_output=True, text=True, timeout=120)


def connect(server):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    return connection


def transfer_until(server, number, stop, wrong):
    """Moves money and writes a line of history in the same transaction, until told to stop."""
    rng = random.Random(number)
    try:
        cursor = connect(server).cursor()
        while not stop.is_set():
            a, b = sorted(rng.sample(range(ACCOUNTS), 2))
            amount = rng.randrange(1, 50)
            cursor.execute("begin")
            cursor.execute("update accounts set balance = balance - %s, moves = moves + 1 where id = %s", (amount, a))
            cursor.execute("update accounts set balance = balance + %s, moves = moves + 1 where id = %s", (amount, b))
            cursor.execute("insert into history (source, target, amount) values (%s, %s, %s)", (a, b, amount))
            cursor.execute("commit")
    except psycopg2.Error as e:
        wrong.append(str(e))


def state_is_consistent(server):
    cursor = connect(server).cursor()
    cursor.execute("select sum(balance), sum(moves), (select count(*) * 2 from history) from accounts")
    total, moves, lines = cursor.fetchone()
    if total != ACCOUNTS * EACH:
        return f"the balances add up to {total}, not {ACCOUNTS * EACH}"
    return None if moves == lines else f"{moves} moves, but {lines} in the history"


def backups(server, target):
    """Backups one after the other while the writers run."""
    stop, wrong = threading.Event(), []
    threads = [threading.Thread(target=transfer_until, args=(server, n, stop, wrong)) for n in range(CLIENTS)]
    for t in threads:
        t.start()
    try:
        cursor = connect(server).cursor()
        for n in range(3):
            cursor.execute("select pg_sleep(0.4), bytes from rowkey.backup(%s)", (f"{target}/copy{n}",))
            size = cursor.fetchone()[1]
            yield f"backup {n + 1} under load", None if size == os.path.getsize(f"{target}/copy{n}/data.mdb") else str(size)
    finally:
        stop.set()
        for t in threads:
            t.join()
    yield "writers went on", wrong[0] if wrong else None


def restored(target):
    for n in range(3):
        done = rowkey("restore", f"{target}/copy{n}", f"{target}/restored{n}")
        yield f"restore {n + 1}", None if done.returncode == 0 and done.stdout.startswith("restored ") else done.stdout + done.stderr
        server = Server(data=f"{target}/restored{n}")
        yield f"restored {n + 1} is one moment", state_is_consistent(server)
        cursor = connect(server).cursor()
        cursor.execute("insert into history (source, target, amount) values (1, 2, 3)")
        cursor.execute("select count(*) from rowkey.check()")
        yield f"restored {n + 1} goes on", None if cursor.fetchone()[0] == 0 else "findings"
        server.close()
    done = rowkey("restore", f"{target}/copy0", f"{target}/restored1")
    yield "restore into a store", None if done.returncode == 2 and "not empty" in done.stderr else done.stdout + done.stderr
    with open(f"{target}/copy0/data.mdb", "r+b") as f:
        f.truncate(os.path.getsize(f"{target}/copy0/data.mdb") // 2)
    done = rowkey("restore", f"{target}/copy0", f"{target}/restored9")
    yield "restore of half a file", None if done.returncode in (1, 2) and not os.path.exists(f"{target}/restored9") else str(done)


def refused(server, target):
    cursor = connect(server).cursor()
    cursor.execute("create role plain login")
    plain = psycopg2.connect(server.dsn().replace("user=postgres", "user=plain")).cursor()
    for name, who, where, code in (("by whom", plain, f"{target}/other", "42501"), ("a relative path", cursor, "copy", "42602"),
                                   ("into what is there", cursor, f"{target}/copy0", "55000"), ("nowhere", cursor, f"{target}/no/where", "58030")):
        try:
            who.execute("select * from rowkey.backup(%s)", (where,))
            yield "backup refused: " + name, "it was made"
        except psycopg2.Error as e:
            yield "backup refused: " + name, None if e.pgcode == code else f"{e.pgcode}: {e}"


def compacted(data):
    server = Server(data=data)
    cursor = connect(server).cursor()
    cursor.execute("create table ballast (id int primary key, t text)")
    cursor.execute("insert into ballast select i, repeat('x', 1000) from generate_series(1, 20000) i")
    cursor.execute("delete from ballast where id > 100")
    cursor.execute("vacuum")
    cursor.execute("checkpoint")
    cursor.execute("select file_bytes, used_bytes, free_bytes from rowkey.store")
    size, used, free = cursor.fetchone()
    yield "rowkey.store tells free space", None if free > size // 2 and used < size // 2 else f"{size} {used} {free}"
    done = rowkey("compact", data)
    yield "compact of a store in use", None if done.returncode == 2 and "in use" in done.stderr else done.stdout + done.stderr
    server.stop()
    before = os.path.getsize(f"{data}/data.mdb")
    done = rowkey("compact", data)
    after = os.path.getsize(f"{data}/data.mdb")
    yield "compact", None if done.returncode == 0 and after < before // 2 else f"{before} to {after}: {done.stdout}{done.stderr}"
    done = rowkey("check", data)
    yield "check after compact", None if done.returncode == 0 else done.stdout + done.stderr
    server.start()
    cursor = connect(server).cursor()
    cursor.execute("select count(*), sum(length(t)) from ballast")
    yield "rows after compact", None if cursor.fetchone() == (100, 100000) else "rows are missing"
    yield "balances after compact", state_is_consistent(server)
    cursor.execute("insert into ballast values (0, 'more')")
    yield "server", (server.close() or [None])[0]


def run():
    data, target = tempfile.mkdtemp(prefix="rowkey-backup-"), tempfile.mkdtemp(prefix="rowkey-copies-")
    try:
        server = Server(data=data)
        cursor = connect(server).cursor()
        cursor.execute("create table accounts (id int primary key, balance int not null, moves int not null default 0)")
        cursor.execute("create table history (id bigserial primary key, source int, target int, amount int, index (source))")
        cursor.execute(f"insert into accounts (id, balance) select i, {EACH} from generate_series(0, {ACCOUNTS - 1}) i")
        yield from backups(server, target)
        yield from refused(server, target)
        yield "server", (server.close() or [None])[0]
        yield from restored(target)
        yield from compacted(data)
    finally:
        shutil.rmtree(data, ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)
