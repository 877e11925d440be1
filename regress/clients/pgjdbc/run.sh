#!/bin/bash
# pgjdbc, from Debian's package.
here=$(cd "$(dirname "$0")" && pwd)
jar=/usr/share/java/postgresql.jar
command -v javac >/dev/null && [ -f $jar ] || { echo 'skipped: no javac, or no pgjdbc'; exit 0; }
work=${CLIENTS_WORK:-/tmp/rowkey-clients}/pgjdbc
mkdir -p "$work" || exit 1
[ "$work/Check.class" -nt "$here/Check.java" ] || javac -nowarn -d "$work" -cp $jar "$here/Check.java" || exit 1
exec java -XX:TieredStopAtLevel=1 -cp "$work:$jar" Check
