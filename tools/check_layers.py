#!/usr/bin/env python3
"""Check that every #include points to its own room or to a lower one, and every library is used in its place.

The two tables below are the map of ARCHITECTURE.md. A file may include public headers (poynting/...), headers of
its own room, and headers of the rooms named here. Prints file:line for each breach; exit status 1 if there is one."""

import pathlib
import re
import sys

# Room of src/ -> rooms that it may include besides itself and the public headers.
ROOMS = {
    "core": [],
    "math": ["core"],
    "kernels": [],
    "ops": ["core"],
    "backends/ref": ["core", "ops"],  # never kernels: the oracle does not run the text it checks
    "backends/cpu": ["core", "ops", "kernels"],
    "backends/opencl": ["core", "ops", "kernels"],
    "backends/cuda": ["core", "ops", "kernels"],
    "record": ["core", "math", "ops"],  # math: the host's Fourier transform, safe to call from many threads
    "conform": ["core", "ops"],
    "operator": ["core", "math", "ops", "record"],
    "solve": ["core", "math", "ops", "record", "operator"],
    "media": ["core", "math"],
    "pulse": ["core", "math", "media", "ops", "operator", "solve", "record"],
    "scatter": ["core", "math", "media", "ops", "operator", "solve", "record"],
    "run": ["core", "media", "pulse", "scatter", "record"],
    "bench": ["core", "ops", "pulse", "scatter"],
    "cli": [],
}
NO_PUBLIC_HEADERS = {"kernels"}  # OpenCL and CUDA compile them too

# Header of a library -> files that may include it.
LIBRARIES = {
    r"fftw3.*": r"backends/cpu/.*|.*_simd\.c",
    r"(openblas/)?(cblas|lapacke?|openblas_config|f77blas)\.h": r"backends/cpu/.*|.*_simd\.c|record/lapack\.c",  # records work on the host
    r"sleef.*": r"backends/cpu/.*|.*_simd\.c",
    r"toml\+\+/.*": r"run/recipe/toml\.cpp",
    r"hdf5.*|H5.*": r"run/.*|scatter/particle/tmatrix_(file|save)\.c",
    r"nettle/.*": r"core/.*",
    r"CL/.*|clblast.*|vkFFT.*": r"backends/opencl/.*",
    r"cuda.*|cufft.*|cublas.*": r"backends/cuda/.*",
}

SOURCES = {".c", ".h", ".cpp", ".clh", ".cl", ".cu", ".def"}
INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)[>"]')


def room_of(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "backends" else parts[0]


def includes(file: pathlib.Path):
    """(line, is it a system header, name) of each #include of a file."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found[1] == "<", found[2]


def fault_in_source(name: str, system: bool, included: str) -> str | None:
    """What is wrong with an include in the file src/NAME."""
    here = room_of(name)
    if here not in ROOMS:
        return f"the room {here} is not in the table of tools/check_layers.py"
    if system:
        for header, files in LIBRARIES.items():
            if re.fullmatch(header, included) and not re.fullmatch(files, name):
                return f"<{included}> belongs in {files}"
        return None
    if included.startswith("poynting/"):
        return f"{here} may not include public headers" if here in NO_PUBLIC_HEADERS else None
    if ".." in included.split("/"):
        return f"write {included} from src/ on"
    there = room_of(included) if "/" in included else here
    return None if there == here or there in ROOMS[here] else f"{here} may not include {there}"


def fault_outside(system: bool, included: str) -> str | None:
    """The same for headers of include/, for tests but unit tests and fuzz targets, for bindings: public headers only."""
    inside = not system and "/" in included and room_of(included) in ROOMS
    return f"only public headers here, not {included}" if inside else None


def main(root: pathlib.Path) -> int:
    wrong = checked = 0
    for folder in ("src", "include", "tests", "bindings"):
        for file in sorted(p for p in (root / folder).rglob("*") if p.suffix in SOURCES):
            name = str(file.relative_to(root / folder))
            if folder == "tests" and name.startswith(("unit/", "fuzz/")):
                continue
            checked += 1
            for number, system, included in includes(file):
                fault = fault_in_source(name, system, included) if folder == "src" else fault_outside(system, included)
                if fault:
                    print(f"{folder}/{name}:{number}: {fault}")
                    wrong += 1
    print(f"{checked} files, {wrong} includes against the rule")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent))
