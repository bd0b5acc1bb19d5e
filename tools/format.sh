#!/bin/sh
# Brings every C and C++ file into the project's format; with --check only names the files that are not. The format is
# that of clang-format 14, as in Debian 12: other versions lay some lines out in another way (exit status 77: no such program).
set -eu
cd "$(dirname "$0")/.."
program=
for name in clang-format-14 clang-format; do
    if command -v "$name" >/dev/null 2>&1 && "$name" --version | grep -q 'version 14\.'; then
        program=$name
        break
    fi
done
[ -n "$program" ] || { echo "clang-format 14 is not installed"; exit 77; }
files() { find src include tests bench tools bindings -name golden -prune -o \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) -type f -print0 2>/dev/null; }
if [ "${1:-}" = --check ]; then
    files | xargs -0 "$program" --dry-run -Werror
    echo "$(files | tr -cd '\0' | wc -c) files are in format"
else
    files | xargs -0 "$program" -i
fi
