#!/usr/bin/env python3
"""Compares the march of a dispersive wave with the same march in NumPy, on the same problem, in turns.

    OMP_NUM_THREADS=1 python bench/peers/dispersive_wave.py build/release/bench/bench_gas [pairs]

Helium, 125 um, 1 bar, 3 m; 10 fs, 120 uJ at 800 nm as a real field, ADK rates; Dormand-Prince 5(4) in the interaction
picture at rtol 1e-6. Both take the same 347 steps; processor time of one thread, without set-up. Needs numpy. At least 10
times as fast is the bar.
"""
import math
import statistics
import subprocess
import sys
import time

import numpy as np

C, EPS0, E, ME, HBAR = 299792458.0, 8.8541878128e-12, 1.602176634e-19, 9.1093837015e-31, 1.054571817e-34
HARTREE, K_B = 4.3597447222071e-18, 1.380649e-23
RADIUS, LENGTH, RTOL = 125e-6, 3.0, 1e-6
W0, W_MIN, W_MAX = (2 * math.pi * C / x for x in (800e-9, 3e-6, 160e-9))

# ---- grid: 8192 samples where the field acts, 2049 bins of the state ----

N = 8192
DT = 1 / (6 * C / 160e-9)
T = (np.arange(N) - N / 2) * DT
OMEGA = np.arange(2049) * (2 * math.pi / (N * DT))
BAND = (OMEGA > W_MIN / 2) & (OMEGA < 1.1 * W_MAX)


def planck(x, l0, l1, r1, r0):
    """The taper of McKechan et al.: 0 outside (l0, r0), 1 on [l1, r1]."""
    y = np.where((x >= l1) & (x <= r1), 1.0, 0.0)
    for a, b in ((l0, l1), (r0, r1)):
        edge = (x - a) * (x - b) < 0
        w = b - a
        y[edge] = 1 / (1 + np.exp(np.clip(w / (x[edge] - a) + w / (x[edge] - b), -700, 700)))
    return y


WINDOW = planck(OMEGA, W_MIN / 2, W_MIN, W_MAX, 1.1 * W_MAX)
WINDOW_T = planck(T, T[0], -200e-15, 200e-15, T[-1])

# ---- the guide: Marcatili and Schmeltzer's HE11, helium of Ermolov et al., silica of Malitson ----

DENSITY, AMAGATS = 2.4695375e25, 0.93181205  # 1/m^3 at 1 bar and 293.15 K; over that at 273.15 K
CHI = ((2.16463842e-5, -6.80769781e-4), (2.10561127e-7, 5.13251289e-3), (4.75092720e-5, 3.18621354e-3))


def beta_alpha(omega):
    u2 = (2e6 * math.pi * C / omega) ** 2
    eps = 1 + sum(b * u2 / (u2 - c) for b, c in CHI) * AMAGATS
    wall = 1 + sum(b / (1 - r * r / u2) for b, r in ((0.6961663, 0.0684043), (0.4079426, 0.1162414), (0.8974794, 9.896161))) + 0j
    ka = omega / C * RADIUS
    v = (wall + 1) / (2 * np.sqrt(wall - 1))
    n = np.sqrt(eps - (2.404825557695773 / ka) ** 2 * (1 - 1j * v / ka) ** 2)
    return omega / C * n.real, np.clip(2 * omega / C * n.imag, 0, 3000)


BETA, ALPHA = beta_alpha(OMEGA[BAND])
BETA1 = (beta_alpha(W0 * (1 + 1e-4))[0] - beta_alpha(W0 * (1 - 1e-4))[0]) / (2e-4 * W0)
LINEAR = np.zeros(len(OMEGA), complex)
LINEAR[BAND] = -1j * (BETA - BETA1 * OMEGA[BAND]) - ALPHA / 2
AREA = 2.3393264857959594e-08  # m^2: (integral J0^2)^2 / integral J0^4
FIELD = 1 / (math.sqrt(EPS0 * C / 2) * math.sqrt(AREA))
KERR = EPS0 * 5.1092037e-53 * DENSITY
PREFACTOR = np.zeros(len(OMEGA), complex)
PREFACTOR[BAND] = -1j * OMEGA[BAND] ** 2 * math.sqrt(AREA) / (4 * math.sqrt(EPS0 * C / 2) * C * BETA) * WINDOW[BAND]

