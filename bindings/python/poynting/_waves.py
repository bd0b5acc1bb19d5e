"""Waves: plane waves as illumination, and multipole waves as what is scattered."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._around import InMedium
from ._bases import (MODETYPES, Basis, CylindricalBasis, MultipoleBasis, PlaneWaveBasis, PlaneWavePorts, SphericalBasis)
from ._dispatch import backend_for, call
from ._fields import Fields
from ._media import Material, embedding
from ._records import options_text
from ._types import Array, MaterialLike, Number
from ._xp import is_concrete, namespace

if TYPE_CHECKING:
    from typing import Self

_STATES = {"negative_helicity": 0, "positive_helicity": 1}
POLARIZATIONS = ("helicity", "parity")


def polarization_of(polarization: str | None, poltype: str | None) -> str:
    """One of two names for the same thing."""
    if polarization is not None and poltype is not None and polarization != poltype:
        raise ValueError("polarization and poltype are two names of one argument: give one")
    value = polarization or poltype or "helicity"
    if value not in POLARIZATIONS:
        raise ValueError(f"polarization {value!r}: it is helicity or parity")
    return value


def medium_of(medium, material) -> Material:
    if medium is not None and material is not None:
        raise ValueError("medium and material are two names of one argument: give one")
    return Material(1 if medium is None and material is None else material if medium is None else medium)


def concrete(value, what: str) -> float:
    value = float(value)
    if not 0 < value < math.inf:
        raise ValueError(f"{what} = {value:g}: it has to be above 0")
    return value


def no_parity_in_chiral(polarization: str, medium: Material) -> None:
    if polarization == "parity" and is_concrete(medium.kappa) and medium.kappa != 0:
        raise ValueError(f"waves of parity are no solutions in a chiral medium: kappa is {medium.kappa}")


def same_k0_and_medium(value, a, b, what: str):
    """value, if a and b have one k0 and one medium. Numbers are compared at once; of a framework's values the comparison is
    part of the computation (a guard)."""
    if a.k0 is b.k0 and a.medium_ is b.medium_:
        return value
    have, want = [a.k0, *a.medium_], [b.k0, *b.medium_]
    names = ("k0", "epsilon of the medium", "mu of the medium", "kappa of the medium")
    loose = []
    for name, x, y in zip(names, have, want):
        if is_concrete(x) and is_concrete(y):
            if x != y and abs(complex(x) - complex(y)) > 1e-12 * abs(complex(y)) + 1e-14:
                raise ValueError(f"{what}: {name} is {x} here and {y} there: they have to be the same medium and k0")
        elif x is not y:
            loose.append((name, x, y))
    if not loose:
        return value
    xp = namespace(backend_for(value, *(v for _, x, y in loose for v in (x, y))))
    options = options_text({"compare": "equal", "rtol": 1e-12, "atol": 1e-14,
                            "message": f"{what} needs one k0 and one medium"})
    return call("poy.guard", options, value, xp.stack([x + 0j for _, x, _ in loose], (len(loose),)),
                xp.stack([y + 0j for _, _, y in loose], (len(loose),)))


def change_polarization(basis: Basis) -> np.ndarray:
    """The matrix from helicity to parity coefficients of a basis and back: its own inverse."""
    return _core.op_changepoltype(basis._handle, basis._handle)


def target_polarization(current: str, wanted: str | None) -> str:
    """wanted, or the other one."""
    return polarization_of(wanted, None) if wanted is not None else POLARIZATIONS[1 - POLARIZATIONS.index(current)]


class _Light(InMedium, Fields):
    """What plane waves and waves in a basis share."""

    @property
    def modetype(self) -> str:
        """treams' name of kind."""
        return self.kind

    @property
    def array(self) -> Array:
        """The coefficients."""
        return self.coefficients
    _poynting_backend = property(lambda self: backend_for(self.coefficients, self.k0, self.medium_))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.coefficients, dtype)

    def with_polarization(self, polarization: str) -> Self:
        """The same wave by helicity or by parity."""
        if polarization_of(polarization, None) == self.polarization:
            return self
        no_parity_in_chiral(polarization, self.medium_)
        out = self._with(apply(change_polarization(self.basis), self.coefficients))
        out.polarization = polarization
        return out

    def changepoltype(self, poltype: str | None = None) -> Self:
        """with_polarization; the other one unless said."""
        return self.with_polarization(target_polarization(self.polarization, poltype))


