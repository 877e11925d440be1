#!/bin/bash
# Go's database/sql with lib/pq, from Debian's sources.
here=$(cd "$(dirname "$0")" && pwd)
command -v go >/dev/null && [ -d /usr/share/gocode/src/github.com/lib/pq ] || { echo 'skipped: no Go, or no lib/pq'; exit 0; }
work=${CLIENTS_WORK:-/tmp/rowkey-clients}/go-pq
mkdir -p "$work" || exit 1
export GOPATH=/usr/share/gocode GO111MODULE=off GOCACHE=$work/cache GOFLAGS=-buildvcs=false
go build -o "$work/check" "$here/check.go" && exec "$work/check"
