#!/bin/bash
# Go's pgx and its pool, from Debian's sources.
here=$(cd "$(dirname "$0")" && pwd)
command -v go >/dev/null && [ -d /usr/share/gocode/src/github.com/jackc/pgx/v4 ] || { echo 'skipped: no Go, or no pgx'; exit 0; }
work=${CLIENTS_WORK:-/tmp/rowkey-clients}/pgx
mkdir -p "$work" || exit 1
export GOPATH=/usr/share/gocode GO111MODULE=off GOCACHE=$work/cache GOFLAGS=-buildvcs=false
go build -o "$work/check" "$here/check.go" && exec "$work/check"
