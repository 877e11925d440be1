// sequelize: sync, models, associations, transactions, errors, introspection.
import { DataTypes as D, Op, Sequelize } from 'sequelize';
import { fails, run, same, url } from './checks.mjs';

run('sequelize', async () => {
  const s = new Sequelize(url, { dialect: 'postgres', logging: false, pool: { max: 2 } });
  const Maker = s.define('maker', { name: { type: D.TEXT, allowNull: false, unique: true } }, { tableName: 'maker', underscored: true });
  const Thing = s.define('thing', {
    title: D.STRING(80), price: D.DECIMAL(10, 2), code: D.UUID, facts: D.JSONB, raw: D.BLOB, ok: { type: D.BOOLEAN, defaultValue: true },
    at: D.DATE, day: D.DATEONLY, big: D.BIGINT, ratio: D.DOUBLE, tags: D.ARRAY(D.TEXT),
  }, { tableName: 'thing', underscored: true, indexes: [{ fields: ['title'], name: 'thing_title' }] });
  Maker.hasMany(Thing, { onDelete: 'CASCADE', foreignKey: { allowNull: false } });
  Thing.belongsTo(Maker, { foreignKey: { allowNull: false } });
  await s.sync({ force: true });
  await s.sync();
  const ann = await Maker.create({ name: 'Ann' });
  same('returning', ann.id, 1);
  const row = {
    title: 'T ü', price: '12.50', code: '6f9619ff-8b86-d011-b42d-00c04fc964ff', facts: { a: [1, null] }, raw: Buffer.from([0, 255]), ok: false,
    at: new Date('2024-02-29T01:02:03.004Z'), day: '2024-02-29', big: '4611686018427387904', ratio: 0.1, tags: ['x', 'q"\\,'],
  };
  const made = await ann.createThing(row);
  const read = await Thing.findOne({ where: { code: row.code, tags: { [Op.contains]: ['x'] } } });
  for (const name of Object.keys(row)) same(`${name} there and back`, read[name], row[name]);
  const plain = await Thing.create({ makerId: ann.id });
  await plain.reload();
  same('NULLs', [plain.title, plain.facts, plain.tags, plain.ok], [null, null, null, true]);
  await fails('unique violation', () => Maker.create({ name: 'Ann' }), (e) => e.name === 'SequelizeUniqueConstraintError' && e.fields.name === 'Ann');
  await fails('foreign key violation', () => Thing.create({ makerId: 99 }), (e) => e.name === 'SequelizeForeignKeyConstraintError');
  await fails('rollback', () => s.transaction(async (transaction) => {
    await Maker.create({ name: 'gone' }, { transaction });
    throw new Error('out');
  }), (e) => e.message === 'out');
  same('rolled back', await Maker.count(), 1);
  await s.transaction({ isolationLevel: 'SERIALIZABLE' }, (t) => Maker.findOne({ transaction: t, lock: t.LOCK.UPDATE }));
  await Maker.bulkCreate(Array.from({ length: 200 }, (_, i) => ({ name: `n${i}` })));
  same('batch', await Maker.count(), 201);
  await Maker.upsert({ id: ann.id, name: 'Anna' });
  same('upsert', (await Maker.findByPk(ann.id)).name, 'Anna');
  same('join', (await Maker.findAll({ include: Thing, where: { id: ann.id } }))[0].things.length, 2);
  same('replacements', await s.query('select :a::int + 1 as n', { replacements: { a: 1 }, type: 'SELECT' }), [{ n: 2 }]);
  same('bind', await s.query('select $1::int + 1 as n', { bind: [1], type: 'SELECT' }), [{ n: 2 }]);
  const q = s.getQueryInterface();
  same('tables', (await q.showAllTables()).sort(), ['maker', 'thing']);
  const columns = await q.describeTable('thing');
  same('columns', [columns.id.primaryKey, columns.maker_id.allowNull, columns.title.type], [true, false, 'CHARACTER VARYING(80)']);
  same('indexes', (await q.showIndex('thing')).map((i) => i.name).sort(), ['thing_pkey', 'thing_title']);
  same('foreign keys', (await q.getForeignKeyReferencesForTable('thing'))[0].referencedTableName, 'maker');
  await q.addColumn('thing', 'more', { type: D.INTEGER, defaultValue: 7 });
  await q.renameColumn('thing', 'more', 'rank');
  await q.changeColumn('thing', 'title', { type: D.TEXT });
  await q.removeColumn('thing', 'rank');
  await made.destroy();
  await s.drop();
  same('drop', await q.showAllTables(), []);
  await s.close();
});
