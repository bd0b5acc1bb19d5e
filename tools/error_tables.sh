#!/bin/sh
# Writes the tables of docs/special-functions.md and docs/vector-waves.md from the tests of a built tree:
#   tools/error_tables.sh [build folder, default build/dev] [folder of wave tables]
# The wave tables of the tests are a tenth of those that the page is about:
#   mkdir build/waves && python3 tools/wave_reference/make_wave_reference.py build/waves 10
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/dev}
waves=${2:-}
rows=$(mktemp)
trap 'rm -f "$rows" "$rows.log"' EXIT

# write PAGE HEADING TEST...: the tests' rows in place of the page's table with that heading, which ends the page
write() {
    page=$1
    heading=$2
    shift 2
    : >"$rows"
    for test in "$@"; do
        # shellcheck disable=SC2086 # without a folder no argument
        "$build/tests/test_$test" ${argument:-} >"$rows.log" || { grep '^not ok' "$rows.log"; exit 1; }
        sed -n 's/^# |/|/p' "$rows.log" >>"$rows"
    done
    sed "/^| $heading/,\$d" "$page" >"$page.new"
    {
        echo "| $heading | points | worst relative error | bar |"
        echo '|---|---|---|---|'
        cat "$rows"
    } >>"$page.new"
    mv "$page.new" "$page"
}

argument=
write docs/special-functions.md function bessel angular gamma special_diff radial
argument=$waves
write docs/vector-waves.md wave wave_table wave_table_diff
