"""poynting.lattice: sums of outgoing waves over lattices by Ewald's method, and what lattices are made of.

lsum*: the whole sum; realsum*, recsum*: its part over lattice points or over diffraction orders at a split eta; dsum*: the terms of
shell i of the plain sum. sw: spherical waves of degree l and order m, cw: cylindrical ones of order m. Arguments broadcast."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._lattice import Lattice, WaveVector
from ._types import Array, Number

SumResult = Any  # an array of all sums; a number of one
_FULL, _REAL, _RECIPROCAL, _SHELL = range(4)


def _rows(a, dim):
    rows = np.asarray(a, float)
    if dim == 1:
        return rows.reshape(1, 1)
    return np.diag(rows) if rows.ndim == 1 else rows


def _sums(part, dim, l, m, k, kpar, a, r, last, spherical):  # noqa: E741
    """All sums that the labels and k ask for, one table a geometry."""
    eta, shell = (0.0, last) if part == _SHELL else (last, 0)
    if not 1 <= dim <= (3 if spherical else 2):
        raise ValueError(f"dim = {dim}: lattices of {'spherical' if spherical else 'cylindrical'} waves have 1 to "
                         f"{3 if spherical else 2} dimensions")
    rows = _rows(a, dim)
    wave = np.asarray(kpar.along({1: "z" if spherical else "x", 2: "xy", 3: "xyz"}[dim]) if isinstance(kpar, WaveVector) else kpar,
                      float)
    wave = wave.reshape(*wave.shape, 1) if dim == 1 and wave.shape[-1:] != (1,) else wave
    place = np.asarray(r, float)
    l, m, k, eta, shell = (np.asarray(v) for v in (l, m, k, eta, shell))  # noqa: E741
    shape = np.broadcast_shapes(l.shape, m.shape, k.shape, eta.shape, shell.shape, wave.shape[:-1], place.shape[:-1])
    l, m, k, eta, shell = (np.broadcast_to(v, shape).ravel() for v in (l, m, k, eta, shell))  # noqa: E741
    wave, place = (np.broadcast_to(v, (*shape, v.shape[-1])).reshape(-1, v.shape[-1]) for v in (wave, place))
    geometry: dict[tuple, list[int]] = {}
    for i in range(len(m)):
        geometry.setdefault((complex(k[i]), complex(eta[i]), int(shell[i]), *wave[i], *place[i]), []).append(i)
    out = np.empty(len(m), complex)
    for key, places in geometry.items():
        if key[1].imag:
            raise ValueError("eta has to be real")
        first = places[0]
        labels = l[places] if spherical else np.abs(m[places])
        if spherical and np.any(np.abs(m[places]) > labels):
            raise ValueError("orders are |m| <= l")
        table = _core.lattice_sum(int(not spherical), np.array([key[0]]), wave[first], rows, place[first], key[1].real, part, key[2],
                                  int(np.max(labels)))
        most = int(np.max(labels))
        out[places] = table[(labels * (labels + 1) + m[places]) if spherical else most + m[places]]
    return out.reshape(shape)[()]


def lsumsw(dim: int, l: Array, m: Array, k: Number, kpar: Array, a: Array, r: Array, eta: Number = 0) -> SumResult:  # noqa: E741
    """Sum of h_l(k |r + R|) Y_lm(-r - R) exp(i kpar R)."""
    return _sums(_FULL, dim, l, m, k, kpar, a, r, eta, True)


def realsumsw(dim: int, l: Array, m: Array, k: Number, kpar: Array, a: Array, r: Array, eta: Number = 0) -> SumResult:  # noqa: E741
    """The part of lsumsw over lattice points at a split eta."""
    return _sums(_REAL, dim, l, m, k, kpar, a, r, eta, True)


def recsumsw(dim: int, l: Array, m: Array, k: Number, kpar: Array, a: Array, r: Array, eta: Number = 0) -> SumResult:  # noqa: E741
    """The part of lsumsw over diffraction orders at a split eta."""
    return _sums(_RECIPROCAL, dim, l, m, k, kpar, a, r, eta, True)


def dsumsw(dim: int, l: Array, m: Array, k: Number, kpar: Array, a: Array, r: Array, i: Array) -> SumResult:  # noqa: E741
    """The terms of shell i of the plain sum of lsumsw."""
    return _sums(_SHELL, dim, l, m, k, kpar, a, r, i, True)


def lsumcw(dim: int, m: Array, k: Number, kpar: Array, a: Array, r: Array, eta: Number = 0) -> SumResult:
    """Sum of H_m(k |r + R|) exp(i m phi(-r - R)) exp(i kpar R)."""
    return _sums(_FULL, dim, 0, m, k, kpar, a, r, eta, False)


def realsumcw(dim: int, m: Array, k: Number, kpar: Array, a: Array, r: Array, eta: Number = 0) -> SumResult:
    """The part of lsumcw over lattice points at a split eta."""
    return _sums(_REAL, dim, 0, m, k, kpar, a, r, eta, False)


def recsumcw(dim: int, m: Array, k: Number, kpar: Array, a: Array, r: Array, eta: Number = 0) -> SumResult:
    """The part of lsumcw over diffraction orders at a split eta."""
    return _sums(_RECIPROCAL, dim, 0, m, k, kpar, a, r, eta, False)


def dsumcw(dim: int, m: Array, k: Number, kpar: Array, a: Array, r: Array, i: Array) -> SumResult:
    """The terms of shell i of the plain sum of lsumcw."""
    return _sums(_SHELL, dim, 0, m, k, kpar, a, r, i, False)


# ---- by dimension: 1d along z (spherical) or x (cylindrical), 2d in the plane; a shift that leaves them is of the _shift functions ----


def _along(dim, r, spherical):
    """The place of a point of the lattice's own space in space: of all components."""
    r = np.asarray(r, float)
    if dim == 1:
        r = r[..., None] if r.shape[-1:] != (1,) else r
        pads = [np.zeros_like(r)] * (2 if spherical else 1)
        return np.concatenate([*pads, r] if spherical else [r, *pads], axis=-1)
    return np.concatenate([r, np.zeros((*r.shape[:-1], 1))], axis=-1) if spherical and r.shape[-1] == 2 else r


