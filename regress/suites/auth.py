"""Who may connect: rules of access, passwords, SCRAM with channel binding, TLS, reloading, and what hostile clients get."""
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

from server import ROOT, Server

HBA = """# TYPE DATABASE USER ADDRESS METHOD
local     all      postgres                 trust
local     all      all                      peer
host      all      postgres   127.0.0.1/32  trust
hostssl   all      tls_only   127.0.0.1/32  scram-sha-256
hostnossl all      clear      127.0.0.1/32  password
host      sameuser same       127.0.0.1 255.255.255.255 trust   # with a mask
host      all      +team      all           scram-sha-256
host      all      refused    all           reject
host      postgres md5user    all           md5
host      postgres alice,"bob x",late,nobody,nopass samehost scram-sha-256
"""


def psql(server, user, password=None, database="postgres", extra="sslmode=disable", sql="select current_user"):
    dsn = f"host=127.0.0.1 port={server.port} user='{user}' dbname={database} {extra}"
    environment = dict(os.environ, PGPASSWORD=password or "")
    done = subprocess.run(["psql", "-XAtqw", dsn, "-c", sql], capture_output=True, text=True, timeout=30, env=environment)
    return done.stdout.strip() if done.returncode == 0 else done.stderr.strip()


def certificate(directory, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", f"{directory}/key.pem", "-out", f"{directory}/cert.pem"],
                   check=True, capture_output=True)


def want(got, wanted):
    return None if got == wanted or (wanted.startswith("~") and wanted[1:] in got) else f"got {got!r}, wanted {wanted!r}"


def roles(server):
    sql = """
        CREATE ROLE alice LOGIN PASSWORD 'open sesame'; CREATE USER "bob x" PASSWORD 'x'; CREATE ROLE team;
        CREATE USER member PASSWORD 'member' IN ROLE team; CREATE USER outsider PASSWORD 'outsider';
        CREATE USER clear PASSWORD 'clear'; CREATE USER tls_only PASSWORD 'tls'; CREATE USER same; CREATE DATABASE same;
        CREATE USER refused; CREATE USER nopass; CREATE USER late PASSWORD 'late' VALID UNTIL '2001-01-01';
        CREATE ROLE md5user LOGIN PASSWORD 'md5b4a3bf8a0be2a5b24b1c1b7a7d1a6c6f';"""
    for statement in sql.split(";"):
        if statement.strip():
            got = psql(server, "postgres", sql=statement)
            if got:
                return got
    return None


def passwords(server):
    bad = '~FATAL:  password authentication failed for user "%s"'
    for user, password, wanted in (("alice", "open sesame", "alice"), ("alice", "wrong", bad % "alice"), ("bob x", "x", "bob x"),
                                   ("late", "late", bad % "late"), ("nobody", "x", bad % "nobody"), ("nopass", "x", bad % "nopass"),
                                   ("member", "member", "member"), ("clear", "clear", "clear"), ("clear", "unclear", bad % "clear"),
                                   ("md5user", "wrong", bad % "md5user")):
        yield f"password {user} {password}", want(psql(server, user, password), wanted)
    yield "no rule", want(psql(server, "outsider", "outsider"),
                          '~FATAL:  no pg_hba.conf entry for host "127.0.0.1", user "outsider", database "postgres", no encryption')
    yield "reject", want(psql(server, "refused"), '~FATAL:  pg_hba.conf rejects connection for host "127.0.0.1", user "refused", database "postgres"')
    yield "sameuser", want(psql(server, "same", database="same"), "same")
    yield "sameuser elsewhere", want(psql(server, "same"), "~no pg_hba.conf entry")
    got = psql(server, "postgres", sql="select rolpassword ~ '^SCRAM-SHA-256\\$4096:[A-Za-z0-9+/]{22}==\\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$' from pg_authid where rolname = 'alice'")
    yield "verifier", want(got, "t")
    psql(server, "alice", "open sesame", sql="ALTER ROLE alice PASSWORD 'other'")
    yield "own password changed", want(psql(server, "alice", "other"), "alice")
    verifier = psql(server, "postgres", sql="select rolpassword from pg_authid where rolname = 'alice'")
    psql(server, "postgres", sql=f"ALTER ROLE \"bob x\" PASSWORD '{verifier}'")
    yield "verifier as given", want(psql(server, "bob x", "other"), "bob x")
    psql(server, "postgres", sql="ALTER ROLE alice CONNECTION LIMIT 0")
    yield "connection limit", want(psql(server, "alice", "other"), '~FATAL:  too many connections for role "alice"')
    psql(server, "postgres", sql="ALTER ROLE alice CONNECTION LIMIT -1 NOLOGIN")
    yield "nologin", want(psql(server, "alice", "other"), '~FATAL:  role "alice" is not permitted to log in')


