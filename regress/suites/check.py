"""rowkey check: a store that was only used is whole; an inconsistency of each kind that is planted in it is found and named."""
import re
import shutil
import subprocess
import tempfile

import psycopg2

from server import Server

SCHEMA = """
create table plain (id int primary key, a int not null, b text, d numeric, check (a > 0), unique (b), index by_a (a) storing (d));
create index positive on plain (d) where d > 5;
create index lowered on plain (lower(b));
create table bucketed (id int primary key using hash with (bucket_count = 8), v int);
create table families (id int primary key, a int, b text, c int, family (id, a), family (b), family (c));
create table computed (id int primary key, doubled int generated always as (id * 2) stored);
create table hashed (k text, r int, v int, primary key (k hash, r asc));
create table later (id int primary key, u int unique deferrable);
create sequence counting maxvalue 1000;
insert into plain select i, i, 'B' || i, i * 0.5 from generate_series(1, 40) i;
insert into bucketed select i, i from generate_series(1, 40) i;
insert into families select i, i, 'b' || i, i from generate_series(1, 40) i;
insert into computed (id) select i from generate_series(1, 40) i;
insert into hashed select 'k' || i, i, i from generate_series(1, 40) i;
insert into later values (1, 10), (2, 20);
select nextval('counting');
analyze plain;
alter table plain split at values (10), (20), (30);
"""


def rowkey_check(data):
    return subprocess.run(["build/rowkey", "check", data], capture_output=True, text=True, timeout=60)


class Plant:
    """A copy of the store, edited."""

    def __init__(self, store, uncounted=False):
        self.data = tempfile.mkdtemp(prefix="rowkey-plant-")
        self.uncounted = uncounted
        shutil.rmtree(self.data)
        shutil.copytree(store, self.data)

    def run(self, commands):
        options = ["--uncounted"] if self.uncounted else []
        done = subprocess.run(["build/regress/tools/plant", *options, self.data], input=commands, capture_output=True, text=True, timeout=20)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return [line.split() for line in done.stdout.splitlines()]

    def scan(self, prefix):
        return self.run(f"scan {prefix}\n")


def prefix(ids, table, index=None):
    """The hexadecimal start of a table's or an index's keys."""
    number = ids[table] if isinstance(table, str) else table
    key = bytes([0xF6, number]) if number > 109 else bytes([0x88 + number])
    return (key + (bytes([0x88 + index]) if index else b"")).hex()


def drop_entry(plant, ids):
    plant.run(f"delete {plant.scan(prefix(ids, 'plain', 3))[5][0]}\n")


def dangling_entry(plant, ids):
    row = plant.scan(prefix(ids, "plain", 1))[5][0]
    plant.run(f"delete {row}\n")


def extra_entry(plant, ids):
    start = prefix(ids, "plain", 3)
    key, value = plant.scan(start)[5]
    plant.run(f"put {start}a8{key[len(start) + 2:]} {value}\n")  # the same row once more, as if a were 32


def stored_value(plant, ids):
    entries = plant.scan(prefix(ids, "plain", 3))
    plant.run(f"put {entries[5][0]} {entries[6][1]}\n")


def swapped_unique(plant, ids):
    entries = plant.scan(prefix(ids, "plain", 2))
    plant.run(f"put {entries[5][0]} {entries[6][1]}\n")


def key_twice(plant, ids):
    """The second row gets the first one's value, and an entry that says so."""
    (_, value), (second, _) = plant.scan(prefix(ids, "later", 1))
    start = prefix(ids, "later", 2)
    (entry, entry_value), (other, _) = plant.scan(start)
    twin = start + entry[len(start):].replace("89", "8a", 1)
    plant.run(f"put {second} {value}\ndelete {other}\nput {twin} {entry_value}\n")


def wrong_bucket(plant, ids):
    start = prefix(ids, "bucketed", 1)
    key, value = plant.scan(start)[0]
    bucket = key[len(start):len(start) + 2]
    plant.run(f"delete {key}\nput {start}{'89' if bucket != '89' else '8a'}{key[len(start) + 2:]} {value}\n")


def wrong_hash_code(plant, ids):
    start = prefix(ids, "hashed", 1)
    key, value = plant.scan(start)[0]
    text = key.index(b"\x12k".hex(), len(start))  # behind the code
    plant.run(f"delete {key}\nput {start}89{key[text:]} {value}\n")


def damaged_value(plant, ids):
    key, value = plant.scan(prefix(ids, "plain", 1))[3]
    plant.run(f"put {key} {value[:-2]}\n")


def damaged_key(plant, ids):
    key, value = plant.scan(prefix(ids, "plain", 1))[3]
    plant.run(f"put {key[:-2]}00 {value}\n")


def lost_family(plant, ids):
    row = plant.scan(prefix(ids, "families", 1))[0][0]
    plant.run(f"delete {row}\n")


