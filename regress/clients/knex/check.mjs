// knex: migrations with their lock table, the query builder, transactions, errors, streams, introspection.
import knexOf from 'knex';
import { fails, run, same, url } from './checks.mjs';

const up = [
  (k) => k.schema.createTable('maker', (t) => {
    t.increments('id');
    t.string('name', 40).notNullable().unique();
    t.timestamp('made', { useTz: true }).defaultTo(k.fn.now());
  }).createTable('thing', (t) => {
    t.bigIncrements('id');
    t.integer('maker_id').notNullable().references('maker.id').onDelete('CASCADE');
    t.string('title', 80).index('thing_title');
    t.decimal('price', 10, 2).defaultTo(5);
    t.uuid('key');
    t.jsonb('facts');
    t.binary('raw');
    t.specificType('tags', 'text[]');
    t.boolean('ok').defaultTo(true);
    t.enu('kind', ['a', 'b']);
    t.timestamp('at', { useTz: true });
  }),
  (k) => k.schema.alterTable('thing', (t) => {
    t.integer('more').defaultTo(7).index('thing_more');
    t.string('title', 90).alter();
    t.renameColumn('key', 'code');
  }),
];
const migrations = up.map((work, i) => ({ name: `00${i}`, up: work, down: (k) => (i === 0 ? k.schema.dropTable('thing').dropTable('maker') : k.schema.alterTable('thing', (t) => t.dropColumn('more'))) }));
const migrationSource = { getMigrations: async () => migrations, getMigrationName: (m) => m.name, getMigration: async (m) => m };

run('knex', async () => {
  const k = knexOf({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
  same('migrated', (await k.migrate.latest({ migrationSource }))[1], ['000', '001']);
  same('insert returning', await k('maker').insert({ name: 'Ann' }).returning(['id', 'name']), [{ id: 1, name: 'Ann' }]);
  const at = new Date('2024-02-29T01:02:03.004Z'), code = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
  const row = { maker_id: 1, title: 'T ü', price: '12.50', code, facts: { a: [1, null] }, raw: Buffer.from([0, 255]), tags: ['x', null, 'q"\\,'], ok: false, kind: 'b', at };
  await k('thing').insert({ ...row, facts: JSON.stringify(row.facts) });
  const [read] = await k('thing').where({ code }).whereRaw("facts->'a'->>0 = ?", ['1']);
  for (const name of Object.keys(row)) same(`${name} there and back`, read[name], row[name]);
  same('default', read.more, 7);
  await k('thing').insert({ maker_id: 1, title: null });
  same('NULLs', (await k('thing').whereNull('title').first('code', 'facts', 'ok', 'price')), { code: null, facts: null, ok: true, price: '5.00' });
  await fails('unique violation', () => k('maker').insert({ name: 'Ann' }), (e) => e.code === '23505' && e.constraint === 'maker_name_unique');
  await fails('foreign key violation', () => k('thing').insert({ maker_id: 99 }), (e) => e.code === '23503');
  await fails('check violation', () => k('thing').insert({ maker_id: 1, kind: 'z' }), (e) => e.code === '23514');
  await fails('rollback', () => k.transaction(async (t) => {
    await t('maker').insert({ name: 'gone' });
    await t.transaction(async (s) => { await s('maker').insert({ name: 'inner' }); throw new Error('in'); }).catch(() => 0);
    same('savepoint', (await t('maker').count('* as c').first()).c, '2');
    throw new Error('out');
  }), (e) => e.message === 'out');
  same('rolled back', await k('maker').pluck('name'), ['Ann']);
  await k.batchInsert('maker', Array.from({ length: 500 }, (_, i) => ({ name: `n${i}` })), 100);
  same('batch', (await k('maker').count('* as c').first()).c, '501');
  await k('maker').insert({ name: 'Ann', made: at }).onConflict('name').merge();
  same('upsert', (await k('maker').where('name', 'Ann').first()).made, at);
  same('join', await k('maker as m').leftJoin('thing as t', 'm.id', 't.maker_id').whereIn('m.name', ['Ann', 'n0']).groupBy('m.name').orderBy('m.name').select('m.name').count('t.id as n'), [{ name: 'Ann', n: '2' }, { name: 'n0', n: '0' }]);
  same('with', (await k.with('w', k('maker').select('id')).from('w').max('id as m').first()).m > 400, true);
  same('for update', (await k.transaction((t) => t('maker').where({ id: 1 }).forUpdate().skipLocked())).length, 1);
  same('tables', [await k.schema.hasTable('thing'), await k.schema.hasTable('nowhere'), await k.schema.hasColumn('thing', 'code')], [true, false, true]);
  const info = await k('thing').columnInfo();
  same('columns', [info.title.maxLength, info.price.type, info.ok.defaultValue, info.maker_id.nullable], [90, 'numeric', 'true', false]);
  await k.migrate.rollback({ migrationSource }, true);
  same('taken back', await k.schema.hasTable('thing'), false);
  await k.destroy();
});
