#!/usr/bin/env python3
"""Compares a supercontinuum with gnlse-python's on the same problem, at equal work, in one run.

    OMP_NUM_THREADS=1 python bench/peers/supercontinuum.py build/release/src/cli/poynting [pairs]

Both march Dudley's fibre (15 cm, 50 fs, 10 kW, Blow-Wood Raman, self-steepening, 2^14 samples, 200 planes) with
Dormand-Prince 5(4) in the interaction picture. Work is counted in evaluations of the nonlinear source; what is compared
is processor time per evaluation, plans and set-up of both included. Needs numpy, scipy, pyfftw, h5py, tqdm and gnlse 2.0.0
(install the last with --no-deps --no-build-isolation: its build imports hdf5storage).
"""
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import types

import h5py
import numpy as np

SAMPLES, PLANES, BETA = 2**14, 200, [
    -11.830e-3, 8.1038e-5, -9.5205e-8, 2.0737e-10, -5.3943e-13, 1.3486e-15, -2.5495e-18, 3.0524e-21, -1.7140e-24,
]  # ps^n/m

RECIPE = f"""
schema = 1
kind = "pulse"
name = "peer"
geometry = {{ type = "fibre", length = "15 cm" }}
grid = {{ samples = {SAMPLES}, window = "12.5 ps" }}
solver = {{ rtol = 1e-4 }}
output = {{ planes = {PLANES}, stats = ["energy"], every = 1000000 }}
plots.kinds = []
[fibre]
gamma = "0.11 1/(W m)"
beta_at = "835 nm"
beta = [{", ".join(f'"{b:.5e} ps{n}/m"' for n, b in enumerate(BETA, 2))}]
[[pulse]]
wavelength = "835 nm"
peak_power = "10 kW"
fwhm = "50 fs"
shape = "sech2"
"""


def ours(command: str, folder: pathlib.Path) -> dict:
    recipe, result = folder / "peer.toml", folder / "peer.h5"
    recipe.write_text(RECIPE)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.perf_counter()
    subprocess.run([command, "-q", "run", str(recipe), "-o", str(result), "--force", "--threads", "1"], check=True)
    wall = time.perf_counter() - wall
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with h5py.File(result) as f:
        calls = int(f["steps/atomic"][-1])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"calls": calls, "cpu": cpu, "wall": wall}


def theirs() -> dict:
    np.math = math  # gnlse-python still says np.math, which NumPy 2 has no more
    sys.modules.setdefault("hdf5storage", types.ModuleType("hdf5storage"))  # only for its .mat files
    import gnlse
    import scipy.integrate

    setup = gnlse.GNLSESetup()
    setup.resolution, setup.time_window, setup.z_saves = SAMPLES, 12.5, PLANES
    setup.wavelength, setup.fiber_length, setup.nonlinearity = 835, 0.15, 0.11
    setup.raman_model, setup.self_steepening = gnlse.raman_blowwood, True
    setup.dispersion_model = gnlse.DispersionFiberFromTaylor(0, np.array(BETA))
    setup.pulse_model = gnlse.SechEnvelope(10000, 0.05)
    seen, solve = {}, scipy.integrate.solve_ivp

    def counted(*args, **keywords):
        answer = solve(*args, **keywords)
        seen["calls"] = answer.nfev
        return answer

    scipy.integrate.solve_ivp = counted
    try:
        solver = gnlse.GNLSE(setup)
        cpu, wall = time.process_time(), time.perf_counter()
        solver.run()
        seen.update(cpu=time.process_time() - cpu, wall=time.perf_counter() - wall)
    finally:
        scipy.integrate.solve_ivp = solve
    return seen


def main() -> int:
    command = os.path.abspath(sys.argv[1])
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ratios, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        ours(command, pathlib.Path(folder))  # plans are made and kept: both sides' libraries are warm from here on
        for _ in range(pairs):
            a, b = ours(command, pathlib.Path(folder)), theirs()
            ratios.append(b["cpu"] / b["calls"] / (a["cpu"] / a["calls"]))
            rows.append((a, b))
            print(
                f"\npoynting {a['calls']} evaluations, {a['cpu'] / a['calls'] * 1e6:.1f} us each, {a['cpu']:.2f} s cpu; "
                f"gnlse-python {b['calls']}, {b['cpu'] / b['calls'] * 1e6:.1f} us each, {b['cpu']:.2f} s cpu; "
                f"ratio per evaluation {ratios[-1]:.2f}",
                flush=True,
            )
    print(json.dumps({"ratio_median": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
                      "load": os.getloadavg()[0]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
