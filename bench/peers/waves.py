#!/usr/bin/env python3
"""Processor time of treams-rs on the work of bench/bench_waves.c, and the ratios, in one run on one thread.

    python bench/peers/waves.py build/release/bench/bench_waves [rounds]

Needs numpy and treams-rs (Python >= 3.12). Both are run in turns, the best of each counts; sums of squares of the results
have to agree. Of the ways that treams-rs has the fastest counts: expansions as operators or as records, fields likewise.
Singular fields are compared at points off the origin."""
import os
import re
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "TREAMS_RS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import treams_rs

DESTINATIONS, SOURCES, LMAX, MODES, POINTS, K0 = 25, 40, 6, 120, 2048, 1.3


def philox(i):
    """The first of the two numbers in [0, 1) of block i, seed 1, stream 0: Philox4x32-10 as in src/core/random.c."""
    c, key, mask = [i & 0xFFFFFFFF, i >> 32, 0, 0], [1, 0], 0xFFFFFFFF
    for _ in range(10):
        p = [0xD2511F53 * c[0], 0xCD9E8D57 * c[2]]
        c = [(p[1] >> 32) ^ c[1] ^ key[0], p[1] & mask, (p[0] >> 32) ^ c[3] ^ key[1], p[0] & mask]
        key = [(key[0] + 0x9E3779B9) & mask, (key[1] + 0xBB67AE85) & mask]
    return ((c[0] | c[1] << 32) >> 11) * 2.0**-53


def draw(first, n):
    return np.array([2.0 * philox(i) - 1.0 for i in range(first, first + n)])


def works():
    """Name of a line of bench_waves: what treams-rs has for it."""
    count = DESTINATIONS + SOURCES
    cells = np.array([[i // 13, i % 13, 0] for i in range(count)], float)
    positions = 2.0 * cells + 0.2 * draw(0, 3 * count).reshape(count, 3)
    to = treams_rs.SphericalBasis.default(LMAX, DESTINATIONS, positions[:DESTINATIONS])
    start = treams_rs.SphericalBasis.default(LMAX, SOURCES, positions[DESTINATIONS:])
    basis = treams_rs.SphericalBasis(list(treams_rs.SphericalBasis.default(7))[:MODES])
    points = 3.0 * draw(1000, 3 * POINTS).reshape(POINTS, 3)
    pairs = draw(10000, 2 * MODES)
    coefficients = pairs[::2] + 1j * pairs[1::2]
    result = {"translation": [
        lambda: treams_rs.operators.expand((to, start), ("regular", "singular"), k0=K0),
        lambda: treams_rs.diff.expansion(to, start, [K0, K0], singular=True)[0],
    ]}
    for name in ("regular", "singular"):
        result[name] = [
            lambda name=name: treams_rs.operators.efield(points, basis=basis, k0=K0, modetype=name) @ coefficients,
            lambda name=name: treams_rs.diff.field(coefficients, points, basis, [K0, K0], singular=name == "singular")[0],
        ]
    return result


def main():
    treams_rs.set_num_threads(1)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    work, ours, theirs, sums = works(), {}, {}, {}
    for _ in range(rounds):
        text = subprocess.run([sys.argv[1], "3"], check=True, capture_output=True, text=True).stdout
        for name, seconds, total in re.findall(r"^(\w+) .*: ([0-9.]+) s, sum (\S+)$", text, re.M):
            ours[name] = min(ours.get(name, 1e9), float(seconds))
            sums[name] = float(total)
        for name, ways in work.items():
            for way in ways:
                start = time.process_time()
                value = way()
                theirs[name] = min(theirs.get(name, 1e9), time.process_time() - start)
                total = float(np.sum(np.abs(value) ** 2))
                if abs(total - sums[name]) > 1e-9 * total:
                    sys.exit(f"{name}: sums {sums[name]!r} and {total!r} differ")
    print(f"load {os.getloadavg()[0]:.1f}, {rounds} rounds")
    for name in work:
        print(f"{name}: {ours[name] * 1e3:.3f} ms, treams-rs {theirs[name] * 1e3:.3f} ms, ratio {theirs[name] / ours[name]:.1f}")


main()
