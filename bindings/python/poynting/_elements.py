"""Functions of the engine that go element by element, as functions of NumPy arrays that broadcast: the rows of elements.def."""
from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

import numpy as np

from . import _core
from ._dispatch import backend_for, call
from ._waves import polarization_of

_TYPES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "i": (np.int64, ()), "d": (np.float64, ()), "c": (np.complex128, ()), "3": (np.float64, (3,)), "2": (np.float64, (2,)),
    "v": (np.complex128, (3,)), "w": (np.complex128, (2,))}


@lru_cache(maxsize=None)
def rows() -> dict[str, dict[str, tuple]]:
    """{module: {name: (row, arguments, result)}}"""
    found: dict[str, dict[str, tuple]] = {}
    for i, (module, name, arguments, result) in enumerate(_core.elements()):
        found.setdefault(module, {})[name] = (i, arguments, result)
    return found


def _labels(value, name):
    array = np.asarray(value)
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "f" and np.all(array == np.floor(array)):
        return array.astype(np.int64)
    raise TypeError(f"{name} has to be whole numbers, received {array.dtype}")


def _numbers(value, kind, name):
    if kind == "i":
        return _labels(value, name)
    array = np.asarray(value)
    dtype = _TYPES[kind][0]
    if array.dtype.kind == "c" and dtype is np.float64:
        raise TypeError(f"{name} has to be real")
    if array.dtype.kind not in "iufc":
        raise TypeError(f"{name} has to be numbers, received {array.dtype}")
    return array.astype(dtype)


def evaluate(row: int, kinds, names, result: str, values, parity=False, flag=False):
    """The values broadcast, computed, and given the shape of the broadcast; a number for numbers."""
    arrays = [_numbers(v, k, n) for v, k, n in zip(values, kinds, names)]
    cores = [_TYPES[k][1] for k in kinds]
    for array, core, name in zip(arrays, cores, names):
        if core and array.shape[-1:] != core:
            raise ValueError(f"{name} has shape {array.shape}, (..., {core[0]}) is wanted")
    shape = np.broadcast_shapes(*(a.shape[:-1] if core else a.shape for a, core in zip(arrays, cores)))
    spread = tuple(np.ascontiguousarray(np.broadcast_to(a, shape + core)) for a, core in zip(arrays, cores))
    dtype, core = _TYPES[result]
    out = np.empty(shape + core, dtype)
    _core.element(row, int(np.prod(shape, dtype=np.int64)), int(parity), int(flag), spread, out)
    return out[()] if not out.shape else out


def _placed(value, out, where):
    """Results where NumPy's out= and where= want them."""
    if out is None:
        if where is not True:
            raise ValueError("where= needs out=")
        return value
    np.copyto(out, value, where=where)
    return out


def function(module: str, name: str, traced=None):
    """The function of a row. traced(*values): the same by a record, for values of a framework."""
    row, text, result = rows()[module][name]
    words = text.split()
    fields = [w.split("=")[0].split(":") for w in words if ":" in w]
    names, kinds = [f[0] for f in fields], [f[1] for f in fields]
    options = [w for w in words if ":" not in w]
    P = inspect.Parameter
    parameters = [P(w.split(":")[0], P.POSITIONAL_OR_KEYWORD, default=float(w.split("=")[1]) if "=" in w else P.empty)
                  for w in words if ":" in w]
    defaults = {"poltype": None, "singular": True, "inverse": False}
    parameters += [P(o, P.POSITIONAL_OR_KEYWORD, default=defaults[o]) for o in options]
    parameters += [P("out", P.KEYWORD_ONLY, default=None), P("where", P.KEYWORD_ONLY, default=True)]
    signature = inspect.Signature(parameters)

    def elementwise(*args, **kwargs):
        if len(args) == len(names) and not kwargs:
            values, given = args, {}
        else:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            values = tuple(given[n] for n in names)
        out, where = given.get("out"), given.get("where", True)
        if backend_for(*values) != "numpy":
            if out is not None or where is not True:
                raise TypeError(f"{name}: out= and where= are for NumPy arrays")
            if traced is None:
                raise NotImplementedError(f"{module}.{name} has no derivative: poynting.records() lists what has")
            return traced(*values)
        parity = polarization_of(given.get("poltype"), None) == "parity" if "poltype" in options else False
        flag = given.get("singular", given.get("inverse", "singular" in options))
        return _placed(evaluate(row, kinds, names, result, values, parity, bool(flag)), out, where)

    elementwise.__name__ = elementwise.__qualname__ = name
    elementwise.__module__ = f"poynting.{module}"
    elementwise.__signature__ = signature  # type: ignore[attr-defined]
    elementwise.__doc__ = f"{name}({', '.join(names + options)}), element by element; arguments broadcast. See special.h, waves.h."
    return elementwise


def _as(value, like):
    return np.broadcast_to(np.asarray(value, float), np.shape(like))


def by_record(name: str, options: str, labels: int, order=None):
    """The function of a record whose first `labels` inputs are labels, which take the shape of the last value. order: the record's
    inputs as places of the arguments."""
    def traced(*values):
        values = values if order is None else [values[i] for i in order]
        marks = [_as(v, values[-1]) for v in values[:labels]]
        return call(name, options, *marks, *values[labels:])

    return traced


def bind(namespace: dict, module: str, traced: dict | None = None) -> list[str]:
    """Puts the functions of a module into it and returns their names."""
    for name in rows()[module]:
        namespace[name] = function(module, name, (traced or {}).get(name))
    return list(rows()[module])
