"""The protocol byte by byte: what libpq would never send, and what it hides when it reads."""
import socket
import struct

from server import Server


class Wire:
    """A raw connection. send('Q', b'...') frames; messages() reads until ReadyForQuery or the end."""

    def __init__(self, server, start=True, **parameters):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        self.buffer = b""
        if start:
            text = b"".join(k.encode() + b"\0" + v.encode() + b"\0" for k, v in {"user": "postgres", "database": "postgres", **parameters}.items())
            self.raw(struct.pack("!ii", len(text) + 9, 3 << 16) + text + b"\0")
            self.greeting = self.messages()

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, kind, body=b""):
        self.raw(kind.encode() + struct.pack("!i", len(body) + 4) + body)

    def message(self):
        while len(self.buffer) < 5 or len(self.buffer) < 1 + struct.unpack("!i", self.buffer[1:5])[0]:
            data = self.socket.recv(65536)
            if not data:
                return None
            self.buffer += data
        length = 1 + struct.unpack("!i", self.buffer[1:5])[0]
        kind, body, self.buffer = chr(self.buffer[0]), self.buffer[5:length], self.buffer[length:]
        return kind, body

    def messages(self, until="Z"):
        out = []
        while True:
            m = self.message()
            if m is None:
                return out + [("closed", b"")]
            out.append(m)
            if m[0] == until:
                return out

    def query(self, sql):
        self.send("Q", sql.encode() + b"\0")
        return self.messages()


def kinds(messages):
    return "".join(k if len(k) == 1 else "." for k, _ in messages)


def fields(body):
    return {part[:1].decode(): part[1:].decode() for part in body.split(b"\0") if part}


def error(messages):
    for kind, body in messages:
        if kind == "E":
            return fields(body)
    return {}


def parse(name, sql, *types):
    return name.encode() + b"\0" + sql.encode() + b"\0" + struct.pack("!h", len(types)) + b"".join(struct.pack("!i", t) for t in types)


def bind(portal, name, *params, formats=()):
    body = portal.encode() + b"\0" + name.encode() + b"\0" + struct.pack("!h", 0) + struct.pack("!h", len(params))
    for p in params:
        body += struct.pack("!i", -1) if p is None else struct.pack("!i", len(p)) + p
    return body + struct.pack("!h", len(formats)) + b"".join(struct.pack("!h", f) for f in formats)


def execute(portal="", rows=0):
    return portal.encode() + b"\0" + struct.pack("!i", rows)


def same(got, wanted):
    return None if got == wanted else f"got {got!r}, wanted {wanted!r}"


def starting(server):
    w = Wire(server)
    yield "greeting", same(kinds(w.greeting).strip("S")[:1] + kinds(w.greeting)[-2:], "RKZ")
    status = dict(body[:-1].decode().split("\0") for kind, body in w.greeting if kind == "S")
    for name, value in (("server_encoding", "UTF8"), ("client_encoding", "UTF8"), ("standard_conforming_strings", "on"),
                        ("integer_datetimes", "on"), ("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"), ("IntervalStyle", "postgres")):
        yield f"reports {name}", same(status.get(name), value)
    yield "server_version", None if status.get("server_version", "").startswith("15.") else str(status)
    w = Wire(server, start=False)
    w.raw(struct.pack("!ii", 8, 80877103))
    yield "SSLRequest answered N", same(w.socket.recv(1), b"N")
    w = Wire(server, database="no_such_database")
    yield "unknown database", same(error(w.greeting).get("C"), "3D000")
    w = Wire(server, user="no_such_user")
    yield "unknown user", same(error(w.greeting).get("C"), "28000")
    w = Wire(server, start=False)
    w.raw(struct.pack("!ii", 8, 2 << 16))
    yield "protocol 2", same(error(w.messages()).get("C"), "0A000")
    w = Wire(server, start=False)
    w.raw(b"GET / HTTP/1.1\r\n\r\n")
    yield "garbage", same(kinds(w.messages()), "E.")


