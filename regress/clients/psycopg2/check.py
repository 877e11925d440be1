"""psycopg2: parametrised statements, types there and back, transactions, errors by class, COPY, cursors, many rows at once."""
import datetime
import decimal
import io
import os
import uuid

import psycopg2
import psycopg2.errors
import psycopg2.extras

checks = 0


def same(name, got, wanted):
    global checks
    checks += 1
    if got != wanted:
        raise SystemExit(f"FAIL psycopg2: {name}: got {got!r}, wanted {wanted!r}")


def raises(name, kind, run):
    global checks
    checks += 1
    try:
        run()
    except kind:
        return
    raise SystemExit(f"FAIL psycopg2: {name}: no {kind.__name__}")


db = psycopg2.connect(os.environ["PGURL"])
psycopg2.extras.register_uuid(conn_or_curs=db)
cur = db.cursor()
cur.execute("drop table if exists py_t")
cur.execute("""create table py_t (id serial primary key, i int, n numeric(12,4), f float8, s text, b bytea, u uuid, d date,
               ts timestamptz, iv interval, j jsonb, t bool)""")
row = (7, decimal.Decimal("12.3400"), 0.1, "gr\u00fc\u00df ' \\ \n", b"\x00\xff", uuid.UUID(int=5), datetime.date(2024, 2, 29),
       datetime.datetime(2024, 2, 29, 12, 0, 0, 123456, tzinfo=datetime.timezone.utc), datetime.timedelta(days=1, seconds=2), {"a": [1, None]}, True)
cur.execute("insert into py_t (i, n, f, s, b, u, d, ts, iv, j, t) values (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s) returning id",
            row[:9] + (psycopg2.extras.Json(row[9]), row[10]))
(first,) = cur.fetchone()
cur.execute("select i, n, f, s, b, u, d, ts, iv, j, t from py_t where id = %s", (first,))
got = cur.fetchone()
same("values there and back", got[:4] + (bytes(got[4]),) + got[5:], row)
cur.execute("insert into py_t (i) values (%s) returning s, b", (None,))
same("NULLs", cur.fetchone(), (None, None))
db.commit()
cur.execute("insert into py_t (i) values (1)")
db.rollback()
cur.execute("select count(*) from py_t")
same("rollback", cur.fetchone(), (2,))
raises("unique violation", psycopg2.errors.UniqueViolation, lambda: cur.execute("insert into py_t (id) values (%s)", (first,)))
db.rollback()
raises("unknown table", psycopg2.errors.UndefinedTable, lambda: cur.execute("select * from py_nope"))
db.rollback()
raises("division by zero", psycopg2.errors.DivisionByZero, lambda: cur.execute("select 1/0"))
db.rollback()
psycopg2.extras.execute_values(cur, "insert into py_t (i, s) values %s", [(i, f"r{i}") for i in range(500)])
cur.execute("select count(*), sum(i) from py_t where s like 'r%%'")
same("execute_values", cur.fetchone(), (500, 124750))
cur.copy_from(io.StringIO("1001\tx\n1002\t\\N\n"), "py_t", columns=("i", "s"))
out = io.StringIO()
cur.copy_expert("copy (select i, s from py_t where i > 1000 order by i) to stdout with csv", out)
same("copy", out.getvalue(), "1001,x\n1002,\n")
named = db.cursor("py_cursor")
named.itersize = 100
named.execute("select i from py_t where s like 'r%' order by i")
same("named cursor", [r[0] for r in named], list(range(500)))
named.close()
cur.execute("savepoint s")
raises("bad text", psycopg2.errors.InvalidTextRepresentation, lambda: cur.execute("select 'x'::int"))
cur.execute("rollback to savepoint s")
cur.execute("select 1")
same("goes on after a savepoint", cur.fetchone(), (1,))
cur.execute("select array[1,2,null], 'a' = any(%s)", (["a", "b"],))
same("arrays", cur.fetchone(), ([1, 2, None], True))
db.commit()
cur.execute("drop table py_t")
db.commit()
print(f"OK psycopg2 {checks}")
