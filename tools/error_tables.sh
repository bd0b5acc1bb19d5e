#!/bin/sh
# Writes the table of docs/special-functions.md from the tests of a built tree:
#   tools/special_table.sh [build folder, default build/dev]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/dev}
page=docs/special-functions.md
rows=$(mktemp)
trap 'rm -f "$rows" "$page.new"' EXIT
for test in bessel angular gamma special_diff radial; do
    [ -x "$build/tests/test_$test" ] || continue
    "$build/tests/test_$test" >"$rows.log" || { grep '^not ok' "$rows.log"; exit 1; }
    sed -n 's/^# |/|/p' "$rows.log" >>"$rows"
    rm -f "$rows.log"
done
sed '/^| function/,$d' "$page" >"$page.new"
{
    echo '| function | points | worst relative error | bar |'
    echo '|---|---|---|---|'
    cat "$rows"
} >>"$page.new"
cp "$page.new" "$page"
