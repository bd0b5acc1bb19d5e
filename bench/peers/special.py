#!/usr/bin/env python3
"""Processor time of SciPy's special functions on the work of bench/bench_special.c, and the ratios, in one run.

    python bench/peers/special.py build/release/bench/bench_special

Needs numpy and scipy. What is compared: tables of j_l and y_l, l <= 20, at 100,000 complex points, and single values of
J_v and H_v^(1)."""
import re
import subprocess
import sys
import time

import numpy as np
from scipy import special

POINTS, LMAX, SINGLE = 100_000, 20, 20_000


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def table(z):
    for degree in range(LMAX + 1):
        special.spherical_jn(degree, z)
        special.spherical_yn(degree, z)


def main():
    ours = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    print(ours, end="")
    draw = np.random.default_rng(1)
    z = 0.1 + 50.0 * draw.random(POINTS) + 1j * (5.0 * draw.random(POINTS) - 2.5)
    v = np.arange(SINGLE) % 40
    theirs = {
        "spherical_table": seconds(lambda: table(z)) * 1e3,
        "jv": seconds(lambda: special.jv(v, z[:SINGLE])) / SINGLE * 1e6,
        "hankel1": seconds(lambda: special.hankel1(v, z[:SINGLE])) / SINGLE * 1e6,
    }
    for name, value in theirs.items():
        mine = float(re.search(rf"^{name}.*?: ([0-9.]+) (?:ms|us)", ours, re.M).group(1))
        print(f"{name}: SciPy {value:.2f}, ratio {value / mine:.1f}")


main()
