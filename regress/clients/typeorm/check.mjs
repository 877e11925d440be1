// typeorm: migrations, schema synchronization, repositories, relations, query builder, transactions, locks, errors, streams.
import { DataSource, EntitySchema, In, LessThan, Raw, Table, TableColumn, TableForeignKey, TableIndex } from 'typeorm';
import { fails, run, same, url } from './checks.mjs';

const Maker = new EntitySchema({
  name: 'Maker', tableName: 'maker',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    name: { type: 'text', unique: true },
    born: { type: 'timestamptz', createDate: true },
    changed: { type: 'timestamptz', updateDate: true },
    version: { type: 'int', version: true },
    gone: { type: 'timestamptz', deleteDate: true, nullable: true },
  },
  relations: { things: { type: 'one-to-many', target: 'Thing', inverseSide: 'maker' } },
});

const Thing = new EntitySchema({
  name: 'Thing', tableName: 'thing',
  columns: {
    id: { type: 'uuid', primary: true, generated: 'uuid' },
    title: { type: 'varchar', length: 80, nullable: true },
    price: { type: 'numeric', precision: 10, scale: 2, nullable: true },
    facts: { type: 'jsonb', nullable: true },
    raw: { type: 'bytea', nullable: true },
    ok: { type: 'boolean', default: true },
    at: { type: 'timestamp', nullable: true },
    day: { type: 'date', nullable: true },
    clock: { type: 'time', nullable: true },
    span: { type: 'interval', nullable: true },
    big: { type: 'bigint', nullable: true },
    small: { type: 'smallint', nullable: true },
    ratio: { type: 'double precision', nullable: true },
    tags: { type: 'text', array: true, nullable: true },
    kind: { type: 'enum', enum: ['plain', 'rare'], enumName: 'thing_kind', default: 'plain' },
  },
  relations: {
    maker: { type: 'many-to-one', target: 'Maker', joinColumn: { name: 'maker_id' }, inverseSide: 'things', onDelete: 'CASCADE', nullable: true },
    marks: { type: 'many-to-many', target: 'Mark', joinTable: { name: 'thing_mark' } },
  },
  indices: [{ name: 'thing_title', columns: ['title'] }, { name: 'thing_kind_day', columns: ['kind', 'day'], unique: true, where: 'day is not null' }],
  checks: [{ name: 'thing_small', expression: 'small > 0' }],
});

const Mark = new EntitySchema({
  name: 'Mark', tableName: 'mark',
  columns: { id: { type: 'int', primary: true, generated: 'identity' }, word: { type: 'text' } },
});

const Node = new EntitySchema({
  name: 'Node', tableName: 'node',
  columns: { id: { type: 'int', primary: true }, label: { type: 'text', comment: 'what is shown' } },
  relations: { parent: { type: 'many-to-one', target: 'Node', nullable: true, joinColumn: { name: 'parent_id' } } },
});

