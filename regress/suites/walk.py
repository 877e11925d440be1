"""The walk: what the product exists for, as a person would do it with psql.

A file is a list of checks:

    check NAME
    SQL, over as many lines as it likes
    = regex that must match a line of the output        ! regex that must not match

psql runs each check in one call, unaligned, tuples only, with verbose errors; all checks of a file share a database.
"""
import glob
import re
import subprocess

from server import Server


def parse(path):
    checks, name, sql, wanted = [], None, [], []
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("#"):
            continue
        if line.startswith("check "):
            if name:
                checks.append((name, "\n".join(sql), wanted))
            name, sql, wanted = line[6:], [], []
        elif line.startswith(("= ", "! ")):
            wanted.append((line[0], line[2:]))
        else:
            sql.append(line)
    if name:
        checks.append((name, "\n".join(sql), wanted))
    return checks


def psql(server, database, sql, *options):
    done = subprocess.run(["psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose", *options,
                           server.dsn(database), "-c", sql], capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


def wrong_with(output, wanted):
    for kind, regex in wanted:
        found = re.search(regex, output, re.M) is not None
        if found != (kind == "="):
            return f"{'wanted' if kind == '=' else 'did not want'} {regex}\n" + "\n".join("     | " + l for l in output.splitlines()[:20])
    return None


def run_file(server, path, database, label):
    psql(server, "postgres", f"create database {database}")
    for name, sql, wanted in parse(path):
        yield f"{label} {name}", wrong_with(psql(server, database, sql), wanted)


def run():
    for build in ("build", "build-asan"):
        with Server(build) as server:
            for i, path in enumerate(sorted(glob.glob("regress/walk/*.walk"))):
                yield from run_file(server, path, f"walk{i}", build)
            complaints = server.close()
            yield f"{build} server", complaints[0] if complaints else None
