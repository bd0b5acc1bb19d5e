#!/usr/bin/env python3
"""Transforms of silica's Raman responses, int_0^inf h(t) exp(-i omega t) dt, by quadrature of the published h(t).

Usage: golden_raman.py OUT_FOLDER
Writes media_raman_transform.def, one macro row per number. Needs mpmath; no closed form of a transform is used."""
import pathlib
import sys

import mpmath as mp

mp.mp.dps = 25
FS = mp.mpf("1e-15")
CM = 100 * mp.pi * 299792458  # a full width of 1/cm as a damping rate
# D. Hollenbeck, C. D. Cantrell, J. Opt. Soc. Am. B 19, 2886 (2002), table 1, in 1/cm
POSITION = "56.25 100 231.25 362.5 463 497 611.5 691.67 793.67 835.5 930 1080 1215"
AMPLITUDE = "1 11.4 36.67 67.67 74 4.5 6.8 4.6 4.2 4.5 2.7 3.1 3"
GAUSSIAN = "52.1 110.42 175 162.5 135.33 24.5 41.5 155 59.5 64.3 150 91 160"
LORENTZIAN = "17.37 38.81 58.33 54.17 45.11 8.17 13.83 51.67 19.83 21.43 50 30.33 53.33"
MODES = list(zip(*([mp.mpf(x) for x in row.split()] for row in (POSITION, AMPLITUDE, GAUSSIAN, LORENTZIAN))))


def blow_wood(t):
    """IEEE J. Quantum Electron. 25, 2665 (1989)."""
    t1, t2 = mp.mpf("12.2") * FS, 32 * FS
    return (t1**2 + t2**2) / (t1 * t2**2) * mp.exp(-t / t2) * mp.sin(t / t1)


def lin_agrawal(t):
    """Opt. Lett. 31, 3086 (2006)."""
    tb, fb = 96 * FS, mp.mpf("0.21")
    return (1 - fb) * blow_wood(t) + fb * (2 * tb - t) / tb**2 * mp.exp(-t / tb)


def hollenbeck_cantrell(t):
    return sum(a * mp.exp(-lo * CM * t - (ga * CM * t) ** 2 / 4) * mp.sin(2 * CM * nu * t) for nu, a, ga, lo in MODES)


PIECE, POINTS = 10 * FS, 30  # the fastest factor turns by 30 rad in a piece: 30 points leave less than 1e-20


def gauss_legendre(n):
    """Nodes on [-1, 1] and weights, by Newton's method on the Legendre polynomial."""
    rule = []
    for i in range(n):
        x = mp.cos(mp.pi * (i + mp.mpf(3) / 4) / (n + mp.mpf(1) / 2))
        for _ in range(8):
            p, q = x, mp.mpf(1)
            for k in range(2, n + 1):
                p, q = ((2 * k - 1) * x * p - (k - 1) * q) / k, p
            slope = n * (x * p - q) / (x * x - 1)
            x -= p / slope
        rule.append((x, 2 / ((1 - x * x) * slope**2)))
    return rule


def weighted(h, end, rule):
    """(t, weight h(t)) of the rule on all pieces up to the end."""
    out = []
    for j in range(int(end / PIECE)):
        for x, w in rule:
            t = PIECE * (j + (1 + x) / 2)
            out.append((t, w * PIECE / 2 * h(t)))
    return out


def main():
    rows, rule = [], gauss_legendre(POINTS)
    for name, h, end in (("BLOW_WOOD", blow_wood, 2000 * FS), ("LIN_AGRAWAL", lin_agrawal, 5000 * FS),
                         ("HOLLENBECK_CANTRELL", hollenbeck_cantrell, 7000 * FS)):
        points = weighted(h, end, rule)
        # this model is normalised by its integral over 3 ps, by which 1e-8 of it is left
        one = sum(y for t, y in points if t < 3000 * FS) if name.startswith("HOLL") else 1
        for omega in ("0", "1e12", "1e13", "4e13", "8.3e13", "8.8e13", "1.2e14", "-8.3e13", "2.3e14", "5e14", "1.5e15",
                      "3e15"):
            value = sum(y * mp.expj(-mp.mpf(omega) * t) for t, y in points) / one
            rows.append(f"TRANSFORM(POYI_RAMAN_{name}, {float(omega)!r}, {float(value.real)!r}, {float(value.imag)!r})")
    path = pathlib.Path(sys.argv[1]) / "media_raman_transform.def"
    head = f"/* {path.name}: transforms of silica's Raman responses, int h(t) exp(-i omega t) dt.\n * Made by tools/golden_raman.py. */\n"
    path.write_text(head + "".join(row + "\n" for row in rows))


main()
