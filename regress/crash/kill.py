#!/usr/bin/python3
"""Kills the server while sessions of every kind write to it, and looks at what is there afterwards.

usage: kill.py [--rounds N] [--seed N] [--clients N] [--keep]

Each client works on rows and tables of its own, among them slices of tables that all share, and knows what must be there:
every transaction that was acknowledged, none that failed or was rolled back, and the one that was in flight when the
server died wholly or not at all. Values of sequences and of unique_rowid() are never handed out twice, whatever happens.
After every kill `rowkey check` finds nothing. Now and then the server is killed again while it starts.
"""
import argparse
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import psycopg2

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from server import Server  # noqa: E402

SLICE = 10_000_000  # ids of one client in a shared table
SHARED = {
    "shared": "create table shared (id int8 primary key, a int, b text, u text unique, index by_a (a), index by_b (b) storing (a), "
              "index low (lower(b)) where a > 500)",
    "bucketed": "create table bucketed (id int8 primary key using hash with (bucket_count = 8), a int, b text, u text, "
                "index bucketed_a (a) using hash with (bucket_count = 4), family (id, a), family (b, u))",
    "hashed": "create table hashed (id int8, a int, b text, u text, primary key (id hash), unique (u, id))",
}
OWN = "create table {} (id int8 primary key, a int, b text, u text, index (a), unique (u))"


def row(rng):
    return rng.randrange(1000), f"B{rng.randrange(200)}" * rng.choice((1, 1, 1, 40))


def unique(identity):
    return f"u{identity}"


class Model:
    """What a client's tables hold: name -> {id: (a, b)}; and the indexes it has added."""

    def __init__(self, tables=None, indexes=()):
        self.tables = tables if tables is not None else {name: {} for name in SHARED}
        self.indexes = frozenset(indexes)

    def with_rows(self, name, rows):
        return Model({**self.tables, name: rows}, self.indexes)

    def without(self, name):
        return Model({n: r for n, r in self.tables.items() if n != name}, (i for i in self.indexes if i[0] != name))

    def with_index(self, table, index):
        return Model(self.tables, self.indexes | {(table, index)})

    def own(self):
        return [name for name in self.tables if name not in SHARED]


