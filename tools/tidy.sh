#!/bin/sh
# clang-tidy and cppcheck over the sources of a configured build:
#   tools/tidy.sh [build folder, default build/dev] [beginning of a path, as src/run]
# One process a file: clang-tidy 14 mistakes va_start in the second file of a process.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/dev}
[ -f "$build/compile_commands.json" ] || { echo "configure first: cmake --preset dev"; exit 1; }
for tool in clang-tidy cppcheck; do
    command -v $tool >/dev/null || { echo "$tool is not installed: scripts/setup.sh --tools"; exit 1; }
done
root=$PWD
part=${2:-}
# a source compiled several times (per type, per instruction set) is looked at once
sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$build/compile_commands.json" | sort -u |
    awk -v start="$root/$part" 'index($0, start) == 1' |
    xargs -P "$(nproc)" -I{} clang-tidy -p "$build" --quiet {} 2>/dev/null
# readdir is safe between threads as long as they do not share the stream
cppcheck --project="$build/compile_commands.json" --file-filter="$root/$part*" --enable=warning,performance,portability \
    --inline-suppr --quiet --error-exitcode=1 -j "$(nproc)" --library=posix --suppress=readdirCalled
echo "tidy"