def unknown_family(plant, ids):
    key, value = plant.scan(prefix(ids, "families", 1))[0]
    plant.run(f"put {key[:-2]}9189 {value}\n")


def not_null(plant, ids):
    """A row's value with the NULL bit of its first column set; the bits stand behind the head, whose size bytes 1 and 2 say."""
    key, value = plant.scan(prefix(ids, "plain", 1))[0]
    raw = bytearray.fromhex(value)
    at = raw[1] | raw[2] << 8
    raw[at] |= 1
    plant.run(f"put {key} {raw.hex()}\n")


def broken_check(plant, ids):
    key, value = plant.scan(prefix(ids, "plain", 1))[0]
    raw = bytearray.fromhex(value)
    at = (raw[1] | raw[2] << 8) + 1
    raw[at:at + 4] = (-7).to_bytes(4, "little", signed=True)
    plant.run(f"put {key} {raw.hex()}\n")


def wrong_computed(plant, ids):
    rows = plant.scan(prefix(ids, "computed", 1))
    plant.run(f"put {rows[3][0]} {rows[4][1]}\n")


def lost_descriptor(plant, ids):
    plant.run(f"delete {prefix(ids, 3, 1)}{prefix(ids, 'plain')}88\n")


def damaged_descriptor(plant, ids):
    plant.run(f"put {prefix(ids, 3, 1)}{prefix(ids, 'plain')}88 0102ff\n")


def name_record(plant, ids, which):
    for key, value in plant.scan(prefix(ids, 30, 1)):
        if which.encode().hex() + "0001" in key:
            return key, value
    raise RuntimeError("no such name")


def lost_name(plant, ids):
    plant.run(f"delete {name_record(plant, ids, 'families')[0]}\n")


def stray_name(plant, ids):
    key, value = name_record(plant, ids, "families")
    plant.run(f"put {key.replace(b'families'.hex(), b'faimlies'.hex())} {value}\n")


def swapped_name(plant, ids):
    key = name_record(plant, ids, "families")[0]
    plant.run(f"put {key} {name_record(plant, ids, 'computed')[1]}\n")


def ids_behind(plant, ids):
    for key, _ in plant.scan(prefix(ids, 7, 1)):
        plant.run(f"put {key} 01{(104).to_bytes(8, 'big').hex()}\n")


def sequence_beyond(plant, ids):
    for key, _ in plant.scan(prefix(ids, "counting", 1)):
        plant.run(f"put {key} 01{(5000).to_bytes(8, 'big').hex()}\n")


def unknown_index(plant, ids):
    start = prefix(ids, "plain", 1)
    key, value = plant.scan(start)[0]
    plant.run(f"put {prefix(ids, 'plain', 9)}{key[len(start):]} {value}\n")


def unknown_table(plant, ids):
    start = prefix(ids, "plain", 1)
    key, value = plant.scan(start)[0]
    plant.run(f"put {prefix(ids, 250, 1)}{key[len(start):]} {value}\n")


def uncounted_row(plant, ids):
    key, value = plant.scan(prefix(ids, "computed", 1))[0]
    plant.run(f"put {key} {value}00\n")


def range_gap(plant, ids):
    plant.run(f"delete {plant.scan('03')[5][0]}\n")


def range_overlap(plant, ids):
    records = plant.scan("03")
    start = 2 * 46
    plant.run(f"put {records[5][0]} {records[5][1][:start]}{records[4][1][start:]}\n")


def range_damaged(plant, ids):
    key, value = plant.scan("03")[5]
    plant.run(f"put {key} {value[:40]}\n")


def range_id_twice(plant, ids):
    records = plant.scan("03")
    plant.run(f"put {records[5][0]} {records[5][1][:4]}{records[4][1][4:20]}{records[5][1][20:]}\n")


def last_range_lost(plant, ids):
    plant.run(f"delete {plant.scan('03')[-1][0]}\n")


def stray_key(plant, ids):
    plant.run("put 4040 00\n")


