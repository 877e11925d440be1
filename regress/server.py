"""A rowkey server of a test's own: started on a free port over a fresh (or given) directory, stopped or killed at will."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Server:
    def __init__(self, build="build", data=None, options=(), environment=None, auto_analyze=False):
        self.build = os.path.join(ROOT, build)
        self.own = data is None
        self.data = data or tempfile.mkdtemp(prefix="rowkey-test-")
        # Plans are compared as texts: nothing may collect statistics while a test runs.
        self.options = list(options) + ([] if auto_analyze else ["--no-auto-analyze"])
        self.environment = environment or {}
        self.log = tempfile.NamedTemporaryFile(prefix="rowkey-log-", suffix=".txt", delete=False)
        self.process = None
        self.port = None
        self.start()

    def start(self):
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:abort_on_error=0:exitcode=99",
                           LSAN_OPTIONS=f"suppressions={ROOT}/regress/leaks.txt:print_suppressions=0",
                           UBSAN_OPTIONS="print_stacktrace=1", **self.environment)
        self.process = subprocess.Popen([f"{self.build}/rowkey", "serve", "--data", self.data, "--listen", "127.0.0.1:0", *self.options],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment)
        line = self.process.stdout.readline()
        m = re.match(r"rowkey: listening on 127\.0\.0\.1:(\d+)$", line)
        if not m:
            self.process.wait(10)
            raise RuntimeError(f"server did not start: {line!r}\n{self.output()}")
        self.port = int(m.group(1))

    def output(self):
        with open(self.log.name, encoding="utf-8", errors="replace") as f:
            return f.read()

    def dsn(self, database="postgres"):
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database} sslmode=disable"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """SIGTERM; returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()
            return "did not stop"

    def close(self):
        """Stops, removes what is left; returns complaints about how the server ended."""
        complaints = []
        if self.process.poll() is None:
            status = self.stop()
            if status != 0:
                complaints.append(f"the server ended with {status}")
        elif self.process.returncode not in (0, -signal.SIGKILL):
            complaints.append(f"the server had ended with {self.process.returncode}")
        text = self.output()
        if "ERROR: AddressSanitizer" in text or "ERROR: LeakSanitizer" in text or "runtime error:" in text:
            complaints.append("sanitizer: " + text[:3000])
        if self.own:
            shutil.rmtree(self.data, ignore_errors=True)
        if not complaints:
            os.unlink(self.log.name)
        return complaints

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()
        if self.own:
            shutil.rmtree(self.data, ignore_errors=True)


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False
