"""What sessions do as others see it, and how they end by themselves: pg_stat_activity, idle_session_timeout, a client that
is gone, log_min_duration_statement, synchronous_commit = off."""
import time

import psycopg2

from server import Server
from suites.wire import Wire, fields

PATIENCE = 20


def connect(server, **options):
    connection = psycopg2.connect(server.dsn(), **options)
    connection.autocommit = True
    return connection, connection.cursor()


def within_patience(condition):
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


def same(got, wanted):
    return None if got == wanted else f"got {got!r}, wanted {wanted!r}"


def states(server):
    watcher, w = connect(server)
    other, o = connect(server, application_name="watched")

    def seen(columns):
        w.execute(f"select {columns} from pg_stat_activity where pid = %s", (other.get_backend_pid(),))
        return w.fetchone()

    o.execute("select 1")
    yield "idle", same(seen("usename, application_name, state, query, xact_start is null"),
                       ("postgres", "watched", "idle", "select 1", True))
    o.execute("begin")
    o.execute("select 2")
    yield "in a block", same(seen("state, query, xact_start <= query_start, state_change >= query_start"),
                             ("idle in transaction", "select 2", True, True))
    try:
        o.execute("select 1/0")
    except psycopg2.Error:
        pass
    yield "in a failed block", same(seen("state"), ("idle in transaction (aborted)",))
    o.execute("rollback")
    w.execute("select state, query like '%%pg_stat_activity%%' from pg_stat_activity where pid = pg_backend_pid()")
    yield "itself", same(w.fetchone(), ("active", True))

    w.execute("create table watched (a int primary key)")
    o.execute("begin")
    o.execute("insert into watched values (1)")
    w.execute("select mode, granted from pg_locks where pid = %s and relation = 'watched'::regclass", (other.get_backend_pid(),))
    yield "its table lock", same(w.fetchall(), [("RowExclusiveLock", True)])
    o.execute("rollback")
    watcher.close()
    other.close()


def idle_timeout(server):
    raw = Wire(server, application_name="dozing")
    raw.query("set idle_session_timeout = 100")
    told = raw.message()
    yield "an idle session is told", same(told and (told[0], fields(told[1])["C"], fields(told[1])["M"]),
                                          ("E", "57P05", "terminating connection due to idle-session timeout"))
    yield "and ended", same(raw.message(), None)
    _, w = connect(server)

    def there():
        w.execute("select count(*) from pg_stat_activity where application_name = 'dozing'")
        return w.fetchone()[0]

    yield "nothing of it is left", None if within_patience(lambda: not there()) else "it is still there"


def lost_client(server):
    """The socket is closed while the statement runs; nobody sends a Terminate."""
    _, w = connect(server)
    w.execute("create table held (a int primary key, b int)")
    w.execute("insert into held values (1, 1)")
    raw = Wire(server)
    raw.send("Q", b"begin; update held set b = 2; select pg_sleep(600)\0")

    def sleeping():
        w.execute("select count(*) from pg_stat_activity where query like '%%pg_sleep(600)%%' and pid <> pg_backend_pid()")
        return w.fetchone()[0]

    yield "a statement runs", None if within_patience(sleeping) else "it does not"
    raw.socket.close()
    w.execute("set statement_timeout = '20s'")
    try:
        w.execute("update held set b = b + 1")
        w.execute("select b from held")
        yield "what a lost client held is free, what it wrote is not there", same(w.fetchone(), (2,))
    except psycopg2.Error as e:
        yield "what a lost client held is free, what it wrote is not there", str(e)


def slow_statements(server):
    _, w = connect(server)
    w.execute("create table logged (a int primary key)")
    w.execute("select count(*) from logged where a > -1")
    w.execute("set log_min_duration_statement = 0")
    w.execute("select count(*) from logged where a > -2")
    w.execute("set log_min_duration_statement = -1")
    log = server.output()
    yield "the slow one is logged", None if "a > -2" in log else log[-500:]
    yield "with its plan", None if "logged@logged_pkey" in log else log[-500:]
    yield "and no other", None if "a > -1" not in log else log[-500:]


def late_sync():
    """Acknowledged before the sync: there is nothing to see of it while the server lives, nor soon after when it dies."""
    server = Server()
    _, w = connect(server)
    w.execute("create table late (a int primary key)")
    w.execute("set synchronous_commit = off")
    w.execute("select syncs from rowkey.store")
    before = w.fetchone()[0]
    for i in range(500):
        w.execute("insert into late values (%s)", (i,))
    w.execute("select syncs from rowkey.store")
    syncs = w.fetchone()[0] - before
    yield "commits do not wait for syncs", None if syncs < 250 else f"{syncs} syncs for 500 commits"
    time.sleep(2)
    server.kill()
    server.start()
    _, w = connect(server)
    w.execute("select count(*) from late")
    yield "and are on the disk soon after", same(w.fetchone(), (500,))
    complaints = server.close()
    yield "end", "; ".join(complaints) or None


def run():
    for build in ("build", "build-asan"):
        server = Server(build, options=["--log-level", "info"])
        try:
            for part in (states, idle_timeout, lost_client, slow_statements):
                for name, wrong in part(server):
                    yield f"{build} {part.__name__}: {name}", wrong
        finally:
            complaints = server.close()
        yield f"{build} the server ends in order", "; ".join(complaints) or None
    yield from late_sync()
