"""psycopg 3: server-side parameters in both formats, prepared statements, pipelines, COPY, cursors, asyncio, errors by class."""
import asyncio
import datetime as dt
import decimal
import uuid

import psycopg
from checks import URL, Checks
from psycopg import errors
from psycopg.rows import class_row, dict_row
from psycopg.types.json import Json, Jsonb

c = Checks("psycopg3")
UTC = dt.timezone.utc
VALUES = [
    ("bool", True), ("int2", -5), ("int4", 1 << 30), ("int8", -(1 << 62)), ("float4", 0.5), ("float8", 0.1), ("oid", 4000000000),
    ("numeric", decimal.Decimal("-12345678901234567890.000001")), ("numeric(10,2)", decimal.Decimal("1.50")), ("numeric", decimal.Decimal("NaN")),
    ("text", "gr\u00fc\u00df '\\\n"), ("varchar(40)", "v"), ("char(3)", "ab "), ("name", "n"), ("bytea", b"\x00\xff'"), ("uuid", uuid.UUID(int=77)),
    ("date", dt.date(2024, 2, 29)), ("time", dt.time(23, 59, 59, 999999)), ("timetz", dt.time(1, 2, 3, tzinfo=UTC)),
    ("timestamp", dt.datetime(1999, 12, 31, 1, 2, 3, 4)), ("timestamptz", dt.datetime(2024, 2, 29, 12, 0, tzinfo=UTC)),
    ("interval", dt.timedelta(days=3, seconds=5, microseconds=7)), 
    ("int4[]", [1, None, 3]), ("text[]", ["a", 'q"\\,', None]), ("uuid[]", [uuid.UUID(int=1)]), ("numeric[]", [decimal.Decimal("1.50")]),
    ("int8[]", [[1, 2], [3, 4]]), ("date[]", [dt.date(2024, 1, 1)]), ("bool[]", [True, None]), ("kind", "b"),
]


def values(db):
    db.execute("create type kind as enum ('a', 'b')")
    for number, (kind, value) in enumerate(VALUES):
        db.execute(f"create table v{number} (k int primary key, v {kind})")
        for key, parameter in enumerate(("%s", "%t", "%b")):
            if parameter == "%b" and kind in ("oid", "name", "char(3)", "kind"):
                parameter = "%s"
            db.execute(f"insert into v{number} values (%s, {parameter})", (key, value))
        db.execute(f"insert into v{number} values (9, %s)", (None,))
        for binary in (False, True) if kind != "kind" else (False,):
            rows = [r[0] for r in db.execute(f"select v from v{number} order by k", binary=binary)]
            c.same(f"{kind} there and back, binary={binary}", repr(rows), repr([value] * 3 + [None]))
    for wrapper in (Json, Jsonb):
        for binary in (False, True):
            value = db.cursor(binary=binary).execute("select %s", (wrapper({"a": [1, None, "\u00fc"]}),)).fetchone()[0]
            c.same(f"{wrapper.__name__} there and back, binary={binary}", value, {"a": [1, None, "\u00fc"]})


def statements(db):
    db.execute("create table a (id serial primary key, name text not null unique); create table b (a int references a, t text)")
    with db.cursor(row_factory=dict_row) as cursor:
        c.same("returning", cursor.execute("insert into a (name) values (%s) returning id, name", ("one",)).fetchall(), [{"id": 1, "name": "one"}])
        c.same("row count", cursor.execute("insert into b select %s, x from unnest(%s::text[]) x", (1, ["p", "q"])).rowcount, 2)
        rows = cursor.execute("select a.name, b.t from a left join b on b.a = a.id where a.name = any(%(names)s) order by t", {"names": ["one"]}).fetchall()
        c.same("join, named parameters", [r["t"] for r in rows], ["p", "q"])
    c.same("description", [(d.name, d.type_code, d.internal_size) for d in db.execute("select id, name from a").description],
           [("id", 23, 4), ("name", 25, None)])
    with db.cursor() as cursor:
        cursor.executemany("insert into a (name) values (%s) returning id", [(f"n{i}",) for i in range(300)], returning=True)
        count = 1
        while cursor.nextset():
            count += 1
        c.same("executemany in a pipeline, a result each", count, 300)
    for i in range(8):
        c.same("the same statement, prepared after a few runs", db.execute("select count(*) from a where id > %s", (i,)).fetchone(), (301 - i,))
    c.same("prepared by name", db.execute("select count(*) from pg_prepared_statements").fetchone()[0] > 0, True)
    db.execute("alter table b add column more int default 7")
    for _ in range(8):
        db.execute("select * from b where a = %s", (1,)).fetchall()
    db.execute("deallocate all")


