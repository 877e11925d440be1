#!/bin/bash
# pgbench: initialise, then its built-in scripts with 8 clients in all three protocol modes, without an error.
pgbench=$(command -v pgbench || ls /usr/lib/postgresql/*/bin/pgbench | tail -1)
checks=0
fail() { echo "FAIL pgbench: $1"; exit 1; }
out=$($pgbench -i -s "${PGBENCH_SCALE:-2}" -q "$PGURL" 2>&1) || fail "-i: $out"
for mode in simple extended prepared; do
    for script in select-only tpcb-like simple-update; do
        out=$($pgbench -n -c 8 -j 2 -T 2 -M $mode -b $script "$PGURL" 2>&1) || fail "$mode $script: $out"
        grep -q 'number of failed transactions: 0' <<<"$out" || fail "$mode $script: $out"
        checks=$((checks + 1))
    done
done
sums=$(psql -XAtq "$PGURL" -c 'select (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history),
    (select sum(tbalance) from pgbench_tellers) = (select sum(bbalance) from pgbench_branches)')
[ "$sums" = 't|t' ] || fail "balances do not agree: $sums"
psql -Xq "$PGURL" -c 'drop table pgbench_accounts, pgbench_branches, pgbench_tellers, pgbench_history'
echo "OK pgbench $checks"
