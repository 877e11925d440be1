# setup.sh - sourced by ./run and ./test: installs what is missing (Debian, as root) and builds.
# want KIND...          installs the missing packages of these kinds in regress/packages
# build DIR OPTION...   configures a build directory once and builds in it

want() {
    local missing= kind package
    for kind in "$@"; do
        while read -r k package; do
            [ "$k" = "$kind" ] || continue
            # npm comes with other packages of nodejs than Debian's too.
            [ "$package" = npm ] && command -v npm >/dev/null && continue
            dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
        done < regress/packages
    done
    [ -z "$missing" ] && return 0
    [ "$(id -u)" = 0 ] || { echo "please install:$missing" >&2; return 1; }
    echo "installing:$missing" >&2
    apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

build() {
    local dir=$1; shift
    [ -f "$dir/build.ninja" ] || meson setup "$dir" "$@" >"/tmp/rowkey-setup.$$" 2>&1 || { cat "/tmp/rowkey-setup.$$" >&2; return 1; }
    ninja -C "$dir" --quiet
}
