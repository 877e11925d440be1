#!/bin/bash
# node's pg, from the npm registry; skipped where there is no npm.
here=$(cd "$(dirname "$0")" && pwd)
command -v npm >/dev/null || { echo 'skipped: no npm'; exit 0; }
work=${CLIENTS_WORK:-/tmp/rowkey-clients}/node
mkdir -p "$work" && cp "$here"/package.json "$here"/check.mjs "$work"/ && cd "$work" || exit 1
[ -d node_modules/pg ] || npm install --no-audit --no-fund --loglevel=error >npm.log 2>&1 || { echo 'skipped: npm install failed'; exit 0; }
exec node check.mjs
