"""T-matrices of particles and of clusters: what goes out for what comes in, powers, handedness."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ._around import InMedium
from ._bases import Basis, CylindricalBasis, MultipoleBasis, SphericalBasis
from ._dispatch import backend_for, call
from ._media import Material
from ._outcomes import CrossSections
from ._records import options_text
from ._types import Array, LatticeLike, Light, MaterialLike, Number, WaveVectorLike
from ._waves import (PlaneWave, Wave, apply, change_polarization, concrete, expansion, medium_of, no_parity_in_chiral,
                     polarization_of, same_k0_and_medium, target_polarization)
from ._xp import is_concrete, namespace

if TYPE_CHECKING:
    from typing import Self

    from ._cluster import Interaction
    from ._periodic import LatticeInteraction


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

    def _poynting_values(self) -> tuple[Any, ...]:
        return self.radii, self.epsilon, self.mu, self.kappa, self.positions


class MultipoleTMatrix(InMedium):
    """Regular incident coefficients to outgoing ones: rows and columns in the order of basis.

    array may come later: a T-matrix of spheres is computed when its elements are asked for, while its cross sections go from radii
    and media to powers in one step."""

    _family: type[MultipoleBasis]
    basis: Any
    k0: Number
    polarization: str
    medium_: Material

    def __init__(self, arr: Array, *, k0: Number, basis: MultipoleBasis | None = None, medium: MaterialLike = None,
                 polarization: str | None = None, material: MaterialLike = None, poltype: str | None = None):
        shape = tuple(np.shape(arr))
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError(f"a T-matrix is square, this one has shape {shape}")
        if basis is None:
            basis = self._complete(shape[0])
        if not isinstance(basis, self._family):
            raise TypeError(f"a {type(self).__name__} needs a {self._family.__name__}, not a {type(basis).__name__}")
        if shape[0] != len(basis):
            raise ValueError(f"a T-matrix of shape {shape} does not fit a basis of {len(basis)} modes")
        if is_concrete(arr):
            arr = np.array(arr, complex)
        self._set(k0, basis, medium_of(medium, material), polarization_of(polarization, poltype), arr)

    def _set(self, k0, basis, medium, polarization, array=None, make=None, spheres=None):
        self.k0 = concrete(k0, "k0") if is_concrete(k0) else k0
        self.basis, self.medium_, self.polarization = basis, medium, polarization
        self._array, self._make, self._spheres = array, make, spheres
        no_parity_in_chiral(polarization, medium)

    @classmethod
    def _of(cls, *parts, **more):
        self = cls.__new__(cls)
        self._set(*parts, **more)
        return self

    @staticmethod
    def _complete(size) -> MultipoleBasis:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """Of copies and pickles: the elements, not the way to them."""
        return {**self.__dict__, "_array": self.array if self._make else self._array, "_make": None}

    @property
    def array(self) -> Array:
        """[modes, modes]: columns of what comes in, rows of what goes out."""
        if self._array is None:
            self._array = self._make()
        return self._array

    @property
    def _poynting_backend(self) -> str:
        parts = self._spheres._poynting_values() if self._spheres else (self._array,)
        return backend_for(self.k0, self.medium_, *parts)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.array, dtype)

    def __matmul__(self, other: Any) -> Any:
        return self.array @ other

    def __len__(self) -> int:
        return len(self.basis)

    def __getitem__(self, key: Any) -> Any:
        """Elements, or with a basis the T-matrix of these modes."""
        return self.select(key) if isinstance(key, Basis) else self.array[key]

    @property
    def shape(self) -> tuple[int, int]:
        """(modes, modes)."""
        return (len(self.basis), len(self.basis))

    @property
    def modetype(self) -> tuple[str, str]:
        """Of rows and of columns."""
        return ("singular", "regular")

    @property
    def isglobal(self) -> bool:
        """Are all modes about one origin?"""
        return self.basis.isglobal

    @property
    def ks(self) -> Array:
        """[2]: wavenumbers of negative and positive helicity around."""
        return self.medium_.ks(self.k0)

    # ---- light ----

    def _incident(self, incident) -> Wave:
        if isinstance(incident, (PlaneWave, Wave)):
            if incident.polarization != self.polarization:
                raise ValueError(f"the wave is of {incident.polarization}, the T-matrix of {self.polarization}")
            wave = incident.in_basis(self.basis) if isinstance(incident, PlaneWave) or incident.basis != self.basis else incident
            coefficients = same_k0_and_medium(wave.coefficients, incident, self, "illumination")
            return wave if coefficients is wave.coefficients else wave._with(coefficients)
        values = np.asarray(incident, complex) if is_concrete(incident) else incident
        return Wave._of(values, self.basis, self.k0, self.medium_, "regular", self.polarization)

    def _outgoing(self, coefficients) -> Wave:
        return Wave._of(coefficients, self.basis, self.k0, self.medium_, "singular", self.polarization)

    def scatter(self, incident: Light) -> Wave:
        """What goes out for a wave that comes in."""
        return self._outgoing(apply(self.array, self._incident(incident).coefficients))

    def _powers(self, incident, flux) -> CrossSections:
        self._lossless()
        wave = self._incident(incident)
        options = {"waves": self.basis._waves, "poltype": self.polarization, "flux": flux}
        pair = call("poy.cross_sections", options_text(options), self.array, wave.coefficients, self._real_ks(), self.basis.positions, self.basis._rows, self.basis._axial)
        return CrossSections(*map(_number, pair))

    def _average(self) -> CrossSections:
        self._lossless()
        return CrossSections(*map(_number, call("poy.average_cross_sections", options_text({"waves": self.basis._waves}), self.array, self._real_ks(),
                                                self.basis._rows, self.basis._axial)))

    def _lossless(self):
        if self.medium_.is_concrete and not self.medium_.isreal:
            raise ValueError(f"cross sections need lossless surroundings: the medium is {self.medium_}")

    def _real_ks(self):
        ks = self.ks
        return namespace(backend_for(ks)).real(ks)

    # ---- places, frames, modes ----

    def _like(self, array, basis=None):
        return self._of(self.k0, basis or self.basis, self.medium_, self.polarization, array)

    def rotate(self, phi: Number, theta: Number = 0.0, psi: Number = 0.0) -> Self:
        """The particle turned by the z-y-z angles phi, theta, psi; cylinders about z only."""
        if not self.isglobal:
            raise NotImplementedError("only a T-matrix about one origin can be turned")
        return self._like(self._turned(phi, theta, psi))

    def _turned(self, phi, theta, psi):
        raise NotImplementedError

    def in_basis(self, basis: MultipoleBasis) -> Self:
        """The same scatterer by multipoles about other origins (one, for a global T-matrix)."""
        out = expansion(basis, self.basis, self.k0, self.medium_, self.polarization)
        into = expansion(self.basis, basis, self.k0, self.medium_, self.polarization)
        return self._like(_sandwich(out, self.array, into), basis)

    expand = in_basis

    def translate(self, r: Array) -> Self:
        """The same scatterer in waves about origins displaced by r: it moves by -r against them."""
        here = self.basis
        moved = type(here)(here.modes, here.positions - np.asarray(r, float))
        out = expansion(here, moved, self.k0, self.medium_, self.polarization)
        into = expansion(moved, here, self.k0, self.medium_, self.polarization)
        return self._like(_sandwich(out, self.array, into))

    def select(self, basis: MultipoleBasis) -> Self:
        """The part of some of the modes."""
        if not isinstance(basis, self._family) or not np.array_equal(basis.positions, self.basis.positions):
            raise ValueError("modes to select have to be about the same origins")
        rows = [self.basis.index(mode) for mode in basis]
        return self._like(self.array[rows][:, rows], basis)

    def with_polarization(self, polarization: str) -> Self:
        """The same T-matrix by helicity or by parity."""
        if polarization_of(polarization, None) == self.polarization:
            return self
        no_parity_in_chiral(polarization, self.medium_)
        change = change_polarization(self.basis) + 0j
        return self._of(self.k0, self.basis, self.medium_, polarization, _sandwich(change, self.array, change))

    def changepoltype(self, poltype: str | None = None) -> Self:
        """with_polarization; the other one unless said."""
        return self.with_polarization(target_polarization(self.polarization, poltype))

    def permute(self, n: int = 1) -> NoReturn:
        """Not of multipoles: permute an S-matrix or plane waves."""
        raise TypeError("axes are permuted of plane waves: use SMatrix.permute")

    def valid_points(self, grid: Array, radii: Array) -> np.ndarray:
        """Points outside of the spheres (cylinders: of the circles in xy) of these radii about the origins, where outgoing waves
        hold."""
        grid, radii = np.asarray(grid, float), np.atleast_1d(np.asarray(radii, float))
        axes = 2 if self._family is CylindricalBasis else 3
        if len(radii) != len(self.basis.positions) or not np.all(radii >= 0) or grid.shape[-1:] not in ((axes,), (3,)):
            raise ValueError(f"one radius >= 0 for each of {len(self.basis.positions)} origins, points (..., 3)")
        valid = np.ones(grid.shape[:-1], bool)
        for position, radius in zip(self.basis.positions, radii):
            valid &= np.linalg.norm(grid[..., :axes] - position[:axes], axis=-1) > radius
        return valid

    # ---- particles that see one another ----

    @property
    def interaction(self) -> Interaction:
        """Coupling of the origins of this T-matrix: .solve(), .factor(), .illuminate(incident)."""
        from ._cluster import Interaction

        return Interaction(self)

    @property
    def latticeinteraction(self) -> LatticeInteraction:
        """Coupling to the images on a lattice: .solve(lattice, kpar), .factor(...), .illuminate(incident, ...)."""
        from ._periodic import LatticeInteraction

        return LatticeInteraction(self)

    def expandlattice(self, lattice: LatticeLike = None, kpar: WaveVectorLike = None, basis: Any = None, modetype: Any = None,
                      eta: Number = 0) -> Array:
        """What all images scatter, as waves that come in here: the lattice coupling times this T-matrix."""
        from . import operators

        coupling = operators.expandlattice(lattice, kpar, basis=self.basis if basis is None else (basis, self.basis), k0=self.k0,
                                           material=self.medium_, poltype=self.polarization, modetype=modetype, eta=eta)
        return coupling @ np.asarray(self.array)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.basis)} modes, {len(self.basis.positions)} origins, k0 = {self.k0}>"


class TMatrix(MultipoleTMatrix):
    """A T-matrix of spherical waves."""

    _family = SphericalBasis

    @staticmethod
    def _complete(size):
        return SphericalBasis.default(SphericalBasis.defaultlmax(size))

    @classmethod
    def sphere(cls, lmax: int, k0: float, radii: Array, materials: Sequence[MaterialLike], poltype: str | None = None) -> "TMatrix":
        """Concentric layers; the last material is what is around."""
        *inside, outside = materials
        return multilayer_sphere_tmatrix(k0=k0, lmax=lmax, radii=radii, materials=inside, medium=outside,
                                         polarization=poltype or "helicity")

    def cross_sections(self, incident: Light, *, flux: float = 0.5) -> CrossSections:
        """Powers over the flux of the wave, in lossless surroundings; flux 0.5 is that of a plane wave of unit amplitude."""
        direct = self._spheres is not None and isinstance(incident, PlaneWave) and flux == 0.5
        if not direct or not incident.polarization == self.polarization == "helicity" or np.iscomplexobj(incident.direction):
            return self._powers(incident, flux)
        amplitude = same_k0_and_medium(incident.coefficients, incident, self, "illumination")
        s = self._spheres
        self._lossless()
        medium = self.medium_._real
        pair = call("poy.spheres_cross_sections", options_text({"lmax": s.lmax}), self.k0, s.radii, s.epsilon, s.mu, s.kappa,
                    s.positions, medium, amplitude, incident.direction)
        return CrossSections(*map(_number, pair))

    @property
    def average_cross_sections(self) -> CrossSections:
        """The mean over directions and polarizations of plane waves."""
        return self._average()

    def _turned(self, phi, theta, psi):
        xp = namespace(backend_for(phi, theta, psi))
        rows = self.basis._rows
        turn = call("poy.rotation", "", xp.stack([phi, theta, psi], (3,)), rows, rows)
        back = call("poy.rotation", "", xp.stack([-psi, -theta, -phi], (3,)), rows, rows)
        return _sandwich(turn, self.array, back)

    def _metric(self, metric):
        if self.polarization != "helicity":
            raise ValueError(f"{metric} needs a T-matrix of helicity")
        return _number(call("poy.tmatrix_metric", options_text({"metric": metric}), self.array, self._real_ks(),
                            self.basis.pol.astype(float)))

    @property
    def circular_dichroism(self) -> Number:
        """Of orientation-averaged absorption, -1 to 1."""
        return self._metric("cd")

    @property
    def duality_breaking(self) -> Number:
        """How far helicity is not kept, 0 to 1."""
        return self._metric("db")

    @property
    def electromagnetic_chirality(self) -> Number:
        """0 to 1."""
        return self._metric("chi")

    # names of treams
    def xs(self, illu: Light, flux: float = 0.5) -> tuple[Any, Any]:
        """treams' name of cross_sections: (scattering, extinction)."""
        pair = self.cross_sections(illu, flux=flux)
        return pair.scattering, pair.extinction

    @property
    def xs_ext_avg(self) -> Number:
        """The averaged extinction cross section."""
        return self.average_cross_sections.extinction

    @property
    def xs_sca_avg(self) -> Number:
        """The averaged scattering cross section."""
        return self.average_cross_sections.scattering

    @property
    def cd(self) -> Number:
        """treams' name of circular_dichroism."""
        return self.circular_dichroism

    @property
    def db(self) -> Number:
        """treams' name of duality_breaking."""
        return self.duality_breaking

    @property
    def chi(self) -> Number:
        """treams' name of electromagnetic_chirality."""
        return self.electromagnetic_chirality


