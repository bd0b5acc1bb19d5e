"""Particles that repeat on a lattice: chains, gratings, arrays, crystals."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._around import OfLocal
from ._bases import Basis, CylindricalBasis, MultipoleBasis, PlaneWavePorts, SphericalBasis
from ._cluster import Cluster, illuminated
from ._dispatch import backend_for, call
from ._lattice import Lattice, WaveVector
from ._records import options_text
from ._tmatrix import CylindricalTMatrix, MultipoleTMatrix
from ._types import Array, LatticeLike, Light, Number, WaveVectorLike
from ._waves import PlaneWave, Wave, apply, expansion

if TYPE_CHECKING:
    from ._smatrix import SMatrix


def lattice_of(lattice, kpar, family) -> tuple[Lattice, WaveVector]:
    """Lattice and Bloch vector along the axes that waves of the family repeat along: chains of spherical waves along z, gratings of
    cylindrical ones along x, planes xy."""
    names = None
    if not isinstance(lattice, Lattice) and family is CylindricalBasis and np.ndim(lattice) == 0:
        names = "x"
    lattice = Lattice(lattice, names)
    wanted = {1: "x" if family is CylindricalBasis else "z", 2: "xy", 3: "xyz"}[lattice.dim]
    if lattice.alignment != wanted or (family is CylindricalBasis and lattice.dim == 3):
        raise ValueError(f"{family.__name__}: a lattice along {lattice.alignment} is not supported, "
                         f"{'x or xy' if family is CylindricalBasis else 'z, xy or xyz'} is")
    wave = kpar if isinstance(kpar, WaveVector) else WaveVector(np.asarray(kpar, float).reshape(-1), lattice.alignment)
    wave.along(lattice.alignment)
    return lattice, wave


def lattice_coupling(basis: MultipoleBasis, k0, medium, polarization, lattice: Lattice, kpar: WaveVector,
                     eta: Number = 0, destination=None):
    """What goes out about all images of each origin as what comes in about the origins of the cell."""
    if np.imag(eta) or np.real(eta) < 0:
        raise ValueError(f"eta = {eta}: a split of the sums is a real number above 0, 0 is the automatic one")
    to = basis if destination is None else destination
    axial = np.union1d(to._axial, basis._axial)
    options = {"waves": basis._waves, "poltype": polarization, "eta": float(np.real(eta)) or None}
    return call("poy.lattice_expansion", options_text(options), to.positions, basis.positions, medium.ks(k0),
                np.array(kpar.along(lattice.alignment), float), lattice._rows, axial, to._rows_in(axial), basis._rows_in(axial))


class LatticeInteraction:
    """Scattering between a T-matrix and its images on a lattice."""

    def __init__(self, matrix: MultipoleTMatrix):
        self.matrix = matrix

    def coupling(self, lattice: LatticeLike, kpar: WaveVectorLike, *, eta: Number = 0) -> Array:
        """The lattice's coupling matrix."""
        m = self.matrix
        lattice, kpar = lattice_of(lattice, kpar, m._family)
        return lattice_coupling(m.basis, m.k0, m.medium_, m.polarization, lattice, kpar, eta)

    def solve(self, lattice: LatticeLike, kpar: WaveVectorLike, *, eta: Number = 0) -> Array:
        """(1 - T C)^-1 T as an array: waves that come in at the cell of the origin to what it scatters."""
        return call("poy.interaction", "", self.matrix.array, self.coupling(lattice, kpar, eta=eta))

    def illuminate(self, incident: Light, lattice: LatticeLike, kpar: WaveVectorLike, *, eta: Number = 0) -> Array:
        """The same for given waves alone."""
        return illuminated(self.matrix, self.coupling(lattice, kpar, eta=eta), incident)

    def factor(self, lattice: LatticeLike, kpar: WaveVectorLike, *, eta: Number = 0) -> "PeriodicFactor":
        """The solution, for many illuminations."""
        return PeriodicFactor(self.solve(lattice, kpar, eta=eta))


class PeriodicFactor:
    """A solved periodic response, applied to columns of incident coefficients."""

    def __init__(self, response: Array):
        self._response = response

    def solve(self, values: Array) -> Array:
        """What the cell scatters, [modes] or [modes, columns], for what comes in, likewise."""
        return apply(self._response, values)


def solve_periodic(unit_cell: MultipoleTMatrix | Cluster, *, lattice: LatticeLike, kpar: WaveVectorLike,
                   eta: Number = 0) -> "PeriodicResponse":
    """Particles (one T-matrix, or a Cluster that is not solved) and all their images. lattice: a Lattice, a period or rows; kpar: the
    Bloch vector along its axes."""
    local = unit_cell._local() if isinstance(unit_cell, Cluster) else unit_cell
    if not isinstance(local, MultipoleTMatrix):
        raise TypeError(f"a cell is a T-matrix or a Cluster, not a {type(unit_cell).__name__}")
    return PeriodicResponse(local, local.latticeinteraction.solve(lattice, kpar, eta=eta), lattice=lattice, kpar=kpar)


