"""Large work: what others see of it, what it needs of memory, and what is left when it is ended."""
import io
import os
import subprocess
import tempfile
import threading

import psycopg2

from server import Server, wait_until


def connect(server):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    return connection


def run(connection, sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else None


def sqlstate(connection, sql):
    try:
        run(connection, sql)
    except psycopg2.Error as e:
        return e.pgcode
    return "ok"


def copy(connection, table, lines):
    with connection.cursor() as cursor:
        cursor.copy_expert(f"copy {table} from stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def keys_in_order(server):
    """A writer that no longer looks for each key still meets those of others, committed or not, and its own."""
    a, b = connect(server), connect(server)
    for outcome, wanted in (("commit", "23505"), ("rollback", "ok")):
        run(a, "drop table if exists ordered")
        run(a, "create table ordered (id int primary key, u int unique)")
        run(b, "begin")
        run(b, "insert into ordered values (500, 5000)")
        answer = []
        thread = threading.Thread(target=lambda: answer.append(
            sqlstate(a, "insert into ordered select i, i from generate_series(1, 1000) i")))
        thread.start()
        waits = not thread.join(0.3) and thread.is_alive()
        run(b, outcome)
        thread.join(20)
        if not waits:
            return f"did not wait for a key that another was about to commit ({outcome})"
        if answer != [wanted]:
            return f"after {outcome}: {answer}"
    run(a, "insert into ordered values (5000, 5000)")
    for sql, state in (
            ("insert into ordered select i, i + 10000 from generate_series(4000, 6000) i", "23505"),  # one is there
            ("insert into ordered select i, i from generate_series(4990, 4999) i", "ok"),
            ("insert into ordered select i / 2, i + 20000 from generate_series(20000, 20100) i", "23505"),  # its own
            ("insert into ordered select i + 30000, i / 2 from generate_series(60000, 60100) i", "23505"),
            ("with x as (insert into ordered select i, i from generate_series(40000, 40200) i returning id) "
             "insert into ordered select id + 1, id + 50000 from x", "23505"),
            ("insert into ordered select i, null from generate_series(50000, 50100) i", "ok"),
            ("insert into ordered values (50101, null)", "ok")):
        if sqlstate(a, sql) != state:
            return f"{sqlstate(a, sql)} instead of {state}: {sql}"
    run(a, "begin")
    run(a, "lock table ordered in exclusive mode")
    copy(a, "ordered", (f"{i}\t{i}" for i in range(60000, 70000)))
    if sqlstate(a, "insert into ordered values (65000, 1)") != "23505":
        return "under a table lock a key was taken twice"
    run(a, "rollback")
    return None


def many_locks(server):
    """The rows of a statement of very many are locked one by one, however that is remembered."""
    a, b = connect(server), connect(server)
    run(a, "create table locked (id int primary key, v int)")
    run(a, "begin")
    run(a, "insert into locked select i, i from generate_series(1, 60000) i")
    run(b, "set lock_timeout = '100ms'")
    for i in (1, 17000, 30000, 59999):
        if sqlstate(b, f"insert into locked values ({i}, 0)") != "55P03":
            return f"key {i} was not locked"
    if sqlstate(b, "insert into locked values (60001, 0)") != "ok":
        return "a key that nobody has is locked"
    run(a, "commit")
    for i in (1, 30000):
        if sqlstate(b, f"insert into locked values ({i}, 0)") != "23505":
            return f"key {i} is not there"
    if run(b, "select count(*) from locked") != [(60001,)]:
        return "rows are missing"
    return None


SPILLING = (
    "select distinct a % 20011, b from wide",
    "select distinct on (k) k, a from (select a % 15013 as k, a from wide order by 1, 2) x",
    "select a % 20011 as k, count(*), sum(a), min(b), max(b), count(distinct a % 7) from wide group by 1",
    "select b, count(*), avg(a) from wide group by b",
    "select a % 3001, b, grouping(a % 3001, b), count(*) from wide group by grouping sets ((1, 2), (1), ())",
    "select a from wide group by a having count(*) > 1",
    "select a, b from wide union select a + 10000, b from wide",
    "select a from wide intersect select a + 10000 from wide",
    "select a % 30011 from wide except all select a from wide where a < 12345",
    "select a from wide except select a + 5 from wide",
    "select w.a, x.b from wide w join wide x on w.a = x.a + 7",
    "select w.a, x.c from wide w left join (select a + 20000 as a, c from wide) x using (a)",
    "select w.c, x.a from wide w right join (select a + 20000 as a, n from wide) x on x.n = w.n",
    "select w.a, x.a from wide w full join (select a + 20000 as a, n from wide) x on x.n = w.n and x.a = w.a",
    "select a from wide where n in (select n + 30000 from wide)",
    "select a from wide w where not exists (select 1 from wide x where x.n = w.n + 15000)",
    "select a from wide where n not in (select n from wide where a > 20000)",
    "select a from wide where a not in (select a + 10000 from wide)",
    "select a, row_number() over (partition by a % 5003 order by a) from wide",
    "select a, sum(a) over (partition by b order by a rows between 2 preceding and current row) from wide",
    "select a, count(*) over (), lag(a) over (order by a) from wide",
    "select a, b, c from wide order by b, a desc",
)


def spilled(connection, sql):
    plan = "\n".join(row[0] for row in run(connection, f"explain analyze {sql}"))
    return "temp disk usage" in plan


def work_mem(server):
    """What does not fit into work_mem goes to files, and comes to the same."""
    c = connect(server)
    run(c, "create table wide (a int primary key, n int, b text, c text)")
    run(c, "insert into wide select i, nullif(i % 40000, 17), md5((i % 30000)::text), repeat('x', i % 50) from generate_series(1, 40000) i")
    run(c, "analyze wide")
    run(c, "set enable_mergejoin = off")
    wrong, stayed = [], []
    for sql in SPILLING:
        run(c, "set work_mem = '1GB'")
        wanted = sorted(run(c, sql), key=repr)
        run(c, "set work_mem = '64kB'")
        if sorted(run(c, sql), key=repr) != wanted:
            wrong.append(sql)
        if not spilled(c, sql):
            stayed.append(sql)
    if wrong:
        return "other results with little memory: " + "; ".join(wrong)
    return "did not spill: " + "; ".join(stayed) if stayed else None


ROWS = 800000


def anonymous(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as f:
        return next(int(line.split()[1]) // 1024 for line in f if line.startswith("RssAnon"))


def bounded_memory(server):
    """A load and its index, and queries over it, in a part of the memory that their rows would take."""
    c = connect(server)
    run(c, "create table tall (id bigint primary key, u int, s text)")
    peak = [anonymous(server)]
    before, done = peak[0], threading.Event()

    def watch():
        while not done.wait(0.02):
            peak[0] = max(peak[0], anonymous(server))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        copy(c, "tall", (f"{i}\t{i * 7919 % 1000003}\t{'s' * 90}" for i in range(ROWS)))
        run(c, "create index on tall (u)")
        run(c, "set work_mem = '1MB'")
        if run(c, "select count(*) from (select u, count(*) from tall group by u) x") != [(ROWS,)]:
            return "wrong number of groups"
        wanted = sum(1 for i in range(ROWS) if 3 <= i * 7919 % 1000003 < ROWS + 3)
        if run(c, "select count(*) from tall a join tall b on a.u = b.id + 3 and a.s = b.s") != [(wanted,)]:
            return "wrong number of pairs"
    finally:
        done.set()
        thread.join()
    # The rows would take 120 MiB and more in any form.
    return f"{peak[0] - before} MiB of memory" if peak[0] - before > 90 else None


def progress(server):
    """COPY and CREATE INDEX show how far they are, and nothing once they are done."""
    a, b = connect(server), connect(server)
    run(a, "create table followed (id int primary key, v int)")
    seen = []

    class Rows(io.StringIO):
        def read(self, size=-1):
            piece = super().read(8192)
            if piece and self.tell() > 20000:
                # What was sent is read in its own time.
                wait_until(lambda: seen.append(run(b, "select p.command, p.type, c.relname, p.datname, p.bytes_processed, p.tuples_processed "
                                                      "from pg_stat_progress_copy p join pg_class c on c.oid = p.relid")) or seen[-1])
            return piece

    with a.cursor() as cursor:
        cursor.copy_expert("copy followed from stdin", Rows("".join(f"{i}\t{i}\n" for i in range(10000))))
    rows = [r[0] for r in seen if r]
    if not rows or rows[-1][:4] != ("COPY FROM", "PIPE", "followed", "postgres"):
        return f"pg_stat_progress_copy: {rows[-1:]}"
    if not 0 < rows[-1][5] <= 10000 or not rows[-1][5] * 4 <= rows[-1][4] <= 200000:
        return f"pg_stat_progress_copy: {rows[-1]}"
    run(a, "begin")
    run(a, "create index followed_v on followed (v)")
    left = run(b, "select c.relname, p.index_relid <> 0, p.phase, p.tuples_done from pg_stat_progress_create_index p "
                  "join pg_class c on c.oid = p.relid")
    if left != [("followed", True, "building index: loading tuples in tree", 10000)]:
        return f"pg_stat_progress_create_index: {left}"
    run(a, "commit")
    for view in ("copy", "create_index", "vacuum", "analyze", "cluster", "basebackup"):
        if run(b, f"select * from pg_stat_progress_{view}"):
            return f"pg_stat_progress_{view} shows what is over"
    return None


def temporary_files(server):
    """Files without a name that the server has open in its data directory."""
    directory, found = f"/proc/{server.process.pid}/fd", []
    for name in os.listdir(directory):
        try:
            target = os.readlink(f"{directory}/{name}")
        except OSError:
            continue
        if target.startswith(os.path.realpath(server.data)) and target.endswith("(deleted)"):
            found.append(target)
    return found


def ended_early(server):
    """A time-out in the midst of large work leaves neither rows, nor index, nor file, nor lock."""
    c, other = connect(server), connect(server)
    run(c, "create table target (id bigint primary key, u int, s text)")
    run(c, "create table source (id bigint primary key, u int, s text)")
    run(c, "insert into source select i, i::bigint * 7919 % 1000003, repeat('s', 90) from generate_series(1, 300000) i")
    run(c, "set work_mem = '64kB'")
    files = len(temporary_files(server))
    for sql in ("insert into target select * from source",
                "create table copied as select * from source",
                "create index source_u on source (u)",
                "alter table source add column z int not null default 7",
                "select count(*) from (select u, s, count(*) from source group by u, s) x",
                "select count(*) from (select distinct u, s from source) x",
                "select count(*) from source a join source b on a.u = b.u and a.s = b.s",
                "select count(*) from (select u from source union select u + 1 from source) x",
                "select count(*) from (select *, row_number() over (partition by u order by s) from source) x"):
        # Half of the time that it takes: it is in the midst of it.
        run(c, "set statement_timeout = '60ms'")
        state = sqlstate(c, sql)
        run(c, "set statement_timeout = 0")
        if state != "57014":
            return f"{state} instead of 57014: {sql}"
        if len(temporary_files(server)) != files:
            return f"left {temporary_files(server)}: {sql}"
    if run(other, "select count(*) from target") != [(0,)] or run(other, "select count(*) from source") != [(300000,)]:
        return "rows were left or lost"
    if run(other, "select count(*) from pg_class where relname in ('source_u', 'copied')") != [(0,)]:
        return "an index or a table was left"
    return None if sqlstate(other, "drop table source, target") == "ok" else "the tables are still locked"


def full_disk(_):
    """53100 where a spilling transaction or query fills the disk; the server goes on, and the room comes back."""
    with tempfile.TemporaryDirectory(prefix="rowkey-full-") as place:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", place], check=False, capture_output=True).returncode:
            return "skipped: no file system of a limited size can be mounted"
        try:
            with Server(data=os.path.join(place, "data")) as server:
                c = connect(server)
                run(c, "create table t (id int primary key, s text)")
                run(c, "insert into t select i, repeat('s', 20) from generate_series(1, 50000) i")
                free = os.statvfs(place).f_bavail
                for sql in ("insert into t select i, repeat('s', 200) from generate_series(100000, 1000000) i",
                            "select count(*) from (select i, repeat(i::text, 100) from generate_series(1, 200000) i order by 2) x",
                            "select count(*) from (select distinct repeat(i::text, 100) from generate_series(1, 200000) i) x"):
                    run(c, "set work_mem = '1MB'")
                    state = sqlstate(c, sql)
                    if state != "53100":
                        return f"{state} instead of 53100: {sql}"
                    if temporary_files(server):
                        return f"left {temporary_files(server)}: {sql}"
                    if run(c, "select count(*) from t") != [(50000,)]:
                        return "rows of the failed statement are there"
                if sqlstate(c, "insert into t values (0, 'after')") != "ok":
                    return "the server does not go on"
                if os.statvfs(place).f_bavail < free * 0.8:
                    return "the room has not come back"
        finally:
            subprocess.run(["umount", "-l", place], check=False)
    return None


CASES = (keys_in_order, many_locks, work_mem, bounded_memory, progress, ended_early, full_disk)


def run_all():
    with Server() as server:
        for case in CASES:
            yield case.__name__, case(server)