class Client:
    def __init__(self, number, seed):
        self.number, self.rng = number, random.Random(seed * 1000 + number)
        self.model = Model()
        self.after = None  # what the transaction in flight would make of it; None: nothing is in flight
        self.next_id, self.next_table = number * SLICE + 1, 0
        self.sequence_values, self.row_ids = [], []
        self.done = 0
        self.wrong = None

    # ---- pieces of transactions: SQL that runs, and the model behind it ----

    def new_ids(self, count):
        first = self.next_id
        self.next_id += count
        return range(first, first + count)

    def insert(self, cursor, model, table):
        rows = dict(model.tables[table])
        values, arguments = [], []
        for i in self.new_ids(self.rng.choice((1, 1, 2, 5))):
            a, b = rows[i] = row(self.rng)
            values.append("(%s, %s, %s, %s)")
            arguments += [i, a, b, unique(i)]
        cursor.execute(f"insert into {table} (id, a, b, u) values {', '.join(values)}", arguments)
        return model.with_rows(table, rows)

    def some(self, model, table):
        ids = list(model.tables[table])
        return self.rng.choice(ids) if ids else None

    def update(self, cursor, model, table):
        i = self.some(model, table)
        if i is None:
            return model
        a, b = row(self.rng)
        cursor.execute(f"update {table} set a = %s, b = %s where id = %s", (a, b, i))
        return model.with_rows(table, {**model.tables[table], i: (a, b)})

    def move(self, cursor, model, table):
        """The primary key changes: the row moves with all its entries."""
        i = self.some(model, table)
        if i is None:
            return model
        to = self.new_ids(1)[0]
        cursor.execute(f"update {table} set id = %s, u = %s where id = %s", (to, unique(to), i))
        rows = dict(model.tables[table])
        rows[to] = rows.pop(i)
        return model.with_rows(table, rows)

    def delete(self, cursor, model, table):
        i = self.some(model, table)
        if i is None:
            return model
        cursor.execute(f"delete from {table} where id = %s", (i,))
        return model.with_rows(table, {k: v for k, v in model.tables[table].items() if k != i})

    def copy(self, cursor, model, table):
        rows, lines = dict(model.tables[table]), []
        for i in self.new_ids(self.rng.randrange(20, 300)):
            a, b = rows[i] = row(self.rng)
            lines.append(f"{i}\t{a}\t{b}\t{unique(i)}\n")
        cursor.copy_expert(f"copy {table} (id, a, b, u) from stdin", io.StringIO("".join(lines)))
        return model.with_rows(table, rows)

    def change(self, cursor, model):
        table = self.rng.choice(list(model.tables))
        return self.rng.choice((self.insert, self.insert, self.update, self.update, self.move, self.delete))(cursor, model, table)

    # ---- transactions ----

    def run(self, cursor, body, commit=True):
        """BEGIN, what body does, COMMIT. The model counts once COMMIT is on its way."""
        cursor.execute("begin")
        after = body(self.model)
        self.after = after if commit else self.model
        cursor.execute("commit" if commit else "rollback")
        self.model, self.after = self.after, None

    def alone(self, cursor, body):
        """One statement by itself: it may be committed as soon as it is sent."""
        class Early:
            def execute(_, sql, arguments=None):  # the model is made after the call, so the statement waits for it
                self.waiting = lambda: cursor.execute(sql, arguments)

            def copy_expert(_, sql, text):
                self.waiting = lambda: cursor.copy_expert(sql, text)
        self.waiting = None
        after = body(Early(), self.model)
        if self.waiting:
            self.after = after
            self.waiting()
            self.model, self.after = after, None

    def several(self, cursor, commit=True):
        def body(model):
            for n in range(self.rng.randrange(2, 8)):
                if self.rng.random() < 0.15:
                    cursor.execute(f"savepoint s{n}")
                    self.change(cursor, model)
                    cursor.execute(f"rollback to s{n}")
                else:
                    model = self.change(cursor, model)
            return model
        self.run(cursor, body, commit)

    def fails(self, cursor):
        """All but the last row are good: none may be there."""
        taken = self.some(self.model, "shared")
        if taken is None:
            return
        first = self.new_ids(2)
        try:
            self.after = self.model
            cursor.execute("insert into shared (id, a, b, u) values (%s, 1, 'x', %s), (%s, 1, 'x', %s)",
                           (first[0], unique(first[0]), first[1], unique(taken)))
            self.wrong = "a duplicate was accepted"
        except psycopg2.errors.UniqueViolation:
            self.after = None

    def create(self, cursor):
        if len(self.model.own()) > 3:
            return self.drop(cursor)
        name = f"own_{self.number}_{self.next_table}"
        self.next_table += 1

        def body(model):
            cursor.execute(OWN.format(name))
            return self.copy(cursor, model.with_rows(name, {}), name)
        return self.run(cursor, body, self.rng.random() < 0.8)

    def own_table(self):
        own = self.model.own()
        return self.rng.choice(own) if own else None

    def drop(self, cursor):
        name = self.own_table()
        if name:
            self.after = self.model.without(name)
            cursor.execute(f"drop table {name}")
            self.model, self.after = self.after, None

    def truncate(self, cursor):
        name = self.own_table()
        if name:
            self.after = self.model.with_rows(name, {})
            cursor.execute(f"truncate {name}")
            self.model, self.after = self.after, None

    def index(self, cursor):
        name = self.own_table()
        if not name:
            return
        index = f"extra_{name}_{self.next_table}"
        self.next_table += 1
        self.after = self.model.with_index(name, index)
        cursor.execute(f"create index {index} on {name} (b, a desc)")
        self.model, self.after = self.after, None

    def split(self, cursor):
        self.after = self.model
        cursor.execute("alter table shared split at values (%s)", (self.next_id + self.rng.randrange(50),))
        self.after = None

    def numbers(self, cursor):
        cursor.execute("select nextval('counter'), nextval('counter'), unique_rowid()")
        values = cursor.fetchone()
        self.sequence_values += values[:2]
        self.row_ids.append(values[2])
        cursor.execute("insert into hidden (client) select %s from generate_series(1, %s) returning rowid", (self.number, self.rng.choice((1, 500))))
        self.row_ids += [r[0] for r in cursor.fetchall()]

    def step(self, cursor):
        chance = self.rng.random()
        if chance < 0.45:
            self.alone(cursor, self.change)
        elif chance < 0.70:
            self.several(cursor)
        elif chance < 0.75:
            self.several(cursor, commit=False)
        elif chance < 0.80:
            self.fails(cursor)
        elif chance < 0.85:
            self.alone(cursor, lambda c, m: self.copy(c, m, self.rng.choice(list(m.tables))))
        elif chance < 0.92:
            self.numbers(cursor)
        else:
            self.rng.choice((self.create, self.create, self.drop, self.truncate, self.index, self.split))(cursor)
        self.done += 1

    def work(self, server):
        """Until the server is gone. A conflict with another session's DDL is rolled back and forgotten."""
        try:
            connection = psycopg2.connect(server.dsn())
            connection.autocommit = True
            cursor = connection.cursor()
        except psycopg2.OperationalError:
            return
        while not self.wrong:
            try:
                self.step(cursor)
            except psycopg2.Error as e:
                if connection.closed or e.pgcode is None or e.pgcode.startswith("57P"):
                    return
                if e.pgcode == "08007":
                    self.wrong = f"an outcome was not known: {e}"
                elif e.pgcode not in ("40001", "40P01"):
                    self.wrong = f"{e.pgcode}: {e}"
                self.after = None
                cursor.execute("rollback")

    # ---- afterwards ----

    def read(self, cursor):
        """What is there, as a Model."""
        cursor.execute("select relname from pg_class where relkind = 'r' and relname like %s", (f"own\\_{self.number}\\_%",))
        names = list(SHARED) + [r[0] for r in cursor.fetchall()]
        tables = {}
        for name in names:
            bounds = (self.number * SLICE, (self.number + 1) * SLICE)
            cursor.execute(f"select id, a, b, u from {name} where id >= %s and id < %s", bounds)
            rows = cursor.fetchall()
            if any(r[3] != unique(r[0]) for r in rows):
                raise RuntimeError(f"{name}: a row has another's unique value")
            tables[name] = {r[0]: (r[1], r[2]) for r in rows}
        cursor.execute("select tablename, indexname from pg_indexes where indexname like %s", (f"extra\\_own\\_{self.number}\\_%",))
        return Model(tables, {(r[0], r[1]) for r in cursor.fetchall()})

    def verify(self, cursor):
        """None, or what is wrong. Afterwards the model is what is there."""
        found = self.read(cursor)
        for expected in (self.model, self.after):
            if expected and found.tables == expected.tables and found.indexes == expected.indexes:
                self.model, self.after = found, None
                return self.wrong
        return self.wrong or f"client {self.number}: " + self.difference(found)

    def difference(self, found):
        lines = []
        for which, model in (("acknowledged", self.model), ("in flight", self.after)):
            if not model:
                continue
            for name in sorted(set(model.tables) | set(found.tables)):
                wanted, there = model.tables.get(name), found.tables.get(name)
                if wanted is None or there is None:
                    lines.append(f"{which}: table {name} " + ("should not be there" if wanted is None else "is gone"))
                elif wanted != there:
                    lost, extra = sorted(set(wanted) - set(there)), sorted(set(there) - set(wanted))
                    other = [i for i in wanted if i in there and wanted[i] != there[i]]
                    lines.append(f"{which}: {name}: {len(lost)} rows lost {lost[:3]}, {len(extra)} too many {extra[:3]}, {len(other)} changed {other[:3]}")
            if model.indexes != found.indexes:
                lines.append(f"{which}: indexes {sorted(model.indexes ^ found.indexes)[:3]} differ")
        return "; ".join(lines)


