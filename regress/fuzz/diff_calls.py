"""Random calls of the functions, operators, casts and aggregates that both servers' catalogs have, with values at the edges
of their types: an error must have the same SQLSTATE, everything else the same text."""
import random

VALUES = {
    "boolean": ["t", "f", "yes", "x"],
    "smallint": ["0", "1", "-1", "7", "32767", "-32768", "32768"],
    "integer": ["0", "1", "-1", "3", "10", "2147483647", "-2147483648", "2147483648", "1e3"],
    "bigint": ["0", "1", "-5", "64", "9223372036854775807", "-9223372036854775808", "4000000000"],
    "numeric": ["0", "1", "-1.5", "2.50", "0.001", "123456789012345678901234567890", "1e-20", "NaN", "Infinity", "-Infinity", "99.995", "1e30", "3"],
    "real": ["0", "1", "-2.5", "0.1", "1e30", "1e-30", "NaN", "Infinity", "1e39"],
    "double precision": ["0", "1", "-2.5", "0.1", "1e100", "1e-100", "NaN", "-Infinity", "-0", "0.5", "100", "1e15", "123456789.123"],
    "text": ["", "a", "abc", "Hello World", "  pad ", "1", "12.5", "zÄ", "a,b,,c", "%a_", "x'y\\", "2024-02-29", "Month", "aXbXc", "(a)(b)?", "YYYY-MM-DD", "99D9", "UTF8", "base64", "hex"],
    "character varying": ["", "abc", "ABC def"],
    "character": ["a", "ab"],
    "\"char\"": ["a", "b"],
    "name": ["n", "Name"],
    "bytea": ["", "\\x00ff", "abc", "\\x616263646566", "\\xzz"],
    "date": ["2024-02-29", "1999-12-31", "0044-03-15 BC", "infinity", "-infinity", "2024-13-01", "epoch", "1970-01-01"],
    "time without time zone": ["00:00", "23:59:59.999999", "12:30", "24:00", "25:00"],
    "time with time zone": ["00:00+00", "12:30:15.5-08", "23:59:59.999999+05:30"],
    "timestamp without time zone": ["2024-02-29 12:34:56.789", "1999-12-31 23:59:59", "infinity", "-infinity", "0001-01-01 00:00", "294276-12-31", "2000-01-01", "4713-01-01 BC"],
    "timestamp with time zone": ["2024-02-29 12:34:56.789+00", "1999-12-31 23:59:59-08", "infinity", "2024-07-01 12:00 Europe/Berlin", "epoch"],
    "interval": ["1 day", "-1 year 2 mons 3 days 04:05:06.789", "00:00:00", "25:00", "1 mon", "P1Y2M", "1.5 hours", "30 days", "178000000 years", "1 fortnight"],
    "uuid": ["6f9619ff-8b86-d011-b42d-00c04fc964ff", "00000000-0000-0000-0000-000000000000", "zz"],
    "jsonb": ["{}", "[]", '{"a": 1, "b": [1, 2, {"c": null}]}', "[1, \"x\", null, true]", "\"s\"", "1.50", "null", "{\"a\": {\"b\": \"c\"}}", "[[1], [2]]", "{bad", "true"],
    "json": ["{}", "[1,  2]", '{"a":1,"a":2,"b":"x"}', "null", "\"s\"", "[{\"a\": 1}, {\"a\": null}]", "1"],
    "integer[]": ["{}", "{1,2,3}", "{NULL}", "{{1,2},{3,4}}", "[0:1]={5,6}", "{3,1,3}", "{1,x}"],
    "text[]": ["{}", "{a,b,c}", "{NULL,\"\"}", "{\"x y\",a}", "{b,{c}}", "{a,b}"],
    "bigint[]": ["{}", "{1,4000000000}"],
    "numeric[]": ["{1.50,NULL}", "{}"],
    "boolean[]": ["{t,f}", "{}"],
    "date[]": ["{2024-02-29}"],
    "bit varying": ["", "101", "0"],
    "bit": ["1", "0"],
    "inet": ["10.1.2.3", "192.168.0.0/16", "::1", "10.1.2.300"],
    "cidr": ["10.0.0.0/8", "2001:db8::/32"],
    "macaddr": ["08:00:2b:01:02:03"],
    "int4range": ["[1,5)", "empty", "(,3]", "[5,1]"],
    "numrange": ["[1.5,2.5]", "(,)"],
    "daterange": ["[2024-01-01,2024-02-01)", "empty"],
    "jsonpath": ["$", "$.a", "$.b[*]", "$[*] ? (@ > 1)", "$.a +", "strict $.x"],
}
POLYMORPHIC = {
    "anyelement": ["integer", "text"], "anyarray": ["integer[]", "text[]"], "anynonarray": ["integer", "text"], "anycompatible": ["integer", "text"],
    "anycompatiblearray": ["integer[]", "text[]"], "anycompatiblenonarray": ["integer", "text"], "\"any\"": ["integer", "text"], "anyrange": ["int4range", "int4range"],
}
# They answer by the session, the moment or the machine, or they speak of the server's own inside.
BY_SESSION = ("current_", "session_", "pg_", "has_", "txid_", "to_reg", "inet_", "set_", "lo_", "obj_", "col_", "shobj_", "currtid", "ts_", "query_to", "table_to", "schema_to",
              "cursor_to", "database_to", "getpgusername", "bt", "hash", "gin", "gist", "spg", "brin", "in_range", "array_typanalyze", "xml", "crdb_internal", "rowkey", "row_security")