class PlaneWave(_Light):
    """A plane wave: direction, two amplitudes in the order of pol 0, 1, k0 and medium. A complex direction q with q.q = 1 is
    that of an evanescent wave."""

    kind = "up"
    direction: np.ndarray

    def __init__(self, kvec: Array, pol: Any, *, k0: Number, medium: MaterialLike = None, polarization: str | None = None,
                 material: MaterialLike = None, poltype: str | None = None):
        wave = plane_wave(kvec, pol, k0=k0, medium=medium, polarization=polarization, material=material, poltype=poltype)
        self.__dict__ = wave.__dict__

    @classmethod
    def _of(cls, direction, amplitudes, k0, medium, polarization):
        self = cls.__new__(cls)
        self.direction, self.coefficients, self.k0 = direction, amplitudes, k0
        self.medium_, self.polarization = medium, polarization
        return self

    def _with(self, coefficients) -> "PlaneWave":
        return PlaneWave._of(self.direction, coefficients, self.k0, self.medium_, self.polarization)

    @property
    def basis(self) -> PlaneWaveBasis:
        """Both modes of the direction, pol 0 before 1."""
        return PlaneWaveBasis([(*self.direction, 0), (*self.direction, 1)])

    @property
    def kvecs(self) -> Array:
        """Wavevectors of pol 0 and 1; of a framework where k0 or the medium is."""
        ks = self.medium_.ks(self.k0)
        xp = namespace(backend_for(ks))
        return xp.reshape(ks, (2, 1)) * xp.asarray(self.direction[None, :])

    def _vectors(self):
        """(vectors, may they move): a record with fixed vectors also takes waves along z."""
        vectors = self.kvecs
        return vectors, not is_concrete(vectors)

    def in_basis(self, basis: Basis) -> "Wave":
        """The same wave in regular multipoles, or in the plane waves of ports or directions."""
        if not isinstance(basis, MultipoleBasis):
            return self._in_plane_waves(basis)
        vectors, moving = self._vectors()
        name = "poy.plane_expansion" if moving else "poy.plane_expansion_fixed"
        matrix = call(name, options_text({"waves": basis._waves, "poltype": self.polarization}), basis.positions, vectors, basis._rows,
                      np.array([0.0, 1.0]), basis._axial)
        return Wave._of(apply(matrix, self.coefficients), basis, self.k0, self.medium_, "regular", self.polarization)

    def _in_plane_waves(self, basis) -> "Wave":
        normal = "xyz".index(basis.normal_axis if isinstance(basis, PlaneWavePorts) else "z")
        if not (is_concrete(self.k0) and self.medium_.is_concrete):
            return self._normal_to(basis, normal)
        kind = propagation_side(self.kvecs[0][normal])
        matrix = _core.op_expand(embedding(self.k0, self.medium_, self.polarization), basis._handle, MODETYPES.index(kind),
                                 self.basis._handle, MODETYPES.index(kind))
        used = ~np.any(matrix, axis=0)
        if np.any(used) and not (is_concrete(self.coefficients) and not np.any(self.coefficients[used])):
            raise ValueError("the plane wave is none of the modes of the basis: its direction and pol have to be among them")
        return Wave._of(apply(matrix, self.coefficients), basis, self.k0, self.medium_, kind, self.polarization)

    def _normal_to(self, basis, normal) -> "Wave":
        """Of values of a framework only waves along the normal keep their ports, whatever k0 and the medium are."""
        if not isinstance(basis, PlaneWavePorts) or np.any(np.delete(self.direction, normal)):
            raise NotImplementedError("a plane wave with a k0 or medium of a framework fits ports along their normal only: "
                                      "give amplitudes of the ports")
        here = PlaneWave._of(self.direction, self.coefficients, 1.0, Material(1), self.polarization).in_basis(basis)
        return Wave._of(here.coefficients, basis, self.k0, self.medium_, here.kind, self.polarization)

    def expand(self, basis: Basis) -> Array:
        """The coefficients of in_basis."""
        return self.in_basis(basis).coefficients

    def _electric(self, coefficients, points):
        vectors, moving = self._vectors()
        return call("poy.plane_field" if moving else "poy.plane_field_fixed", options_text({"poltype": self.polarization}),
                    coefficients, points, vectors, np.array([0.0, 1.0]))

    def __repr__(self) -> str:
        return f"<PlaneWave along {self.direction}, k0 = {self.k0}>"


