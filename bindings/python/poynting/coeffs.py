"""poynting.coeffs: coefficients of spheres, cylinders and interfaces."""
from __future__ import annotations

import numpy as np

from . import _core
from ._dispatch import backend_for, call
from ._records import options_text
from ._types import Array, Number

__all__ = ["fresnel", "mie", "mie_cyl"]


def _floating(*values) -> tuple:
    """Whole numbers of NumPy and of lists as what they mean here; frameworks judge their own."""
    if backend_for(*values) != "numpy":
        return values
    return tuple(v.astype(float) if v.dtype.kind in "iu" else v for v in map(np.asarray, values))


def mie(l: int, x: Array, epsilon: Array, mu: Array, kappa: Array) -> Array:  # noqa: E741
    """[2, 2] of a layered sphere of size parameters x, media inside out, what is around last."""
    return call("poy.mie", options_text({"degree": l}), *_floating(np.atleast_1d(x), epsilon, mu, kappa))


def mie_cyl(kz: Number, m: int, k0: Number, radii: Array, epsilon: Array, mu: Array, kappa: Array) -> Array:
    """The same of a layered cylinder."""
    return call("poy.mie_cyl", options_text({"order": m}), *_floating(kz, k0, np.atleast_1d(radii), epsilon, mu, kappa))


def fresnel(ks: Array, kzs: Array, zs: Array) -> np.ndarray:
    """[2 out][2 in][2 pol out][2 pol in] of the plane between two media: wavenumbers and their normal components [2 sides][2 pols],
    impedances [2 sides], of the media below and above; arrays of interfaces in front."""
    ks, kzs, zs = (np.asarray(v, complex) for v in (ks, kzs, zs))
    shape = np.broadcast_shapes(ks.shape[:-2], kzs.shape[:-2], zs.shape[:-1])
    ks, kzs, zs = (np.ascontiguousarray(np.broadcast_to(v, (*shape, *core))) for v, core in
                   ((ks, (2, 2)), (kzs, (2, 2)), (zs, (2,))))
    return _core.fresnel(ks, kzs, zs).reshape(*shape, 2, 2, 2, 2)
