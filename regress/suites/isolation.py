"""Interleaved sessions: regress/isolation/*.spec, each with the expected transcript beside it (*.out).

A spec, in lines; a line that is indented deeper continues the one before it:

    levels read committed, repeatable read     each run once per level; {level} in a statement is the level
    setup                                      statements before each run, indented
    session NAME                               its steps, indented: a word, then the statement
    final SELECT ...                           after each run, in a session of its own
    run a.begin b.begin a.read ...             the steps in this order
    interleave a b c                           orders of all steps of these sessions
    serial a b                                 orders of them at SERIALIZABLE: what the committed sessions saw, and
                                               the final rows, must be what some order of them one after the other gives

A step that waits for a lock is noted as waiting, and its result when it comes. `levels` and `run` are compared with the
transcript, which PostgreSQL has written: run this file with --fill DSN for that.
"""
import difflib
import glob
import itertools
import os
import queue
import random
import re
import sys
import threading
import time

import psycopg2
import psycopg2.extensions

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from server import Server  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "isolation")
WAIT_SECONDS_MAX = 20
# Where the server cannot say who waits, a step that has not ended after this time is taken to wait.
QUIET_SECONDS = 1.0


class Spec:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-5]
        self.path = path
        self.levels, self.setup, self.final = ["read committed"], "", None
        self.sessions, self.runs, self.serials = {}, [], []
        for head, body in self.blocks(path):
            word, _, rest = head.partition(" ")
            getattr(self, "take_" + word)(rest.strip(), body)

    @staticmethod
    def blocks(path):
        """(line, its indented lines); a body line indented deeper than the first continues the one before."""
        head, body, depth = None, [], 0
        with open(path, encoding="utf-8") as f:
            for line in [*f, "end"]:
                line = line.rstrip()
                if not line or line.lstrip().startswith("#"):
                    continue
                indent = len(line) - len(line.lstrip())
                if indent == 0:
                    if head is not None:
                        yield head, body
                    head, body, depth = line, [], 0
                elif depth == 0 or indent <= depth:
                    depth = indent
                    body.append(line.strip())
                else:
                    body[-1] += " " + line.strip()

    def take_levels(self, rest, _):
        self.levels = [level.strip() for level in rest.split(",")]

    def take_setup(self, _, body):
        self.setup = "\n".join(body)

    def take_session(self, name, body):
        self.sessions[name] = dict(re.split(r"\s+", line, maxsplit=1) for line in body)

    def take_final(self, rest, _):
        self.final = rest

    def take_run(self, rest, _):
        self.runs.append(rest.split())

    def take_interleave(self, rest, _):
        self.runs += self.orders(rest.split())

    def take_serial(self, rest, _):
        self.serials.append(rest.split())

    def orders(self, names):
        """All orders of the sessions' steps that keep each session's own."""
        steps = [[f"{name}.{step}" for step in self.sessions[name]] for name in names]
        marks = [i for i, s in enumerate(steps) for _ in s]
        for order in chosen_orders(marks):
            places = [iter(s) for s in steps]
            yield [next(places[i]) for i in order]


def chosen_orders(marks, count=24):
    """A fixed choice where there are many."""
    rng, seen = random.Random(7), set()
    for _ in range(count * 4):
        order = list(marks)
        rng.shuffle(order)
        seen.add(tuple(order))
        if len(seen) == count:
            break
    return sorted(seen)


def shown(value):
    return "" if value is None else "t" if value is True else "f" if value is False else str(value)


