# A thin front for scripts/setup.sh and the presets of CMakePresets.json.
#   make demo      set up, build, compute a supercontinuum and draw it (build/demo)
#   make test      set up, build, run all tests, then again under the sanitizers: what a change has to pass
#   make check     the first part of it: all tests but for the fuzz targets
#   make sanitize  the second: all but the slow ones, and the fuzz targets, under the address and undefined-behaviour sanitizers
#   make threads   the third: what contexts share (engine, ledger, records, programs), under the thread sanitizer
#   make test-cluster  scans under a Slurm of one node and under mpirun, started for real (as root)
#   make fuzz      the readers against libFuzzer, 10 s each (SECONDS=600: an hour); what it learns is in build/fuzz/corpus
#   make pictures  the pictures of docs/pictures again, from the examples
#   make install   PREFIX=/usr/local by default
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
SECONDS ?= 10

.PHONY: build demo test check sanitize threads test-cluster fuzz bench pictures install tidy format clean

build:
	scripts/setup.sh
	cmake --preset release -DPOY_TESTS=OFF
	cmake --build --preset release

demo: build
	scripts/demo.sh

test: check sanitize threads

check:
	scripts/setup.sh --tests
	cmake --preset dev
	cmake --build --preset dev
	ctest --preset dev -j $(JOBS) -LE fuzz

sanitize:
	scripts/setup.sh --tests
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan -j $(JOBS) -LE 'slow|house|abi'
	ctest --preset asan -j $(JOBS) -L fuzz

threads:
	scripts/setup.sh --tests
	cmake --preset tsan
	cmake --build --preset tsan --target threads
	ctest --preset tsan -j $(JOBS) -L threads

test-cluster:
	scripts/setup.sh --tests --cluster
	cmake --preset dev
	cmake --build --preset dev --target cluster

fuzz:
	scripts/setup.sh --tools
	cmake --preset fuzz -DPOY_FUZZ_SECONDS=$(SECONDS)
	cmake --build --preset fuzz --target fuzz
	ctest --preset fuzz -j $(JOBS) -L fuzz

bench: build
	cmake --build --preset release --target bench

pictures: build
	docs/pictures.sh

install: build
	cmake --install build/release --prefix "$(PREFIX)"

tidy:
	scripts/setup.sh --tests --tools
	cmake --preset dev
	tools/tidy.sh build/dev

format:
	scripts/setup.sh --tools
	tools/format.sh

# the Python environment of the tests stays: rm -rf build removes that, too
clean:
	rm -rf build/dev build/clang build/asan build/asan-clang build/tsan build/fuzz build/release build/demo
