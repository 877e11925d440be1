"""asyncpg: binary values of every type both ways, prepared statements, portals, pipelined batches, COPY, errors by class."""
import asyncio
import datetime as dt
import decimal
import io
import uuid

import asyncpg
from checks import URL, Checks

c = Checks("asyncpg")
UTC = dt.timezone.utc
VALUES = [
    ("bool", True), ("int2", -5), ("int4", 1 << 30), ("int8", -(1 << 62)), ("float4", 0.5), ("float8", 0.1), ("oid", 4000000000),
    ("numeric", decimal.Decimal("-12345678901234567890.000001")), ("text", "gr\u00fc\u00df '\\\n"), ("varchar(40)", "v"), ("name", "n"),
    ("bytea", b"\x00\xff'"), ("uuid", uuid.UUID(int=77)), ("date", dt.date(2024, 2, 29)), ("time", dt.time(23, 59, 59, 999999)),
    ("timestamp", dt.datetime(1999, 12, 31, 1, 2, 3, 4)), ("timestamptz", dt.datetime(2024, 2, 29, 12, 0, tzinfo=UTC)),
    ("interval", dt.timedelta(days=3, seconds=5, microseconds=7)), ("jsonb", '{"a": [1, null]}'), ("json", '{"b":2}'),
    ("int4[]", [1, None, 3]), ("text[]", ["a", 'q"\\,', None]), ("uuid[]", [uuid.UUID(int=1)]), ("numeric[]", [decimal.Decimal("1.50")]),
    ("int8[]", [[1, 2], [3, 4]]), ("timestamptz[]", [dt.datetime(2024, 1, 1, tzinfo=UTC)]), ("kind", "b"),
]


async def raises(name, kind, work):
    try:
        await work
    except kind as e:
        c.true(name, True)
        return e
    c.fail(name, f"no {kind.__name__}")


async def values(db):
    for kind, value in VALUES:
        c.same(f"{kind} there and back", await db.fetchval(f"select $1::{kind}", value), value)
        c.same(f"{kind} NULL", await db.fetchval(f"select $1::{kind}", None), None)
        name = "v_" + "".join(ch if ch.isalnum() else "_" for ch in kind)
        await db.execute(f"create table {name} (k int primary key, v {kind})")
        await db.execute(f"insert into {name} values (1, $1)", value)
        c.same(f"{kind} stored", await db.fetchval(f"select v from {name} where k = $1", 1), value)


async def statements(db):
    await db.execute("create table a (id serial primary key, name text not null unique); create table b (a int references a, t text)")
    row = await db.fetchrow("insert into a (name) values ($1) returning id, name", "one")
    c.same("returning", tuple(row), (1, "one"))
    e = await raises("unique violation", asyncpg.UniqueViolationError, db.execute("insert into a (name) values ($1)", "one"))
    c.same("its constraint", (e.constraint_name, e.table_name, e.schema_name), ("a_name_key", "a", "public"))
    await raises("foreign key violation", asyncpg.ForeignKeyViolationError, db.execute("insert into b values (99)"))
    await raises("not null violation", asyncpg.NotNullViolationError, db.execute("insert into a (name) values ($1)", None))
    await raises("unknown type while preparing", asyncpg.UndefinedObjectError, db.fetch("select '1'::nosuchtype"))
    await raises("unknown table while preparing", asyncpg.UndefinedTableError, db.fetch("select * from nowhere"))
    await db.executemany("insert into a (name) values ($1)", [(f"n{i}",) for i in range(300)])
    c.same("executemany", await db.fetchval("select count(*) from a"), 301)
    await raises("executemany fails whole", asyncpg.UniqueViolationError, db.executemany("insert into a (name) values ($1)", [("x",), ("one",)]))
    c.same("nothing of it stays", await db.fetchval("select count(*) from a where name = 'x'"), 0)
    statement = await db.prepare("select a.name, b.t from a left join b on b.a = a.id where a.name = any($1) and a.id < $2 limit $3")
    c.same("inferred parameters", [p.name for p in statement.get_parameters()], ["text[]", "int4", "int8"])
    c.same("described columns", [(p.name, p.type.name) for p in statement.get_attributes()], [("name", "text"), ("t", "text")])
    c.same("join", [tuple(r) for r in await statement.fetch(["one"], 100, 10)], [("one", None)])


async def transactions(db):
    try:
        async with db.transaction():
            await db.execute("delete from a where id > 1")
            async with db.transaction():
                await db.execute("insert into a (name) values ('inner')")
            raise KeyError
    except KeyError:
        c.same("rollback", await db.fetchval("select count(*) from a"), 301)
    async with db.transaction(isolation="repeatable_read", readonly=True):
        await raises("read only", asyncpg.ReadOnlySQLTransactionError, db.execute("delete from b"))
    async with db.transaction():
        seen = [r["id"] async for r in db.cursor("select id from a order by id", prefetch=7)]
        c.same("cursor by portals", len(seen), 301)
        cursor = await db.cursor("select generate_series(1, 10)")
        c.same("forward", await cursor.forward(4), 4)
        c.same("fetch after it", [r[0] for r in await cursor.fetch(2)], [5, 6])


async def copies(db):
    rows = [(1000 + i, f"c{i}") for i in range(200)]
    c.same("binary COPY in", await db.copy_records_to_table("a", records=rows, columns=["id", "name"]), "COPY 200")
    out = io.BytesIO()
    await db.copy_from_query("select id, name from a where id between 1000 and 1001 order by id", output=out, format="csv")
    c.same("COPY out", out.getvalue(), b"1000,c0\n1001,c1\n")
    await raises("COPY of a wrong line", asyncpg.PostgresError, db.copy_to_table("a", source=io.BytesIO(b"x,y\n"), format="csv"))
    c.same("goes on after it", await db.fetchval("select 1"), 1)


async def sessions(db):
    got = asyncio.get_running_loop().create_future()
    await db.add_listener("ch", lambda _db, _pid, channel, payload: got.set_result((channel, payload)))
    await db.execute("notify ch, 'hello'")
    c.same("notification", await asyncio.wait_for(got, 10), ("ch", "hello"))
    await raises("time-out cancels", asyncio.TimeoutError, db.fetch("select pg_sleep(30)", timeout=0.2))
    c.same("goes on after a cancel", await db.fetchval("select 2"), 2)
    await db.execute("set timezone to 'Europe/Berlin'")
    c.same("settings are reported", db.get_settings().TimeZone, "Europe/Berlin")
    await db.reset()


async def main():
    db = await asyncpg.connect(URL)
    c.same("server version", db.get_server_version().major, 15)
    await db.execute("create type kind as enum ('a', 'b')")
    for part in (values, statements, transactions, copies, sessions):
        await part(db)
    await db.execute("drop table b, a")
    await db.close()


asyncio.run(asyncio.wait_for(main(), 100))
c.done()
