"""Which framework owns the values of a call: by their types alone, before anything is converted or imported."""
from __future__ import annotations

import importlib
import sys
from functools import lru_cache

# What a type is: the name of a framework, None for what belongs to none; types whose values have to be asked are not here.
_OWNERS: dict[type, str | None] = dict.fromkeys((int, float, complex, bool, str, bytes, type(None)))


def _owner_of_type(value) -> str | None:
    modules = sys.modules
    jax = modules.get("jax")
    if jax is not None and isinstance(value, (jax.Array, jax.core.Tracer)):
        return "jax"
    torch = modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return "torch"
    tracer = modules.get("autograd.tracer")
    if tracer is not None and tracer.isbox(value):
        return "autograd"
    advect = modules.get("advect")
    if advect is not None and advect.is_traced(value):
        return "advect"
    return None


def owner(value) -> str | None:
    """"jax", "torch", "autograd", "advect", or None for what belongs to no framework."""
    kind = type(value)
    if kind in _OWNERS:
        return _OWNERS[kind]
    if kind is tuple or kind is list:
        return one(map(owner, value))
    if isinstance(value, dict):
        return one(map(owner, value.values()))
    if isinstance(value, (tuple, list)):
        return one(map(owner, value))
    backend = getattr(value, "_poynting_backend", None)
    if backend is not None:
        return backend if backend != "numpy" else None
    found = _owner_of_type(value)
    if found is not None or kind.__module__ == "numpy":
        _OWNERS[kind] = found
    return found


def one(owners) -> str | None:
    found = None
    for name in owners:
        if name is not None and name != found:
            if found is not None:
                raise TypeError(f"cannot mix autodiff backends in one operation: {', '.join(sorted((found, name)))}")
            found = name
    return found


def only(backend: str, values) -> None:
    """Refuses values of another framework than the one whose own function was called."""
    for value in values:
        found = owner(value)
        if found is not None and found != backend:
            one((found, backend))


def backend_for(*values) -> str:
    """The framework of the values, "numpy" if there is none. Two in one call are refused."""
    return one(map(owner, values)) or "numpy"


@lru_cache(maxsize=None)
def adapter(backend: str):
    """The module that speaks for a framework; only this one is imported."""
    return importlib.import_module(f"poynting.{'_numpy' if backend == 'numpy' else backend}")


def call(name: str, options: str, *values):
    """A record by name, in the framework that the values belong to."""
    return adapter(backend_for(*values)).call(name, options, *values)
