"""Old snapshots in the log: each is told of once it is older than rowkey.log_snapshot_age, and not again within a minute."""
import re
import time

import psycopg2

from server import Server

PATIENCE = 30
LINE = re.compile(r'WARNING: process (\d+) holds a snapshot for (\d+\.\d{3}) s, .*: user (\S+), application "(.*)", (.+), (.+), query: (.*)')


def connect(server, name):
    connection = psycopg2.connect(server.dsn(), application_name=name)
    connection.autocommit = True
    return connection, connection.cursor()


def told(server, name):
    return [m for m in LINE.finditer(server.output()) if m[4] == name]


def wait_for_line(server, name, count=1):
    until = time.monotonic() + PATIENCE
    while len(told(server, name)) < count and time.monotonic() < until:
        time.sleep(0.05)
    return told(server, name)


def differences(lines, expected):
    """expected: pid, user, isolation, state, query of the only line."""
    if len(lines) != 1:
        return f"{len(lines)} lines, one was due"
    m = lines[0]
    got = (int(m[1]), m[3], m[5], m[6], m[7])
    return None if got == expected and float(m[2]) >= 0.1 else f"{m[0]}\nis not {expected}"


def holders(server):
    """One of each kind that holds a snapshot, and one that holds none."""
    _, admin = connect(server, "admin")
    admin.execute("create table t (id int primary key)")
    admin.execute("insert into t select generate_series(1, 5000)")
    repeatable, r = connect(server, "repeatable")
    r.execute("begin isolation level repeatable read")
    r.execute("select count(*)\nfrom t")
    halfway, h = connect(server, "halfway")
    h.execute("begin")
    h.execute("declare c cursor for select id from t order by id")
    h.execute("fetch 3 from c")
    _, idle = connect(server, "idle")
    idle.execute("begin")
    idle.execute("select count(*) from t")

    # Those that are young go unmentioned: the server has looked at them a few times meanwhile.
    admin.execute("select pg_sleep(1.5)")
    yield "nobody is old yet", LINE.search(server.output()) and server.output()
    admin.execute("set cluster setting rowkey.log_snapshot_age = '100ms'")
    yield "repeatable read", differences(wait_for_line(server, "repeatable"), (
        repeatable.get_backend_pid(), "postgres", "repeatable read", "idle in transaction", "select count(*) from t"))
    yield "an open cursor", differences(wait_for_line(server, "halfway"), (
        halfway.get_backend_pid(), "postgres", "read committed", "idle in transaction", "fetch 3 from c"))

    # The next snapshot of a session is told of by itself; by then the first has been looked at again.
    h.execute("commit")
    h.execute("begin isolation level serializable")
    h.execute("select 1 from t where id = 1")
    lines = wait_for_line(server, "halfway", 2)
    yield "the next snapshot", None if len(lines) == 2 and lines[1][5] == "serializable" else f"{[m[0] for m in lines]}"
    lines = told(server, "repeatable")
    yield "not again so soon", None if len(lines) == 1 else f"{[m[0] for m in lines]}"
    yield "idle at read committed", None if not told(server, "idle") else told(server, "idle")[0][0]

    # 0 turns it off.
    admin.execute("set cluster setting rowkey.log_snapshot_age = 0")
    r.execute("commit")
    r.execute("begin isolation level repeatable read")
    r.execute("select count(*) from t")
    admin.execute("select pg_sleep(1.5)")
    yield "turned off", None if len(told(server, "repeatable")) == 1 else told(server, "repeatable")[-1][0]


def run():
    server = Server()
    try:
        yield from holders(server)
    finally:
        complaints = server.close()
    yield "server", complaints[0] if complaints else None