def _named(part, kind, name):
    spherical, text = kind[0] == "s", f"{name}{kind}"
    dim, shifted = int(kind[2]), kind.endswith("_shift")
    if spherical and dim == 1 and not shifted:
        def function(l, k, kpar, a, r, last=0):  # noqa: E741
            return _sums(part, 1, l, 0, k, kpar, a, _along(1, r, True), last, True)
    elif spherical:
        def function(l, m, k, kpar, a, r, last=0):  # type: ignore[misc]  # noqa: E741
            return _sums(part, dim, l, m, k, kpar, a, r if shifted else _along(dim, r, True), last, True)
    else:
        def function(m, k, kpar, a, r, last=0):  # type: ignore[misc]
            return _sums(part, dim, 0, m, k, kpar, a, r if shifted else _along(dim, r, False), last, False)
    function.__name__ = function.__qualname__ = text
    ends = {_SHELL: "the last argument is the shell", _FULL: "the last argument is eta, 0: automatic"}.get(part, "the last argument is eta")
    function.__doc__ = f"{name[:-1]}{kind[:2]} of {dim} dimension{'s' if dim > 1 else ''}" + (", any shift" if shifted else "") + f"; {ends}."
    return function


_KINDS = ("sw1d", "sw1d_shift", "sw2d", "sw2d_shift", "sw3d", "cw1d", "cw1d_shift", "cw2d")
for _prefix, _part in (("lsum", _FULL), ("realsum", _REAL), ("recsum", _RECIPROCAL), ("dsum", _SHELL)):
    for _kind in _KINDS:
        globals()[f"{_prefix}{_kind}"] = _named(_part, _kind, _prefix)



def area(cell: Array) -> float:
    """Signed area of the cell with these rows."""
    return float(np.linalg.det(_rows(cell, 2)))


def volume(cell: Array) -> float:
    """Signed volume of the cell with these rows."""
    return float(np.linalg.det(_rows(cell, 3)))


def reciprocal(cell: Array) -> np.ndarray:
    """Rows b with a_i b_j = 2 pi delta_ij."""
    cell = np.asarray(cell, float)
    return Lattice(cell).reciprocal if cell.ndim else 2 * np.pi / cell


def cube(d: int, n: int) -> np.ndarray:
    """All whole points of d components within -n .. n."""
    return np.stack(np.meshgrid(*[np.arange(-n, n + 1)] * d, indexing="ij"), -1).reshape(-1, d)


def cubeedge(d: int, n: int) -> np.ndarray:
    """Those of them on the surface."""
    points = cube(d, n)
    return points[np.max(np.abs(points), axis=1) == n]


def diffr_orders_circle(b: Array, rmax: float) -> np.ndarray:
    """Orders (i, j) with |i b_1 + j b_2| <= rmax, the zeroth first, then pairs of opposite ones."""
    b = _rows(b, 2)
    a = 2 * np.pi * np.linalg.inv(b).T
    handle = _core.ports_orders(0, (0.0, 0.0), tuple(map(tuple, a.tolist())), float(rmax))
    found = np.real(_core.basis_modes(handle))[::2, :2]
    return np.round(found @ np.linalg.inv(b)).astype(np.int64)


__all__ = ["SumResult", *(f"{p}{k}" for p in ("dsum", "lsum", "realsum", "recsum") for k in _KINDS), "area", "cube", "cubeedge", "diffr_orders_circle", "dsumcw", "dsumsw", "lsumcw", "lsumsw", "realsumcw", "realsumsw",
           "reciprocal", "recsumcw", "recsumsw", "volume"]
