#!/usr/bin/env python3
"""Make tests/golden/guide_step.def: exact modes of step-index fibres in arithmetic of 40 digits (mpmath).

Usage: make_guide_reference.py > tests/golden/guide_step.def
n_eff solves the characteristic equation of a round fibre in its product form,
  (J'/UJ + K'/WK)(J'/UJ + r K'/WK) = n^2 (1/U^2 + 1/W^2)(1/U^2 + r/W^2), r = n_cl^2/n_co^2
(Snyder and Love (1983), table 12-4), for TE and TM its factors, each mode within the bracket of Bessel zeros that is
named with it; its derivatives are those of a polynomial through the solutions at 25 frequencies. KRATIO: K_{n-1}/K_n."""
import mpmath as mp

mp.mp.dps = 40
C = mp.mpf(299792458)


def parts(n, u, w):
    j, k = mp.besselj(n, u), mp.besselk(n, w)
    dj = (mp.besselj(n - 1, u) - mp.besselj(n + 1, u)) / 2
    dk = -(mp.besselk(n - 1, w) + mp.besselk(n + 1, w)) / 2
    return dj / (u * j), dk / (w * k)


def equation(family, n, v, r, u):
    w = mp.sqrt(v * v - u * u)
    j, k = parts(n, u, w)
    if family == "TE":
        return j + k
    if family == "TM":
        return j + r * k
    # the product form is quadratic in j: its two roots are the two families
    half = (1 + r) / 2 * k
    root = mp.sqrt(half * half - r * k * k + n * n * (1 / u**2 + 1 / w**2) * (1 / u**2 + r / w**2))
    return j + half + (root if family == "HE" else -root)


def zero(order, m):
    return mp.besseljzero(order, m) if m > 0 else mp.mpf(0)


def bracket(family, n, m, v, r):
    if family in ("TE", "TM"):
        low, high = zero(0, m), zero(1, m)
    elif family == "EH":
        low, high = zero(n, m), zero(n + 1, m)
    elif n == 1:
        low, high = zero(1, m - 1), zero(0, m)
    else:
        f = lambda x: (1 + 1 / r) * mp.besselj(n - 1, x) - x * mp.besselj(n, x) / (n - 1)
        low, high = zero(n - 2, m), zero(n - 1, m)
        low = mp.findroot(f, (low, high), solver="anderson")
    return low, min(high, v)


def ridder(f, a, b):
    """The root between a and b, where f changes sign, by Ridders' method."""
    fa, fb, before = f(a), f(b), None
    assert fa * fb < 0
    for _ in range(200):
        c = (a + b) / 2
        fc = f(c)
        x = c + (c - a) * mp.sign(fa - fb) * fc / mp.sqrt(fc * fc - fa * fb)
        if before is not None and abs(x - before) < mp.mpf(10) ** -36 * abs(x):
            return x
        before, fx = x, f(x)
        points = sorted([(a, fa), (c, fc), (x, fx), (b, fb)])
        for (p, fp), (q, fq) in zip(points, points[1:]):
            if fp * fq <= 0:
                a, fa, b, fb = p, fp, q, fq
                break
    raise ArithmeticError("no root")


def solve(family, n, m, a, nco, ncl, omega):
    k = omega / C
    v, r = a * k * mp.sqrt(nco**2 - ncl**2), (ncl / nco) ** 2
    low, high = bracket(family, n, m, v, r)
    edge = (high - low) * mp.mpf(10) ** -25
    u = ridder(lambda x: equation(family, n, v, r, x), low + edge, high - edge)
    return mp.sqrt(nco**2 - (u / (a * k)) ** 2)


def derivatives(f, omega, order=4, nodes=25, width=mp.mpf("0.02")):
    """By the interpolating polynomial in Chebyshev points of omega (1 +- width)."""
    x = [mp.cos(mp.pi * (2 * i + 1) / (2 * nodes)) for i in range(nodes)]
    y = [f(omega * (1 + width * t)) for t in x]
    c = [2 * mp.fsum(yi * mp.cos(k * mp.acos(xi)) for xi, yi in zip(x, y)) / nodes for k in range(nodes)]
    c[0] /= 2
    p = [mp.mpf(0)]  # sum of c_k T_k as powers of x
    before, here = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    powers = [mp.mpf(0)] * nodes
    for k in range(nodes):
        for i, t in enumerate(before):
            powers[i] += c[k] * t
        after = [mp.mpf(0)] + [2 * t for t in here]
        for i, t in enumerate(before):
            after[i] -= t
        before, here = here, after
    return [powers[k] * mp.factorial(k) / (width * omega) ** k for k in range(order + 1)]


MODES = [
    # family, n, m, radius um, n_core, n_clad, lambda um
    ("HE", 1, 1, "1.9", "1.474", "1.444", "1.55"),
    ("HE", 1, 1, "0.3", "1.45", "1.0", "0.8"),
    ("HE", 1, 1, "0.6", "1.46", "1.44", "1.5"),
    ("HE", 1, 3, "10", "1.45", "1.40", "0.8"),
    ("HE", 2, 1, "1.0", "1.45", "1.0", "0.8"),
    ("HE", 2, 2, "2.0", "1.45", "1.0", "0.8"),
    ("HE", 7, 3, "12", "1.46", "1.42", "0.7"),
    ("EH", 1, 1, "1.0", "1.45", "1.0", "0.8"),
    ("EH", 3, 2, "8", "1.46", "1.42", "0.7"),
    ("TE", 0, 1, "1.0", "1.45", "1.0", "0.8"),
    ("TE", 0, 2, "4", "1.474", "1.444", "0.6"),
    ("TM", 0, 1, "1.0", "1.45", "1.0", "0.8"),
    ("TM", 0, 2, "4", "1.474", "1.444", "0.6"),
    ("HE", 1, 20, "300", "1.4570", "1.44029", "0.25"),
    ("EH", 40, 100, "300", "1.4570", "1.44029", "0.25"),
]


def main():
    print("/* guide_step.def: exact modes of step-index fibres.\n"
          " * MODE(name, radius, n_core, n_clad, lambda, n_eff, its derivatives 1 to 4 with respect to omega), SI.\n"
          " * KRATIO(n, x, K_{n-1}(x)/K_n(x)).\n * Made by tools/make_guide_reference.py. */")
    for family, n, m, a, nco, ncl, lam in MODES:
        a, nco, ncl, lam = mp.mpf(a) / 10**6, mp.mpf(nco), mp.mpf(ncl), mp.mpf(lam) / 10**6
        d = derivatives(lambda w: solve(family, n, m, a, nco, ncl, w), 2 * mp.pi * C / lam)
        name = "%s%d%s%d" % (family, n, "," if max(n, m) > 9 else "", m)
        print('MODE("%s", %s)' % (name, ", ".join(mp.nstr(x, 18) for x in [a, nco, ncl, lam] + d)), flush=True)
    for n, x in [(0, "0.3"), (1, "1e-9"), (1, "0.01"), (1, "0.5"), (1, "2"), (1, "30"), (1, "1659"), (2, "1e-3"), (2, "1"),
                 (5, "0.7"), (12, "40"), (100, "3"), (100, "900"), (200, "1e-2")]:
        value = mp.besselk(n - 1, mp.mpf(x)) / mp.besselk(n, mp.mpf(x))
        print("KRATIO(%d, %s, %s)" % (n, repr(float(x)), mp.nstr(value, 18)))


if __name__ == "__main__":
    main()
