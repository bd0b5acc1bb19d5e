"""S-matrices of what lies between two planes: interfaces, layers, arrays, and stacks of them."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._bases import MODETYPES, PlaneWavePorts, _from_handle
from ._dispatch import backend_for, call
from ._operator_objects import Bound
from ._media import Material, embedding
from ._records import options_text
from ._outcomes import BandModes, CircularDichroism, PowerBalance, ScatteredPorts
from ._types import Array, Light, MaterialLike, Number
from ._waves import (PlaneWave, Wave, apply, change_polarization, concrete, no_parity_in_chiral, polarization_of,
                     same_k0_and_medium, target_polarization)
from ._xp import is_concrete, namespace

_UP, _DOWN = 2, 3  # of poy_modetype
_OUT = {0: 0, 1: 1, "up": 0, "down": 1, "positive": 0, "negative": 1}
_IN = {0: 0, 1: 1, "up": 0, "down": 1, "negative": 0, "positive": 1}
_SIDES = {None: None, "negative": "up", "positive": "down", "up": "up", "down": "down"}


def _media_of(positive, negative, material) -> tuple[Material, Material]:
    if material is None:
        return Material(1 if positive is None else positive), Material(1 if negative is None else negative)
    if positive is not None or negative is not None:
        raise ValueError("material is another name of the pair positive_medium, negative_medium: give one")
    both = material if isinstance(material, tuple) and len(material) == 2 else (material, material)
    return Material(both[0]), Material(both[1])


def _numbers(medium: Material) -> tuple:
    return complex(medium.epsilon), complex(medium.mu), complex(medium.kappa)


class ScatteringBlock(Bound):
    """One block of an S-matrix: an array with what its rows and columns mean. material and modetype are pairs (out, in)."""

    array: Array
    k0: Number
    basis: PlaneWavePorts
    material: tuple[Material, Material]
    poltype: str
    modetype: tuple[str, ...]

    def __init__(self, arr: Array, *, k0: Number, basis: PlaneWavePorts, material: MaterialLike = 1, poltype: str | None = None,
                 modetype: str | tuple[str, str] = ("up", "up")):
        if tuple(np.shape(arr)) != (len(basis), len(basis)):
            raise ValueError(f"a block of shape {tuple(np.shape(arr))} for {len(basis)} ports")
        if len(modetype) != 2 or not set(modetype) <= {"up", "down"}:
            raise ValueError(f"modetype {modetype!r}: a pair of up or down, out and in")
        self.array, self.k0, self.basis = arr, k0, basis
        self.material = _media_of(None, None, material)
        self.poltype, self.modetype = polarization_of(poltype, None), tuple(modetype)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array: out, in."""
        return tuple(np.shape(self.array))

    @property
    def ndim(self) -> int:
        """2."""
        return len(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.array, dtype)

    def __getitem__(self, key: Any) -> Array:
        return self.array[key]

    def __matmul__(self, other: Any) -> Any:
        return self.array @ other


