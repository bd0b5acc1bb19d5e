"""poynting.io: T-matrices in files of the format tmat.h5."""
from __future__ import annotations

import os

import numpy as np

from . import _core
from ._bases import SphericalBasis
from ._media import Material, embedding
from ._tmatrix import TMatrix

LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "nm": 1e-9, "pm": 1e-12}


def _unit(lunit: str) -> float:
    if lunit not in LENGTHS:
        raise ValueError(f"lunit {lunit!r}: it is one of {', '.join(LENGTHS)}")
    return LENGTHS[lunit]


def load_hdf5(filename, lunit: str = "nm"):
    """The T-matrices of a file, lengths in lunit: one, or an array of those of its sweep, in the order of its axes."""
    found = []
    for k0, m, parity, handle, positions, values in _core.tmatrix_load(os.fspath(filename), _unit(lunit)):
        medium = Material(*(complex(m[i], m[i + 1]) for i in (0, 2, 4)))
        basis = SphericalBasis(_core.basis_modes(handle).real.astype(int), positions)
        found.append(TMatrix._of(k0, basis, medium, "parity" if parity else "helicity", values))
    if len(found) == 1:
        return found[0]
    out = np.empty(len(found), object)
    out[:] = found
    return out


def _flat(tms):
    """A sweep of any depth in row-major order."""
    if isinstance(tms, (list, tuple, np.ndarray)):
        return [t for part in tms for t in _flat(part)]
    return [tms]


def save_hdf5(filename, tms, name: str = "", description: str = "", keywords: str = "", *, lunit: str = "nm") -> None:
    """Writes T-matrices of the same modes and positions as one file."""
    rows = []
    for i, t in enumerate(_flat(tms)):
        if not isinstance(t, TMatrix):
            raise TypeError(f"matrix {i} is a {type(t).__name__}: files hold T-matrices of spherical waves")
        rows.append((embedding(t.k0, t.medium_, t.polarization), t.basis._handle, np.asarray(t.array, complex)))
    _core.tmatrix_save(os.fspath(filename), _unit(lunit), tuple(rows), name or None, description or None, keywords or None)


__all__ = ["LENGTHS", "load_hdf5", "save_hdf5"]
