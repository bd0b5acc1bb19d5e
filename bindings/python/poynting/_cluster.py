"""Clusters of particles in one medium."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

import numpy as np

from . import _core
from ._around import InMedium, OfLocal
from ._bases import MultipoleBasis
from ._dispatch import backend_for, call
from ._media import Material, embedding
from ._tmatrix import MultipoleTMatrix, Spheres
from ._types import Array, Light, Number
from ._waves import Wave, expansion, same_k0_and_medium
from ._xp import is_concrete, namespace


def placed(family: type[MultipoleBasis], modes, positions) -> MultipoleBasis:
    """Modes that are known to be right, about origins that may be values of a framework."""
    basis = family.__new__(family)
    basis.modes, basis.positions = modes, positions
    return basis


def coupling(basis, k0, medium, polarization):
    """What goes out about each origin as what comes in about every other."""
    return expansion(basis, basis, k0, medium, polarization, "regular", "singular")


class Cluster(InMedium):
    """Particles at positions, not yet coupled. solve() couples them once for every illumination; scatter(wave) for one.

    particles: T-matrices about one origin each, of one k0, medium and polarization; positions [particles, 3] in the unit of 1 / k0. Raises
    ValueError where they do not fit together or two are at one place."""

    k0: Number
    basis: MultipoleBasis
    positions: Array
    polarization: str
    medium_: Material
    particles: list[MultipoleTMatrix]

    def __init__(self, particles: Iterable[MultipoleTMatrix], *, positions: Array):
        particles = list(particles)
        if not particles:
            raise ValueError("a cluster needs at least one particle")
        shape = tuple(np.shape(positions))
        if shape != (len(particles), 3):
            raise ValueError(f"positions have shape {shape}, {len(particles)} particles need ({len(particles)}, 3)")
        for i, p in enumerate(particles):
            if not isinstance(p, MultipoleTMatrix) or not p.isglobal:
                raise ValueError(f"particle {i} is no T-matrix about one origin")
            if type(p) is not type(particles[0]):
                raise ValueError(f"particle {i} is a {type(p).__name__}, the first a {type(particles[0]).__name__}")
            if p.polarization != particles[0].polarization:
                raise ValueError(f"particle {i} is of {p.polarization}, the first of {particles[0].polarization}")
        first = particles[0]
        if is_concrete(positions):
            positions = np.asarray(positions, float)
            axes = 3 if first._family._kind == 0 else 2
            gaps = np.linalg.norm(positions[:, None, :axes] - positions[None, :, :axes], axis=-1) + np.diag(np.full(len(particles), np.inf))
            if np.min(gaps) == 0:
                i, j = np.argwhere(gaps == 0)[0]
                raise ValueError(f"particles {i} and {j} are at one place")
        self.particles, self.positions = particles, positions
        self.k0, self.medium_, self.polarization = first.k0, first.medium_, first.polarization
        modes = np.concatenate([np.column_stack([np.full(len(p.basis), i), p.basis.modes[:, 1:]])
                                for i, p in enumerate(particles)])
        self.basis = placed(first._family, modes, positions)

    _poynting_backend = property(lambda self: backend_for(self.positions, *self.particles))

    def _blocks(self):
        """The particles' T-matrices along the diagonal; their k0 and media compared."""
        arrays = [p.array if p is self.particles[0] else same_k0_and_medium(p.array, p, self.particles[0], f"particle {i}")
                  for i, p in enumerate(self.particles)]
        if len(arrays) == 1:
            return arrays[0]
        xp = namespace(backend_for(*arrays))
        sizes = [len(p.basis) for p in self.particles]
        rows = [xp.join([a if j == i else np.zeros((n, m), complex) for j, m in enumerate(sizes)], 1)
                for i, (a, n) in enumerate(zip(arrays, sizes))]
        return xp.join(rows, 0)

    def _spheres(self):
        """The cluster as spheres, where it is one of spheres with equally many layers and one lmax, compared already."""
        parts = [p._spheres for p in self.particles]
        if any(s is None for s in parts) or len({(s.lmax, np.shape(s.radii)) for s in parts}) > 1:
            return None
        first = self.particles[0]
        if any(not (is_concrete(p.k0) or p.k0 is first.k0) or not p.medium_.is_concrete for p in self.particles):
            return None
        for i, p in enumerate(self.particles[1:], 1):
            same_k0_and_medium(0.0, p, self.particles[0], f"particle {i}")
        xp = namespace(backend_for(*(s._poynting_values() for s in parts)))
        shape = (1, -1)
        radii, *media = (xp.join([xp.reshape(xp.asarray(getattr(s, part)), shape) for s in parts], 0)
                         for part in ("radii", "epsilon", "mu", "kappa"))
        return Spheres(parts[0].lmax, radii, media[0], media[1], media[2], self.positions)

    def _local(self) -> MultipoleTMatrix:
        """The particles side by side, not coupled."""
        return type(self.particles[0])._of(self.k0, self.basis, self.medium_, self.polarization, make=self._blocks)

    def solve(self) -> MultipoleTMatrix:
        """The coupled response to any illumination, in the multipoles of all particles."""
        def make():
            return call("poy.interaction", "", self._blocks(), coupling(self.basis, self.k0, self.medium_, self.polarization))

        return type(self.particles[0])._of(self.k0, self.basis, self.medium_, self.polarization, make=make,
                                           spheres=self._spheres())

    def scatter(self, incident: Light) -> Wave:
        """What goes out for one wave (or several, as columns), without the whole response."""
        return self._local()._outgoing(Interaction(self._local()).illuminate(incident))

    def factor(self) -> "ScatteringFactor":
        """Factors once, for many illuminations."""
        local = self._local()
        same_k0_and_medium(0.0, self, local, "cluster")
        return ScatteringFactor(local, [(p.basis, p.array) for p in self.particles])

    def __repr__(self) -> str:
        return f"<Cluster: {len(self.particles)} particles, {len(self.basis)} modes>"