class SMatrix:
    """Four blocks [out][in] of plane-wave ports, up (0) before down (1). Waves that go up come from the negative side. Media and layers
    are given from the negative to the positive side.

    Blocks may belong to a framework: stacks, powers and scattered waves are then computed there. array: [2, 2, ports, ports]. k0 = 2 pi
    over the vacuum wavelength; lengths are in the unit of 1 / k0."""

    array: Array
    k0: Number
    basis: PlaneWavePorts
    polarization: str

    def __init__(self, smats: Array, *, k0: Number, basis: PlaneWavePorts, positive_medium: MaterialLike = None,
                 negative_medium: MaterialLike = None, polarization: str | None = None,
                 material: MaterialLike | tuple[MaterialLike, MaterialLike] | None = None, poltype: str | None = None):
        if not isinstance(basis, PlaneWavePorts):
            raise TypeError("an S-matrix needs PlaneWavePorts")
        if tuple(np.shape(smats)) != (2, 2, len(basis), len(basis)):
            raise ValueError(f"blocks of shape {tuple(np.shape(smats))}, (2, 2, {len(basis)}, {len(basis)}) is wanted")
        media = _media_of(positive_medium, negative_medium, material)
        self._set(k0, basis, media, polarization_of(polarization, poltype), smats, None)
        if is_concrete(smats):
            self.array = np.array(smats, complex)
            self.array.flags.writeable = False

    def _set(self, k0, basis, media, polarization, array, handle):
        self.k0 = concrete(k0, "k0") if is_concrete(k0) else k0
        self.basis, self._media, self.polarization, self.array, self._engine = basis, media, polarization, array, handle
        for medium in media:
            no_parity_in_chiral(polarization, medium)

    @classmethod
    def _of(cls, handle, k0, media, polarization, basis=None) -> "SMatrix":
        """From one of the engine; basis: its ports, if they are known."""
        self = cls.__new__(cls)
        array = _core.smatrix_values(handle)
        array.flags.writeable = False
        if basis is None:
            ports = _core.smatrix_ports(handle)
            basis = _from_handle(PlaneWavePorts, ports, _alignment=_core.basis_alignment(ports))
        self._set(k0, basis, media, polarization, array, handle)
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Of copies and pickles: without the engine's own, which is made again when it is needed."""
        return {**self.__dict__, "_engine": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if isinstance(self.array, np.ndarray):
            self.array.flags.writeable = False

    @property
    def _handle(self):
        if self._engine is None:
            if self._poynting_backend != "numpy":
                raise NotImplementedError("this operation on S-matrices has no derivative: stacks, power and scatter have one")
            self._engine = _core.smatrix(self._stage, _numbers(self._media[1]), _numbers(self._media[0]), self.array)
        return self._engine

    @property
    def _stage(self):
        return _stage(self.basis, self.k0, self.polarization)

    def _like(self, handle, basis=None) -> "SMatrix":
        return SMatrix._of(handle, self.k0, self._media, self.polarization, basis)

    _poynting_backend = property(lambda self: backend_for(self.array, self.k0, *self._media))

    @property
    def positive_medium(self) -> Material:
        """What is above."""
        return self._media[0]

    @property
    def negative_medium(self) -> Material:
        """What is below."""
        return self._media[1]

    @property
    def material(self) -> tuple[Material, Material]:
        """Above, below."""
        return self._media

    @property
    def poltype(self) -> str:
        """treams' name of polarization."""
        return self.polarization

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.array, dtype)

    def __len__(self) -> int:
        return 2

    def __getitem__(self, key: Any) -> Array:
        """Blocks by (out, in): 0 or "up", 1 or "down"."""
        if isinstance(key, tuple):
            return self.array[_OUT[key[0]], _IN[key[1]]]
        return self.array[_OUT[key]]

    def block(self, outgoing: int | str, incoming: int | str) -> ScatteringBlock:
        """A block by directions (up, down) or by sides: out to and in from positive or negative."""
        i, j = _OUT[outgoing], _IN[incoming]
        return ScatteringBlock(self.array[i, j], k0=self.k0, basis=self.basis, material=(self._media[i], self._media[1 - j]),
                               poltype=self.polarization, modetype=(MODETYPES[_UP + i], MODETYPES[_UP + j]))

    # ---- making them ----

    @classmethod
    def interface(cls, basis: PlaneWavePorts, k0: Number, materials: Sequence[MaterialLike], poltype: str | None = None) -> "SMatrix":
        """The plane between two media."""
        below, above = materials
        return interface(basis=basis, k0=k0, negative_medium=below, positive_medium=above, polarization=poltype or "helicity")

    @classmethod
    def propagation(cls, r: Array, basis: PlaneWavePorts, k0: Number, material: MaterialLike = 1, poltype: str | None = None) -> "SMatrix":
        """The way r through a medium."""
        return propagation(distance=r, basis=basis, k0=k0, medium=material, polarization=poltype or "helicity")

    @classmethod
    def slab(cls, thickness: Array, basis: PlaneWavePorts, k0: Number, materials: Sequence[MaterialLike],
             poltype: str | None = None) -> "SMatrix":
        """Layers between two media, which are the first and the last of materials."""
        below, *inside, above = materials
        return multilayer_slab(basis=basis, k0=k0, thicknesses=np.atleast_1d(np.asarray(thickness, float)), materials=inside,
                               negative_medium=below, positive_medium=above, polarization=poltype or "helicity")

    @classmethod
    def stack(cls, items: Iterable[SMatrix]) -> "SMatrix":
        """From the negative to the positive side."""
        return stack(items)

    # ---- stacks ----

    def cascade(self, next_layer: "SMatrix") -> "SMatrix":
        """next_layer on the positive side, with all waves between."""
        self._check_next(next_layer)
        media = (next_layer._media[0], self._media[1])
        if backend_for(self, next_layer) == "numpy":
            return SMatrix._of(_core.smatrix_cascade(self._handle, next_layer._handle), self.k0, media, self.polarization, self.basis)
        lower = self._compared(next_layer)
        out = SMatrix.__new__(SMatrix)
        array = call("poy.smatrix_add", "", lower + 0j, next_layer.array + 0j)
        out._set(self.k0, self.basis, media, self.polarization, array, None)
        return out

    add = cascade

    def _check_next(self, other):
        if not isinstance(other, SMatrix):
            raise TypeError(f"an SMatrix is wanted, not a {type(other).__name__}")
        if other.basis != self.basis:
            raise ValueError("S-matrices of a stack need the same ports")
        if other.polarization != self.polarization:
            raise ValueError(f"this S-matrix is of {self.polarization}, the next of {other.polarization}")

    def _compared(self, upper):
        """This array, with k0 and the media where the two meet compared."""
        class Side:
            pass

        here, there = Side(), Side()
        here.k0, here.medium_ = self.k0, self._media[0]
        there.k0, there.medium_ = upper.k0, upper._media[1]
        return same_k0_and_medium(self.array, here, there, "stack")

    def double(self, n: int = 1) -> "SMatrix":
        """2^n of the same upon one another."""
        if self._poynting_backend == "numpy":
            return self._like(_core.smatrix_double(self._handle, int(n)), self.basis)
        out = self
        for _ in range(n):
            out = out.cascade(out)
        return out

    def rotate(self, phi: float, theta: float = 0, psi: float = 0) -> "SMatrix":
        """Turned about z."""
        if theta != 0:
            raise ValueError("S-matrices turn about z only: theta has to be 0")
        out = self._like(_core.smatrix_rotate(self._handle, float(phi) + float(psi)))
        if self.basis.lattice is not None:
            out.basis.lattice, out.basis.kpar = self.basis.lattice.rotate(phi + psi), self.basis.kpar.rotate(phi + psi)
        return out

    def translate(self, r: Array) -> "SMatrix":
        """Amplitudes about an origin displaced by r."""
        return self._like(_core.smatrix_translate(self._handle, _vector(r)), self.basis)

    def permute(self, n: int = 1) -> "SMatrix":
        """In axes permuted cyclically, x -> y -> z."""
        return self._like(_core.smatrix_permute(self._handle, int(n)))

    def with_polarization(self, polarization: str) -> "SMatrix":
        """The same by helicity or by parity."""
        if polarization_of(polarization, None) == self.polarization:
            return self
        for medium in self._media:
            no_parity_in_chiral(polarization, medium)
        if self._poynting_backend == "numpy":
            handle = _core.smatrix_changepoltype(self._handle, int(polarization == "parity"))
            return SMatrix._of(handle, self.k0, self._media, polarization, self.basis)
        change = np.kron(np.eye(2), change_polarization(self.basis)) + 0j
        array = as_blocks(call("poy.matmul", "", call("poy.matmul", "", change, _flat(self.array)), change))
        out = SMatrix.__new__(SMatrix)
        out._set(self.k0, self.basis, self._media, polarization, array, None)
        return out

    def changepoltype(self, poltype: str | None = None) -> "SMatrix":
        """with_polarization; the other one unless said."""
        return self.with_polarization(target_polarization(self.polarization, poltype))

    # ---- light ----

    def _amplitudes(self, incident, side):
        """(up or down, amplitudes) of light: plane waves tell where they come from, arrays come from the negative side unless said."""
        side = _SIDES[side]
        if isinstance(incident, PlaneWave):
            incident = incident.in_basis(self.basis)
        if not isinstance(incident, Wave):
            return side or "up", np.asarray(incident, complex) if is_concrete(incident) else incident
        if side is not None and side != incident.kind:
            raise ValueError(f"the light goes {incident.kind}, light from that side goes {side}")
        if incident.basis != self.basis:
            raise ValueError("the light is in other ports")
        if incident.polarization != self.polarization:
            raise ValueError(f"the light is of {incident.polarization}, the S-matrix of {self.polarization}")

        class Outside:
            k0, medium_ = self.k0, self._media[1 if incident.kind == "up" else 0]

        return incident.kind, same_k0_and_medium(incident.coefficients, incident, Outside, "illumination")

    def _scattered(self, up, down):
        if backend_for(self, up, down) == "numpy":
            return tuple(_core.smatrix_scatter(self._handle, up, down))
        parts = []
        for out in (0, 1):
            total = None
            for into, light in ((0, up), (1, down)):
                if light is not None:
                    part = apply(self.array[out, into], light)
                    total = part if total is None else total + part
            parts.append(total)
        return tuple(parts)

    def _wave(self, coefficients, side) -> Wave:
        return Wave._of(coefficients, self.basis, self.k0, self._media[side], MODETYPES[_UP + side], self.polarization)

    def scatter(self, *, negative: Light | None = None, positive: Light | None = None) -> ScatteredPorts:
        """What leaves on either side for light from the negative side, from the positive one, or both."""
        if negative is None and positive is None:
            raise ValueError("light is wanted: from the negative side, the positive one, or both")
        up = None if negative is None else self._amplitudes(negative, "negative")[1]
        down = None if positive is None else self._amplitudes(positive, "positive")[1]
        return ScatteredPorts(*(self._wave(c, side) for side, c in enumerate(self._scattered(up, down))))

    def power(self, incident: Light, *, side: str | None = None) -> PowerBalance:
        """Shares of the power of light that are transmitted and reflected."""
        kind, amplitudes = self._amplitudes(incident, side)
        if backend_for(self, amplitudes) == "numpy":
            return PowerBalance(*_core.smatrix_power(self._handle, MODETYPES.index(kind), amplitudes))
        return self._traced_power(kind, amplitudes)

    def _groups(self):
        """Transverse components [groups][2] and the modes (group, pol) of the ports."""
        places: dict = {}
        rows = [(places.setdefault((a, b), len(places)), p) for a, b, p in self.basis]
        return np.array(list(places)), np.array(rows, float)

    def _traced_power(self, kind, amplitudes) -> PowerBalance:
        xp = namespace(backend_for(self, amplitudes))
        q, modes = self._groups()
        ks = xp.join([xp.reshape(m.ks(self.k0), (1, 2)) for m in self._media], 0)
        zs = xp.stack([m.impedance for m in self._media], (2,))
        options = options_text({"poltype": self.polarization, "modetype": kind})
        shares = call("poy.smatrix_tr", options, self.array, xp.reshape(amplitudes, (-1, 1)) + 0j, ks, zs + 0j, q, modes)
        return PowerBalance(shares[0, 0], shares[1, 0])

    def order_powers(self, incident: Light, *, side: str | None = None) -> PowerBalance:
        """The same of each diffraction order, in the order in which they come in the ports."""
        kind, amplitudes = self._amplitudes(incident, side)
        return PowerBalance(*_core.smatrix_order_powers(self._handle, MODETYPES.index(kind), amplitudes))

    def circular_dichroism(self, incident: Light, *, side: str | None = None) -> CircularDichroism:
        """Contrast of the given light and the same with each pol exchanged."""
        kind, amplitudes = self._amplitudes(incident, side)
        return CircularDichroism(*_core.smatrix_dichroism(self._handle, MODETYPES.index(kind), amplitudes)[:2])

    def tr(self, illu: Light, *, modetype: str | None = None) -> tuple[Any, Any]:
        """(transmission, reflection)."""
        shares = self.power(illu, side=modetype)
        return shares.transmission, shares.reflection

    def cd(self, illu: Light, *, modetype: str | None = None) -> tuple[Any, Any]:
        """treams' name of circular_dichroism: (of the transmitted power, of all that leaves)."""
        contrast = self.circular_dichroism(illu, side=modetype)
        return contrast.transmission, contrast.outgoing_power

    def illuminate(self, illu: Light, illu2: Light | None = None, *, modetype: str | None = None,
                   smat: "SMatrix | None" = None) -> tuple[Any, ...]:
        """Amplitudes that leave upwards and downwards; with smat, which lies upon this one, also those between the two."""
        kind, first = self._amplitudes(illu, modetype)
        other = None if illu2 is None else (smat or self)._amplitudes(illu2, "down" if kind == "up" else "up")[1]
        up, down = (first, other) if kind == "up" else (other, first)
        if smat is None:
            return self._scattered(up, down)
        self._check_next(smat)
        return tuple(_core.smatrix_illuminate(self._handle, smat._handle, up, down))

    # ---- periodic stacks ----

    def _same_outside(self):
        if all(m.is_concrete for m in self._media) and self._media[0] != self._media[1]:
            raise ValueError("a period needs the same medium on both sides")

    def transfer_matrix(self) -> np.ndarray:
        """The state (up, down) below one period to that above it."""
        self._same_outside()
        if self._poynting_backend == "numpy":
            return _core.smatrix_transfer(self._handle)
        return call("poy.smatrix_periodic", "", self.array)

    periodic = transfer_matrix

    def bands(self, *, period: float) -> BandModes:
        """Bloch waves of the structure repeated along the normal."""
        self._same_outside()
        if backend_for(self, period) == "numpy":
            return BandModes(*_core.smatrix_bands(self._handle, float(period)))
        return BandModes(*call("poy.bands", "", self.array, period))

    def bands_kz(self, az: float) -> tuple[Any, Any]:
        """treams' name of bands: (wavenumbers, eigenvectors); az: the period."""
        modes = self.bands(period=az)
        return modes.wavenumbers, modes.eigenvectors

    def __repr__(self) -> str:
        return f"<SMatrix: {len(self.basis)} ports {self.basis.alignment}, k0 = {self.k0}>"


