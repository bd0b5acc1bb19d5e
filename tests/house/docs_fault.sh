#!/bin/sh
# docs_fault.sh PYTHON CHECK_DOCS.PY: the check finds what it should find.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/include/poynting" "$work/src/core" "$work/docs"
echo 'poy_status poy_thing_create(int n);' >"$work/include/poynting/thing.h"
echo 'int x;' >"$work/src/core/ctx.c"
cat >"$work/docs/page.md" <<'EOT'
# A page
[good](../README.md#the-end), [elsewhere](https://example.org/x), [no file](gone.md), [no heading](../README.md#the-start)
`src/core/ctx.c`, `core/<name>.c`, `ctx.c`, `poy_thing_create(3)`, `poy_thing_*`, `thing.toml`
`src/core/cty.c`, `core/cty.c`, `cty.c`, `poy_thing_destroy`
EOT
printf '# The end\n' >"$work/README.md"
"$1" "$2" "$work" >"$work/found" && { echo "no fault found"; exit 1; }
cat >"$work/wanted" <<'EOT'
docs/page.md: gone.md: there is no such file
docs/page.md: ../README.md#the-start: there is no such heading
docs/page.md: src/core/cty.c: there is no such file
docs/page.md: core/cty.c: there is no such file
docs/page.md: cty.c: no source is called so
docs/page.md: poy_thing_destroy: no such name in the library
2 pages, 6 names of what is not there
EOT
diff "$work/wanted" "$work/found"
