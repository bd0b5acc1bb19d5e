"""Waves: plane waves as illumination, and multipole waves as what is scattered."""
from __future__ import annotations

import numpy as np

from ._bases import NO_AXIAL, SphericalBasis
from ._dispatch import backend_for, call
from ._media import Material
from ._records import options_text
from ._xp import is_concrete, namespace

_STATES = {"negative_helicity": 0, "positive_helicity": 1}
POLARIZATIONS = ("helicity", "parity")


def polarization_of(polarization, poltype) -> str:
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
    if not value > 0 or not np.isfinite(value):
        raise ValueError(f"{what} = {value:g}: it has to be above 0")
    return value


def same_k0_and_medium(value, a, b, what: str):
    """value, if a and b have one k0 and one medium. Numbers are compared at once; of a framework's values the comparison is
    part of the computation (a guard)."""
    have, want = [a.k0, *a.medium_], [b.k0, *b.medium_]
    names = ("k0", "epsilon of the medium", "mu of the medium", "kappa of the medium")
    loose = []
    for name, x, y in zip(names, have, want):
        if is_concrete(x) and is_concrete(y):
            if abs(complex(x) - complex(y)) > 1e-12 * abs(complex(y)) + 1e-14:
                raise ValueError(f"{what}: {name} is {x} here and {y} there: they have to be the same medium and k0")
        elif x is not y:
            loose.append((name, x, y))
    if not loose:
        return value
    xp = namespace(backend_for(value, *(v for _, x, y in loose for v in (x, y))))
    options = options_text({"compare": "equal", "rtol": 1e-12, "atol": 1e-14,
                            "message": f"{what} needs one k0 and one medium"})
    return call("poy.guard", options, value, *(xp.stack([row[i] + 0j for row in loose], (len(loose),)) for i in (1, 2)))


class PlaneWave:
    """A plane wave: direction, two amplitudes in the order of pol 0, 1, k0 and medium."""

    kind = modetype = "up"

    def __init__(self, direction, amplitudes, k0, medium, polarization):
        self.direction, self.coefficients, self.k0 = direction, amplitudes, k0
        self.medium_, self.polarization = medium, polarization

    poltype = property(lambda self: self.polarization)
    array = property(lambda self: self.coefficients)
    _poynting_backend = property(lambda self: backend_for(self.coefficients, self.k0, self.medium_))

    def medium(self):
        return tuple(self.medium_)

    material = medium

    @property
    def kvecs(self):
        """Wavevectors of pol 0 and 1; of a framework where k0 or the medium is."""
        ks = self.medium_.ks(self.k0)
        xp = namespace(backend_for(ks))
        return xp.reshape(ks, (2, 1)) * xp.asarray(self.direction[None, :])

    def _vectors(self):
        """(vectors, may they move): a record with fixed vectors also takes waves along z."""
        vectors = self.kvecs
        return vectors, not is_concrete(vectors)

    def in_basis(self, basis: SphericalBasis) -> "Wave":
        """The same wave in regular multipoles."""
        vectors, moving = self._vectors()
        name = "poy.plane_expansion" if moving else "poy.plane_expansion_fixed"
        matrix = call(name, options_text({"poltype": self.polarization}), basis.positions, vectors, basis._rows,
                      np.array([0.0, 1.0]), NO_AXIAL)
        xp = namespace(backend_for(matrix, self.coefficients))
        column = call("poy.matmul", "", matrix, xp.reshape(self.coefficients, (2, 1)))
        return Wave(xp.reshape(column, (len(basis),)), basis, self.k0, self.medium_, "regular", self.polarization)

    expand = in_basis

    def efield(self, points):
        """Electric field at points of shape (..., 3)."""
        points = np.asarray(points, float)
        vectors, moving = self._vectors()
        field = call("poy.plane_field" if moving else "poy.plane_field_fixed", options_text({"poltype": self.polarization}),
                     self.coefficients, points.reshape(-1, 3), vectors, np.array([0.0, 1.0]))
        return namespace(backend_for(field)).reshape(field, points.shape)

    def __repr__(self):
        return f"<PlaneWave along {self.direction}, k0 = {self.k0}>"


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


