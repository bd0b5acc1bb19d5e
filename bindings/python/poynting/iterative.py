"""poynting.iterative: clusters of spheres too large for a matrix: GMRES with the spheres as block preconditioner, and its adjoint."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._bases import SphericalBasis
from ._errors import NoConvergenceError
from ._media import Material, embedding
from ._records import options_text, record
from ._types import Array, Number
from ._waves import PlaneWave, Wave

DEFAULT_RTOL, DEFAULT_ATOL, DEFAULT_RESTART, DEFAULT_MAX_ITERATIONS = 1e-10, 0.0, 30, 300
__all__ = ["Convergence", "DEFAULT_ATOL", "DEFAULT_MAX_ITERATIONS", "DEFAULT_RESTART", "DEFAULT_RTOL", "Gradient", "IterativeContext",
           "ScatteringSolution", "Solution", "SphereCluster"]


class Convergence(NamedTuple):
    """Of one column: the residual |T a - (1 - T C) p|, computed anew at the end, and |T a|."""

    iterations: int
    residual_norm: float
    rhs_norm: float


class Solution(NamedTuple):
    """Scattered waves of columns, and how each was reached."""

    coefficients: np.ndarray
    convergence: tuple[Convergence, ...]


class ScatteringSolution(NamedTuple):
    """A scattered wave, and how it was reached."""

    wave: Wave
    convergence: tuple[Convergence, ...]


class Gradient(NamedTuple):
    """In the order of the arguments of SphereCluster and record; dL = Re sum(conj(g) dx). convergence: of the solutions, none are told of the
    adjoint ones, which go to the same rtol or fail."""

    k0: float
    radii: np.ndarray
    epsilon: np.ndarray
    positions: np.ndarray
    incident: np.ndarray
    convergence: tuple[Convergence, ...]


class IterativeContext:
    """The derivatives of SphereCluster.record: pullback(cotangent) -> Gradient, pushforward(d_k0, d_radii, d_epsilon, d_positions,
    d_incident)."""

    def __init__(self, context: Any, columns: tuple[int, ...], convergence: tuple[Convergence, ...]):
        self._context, self._columns, self._convergence = context, columns, convergence

    def pullback(self, cotangent: Array) -> Gradient:
        """Gradients for a cotangent of the shape of the value."""
        g = np.asarray(cotangent, complex)
        if g.shape != self._columns:
            raise ValueError(f"the cotangent has shape {g.shape}, the value {self._columns}")
        k0, radii, epsilon, positions, incident = self._context.pullback(g.reshape(len(g), -1))
        return Gradient(float(k0), radii, epsilon, positions, np.asarray(incident).reshape(self._columns), self._convergence)

    def pushforward(self, k0: Number = None, radii: Array = None, epsilon: Array = None, positions: Array = None,
                    incident: Array = None) -> np.ndarray:
        """The tangent of the value for those of the arguments; None: no change."""
        if incident is not None:
            incident = np.asarray(incident, complex).reshape(self._columns[0], -1)
        return np.asarray(self._context.pushforward(k0, radii, epsilon, positions, incident)).reshape(self._columns)


class SphereCluster:
    """Homogeneous, nonmagnetic spheres in vacuum, each in SphericalBasis.default(lmax) about its centre; one unit of length for radii, positions
    and 1 / k0. radii [n], epsilon [n] or one, positions [n, 3]."""

    lmax: int
    k0: float
    radii: np.ndarray
    epsilon: np.ndarray
    positions: np.ndarray
    basis: SphericalBasis

    def __init__(self, lmax: int, k0: float, radii: Array, epsilon: Array, positions: Array):
        self.lmax, self.k0 = int(lmax), float(k0)
        self.radii = np.array(radii, float).reshape(-1)
        n = len(self.radii)
        self.epsilon = np.broadcast_to(np.asarray(epsilon, complex), (n,)).copy()
        self.positions = np.array(positions, float).reshape(n, 3)
        self.basis = SphericalBasis.default(self.lmax, n, self.positions)
        from . import diff

        one = SphericalBasis.default(self.lmax)
        about = embedding(self.k0, Material(1), "helicity")
        self._rows = tuple((about, one._handle, np.asarray(diff.sphere(self.lmax, self.k0, np.array([r]), np.array([e, 1]))[0]))
                           for r, e in zip(self.radii, self.epsilon))

    @property
    def dimension(self) -> int:
        """Waves of all spheres."""
        return len(self.basis)

    def _columns(self, incident):
        incident = np.asarray(incident, complex)
        if incident.ndim not in (1, 2) or len(incident) != self.dimension:
            raise ValueError(f"incident has shape {incident.shape}, columns of {self.dimension} waves are wanted")
        return incident, np.ascontiguousarray(incident.reshape(len(incident), -1))

    def solve(self, incident: Array, *, rtol: float = DEFAULT_RTOL, atol: float = DEFAULT_ATOL, restart: int = DEFAULT_RESTART,
              max_iterations: int = DEFAULT_MAX_ITERATIONS) -> Solution:
        """Scattered waves of columns, each to |residual| <= max(atol, rtol |T a|); NoConvergenceError otherwise."""
        incident, columns = self._columns(incident)
        found, told = _core.cluster_iterate(self._rows, self.positions, float(rtol), int(restart), int(max_iterations), columns)
        convergence = tuple(Convergence(iterations, residual, rhs) for _, iterations, residual, rhs in told)
        for i, c in enumerate(convergence):
            if not c.residual_norm <= max(atol, rtol * c.rhs_norm) * (1 + 1e-12):
                raise NoConvergenceError(f"column {i}: a residual of {c.residual_norm:.3g} of {c.rhs_norm:.3g} after {c.iterations} iterations: "
                                         "raise max_iterations, restart or rtol")
        return Solution(np.asarray(found).reshape(incident.shape), convergence)

    def record(self, incident: Array, *, rtol: float = DEFAULT_RTOL, atol: float = DEFAULT_ATOL, restart: int = DEFAULT_RESTART,
               max_iterations: int = DEFAULT_MAX_ITERATIONS) -> tuple[Solution, IterativeContext]:
        """solve with derivatives by k0, radii, epsilon, positions and incident; the adjoint is iterated to the same rtol."""
        solution = self.solve(incident, rtol=rtol, atol=atol, restart=restart, max_iterations=max_iterations)
        incident, columns = self._columns(incident)
        options = options_text({"lmax": self.lmax, "rtol": rtol, "restart": restart, "max_iterations": max_iterations})
        _, context = record("poy.sphere_cluster_iterative", options)(self.k0, self.radii, self.epsilon, self.positions, columns)
        return solution, IterativeContext(context, incident.shape, solution.convergence)

    def scatter(self, incident: PlaneWave | Wave, **options: Any) -> ScatteringSolution:
        """What a plane wave or multipoles in vacuum scatter, as a wave."""
        wave = incident.in_basis(self.basis)
        solution = self.solve(wave.coefficients, **options)
        return ScatteringSolution(Wave(solution.coefficients, basis=self.basis, k0=self.k0, kind="singular"), solution.convergence)
