#!/usr/bin/env python3
"""Processor time of treams-rs on the work of bench/bench_lattice.c, and the ratios, on one thread.

    python bench/peers/lattice.py build/release/bench/bench_lattice [rounds]

Needs numpy and treams-rs (Python >= 3.12). Both are run in turns, the best of each counts."""
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "TREAMS_RS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import treams_rs as tr

CELL = np.array([[1.7, 0.0], [0.4, 1.8]])
LABELS = np.array([(l, m) for l in range(9) for m in range(-l, l + 1)])


def sums():
    r = np.array([0.3, 0.1, 0.4])
    return [tr.lattice.lsumsw2d_shift(LABELS[:, 0], LABELS[:, 1], k, np.array([0.3, 0.2]), CELL, r)
            for k in np.linspace(1.0, 3.2, 40)]


def arrays():
    ports = tr.PlaneWavePorts.default([0.0, 0.0])
    out = []
    for k in np.linspace(1.5, 3.5, 50):
        sphere = tr.sphere_tmatrix(k0=k, lmax=4, radius=0.4, material=6.25 + 0.05j)
        response = tr.solve_periodic(sphere, lattice=[[1.5, 0.0], [0.0, 1.5]], kpar=[0, 0])
        out.append(response.to_smatrix(ports).array)
    return out


WORKS = {"lattice_sum_2d_81x40": (sums, 5.0), "array_smatrix_50_frequencies_lmax4": (arrays, 2.0)}


def timed(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print("work, seconds of treams-rs and here, ratio, bar")
    for name, (function, bar) in WORKS.items():
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(timed(function))
            line = subprocess.run([program, name], capture_output=True, text=True, check=True).stdout.splitlines()[-1]
            ours.append(float(line.split()[1]))
        print(f"{name} {min(theirs):.5f} {min(ours):.5f} {min(theirs) / min(ours):.2f} {bar}", flush=True)


main()