class ScatteringFactor(OfLocal):
    """The factors of a cluster: scatter(incident) for one wave or for columns of coefficients."""

    def __init__(self, local: MultipoleTMatrix, particles: Sequence[tuple[MultipoleBasis, Array]]):
        if local._poynting_backend != "numpy":
            raise NotImplementedError("factors carry no derivative: use Cluster.solve or Cluster.scatter")
        about = embedding(local.k0, local.medium_, local.polarization)
        rows = []
        for basis, array in particles:
            modes = basis.modes.copy()
            modes[:, 0] = 0
            rows.append((about, type(basis)(modes)._handle, np.asarray(array)))
        self._local = local
        self._factor = _core.factor(tuple(rows), np.asarray(local.basis.positions, float))

    @property
    def basis(self) -> MultipoleBasis:
        """The modes of all particles."""
        return self._local.basis

    def __reduce__(self) -> NoReturn:
        raise TypeError("factors belong to their process: copy or pickle the cluster, and factor it there")

    def solve(self, values: Array) -> np.ndarray:
        """Columns of scattered coefficients, for columns (or one) that come in."""
        values = np.asarray(values, complex)
        columns = values.reshape(values.shape[0], -1)
        if len(columns) != len(self.basis):
            raise ValueError(f"{len(columns)} coefficients for {len(self.basis)} modes")
        return _core.factor_scatter(self._factor, columns).reshape(values.shape)

    def scatter(self, incident: Light) -> Wave:
        """What goes out."""
        return self._local._outgoing(self.solve(self._local._incident(incident).coefficients))


class Interaction:
    """Scattering among the origins of a T-matrix."""

    def __init__(self, matrix: MultipoleTMatrix):
        self.matrix = matrix

    def coupling(self) -> Array:
        """C [modes, modes]: what goes out about each origin as what comes in about every other."""
        m = self.matrix
        return coupling(m.basis, m.k0, m.medium_, m.polarization)

    def __call__(self) -> Array:
        """1 - T C."""
        return np.eye(len(self.matrix)) - call("poy.matmul", "", self.matrix.array, self.coupling())

    def solve(self) -> MultipoleTMatrix:
        """The T-matrix with all scattering among its origins."""
        return self.matrix._like(call("poy.interaction", "", self.matrix.array, self.coupling()))

    def illuminate(self, incident: Light) -> Array:
        """Scattered coefficients for one wave or for columns."""
        return illuminated(self.matrix, self.coupling(), incident)

    def factor(self) -> ScatteringFactor:
        """Factors once, for many illuminations; of a T-matrix whose origins are not coupled yet."""
        m, parts = self.matrix, []
        array, pidx = np.asarray(m.array), m.basis.pidx
        for i in range(len(m.basis.positions)):
            rows = np.flatnonzero(pidx == i)
            if np.any(array[np.ix_(rows, np.flatnonzero(pidx != i))]):
                raise ValueError("the T-matrix couples its origins already")
            parts.append((m.basis[rows], array[np.ix_(rows, rows)]))
        return ScatteringFactor(m, parts)


def illuminated(matrix: MultipoleTMatrix, coupled, incident):
    """(1 - T C)^-1 T a for one wave or for columns."""
    values = matrix._incident(incident).coefficients
    local = matrix.array
    xp = namespace(backend_for(local, coupled, values))
    shape = tuple(np.shape(values))
    out = call("poy.illuminate", "", local, coupled, xp.reshape(values, (shape[0], -1)) + 0j)
    return xp.reshape(out, shape)


__all__ = ["Cluster", "ScatteringFactor"]
