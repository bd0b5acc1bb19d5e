#!/bin/sh
# fma.sh OBJDUMP --none OBJECT... --some OBJECT...: no object of the first list holds a fused multiply-add, and of the
# second list (objects for AVX2) at least one does.
set -eu
objdump=$1
shift
fused() { "$objdump" -d --no-show-raw-insn "$1" | grep -c -E '\bvfn?m(add|sub)' || true; }
mode= wrong=0 none=0 some=0
for arg in "$@"; do
    case $arg in
    --none | --some) mode=$arg ;;
    *)
        n=$(fused "$arg")
        if [ "$mode" = --none ]; then
            none=$((none + 1))
            [ "$n" -eq 0 ] || { echo "$arg: $n fused multiply-adds in strict code"; wrong=1; }
        elif [ "$n" -gt 0 ]; then
            some=$((some + 1))
        fi
        ;;
    esac
done
echo "$none strict objects without FMA, $some AVX2 objects with"
[ "$some" -gt 0 ] || { echo "no AVX2 object holds an FMA: are the flags lost?"; wrong=1; }
[ "$none" -gt 0 ] && [ "$wrong" -eq 0 ]
