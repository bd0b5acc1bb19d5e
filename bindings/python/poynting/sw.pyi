"""What poynting.sw offers, for type checkers: most of its functions are bound when it is imported."""
from typing import Any

from ._types import Number

def periodic_to_cw(kz: Any, m: Any, pol: Any, l: Any, mu: Any, qol: Any, k: Any, area: Any, poltype: Any = ..., *, out: Any = ..., where: Any = ...) -> Any: ...  # noqa: E741
def periodic_to_pw(kx: Any, ky: Any, kz: Any, pol: Any, l: Any, m: Any, qol: Any, area: Any, poltype: Any = ..., *, out: Any = ..., where: Any = ...) -> Any: ...  # noqa: E741
def rotate(lambda_: Any, mu: Any, pol: Any, l: Any, m: Any, qol: Any, phi: Any, theta: Any = ..., psi: Any = ..., *, out: Any = ..., where: Any = ...) -> Any: ...  # noqa: E741
def translate(lambda_: Any, mu: Any, pol: Any, l: Any, m: Any, qol: Any, kr: Any, theta: Any, phi: Any, poltype: Any = ..., singular: Any = ..., *, out: Any = ..., where: Any = ...) -> Any: ...  # noqa: E741
def translate_periodic(ks: Any, kpar: Any, a: Any, rs: Any, out: Any, in_: Any = ..., rsin: Any = ..., poltype: Any = ..., eta: Number = ...) -> Any: ...
