#!/usr/bin/python3
"""Fills in the answers of an sqllogictest file from a running server, for writing tests with PostgreSQL as the oracle.

usage: slt_fill.py DSN FILE...     rewrites each `query` record's values, and `statement error`'s SQLSTATE, in place.
A file is run in the database that the DSN names, which should be empty.
"""
import os
import re
import sys

import psycopg2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import slt  # noqa: E402


class Target:
    def __init__(self, dsn):
        self.text = dsn

    def dsn(self, _database):
        return self.text


def fill(dsn, path):
    runner = slt.Runner(Target(dsn), "")
    out = []
    with open(path, encoding="utf-8") as f:
        comments = [line.rstrip("\n") for line in f]
    at = 0
    for start, block in slt.parse(path):
        out += comments[at:start - 1]
        at = start - 1 + len(block)
        head = block[0].split()
        end = block.index("----") if "----" in block else len(block)
        cursor = runner.connection.cursor()
        if head[0] in ("user", "hide", "mask"):
            runner.run(block)
        elif head[0] in ("query", "statement"):
            try:
                cursor.execute("\n".join(block[1:end]))
                if head[0] == "query":
                    types = head[1] if len(head) > 1 else "T" * len(cursor.description)
                    rows = [" ".join(slt.show(v, t) for v, t in zip(row, types)) for row in (runner.veil(cursor.description, r) for r in cursor.fetchall())]
                    block = block[:end] + ["----"] + (sorted(rows) if head[2:3] == ["rowsort"] else rows)
                elif head[1] == "error":
                    print(f"{path}:{start}: succeeded: {block[1]}")
            except psycopg2.Error as e:
                if head[0] == "query" or head[1] == "ok":
                    print(f"{path}:{start}: {e.pgcode} {str(e).strip()} in {block[1]}")
                if len(head) < 3 or not re.search(" ".join(head[2:]), f"{e.pgcode}: {str(e).strip()}"):
                    block = [f"statement error {e.pgcode}"] + block[1:end]
        out += block
    out += comments[at:]
    runner.close()
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        fill(sys.argv[1], name)