def plane_wave(kvec=None, pol=None, *, k0, material=None, poltype=None, direction=None, medium=None,
               polarization=None) -> PlaneWave:
    """A plane wave along a direction, with a polarization state: "positive_helicity", "negative_helicity", an index 0 or 1, two
    amplitudes in that order, or three Cartesian components. k0 is 2 pi over the vacuum wavelength."""
    if (kvec is None) == (direction is None):
        raise ValueError("kvec and direction are two names of one argument: give one")
    axis = kvec if direction is None else direction
    if not is_concrete(axis):
        raise NotImplementedError("the direction of a plane wave is fixed: it carries no derivative")
    axis = np.asarray(axis)
    if np.iscomplexobj(axis) and np.any(axis.imag):
        raise NotImplementedError("evanescent plane waves are not supported here: the direction has to be real")
    axis = axis.real.astype(float)
    if axis.shape != (3,) or not np.linalg.norm(axis) > 0 or not np.all(np.isfinite(axis)):
        raise ValueError(f"the direction {axis} has to have three finite components, not all 0")
    axis = axis / np.linalg.norm(axis)
    if is_concrete(k0):
        k0 = concrete(k0, "k0")
    chosen, surroundings = polarization_of(polarization, poltype), medium_of(medium, material)
    if pol is None:
        raise ValueError("pol is wanted: the state of polarization")
    return PlaneWave(axis, _amplitudes(pol, axis, k0, surroundings, chosen), k0, surroundings, chosen)


def plane_wave_angle(theta: float, phi: float, pol, *, k0, material=None, poltype=None, medium=None, polarization=None):
    """A plane wave by polar and azimuthal angle (radians)."""
    axis = np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])
    return plane_wave(axis, pol, k0=k0, material=material, poltype=poltype, medium=medium, polarization=polarization)


class Wave:
    """Multipole amplitudes: regular (what comes in) or singular (what goes out)."""

    def __init__(self, coefficients, basis, k0, medium=None, kind="regular", polarization=None, *, material=None,
                 modetype=None, poltype=None):
        self.coefficients, self.basis, self.k0 = coefficients, basis, k0
        self.medium_ = medium if isinstance(medium, Material) else medium_of(medium, material)
        self.kind = modetype or kind
        self.polarization = polarization_of(polarization, poltype)
        if self.kind not in ("regular", "singular"):
            raise ValueError(f"kind {self.kind!r}: it is regular or singular")

    modetype = property(lambda self: self.kind)
    poltype = property(lambda self: self.polarization)
    array = property(lambda self: self.coefficients)
    _poynting_backend = property(lambda self: backend_for(self.coefficients, self.k0, self.medium_))

    def medium(self):
        return tuple(self.medium_)

    material = medium

    def efield(self, points):
        """Electric field at points of shape (..., 3)."""
        shape = np.shape(points)
        xp = namespace(backend_for(points))
        field = call("poy.field", options_text({"poltype": self.polarization, "singular": self.kind == "singular"}),
                     self.coefficients, xp.reshape(points, (-1, 3)), self.basis.positions, self.medium_.ks(self.k0), NO_AXIAL,
                     self.basis._rows)
        return namespace(backend_for(field)).reshape(field, shape)

    def in_basis(self, basis: SphericalBasis) -> "Wave":
        """The same wave about other origins."""
        matrix = expansion(basis, self.basis, self.k0, self.medium_, self.polarization, False)
        xp = namespace(backend_for(matrix, self.coefficients))
        column = call("poy.matmul", "", matrix, xp.reshape(self.coefficients, (-1, 1)))
        return Wave(xp.reshape(column, (len(basis),)), basis, self.k0, self.medium_, self.kind, self.polarization)

    expand = in_basis

    def __repr__(self):
        return f"<Wave: {self.kind}, {len(self.basis)} modes, k0 = {self.k0}>"


def spherical_wave(l, m, pol, *, k0, basis=None, material=None, modetype=None, poltype=None, medium=None, kind=None,  # noqa: E741
                   polarization=None) -> Wave:
    """One multipole."""
    basis = basis or SphericalBasis.default(l)
    row = np.flatnonzero((basis.modes == (0, l, m, pol)).all(axis=1))
    if len(row) != 1:
        raise ValueError(f"(l {l}, m {m}, pol {pol}) is not in the basis")
    coefficients = np.zeros(len(basis), complex)
    coefficients[row] = 1
    return Wave(coefficients, basis, k0, medium, kind or modetype or "regular", polarization, material=material, poltype=poltype)


def expansion(destination, source, k0, medium, polarization, singular):
    """The matrix that takes multipoles about the origins of source to regular ones (or outgoing to outgoing, singular False) about
    those of destination."""
    options = options_text({"poltype": polarization, "singular": singular})
    return call("poy.expansion", options, destination.positions, source.positions, medium.ks(k0), NO_AXIAL,
                destination._rows, source._rows)


__all__ = ["PlaneWave", "Wave", "plane_wave", "plane_wave_angle", "spherical_wave"]
