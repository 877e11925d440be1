// pgx: binary values there and back, prepared statements, batches, COPY, transactions, errors by code, a pool, notifications.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgtype"
	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

var (
	checks int
	ctx    = context.Background()
)

func same(name string, got, wanted interface{}) {
	checks++
	if !reflect.DeepEqual(got, wanted) {
		fmt.Printf("FAIL pgx: %s: got %#v, wanted %#v\n", name, got, wanted)
		os.Exit(1)
	}
	fmt.Println("ok", name)
}

func must(err error) {
	if err != nil {
		fmt.Println("FAIL pgx:", err)
		panic(err)
	}
}

func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code + " " + e.ConstraintName
	}
	return fmt.Sprint(err)
}

func run(db *pgx.Conn, sql string, args ...interface{}) error {
	_, err := db.Exec(ctx, sql, args...)
	return err
}

func number(db *pgx.Conn, sql string, args ...interface{}) (n int) {
	must(db.QueryRow(ctx, sql, args...).Scan(&n))
	return
}

// Each type as a parameter, through a stored column, back into a Go value; then NULL.
func values(db *pgx.Conn) {
	at := time.Date(2024, 2, 29, 1, 2, 3, 4000, time.UTC)
	each := []struct {
		kind  string
		value interface{}
	}{
		{"bool", true}, {"int2", int16(-5)}, {"int4", int32(1 << 30)}, {"int8", int64(-1 << 62)}, {"float4", float32(0.5)},
		{"float8", 0.1}, {"text", "grüß '\\\n"}, {"varchar(40)", "v"}, {"char(3)", "ab "}, {"bytea", []byte{0, 255, 39}},
		{"numeric", "-12345678901234567890.000001"}, {"numeric(10,2)", "1.50"}, {"uuid", [16]byte{15: 77}},
		{"date", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}, {"timestamp", at}, {"timestamptz", at},
		{"time", "23:59:59.999999"}, {"interval", 3*24*time.Hour + 5*time.Second}, {"jsonb", map[string]interface{}{"a": []interface{}{1.0, nil}}},
		{"json", map[string]interface{}{"b": "ü"}}, {"int4[]", []int32{1, 2, 3}}, {"int8[]", []int64{1 << 62}}, {"text[]", []string{"a", `q"\,`}},
		{"float8[]", []float64{0.1}}, {"bool[]", []bool{true, false}}, {"timestamptz[]", []time.Time{at}}, {"kind", "b"},
	}
	must(run(db, "create type kind as enum ('a', 'b')"))
	for i, v := range each {
		table := fmt.Sprintf("v%d", i)
		must(run(db, fmt.Sprintf("create table %s (k int primary key, v %s)", table, v.kind)))
		must(run(db, fmt.Sprintf("insert into %s values (1, $1), (2, null)", table), v.value))
		back := reflect.New(reflect.TypeOf(v.value))
		column := "v"
		if v.kind == "time" || strings.HasPrefix(v.kind, "numeric") {
			column = "v::text" // pgx has no string for these
		}
		must(db.QueryRow(ctx, fmt.Sprintf("select %s from %s where k = $1", column, table), 1).Scan(back.Interface()))
		got := back.Elem().Interface()
		if t, ok := got.(time.Time); ok {
			got = t.UTC()
		}
		if ts, ok := got.([]time.Time); ok {
			ts[0] = ts[0].UTC()
		}
		same(v.kind+" there and back", got, v.value)
		rows, err := db.Query(ctx, "select v from "+table+" where k = 2")
		must(err)
		same(v.kind+" NULL", rows.Next(), true)
		all, err := rows.Values()
		must(err)
		same(v.kind+" NULL value", all, []interface{}{nil})
		rows.Close()
		must(run(db, "drop table "+table))
	}
	var n pgtype.Numeric
	must(db.QueryRow(ctx, "select $1::numeric / 3", "1").Scan(&n))
	same("digits of a division", n.Int.String(), "33333333333333333333")
}

func statements(db *pgx.Conn) {
	must(run(db, "create table a (id bigserial primary key, name text not null unique, n int check (n > 0)); create table b (a bigint references a, t text)"))
	same("returning", number(db, "insert into a (name, n) values ($1, $2) returning id", "one", 1), 1)
	same("unique violation", code(run(db, "insert into a (name) values ($1)", "one")), "23505 a_name_key")
	same("check violation", code(run(db, "insert into a (name, n) values ('x', $1)", 0)), "23514 a_n_check")
	same("foreign key violation", code(run(db, "insert into b values ($1)", 99)), "23503 b_a_fkey")
	same("not null violation", code(run(db, "insert into a (name) values ($1)", nil)), "23502 ")
	same("unknown table", code(run(db, "select * from nowhere where x = $1", 1)), "42P01 ")
	same("unknown column", code(run(db, "select x from a")), "42703 ")
	same("wrong value", code(run(db, "select $1::text::int", "x")), "22P02 ")
	same("division by zero", code(run(db, "select 1 / $1::int", 0)), "22012 ")
	sd, err := db.Prepare(ctx, "find", "select a.id, a.name, b.t from a left join b on b.a = a.id where a.name = any($1) and a.id < $2 limit $3")
	must(err)
	same("inferred parameters", sd.ParamOIDs, []uint32{1009, 20, 20})
	same("described columns", []string{string(sd.Fields[0].Name), fmt.Sprint(sd.Fields[0].DataTypeOID), fmt.Sprint(sd.Fields[2].DataTypeOID)}, []string{"id", "20", "25"})
	var id int64
	var name string
	var t *string
	must(db.QueryRow(ctx, "find", []string{"one", "two"}, 100, 1).Scan(&id, &name, &t))
	same("join by a prepared statement", []interface{}{id, name, t == nil}, []interface{}{int64(1), "one", true})
	must(run(db, "alter table a add column more int default 7"))
	same("a prepared SELECT after a change", number(db, "select count(*) from a where id = $1", 1), 1)
	same("simple protocol", number(db, "select $1::int + 1", pgx.QuerySimpleProtocol(true), 41), 42)
	results, err := db.PgConn().Exec(ctx, "select 1; insert into b values (1, 'x'); select * from b").ReadAll()
	must(err)
	same("several statements", []string{results[0].CommandTag.String(), results[1].CommandTag.String(), string(results[2].Rows[0][1])}, []string{"SELECT 1", "INSERT 0 1", "x"})
}

