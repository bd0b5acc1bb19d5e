"""Sets of multipoles: which (particle, l, m, pol) stand in which row."""
from __future__ import annotations

from functools import lru_cache

import numpy as np


class SphericalBasis:
    """Ordered modes (pidx, l, m, pol) and the origins that they refer to. Rows (l, m, pol) mean one origin; a mode that comes
    twice counts once. pol: helicity 0 (negative), 1 (positive); of parity 0 (magnetic), 1 (electric)."""

    def __init__(self, modes, positions=((0, 0, 0),)):
        rows = [tuple(int(v) for v in row) for row in modes]
        rows = [row if len(row) == 4 else (0, *row) for row in rows]
        rows = list(dict.fromkeys(rows))
        self.positions = np.atleast_2d(np.asarray(positions, float))
        if self.positions.shape[1] != 3 or self.positions.ndim != 2:
            raise ValueError(f"positions have to be of shape (particles, 3), not {self.positions.shape}")
        for pidx, l, m, pol in rows:
            if not (0 <= pidx < len(self.positions) and 1 <= l <= 128 and abs(m) <= l and pol in (0, 1)):
                raise ValueError(f"mode (pidx {pidx}, l {l}, m {m}, pol {pol}): needs an origin that is there, 1 <= l <= 128, "
                                 "|m| <= l, pol 0 or 1")
        self.modes = np.array(rows, np.int64).reshape(-1, 4)

    @classmethod
    def default(cls, lmax: int, nmax: int = 1, positions=None) -> "SphericalBasis":
        """All modes up to lmax of nmax particles, in the order l, m, pol 1 before 0."""
        if positions is None:
            return _default(cls, lmax, nmax)
        modes = [(n, l, m, p) for n in range(nmax) for l in range(1, lmax + 1) for m in range(-l, l + 1) for p in (1, 0)]
        return cls(modes, positions)

    @staticmethod
    def defaultdim(lmax: int, nmax: int = 1) -> int:
        return 2 * lmax * (lmax + 2) * nmax

    @staticmethod
    def defaultlmax(dim: int, nmax: int = 1) -> int:
        lmax = int(round((1 + dim / (2 * nmax)) ** 0.5)) - 1
        if SphericalBasis.defaultdim(lmax, nmax) != dim:
            raise ValueError(f"{dim} is not the number of modes up to any l of {nmax} particles")
        return lmax

    pidx = property(lambda self: self.modes[:, 0])
    l = property(lambda self: self.modes[:, 1])  # noqa: E741 - the degree
    m = property(lambda self: self.modes[:, 2])
    pol = property(lambda self: self.modes[:, 3])
    lms = property(lambda self: (self.l, self.m, self.pol))
    isglobal = property(lambda self: len(self.positions) == 1 or len(set(self.pidx)) <= 1)

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self):
        return iter(tuple(int(v) for v in row) for row in self.modes)

    def __getitem__(self, i):
        return next(iter(SphericalBasis([self.modes[i]], self.positions)))

    def __eq__(self, other) -> bool:
        return (isinstance(other, SphericalBasis) and np.array_equal(self.modes, other.modes)
                and np.array_equal(self.positions, other.positions))

    __hash__ = None

    def __repr__(self) -> str:
        return f"SphericalBasis({len(self)} modes, {len(self.positions)} origins)"

    # what the records take
    @property
    def _rows(self) -> np.ndarray:
        return self.modes.astype(float)


@lru_cache(maxsize=256)
def _default(cls, lmax, nmax):
    return cls.default(lmax, nmax, np.zeros((nmax, 3)))


NO_AXIAL = np.empty(0)  # records of spherical waves take no axial wavenumbers