class Client:
    """A connection with a thread of its own, so that a statement may wait."""

    def __init__(self, dsn, name):
        self.name = name
        self.connection = psycopg2.connect(dsn)
        self.connection.autocommit = True
        self.pid = self.connection.get_backend_pid()
        self.todo, self.step, self.result = queue.Queue(), None, None
        self.pending = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        for sql in iter(self.todo.get, None):
            self.result = self.execute(sql)
            self.done.set()

    def execute(self, sql):
        cursor = self.connection.cursor()
        del self.connection.notices[:]
        lines = []
        try:
            cursor.execute(sql)
            if cursor.description:
                lines += ["|".join(map(shown, row)) for row in cursor.fetchall()]
            lines.append(cursor.statusmessage)
        except psycopg2.Error as e:
            # Of a serialization failure or a deadlock only the code is the same everywhere.
            vague = e.pgcode in ("40001", "40P01")
            lines.append(f"ERROR {e.pgcode}" if vague else f"ERROR {e.pgcode}: {e.diag.message_primary}")
        return [n.strip().split("\n")[0] for n in self.connection.notices] + lines

    def start(self, step, sql):
        self.step = step
        self.done.clear()
        self.todo.put(sql)

    def close(self):
        self.todo.put(None)
        if not self.done.is_set() and self.step:
            self.connection.cancel()
        self.thread.join(WAIT_SECONDS_MAX)
        self.connection.close()


class Run:
    """One order of steps in fresh sessions."""

    def __init__(self, spec, dsn, level, steps):
        self.spec, self.dsn, self.level = spec, dsn, level
        self.lines, self.waiting = [], []
        self.results = {name: [] for name in spec.sessions}
        self.watch = psycopg2.connect(dsn)
        self.watch.autocommit = True
        try:
            self.watch.cursor().execute("select pg_blocking_pids(0)")
            self.knows_waits = True
        except psycopg2.Error:
            self.knows_waits = False
        if spec.setup:
            self.watch.cursor().execute(spec.setup)
        self.clients = {name: Client(dsn, name) for name in sorted({step.partition(".")[0] for step in steps})}
        self.steps = steps

    def blocked(self, client):
        if not self.knows_waits:
            return not client.done.wait(QUIET_SECONDS)
        cursor = self.watch.cursor()
        cursor.execute("select cardinality(pg_blocking_pids(%s)) > 0", (client.pid,))
        return cursor.fetchone()[0]

    def settled(self, client):
        """True: it has ended. False: it waits for another."""
        end = time.monotonic() + WAIT_SECONDS_MAX
        while time.monotonic() < end:
            if client.done.wait(0.002):
                return True
            if self.blocked(client) and not client.done.is_set():
                return False
        raise RuntimeError(f"{client.step} neither ends nor waits")

    def report(self, client):
        self.lines += [f"{client.step}: {line}" for line in client.result]
        self.results[client.name].append((client.step, tuple(client.result)))
        client.step = None

    def perform(self, client, step):
        client.start(step, self.spec.sessions[client.name][step.partition(".")[2]].replace("{level}", self.level))
        if self.settled(client):
            self.report(client)
        else:
            self.lines.append(f"{step}: waits")
            self.waiting.append(client)

    def release(self):
        """Those who waited and go on, with the steps that were meant for them meanwhile; whether there was one."""
        for client in list(self.waiting):
            if not self.settled(client):
                continue
            self.waiting.remove(client)
            self.report(client)
            while client.pending and client not in self.waiting:
                self.perform(client, client.pending.pop(0))
            return True
        return False

    def go(self):
        for step in self.steps:
            client = self.clients[step.partition(".")[0]]
            if client in self.waiting:
                client.pending.append(step)
                continue
            self.perform(client, step)
            while self.release():
                pass
        end = time.monotonic() + WAIT_SECONDS_MAX
        while self.waiting:  # in a circle, which the server breaks
            if not self.release():
                time.sleep(0.02)
            if time.monotonic() > end:
                raise RuntimeError(f"{self.waiting[0].step} waits for ever in {' '.join(self.steps)}")
        return self

    def finish(self):
        """The final rows, after every session is gone."""
        for client in self.clients.values():
            client.close()
        rows = []
        if self.spec.final:
            cursor = self.watch.cursor()
            cursor.execute(self.spec.final)
            rows = ["|".join(map(shown, row)) for row in cursor.fetchall()]
            self.lines += [f"final: {row}" for row in rows]
        self.watch.close()
        return rows


def transcripts(spec, dsn):
    """(head, lines) of each run."""
    for level in spec.levels:
        for steps in spec.runs:
            run = Run(spec, dsn, level, steps).go()
            run.finish()
            yield f"{level}: {' '.join(steps)}", run.lines


