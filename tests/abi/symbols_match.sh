#!/bin/sh
# symbols_match.sh SYMBOLS.SH LIBRARY LIST: the library exports the names of the list, no more, no fewer.
set -eu
[ -f "$3" ] || { echo "no $3: write it with tools/update_symbols.sh"; exit 77; }
found=$(mktemp)
trap 'rm -f "$found"' EXIT
sh "$1" "$2" >"$found"
lost=$(LC_ALL=C comm -13 "$found" "$3")
new=$(LC_ALL=C comm -23 "$found" "$3")
[ -z "$lost" ] || printf 'no longer exported, which breaks programs:\n%s\n' "$lost"
[ -z "$new" ] || printf 'exported but not in the list (if on purpose: tools/update_symbols.sh):\n%s\n' "$new"
[ -z "$lost$new" ]