def propagation_side(k) -> str:
    """up or down by a normal component: the way of a propagating wave, the decay of an evanescent one."""
    k = complex(k)
    if k == 0:
        raise ValueError("the wave goes along the ports: it is neither up nor down")
    return "up" if (k.real > 0 if k.imag == 0 else k.imag > 0) else "down"


def apply(matrix, coefficients):
    """matrix times coefficients, one column or several."""
    xp = namespace(backend_for(matrix, coefficients))
    n = tuple(np.shape(coefficients))
    out = call("poy.matmul", "", matrix + 0j, xp.reshape(coefficients, (n[0], -1)) + 0j)
    return xp.reshape(out, (np.shape(matrix)[0], *n[1:]))


def _amplitudes(pol, direction, k0, medium, polarization):
    if isinstance(pol, str):
        if pol not in _STATES:
            raise ValueError(f"pol {pol!r}: it is negative_helicity, positive_helicity, 0, 1, two amplitudes or three "
                             "Cartesian components")
        if polarization == "parity":
            raise ValueError(f"pol {pol!r} names a helicity, polarization is parity")
        pol = _STATES[pol]
    if is_concrete(pol) and np.ndim(pol) == 0:
        if pol not in (0, 1):
            raise ValueError(f"pol {pol}: it is 0 or 1")
        return np.eye(2, dtype=complex)[int(pol)]
    xp = namespace(backend_for(pol))
    values = xp.stack(list(pol), (len(pol),)) if isinstance(pol, (tuple, list)) else xp.asarray(pol)
    if is_concrete(values):
        values = np.asarray(values, complex)
    if values.shape == (2,):
        return values
    if values.shape != (3,):
        raise ValueError(f"pol has shape {tuple(values.shape)}: two amplitudes or three Cartesian components are wanted")
    from ._numpy import call as on_host

    ks = Material(*(v if is_concrete(v) else 1 for v in medium)).ks(1.0)
    states = [on_host("poy.plane_field_fixed", options_text({"poltype": polarization}), np.eye(2, dtype=complex)[p],
                      np.zeros((1, 3)), ks[:, None] * direction, np.array([0.0, 1.0]))[0] for p in (0, 1)]
    if is_concrete(values) and abs(np.dot(direction, values)) > 1e-12 * np.linalg.norm(values):
        raise ValueError("the Cartesian polarization has to be normal to the direction of the wave")
    return xp.reshape(call("poy.matmul", "", np.conj(np.array(states)), xp.reshape(values, (3, 1))), (2,))


def _direction(axis) -> np.ndarray:
    """q / sqrt(q.q): real, or complex of an evanescent wave."""
    axis = np.asarray(axis)
    evanescent = np.iscomplexobj(axis) and bool(np.any(axis.imag))
    axis = axis.astype(complex) if evanescent else axis.real.astype(float)
    norm = np.sqrt(np.sum(axis * axis))
    if axis.shape != (3,) or norm == 0 or not np.all(np.isfinite(axis)):
        raise ValueError(f"the direction {axis} has to have three finite components with q.q not 0")
    return axis / norm


