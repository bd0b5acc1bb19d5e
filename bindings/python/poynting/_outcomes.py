"""Named results: powers, contrasts, Bloch waves, waves that leave a stack."""
from __future__ import annotations

from typing import Any, NamedTuple


class CrossSections(NamedTuple):
    """Scattering and extinction cross sections (length squared; of cylinders widths) of unit incident amplitude; absorption is
    their difference."""

    scattering: Any
    extinction: Any

    @property
    def absorption(self) -> Any:
        """extinction - scattering."""
        return self.extinction - self.scattering


class PowerBalance(NamedTuple):
    """Shares of the incident power."""

    transmission: Any
    reflection: Any

    @property
    def absorption(self) -> Any:
        """What is neither transmitted nor reflected."""
        return 1 - self.transmission - self.reflection


class BandModes(NamedTuple):
    """Bloch wavenumbers along the normal, and their waves as columns."""

    wavenumbers: Any
    eigenvectors: Any


class ScatteredPorts(NamedTuple):
    """Waves that leave on the positive and on the negative side."""

    positive: Any
    negative: Any


class CircularDichroism(NamedTuple):
    """Contrasts of the given light and the same with each pol exchanged: of the transmitted power, and of all that leaves."""

    transmission: Any
    outgoing_power: Any