class CylindricalTMatrix(MultipoleTMatrix):
    """A T-matrix of cylindrical waves about axes along z. Its cross sections are widths: per length."""

    _family = CylindricalBasis

    @staticmethod
    def _complete(size):
        return CylindricalBasis.default([0.0], CylindricalBasis.defaultmmax(size))

    @classmethod
    def cylinder(cls, kzs: Array, mmax: int, k0: float, radii: Array, materials: Sequence[MaterialLike],
                 poltype: str | None = None) -> "CylindricalTMatrix":
        """Concentric layers; the last material is what is around."""
        *inside, outside = materials
        return multilayer_cylinder_tmatrix(k0=k0, kz=kzs, mmax=mmax, radii=radii, materials=inside, medium=outside,
                                           polarization=poltype or "helicity")

    @property
    def krhos(self) -> np.ndarray:
        """Radial wavenumber of each mode, Im >= 0."""
        return self.medium_.krhos(self.k0, self.basis.kz, self.basis.pol)

    def cross_widths(self, incident: Light, *, flux: float = 0.5) -> CrossSections:
        """Powers per length over the flux of the wave, in lossless surroundings."""
        return self._powers(incident, flux)

    cross_sections = cross_widths

    @property
    def average_cross_widths(self) -> CrossSections:
        """The mean over azimuths of each kz and polarizations of plane waves."""
        return self._average()

    def _turned(self, phi, theta, psi):
        if np.any(np.asarray(theta) != 0):
            raise ValueError("cylinders turn about z only: theta has to be 0")
        xp = namespace(backend_for(phi, psi))
        angle, rows = phi + psi, self.basis._rows
        turn = call("poy.rotation", "waves=cylindrical", xp.stack([angle, 0.0, 0.0], (3,)), rows, rows)
        back = call("poy.rotation", "waves=cylindrical", xp.stack([-angle, 0.0, 0.0], (3,)), rows, rows)
        return _sandwich(turn, self.array, back)

    # names of treams
    def xw(self, illu: Light, flux: float = 0.5) -> tuple[Any, Any]:
        """treams' name of cross_widths: (scattering, extinction)."""
        pair = self.cross_widths(illu, flux=flux)
        return pair.scattering, pair.extinction

    @property
    def xw_ext_avg(self) -> Number:
        """The averaged extinction width."""
        return self.average_cross_widths.extinction

    @property
    def xw_sca_avg(self) -> Number:
        """The averaged scattering width."""
        return self.average_cross_widths.scattering


