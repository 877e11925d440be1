"""Temporary tables over the life of sessions and servers: gone at the disconnect, at pg_terminate_backend, after a crash."""
import psycopg2

from server import Server, wait_until


def connect(server):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    return connection


def left(server):
    """What temporary objects the catalog has, and what the store's check finds."""
    with connect(server) as connection:
        cursor = connection.cursor()
        cursor.execute("select nspname from pg_namespace where nspname like 'pg_temp%' union all "
                       "select relname from pg_class where relpersistence = 't'")
        names = [row[0] for row in cursor.fetchall()]
        cursor.execute("select * from rowkey.check()")
        return names + cursor.fetchall()


def fill(connection):
    cursor = connection.cursor()
    cursor.execute("create temp table t (a serial primary key, b text unique)")
    cursor.execute("insert into t (b) select 'x' || i from generate_series(1, 100) i")
    cursor.execute("create temp view v as select count(*) from t")
    cursor.execute("select * from v")
    return cursor.fetchone()[0]


def gone(server, what):
    return None if wait_until(lambda: not left(server)) else f"{what}: {left(server)}"


def run():
    server = Server()
    try:
        sessions = [connect(server) for _ in range(5)]
        counts = [fill(session) for session in sessions]
        yield "five sessions, one name", None if counts == [100] * 5 else str(counts)
        for session in sessions[1:]:
            session.close()
        cursor = sessions[0].cursor()
        cursor.execute("select count(*) from t")
        yield "others' ends change nothing", None if cursor.fetchone()[0] == 100 else "rows are missing"
        sessions[0].close()
        yield "gone at the disconnect", gone(server, "left")

        in_block = psycopg2.connect(server.dsn())
        fill(in_block)
        in_block.close()
        yield "never committed", gone(server, "left")

        ended = connect(server)
        fill(ended)
        with connect(server) as other:
            other.cursor().execute("select pg_terminate_backend(%s)", (ended.get_backend_pid(),))
        yield "gone when the session was terminated", gone(server, "left")

        crashed = connect(server)
        fill(crashed)
        server.kill()
        server.start()
        yield "gone after a crash", gone(server, "left")
        again = connect(server)
        yield "and made again", None if fill(again) == 100 else "rows are missing"
        again.close()
    finally:
        complaints = server.close()
    yield "server", complaints[0] if complaints else None
