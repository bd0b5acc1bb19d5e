#!/bin/sh
# The names that a shared library exports, sorted, one a line: symbols.sh libpoynting.so
# Left out: the version node itself, and what a sanitizer or profiler adds to every object (__asan_*, __gcov_*, ...).
set -eu
nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
    grep -v -E '^(__(asan|ubsan|tsan|lsan|sanitizer|odr_asan|gcov|llvm)|_(init|fini|edata|end|_bss_start)$)' | LC_ALL=C sort -u