def check_offline(server):
    done = subprocess.run([f"{server.build}/rowkey", "check", server.data], capture_output=True, text=True, timeout=120)
    return None if done.returncode == 0 else f"rowkey check: {done.stdout[-1500:]}{done.stderr[-500:]}"


def killed_while_starting(server, rng):
    """Recovery is killed, too."""
    process = subprocess.Popen([f"{server.build}/rowkey", "serve", "--data", server.data, "--listen", "127.0.0.1:0"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.random() * 0.1)
    process.kill()
    process.wait()


def handed_out_twice(clients):
    for what in ("sequence_values", "row_ids"):
        values = [v for c in clients for v in getattr(c, what)]
        if len(values) != len(set(values)):
            return f"{what}: {len(values) - len(set(values))} were handed out twice"
        for c in clients:
            own = getattr(c, what)
            if any(a >= b for a, b in zip(own, own[1:])):
                return f"{what}: client {c.number} was given a smaller one after a greater one"
    return None


def verify(server, clients):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    for c in clients:
        wrong = c.verify(cursor)
        if wrong:
            return wrong
    cursor.execute("select * from rowkey.check()")
    findings = cursor.fetchall()
    connection.close()
    return f"rowkey.check(): {findings[:5]}" if findings else handed_out_twice(clients)


def rounds(count, seed=1, clients_count=8, build="build", load_seconds=(0.2, 1.0)):
    """Yields (name, None or what is wrong) per round; ends at the first that is wrong, and keeps the store then."""
    rng = random.Random(seed)
    data = tempfile.mkdtemp(prefix="rowkey-kill-")
    server = Server(build=build, data=data)
    cursor = psycopg2.connect(server.dsn()).cursor()
    for statement in (*SHARED.values(), "create sequence counter", "create table hidden (client int)"):
        cursor.execute(statement)
    cursor.connection.commit()
    cursor.connection.close()
    clients = [Client(n, seed) for n in range(clients_count)]
    wrong = None
    for number in range(1, count + 1):
        threads = [threading.Thread(target=c.work, args=(server,)) for c in clients]
        for t in threads:
            t.start()
        time.sleep(rng.uniform(*load_seconds))
        server.kill()
        for t in threads:
            t.join()
        if rng.random() < 0.3:
            killed_while_starting(server, rng)
        wrong = check_offline(server) if rng.random() < 0.5 else None
        if not wrong:
            server.start()
            wrong = verify(server, clients)
        yield f"kill -9 number {number}, {sum(c.done for c in clients)} transactions", wrong and f"{wrong} (seed {seed}, store {data})"
        if wrong:
            break
    if server.process.poll() is None:
        yield "server", (server.close() or [None])[0]
        wrong = wrong or check_offline(server)
        yield "check at the end", wrong
    if not wrong:
        shutil.rmtree(data, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--clients", type=int, default=8)
    options = parser.parse_args()
    os.chdir(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    started, failed = time.monotonic(), 0
    for name, wrong in rounds(options.rounds, options.seed, options.clients):
        failed += wrong is not None
        print(f"{time.monotonic() - started:7.1f} s  {'FAIL' if wrong else 'ok'} {name}{': ' + wrong if wrong else ''}", flush=True)
    print(f"seed {options.seed}: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
