"""What every adapter offers beside its call and wrap, for type checkers, which do not see it bound."""
from typing import Any, Callable

from ._bases import Basis
from ._bases import CylindricalBasis, PlaneWaveBasis, PlaneWavePorts, SphericalBasis
from ._cluster import Cluster
from ._lattice import Lattice
from ._media import Material
from ._outcomes import BandModes, CrossSections, PowerBalance, ScatteredPorts
from ._periodic import PeriodicResponse, solve_periodic
from ._smatrix import SMatrix, interface, multilayer_slab, propagation, slab, stack
from ._tmatrix import TMatrix, cylinder_tmatrix, multilayer_cylinder_tmatrix, multilayer_sphere_tmatrix, sphere_tmatrix
from ._waves import PlaneWave, Wave, plane_wave
from ._types import Array, MaterialLike, Number

__all__ = [
    "BandModes", "Cluster", "CrossSections", "CylindricalBasis", "Lattice", "Material", "PeriodicResponse", "PlaneWave",
    "PlaneWaveBasis", "PlaneWavePorts", "PowerBalance", "SMatrix", "ScatteredPorts", "SphericalBasis", "TMatrix", "Wave",
    "cylinder_tmatrix", "interface", "multilayer_cylinder_tmatrix", "multilayer_slab", "multilayer_sphere_tmatrix", "plane_wave",
    "propagation", "slab", "solve_periodic", "sphere_tmatrix", "stack", "bessel", "illuminate", "interaction", "smatrix", "solve",
    "sphere", "tmatrix", "wave",
]

def bind(namespace: dict[str, Any], call: Callable[..., Any]) -> None: ...
def bessel(z: Array, *, order: Array, function: str = ..., spherical: bool = ..., derivative: bool = ...) -> Any: ...
def illuminate(local: Array, coupling: Array, incident: Array) -> Any: ...
def interaction(local: Array, coupling: Array) -> Any: ...
def smatrix(
    array: Array, *, basis: PlaneWavePorts, k0: Number, negative_medium: MaterialLike = ..., positive_medium: MaterialLike = ...,
    polarization: str = ...
) -> SMatrix: ...
def solve(operator: Array, rhs: Array) -> Any: ...
def sphere(lmax: int, k0: Number, radii: Array, epsilon: Array, mu: Array = ..., kappa: Array = ...) -> Any: ...
def tmatrix(array: Array, *, basis: Basis, k0: Number, medium: MaterialLike = ..., polarization: str = ...) -> Any: ...
def wave(
    coefficients: Array, *, basis: Basis, k0: Number, medium: MaterialLike = ..., kind: str = ..., polarization: str = ...
) -> Wave: ...
