"""Django: migrations made, applied and taken back, the ORM, errors, introspection by inspectdb."""
import datetime as dt
import decimal
import io
import os
import sys
import tempfile
import urllib.parse
import uuid

import django
from django.conf import settings
from checks import URL, Checks

c = Checks("django")
where = urllib.parse.urlparse(URL)
folder = tempfile.mkdtemp(prefix="rowkey-django-")
os.makedirs(os.path.join(folder, "shop", "migrations"))
for name in ("__init__.py", "migrations/__init__.py"):
    open(os.path.join(folder, "shop", name), "w").close()
with open(os.path.join(folder, "shop", "models.py"), "w") as f:
    f.write('''
import uuid
from django.db import models
from django.contrib.postgres.fields import ArrayField


class Maker(models.Model):
    name = models.CharField(max_length=40, unique=True)
    slug = models.SlugField(default="s")


class Thing(models.Model):
    maker = models.ForeignKey(Maker, on_delete=models.CASCADE, related_name="things")
    title = models.CharField(max_length=80, db_index=True)
    price = models.DecimalField(max_digits=10, decimal_places=2, null=True)
    key = models.UUIDField(default=uuid.uuid4)
    at = models.DateTimeField(null=True)
    day = models.DateField(null=True)
    time = models.TimeField(null=True)
    took = models.DurationField(null=True)
    facts = models.JSONField(null=True)
    raw = models.BinaryField(null=True)
    ok = models.BooleanField(default=True)
    ratio = models.FloatField(null=True)
    small = models.SmallIntegerField(default=1)
    big = models.PositiveBigIntegerField(default=1)
    tags = ArrayField(models.TextField(), null=True)
    friends = models.ManyToManyField("self")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["maker", "title"], name="maker_title"),
                       models.CheckConstraint(check=models.Q(small__gte=0), name="small_not_negative")]
        indexes = [models.Index(fields=["-day"], name="by_day"), models.Index(fields=["title"], name="some", condition=models.Q(ok=True))]
''')
sys.path.insert(0, folder)
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": where.path[1:], "USER": where.username, "PASSWORD": where.password,
                           "HOST": where.hostname, "PORT": where.port}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "shop"], USE_TZ=True, TIME_ZONE="UTC",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.db import IntegrityError, connection, models, transaction  # noqa: E402
from django.db.models import Count, F, Q, Sum, Window  # noqa: E402
from django.db.models.functions import RowNumber, TruncMonth, Upper  # noqa: E402
from shop.models import Maker, Thing  # noqa: E402

call_command("makemigrations", "shop", verbosity=0)
call_command("migrate", verbosity=0)
c.true("migrated", {"shop_thing", "auth_user", "django_session"} <= set(connection.introspection.table_names()))
VALUES = dict(title="T \u00fc%", price=decimal.Decimal("12.50"), key=uuid.UUID(int=3), at=dt.datetime(2024, 2, 29, 1, 2, 3, 4, tzinfo=dt.timezone.utc),
              day=dt.date(2024, 2, 29), time=dt.time(23, 59, 59), took=dt.timedelta(days=2, seconds=3), facts={"a": [1, None], "b": "x"},
              ok=False, ratio=0.1, small=3, big=1 << 60, tags=["a", 'q"\\,'])
maker = Maker.objects.create(name="Ann")
thing = Thing.objects.create(maker=maker, raw=b"\x00\xff", **VALUES)
again = Thing.objects.get(pk=thing.pk)
for name, value in VALUES.items():
    c.same(f"{name} there and back", getattr(again, name), value)
c.same("raw there and back", bytes(again.raw), b"\x00\xff")
plain = Thing.objects.create(maker=maker, title="plain")
plain.refresh_from_db()
c.same("NULLs", (plain.price, plain.facts, plain.tags, plain.took), (None, None, None, None))


def twice():
    with transaction.atomic():
        Maker.objects.create(name="Ann")


def orphan():
    with transaction.atomic():
        Thing.objects.create(maker_id=99, title="x")
        with connection.cursor() as cursor:
            cursor.execute("set constraints all immediate")


c.raises("unique violation", IntegrityError, twice)
c.raises("foreign key violation", IntegrityError, orphan)
c.raises("check violation", IntegrityError, lambda: Thing.objects.filter(pk=thing.pk).update(small=-1))
try:
    with transaction.atomic():
        Maker.objects.create(name="outer")
        try:
            with transaction.atomic():
                Maker.objects.create(name="inner")
                raise KeyError
        except KeyError:
            c.same("savepoint", Maker.objects.count(), 2)
        raise KeyError
except KeyError:
    c.same("rollback", Maker.objects.count(), 1)
