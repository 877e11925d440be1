# python.sh CLIENT MODULE...    runs check.py of a client with Debian's Python; skipped where a module is missing.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
run_python() {
    local client=$1 module
    shift
    for module in "$@"; do
        /usr/bin/python3 -c "import $module" 2>/dev/null || { echo "skipped: no Python module $module"; exit 0; }
    done
    PYTHONPATH="$here/lib" exec /usr/bin/python3 -B "$here/$client/check.py"
}
