#!/usr/bin/env python3
"""Asks a PostgreSQL 15 for the answers of type_cases.tsv, which types_test.c checks.

usage: type_cases.py 'host=/tmp port=5499 user=postgres' < questions > type_cases.tsv

A question is: settings <tab> type <tab> input; settings are "name=value;..." or empty. An answer adds the text form (or
"!SQLSTATE message") and the binary form in hex. Existing answers may be piped through again: their columns are replaced.
"""
import subprocess
import sys

PROBE = r"""
create or replace function pg_temp.probe(settings text, typ text, input text, out answer text, out bytes text) as $$
declare one text; kv text[];
begin
  set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex';
  foreach one in array string_to_array(settings, ';') loop
    kv := string_to_array(one, '=');
    perform set_config(kv[1], kv[2], true);
  end loop;
  execute format('select %s(v), encode(%s(v), ''hex'') from (select %L::%s as v) x',
                 (select typoutput from pg_type where oid = to_regtype(typ)),
                 (select typsend from pg_type where oid = to_regtype(typ)), input, typ) into answer, bytes;
exception when others then
  answer := '!' || sqlstate || ' ' || sqlerrm; bytes := '';
end $$ language plpgsql;
"""


def main():
    rows = []
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line and not line.startswith("#"):
            rows.append("\t".join(line.split("\t")[:3]))
    sql = ("set client_min_messages = error;\n" + PROBE + "create temp table q(n serial, settings text, typ text, input text);\n"
           "\\copy q(settings, typ, input) from pstdin\n")
    questions = "\n".join(rows) + "\n"
    tail = "\\copy (select settings, typ, input, p.answer, p.bytes from (select q.*, pg_temp.probe(settings, typ, input) as p from q order by n) r, lateral (select (r.p).answer, (r.p).bytes) p order by r.n) to stdout\n"
    sql = sql.replace("from pstdin", "from stdin") + questions + "\\.\n" + tail
    out = subprocess.run(["psql", "-XqAt", sys.argv[1]], input=sql, capture_output=True, text=True)
    if out.stderr:
        sys.exit(out.stderr)
    sys.stdout.write(out.stdout)


main()
