#!/bin/sh
# rerun.sh PROGRAM BACKEND: two processes that propagate the same pulse print the same digest of it.
set -eu
first=$("$1" "$2" digest)
second=$("$1" "$2" digest)
echo "$first $second"
[ -n "$first" ] && [ "$first" = "$second" ]