def exceptions(db):
    e = c.raises("unique violation", errors.UniqueViolation, lambda: db.execute("insert into a (name) values ('one')"))
    c.same("its fields", (e.diag.constraint_name, e.diag.table_name, e.diag.schema_name, e.diag.message_detail),
           ("a_name_key", "a", "public", "Key (name)=(one) already exists."))
    c.raises("foreign key violation", errors.ForeignKeyViolation, lambda: db.execute("insert into b values (9999)"))
    e = c.raises("not null violation", errors.NotNullViolation, lambda: db.execute("insert into a (name) values (%s)", (None,)))
    c.same("its column", e.diag.column_name, "name")
    c.raises("division by zero", errors.DivisionByZero, lambda: db.execute("select 1 / %s", (0,)))
    c.raises("unknown table", errors.UndefinedTable, lambda: db.execute("select * from nowhere"))
    e = c.raises("syntax error", errors.SyntaxError, lambda: db.execute("select from where"))
    c.same("its place", e.diag.statement_position, "13")
    c.raises("two statements with a parameter", errors.SyntaxError, lambda: db.execute("select 1; select %s", (1,)))
    c.raises("text out of range", errors.NumericValueOutOfRange, lambda: db.execute("select %s::int2", (70000,)))


def transactions(db):
    with db.transaction() as outer:
        db.execute("delete from b")
        try:
            with db.transaction():
                db.execute("delete from a where id > 1")
                raise KeyError
        except KeyError:
            c.same("inner one rolled back", db.execute("select count(*) from a").fetchone(), (301,))
        c.raises("failed inside", errors.UniqueViolation, lambda: nested_failure(db))
        raise psycopg.Rollback(outer)
    c.same("outer one rolled back", db.execute("select count(*) from b").fetchone(), (2,))
    db.isolation_level, db.read_only, db.deferrable = psycopg.IsolationLevel.SERIALIZABLE, True, True
    with db.transaction():
        c.same("isolation", db.execute("show transaction_isolation").fetchone(), ("serializable",))
    c.raises("read only", errors.ReadOnlySqlTransaction, lambda: read_only(db))
    db.isolation_level = db.read_only = db.deferrable = None


def nested_failure(db):
    with db.transaction():
        db.execute("insert into a (name) values ('one')")


def read_only(db):
    with db.transaction():
        db.execute("delete from b")


def pipelines(db):
    with db.pipeline() as pipe:
        first, second = db.cursor(), db.cursor()
        first.execute("insert into a (name) values (%s) returning name", ("piped",))
        second.execute("select count(*) from a")
        pipe.sync()
        c.same("pipelined", (first.fetchone(), second.fetchone()), (("piped",), (302,)))

    def broken():
        with db.pipeline():
            db.execute("select 1 / 0")
            db.execute("select 1")
    c.raises("an error in a pipeline", errors.DivisionByZero, broken)
    c.same("goes on after it", db.execute("select 1").fetchone(), (1,))


def cursors(db):
    with db.transaction():
        with db.cursor("named") as cursor:
            cursor.itersize = 50
            cursor.execute("select id from a where id > %s order by id", (1,))
            c.same("server cursor streams", sum(1 for _ in cursor), 301)
        with db.cursor("scrolled", scrollable=True) as cursor:
            cursor.execute("select n from generate_series(1, 20) n")
            cursor.scroll(10)
            first = cursor.fetchone()
            cursor.scroll(-3)
            c.same("scroll", (first, cursor.fetchmany(2)), ((11,), [(9,), (10,)]))
    with db.cursor("held", withhold=True) as cursor:
        cursor.execute("select 1 union all select 2")
        c.same("with hold", cursor.fetchall(), [(1,), (2,)])
    c.same("stream", [r[0] for r in db.cursor().stream("select generate_series(1, %s)", (100,))], list(range(1, 101)))

    class Pair:
        def __init__(self, id, name):
            self.id, self.name = id, name
    with db.cursor(row_factory=class_row(Pair)) as cursor:
        c.same("rows as objects", cursor.execute("select id, name from a where id = 1").fetchone().name, "one")


