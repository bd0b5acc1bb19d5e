"""Lattices and Bloch vectors along named Cartesian axes."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ._types import LatticeLike, WaveVectorLike

_DEFAULT = {1: "z", 2: "xy", 3: "xyz"}
_NAMES = {1: ("x", "y", "z"), 2: ("xy", "yz", "zx"), 3: ("xyz",)}
_NEXT = {"x": "y", "y": "z", "z": "x"}


def _permuted(alignment: str, n: int) -> str:
    for _ in range(n % 3):
        alignment = "".join(_NEXT[c] for c in alignment)
    return alignment if len(alignment) < 3 else "xyz"


class Lattice:
    """Rows are lattice vectors, along the axes that alignment names: a period ("z" unless said otherwise), the sides of a
    rectangle or box, or a square matrix ("xy", "yz", "zx"; "xyz"). Lattice(lattice, "xy") is the part along x and y."""

    alignment: str
    _rows: np.ndarray

    def __init__(self, arr: LatticeLike, alignment: str | None = None):
        if isinstance(arr, Lattice):
            rows, names = _part(arr, alignment)
        else:
            rows = np.array(arr, float)
            rows = rows.reshape(1, 1) if rows.ndim == 0 or rows.shape == (1,) else np.diag(rows) if rows.ndim == 1 else rows
            names = alignment or _DEFAULT.get(len(rows), "")
        if rows.ndim != 2 or rows.shape[0] != rows.shape[1] or not 1 <= len(rows) <= 3:
            raise ValueError(f"a lattice is a period, 2 or 3 sides, or a square matrix of rows; received shape {rows.shape}")
        if names not in _NAMES[len(rows)]:
            raise ValueError(f"alignment {names!r} of a lattice of {len(rows)} dimensions: it is one of "
                             f"{', '.join(_NAMES[len(rows)])}")
        if not np.all(np.isfinite(rows)) or np.linalg.det(rows) == 0:
            raise ValueError("the rows of a lattice have to be finite and independent")
        rows.flags.writeable = False
        self._rows, self.alignment = rows, names

    @classmethod
    def square(cls, pitch: float, alignment: str | None = None) -> "Lattice":
        """Two sides of this length."""
        return cls([pitch, pitch], alignment)

    @classmethod
    def cubic(cls, pitch: float, alignment: str | None = None) -> "Lattice":
        """Three sides of this length."""
        return cls([pitch, pitch, pitch], alignment)

    @classmethod
    def rectangular(cls, x: float, y: float, alignment: str | None = None) -> "Lattice":
        """Two sides."""
        return cls([x, y], alignment)

    @classmethod
    def orthorhombic(cls, x: float, y: float, z: float, alignment: str | None = None) -> "Lattice":
        """Three sides."""
        return cls([x, y, z], alignment)

    @classmethod
    def hexagonal(cls, pitch: float, height: float | None = None, alignment: str | None = None) -> "Lattice":
        """Rows (pitch, 0) and (pitch / 2, sqrt(3) pitch / 2), with a height also (0, 0, height)."""
        plane = np.array([[pitch, 0], [0.5 * pitch, np.sqrt(0.75) * pitch]])
        if height is None:
            return cls(plane, alignment)
        return cls(np.block([[plane, np.zeros((2, 1))], [np.zeros((1, 2)), np.full((1, 1), height)]]), alignment)

    @property
    def dim(self) -> int:
        """1, 2 or 3."""
        return len(self._rows)

    @property
    def volume(self) -> float:
        """Period, area or volume of a cell, with the sign of its handedness."""
        return float(np.linalg.det(self._rows))

    @property
    def reciprocal(self) -> np.ndarray:
        """Rows b with a_i b_j = 2 pi delta_ij."""
        return 2 * np.pi * np.linalg.inv(self._rows).T

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        rows = self._rows.astype(dtype) if dtype is not None else self._rows
        rows = rows[0, 0] if self.dim == 1 else rows
        return np.array(rows) if copy or np.ndim(rows) == 0 else rows

    def __getitem__(self, key: Any) -> Any:
        return np.asarray(self)[key]

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Lattice) and self.alignment == other.alignment and np.array_equal(self._rows, other._rows)

    def permute(self, n: int = 1) -> "Lattice":
        """The axes permuted cyclically, x -> y -> z, n times."""
        if self.dim < 3:
            return Lattice(self._rows, _permuted(self.alignment, n))
        return Lattice(np.roll(self._rows, n, axis=1))

    def rotate(self, phi: float) -> "Lattice":
        """Turned about z; along x or y only where it stays along an axis."""
        if self.alignment == "z":
            return self
        c, s = np.cos(phi), np.sin(phi)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        full = np.zeros((self.dim, 3))
        full[:, ["xyz".index(a) for a in self.alignment]] = self._rows
        full = full @ turn.T
        full[np.abs(full) < 1e-14 * np.max(np.abs(full))] = 0
        for names in _NAMES[self.dim]:
            axes = ["xyz".index(a) for a in names]
            if not np.any(np.delete(full, axes, axis=1)):
                return Lattice(full[:, axes], names)
        raise ValueError(f"turned by {phi:g}, the lattice along {self.alignment} is along no Cartesian axes")

    def isdisjoint(self, other: "Lattice") -> bool:
        """Have the two no Cartesian axis in common?"""
        return set(self.alignment).isdisjoint(other.alignment)

    def __repr__(self) -> str:
        return f"Lattice({self._rows.tolist()}, alignment={self.alignment!r})"


def _part(lattice: Lattice, alignment: str | None):
    names = alignment or lattice.alignment
    if names == lattice.alignment:
        return np.array(lattice._rows), names
    if not set(names) <= set(lattice.alignment):
        raise ValueError(f"a lattice along {lattice.alignment} has no part along {names}")
    axes = [lattice.alignment.index(a) for a in names]
    rest = [i for i in range(lattice.dim) if i not in axes]
    rows = [row for row in lattice._rows if not np.any(row[rest])]
    if len(rows) != len(axes):
        raise ValueError(f"the rows of the lattice along {lattice.alignment} mix {names} with the rest")
    return np.array(rows)[:, axes], names


class WaveVector:
    """A wavevector of which some components may be open: NaN. Three values are (kx, ky, kz), one or two those along
    alignment ("z", "xy")."""

    _k: tuple[Any, ...]

    def __init__(self, seq: Any = (), alignment: str | None = None):
        if isinstance(seq, WaveVector):
            self._k = seq._k
            return
        values = [v.item() if hasattr(v, "item") else v for v in (seq if np.ndim(seq) else [seq])]
        names = alignment or _DEFAULT.get(len(values), "")
        if len(values) == 3:
            names = "xyz"
        if values and (len(values) != len(names) or not set(names) <= set("xyz")):
            raise ValueError(f"{len(values)} components along {names!r}")
        k = dict(zip(names, values))
        self._k = tuple(k.get(a, float("nan")) for a in "xyz")

    def along(self, names: str) -> tuple[Any, ...]:
        """The components along these axes; each has to be there."""
        values = tuple(self._k["xyz".index(a)] for a in names)
        if any(v != v for v in values):
            raise ValueError(f"the wavevector {self} has no component along one of {', '.join(names)}")
        return values

    def __len__(self) -> int:
        return 3

    def __getitem__(self, key: Any) -> Any:
        return self._k[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._k)

    def __eq__(self, other: Any) -> bool:
        other = WaveVector(other)
        return all(a == b or (a != a and b != b) for a, b in zip(self, other))

    def isdisjoint(self, other: WaveVectorLike) -> bool:
        """Is no component given in both?"""
        return all(a != a or b != b for a, b in zip(self, WaveVector(other)))

    def __and__(self, other: WaveVectorLike) -> "WaveVector":
        """What either gives; both where they agree."""
        other = WaveVector(other)
        if any(a == a and b == b and a != b for a, b in zip(self, other)):
            raise ValueError(f"the wavevectors {self} and {other} exclude each other")
        return WaveVector([b if a != a else a for a, b in zip(self, other)])

    def __or__(self, other: WaveVectorLike) -> "WaveVector":
        """What both give and agree on."""
        return WaveVector([a if a == b else float("nan") for a, b in zip(self, WaveVector(other))])

    def permute(self, n: int = 1) -> "WaveVector":
        """The axes permuted cyclically, x -> y -> z, n times."""
        n %= 3
        return WaveVector(self._k[3 - n:] + self._k[:3 - n])

    def rotate(self, phi: float) -> "WaveVector":
        """Turned about z; a component that mixes with an open one is open."""
        kx, ky, kz = self._k
        c, s = np.cos(phi), np.sin(phi)
        open_part = float("nan")
        x = c * kx - s * ky if s else c * kx
        y = s * kx + c * ky if s else c * ky
        return WaveVector([x if x == x else open_part, y if y == y else open_part, kz])

    def __repr__(self) -> str:
        return f"WaveVector({list(self._k)})"


__all__ = ["Lattice", "WaveVector"]
