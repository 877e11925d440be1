#!/usr/bin/python3
"""Random queries to two servers, rowkey and PostgreSQL: rows and SQLSTATEs must be the same.

usage: sql_diff.py ROWKEY_DSN POSTGRES_DSN [first seed] [seeds] [queries a seed]

A seed makes tables with the same rows on both sides. Only rowkey gets indexes, of every kind: what a query is read by must not
show. Queries are made so that PostgreSQL's answer is the only right one: no order but a total one, no float sums, no
overflow or division that depends on which condition is tested first. What differs is printed with its seed.
"""
import random
import sys

import psycopg2
import psycopg2.extensions

WORDS = ["a", "ab", "abc", "b", "ba", "", "Zz", "x y", "%", "ä"]
TABLES = {
    "t": [("pk", "int"), ("a", "int"), ("b", "int"), ("c", "text"), ("d", "numeric"), ("f", "bool"), ("e", "date")],
    "u": [("x", "int"), ("y", "int"), ("z", "int"), ("s", "text"), ("g", "float")],
    "v": [("k", "text"), ("m", "int"), ("n", "numeric"), ("o", "bool")],
}
DDL = [
    "create table t (pk int primary key, a int, b int not null, c text, d numeric(8,2), f bool, e date)",
    "create table u (x int, y int, z int, s text not null, g float8, primary key (x, y))",
    "create table v (k text, m int, n numeric, o bool)",
]
NAMES = {"int": "int", "text": "text", "numeric": "numeric", "bool": "bool", "date": "date", "float": "float8"}


