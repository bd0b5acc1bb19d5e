"""T-matrices of particles and of clusters: what goes out for what comes in, powers, handedness."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._bases import NO_AXIAL, SphericalBasis
from ._dispatch import backend_for, call
from ._media import Material
from ._records import options_text
from ._waves import PlaneWave, Wave, concrete, expansion, medium_of, polarization_of, same_k0_and_medium
from ._xp import is_concrete, namespace


@dataclass(frozen=True)
class CrossSections:
    """Scattering and extinction cross sections (length squared) of unit incident amplitude; absorption is their difference."""

    scattering: Any
    extinction: Any

    @property
    def absorption(self):
        return self.extinction - self.scattering

    def __iter__(self):
        return iter((self.scattering, self.extinction))


def _number(value):
    """A NumPy scalar as a float; a framework's value as it is."""
    return float(value) if isinstance(value, np.ndarray) else value


@dataclass(frozen=True)
class Spheres:
    """Layered spheres, as the one record that goes from them to cross sections takes them: radii [n, layers], and epsilon, mu,
    kappa alike, inside out."""

    lmax: int
    radii: Any
    epsilon: Any
    mu: Any
    kappa: Any
    positions: Any

    def _poynting_values(self):
        return self.radii, self.epsilon, self.mu, self.kappa, self.positions


