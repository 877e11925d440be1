import java.math.BigDecimal;
import java.sql.*;
import java.time.*;
import java.util.*;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;

/** pgjdbc: values in text and binary, batches, portals, errors with their fields, COPY, calls, DatabaseMetaData. */
public class Check {
    static int checks;
    static Connection db;

    interface Work { void run() throws Exception; }

    static void same(String name, Object got, Object wanted) {
        checks++;
        if (!Objects.deepEquals(got, wanted)) {
            System.out.println("FAIL pgjdbc: " + name + ": got " + got + ", wanted " + wanted);
            System.exit(1);
        }
        System.out.println("ok " + name);
    }

    static void fails(String name, String state, String constraint, Work work) throws Exception {
        String got = "no error";
        try {
            work.run();
        } catch (PSQLException e) {
            var fields = e.getServerErrorMessage();
            got = e.getSQLState() + " " + (fields == null ? null : fields.getConstraint());
        }
        same(name, got, state + " " + constraint);
    }

    static void execute(String sql) throws SQLException {
        try (var s = db.createStatement()) { s.execute(sql); }
    }

    static int number(String sql) throws SQLException {
        try (var s = db.createStatement(); var r = s.executeQuery(sql)) { r.next(); return r.getInt(1); }
    }

    static int rows(ResultSet r) throws SQLException {
        int n = 0;
        while (r.next()) n++;
        r.close();
        return n;
    }