class PeriodicResponse(OfLocal):
    """What the cell at the origin scatters for waves that come in there, all images considered: array [modes, modes]."""

    array: Array
    lattice: Lattice
    kpar: WaveVector

    def __init__(self, local: MultipoleTMatrix, array: Array, *, lattice: LatticeLike, kpar: WaveVectorLike):
        if tuple(np.shape(array)) != local.shape:
            raise ValueError(f"a response of shape {tuple(np.shape(array))} for {len(local)} modes")
        self._local, self.array = local, array
        self.lattice, self.kpar = lattice_of(lattice, kpar, local._family)

    @property
    def basis(self) -> MultipoleBasis:
        """The modes of the cell."""
        return self._local.basis

    _poynting_backend = property(lambda self: backend_for(self.array))

    def _belongs(self, kpar) -> bool:
        """Is kpar the Bloch vector up to a reciprocal vector?"""
        names = self.lattice.alignment
        gap = np.array(kpar, float) - self.kpar.along(names)
        orders = self.lattice._rows @ gap / (2 * np.pi)
        return bool(np.all(np.abs(orders - np.round(orders)) < 1e-9))

    def scatter(self, incident: Light) -> "PeriodicWave":
        """What goes out for a wave with the Bloch vector of this response."""
        if isinstance(incident, PlaneWave):
            along = [np.real(incident.kvecs[0]["xyz".index(a)]) for a in self.lattice.alignment]
            if not self._belongs(along):
                raise ValueError(f"the plane wave has k = {along} along the lattice, the response is for kpar = "
                                 f"{list(self.kpar.along(self.lattice.alignment))}")
        wave = self._local._incident(incident)
        return PeriodicWave(self._local._outgoing(apply(self.array, wave.coefficients)), self.lattice, self.kpar)

    def _ports_of(self, orders) -> PlaneWavePorts:
        """Both pols of diffraction orders: (n, 2) of planes, (n,) of gratings."""
        orders = np.asarray(orders)
        if not np.issubdtype(orders.dtype, np.integer):
            raise ValueError("diffraction orders are whole numbers")
        step = np.asarray(self.lattice.reciprocal)
        if self.lattice.dim == 2 and self.basis._kind == 0:
            ports = PlaneWavePorts.default(np.array(self.kpar.along("xy")) + orders.reshape(-1, 2) @ step, "xy")
        else:
            kz = set(self.basis.kz.tolist()) if self.basis._kind == 1 else set()
            if len(kz) != 1:
                raise ValueError("orders of a grating belong to one kz")
            kx = self.kpar.along("x")[0] + orders.reshape(-1) * step[0, 0]
            ports = PlaneWavePorts.default(np.column_stack([np.full(len(kx), kz.pop()), kx]), "zx")
        ports.lattice, ports.kpar = self.lattice, self.kpar
        return ports

    def to_smatrix(self, basis: PlaneWavePorts | None = None, *, diffraction_orders: Any = None, orders: Any = None) -> SMatrix:
        """A plane array of spherical waves in ports xy, a grating of cylinders in ports zx, about the plane of the origin. Ports, or
        the diffraction orders that they stand for."""
        from ._smatrix import SMatrix

        orders = diffraction_orders if orders is None else orders
        if (basis is None) == (orders is None):
            raise ValueError("ports or diffraction orders are wanted: one of both")
        ports = self._ports_of(orders) if basis is None else basis
        self._check_ports(ports)
        blocks = call("poy.smatrix_from_array", "", self.array, self._channels(ports))
        return SMatrix(blocks, k0=self.k0, basis=ports, positive_medium=self.medium, negative_medium=self.medium,
                       polarization=self.polarization)

    def _channels(self, ports):
        """Incidence on the array and emission from it, [2][2 directions][modes][ports]."""
        basis, ks = self.basis, self.medium.ks(self.k0)
        measure, pols = abs(self.lattice.volume), ports.pol.astype(float)
        options = options_text({"poltype": self.polarization})
        if basis._kind == 0:
            return call("poy.spherical_channels_fixed", options, basis.positions, ks, ports.components, measure, basis._rows, pols)
        kz, kx = np.ascontiguousarray(ports.components.T)
        return call("poy.cylindrical_channels_fixed", "", basis.positions, ks, kx, measure, basis._rows, pols, basis._axial, kz)

    def _check_ports(self, ports):
        wanted = {(0, 2): "xy", (1, 1): "zx"}.get((self.basis._kind, self.lattice.dim))
        if wanted is None:
            raise ValueError("plane arrays of spherical waves and gratings of cylinders have S-matrices, this lattice along "
                             f"{self.lattice.alignment} has none")
        if not isinstance(ports, PlaneWavePorts) or ports.alignment != wanted:
            raise ValueError(f"ports along {wanted} are wanted")
        for row in ports.components:
            if not self._belongs(row if self.lattice.dim == 2 else row[1:]):
                raise ValueError(f"the port {row.tolist()} is no diffraction order of kpar = {list(self.kpar)}")

    def to_cylindrical(self, basis: CylindricalBasis) -> CylindricalTMatrix:
        """A chain along z as one scatterer of cylindrical waves."""
        if self.basis._kind != 0 or self.lattice.dim != 1:
            raise ValueError("chains of spherical waves along z become cylinders")
        leave = _radiated(basis, self.basis, self.k0, self.medium, self.polarization, abs(self.lattice.volume))
        enter = expansion(self.basis, basis, self.k0, self.medium, self.polarization)
        if len(basis.positions) > 1:
            enter = call("poy.mul", "", enter, _same_particle(basis, self.basis).T + 0j)
        array = call("poy.matmul", "", call("poy.matmul", "", leave, self.array), enter)
        return CylindricalTMatrix._of(self.k0, basis, self.medium, self.polarization, array)

    def __repr__(self) -> str:
        return f"<PeriodicResponse: {len(self.basis)} modes, lattice along {self.lattice.alignment}, k0 = {self.k0}>"


