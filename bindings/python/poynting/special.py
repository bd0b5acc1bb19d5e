"""poynting.special: Bessel, angular and Wigner functions, vector waves, coordinates, element by element under the names of treams.
Arrays of a framework select the record of the function, where there is one."""
from __future__ import annotations

import numpy as np

from ._elements import bind as _bind
from ._elements import by_record as _by_record

_traced = {}
for _function, _letter in (("jv", "j"), ("yv", "y"), ("hankel1", "h1"), ("hankel2", "h2")):
    _traced[_function] = _by_record("poy.bessel", f"function={_letter}", 1)
    _traced[_function + "_d"] = _by_record("poy.bessel", f"function={_letter};derivative=yes", 1)
for _function, _letter in (("jn", "j"), ("yn", "y"), ("hankel1", "h1"), ("hankel2", "h2")):
    _traced["spherical_" + _function] = _by_record("poy.bessel", f"function={_letter};spherical=yes", 1)
    _traced[f"spherical_{_function}_d"] = _by_record("poy.bessel", f"function={_letter};spherical=yes;derivative=yes", 1)
_traced["lpmv"] = _by_record("poy.angular", "function=legendre", 2, (1, 0, 2))
_traced["pi_fun"] = _by_record("poy.angular", "function=pi", 2)
_traced["tau_fun"] = _by_record("poy.angular", "function=tau", 2)
_traced["incgamma"] = _by_record("poy.incgamma", "", 1)

__all__ = _bind(globals(), "special", _traced)

_jn, _yn, _lpmv = spherical_jn, spherical_yn, lpmv  # type: ignore[name-defined,used-before-def]  # noqa: F821


def spherical_jn(n, z, derivative=False, *, out=None, where=True):
    """Spherical Bessel function j_n, or its derivative."""
    return (spherical_jn_d if derivative else _jn)(n, z, out=out, where=where)  # type: ignore[name-defined,used-before-def]  # noqa: F821


def spherical_yn(n, z, derivative=False, *, out=None, where=True):
    """Spherical Bessel function y_n, or its derivative."""
    return (spherical_yn_d if derivative else _yn)(n, z, out=out, where=where)  # type: ignore[name-defined,used-before-def]  # noqa: F821


def lpmv(m, n, z, *, out=None, where=True):
    """Legendre function of degree n and order m; real for real -1 <= z <= 1."""
    value = _lpmv(m, n, z, out=out, where=where)
    real = out is None and isinstance(value, (np.ndarray, np.generic)) and not np.iscomplexobj(z)
    return value.real if real and np.all(np.abs(z) <= 1) else value
