# Sourced by test scripts, at their end: `script --list` prints the names of
# its cases, which are its functions named case_NAME, `script NAME` runs one in
# an empty folder of its own ($work), `script` all. A case fails by its status;
# `set -e` is on inside.
fail()
{
    echo "$*" >&2
    exit 1
}

# skip WHAT: the case needs what is not here, and has shown nothing.
skip()
{
    echo "needs: $1"
    exit 77
}

# has FILE TEXT: the file has a line with the text.
has()
{
    grep -qF -- "$2" "$1" && return 0
    echo "expected in $1: $2; it has:" >&2
    cat "$1" >&2
    return 1
}

# fails COMMAND...: the command runs into $work/out and must not succeed.
fails()
{
    if "$@" >"$work/out" 2>&1; then
        fail "this should fail: $*"
    fi
}

run_case()
{
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "case_$1"
}

names=$(sed -n 's/^case_\([a-z_]*\)()$/\1/p' "$0")
case ${1---all} in
--list) echo "$names" ;;
--all) for name in $names; do
    "$0" "$name" || exit 1
done ;;
*) set -e
    run_case "$1" ;;
esac
