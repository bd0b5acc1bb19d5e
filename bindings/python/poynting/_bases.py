"""Sets of modes: which (particle, l, m, pol), which (particle, kz, m, pol) or which plane wave stands in which row."""
from __future__ import annotations

from functools import cached_property, lru_cache
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._media import Material, embedding
from ._types import Array, LatticeLike, MaterialLike, Modes, WaveVectorLike
from ._xp import is_concrete

if TYPE_CHECKING:
    from typing import Self

ALIGNMENTS = ("xy", "yz", "zx")
MODETYPES = ("regular", "singular", "up", "down")  # in the order of poy_modetype
NO_AXIAL = np.empty(0)  # records of spherical waves take no axial wavenumbers


class Basis:
    """Ordered, distinct modes. Behaves as a sequence of tuples; modes is the same as an array."""

    _kind = -1  # of poy_basis_kind
    _alignment = 0
    lattice: Any = None  # of bases made of diffraction orders
    kpar: Any = None
    positions: np.ndarray
    modes: np.ndarray

    @property
    def isglobal(self) -> bool:
        """Are all modes about one origin?"""
        return True

    @property
    def pol(self) -> np.ndarray:
        """[modes] whole numbers: the polarization of each, 0 or 1."""
        return self.modes[:, -1].real.astype(np.int64)

    @cached_property
    def _handle(self):
        return _core.basis(self._kind, self._alignment, np.asarray(self.modes, complex), np.asarray(self.positions, float))

    @cached_property
    def _places(self) -> dict:
        return {row: i for i, row in enumerate(self)}

    def _hold(self, modes: np.ndarray, positions: Any) -> None:
        self.modes, self.positions = modes, positions

    def _with(self, modes):
        """A basis of the same family with some of these modes."""
        raise NotImplementedError

    def _tuple(self, row):
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return map(self._tuple, self.modes.tolist())

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, (int, np.integer)):
            return self._tuple(self.modes[i].tolist())
        return self._with(self.modes[i])

    def __contains__(self, mode: Any) -> bool:
        return tuple(mode) in self._places

    def index(self, mode: Any) -> int:
        """Row of a mode."""
        try:
            return self._places[tuple(mode)]
        except KeyError:
            raise ValueError(f"the mode {tuple(mode)} is not in the basis") from None

    def count(self, mode: Any) -> int:
        """1 where the mode is in the basis, else 0."""
        return int(tuple(mode) in self)

    def isdisjoint(self, other: Any) -> bool:
        """Have the two no mode in common?"""
        return self._places.keys().isdisjoint(other)

    def __or__(self, other: Any) -> Self:
        return self._with([*self, *(row for row in other if row not in self._places)])

    def __and__(self, other: Any) -> Self:
        return self._with([row for row in self if row in other])

    def __sub__(self, other: Any) -> Self:
        return self._with([row for row in self if row not in other])

    def __eq__(self, other: Any) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or self._alignment != other._alignment or not np.array_equal(self.modes, other.modes):
            return False
        same = self.positions is other.positions
        return same or (is_concrete(self.positions) and is_concrete(other.positions)
                        and np.array_equal(self.positions, other.positions))

    def __getstate__(self) -> dict[str, Any]:
        """Of copies and pickles: without what is made again when it is asked for."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_handle", "_places")}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} modes)"


def _from_handle(cls, handle, **attributes):
    basis = cls.__new__(cls)
    rows = _core.basis_modes(handle)
    basis.modes = rows if cls is PlaneWaveBasis else rows.real.copy()
    basis.positions = np.zeros((1, 3))
    basis._handle = handle
    for name, value in attributes.items():
        setattr(basis, name, value)
    return basis


# ---- multipoles ----


def _places_of(positions, n) -> np.ndarray:
    positions = np.atleast_2d(np.zeros((n, 3)) if positions is None else np.asarray(positions, float))
    if positions.shape[1] != 3 or positions.ndim != 2:
        raise ValueError(f"positions have to be of shape (particles, 3), not {positions.shape}")
    return positions


class MultipoleBasis(Basis):
    """Multipoles about origins."""

    @property
    def pidx(self) -> np.ndarray:
        """[modes]: the origin of each."""
        return self.modes[:, 0].astype(np.int64)

    @property
    def m(self) -> np.ndarray:
        """[modes]: the order of each."""
        return self.modes[:, 2].astype(np.int64)

    @property
    def isglobal(self) -> bool:
        """Are all modes about one origin?"""
        return len(self.positions) == 1 or len(set(self.pidx)) <= 1

    def _with(self, modes):
        return type(self)(modes, self.positions)

    # what the records take
    _rows: np.ndarray
    _axial: np.ndarray = NO_AXIAL
    _waves: str | None = None  # the option of that name; None: spherical, its default

    def _rows_in(self, axial) -> np.ndarray:
        """_rows, their kz as places in axial."""
        return self._rows

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} modes, {len(self.positions)} origins)"


class SphericalBasis(MultipoleBasis):
    """Modes (pidx, l, m, pol) and the origins that they refer to. Rows (l, m, pol) mean one origin; a mode that comes twice
    counts once. pol: helicity 0 (negative), 1 (positive); of parity 0 (magnetic), 1 (electric)."""

    _kind = 0

    def __init__(self, modes: Modes, positions: Array = ((0, 0, 0),)):
        rows = [tuple(int(v) for v in row) for row in modes]
        rows = [row if len(row) == 4 else (0, *row) for row in rows]
        rows = list(dict.fromkeys(rows))
        places = _places_of(positions, 1)
        for pidx, l, m, pol in rows:
            if not (0 <= pidx < len(places) and 1 <= l <= 128 and abs(m) <= l and pol in (0, 1)):
                raise ValueError(f"mode (pidx {pidx}, l {l}, m {m}, pol {pol}): needs an origin that is there, 1 <= l <= 128, "
                                 "|m| <= l, pol 0 or 1")
        self._hold(np.array(rows, np.int64).reshape(-1, 4), places)

    _tuple = staticmethod(tuple)

    @classmethod
    def default(cls, lmax: int, nmax: int = 1, positions: Array = None) -> "SphericalBasis":
        """All modes up to lmax of nmax particles, in the order l, m, pol 1 before 0."""
        if positions is None:
            return _default(cls, lmax, nmax)  # type: ignore[arg-type]
        modes = [(n, l, m, p) for n in range(nmax) for l in range(1, lmax + 1) for m in range(-l, l + 1) for p in (1, 0)]
        return cls(modes, positions)

    @classmethod
    def ebcm(cls, lmax: int, nmax: int = 1, mmax: int = -1, positions: Array = None) -> "SphericalBasis":
        """All modes up to lmax with |m| <= mmax (below 0: lmax), in the order m, l, pol 1 before 0."""
        mmax = lmax if mmax < 0 else mmax
        modes = [(n, l, m, p) for n in range(nmax) for m in range(-mmax, mmax + 1) for l in range(max(1, abs(m)), lmax + 1)
                 for p in (1, 0)]
        return cls(modes, _places_of(positions, nmax))

    @staticmethod
    def defaultdim(lmax: int, nmax: int = 1) -> int:
        """The number of modes of default(lmax, nmax)."""
        return 2 * lmax * (lmax + 2) * nmax

    @staticmethod
    def defaultlmax(dim: int, nmax: int = 1) -> int:
        """The lmax of a default basis of dim modes. Raises ValueError where there is none."""
        lmax = int(round((1 + dim / (2 * nmax)) ** 0.5)) - 1
        if SphericalBasis.defaultdim(lmax, nmax) != dim:
            raise ValueError(f"{dim} is not the number of modes up to any l of {nmax} particles")
        return lmax

    @property
    def l(self) -> np.ndarray:  # noqa: E743
        """[modes]: the degree of each."""
        return self.modes[:, 1]

    @property
    def lms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """l, m, pol."""
        return (self.l, self.m, self.pol)

    @cached_property
    def _rows(self) -> np.ndarray:  # type: ignore[override]
        return self.modes.astype(float)


@lru_cache(maxsize=256)
def _default(cls: Any, lmax, nmax):
    return cls.default(lmax, nmax, np.zeros((nmax, 3)))


class CylindricalBasis(MultipoleBasis):
    """Modes (pidx, kz, m, pol) and the axes that they refer to; rows (kz, m, pol) mean one axis."""

    _kind = 1
    _waves = "cylindrical"

    def __init__(self, modes: Modes, positions: Array = ((0, 0, 0),)):
        rows = [tuple(row) for row in modes]
        rows = [row if len(row) == 4 else (0, *row) for row in rows]
        rows = list(dict.fromkeys((int(n), float(kz), int(m), int(p)) for n, kz, m, p in rows))
        places = _places_of(positions, 1)
        for pidx, kz, m, pol in rows:
            if not (0 <= pidx < len(places) and abs(kz) < np.inf and abs(m) <= 128 and pol in (0, 1)):
                raise ValueError(f"mode (pidx {pidx}, kz {kz}, m {m}, pol {pol}): needs an axis that is there, a finite kz, "
                                 "|m| <= 128, pol 0 or 1")
        self._hold(np.array(rows, float).reshape(-1, 4), places)

    @staticmethod
    def _tuple(row):
        return int(row[0]), row[1], int(row[2]), int(row[3])

    @classmethod
    def default(cls, kzs: Array, mmax: int, nmax: int = 1, positions: Array = None) -> "CylindricalBasis":
        """All modes with |m| <= mmax of these kz and nmax particles, in the order kz, m, pol 1 before 0."""
        modes = [(n, kz, m, p) for n in range(nmax) for kz in np.atleast_1d(kzs) for m in range(-mmax, mmax + 1)
                 for p in (1, 0)]
        return cls(modes, _places_of(positions, nmax))

    @classmethod
    def diffr_orders(cls, kz: float, mmax: int, lattice: LatticeLike, bmax: float, nmax: int = 1,
                     positions: Array = None) -> "CylindricalBasis":
        """The orders kz + 2 pi j / period of a chain along z with |2 pi j / period| <= bmax."""
        from ._lattice import Lattice, WaveVector

        lattice = Lattice(lattice, "z")
        if lattice.dim != 1:
            raise ValueError("the orders of a chain need the period along z")
        step = 2 * np.pi / abs(lattice.volume)
        most = int(np.floor(bmax / step * (1 + 8 * np.finfo(float).eps)))
        basis = cls.default(kz + step * np.arange(-most, most + 1), mmax, nmax, positions)
        basis.lattice, basis.kpar = lattice, WaveVector(kz, "z")
        return basis

    @staticmethod
    def defaultdim(nkz: int, mmax: int, nmax: int = 1) -> int:
        """The number of modes of default(kzs, mmax, nmax) with nkz values of kz."""
        return 2 * nkz * (2 * mmax + 1) * nmax

    @staticmethod
    def defaultmmax(dim: int, nkz: int = 1, nmax: int = 1) -> int:
        """The mmax of a default basis of dim modes. Raises ValueError where there is none."""
        mmax = (dim // (2 * nkz * nmax) - 1) // 2
        if mmax < 0 or CylindricalBasis.defaultdim(nkz, mmax, nmax) != dim:
            raise ValueError(f"{dim} is not the number of modes up to any |m| of {nkz} kz and {nmax} particles")
        return mmax

    @property
    def kz(self) -> np.ndarray:
        """[modes]: wavenumber along the axis."""
        return self.modes[:, 1]

    @property
    def zms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """kz, m, pol."""
        return (self.kz, self.m, self.pol)

    @cached_property
    def _axial(self) -> np.ndarray:  # type: ignore[override]
        return np.unique(self.kz)

    def _rows_in(self, axial) -> np.ndarray:
        rows = self.modes.copy()
        rows[:, 1] = np.searchsorted(axial, self.kz)
        return rows

    @cached_property
    def _rows(self) -> np.ndarray:  # type: ignore[override]
        return self._rows_in(self._axial)


# ---- plane waves ----


class PlaneWaveBasis(Basis):
    """Modes (qx, qy, qz, pol) of unit directions, which may be complex with q.q = 1: evanescent waves."""

    _kind = 2

    def __init__(self, modes: Modes):
        rows = [tuple(row) for row in modes]
        q = np.array([row[:3] for row in rows], complex).reshape(-1, 3)
        norm = np.sqrt(np.sum(q * q, axis=1))
        if not np.all(np.isfinite(q)) or np.any(norm == 0):
            raise ValueError("directions of plane waves have to be finite, with q.q not 0")
        pols = [int(row[3]) for row in rows]
        if any(p not in (0, 1) for p in pols):
            raise ValueError("pol of a mode is 0 or 1")
        q = q / norm[:, None] if len(q) else q
        distinct = dict.fromkeys((*row, p) for row, p in zip(map(tuple, q.tolist()), pols))
        self._hold(np.array(list(distinct), complex).reshape(-1, 4), np.zeros((1, 3)))

    @staticmethod
    def _tuple(row):
        return row[0], row[1], row[2], int(row[3].real)

    def _with(self, modes):
        return PlaneWaveBasis(modes)

    @classmethod
    def default(cls, kvecs: Array) -> "PlaneWaveBasis":
        """pol 1 and 0 of each direction, shape (n, 3)."""
        return cls([(*q, p) for q in np.atleast_2d(kvecs) for p in (1, 0)])

    @property
    def qx(self) -> np.ndarray:
        """[modes]: component of the unit direction."""
        return self.modes[:, 0]

    @property
    def qy(self) -> np.ndarray:
        """[modes]: component of the unit direction."""
        return self.modes[:, 1]

    @property
    def qz(self) -> np.ndarray:
        """[modes]: component of the unit direction."""
        return self.modes[:, 2]

    def kvecs(self, k0: float, material: MaterialLike = 1, modetype: str | None = None) -> tuple[np.ndarray, ...]:
        """(kx, ky, kz) of each mode."""
        return tuple(_core.basis_kvecs(embedding(k0, Material(material)), self._handle, 2).T)

    def rotate(self, phi: float) -> "PlaneWaveBasis":
        """The same waves turned about z by phi (radians)."""
        return _from_handle(PlaneWaveBasis, _core.basis_rotated(self._handle, phi))

    def permute(self, n: int = 1) -> "PlaneWaveBasis":
        """The same waves in axes permuted cyclically, x -> y -> z, n times."""
        return _from_handle(PlaneWaveBasis, _core.basis_permuted(self._handle, n))

    def bycomp(self, k0: float, alignment: str = "xy", material: MaterialLike = 1) -> "PlaneWavePorts":
        """The same waves as ports of this alignment."""
        place = alignment_of(alignment)
        handle = _core.by_component(embedding(k0, Material(material)), self._handle, place)
        return _from_handle(PlaneWavePorts, handle, _alignment=place)


def alignment_of(name: str) -> int:
    """Place of an alignment among ALIGNMENTS. Raises ValueError."""
    if name not in ALIGNMENTS:
        raise ValueError(f"alignment {name!r}: it is xy, yz or zx")
    return ALIGNMENTS.index(name)


class PlaneWavePorts(Basis):
    """Plane waves by two components of the wavevector and pol; the third component follows from the medium and from up or down.
    alignment names the stored components; what is left is the normal."""

    _kind = 3

    def __init__(self, modes: Modes, alignment: str = "xy"):
        rows = [tuple(row) for row in modes]
        rows = list(dict.fromkeys((float(a), float(b), int(p)) for a, b, p in rows))
        if not all(abs(a) < np.inf and abs(b) < np.inf and p in (0, 1) for a, b, p in rows):
            raise ValueError("ports have two finite components and pol 0 or 1")
        self._alignment = alignment_of(alignment)
        self._hold(np.array(rows, float).reshape(-1, 3), np.zeros((1, 3)))

    @staticmethod
    def _tuple(row):
        return row[0], row[1], int(row[2])

    def _with(self, modes):
        return PlaneWavePorts(modes, self.alignment)

    @classmethod
    def default(cls, kpars: Array, alignment: str = "xy") -> "PlaneWavePorts":
        """pol 1 and 0 of each pair of components, shape (n, 2)."""
        return cls([(*k, p) for k in np.atleast_2d(kpars) for p in (1, 0)], alignment)

    @classmethod
    def diffr_orders(cls, kpar: WaveVectorLike, lattice: LatticeLike, bmax: float, *, alignment: str | None = None) -> "PlaneWavePorts":
        """kpar + G for all reciprocal vectors |G| <= bmax; the zeroth first, then pairs of opposite ones."""
        from ._lattice import Lattice, WaveVector

        lattice = Lattice(lattice, alignment)
        if lattice.dim != 2:
            raise ValueError(f"ports belong to a lattice of 2 dimensions, this one has {lattice.dim}")
        wave = WaveVector(kpar, lattice.alignment)
        place = alignment_of(lattice.alignment)
        handle = _core.ports_orders(place, wave.along(lattice.alignment), tuple(map(tuple, np.asarray(lattice).tolist())),
                                    float(bmax))
        return _from_handle(cls, handle, _alignment=place, lattice=lattice, kpar=wave)

    @property
    def alignment(self) -> str:
        """The components that are stored: "xy", "yz" or "zx"."""
        return ALIGNMENTS[self._alignment]

    @property
    def normal_axis(self) -> str:
        """The axis that is left."""
        return "zxy"[self._alignment]

    @property
    def components(self) -> np.ndarray:
        """[modes, 2]: the two components of each wavevector."""
        return self.modes[:, :2]

    def _component(self, axis):
        return self.modes[:, self.alignment.index(axis)] if axis in self.alignment else None

    @property
    def kx(self) -> np.ndarray | None:
        """[modes]; None where x is the normal."""
        return self._component("x")

    @property
    def ky(self) -> np.ndarray | None:
        """[modes]; None where y is the normal."""
        return self._component("y")

    @property
    def kz(self) -> np.ndarray | None:
        """[modes]; None where z is the normal."""
        return self._component("z")

    def kvecs(self, k0: float, material: MaterialLike = 1, modetype: str = "up") -> tuple[np.ndarray, ...]:
        """(kx, ky, kz) of each mode."""
        return tuple(_core.basis_kvecs(embedding(k0, Material(material)), self._handle, MODETYPES.index(modetype)).T)

    def byunitvector(self, k0: float, material: MaterialLike = 1, modetype: str = "up") -> PlaneWaveBasis:
        """The same waves by their directions."""
        handle = _core.by_unit_vector(embedding(k0, Material(material)), self._handle, MODETYPES.index(modetype))
        return _from_handle(PlaneWaveBasis, handle)

    def rotate(self, phi: float) -> "PlaneWavePorts":
        """The same waves turned about z by phi (radians); ports along z only."""
        return self._moved(_core.basis_rotated(self._handle, phi), "rotate", phi)

    def permute(self, n: int = 1) -> "PlaneWavePorts":
        """The same waves in axes permuted cyclically, x -> y -> z."""
        return self._moved(_core.basis_permuted(self._handle, n), "permute", n)

    def _moved(self, handle, how, by):
        basis = _from_handle(PlaneWavePorts, handle, _alignment=_core.basis_alignment(handle))
        if self.lattice is not None:
            basis.lattice, basis.kpar = getattr(self.lattice, how)(by), getattr(self.kpar, how)(by)
        return basis