def _sandwich(left, matrix, right):
    return call("poy.matmul", "", call("poy.matmul", "", left, matrix), right)


# ---- spheres ----


def _layers(values, xp):
    """One row of values; a single one stays a number, which the record takes for such a row."""
    return values[0] if len(values) == 1 else xp.stack(values, (1, len(values)))


def _concentric(radii, materials):
    """Radii and media of concentric layers, checked as far as they are numbers."""
    radii = list(radii) if isinstance(radii, (tuple, list)) or np.ndim(radii) else [radii]
    materials = [Material(m) for m in materials]
    if len(radii) != len(materials) or not radii:
        raise ValueError(f"{len(radii)} radii and {len(materials)} materials: one for each layer is wanted")
    fixed = [float(r) for r in radii if is_concrete(r)]
    if len(fixed) == len(radii) and not all(b > a for a, b in zip([0.0, *fixed], fixed)):
        raise ValueError(f"radii {fixed}: they have to be above 0 and to rise outwards")
    return radii, materials


def _whole(name, value, least):
    if not isinstance(value, (int, np.integer)) or not least <= value <= 128:
        raise ValueError(f"{name} = {value}: a whole number from {least} to 128 is wanted")
    return int(value)


def _particle(record, options, first, k0, radii, materials, surroundings, polarization, basis):
    """The T-matrix of a layered particle by its record, which speaks of helicity."""
    every = [*materials, surroundings]
    xp = namespace(backend_for(*radii, *every, k0))
    media = [xp.stack([getattr(m, part) for m in every], (len(every),)) for part in ("epsilon", "mu", "kappa")]
    helicity = call(record, options_text(options), *first, k0, xp.stack(radii, (len(radii),)), *media)
    if polarization == "helicity":
        return helicity
    change = change_polarization(basis) + 0j
    return _sandwich(change, helicity, change)


