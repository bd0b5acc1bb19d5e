"""Vector waves, their fields, and the coefficients between them, in ball arithmetic, from the formulas of
include/poynting/waves.h. A function takes its labels (integers) and its inputs (complex balls) and gives a list."""
from flint import acb, arb

from functions import (I, angular, cylindrical_bessel, factorial, gaunt_tables, i_power, normalised_legendre, pi, sign,
                       spherical_bessel, wigner_d)


# These give a second output: the modulus of the largest term of their sum.
WITH_TERMS = {"tl_vsw", "sw_translate", "sw_displace", "pw_to_sw"}


def s_of(pol):
    return 1 if pol else -1


def half_root():
    return 1 / arb(2).sqrt()


def parts(kind, m, n, pol):
    """M (0), N (1) or the helicity wave A (2)."""
    return [m, n, [half_root() * (b + s_of(pol) * a) for a, b in zip(m, n)]][kind]


def norm(l, m):
    """sqrt((2l+1) / 4 pi (l-m)! / (l+m)!)"""
    return ((2 * l + 1) / (4 * pi()) * factorial(l - m) / factorial(l + m)).sqrt()


# ---- single waves ----


def harmonics(l, m, c, s, turn):
    """X, Y and Z (r, theta, phi), turn = e^{i m phi}."""
    p, pi_, tau = angular(l, m, c, s)
    z = [I * norm(l, m) * turn * p, acb(0), acb(0)]
    if l == 0:
        return [acb(0)] * 3, [acb(0)] * 3, z
    gamma = I * norm(l, m) / arb(l * (l + 1)).sqrt() * turn
    return [acb(0), gamma * I * pi_, -gamma * tau], [acb(0), gamma * tau, gamma * I * pi_], z


def spherical_parts(l, m, x, c, s, turn, singular):
    """M and N (r, theta, phi)"""
    z = spherical_bessel(l + 1, x, singular)
    over_x, wave = (z[l - 1] + z[l + 1]) / (2 * l + 1), ((l + 1) * z[l - 1] - l * z[l + 1]) / (2 * l + 1)
    vx, vy, vz = harmonics(l, m, c, s, turn)
    root = arb(l * (l + 1)).sqrt()
    return [z[l] * v for v in vx], [wave * y + root * over_x * v for y, v in zip(vy, vz)]


def cylindrical_parts(m, x, turn, kz, k, k_rho, singular):
    """M and N (rho, phi, z), turn = e^{i (m phi + kz z)}"""
    f = [cylindrical_bessel(n, x, singular) for n in (m - 1, m, m + 1)]
    over, slope = (f[0] + f[2]) / 2 if m else acb(0), (f[0] - f[2]) / 2
    return ([turn * I * over, -turn * slope, acb(0)],
            [turn * I * kz * slope / k, -turn * kz * over / k, turn * k_rho * f[1] / k])


def plane_parts(k, phase):
    """M and N, Cartesian"""
    q = (k[0] ** 2 + k[1] ** 2).sqrt()
    length = (k[0] ** 2 + k[1] ** 2 + k[2] ** 2).sqrt()
    if k[0] == 0 and k[1] == 0:
        toward = k[2].real if k[2].imag == 0 else k[2].imag
        return [acb(0), -I * phase, acb(0)], [acb(-1 if toward > 0 else 1) * phase, acb(0), acb(0)]
    return ([phase * I * k[1] / q, -phase * I * k[0] / q, acb(0)],
            [-phase * k[0] * k[2] / (length * q), -phase * k[1] * k[2] / (length * q), phase * q / length])


def vsh(labels, x):
    kind, l, m = labels
    theta, phi = x
    return list(harmonics(l, m, theta.cos(), theta.sin(), (I * m * phi).exp())[kind])


def vsw(labels, x):
    kind, singular, l, m, pol = labels
    kr, theta, phi = x
    turn = (I * m * phi).exp()
    return parts(kind, *spherical_parts(l, m, kr, theta.cos(), theta.sin(), turn, singular), pol)


def radial_wavenumber(k, kz):
    root = (k * k - kz * kz).sqrt()
    return -root if root.imag < 0 else root


def vcw(labels, x):
    kind, singular, m, pol = labels
    kz, kr, phi, z, k = x
    turn = (I * (m * phi + kz * z)).exp()
    return parts(kind, *cylindrical_parts(m, kr, turn, kz, k, radial_wavenumber(k, kz), singular), pol)


