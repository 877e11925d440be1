-- psql's \d family on a schema: what PostgreSQL 15 prints for the same statements, to the letter.
set client_min_messages = warning;
create schema app;
create sequence app.own_seq increment 5 minvalue 10 maxvalue 1000 start 20 cache 3 cycle;
create table app.users (id bigint generated always as identity primary key, email varchar(80) not null unique, name text default 'x', n int default 5, born date, price numeric(10,2) default 1.5, created timestamptz not null default now(), data jsonb, tags text[], k uuid default gen_random_uuid(), constraint n_positive check (n > 0), f float8, g int generated always as (n * 2) stored);
create index users_name on app.users (lower(name), n desc) where n > 3;
create index users_born on app.users (born) include (price);
create table posts (id int primary key, title text, body text, at timestamp(3), author bigint references app.users on delete cascade deferrable, unique (title, at));
create view v as select id, name from app.users where n > 2;
comment on table posts is 'the posts';
comment on column posts.title is 'the title';
comment on schema app is 'the app';
\d
\d posts
\d+ posts
\d app.users
\d+ app.users
\d v
\d app.own_seq
\d users_name
\d+ app.users_born
\dt
\dt app.*
\dt *.users
\di
\di app.*
\dv
\dv+
\dm
\ds
\ds app.*
\dn app
\dn+ app
\df
\df substr
\df array_append
\da
\dw
\dO
\dc
\dd
\dd posts
\dD
\dT
\dp
\db
\dy
\dP
\des
\dew
\det
\deu
\dRp
\dRs
\dX
\dl
\ddp
\drds
\dE
\sf pg_sleep
\sf substr(text,int)
\dconfig search_path
\d nothing
\dt nothing
\d+ app.own_seq
\dAt
\dC bool
\dAc btree int4
\dAp btree uuid_ops
\dti app.*