def multilayer_sphere_tmatrix(*, k0: Number, lmax: int, radii: Array, materials: Sequence[MaterialLike], medium: MaterialLike = 1,
                              polarization: str = "helicity") -> TMatrix:
    """Concentric layers from inside out, one material for each radius. k0 = 2 pi / wavelength; radii and 1/k0 share a unit."""
    radii, materials = _concentric(radii, materials)
    lmax = _whole("lmax", lmax, 1)
    surroundings, polarization = Material(medium), polarization_of(polarization, None)
    xp = namespace(backend_for(*radii, *materials, surroundings, k0))
    parts = [_layers([getattr(m, part) for m in materials], xp) for part in ("epsilon", "mu", "kappa")]
    spheres = Spheres(lmax, _layers(radii, xp), parts[0], parts[1], parts[2], np.zeros((1, 3)))
    k0 = concrete(k0, "k0") if is_concrete(k0) else k0
    basis = SphericalBasis.default(lmax)

    def make():
        return _particle("poy.sphere", {"lmax": lmax}, (), k0, radii, materials, surroundings, polarization, basis)

    return TMatrix._of(k0, basis, surroundings, polarization, make=make, spheres=spheres)


def sphere_tmatrix(*, k0: Number, lmax: int, radius: Number, material: MaterialLike, medium: MaterialLike = 1,
                   polarization: str = "helicity") -> TMatrix:
    """A homogeneous sphere; material: a permittivity or a Material. k0 = 2 pi / wavelength; radius and 1/k0 share a unit."""
    return multilayer_sphere_tmatrix(k0=k0, lmax=lmax, radii=[radius], materials=[material], medium=medium,
                                     polarization=polarization)