INSIDE = ("in", "out", "recv", "send", "support", "sel", "joinsel", "typmodin", "typmodout", "_accum", "_combine", "_final", "_serialize", "_deserialize", "_transfn", "_finalfn",
          "_inv", "smaller", "larger", "_cmp", "sortsupport", "_accum_inv", "_stddev", "_pop", "_samp", "int4_sum", "int2_sum", "int8_sum", "equalimage", "_poly_sum", "_poly_avg", "_avg", "_sum",
          "_hash_extended", "_canonical", "_subdiff")
NAMES = """select p.proname, p.prokind, p.proretset, p.provolatile, (select array_agg(format_type(a, null) order by n)
             from unnest(p.proargtypes) with ordinality as x(a, n)) as arguments, p.provariadic <> 0
           from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'pg_catalog' and p.prokind in ('f', 'a')
             and (p.proname in (select proname from pg_proc where prokind = 'a') or not (p.oid in (select oprcode from pg_operator) or p.oid in (select castfunc from pg_cast)
               or p.oid in (select amproc from pg_amproc) or p.oid in (select unnest(array[aggtransfn, aggfinalfn, aggmtransfn, aggminvtransfn]) from pg_aggregate)))"""
OPERATORS = """select oprname, case when oprleft = 0 then null else format_type(oprleft, null) end, format_type(oprright, null) from pg_operator
               where oprright <> 0 and oprnamespace = 'pg_catalog'::regnamespace"""


def known(argument):
    return argument in VALUES or argument in POLYMORPHIC


def rows(side, sql):
    code, found = side.run(sql)
    assert not code, found
    return found


def words(text):
    """The elements of an array of type names as its text."""
    import csv
    return next(csv.reader([text[1:-1]], escapechar="\\")) if text not in (None, "{}") else []


class Calls:
    """What both servers have, by their own catalogs."""

    def __init__(self, sides):
        both = [set(rows(side, NAMES)) for side in sides]
        self.functions = []
        for name, kind, many, volatile, arguments, variadic in sorted(both[0] & both[1], key=repr):
            arguments = words(arguments)
            if not arguments or not all(known(a) for a in arguments) or volatile == "v" or variadic == "t":
                continue
            if name.startswith(BY_SESSION) or (kind == "f" and name.endswith(INSIDE) and name not in ("min", "max", "begin", "sum", "avg", "asin", "sin", "join", "substring")):
                continue
            # PostgreSQL 15 calculates with the numbers behind infinity in age(), and lets the days of make_interval() wrap.
            if name in ("age", "make_interval"):
                continue
            self.functions.append((name, kind, many == "t", arguments))
        both = [set(rows(side, OPERATORS)) for side in sides]
        self.operators = [o for o in sorted(both[0] & both[1], key=repr) if (o[1] is None or known(o[1])) and known(o[2])]
        types = [{r[0] for r in rows(side, "select format_type(oid, null) from pg_type")} for side in sides]
        self.types = [t for t in VALUES if t in types[0] & types[1]]
        self.functions = [f for f in self.functions if all(a in self.types or a in POLYMORPHIC for a in f[3])]
        self.operators = [o for o in self.operators if all(a in self.types or a in POLYMORPHIC for a in o[1:] if a)]


