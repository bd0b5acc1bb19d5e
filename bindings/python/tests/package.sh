#!/bin/sh
# The Python package as its users get it: a wheel, tested from where it is installed, never from the sources.
#
#   package.sh build PYTHON WORK LIBRARY_DIR     the wheel around a library that is there, installed into WORK/site
#   package.sh test PYTHON WORK ARGUMENT...      pytest on what was installed; arguments are files and options
#   package.sh plain PYTHON WORK                 for each Python of 3.11 or later that is found: a fresh environment with NumPy alone,
#                                                in which the package has to work without any framework and without a compiler
set -eu
what=$1 python=$2 work=$3
shift 3
here=$(cd "$(dirname "$0")/.." && pwd)

build() {
    rm -rf "$work/wheel" "$work/site"
    "$python" -c 'import pytest, scikit_build_core, jaxlib' 2>/dev/null || {
        echo "no pytest, scikit-build-core and jaxlib in $python: scripts/setup.sh --tests"
        exit 77
    }
    mkdir -p "$work/wheel"
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$work/wheel" "$here" \
        --config-settings=build-dir="$work/build" --config-settings=cmake.define.POY_PREBUILT="$1"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$work/site" "$work"/wheel/poynting-*-abi3-*.whl
}

built() {
    [ -d "$work/site/poynting" ] || {
        echo "no package: see python_package"
        exit 77
    }
}

run_tests() {
    built
    cd "$work" && PYTHONPATH=$work/site PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider "$@"
}

plain() {
    built
    for other in python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
        "$other" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        version=$("$other" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        environment=$work/plain-$version
        if [ ! -x "$environment/bin/python" ] || ! "$environment/bin/python" -c 'import numpy, pytest' 2>/dev/null; then
            rm -rf "$environment"
            "$other" -m venv "$environment"
            "$environment/bin/python" -m pip install --quiet --disable-pip-version-check numpy pytest
        fi
        "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps \
            "$work"/wheel/poynting-*-abi3-*.whl
        echo "Python $version, NumPy alone:"
        (cd "$environment" && env -u PYTHONPATH PATH=/nowhere "$environment/bin/python" -m pytest -q -p no:cacheprovider \
            "$here/tests/test_plain.py" "$here/tests/test_command_surface.py" "$here/tests/test_stops.py" "$here/tests/test_absent.py" "$here/tests/test_objects.py")
    done
}

case $what in
build) build "$1" ;;
test) run_tests "$@" ;;
plain) plain ;;
*) exit 2 ;;
esac