class TMatrix:
    """Regular incident coefficients to outgoing ones: rows and columns in the order of basis.

    array may come later: a T-matrix of spheres is computed when its elements are asked for, while its cross sections go from radii
    and media to powers in one step."""

    def __init__(self, arr=None, *, k0, basis=None, medium=None, polarization=None, material=None, poltype=None,
                 _make=None, _spheres=None):
        self.k0 = concrete(k0, "k0") if is_concrete(k0) else k0
        self.medium_ = medium_of(medium, material)
        self.polarization = polarization_of(polarization, poltype)
        self._array, self._make, self._spheres = arr, _make, _spheres
        if basis is None:
            basis = SphericalBasis.default(SphericalBasis.defaultlmax(np.shape(arr)[0]))
        self.basis = basis
        if arr is not None and tuple(np.shape(arr)) != (len(basis), len(basis)):
            raise ValueError(f"a T-matrix of shape {tuple(np.shape(arr))} does not fit a basis of {len(basis)} modes")

    @property
    def array(self):
        if self._array is None:
            self._array = self._make()
        return self._array

    @property
    def _poynting_backend(self) -> str:
        parts = self._spheres._poynting_values() if self._spheres else (self._array,)
        return backend_for(self.k0, self.medium_, *parts)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.array, dtype)

    def __matmul__(self, other):
        return self.array @ other

    shape = property(lambda self: (len(self.basis), len(self.basis)))
    poltype = property(lambda self: self.polarization)
    isglobal = property(lambda self: self.basis.isglobal)
    ks = property(lambda self: self.medium_.ks(self.k0))

    def medium(self):
        return tuple(self.medium_)

    material = medium

    # ---- light ----

    def _incident(self, incident) -> Wave:
        if isinstance(incident, (PlaneWave, Wave)):
            if incident.polarization != self.polarization:
                raise ValueError(f"the wave is of {incident.polarization}, the T-matrix of {self.polarization}")
            wave = incident.in_basis(self.basis) if isinstance(incident, PlaneWave) or incident.basis != self.basis else incident
            wave.coefficients = same_k0_and_medium(wave.coefficients, incident, self, "illumination")
            return wave
        return Wave(incident, self.basis, self.k0, self.medium_, "regular", self.polarization)

    def scatter(self, incident) -> Wave:
        """What goes out for a wave that comes in."""
        wave = self._incident(incident)
        xp = namespace(backend_for(self.array, wave.coefficients))
        out = call("poy.matmul", "", self.array, xp.reshape(wave.coefficients, (len(self.basis), 1)))
        return Wave(xp.reshape(out, (len(self.basis),)), self.basis, self.k0, self.medium_, "singular", self.polarization)

    def cross_sections(self, incident, flux: float = 0.5) -> CrossSections:
        """Powers over the flux of the wave, in lossless surroundings; flux 0.5 is that of a plane wave of unit amplitude."""
        direct = self._spheres is not None and isinstance(incident, PlaneWave) and flux == 0.5
        if direct and incident.polarization == self.polarization == "helicity":
            amplitude = same_k0_and_medium(incident.coefficients, incident, self, "illumination")
            s = self._spheres
            xp = namespace(backend_for(self.medium_))
            medium = xp.stack([xp.real(xp.asarray(v)) for v in self.medium_], (3,))
            self._lossless()
            pair = call("poy.spheres_cross_sections", options_text({"lmax": s.lmax}), self.k0, s.radii, s.epsilon, s.mu,
                        s.kappa, s.positions, medium, amplitude, incident.direction)
        else:
            self._lossless()
            wave = self._incident(incident)
            pair = call("poy.cross_sections", options_text({"poltype": self.polarization, "flux": flux}), self.array,
                        wave.coefficients, self._real_ks(), self.basis.positions, self.basis._rows, NO_AXIAL)
        return CrossSections(*map(_number, pair))

    def _lossless(self):
        if self.medium_.is_concrete and any(np.imag(v) for v in self.medium_):
            raise ValueError(f"cross sections need lossless surroundings: the medium is {self.medium_}")

    def _real_ks(self):
        ks = self.ks
        return namespace(backend_for(ks)).real(ks)

    @property
    def average_cross_sections(self) -> CrossSections:
        """The mean over directions and polarizations of plane waves."""
        self._lossless()
        return CrossSections(*map(_number, call("poy.average_cross_sections", "",
                                                self.array, self._real_ks(), self.basis._rows, NO_AXIAL)))

    def _metric(self, metric):
        if self.polarization != "helicity":
            raise ValueError(f"{metric} needs a T-matrix of helicity")
        return _number(call("poy.tmatrix_metric", options_text({"metric": metric}), self.array, self._real_ks(),
                            self.basis.pol.astype(float)))

    circular_dichroism = property(lambda self: self._metric("cd"))
    duality_breaking = property(lambda self: self._metric("db"))
    electromagnetic_chirality = property(lambda self: self._metric("chi"))

    # ---- places and frames ----

    def _like(self, array, basis=None) -> "TMatrix":
        return TMatrix(array, k0=self.k0, basis=basis or self.basis, medium=self.medium_, polarization=self.polarization)

    def rotate(self, phi, theta=0.0, psi=0.0) -> "TMatrix":
        """The particle turned by the z-y-z angles phi, theta, psi."""
        if not self.isglobal:
            raise NotImplementedError("only a T-matrix about one origin can be turned")
        xp = namespace(backend_for(phi, theta, psi))
        rows = self.basis._rows
        turn = call("poy.rotation", "", xp.stack([phi, theta, psi], (3,)), rows, rows)
        back = call("poy.rotation", "", xp.stack([-psi, -theta, -phi], (3,)), rows, rows)
        return self._like(call("poy.matmul", "", call("poy.matmul", "", turn, self.array), back))

    def in_basis(self, basis: SphericalBasis) -> "TMatrix":
        """The same scatterer by multipoles about other origins (one, for a global T-matrix)."""
        out = expansion(basis, self.basis, self.k0, self.medium_, self.polarization, False)
        into = expansion(self.basis, basis, self.k0, self.medium_, self.polarization, False)
        return self._like(call("poy.matmul", "", call("poy.matmul", "", out, self.array), into), basis)

    expand = in_basis

    def translate(self, r) -> "TMatrix":
        """The scatterer moved by r: the same origin, other multipoles."""
        moved = SphericalBasis(self.basis.modes, self.basis.positions + np.asarray(r, float))
        here = self.basis
        out = expansion(here, moved, self.k0, self.medium_, self.polarization, False)
        into = expansion(moved, here, self.k0, self.medium_, self.polarization, False)
        return self._like(call("poy.matmul", "", call("poy.matmul", "", out, self.array), into))

    def valid_points(self, grid, radii) -> np.ndarray:
        """Points outside of the spheres of these radii about the origins, where outgoing multipoles hold."""
        grid = np.asarray(grid, float)
        valid = np.ones(grid.shape[:-1], bool)
        for position, radius in zip(self.basis.positions, np.atleast_1d(radii)):
            valid &= np.linalg.norm(grid - position, axis=-1) > radius
        return valid

    # names of treams
    def xs(self, illu, flux: float = 0.5):
        return tuple(self.cross_sections(illu, flux))

    xs_ext_avg = property(lambda self: self.average_cross_sections.extinction)
    xs_sca_avg = property(lambda self: self.average_cross_sections.scattering)
    cd = property(lambda self: self.circular_dichroism)
    db = property(lambda self: self.duality_breaking)
    chi = property(lambda self: self.electromagnetic_chirality)

    def __repr__(self):
        return f"<TMatrix: {len(self.basis)} modes, {len(self.basis.positions)} origins, k0 = {self.k0}>"


