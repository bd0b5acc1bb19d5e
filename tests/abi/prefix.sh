#!/bin/sh
# prefix.sh SYMBOLS.SH LIBRARY: nothing but poy_* leaves the library.
set -eu
names=$(sh "$1" "$2")
[ -n "$names" ] || { echo "$2 exports nothing"; exit 1; }
if printf '%s\n' "$names" | grep -v '^poy_'; then
    echo "the names above leave $2: prefix them with poy_ if they are public, else keep them static or hidden"
    exit 1
fi
echo "$(printf '%s\n' "$names" | wc -l) names, all poy_*"
