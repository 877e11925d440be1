"""Injected faults: the n-th write, sync, truncation or allocation of the server fails, and the disk is full.

A session runs through a scenario while one call fails (regress/fault/shim.c). Each statement ends well, or with an SQLSTATE
that says what happened, or the server ends. Afterwards, without faults, what was acknowledged is there, what failed is not,
and rowkey check finds nothing.
"""
import errno
import mmap
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import psycopg2

from server import Server

sys.path.insert(0, "regress")
from crash import kill  # noqa: E402

CALLS = ("write", "sync", "truncate", "allocate", "malloc")
STEPS = 20
# The faults: what fails, how, and how many places of the scenario are tried.
FAULTS = [("write", "EIO", False, 10), ("write", "ENOSPC", False, 8), ("write", "short", False, 6), ("write", "ENOSPC", True, 4),
          ("sync", "EIO", False, 10), ("truncate", "ENOSPC", False, 5), ("allocate", "ENOSPC", False, 5), ("malloc", "ENOMEM", False, 8)]
ANSWERS = {"53100", "58030", "53200", "08007"}


class Control:
    """The file that the shim maps; all numbers are 32 bits."""

    def __init__(self, path):
        self.path = path
        with open(path, "wb") as f:
            f.write(bytes(4096))
        with open(path, "r+b") as f:
            self.memory = mmap.mmap(f.fileno(), 4096)

    def arm(self, call, how, n, sticky):
        code = errno.EIO if how == "short" else getattr(errno, how)
        self.memory[:24] = struct.pack("<6i", CALLS.index(call), 0, code, how == "short", sticky, 0)
        self.memory[4:8] = struct.pack("<i", n)

    def disarm(self):
        self.memory[4:8] = bytes(4)

    def fired(self):
        return struct.unpack("<i", self.memory[20:24])[0] > 0

    def calls(self):
        return dict(zip(CALLS, struct.unpack(f"<{len(CALLS)}i", self.memory[24:24 + 4 * len(CALLS)])))


class Scenario(kill.Client):
    """A client whose statements may fail; it goes on until one's outcome is not known, or the server is gone. Among its
    steps are rows too large for the log, and checkpoints, which bring the log into the store's file."""

    def __init__(self, number, seed):
        super().__init__(number, seed)
        self.steps, self.large, self.large_in_flight = 0, [], None

    def step(self, cursor):
        self.steps += 1
        if self.steps % 7 == 5:
            cursor.execute("checkpoint")
        elif self.steps == 16:
            self.large_in_flight = self.steps
            cursor.execute("insert into large values (%s, repeat('large', 1000000))", (self.steps,))
            self.large.append(self.steps)
            self.large_in_flight = None
        else:
            super().step(cursor)

    def verify(self, cursor):
        cursor.execute("select id, length(t) from large order by id")
        rows = cursor.fetchall()
        expected = [(n, 5000000) for n in self.large]
        if rows != expected and rows != expected + [(self.large_in_flight, 5000000)]:
            return f"large rows {rows}, acknowledged {self.large}"
        return super().verify(cursor)

    def run_steps(self, server, steps):
        try:
            connection = psycopg2.connect(server.dsn())
            connection.autocommit = True
            cursor = connection.cursor()
        except psycopg2.OperationalError as e:
            return None if any(word in str(e) for word in ("53", "memory", "closed", "refused")) else f"connecting: {e}"
        for _ in range(steps):
            try:
                self.step(cursor)
            except psycopg2.Error as e:
                if connection.closed or e.pgcode is None or e.pgcode.startswith("57P"):
                    return None  # what was in flight is not known
                if e.pgcode not in ANSWERS:
                    return f"a statement ended with {e.pgcode}: {e}"
                if e.pgcode == "08007":
                    return None
                self.after = self.large_in_flight = None
                try:
                    cursor.execute("rollback")
                except psycopg2.Error:
                    return None
        connection.close()
        return self.wrong


def prepare(data):
    """The store that each scenario begins with, and how many calls of each function the scenario makes."""
    with Server(data=data) as server:
        cursor = psycopg2.connect(server.dsn()).cursor()
        for statement in (*kill.SHARED.values(), "create sequence counter", "create table hidden (client int)",
                          "create table large (id int primary key, t text)"):
            cursor.execute(statement)
        cursor.connection.commit()
        cursor.connection.close()
        server.close()


