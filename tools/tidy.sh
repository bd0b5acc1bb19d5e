#!/bin/sh
# clang-tidy over the sources of a configured build: tools/tidy.sh [build folder, default build/dev] [part of a path]
# One process a file: clang-tidy 14 mistakes va_start in the second file of a process.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/dev}
[ -f "$build/compile_commands.json" ] || { echo "configure first: cmake --preset dev"; exit 1; }
command -v clang-tidy >/dev/null || { echo "clang-tidy is not installed: scripts/setup.sh --tools"; exit 1; }
# a source compiled several times (per type, per instruction set) is looked at once
sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$build/compile_commands.json" | sort -u | grep -F "${2:-/}" |
    xargs -P "$(nproc)" -I{} clang-tidy -p "$build" --quiet {} 2>/dev/null
echo "tidy"
