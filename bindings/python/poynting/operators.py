"""poynting.operators: the matrices by which waves are expanded, moved, turned and sampled, as NumPy arrays. A basis may be a pair
(destination, source)."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._bases import MODETYPES, Basis, MultipoleBasis
from ._media import Material, embedding
from ._types import Array, LatticeLike, MaterialLike, Number, WaveVectorLike
from ._waves import polarization_of

if TYPE_CHECKING:  # made when they are asked for
    from ._operator_objects import (BField, ChangePoltype, DField, EField, Expand, ExpandLattice, FField, FieldOperator, GField, HField,
                                    Operator, OperatorAttribute, Permute, PhysicsArray, Rotate, Translate)


def _pair(value) -> tuple:
    return tuple(value) if isinstance(value, tuple) else (value, value)


def _type(basis: Basis, modetype) -> int:
    kinds = MODETYPES[:2] if isinstance(basis, MultipoleBasis) else MODETYPES[2:]
    modetype = modetype or kinds[0]
    if modetype not in kinds:
        raise ValueError(f"modetype {modetype!r}: of a {type(basis).__name__} it is {kinds[0]} or {kinds[1]}")
    return MODETYPES.index(modetype)


def _about(k0, material, poltype):
    return embedding(k0, Material(material), polarization_of(poltype, None))


def _kept(matrix, where):
    return matrix if where is True else np.where(where, matrix, 0)


def expand(basis: Any, modetype: Any = None, *, k0: Number, material: MaterialLike = 1, poltype: str | None = None,
           where: Array = True) -> np.ndarray:
    """Coefficients in the destination of the waves of the source."""
    to, source = _pair(basis)
    kinds = _pair(modetype)
    return _kept(_core.op_expand(_about(k0, material, poltype), to._handle, _type(to, kinds[0]), source._handle,
                                 _type(source, kinds[1])), where)


def expandlattice(lattice: LatticeLike = None, kpar: WaveVectorLike = None, *, basis: Any, k0: Number, material: MaterialLike = 1,
                  poltype: str | None = None, modetype: Any = None,
                  eta: Number = 0) -> np.ndarray:
    """Waves that repeat on a lattice, in regular multipoles of the same family, in plane ports (modetype up or down), or of a chain in
    cylindrical waves."""
    from ._periodic import lattice_of

    to, source = _pair(basis)
    lattice = to.lattice if lattice is None else lattice
    kpar = to.kpar if kpar is None else kpar
    if lattice is None or kpar is None:
        raise ValueError("a lattice and a Bloch vector are wanted, or a basis of diffraction orders that has them")
    lattice, wave = lattice_of(lattice, kpar, type(source))
    about = _about(k0, material, poltype)
    if type(to) is type(source):
        return _core.op_expand_lattice(about, lattice._rows, np.array(wave.along(lattice.alignment), float), float(np.real(eta)),
                                       to._handle, source._handle)
    kinds = _pair(modetype)
    side = _type(to, kinds[0] or ("singular" if isinstance(to, MultipoleBasis) else None))
    return _core.op_radiate(about, to._handle, side, source._handle, abs(lattice.volume))


def translate(r: Array, *, basis: Any, k0: Number, material: MaterialLike = 1, poltype: str | None = None, modetype: Any = "up",
              where: Array = True) -> np.ndarray:
    """The same waves about origins displaced by r."""
    to, source = _pair(basis)
    kind = 0 if isinstance(to, MultipoleBasis) else _type(to, modetype)
    r = tuple(float(v) for v in np.asarray(r, float).reshape(3))
    return _kept(_core.op_translate(_about(k0, material, poltype), r, to._handle, source._handle, kind), where)


def rotate(phi: Number, theta: Number = 0, psi: Number = 0, *, basis: Any, where: Array = True) -> np.ndarray:
    """Waves turned by the z-y-z angles phi, theta, psi."""
    to, source = _pair(basis)
    return _kept(_core.op_rotate((float(phi), float(theta), float(psi)), to._handle, source._handle), where)


def permute(n: int = 1, *, basis: Any, k0: Number = None, material: MaterialLike = 1, modetype: Any = "up",
            poltype: str | None = None, where: Array = True) -> np.ndarray:
    """Plane waves in axes permuted cyclically n times, x -> y -> z."""
    return _kept(_core.op_permute(_about(1.0 if k0 is None else k0, material, poltype), int(n), basis._handle,
                                  _type(basis, modetype)), where)


def changepoltype(poltype: str | None = None, *, basis: Any, where: Array = True) -> np.ndarray:
    """From helicity to parity, and back."""
    to, source = _pair(basis)
    return _kept(_core.op_changepoltype(to._handle, source._handle), where)


def _field(which, pol, r, basis, k0, material, modetype, poltype):
    r = np.asarray(r, float)
    field = _core.op_field(_about(k0, material, poltype), basis._handle, _type(basis, modetype), which, int(pol), r.reshape(-1, 3))
    return field.reshape(*r.shape, len(basis))


def efield(r: Array, *, basis: Any, k0: Number, material: MaterialLike = 1, modetype: Any = None, poltype: str | None = None) -> np.ndarray:
    """E of each mode at points (..., 3), [..., 3, modes]."""
    return _field(0, 0, r, basis, k0, material, modetype, poltype)


def hfield(r: Array, *, basis: Any, k0: Number, material: MaterialLike = 1, modetype: Any = None, poltype: str | None = None) -> np.ndarray:
    """Z_0 H likewise."""
    return _field(1, 0, r, basis, k0, material, modetype, poltype)


def dfield(r: Array, *, basis: Any, k0: Number, material: MaterialLike = 1, modetype: Any = None, poltype: str | None = None) -> np.ndarray:
    """D / epsilon_0 likewise."""
    return _field(2, 0, r, basis, k0, material, modetype, poltype)


def bfield(r: Array, *, basis: Any, k0: Number, material: MaterialLike = 1, modetype: Any = None, poltype: str | None = None) -> np.ndarray:
    """c B likewise."""
    return _field(3, 0, r, basis, k0, material, modetype, poltype)


def gfield(pol: int, r: Array, *, basis: Any, k0: Number, material: MaterialLike = 1, modetype: Any = None,
           poltype: str | None = None) -> np.ndarray:
    """G of a helicity likewise."""
    return _field(4, pol, r, basis, k0, material, modetype, poltype)


def ffield(pol: int, r: Array, *, basis: Any, k0: Number, material: MaterialLike = 1, modetype: Any = None,
           poltype: str | None = None) -> np.ndarray:
    """F of a helicity likewise."""
    return _field(5, pol, r, basis, k0, material, modetype, poltype)


def __getattr__(name: str) -> Any:
    if name in __all__:
        from . import _operator_objects

        return getattr(_operator_objects, name)
    raise AttributeError(f"module 'poynting.operators' has no attribute {name!r}")


__all__ = ["BField", "ChangePoltype", "DField", "EField", "Expand", "ExpandLattice", "FField", "FieldOperator", "GField", "HField", "Operator",
           "OperatorAttribute", "Permute", "PhysicsArray", "Rotate", "Translate", "bfield", "changepoltype", "dfield", "efield", "expand",
           "expandlattice", "ffield", "gfield", "hfield", "permute", "rotate", "translate"]
