-- parse_corpus.sql - statements that the parser accepts, one a line; a line that starts with a blank continues the one
-- before. parse_test.c parses, prints and parses each again; fuzzing starts from them. PostgreSQL's own first, as
-- PostgreSQL 15 accepts them, then those of the dialects.
select 1
select 1 as one, 2 two, 'x' "Q", a.*, * from t a
select all a from t
select distinct a, b from t where a > 1 and b < 2 or not c
select distinct on (a, b) a, b from t order by a, b desc nulls first
select -1, - 1, -a, +a, - -a, 1 - -1, @ -5, !! a, ~ a, |/ 25, ||/ 27
select 1 + 2 * 3 ^ 4 - 5 % 6 / 7
select (1 + 2) * 3, 2 ^ 3 ^ 4, (2 ^ 3) ^ 4, 2 ^ (3 ^ 4), a - (b - c), a - b - c
select a::int, a::varchar(10), (-1)::int, -1::int, a::text[], a::int4[3][], cast(a as numeric(10,2)), '1'::pg_catalog.int4
select 1::smallint, 1::bigint, 1::real, 1::double precision, 1::float, 1::float(10), 1::float(30), 1::decimal, 1::dec(3), true::boolean, 'a'::char, 'a'::char(3), 'a'::character varying, 'a'::character varying(3), 'a'::national character(3), 'a'::nchar varying(3), b'1'::bit, b'1'::bit(3), b'1'::bit varying(3), '1'::varbit
select now()::timestamp, now()::timestamp(3), now()::timestamp with time zone, now()::timestamp(3) with time zone, now()::timestamptz(3), now()::time, now()::time with time zone, '1'::interval, '1'::interval(3), '1'::interval day to second(3), '1'::interval year, '1'::date
select a collate "C", a || b collate "de_DE" || c, (a || b) collate "C"
select a at time zone 'UTC', a at time zone b + c, (a at time zone 'x') at time zone 'y'
select a[1], a[1:2], a[:2], a[1:], a[:], a[1][2], (a).b, (a).b.c, (a).*, (f(x)).y, a.b[1].c, (array[1,2])[1], ($1)[1], $1[1], $1.f, (select x)[1]
select array[1,2,3], array[[1,2],[3,4]], array[]::int[], array[array[1],array[2]], array(select 1), row(1,2), row(), (1,2), row(1)
select case when a then b end, case a when 1 then 2 when 3 then 4 else 5 end, case when a is null then 1 else 2 end
select a between 1 and 2, a not between 1 and 2 and b, a between symmetric 1 and 2, a between asymmetric 1 and 2, a between b + 1 and c * 2 or d
select a in (1,2), a not in (1,2), a in (select 1), a not in (select 1), (a,b) in ((1,2),(3,4)), a in (1), a in ((select 1), 2)
select a like 'x', a not like 'x', a like 'x' escape '\', a ilike 'y', a not ilike 'y' escape '!', a similar to 'x', a not similar to 'x' escape 'y'
select a is null, a is not null, a isnull, a notnull, a is true, a is not true, a is false, a is not false, a is unknown, a is not unknown, a is distinct from b, a is not distinct from b
select (a is null) is null, (a = b) = c, (a < b) is true, a = b is null, not a = b, not a is null, (not a) = b, not (a and b)
select a = any (b), a = all (select 1), a <> some (array[1,2]), a like any (b), a not like all (b), a ilike any (array['x']), a not ilike any (b), a operator(pg_catalog.=) any (b), a + 1 > any (b), a @> any (b)
select exists (select 1), not exists (select 1 from t), (select 1), (select a from t limit 1) + 1, ((select 1))
select extract(year from a), extract('epoch' from a), extract(dow from now()), extract(century from a)
select substring(a from 1 for 2), substring(a from 1), substring(a for 2), substring(a for 2 from 1), substring(a, 1), substring(a, 1, 2), substring(a similar b escape c)
select position(a in b), position('a' || 'b' in c), overlay(a placing b from 1), overlay(a placing b from 1 for 2), overlay(a, b, 1)
select trim(a), trim(both from a), trim(both 'x' from a), trim(leading 'x' from a), trim(trailing from a), trim('x' from a), trim(a, b)
select cast(1 as int), coalesce(a, b), nullif(a, b), greatest(1,2), least(1,2,3)
select current_date, current_time, current_time(3), current_timestamp, current_timestamp(3), localtime, localtime(2), localtimestamp, localtimestamp(1), current_role, current_user, session_user, user, current_catalog, current_schema, current_schema()
select f(), f(1), f(a, b), f(*), count(*), count(distinct a), count(all a), f(a order by b), f(distinct a order by a desc), f(variadic a), f(1, variadic a), f(a => 1, b := 2), f(1, b => 2), s.f(1), d.s.f(2)
select count(*) filter (where a > 1), percentile_cont(0.5) within group (order by a), f(a) over (), f(a) over w, f(a) over (w), f() over (partition by a, b order by c desc), string_agg(a, ',' order by b) filter (where c)
select f() over (order by a rows unbounded preceding), f() over (order by a rows between 1 preceding and current row), f() over (range between unbounded preceding and unbounded following exclude ties), f() over (groups between current row and 2 following exclude current row), f() over (rows between 1 following and 2 following exclude no others), f() over (w partition by a rows 5 preceding exclude group)
select f() over w from t window w as (partition by a), w2 as (w order by b)
select interval '1' day, interval '1 day', interval '1' year to month, interval '1' second(3), interval(3) '1', date '2024-01-01', timestamp '2024-01-01', timestamp with time zone '2024-01-01', time '10:00', timestamp(3) '2024-01-01', numeric '1.5', numeric(10,2) '1.5', int '5', bool 't', float8 '1', double precision '1', json '{}', pg_catalog.date '2024-01-01', char 'x', varchar(3) 'abc', bpchar(3) 'abc', point '(1,2)'
select 1.5, .5, 1., 1e5, 1.5e-3, 1E+5, 12345678901234567890, -9223372036854775808, 0
select 'a''b', 'a' 
 'b', E'a\nb\t\\\'', E'\x41\101\u0041\U00000041', U&'d\0061t\+000061', U&'d!0061t' uescape '!', $$a'b$$, $tag$x $$ y$tag$, B'101', X'1fF', N'abc', ''
