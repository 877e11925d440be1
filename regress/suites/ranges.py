"""Ranges and simulated nodes under load: where the writes of each kind of key go, cuts by load, tablets that cannot be cut, and
eight sessions at work while ranges are cut and merged all the time."""
import random
import re
import subprocess
import threading
import time
import uuid

import psycopg2

from server import Server, wait_until


def connect(server):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    return connection


def ask(cursor, sql):
    cursor.execute(sql)
    return cursor.fetchall()


def writes(cursor):
    return [row[0] for row in ask(cursor, "select pairs_written from rowkey.nodes order by node_id")]


def shares(before, after):
    deltas = [b - a for a, b in zip(before, after)]
    return [d / sum(deltas) for d in deltas]


def in_sessions(server, sessions, work):
    """Each session runs work(cursor, number)."""
    wrong = []

    def run(number):
        try:
            work(connect(server).cursor(), number)
        except Exception as e:  # told by the caller
            wrong.append(f"session {number}: {type(e).__name__}: {e}")

    threads = [threading.Thread(target=run, args=(i,)) for i in range(sessions)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if wrong:
        raise RuntimeError(wrong[0])


def spread(server, table, statement, rounds=40, rows=50):
    """The shares of the nodes in what eight sessions write."""
    cursor = connect(server).cursor()
    before = writes(cursor)

    def work(session, number):
        for i in range(rounds):
            session.execute(statement(number, i, rows))

    in_sessions(server, 8, work)
    return shares(before, writes(cursor))


def even(found):
    worst = max(abs(share * len(found) - 1) for share in found)
    return None if worst <= 0.15 else f"{worst:.0%} from even: {['%.3f' % s for s in found]}"


def demonstration():
    """Sequential keys keep one node of eight busy; random ones, and buckets, all of them."""
    with Server(options=["--nodes", "8", "--no-sync"]) as server:
        cursor = connect(server).cursor()
        cursor.execute("set cluster setting kv.allocator.load_based_rebalancing = off")
        cursor.execute("create table sequential (id int8 primary key, v text)")
        found = spread(server, "sequential", lambda n, i, rows: "insert into sequential select %d * 1000000 + g, 'v' from generate_series(%d, %d) g"
                       % (0, (n * 40 + i) * rows, (n * 40 + i + 1) * rows - 1))
        yield "sequential keys go to one node", None if max(found) > 0.9 else str(found)

        # Sixteen ranges each, as many splits of the key's domain as buckets.
        cursor.execute("create table random_keys (id uuid primary key default gen_random_uuid(), v text)")
        cursor.execute("alter table random_keys split at select (lpad(to_hex(g * 16), 2, '0') || '000000-0000-0000-0000-000000000000')::uuid from generate_series(1, 15) g")
        cursor.execute("alter table random_keys scatter")
        found = spread(server, "random_keys", lambda n, i, rows: f"insert into random_keys (v) select 'v' from generate_series(1, {rows})", 60)
        yield "random uuids go to all nodes", even(found)

        cursor.execute("create table bucketed (id int8 primary key using hash with (bucket_count = 16), v text)")
        found = spread(server, "bucketed", lambda n, i, rows: "insert into bucketed select g, 'v' from generate_series(%d, %d) g"
                       % ((n * 60 + i) * rows, (n * 60 + i + 1) * rows - 1), 60)
        yield "sequential keys in buckets go to all nodes", even(found)

        cursor.execute("create table row_ids (id int8 default unique_rowid() primary key using hash with (bucket_count = 16), v text)")
        found = spread(server, "row_ids", lambda n, i, rows: f"insert into row_ids (v) select 'v' from generate_series(1, {rows})", 60)
        yield "unique_rowid() in buckets goes to all nodes", even(found)

        text = subprocess.run(["build/rowkey", "node", "status", "--ranges", "--url", f"postgresql://root@127.0.0.1:{server.port}/defaultdb"],
                              capture_output=True, text=True, timeout=20)
        lines = text.stdout.splitlines()
        yield "rowkey node status", None if len(lines) == 9 and "simulated" in lines[0] and text.returncode == 0 else text.stdout + text.stderr
        wrong = subprocess.run(["build/rowkey", "node", "status", "--url", "127.0.0.1:1"], capture_output=True, text=True, timeout=20)
        yield "rowkey node status without a server", None if wrong.returncode == 1 and "no server" in wrong.stderr else wrong.stderr

        plan = "\n".join(row[0] for row in ask(cursor, "explain analyze select count(*) from bucketed"))
        nodes = re.search(r"kv nodes: ((?:n\d(?:, )?)+) \(simulated\)", plan)
        yield "EXPLAIN ANALYZE names the nodes", None if nodes and len(nodes.group(1).split(", ")) == 8 else plan
        cursor.execute("create index on bucketed (v)")
        plan = "\n".join(row[0] for row in ask(cursor, "explain analyze select * from (select * from bucketed@bucketed_v_idx where v = 'v' limit 200) s"))
        yield "EXPLAIN ANALYZE counts hops", None if "index join" not in plan or re.search(r"node hops: \d+ \(simulated\)", plan) else plan
        localities = ask(cursor, "select distinct lease_holder_locality like 'simulated=n%' from [show ranges from table bucketed with details]")
        yield "localities say simulated", None if localities == [(True,)] else str(localities)


def zones():
    """Replicas, votes and leases lie where zones ask for them, and go back when the zone is discarded."""
    localities = "region=eu,zone=a;region=eu,zone=b;region=us"
    with Server(options=["--nodes", "6", "--localities", localities, "--no-sync"]) as server:
        cursor = connect(server).cursor()
        cursor.execute("create table t (id int primary key, v text)")
        cursor.execute("alter table t split at select g * 10 from generate_series(1, 20) g")

        def placed(what, fits):
            """None once all ranges of the table are as they should be."""
            rows = []

            def look():
                rows[:] = ask(cursor, "select lease_holder, voting_replicas, non_voting_replicas from [show ranges from table t with details]")
                return len(rows) == 21 and all(fits(*row) for row in rows)

            return what, None if wait_until(look, 15) else str(rows)

        us, eu, eu_a, eu_b = {3, 6}, {1, 2, 4, 5}, {1, 4}, {2, 5}
        found = ask(cursor, "select locality from rowkey.nodes order by node_id")
        where = ask(cursor, "select host, region, zone, num_connections > 0 from yb_servers() where uuid like '%2' or uuid like '%6'")
        expected = [("n2 (simulated)", "eu", "b", False), ("n6 (simulated)", "us", None, False)]
        yield "yb_servers() says where they are", None if where == expected and ask(cursor, "select yb_server_zone()") == [("a",)] else str(where)
        yield "localities are dealt to the nodes", None if found[4] == ("simulated=n5,region=eu,zone=b",) and found[5] == ("simulated=n6,region=us",) else str(found)
        yield placed("three replicas anywhere", lambda lease, voters, others: len(voters) == 3 and lease in voters and not others)
        cursor.execute("alter table t configure zone using num_replicas = 2, constraints = '[+region=us]'")
        yield placed("constraints for every replica", lambda lease, voters, others: set(voters) == us and lease in us)
        cursor.execute("alter table t configure zone using num_replicas = 4, constraints = '{+region=us: 1, \"+region=eu,+zone=b\": 2}'")
        yield placed("constraints that count", lambda lease, voters, others: len(voters) == 4 and set(voters) & us and eu_b <= set(voters))
        cursor.execute("alter table t configure zone using num_replicas = 5, num_voters = 3, voter_constraints = '[+region=eu]', lease_preferences = '[[+zone=a]]'")
        yield placed("voters and a preferred lease", lambda lease, voters, others: len(voters) == 3 and set(voters) <= eu and lease in eu_a and len(others) == 2)
        cursor.execute("alter table t configure zone using lease_preferences = '[[+zone=b], [+zone=a]]'")
        yield placed("the first preference that can be had", lambda lease, voters, others: lease in (eu_b if set(voters) & eu_b else eu_a))
        cursor.execute("set cluster setting kv.allocator.load_based_rebalancing = off")
        cursor.execute("alter table t configure zone discard")
        yield placed("discarded", lambda lease, voters, others: len(voters) + len(others) == 3 and lease in voters)
    with Server(options=["--nodes", "3", "--localities", "region=eu;region=us", "--no-sync"]) as server:
        cursor = connect(server).cursor()
        cursor.execute("create table t (id int primary key)")
        cursor.execute("alter table t configure zone using num_replicas = 1, constraints = '[+region=us]'")
        where = "select replicas from [show ranges from table t]"
        yield "one replica in one place", None if wait_until(lambda: ask(cursor, where) == [([2],)], 15) else str(ask(cursor, where))
        server.stop()
        server.options[3] = "region=ap"
        server.start()
        cursor = connect(server).cursor()
        yield "what no node fits any more is no reason to fail", None if ask(cursor, "select count(*) from t") == [(0,)] else "no"
        shown = ask(cursor, "select raw_config_sql from [show zone configuration from table t]")[0][0]
        yield "and is still shown", None if "constraints = '[+region=us]'" in shown else shown


def by_load():
    """Uniform keys are cut, and the load with them; sequential ones are not, and it is said why."""
    with Server(options=["--no-sync"]) as server:
        cursor = connect(server).cursor()
        for setting in ("kv.allocator.load_based_rebalancing.objective = qps", "kv.range_split.load_qps_threshold = 20",
                        "rowkey.range_split.load_sample_duration = '2s'", "rowkey.range_split.load_offer_interval = '2s'",
                        "kv.range_merge.queue_interval = '50ms'"):
            cursor.execute(f"set cluster setting {setting}")
        cursor.execute("create table uniform (id int primary key, v int)")
        cursor.execute("insert into uniform select g, g from generate_series(1, 10000) g")
        cursor.execute("create table appended (id int primary key, v int)")
        end = time.monotonic() + 9

        def work(session, number):
            i = number
            while time.monotonic() < end:
                session.execute(f"select v from uniform where id = {random.randint(1, 10000)}")
                if number == 0:
                    session.execute(f"insert into appended values ({i}, 1)")
                i += 1

        in_sessions(server, 3, work)
        count = ask(cursor, "select count(*) from [show ranges from table uniform]")[0][0]
        yield "uniform keys are cut by load", None if count >= 2 else f"{count} ranges"
        count = ask(cursor, "select count(*) from [show ranges from table appended]")[0][0]
        yield "sequential keys are not", None if count == 1 else f"{count} ranges"
        hint = ask(cursor, "select hint, access_direction from crdb_internal.cluster_replicas where table_name = 'appended'")[0]
        yield "and it is said why", None if hint[0] and "one way" in hint[0] and hint[1] > 0.8 else str(hint)
        hottest = ask(cursor, "select table_name from crdb_internal.cluster_replicas limit 1")[0][0]
        yield "the hottest range comes first", None if hottest in ("uniform", "appended") else str(hottest)


def tablets():
    """Buckets as HASH or ASC: the one is cut at hash codes only, until nothing more can be, the other anywhere."""
    with Server(options=["--no-sync"]) as server:
        cursor = connect(server).cursor()
        cursor.execute("set cluster setting tablet_split_low_phase_size_threshold_bytes = '16KiB'")
        cursor.execute("set cluster setting tablet_split_low_phase_shard_count_per_node = 1000")
        cursor.execute("set cluster setting rowkey.range_split.refusal_interval = '0s'")
        for modulus in (8, 27):
            cursor.execute("drop table if exists events")
            cursor.execute("create table events (id bigint primary key, created_at timestamptz)")
            cursor.execute(f"create index by_hash on events ((yb_hash_code(id) % {modulus}) hash, created_at desc)")
            cursor.execute(f"create index by_range on events ((yb_hash_code(id) % {modulus}) asc, created_at desc)")
            cursor.execute("alter index events@by_range configure zone using range_min_bytes = 1000, range_max_bytes = 16384")
            cursor.execute("insert into events select g, '2026-07-30'::timestamptz + g * interval '1 second' from generate_series(1, 40000) g")
            last, steady = None, 0
            while steady < 4:
                time.sleep(0.5)
                now = [ask(cursor, f"select count(*) from [show ranges from index events@{name}]")[0][0] for name in ("by_hash", "by_range")]
                steady = steady + 1 if now == last else 0
                last = now
            hashed = ask(cursor, "select (span_stats->>'key_count')::int, range_size > 16384 from [show ranges from index events@by_hash with details]")
            filled = sum(1 for rows, _ in hashed if rows)
            yield f"{modulus} buckets, HASH: {filled} tablets with rows of {len(hashed)}", None if filled <= modulus and sum(r for r, _ in hashed) == 40000 else str(hashed)
            if modulus == 8:
                yield "8 buckets, HASH: an empty sibling", None if any(rows == 0 for rows, _ in hashed) else str(hashed)
            large = [rows for rows, too_large in hashed if too_large]
            yield f"{modulus} buckets, HASH: what is too large is refused", None if large else str(hashed)
            refused = ask(cursor, "select count(*) from crdb_internal.cluster_replicas where index_name = 'by_hash' and hint like '%first hash code%'")[0][0]
            yield f"{modulus} buckets, HASH: {refused} refusals are shown", None if refused else "none"
            ranged = ask(cursor, "select range_size from [show ranges from index events@by_range with details]")
            yield f"{modulus} buckets, ASC: {len(ranged)} ranges, all small", None if len(ranged) > 30 and max(ranged)[0] <= 16384 else str(ranged)
        yield "the refusal is in the log", None if "TABLET_SPLIT_KEY_RANGE_TOO_SMALL" in server.output() else "no"


def check(server):
    done = subprocess.run(["build/rowkey", "check", server.data], capture_output=True, text=True, timeout=120)
    return None if done.returncode == 0 else done.stdout[-1500:] + done.stderr[-500:]


def after_kill(cursor, mine, pending):
    """Compares what is there with what was acknowledged before the kill. Of each session's last statement, sent but not answered,
    all is there or nothing."""
    ids = [row[0] for row in ask(cursor, "select id from busy order by id")]
    yield "after a kill no row is doubled or out of order", None if ids == sorted(set(ids)) else "yes"
    by_index = ask(cursor, "select v, id from busy@busy_v_idx order by v, id")
    same = sorted(i for _, i in by_index) == ids and by_index == sorted(by_index) and all(v == f"v{i}" for v, i in by_index)
    yield "and the index has the same rows", None if same else f"{len(by_index)} entries, {len(ids)} rows"
    wrong = []
    for number, before in enumerate(mine):
        kind, keys = pending[number] or ("nothing", [])
        after = before | set(keys) if kind == "insert" else before - set(keys)
        found = {i for i in ids if i % 8 == number}
        if found not in (before, after):
            wrong.append(f"session {number} ({kind} in flight): lost {sorted(before - found)[:5]}, not its own {sorted(found - before)[:5]}")
    yield f"every acknowledged row is there, none that was deleted ({len(ids)} rows)", "; ".join(wrong) or (None if len(ids) > 50 else "too few rows to tell")


def stress():
    """Eight sessions insert, delete and scan while ranges are cut and merged every few milliseconds, and the server is killed in
    the middle: no row is lost, doubled or out of order, and the counters are those of the contents."""
    with Server() as server:
        cursor = connect(server).cursor()
        cursor.execute("create table busy (id int primary key, v text, index (v))")
        cursor.execute("alter range default configure zone using range_min_bytes = 1500, range_max_bytes = 3000")
        for setting in ("kv.range_split.by_load_merge_delay = '0s'", "kv.range_split.load_cpu_threshold = '100h'", "kv.range_merge.queue_interval = '2ms'"):
            cursor.execute(f"set cluster setting {setting}")
        mine = [set() for _ in range(8)]  # what each session knows to be there
        pending = [None] * 8  # what it has sent and has no answer to
        wrong = []
        end = time.monotonic() + 10

        def work(number):
            dice = random.Random(number)
            session = None
            try:
                session = connect(server).cursor()
                while time.monotonic() < end and not wrong:
                    first = dice.randrange(2000) * 8 + number
                    keys = [first + 8 * i for i in range(dice.randrange(1, 12))]
                    if dice.random() < 0.55:
                        pending[number] = ("insert", keys)
                        session.execute("insert into busy select k, 'v' || k from unnest(%s) k on conflict do nothing", (keys,))
                        mine[number].update(keys)
                        pending[number] = None
                    elif dice.random() < 0.6:
                        pending[number] = ("delete", keys)
                        session.execute("delete from busy where id = any(%s)", (keys,))
                        mine[number].difference_update(keys)
                        pending[number] = None
                    else:
                        session.execute("select id from busy where id between %s and %s order by id" + dice.choice(["", " desc"]), (first, first + 3000))
                        ids = [row[0] for row in session.fetchall()]
                        if sorted(set(ids)) not in (ids, ids[::-1]):
                            wrong.append("rows doubled or out of order")
                        own = [i for i in ids if i % 8 == number]
                        if set(own) != {i for i in mine[number] if first <= i <= first + 3000}:
                            wrong.append(f"session {number} finds {len(own)} of its rows")
            except psycopg2.Error as e:
                if time.monotonic() < end - 0.5:
                    wrong.append(f"session {number}: {e}")

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        most = 0
        while any(t.is_alive() for t in threads):
            time.sleep(0.5)
            try:
                most = max(most, ask(cursor, "select count(*) from [show ranges from table busy]")[0][0])
            except psycopg2.Error as e:
                wrong.append(str(e))
                break
        for t in threads:
            t.join()
        yield "rows stay whole and in order", wrong[0] if wrong else None
        yield f"ranges are cut meanwhile ({most})", None if most > 5 else str(most)
        ids = [row[0] for row in ask(cursor, "select id from busy order by id")]
        everything = sorted(i for keys in mine for i in keys)
        yield "every row is there once", None if ids == everything else f"{len(ids)} rows, {len(everything)} expected"

        # Again, with a kill in the middle.
        end = time.monotonic() + 30
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        time.sleep(2)
        end = time.monotonic() + 0.4
        server.kill()
        for t in threads:
            t.join()
        yield "the store is whole after a kill", check(server)
        server.start()
        cursor = connect(server).cursor()
        yield from after_kill(cursor, mine, pending)
        counted = ask(cursor, "select sum((span_stats->>'key_count')::int) from [show ranges from index busy@busy_pkey with details]")[0][0]
        rows = ask(cursor, "select count(*) from busy")[0][0]
        yield "counters are those of the rows", None if counted == rows else f"{counted} counted, {rows} rows"
        yield "and the settings are still there", None if ask(cursor, "show cluster setting kv.range_merge.queue_interval") == [("2ms",)] else "no"


def run():
    yield from demonstration()
    yield from zones()
    yield from by_load()
    yield from tablets()
    yield from stress()
