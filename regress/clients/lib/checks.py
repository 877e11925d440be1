"""What the Python clients share: counted checks that end the program at the first that fails."""
import os
import sys

URL = os.environ["PGURL"]


class Checks:
    def __init__(self, client):
        self.client, self.count = client, 0

    def same(self, name, got, wanted):
        self.count += 1
        if got != wanted:
            self.fail(name, f"got {got!r}, wanted {wanted!r}")
        print(f"ok {name}", flush=True)

    def true(self, name, holds):
        self.same(name, bool(holds), True)

    def raises(self, name, kind, run):
        self.count += 1
        try:
            run()
        except kind as e:
            print(f"ok {name}", flush=True)
            return e
        self.fail(name, f"no {kind.__name__}")

    def fail(self, name, why):
        print(f"FAIL {self.client}: {name}: {why}", flush=True)
        sys.exit(1)

    def done(self):
        print(f"OK {self.client} {self.count}")