def literal(value):
    if value is None:
        return "null"
    return "'" + value + "'" if isinstance(value, str) else str(value)


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0

    def name(self, start):
        self.names += 1
        return f"{start}{self.names}"

    def chance(self, p):
        return self.r.random() < p

    # ---- tables ----

    def value(self, kind, null=0.15):
        r = self.r
        if self.chance(null):
            return None
        return {"int": lambda: r.randint(-3, 12), "text": lambda: r.choice(WORDS), "numeric": lambda: r.randint(-300, 900) / 100,
                "bool": lambda: r.choice(["t", "f"]), "date": lambda: f"2024-0{r.randint(1, 3)}-{r.randint(10, 28)}",
                "float": lambda: r.choice([0.5, 1, -2.25, 3e10, "NaN", "Infinity", 0.1])}[kind]()

    def rows(self):
        r = self.r
        for i in range(r.choice([0, 3, 20, 60])):
            yield "t", [i - 2, self.value("int"), self.value("int", 0)] + [self.value(k) for _, k in TABLES["t"][3:]]
        pairs = [(x, y) for x in range(6) for y in range(6)]
        for x, y in r.sample(pairs, r.randint(0, 30)):
            yield "u", [x, y, self.value("int"), self.value("text", 0), self.value("float")]
        for _ in range(r.choice([0, 5, 40])):
            yield "v", [self.value(k) for _, k in TABLES["v"]]

    def indexes(self):
        r = self.r
        for table, columns in TABLES.items():
            for _ in range(r.randint(0, 4)):
                keys = r.sample(columns, r.randint(1, min(3, len(columns))))
                rest = [n for n, _ in columns if n not in [k for k, _ in keys]]
                if table == "t":
                    rest = [n for n in rest if n != "pk"]
                if table == "u":
                    rest = [n for n in rest if n not in ("x", "y")]
                text = f"create index {self.name('i')} on {table} ("
                text += ", ".join(n + r.choice(["", "", " desc", " asc"]) for n, _ in keys) + ")"
                if self.chance(0.25):
                    text += f" using hash with (bucket_count={r.choice([2, 4, 7])})"
                elif rest and self.chance(0.3):
                    text += f" storing ({r.choice(rest)})"
                if self.chance(0.15):
                    text += f" where {r.choice(columns)[0]} is not null"
                yield text

    # ---- expressions ----

    def column(self, kind, scope):
        fit = [n for n, k in scope if k == kind]
        return self.r.choice(fit) if fit else None

    def constant(self, kind):
        value = self.value(kind, 0.07)
        if value is None:
            return f"null::{NAMES[kind]}"
        text = literal(value)
        if kind == "int":
            return text if value >= 0 else f"({text})"
        return text if kind == "numeric" and value >= 0 else f"{literal(str(value))}::{NAMES[kind]}"

    def expr(self, kind, scope, depth=2):
        column = self.column(kind, scope)
        if depth <= 0 or self.chance(0.35):
            return column if column and self.chance(0.75) else self.constant(kind)
        forms = getattr(self, "forms_" + kind)(scope, depth - 1)
        forms += [lambda: f"coalesce({self.expr(kind, scope, depth - 1)}, {self.expr(kind, scope, depth - 1)})",
                  lambda: f"nullif({self.expr(kind, scope, depth - 1)}, {self.expr(kind, scope, depth - 1)})",
                  lambda: self.case(kind, scope, depth - 1)]
        if kind not in ("bool", "date"):
            forms.append(lambda: self.scalar(kind, scope, depth - 1))
        return self.r.choice(forms)()

    def case(self, kind, scope, depth):
        text = "case"
        for _ in range(self.r.randint(1, 2)):
            text += f" when {self.expr('bool', scope, depth)} then {self.expr(kind, scope, depth)}"
        if self.chance(0.6):
            text += f" else {self.expr(kind, scope, depth)}"
        return f"({text} end)"

    def two(self, kind, op, scope, depth):
        return f"({self.expr(kind, scope, depth)} {op} {self.expr(kind, scope, depth)})"

    def forms_int(self, scope, depth):
        return [lambda: self.two("int", self.r.choice("+-"), scope, depth),
                lambda: f"({self.expr('int', scope, depth)} * {self.r.randint(-3, 3)})",
                lambda: f"({self.expr('int', scope, depth)} % {self.r.choice([2, 3, 7])})",
                lambda: f"({self.expr('int', scope, depth)} / {self.r.choice([2, -3, 5])})",
                lambda: f"abs({self.expr('int', scope, depth)})",
                lambda: f"(- {self.expr('int', scope, depth)})",
                lambda: f"length({self.expr('text', scope, depth)})",
                lambda: f"{self.r.choice(['greatest', 'least'])}({self.expr('int', scope, depth)}, {self.expr('int', scope, depth)})",
                lambda: f"({self.expr('bool', scope, depth)})::int"]

    def forms_text(self, scope, depth):
        return [lambda: self.two("text", "||", scope, depth),
                lambda: f"upper({self.expr('text', scope, depth)})",
                lambda: f"substr({self.expr('text', scope, depth)}, {self.r.randint(-1, 3)})",
                lambda: f"({self.expr('int', scope, depth)})::text",
                lambda: f"left({self.expr('text', scope, depth)}, {self.r.randint(-2, 2)})",
                lambda: f"concat({self.expr('text', scope, depth)}, {self.expr('int', scope, depth)})"]

    def forms_numeric(self, scope, depth):
        return [lambda: self.two("numeric", self.r.choice("+-*"), scope, depth),
                lambda: f"round({self.expr('numeric', scope, depth)}, {self.r.randint(0, 2)})",
                lambda: f"({self.expr('int', scope, depth)})::numeric",
                lambda: f"({self.expr('numeric', scope, depth)} + {self.expr('int', scope, depth)})",
                lambda: f"({self.expr('numeric', scope, depth)} / {self.r.choice([2, 3, 8])})"]

    def forms_float(self, scope, depth):
        return [lambda: f"({self.expr('float', scope, depth)} + 0.5)", lambda: f"abs({self.expr('float', scope, depth)})",
                lambda: f"({self.expr('int', scope, depth)})::float8"]

    def forms_date(self, scope, depth):
        return [lambda: f"({self.expr('date', scope, depth)} + {self.r.randint(-3, 3)})"]

    def comparison(self, scope, depth):
        kind = self.r.choice(["int", "int", "int", "text", "numeric", "float", "date", "bool"])
        other = "int" if kind in ("numeric", "float") and self.chance(0.3) else kind
        op = self.r.choice(["=", "=", "=", "<", "<=", ">", ">=", "<>", "is distinct from", "is not distinct from"])
        return f"({self.expr(kind, scope, depth)} {op} {self.expr(other, scope, depth)})"

    def forms_bool(self, scope, depth):
        r = self.r
        some = lambda: r.choice(["int", "int", "text", "numeric", "date", "float"])
        return [lambda: self.comparison(scope, depth), lambda: self.comparison(scope, depth), lambda: self.comparison(scope, depth),
                lambda: self.two("bool", r.choice(["and", "or"]), scope, depth),
                lambda: self.two("bool", r.choice(["and", "or"]), scope, depth),
                lambda: f"(not {self.expr('bool', scope, depth)})",
                lambda: f"({self.expr(some(), scope, depth)} is {r.choice(['', 'not '])}null)",
                lambda: f"({self.expr('bool', scope, depth)} is {r.choice(['', 'not '])}{r.choice(['true', 'false', 'unknown'])})",
                lambda: self.in_list(some(), scope, depth),
                lambda: self.in_list(some(), scope, 0),
                lambda: self.between(some(), scope, depth),
                lambda: f"({self.expr('text', scope, depth)} {r.choice(['', 'not '])}like '{r.choice(['a%', '%b', '_b%', 'a', '%'])}')",
                lambda: self.row_comparison(scope),
                lambda: f"({r.choice(['', 'not '])}exists ({self.subquery(scope, None)}))",
                lambda: self.in_subquery(scope, depth),
                lambda: self.in_subquery(scope, depth)]

    def in_list(self, kind, scope, depth):
        items = ", ".join(self.constant(kind) if self.chance(0.85) else self.expr(kind, scope, depth) for _ in range(self.r.randint(1, 4)))
        return f"({self.expr(kind, scope, depth)} {self.r.choice(['', '', 'not '])}in ({items}))"

    def between(self, kind, scope, depth):
        return f"({self.expr(kind, scope, depth)} {self.r.choice(['', '', 'not '])}between {self.expr(kind, scope, 0)} and {self.expr(kind, scope, 0)})"

    def row_comparison(self, scope):
        kinds = [self.r.choice(["int", "text", "numeric"]) for _ in range(2)]
        left = ", ".join(self.expr(k, scope, 0) for k in kinds)
        right = ", ".join(self.expr(k, scope, 0) for k in kinds)
        return f"(({left}) {self.r.choice(['=', '<', '<=', '>', '>=', '<>'])} ({right}))"

    def in_subquery(self, scope, depth):
        kind = self.r.choice(["int", "int", "text"])
        sub = self.subquery(scope, kind)
        form = self.r.choice(["{} in ({})", "{} not in ({})", "{} = any ({})", "{} > all ({})", "{} <= any ({})"])
        return "(" + form.format(self.expr(kind, scope, depth), sub) + ")"

    # ---- subqueries ----

    def base(self):
        table = self.r.choice(list(TABLES))
        alias = self.name("q")
        return f"{table} {alias}", [(f"{alias}.{n}", k) for n, k in TABLES[table]]

    def subquery(self, outer, kind):
        source, scope = self.base()
        if self.chance(0.15):
            more, more_scope = self.base()
            source, scope = f"{source}, {more}", scope + more_scope
        both = scope + (outer if self.chance(0.6) else [])
        item = self.expr(kind, both if self.chance(0.2) else scope, 1) if kind else "1"
        text = f"select {item} from {source}"
        if self.chance(0.8):
            text += f" where {self.expr('bool', both, 1)}"
        return text

    def scalar(self, kind, outer, depth):
        source, scope = self.base()
        both = scope + (outer if self.chance(0.6) else [])
        function = self.r.choice(["max", "min", "count"] if kind == "int" else ["max", "min"])
        text = f"select {function}({self.expr(kind, scope, 1)})"
        text += "::int" if function == "count" else ""
        text += f" from {source}"
        if self.chance(0.8):
            text += f" where {self.expr('bool', both, 1)}"
        return f"({text})"

    # ---- FROM ----

    def source(self, depth, ctes):
        roll = self.r.random()
        if ctes and roll < 0.2:
            name, columns = self.r.choice(ctes)
            alias = self.name("q")
            return f"{name} {alias}", [(f"{alias}.{n}", k) for n, k in columns]
        if depth <= 0 or roll < 0.5:
            return self.base()
        if roll < 0.65:
            query, columns = self.query(depth - 1, ctes)
            alias = self.name("q")
            return f"({query}) {alias}", [(f"{alias}.{n}", k) for n, k in columns]
        if roll < 0.7:
            alias = self.name("q")
            rows = ", ".join(f"({self.constant('int')}, {self.constant('text')})" for _ in range(self.r.randint(1, 4)))
            return f"(values {rows}) {alias} (n, w)", [(f"{alias}.n", "int"), (f"{alias}.w", "text")]
        left, scope = self.source(depth - 1, ctes)
        if self.chance(0.15):
            alias = self.name("q")
            item = self.expr("int", scope, 1)
            right, right_scope = self.base()
            query = f"select {item} as n, {right_scope[0][0]} as w from {right} where {self.expr('bool', scope + right_scope, 1)}"
            kind = right_scope[0][1]
            join = self.r.choice(["cross join lateral", "left join lateral"])
            text = f"{left} {join} ({query}) {alias}" + (f" on {self.expr('bool', scope + [(alias + '.n', 'int')], 1)}" if "left" in join else "")
            return text, scope + [(f"{alias}.n", "int"), (f"{alias}.w", kind)]
        right, right_scope = self.source(depth - 1, ctes)
        join = self.r.choice(["join", "join", "left join", "right join", "full join", "cross join"])
        text = f"{left} {join} {right}" if " join " not in right else f"{left} {join} ({right})"
        if join == "full join":
            on = self.equality(scope, right_scope)
            return f"{text} on {on}", scope + right_scope
        if join != "cross join":
            on = self.equality(scope, right_scope) if self.chance(0.7) else self.expr("bool", scope + right_scope, 1)
            if self.chance(0.3):
                on += f" and {self.expr('bool', scope + right_scope, 1)}"
            text += f" on {on}"
        return text, scope + right_scope

    def equality(self, left, right):
        kinds = [k for _, k in left if k in [x for _, x in right]]
        if not kinds:
            return "true"
        kind = self.r.choice(kinds)
        return f"{self.column(kind, left)} = {self.column(kind, right)}"

    # ---- SELECT ----

    def query(self, depth, ctes=()):
        if depth > 0 and self.chance(0.15):
            return self.set_operation(depth)
        source, scope = self.source(depth, ctes)
        where = f" where {self.expr('bool', scope, 3)}" if self.chance(0.75) else ""
        roll = self.r.random()
        if roll < 0.3:
            return self.grouped(source, scope, where)
        if roll < 0.4:
            return self.windowed(source, scope, where)
        kinds = [self.r.choice(scope)[1] for _ in range(self.r.randint(1, 4))]
        items = [self.column(k, scope) if self.chance(0.6) else self.expr(k, scope, 2) for k in kinds]
        columns = [(f"c{i}", k) for i, k in enumerate(kinds)]
        distinct = "distinct " if self.chance(0.2) else ""
        text = f"select {distinct}" + ", ".join(f"{e} as c{i}" for i, e in enumerate(items)) + f" from {source}{where}"
        return text + self.tail(len(kinds)), columns

    def tail(self, count):
        if self.chance(0.6):
            return ""
        order = list(range(1, count + 1))
        self.r.shuffle(order)
        text = " order by " + ", ".join(f"{i}{self.r.choice(['', '', ' desc', ' nulls first', ' desc nulls last'])}" for i in order)
        if self.chance(0.6):
            text += f" limit {self.r.randint(0, 12)}"
        if self.chance(0.2):
            text += f" offset {self.r.randint(0, 5)}"
        return text

    def aggregate(self, scope):
        kind = self.r.choice(["int", "int", "text", "numeric", "date"])
        e = self.expr(kind, scope, 1)
        function = self.r.choice({"int": ["sum", "count", "min", "max", "avg", "count"], "numeric": ["sum", "min", "max", "count", "avg"],
                                  "text": ["min", "max", "count"], "date": ["min", "max", "count"]}[kind])
        result = {"sum": "numeric", "avg": "numeric", "count": "numeric"}.get(function, kind)
        distinct = "distinct " if self.chance(0.2) else ""
        call = f"{function}({distinct}{e})" if not (function == "count" and self.chance(0.4)) else "count(*)"
        if self.chance(0.15):
            call += f" filter (where {self.expr('bool', scope, 1)})"
        if function == "avg":
            return f"round({call}, 4)", result
        return (f"{call}::numeric" if function in ("sum", "count") else call), result

    def grouped(self, source, scope, where):
        keys = [self.r.choice(scope) if self.chance(0.7) else (self.expr("int", scope, 1), "int") for _ in range(self.r.randint(0, 2))]
        keys = [(e, k) for e, k in keys if not e.lstrip("(-").isdigit()]
        items = list(keys) + [self.aggregate(scope) for _ in range(self.r.randint(1, 3))]
        text = "select " + ", ".join(f"{e} as c{i}" for i, (e, _) in enumerate(items)) + f" from {source}{where}"
        if keys:
            places = ", ".join(str(i + 1) for i in range(len(keys)))
            form = self.r.choice(["{}", "{}", "{}", "{}", "rollup ({})", "cube ({})", "grouping sets (({0}), ())"])
            text += " group by " + form.format(places if form == "{}" else ", ".join(e for e, _ in keys))
        if self.chance(0.3):
            e, k = self.aggregate(scope)
            text += f" having {e} {self.r.choice(['>', '<=', 'is distinct from'])} {self.constant(k)}"
        return text + self.tail(len(items)), [(f"c{i}", k) for i, (_, k) in enumerate(items)]

    def windowed(self, source, scope, where):
        e, kind = self.r.choice(scope)
        partition = f"partition by {self.expr('int', scope, 1)} " if self.chance(0.6) else ""
        order = f"order by {self.expr(self.r.choice(['int', 'text', 'numeric']), scope, 1)}{self.r.choice(['', ' desc', ' nulls first'])}"
        call = self.r.choice(["rank()", "dense_rank()", "count(*)", f"sum({self.expr('int', scope, 1)})", f"max({self.expr('int', scope, 1)})",
                              f"count({self.expr('text', scope, 0)})", "round(cume_dist()::numeric, 4)", "round(percent_rank()::numeric, 4)"])
        over = f"over ({partition}{order})"
        call = call.replace("()::", f"() {over}::", 1) if "round" in call else f"{call} {over}"
        text = f"select {e} as c0, ({call})::numeric as c1 from {source}{where}"
        return text + self.tail(2), [("c0", kind), ("c1", "numeric")]

    def set_operation(self, depth):
        kinds = [self.r.choice(["int", "text", "numeric"]) for _ in range(self.r.randint(1, 3))]
        parts = []
        for _ in range(self.r.randint(2, 3)):
            source, scope = self.source(depth - 1, ())
            items = ", ".join(f"{self.expr(k, scope, 1)} as c{i}" for i, k in enumerate(kinds))
            where = f" where {self.expr('bool', scope, 2)}" if self.chance(0.6) else ""
            parts.append(f"select {items} from {source}{where}")
        text = parts[0]
        for part in parts[1:]:
            text += f" {self.r.choice(['union', 'union all', 'intersect', 'except', 'intersect all', 'except all'])} {part}"
        return text + self.tail(len(kinds)), [(f"c{i}", k) for i, k in enumerate(kinds)]

    def statement(self):
        ctes, text = [], ""
        if self.chance(0.15):
            query, columns = self.query(1)
            name = self.name("w")
            ctes.append((name, columns))
            text = f"with {name} as {self.r.choice(['', 'materialized ', 'not materialized '])}({query}) "
        query, columns = self.query(self.r.choice([1, 2, 2, 3]), ctes)
        return text + query, "order by" in query[query.rfind(")") + 1:]


