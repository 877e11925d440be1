#!/usr/bin/python3
"""Random predicates read by every index of random tables: the rows, and their order, must be those of a full scan.

usage: plan_diff.py DSN [first seed] [seeds] [queries a seed]

A seed makes tables with columns of many types and indexes of every kind, and fills them with few, awkward values: NULL, NaN,
the ends of the types, texts that differ in trailing blanks. A query is a tree of conditions with an order, a limit, a
DISTINCT or groups. Its answer is computed once over a materialised CTE, where no index can help, and compared with what
the planner reads: by its own choice, and by each index that is forced on it. What differs is reduced and printed.
"""
import random
import sys

import psycopg2

WORDS = ["", "a", "ab", "abc", "a b", "a ", "b", "ba", "B", "Zz", "%", "a%c", "ä", "\U0001f600", "zz"]
TIMES = ["2024-01-01 00:00:00+00", "2024-01-01 12:00:00+02", "2024-03-31 01:30:00+00", "2024-03-31 03:30:00+02",
         "1970-01-01 00:00:00+00", "infinity", "-infinity", "2024-01-01 00:00:00.000001+00"]
DATES = ["2024-01-01", "2024-01-02", "2024-03-31", "1999-12-31", "infinity", "-infinity"]
UUIDS = ["00000000-0000-0000-0000-00000000000%d" % i for i in range(4)] + ["ffffffff-ffff-ffff-ffff-ffffffffffff"]

# What a column of the type may hold. Texts are SQL literals without their type.
VALUES = {
    "int": [str(i) for i in range(-3, 10)] + ["2147483647", "-2147483648"],
    "smallint": [str(i) for i in range(-3, 6)] + ["32767", "-32768"],
    "bigint": [str(i) for i in range(-3, 6)] + ["9223372036854775807", "-9223372036854775808", "9007199254740993"],
    "text": ["'%s'" % w for w in WORDS],
    "varchar(3)": ["'%s'" % w for w in WORDS if len(w) <= 3],
    "char(3)": ["'%s'" % w for w in WORDS if len(w.rstrip()) <= 3],
    'text collate "C"': ["'%s'" % w for w in WORDS],
    "numeric": ["0", "0.5", "0.50", "-2.25", "3", "3.0", "1e20", "-1e-9", "'NaN'", "'Infinity'", "'-Infinity'"],
    "numeric(6,2)": ["0", "0.5", "-2.25", "3", "3.01", "1234.56", "'NaN'"],
    "float8": ["0", "'-0'", "0.5", "-2.25", "3", "1e300", "9007199254740993", "'NaN'", "'Infinity'", "'-Infinity'"],
    "timestamptz": ["'%s'" % t for t in TIMES],
    "timestamp": ["'%s'" % t.split("+")[0] for t in TIMES],
    "date": ["'%s'" % d for d in DATES],
    "bool": ["true", "false"],
    "uuid": ["'%s'" % u for u in UUIDS],
    "bytea": [r"'\x'", r"'\x00'", r"'\x00ff'", r"'\xff'", r"'\x61'"],
    "interval": ["'1 month'", "'30 days'", "'720 hours'", "'1 day'", "'0'"],
    "feeling": ["'sad'", "'ok'", "'happy'"],
}
# Constants of other types that a column of the type may be compared with.
ALIEN = {
    "int": ["2.5", "3.0", "3000000000", "-3000000000", "1e30", "'NaN'::float8", "2.5::float8", "'Infinity'::float8", "4::int2",
            "9223372036854775807", "-0.5", "2147483647.5"],
    "smallint": ["40000", "-40000", "2.5", "3000000000", "32767.5::float8"],
    "bigint": ["2.5", "9223372036854775808", "1e30", "9007199254740992::float8", "9007199254740993.0", "9223372036854775807.5"],
    "text": ["'ab'::varchar", "'a '::char(3)"],
    "varchar(3)": ["'abcd'", "'a '::text"],
    "char(3)": ["'a'::text", "'abcd'", "'ab   '", "'a'::char(5)"],
    'text collate "C"': [],
    "numeric": ["3", "0.5::float8", "2::bigint"],
    "numeric(6,2)": ["3", "0.505", "99999999", "0.5::float8"],
    "float8": ["3", "0.5::numeric", "0.5::float4", "0.1::float4"],
    "timestamptz": ["'2024-01-01'::date", "'2024-01-01'::timestamp", "'infinity'::date"],
    "timestamp": ["'2024-01-01'::date", "'2024-01-01 00:00:00+02'::timestamptz"],
    "date": ["'2024-01-01 12:00:00'::timestamp", "'2024-01-01 00:00:00+00'::timestamptz"],
    "bool": [], "uuid": [], "bytea": [], "interval": [], "feeling": [],
}
CASTS = {"int": ["bigint", "numeric", "float8", "text", "smallint"], "bigint": ["numeric", "float8", "text"],
         "smallint": ["int", "bigint", "numeric", "float4"], "text": ["varchar", "varchar(2)", "char(2)"], "date": ["timestamp", "timestamptz", "text"],
         "timestamptz": ["date", "timestamp", "text"], "timestamp": ["date", "timestamptz"], "numeric": ["float8", "text"],
         "numeric(6,2)": ["numeric", "float8"], "float8": ["float4", "numeric"], "char(3)": ["text", "varchar"], "varchar(3)": ["text", "char(3)"],
         "uuid": ["text"]}
