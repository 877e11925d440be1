"""Runs sqllogictest files through psycopg2.

    statement ok | statement error [REGEX]      + SQL
    query [TYPES] [nosort|rowsort|valuesort] [label]  + SQL, ----, values (one a line, or a row a line in columns)
    user NAME      switches to that session (opened when first named): interleaved sessions
    sleep SECONDS
    hide COLUMN...              from here on, values of columns so named are shown as *: ids that depend on what ran before
    mask REGEX REPLACEMENT      from here on, in every value

TYPES: I integer, R three decimals, T text. NULL is NULL, the empty string (empty), booleans 1 and 0 in typed columns.
With one T column, lines are compared as they are, so that EXPLAIN's trees and texts with blanks can be written down.
"""
import hashlib
import re
import time

import psycopg2
import psycopg2.extensions


class Mismatch(Exception):
    pass


def parse(path):
    block, start = [], 0
    with open(path, encoding="utf-8") as f:
        lines = [line.rstrip("\n") for line in f] + [""]
    for number, line in enumerate(lines, 1):
        if line.startswith("#") and not block:
            continue
        if line.strip():
            if not block:
                start = number
            block.append(line)
        elif block:
            yield start, block
            block = []


def show(value, kind):
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value)) if kind in "IR" else ("t" if value else "f")
    if kind == "I":
        return str(int(float(value)))
    if kind == "R":
        return f"{float(value):.3f}"
    text = str(value)
    return text if text else "(empty)"


class Runner:
    def __init__(self, server, database):
        self.server, self.database, self.sessions = server, database, {}
        self.hidden, self.masks = set(), []
        self.use("main")

    def use(self, name):
        if name not in self.sessions:
            connection = psycopg2.connect(self.server.dsn(self.database))
            connection.autocommit = True
            # Texts as the server sends them: no conversion may hide what is compared.
            text = psycopg2.extensions.new_type(tuple(range(16, 5000)), "TEXT", lambda v, c: v)
            psycopg2.extensions.register_type(text, connection)
            self.sessions[name] = connection
        self.connection = self.sessions[name]

    def close(self):
        for connection in self.sessions.values():
            connection.close()

    def statement(self, head, sql):
        cursor = self.connection.cursor()
        try:
            cursor.execute(sql)
        except psycopg2.Error as e:
            text = f"{e.pgcode}: {str(e).strip()}"
            if head[1] != "error":
                raise Mismatch(text) from None
            if len(head) > 2 and not re.search(" ".join(head[2:]), text):
                raise Mismatch(f"wanted error {' '.join(head[2:])}, got {text}") from None
            return
        if head[1] == "error":
            raise Mismatch("succeeded, an error was wanted")

    def query(self, head, sql, wanted):
        cursor = self.connection.cursor()
        try:
            cursor.execute(sql)
        except psycopg2.Error as e:
            raise Mismatch(f"{e.pgcode}: {str(e).strip()}") from None
        rows = [self.veil(cursor.description, row) for row in cursor.fetchall()]
        types = head[1] if len(head) > 1 and re.fullmatch("[IRT]+", head[1]) else "T" * len(cursor.description)
        sort = head[2] if len(head) > 2 else "nosort"
        if len(types) != len(cursor.description):
            raise Mismatch(f"{len(cursor.description)} columns, {len(types)} wanted")
        shown = [[show(v, t if t != "T" or not isinstance(v, str) else "T") for v, t in zip(row, types)] for row in rows]
        if sort == "rowsort":
            shown.sort()
        values = [v for row in shown for v in row]
        if sort == "valuesort":
            values.sort()
        m = re.fullmatch(r"(\d+) values hashing to ([0-9a-f]{32})", wanted[0]) if wanted else None
        if m:
            digest = hashlib.md5("".join(v + "\n" for v in values).encode()).hexdigest()
            if (len(values), digest) != (int(m.group(1)), m.group(2)):
                raise Mismatch(f"{len(values)} values hashing to {digest}, wanted {wanted[0]}")
            return
        if values == wanted or [" ".join(row) for row in shown] == wanted:
            return
        got = "\n".join("      " + " ".join(row) for row in shown)
        raise Mismatch(f"got\n{got}\n    wanted\n" + "\n".join("      " + w for w in wanted))

    def veil(self, description, row):
        row = ["*" if column.name in self.hidden and value is not None else value for column, value in zip(description, row)]
        for regex, replacement in self.masks:
            row = [re.sub(regex, replacement, value) if isinstance(value, str) else value for value in row]
        return row

    def run(self, block):
        head = block[0].split()
        if head[0] == "user":
            self.use(head[1])
        elif head[0] == "sleep":
            time.sleep(float(head[1]))
        elif head[0] == "hide":
            self.hidden.update(head[1:])
        elif head[0] == "mask":
            self.masks.append((head[1], head[2]))
        elif head[0] == "statement":
            self.statement(head, "\n".join(block[1:]))
        elif head[0] == "query":
            at = block.index("----") if "----" in block else len(block)
            self.query(head, "\n".join(block[1:at]), block[at + 1:])
        elif head[0] not in ("hash-threshold", "halt"):
            raise Mismatch(f"unknown record {block[0]!r}")


def check_store(connection):
    """Whatever a file did, what it leaves behind is consistent. None, or what rowkey.check() found."""
    cursor = connection.cursor()
    cursor.execute("select * from rowkey.check()")
    findings = cursor.fetchall()
    return f"the store is not whole: {findings[:5]}" if findings else None


def run_file(server, path):
    """None, or the first mismatch; then the store is checked."""
    database = "slt_" + re.sub(r"\W", "_", path)[-50:].lower()
    admin = psycopg2.connect(server.dsn())
    admin.autocommit = True
    admin.cursor().execute(f"create database {database}")
    runner = Runner(server, database)
    try:
        for line, block in parse(path):
            try:
                runner.run(block)
            except Mismatch as e:
                sql = " ".join(block[1:3])[:200]
                return f"line {line}: {e}\n    {sql}"
        return check_store(admin)
    finally:
        runner.close()
        admin.cursor().execute(f"drop database {database}")
        admin.close()
