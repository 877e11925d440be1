"""SQLAlchemy on psycopg2 with Alembic: schema, ORM, relationships, errors, reflection, a migration up and down."""
import datetime as dt
import decimal
import uuid

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.autogenerate import compare_metadata
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.orm import declarative_base, relationship, selectinload, sessionmaker
from checks import URL, Checks

c = Checks("sqlalchemy")
engine = sa.create_engine(URL.replace("postgres://", "postgresql+psycopg2://"), future=True)
Base = declarative_base()


class Writer(Base):
    __tablename__ = "writer"
    id = sa.Column(sa.Integer, primary_key=True)
    name = sa.Column(sa.String(40), nullable=False, unique=True)
    born = sa.Column(sa.Date)
    works = relationship("Work", back_populates="writer", cascade="all, delete-orphan")


class Work(Base):
    __tablename__ = "work"
    __table_args__ = (sa.CheckConstraint("price >= 0", name="work_price"), sa.Index("work_title", "title", unique=False))
    id = sa.Column(sa.BigInteger, primary_key=True)
    writer_id = sa.Column(sa.ForeignKey("writer.id", ondelete="CASCADE"), nullable=False)
    title = sa.Column(sa.Text, nullable=False)
    price = sa.Column(sa.Numeric(10, 2), server_default="0")
    kind = sa.Column(sa.Enum("novel", "poem", name="work_kind"))
    key = sa.Column(pg.UUID(as_uuid=True))
    at = sa.Column(sa.DateTime(timezone=True), server_default=sa.func.now())
    tags = sa.Column(pg.ARRAY(sa.Text))
    facts = sa.Column(pg.JSONB)
    raw = sa.Column(sa.LargeBinary)
    ok = sa.Column(sa.Boolean, server_default=sa.true())
    length = sa.Column(sa.Interval)
    writer = relationship("Writer", back_populates="works")


Session = sessionmaker(engine, future=True)
VALUES = dict(title="T \u00fc", price=decimal.Decimal("12.50"), kind="poem", key=uuid.UUID(int=9), tags=["a", 'q"\\,'], facts={"a": [1, None]},
              raw=b"\x00\xff", ok=False, length=dt.timedelta(days=2, seconds=3), at=dt.datetime(2024, 2, 29, 1, 2, tzinfo=dt.timezone.utc))


def orm():
    with Session() as s:
        s.add(Writer(name="Ann", born=dt.date(1970, 1, 2), works=[Work(**VALUES), Work(title="plain")]))
        s.commit()
        work = s.execute(sa.select(Work).where(Work.key == VALUES["key"])).scalar_one()
        for name, value in VALUES.items():
            c.same(f"{name} there and back", getattr(work, name), value)
        plain = s.execute(sa.select(Work).filter_by(title="plain")).scalar_one()
        c.same("NULLs and defaults", (plain.tags, plain.facts, plain.ok, plain.price, plain.at is None), (None, None, True, 0, False))
        c.same("join", s.execute(sa.select(Writer.name, sa.func.count(Work.id)).join(Work).group_by(Writer.name)).all(), [("Ann", 2)])
        c.same("JSON and array conditions", s.scalar(sa.select(sa.func.count()).select_from(Work).where(
            Work.facts["a"][0].astext == "1", Work.tags.any("a"), Work.tags.contains(["a"]))), 1)
        s.add(Writer(name="Ann"))
        e = c.raises("unique violation", sa.exc.IntegrityError, s.commit)
        c.same("its constraint", e.orig.diag.constraint_name, "writer_name_key")
        s.rollback()
        s.add(Work(title="x", writer_id=99))
        c.raises("foreign key violation", sa.exc.IntegrityError, s.commit)
        s.rollback()
        with s.begin_nested():
            s.add(Writer(name="kept"))
        nested = s.begin_nested()
        s.add(Writer(name="gone"))
        s.flush()
        nested.rollback()
        s.commit()
        c.same("savepoints", s.scalars(sa.select(Writer.name).order_by(Writer.id)).all(), ["Ann", "kept"])
        s.bulk_save_objects([Writer(name=f"n{i}") for i in range(300)])
        s.commit()
        c.same("batch", s.scalar(sa.select(sa.func.count(Writer.id))), 302)
        streamed = s.execute(sa.select(Writer.id).order_by(Writer.id).execution_options(stream_results=True, yield_per=50))
        c.same("stream", sum(1 for _ in streamed), 302)
        loaded = s.execute(sa.select(Writer).options(selectinload(Writer.works)).where(Writer.name == "Ann")).scalar_one()
        c.same("eager loading", len(loaded.works), 2)
        put = pg.insert(Writer).values(name="Ann", born=dt.date(2000, 1, 1))
        s.execute(put.on_conflict_do_update(index_elements=["name"], set_={"born": put.excluded.born}))
        s.commit()
        c.same("ON CONFLICT", s.scalar(sa.select(Writer.born).filter_by(name="Ann")), dt.date(2000, 1, 1))
        s.delete(s.get(Writer, loaded.id))
        s.commit()
        c.same("cascade", s.scalar(sa.select(sa.func.count(Work.id))), 0)


