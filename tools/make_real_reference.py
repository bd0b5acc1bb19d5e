#!/usr/bin/env python3
"""Writes tests/golden/math/real.txt: reference values of the real functions of src/math, from mpmath at 50 digits.

Each line is a name, its arguments and the value, floating-point numbers as hexadecimal."""
import random
from pathlib import Path

import mpmath as mp

mp.mp.dps = 50
OUT = Path(__file__).resolve().parent.parent / "tests/golden/math/real.txt"
random.seed(20240611)


def line(name, *numbers):
    words = [str(v) if isinstance(v, int) else float(v).hex() for v in numbers]
    return " ".join([name, *words])


def log_uniform(low, high):
    return 10.0 ** random.uniform(low, high)


def gauss(n, k):
    """The k-th root of P_n from the left and its weight, by Newton's method on the recurrence."""
    x = mp.cos(mp.pi * (4 * (n - k) - 1) / (4 * n + 2))
    for _ in range(12):
        before, p = mp.mpf(1), x
        for j in range(1, n):
            before, p = p, ((2 * j + 1) * x * p - j * before) / (j + 1)
        slope = n * (before - x * p) / (1 - x * x)
        x -= p / slope
    return x, 2 / ((1 - x * x) * slope**2)


def rows():
    for n in (1, 2, 3, 7, 20, 64, 129, 512):
        for k in sorted({0, 1, n // 3, n // 2, n - 1} & set(range(n))):
            x, w = gauss(n, k)
            yield line("gauss", n, k, 0.0 if abs(x) < 1e-30 else x, w)
    for _ in range(300):
        n = random.choice([0, 1, 2, 5, 17, random.randint(0, 256)])
        x = log_uniform(-8, 5)
        value = mp.besselj(n, mp.mpf(x))
        if abs(value) > 1e-300:
            yield line("jn", n, x, value)
    for n, x in ((1659, 1700.0), (1659, 1600.0), (9999, 9500.25), (9999, 12000.5), (5000, 4900.0), (800, 30000.0)):
        yield line("jn", n, x, mp.besselj(n, mp.mpf(x), maxprec=10**6))
    for n in (0, 1, 2, 3, 10, 40, 128, 256):
        for m in (1, 2, 3, 10, 100):
            yield line("zero", n, m, mp.besseljzero(n, m))
    for n, start in ((1659, 1681.1), (5000, 5031.8)):  # n + 1.8557571 n^(1/3)
        yield line("zero", n, 1, mp.findroot(lambda t, n=n: mp.besselj(n, t, maxprec=10**6), start))
    yield line("zero", 0, 100000, mp.findroot(lambda t: mp.besselj(0, t), (100000 - mp.mpf(1) / 4) * mp.pi))
    for _ in range(100):
        x = log_uniform(-6, 4)
        yield line("dawson", x, mp.sqrt(mp.pi) / 2 * mp.exp(-mp.mpf(x) ** 2) * mp.erfi(x) if x < 20 else
                   mp.hyp1f1(1, 1.5, -mp.mpf(x) ** 2) * x)
    for x in [1 + 1e-9, 1 - 1e-6, 2 + 1e-8, 2 - 1e-3, 0.3, 1.15, 1.25, 2.3, -0.5, -3.7, 1e-300, 1e15] + \
             [log_uniform(-3, 4) for _ in range(60)]:
        yield line("lgamma", x, mp.log(abs(mp.gamma(x))) if x < 0 else mp.loggamma(x))
    for x in [-170.3, -3.5, -0.25, 171.6, 0.5, 1e-300] + [random.uniform(-20, 171) for _ in range(40)]:
        yield line("gamma", x, mp.gamma(x))
    for _ in range(150):
        b, x = random.choice([1.5, 2.5, 3.5, 4.5, random.uniform(1, 12)]), log_uniform(-4, 3.5)
        yield line("kummer", b, x, mp.hyp1f1(1, b, -mp.mpf(x)))


OUT.parent.mkdir(parents=True, exist_ok=True)
OUT.write_text("\n".join(rows()) + "\n")
