"""poynting.pw: coefficients of plane waves, element by element."""
from __future__ import annotations

from ._elements import bind as _bind

__all__ = _bind(globals(), "pw")