# Plans that would never be chosen for so few rows, and others.
SWITCHES = ["enable_seqscan", "enable_sort", "enable_hashjoin", "enable_lookupjoin", "enable_mergejoin"]
ORDERED = ["=", "<", "<=", ">", ">=", "<>"]


def base(kind):
    return kind.split(" ")[0]


class Column:
    def __init__(self, name, kind, not_null, domain=None):
        self.name, self.kind, self.not_null, self.domain = name, kind, not_null, domain

    def values(self):
        return self.domain or VALUES[self.kind]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.params = None

    def chance(self, p):
        return self.r.random() < p

    # ---- tables ----

    def table(self, name):
        r = self.r
        kinds = list(VALUES)
        self.columns = [Column("id", "int", True)]
        for i in range(r.randint(3, 6)):
            kind = "int" if self.chance(0.3) else r.choice(kinds)
            domain = r.sample(VALUES[kind], min(len(VALUES[kind]), r.randint(2, 5))) if self.chance(0.2) else None
            self.columns.append(Column("abcdefgh"[i], kind, self.chance(0.35), domain))
        parts = []
        for c in self.columns:
            text = f"{c.name} {c.kind}" + (" not null" if c.not_null else "")
            if c.domain:
                text += f" check ({c.name} in ({', '.join(c.domain)}))"
            parts.append(text)
        ints = [c for c in self.columns if c.kind == "int"]
        self.exprs = []
        if self.chance(0.4):
            form = r.choice(["{} % 3", "abs({} % 4)", "yb_hash_code({}) % 5", "yb_hash_code({}) % -3", "case when {} > 2 then 1 else 0 end"])
            column = r.choice(ints).name
            parts.append(f"gen int generated always as ({form.format(column)}) {r.choice(['stored', 'virtual'])}")
            self.columns.append(Column("gen", "int", False))
        key = r.choice(["id", "id desc", "id hash", "hashed", "two", "none"])
        not_null = [c.name for c in self.columns if c.not_null and c.name != "id"]
        if key == "hashed":
            parts.append(f"primary key (id) using hash with (bucket_count = {r.choice([2, 5, 16])})")
        elif key == "two" and not_null:
            parts.append(f"primary key ({r.choice(not_null)} {r.choice(['asc', 'desc', 'hash'])}, id {r.choice(['asc', 'desc'])})")
        elif key.startswith("id"):
            parts.append(f"primary key ({key})")
        self.ddl = [f"create table {name} ({', '.join(parts)})"]
        self.filling(name)
        self.indexes = []
        for i in range(r.randint(2, 5)):
            self.ddl.append(self.index(f"i{i}", name))
        if self.chance(0.7):
            self.ddl.append(f"analyze {name}")

    def filling(self, name):
        columns = [c for c in self.columns if c.name != "gen"]
        count = self.r.choice([0, 4, 30, 90])
        rows = []
        for i in range(count):
            cells = [str(i - 5)]
            for c in columns[1:]:
                cells.append("null" if not c.not_null and self.chance(0.2) else self.r.choice(c.values()))
            rows.append(f"({', '.join(cells)})")
        for at in range(0, len(rows), 30):
            self.ddl.append(f"insert into {name} ({', '.join(c.name for c in columns)}) values {', '.join(rows[at:at + 30])}")

    def direction(self):
        return self.r.choice(["", "", " asc", " desc", " desc", " desc nulls last", " nulls first"])

    def index(self, index, table):
        r = self.r
        names = [c.name for c in self.columns]
        keys = r.sample(names, min(len(names), r.randint(1, 4)))
        self.indexes.append(index)
        form = r.choice(["plain", "plain", "plain", "expression", "hash", "sharded", "bucket", "twice", "unique"])
        tail = ""
        rest = [n for n in names if n not in keys and n != "gen"]
        if rest and self.chance(0.25):
            tail += f" {r.choice(['storing', 'include'])} ({r.choice(rest)})"
        where = f" where {self.leaf()}" if self.chance(0.15) else ""
        plain = [k + self.direction() for k in keys]
        if form == "sharded":
            return f"create index {index} on {table} ({', '.join(plain)}) using hash with (bucket_count = {r.choice([2, 3, 8])}){where}"
        if form == "hash":
            head = f"({', '.join(keys[:2])}) hash" if len(keys) > 2 and self.chance(0.5) else f"{keys[0]} hash"
            behind = plain[2:] if head.startswith("(") else plain[1:]
            return f"create index {index} on {table} ({', '.join([head] + behind)}){tail}{where}"
        if form == "bucket":
            head = f"(yb_hash_code({r.choice(['id', keys[0]])}) % {r.choice([3, 4, -5])}) asc"
            self.exprs.append(head[1:-5])
            return f"create index {index} on {table} ({', '.join([head] + plain)}){tail}{where}"
        if form == "expression":
            e = self.expression()
            self.exprs.append(e)
            plain.insert(r.randint(0, len(plain)), f"({e}){r.choice(['', ' desc'])}")
        if form == "twice":
            plain.append(f"{keys[0]}{self.direction()}")
        if form == "unique":
            return f"create unique index {index} on {table} ({', '.join(plain + ['id'] * ('id' not in keys))}){tail}{where}"
        return f"create index {index} on {table} ({', '.join(plain)}){tail}{where}"

    def expression(self):
        c = self.r.choice(self.columns)
        if c.kind in ("int", "smallint"):
            return self.r.choice([f"{c.name} % 3", f"{c.name} / 2", f"abs({c.name} % 5)", f"yb_hash_code({c.name})"])
        if c.kind.startswith(("text", "varchar")):
            return f"{self.r.choice(['lower', 'upper', 'length'])}({c.name})"
        return f"{c.name} is null"

    # ---- predicates: a tree of ("and" | "or" | "not", children), or a text ----

    def constant(self, c):
        if self.chance(0.04):
            return "null"
        pool = VALUES[c.kind] if self.chance(0.15) else c.values()
        text = self.r.choice(pool)
        if self.chance(0.15) and ALIEN[c.kind]:
            return self.r.choice(ALIEN[c.kind])
        if self.params is not None and self.chance(0.5):
            self.params.append((c.kind.replace(' collate "C"', ""), text))
            return f"${len(self.params)}"
        if base(c.kind) in ("int", "text", "numeric", "bool") or self.chance(0.5):
            return text
        return f"({text})::{base(c.kind)}"

    def pattern(self, c):
        return self.r.choice(["a%", "ab%", "%", "", "a", "a_", "_b%", "a\\%%", "Z%z", "ä%", "\U0001f600%", "ab ", "a%%"])

    def row(self):
        r = self.r
        columns = r.sample(self.columns, min(len(self.columns), r.choice([2, 2, 3])))
        op = r.choice(["<", "<=", ">", ">=", "=", "<>"])
        left = ", ".join(c.name for c in columns)
        return f"({left}) {op} ({', '.join(self.constant(c) for c in columns)})"

    def leaf(self):
        r = self.r
        if self.exprs and self.chance(0.15):
            e = r.choice(self.exprs)
            if e.startswith(("lower", "upper")):
                return f"{e} {r.choice(ORDERED)} {r.choice(VALUES['text'])}"
            if e.endswith("is null"):
                return f"{r.choice(['', 'not '])}({e})"
            return r.choice([f"{e} {r.choice(ORDERED)} {r.randint(-2, 5)}", f"{e} in (0, 2, -1)", f"{e} between 1 and {r.choice([2, 30000])}"])
        c = r.choice(self.columns)
        if c.kind == "bool" and self.chance(0.5):
            return r.choice([c.name, f"not {c.name}", f"{c.name} is true", f"{c.name} is not false", f"{c.name} is unknown",
                             f"{c.name} is not true"])
        forms = [
            lambda: f"{c.name} {r.choice(ORDERED)} {self.constant(c)}",
            lambda: f"{c.name} = {self.constant(c)}",
            lambda: f"{self.constant(c)} {r.choice(ORDERED)} {c.name}",
            lambda: f"{c.name} {r.choice(['in', 'in', 'in', 'not in'])} ({', '.join(self.constant(c) for _ in range(r.randint(1, 5)))})",
            lambda: f"{c.name} {r.choice(['between', 'between symmetric', 'not between'])} {self.constant(c)} and {self.constant(c)}",
            lambda: f"{c.name} is {r.choice(['null', 'not null'])}",
            lambda: f"{c.name} is {r.choice(['distinct from', 'not distinct from'])} {self.constant(c)}",
            lambda: f"{c.name} {r.choice(['= any', '= any', '<> all', '> any', '<= all'])} (array[{', '.join(self.array(c))}]::{base(c.kind)}[])",
            self.row,
            self.row,
        ]
        if c.kind.startswith(("text", "varchar", "char")):
            forms += [lambda: f"{c.name} {r.choice(['like', 'like', 'not like', 'ilike'])} '{self.pattern(c)}'"] * 2
        if c.kind in CASTS:
            forms.append(lambda: self.cast(c))
        others = [o for o in self.columns if o.kind == c.kind and o is not c]
        if others:
            forms.append(lambda: f"{c.name} {r.choice(ORDERED)} {r.choice(others).name}")
        if c.kind in ("int", "bigint", "text", "uuid"):
            forms.append(lambda: f"yb_hash_code({c.name}) {r.choice(ORDERED)} {r.choice([0, 20000, 40000, 65535, 65536, -1])}")
        return r.choice(forms)()

    def array(self, c):
        return [self.constant(c) for _ in range(self.r.randint(0, 4))]

    def cast(self, c):
        to = self.r.choice(CASTS[c.kind])
        value = self.r.choice(c.values())
        return f"{c.name}::{to} {self.r.choice(ORDERED)} ({value})::{base(c.kind)}::{to}"

    def tree(self, depth=2):
        if depth == 0 or self.chance(0.35):
            return self.leaf()
        word = self.r.choice(["and", "and", "and", "or", "or", "not"])
        if word == "not":
            return (word, [self.tree(depth - 1)])
        return (word, [self.tree(depth - 1) for _ in range(self.r.randint(2, 4))])

    # ---- queries ----

    def key(self):
        column = self.r.choice(self.columns)
        return column.name + self.r.choice(["", " desc", " nulls first", " desc nulls last", " desc", " asc"])

    def shape(self):
        """The text around the predicate, with {from} and {where}."""
        r = self.r
        names = [c.name for c in self.columns]
        order = [self.key() for _ in range(r.choice([0, 1, 1, 2, 3]))]
        order = [k for i, k in enumerate(order) if k.split()[0] not in [o.split()[0] for o in order[:i]]]
        keys = [k.split()[0] for k in order]
        tail = ""
        if self.chance(0.5):
            tail = f" limit {r.choice([1, 2, 5, 20])}" + (f" offset {r.choice([1, 3, 10])}" if self.chance(0.4) else "")
        form = r.choice(["rows", "rows", "rows", "rows", "rows", "distinct", "group", "count", "distinct on", "min max", "join",
                         "window", "computed", "union", "subquery"])
        shown = ", ".join(["id"] + r.sample(names[1:], r.randint(0, len(names) - 1))) if self.chance(0.6) else ", ".join(names)
        total = ", ".join(order + (["id"] if "id" not in keys else []))
        if form == "join":
            return self.join(), True
        if form == "window":
            return self.window(tail), True
        if form == "union":
            return self.union(total), True
        if form == "subquery":
            return self.subquery(), True
        if form == "computed" and self.exprs:
            return self.computed(tail), True
        if form == "count":
            return "select count(*), count({}) from {{from}} where {{where}}".format(r.choice(names)), True
        if form == "min max":
            # 0.5 and 0.50 are the same least value.
            exact = [c.name for c in self.columns if c.kind in ("int", "smallint", "bigint", "text", "date", "timestamptz")]
            calls = [f"{r.choice(['min', 'max'])}({r.choice(exact)})" for _ in range(r.randint(1, 3))]
            return f"select {', '.join(calls)} from {{from}} where {{where}}", True
        if form == "distinct":
            # Values that are equal but look different may be shown either way: compare only those that cannot be.
            plain = [c.name for c in self.columns if c.kind in ("int", "text", "bool", "uuid", "date")]
            some = r.sample(plain, r.randint(1, min(2, len(plain))))
            return f"select distinct {', '.join(some)} from {{from}} where {{where}} order by {', '.join(some)}{tail}", True
        if form == "group":
            plain = [c.name for c in self.columns if c.kind in ("int", "text", "bool", "uuid", "date")]
            some = ", ".join(r.sample(plain, r.randint(1, min(2, len(plain)))))
            return f"select {some}, count(*), min(id), max(id) from {{from}} where {{where}} group by {some} order by {some}{tail}", True
        if form == "distinct on" and order:
            on = ", ".join(keys[:r.randint(1, len(keys))])
            return f"select distinct on ({on}) {shown} from {{from}} where {{where}} order by {total}{tail}", True
        if not order and not self.chance(0.3):
            return f"select {shown} from {{from}} where {{where}}", False
        return f"select {shown} from {{from}} where {{where}} order by {total}{tail}", True


    def window(self, tail):
        """Numbers rows in an order that an index may have in part or in whole; the limit may stop reading."""
        r = self.r
        part = f"partition by {r.choice(self.columns).name} " if self.chance(0.6) else ""
        order = ", ".join([self.key() for _ in range(r.randint(0, 2))] + [f"id{r.choice(['', ' desc'])}"])
        call = r.choice(["row_number()", "rank()", "dense_rank()", "count(*)", "lag(id)", "first_value(id)"])
        if self.chance(0.5) and call.endswith("()"):
            bound = r.choice(["w_ <= 3", "w_ < 3", "w_ = 1", "2 >= w_", "w_ <= 0"])
            ranks = f"select id, {call} over ({part}order by {order}) as w_ from {{from}} where {{where}}"
            return f"select * from ({ranks}) s_ where {bound} order by id{tail}"
        return f"select id, {call} over ({part}order by {order}) as w_ from {{from}} where {{where}} order by id{tail}"

    def union(self, total):
        """Two inputs in one order, of which a few rows are read."""
        names = ", ".join(c.name for c in self.columns)
        return (f"select * from (select {names} from {{from}} where {{where}} union all "
                f"select {names} from {{other}} where id > {self.r.randint(-3, 10)}) u order by {total} limit {self.r.choice([1, 3, 8])}")

    def subquery(self):
        """Correlated by an equality, asked by every row."""
        r = self.r
        c = r.choice(self.columns)
        call = r.choice(["count(*)", "max(id)", "coalesce(sum(id), -1)"])
        rows = f"(select * from {{from}} where {{where}}) y where y.{c.name} = x.{c.name}"
        if self.chance(0.5):
            return f"select id, (select {call} from {rows}) from {{other}} x order by id"
        return f"select id from {{other}} x where id = 3 or {r.choice(['', 'not '])}exists (select 1 from {rows}) order by id"

    def computed(self, tail):
        """What an index holds of an expression, beside columns that it may or may not hold."""
        r = self.r
        e = r.choice(self.exprs)
        if self.chance(0.4):
            return f"select {e} as e_, count(*), min(id) from {{from}} where {{where}} group by {e} order by e_{tail}"
        if self.chance(0.3):
            return f"select max({e}), min(({e})) from {{from}} where {{where}}" if not e.endswith("is null") else \
                f"select count(*), count(nullif({e}, true)) from {{from}} where {{where}}"
        more = f", {r.choice(self.columns).name}" if self.chance(0.4) else ""
        return f"select id, {e} as e_{more} from {{from}} where {{where}} order by {r.choice(['e_, id', 'e_ desc, id', 'id'])}{tail}"

    def join(self):
        """The rows that pass joined with the whole table: by look-ups, hashes or side by side."""
        r = self.r
        a = r.choice(self.columns)
        b = r.choice([c for c in self.columns if c.kind == a.kind])
        on = f"x.{a.name} = y.{b.name}" + (f" and y.id {r.choice(['<', '>='])} {r.randint(-5, 40)}" if self.chance(0.3) else "")
        rows = "(select * from {from} where {where}) x"
        if self.chance(0.3):
            word = r.choice(["", "not "])
            return f"select x.id from {rows} where {word}exists (select 1 from {{other}} y where {on}) order by 1"
        kind = r.choice(["join", "join", "left join", "right join", "full join"])
        tail = " limit 7" if self.chance(0.3) else ""
        return f"select x.id, y.id, y.{r.choice(self.columns).name} from {rows} {kind} {{other}} y on {on} order by 1, 2{tail}"