# ---- the plasma: ADK, running trapezoids ----

POTENTIAL = 0.9036 * 27.21138602 * E
NS = math.sqrt(0.5 / (POTENTIAL / HARTREE))
FACTOR = POTENTIAL / HBAR * 2 ** (2 * NS) / (NS * math.gamma(NS + 1) * math.gamma(NS))


def rate(field):
    out = np.zeros_like(field)
    strong = field > 1e6
    x = POTENTIAL / HBAR * math.sqrt(2 * ME * POTENTIAL) / (E * field[strong])
    with np.errstate(under="ignore"):
        out[strong] = FACTOR * np.exp((2 * NS - 1) * np.log(4 * x) - 4 / 3 * x)
    return out


def running(y):
    out = np.zeros_like(y)
    np.cumsum(0.5 * DT * (y[1:] + y[:-1]), out=out[1:])
    return out


def source(a):
    half = np.zeros(N // 2 + 1, complex)
    half[: len(OMEGA)] = a * ((N / 2) / (len(OMEGA) - 1))
    e = np.fft.irfft(half, N) * FIELD
    w = rate(np.abs(e))
    exposure = running(w)
    current = running(-np.expm1(-exposure) * (E**2 / ME) * e)
    with np.errstate(divide="ignore", invalid="ignore"):
        current = current + np.where((w > 0) & (e != 0), POTENTIAL * w * np.exp(-exposure) / np.where(e == 0, 1, e), 0)
    polarisation = KERR * e**3 + DENSITY * running(current)
    return PREFACTOR * np.fft.rfft(polarisation * WINDOW_T)[: len(OMEGA)] * ((len(OMEGA) - 1) / (N / 2))


# ---- Dormand-Prince 5(4) in the interaction picture, with a PI controller ----

NODES = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1)
STAGES = ((), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9), (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
          (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656), (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
ERROR = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def march(a):
    z, h, last, steps = 0.0, 1e-4, 0.0, 0
    k1 = source(a)
    while z < LENGTH * (1 - 1e-14):
        h = min(h, LENGTH / 2, LENGTH - z)
        turns = {c: np.exp(LINEAR * (c * h)) for c in set(NODES)}
        k = [k1]
        for c, row in zip(NODES[1:], STAGES[1:]):
            stage = a + h * sum(w * q for w, q in zip(row, k) if w)
            k.append(source(stage * turns[c]) / turns[c])
        error = h * sum(w * q for w, q in zip(ERROR, k) if w)
        e = np.linalg.norm(error) / RTOL / max(np.linalg.norm(a), np.linalg.norm(stage))
        if e > 1:
            h *= max(0.1, 0.9 * e**-0.2)
            continue
        z, a, k1, steps = z + h, stage * turns[1], k[6] * turns[1], steps + 1
        h *= 0.9 * (0.8 / e) ** 0.12 * (0.8 / (last or e)) ** -0.04
        last = e
    return a, steps


def launch():
    t = (np.arange(4096) - 2048) * 2 * DT
    a = np.fft.rfft(np.sqrt(np.exp(-4 * math.log(2) * (t / 10e-15) ** 2)) * np.cos(W0 * t))
    energy = 4 * 2 * DT / 4096 * np.sum(np.abs(a[1:-1]) ** 2)
    return a * math.sqrt(120e-6 / energy)


def main():
    program, pairs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ours, theirs = [], []
    for _ in range(pairs):
        ours.append(float(subprocess.run([program, "cpu", "1", "march"], check=True, capture_output=True, text=True).stdout))
        start = time.process_time()
        a, steps = march(launch())
        theirs.append(time.process_time() - start)
    energy = 4 * 2 * DT / 4096 * np.sum(np.abs(a[1:-1]) ** 2)
    with open("/proc/loadavg", encoding="ascii") as f:
        load = f.read().split()[0]
    ratios = [t / o for t, o in zip(theirs, ours)]
    print(f"NumPy {min(theirs):.2f} s ({steps} steps, {1e6 * energy:.2f} uJ left), this {min(ours):.3f} s: {min(theirs) / min(ours):.1f} times as "
          f"fast (median of {pairs} pairs {statistics.median(ratios):.1f}, at least {min(ratios):.1f}; at least 10 wanted), load {load}")


main()
