"""rowkey's answers against those of a PostgreSQL that is started for it (regress/fuzz/sql_diff.py).

Queries and writes only: calls are of whatever both catalogs have, so that the same seed makes others with each new function.
Those rounds are run by hand: `regress/fuzz/sql_diff.py 1 1000 60 calls`.
"""
import os
import re
import subprocess

import postgres

RUNS, SEEDS_A_RUN, STATEMENTS = 4, 4, 50


def run():
    if not postgres.programs():
        yield "statements", f"skipped: no PostgreSQL {postgres.VERSION} on this machine"
        return
    seeds = int(os.environ.get("DIFF_SEEDS", str(SEEDS_A_RUN)))
    for first in range(1, RUNS * seeds, seeds):
        done = subprocess.run(["/usr/bin/python3", "regress/fuzz/sql_diff.py", str(first), str(seeds), str(STATEMENTS), "queries", "writes"],
                              capture_output=True, text=True, timeout=1800)
        ended = re.search(r"^\d+ passed, 0 failed$", done.stdout, re.M) and done.returncode == 0
        yield f"seeds {first} to {first + seeds - 1}", None if ended else (done.stdout + done.stderr)[-3000:]