def copies(db):
    with db.cursor() as cursor:
        with cursor.copy("copy a (id, name) from stdin") as copy:
            for i in range(200):
                copy.write_row((1000 + i, f"c{i}\t\\"))
        c.same("COPY in", cursor.rowcount, 200)
        with cursor.copy("copy a (id, name) from stdin (format binary)") as copy:
            copy.set_types(["int4", "text"])
            copy.write_row((2000, "bin"))
        with cursor.copy("copy (select id, name, null from a where id in (1000, 2000) order by id) to stdout") as copy:
            copy.set_types(["int4", "text", "text"])
            c.same("COPY out", list(copy.rows()), [(1000, "c0\t\\", None), (2000, "bin", None)])
        with cursor.copy("copy (select 5, 'x') to stdout (format binary)") as copy:
            copy.set_types(["int4", "text"])
            c.same("binary COPY out", list(copy.rows()), [(5, "x")])
        with cursor.copy("copy (select 5 where false) to stdout (format binary)") as copy:
            c.same("binary COPY out of nothing is one message", [len(piece) for piece in copy], [21])

    def wrong():
        with db.cursor() as cursor, cursor.copy("copy a (id, name) from stdin (format csv)") as copy:
            copy.write("x,y\n")
    c.raises("COPY of a wrong line", errors.InvalidTextRepresentation, wrong)


def sessions(db):
    notices = []
    db.add_notice_handler(lambda d: notices.append((d.sqlstate, d.message_primary)))
    db.execute("drop table if exists nothing_here")
    c.same("notice", notices, [("00000", 'table "nothing_here" does not exist, skipping')])
    db.execute("listen ch")
    with psycopg.connect(URL, autocommit=True) as other:
        other.execute("select pg_notify('ch', %s)", ("hello",))
    c.same("notification", next(db.notifies()).payload, "hello")
    db.execute("set timezone to 'Europe/Berlin'")
    c.same("time zone", (db.info.timezone.key, db.execute("select '2024-07-01 00:00Z'::timestamptz").fetchone()[0].isoformat()),
           ("Europe/Berlin", "2024-07-01T02:00:00+02:00"))
    c.same("status", (db.info.server_version // 10000, db.info.encoding, db.info.transaction_status.name), (15, "utf-8", "IDLE"))
    info = psycopg.types.TypeInfo.fetch(db, "kind")
    c.same("type look-up", (info.name, info.regtype, info.array_oid > 0), ("kind", "kind", True))
    c.same("enum look-up", psycopg.types.enum.EnumInfo.fetch(db, "kind").labels, ["a", "b"])
    tables = db.execute("select table_name from information_schema.tables where table_schema = 'public' and table_name !~ '^v'").fetchall()
    c.same("introspection", sorted(tables), [("a",), ("b",)])


async def asynchronous():
    async with await psycopg.AsyncConnection.connect(URL, autocommit=True) as db:
        async with db.cursor() as cursor:
            await cursor.execute("select n from generate_series(1, 3) n")
            c.same("asynchronous", [row async for row in cursor], [(1,), (2,), (3,)])
        task = asyncio.create_task(db.execute("select pg_sleep(30)"))
        await asyncio.sleep(0.2)
        db.cancel()
        try:
            await task
            c.fail("cancel", "no error")
        except errors.QueryCanceled:
            c.true("cancel", True)
        c.same("goes on after it", await (await db.execute("select 1")).fetchone(), (1,))


def main():
    with psycopg.connect(URL, autocommit=True) as db:
        for part in (values, statements, exceptions, transactions, pipelines, cursors, copies, sessions):
            part(db)
        db.execute("drop table b, a")
        asyncio.run(asynchronous())
        for number in range(len(VALUES)):
            db.execute(f"drop table v{number}")
        c.same("drop", db.execute("select count(*) from information_schema.tables where table_schema = 'public'").fetchone(), (0,))


main()
c.done()
