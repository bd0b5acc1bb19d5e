"""Operators as objects: op(basis=..., k0=...) is the matrix, op @ x applies it to what knows its basis, x.rotate(phi) does so by name."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from . import operators as _f
from ._types import MaterialLike

_PLACES = ("basis", "k0", "material", "poltype", "modetype", "lattice", "kpar")


def _of(value, place):
    """One of a pair (rows, columns)."""
    return value[place] if isinstance(value, tuple) else value


class Operator:
    """Keeps its arguments; the matrix is made when the rest is known. isinv: the inverse."""

    FUNC: Any = None

    def __init__(self, *args, isinv: bool = False):
        self.args, self._isinv = args, isinv
        names = [p.name for p in inspect.signature(type(self).FUNC).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__}: {len(args)} arguments, it has {', '.join(names)}")

    isinv = property(lambda self: self._isinv)

    @property
    def inv(self) -> "Operator":
        return type(self)(*self.args, isinv=not self._isinv)

    def _inverse(self, **about):
        raise NotImplementedError(f"{type(self).__name__} has no inverse")

    def __call__(self, **about) -> np.ndarray:
        return self._inverse(**about) if self._isinv else type(self).FUNC(*self.args, **about)

    def get_kwargs(self, obj, dim: int = 0) -> dict[str, Any]:
        """What the matrix needs of an object: of its rows (dim 0) or columns (dim -1)."""
        wanted = {p.name for p in inspect.signature(type(self).FUNC).parameters.values() if p.kind is p.KEYWORD_ONLY}
        wanted |= {"modetype"} & set(inspect.signature(type(self).FUNC).parameters)
        found = {name: _of(getattr(obj, name, None), dim) for name in _PLACES if name in wanted}
        return {name: value for name, value in found.items() if value is not None}

    def __matmul__(self, obj):
        return np.tensordot(self(**self.get_kwargs(obj)), np.asarray(getattr(obj, "array", obj)), axes=([-1], [0]))

    def __rmatmul__(self, obj):
        return np.asarray(getattr(obj, "array", obj)) @ self(**self.get_kwargs(obj, -1))

    __array_priority__ = 20
    __array_ufunc__ = None

    def __repr__(self):
        inside = ", ".join(map(repr, self.args)) + (", isinv=True" if self._isinv else "")
        return f"{type(self).__name__}({inside})"


class Rotate(Operator):
    FUNC = staticmethod(_f.rotate)

    def _inverse(self, **about):
        phi, theta, psi = (*self.args, 0, 0)[:3]
        return _f.rotate(-psi, -theta, -phi, **about)


class Translate(Operator):
    FUNC = staticmethod(_f.translate)

    def _inverse(self, **about):
        return _f.translate(-np.asarray(self.args[0], float), **about)


class Permute(Operator):
    FUNC = staticmethod(_f.permute)

    def _inverse(self, **about):
        return _f.permute(-(self.args[0] if self.args else 1), **about)


class ChangePoltype(Operator):
    FUNC = staticmethod(_f.changepoltype)

    def _inverse(self, **about):
        return _f.changepoltype(*self.args, **about)  # its own inverse


class Expand(Operator):
    """Into a basis; the source is that of what it is applied to."""

    FUNC = staticmethod(_f.expand)

    def __init__(self, basis, modetype=None, *, isinv: bool = False):
        super().__init__(basis, modetype, isinv=isinv)

    def _pair(self, basis, modetype):
        to, kinds = self.args
        source = _of(to, 1) if isinstance(to, tuple) else basis
        to = _of(to, 0)
        kinds = kinds if isinstance(kinds, tuple) else (kinds or modetype, modetype)
        return (to, source), kinds

    def __call__(self, basis=None, modetype=None, **about):
        bases, kinds = self._pair(basis, modetype)
        if self._isinv:
            bases, kinds = bases[::-1], kinds[::-1]
        return _f.expand(bases, kinds, **about)

    def get_kwargs(self, obj, dim: int = 0):
        found = {name: _of(getattr(obj, name, None), dim) for name in ("basis", "k0", "material", "poltype", "modetype")}
        return {name: value for name, value in found.items() if value is not None}


class ExpandLattice(Operator):
    """Waves of all images in a basis (default: that of what it is applied to)."""

    FUNC = staticmethod(_f.expandlattice)

    def __init__(self, lattice=None, kpar=None, basis=None, *, isinv: bool = False):
        super().__init__(lattice, kpar, isinv=isinv)
        self._basis = basis

    def __call__(self, basis=None, lattice=None, kpar=None, **about):
        to = basis if self._basis is None else (self._basis, basis)
        return super().__call__(basis=to, **about) if self._isinv else _f.expandlattice(
            self.args[0] if self.args[0] is not None else lattice, self.args[1] if self.args[1] is not None else kpar, basis=to, **about)


class FieldOperator(Operator):
    """A field at points (..., 3)."""

    FUNC: Any = staticmethod(_f.efield)

    def _inverse(self, **about):
        raise NotImplementedError("a field at points has no inverse")


class EField(FieldOperator):
    FUNC = staticmethod(_f.efield)


class HField(FieldOperator):
    FUNC = staticmethod(_f.hfield)


class DField(FieldOperator):
    FUNC = staticmethod(_f.dfield)


class BField(FieldOperator):
    FUNC = staticmethod(_f.bfield)


class GField(FieldOperator):
    FUNC = staticmethod(_f.gfield)


class FField(FieldOperator):
    FUNC = staticmethod(_f.ffield)


class OperatorAttribute:
    """An operator as an attribute of a class: x.rotate(phi) is R x of a vector and R x R^-1 of a matrix, a plain array; fields are applied
    from the left alone."""

    OP: type[Operator]

    def __init__(self, op: type[Operator], obj: Any = None):
        self.OP, self._obj = op, obj

    def __get__(self, obj, kind=None):
        return self if obj is None else OperatorAttribute(self.OP, obj)

    def eval(self, *args, **kwargs) -> np.ndarray:
        """The matrix for the rows."""
        op = self.OP(*args, **kwargs)
        return op(**op.get_kwargs(self._obj))

    def eval_inv(self, *args, **kwargs) -> np.ndarray:
        """The inverse for the columns."""
        op = self.OP(*args, **kwargs).inv
        return op(**op.get_kwargs(self._obj, -1))

    def apply_left(self, *args, **kwargs) -> np.ndarray:
        return self.OP(*args, **kwargs) @ self._obj

    def apply_right(self, *args, **kwargs) -> np.ndarray:
        return np.asarray(getattr(self._obj, "array", self._obj)) @ self.eval_inv(*args, **kwargs)

    def __call__(self, *args, **kwargs) -> np.ndarray:
        left = self.apply_left(*args, **kwargs)
        if issubclass(self.OP, (FieldOperator, ExpandLattice)) or np.ndim(np.asarray(getattr(self._obj, "array", self._obj))) != 2:
            return left
        return left @ self.eval_inv(*args, **kwargs)

    def __repr__(self):
        return f"OperatorAttribute({self.OP.__name__})"


OPERATORS = {"rotate": Rotate, "translate": Translate, "permute": Permute, "changepoltype": ChangePoltype, "expand": Expand,
             "expandlattice": ExpandLattice, "efield": EField, "hfield": HField, "dfield": DField, "bfield": BField, "gfield": GField,
             "ffield": FField}


class Bound:
    """What has an array and its basis, with the operators by name."""


for _name, _op in OPERATORS.items():
    setattr(Bound, _name, OperatorAttribute(_op))


class PhysicsArray(Bound):
    """An array with what its rows and columns mean: pairs (rows, columns) where they differ."""

    def __init__(self, arr, *, basis=None, k0=None, material: MaterialLike = 1, poltype=None, modetype=None, lattice=None, kpar=None):
        from ._media import Material

        self.array = np.array(arr)
        self.array.flags.writeable = False
        self.basis, self.k0, self.modetype, self.lattice, self.kpar = basis, k0, modetype, lattice, kpar
        self.material = tuple(Material(m) for m in material) if isinstance(material, tuple) and len(material) == 2 else Material(material)
        self.poltype = poltype or "helicity"

    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.array, dtype)

    def __getitem__(self, key):
        return self.array[key]

    def __len__(self):
        return len(self.array)

    def __matmul__(self, other):
        return other.__rmatmul__(self) if isinstance(other, Operator) else self.array @ np.asarray(other)

    def __rmatmul__(self, other):
        return np.asarray(other) @ self.array

    def __repr__(self):
        return f"PhysicsArray({self.array!r})"
