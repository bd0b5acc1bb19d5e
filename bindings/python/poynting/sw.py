"""poynting.sw: coefficients between spherical waves, and from arrays of them, element by element."""
from __future__ import annotations

import numpy as np

from . import _core
from ._bases import SphericalBasis
from ._elements import bind as _bind
from ._types import Number
from ._waves import polarization_of as _polarization_of

__all__ = [*_bind(globals(), "sw"), "translate_periodic"]


def translate_periodic(ks, kpar, a, rs, out, in_=None, rsin=None, poltype=None, eta: Number = 0):
    """What waves about the origins rsin (rs) and all their images on the lattice a are as regular waves about the origins rs:
    modes out = (pidx, l, m, pol) and in_ as arrays of labels."""
    return _periodic(SphericalBasis, ks, kpar, a, rs, out, in_, rsin, poltype, eta)


def _periodic(family, ks, kpar, a, rs, out, in_, rsin, poltype, eta):
    from ._periodic import lattice_of

    lattice, wave = lattice_of(a, kpar, family)
    to = family(np.column_stack([np.ravel(c) for c in out]), rs)
    source = to if in_ is None and rsin is None else family(
        np.column_stack([np.ravel(c) for c in (out if in_ is None else in_)]), rs if rsin is None else rsin)
    minus, plus = (complex(k) for k in (np.ravel(ks) if np.size(ks) == 2 else np.repeat(np.ravel(ks), 2)))
    about = (1.0, ((minus + plus) / 2) ** 2, 1 + 0j, (plus - minus) / 2, int(_polarization_of(poltype, None) == "parity"))
    return _core.op_expand_lattice(about, lattice._rows, np.array(wave.along(lattice.alignment), float), float(np.real(eta)),
                                   to._handle, source._handle)
