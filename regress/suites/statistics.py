"""ANALYZE by itself: which tables are analyzed after changes and which are not, and that nobody is disturbed by it."""
import threading

import psycopg2

from server import Server, wait_until

RECORD = """select last_autoanalyze is not null, last_analyze is not null, analyze_count, autoanalyze_count, n_mod_since_analyze
            from pg_stat_user_tables where relname = '{}'"""


class Client:
    def __init__(self, server):
        self.connection = psycopg2.connect(server.dsn())
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()

    def rows(self, sql):
        self.cursor.execute(sql)
        return self.cursor.fetchall() if self.cursor.description else None

    def record(self, table):
        return self.rows(RECORD.format(table))[0]

    def wait_for(self, table, count):
        wait_until(lambda: self.record(table)[3] >= count, 30)
        return self.record(table)


def look_often(c):
    c.rows("set cluster setting sql.stats.automatic_collection.interval = '50ms'")


def settings(c):
    shown = [c.rows(f"show cluster setting {name}")[0][0] for name in
             ("sql.stats.automatic_collection.enabled", "autovacuum_analyze_threshold", "autovacuum_analyze_scale_factor",
              "autovacuum_naptime")]
    # Booleans are shown by the server as it shows any setting.
    return None if [str(s) for s in shown[1:]] == ["50", "0.1", "10s"] else str(shown)


def large_changes(c):
    """A table is analyzed once more than 50 rows have changed, and then when more than 50 and a tenth have."""
    c.rows("create table grown (id int primary key, kind int)")
    c.rows("create table small (id int primary key)")
    c.rows("insert into small select generate_series(1, 50)")
    c.rows("insert into grown select g, g % 4 from generate_series(1, 2000) g")
    if c.wait_for("grown", 1) != (True, False, 0, 1, 0):
        return f"after the first rows: {c.record('grown')}"
    distinct = c.rows("select n_distinct from pg_stats where tablename = 'grown' and attname = 'kind'")
    if distinct != [(4.0,)]:
        return f"statistics: {distinct}"
    c.rows("update grown set kind = 5 where id <= 250")
    c.rows("create table other (id int primary key)")
    c.rows("insert into other select generate_series(1, 51)")
    c.wait_for("other", 1)
    if c.record("grown") != (True, False, 0, 1, 250):
        return f"250 of 2,000 rows changed: {c.record('grown')}"
    c.rows("delete from grown where id > 1999")
    if c.wait_for("grown", 2)[4] != 0:
        return f"251 changed: {c.record('grown')}"
    return None if c.record("small") == (False, False, 0, 0, 50) else f"50 rows of a new table: {c.record('small')}"


def by_hand(c):
    c.rows("create table manual (id int primary key)")
    c.rows("insert into manual select generate_series(1, 40)")
    c.rows("analyze manual")
    return None if c.record("manual") == (False, True, 1, 0, 0) else str(c.record("manual"))


def switched_off(c):
    c.rows("set cluster setting sql.stats.automatic_collection.enabled = false")
    c.rows("create table quiet (id int primary key)")
    c.rows("insert into quiet select generate_series(1, 500)")
    c.rows("select pg_sleep(0.5)")
    seen = c.record("quiet")
    c.rows("set cluster setting sql.stats.automatic_collection.enabled = true")
    if seen[3] != 0:
        return f"analyzed though it is off: {seen}"
    return None if c.wait_for("quiet", 1)[3] == 1 else "not analyzed after it was switched on"


def nobody_is_disturbed(server, c):
    """Transactions that write, change a table's columns or make tables commit while their tables are analyzed again and again."""
    c.rows("set cluster setting sql.stats.automatic_collection.min_stale_rows = 0")
    c.rows("set cluster setting sql.stats.automatic_collection.fraction_stale_rows = 0")
    c.rows("create table busy (id int primary key, v int)")
    a, b = Client(server), Client(server)
    for i in range(30):
        a.rows("begin")
        a.rows(f"insert into busy select {i} * 100 + g, g from generate_series(1, 100) g")
        b.rows("begin")
        b.rows(f"create table made_{i} (id int primary key)")
        b.rows(f"insert into made_{i} select generate_series(1, 100)")
        c.rows("select pg_sleep(0.02)")
        a.rows(f"update busy set v = v + 1 where id = {i} * 100 + 1")
        a.rows("commit")
        b.rows("commit")
        b.rows(f"alter table busy add column c{i} int")
    c.wait_for("busy", 1)
    count = c.rows("select count(*) from busy")[0][0]
    return None if count == 3000 else f"{count} rows"


def executed_beside(server):
    """A statement that is executed while its tables are analyzed is planned again, and its columns stay what they were."""
    c, other = Client(server), Client(server)
    c.rows("create table beside (id int primary key, f int, e int)")
    c.rows("insert into beside select i, i % 7, i from generate_series(1, 50) as g(i)")
    ended = threading.Event()

    def analyze():
        while not ended.is_set():
            other.rows("analyze beside")

    thread = threading.Thread(target=analyze)
    thread.start()
    try:
        for _ in range(1500):
            c.rows("prepare q (int) as select distinct on (f) id, f, 'x' as t from beside where $1 >= f or e > 20 order by f, id")
            rows = c.rows("execute q (9)")
            if rows != [(7 if f == 0 else f, f, "x") for f in range(7)]:
                return str(rows)
            c.rows("deallocate q")
    finally:
        ended.set()
        thread.join()
    return None


def run():
    with Server(auto_analyze=True) as server:
        c = Client(server)
        yield "settings", settings(c)
        look_often(c)
        yield "large changes", large_changes(c)
        yield "by hand", by_hand(c)
        yield "switched off", switched_off(c)
        yield "nobody is disturbed", nobody_is_disturbed(server, c)
        yield "executed beside", executed_beside(server)
        complaints = server.close()
        yield "server", complaints[0] if complaints else None
