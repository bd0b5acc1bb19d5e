#!/bin/sh
# pytest.sh PYTHON FILE: runs a Python test; exit status 77 (skipped) where the interpreter has no pytest.
"$1" -c 'import pytest, h5py' 2>/dev/null || { echo "no pytest and h5py in $1: scripts/setup.sh --tests"; exit 77; }
exec "$1" -m pytest -q -p no:cacheprovider "$2"
