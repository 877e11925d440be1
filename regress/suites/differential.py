"""rowkey's answers against those of a PostgreSQL that is started for it (regress/fuzz/sql_diff.py)."""
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
        done = subprocess.run(["/usr/bin/python3", "regress/fuzz/sql_diff.py", str(first), str(seeds), str(STATEMENTS)],
                              capture_output=True, text=True, timeout=1800)
        ended = re.search(r"^\d+ passed, 0 failed$", done.stdout, re.M) and done.returncode == 0
        yield f"seeds {first} to {first + seeds - 1}", None if ended else (done.stdout + done.stderr)[-3000:]