# ---- spheres ----


def _layers(values, xp):
    return xp.stack(list(values), (1, len(values)))


def multilayer_sphere_tmatrix(*, k0, lmax: int, radii, materials, medium=1, polarization="helicity") -> TMatrix:
    """Concentric layers from inside out, one material for each radius. k0 = 2 pi / wavelength; radii and 1/k0 share a unit."""
    radii = list(radii) if isinstance(radii, (tuple, list)) or np.ndim(radii) else [radii]
    materials = [Material(m) for m in materials]
    if len(radii) != len(materials) or not radii:
        raise ValueError(f"{len(radii)} radii and {len(materials)} materials: one for each layer is wanted")
    fixed = [float(r) for r in radii if is_concrete(r)]
    if len(fixed) == len(radii) and not all(b > a for a, b in zip([0.0, *fixed], fixed)):
        raise ValueError(f"radii {fixed}: they have to be above 0 and to rise outwards")
    if not isinstance(lmax, (int, np.integer)) or not 1 <= lmax <= 128:
        raise ValueError(f"lmax = {lmax}: a whole number from 1 to 128 is wanted")
    surroundings, polarization = Material(medium), polarization_of(polarization, None)
    xp = namespace(backend_for(*radii, *materials, surroundings, k0))
    parts = [_layers([getattr(m, part) for m in materials], xp) for part in ("epsilon", "mu", "kappa")]
    spheres = Spheres(int(lmax), _layers(radii, xp), *parts, np.zeros((1, 3)))
    k0 = concrete(k0, "k0") if is_concrete(k0) else k0

    def make():
        every = [*materials, surroundings]
        media = [xp.stack([getattr(m, part) for m in every], (len(every),)) for part in ("epsilon", "mu", "kappa")]
        helicity = call("poy.sphere", options_text({"lmax": lmax}), k0, xp.stack(radii, (len(radii),)), *media)
        if polarization == "helicity":
            return helicity
        return _to_parity(helicity)

    return TMatrix(k0=k0, basis=SphericalBasis.default(int(lmax)), medium=surroundings, polarization=polarization,
                   _make=make, _spheres=spheres)


def _to_parity(matrix):
    """B T B with B = [[1, 1], [1, -1]] / sqrt(2) on each pair of pols (1 before 0)."""
    n = matrix.shape[0] // 2
    change = np.kron(np.eye(n), np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2)) + 0j
    return call("poy.matmul", "", call("poy.matmul", "", change, matrix), change)


def sphere_tmatrix(*, k0, lmax: int, radius, material, medium=1, polarization="helicity") -> TMatrix:
    """A homogeneous sphere; material: a permittivity or a Material. k0 = 2 pi / wavelength; radius and 1/k0 share a unit."""
    return multilayer_sphere_tmatrix(k0=k0, lmax=lmax, radii=[radius], materials=[material], medium=medium,
                                     polarization=polarization)


__all__ = ["CrossSections", "TMatrix", "multilayer_sphere_tmatrix", "sphere_tmatrix"]
