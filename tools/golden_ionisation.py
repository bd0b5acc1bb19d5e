#!/usr/bin/env python3
"""Reference ionisation rates for test_ionisation: the given ones beside values in 40 digits from the formulas.

Usage: golden_ionisation.py b_ionisation.json OUT_FOLDER     (needs mpmath)
Written: media_adk.def, media_ppt.def. The given PPT rates of orbitals with l = 1 use a series of phi_1 below x = 0.6
that contradicts phi_1 = (x^2 + 1/2) F(x) - x/2 (F: Dawson's integral) by 0.4 x^2 relative: 1F1(1; 5/2; -x^2) in place
of 1F1(2; 5/2; -x^2). Where a term of the sum lies there, the given rate is off by up to 1e-3; such rows are marked 0."""
import json
import pathlib
import sys

import mpmath as mp

mp.mp.dps = 40
C, H, E = mp.mpf(299792458), mp.mpf("6.62607015e-34"), mp.mpf("1.602176634e-19")
HBAR, ME, A0 = H / (2 * mp.pi), mp.mpf("9.1093837015e-31"), mp.mpf("5.29177210903e-11")
EH = HBAR * C * mp.mpf("7.2973525693e-3") / A0
T_AU, E_AU = HBAR / EH, EH / (E * A0)
UNIT = mp.mpf("27.21138602") * E
POTENTIAL = dict(He="0.9036", Ne="0.7925", Ar="0.5792", Kr="0.5142", Xe="0.4458", N2="0.5726", O2="0.443553",
                 H2="0.5669", D2="0.5684", CH4="0.4636", N2O="0.474", SF6="0.5")
ORBITAL = dict(He=(0, "1"), Ne=(1, "1"), Ar=(1, "1"), Kr=(1, "1"), Xe=(1, "1"), N2=(0, "0.9"), O2=(0, "0.53"))
POLARISABILITY = dict(He=("1.3207", "0.2811"), Ne=("2.376", "1.2417"), Ar=("10.762", "6.807"))


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def phi(m, x):
    f = dawson(x)
    return f if m == 0 else (x * x + mp.mpf(1) / 2) * f - x / 2


def ppt(gas, wavelength, field, dressed, averaged):
    """(rate in 1/s, smallest argument of phi_1 in the sum)"""
    l, z = ORBITAL[gas][0], mp.mpf(ORBITAL[gas][1])
    neutral, ion = map(mp.mpf, POLARISABILITY.get(gas, ("0", "0"))) if dressed else (mp.mpf(0), mp.mpf(0))
    e, w = mp.mpf(field) / E_AU, 2 * mp.pi * C / mp.mpf(wavelength) * T_AU
    i = mp.mpf(POTENTIAL[gas]) * UNIT / EH + (neutral - ion) / 2 * e * e
    n, e0, g = z / mp.sqrt(2 * i), (2 * i) ** mp.mpf("1.5"), w * mp.sqrt(2 * i) / e
    c2 = 2 ** (2 * n) / (n * mp.gamma(2 * n))
    r = mp.sqrt(1 + g * g)
    alpha, beta = 2 * (mp.asinh(g) - g / r), 2 * g / r
    v = (i + e * e / (4 * w * w)) / w
    first = mp.ceil(v) - v
    total = mp.mpf(0)
    for m in range(-l, l + 1):
        a = abs(m)
        f = mp.mpf((2 * l + 1) * mp.factorial(l + a)) / (2**a * mp.factorial(a) * mp.factorial(l - a))
        s, q = mp.mpf(0), 0
        while alpha * (first + q) < 40:
            s += mp.exp(-alpha * (first + q)) * phi(a, mp.sqrt(beta * (first + q)))
            q += 1
        total += f / mp.factorial(a) * (2 * e0 / (e * r)) ** (2 * n - a - mp.mpf("1.5")) * s
    rate = 2 * 4 * mp.sqrt(2) / mp.pi * c2 * total * i * g * g / (1 + g * g) * mp.exp(-2 * ion * e)
    rate *= mp.exp(-2 * v * (mp.asinh(g) - g * r / (1 + 2 * g * g)))
    if not averaged:
        rate *= mp.sqrt(mp.pi * e0 / (3 * e))
    return rate / T_AU, mp.sqrt(beta * first)


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    data = json.loads(source.read_text())
    adk_rows, ppt_rows = [], []
    for r in data["rates"]:
        for i, field in enumerate(r["field_V_m"]):
            adk_rows.append('ADK("%s", %r, %r, %r, %r, %r)' % (
                r["gas"], r["Ip_eV"], field, r["adk_s"][i], r["adk_cycle_averaged_s"][i] if "adk_cycle_averaged_s" in r else 0.0,
                r.get("bsi_field_V_m", 0.0)))
            for key, dressed, averaged in (("ppt_s", 1, 0), ("ppt_bare_s", 0, 0), ("ppt_cycle_averaged_s", 1, 1)):
                if key not in r:
                    continue
                rate, least = ppt(r["gas"], data["wavelength_m"], field, dressed, averaged)
                sound = ORBITAL[r["gas"]][0] == 0 or least >= 0.6
                ppt_rows.append('PPT("%s", %r, %d, %d, %s, %r, %d, %r)' % (
                    r["gas"], field, dressed, averaged, mp.nstr(rate, 17), r[key][i], sound, r["keldysh"][i]))
    head = "/* Made by tools/golden_ionisation.py, whose comment says why some given rates are marked. */\n"
    (out / "media_adk.def").write_text(
        "/* ADK(gas, I_p eV, field V/m, rate 1/s, the same averaged over a cycle, barrier field V/m or 0). */\n" + head
        + "".join(row + "\n" for row in adk_rows))
    (out / "media_ppt.def").write_text(
        "/* PPT(gas, field V/m, with Stark shift and dipole, averaged, rate 1/s in 40 digits, given, 1 if the given one\n"
        " * is sound, Keldysh parameter). Wavelength 800 nm. */\n" + head + "".join(row + "\n" for row in ppt_rows))


if __name__ == "__main__":
    main()
