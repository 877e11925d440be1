"""Crashes: the server is killed while clients write; every acknowledged row must be there afterwards, and indexes agree."""
import random
import shutil
import tempfile
import threading
import time

import psycopg2

from server import Server

CLIENTS = 8


def write_until_cut(server, client, acknowledged, rounds):
    """Inserts rows, now and then several in a transaction; notes what was acknowledged."""
    rng = random.Random(client * 1000 + rounds)
    try:
        connection = psycopg2.connect(server.dsn())
        connection.autocommit = True
        cursor = connection.cursor()
        n = 0
        while True:
            ids = [client * 10_000_000 + rounds * 100_000 + n + i for i in range(rng.choice((1, 1, 1, 5)))]
            n += len(ids)
            if len(ids) == 1:
                cursor.execute("insert into crash values (%s, %s, %s)", (ids[0], f"k{ids[0] % 977}", ids[0] * 2))
            else:
                cursor.execute("begin")
                for i in ids:
                    cursor.execute("insert into crash values (%s, %s, %s)", (i, f"k{i % 977}", i * 2))
                cursor.execute("commit")
            acknowledged.append(ids)
    except psycopg2.Error:
        return


def check(server, acknowledged):
    connection = psycopg2.connect(server.dsn())
    cursor = connection.cursor()
    cursor.execute("select id, k, v from crash@crash_pkey")
    rows = {r[0]: r for r in cursor.fetchall()}
    missing = [i for ids in acknowledged for i in ids if i not in rows]
    if missing:
        return f"{len(missing)} acknowledged rows are lost, the first {missing[0]}"
    wrong = [r for r in rows.values() if r[1] != f"k{r[0] % 977}" or r[2] != r[0] * 2]
    if wrong:
        return f"rows are damaged: {wrong[0]}"
    cursor.execute("select k, id from crash@crash_k_idx where k >= ''")
    by_index = sorted(r[1] for r in cursor.fetchall())
    if by_index != sorted(rows):
        return f"index crash_k_idx has {len(by_index)} entries, the table {len(rows)} rows"
    cursor.execute("select v, id from crash@crash_v_key where v is not null")
    if sorted(r[1] for r in cursor.fetchall()) != sorted(rows):
        return "unique index crash_v_key does not agree with the table"
    connection.close()
    return None


def run():
    data = tempfile.mkdtemp(prefix="rowkey-crash-")
    server = Server(data=data)
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    connection.cursor().execute("create table crash (id int8 primary key, k text, v int8 unique, index (k))")
    connection.close()
    acknowledged = []
    for rounds in range(3):
        threads = [threading.Thread(target=write_until_cut, args=(server, c, acknowledged, rounds)) for c in range(CLIENTS)]
        for t in threads:
            t.start()
        time.sleep(1.0 + rounds * 0.3)
        server.kill()
        for t in threads:
            t.join()
        start = time.monotonic()
        server.start()
        wrong = check(server, acknowledged)
        yield f"kill -9 number {rounds + 1}, {len(acknowledged)} commits acknowledged", wrong
        yield f"restart number {rounds + 1}", None if time.monotonic() - start < 30 else "took over 30 s"
    complaints = server.close()
    yield "server", complaints[0] if complaints else None
    shutil.rmtree(data, ignore_errors=True)