# ---- the two servers ----

class Side:
    def __init__(self, dsn):
        self.dsn = dsn
        self.open()

    def open(self):
        self.connection = psycopg2.connect(self.dsn, connect_timeout=10)
        self.connection.autocommit = True
        text = psycopg2.extensions.new_type(tuple(range(16, 5000)), "TEXT", lambda v, c: v)
        psycopg2.extensions.register_type(text, self.connection)
        self.run("set statement_timeout = '10s'")

    def run(self, sql):
        cursor = self.connection.cursor()
        try:
            cursor.execute(sql)
            return None, cursor.fetchall() if cursor.description else []
        except psycopg2.Error as e:
            if e.pgcode is None:
                raise
            return e.pgcode, str(e).strip()


def outcome(result, ordered):
    code, rows = result
    return (code, None) if code else (None, rows if ordered else sorted(rows, key=repr))


def fill(sides, maker):
    for ddl in DDL:
        for side in sides:
            side.run(f"drop table if exists {ddl.split()[2]}")
            code, text = side.run(ddl)
            assert not code, text
    rows = {}
    for table, row in maker.rows():
        rows.setdefault(table, []).append("(" + ", ".join(literal(v) for v in row) + ")")
    for table, texts in rows.items():
        for side in sides:
            code, text = side.run(f"insert into {table} values " + ", ".join(texts))
            assert not code, text
    for ddl in maker.indexes():
        code, text = sides[0].run(ddl)
        if code:
            print(f"   {code} {text} in {ddl}")


