"""Bessel functions, angular functions, 3j symbols and rotations in ball arithmetic (python-flint), of which the references
of vector waves are made. Every function works at the current flint.ctx.prec; recurrences may run in an unstable direction,
since the balls say how many digits are left and the caller raises the precision until enough are."""
from functools import lru_cache

from flint import acb, arb, ctx, fmpz

I = acb(0, 1)


def pi():
    return arb.pi()


def factorial(n):
    return arb(fmpz.fac_ui(n))


def i_power(n):
    return [acb(1), I, acb(-1), -I][n % 4]


def sign(n):
    return -1 if n % 2 else 1


# ---- radial functions ----


def spherical_bessel(n, x, singular):
    """z_0 .. z_n at x: j or, singular, h^(1). h rises from closed forms, j descends from j_k = x^k / (2k+1)!! 0F1(; k + 3/2;
    -x^2 / 4) (DLMF 10.49.6, 10.16.9 with 10.47.3)."""
    if singular:
        e = (I * x).exp()
        z = [-I * e / x, -(x + I) * e / x**2]
        for k in range(1, n):
            z.append((2 * k + 1) / x * z[k] - z[k - 1])
        return z[: n + 1]
    if x == 0:
        return [acb(1 if k == 0 else 0) for k in range(n + 1)]
    z = [None] * (n + 2)
    for k in (n + 1, n):
        double_factorial = factorial(2 * k + 1) / (arb(2) ** k * factorial(k))
        z[k] = x**k / double_factorial * (-x * x / 4).hypgeom_0f1(acb(2 * k + 3) / 2)
    for k in range(n, 0, -1):
        z[k - 1] = (2 * k + 1) / x * z[k] - z[k + 1]
    return z[: n + 1]


def cylindrical_bessel(m, x, singular):
    """J_m or, singular, H^(1)_m = (2 / pi) (-i)^{m + 1} K_m(-i x), arg x in (-pi/2, pi] (DLMF 10.27.8)."""
    if singular:
        return 2 / pi() * i_power(-(m + 1)) * (-I * x).bessel_k(m)
    return x.bessel_j(m)


# ---- angular functions ----


def reduced_legendre(l, m, c):
    """P_l^m / s^m for m >= 0 by the recurrence in l (DLMF 14.10.3), with Condon and Shortley's phase."""
    if m > l:
        return acb(0)
    below, value = acb(0), acb(sign(m) * factorial(2 * m) / (arb(2) ** m * factorial(m)))
    for k in range(m + 1, l + 1):
        below, value = value, ((2 * k - 1) * c * value - (k + m - 1) * below) / (k - m)
    return value


def angular(l, m, c, s):
    """P_l^m, m P_l^m / s and dP_l^m / d(theta) from c = cos(theta), s = sin(theta)."""
    a = abs(m)
    middle, above = reduced_legendre(l, a, c), reduced_legendre(l, a + 1, c)
    p = s**a * middle
    if a == 0:
        pi_, tau = acb(0), s * above
    else:
        under = reduced_legendre(l, a - 1, c)
        pi_ = a * s ** (a - 1) * middle
        tau = (s ** (a + 1) * above - (l + a) * (l - a + 1) * s ** (a - 1) * under) / 2
    if m < 0:
        ratio = sign(a) * factorial(l - a) / factorial(l + a)
        p, pi_, tau = ratio * p, -ratio * pi_, ratio * tau
    return p, pi_, tau


def normalised_legendre(n, m, c, s):
    """sqrt((p - m)! / (p + m)!) P_p^m for p = 0 .. n."""
    a = abs(m)
    out = [acb(0)] * (n + 1)
    below, value = acb(0), acb(sign(a) * factorial(2 * a) / (arb(2) ** a * factorial(a)))
    for p in range(a, n + 1):
        if p > a:
            below, value = value, ((2 * p - 1) * c * value - (p + a - 1) * below) / (p - a)
        norm = (factorial(p - a) / factorial(p + a)).sqrt()
        out[p] = (sign(a) if m < 0 else 1) * norm * s**a * value
    return out


# ---- 3j symbols and rotations ----


@lru_cache(maxsize=64)
def threej(j1, j2, m1, m2, precision):
    """{j: (j1 j2 j; m1 m2 -m1-m2)} for all j, downwards from the closed form at j1 + j2 (Schulten and Gordon 1975, eqs. 2 and
    3)."""
    total, difference, m3 = j1 + j2, j1 - j2, -m1 - m2
    least = max(abs(difference), abs(m3))

    def a(j):
        return arb((j * j - difference**2) * ((total + 1) ** 2 - j * j) * (j * j - m3 * m3)).sqrt()

    def b(j):
        return -(2 * j + 1) * ((j1 * (j1 + 1) - j2 * (j2 + 1)) * m3 - j * (j + 1) * (m2 - m1))

    top = factorial(2 * j1) * factorial(2 * j2) * factorial(total + m3) * factorial(total - m3)
    bottom = factorial(2 * total + 1) * factorial(j1 + m1) * factorial(j1 - m1) * factorial(j2 + m2) * factorial(j2 - m2)
    w = {total: sign(difference - m3) * (top / bottom).sqrt(), total + 1: arb(0)}
    for j in range(total, least, -1):
        rest = b(j) * w[j]
        if j < total:
            rest += j * a(j + 1) * w[j + 1]
        w[j - 1] = -rest / ((j + 1) * a(j))
    return w


def wigner_d(l, m, k, theta):
    """d^l_{mk} by the explicit sum (Varshalovich 4.3.1)."""
    s, c = (theta / 2).sin(), (theta / 2).cos()
    total = acb(0)
    for t in range(max(0, k - m), min(l + k, l - m) + 1):
        below = fmpz.fac_ui(l + k - t) * fmpz.fac_ui(t) * fmpz.fac_ui(m - k + t) * fmpz.fac_ui(l - m - t)
        total += sign(m - k + t) * c ** (2 * l + k - m - 2 * t) * s ** (m - k + 2 * t) / acb(below)
    return total * (factorial(l + m) * factorial(l - m) * factorial(l + k) * factorial(l - k)).sqrt()


def gaunt_tables(l, lam, m, mu):
    """What Cruzan's sums need: the symbols with (m, -mu) and with (0, 0)."""
    return threej(l, lam, m, -mu, ctx.prec), threej(l, lam, 0, 0, ctx.prec)
