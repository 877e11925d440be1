"""Random transactions from many sessions, and whether what they saw can be explained.

Each key holds a list, and a transaction appends numbers that nobody else appends, reads lists, or reads all keys by a range
or an index. A read shows the order of the appends to a key, so the dependencies between transactions are known: ww (appended
next to), wr (read what the other appended last), rw (did not yet see what the other appended next).

    every level       no aborted read, no intermediate read, no circle of ww alone, nothing acknowledged is lost
    REPEATABLE READ   also no circle of ww and wr with at most one rw: G-single and lost updates are such
    SERIALIZABLE      no circle at all

By hand, for an hour: history.py --seconds 3600
"""
import collections
import os
import random
import sys
import threading
import time

import psycopg2

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from server import Server  # noqa: E402

SESSIONS, KEYS = 8, 6
COMMITTED, ABORTED, UNKNOWN = "committed", "aborted", "unknown"


class Transaction:
    def __init__(self, number):
        self.number, self.appends, self.reads, self.outcome = number, [], [], UNKNOWN

    def read(self, key, items, own_before):
        self.reads.append((key, tuple(items), own_before))


# ---- making a history ----

def read_rows(cursor, transaction, sql, arguments, keys):
    cursor.execute(sql, arguments)
    rows = dict(cursor.fetchall())
    for key in keys:
        own = len([1 for k, _ in transaction.appends if k == key])
        transaction.read(key, [int(i) for i in (rows.get(key) or "").split(",") if i], own)


def step(cursor, transaction, rng, number):
    key = rng.randrange(KEYS)
    kind = rng.random()
    if kind < 0.35:
        cursor.execute("insert into lists values (%s, 0, %s) on conflict (k) do update set items = lists.items || ',' || excluded.items",
                       (key, str(number)))
        transaction.appends.append((key, number))
    elif kind < 0.5:  # what was read is written back with one item more
        read_rows(cursor, transaction, "select k, items from lists where k = %s", (key,), [key])
        items = [str(i) for i in transaction.reads[-1][1]]
        if items:
            cursor.execute("update lists set items = %s where k = %s", (",".join([*items, str(number)]), key))
            transaction.appends.append((key, number))
    elif kind < 0.7:
        read_rows(cursor, transaction, "select k, items from lists where k = %s", (key,), [key])
    elif kind < 0.85:
        first = rng.randrange(KEYS)
        read_rows(cursor, transaction, "select k, items from lists where k between %s and %s order by k desc",
                  (first, KEYS), range(first, KEYS))
    else:
        read_rows(cursor, transaction, "select k, items from lists@lists_same_idx where same = 0", (), range(KEYS))


def session(server, level, seed, until, history):
    rng = random.Random(seed)
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    number = seed * 10_000_000
    while time.monotonic() < until:
        transaction = Transaction(number)
        history.append(transaction)
        try:
            cursor.execute(f"begin isolation level {level}")
            for _ in range(rng.randint(1, 4)):
                number += 1
                step(cursor, transaction, rng, number)
            number += 1
            if rng.random() < 0.1:
                cursor.execute("rollback")
                transaction.outcome = ABORTED
                continue
            cursor.execute("commit")
            transaction.outcome = COMMITTED
        except psycopg2.Error as e:
            if e.pgcode not in ("40001", "40P01"):
                raise
            transaction.outcome = ABORTED
            cursor.execute("rollback")
    connection.close()