def compare(sides, seed, queries):
    maker = Maker(seed)
    fill(sides, maker)
    bad = 0
    for number in range(queries):
        sql, ordered = maker.statement()
        theirs = sides[1].run(sql)
        if theirs[0] == "57014":
            continue
        try:
            ours = sides[0].run(sql)
        except psycopg2.Error:
            print(f"seed {seed} query {number}: THE SERVER IS GONE\n    {sql}\n", flush=True)
            sides[0].open()
            bad += 1
            continue
        if outcome(ours, ordered) != outcome(theirs, ordered):
            bad += 1
            print(f"seed {seed} query {number}:\n    {sql}\n  ours:   {str(outcome(ours, ordered))[:300]} {ours[1][:200] if ours[0] else len(ours[1])}"
                  f"\n  theirs: {str(outcome(theirs, ordered))[:300]} {theirs[1][:200] if theirs[0] else len(theirs[1])}\n", flush=True)
    return bad


def main():
    sides = [Side(sys.argv[1]), Side(sys.argv[2])]
    first, seeds, queries = (int(x) for x in (sys.argv[3:] + ["1", "10", "100"][len(sys.argv) - 3:]))
    passed = failed = 0
    for seed in range(first, first + seeds):
        bad = compare(sides, seed, queries)
        passed, failed = passed + queries - bad, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