select "a""b", "Select", U&"d\0061ta", _x, x$y, ñandú, "ñ"
select grouping(a, b), grouping(a) from t group by rollup (a, b), cube (c, (d, e)), grouping sets ((a), (), (a, b), rollup (c)), a, (), (a, b)
select a from t group by distinct a, b having count(*) > 1
select a from t group by all a
select * from a, b, c
select * from a join b on a.x = b.x
select * from a inner join b using (x, y) left join c on true right outer join d on false full join e using (z) cross join f natural join g natural left join h
select * from a join (b join c on b.x = c.x) on a.x = b.x
select * from (a join b on true) as j (x, y)
select * from (a cross join b) j
select * from a join b using (x) as u
select * from a join b join c on true on false
select * from (select 1) s, (select 2 as x) as t (y), lateral (select 3) u, (values (1,2),(3,4)) v (a, b)
select * from f(1), f(2) as g, f(3) g(a, b), f(4) with ordinality as t(a, n), lateral f(5), rows from (f(1), g(2)) as x, rows from (f(1) as (a int), g(2)) with ordinality, f(6) as (a int, b text), f(7) as g(a int, b text collate "C"), f(8) g(a int)
select * from current_date, coalesce(1,2) c, cast(1 as int) as x
select * from only t, only (u), v *, s.t, d.s.t x
select * from t tablesample system (10), t as x tablesample bernoulli (5) repeatable (3)
select from t
select
select a from t where a = 1 order by a asc nulls last, b desc, c using <, d using operator(pg_catalog.>) limit 1 offset 2
select a from t offset 2 limit 1
select a from t limit all offset 1
select a from t limit null
select a from t offset 5 rows fetch first 3 rows only
select a from t fetch next row only
select a from t order by a fetch first (1 + 2) rows with ties
select a from t offset 1 row
select a from t for update
select a from t for no key update of t nowait for share of u, v skip locked for key share
select a from t limit 1 for update
select a from t for update limit 1
select a from t for read only
select 1 union select 2 union all select 3 intersect select 4 except all select 5
(select 1) union (select 2 limit 1) order by 1
select 1 union (select 2 union select 3)
(select 1 union select 2) intersect select 3
(select 1 intersect select 2) intersect all (select 3 intersect select 4)
(select 1 order by 1 limit 1)
((select 1))
(((select 1) union select 2) limit 3)
values (1, 'a'), (2, default)
values (1) order by 1 limit 1
table t
table only t
table a union table b
with a as (select 1), b (x, y) as (select 2, 3), c as materialized (select 4), d as not materialized (select 5) select * from a, b
with recursive t(n) as (values (1) union all select n + 1 from t where n < 100) select sum(n) from t
with a as (insert into t values (1) returning *), b as (update t set a = 1 returning a), c as (delete from t returning *) select * from a
with a as (select 1) (select 2) union select 3 order by 1
select * from (with a as (select 1) select * from a) x
select 'a' as select, 1 as "from", 2 as all, 3 end, 4 user, 5 table
select (a, b) < (c, d), row(a, b) = row(c, d), (a, b) overlaps (c, d), ((a, b) overlaps (c, d)) = true
select a -> 'x', a ->> 'y', a #> '{a}', a @> b, a <@ b, a ? 'x', a ?| b, a ?& b, a && b, a || b, a ~ 'x', a !~ 'x', a ~* 'x', a !~* 'y', a << 1, a >> 1, a & b | c # d, a = -1, a=-1, a*-1, a@-1
select a operator(pg_catalog.+) b, operator(pg_catalog.-) a, a operator(s.||) b
select left('a', 1), right('b', 2), abs(-1), time, date, timestamp from t
select t.key, t.value, t.type, t.name, t.action, t.index, t.time, t.level, t.role, t.user from t
select year, month, day, hour, minute, second, zone, at, hash, list, split, family, range, rows, groups, cube, rollup, double, names, keys, ranges, tables, columns, status from t
select collation for (a), normalize(a), normalize(a, nfc)
insert into t values (1, 2)
insert into t (a, b) values (1, default), (default, 2)
insert into t as x (a) select 1
insert into t default values
insert into t (a) overriding system value values (1)
insert into t overriding user value select 2
insert into t (a) (select 1)
insert into t (select 1)
insert into s.t table u
insert into t values (1) returning *
insert into t values (1) returning a, b as c, t.d e
insert into t values (1) on conflict do nothing
insert into t values (1) on conflict (a) do nothing
insert into t values (1) on conflict (a, lower(b) collate "C" text_pattern_ops, (c + 1)) where d > 1 do update set a = excluded.a, (b, c) = (1, 2), (d, e) = (select 1, 2), (f) = row(1), g = default where t.a > 1 returning *
insert into t values (1) on conflict on constraint c do update set a = 1
insert into t select * from a cross join b on conflict do nothing
with a as (select 1) insert into t select * from a
update t set a = 1
update only t as x set a = 1, b = default where c = 2 returning *
update t x set a = y.a from y, z where x.id = y.id
update t set (a, b) = (1, 2), (c, d) = row(3, 4), (e, f) = (select 1, 2)
update t set a = 1 where current of c
update t set set = 1
with a as (select 1) update t set a = 1
delete from t
delete from only t where a = 1
delete from t as x using y, z where x.id = y.id returning x.*
delete from t x where current of c
with a as (select 1) delete from t
truncate t
truncate table only t, u * restart identity cascade
truncate t continue identity restrict
create table t (a int, b text not null, c varchar(10) default 'x', d numeric(10,2) check (d > 0), e serial primary key, f bigserial unique)
create table if not exists s.t ()
create temporary table t (a int) on commit drop
create temp table t (a int) on commit delete rows
create local temp table t (a int) on commit preserve rows
create unlogged table t (a int) with (fillfactor = 70, autovacuum_enabled, toast.x = 1) tablespace ts
create table t (a int constraint c not null constraint d check (a > 1) no inherit, b int null, c int references u, d int references u (x) match full on delete cascade on update set null deferrable initially deferred, e int generated always as identity, f int generated by default as identity (start with 5 increment by 2), g int generated always as (a + 1) stored, h text collate "C" default 'x' not null)
create table t (a int, primary key (a), unique (a, b), constraint u unique (c) include (d) with (fillfactor = 10), constraint f foreign key (a, b) references u (x, y) on delete set null (a) on update restrict not deferrable, check (a > 1) not valid, constraint c check (b < 2) no inherit, foreign key (a) references s.u not valid, unique nulls not distinct (d), unique (x) using index tablespace y)
create table t (a int default 1 + 2, b int default -1, c int default f(x), d text default 'x'::text, e int default (1 in (1)), f timestamp default (now() at time zone 'utc'))
create table t (like u including all excluding indexes, like v)
create table t (a int) inherits (u, v)
create table t (a int) partition by range (a, lower(b), (c + 1))
create table t (a int) partition by hash (a)
create table t (a int) partition by list (a collate "C" text_ops) using heap
create table p partition of t for values from (1, minvalue) to (2, maxvalue)
create table p partition of t for values in (1, 'x', null)
create table p partition of t for values with (modulus 4, remainder 1)
create table p partition of t (a not null, constraint x check (b > 1)) default
create table t of ty (a with options not null, b default 1, primary key (a))
create table t as select 1
create table t (a, b) with (x = 1) on commit drop tablespace y as select 1, 2 with no data
create temp table if not exists t as values (1) with data
create table t as execute p (1)
create table t as table u
create table t (a int)
create table t (a int, exclude int)
create index on t (a)
create unique index i on t (a, b)
create index concurrently if not exists i on only s.t using btree (a asc nulls first, b desc nulls last, lower(c), (d || e), f collate "C" text_ops (x = 1) desc) include (g, h) nulls not distinct with (fillfactor = 70) tablespace ts where a > 1
create view v as select 1
create or replace temp view v (a, b) with (security_barrier) as select 1, 2 with check option
create recursive view v (n) as select 1
create view v as select 1 with local check option
create view v as select 1 with cascaded check option
create materialized view v as select 1
create materialized view if not exists v (a) using heap with (x = 1) tablespace y as select 1 with no data
refresh materialized view concurrently v with no data
create sequence s
create temp sequence if not exists s as int increment by 2 minvalue 1 no maxvalue start with 5 cache 10 no cycle owned by t.a
create sequence s increment 1 maxvalue 100 start 1 cycle owned by none
create type e as enum ('a', 'b')
create type e as enum ()
create domain d as int check (value > 0) not null default 5
create domain d text collate "C" constraint c not null
create extension if not exists "uuid-ossp" with schema s version '1.0' cascade
create schema s
create schema if not exists s authorization joe
create schema authorization joe
create database d
create database d with owner joe encoding 'utf8' template = template0 lc_collate 'C' connection limit 5
create role r
create role r with login password 'x' superuser createdb nocreaterole inherit connection limit 5 valid until '2024-01-01' in role a, b role c admin d
create user u with encrypted password 'x'
create group g
alter role r with nologin password null
alter user u rename to v
alter role r set search_path to a, b
alter role r in database d set x = 1
alter role all reset all
alter database d set timezone = 'UTC'
alter database d rename to e
alter database d owner to joe
alter table t add a int, add column b text not null default 'x', add column if not exists c int, drop d, drop column e cascade, drop column if exists f restrict
alter table if exists only t add primary key (a), add constraint u unique (b), add constraint f foreign key (c) references u not valid, add check (d > 1), add unique using index i, add constraint p primary key using index j deferrable
alter table t drop constraint c, drop constraint if exists d cascade, validate constraint e, alter constraint f deferrable initially deferred
alter table t alter a type text, alter column b set data type varchar(10) collate "C" using b::text, alter c set default 5, alter d drop default, alter e set not null, alter f drop not null, alter g set statistics 100, alter h set storage plain, alter i drop expression if exists, alter j add generated always as identity, alter k set generated by default, alter l drop identity if exists, alter m restart with 5 set increment by 2, alter n set (n_distinct = 5), alter o reset (n_distinct)
alter table t rename to u
alter table t rename a to b
alter table t rename column a to b
alter table t rename constraint a to b
alter table t set schema s
alter table t owner to joe
alter table t owner to current_user
alter table t set (fillfactor = 70), reset (fillfactor), set tablespace x, set logged, set unlogged, cluster on i, set without cluster, replica identity full, replica identity default, replica identity using index i, enable row level security, disable row level security, force row level security, no force row level security, enable trigger x, disable trigger all, enable always trigger y, inherit u, no inherit v
alter table t attach partition p for values in (1)
alter table t attach partition p default
alter table t detach partition p concurrently
alter table t detach partition p finalize
alter index i rename to j
alter index i set (fillfactor = 70)
alter view v rename to w
alter view v owner to joe
alter view v alter column a set default 1
alter materialized view v rename to w
alter sequence s restart
alter sequence if exists s restart with 5 owned by none as bigint
alter sequence s rename to q
alter sequence s owner to joe
alter sequence s set schema x
alter type e add value 'x'
alter type e add value if not exists 'x' before 'y'
alter type e add value 'x' after 'y'
alter type e rename value 'x' to 'y'
alter type e rename to f
alter type e owner to joe
alter type e set schema s
alter schema s rename to q
alter schema s owner to joe
alter domain d rename to e
drop table t
drop table if exists s.t, u cascade
drop index concurrently if exists i, s.j restrict
drop view v
drop materialized view if exists v
drop sequence s, q
drop type e cascade
drop domain d
drop schema if exists s, q cascade
drop database if exists d
drop database d with (force)
drop extension if exists x
drop role if exists a, b
drop user u
drop group g
comment on table t is 'x'
comment on column s.t.a is null
comment on index i is 'x'
comment on constraint c on s.t is 'x'
comment on view v is 'x'
comment on schema s is 'x'
comment on database d is 'x'
comment on type e is 'x'
comment on sequence s is 'x'
comment on role r is 'x'
grant select, insert (a, b), update on t, u to joe, public with grant option
grant all on table t to joe
grant all privileges on all tables in schema s to joe
grant usage on schema s to joe
grant usage, select on all sequences in schema s to joe
grant connect on database d to joe
grant a, b to joe with admin option
grant execute on function f(int), g() to joe
grant usage on type e to joe
revoke grant option for select on t from joe cascade
revoke all on schema s from public
revoke a from joe
begin
begin work
begin transaction isolation level serializable, read only, deferrable
begin isolation level read committed read write not deferrable
start transaction isolation level repeatable read
commit
commit and chain
end transaction
rollback work and no chain
abort
savepoint s
release savepoint s
release s
rollback to savepoint s
rollback transaction to s
set x = 1
set x to 'a', b, 3
set local x = default
set session x to on
set a.b.c = -1.5
set x from current
set time zone 'UTC'
set time zone local
set time zone default
set time zone -8
set time zone utc
set time zone interval '1' hour to minute
set names 'utf8'
set names
set role joe
set role none
set role 'x'
set session authorization joe
set session authorization default
set local role joe
set schema 'x'
set xml option document
set transaction isolation level serializable
set transaction read only
set transaction snapshot 'x'
set session characteristics as transaction isolation level read committed
set constraints all deferred
set constraints a, s.b immediate
set search_path = public, "$user"
set transaction_isolation = 'serializable'
set role = joe
reset x
reset all
reset time zone
reset transaction isolation level
reset session authorization
reset a.b
show x
show all
show time zone
show transaction isolation level
show session authorization
show a.b
discard all
discard temp
discard temporary
discard plans
discard sequences
prepare p as select 1
prepare p (int, text, numeric(10,2), timestamp with time zone) as select $1, $2
prepare p as insert into t values ($1)
execute p
execute p (1, 'x', a + 1)
deallocate p
deallocate prepare p
deallocate all
declare c cursor for select 1
declare c binary insensitive no scroll cursor with hold for select 1
declare c scroll cursor without hold for select 1
fetch c
fetch from c
fetch next from c
fetch prior in c
fetch first from c
fetch last c
fetch absolute -1 from c
fetch relative 5 from c
fetch 5 from c
fetch -5 c
fetch all from c
fetch forward c
fetch forward 5 from c
fetch forward all in c
fetch backward from c
fetch backward 5 from c
fetch backward all from c
move 5 from c
close c
close all
explain select 1
explain analyze select 1
explain verbose select 1
explain analyze verbose select 1
explain (analyze, verbose off, costs true, format json) select 1
explain (select 1)
explain (values (1))
explain insert into t values (1)
explain execute p (1)
explain declare c cursor for select 1
explain create table t as select 1
copy t from stdin
copy t (a, b) from stdin with (format csv, header, delimiter ',', null '', quote '"', escape '\', force_null (a, b), encoding 'utf8', freeze)
copy t to stdout
copy t to 'file' with csv header delimiter ',' quote '"' force quote a, b
copy t from 'file' csv null as 'x' escape as '"' force not null a
copy t to stdout csv force quote *
copy t to stdout (format csv, force_quote *)
copy binary t from stdin
copy t from stdin binary
copy t from stdin using delimiters ','
copy t from stdin with delimiter as '|' null as ''
copy (select 1) to stdout
copy (insert into t values (1) returning *) to stdout with (format binary)
copy t from program 'x'
copy t from stdin where a > 1
vacuum
vacuum t
vacuum full freeze verbose analyze t (a, b), u
vacuum (full, analyze false, parallel 2) t
analyze
analyze t
analyze verbose t (a)
analyze (verbose, skip_locked) t, u
reindex table t
reindex index concurrently i
reindex schema s
reindex database d
reindex (verbose) system d
cluster
cluster t
cluster t using i
cluster verbose t using i
checkpoint
lock t
lock table t, only u in share row exclusive mode nowait
lock table t in access exclusive mode
listen c
unlisten c
unlisten *
notify c
notify c, 'payload'
do $$begin end$$
do language plpgsql 'x'
do 'x' language 'plpgsql'
create function f() returns int language sql as 'select 1'
create or replace function f(a int) returns int as $$ select 1; $$ language sql
create trigger t before insert on t for each row execute function f()
create aggregate a (int) (sfunc = x)
create rule r as on insert to t do nothing
create policy p on t
create operator + (leftarg = int)
create cast (int as text) without function
create publication p for all tables
create tablespace t location 'x'
create statistics s on a, b from t
create event trigger e on x execute function f()
create type t as (a int, b text)
create type t as range (subtype = int)
create type t
drop function f(int)
drop trigger x on t
drop tablespace t
alter function f() owner to joe
alter default privileges grant select on tables to joe
alter system set x = 1
call p(1)
load 'x'
merge into t using u on t.a = u.a when matched then delete
reassign owned by a to b
drop owned by a
security label on table t is 'x'
import foreign schema s from server x into y
prepare transaction 'x'
commit prepared 'x'
rollback prepared 'x'
comment on function f(int) is 'x'
select * from t where a in (1, 2) and b = any ($1) order by random() limit $2
select count(*) as "count" from "Users" as "User" where ("User"."deletedAt" is null and "User"."id" = '5')
select a from t where a @@ to_tsquery('x') and b <-> point '(1,2)' < 5
select f(a.*), f(a), count(a.*) from a
select t.* is null, (t).x, t.x.y from t
select not true and false or true
select a or b and c or not d = e
select a < b + 1 and c || d like 'x' || 'y'
select - a ^ 2, (- a) ^ 2, - (a ^ 2), -2 ^ 2, a ^ -2
select a::int::text, -a::int, (a + b)::int, a + b::int, (a at time zone 'x')::date, (case when a then b end)::int, (select 1)::int, f(x)::int, array[1]::int[], (row(1,2))::t, $1::int, 'x'::text collate "C"
select a is null and b is not null or c is distinct from d and e
select a = b or a = c or (a = d or a = e), (a and b) and c, a and (b and c), (a or b) and c
select (a, b) = any (select 1, 2), (a, b) in (select 1, 2), row(a) in (select 1)
select a = (b = c), (a is null) = b, a = (b is null), (a between 1 and 2) = b, a between (1 = 2) and 3, a in (1) = b
select ~ a + b, (~ a) + b, @ a ^ 2, a || (b || c), a || b || c, a - (b + c) * d, a * (b * c), a / b * c
select (a like b) like c, a like (b like c), a || b like c || d escape e || f, not a like b, (not a) like b
-- CockroachDB and YugabyteDB
create table users (id int primary key, email string, region string, index (email), unique index u (region, email) storing (id), inverted index j (email), family f (id, email), family (region))
create table e (id int primary key using hash with (bucket_count = 8), ts timestamptz not null, index i (ts desc) using hash with (bucket_count = 4, shard_columns = (ts)))
create table e (a int, b int, primary key (a, b) using hash with bucket_count = 8)
create table e (a int primary key using hash with bucket_count = 8 not null, b int unique)
create table e (a int8 not visible default unique_rowid(), b string family f1, c bytes create family f2, d int create if not exists family f3, e int as (a + 1) virtual, f int as (a + 1) stored, g timestamp on update now(), h int references u (x) on update cascade on delete set null)
create table e (a int not null, crdb_internal_a_shard_8 int8 not visible not null as (mod(fnv32(md5(crdb_internal.datums_to_bytes(a))), 8:::INT8)) virtual, constraint e_pkey primary key (a asc) using hash with (bucket_count=8))
create table s (a int, b int, c text, primary key ((a, b) hash, c desc)) split into 4 tablets
create table s (a int, primary key (a hash)) with (colocation = true) split into 3 tablets
create table s (a int, b text, primary key (a asc, b desc)) split at values ((100), (200), (200, 'm'), (minvalue, maxvalue), (-5, null))
create table p (a int, b int, primary key (a, b)) partition by list (a) (partition x values in (1, 2), partition y values in ((3), (4)), partition z values in (default) partition by range (b) (partition l values from (minvalue) to (10), partition h values from (10) to (maxvalue)))
create table p (a int) partition all by range (a) (partition x values from (minvalue, 'a') to (maxvalue, 'b'))
create table p (a int) partition by nothing
create table p (a int) locality regional by row as a
create index on e (ts) using hash with (bucket_count = 8)
create unique index concurrently if not exists i on e using gin (a, lower(b) desc, (c + 1) asc) storing (d, e) partition by list (a) (partition x values in (1)) with (x = 1) where a > 1 not visible
create index i on t ((a, b) hash, c desc) include (d) split into 10 tablets where a > 1
create index nonconcurrently i on t (a hash, b asc nulls first) covering (c) where b > 1 split at values ((1), (2))
create index i on t (a) invisible
create index i on t (a) visibility 0.5
create inverted index i on t (j)
create index i on t ((yb_hash_code(id) % 27) asc, created_at desc)
alter table t split at values (1000000), (2000000)
alter table t split at select i from generate_series(1, 5) as g(i) with expiration '2030-01-01'
alter index t@i split at values (1, 'a')
alter index s.i split at values (1)
alter table t unsplit at values (1)
alter index t@i unsplit all
alter table t scatter
alter index t@i scatter from (1, 2) to (3)
alter table t relocate values (array[1], 5)
alter index t@i experimental_relocate lease select 1, 2
alter table t testing_relocate nonvoters values (array[1], 5)
alter range 5 relocate lease to 3
alter range 5 relocate voters from 1 to 2
alter range relocate lease to 3 for select range_id from crdb_internal.ranges
alter range relocate voters from 1 to 2 for select 1
alter table t configure zone using range_min_bytes = 16777216, range_max_bytes = 67108864
alter table t configure zone discard
alter index t@i configure zone using gc.ttlseconds = 600, num_replicas = copy from parent
alter database d configure zone using num_replicas = 3
alter range default configure zone using num_replicas = 3
alter table t alter primary key using columns (a, b desc) using hash with (bucket_count = 16)
alter table t alter primary key using columns (a)
alter table t add column a int not null default 5 family f1, add constraint if not exists c unique (a), add family g (a)
alter table t alter column a set visible, alter column b set not visible, alter column c set on update now(), alter column d drop on update, alter column e drop stored
alter table t partition by list (a) (partition x values in (1))
alter index t@i rename to j
alter index i not visible
drop index t@i, s.t@j cascade
select * from t@i, t@primary as p, s.t@{force_index=i,desc}, t@{no_full_scan}, u@{force_index=j,no_full_scan,no_index_join} x where a = 1
select * from [show tables], [explain select 1] as e (info), [alter table t split at values (1)] x
select range_id from [show ranges from table t with details] where range_id = 1
with x as (show ranges from table t) select * from x
select * from t as of system time '-10s' where a = 1
select a:::int8, 'x':::string::bytes, (4718,), (a, b,)
select * from (select 1), (values (2)), t with ordinality
upsert into t values (1, 2)
upsert into t (a, b) select 1, 2 returning *
insert into t values (1) returning nothing
update t set a = 1 where b = 2 order by c limit 5 returning a
delete from t where a = 1 order by b desc limit 3
begin transaction as of system time '-10s', priority high
set cluster setting kv.range_split.by_load_enabled = false
set cluster setting x = default
reset cluster setting x
show tables
show tables from d.s with comment
show columns from t
show columns from s.t with comment
show indexes from t
show index from t
show keys from s.t
show indexes from database d
show constraints from t
show constraint from t
show create t
show create table s.t
show create view v
show create all tables
show databases
show databases with comment
show schemas
show schemas from d
show sequences
show types
show enums
show roles
show users
show grants
show grants on t for joe
show grants on table s.t
show grants on schema s
show ranges
show ranges with tables, details
show ranges from table t with indexes, keys, details, explain
show ranges from index t@i with details
show ranges from index i
show ranges from database d with tables
show ranges from current_catalog
show cluster ranges with details
show range from table t for row (1, 'a')
show range from index t@i for row (1)
show partitions from table t
show partitions from index t@i
show partitions from database d
show zone configuration from table t
show zone configuration for index t@i
show zone configuration from database d
show zone configuration from range default
show zone configurations
show sessions
show cluster sessions
show all statements
show local queries
show jobs
show cluster setting kv.range_split.by_load_enabled
show cluster settings
show all cluster settings
show statistics for table t
show savepoint status
show transaction status
show session x
explain (opt, verbose) select 1
explain analyze (distsql) select 1
explain analyze (debug, plan) insert into t values (1)
explain (analyze, dist, costs off) select 1
explain alter table t split at values (1)
explain create table t as select 1
alter type e drop value 'x'
create database if not exists d
create user if not exists joe
create sequence s virtual
create table t (a int, b serial, c serial8, d bigserial, e smallserial, f string(10), g bytes[], h int64, i timestamptz(3)[])
forecast table t (a int primary key, b text, index (b desc)) from (select 1, 'x')
forecast table s.t (a int, b text, primary key ((a) hash, b asc)) split into 8 tablets from (values (1, 'x'), (2, 'y')) nodes 8 rows 1000000 range_max_bytes 65536
create table forecast (forecast int, nodes int)
select forecast.nodes forecast from forecast
GRANT SELECT, INSERT (a, b) ON t, s.u TO joe, GROUP staff WITH GRANT OPTION GRANTED BY CURRENT_USER
REVOKE GRANT OPTION FOR ALL PRIVILEGES ON SCHEMA s FROM PUBLIC CASCADE
ALTER DEFAULT PRIVILEGES FOR ROLE a, b IN SCHEMA s GRANT SELECT ON TABLES TO c WITH GRANT OPTION
ALTER DEFAULT PRIVILEGES REVOKE ALL ON SEQUENCES FROM PUBLIC
DROP OWNED BY a, b CASCADE
REASSIGN OWNED BY a TO b
SELECT a INTO TEMP t FROM u UNION SELECT b FROM v ORDER BY 1
