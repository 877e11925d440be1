"""Suites of one kind of file or program each: lint, unit tests, the program's flags, SQL scripts, psql sessions, clients."""
import concurrent.futures
import glob
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from server import Server
import slt


def lint():
    done = subprocess.run(["/usr/bin/python3", "regress/lint/lint.py"], capture_output=True, text=True)
    blocks = re.split(r"^(?=ok  |FAIL)", done.stdout, flags=re.M)
    for block in filter(None, blocks):
        verdict, name = block.split("\n")[0].split()
        yield name, None if verdict == "ok" else block.strip()


def unit():
    """Every unit test, in both builds. meson's own log says what failed."""
    for build in ("build", "build-asan"):
        # Leaks are looked for where a server ends in order, in the other suites: a test that stops half-way frees nothing.
        done = subprocess.run(["meson", "test", "-C", build, "--suite", "unit", "--print-errorlogs", "--timeout-multiplier", "6"],
                              capture_output=True, text=True, env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
        names = re.findall(r"^\s*\d+/\d+ (?:\S+:)?(?:unit / )?(\S+)\s+(OK|FAIL|TIMEOUT|ERROR|EXPECTEDFAIL|SKIP)", done.stdout, re.M)
        for name, verdict in dict(names).items():  # failures are listed again at the end
            yield f"{build} {name}", None if verdict in ("OK", "SKIP") else f"{verdict}\n{done.stdout[-3000:]}"
        if not names:
            yield f"{build} unit", "no test ran: " + (done.stdout + done.stderr)[-2000:]


def rowkey(*arguments):
    return subprocess.run(["build/rowkey", *arguments], capture_output=True, text=True, timeout=20)


def program():
    """The command line, the pid file, one server per directory, orderly ends."""
    done = rowkey("--help")
    yield "help", None if done.returncode == 0 and "--listen HOST:PORT" in done.stdout else done.stdout
    done = rowkey("--version")
    yield "version", None if done.returncode == 0 and done.stdout.startswith("rowkey ") else done.stdout
    for bad, says in ((["serve", "--prot", "1"], 'unknown option "--prot"'), (["serve", "--data"], "--data wants a value"),
                      (["serve", "--listen", "x"], "HOST:PORT"), (["serve", "--listen", "127.0.0.1:99999"], "0 to 65535"),
                      (["sreve"], 'unknown command "sreve"')):
        done = rowkey(*bad)
        yield "wrong " + " ".join(bad), None if done.returncode == 2 and says in done.stderr else f"{done.returncode}: {done.stderr}"
    data = tempfile.mkdtemp()
    try:
        done = rowkey("serve", "--data", data, "--listen", "0.0.0.0:0")
        yield "refuses beyond loopback", None if done.returncode == 1 and "loopback" in done.stderr else done.stderr
        yield from running(data)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def running(data):
    sockets = tempfile.mkdtemp()
    server = Server(data=data, options=["--socket-dir", sockets])
    with open(f"{data}/rowkey.pid", encoding="utf-8") as f:
        pid = f.readline().strip()
    yield "pid file", None if pid == str(server.process.pid) else pid
    done = rowkey("serve", "--data", data, "--listen", "127.0.0.1:0")
    yield "second server refused", None if done.returncode == 1 and "in use" in done.stderr else f"{done.returncode}: {done.stderr}"
    done = subprocess.run(["psql", "-XAtq", "-h", sockets, "-p", str(server.port), "-U", "postgres", "-c", "select 1"], capture_output=True, text=True)
    yield "unix socket", None if done.stdout == "1\n" else done.stderr
    sleeper = subprocess.Popen(["psql", "-XAtq", server.dsn(), "-c", "select pg_sleep(3), 7"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    status = server.stop()
    out, _ = sleeper.communicate(timeout=20)
    yield "SIGTERM exits 0", None if status == 0 else str(status)
    yield "SIGTERM lets a statement end", None if "7" in out else out
    yield "pid file gone", None if not os.path.exists(f"{data}/rowkey.pid") else "still there"
    server.start()
    server.process.send_signal(signal.SIGINT)
    yield "SIGINT exits 0", None if server.process.wait(10) == 0 else "no"
    shutil.rmtree(sockets, ignore_errors=True)


def sql():
    """regress/sql and regress/plan: sqllogictest files, each in a database of its own."""
    for build in ("build", "build-asan"):
        with Server(build) as server:
            for path in sorted(glob.glob("regress/sql/**/*.slt", recursive=True) + glob.glob("regress/plan/**/*.slt", recursive=True)):
                yield f"{build} {path}", slt.run_file(server, path)
            complaints = server.close()
            yield f"{build} server", complaints[0] if complaints else None


def psql():
    """regress/psql/*.sql: a session through psql; what it prints must be *.out."""
    with Server() as server:
        for path in sorted(glob.glob("regress/psql/*.sql")):
            database = os.path.basename(path)[:-4].replace("-", "_")
            subprocess.run(["psql", "-Xq", server.dsn(), "-c", f"create database {database}"], check=True, capture_output=True)
            with open(path, encoding="utf-8") as f:
                done = subprocess.run(["psql", "-X", "-a", "-q", server.dsn(database)], stdin=f, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            with open(path[:-4] + ".out", encoding="utf-8") as f:
                wanted = f.read()
            if done.stdout == wanted:
                yield path, None
                continue
            with open(f"/tmp/{database}.out", "w", encoding="utf-8") as f:
                f.write(done.stdout)
            diff = subprocess.run(["diff", path[:-4] + ".out", f"/tmp/{database}.out"], capture_output=True, text=True)
            yield path, "\n" + diff.stdout[:2000]
        complaints = server.close()
        yield "server", complaints[0] if complaints else None


def client(server, path):
    """One client's program over a database of its own; it ends with `OK name checks` or `skipped: why`."""
    name = os.path.basename(os.path.dirname(path))
    database = "client_" + name.replace("-", "_")
    made = subprocess.run(["psql", "-Xqc", f"create database {database}", server.dsn()], capture_output=True, text=True)
    if made.returncode:
        return name, made.stderr
    environment = dict(os.environ, PGURL=f"postgres://postgres:x@127.0.0.1:{server.port}/{database}", PGPORT=str(server.port))
    try:
        done = subprocess.run(["bash", path], capture_output=True, text=True, env=environment, timeout=300)
    except subprocess.TimeoutExpired as e:
        return name, f"not done after {e.timeout} s"
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode == 0 and last.startswith("OK "):
        return name, None
    return name, last if last.startswith("skipped") else done.stdout[-1500:] + done.stderr[-1500:]


def clients():
    """regress/clients: real drivers and ORMs, two at a time."""
    with Server() as server:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            yield from pool.map(lambda path: client(server, path), sorted(glob.glob("regress/clients/*/run.sh")))
        complaints = server.close()
        yield "server", complaints[0] if complaints else None


def shared():
    """What lies beside a checkout that has it: the acceptance walk."""
    walk = "../shared/acceptance/seed-walk.sh"
    if not os.path.exists(walk):
        yield "seed-walk", "skipped: no ../shared beside this checkout"
        return
    with Server() as server:
        done = subprocess.run(["bash", walk, f"host=127.0.0.1 port={server.port} user=postgres"], capture_output=True, text=True, timeout=300)
        for line in done.stdout.splitlines():
            if line.startswith(("PASS ", "FAIL ")):
                yield "seed-walk " + line[5:].split(":")[0], None if line.startswith("PASS") else line
        if not re.search(r"^\d+ passed, \d+ failed$", done.stdout, re.M):
            yield "seed-walk", "did not end: " + (done.stdout + done.stderr)[-500:]
