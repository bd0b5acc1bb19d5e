"""poynting.cw: coefficients between cylindrical waves, and from arrays of them, element by element."""
from __future__ import annotations

from ._bases import CylindricalBasis
from ._elements import bind as _bind
from ._types import Number
from .sw import _periodic

__all__ = [*_bind(globals(), "cw"), "translate_periodic"]


def translate_periodic(ks, kpar, a, rs, out, in_=None, rsin=None, eta: Number = 0):
    """What waves about the axes rsin (rs) and all their images on the lattice a are as regular waves about the axes rs: modes
    out = (pidx, kz, m, pol) and in_ as arrays of labels."""
    return _periodic(CylindricalBasis, ks, kpar, a, rs, out, in_, rsin, None, eta)
