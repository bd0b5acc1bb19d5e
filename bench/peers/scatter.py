#!/usr/bin/env python3
"""Processor time of treams-rs on the work of bench/bench_cluster.c, and the ratios, on one thread.

    python bench/peers/scatter.py build/release/bench/bench_cluster [rounds]

Needs numpy and treams-rs (Python >= 3.12). Both are run in turns, the best of each counts. An OpenBLAS that does not know the
processor takes its oldest kernels, four times slower: then set OPENBLAS_CORETYPE (SkylakeX, Haswell, Zen, ...) for both."""
import math
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "TREAMS_RS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import treams_rs as tr
from treams_rs.iterative import SphereCluster

WAVE = dict(kvec=[0, 0, 1], pol=[0, 1], k0=2.0)


def sweep():
    frequencies = np.linspace(0.5, 6.0, 2000)
    epsilon, mu, kappa = np.array([4 + 0.1j, 2.25, 1]), np.ones(3), np.zeros(3)
    return [[tr.coeffs.mie(l, [0.4 * k, 0.6 * k], epsilon, mu, kappa)[0, 0] for l in range(1, 11)] for k in frequencies]


def cluster(n, lmax):
    rng = np.random.default_rng(1)
    side = math.ceil(n ** (1 / 3))
    positions = np.array([[i, j, k] for i in range(side) for j in range(side) for k in range(side)][:n]) * 0.8
    radii = 0.2 + 0.1 * rng.random(n)
    spheres = lambda: [tr.sphere_tmatrix(k0=2.0, lmax=lmax, radius=r, material=4 + 0.1j) for r in radii]
    return lambda: tr.Cluster(spheres(), positions=positions)


def iterate():
    positions = np.array([[i, j, k] for i in range(5) for j in range(5) for k in range(4)]) * 0.9
    c = SphereCluster(3, 2.0, np.full(100, 0.25), np.full(100, 2.25 + 0.01j), positions)
    return c.scatter(tr.plane_wave(**WAVE), rtol=1e-8).wave.coefficients


def works():
    twenty, fifty, small = cluster(20, 4), cluster(50, 4), cluster(20, 3)
    return {
        "mie_sweep_2000x10": (sweep, 10.0),
        "cluster_20_lmax4_full_T": (lambda: twenty().solve().array, 1.25),
        "cluster_20_lmax4_one_illumination": (lambda: twenty().scatter(tr.plane_wave(**WAVE)).coefficients, 1.3),
        "cluster_50_lmax4_full_T": (lambda: fifty().solve().array, 1.3),
        "cluster_20_lmax3_value": (lambda: small().solve().cross_sections(tr.plane_wave(**WAVE)).scattering, None),
        "iterative_100_lmax3": (iterate, 1.5),
    }


def rate(n=960):
    """Operations a second of products of complex matrices by the BLAS of NumPy, the best of some."""
    a = np.ones((n, n), complex)
    return 8 * n**3 / min(timed(lambda: a @ a) for _ in range(5))


# Unknowns of the whole T; what LU and as many right sides take in general: (8/3 + 8) n^3 real operations. Reciprocity saves half of it.
UNKNOWNS = {"cluster_20_lmax4_full_T": 960, "cluster_50_lmax4_full_T": 2400}


def timed(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    flops = rate()
    print(f"products of complex matrices here: {flops / 1e9:.1f} Gflop/s")
    print("work, seconds of treams-rs and here, ratio, bar")
    for name, (function, bar) in works().items():
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(timed(function))
            line = subprocess.run([program, name], capture_output=True, text=True, check=True).stdout.splitlines()[-1]
            ours.append(float(line.split()[2]))
        print(f"{name} {min(theirs):.5f} {min(ours):.5f} {min(theirs) / min(ours):.2f} {bar or ''}", flush=True)
        if name in UNKNOWNS:
            done = 32 / 3 * UNKNOWNS[name] ** 3 / min(ours)
            print(f"  {done / 1e9:.1f} Gflop/s of the general elimination: {done / flops:.2f} of the rate of products")
    value, gradient = (float(line.split()[2]) for line in subprocess.run(
        [program, "cluster_20_lmax3"], capture_output=True, text=True, check=True).stdout.splitlines()[1:3])
    print(f"gradient by all parameters over value, 20 spheres lmax 3: {gradient / value:.2f}, bar 3")


main()
