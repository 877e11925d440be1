# run_npm CLIENT    installs what the client's package-lock.json names, from the npm registry, and runs its check.mjs.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
run_npm() {
    local client=$1 work=${CLIENTS_WORK:-/tmp/rowkey-clients}/$1
    command -v npm >/dev/null || { echo 'skipped: no npm'; exit 0; }
    mkdir -p "$work" && cp "$here/$client"/package*.json "$here/$client/check.mjs" "$here/lib/checks.mjs" "$work"/ && cd "$work" || exit 1
    cmp -s package-lock.json node_modules/.lock ||
        { npm ci --no-audit --no-fund --loglevel=error >npm.log 2>&1 && cp package-lock.json node_modules/.lock; } ||
        { echo 'skipped: npm could not install (see npm.log)'; exit 0; }
    exec node check.mjs
}
