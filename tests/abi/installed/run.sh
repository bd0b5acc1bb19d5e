#!/bin/sh
# run.sh CMAKE BUILD CC CXX: installs a build into a folder of its own, then builds and runs a C and a C++ program against
# it, by pkg-config and by find_package, as a stranger would.
set -eu
cmake=$1 build=$2 cc=$3 cxx=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/a\ prefix # with a blank in it

"$cmake" --install "$build" --prefix "$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
libdir=$(dirname "$(find "$prefix" -name libpoynting.so)")
export PKG_CONFIG_PATH="$libdir/pkgconfig"
version=$(pkg-config --modversion poynting)
[ "$("$prefix/bin/poynting" --version)" = "poynting $version" ] || { echo "the command is not of version $version"; exit 1; }

export LD_LIBRARY_PATH="$libdir"
# pkg-config writes "a\ prefix": only eval reads that back
eval "'$cc' -std=c17 -Wall -Wextra -Werror '$here/use.c' -o '$work/use_c' $(pkg-config --cflags --libs poynting)"
eval "'$cxx' -std=c++17 -Wall -Wextra -Werror '$here/use.cpp' -o '$work/use_cpp' $(pkg-config --cflags --libs poynting)"
"$work/use_c" "$version"
"$work/use_cpp" "$version"

"$cmake" -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_CXX_COMPILER="$cxx" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$cmake" --build "$work/cmake" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/cmake/use_c" "$version"
"$work/cmake/use_cpp" "$version"

if nm -D --undefined-only "$work/use_c" | grep -E 'fftw|cblas|H5|nettle'; then
    echo "a program that uses libpoynting should not need its libraries"
    exit 1
fi
