"""Plans against each other: what an index is read for must be what a full scan finds (regress/fuzz/plan_diff.py)."""
import os
import subprocess

from server import Server

TABLES_A_RUN, RUNS = 30, 6


def run():
    seeds = int(os.environ.get("PLAN_SEEDS", str(TABLES_A_RUN)))
    with Server() as server:
        for first in range(1, RUNS * seeds, seeds):
            done = subprocess.run(["/usr/bin/python3", "regress/fuzz/plan_diff.py", server.dsn(), str(first), str(seeds), "60"],
                                  capture_output=True, text=True, timeout=600)
            yield f"seeds {first} to {first + seeds - 1}", None if done.returncode == 0 else (done.stdout + done.stderr)[-3000:]
        complaints = server.close()
        yield "server", complaints[0] if complaints else None
