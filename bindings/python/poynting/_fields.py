"""Fields of waves at points: E, Z_0 H, D / epsilon_0, c B, and G and F of one helicity."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._bases import MODETYPES
from ._dispatch import call
from ._media import Material, embedding
from ._types import Array
from ._xp import is_concrete, namespace_of

_E, _H, _D, _B, _G, _F = range(6)  # in the order of poy_wave_field
_NAMES = "efield", "hfield", "dfield", "bfield", "gfield", "ffield"


class Fields:
    """The fields of an object with basis, kind, coefficients, k0, medium_ and polarization. Points have shape (..., 3), results
    likewise; of several illuminations the last axis counts them."""

    kind: str
    coefficients: Any
    k0: Any
    medium_: Material
    polarization: str

    @property
    def basis(self) -> Any:
        """The modes of the coefficients."""
        raise NotImplementedError

    def _with(self, coefficients) -> Any:
        """The same with other coefficients."""
        raise NotImplementedError

    def with_polarization(self, polarization: str) -> Any:
        """The same by helicity or by parity."""
        raise NotImplementedError

    def efield(self, r: Array) -> Array:
        """E."""
        return self._field(_E, r)

    def hfield(self, r: Array) -> Array:
        """Z_0 H."""
        return self._field(_H, r)

    def dfield(self, r: Array) -> Array:
        """D / epsilon_0."""
        return self._field(_D, r)

    def bfield(self, r: Array) -> Array:
        """c B."""
        return self._field(_B, r)

    def gfield(self, pol: int, r: Array) -> Array:
        """E +- i Z Z_0 H of helicity pol, scaled so that of one plane wave of that helicity it is E."""
        return self._field(_G, r, pol)

    def ffield(self, pol: int, r: Array) -> Array:
        """G with each helicity weighted by its own index over the mean one."""
        return self._field(_F, r, pol)

    def _field(self, which, points, pol: int = 0):
        if np.shape(points)[-1:] != (3,):
            raise ValueError(f"points have shape {np.shape(points)}, (..., 3) is wanted")
        coefficients = self.coefficients
        if len(np.shape(coefficients)) > 1:
            parts = [type(self)._field(self._with(coefficients[:, i]), which, points, pol) for i in range(coefficients.shape[1])]
            return namespace_of(*parts).stack_last(parts)
        if is_concrete(points) and is_concrete(coefficients) and is_concrete(self.k0) and self.medium_.is_concrete \
                and is_concrete(self.basis.positions):
            points = np.asarray(points, float)
            field = _core.wave_sample(embedding(self.k0, self.medium_, self.polarization), self.basis._handle,
                                      MODETYPES.index(self.kind), np.asarray(coefficients, complex), which, int(pol),
                                      points.reshape(-1, 3))
            return field.reshape(points.shape)
        if which in (_G, _F):
            raise NotImplementedError(f"{_NAMES[which]} has no derivative here: combine efield and hfield")
        shape = np.shape(points)
        if which != _E:
            self = self.with_polarization("helicity")
            coefficients = self._weighted(which)
        field = self._electric(coefficients, namespace_of(points).reshape(points, (-1, 3)))
        return namespace_of(field).reshape(field, shape)

    def _electric(self, coefficients, points):
        """E of these coefficients by a record, for values of a framework."""
        raise NotImplementedError

    def _weighted(self, which):
        """Coefficients whose E is this field: a wave of helicity s = +-1 has Z_0 H = -i s E / Z, and D = epsilon E + i kappa Z_0 H,
        B = -i kappa E + mu Z_0 H."""
        medium = self.medium_
        s = 2.0 * self.basis.pol - 1.0
        xp = namespace_of(medium, self.coefficients)
        to_h = xp.asarray(-1j * s + 0j) / medium.impedance
        weight = {_H: lambda: to_h, _D: lambda: medium.epsilon + 1j * medium.kappa * to_h,
                  _B: lambda: medium.mu * to_h - 1j * medium.kappa}[which]()
        return call("poy.mul", "", weight + 0j, self.coefficients + 0j)


__all__ = ["Fields"]
