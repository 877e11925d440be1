#!/usr/bin/python3
"""Random statements to two servers, rowkey and PostgreSQL: rows, row counts and SQLSTATEs must be the same.

usage: sql_diff.py [first seed] [seeds] [statements a seed] [queries|calls|writes]...

Both servers are the program's own (DIFF_ROWKEY and DIFF_POSTGRES may name others by their DSNs). A seed makes tables with the
same rows on both sides. Only rowkey gets indexes, of every kind: what a query is read by must not show. What differs is printed
with its seed.
"""
import collections
import contextlib
import os
import sys

import psycopg2
import psycopg2.extensions

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import postgres  # noqa: E402
from diff_calls import CallMaker, Calls  # noqa: E402
from diff_dml import CHECK, DmlMaker  # noqa: E402
from diff_queries import ENUM, Maker, literal  # noqa: E402
from server import Server  # noqa: E402

MODES = ("queries", "calls", "writes")
TIMED_OUT, NOT_SUPPORTED, NO_FUNCTION, NO_TYPE = "57014", "0A000", "42883", "42704"


class Side:
    def __init__(self, dsn):
        self.dsn = dsn
        self.open()

    def open(self):
        self.connection = psycopg2.connect(self.dsn, connect_timeout=10)
        self.connection.autocommit = True
        text = psycopg2.extensions.new_type(tuple(range(16, 5000)), "TEXT", lambda v, c: v)
        psycopg2.extensions.register_type(text, self.connection)
        self.run("set statement_timeout = '10s'")

    def run(self, sql):
        """(SQLSTATE or None, rows and their count, or the message)"""
        cursor = self.connection.cursor()
        try:
            cursor.execute(sql)
            return None, cursor.fetchall() if cursor.description else [cursor.statusmessage]
        except psycopg2.Error as e:
            if e.pgcode is None:
                raise
            return e.pgcode, str(e).strip()


def outcome(result, ordered):
    code, rows = result
    return (code, None) if code else (None, rows if ordered else sorted(rows, key=repr))


class Comparison:
    def __init__(self, sides, server):
        self.sides, self.server = sides, server
        self.calls = Calls(sides)
        self.bad = self.good = 0
        self.missing = collections.Counter()

    def differs(self, where, sql, ours, theirs):
        self.bad += 1
        show = lambda result, out: f"{str(out)[:400]} {result[1][:200] if result[0] else len(result[1])}"
        print(f"{where}:\n    {sql}\n  ours:   {show(*ours)}\n  theirs: {show(*theirs)}\n", flush=True)

    def one(self, where, sql, ordered):
        theirs = self.sides[1].run(sql)
        if theirs[0] == TIMED_OUT:
            return
        try:
            ours = self.sides[0].run(sql)
        except psycopg2.Error:
            print(f"{where}: THE SERVER IS GONE\n    {sql}\n", flush=True)
            self.bad += 1
            self.again()
            return
        if ours[0] != theirs[0] and ours[0] in (NOT_SUPPORTED, NO_FUNCTION, NO_TYPE):
            self.missing[ours[1].splitlines()[0]] += 1
        elif outcome(ours, ordered) != outcome(theirs, ordered):
            self.differs(where, sql, (ours, outcome(ours, ordered)), (theirs, outcome(theirs, ordered)))
        else:
            self.good += 1

    def again(self):
        if self.server and self.server.process.poll() is not None:
            self.server.start()
            self.sides[0].dsn = self.server.dsn()
        self.sides[0].open()

    def both(self, sql):
        for side in self.sides:
            code, text = side.run(sql)
            assert not code, f"{text} in {sql}"

    # ---- one seed of each mode ----

    def fill(self, maker):
        self.both("drop table if exists t, u, v, w")
        self.both("drop type if exists mood")
        self.both(ENUM)
        for ddl in maker.ddl():
            self.both(ddl)
        rows = {}
        for table, row in maker.rows():
            rows.setdefault(table, []).append("(" + ", ".join(literal(v) for v in row) + ")")
        for table, texts in rows.items():
            self.both(f"insert into {table} values " + ", ".join(texts))
        for ddl in maker.indexes():
            code, text = self.sides[0].run(ddl)
            if code:
                print(f"   {code} {text} in {ddl}")

    def queries(self, seed, count):
        maker = Maker(seed)
        self.fill(maker)
        for number in range(count):
            self.one(f"queries, seed {seed}, statement {number}", *maker.statement())

    def call(self, seed, count):
        maker = CallMaker(seed, self.calls)
        for number in range(count):
            self.one(f"calls, seed {seed}, statement {number}", maker.statement(), False)

    def writes(self, seed, count):
        maker = DmlMaker(seed)
        for ddl in maker.ddl():
            self.both(ddl)
        for number in range(count):
            before, missing = self.bad, self.missing.total()
            self.one(f"writes, seed {seed}, statement {number}", maker.statement(), False)
            if self.missing.total() > missing:
                break
            if number % 10 == 9 or self.bad > before:
                for sql in CHECK:
                    self.one(f"writes, seed {seed}, after statement {number}", sql, True)
            if self.bad > before:
                break  # what follows would differ by what is stored
        for side in self.sides:
            side.run("rollback")

    def seed(self, mode, seed, count):
        {"queries": self.queries, "calls": self.call, "writes": self.writes}[mode](seed, count)


def main():
    numbers = [int(a) for a in sys.argv[1:] if a.isdigit()]
    first, seeds, count = numbers + [1, 10, 100][len(numbers):]
    modes = [a for a in sys.argv[1:] if not a.isdigit()] or MODES
    with contextlib.ExitStack() as stack:
        ours, theirs = os.environ.get("DIFF_ROWKEY"), os.environ.get("DIFF_POSTGRES")
        if not theirs and not postgres.programs():
            print(f"skipped: no PostgreSQL {postgres.VERSION} on this machine")
            return 0
        server = None if ours else stack.enter_context(Server())
        theirs = theirs or stack.enter_context(postgres.Postgres()).dsn()
        comparison = Comparison([Side(ours or server.dsn()), Side(theirs)], server)
        for seed in range(first, first + seeds):
            for mode in modes:
                comparison.seed(mode, seed, count)
    print(f"{sum(comparison.missing.values())} of what rowkey says that it does not have:")
    for message, count in comparison.missing.most_common():
        print(f"    {count} {message}")
    print(f"{comparison.good} passed, {comparison.bad} failed")
    return 1 if comparison.bad else 0


if __name__ == "__main__":
    sys.exit(main())
