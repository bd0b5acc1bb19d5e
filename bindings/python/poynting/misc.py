"""poynting.misc: media, wavevectors, Brillouin zones, and matrices between mode labels."""
from __future__ import annotations

import numpy as np

from ._elements import bind as _bind
from ._media import Material
from ._types import Array

__all__ = [*_bind(globals(), "misc"), "basischange", "firstbrillouin1d", "firstbrillouin2d", "firstbrillouin3d", "pickmodes",
           "refractive_index"]


def refractive_index(epsilon: Array = 1, mu: Array = 1, kappa: Array = 0) -> np.ndarray:
    """Indices of negative and positive helicity, [..., 2]."""
    epsilon, mu, kappa = np.broadcast_arrays(epsilon, mu, kappa)
    pairs = [Material(e, m, k).nmp for e, m, k in zip(epsilon.ravel().tolist(), mu.ravel().tolist(), kappa.ravel().tolist())]
    out = np.array(pairs).reshape(*epsilon.shape, 2)
    return out if np.any(out.imag) or any(np.iscomplexobj(v) for v in (epsilon, mu, kappa)) else out.real


def _labels(columns):
    columns = [np.ravel(np.asarray(c)) for c in columns]
    return columns[:-1], columns[-1].astype(int)


def basischange(out, in_=None) -> np.ndarray:
    """From helicity to parity and back, between modes given as columns of labels, pol last."""
    rest, pol = _labels(out)
    other, q = _labels(out if in_ is None else in_)
    same = np.logical_and.reduce([a[:, None] == b for a, b in zip(rest, other)] or [np.ones((len(pol), len(q)), bool)])
    return np.where(same, np.where((pol[:, None] == 0) & (q == 0), -np.sqrt(0.5), np.sqrt(0.5)), 0.0)


def pickmodes(out, in_) -> np.ndarray:
    """Where the labels are the same."""
    return np.logical_and.reduce([np.ravel(a)[:, None] == np.ravel(b) for a, b in zip(out, in_)])


def firstbrillouin1d(kpar, b):
    """kpar less the multiples of b that bring it into (-b / 2, b / 2]."""
    kpar, b = np.asarray(kpar, float), np.abs(np.asarray(b, float))
    return kpar - b * np.ceil(kpar / b - 0.5)


def _first(kpar, b, n):
    kpar, b = np.asarray(kpar, float), np.asarray(b, float)
    start = kpar - np.round(np.linalg.solve(b.T, kpar)) @ b
    steps = np.stack(np.meshgrid(*[np.arange(-n, n + 1)] * len(b), indexing="ij"), -1).reshape(-1, len(b))
    found = start + steps @ b
    length = np.linalg.norm(found, axis=1)
    shortest = found[length <= length.min() * (1 + 1e-12) + 1e-300]
    return shortest[np.lexsort(shortest.T[::-1])[-1]]


def firstbrillouin2d(kpar, b, n: int = 2) -> np.ndarray:
    """The shortest of kpar + G for the lattice of the rows of b; of equals that which is larger in its first component."""
    return _first(kpar, b, n)


def firstbrillouin3d(kpar, b, n: int = 2) -> np.ndarray:
    """The same in three dimensions."""
    return _first(kpar, b, n)