def start(data, control):
    shim = os.path.abspath("build/regress/fault/libfault_shim.so")
    return Server(data=data, environment={"LD_PRELOAD": shim, "ROWKEY_FAULT": control.path})


def ended_badly(server):
    """A server that dies of a fault says so or aborts; it is not cut off by a wild pointer."""
    try:
        code = server.process.wait(0.1)
    except subprocess.TimeoutExpired:
        return None
    return f"the server was ended by signal {-code}" if code in (-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGFPE) else None


def still_serves(server):
    """After a fault that has passed the server reads and writes; or it says, until it is started anew, that it does not know
    any more what the disk has."""
    try:
        connection = psycopg2.connect(server.dsn())
        connection.autocommit = True
        cursor = connection.cursor()
        cursor.execute("select count(*) from shared")
        cursor.execute("insert into hidden values (-1)")
        return None
    except psycopg2.Error as e:
        if e.pgcode == "58030" and re.search("takes no more commits|no more commits are taken", str(e)):
            return None
        try:
            server.process.wait(5)
            return ended_badly(server)
        except subprocess.TimeoutExpired:
            return f"after the fault: {e.pgcode}: {e}"


def one(base, fault, n, seed):
    call, how, sticky, _ = fault
    folder = tempfile.mkdtemp(prefix="rowkey-fault-")
    data = f"{folder}/data"
    shutil.copytree(base, data)
    control = Control(f"{folder}/control")
    client = Scenario(0, seed)
    server = start(data, control)
    try:
        if n:
            control.arm(call, how, n, sticky)
        before = control.calls()
        wrong = client.run_steps(server, STEPS)
        calls = {name: count - before[name] for name, count in control.calls().items()}
        fired = control.fired()
        control.disarm()
        wrong = wrong or ended_badly(server) or (fired and still_serves(server)) or None
        if server.process.poll() is None:
            server.kill()
        wrong = wrong or kill.check_offline(server)
        if not wrong:
            server.environment = {}
            server.start()
            wrong = kill.verify(server, [client])
        return wrong, calls, fired
    finally:
        if server.process.poll() is None:
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def faults(base):
    wrong, calls, _ = one(base, ("write", "EIO", False, 0), 0, 7)
    yield "the scenario without faults", wrong
    for fault in FAULTS:
        call, how, sticky, points = fault
        name = f"{call} {how}" + (" from then on" if sticky else "")
        count = calls[call]
        if not count:
            continue  # this engine does not make the call
        fired = 0
        for point in range(min(points, count)):
            n = 1 + point * count // min(points, count)
            wrong, _, hit = one(base, fault, n, 7)
            fired += hit
            if wrong:
                yield f"{name}, number {n} of {count}", wrong
                break
        else:
            yield f"{name} at {min(points, count)} of {count} places", None if fired else "no fault was met"


# ---- a full disk ----

def small_disk(path, megabytes):
    os.mkdir(path)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", path], capture_output=True, text=True)
    return done.returncode == 0


def fill(cursor, table):
    """Inserts until the disk is full; the SQLSTATE, and how many rows were acknowledged."""
    for n in range(400):
        try:
            cursor.execute(f"insert into {table} select {n} * 1000 + i, repeat('x', 1000) from generate_series(1, 500) i")
        except psycopg2.Error as e:
            return e.pgcode, n * 500
    return "never full", n * 500


def count_of(server, table):
    cursor = psycopg2.connect(server.dsn()).cursor()
    cursor.execute(f"select count(*) from {table}")
    return cursor.fetchone()[0]


def fill_and_look(server):
    """While the disk is full what fails is rolled back, what reads goes on; not even a DROP need have room."""
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("create table filling (id int primary key, t text)")
    code, rows = fill(cursor, "filling")
    yield "full disk: 53100", None if code == "53100" else code
    count = count_of(server, "filling")
    yield "full disk: rolled back, sessions connect and read", None if count == rows else f"{count} rows, {rows} acknowledged"
    try:
        cursor.execute("drop table filling")
        cursor.execute("create table filling (id int primary key, t text)")
        cursor.execute("insert into filling select i, 'x' from generate_series(1, 100) i")
        rows = 100
        answer = None
    except psycopg2.Error as e:
        answer = None if e.pgcode == "53100" else f"{e.pgcode}: {e}"
    yield "full disk: DROP", answer
    count = count_of(server, "filling")
    yield "full disk: after DROP", None if count == rows else f"{count} rows, {rows} expected"