def _stage(basis: PlaneWavePorts, k0, polarization):
    if not isinstance(basis, PlaneWavePorts):
        raise TypeError("an S-matrix needs PlaneWavePorts")
    return float(k0), int(polarization_of(polarization, None) == "parity"), basis._handle


def _vector(r) -> tuple:
    r = np.asarray(r, float)
    if r.shape != (3,):
        raise ValueError(f"a vector of three components is wanted, not of shape {r.shape}")
    return tuple(r.tolist())


# ---- stacks of framework values ----


def _flat(array):
    """[2][2][n][n] as the matrix [(out, port)][(in, port)]."""
    xp = namespace(backend_for(array))
    n = np.shape(array)[-1]
    return xp.join([xp.join([array[i, j] for j in (0, 1)], 1) for i in (0, 1)], 0) if n else array


def as_blocks(matrix):
    """The matrix [(out, port)][(in, port)] as [2][2][n][n]."""
    xp = namespace(backend_for(matrix))
    n = np.shape(matrix)[0] // 2
    rows = [xp.join([xp.reshape(matrix[i * n:(i + 1) * n, j * n:(j + 1) * n], (1, n, n)) for j in (0, 1)], 0) for i in (0, 1)]
    return xp.join([xp.reshape(r, (1, 2, n, n)) for r in rows], 0)


