"""Random INSERT, UPDATE and DELETE over tables with constraints of every kind, inside and outside of transactions. A statement
meets at most one fault, or the first of them in the order of its rows."""
import random

DDL = [
    "drop table if exists item, owner, entry",
    "create table owner (id int primary key, name text unique, rank int not null default 1 check (rank > 0))",
    "create table item (id int primary key, owner int references owner on delete {action} on update {update}, code text, n int default 7, "
    "total numeric(8,2), twice int generated always as (n * 2) stored, tags int[] default '{{}}', info jsonb, at date, unique (code, n), check (total < 500))",
    "create table entry (id int generated {identity} as identity primary key, item int, word varchar(5), seen bool default false)",
    "create unique index on item (lower(code)) where n > 90",
]
CHECK = ["select * from owner order by id", "select * from item order by id", "select id, item, word, seen from entry order by id"]


class DmlMaker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.depth = 0
        self.open = False

    def ddl(self):
        r = self.r
        words = {"action": r.choice(["cascade", "set null", "restrict", "no action", "no action deferrable initially deferred", "set default"]),
                 "update": r.choice(["cascade", "set null", "no action"]), "identity": r.choice(["always", "by default"])}
        if "deferrable" in words["action"]:
            words["update"] = "cascade"
            words["action"] = "no action"
        return [d.format(**words) for d in DDL]

    def chance(self, p):
        return self.r.random() < p

    def id(self):
        return self.r.randint(1, 12)

    def code(self):
        return "'" + self.r.choice(["a", "A", "b", "c", "dd", ""]) + "'" if self.chance(0.9) else "null"

    def n(self):
        return self.r.choice(["default", str(self.r.randint(0, 5)), str(self.r.randint(90, 95)), "null"])

    def total(self):
        return self.r.choice(["null", "1.5", "99.999", "499.994", "499.995", "600", "-3"])

    # ---- INSERT ----

    def insert_owner(self):
        rows = ", ".join(f"({self.id()}, {self.code()}, {self.r.choice(['default', '2', '3', '0', 'null'])})" for _ in range(self.r.randint(1, 3)))
        return f"insert into owner values {rows}", "owner", self.r.choice(["(id)", "(name)", "on constraint owner_name_key", ""])

    def insert_item(self):
        if self.chance(0.25):
            return (f"insert into item (id, owner, code, n) select id + {self.id()}, id, name, rank from owner where rank < {self.r.randint(1, 4)} order by id", "item",
                    self.r.choice(["(id)", "(code, n)", ""]))
        rows = ", ".join(f"({self.id()}, {self.r.choice([str(self.id()), 'null'])}, {self.code()}, {self.n()}, {self.total()})" for _ in range(self.r.randint(1, 3)))
        return (f"insert into item (id, owner, code, n, total) values {rows}", "item",
                self.r.choice(["(id)", "(code, n)", "(lower(code)) where n > 90", "(owner)", "on constraint item_pkey", ""]))

    def insert_entry(self):
        given = self.chance(0.2)
        overriding = self.r.choice([" overriding system value", " overriding user value", ""]) if given else ""
        word = self.r.choice(["'w'", "'word'", "'longer than'", "'five   '", "null", "5", "upper('x')"])
        return f"insert into entry ({'id, ' if given else ''}item, word){overriding} values ({str(self.id() + 100) + ', ' if given else ''}{self.id()}, {word})", "entry", "(id)"

    def conflict(self, table, target):
        if self.chance(0.5):
            return ""
        target = f" on conflict {target}"
        if self.chance(0.4) or target.endswith(" "):
            return target + " do nothing"
        sets = {"owner": ["rank = owner.rank + 1", "name = excluded.name", "(name, rank) = (excluded.name, 5)", "rank = (select max(n) from item)", "id = owner.id + 20"],
                "item": ["n = excluded.n", "total = coalesce(item.total, 0) + 100", "tags = item.tags || excluded.id", "(code, n) = (select name, rank from owner where id = item.owner)",
                         "owner = excluded.owner, n = default"],
                "entry": ["word = excluded.word"]}[table]
        where = {"owner": " where owner.rank < 3", "item": " where item.n is distinct from excluded.n", "entry": ""}[table] if self.chance(0.3) else ""
        return f"{target} do update set {self.r.choice(sets)}{where}"

    def returning(self, table, also=()):
        if self.chance(0.4):
            return ""
        return " returning " + self.r.choice({"owner": ["*", "id, name", "rank + 1 as r", "owner.*"], "item": ["*", "id, twice", "item.total, tags", "(select count(*) from owner)"],
                                              "entry": ["word, seen", "item"]}[table] + list(also))

    def insert(self):
        text, table, target = self.r.choice([self.insert_owner, self.insert_item, self.insert_item, self.insert_entry])()
        return text + self.conflict(table, target) + self.returning(table)

    # ---- UPDATE, DELETE ----

    def where(self, table):
        r = self.r
        return " where " + r.choice({
            "owner": [f"id = {self.id()}", f"name = {self.code()}", f"id in ({self.id()}, {self.id()})", f"exists (select from item where item.owner = owner.id and n > {r.randint(1, 5)})"],
            "item": [f"id = {self.id()}", f"id = any(array[{self.id()}, {self.id()}])", f"n between {r.randint(0, 3)} and 5", f"owner = {self.id()}", "total is null", "tags = '{}'",
                     f"owner = (select max(id) from owner where rank < {r.randint(1, 4)})"],
            "entry": [f"item = {self.id()}", "word like 'w%'", "not seen"]}[table])

    def update(self):
        r = self.r
        table = r.choice(["owner", "item", "item", "entry"])
        if table == "item" and self.chance(0.35):
            how = r.choice(["n = o.rank", "total = o.id * 10.005", "code = o.name", "n = o.rank + item.n"])
            join = r.choice(["from owner o where o.id = item.owner", "from owner as o left join entry e on false where o.id = item.id", "from (select id, name, rank from owner) o where item.id = o.id"])
            return f"update item set {how} {join}" + self.returning("item", ["item.id, o.name"])
        sets = {"owner": [f"rank = rank + {r.randint(-2, 3)}", f"id = {self.id()}", f"name = {self.code()}", "rank = null", "(name, rank) = (select 'z' || id, id)"],
                "item": [f"n = {self.n()}", f"total = {self.total()}", f"owner = {self.id()}", f"tags = tags || {self.id()}", "tags[2] = 5", "info = jsonb_build_object('n', n)", "twice = default",
                         f"id = {self.id()}", "at = date '2024-01-31' + n", f"code = {self.code()}, n = n", "(code, at) = row ('q', null)", "info['k'] = to_jsonb(id)", "twice = 4"],
                "entry": ["seen = not seen", "word = word || 'abc'", "item = item + 1", "word = default"]}[table]
        return f"update {table} set {r.choice(sets)}{self.where(table)}" + self.returning(table)

    def delete(self):
        table = self.r.choice(["owner", "item", "entry"])
        if table == "item" and self.chance(0.3):
            return f"delete from item using owner where owner.id = item.owner and owner.rank > {self.r.randint(1, 3)}" + self.returning("item", ["owner.name"])
        return f"delete from {table}{self.where(table)}" + self.returning(table)

    def with_writes(self):
        inner = self.r.choice([self.insert, self.update, self.delete])()
        if " returning " not in inner:
            return inner
        outer = self.r.choice(["select count(*) from x", "select * from x", "insert into entry (item) select count(*) from x", "select (select count(*) from item), count(*) from x"])
        return f"with x as ({inner}) {outer}"

    def control(self):
        if not self.open:
            self.open = True
            return "begin"
        word = self.r.choice(["commit", "rollback", "savepoint s", "rollback to s", "release s", "set constraints all deferred"])
        if word in ("commit", "rollback"):
            self.open = False
        return word

    def statement(self):
        roll = self.r.random()
        if roll < 0.12:
            return self.control()
        return (self.insert if roll < 0.5 else self.update if roll < 0.75 else self.delete if roll < 0.87 else self.with_writes)()

    def end(self):
        return "rollback" if self.open else "select 1"
