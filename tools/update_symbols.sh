#!/bin/sh
# Writes tests/abi/symbols.txt, the list of exported names, from a built library:
#   tools/update_symbols.sh [build folder, default build/dev]
# Run it when the public interface grew on purpose; names that leave the list break programs.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
"$top/tools/symbols.sh" "${1:-$top/build/dev}/src/libpoynting.so" >"$top/tests/abi/symbols.txt.new"
mv "$top/tests/abi/symbols.txt.new" "$top/tests/abi/symbols.txt"
echo "tests/abi/symbols.txt: $(wc -l <"$top/tests/abi/symbols.txt") names"