    static void values() throws Exception {
        execute("create table v (id serial primary key, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, s varchar(40), t text unique,"
            + " b bytea, ok bool, u uuid, d date, ti time, ts timestamp, tz timestamptz, a int[], ta text[], j jsonb)");
        Object[] in = {(short) -5, 1 << 30, -(1L << 62), 0.5f, 0.1, new BigDecimal("-12345678901234567890.000001"), "v", "gr\u00fc\u00df '\\",
            new byte[] {0, -1}, true, new UUID(1, 2), LocalDate.of(2024, 2, 29), LocalTime.of(23, 59, 59), LocalDateTime.of(1999, 12, 31, 1, 2, 3, 4000),
            OffsetDateTime.of(2024, 2, 29, 12, 0, 0, 0, ZoneOffset.UTC)};
        Class<?>[] kinds = {Short.class, Integer.class, Long.class, Float.class, Double.class, BigDecimal.class, String.class, String.class, byte[].class,
            Boolean.class, UUID.class, LocalDate.class, LocalTime.class, LocalDateTime.class, OffsetDateTime.class};
        try (var p = db.prepareStatement("insert into v (i2, i4, i8, f4, f8, n, s, t, b, ok, u, d, ti, ts, tz, a, ta, j) values "
                + "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < in.length; i++) p.setObject(i + 1, in[i]);
            p.setArray(16, db.createArrayOf("int4", new Integer[] {1, null, 3}));
            p.setArray(17, db.createArrayOf("text", new String[] {"a", "q\"\\,"}));
            p.setString(18, "{\"a\": 1}");
            p.executeUpdate();
            var keys = p.getGeneratedKeys();
            keys.next();
            same("generated key", keys.getInt("id"), 1);
        }
        try (var p = db.prepareStatement("select i2, i4, i8, f4, f8, n, s, t, b, ok, u, d, ti, ts, tz, a, ta, j from v where id = ?")) {
            for (int round = 0; round < 8; round++) { // from the fifth on the statement is named and values are binary
                p.setInt(1, 1);
                var r = p.executeQuery();
                r.next();
                for (int i = 0; i < in.length; i++) same("round " + round + " column " + (i + 1), kinds[i] == byte[].class ? r.getBytes(i + 1) : r.getObject(i + 1, kinds[i]), in[i]);
                same("int array", r.getArray(16).getArray(), new Integer[] {1, null, 3});
                same("text array", r.getArray(17).getArray(), new String[] {"a", "q\"\\,"});
                same("jsonb", r.getString(18), "{\"a\": 1}");
            }
        }
        try (var p = db.prepareStatement("insert into v (i4, t, d) values (?, ?, ?) returning i4, t, d")) {
            p.setNull(1, Types.INTEGER);
            p.setNull(2, Types.VARCHAR);
            p.setNull(3, Types.DATE);
            var r = p.executeQuery();
            r.next();
            same("NULLs", Arrays.asList(r.getObject(1), r.getObject(2), r.getObject(3)), Arrays.asList(null, null, null));
        }
    }

    static void statements() throws Exception {
        execute("create table w (v int references v on delete cascade, k int, primary key (k, v)); create index w_v on w (v)");
        fails("unique violation", "23505", "v_t_key", () -> execute("insert into v (t) select t from v where id = 1"));
        fails("foreign key violation", "23503", "w_v_fkey", () -> execute("insert into w values (99, 1)"));
        fails("unknown table", "42P01", null, () -> execute("select * from nowhere"));
        try (var p = db.prepareStatement("insert into v (i4) values (?)")) {
            for (int i = 0; i < 300; i++) { p.setInt(1, i); p.addBatch(); }
            same("batch", p.executeBatch().length, 300);
        }
        db.setAutoCommit(false);
        execute("delete from v");
        var point = db.setSavepoint("s");
        fails("an error in a transaction", "22012", null, () -> execute("select 1/0"));
        db.rollback(point);
        db.rollback();
        same("rollback", number("select count(*) from v"), 302);
        try (var s = db.createStatement()) {
            s.setFetchSize(50);
            same("portal suspension", rows(s.executeQuery("select * from v order by id")), 302);
            s.setMaxRows(7);
            same("rows at most", rows(s.executeQuery("select * from v")), 7);
        }
        db.commit();
        db.setAutoCommit(true);
        try (var call = db.prepareCall("{? = call upper(?)}")) {
            call.registerOutParameter(1, Types.VARCHAR);
            call.setString(2, "ab");
            call.execute();
            same("call", call.getString(1), "AB");
        }
        var copy = db.unwrap(PGConnection.class).getCopyAPI();
        same("COPY in", copy.copyIn("copy v (i4) from stdin", new java.io.StringReader("7\n8\n")), 2L);
        var out = new java.io.StringWriter();
        copy.copyOut("copy (select i4 from v order by id desc limit 2) to stdout", out);
        same("COPY out", out.toString(), "8\n7\n");
        try (var s = db.createStatement()) {
            s.setQueryTimeout(1);
            fails("time-out cancels", "57014", null, () -> s.execute("select pg_sleep(30)"));
        }
    }

    static void metadata() throws Exception {
        var d = db.getMetaData();
        same("version", d.getDatabaseMajorVersion(), 15);
        same("tables", rows(d.getTables(null, "public", "%", new String[] {"TABLE"})), 2);
        same("columns", rows(d.getColumns(null, "public", "v", "%")), 19);
        var keys = d.getPrimaryKeys(null, "public", "w");
        var found = new ArrayList<String>();
        while (keys.next()) found.add(keys.getString("COLUMN_NAME") + keys.getInt("KEY_SEQ"));
        same("primary key", found, List.of("k1", "v2"));
        same("imported keys", rows(d.getImportedKeys(null, "public", "w")), 1);
        same("exported keys", rows(d.getExportedKeys(null, "public", "v")), 1);
        same("indexes", rows(d.getIndexInfo(null, "public", "w", false, false)) >= 3, true);
        same("type info", rows(d.getTypeInfo()) > 20, true);
        same("schemas", rows(d.getSchemas()) >= 2, true);
        same("best row identifier", rows(d.getBestRowIdentifier(null, "public", "v", 0, true)), 1);
    }

    public static void main(String[] args) throws Exception {
        var url = java.net.URI.create(System.getenv("PGURL"));
        var p = new Properties();
        p.put("user", "postgres");
        p.put("password", "x");
        db = DriverManager.getConnection("jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(), p);
        values();
        statements();
        metadata();
        execute("drop table w, v");
        same("drop", rows(db.getMetaData().getTables(null, "public", "%", new String[] {"TABLE"})), 0);
        db.close();
        System.out.println("OK pgjdbc " + checks);
    }
}