def restarted_when_full(server, path):
    cursor = psycopg2.connect(server.dsn()).cursor()
    cursor.connection.autocommit = True
    cursor.execute("create table more (id int primary key, t text)")
    code, rows = fill(cursor, "more")
    yield "full again: 53100", None if code == "53100" else code
    server.kill()
    try:
        server.start()
        refusal = None
        server.kill()
    except RuntimeError as e:
        refusal = None if "No space left on device" in str(e) else str(e)
    yield "full again: started, or refused with the reason", refusal
    subprocess.run(["mount", "-o", "remount,size=160m", path], check=True)
    yield "full again: check", kill.check_offline(server)
    server.start()
    count = count_of(server, "more")
    yield "full again: nothing is lost", None if count == rows else f"{count} rows, {rows} acknowledged"


def full_disk(folder):
    path = f"{folder}/small"
    if not small_disk(path, 24):
        yield "full disk", "skipped: mounting a small file system is not permitted here"
        return
    server = Server(data=f"{path}/data")
    try:
        yield from fill_and_look(server)
        before = count_of(server, "filling")
        subprocess.run(["mount", "-o", "remount,size=64m", path], check=True)
        cursor = psycopg2.connect(server.dsn()).cursor()
        cursor.connection.autocommit = True
        for _ in range(60):  # what could not go into the store's file is tried again every second
            try:
                cursor.execute("insert into filling select 1000000 + i, 'y' from generate_series(1, 100) i")
                break
            except psycopg2.errors.DiskFull:
                time.sleep(0.5)
        count = count_of(server, "filling")
        yield "full disk: with room again writes go on", None if count == before + 100 else f"{count} rows, {before + 100} expected"
        yield from restarted_when_full(server, path)
        yield "full disk: server", (server.close() or [None])[0]
    finally:
        if server.process.poll() is None:
            server.kill()
        subprocess.run(["umount", "-l", path], check=False)


# ---- a file that was torn ----

def torn(base, folder):
    """Files that do not end where they should: damage is told, never taken for data."""
    data = f"{folder}/torn"
    shutil.copytree(base, data)
    with open(f"{data}/data.mdb", "r+b") as f:
        f.truncate(3 * 4096)
    done = subprocess.run(["build/rowkey", "check", data], capture_output=True, text=True, timeout=60)
    told = done.returncode in (1, 2) and ("cut short" in done.stderr or "damaged" in done.stderr)
    yield "a file cut short", None if told else f"{done.returncode}: {done.stdout}{done.stderr}"
    with open(f"{data}/data.mdb", "r+b") as f:
        f.write(bytes(8192))
    done = subprocess.run(["build/rowkey", "check", data], capture_output=True, text=True, timeout=60)
    yield "a file without its head", None if done.returncode == 2 and "damaged" in done.stderr else f"{done.returncode}: {done.stdout}{done.stderr}"


def torn_log(folder):
    """The last record of the redo log was written in part only: that commit, which was never acknowledged, is not there."""
    server = Server(data=f"{folder}/tail")
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("create table tail (id int primary key, a text, index (a))")
    cursor.execute("checkpoint")
    for n in range(50):
        cursor.execute("insert into tail values (%s, %s)", (n, f"row {n}"))
    server.kill()
    logs = sorted((f"{server.data}/{name}" for name in os.listdir(server.data) if name.startswith("redo.")), key=os.path.getmtime)
    if not logs:
        yield "a torn log", "skipped: this engine keeps no log"
        return
    with open(logs[-1], "r+b") as f:
        end = len(f.read().rstrip(bytes(1)))
        f.seek(end - 5)
        f.write(bytes(5))
    yield "a torn log: check", kill.check_offline(server)
    server.start()
    count = count_of(server, "tail")
    yield "a torn log: all but the last commit", None if count == 49 else f"{count} rows of 50"
    yield "a torn log: server", (server.close() or [None])[0]


def run():
    folder = tempfile.mkdtemp(prefix="rowkey-faults-")
    try:
        prepare(f"{folder}/base")
        yield from faults(f"{folder}/base")
        yield from full_disk(folder)
        yield from torn(f"{folder}/base", folder)
        yield from torn_log(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