# ---- cylinders ----


def multilayer_cylinder_tmatrix(*, k0: Number, kz: Array, mmax: int, radii: Array, materials: Sequence[MaterialLike],
                                medium: MaterialLike = 1,
                                polarization: str = "helicity") -> CylindricalTMatrix:
    """Concentric layers about z from inside out, for one or several kz and |m| <= mmax."""
    radii, materials = _concentric(radii, materials)
    mmax = _whole("mmax", mmax, 0)
    if not is_concrete(kz):
        raise NotImplementedError("kz labels the modes of a cylinder: it carries no derivative here, diff.cylinder has it")
    kzs = np.atleast_1d(np.asarray(kz, float))
    surroundings, polarization = Material(medium), polarization_of(polarization, None)
    k0 = concrete(k0, "k0") if is_concrete(k0) else k0
    basis = CylindricalBasis.default(kzs, mmax)
    array = _particle("poy.cylinder", {"mmax": mmax}, (kzs,), k0, radii, materials, surroundings, polarization, basis)
    return CylindricalTMatrix._of(k0, basis, surroundings, polarization, array)


def cylinder_tmatrix(*, k0: Number, kz: Array, mmax: int, radius: Number, material: MaterialLike, medium: MaterialLike = 1,
                     polarization: str = "helicity") -> CylindricalTMatrix:
    """A homogeneous cylinder along z."""
    return multilayer_cylinder_tmatrix(k0=k0, kz=kz, mmax=mmax, radii=[radius], materials=[material], medium=medium,
                                       polarization=polarization)


__all__ = ["CrossSections", "CylindricalTMatrix", "TMatrix", "cylinder_tmatrix", "multilayer_cylinder_tmatrix",
           "multilayer_sphere_tmatrix", "sphere_tmatrix"]