# What is planted; what one line of the report says then.
PLANTS = [
    (drop_entry, r"^index postgres\.plain@by_a /Table/\d+/3/6/6/0: the entry of row /Table/\d+/1/6 is missing$"),
    (dangling_entry, r"^index postgres\.plain@by_a /Table/\d+/3/6/6/0: the entry dangles: there is no row /Table/\d+/1/6$"),
    (extra_entry, r"^index postgres\.plain@by_a /Table/\d+/3/32/6/0: the row of the entry has other values$"),
    (stored_value, r"^index postgres\.plain@by_a /Table/\d+/3/6/6/0: the entry of row .* does not have the row's values$"),
    (key_twice, r"^index postgres\.later@later_u_key .*: the key of a unique constraint is there twice$"),
    (swapped_unique, r"^index postgres\.plain@plain_b_key .*: the entry of row .* belongs to another row"),
    (wrong_bucket, r"^row postgres\.bucketed /Table/\d+/1/\d/\d+: the row's columns give another key, /Table/\d+/1/\d/\d+: its bucket"),
    (wrong_hash_code, r"^row postgres\.hashed .*: the row's columns give another key"),
    (damaged_value, r"^row postgres\.plain /Table/\d+/1/4: the pair of family 0 cannot be decoded$"),
    (damaged_key, r"^row postgres\.plain .*: a key that does not end in a family$"),
    (lost_family, r"^row postgres\.families /Table/\d+/1/1: the row has no pair of family 0$"),
    (unknown_family, r"^row postgres\.families .*: the row has a pair of a family that the table does not have$"),
    (not_null, r'^constraint postgres\.plain /Table/\d+/1/1: column "a" is NOT NULL, but NULL$'),
    (broken_check, r"^constraint postgres\.plain /Table/\d+/1/1: check constraint .* is broken$"),
    (wrong_computed, r'^constraint postgres\.computed /Table/\d+/1/4: column "doubled" does not have the value'),
    (lost_descriptor, r"^catalog /Table/\d+/1/1/0: pairs of a table that does not exist$"),
    (damaged_descriptor, r"^catalog /Table/3/1/\d+/0: the record of a descriptor is damaged$"),
    (lost_name, r'^catalog postgres\.families: the name "families" has no record'),
    (stray_name, r"^catalog /NamespaceTable/30/1/.*: a name is taken, but nothing has it$"),
    (swapped_name, r'^catalog postgres\.families: the record of the name "families" says another object$'),
    (ids_behind, r"^catalog postgres\.bucketed: its id \d+ is ahead of the counter of ids, 104$"),
    (sequence_beyond, r"^catalog postgres\.counting: the value of the sequence, 5000, is not between 1 and 1000$"),
    (unknown_index, r"^catalog /Table/\d+/9/1/0: pairs of an index that its table does not have$"),
    (unknown_table, r"^catalog /Table/250/1/1/0: pairs of a table that does not exist$"),
    (uncounted_row, r"^range .*: range r\d+ counts \d+ keys, \d+ key bytes, \d+ value bytes; it holds"),
    (range_gap, r"^range .*: range r\d+ starts at .*: there is a gap behind"),
    (range_overlap, r"^range .*: range r\d+ starts at .* and overlaps"),
    (range_damaged, r"^range .*: the record of a range is damaged$"),
    (range_id_twice, r"^range.*: two ranges have the id r\d+$"),
    (last_range_lost, r"^range.*: the last range, r\d+, ends at .*: no range holds what lies behind$"),
    (stray_key, r"^range .*: a key outside every area of the map$"),
]
UNCOUNTED = {uncounted_row, range_gap, range_overlap, range_damaged, range_id_twice, last_range_lost}


def planted(store, ids, edit, wanted):
    plant = Plant(store, uncounted=edit in UNCOUNTED)
    try:
        edit(plant, ids)
        done = rowkey_check(plant.data)
        if done.returncode != 1:
            return f"exit status {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}"
        if not re.search(wanted, done.stdout, re.M):
            return "not among the findings: " + done.stdout[:1500]
        return None
    finally:
        shutil.rmtree(plant.data, ignore_errors=True)


def run():
    data = tempfile.mkdtemp(prefix="rowkey-check-")
    try:
        server = Server(data=data)
        connection = psycopg2.connect(server.dsn())
        connection.autocommit = True
        cursor = connection.cursor()
        for statement in SCHEMA.strip().split(";\n"):
            cursor.execute(statement)
        cursor.execute("select relname, oid::int from pg_class where relkind in ('r', 'S') and oid::int >= 104")
        ids = dict(cursor.fetchall())
        cursor.execute("select count(*) from rowkey.check()")
        found = cursor.fetchone()[0]
        yield "rowkey.check() on a running server", None if found == 0 else f"{found} findings"
        done = rowkey_check(data)
        in_use = done.returncode == 2 and "in use" in done.stderr
        yield "a store in use is refused", None if in_use else f"{done.returncode}: {done.stderr}"
        connection.close()
        server.close()
        done = rowkey_check(data)
        yield "a whole store", None if done.returncode == 0 and done.stdout.startswith("0 findings, ") else done.stdout + done.stderr
        done = rowkey_check("/nonexistent")
        yield "no store", None if done.returncode == 2 and "there is no store" in done.stderr else f"{done.returncode}: {done.stderr}"
        for edit, wanted in PLANTS:
            yield "planted: " + edit.__name__.replace("_", " "), planted(data, ids, edit, wanted)
    finally:
        shutil.rmtree(data, ignore_errors=True)
