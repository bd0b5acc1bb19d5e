"""Where the points of the reference tables lie: for each function a draw of labels and inputs. wide: the whole domain, for
values; else moderate numbers, for derivatives."""
import math
import random

state = random.Random()


def uniform(low, high):
    return low + (high - low) * state.random()


def integer(low, high):
    """Both ends included."""
    return low + int(state.random() * (high - low + 1))


def one_in(n):
    return integer(1, n) == 1


def degree(wide, least=1):
    """Mostly low ones; wide to 128, else to 40."""
    if wide:
        return integer(least, 12 if integer(0, 2) else 128)
    return integer(least, 40 if one_in(5) else 8)


def order(l):
    return (l if one_in(2) else -l) if one_in(6) else integer(-l, l)


def argument(low, high, limit=800.0, upper=False):
    """Modulus 10^low .. 10^high, on an axis, near one, or of any direction; |Im| <= limit. upper: no negative Im, and not the
    negative real axis."""
    r, small = 10.0 ** uniform(low, high), 10.0 ** uniform(-18.0, 0.0)
    angle = uniform(-math.pi, math.pi)
    case = integer(0, 6)
    re, im = [(r, 0.0), (0.0, r), (r, r * small), (r * small, r)][case] if case < 4 else (r * math.cos(angle),
                                                                                       r * math.sin(angle))
    if upper:
        im = abs(im)
    if abs(im) > limit:
        im = math.copysign(limit * state.random(), im)
    return re, im


def moderate(upper=False):
    re, im = uniform(0.3, 4.0), uniform(-1.0, 1.0)
    return re, abs(im) if upper else im


def real(low, high):
    return uniform(low, high), 0.0


def polar(wide, may_be_complex=False):
    """theta in (0, pi), also 1e-12 from its ends"""
    im = uniform(-2.0, 2.0) if may_be_complex and one_in(3) else 0.0
    if not wide:
        return uniform(0.3, 2.8), im / 4
    return [10.0 ** uniform(-12.0, 0.0), 3.14159265358979 - 10.0 ** uniform(-12.0, 0.0), uniform(0.001, 3.14),
            uniform(0.001, 3.14)][integer(0, 3)], im


def azimuth():
    return real(-4.0, 4.0)


def displacement(wide, modulus):
    """Cartesian, of any direction, also beside the z axis."""
    if not wide:
        return [real(0.3, 1.6), real(-1.6, -0.3), real(0.2, 1.5)]
    theta, phi = polar(True)[0], uniform(-3.1, 3.1)
    return [(v, 0.0) for v in (modulus * math.sin(theta) * math.cos(phi), modulus * math.sin(theta) * math.sin(phi),
                               modulus * math.cos(theta))]


def wavevector(wide):
    """Propagating, evanescent, complex, and beside the z axis."""
    if not wide:
        return [(uniform(0.4, 1.5), uniform(-0.2, 0.2)) for _ in range(3)]
    small = 10.0 ** uniform(-10.0, 0.0)
    kx, ky, kz = uniform(-2.0, 2.0), uniform(-2.0, 2.0), uniform(-2.0, 2.0)
    return [[(kx, 0.0), (ky, 0.0), (kz, 0.0)], [(kx, 0.0), (ky, 0.0), (0.0, abs(kz))],
            [(kx * small, 0.0), (ky * small, 0.0), (kz, 0.0)], [(0.0, 0.0), (0.0, 0.0), (kz, 0.0)],
            [(1.5 + 0.3 * kx, 0.1 * ky), (1.0 + 0.3 * ky, 0.1 * kz), (kz, abs(0.3 * kx))]][integer(0, 4)]


def bit():
    return integer(0, 1)


# ---- single waves: labels, inputs ----


def vsh(wide):
    kind = integer(0, 2)
    l = degree(wide, 0 if kind == 2 else 1)
    return (kind, l, order(l)), [polar(wide, True), azimuth()]


def vsw(wide):
    l, singular = degree(wide), bit()
    x = argument(-6.0 if singular else -30.0, 5.0) if wide else moderate()
    return (integer(0, 2), singular, l, order(l), bit()), [x, polar(wide, True), azimuth()]


def vcw(wide):
    singular = bit()
    x = argument(-6.0 if singular else -30.0, 5.0, upper=singular) if wide else moderate(upper=True)
    k = (uniform(0.5, 4.0), uniform(0.1, 1.0))
    return (integer(0, 2), singular, order(degree(wide, 0)), bit()), [real(-3.0, 3.0), x, azimuth(), real(-9.0, 9.0), k]


def vpw(wide):
    size = 10.0 ** uniform(-3.0, 3.0) if wide else 2.0
    return (integer(0, 2), bit()), wavevector(wide) + [real(-size, size) for _ in range(3)]


def medium(wide):
    return [(uniform(0.5, 2.0), 0.0), (uniform(1.0, 5.0), uniform(0.0, 1.0)), (uniform(0.7, 2.0), uniform(0.0, 0.3))]


def plane_field(wide):
    return (bit(), bit()), vpw(wide)[1]


