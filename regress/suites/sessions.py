"""Many sessions: a thousand that are connected, idle in transactions of every level, with open cursors, and at work."""
import shutil
import tempfile

import psycopg2

from server import Server

SESSIONS, LIMIT = 1000, 1010
SESSION_KIB_MAX = 200


def connect(server, level=None):
    connection = psycopg2.connect(server.dsn())
    if level:
        connection.set_session(isolation_level=level)
    else:
        connection.autocommit = True
    return connection


def open_all(server):
    """A thousand sessions: idle, in transactions that keep a snapshot, with a cursor half-way through a table."""
    kinds = (None, "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE")
    sessions = []
    for n in range(SESSIONS):
        connection = connect(server, kinds[n % 4])
        cursor = connection.cursor()
        cursor.execute("select sum(v) from many")
        if n % 8 >= 4 and kinds[n % 4]:
            cursor.execute("declare half cursor for select id, v from many order by id")
            cursor.execute("fetch 10 from half")
        sessions.append((kinds[n % 4], connection, cursor))
    return sessions


def refused_beyond(server):
    """The next one past the limit is told so; it is not the reader table that overflows."""
    extra = []
    try:
        for _ in range(LIMIT - SESSIONS + 5):
            extra.append(connect(server))
        return "no connection was refused"
    except psycopg2.OperationalError as e:
        return None if "too many clients" in str(e) or "53300" in str(e) else str(e)
    finally:
        for connection in extra:
            connection.close()


def all_work(sessions):
    """Each reads and writes once more; those that keep a snapshot see what they saw."""
    for n, (kind, _, cursor) in enumerate(sessions):
        cursor.execute("select sum(v), max(id) from many")
        total, newest = cursor.fetchone()
        if kind in ("REPEATABLE READ", "SERIALIZABLE") and (total, newest) != (5050, 100):
            return f"session {n} ({kind}) sees {total}, {newest}"
        if kind is None:
            cursor.execute("insert into many values (%s, 1)", (1000 + n,))
    return None


def private_kib(server):
    """The memory that is the server's alone: the map of its store is shared with the page cache."""
    with open(f"/proc/{server.process.pid}/smaps_rollup", encoding="ascii") as f:
        return sum(int(line.split()[1]) for line in f if line.startswith(("Private_Dirty:", "Swap:")))


def memory():
    """What a session holds after it has read, written and looked into the catalog."""
    with Server(options=["--max-connections", str(LIMIT)]) as server:
        first = connect(server)
        first.cursor().execute("create table t (id int primary key, v text)")
        work = ("insert into t values (1, 'x') on conflict (id) do update set v = 'y'", "select count(*) from t where v = 'x'",
                "select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace order by 1")
        for statement in work:
            first.cursor().execute(statement)
        before = private_kib(server)
        sessions = [connect(server) for _ in range(SESSIONS)]
        for session in sessions:
            for statement in work:
                session.cursor().execute(statement)
        each = (private_kib(server) - before) / SESSIONS
        for session in sessions + [first]:
            session.close()
        complaints = server.close()
    yield f"an idle session holds less than {SESSION_KIB_MAX} KiB", None if each < SESSION_KIB_MAX else f"{each:.0f} KiB"
    yield "server of the idle ones", complaints[0] if complaints else None


def run():
    yield from memory()
    data = tempfile.mkdtemp(prefix="rowkey-sessions-")
    server = Server(data=data, options=["--max-connections", str(LIMIT)])
    admin = connect(server)
    cursor = admin.cursor()
    cursor.execute("create table many (id int primary key, v int)")
    cursor.execute("insert into many select i, i from generate_series(1, 100) i")
    try:
        sessions = open_all(server)
        yield f"{SESSIONS} sessions", None
        yield "a snapshot for each", all_work(sessions)
        cursor.execute("select snapshots_open, snapshots_max from rowkey.store")
        held, most = cursor.fetchone()
        yield "snapshots are counted", None if SESSIONS // 2 <= held <= most else f"{held} of {most}"
        yield "one more is refused with 53300", refused_beyond(server)
        for _, connection, _ in sessions:
            connection.close()
        cursor.execute("select pg_sleep(1), snapshots_open from rowkey.store")
        cursor.execute("select snapshots_open from rowkey.store")
        left = cursor.fetchone()[0]
        yield "none is left behind", None if left < 10 else f"{left} snapshots are open"
        again = [connect(server) for _ in range(50)]
        yield "sessions connect again", None
        for connection in again:
            connection.close()
        cursor.execute("select count(*) from many")
        count = cursor.fetchone()[0]
        yield "what they wrote is there", None if count == 100 + SESSIONS // 4 else f"{count} rows"
    finally:
        admin.close()
        complaints = server.close()
        shutil.rmtree(data, ignore_errors=True)
    yield "server", complaints[0] if complaints else None
