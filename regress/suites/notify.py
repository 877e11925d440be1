"""LISTEN and NOTIFY between real connections: what arrives, when, in which order."""
import select

import psycopg2

from server import Server


class Peer:
    def __init__(self, dsn):
        self.db = psycopg2.connect(dsn)
        self.db.autocommit = True
        self.cursor = self.db.cursor()
        self.pid = self.db.get_backend_pid()

    def run(self, sql):
        self.cursor.execute(sql)
        return self.cursor.fetchall() if self.cursor.description else None

    def fails(self, sql):
        try:
            self.run(sql)
        except psycopg2.Error as e:
            return f"{e.pgcode} {e.diag.message_primary}"
        return "no error"

    def got(self, wanted, seconds=10):
        """The next notifications; waits for as many as are wanted, and a moment longer when none is."""
        while len(self.db.notifies) < wanted or wanted == 0:
            if not select.select([self.db], [], [], seconds if wanted else 0.2)[0]:
                break
            self.db.poll()
        taken = [(n.pid, n.channel, n.payload) for n in self.db.notifies]
        self.db.notifies.clear()
        return taken


def same(got, wanted):
    return None if got == wanted else f"got {got!r}, wanted {wanted!r}"


def delivery(a, b):
    a.run("LISTEN ch")
    b.run("NOTIFY ch, '1'")
    yield "an idle session is told at once", same(a.got(1), [(b.pid, "ch", "1")])
    b.run("NOTIFY ch")
    yield "no payload is an empty one", same(a.got(1), [(b.pid, "ch", "")])
    a.run("NOTIFY ch, 'own'")
    yield "own notifications come too", same(a.got(1), [(a.pid, "ch", "own")])
    b.run("NOTIFY other, 'x'")
    yield "other channels do not", same(a.got(0), [])
    b.run("SELECT pg_notify('ch', 'n' || i) FROM generate_series(1, 300) AS g(i)")
    yield "many in one transaction, in order", same([p for _, _, p in a.got(300)], [f"n{i}" for i in range(1, 301)])
    yield "channels", same(a.run("SELECT pg_listening_channels()"), [("ch",)])
    a.run("UNLISTEN ch")
    b.run("NOTIFY ch, 'late'")
    yield "not after UNLISTEN", same(a.got(0), [])
    a.run("LISTEN \"Ch\"; LISTEN ch")
    b.run("NOTIFY \"Ch\", 'q'")
    yield "names are identifiers", same(a.got(1), [(b.pid, "Ch", "q")])
    a.run("UNLISTEN *")
    yield "UNLISTEN *", same(a.run("SELECT pg_listening_channels()"), [])


def transactions(a, b):
    a.run("LISTEN ch")
    b.run("BEGIN; NOTIFY ch, 'x'; NOTIFY ch, 'x'; NOTIFY ch, 'y'")
    yield "nothing before the commit", same(a.got(0), [])
    b.run("COMMIT")
    yield "after it, each once", same(a.got(2), [(b.pid, "ch", "x"), (b.pid, "ch", "y")])
    b.run("BEGIN; NOTIFY ch, 'lost'; ROLLBACK")
    yield "nothing after ROLLBACK", same(a.got(0), [])
    b.run("BEGIN; NOTIFY ch, '1'; SAVEPOINT s; NOTIFY ch, '2'; ROLLBACK TO s; NOTIFY ch, '2'; NOTIFY ch, '3'; COMMIT")
    yield "savepoints take back theirs", same([p for _, _, p in a.got(3)], ["1", "2", "3"])
    yield "a statement that fails sends nothing", same(b.fails("NOTIFY ch, 'f'; SELECT 1/0"), "22012 division by zero")
    yield "", same(a.got(0), [])
    a.run("BEGIN; SELECT 1")
    b.run("NOTIFY ch, 'w'")
    yield "none inside a transaction", same(a.got(0), [])
    a.run("COMMIT")
    yield "but at its end", same(a.got(1), [(b.pid, "ch", "w")])
    a.run("BEGIN; LISTEN more; ROLLBACK")
    yield "LISTEN is undone by ROLLBACK", same(a.run("SELECT pg_listening_channels()"), [("ch",)])
    a.run("DISCARD ALL")
    yield "DISCARD ALL stops listening", same(a.run("SELECT pg_listening_channels()"), [])
    b.run("BEGIN TRANSACTION READ ONLY; NOTIFY ch; COMMIT")
    yield "allowed in a read-only transaction", None


def faults(a, b):
    yield "empty channel", same(b.fails("SELECT pg_notify('', 'x')"), "22023 channel name cannot be empty")
    yield "no channel", same(b.fails("SELECT pg_notify(NULL, 'x')"), "22023 channel name cannot be empty")
    yield "long channel", same(b.fails("SELECT pg_notify(repeat('c', 64), 'x')"), "22023 channel name too long")
    yield "long payload", same(b.fails("SELECT pg_notify('ch', repeat('p', 8000))"), "22023 payload string too long")
    a.run("LISTEN ch")
    b.run("SELECT pg_notify('ch', repeat('p', 7999))")
    yield "longest payload", same([len(p) for _, _, p in a.got(1)], [7999])
    a.run("UNLISTEN *")


def full_inbox(a, b):
    """A listener that never comes out of its transaction must not cost more memory than its inbox may hold."""
    a.run("LISTEN ch")
    a.run("BEGIN; SELECT 1")
    sent, answer = 0, "no error"
    while answer == "no error" and sent < 40:
        answer = b.fails("SELECT count(pg_notify('ch', i || repeat('p', 7000))) FROM generate_series(1, 200) AS g(i)")
        sent += answer == "no error"
    yield "a full queue refuses", same(answer, "54000 too many notifications in the NOTIFY queue")
    a.run("COMMIT")
    yield "nothing of a refused transaction", same(len(a.got(sent * 200)), sent * 200)
    b.run("NOTIFY ch, 'again'")
    yield "and goes on", same(a.got(1), [(b.pid, "ch", "again")])


def cases(a, b):
    for part in (delivery, transactions, faults):
        for name, wrong in part(a, b):
            yield "notify: " + (name or "and no more"), wrong


def run():
    for build in ("build", "build-asan"):
        server = Server(build)
        try:
            peers = Peer(server.dsn()), Peer(server.dsn())
            for name, wrong in cases(*peers):
                yield f"{build} {name}", wrong
            for name, wrong in full_inbox(*peers):
                yield f"{build} notify: {name}", wrong
        finally:
            complaints = server.close()
        yield f"{build} notify: the server ends in order", complaints and str(complaints) or None
