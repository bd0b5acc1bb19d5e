#!/bin/sh
# symbols_match.sh SYMBOLS.SH LIBRARY LIST: the library exports the names of the list, no more, no fewer.
set -eu
[ -f "$3" ] || { echo "no $3: write it with tools/update_symbols.sh"; exit 77; }
found=$(mktemp)
listed=$(mktemp)
trap 'rm -f "$found" "$listed"' EXIT
LC_ALL=C sort -u "$3" >"$listed" # two branches that each added names may have left them out of order
sh "$1" "$2" >"$found"
lost=$(LC_ALL=C comm -13 "$found" "$listed")
new=$(LC_ALL=C comm -23 "$found" "$listed")
[ -z "$lost" ] || printf 'no longer exported, which breaks programs:\n%s\n' "$lost"
[ -z "$new" ] || printf 'exported but not in the list (if on purpose: tools/update_symbols.sh):\n%s\n' "$new"
[ -z "$lost$new" ]