class First1700000000001 {
  async up(runner) {
    await runner.createTable(new Table({
      name: 'old', columns: [
        { name: 'id', type: 'int', isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
        { name: 'n', type: 'int', default: 3 }, { name: 'word', type: 'varchar', length: '20', isNullable: true },
      ],
    }), true);
    await runner.addColumn('old', new TableColumn({ name: 'more', type: 'int', isNullable: true }));
    await runner.createIndex('old', new TableIndex({ name: 'old_word', columnNames: ['word'] }));
    await runner.createTable(new Table({ name: 'older', columns: [{ name: 'old', type: 'int' }] }));
    await runner.createForeignKey('older', new TableForeignKey({ columnNames: ['old'], referencedTableName: 'old', referencedColumnNames: ['id'] }));
    await runner.renameColumn('old', 'more', 'rank');
    await runner.changeColumn('old', 'n', new TableColumn({ name: 'n', type: 'bigint', default: 4 }));
    await runner.query('insert into old (word) values ($1)', ['x']);
  }
  async down(runner) {
    await runner.dropTable('older');
    await runner.dropTable('old');
  }
}

class Broken1700000000002 {
  async up(runner) {
    await runner.query('create table half (n int)');
    await runner.query('select * from nowhere');
  }
  async down() {}
}

const source = (more) => new DataSource({ type: 'postgres', url, poolSize: 3, logging: false, installExtensions: false, uuidExtension: 'pgcrypto', ...more });

async function migrations() {
  const db = await source({ migrations: [First1700000000001] }).initialize();
  same('migrations run', (await db.runMigrations()).length, 1);
  same('no more of them', (await db.runMigrations()).length, 0);
  const runner = db.createQueryRunner();
  const old = await runner.getTable('old');
  same('table as read', old.columns.map((c) => [c.name, c.type, c.default, c.isNullable]), [
    ['id', 'integer', undefined, false], ['word', 'character varying', undefined, true], ['rank', 'integer', undefined, true], ['n', 'bigint', "'4'", false]]);
  same('sequence as read', [old.columns[0].isGenerated, old.columns[0].generationStrategy], [true, 'increment']);
  same('index as read', old.indices.map((i) => [i.name, i.columnNames]), [['old_word', ['word']]]);
  same('foreign key as read', (await runner.getTable('older')).foreignKeys.map((k) => [k.columnNames, k.referencedTableName]), [[['old'], 'old']]);
  same('default after a change', await runner.query('select n, rank from old'), [{ n: '4', rank: null }]);
  await db.undoLastMigration();
  same('undone', await runner.hasTable('old'), false);
  await runner.release();
  await db.destroy();
  const broken = await source({ migrations: [Broken1700000000002] }).initialize();
  await fails('a broken migration', () => broken.runMigrations(), (e) => e.driverError.code === '42P01');
  same('leaves nothing', await broken.createQueryRunner().hasTable('half'), false);
  await broken.query('drop table migrations');
  await broken.destroy();
}

async function values(db) {
  const things = db.getRepository('Thing');
  const maker = await db.getRepository('Maker').save({ name: 'Ann' });
  same('returning', [maker.id, maker.version, maker.born instanceof Date, maker.gone], [1, 1, true, null]);
  const row = {
    title: 'T ü', price: '12.50', facts: { a: [1, null] }, raw: Buffer.from([0, 255]), ok: false, at: new Date('2024-02-29T01:02:03.004Z'),
    day: '2024-02-29', clock: '23:59:59.5', big: '4611686018427387904', small: 7, ratio: 0.1, tags: ['x', 'q"\\,', null], kind: 'rare',
  };
  const made = await things.save({ ...row, span: '3 days 00:00:05', maker });
  const read = await things.findOneBy({ id: made.id });
  for (const name of Object.keys(row)) same(`${name} there and back`, read[name], row[name]);
  same('interval there and back', [read.span.days, read.span.seconds], [3, 5]);
  const plain = await things.findOneBy({ id: (await things.save({})).id });
  same('NULLs', [plain.title, plain.facts, plain.tags, plain.ok, plain.kind], [null, null, null, true, 'plain']);
  same('find by array and json', await things.countBy({ tags: Raw((t) => `${t} @> '{x}'`), facts: Raw((f) => `${f} @> '{"a": [1]}'`) }), 1);
  return maker;
}

async function errors(db) {
  const makers = db.getRepository('Maker');
  await fails('unique violation', () => makers.insert({ name: 'Ann' }), (e) => e.name === 'QueryFailedError' && e.driverError.code === '23505' && /\(name\)=\(Ann\)/.test(e.driverError.detail));
  await fails('check violation', () => db.getRepository('Thing').insert({ small: -1 }), (e) => e.driverError.constraint === 'thing_small');
  await fails('foreign key violation', () => db.getRepository('Thing').insert({ maker: { id: 99 } }), (e) => e.driverError.code === '23503');
  await fails('not null violation', () => makers.insert({ name: null }), (e) => e.driverError.code === '23502' && e.driverError.column === 'name');
  await fails('rollback', () => db.transaction(async (t) => {
    await t.getRepository('Maker').insert({ name: 'gone' });
    await t.transaction((inner) => inner.getRepository('Maker').insert({ name: 'inner' }));
    throw new Error('out');
  }), (e) => e.message === 'out');
  same('rolled back', await makers.count(), 1);
}

async function queries(db, ann) {
  const [makers, things] = [db.getRepository('Maker'), db.getRepository('Thing')];
  await makers.insert(Array.from({ length: 200 }, (_, i) => ({ name: `n${i}` })));
  same('batch', await makers.count(), 201);
  await makers.upsert([{ name: 'n0' }, { name: 'new' }], { conflictPaths: ['name'], skipUpdateIfNoValuesChanged: true });
  same('upsert', await makers.count(), 202);
  same('join', (await makers.findOne({ where: { id: ann.id }, relations: { things: { marks: true } } })).things.length, 1);
  const thing = await things.findOne({ where: { title: 'T ü' }, relations: ['marks'] });
  thing.marks = [{ word: 'red' }, { word: 'big' }].map((m) => db.getRepository('Mark').create(m));
  await db.getRepository('Mark').save(thing.marks);
  await things.save(thing);
  same('many to many', (await things.find({ relations: ['marks'], where: { marks: { word: In(['red', 'none']) } } })).length, 1);
  same('skip and take with a join', (await makers.find({ relations: ['things'], where: { id: LessThan(50) }, order: { id: 'DESC' }, skip: 3, take: 4 })).map((m) => m.id), [46, 45, 44, 43]);
  const rows = await makers.createQueryBuilder('m').leftJoin('m.things', 't').select('m.name', 'name').addSelect('count(t.id)', 'n')
    .where('m.name in (:...names)', { names: ['Ann', 'n1'] }).groupBy('m.name').having('count(t.id) >= :least', { least: 0 }).orderBy('m.name').getRawMany();
  same('query builder', rows, [{ name: 'Ann', n: '1' }, { name: 'n1', n: '0' }]);
  const sub = await makers.createQueryBuilder('m').where((q) => `exists ${q.subQuery().select('1').from('Thing', 't').where('t.maker_id = m.id').getQuery()}`).getMany();
  same('subquery', sub.map((m) => m.name), ['Ann']);
  const updated = await makers.createQueryBuilder().update().set({ name: () => "name || '!'" }).where('id = :id', { id: ann.id }).returning('*').execute();
  same('update returning', updated.raw[0].name, 'Ann!');
  await db.transaction('SERIALIZABLE', async (t) => {
    const locked = await t.getRepository('Maker').findOne({ where: { id: ann.id }, lock: { mode: 'pessimistic_write' } });
    await t.getRepository('Maker').save({ ...locked, name: 'Anna' });
  });
  same('version counts', (await makers.findOneBy({ id: ann.id })).version, 3);
  await makers.softDelete({ name: 'n5' });
  same('soft delete', [await makers.count(), await makers.count({ withDeleted: true })], [201, 202]);
  const tags = await db.query('select $1::int + 1 as n, $2::text[] as tags', [1, ['a', 'b']]);
  same('parameters', tags, [{ n: 2, tags: ['a', 'b'] }]);
  await makers.increment({ id: ann.id }, 'version', 5);
  await things.delete({ title: 'T ü' });
  same('cascade to the join table', await db.query('select count(*)::int as n from thing_mark'), [{ n: 0 }]);
}

run('typeorm', async () => {
  await migrations();
  const db = await source({ entities: [Maker, Thing, Mark, Node], synchronize: true }).initialize();
  const left = await db.driver.createSchemaBuilder().log();
  same('a synchronized schema has nothing to change', left.upQueries.map((q) => q.query), []);
  const ann = await values(db);
  await errors(db);
  await queries(db, ann);
  const runner = db.createQueryRunner();
  const table = await runner.getTable('thing');
  same('columns', ['title', 'price', 'tags', 'kind', 'at'].map((n) => { const c = table.findColumnByName(n); return [c.type, c.length, c.precision, c.isArray]; }),
    [['character varying', '80', undefined, false], ['numeric', '', 10, false], ['text', '', undefined, true], ['enum', '', undefined, false], ['timestamp without time zone', '', undefined, false]]);
  same('enum labels', table.findColumnByName('kind').enum, ['plain', 'rare']);
  same('foreign keys', table.foreignKeys.map((k) => [k.referencedTableName, k.onDelete]), [['maker', 'CASCADE']]);
  same('checks', table.checks.map((k) => k.name), ['thing_small']);
  same('comment', (await runner.getTable('node')).findColumnByName('label').comment, 'what is shown');
  await runner.release();
  await db.dropDatabase();
  same('drop', await db.query("select table_name from information_schema.tables where table_schema = 'public'"), []);
  await db.destroy();
});
