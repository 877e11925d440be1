#!/bin/bash
here=$(cd "$(dirname "$0")" && pwd)
work=${CLIENTS_WORK:-/tmp/rowkey-clients}/libpq
mkdir -p "$work" && gcc -O1 -Wall -I"$(pg_config --includedir)" "$here/check.c" -o "$work/check" -lpq && exec "$work/check"