def record(server, level, seconds, seed):
    connection = psycopg2.connect(server.dsn())
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("drop table if exists lists")
    cursor.execute("create table lists (k int primary key, same int, items text)")
    cursor.execute("create index lists_same_idx on lists (same, k)")
    history, until, faults = [], time.monotonic() + seconds, []

    def guarded(*arguments):
        try:
            session(*arguments)
        except Exception as e:  # told by the main thread
            faults.append(f"{type(e).__name__}: {e}")

    threads = [threading.Thread(target=guarded, args=(server, level, seed * 100 + i + 1, until, history)) for i in range(SESSIONS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if faults:
        raise RuntimeError(faults[0])
    last = Transaction(-1)
    last.outcome = COMMITTED
    read_rows(cursor, last, "select k, items from lists", (), range(KEYS))
    connection.close()
    return [*history, last]


# ---- judging it ----

def final_orders(history):
    """The order of all appends to each key; and who made each."""
    order = {key: items for key, items, _ in history[-1].reads}
    maker = {number: t for t in history for _, number in t.appends}
    return order, maker


def check_reads(history, level):
    """What no level allows. Yields complaints."""
    order, maker = final_orders(history)
    for t in history:
        own = {n for _, n in t.appends}
        for key, items, _ in t.reads:
            if t.outcome != COMMITTED:
                continue
            foreign = [i for i in items if i not in own]
            if len(set(items)) != len(items):
                yield f"key {key} shows an item twice: {items[-5:]}"
            for i in foreign:
                if i not in maker or maker[i].outcome == ABORTED:
                    yield f"aborted read: {t.number} sees {i} of key {key}"
            if foreign:
                theirs = [n for k, n in maker.get(foreign[-1], t).appends if k == key]
                if theirs and theirs[-1] != foreign[-1]:
                    yield f"intermediate read: {t.number} sees {foreign[-1]} of key {key} but not {theirs[-1]}"
            if level != "read committed" and list(items) != list(order[key][:len(items)]):
                yield f"{t.number} sees items of key {key} in an order that did not last"
    if level == "read committed":
        return
    lost = [(k, n) for t in history if t.outcome == COMMITTED for k, n in t.appends if n not in order[k]]
    for key, number in lost:
        yield f"lost update: {number} of key {key}"


def dependencies(history):
    """transaction -> {transaction: set of kinds}, between committed ones."""
    order, maker = final_orders(history)
    graph = collections.defaultdict(lambda: collections.defaultdict(set))

    def edge(a, b, kind):
        if a is not b and a.outcome == COMMITTED and b.outcome == COMMITTED:
            graph[a][b].add(kind)

    for items in order.values():
        for a, b in zip(items, items[1:]):
            edge(maker[a], maker[b], "ww")
    for t in history[:-1]:
        own = {n for _, n in t.appends}
        for key, items, _ in t.reads:
            foreign = [i for i in items if i not in own]
            if foreign and foreign[-1] in maker:
                edge(maker[foreign[-1]], t, "wr")
            following = [i for i in order[key][len(foreign):] if i not in own] if key in order else []
            if following and list(foreign) == [i for i in order[key][:len(foreign)]]:
                edge(t, maker[following[0]], "rw")
    return graph


def components(graph, kinds):
    """Strongly connected sets of more than one, along edges of these kinds (Tarjan, without recursion)."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for root in list(graph):
        if root in index:
            continue
        work = [(root, iter([b for b, k in graph[root].items() if k & kinds]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, successors = work[-1]
            for b in successors:
                if b not in index:
                    index[b] = low[b] = len(index)
                    stack.append(b)
                    on.add(b)
                    work.append((b, iter([c for c, k in graph[b].items() if k & kinds] if b in graph else [])))
                    break
                if b in on:
                    low[node] = min(low[node], index[b])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = []
                    while True:
                        n = stack.pop()
                        on.discard(n)
                        group.append(n)
                        if n is node:
                            break
                    if len(group) > 1:
                        found.append(group)
    return found


def single_antidependency(graph):
    """A circle with exactly one rw edge: back from its end to its start along ww and wr only."""
    plain = {"ww", "wr"}
    for a in list(graph):
        for b, kinds in list(graph[a].items()):
            if "rw" not in kinds:
                continue
            seen, todo = {b}, [b]
            while todo:
                node = todo.pop()
                if node is a:
                    return f"one rw edge closes a circle: {a.number} did not see {b.number}, which leads to it"
                for c, k in (graph[node].items() if node in graph else ()):
                    if k & plain and c not in seen:
                        seen.add(c)
                        todo.append(c)
    return None


def judge(history, level):
    """None, or what is wrong."""
    for complaint in check_reads(history, level):
        return complaint
    if level == "read committed":
        return None
    graph = dependencies(history)
    kinds = {"ww", "wr", "rw"} if level == "serializable" else {"ww", "wr"}
    for group in components(graph, kinds):
        return f"{level}: a circle among {sorted(t.number for t in group)[:8]}"
    return single_antidependency(graph) if level == "repeatable read" else None


# ---- the checker's own test ----

def made(*rows):
    """Rows of (appends, reads, outcome); the last is the final state."""
    history = []
    for i, (appends, reads, outcome) in enumerate(rows):
        t = Transaction(i)
        t.appends, t.outcome = list(appends), outcome
        t.reads = [(k, tuple(items), 0) for k, items in reads]
        history.append(t)
    return history


def planted():
    """(name, level, history, is it faulty?)"""
    final = ([], [(0, [1, 2]), (1, [3])], COMMITTED)
    yield "nothing wrong", "serializable", made(([(0, 1)], [], COMMITTED), ([(0, 2), (1, 3)], [(0, [1])], COMMITTED), final), False
    yield "aborted read", "read committed", made(([(0, 9)], [], ABORTED), ([], [(0, [9])], COMMITTED), ([], [(0, [])], COMMITTED)), True
    yield "intermediate read", "read committed", made(([(0, 1), (0, 2)], [], COMMITTED), ([], [(0, [1])], COMMITTED),
                                                      ([], [(0, [1, 2])], COMMITTED)), True
    yield "lost update", "repeatable read", made(([(0, 1)], [(0, [])], COMMITTED), ([(0, 2)], [(0, [])], COMMITTED),
                                                 ([], [(0, [2])], COMMITTED)), True
    skew = made(([(0, 1)], [(1, [])], COMMITTED), ([(1, 2)], [(0, [])], COMMITTED), ([], [(0, [1]), (1, [2])], COMMITTED))
    yield "write skew", "serializable", skew, True
    yield "write skew where it may be", "repeatable read", skew, False
    torn = made(([(0, 1), (1, 2)], [], COMMITTED), ([], [(0, [1]), (1, [])], COMMITTED), ([], [(0, [1]), (1, [2])], COMMITTED))
    yield "read skew", "repeatable read", torn, True
    fork = made(([(0, 1)], [], COMMITTED), ([(1, 2)], [], COMMITTED), ([], [(0, [1]), (1, [])], COMMITTED),
                ([], [(0, []), (1, [2])], COMMITTED), ([], [(0, [1]), (1, [2])], COMMITTED))
    yield "long fork", "serializable", fork, True


def run(seconds=4, seed=1):
    for name, level, history, faulty in planted():
        wrong = judge(history, level)
        yield f"planted: {name}", None if (wrong is not None) == faulty else f"the checker says {wrong}"
    with Server() as server:
        for level in ("read committed", "repeatable read", "serializable"):
            history = record(server, level, seconds, seed)
            committed = sum(t.outcome == COMMITTED for t in history)
            wrong = judge(history, level)
            if wrong is None and committed < 50:
                wrong = f"only {committed} transactions committed"
            yield f"{level}, {committed} of {len(history)} committed", wrong
        complaints = server.close()
        yield "server", complaints[0] if complaints else None


def main():
    seconds = float(sys.argv[2]) if sys.argv[1:2] == ["--seconds"] else 60
    end, seed, failed = time.monotonic() + seconds, int(time.time()) % 100000, 0
    while time.monotonic() < end:
        for what, wrong in run(20, seed):
            if wrong or not what.startswith("planted"):
                print("FAIL" if wrong else "ok  ", f"seed {seed}", what, wrong or "", flush=True)
            failed += wrong is not None
        seed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