Maker.objects.bulk_create([Maker(name=f"n{i}") for i in range(500)], batch_size=100)
c.same("bulk_create", Maker.objects.count(), 501)
Maker.objects.bulk_create([Maker(name="n1"), Maker(name="new")], ignore_conflicts=True)
c.same("ignore_conflicts", Maker.objects.count(), 502)
c.same("iterator", sum(1 for _ in Maker.objects.iterator(chunk_size=50)), 502)
many = list(Maker.objects.filter(name__startswith="n1"))
for m in many:
    m.slug = "changed"
Maker.objects.bulk_update(many, ["slug"])
c.same("bulk_update", Maker.objects.filter(slug="changed").count(), len(many))
c.same("lookups", [Thing.objects.filter(**{k: v}).count() for k, v in (
    ("title__icontains", "t"), ("title__contains", "%"), ("title__regex", "^T"), ("facts__a__0", 1), ("facts__contains", {"b": "x"}),
    ("facts__has_key", "a"), ("tags__contains", ["a"]), ("tags__len", 2), ("at__year", 2024), ("day__week_day", 5), ("price__isnull", True),
    ("title__in", ["plain", "x"]), ("at__date", dt.date(2024, 2, 29)), ("took__gt", dt.timedelta(days=1)))], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
c.same("aggregate", Thing.objects.aggregate(n=Count("id"), s=Sum("small"), d=Count("maker", distinct=True)), {"n": 2, "s": 4, "d": 1})
c.same("annotate", Maker.objects.annotate(n=Count("things")).filter(n__gt=1).values_list("name", "n").get(), ("Ann", 2))
c.same("window", list(Thing.objects.annotate(r=Window(RowNumber(), order_by=F("id").asc())).values_list("r", flat=True)), [1, 2])
c.same("subquery", Maker.objects.filter(models.Exists(Thing.objects.filter(maker=models.OuterRef("pk"), ok=False))).count(), 1)
c.same("functions", Thing.objects.annotate(u=Upper("title"), m=TruncMonth("at")).values_list("u", "m").get(pk=thing.pk),
       ("T \u00dc%", dt.datetime(2024, 2, 1, tzinfo=dt.timezone.utc)))
c.same("Q", Thing.objects.filter(Q(title="plain") | ~Q(ok=True)).count(), 2)
thing.friends.add(plain)
c.same("many to many", [t.pk for t in plain.friends.all()], [thing.pk])
c.same("prefetch", [len(m.things.all()) for m in Maker.objects.filter(name="Ann").prefetch_related("things")], [2])
with transaction.atomic():
    c.same("select_for_update", Thing.objects.select_for_update(of=("self",), skip_locked=True).select_related("maker").count(), 2)
c.same("get_or_create", Maker.objects.get_or_create(name="Ann")[1], False)
c.same("update_or_create", Maker.objects.update_or_create(name="Ann", defaults={"slug": "z"})[0].slug, "z")
c.true("auth", User.objects.create_user("u", password="p").check_password("p"))
out = io.StringIO()
call_command("inspectdb", "shop_maker", "shop_thing", stdout=out)
for line in ("price = models.DecimalField(max_digits=10, decimal_places=2", "maker = models.ForeignKey(ShopMaker, models.DO_NOTHING)",
             "name = models.CharField(unique=True, max_length=40)", "key = models.UUIDField()", "took = models.DurationField("):
    c.true(f"inspectdb: {line}", line in out.getvalue())
with connection.cursor() as cursor:
    constraints = connection.introspection.get_constraints(cursor, "shop_thing")
c.true("constraints", constraints["maker_title"]["unique"] and constraints["small_not_negative"]["check"] and constraints["by_day"]["orders"] == ["DESC"])
call_command("flush", verbosity=0, interactive=False)
c.same("flush", Maker.objects.count(), 0)
with open(os.path.join(folder, "shop", "models.py")) as f:
    changed = f.read().replace('title = models.CharField(max_length=80, db_index=True)', 'title = models.TextField(default="")').replace(
        'slug = models.SlugField(default="s")', 'rank = models.IntegerField(null=True)').replace("small = models.SmallInteger", "small = models.BigInteger")
with open(os.path.join(folder, "shop", "models.py"), "w") as f:
    f.write(changed)
import subprocess  # noqa: E402
done = subprocess.run([sys.executable, "-c", f"""
import sys; sys.path.insert(0, {folder!r})
from django.conf import settings
settings.configure(DATABASES={settings.DATABASES!r}, INSTALLED_APPS={settings.INSTALLED_APPS!r}, USE_TZ=True, TIME_ZONE="UTC", DEFAULT_AUTO_FIELD={settings.DEFAULT_AUTO_FIELD!r})
import django; django.setup()
from django.core.management import call_command
call_command("makemigrations", "shop", verbosity=0, interactive=False)
call_command("migrate", verbosity=0)
call_command("migrate", "shop", "zero", verbosity=0)
"""], capture_output=True, text=True)
c.same("a second migration, and back to none", (done.returncode, done.stderr[-800:]), (0, ""))
c.true("dropped", "shop_thing" not in connection.introspection.table_names())
c.done()