# ---- what stands between two planes ----


def _backend(polarization, *values) -> str:
    for v in values:
        if isinstance(v, Material):
            no_parity_in_chiral(polarization, v)
    return backend_for(*values)


def _traced_layers(basis, k0, thicknesses, media, polarization) -> SMatrix:
    """Layers whose numbers belong to a framework, by their record, which speaks of helicity."""
    xp = namespace(backend_for(k0, *thicknesses, *media))
    out = SMatrix.__new__(SMatrix)
    out._set(k0, basis, (media[-1], media[0]), "helicity", None, None)
    parts = [xp.stack([getattr(m, part) for m in media], (len(media),)) for part in ("epsilon", "mu", "kappa")]
    out.array = call("poy.smatrix_layers", "", k0, xp.stack(thicknesses, (len(thicknesses),)), *parts, *out._groups())
    return out.with_polarization(polarization)


def interface(*, basis: PlaneWavePorts, k0: Number, negative_medium: MaterialLike, positive_medium: MaterialLike,
              polarization: str = "helicity") -> SMatrix:
    """The plane between two media."""
    return multilayer_slab(basis=basis, k0=k0, thicknesses=[], materials=[], negative_medium=negative_medium,
                           positive_medium=positive_medium, polarization=polarization)


def propagation(*, distance: Array, basis: PlaneWavePorts, k0: Number, medium: MaterialLike = 1, polarization: str = "helicity") -> SMatrix:
    """The way through a medium: a distance along the normal, or three components."""
    medium, stage = Material(medium), (basis, k0, polarization)
    if _backend(polarization, distance, k0, medium) != "numpy":
        if len(np.shape(distance)):
            raise NotImplementedError("a way of three components has no derivative here: give the distance along the normal")
        return _traced_layers(basis, k0, [distance], [medium] * 3, polarization)
    way = np.asarray(distance, float)
    if way.ndim == 0:
        way = float(way) * np.eye(3)["xyz".index(basis.normal_axis)]
    return SMatrix._of(_core.smatrix_propagation(_stage(*stage), _numbers(medium), _vector(way)), k0, (medium, medium),
                       polarization, basis)