def tls(server, directory):
    secure = f"sslmode=verify-full sslrootcert={directory}/cert.pem"
    yield "verify-full", want(psql(server, "tls_only", "tls", extra=secure), "tls_only")
    yield "channel binding", want(psql(server, "tls_only", "tls", extra=secure + " channel_binding=require"), "tls_only")
    yield "wrong password", want(psql(server, "tls_only", "no", extra=secure), "~password authentication failed")
    yield "hostssl in the clear", want(psql(server, "tls_only", "tls"), "~no pg_hba.conf entry")
    yield "hostnossl encrypted", want(psql(server, "clear", "clear", extra="sslmode=require"), "~SSL encryption")
    yield "TLS 1.1", want(psql(server, "tls_only", "tls", extra="sslmode=require ssl_min_protocol_version=TLSv1 ssl_max_protocol_version=TLSv1.1"), "~SSL error")
    long = psql(server, "tls_only", "tls", extra=secure, sql="select length(string_agg(g::text, '')) from generate_series(1, 200000) g")
    yield "long answers", want(long, "1088895")
    rows = psql(server, "tls_only", "tls", extra=secure, sql="copy (select g, repeat('x', 1000) from generate_series(1, 3000) g) to stdout")
    yield "COPY over TLS", None if len(rows) > 3000000 else rows[:200]
    big = "select length('" + "y" * 300000 + "')"
    done = subprocess.run(["psql", "-XAtqw", f"host=127.0.0.1 port={server.port} user=tls_only dbname=postgres {secure}"], input=big + ";\n",
                          capture_output=True, text=True, timeout=30, env=dict(os.environ, PGPASSWORD="tls"))
    yield "long queries", want(done.stdout.strip(), "300000")
    yield "ssl shown", want(psql(server, "postgres", sql="show ssl"), "on")


def reload(server, directory):
    with open(f"{directory}/hba", "a", encoding="utf-8") as f:
        f.write("host all outsider 127.0.0.1/32 scram-sha-256\n")
    certificate(directory, "second")
    server.process.send_signal(signal.SIGHUP)
    for _ in range(50):
        got = psql(server, "outsider", "outsider")
        if got == "outsider":
            break
        time.sleep(0.1)
    yield "SIGHUP: rules", want(got, "outsider")
    secure = f"sslmode=verify-full sslrootcert={directory}/cert.pem channel_binding=require"
    yield "SIGHUP: certificate", want(psql(server, "tls_only", "tls", extra=secure), "tls_only")
    with open(f"{directory}/hba", "a", encoding="utf-8") as f:
        f.write("host all all nonsense trust\n")
    server.process.send_signal(signal.SIGHUP)
    for _ in range(50):
        if 'invalid IP address' in server.output():
            break
        time.sleep(0.1)
    yield "SIGHUP: a wrong file is told of", None if f'line {HBA.count(chr(10)) + 2} of' in server.output() else server.output()[-500:]
    yield "SIGHUP: a wrong file changes nothing", want(psql(server, "outsider", "outsider"), "outsider")


def startup_packet(user):
    body = struct.pack("!i", 3 << 16) + b"user\0" + user + b"\0database\0postgres\0\0"
    return struct.pack("!i", len(body) + 4) + body


