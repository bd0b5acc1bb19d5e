"""poynting.diff: records with their derivatives, on NumPy: each function returns (value, context), and the context has
pullback(cotangent, ...) and pushforward(tangent, ...). Names and arguments are those of treams-rs; docs/records.md says what
each computes."""
from __future__ import annotations

import numpy as np

from ._records import options_text, record


def _apply(name, options, *values):
    return record(f"poy.{name}", options_text(options))(*values)


def _media(epsilon, mu, kappa):
    n = np.shape(epsilon)
    return epsilon, np.ones(n, complex) if mu is None else mu, np.zeros(n, complex) if kappa is None else kappa


def _labels(value, like):
    return np.broadcast_to(np.asarray(value, float), np.shape(like))


def solve(operator, rhs):
    return _apply("solve", {}, operator, rhs)


def interaction(local, coupling):
    return _apply("interaction", {}, local, coupling)


def illuminate(local, coupling, incident):
    return _apply("illuminate", {}, local, coupling, incident)


def eig(operator):
    return _apply("eig", {}, operator)


def svdvals(operator):
    return _apply("svdvals", {}, operator)


def sphere(lmax, k0, radii, epsilon, mu=None, kappa=None):
    return _apply("sphere", {"lmax": lmax}, k0, radii, *_media(epsilon, mu, kappa))


def cylinder(kzs, mmax, k0, radii, epsilon, mu=None, kappa=None):
    return _apply("cylinder", {"mmax": mmax}, kzs, k0, radii, *_media(epsilon, mu, kappa))


def mie(degree, x, epsilon, mu, kappa):
    return _apply("mie", {"degree": degree}, x, epsilon, mu, kappa)


def mie_cyl(kz, order, k0, radii, epsilon, mu, kappa):
    return _apply("mie_cyl", {"order": order}, kz, k0, radii, epsilon, mu, kappa)


def bessel(order, z, function="j", spherical=False, derivative=False):
    options = {"function": function, "spherical": spherical, "derivative": derivative}
    return _apply("bessel", options, _labels(order, z), z)


def angular(degree, order, z, function="legendre"):
    return _apply("angular", {"function": function}, _labels(degree, z), _labels(order, z), z)


def incgamma(n, z):
    return _apply("incgamma", {}, _labels(n, z), z)


def sph_harm(theta, phi, degree, order):
    return _apply("sph_harm", {}, theta, phi, _labels(degree, theta), _labels(order, theta))


def tmatrix_metric(operator, ks, polarizations, metric="cd"):
    return _apply("tmatrix_metric", {"metric": metric}, operator, ks, np.asarray(polarizations, float))