func batches(db *pgx.Conn) {
	batch := &pgx.Batch{}
	for i := 0; i < 300; i++ {
		batch.Queue("insert into a (name) values ($1) returning id", fmt.Sprint("n", i))
	}
	batch.Queue("select count(*) from a")
	results := db.SendBatch(ctx, batch)
	var n int
	for i := 0; i < 301; i++ {
		must(results.QueryRow().Scan(&n))
	}
	must(results.Close())
	same("batch", n, 301)
	batch = &pgx.Batch{}
	batch.Queue("insert into a (name) values ('gone')")
	batch.Queue("insert into a (name) values ('one')")
	same("batch fails whole", code(db.SendBatch(ctx, batch).Close()), "23505 a_name_key")
	same("nothing of it stays", number(db, "select count(*) from a where name = 'gone'"), 0)
	rows := [][]interface{}{}
	for i := 0; i < 200; i++ {
		rows = append(rows, []interface{}{int64(1000 + i), fmt.Sprint("c", i), i + 1})
	}
	copied, err := db.CopyFrom(ctx, pgx.Identifier{"a"}, []string{"id", "name", "n"}, pgx.CopyFromRows(rows))
	must(err)
	same("COPY", copied, int64(200))
	_, err = db.CopyFrom(ctx, pgx.Identifier{"a"}, []string{"id", "name", "n"}, pgx.CopyFromRows(rows[:1]))
	same("COPY of a duplicate", code(err), "23505 a_pkey")
	stream, err := db.Query(ctx, "select n, n::text, n * 1.5 from generate_series(1, 5000) n")
	must(err)
	sum := 0
	for stream.Next() {
		var i int
		var text string
		var f float64
		must(stream.Scan(&i, &text, &f))
		if text == fmt.Sprint(i) && f == float64(i)*1.5 {
			sum += i
		}
	}
	must(stream.Err())
	same("stream", sum, 5000*5001/2)
}

func transactions(db *pgx.Conn) {
	tx, err := db.Begin(ctx)
	must(err)
	_, err = tx.Exec(ctx, "delete from b")
	must(err)
	inner, err := tx.Begin(ctx)
	must(err)
	_, err = inner.Exec(ctx, "insert into a (name) values ('one')")
	same("failed in a savepoint", code(err), "23505 a_name_key")
	must(inner.Rollback(ctx))
	_, err = tx.Exec(ctx, "declare c cursor for select id from a order by id")
	must(err)
	rows, err := tx.Query(ctx, "fetch 3 from c")
	must(err)
	seen := 0
	for rows.Next() {
		seen++
	}
	same("cursor", seen, 3)
	must(tx.Rollback(ctx))
	same("rollback", number(db, "select count(*) from b"), 1)
	tx, err = db.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable, AccessMode: pgx.ReadOnly})
	must(err)
	_, err = tx.Exec(ctx, "delete from b")
	same("read only", code(err), "25006 ")
	_, err = tx.Exec(ctx, "select 1")
	same("aborted", code(err), "25P02 ")
	same("commit of an aborted one", tx.Commit(ctx), pgx.ErrTxCommitRollback)
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	other, err := pgx.Connect(ctx, os.Getenv("PGURL")+"?sslmode=disable")
	must(err)
	_, err = other.Exec(short, "select pg_sleep(30)")
	same("time-out", err != nil, true)
}

func pool(url string) {
	p, err := pgxpool.Connect(ctx, url+"&pool_max_conns=4")
	must(err)
	defer p.Close()
	done := make(chan error)
	for i := 0; i < 40; i++ {
		go func(i int) {
			_, err := p.Exec(ctx, "insert into a (name, n) values ($1, 1) on conflict (name) do update set n = a.n + 1", fmt.Sprint("p", i%4))
			done <- err
		}(i)
	}
	for i := 0; i < 40; i++ {
		must(<-done)
	}
	var n int
	must(p.QueryRow(ctx, "select sum(n)::int from a where name like 'p%'").Scan(&n))
	same("pool of connections, upserts", n, 40)
}

func main() {
	url := os.Getenv("PGURL") + "?sslmode=disable"
	db, err := pgx.Connect(ctx, url)
	must(err)
	values(db)
	statements(db)
	batches(db)
	transactions(db)
	pool(url)
	must(run(db, "listen ch"))
	must(run(db, "select pg_notify('ch', $1)", "hello"))
	n, err := db.WaitForNotification(ctx)
	must(err)
	same("notification", n.Payload, "hello")
	same("introspection", number(db, "select count(*) from information_schema.columns where table_schema = 'public' and table_name = 'a'"), 4)
	must(run(db, "drop table b, a"))
	same("drop", number(db, "select count(*) from information_schema.tables where table_schema = 'public'"), 0)
	fmt.Println("OK pgx", checks)
}
