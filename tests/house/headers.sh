#!/bin/sh
# headers.sh CC CXX INCLUDE: each public header compiles alone, as C17 and as C++17, without a warning.
set -eu
cc=$1 cxx=$2 include=$3
wrong=0 count=0
for header in "$include"/poynting/*.h; do
    name=poynting/$(basename "$header")
    count=$((count + 1))
    echo "#include <$name>" | "$cc" -std=c17 -x c -fsyntax-only -Wall -Wextra -Wpedantic -Wstrict-prototypes -Wundef \
        -Werror -I"$include" - || { echo "$name does not stand alone as C17"; wrong=1; }
    echo "#include <$name>" | "$cxx" -std=c++17 -x c++ -fsyntax-only -Wall -Wextra -Wpedantic -Wundef \
        -Werror -I"$include" - || { echo "$name does not stand alone as C++17"; wrong=1; }
done
echo "$count headers"
[ "$count" -gt 0 ] && [ "$wrong" -eq 0 ]