def plane_wave(kvec: Array = None, pol: Any = None, *, k0: Number, material: MaterialLike = None, poltype: str | None = None,
               direction: Array = None, medium: MaterialLike = None,
               polarization: str | None = None) -> PlaneWave:
    """A plane wave along a direction (complex: an evanescent one), with a polarization state: "positive_helicity", "negative_helicity", an index 0 or 1, two
    amplitudes in that order, or three Cartesian components. k0 is 2 pi over the vacuum wavelength."""
    if (kvec is None) == (direction is None):
        raise ValueError("kvec and direction are two names of one argument: give one")
    axis = kvec if direction is None else direction
    if not is_concrete(axis):
        raise NotImplementedError("the direction of a plane wave is fixed: it carries no derivative")
    axis = _direction(axis)
    if is_concrete(k0):
        k0 = concrete(k0, "k0")
    chosen, surroundings = polarization_of(polarization, poltype), medium_of(medium, material)
    if pol is None:
        raise ValueError("pol is wanted: the state of polarization")
    return PlaneWave._of(axis, _amplitudes(pol, axis, k0, surroundings, chosen), k0, surroundings, chosen)


def plane_wave_angle(theta: float, phi: float, pol: Any, *, k0: Number, material: MaterialLike = None, poltype: str | None = None,
                     medium: MaterialLike = None, polarization: str | None = None) -> PlaneWave:
    """A plane wave by polar and azimuthal angle (radians)."""
    axis = np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])
    return plane_wave(axis, pol, k0=k0, material=material, poltype=poltype, medium=medium, polarization=polarization)


class Wave(_Light):
    """Amplitudes of the modes of a basis, [modes] or [modes, illuminations]. kind: regular (what comes in) or singular (what goes
    out) multipoles, up or down ports. k0 = 2 pi over the vacuum wavelength."""

    coefficients: Array
    k0: Number
    medium_: Material
    kind: str
    polarization: str

    def __init__(self, coefficients: Array, *, basis: Basis, k0: Number, material: MaterialLike = None,
                 modetype: str | None = None, poltype: str | None = None, medium: MaterialLike = None, kind: str | None = None,
                 polarization: str | None = None):
        self._set(coefficients, basis, k0, medium if isinstance(medium, Material) else medium_of(medium, material),
                  kind or modetype, polarization_of(polarization, poltype))

    def _set(self, coefficients: Array, basis: Basis, k0: Number, medium: Material, kind: str | None, polarization: str) -> None:
        self.coefficients, self._basis, self.k0 = coefficients, basis, k0
        self.medium_, self.polarization = medium, polarization
        kinds = MODETYPES[:2] if isinstance(basis, MultipoleBasis) else MODETYPES[2:]
        self.kind = kind or kinds[0]
        if self.kind not in kinds:
            raise ValueError(f"kind {self.kind!r}: of these modes it is {kinds[0]} or {kinds[1]}")
        shape = np.shape(coefficients)
        if not 1 <= len(shape) <= 2 or shape[0] != len(basis):
            raise ValueError(f"coefficients of shape {tuple(shape)} for {len(basis)} modes")

    @property
    def basis(self) -> Basis:
        """The modes."""
        return self._basis

    @classmethod
    def _of(cls, *parts) -> "Wave":
        self = cls.__new__(cls)
        self._set(*parts)
        return self

    def _with(self, coefficients) -> "Wave":
        return Wave._of(coefficients, self.basis, self.k0, self.medium_, self.kind, self.polarization)

    def in_basis(self, basis: Basis, *, kind: str | None = None) -> "Wave":
        """The same wave in other modes: about other origins, as regular waves, or as plane waves."""
        multipoles = isinstance(basis, MultipoleBasis)
        if kind is None:
            kind = self.kind if multipoles == isinstance(self.basis, MultipoleBasis) else "regular" if multipoles else None
        if kind is None:
            raise ValueError("multipoles become plane waves as periodic ones: PeriodicResponse.scatter")
        matrix = expansion(basis, self.basis, self.k0, self.medium_, self.polarization, kind, self.kind)
        return Wave._of(apply(matrix, self.coefficients), basis, self.k0, self.medium_, kind, self.polarization)

    def expand(self, basis: Basis, *, modetype: str = "regular") -> Array:
        """The coefficients of in_basis."""
        return self.in_basis(basis, kind=modetype).coefficients

    def _electric(self, coefficients, points):
        if not isinstance(self.basis, MultipoleBasis):
            raise NotImplementedError("the field of ports has no derivative here: use a PlaneWave")
        options = {"waves": self.basis._waves, "poltype": self.polarization, "singular": self.kind == "singular"}
        return call("poy.field", options_text(options), coefficients, points, self.basis.positions, self.medium_.ks(self.k0), self.basis._axial, self.basis._rows)

    def __repr__(self) -> str:
        return f"<Wave: {self.kind}, {len(self.basis)} modes, k0 = {self.k0}>"


