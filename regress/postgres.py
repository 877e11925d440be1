"""A PostgreSQL server of a test's own, over a fresh directory on a free port: what rowkey's answers are compared with."""
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

VERSION = 15


def programs():
    """Where the server's programs are, or None."""
    found = f"/usr/lib/postgresql/{VERSION}/bin"
    if os.path.exists(f"{found}/postgres"):
        return found
    for path in glob.glob("/usr/local/pgsql*/bin/postgres") + [shutil.which("postgres") or ""]:
        if path and f" {VERSION}." in subprocess.run([path, "--version"], capture_output=True, text=True).stdout:
            return os.path.dirname(path)
    return None


class Postgres:
    def __init__(self):
        self.bin = programs()
        self.user = {}
        self.data = tempfile.mkdtemp(prefix="rowkey-postgres-")
        if os.geteuid() == 0:
            # The server refuses to run as root.
            entry = pwd.getpwnam("postgres")
            os.chown(self.data, entry.pw_uid, entry.pw_gid)
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        self.log = f"{self.data}/log"
        self.cluster = f"{self.data}/cluster"
        done = subprocess.run([f"{self.bin}/initdb", "-D", self.cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
                              capture_output=True, text=True, cwd="/", **self.user)
        if done.returncode:
            raise RuntimeError("initdb: " + done.stderr)
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [f"{self.bin}/postgres", "-D", self.cluster, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self.data}",
                 "-c", "fsync=off", "-c", "timezone=UTC", "-c", "log_min_messages=panic"], stdout=log, stderr=log, cwd="/", **self.user)
        self.wait()

    def wait(self):
        for _ in range(200):
            if self.process.poll() is not None:
                break
            if subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False).returncode == 0:
                return
            time.sleep(0.1)
        with open(self.log, encoding="utf-8") as f:
            raise RuntimeError("PostgreSQL did not start: " + f.read()[-2000:])

    def dsn(self, database="postgres"):
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database} sslmode=disable"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.data, ignore_errors=True)