class CallMaker:
    def __init__(self, seed, calls):
        self.r, self.calls = random.Random(seed), calls
        self.n = 0

    def value(self, kind):
        r = self.r
        if r.random() < 0.06:
            return f"null::{kind}"
        text = "'" + r.choice(VALUES[kind]).replace("'", "''") + "'"
        return text if r.random() < 0.05 else f"{text}::{kind}"

    def resolve(self, arguments):
        pick = self.r.choice([0, 0, 1])
        return [POLYMORPHIC[a][pick] if a in POLYMORPHIC else a for a in arguments]

    def call(self, form, arguments, retset=False, wrap="{}"):
        """The same call of constants, or of columns: what is folded must be what is computed."""
        kinds = self.resolve(arguments)
        roll = self.r.random()
        if retset:
            return f"select r::text from {form(*[self.value(k) for k in kinds])} as r"
        if roll < 0.5:
            return "select " + wrap.format(form(*[self.value(k) for k in kinds]))
        count = self.r.randint(1, 3)
        values = ", ".join("(" + ", ".join([str(i)] + [self.value(k) for k in kinds]) + ")" for i in range(count))
        names = [f"v{i}" for i in range(len(kinds))]
        typed = ", ".join(f"{n}::{k}" for n, k in zip(names, kinds))
        return (f"select k, {wrap.format(form(*names))} from (select k, {typed} from (values {values}) as a (k, {', '.join(names)})) as b"
                f" (k, {', '.join(names)}) order by k")

    def aggregate(self, name, arguments):
        kinds = self.resolve(arguments)
        values = ", ".join("(" + ", ".join([str(i)] + [self.value(k) for k in kinds]) + ")" for i in range(self.r.randint(1, 5)))
        names = [f"v{i}" for i in range(len(kinds))]
        typed = ", ".join(f"{n}::{k}" for n, k in zip(names, kinds))
        distinct = "distinct " if self.r.random() < 0.2 and len(names) == 1 else ""
        order = "v0" if distinct else "k"
        over = self.r.random() < 0.25 and not distinct
        call = f"{name}({distinct}{', '.join(names)}" + ("" if over else f" order by {order}") + ")" + (" over (order by k)" if over else "")
        return f"select {call}::text from (select k, {typed} from (values {values}) as a (k, {', '.join(names)})) as b (k, {', '.join(names)})"

    def cast(self):
        source, target = self.r.choice(self.calls.types), self.r.choice(self.calls.types)
        if self.r.random() < 0.3:
            source = "text"
        if target in ("name", "\"char\""):
            target = "uuid"  # half a character would come back
        if self.r.random() < 0.2:
            target += {"numeric": "(5,2)", "character varying": "(2)", "character": "(3)", "interval": "(0)"}.get(target, "")
        return self.call(lambda v: f"({v})::{target}", [source])

    def statement(self):
        roll = self.r.random()
        if roll < 0.12:
            return self.cast()
        if roll < 0.35 and self.calls.operators:
            name, left, right = self.r.choice(self.calls.operators)
            if left is None:
                return self.call(lambda v: f"{name} ({v})", [right])
            return self.call(lambda a, b: f"({a}) {name} ({b})", [left, right])
        name, kind, many, arguments = self.r.choice(self.calls.functions)
        if kind == "a":
            return self.aggregate(name, arguments)
        quoted = name if name.replace("_", "").isalnum() and name not in ("overlay", "position", "substring", "trim", "char", "timestamp", "interval", "time", "date", "bit", "timestamptz", "timetz", "left", "right", "numeric", "varchar", "text", "float4", "float8", "overlaps", "like", "ilike", "notlike", "normalize", "xmlexists") else f'"{name}"'
        return self.call(lambda *a: f"pg_catalog.{quoted}({', '.join(a)})", arguments, many)
