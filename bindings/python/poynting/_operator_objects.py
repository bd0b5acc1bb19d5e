"""Operators as objects: op(basis=..., k0=...) is the matrix, op @ x applies it to what knows its basis, x.rotate(phi) does so by name."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from . import operators as _f
from ._media import Material
from ._types import Array, LatticeLike, MaterialLike, Number, WaveVectorLike

_PLACES = ("basis", "k0", "material", "poltype", "modetype", "lattice", "kpar")


def _of(value, place):
    """One of a pair (rows, columns)."""
    return value[place] if isinstance(value, tuple) else value


class Operator:
    """Keeps its arguments; the matrix is made when the rest is known. isinv: the inverse."""

    FUNC: Any = None
    args: tuple[Any, ...]

    def __init__(self, *args: Any, isinv: bool = False):
        self.args, self._isinv = args, isinv
        names = [p.name for p in inspect.signature(type(self).FUNC).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__}: {len(args)} arguments, it has {', '.join(names)}")

    @property
    def isinv(self) -> bool:
        """Is this the inverse?"""
        return self._isinv

    @property
    def inv(self) -> Operator:
        """The inverse of this one."""
        return type(self)(*self.args, isinv=not self._isinv)

    def _inverse(self, **about: Any) -> np.ndarray:
        raise NotImplementedError(f"{type(self).__name__} has no inverse")

    def __call__(self, **about: Any) -> np.ndarray:
        return self._inverse(**about) if self._isinv else type(self).FUNC(*self.args, **about)

    def get_kwargs(self, obj: Any, dim: int = 0) -> dict[str, Any]:
        """What the matrix needs of an object: of its rows (dim 0) or columns (dim -1)."""
        wanted = {p.name for p in inspect.signature(type(self).FUNC).parameters.values() if p.kind is p.KEYWORD_ONLY}
        wanted |= {"modetype"} & set(inspect.signature(type(self).FUNC).parameters)
        found = {name: _of(getattr(obj, name, None), dim) for name in _PLACES if name in wanted}
        return {name: value for name, value in found.items() if value is not None}

    def __matmul__(self, obj: Any) -> np.ndarray:
        return np.tensordot(self(**self.get_kwargs(obj)), np.asarray(getattr(obj, "array", obj)), axes=([-1], [0]))

    def __rmatmul__(self, obj: Any) -> np.ndarray:
        return np.asarray(getattr(obj, "array", obj)) @ self(**self.get_kwargs(obj, -1))

    __array_priority__: int = 20
    __array_ufunc__: None = None

    def __repr__(self) -> str:
        inside = ", ".join(map(repr, self.args)) + (", isinv=True" if self._isinv else "")
        return f"{type(self).__name__}({inside})"


class Rotate(Operator):
    """Euler angles phi, theta, psi."""

    FUNC: Any = staticmethod(_f.rotate)

    def _inverse(self, **about: Any) -> np.ndarray:
        phi, theta, psi = (*self.args, 0, 0)[:3]
        return _f.rotate(-psi, -theta, -phi, **about)


class Translate(Operator):
    """To another origin r [3]."""

    FUNC: Any = staticmethod(_f.translate)

    def _inverse(self, **about: Any) -> np.ndarray:
        return _f.translate(-np.asarray(self.args[0], float), **about)


class Permute(Operator):
    """The axes, n times in a circle."""

    FUNC: Any = staticmethod(_f.permute)

    def _inverse(self, **about: Any) -> np.ndarray:
        return _f.permute(-(self.args[0] if self.args else 1), **about)


class ChangePoltype(Operator):
    """From helicity to parity or back."""

    FUNC: Any = staticmethod(_f.changepoltype)

    def _inverse(self, **about: Any) -> np.ndarray:
        return _f.changepoltype(*self.args, **about)  # its own inverse


class Expand(Operator):
    """Into a basis; the source is that of what it is applied to."""

    FUNC: Any = staticmethod(_f.expand)

    def __init__(self, basis: Any, modetype: Any = None, *, isinv: bool = False):
        super().__init__(basis, modetype, isinv=isinv)

    def _pair(self, basis, modetype):
        to, kinds = self.args
        source = _of(to, 1) if isinstance(to, tuple) else basis
        to = _of(to, 0)
        kinds = kinds if isinstance(kinds, tuple) else (kinds or modetype, modetype)
        return (to, source), kinds

    def __call__(self, basis: Any = None, modetype: Any = None, **about: Any) -> np.ndarray:
        bases, kinds = self._pair(basis, modetype)
        if self._isinv:
            bases, kinds = bases[::-1], kinds[::-1]
        return _f.expand(bases, kinds, **about)

    def get_kwargs(self, obj: Any, dim: int = 0) -> dict[str, Any]:
        """What the matrix needs of an object; the basis is its own."""
        found = {name: _of(getattr(obj, name, None), dim) for name in ("basis", "k0", "material", "poltype", "modetype")}
        return {name: value for name, value in found.items() if value is not None}


class ExpandLattice(Operator):
    """Waves of all images in a basis (default: that of what it is applied to)."""

    FUNC: Any = staticmethod(_f.expandlattice)

    def __init__(self, lattice: LatticeLike = None, kpar: WaveVectorLike = None, basis: Any = None, *, isinv: bool = False):
        super().__init__(lattice, kpar, isinv=isinv)
        self._basis = basis

    def __call__(self, basis: Any = None, lattice: LatticeLike = None, kpar: WaveVectorLike = None, **about: Any) -> np.ndarray:
        to = basis if self._basis is None else (self._basis, basis)
        return super().__call__(basis=to, **about) if self._isinv else _f.expandlattice(
            self.args[0] if self.args[0] is not None else lattice, self.args[1] if self.args[1] is not None else kpar, basis=to, **about)


class FieldOperator(Operator):
    """A field at points (..., 3)."""

    FUNC: Any = staticmethod(_f.efield)

    def _inverse(self, **about: Any) -> np.ndarray:
        raise NotImplementedError("a field at points has no inverse")


class EField(FieldOperator):
    """E."""

    FUNC: Any = staticmethod(_f.efield)


class HField(FieldOperator):
    """Z_0 H."""

    FUNC: Any = staticmethod(_f.hfield)


class DField(FieldOperator):
    """D / epsilon_0."""

    FUNC: Any = staticmethod(_f.dfield)


class BField(FieldOperator):
    """c B."""

    FUNC: Any = staticmethod(_f.bfield)


class GField(FieldOperator):
    """E + i Z Z_0 H of one helicity (poynting.operators.gfield)."""

    FUNC: Any = staticmethod(_f.gfield)


class FField(FieldOperator):
    """That of poynting.operators.ffield."""

    FUNC: Any = staticmethod(_f.ffield)


class OperatorAttribute:
    """An operator as an attribute of a class: x.rotate(phi) is R x of a vector and R x R^-1 of a matrix, a plain array; fields are applied
    from the left alone."""

    OP: type[Operator]

    def __init__(self, op: type[Operator], obj: Any = None):
        self.OP, self._obj = op, obj

    def __get__(self, obj: Any, kind: Any = None) -> OperatorAttribute:
        return self if obj is None else OperatorAttribute(self.OP, obj)

    def eval(self, *args: Any, **kwargs: Any) -> np.ndarray:
        """The matrix for the rows."""
        op = self.OP(*args, **kwargs)
        return op(**op.get_kwargs(self._obj))

    def eval_inv(self, *args: Any, **kwargs: Any) -> np.ndarray:
        """The inverse for the columns."""
        op = self.OP(*args, **kwargs).inv
        return op(**op.get_kwargs(self._obj, -1))

    def apply_left(self, *args: Any, **kwargs: Any) -> np.ndarray:
        """The operator times the object."""
        return self.OP(*args, **kwargs) @ self._obj

    def apply_right(self, *args: Any, **kwargs: Any) -> np.ndarray:
        """The object times the inverse."""
        return np.asarray(getattr(self._obj, "array", self._obj)) @ self.eval_inv(*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        left = self.apply_left(*args, **kwargs)
        if issubclass(self.OP, (FieldOperator, ExpandLattice)) or np.ndim(np.asarray(getattr(self._obj, "array", self._obj))) != 2:
            return left
        return left @ self.eval_inv(*args, **kwargs)

    def __repr__(self) -> str:
        return f"OperatorAttribute({self.OP.__name__})"


class Bound:
    """What has an array and its basis, with the operators by name."""

    rotate: OperatorAttribute = OperatorAttribute(Rotate)
    translate: OperatorAttribute = OperatorAttribute(Translate)
    permute: OperatorAttribute = OperatorAttribute(Permute)
    changepoltype: OperatorAttribute = OperatorAttribute(ChangePoltype)
    expand: OperatorAttribute = OperatorAttribute(Expand)
    expandlattice: OperatorAttribute = OperatorAttribute(ExpandLattice)
    efield: OperatorAttribute = OperatorAttribute(EField)
    hfield: OperatorAttribute = OperatorAttribute(HField)
    dfield: OperatorAttribute = OperatorAttribute(DField)
    bfield: OperatorAttribute = OperatorAttribute(BField)
    gfield: OperatorAttribute = OperatorAttribute(GField)
    ffield: OperatorAttribute = OperatorAttribute(FField)


class PhysicsArray(Bound):
    """An array with what its rows and columns mean: pairs (rows, columns) where they differ."""

    array: np.ndarray
    basis: Any
    k0: Number | None
    material: Material | tuple[Material, ...]
    poltype: str
    modetype: Any
    lattice: Any
    kpar: Any

    def __init__(self, arr: Array, *, basis: Any = None, k0: Number | None = None, material: MaterialLike = 1, poltype: str | None = None,
                 modetype: Any = None, lattice: LatticeLike = None, kpar: WaveVectorLike = None):
        self.array = np.array(arr)
        self.array.flags.writeable = False
        self.basis, self.k0, self.modetype, self.lattice, self.kpar = basis, k0, modetype, lattice, kpar
        self.material = tuple(Material(m) for m in material) if isinstance(material, tuple) and len(material) == 2 else Material(material)
        self.poltype = poltype or "helicity"

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the array."""
        return self.array.shape

    @property
    def ndim(self) -> int:
        """Axes of the array."""
        return self.array.ndim

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.array, dtype)

    def __getitem__(self, key: Any) -> Any:
        return self.array[key]

    def __len__(self) -> int:
        return len(self.array)

    def __matmul__(self, other: Any) -> np.ndarray:
        return other.__rmatmul__(self) if isinstance(other, Operator) else self.array @ np.asarray(other)

    def __rmatmul__(self, other: Any) -> np.ndarray:
        return np.asarray(other) @ self.array

    def __repr__(self) -> str:
        return f"PhysicsArray({self.array!r})"