def field(wide):
    family, poltype, which = integer(0, 2 if wide else 1), bit(), integer(0, 5) if wide else 0
    l = degree(wide)
    singular = bit() if family < 2 else 0
    k0, eps, mu = medium(wide)
    kappa = (0.0, 0.0) if poltype else (uniform(-0.2, 0.2), uniform(0.0, 0.02))
    if wide and one_in(3):
        eps, mu, kappa = (eps[0], 0.0), (1.0, 0.0), (kappa[0], 0.0)
    modulus = 10.0 ** uniform(-2.0 if singular else -9.0, 1.5 if wide else 0.3)
    rest = [[], [real(-0.4, 0.4)], [(uniform(0.2, 1.0), uniform(-0.1, 0.1)) for _ in range(3)]][family]
    if family == 2 and one_in(2):
        rest = [(v[0], 0.0) for v in rest]
    return ((family, l, order(l), bit(), singular, poltype, which, bit()),
            displacement(wide, modulus) + [k0, eps, mu, kappa] + rest)


def field_sum(wide):
    lmax, singular = integer(1, 12 if wide else 6), bit()
    if wide and one_in(12):
        lmax = integer(13, 24)
    k = (uniform(0.5, 2.0), uniform(0.0, 0.5) if one_in(2) else 0.0)
    modulus = 10.0 ** uniform(-1.0 if singular else -6.0, 1.6)
    return (lmax, singular), displacement(wide, modulus) + [k]


# ---- translations and rotations ----


def pair(wide):
    lam, l = degree(wide), degree(wide)
    return lam, order(lam), l, order(l)


def tl_vsw(wide):
    singular = bit()
    return (bit(), singular, *pair(wide)), [argument(-6.0 if singular else -12.0, 5.0), polar(wide), azimuth()]


def sw_translate(wide):
    lam, mu, l, m = pair(wide)
    poltype, pol = bit(), bit()
    return (bit(), poltype, lam, mu, pol, l, m, bit() if poltype else pol), [moderate(), polar(wide), azimuth()]


def sw_displace(wide):
    singular, poltype = bit(), bit()
    lam, mu, l, m = pair(wide)
    pol = bit()
    k = (uniform(0.5, 2.0), uniform(0.0, 0.5) if one_in(2) else 0.0)
    modulus = 10.0 ** uniform(-3.0 if singular else -9.0, 3.0)
    return (singular, poltype, lam, mu, pol, l, m, bit() if poltype else pol), displacement(wide, modulus) + [k]


def tl_vcw(wide):
    singular = bit()
    krr = argument(-6.0 if singular else -30.0, 5.0, upper=singular) if wide else moderate(upper=True)
    return (singular, integer(-256, 256) if wide else integer(-9, 9)), [krr, azimuth(), real(-9.0, 9.0), real(-2.0, 2.0)]


def cw_displace(wide):
    singular = bit()
    modulus = 10.0 ** uniform(-3.0 if singular else -9.0, 3.0)
    return ((singular, integer(-60, 60) if wide else integer(-6, 6)),
            displacement(wide, modulus) + [real(-0.4, 0.4), (uniform(0.5, 2.0), uniform(0.0, 0.3) if one_in(2) else 0.0)])


def sw_rotate(wide):
    l = degree(wide)
    return (l, order(l), order(l)), [azimuth(), polar(wide), azimuth()]


# ---- plane waves and periodic arrays ----


def modes(wide):
    l = degree(wide)
    poltype, pol = bit(), bit()
    return poltype, l, order(l), pol, bit() if poltype else pol


def place(wide):
    return [real(-3.0, 3.0) for _ in range(3)]


def pw_to_sw(wide):
    return modes(wide), wavevector(wide) + place(wide)


def pw_to_cw(wide):
    k = wavevector(wide)
    return (order(degree(wide, 0)),), k[:2] + [(k[2][0] or 0.7, 0.0)] + place(wide)


def axial(wide):
    return [real(-3.0, 3.0) if wide else real(-0.4, 0.4), (uniform(0.5, 4.0), uniform(0.1, 1.0) if wide else 0.2)]


def cw_to_sw(wide):
    return modes(wide), axial(wide)


def sw_to_pw(wide):
    k = wavevector(wide)
    return modes(wide), k + [real(0.3, 20.0)]


def sw_to_cw(wide):
    return modes(wide), axial(wide) + [real(0.3, 9.0)]


def cw_to_pw(wide):
    k = [real(-2.0, 2.0), (0.0, uniform(0.1, 2.0)) if one_in(3) else (uniform(-2.0, 2.0), uniform(0.0, 0.3)),
         real(-1.0, 1.0)]
    return (order(degree(wide, 0)),), k + [real(0.3, 9.0)]


def pw_permute(wide):
    k = wavevector(wide)
    if k[0] == k[1] == (0.0, 0.0): # along an axis by convention, not by these products
        k[0] = (0.5, 0.0)
    poltype, p = bit(), bit()
    return (poltype, bit(), p, bit() if poltype else p), k


def sw_channel(wide):
    return (bit(), bit(), *modes(wide)), [real(0.2, 0.9), real(-0.9, -0.2), (uniform(1.6, 3.0), uniform(0.1, 0.4)),
                                          real(0.5, 9.0)] + place(wide)


def cw_channel(wide):
    return (bit(), bit(), order(degree(wide, 0))), [real(-0.5, 0.5), real(0.2, 0.9), (uniform(1.6, 3.0), uniform(0.1, 0.4)),
                                                    real(0.5, 9.0)] + place(wide)
