#!/usr/bin/env bash
# Installs what is missing to build Poynting on Debian 12 (or a later one): compiler, libraries, gnuplot.
#   scripts/setup.sh [--tests] [--tools] [--cluster]
#     --tests   also a Python environment in build/venv for the tests; PYTHON=... chooses the interpreter, else the
#               newest one of 3.11 or later that is found, pyenv's included
#     --tools   also clang-format, clang-tidy, cppcheck, ccache, clang with OpenMP and libFuzzer
#     --cluster also Slurm with munge, and Open MPI, for make test-cluster
# Looks for each thing itself, not for its package, so it needs no network, no root and no Debian where all is there.
set -eu
cd "$(dirname "$0")/.."

tests=0 tools=0 cluster=0
for arg in "$@"; do
    case $arg in
    --tests) tests=1 ;;
    --tools) tools=1 ;;
    --cluster) cluster=1 ;;
    *) echo "usage: scripts/setup.sh [--tests] [--tools] [--cluster]" >&2; exit 2 ;;
    esac
done

# ---- what is missing, as Debian packages ----

missing=()
need_command() { command -v "$1" >/dev/null 2>&1 || missing+=("$2"); }
need_library() { pkg-config --exists "$1" 2>/dev/null || missing+=("$2"); }
need_header() { echo "#include <$1>" | "${CXX:-g++}" -std=c++17 -E -x c++ - >/dev/null 2>&1 || missing+=("$2"); }
need_font() { [ -n "$(find /usr/share/fonts /usr/local/share/fonts "${HOME:-/root}/.fonts" -name 'DejaVuSans.ttf' -print -quit 2>/dev/null)" ] || missing+=("$1"); }

need_file() { [ -n "$(find /usr/lib /usr/local/lib -name "$1" -print -quit 2>/dev/null)" ] || missing+=("$2"); }

look() {
    missing=()
    need_command gcc gcc
    need_command g++ g++
    need_command cmake cmake
    need_command ninja ninja-build
    need_command pkg-config pkg-config
    need_library fftw3 libfftw3-dev
    need_library fftw3f libfftw3-dev
    need_library openblas libopenblas-dev
    need_library hdf5-serial libhdf5-dev
    need_library nettle nettle-dev
    need_header sleef.h libsleef-dev
    need_header toml++/toml.h libtomlplusplus-dev
    need_command gnuplot gnuplot-nox
    need_font fonts-dejavu-core
    if [ "$tools" = 1 ]; then
        need_command clang-format clang-format
        need_command clang-tidy clang-tidy
        need_command cppcheck cppcheck
        need_command ccache ccache
        need_command clang clang
        need_file 'libclang_rt.fuzzer*.a' libclang-rt-dev
        need_file libomp.so libomp-dev
    fi
    if [ "$cluster" = 1 ]; then
        need_command slurmctld slurmctld
        need_command slurmd slurmd
        need_command sbatch slurm-client
        need_command munged munge
        need_command mpirun openmpi-bin
    fi
    if [ "$tests" = 1 ] && ! ready && [ -z "$(pythons)" ]; then
        [ -z "${PYTHON:-}" ] || { echo "PYTHON=$PYTHON is not Python 3.11 or later with venv and ensurepip" >&2; exit 1; }
        missing+=(python3 python3-venv)
    fi
}

install_missing() {
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        as_root=(sudo)
    fi
    if ! command -v apt-get >/dev/null 2>&1 || { [ ${#as_root[@]} -gt 0 ] && ! command -v sudo >/dev/null 2>&1; }; then
        echo "missing (names of Debian packages): ${missing[*]}" >&2
        echo "install them as root, on Debian with: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    echo "installing: ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}"
}

# ---- Python for the tests ----

venv=build/venv
requirements=tests/requirements.txt

# Interpreters that can make an environment, the newest first.
pythons() {
    local candidate candidates=(python3 python3.{11..20} "${PYENV_ROOT:-${HOME:-/root}/.pyenv}"/versions/*/bin/python3)
    if [ -n "${PYTHON:-}" ]; then
        candidates=("$PYTHON")
    fi
    for candidate in "${candidates[@]}"; do
        "$candidate" -c '
import ensurepip, sys, venv
v = sys.version_info
if v >= (3, 11) and v.releaselevel == "final":
    print(v.major * 100 + v.minor, v.micro, sys.executable)' 2>/dev/null || true
    done | sort -u -k1,1nr -k2,2nr | awk '{ $1 = $2 = ""; print substr($0, 3) }'
}

# What the environment was made from; it is made anew when this changes.
recipe() { echo "${PYTHON:-newest}"; cat "$requirements"; }
ready() { [ -x "$venv/bin/python3" ] && "$venv/bin/python3" -c '' 2>/dev/null && recipe | cmp -s - "$venv/made-from"; }

make_environment() {
    local python
    while read -r python; do
        echo "Python for the tests: $python"
        rm -rf "$venv"
        if "$python" -m venv "$venv" &&
            "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check --only-binary=:all: -r "$requirements"; then
            recipe >"$venv/made-from"
            return 0
        fi
        echo "$python cannot have all of $requirements; trying an older one" >&2
    done < <(pythons)
    rm -rf "$venv"
    echo "no Python of 3.11 or later could be set up with $requirements (PYTHON=${PYTHON:-unset})" >&2
    return 1
}

# ---- ----

look
if [ ${#missing[@]} -gt 0 ]; then
    install_missing
    look
    if [ ${#missing[@]} -gt 0 ]; then
        echo "still missing after the installation: ${missing[*]}" >&2
        exit 1
    fi
fi
if [ "$tests" = 1 ] && ! ready; then
    make_environment
fi
