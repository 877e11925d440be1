#!/usr/bin/python3
"""Runs the test suites against the built server. usage: run.py [suite...]

A suite is a function that yields (name, None or what is wrong). The last line is `N passed, N failed`.
"""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from suites import activity, auth, backup, basic, bulk, check, constraints, crash, differential, docs, dump, fault, fuzz, history, isolation, locks, notify, plans, ranges, retry, sessions, snapshots, statistics, temporary, walk, wire  # noqa: E402

SUITES = {
    "lint": basic.lint,
    "unit": basic.unit,
    "program": basic.program,
    "walk": walk.run,
    "locks": locks.run,
    "docs": docs.run,
    "fill-docs": docs.fill,
    "sql": basic.sql,
    "psql": basic.psql,
    "wire": wire.run,
    "notify": notify.run,
    "auth": auth.auth,
    "activity": activity.run,
    "check": check.run,
    "backup": backup.run,
    "bulk": bulk.run_all,
    "dump": dump.run,
    "isolation": isolation.run,
    "constraints": constraints.run,
    "retry": retry.run,
    "history": history.run,
    "crash": crash.run,
    "fault": fault.run,
    "sessions": sessions.run,
    "temporary": temporary.run,
    "snapshots": snapshots.run,
    "statistics": statistics.run,
    "clients": basic.clients,
    "shared": basic.shared,
    "plans": plans.run,
    "ranges": ranges.run,
    "differential": differential.run,
    "fuzz": fuzz.run,
}


def main():
    # Fuzzing builds everything once more, with clang; fill-docs writes: they are asked for by name.
    wanted = sys.argv[1:] or [name for name in SUITES if name not in ("fuzz", "fill-docs")]
    passed = failed = skipped = 0
    for suite in wanted:
        start = time.monotonic()
        print(f"-- {suite}", flush=True)
        count = 0
        try:
            for name, wrong in SUITES[suite]():
                count += 1
                if wrong is None:
                    passed += 1
                elif wrong.startswith("skipped"):
                    skipped += 1
                    print(f"skip {name}: {wrong}", flush=True)
                else:
                    failed += 1
                    print(f"FAIL {name}: {wrong}", flush=True)
        except Exception as e:  # a suite that breaks is a failure, not the end of the run
            failed += 1
            print(f"FAIL {suite}: {type(e).__name__}: {e}", flush=True)
        print(f"   {count} in {time.monotonic() - start:.1f} s", flush=True)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