# ---- SERIALIZABLE ----

def committed(results):
    """Did the session's last statement commit it?"""
    return bool(results) and results[-1][1][-1] == "COMMIT"


def serial_outcome(spec, dsn, names):
    run = Run(spec, dsn, "serializable", [f"{n}.{s}" for n in names for s in spec.sessions[n]]).go()
    rows = run.finish()
    return {n: run.results[n] for n in names}, rows


def check_serial(spec, dsn, names):
    """What is wrong with the first run that no serial order explains; and how many sessions were refused in all."""
    outcomes, refused = {}, 0
    for steps in spec.orders(names):
        run = Run(spec, dsn, "serializable", steps).go()
        rows = run.finish()
        who = [n for n in names if committed(run.results[n])]
        refused += len(names) - len(who)
        for order in itertools.permutations(who):
            if order not in outcomes:
                outcomes[order] = serial_outcome(spec, dsn, order)
            if outcomes[order] == ({n: run.results[n] for n in order}, rows):
                break
        else:
            return f"no serial order explains\n   {' '.join(steps)}\n   " + "\n   ".join(run.lines), refused
    return None, refused


# ---- running ----

def read_transcripts(path):
    with open(path, encoding="utf-8") as f:
        blocks = [block.splitlines() for block in f.read().split("== ")[1:]]
    return {block[0]: block[1:] for block in blocks}


def compare(got, wanted):
    if got == wanted:
        return None
    lines = "\n".join(difflib.ndiff(wanted or ["(no such run)"], got))
    return f"- wanted, + got\n{lines}"


def fresh_database(admin, name):
    connection = psycopg2.connect(admin)
    connection.autocommit = True
    connection.cursor().execute(f"drop database if exists {name}")
    connection.cursor().execute(f"create database {name}")
    connection.close()
    return re.sub(r"dbname=\S+", "", admin) + f" dbname={name}"


def drop_database(admin, name):
    connection = psycopg2.connect(admin)
    connection.autocommit = True
    connection.cursor().execute(f"drop database {name}")
    connection.close()


def check_spec(path, admin):
    """Yields (what, None or what is wrong)."""
    spec = Spec(path)
    name = "isolation_" + spec.name.replace("-", "_")
    dsn = fresh_database(admin, name)
    if spec.runs:
        wanted = read_transcripts(path[:-5] + ".out")
        for head, lines in transcripts(spec, dsn):
            yield f"{spec.name} {head}", compare(lines, wanted.get(head))
    for names in spec.serials:
        wrong, _ = check_serial(spec, dsn, names)
        yield f"{spec.name} serial {' '.join(names)}", wrong
    drop_database(admin, name)


def specs():
    return sorted(glob.glob(f"{FOLDER}/*.spec"))


def run():
    with Server() as server:
        for path in specs():
            yield from check_spec(path, server.dsn())
        complaints = server.close()
        yield "server", complaints[0] if complaints else None


def fill(admin, paths):
    for path in paths:
        spec = Spec(path)
        if not spec.runs:
            continue
        name = "isolation_" + spec.name.replace("-", "_")
        runs = list(transcripts(spec, fresh_database(admin, name)))
        drop_database(admin, name)
        with open(path[:-5] + ".out", "w", encoding="utf-8") as f:
            for head, lines in runs:
                f.write("\n".join([f"== {head}", *lines]) + "\n")
        print(spec.name, len(runs), "runs")


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 2 or arguments[0] not in ("--fill", "--check"):
        print("usage: isolation.py --fill|--check DSN [SPEC...]", file=sys.stderr)
        return 2
    paths = arguments[2:] or specs()
    if arguments[0] == "--fill":
        fill(arguments[1], paths)
        return 0
    ran = failed = 0
    for path in paths:
        for what, wrong in check_spec(path, arguments[1]):
            if wrong:
                print("FAIL", what, wrong, flush=True)
            failed += wrong is not None
            ran += 1
    print(f"{ran - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
