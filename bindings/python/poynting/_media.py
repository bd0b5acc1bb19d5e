"""Media of the scattering API: relative permittivity, permeability and chirality, as numbers or as values of a framework."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ._dispatch import backend_for
from ._types import Array, Number
from ._xp import namespace


class Material:
    """An isotropic reciprocal medium. Material(2.25); Material(epsilon, mu, kappa); Material((epsilon, mu, kappa))."""

    __slots__ = ("epsilon", "mu", "kappa", "_poynting_backend", "is_concrete")

    epsilon: Any
    mu: Any
    kappa: Any
    is_concrete: bool  # are all three numbers?
    _poynting_backend: str

    def __init__(self, epsilon: Any = 1, mu: Any = 1, kappa: Any = 0):
        if isinstance(epsilon, Material):
            epsilon, mu, kappa = epsilon.epsilon, epsilon.mu, epsilon.kappa
        elif isinstance(epsilon, (tuple, list)):
            if not 1 <= len(epsilon) <= 3:
                raise ValueError(f"a material has epsilon, mu and kappa, not {len(epsilon)} numbers")
            epsilon, mu, kappa = list(epsilon) + [1, 1, 0][len(epsilon):]
        self.epsilon, self.mu, self.kappa = epsilon, mu, kappa
        self._poynting_backend = backend_for(epsilon, mu, kappa)
        self.is_concrete = self._poynting_backend == "numpy"

    @classmethod
    def from_refractive_index(cls, n: Number = 1, impedance: Number = None, kappa: Number = 0) -> Material:
        """epsilon = n / impedance, mu = n impedance; without an impedance mu = 1."""
        return cls(n * n, 1, kappa) if impedance is None else cls(n / impedance, n * impedance, kappa)

    @classmethod
    def from_helicity_indices(cls, ns: Array = (1, 1), impedance: Number = None) -> Material:
        """From the indices of negative and positive helicity."""
        return cls.from_refractive_index((ns[0] + ns[1]) / 2, impedance, (ns[1] - ns[0]) / 2)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.epsilon, self.mu, self.kappa))

    def __call__(self) -> tuple[Any, Any, Any]:
        return self.epsilon, self.mu, self.kappa

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Material) and self.is_concrete and other.is_concrete and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Material({self.epsilon}, {self.mu}, {self.kappa})"

    @property
    def n(self) -> Number:
        """Refractive index, the root with Im n >= 0."""
        root = namespace(backend_for(*self)).sqrt(self.epsilon * self.mu)
        return (-root if np.imag(root) < 0 else complex(root)) if self.is_concrete else root

    @property
    def nmp(self) -> tuple[Any, Any]:
        """Indices of negative and positive helicity."""
        root = namespace(backend_for(*self)).sqrt(self.epsilon * self.mu)
        pair = (root - self.kappa, root + self.kappa)
        if not self.is_concrete:
            return pair
        first, second = (-complex(n) if np.imag(n) < 0 else complex(n) for n in pair)
        return first, second

    @property
    def impedance(self) -> Number:
        """sqrt(mu / epsilon), over that of vacuum."""
        return namespace(backend_for(*self)).sqrt(self.mu / self.epsilon)

    @property
    def isreal(self) -> bool:
        """Does it neither absorb nor amplify?"""
        return not any(v.imag for v in self)

    @property
    def _real(self):
        """The real parts [3]."""
        if self.is_concrete:
            return np.array([v.real for v in self], float)
        xp = namespace(self._poynting_backend)
        return xp.stack([xp.real(xp.asarray(v)) for v in self], (3,))

    @property
    def ischiral(self) -> bool:
        """Is kappa not 0?"""
        return bool(self.kappa != 0)

    def kzs(self, k0: Number, kx: Number, ky: Number, pol: Array = (0, 1)) -> Array:
        """Components along z of wavevectors with these kx, ky and pol; Im >= 0."""
        from . import misc

        return misc.wave_vec_z(kx, ky, np.asarray(self.ks(k0))[np.asarray(pol)])

    def krhos(self, k0: Number, kz: Number, pol: Array = (0, 1)) -> Array:
        """Components across z likewise."""
        return self.kzs(k0, kz, 0.0, pol)

    def ks(self, k0: Number) -> Array:
        """Wavenumbers of negative and positive helicity."""
        xp = namespace(backend_for(k0, *self))
        return xp.stack([k0 * n for n in self.nmp], (2,))


def embedding(k0: Number, medium: Material, polarization: str = "helicity") -> tuple[float, complex, complex, complex, int]:
    """Frequency, surroundings and convention as the engine takes them."""
    return (float(k0), complex(medium.epsilon), complex(medium.mu), complex(medium.kappa), int(polarization == "parity"))
