#!/bin/sh
# package.sh PYTHON LIBRARY_DIR WORK_DIR: builds the wheel around a library that is there, installs it into a folder of its own, and
# runs the tests against what was installed, never against the sources. Then, for each Python of 3.11 or later that is found:
# a fresh environment with NumPy alone, in which the package has to work without any framework and without a compiler.
set -eu
python=$1 library=$2 work=$3
here=$(cd "$(dirname "$0")/.." && pwd)
"$python" -c 'import pytest, scikit_build_core, jaxlib' 2>/dev/null || {
    echo "no pytest, scikit-build-core and jaxlib in $python: scripts/setup.sh --tests"
    exit 77
}
rm -rf "$work/wheel" "$work/site"
mkdir -p "$work/wheel"
"$python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$work/wheel" "$here" \
    -C build-dir="$work/build" -C cmake.define.POY_PREBUILT="$library"
wheel=$(ls "$work"/wheel/poynting-*-abi3-*.whl)
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$work/site" "$wheel"
cd "$work"
PYTHONPATH=$work/site PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider "$here/tests"

for other in python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
    "$other" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    version=$("$other" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    environment=$work/plain-$version
    if [ ! -x "$environment/bin/python" ] || ! "$environment/bin/python" -c 'import numpy, pytest' 2>/dev/null; then
        rm -rf "$environment"
        "$other" -m venv "$environment"
        "$environment/bin/python" -m pip install --quiet --disable-pip-version-check numpy pytest
    fi
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
    echo "Python $version, NumPy alone:"
    (cd "$environment" && env -u PYTHONPATH PATH=/nowhere "$environment/bin/python" -m pytest -q -p no:cacheprovider \
        "$here/tests/test_plain.py" "$here/tests/test_command_surface.py")
done
