"""The few array functions that physics objects need in every framework, under one set of names."""
from __future__ import annotations

import importlib
from functools import lru_cache

import numpy as np

from ._dispatch import backend_for, owner


def is_concrete(value) -> bool:
    """Does the value stand still: no array of a framework?"""
    return owner(value) is None


class _Numpy:
    """NumPy, and what is spelt like it (Autograd's and Advect's own copies of it)."""

    def __init__(self, module):
        self.m = module

    def asarray(self, value):
        if isinstance(value, (int, np.integer)):  # a whole number is a number, an array of them a mistake
            value = float(value)
        return value if hasattr(value, "shape") else self.m.array(value)

    def stack(self, values, shape):
        """Scalars in one array of that shape; of NumPy where none belongs to a framework."""
        if all(map(is_concrete, values)):
            out = np.array(values).reshape(shape)
            return out if out.dtype.char in "dD" else out.astype(complex if out.dtype.kind == "c" else float)
        if len(values) == 1:
            return self.m.reshape(values[0], shape)
        return self._stacked(values, shape)

    def _stacked(self, values, shape):
        return self.m.reshape(self.m.stack([self.asarray(v) for v in values]), shape)

    def join(self, arrays, axis):
        if all(map(is_concrete, arrays)):
            return np.concatenate(arrays, axis=axis)
        return self._joined(arrays, axis)

    def _joined(self, arrays, axis):
        return self.m.concatenate([self.asarray(a) for a in arrays], axis=axis)

    def stack_last(self, arrays):
        """Arrays of one shape along a new last axis."""
        parts = [self.reshape(a, (*np.shape(a), 1)) for a in arrays]
        return self.join(parts, -1)

    def conj(self, value):
        return np.conj(value) if is_concrete(value) else self.m.conj(value)

    def reshape(self, value, shape):
        return np.reshape(value, shape) if is_concrete(value) else self.m.reshape(value, shape)

    def real(self, value):
        return np.real(value) if is_concrete(value) else self.m.real(value)

    def sqrt(self, value):
        return self.m.sqrt(self.asarray(value) + 0j)


class _Torch(_Numpy):
    def asarray(self, value):
        if isinstance(value, self.m.Tensor):
            return value
        return self.m.tensor(np.asarray(value, np.complex128 if np.iscomplexobj(value) else np.float64))

    def _alike(self, values):
        values = [self.asarray(v) for v in values]
        kind = self.m.complex128 if any(v.is_complex() for v in values) else self.m.float64
        return [v.to(kind) for v in values]

    def _stacked(self, values, shape):
        return self.m.stack(self._alike(values)).reshape(shape)

    def _joined(self, arrays, axis):
        return self.m.cat(self._alike(arrays), dim=axis)

    def sqrt(self, value):
        return self.m.sqrt(self.asarray(value).to(self.m.complex128))


_MODULES = {"numpy": "numpy", "jax": "jax.numpy", "autograd": "autograd.numpy", "advect": "advect.numpy", "torch": "torch"}


@lru_cache(maxsize=None)
def namespace(backend: str) -> _Numpy:
    module = importlib.import_module(_MODULES[backend])
    return _Torch(module) if backend == "torch" else _Numpy(module)


def namespace_of(*values) -> _Numpy:
    """The array functions of the framework that the values belong to."""
    return namespace(backend_for(*values))
