#!/usr/bin/env bash
# Computes examples/supercontinuum.toml with the release build and names what it wrote: make demo.
set -eu
cd "$(dirname "$0")/.."
out=build/demo
rm -rf "$out"
mkdir -p "$out"
build/release/src/cli/poynting run examples/supercontinuum.toml -o "$out/supercontinuum.h5"
echo
echo "written:"
find "$out" -type f -printf '  %p  (%s bytes)\n' | sort