def simple(server):
    w = Wire(server)
    yield "one row", same(kinds(w.query("select 1")), "TDCZ")
    yield "empty query", same(kinds(w.query("")), "IZ")
    yield "only a comment", same(kinds(w.query("-- nothing\n ;")), "IZ")
    yield "two statements", same(kinds(w.query("select 1; select 2")), "TDCTDCZ")
    m = w.query("select 1; select 1/0; select 3")
    yield "stops at an error", same((kinds(m), error(m)["C"]), ("TDCEZ", "22012"))
    w.query("create table wire_a (a int primary key)")
    m = w.query("insert into wire_a values (1); insert into wire_a values (1)")
    yield "one implicit transaction", same((error(m)["C"], kinds(w.query("select * from wire_a"))), ("23505", "TCZ"))
    m = w.query("begin; insert into wire_a values (1); commit; insert into wire_a values (1)")
    yield "explicit commit inside", same(kinds(w.query("select * from wire_a")), "TDCZ")
    m = w.query("begin")
    yield "status T", same(m[-1][1], b"T")
    m = w.query("selec 1")
    yield "position of a syntax error", same((error(m)["C"], error(m).get("P"), m[-1][1]), ("42601", "1", b"E"))
    yield "25P02", same(error(w.query("select 1"))["C"], "25P02")
    yield "status I", same(w.query("rollback")[-1][1], b"I")
    m = w.query("insert into wire_a values (1)")
    e = error(m)
    yield "fields of 23505", same((e.get("s"), e.get("t"), e.get("n")), ("public", "wire_a", "wire_a_pkey"))
    w.send("Q", b"select '\xff'\0")
    yield "invalid UTF-8", same(error(w.messages())["C"], "22021")


def extended(server):
    w = Wire(server)
    # asyncpg prepares with Flush and sends Sync only when it has read the answer.
    for sql, wanted in (("select 1", "1tT"), ("select '1'::no_such_type", "E"), ("select * from no_such_table", "E")):
        w.send("P", parse("", sql))
        w.send("D", b"S\0")
        w.send("H")
        yield f"Flush answers before Sync: {sql}", same(kinds(w.messages(until=wanted[-1])), wanted)
        w.send("S")
        yield f"Sync after it: {sql}", same(kinds(w.messages()), "Z")
    w.send("P", parse("", "select * from upper($1, $2) as result", 2278, 25))
    w.send("B", bind("", "", None, b"ab"))
    w.send("E", execute())
    w.send("S")
    m = w.messages()
    yield "a parameter of type void is no argument", same((kinds(m), m[2][1] if len(m) > 2 else b""), ("12DCZ", b"\0\x01\0\0\0\x02AB"))
    quoted = Wire(server, client_encoding="'utf-8'")
    yield "client_encoding in quotes", same(dict(body[:-1].decode().split("\0") for kind, body in quoted.greeting if kind == "S").get("client_encoding"), "UTF8")
    w.send("P", parse("", "select $1::int + 1, $2::text"))
    w.send("D", b"S\0")
    w.send("B", bind("", "", b"41", b"x"))
    w.send("D", b"P\0")
    w.send("E", execute())
    w.send("S")
    m = w.messages()
    yield "parse describe bind execute", same(kinds(m), "1tT2TDCZ")
    yield "parameter types", same(m[1][1], struct.pack("!hii", 2, 23, 25))
    yield "row", same(m[5][1], struct.pack("!hi2si1s", 2, 2, b"42", 1, b"x"))
    w.send("P", parse("", "select generate_series(1, 5)"))
    w.send("B", bind("c", ""))
    w.send("E", execute("c", 2))
    w.send("E", execute("c", 2))
    w.send("E", execute("c", 2))
    w.send("S")
    yield "suspended portal", same(kinds(w.messages()), "12DDsDDsDCZ")
    w.send("P", parse("", "select 1"))
    w.send("P", parse("", "selec 1"))
    w.send("B", bind("", ""))
    w.send("E", execute())
    w.send("S")
    yield "skips to Sync", same(kinds(w.messages()), "1EZ")
    w.query("create table wire_b (a int primary key)")
    for value in (b"1", b"2", b"1"):
        w.send("P", parse("", "insert into wire_b values ($1)"))
        w.send("B", bind("", "", value))
        w.send("E", execute())
    w.send("S")
    m = w.messages()
    yield "pipeline is one transaction", same((kinds(m), kinds(w.query("select * from wire_b"))), ("12C12C12EZ", "TCZ"))
    w.send("P", parse("s", "select 1"))
    w.send("P", parse("s", "select 1"))
    w.send("S")
    yield "42P05", same(error(w.messages())["C"], "42P05")
    w.send("B", bind("", "nope"))
    w.send("S")
    yield "26000", same(error(w.messages())["C"], "26000")
    w.send("E", execute("nope"))
    w.send("S")
    yield "34000", same(error(w.messages())["C"], "34000")
    w.send("P", parse("", ""))
    w.send("B", bind("", ""))
    w.send("E", execute())
    w.send("S")
    yield "empty statement", same(kinds(w.messages()), "12IZ")
    w.send("P", parse("", "select $1::int8"))
    w.send("B", bind("", "", b"7", formats=(1,)))
    w.send("E", execute())
    w.send("S")
    m = w.messages()
    yield "binary result", same(m[2][1], struct.pack("!hiq", 1, 8, 7))
    w.send("P", parse("", "select 1; select 2"))
    w.send("S")
    yield "several commands prepared", same(error(w.messages())["C"], "42601")


