"""What the package has, as plain data."""
from __future__ import annotations

import importlib
import inspect
from typing import Any


def support_catalog() -> dict[str, Any]:
    """Names of all public modules with their arguments and members, the records with theirs, and the conventions: fit for JSON."""
    import poynting

    def members(module) -> dict[str, Any]:
        rows = {}
        names = getattr(module, "__all__", None) or [n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__]
        for name in sorted(n for n in names if not n.startswith("_")):
            value = getattr(module, name)
            row: dict[str, Any] = {"kind": type(value).__name__}
            if inspect.isclass(value):
                row["members"] = [m for m in dir(value) if not m.startswith("_")]
            if callable(value):
                try:
                    row["signature"] = str(inspect.signature(value))
                except (TypeError, ValueError):
                    pass
            rows[name] = row
        return rows

    frameworks = ("jax", "torch", "autograd", "advect")
    api = {"poynting": members(poynting)}
    for name in poynting._MODULES:  # type: ignore[attr-defined] # not in the stub
        if name not in frameworks:
            api[f"poynting.{name}"] = members(importlib.import_module(f"poynting.{name}"))
    return {"version": poynting.__version__, "api": api, "records": list(poynting.records()), "frameworks": list(frameworks),
            "rules": {"pairing": "dL = Re(sum(conj(g) * dx))", "derivative_order": 1, "precision": "float64 / complex128"}}