def multilayer_slab(*, basis: PlaneWavePorts, k0: Number, thicknesses: Sequence[Number], materials: Sequence[MaterialLike],
                    negative_medium: MaterialLike = 1, positive_medium: MaterialLike = 1, polarization: str = "helicity") -> SMatrix:
    """Layers of these thicknesses, from the negative to the positive side."""
    media = [Material(m) for m in (negative_medium, *materials, positive_medium)]
    thicknesses = list(thicknesses) if isinstance(thicknesses, (list, tuple)) or np.ndim(thicknesses) else [thicknesses]
    if len(thicknesses) != len(media) - 2:
        raise ValueError(f"{len(thicknesses)} thicknesses and {len(media) - 2} materials: one for each layer is wanted")
    if _backend(polarization, k0, *media, *thicknesses) != "numpy":
        return _traced_layers(basis, k0, thicknesses, media, polarization)
    handle = _core.smatrix_layers(_stage(basis, k0, polarization), np.array(thicknesses, float),
                                  np.array([_numbers(m) for m in media]))
    return SMatrix._of(handle, k0, (media[-1], media[0]), polarization, basis)


def slab(*, basis: PlaneWavePorts, k0: Number, thickness: Number, material: MaterialLike, negative_medium: MaterialLike = 1,
         positive_medium: MaterialLike = 1, polarization: str = "helicity") -> SMatrix:
    """One layer between two media."""
    return multilayer_slab(basis=basis, k0=k0, thicknesses=[thickness], materials=[material], negative_medium=negative_medium,
                           positive_medium=positive_medium, polarization=polarization)