def reflection():
    inspector = sa.inspect(engine)
    c.same("tables", sorted(inspector.get_table_names()), ["work", "writer"])
    columns = {column["name"]: column for column in inspector.get_columns("work")}
    c.same("columns", [str(columns[n]["type"]) for n in ("id", "price", "at", "tags", "ok", "length")],
           ["BIGINT", "NUMERIC(10, 2)", "TIMESTAMP", "ARRAY", "BOOLEAN", "INTERVAL"])
    c.same("enum", columns["kind"]["type"].enums, ["novel", "poem"])
    c.same("default", columns["ok"]["default"], "true")
    c.same("primary key", inspector.get_pk_constraint("work")["constrained_columns"], ["id"])
    key = inspector.get_foreign_keys("work")[0]
    c.same("foreign key", (key["referred_table"], key["options"]), ("writer", {"ondelete": "CASCADE"}))
    c.same("unique", inspector.get_unique_constraints("writer")[0]["column_names"], ["name"])
    c.same("check", inspector.get_check_constraints("work")[0]["name"], "work_price")
    c.same("indexes", [i["name"] for i in inspector.get_indexes("work")], ["work_title"])
    meta = sa.MetaData()
    meta.reflect(engine)
    c.same("all reflected", sorted(meta.tables), ["work", "writer"])


def migration():
    with engine.begin() as connection:
        context = MigrationContext.configure(connection)
        c.same("nothing to migrate", compare_metadata(context, Base.metadata), [])
        op = Operations(context)
        op.add_column("work", sa.Column("pages", sa.Integer, nullable=False, server_default="1"))
        op.alter_column("work", "title", type_=sa.String(100), new_column_name="name")
        op.create_unique_constraint("work_name", "work", ["name"])
        op.create_index("work_part", "work", ["pages"], postgresql_where=sa.text("ok"))
        op.create_table("extra", sa.Column("id", sa.Integer, sa.Identity(), primary_key=True), sa.Column("c", sa.Integer, sa.Computed("id * 2")))
    inspector = sa.inspect(engine)
    c.same("migrated", [column["name"] for column in inspector.get_columns("work")][2:], [
        "name", "price", "kind", "key", "at", "tags", "facts", "raw", "ok", "length", "pages"])
    c.true("identity reflected", inspector.get_columns("extra")[0]["identity"])
    c.true("computed reflected", inspector.get_columns("extra")[1]["computed"])
    with engine.begin() as connection:
        op = Operations(MigrationContext.configure(connection))
        op.drop_table("extra")
        op.drop_constraint("work_name", "work")
        op.drop_column("work", "pages")


Base.metadata.create_all(engine)
orm()
reflection()
migration()
Base.metadata.drop_all(engine)
c.same("drop", sa.inspect(engine).get_table_names(), [])
c.done()