def vpw(labels, x):
    kind, pol = labels
    phase = (I * (x[0] * x[3] + x[1] * x[4] + x[2] * x[5])).exp()
    return parts(kind, *plane_parts(x[:3], phase), pol)


# ---- fields at Cartesian points ----


def cartesian_spherical(l, m, d, k, singular):
    """M and N of a spherical wave at the displacement d."""
    rho = (d[0] ** 2 + d[1] ** 2).sqrt()
    r = (d[0] ** 2 + d[1] ** 2 + d[2] ** 2).sqrt()
    c, s = d[2] / r, rho / r
    e = (d[0] + I * d[1]) / rho
    cp, sp = d[0] / rho, d[1] / rho
    out = []
    for v in spherical_parts(l, m, k * r, c, s, e**m, singular):
        across = s * v[0] + c * v[1]
        out.append([cp * across - sp * v[2], sp * across + cp * v[2], c * v[0] - s * v[1]])
    return out


def cartesian_cylindrical(m, d, kz, k, singular):
    rho = (d[0] ** 2 + d[1] ** 2).sqrt()
    k_rho = radial_wavenumber(k, kz)
    cp, sp = d[0] / rho, d[1] / rho
    turn = ((d[0] + I * d[1]) / rho) ** m * (I * kz * d[2]).exp()
    return [[cp * v[0] - sp * v[1], sp * v[0] + cp * v[1], v[2]]
            for v in cylindrical_parts(m, k_rho * rho, turn, kz, k, k_rho, singular)]


def wave_at(family, labels, k, d, rest):
    """M and N of a mode at d; rest: kz, or the direction q."""
    l, m, _, singular = labels
    if family == 0:
        return cartesian_spherical(l, m, d, k, singular)
    if family == 1:
        return cartesian_cylindrical(m, d, rest[0], k, singular)
    length = (rest[0] ** 2 + rest[1] ** 2 + rest[2] ** 2).sqrt()
    v = [k * q / length for q in rest]
    return plane_parts(v, (I * (v[0] * d[0] + v[1] * d[1] + v[2] * d[2])).exp())


def field(labels, x):
    """One mode in a medium: E, Z0 H, D / eps0, c B, G or F (0 .. 5); x = x, y, z, k0, epsilon, mu, kappa, then kz or q."""
    family, l, m, pol, singular, poltype, which, helicity = labels
    d, k0, (eps, mu, kappa), rest = x[:3], x[3], x[4:7], x[7:]
    n, z, s = (eps * mu).sqrt(), (mu / eps).sqrt(), s_of(pol)
    index = n + s * kappa
    wave = wave_at(family, (l, m, pol, singular), k0 * index, d, rest)
    if poltype:
        e = wave[pol]
        h = [-I / z * v for v in wave[1 - pol]]
    else:
        e = parts(2, *wave, pol)
        h = [-I * s / z * v for v in e]
    if which < 2:
        return [e, h][which]
    if which < 4:
        return [eps * a + I * kappa * b if which == 2 else mu * b - I * kappa * a for a, b in zip(e, h)]
    if not poltype and pol != helicity:
        return [acb(0)] * 3
    g = [a + I * s_of(helicity) * z * b for a, b in zip(e, h)]
    scale = (half_root() if family == 0 else arb(1) / 2) * (2 if poltype else 1)
    weight = (n + s_of(helicity) * kappa) / n if which == 5 else acb(1)
    return [scale * weight * v for v in g]


def plane_field(labels, x):
    """E of a plane wave; x = its wavevector and the point"""
    poltype, pol = labels
    return vpw((pol if poltype else 2, pol), x)


def coefficient(l, m, pol):
    """Of the sums over all modes to a degree: small integers, as the test has them."""
    return acb((7 * l + 3 * m + 5 * pol + 2000) % 11 - 5, (5 * l + 2 * m + 3 * pol + 2000) % 7 - 3)


def field_sum(labels, x):
    """E of all helicity modes to lmax with those coefficients; x = x, y, z, k."""
    lmax, singular = labels
    total = [acb(0)] * 3
    for l in range(1, lmax + 1):
        for m in range(-l, l + 1):
            wave = cartesian_spherical(l, m, x[:3], x[3], singular)
            for pol in (0, 1):
                total = [t + coefficient(l, m, pol) * v for t, v in zip(total, parts(2, *wave, pol))]
    return total


# ---- translations and rotations ----


