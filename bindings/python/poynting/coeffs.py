"""poynting.coeffs: coefficients of spheres, cylinders and interfaces."""
from __future__ import annotations

import numpy as np

from ._dispatch import call
from ._records import options_text
from .diff import _every_medium

__all__ = ["fresnel", "mie", "mie_cyl"]


def mie(l: int, x, epsilon, mu, kappa):  # noqa: E741
    """[2, 2] of a layered sphere of size parameters x, media inside out, what is around last."""
    return call("poy.mie", options_text({"degree": l}), np.atleast_1d(x), *_every_medium(x, epsilon, mu, kappa))


def mie_cyl(kz, m: int, k0, radii, epsilon, mu, kappa):
    """The same of a layered cylinder."""
    return call("poy.mie_cyl", options_text({"order": m}), kz, k0, np.atleast_1d(radii), *_every_medium(radii, epsilon, mu, kappa))


def fresnel(ks, kzs, zs) -> np.ndarray:
    """[2 out][2 in][2 pol out][2 pol in] of the plane between two media: wavenumbers and their normal components [2 sides][2 pols],
    impedances [2 sides]; side 0 is above."""
    from . import _core

    return _core.fresnel(np.asarray(ks, complex), np.asarray(kzs, complex), np.asarray(zs, complex))
