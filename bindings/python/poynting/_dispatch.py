"""Which framework owns the values of a call: by their types alone, before anything is converted or imported."""
from __future__ import annotations

import importlib
import sys

_NEUTRAL = (int, float, complex, bool, str, bytes, type(None))


def owner(value) -> str | None:
    """"jax", "torch", "autograd", "advect", or None for what belongs to no framework."""
    backend = getattr(value, "_poynting_backend", None)
    if backend is not None:
        return backend if backend != "numpy" else None
    if isinstance(value, _NEUTRAL):
        return None
    if isinstance(value, (tuple, list)):
        return one(owner(v) for v in value)
    if isinstance(value, dict):
        return one(owner(v) for v in value.values())
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


def one(owners) -> str | None:
    found = {o for o in owners if o is not None}
    if len(found) > 1:
        raise TypeError(f"cannot mix autodiff backends in one operation: {', '.join(sorted(found))}")
    return found.pop() if found else None


def backend_for(*values) -> str:
    """The framework of the values, "numpy" if there is none. Two in one call are refused."""
    if not any(m in sys.modules for m in ("jax", "torch", "autograd", "advect")):
        return "numpy"
    return one(map(owner, values)) or "numpy"


def adapter(backend: str):
    """The module that speaks for a framework; only this one is imported."""
    return importlib.import_module(f"poynting.{'_numpy' if backend == 'numpy' else backend}")


def call(name: str, options: str, *values):
    """A record by name, in the framework that the values belong to."""
    return adapter(backend_for(*values)).call(name, options, *values)