def largest(terms):
    return max((abs(t).mid() for t in terms), default=arb(0))


def translation(lam, mu, l, m, kr, c, s, turn, singular):
    """A and B (Cruzan 1962; Beutel et al. 2024) and the largest term of each, turn = e^{i (m - mu) phi}"""
    w, w0 = gaunt_tables(l, lam, m, mu)
    z = spherical_bessel(l + lam, kr, singular)
    legendre = normalised_legendre(l + lam, m - mu, c, s)
    least, a, b = max(abs(l - lam), abs(m - mu)), [], []
    for p in range(l + lam, least - 1, -2):
        bracket = l * (l + 1) + lam * (lam + 1) - p * (p + 1)
        a.append((2 * p + 1) * i_power(lam - l + p) * w[p] * w0[p] * bracket * z[p] * legendre[p])
    for p in range(l + lam - 1, max(abs(l - lam) + 1, abs(m - mu)) - 1, -2):
        root = arb((l + lam + 1 + p) * (l + lam + 1 - p) * (p + lam - l) * (p - lam + l)).sqrt()
        b.append((2 * p + 1) * i_power(lam - l + p) * w[p] * w0[p - 1] * root * z[p] * legendre[p])
    factor = sign(m) * (arb((2 * l + 1) * (2 * lam + 1)) / (l * (l + 1) * lam * (lam + 1))).sqrt() / 2 * turn
    size = abs(factor).mid()
    return factor * sum(a, acb(0)), factor * sum(b, acb(0)), size * largest(a), size * largest(b)


def mixed(ab, pol, qol, poltype):
    """The coefficient and its largest term"""
    if poltype:
        return [ab[0], acb(ab[2])] if pol == qol else [ab[1], acb(ab[3])]
    return [ab[0] + s_of(pol) * ab[1], acb(max(ab[2], ab[3]))] if pol == qol else [acb(0), acb(0)]


def tl_vsw(labels, x):
    part, singular, lam, mu, l, m = labels
    kr, theta, phi = x
    ab = translation(lam, mu, l, m, kr, theta.cos(), theta.sin(), (I * (m - mu) * phi).exp(), singular)
    return [ab[part], acb(ab[2 + part])]


def sw_translate(labels, x):
    singular, poltype, lam, mu, pol, l, m, qol = labels
    kr, theta, phi = x
    turn = (I * (m - mu) * phi).exp()
    return mixed(translation(lam, mu, l, m, kr, theta.cos(), theta.sin(), turn, singular), pol, qol, poltype)


def sw_displace(labels, x):
    """The same by Cartesian d = r_destination - r_source: x = x, y, z, k."""
    singular, poltype, lam, mu, pol, l, m, qol = labels
    d, k = x[:3], x[3]
    rho = (d[0] ** 2 + d[1] ** 2).sqrt()
    r = (d[0] ** 2 + d[1] ** 2 + d[2] ** 2).sqrt()
    turn = ((d[0] + I * d[1]) / rho) ** (m - mu)
    return mixed(translation(lam, mu, l, m, k * r, d[2] / r, rho / r, turn, singular), pol, qol, poltype)


def tl_vcw(labels, x):
    singular, order = labels
    krr, phi, z, kz = x
    return [cylindrical_bessel(order, krr, singular) * (I * (order * phi + kz * z)).exp()]


def cw_displace(labels, x):
    """order = m - mu; x = x, y, z, kz, k"""
    singular, order = labels
    rho = (x[0] ** 2 + x[1] ** 2).sqrt()
    turn = ((x[0] + I * x[1]) / rho) ** order
    return [cylindrical_bessel(order, radial_wavenumber(x[4], x[3]) * rho, singular) * turn * (I * x[3] * x[2]).exp()]


def sw_rotate(labels, x):
    l, m, k = labels
    return [wigner_d(l, m, k, x[1]) * (-I * (m * x[0] + k * x[2])).exp()]


# ---- plane waves and periodic arrays ----


def coupling_terms(l, m, pol, qol, poltype, c, s):
    """sqrt(pi (2l+1) / (l (l+1)) (l-m)! / (l+m)!) times tau + s pi, tau or pi, and its largest term"""
    _, pi_, tau = angular(l, m, c, s)
    terms = [tau if pol == qol else pi_] if poltype else [tau, s_of(pol) * pi_] if pol == qol else [acb(0)]
    factor = (pi() * (2 * l + 1) / (l * (l + 1)) * factorial(l - m) / factorial(l + m)).sqrt()
    return factor * sum(terms, acb(0)), factor.mid() * largest(terms)


