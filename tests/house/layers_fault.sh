#!/bin/sh
# layers_fault.sh PYTHON CHECK_LAYERS.PY: the check finds what it should find.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/math" "$work/src/kernels" "$work/src/backends/ref" "$work/src/attic" "$work/src/pulse/march" "$work/tests/abi"
echo '#include "ops/ops.h"' >"$work/src/math/upwards.c"
echo '#include "poynting/base.h"' >"$work/src/kernels/public.clh"
echo '#include "kernels/dtype.h"' >"$work/src/backends/ref/copied.c"
echo '#include "core/core.h"' >"$work/src/attic/unknown.c"
printf '\n#include "scatter/scatter.h"\n#include <fftw3.h>\n#include "core/core.h"\n' >"$work/src/pulse/march/aside.cpp"
echo '#include "core/core.h"' >"$work/tests/abi/inside.c"
"$1" "$2" "$work" >"$work/found" && { echo "no fault found"; exit 1; }
cat >"$work/wanted" <<'EOT'
src/attic/unknown.c:1: the room attic is not in the table of tools/check_layers.py
src/backends/ref/copied.c:1: backends/ref may not include kernels
src/kernels/public.clh:1: kernels may not include public headers
src/math/upwards.c:1: math may not include ops
src/pulse/march/aside.cpp:2: pulse may not include scatter
src/pulse/march/aside.cpp:3: <fftw3.h> belongs in backends/cpu/.*|.*_simd\.c
tests/abi/inside.c:1: only public headers here, not core/core.h
6 files, 7 includes against the rule
EOT
diff "$work/wanted" "$work/found"