def holding(server):
    """Portals of a READ COMMITTED block: one that is half-way holds a snapshot, one that has handed out all its rows none."""
    w, other = Wire(server, application_name="portals"), Wire(server)

    def held():
        rows = [body for kind, body in other.query("select pid from rowkey.snapshots where application_name = 'portals'") if kind == "D"]
        return len(rows)

    w.query("create table wire_held (a int primary key)")
    w.query("insert into wire_held select generate_series(1, 5000)")
    w.query("begin")
    w.send("P", parse("all", "select a from wire_held"))
    w.send("S")
    w.messages()
    for portal in ("", "named"):
        w.send("B", bind(portal, "all"))
        w.send("E", execute(portal))
        w.send("S")
        yield f"{portal or 'unnamed'} portal", same((len(kinds(w.messages())), held()), (5003, 0))
    w.send("B", bind("half", "all"))
    w.send("E", execute("half", 2))
    w.send("S")
    yield "suspended portal", same((kinds(w.messages()), held()), ("2DDsZ", 1))
    w.send("C", b"Phalf\0")
    w.send("S")
    yield "closed portal", same((kinds(w.messages()), held()), ("3Z", 0))
    w.send("B", bind("half", "all"))
    w.send("E", execute("half", 2))
    w.send("S")
    w.messages()
    w.query("select 1")
    w.send("E", execute("half", 2))
    w.send("S")
    yield "portal put aside", same((kinds(w.messages()), held()), ("DDsZ", 0))
    w.query("commit")


def broken(server):
    w = Wire(server)
    w.raw(b"Q" + struct.pack("!i", 3))
    yield "length below 4", same(error(w.messages()).get("C"), "08P01")
    w = Wire(server)
    w.raw(b"Q" + struct.pack("!i", 0x7FFFFFFF))
    yield "length of 2 GiB", same(error(w.messages()).get("C"), "08P01")
    w = Wire(server)
    w.send("?", b"")
    yield "unknown message", same(error(w.messages()).get("C"), "08P01")
    w = Wire(server)
    w.send("B", b"x\0")
    w.send("S")
    m = w.messages()
    yield "short Bind", same((error(m)["C"], kinds(w.query("select 1"))), ("08P01", "TDCZ"))
    w = Wire(server)
    w.raw(b"Q" + struct.pack("!i", 100) + b"select")
    w.socket.close()
    w = Wire(server)
    w.send("d", b"stray")
    w.send("c")
    yield "stray copy data", same(kinds(w.query("select 1")), "TDCZ")
    w.send("F", b"")
    yield "function call", same(error(w.messages())["C"], "0A000")


def copying(server):
    w = Wire(server)
    w.query("create table wire_c (a int, b text)")
    w.send("Q", b"copy wire_c from stdin\0")
    m = w.messages("G")
    w.send("d", b"1\tx\n2")
    w.send("d", b"\t\\N\n")
    w.send("c")
    m = w.messages()
    yield "copy in", same((kinds(m), m[0][1]), ("CZ", b"COPY 2\0"))
    m = w.query("copy wire_c to stdout")
    yield "copy out", same((kinds(m), b"".join(b for k, b in m if k == "d")), ("HddcCZ", b"1\tx\n2\t\\N\n"))
    w.send("Q", b"copy wire_c from stdin\0")
    w.messages("G")
    w.send("f", b"no more\0")
    m = w.messages()
    yield "copy failed by the client", same(error(m)["C"], "57014")
    w.send("Q", b"copy wire_c from stdin\0")
    w.messages("G")
    w.send("d", b"x\ty\n")
    w.send("d", b"3\tz\n")
    w.send("c")
    m = w.messages()
    yield "bad row", same((error(m)["C"], error(m).get("W")), ("22P02", 'COPY wire_c, line 1, column a: "x"'))
    yield "still in step", same(kinds(w.query("select count(*) from wire_c")), "TDCZ")


def cancelling(server):
    w = Wire(server)
    pid, key = struct.unpack("!ii", [b for k, b in w.greeting if k == "K"][0])
    w.send("Q", b"select pg_sleep(15)\0")
    other = Wire(server, start=False)
    import time
    time.sleep(0.3)
    other.raw(struct.pack("!iiii", 16, 80877102, pid, key))
    m = w.messages()
    yield "cancel", same(error(m)["C"], "57014")
    yield "goes on", same(kinds(w.query("select 1")), "TDCZ")
    many = [Wire(server) for _ in range(200)]
    yield "200 connections", same({kinds(c.query("select 1")) for c in many}, {"TDCZ"})


def run():
    for build in ("build", "build-asan"):
        with Server(build) as server:
            for part in (starting, simple, extended, holding, broken, copying, cancelling):
                for name, wrong in part(server):
                    yield f"{build} {part.__name__}: {name}", wrong
            complaints = server.close()
            yield f"{build} server", complaints[0] if complaints else None