def _same_particle(cylindrical, spherical) -> np.ndarray:
    """Of several axes each collects the waves of its own particle."""
    if len(cylindrical.positions) != len(spherical.positions):
        raise ValueError(f"{len(cylindrical.positions)} axes for {len(spherical.positions)} particles: one, or one for each")
    return cylindrical.pidx[:, None] == spherical.pidx[None, :]


def _radiated(destination, source, k0, medium, polarization, period):
    """What a chain scatters, in outgoing cylindrical waves."""
    matrix = call("poy.periodic_to_cw", options_text({"poltype": polarization}), destination.positions, source.positions,
                  medium.ks(k0), destination._axial, period, destination._rows, source._rows)
    if len(destination.positions) == 1:
        return matrix
    return call("poy.mul", "", matrix, _same_particle(destination, source) + 0j)


class PeriodicWave(OfLocal):
    """What a cell and all its images scatter; coefficients are those of the cell at the origin."""

    lattice: Lattice
    kpar: WaveVector

    def __init__(self, local: Wave, lattice: LatticeLike, kpar: WaveVectorLike):
        self._local = local
        self.lattice, self.kpar = lattice_of(lattice, kpar, type(local.basis))

    @property
    def basis(self) -> Basis:
        """The modes of the cell."""
        return self._local.basis

    @property
    def coefficients(self) -> Array:
        """[modes]: those of the cell at the origin."""
        return self._local.coefficients
    array = coefficients

    def in_basis(self, basis: Basis, *, kind: str) -> Wave:
        """All cells together: up or down in plane ports, singular in cylindrical waves (chains), regular in multipoles."""
        local, measure = self._local, abs(self.lattice.volume)
        if isinstance(basis, PlaneWavePorts):
            if kind not in ("up", "down"):
                raise ValueError(f"kind {kind!r}: in ports it is up or down")
            array = PeriodicResponse(_bare(local), np.zeros((len(local.basis),) * 2), lattice=self.lattice, kpar=self.kpar)
            array._check_ports(basis)
            matrix = array._channels(basis)[1, ("up", "down").index(kind)].T
        elif isinstance(basis, CylindricalBasis) and isinstance(local.basis, SphericalBasis):
            if kind != "singular":
                raise ValueError(f"kind {kind!r}: outside of a chain it is singular")
            matrix = _radiated(basis, local.basis, self.k0, self.medium, self.polarization, measure)
        elif kind == "regular":
            matrix = lattice_coupling(local.basis,  # type: ignore[arg-type]
                                      self.k0, self.medium, self.polarization, self.lattice, self.kpar,
                                      destination=basis)
        else:
            raise ValueError(f"kind {kind!r}: all cells together are regular waves here")
        return Wave._of(apply(matrix, self.coefficients), basis, self.k0, self.medium, kind, self.polarization)


def _bare(wave: Wave) -> MultipoleTMatrix:
    from ._tmatrix import TMatrix

    cls = TMatrix if isinstance(wave.basis, SphericalBasis) else CylindricalTMatrix
    return cls._of(wave.k0, wave.basis, wave.medium_, wave.polarization)


__all__ = ["PeriodicResponse", "PeriodicWave", "solve_periodic"]