def exchange(server, parts):
    """All that comes back until the server ends the connection, or keeps silent."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=3) as s:
        answer = b""
        try:
            for part in parts:
                s.sendall(part)
                time.sleep(0.05)
            while True:
                piece = s.recv(65536)
                if not piece:
                    break
                answer += piece
        except (TimeoutError, ConnectionError):
            pass
        return answer


def hostile(server):
    ssl = struct.pack("!ii", 8, 80877103)
    injected = exchange(server, [ssl + startup_packet(b"postgres") + b"Q\0\0\0\x0dselect 1\0"])
    yield "bytes behind SSLRequest", None if b"unencrypted data after SSL request" in injected else repr(injected)
    injected = exchange(server, [ssl + b"x"])
    yield "one byte behind SSLRequest", None if b"unencrypted data after SSL request" in injected else repr(injected)
    unknown, known = (exchange(server, [startup_packet(u)]) for u in (b"nobody", b"alice"))
    yield "unknown users are asked alike", want(repr(unknown), repr(known))
    sasl = b"SCRAM-SHA-256\0"
    first = b"n,,n=,r=abc"
    messages = [b"", b"garbage", sasl + struct.pack("!i", -5), sasl + struct.pack("!i", 99) + b"n,,", sasl + struct.pack("!i", 3) + b"n,,",
                b"SCRAM-SHA-256-PLUS\0" + struct.pack("!i", 3) + b"p=x", sasl + struct.pack("!i", len(first)) + first.replace(b"abc", b"a\x01c"),
                sasl + struct.pack("!i", 12) + b"y,a=x,n=,r=a", os.urandom(200)]
    for i, body in enumerate(messages):
        got = exchange(server, [startup_packet(b"alice"), b"p" + struct.pack("!i", len(body) + 4) + body])
        yield f"malformed SASL {i}", None if b"FATAL" in got and b"Z\0\0\0\x05" not in got else repr(got)
    good = b"p" + struct.pack("!i", 4 + len(sasl) + 4 + len(first)) + sasl + struct.pack("!i", len(first)) + first
    for i, last in enumerate((b"c=biws,r=abc,p=AAAA", b"c=biws,r=other,p=" + b"A" * 44, b"", b"p=", b"c=biws", b"c=,r=,p=" + os.urandom(40))):
        got = exchange(server, [startup_packet(b"alice"), good, b"p" + struct.pack("!i", len(last) + 4) + last])
        yield f"malformed SCRAM proof {i}", None if b"FATAL" in got and b"Z\0\0\0\x05" not in got else repr(got)
    got = exchange(server, [startup_packet(b"alice"), b"p" + struct.pack("!i", 1 << 29)])
    yield "long message before authentication", None if b"FATAL" in got else repr(got)
    got = exchange(server, [startup_packet(b"alice"), b"Q\0\0\0\x0dselect 1\0"])
    yield "a query before authentication", None if b"FATAL" in got and b"T" != got[-1:] and b"Z\0\0\0\x05" not in got else repr(got)
    for i in range(20):
        exchange_quick(server, ssl, os.urandom(1 + i * 40))
    yield "garbage instead of a handshake", want(psql(server, "postgres"), "postgres")


def exchange_quick(server, ssl, garbage):
    with socket.create_connection(("127.0.0.1", server.port), timeout=3) as s:
        s.sendall(ssl)
        s.recv(1)
        s.sendall(garbage)


def slow(server):
    silent = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(20)]
    for i, s in enumerate(silent):
        if i % 2:
            s.sendall(struct.pack("!ii", 8, 80877103))
    yield "silent handshakes hold nobody up", want(psql(server, "postgres"), "postgres")
    ended = 0
    for s in silent:
        try:
            while s.recv(100):
                pass
            ended += 1
        except ConnectionError:
            ended += 1
        except TimeoutError:
            pass
        s.close()
    yield "authentication timeout", want(str(ended), "20")


def refuses_to_start(directory):
    command = [f"{ROOT}/build/rowkey", "serve", "--data", f"{directory}/data", "--listen", "0.0.0.0:0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    yield "beyond loopback without rules", want(done.stderr, "~without authentication only loopback addresses are served")
    with open(f"{directory}/bad", "w", encoding="utf-8") as f:
        f.write("local all all trust\nhost all all 10.0.0.0/40 trust\n")
    done = subprocess.run(command + ["--hba", f"{directory}/bad"], capture_output=True, text=True, timeout=20)
    yield "wrong rules", want(done.stderr, f'~line 2 of "{directory}/bad": invalid CIDR mask in address "10.0.0.0/40"')
    done = subprocess.run(command + ["--tls-cert", "x"], capture_output=True, text=True, timeout=20)
    yield "certificate without key", want(done.stderr, "~--tls-cert and --tls-key belong together")


def auth():
    """Rules of access, passwords, TLS."""
    directory = tempfile.mkdtemp(prefix="rowkey-auth-")
    certificate(directory, "localhost")
    with open(f"{directory}/hba", "w", encoding="utf-8") as f:
        f.write(HBA)
    options = ["--hba", f"{directory}/hba", "--tls-cert", f"{directory}/cert.pem", "--tls-key", f"{directory}/key.pem", "--authentication-timeout", "3"]
    with Server(options=options) as server:
        yield "roles", roles(server)
        yield from hostile(server)
        yield from passwords(server)
        yield from tls(server, directory)
        yield from slow(server)
        yield from reload(server, directory)
        complaints = server.close()
        yield "server", complaints[0] if complaints else None
    yield from refuses_to_start(directory)
    shutil.rmtree(directory, ignore_errors=True)
