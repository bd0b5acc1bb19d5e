#!/bin/sh
# internal_fault.sh PYTHON CHECK_INTERNAL.PY: the check finds what it should find, and nothing else.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/room" "$work/tests/unit"
cat >"$work/src/room/room.h" <<'EOT'
/* poyi_alone of room.c; a word in a comment is no use of it */
int poyi_alone(int x,
               int y);
int poyi_shared(int x);
int poyi_tested(int x);
int poyi_sum_of(int x);
int poyi_by_macro(int x);
#define ROW {poyi_by_macro}
static inline int poyi_inline(int x) { return x; }
EOT
cat >"$work/src/room/room.c" <<'EOT'
#define SUM(name) poyi_sum_##name
int poyi_alone(int x, int y) { return x + y; }
int poyi_shared(int x) { return poyi_alone(x, x); }
int poyi_tested(int x) { return x; }
int poyi_sum_of(int x) { return x; }
int poyi_by_macro(int x) { return x; }
EOT
echo 'int f(int x) { return poyi_shared(x); } /* poyi_alone */' >"$work/src/room/other.c"
echo 'int main(void) { return poyi_tested(0); } const char *s = "poyi_alone";' >"$work/tests/unit/test_room.c"
"$1" "$2" "$work" >"$work/found" && { echo "no fault found"; exit 1; }
cat >"$work/wanted" <<'EOT'
src/room/room.h: poyi_alone: used in src/room/room.c alone
5 functions, 1 that one file alone uses
EOT
diff "$work/wanted" "$work/found"