def stack(layers: Iterable[SMatrix]) -> SMatrix:
    """S-matrices from the negative to the positive side, as one."""
    layers = list(layers)
    if not layers:
        raise ValueError("a stack needs at least one layer")
    whole = layers[0]
    for layer in layers[1:]:
        whole = whole.cascade(layer)
    return whole


def chirality_density(basis: PlaneWavePorts, k0: Number, material: MaterialLike = 1, poltype: str | None = None,
                      z: Array = (0.0, 0.0)) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forms U, D, X of 2 Re(E* . i Z Z_0 H) of waves up and down: u* U u + d* D d + 2 Re u* X d, the mean over z[0]..z[1]."""
    polarization = polarization_of(poltype, None)
    low, high = (float(v) for v in z)
    return tuple(_core.chirality_density(embedding(k0, Material(material), polarization), basis._handle, low, high))


__all__ = ["SMatrix", "ScatteringBlock", "chirality_density", "interface", "multilayer_slab", "propagation", "slab", "stack"]


def poynting_avg_z(basis: PlaneWavePorts, k0: Number, material: MaterialLike = 1, poltype: str | None = None) -> tuple[np.ndarray,
                   np.ndarray]:
    """Forms (a, b) of the mean power flux along the normal in treams' normalisation: gamma = kz / (k Z); of helicities i, j at one wavevector
    along the plane a = (s_i s_j gamma_i* + gamma_j) / 4, b = (s_i s_j gamma_i* - gamma_j) / 4; of parity gamma / 4 and -gamma / 4 of pol 1,
    gamma* / 4 and gamma* / 4 of pol 0. SMatrix.power is the physical flux."""
    material, polarization = Material(material), polarization_of(poltype, None)
    no_parity_in_chiral(polarization, material)
    pol = np.asarray(basis.pol, int)
    k = np.asarray(material.ks(k0), complex)[pol]
    gamma = np.asarray(material.kzs(k0, *basis.components.T, pol), complex) / (k * material.impedance)
    same = np.all(basis.components[:, None, :] == basis.components[None, :, :], axis=-1)
    sign = np.outer(2 * pol - 1, 2 * pol - 1)
    left, right = np.conj(gamma)[:, None], gamma[None, :]
    if polarization == "parity":
        own = np.where(pol == 1, gamma, np.conj(gamma)) / 4
        return np.diag(own), np.diag(np.where(pol == 1, -own, own))
    return np.where(same, (sign * left + right) / 4, 0), np.where(same, (sign * left - right) / 4, 0)
