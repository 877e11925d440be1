"""Random queries over random tables, made so that PostgreSQL's answer is the only right one: no order but a total one, no
float sums, no overflow or division that depends on which condition is tested first."""
import random

WORDS = ["a", "ab", "abc", "b", "ba", "", "Zz", "x y", "%", "ä"]
# Kinds of values: what SQL calls them; a kind that cannot be a key is not indexed.
NAMES = {"int": "int", "text": "text", "numeric": "numeric", "bool": "bool", "date": "date", "float": "float8", "big": "bigint", "ts": "timestamp",
         "ints": "int[]", "texts": "text[]", "json": "jsonb", "mood": "mood"}
DECLARED = {"numeric": ["numeric(8,2)"], "text": ["text", "varchar(20)", "text"], "ts": ["timestamp"]}
COMMON = ["int", "int", "int", "text", "text", "numeric", "bool", "date", "float", "big"]
RARE = ["ts", "ints", "texts", "json", "mood"]
COMPARED = ["int", "int", "int", "text", "numeric", "float", "date", "bool", "big", "ts", "ints", "texts", "mood", "json"]
ENUM = "create type mood as enum ('sad', 'ok', 'happy', 'glad')"


def literal(value):
    if value is None:
        return "null"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0
        self.keys = {}
        self.tables = {name: self.columns() for name in ("t", "u", "v", "w")[:self.r.randint(2, 4)]}

    def name(self, start):
        self.names += 1
        return f"{start}{self.names}"

    def chance(self, p):
        return self.r.random() < p

    # ---- tables ----

    def columns(self):
        kinds = ["int", "int"] + [self.r.choice(COMMON if self.chance(0.75) else RARE) for _ in range(self.r.randint(1, 6))]
        self.r.shuffle(kinds)
        return [(f"{'abcdefghij'[i]}", kind) for i, kind in enumerate(kinds)]

    def value(self, kind, null=0.15):
        r = self.r
        if self.chance(null):
            return None
        day = lambda: f"2024-0{r.randint(1, 3)}-{r.randint(10, 28)}"
        return {"int": lambda: r.randint(-3, 12), "text": lambda: r.choice(WORDS), "numeric": lambda: r.randint(-300, 900) / 100,
                "bool": lambda: r.choice(["t", "f"]), "date": day, "big": lambda: r.choice([0, 1, 5, -1, 3000000000, -5000000000]),
                "float": lambda: r.choice([0.5, 1, -2.25, 3e10, "NaN", "Infinity", 0.1]),
                "ts": lambda: f"{day()} {r.randint(10, 23)}:{r.choice(['00', '30'])}:00",
                "ints": lambda: "{" + ",".join(r.choice(["1", "2", "3", "7", "NULL"]) for _ in range(r.randint(0, 3))) + "}",
                "texts": lambda: "{" + ",".join(r.choice(["a", "b", "NULL", '"x y"', '""']) for _ in range(r.randint(0, 3))) + "}",
                "json": lambda: r.choice(['{"a": 1}', '{"a": "x", "b": [1, 2, null]}', "[]", "[1, \"a\"]", "null", "3", '"s"', '{"b": {"a": true}}', "{}"]),
                "mood": lambda: r.choice(["sad", "ok", "happy", "glad"])}[kind]()

    def ddl(self):
        for table, columns in self.tables.items():
            text = ", ".join(f"{n} {self.r.choice(DECLARED.get(k, [NAMES[k]]))}" for n, k in columns)
            keys = [n for n, k in columns if k == "int"]
            self.keys[table] = self.r.choice([[], keys[:1], keys[:1], keys[:2]])
            yield f"create table {table} ({text}" + (f", primary key ({', '.join(self.keys[table])})" if self.keys[table] else "") + ")"

    def rows(self):
        for table, columns in self.tables.items():
            seen = set()
            for i in range(self.r.choice([0, 3, 20, 20, 40])):
                row = [self.value(k, 0 if n in self.keys[table] else 0.15) for n, k in columns]
                key = tuple(v for v, (n, _) in zip(row, columns) if n in self.keys[table])
                if key in seen:
                    continue
                if key:
                    seen.add(key)
                yield table, row

    def indexes(self):
        r = self.r
        for table, columns in self.tables.items():
            fit = [(n, k) for n, k in columns if k != "json"]
            for _ in range(r.randint(0, 4)):
                keys = r.sample(fit, r.randint(1, min(3, len(fit))))
                rest = [n for n, _ in columns if n not in [k for k, _ in keys] and n not in self.keys[table]]
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
        if kind in ("int", "big"):
            return (text if value >= 0 else f"({text})") + ("::bigint" if kind == "big" else "")
        if kind == "text" and self.chance(0.4):
            return literal(value)
        return text if kind == "numeric" and value >= 0 else f"{literal(str(value))}::{NAMES[kind]}"

    def expr(self, kind, scope, depth=2):
        column = self.column(kind, scope)
        if depth <= 0 or self.chance(0.35):
            return column if column and self.chance(0.75) else self.constant(kind)
        forms = getattr(self, "forms_" + kind)(scope, depth - 1)
        forms += [lambda: f"coalesce({self.expr(kind, scope, depth - 1)}, {self.expr(kind, scope, depth - 1)})",
                  lambda: f"nullif({self.expr(kind, scope, depth - 1)}, {self.expr(kind, scope, depth - 1)})",
                  lambda: self.case(kind, scope, depth - 1)]
        if kind in ("int", "text", "numeric", "float", "big", "ts"):
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
                lambda: f"({self.expr('bool', scope, depth)})::int",
                lambda: f"coalesce(array_length({self.expr('ints', scope, depth)}, 1), 0)", lambda: f"cardinality({self.expr('texts', scope, depth)})",
                lambda: f"({self.expr('ints', scope, depth)})[{self.r.randint(0, 3)}]", lambda: f"({self.expr('date', scope, depth)} - {self.expr('date', scope, depth)})",
                lambda: f"extract({self.r.choice(['day', 'dow', 'month', 'week'])} from {self.expr('ts', scope, depth)})::int",
                lambda: f"strpos({self.expr('text', scope, depth)}, {self.expr('text', scope, depth)})"]

    def forms_text(self, scope, depth):
        return [lambda: self.two("text", "||", scope, depth),
                lambda: f"upper({self.expr('text', scope, depth)})",
                lambda: f"substr({self.expr('text', scope, depth)}, {self.r.randint(-1, 3)})",
                lambda: f"({self.expr('int', scope, depth)})::text",
                lambda: f"left({self.expr('text', scope, depth)}, {self.r.randint(-2, 2)})",
                lambda: f"concat({self.expr('text', scope, depth)}, {self.expr('int', scope, depth)})",
                lambda: f"({self.expr(self.r.choice(['mood', 'date', 'ts', 'big', 'bool', 'ints', 'numeric']), scope, depth)})::text",
                lambda: f"({self.expr('json', scope, depth)} ->> {self.r.choice(['0', chr(39) + 'a' + chr(39)])})",
                lambda: f"replace({self.expr('text', scope, depth)}, 'a', {self.expr('text', scope, 0)})",
                lambda: f"array_to_string({self.expr('texts', scope, depth)}, ',', '*')", lambda: f"split_part({self.expr('text', scope, depth)}, 'b', 1)"]

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
        return [lambda: f"({self.expr('date', scope, depth)} + {self.r.randint(-3, 3)})", lambda: f"({self.expr('ts', scope, depth)})::date"]

    def forms_big(self, scope, depth):
        return [lambda: f"({self.expr('big', scope, depth)} {self.r.choice('+-')} {self.expr('int', scope, depth)})",
                lambda: f"({self.expr('int', scope, depth)})::bigint", lambda: f"({self.expr('big', scope, depth)} / {self.r.choice([3, -7])})"]

    def forms_ts(self, scope, depth):
        steps = ["1 day", "-2 hours", "1 month", "90 minutes"]
        return [lambda: f"({self.expr('ts', scope, depth)} + interval '{self.r.choice(steps)}')", lambda: f"({self.expr('date', scope, depth)})::timestamp",
                lambda: f"date_trunc('{self.r.choice(['day', 'month', 'week', 'hour'])}', {self.expr('ts', scope, depth)})"]

    def forms_ints(self, scope, depth):
        return [lambda: f"array[{self.expr('int', scope, depth)}, {self.expr('int', scope, depth)}]", lambda: self.two("ints", "||", scope, depth),
                lambda: f"array_append({self.expr('ints', scope, depth)}, {self.expr('int', scope, depth)})",
                lambda: f"({self.expr('ints', scope, depth)})[{self.r.choice(['1:2', '2:', ':1'])}]",
                lambda: f"array_remove({self.expr('ints', scope, depth)}, {self.expr('int', scope, 0)})",
                lambda: f"array(select {self.expr('int', scope, 1)} from generate_series(1, 2))"]

    def forms_texts(self, scope, depth):
        return [lambda: f"string_to_array({self.expr('text', scope, depth)}, 'b')", lambda: f"array_prepend(({self.expr('text', scope, depth)})::text, {self.expr('texts', scope, depth)})",
                lambda: f"({self.expr('ints', scope, depth)})::text[]"]

    def forms_json(self, scope, depth):
        path = self.r.choice(["'a'", "'b'", "0", "-1"])
        return [lambda: f"({self.expr('json', scope, depth)} -> {path})", lambda: f"to_jsonb({self.expr(self.r.choice(COMMON), scope, depth)})",
                lambda: f"({self.expr('json', scope, depth)} #> '{{b,0}}')", lambda: f"jsonb_build_object('k', {self.expr('int', scope, depth)})"]

    def forms_mood(self, scope, depth):
        return [lambda: f"{self.r.choice(['greatest', 'least'])}({self.expr('mood', scope, depth)}, {self.expr('mood', scope, depth)})"]

    def comparison(self, scope, depth):
        kind = self.r.choice(COMPARED)
        other = "int" if kind in ("numeric", "float", "big") and self.chance(0.3) else "ts" if kind == "date" and self.chance(0.3) else kind
        op = self.r.choice(["=", "=", "=", "<", "<=", ">", ">=", "<>", "is distinct from", "is not distinct from"])
        return f"({self.expr(kind, scope, depth)} {op} {self.expr(other, scope, depth)})"

    def forms_bool(self, scope, depth):
        r = self.r
        some = lambda: r.choice(["int", "int", "text", "numeric", "date", "float", "big", "ts", "mood", "ints"])
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
                lambda: f"({self.expr('int', scope, depth)} {r.choice(['= any', '<> all', '< any', '>= all'])} ({self.expr('ints', scope, depth)}))",
                lambda: f"({self.expr('ints', scope, depth)} {r.choice(['@>', '<@', '&&'])} {self.expr('ints', scope, depth)})",
                lambda: f"({self.expr('json', scope, depth)} {r.choice(['@>', '<@'])} {self.expr('json', scope, depth)})",
                lambda: f"({self.expr('json', scope, depth)} ? 'a')",
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
        kind = self.r.choice(["int", "int", "text", "date", "big"])
        sub = self.subquery(scope, kind)
        form = self.r.choice(["{} in ({})", "{} not in ({})", "{} = any ({})", "{} > all ({})", "{} <= any ({})"])
        return "(" + form.format(self.expr(kind, scope, depth), sub) + ")"

    # ---- subqueries ----

    def base(self):
        table = self.r.choice(list(self.tables))
        alias = self.name("q")
        return f"{table} {alias}", [(f"{alias}.{n}", k) for n, k in self.tables[table]]

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
        # PostgreSQL 15 takes a constant key of ROLLUP for sorted, although it is NULL in the sums.
        keys = [(e, k) for e, k in keys if any(n in e for n, _ in scope)]
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
        over = f"over ({partition}{order}{self.frame(order) if call[:4] in ('sum(', 'max(', 'coun') else ''})"
        call = call.replace("()::", f"() {over}::", 1) if "round" in call else f"{call} {over}"
        text = f"select {e} as c0, ({call})::numeric as c1 from {source}{where}"
        return text + self.tail(2), [("c0", kind), ("c1", "numeric")]

    def frame(self, order):
        """Frames whose ends are whole groups of peers: no row's place among its peers shows."""
        if self.chance(0.4):
            return ""
        ends = ["unbounded preceding", "{} preceding", "current row", "{} following", "unbounded following"]
        first = self.r.randint(0, 3)
        last = self.r.randint(max(first, 1), 4)
        some = lambda i: ends[i].format(self.r.randint(0, 3))
        exclude = self.r.choice(["", "", "", " exclude group", " exclude no others"])
        return f" groups between {some(first)} and {some(last)}{exclude}"

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