def coupling(*labels):
    return coupling_terms(*labels)[0]


def direction(k):
    """k, cos, sin, e^{i phi} of a wavevector"""
    q = (k[0] ** 2 + k[1] ** 2).sqrt()
    length = (k[0] ** 2 + k[1] ** 2 + k[2] ** 2).sqrt()
    if k[0] == 0 and k[1] == 0:
        return length, k[2] / length, acb(0), acb(1)
    return length, k[2] / length, q / length, (k[0] + I * k[1]) / q


def outward(kz):
    toward = kz.real if kz.imag == 0 else kz.imag
    return -kz if toward < 0 else kz


def phase_of(k, r):
    return (I * (k[0] * r[0] + k[1] * r[1] + k[2] * r[2])).exp()


def pw_to_sw(labels, x):
    """x = k, then the origin of the spherical wave; also its largest term"""
    poltype, l, m, pol, qol = labels
    _, c, s, turn = direction(x[:3])
    f, size = coupling_terms(l, m, pol, qol, poltype, c, s)
    factor = 2 * i_power(l) * turn ** (-m) * phase_of(x[:3], x[3:])
    return [factor * f, acb(abs(factor).mid() * size)]


def pw_to_cw(labels, x):
    (m,) = labels
    return [i_power(m) * direction(x[:3])[3] ** (-m) * phase_of(x[:3], x[3:])]


def cw_to_sw(labels, x):
    poltype, l, m, pol, qol = labels
    kz, k = x
    return [2 * i_power(l - m) * coupling(l, m, pol, qol, poltype, kz / k, radial_wavenumber(k, kz) / k)]


def sw_to_pw(labels, x):
    """x = k, area"""
    poltype, l, m, pol, qol = labels
    k, c, s, turn = direction(x[:3])
    return [i_power(-l) * turn**m * coupling(l, m, pol, qol, poltype, c, s) / (x[3] * k * outward(x[2]))]


def sw_to_cw(labels, x):
    """x = kz, k, period"""
    poltype, l, m, pol, qol = labels
    kz, k, period = x
    return [i_power(m - l) * coupling(l, m, pol, qol, poltype, kz / k, radial_wavenumber(k, kz) / k) / (2 * period * k)]


def cw_to_pw(labels, x):
    """x = k, period"""
    (m,) = labels
    return [2 * i_power(-m) * direction(x[:3])[3] ** m / (x[3] * outward(x[1]))]


def pw_permute(labels, x):
    """The wave of pol q, its components in the axes (z, x, y) or, inverse, (y, z, x), as pol p: by the algebraic products
    M.M = -1, N.N = 1, M.N = 0 of the waves there."""
    poltype, inverse, p, q = labels
    order = (1, 2, 0) if inverse else (2, 0, 1)
    wave = parts(q, *plane_parts(x, acb(1)), q) if poltype else parts(2, *plane_parts(x, acb(1)), q)
    m, n = plane_parts([x[i] for i in order], acb(1))
    along = [sum(b * wave[i] for b, i in zip(v, order)) for v in (m, n)]
    if poltype:
        return [along[1] if p else -along[0]]
    return [(along[1] - s_of(p) * along[0]) * half_root()]


def sw_channel(labels, x):
    """Incidence (role 0) and emission (1) of a lattice in xy: x = kx, ky, k, area, position."""
    role, side, poltype, l, m, pol, qol = labels
    kz = radial_wavenumber(x[2], (x[0] ** 2 + x[1] ** 2).sqrt()) * (-1 if side else 1)
    k = [x[0], x[1], kz]
    if role == 0:
        return pw_to_sw((poltype, l, m, pol, qol), k + x[4:])[:1]
    value = sw_to_pw((poltype, l, m, pol, qol), k + [x[3]])[0]
    return [value / phase_of(k, x[4:])]


def cw_channel(labels, x):
    """The same of a period along x: x = kz, kx, k, period, position."""
    role, side, m = labels
    across = radial_wavenumber(x[2], (x[0] ** 2 + x[1] ** 2).sqrt()) * (-1 if side else 1)
    k = [x[1], across, x[0]]
    if role == 0:
        return pw_to_cw((m,), k + x[4:])
    return [cw_to_pw((m,), k + [x[3]])[0] / phase_of(k, x[4:])]
