"""Clusters of particles in one medium."""
from __future__ import annotations

import numpy as np

from ._bases import SphericalBasis
from ._dispatch import backend_for, call
from ._tmatrix import Spheres, TMatrix
from ._waves import PlaneWave, Wave, same_k0_and_medium
from ._xp import is_concrete, namespace


class _Placed(SphericalBasis):
    """A basis whose origins may be values of a framework."""

    def __init__(self, modes, positions):
        self.modes = modes
        self.positions = positions

    isglobal = property(lambda self: len(self.positions) == 1)

    def __eq__(self, other):
        return self is other

    __hash__ = None


class Cluster:
    """Particles at positions, not yet coupled. solve() couples them once for every illumination; scatter(wave) for one."""

    def __init__(self, particles, *, positions):
        particles = list(particles)
        if not particles:
            raise ValueError("a cluster needs at least one particle")
        shape = tuple(np.shape(positions))
        if shape != (len(particles), 3):
            raise ValueError(f"positions have shape {shape}, {len(particles)} particles need ({len(particles)}, 3)")
        for i, p in enumerate(particles):
            if not isinstance(p, TMatrix) or not p.isglobal:
                raise ValueError(f"particle {i} is no T-matrix about one origin")
            if p.polarization != particles[0].polarization:
                raise ValueError(f"particle {i} is of {p.polarization}, the first of {particles[0].polarization}")
        first = particles[0]
        if is_concrete(positions):
            positions = np.asarray(positions, float)
            gaps = np.linalg.norm(positions[:, None] - positions[None], axis=-1) + np.diag(np.full(len(particles), np.inf))
            if np.min(gaps) == 0:
                i, j = np.argwhere(gaps == 0)[0]
                raise ValueError(f"particles {i} and {j} are at one place")
        self.particles, self.positions = particles, positions
        self.k0, self.medium_, self.polarization = first.k0, first.medium_, first.polarization
        modes = np.concatenate([np.column_stack([np.full(len(p.basis), i), p.basis.modes[:, 1:]])
                                for i, p in enumerate(particles)])
        self.basis = SphericalBasis(modes, positions) if is_concrete(positions) else _Placed(modes, positions)

    poltype = property(lambda self: self.polarization)
    _poynting_backend = property(lambda self: backend_for(self.positions, *self.particles))

    def medium(self):
        return tuple(self.medium_)

    material = medium

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

    def _coupling(self):
        from ._waves import expansion

        return expansion(self.basis, self.basis, self.k0, self.medium_, self.polarization, True)

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
        rows = [xp.join([getattr(s, part) for s in parts], 0) for part in ("radii", "epsilon", "mu", "kappa")]
        return Spheres(parts[0].lmax, *rows, self.positions)

    def solve(self) -> TMatrix:
        """The coupled response to any illumination, in the multipoles of all particles."""
        def make():
            return call("poy.interaction", "", self._blocks(), self._coupling())

        return TMatrix(k0=self.k0, basis=self.basis, medium=self.medium_, polarization=self.polarization, _make=make,
                       _spheres=self._spheres())

    def scatter(self, incident) -> Wave:
        """What goes out for one wave, without the whole response."""
        empty = TMatrix(k0=self.k0, basis=self.basis, medium=self.medium_, polarization=self.polarization)
        wave = empty._incident(incident) if isinstance(incident, (PlaneWave, Wave)) else empty._incident(np.asarray(incident))
        blocks, coupling = self._blocks(), self._coupling()
        xp = namespace(backend_for(blocks, coupling, wave.coefficients))
        out = call("poy.illuminate", "", blocks, coupling, xp.reshape(wave.coefficients, (len(self.basis), 1)))
        return Wave(xp.reshape(out, (len(self.basis),)), self.basis, self.k0, self.medium_, "singular", self.polarization)

    def __repr__(self):
        return f"<Cluster: {len(self.particles)} particles, {len(self.basis)} modes>"


__all__ = ["Cluster"]
