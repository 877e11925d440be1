// node's pg, pg-cursor and postgres.js: parametrised and named statements, transactions, errors, types, cursors.
import pg from 'pg';
import Cursor from 'pg-cursor';
import postgres from 'postgres';

let checks = 0;
function same(name, got, wanted) {
  checks++;
  if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`${name}: got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}`);
}
const db = new pg.Client({ connectionString: process.env.PGURL });
try {
  await db.connect();
  await db.query('drop table if exists node_t');
  await db.query('create table node_t (id int primary key, s text, n numeric, j jsonb, ts timestamptz, b bytea, a int[])');
  const inserted = await db.query('insert into node_t values ($1, $2, $3, $4, $5, $6, $7) returning id, s',
    [1, 'grüß', '1.50', { a: 1 }, new Date('2024-02-29T12:00:00Z'), Buffer.from([0, 255]), [1, 2]]);
  same('returning', inserted.rows, [{ id: 1, s: 'grüß' }]);
  const read = (await db.query('select * from node_t where id = $1', [1])).rows[0];
  same('types', [read.n, read.j, read.ts.toISOString(), [...read.b], read.a], ['1.50', { a: 1 }, '2024-02-29T12:00:00.000Z', [0, 255], [1, 2]]);
  for (let i = 2; i < 20; i++) await db.query({ name: 'ins', text: 'insert into node_t (id, s) values ($1, $2)', values: [i, `r${i}`] });
  same('named statement', (await db.query('select count(*)::int as c from node_t')).rows[0].c, 19);
  await db.query('begin');
  await db.query('delete from node_t');
  await db.query('rollback');
  same('rollback', (await db.query('select count(*)::int as c from node_t')).rows[0].c, 19);
  const error = await db.query('insert into node_t (id) values (1)').catch((e) => e);
  same('unique violation', [error.code, error.constraint, error.table], ['23505', 'node_t_pkey', 'node_t']);
  same('null parameter', (await db.query('select $1::text is null as n', [null])).rows, [{ n: true }]);
  same('parameter types', (await db.query('select $1::int + $2::int as n', [1, '2'])).rows, [{ n: 3 }]);
  const several = await db.query('select 1 as a; select 2 as b');
  same('several statements', several.map((r) => r.rows[0]), [{ a: 1 }, { b: 2 }]);
  const cursor = db.query(new Cursor('select id from node_t order by id', []));
  const sizes = [];
  for (let rows = await cursor.read(8); rows.length; rows = await cursor.read(8)) sizes.push(rows.length);
  same('cursor', sizes, [8, 8, 3]);
  await cursor.close();
  const sql = postgres(process.env.PGURL, { max: 2, onnotice: () => 0 });
  same('postgres.js parameters', [...(await sql`select id, s from node_t where id = any(${[2, 3]}) order by id`)], [{ id: 2, s: 'r2' }, { id: 3, s: 'r3' }]);
  const twice = await sql`insert into node_t (id) values (1)`.catch((e) => e);
  same('postgres.js unique violation', [twice.code, twice.constraint_name], ['23505', 'node_t_pkey']);
  same('postgres.js batch', (await sql`insert into node_t ${sql([{ id: 50, s: 'a' }, { id: 51, s: null }])} returning s`).map((r) => r.s), ['a', null]);
  const undone = await sql.begin(async (t) => { await t`delete from node_t`; throw new Error('undo'); }).catch((e) => e.message);
  same('postgres.js rollback', [undone, (await sql`select count(*)::int as c from node_t`)[0].c], ['undo', 21]);
  let streamed = 0;
  await sql`select id from node_t`.cursor(5, (rows) => { streamed += rows.length; });
  same('postgres.js cursor', streamed, 21);
  const missing = await sql`select * from no_such_table`.catch((e) => e.code);
  same('postgres.js unknown table', missing, '42P01');
  await sql.end();
  await db.query('drop table node_t');
  await db.end();
  console.log(`OK node ${checks}`);
} catch (e) {
  console.log(`FAIL node: ${e.message}`);
  process.exit(1);
}
