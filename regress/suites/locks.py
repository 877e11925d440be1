"""Interleaved sessions that wait for each other: each file of regress/locks is a script of steps with their outcomes.

    s1: SQL          a step of session s1; below it, indented, what it answers: rows, the command's tag, notices, errors,
                     or `waits` when another session holds it up. What a step sets free is told below it as `s2> ...`.

The outcomes were written down from PostgreSQL 15: `locks.py DSN FILE` runs a file there and prints it anew. A step waits if
pg_blocking_pids says so, so nothing depends on how fast the machine is. Numbers of processes, transactions and relations
are printed as N.
"""
import os
import queue
import re
import sys
import threading
import time

import psycopg2

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from server import ROOT, Server  # noqa: E402

PATIENCE = 30
SHORT_WAIT = 0.4


class Session(threading.Thread):
    def __init__(self, dsn):
        super().__init__(daemon=True)
        self.connection = psycopg2.connect(dsn)
        self.connection.autocommit = True
        self.pid = self.connection.get_backend_pid()
        self.steps, self.answers, self.busy = queue.Queue(), queue.Queue(), False
        self.start()

    def run(self):
        while (sql := self.steps.get()) is not None:
            self.answers.put(self.execute(sql))

    def execute(self, sql):
        lines = []
        try:
            cursor = self.connection.cursor()
            cursor.execute(sql)
            if cursor.description:
                lines = ["|".join("NULL" if v is None else str(v) for v in row) for row in cursor.fetchall()]
            lines.append(cursor.statusmessage)
        except psycopg2.Error as e:
            d = e.diag
            lines.append(f"{e.pgcode or 'lost'}: {d.message_primary or 'connection lost'}")
            lines += [f"DETAIL: {line}" for line in (d.message_detail or "").splitlines()]
            if e.pgcode == "40P01":
                lines.append(f"HINT: {d.message_hint}")
        notices = [n.strip() for n in self.connection.notices]
        del self.connection.notices[:]
        return [hide_numbers(line) for line in notices + lines]


def hide_numbers(line):
    return re.sub(r"\b((?:P|p)rocess|PID|transaction|relation|database|advisory lock) (\[?\d[\d,]*\]?)",
                  lambda m: f"{m[1]} {m[2] if m[1] == 'advisory lock' else 'N'}", re.sub(r"\[\d+,", "[N,", line))


class Script:
    def __init__(self, dsn):
        self.dsn, self.sessions = dsn, {}
        self.control = psycopg2.connect(dsn)
        self.control.autocommit = True

    def is_blocked(self, session):
        cursor = self.control.cursor()
        cursor.execute("select pg_blocking_pids(%s) <> '{}'", (session.pid,))
        return cursor.fetchone()[0]

    def settle(self, session):
        """The answer of a busy session, or None if it waits for a lock, and not just until it times out."""
        until, blocked_since = time.monotonic() + PATIENCE, None
        while time.monotonic() < until:
            try:
                lines = session.answers.get(timeout=0.02)
                session.busy = False
                return lines
            except queue.Empty:
                if not self.is_blocked(session):
                    blocked_since = None
                elif blocked_since is None:
                    blocked_since = time.monotonic()
                elif time.monotonic() - blocked_since > SHORT_WAIT:
                    return None
        return ["does not answer"]

    def step(self, name, sql):
        if name not in self.sessions:
            self.sessions[name] = Session(self.dsn)
        session = self.sessions[name]
        sql = re.sub(r"\bPID\((\w+)\)", lambda m: str(self.sessions[m[1]].pid), sql)
        session.busy = True
        session.steps.put(sql)
        lines = self.settle(session)
        out = [f"    {line}" for line in (["waits"] if lines is None else lines)]
        for other_name, other in self.sessions.items():
            if other is session or not other.busy:
                continue
            lines = self.settle(other)
            if lines is not None:
                out += [f"    {other_name}> {line}" for line in lines]
        return out

    def close(self):
        for session in self.sessions.values():
            session.steps.put(None)
            session.connection.close()
        self.control.close()


def run_file(dsn, path):
    """The file with the outcomes it has here."""
    script, out = Script(dsn), []
    try:
        with open(path, encoding="utf-8") as f:
            for line in f.read().splitlines():
                if line.startswith("    "):
                    continue
                out.append(line)
                m = re.match(r"(\w+): (.*)$", line)
                if m:
                    out += script.step(m[1], m[2])
    finally:
        script.close()
    return out


def files():
    directory = os.path.join(ROOT, "regress", "locks")
    return [os.path.join(directory, name) for name in sorted(os.listdir(directory)) if name.endswith(".txt")]


def difference(path, lines):
    with open(path, encoding="utf-8") as f:
        wanted = f.read().splitlines()
    for i in range(max(len(wanted), len(lines))):
        a = wanted[i] if i < len(wanted) else "(end)"
        b = lines[i] if i < len(lines) else "(end)"
        if a != b:
            return f"line {i + 1}: wanted {a!r}, got {b!r}"
    return None


def run():
    server = Server()
    try:
        for path in files():
            name = os.path.basename(path)[:-4]
            control = psycopg2.connect(server.dsn())
            control.autocommit = True
            control.cursor().execute(f"create database {name}")
            control.close()
            try:
                yield f"locks {name}", difference(path, run_file(server.dsn(name), path))
            except Exception as e:
                yield f"locks {name}", f"{type(e).__name__}: {e}"
    finally:
        complaints = server.close()
    yield "locks: the server ends well", "; ".join(complaints) or None


if __name__ == "__main__":
    print("\n".join(run_file(sys.argv[1], sys.argv[2])))
