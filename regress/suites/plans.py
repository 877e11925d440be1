"""Plans against each other: what an index is read for must be what a full scan finds (regress/fuzz/plan_diff.py)."""
import os
import subprocess

import psycopg2

from server import Server

TABLES_A_RUN, RUNS = 30, 6


def formats(server):
    """EXPLAIN's forms for programs: what a plan viewer reads."""
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("create table formats (id int primary key, v int)")
    cursor.execute("insert into formats values (1, 2), (2, 3)")
    cursor.execute("explain (analyze, format json) select * from formats where id = 2")
    plan = cursor.fetchall()[0][0][0]["Plan"]
    seen = [plan[key] for key in ("Node Type", "Relation Name", "Index Name", "Actual Rows", "Spans")]
    yield "json", None if seen == ["Index Scan", "formats", "formats_pkey", 1, "[/2 - /2]"] else str(plan)
    cursor.execute("explain (format yaml) select * from formats where v = 2 order by id limit 1")
    text = cursor.fetchall()[0][0]
    wanted = '- Plan: \n    Node Type: "Limit"\n'
    yield "yaml", None if text.startswith(wanted) and "\n    Plans: \n      - Node Type: " in text else text
    connection.close()


def run():
    seeds = int(os.environ.get("PLAN_SEEDS", str(TABLES_A_RUN)))
    with Server() as server:
        yield from formats(server)
        for first in range(1, RUNS * seeds, seeds):
            done = subprocess.run(["/usr/bin/python3", "regress/fuzz/plan_diff.py", server.dsn(), str(first), str(seeds), "60"],
                                  capture_output=True, text=True, timeout=600)
            yield f"seeds {first} to {first + seeds - 1}", None if done.returncode == 0 else (done.stdout + done.stderr)[-3000:]
        complaints = server.close()
        yield "server", complaints[0] if complaints else None
