"""pg_dump and pg_restore: what is dumped loads into an empty database and dumps alike; so does PostgreSQL's dump of the same.

regress/dump/schema.sql makes the database; postgres.sql is pg_dump's of PostgreSQL 15 after the same statements.
"""
import difflib
import os
import re
import subprocess
import tempfile

from server import Server

NOT_COMPARED = re.compile(r"^(\\(un)?restrict|-- Dumped )")


def run_client(server, program, *arguments):
    done = subprocess.run([program, "-h", "127.0.0.1", "-p", str(server.port), "-U", "postgres", *arguments], capture_output=True,
                          text=True, timeout=120, env=dict(os.environ, PGOPTIONS="-c client_min_messages=warning"))
    return done.stdout, done.stderr


def load(server, database, path):
    run_client(server, "psql", "-Xqc", f"create database {database}")
    return run_client(server, "psql", "-Xq", "-d", database, "-f", path)[1]


def dump(server, database, *options):
    out, err = run_client(server, "pg_dump", *options, database)
    return [line for line in out.splitlines() if not NOT_COMPARED.match(line)], err


def difference(wanted, got):
    lines = list(difflib.unified_diff(wanted, got, "wanted", "got", lineterm="", n=1))
    return "\n" + "\n".join(lines[:60]) if lines else None


def views_apart(lines):
    """PostgreSQL prints a view's query from its tree, over several lines; here it is as it was written, names qualified.
    Schema public is its creator's."""
    text = "\n".join(lines)
    text = re.sub(r"--\n-- Name: public; Type: SCHEMA.*?OWNER TO \w+;\n\n", "", text, flags=re.S)
    return re.sub(r"(CREATE (MATERIALIZED )?VIEW \S+( \d+\"\.\S+)? AS\n).*?(\n *WITH NO DATA)?;\n", r"\1", text, flags=re.S).splitlines()


def run():
    with Server() as server:
        yield "load", load(server, "first", "regress/dump/schema.sql") or None
        first, err = dump(server, "first")
        if "acldefault" in err:  # privileges, which pg_dump asks for first
            yield "pg_dump", "skipped: acldefault() is missing"
            return
        yield "pg_dump", err or None
        yield from round_trips(server, first)
        yield from of_postgresql(server, first)
        complaints = server.close()
        yield "server", complaints[0] if complaints else None


def round_trips(server, first):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/plain.sql"
        for name, options in (("plain", ()), ("inserts", ("--inserts",)), ("column inserts", ("--column-inserts", "--rows-per-insert=2"))):
            database = "again_" + name.replace(" ", "_")
            lines, err = dump(server, "first", *options)
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(lines) + "\n")
            yield f"{name}: loads", err or load(server, database, path) or None
            yield f"{name}: dumps alike", difference(first, dump(server, database)[0])
        lines, err = dump(server, "first", "-s")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        yield "schema: loads", err or load(server, "again_schema", path) or None
        yield "schema: dumps alike", difference(lines, dump(server, "again_schema", "-s")[0])
        for form in ("c", "d"):
            archive, database = f"{folder}/archive_{form}", f"again_{form}"
            _, err = run_client(server, "pg_dump", f"-F{form}", "-f", archive, "first")
            run_client(server, "psql", "-Xqc", f"create database {database}")
            yield f"-F{form}: restores", err or run_client(server, "pg_restore", "-d", database, archive)[1] or None
            yield f"-F{form}: dumps alike", difference(first, dump(server, database)[0])


def of_postgresql(server, first):
    yield "PostgreSQL's loads", load(server, "other", "regress/dump/postgres.sql") or None
    other, _ = dump(server, "other")
    yield "PostgreSQL's dumps alike", difference(views_apart(first), views_apart(other))
    with open("regress/dump/postgres.sql", encoding="utf-8") as f:
        theirs = [line.rstrip("\n") for line in f if not NOT_COMPARED.match(line)]
    yield "as PostgreSQL's own", difference(views_apart(theirs), views_apart(first))
