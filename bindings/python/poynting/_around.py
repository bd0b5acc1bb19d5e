"""What responses and waves say of the medium around them and of how they count polarizations."""
from __future__ import annotations

from typing import Any

from ._media import Material
from ._types import Number


class InMedium:
    """Of an object that holds medium_ and polarization itself."""

    medium_: Material
    polarization: str

    @property
    def medium(self) -> Material:
        """What is around."""
        return self.medium_

    material = medium

    @property
    def poltype(self) -> str:
        """treams' name of polarization."""
        return self.polarization


class OfLocal:
    """Of an object that was made of a T-matrix or a wave, _local: k0, medium and polarization are those of that."""

    _local: Any

    @property
    def k0(self) -> Number:
        """2 pi over the vacuum wavelength."""
        return self._local.k0

    @property
    def medium(self) -> Material:
        """What is around."""
        return self._local.medium_

    material = medium

    @property
    def polarization(self) -> str:
        """"helicity" or "parity"."""
        return self._local.polarization

    @property
    def poltype(self) -> str:
        """treams' name of polarization."""
        return self.polarization