def _one_mode(mode, basis, k0, medium, material, kind, modetype, polarization, poltype) -> Wave:
    coefficients = np.zeros(len(basis), complex)
    coefficients[basis.index(mode)] = 1
    return Wave(coefficients, basis=basis, k0=k0, medium=medium, material=material, kind=kind, modetype=modetype,
                polarization=polarization, poltype=poltype)


def spherical_wave(l: int, m: int, pol: Any, *, k0: Number, basis: SphericalBasis | None = None, material: MaterialLike = None,
                   modetype: str | None = None, poltype: str | None = None, medium: MaterialLike = None, kind: str | None = None,
                   # noqa: E741
                   polarization: str | None = None) -> Wave:
    """One multipole."""
    basis = basis or SphericalBasis.default(l)
    return _one_mode((0, l, m, pol), basis, k0, medium, material, kind, modetype, polarization, poltype)


def cylindrical_wave(kz: float, m: int, pol: Any, *, k0: Number, basis: CylindricalBasis | None = None,
                     material: MaterialLike = None, modetype: str | None = None, poltype: str | None = None,
                     medium: MaterialLike = None, kind: str | None = None,
                     polarization: str | None = None) -> Wave:
    """One cylindrical wave."""
    basis = basis or CylindricalBasis.default([kz], abs(m))
    return _one_mode((0, float(kz), m, pol), basis, k0, medium, material, kind, modetype, polarization, poltype)


def expansion(destination, source, k0, medium, polarization, to_kind="regular", from_kind="regular"):
    """The matrix that takes waves about the origins of source to those about the origins of destination. Multipoles of one family:
    by a record, so that origins, k0 and medium may be values of a framework."""
    if not (isinstance(destination, MultipoleBasis) and isinstance(source, MultipoleBasis)):
        return _core.op_expand(embedding(k0, medium, polarization), destination._handle, MODETYPES.index(to_kind),
                               source._handle, MODETYPES.index(from_kind))
    if to_kind == "singular" and from_kind == "regular":
        raise ValueError("regular waves are no sum of singular ones")
    options = options_text({"waves": destination._waves, "source": source._waves, "poltype": polarization,
                            "singular": from_kind == "singular" and to_kind == "regular"})
    axial = np.union1d(destination._axial, source._axial)
    return call("poy.expansion", options, destination.positions, source.positions, medium.ks(k0), axial,
                destination._rows_in(axial), source._rows_in(axial))


__all__ = ["PlaneWave", "Wave", "cylindrical_wave", "plane_wave", "plane_wave_angle", "spherical_wave"]