def text_of(tree):
    if isinstance(tree, str):
        return tree
    word, children = tree
    if word == "not":
        return f"(not ({text_of(children[0])}))"
    return "(" + f" {word} ".join(f"({text_of(c)})" for c in children) + ")"


def smaller(tree):
    """Trees with something left out."""
    if isinstance(tree, str):
        return
    word, children = tree
    yield from children
    if len(children) > 2:
        for i in range(len(children)):
            yield (word, children[:i] + children[i + 1:])
    for i, c in enumerate(children):
        for s in smaller(c):
            yield (word, children[:i] + [s] + children[i + 1:])


def shown(row):
    return str(tuple(bytes(v) if isinstance(v, memoryview) else v for v in row))


def brief(rows):
    text = str(rows)
    return text if len(text) < 600 else text[:600] + " ..."


class Run:
    def __init__(self, dsn):
        self.connection = psycopg2.connect(dsn)
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()
        self.compared = 0

    def rows(self, sql, params=None, cursor=False):
        c = self.cursor
        try:
            if params:
                types = ", ".join(t for t, _ in params)
                c.execute(f"prepare q_ ({types}) as {sql}")
                sql = f"execute q_ ({', '.join(f'({v})::{t}' for t, v in params)})"
            if cursor:
                c.execute(f"begin; declare c_ cursor for {sql}; fetch 3 from c_")
                got = c.fetchall()
                c.execute("fetch all from c_")
                return got + c.fetchall()
            c.execute(sql)
            return c.fetchall()
        except psycopg2.Error as e:
            return e.pgcode or "lost connection"
        finally:
            if cursor:
                c.execute("rollback")
            if params:
                c.execute("deallocate all")

    def reference(self, shape, where, params):
        sql = f"with s_ as materialized (select *, ({where}) as p_ from t), o_ as materialized (select * from t) "
        sql += shape.format(**{"from": "s_", "where": "p_", "other": "o_"})
        return self.rows(sql, params)

    def differs(self, shape, ordered, where, source, params=None, cursor=False):
        want = self.reference(shape, where, params)
        got = self.rows(shape.format(**{"from": source, "where": where, "other": "t"}), params, cursor)
        self.compared += 1
        if isinstance(want, str):
            return got if isinstance(got, str) and (got.startswith("XX") or got.startswith("lost")) else None
        if isinstance(got, str):
            # A partial index that does not have all rows cannot be forced; a constant that has no value fails where it is
            # folded, or where the first row comes.
            allowed = got.startswith("22") or (got == "0A000" and "yb_hash_code" in where)
            allowed = allowed or (source != "t" and got in ("42809", "42704"))
            return None if allowed else (want, got)
        want, got = [list(map(shown, rows)) for rows in (want, got)]
        if not ordered:
            want, got = sorted(want), sorted(got)
        return None if want == got else (want, got)

    def reduce(self, shape, ordered, tree, source, params, cursor):
        again = True
        while again:
            again = False
            for s in smaller(tree):
                if self.differs(shape, ordered, text_of(s), source, params, cursor):
                    tree, again = s, True
                    break
        return tree

    def report(self, m, seed, shape, ordered, tree, source, params, cursor):
        tree = self.reduce(shape, ordered, tree, source, params, cursor)
        where = text_of(tree)
        difference = self.differs(shape, ordered, where, source, params, cursor)
        print(f"-- seed {seed}" + (", by cursor" if cursor else ""))
        print("\n".join(d + ";" for d in m.ddl if not d.startswith("insert")))
        if params:
            print(f"-- parameters {params}")
        print(shape.format(**{"from": source, "where": where, "other": "t"}) + ";")
        if difference and not isinstance(difference, str):
            print(f"-- full scan {brief(difference[0])}\n-- index     {brief(difference[1])}", flush=True)
        else:
            print(f"-- {difference}", flush=True)

    def seed(self, seed, queries):
        m = Maker(seed)
        m.table("t")
        self.cursor.execute("drop table if exists t")
        made = []
        for d in m.ddl:
            try:
                self.cursor.execute(d)
                made.append(d)
            except psycopg2.Error as e:
                # What a key cannot hold yet makes another table than was meant; everything else is a fault.
                if e.pgcode not in ("0A000", "22003", "42701", "42710", "42P16", "42P17", "42601", "42611") or d.startswith("analyze"):
                    print(f"-- seed {seed}: {d}\n-- {e}", flush=True)
                    return 1
                if d.startswith("create table"):
                    return 0
        m.ddl = made
        m.indexes = [d.split()[d.split().index("index") + 1] for d in made if " index i" in d]
        failures = 0
        for name in SWITCHES:
            self.cursor.execute(f"set {name} = {m.r.choice(['on', 'off', 'off'])}")
        self.cursor.execute(f"set plan_cache_mode = {m.r.choice(['auto', 'force_generic_plan', 'force_custom_plan'])}")
        for n in range(queries):
            m.params = [] if m.chance(0.2) else None
            tree = m.tree()
            shape, ordered = m.shape()
            cursor = ordered and m.params is None and m.chance(0.1)
            source = "t" if m.chance(0.5) or not m.indexes else f"t@{m.r.choice(m.indexes)}"
            params = m.params or None
            m.params = None
            seen = self.differs(shape, ordered, text_of(tree), source, params, cursor)
            if seen:
                self.report(m, seed, shape, ordered, tree, source, params, cursor)
                print(f"-- first seen: {brief(seen)}", flush=True)
                failures += 1
                if failures >= 2:
                    break
        return failures


def main():
    dsn = sys.argv[1]
    first, seeds, queries = (int(a) for a in (sys.argv[2:] + ["1", "20", "100"][len(sys.argv) - 2:])[:3])
    run = Run(dsn)
    try:
        run.cursor.execute("create type feeling as enum ('sad', 'ok', 'happy')")
    except psycopg2.Error as e:
        if e.pgcode != "42710":
            for name in ("feeling",):
                VALUES.pop(name)
    failed = 0
    for seed in range(first, first + seeds):
        failed += bool(run.seed(seed, queries))
    print(f"{run.compared} queries over {seeds} tables, {failed} tables with differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
