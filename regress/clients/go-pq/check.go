// database/sql over lib/pq: values there and back, transactions, errors by code, COPY, prepared statements, notifications.
package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"reflect"
	"time"

	"github.com/lib/pq"
)

var checks int

func same(name string, got, wanted interface{}) {
	checks++
	if !reflect.DeepEqual(got, wanted) {
		fmt.Printf("FAIL go-pq: %s: got %#v, wanted %#v\n", name, got, wanted)
		os.Exit(1)
	}
	fmt.Println("ok", name)
}

func must(err error) {
	if err != nil {
		fmt.Println("FAIL go-pq:", err)
		os.Exit(1)
	}
}

func code(err error) string {
	if e, ok := err.(*pq.Error); ok {
		return string(e.Code) + " " + e.Constraint
	}
	return fmt.Sprint(err)
}

func run(db *sql.DB, statement string, args ...interface{}) error {
	_, err := db.Exec(statement, args...)
	return err
}

func number(db *sql.DB, query string, args ...interface{}) (n int) {
	must(db.QueryRow(query, args...).Scan(&n))
	return
}

func values(db *sql.DB) {
	must(run(db, `create table a (id serial primary key, s text unique, n numeric, f float8, b bytea, ok bool,
		at timestamptz, day date, tags text[], ids bigint[], j jsonb, u uuid)`))
	at := time.Date(2024, 2, 29, 1, 2, 3, 4000, time.UTC)
	var id int
	must(db.QueryRow(`insert into a (s, n, f, b, ok, at, day, tags, ids, j, u) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
		"grüß", "12.50", 0.1, []byte{0, 255}, true, at, at, pq.Array([]string{"a", `q"\,`}), pq.Array([]int64{1, 1 << 62}), `{"a": 1}`,
		"6f9619ff-8b86-d011-b42d-00c04fc964ff").Scan(&id))
	same("returning", id, 1)
	var s, n, j, u string
	var f float64
	var b []byte
	var ok bool
	var back, day time.Time
	var tags []string
	var ids []int64
	must(db.QueryRow(`select s, n, f, b, ok, at, day, tags, ids, j, u from a where id = $1`, id).
		Scan(&s, &n, &f, &b, &ok, &back, &day, pq.Array(&tags), pq.Array(&ids), &j, &u))
	same("texts", []string{s, n, j, u}, []string{"grüß", "12.50", `{"a": 1}`, "6f9619ff-8b86-d011-b42d-00c04fc964ff"})
	same("numbers", []interface{}{f, ok, ids[1]}, []interface{}{0.1, true, int64(1) << 62})
	same("bytes", bytes.Equal(b, []byte{0, 255}), true)
	same("times", back.Equal(at) && day.Format("2006-01-02") == "2024-02-29", true)
	same("arrays", tags, []string{"a", `q"\,`})
	var null sql.NullString
	must(run(db, `insert into a (s) values ($1)`, nil))
	must(db.QueryRow(`select s from a where id = 2`).Scan(&null))
	same("NULL", null.Valid, false)
}

func errors(db *sql.DB) {
	must(run(db, `create table b (a int references a)`))
	same("unique violation", code(run(db, `insert into a (s) values ('grüß')`)), "23505 a_s_key")
	same("foreign key violation", code(run(db, `insert into b values (99)`)), "23503 b_a_fkey")
	same("unknown table", code(run(db, `select * from nowhere`)), "42P01 ")
	same("wrong value", code(run(db, `select $1::int`, "x")), "22P02 ")
	same("goes on", number(db, `select count(*) from a where id = any($1)`, pq.Array([]int64{1, 2, 3})), 2)
}

func transactions(db *sql.DB) {
	tx, err := db.Begin()
	must(err)
	_, err = tx.Exec(`delete from a`)
	must(err)
	must(tx.Rollback())
	same("rollback", number(db, `select count(*) from a`), 2)
	tx, err = db.Begin()
	must(err)
	copying, err := tx.Prepare(pq.CopyIn("a", "s", "f"))
	must(err)
	for i := 0; i < 500; i++ {
		_, err = copying.Exec(fmt.Sprint("c", i), float64(i))
		must(err)
	}
	_, err = copying.Exec()
	must(err)
	must(copying.Close())
	must(tx.Commit())
	same("COPY", number(db, `select count(*) from a`), 502)
	prepared, err := db.Prepare(`select s from a where f < $1 order by id limit $2`)
	must(err)
	rows, err := prepared.Query(10.0, 3)
	must(err)
	seen := 0
	for rows.Next() {
		seen++
	}
	must(rows.Err())
	same("prepared", seen, 3)
	kinds, err := db.Query(`select id, s, n::numeric(10,2) from a limit 0`)
	must(err)
	types, err := kinds.ColumnTypes()
	must(err)
	same("column types", []string{types[0].DatabaseTypeName(), types[1].DatabaseTypeName(), types[2].DatabaseTypeName()}, []string{"INT4", "TEXT", "NUMERIC"})
	kinds.Close()
}

func main() {
	url := os.Getenv("PGURL") + "?sslmode=disable"
	db, err := sql.Open("postgres", url)
	must(err)
	values(db)
	errors(db)
	transactions(db)
	listener := pq.NewListener(url, time.Second, time.Minute, nil)
	must(listener.Listen("ch"))
	must(run(db, `notify ch, 'hello'`))
	same("notification", (<-listener.Notify).Extra, "hello")
	must(run(db, `drop table b, a`))
	same("drop", number(db, `select count(*) from information_schema.tables where table_schema = 'public'`), 0)
	fmt.Println("OK go-pq", checks)
}
