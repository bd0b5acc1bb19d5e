"""poynting.diff: records with their derivatives. Each function returns (value, context), and the context has pullback(cotangent, ...)
and pushforward(tangent, ...), in the pairing dL = Re sum(conj(g) dx). Names and arguments are those of treams-rs; docs/records.md says
what each computes. Arguments that are labels or options have no derivative; the others come in the order of the gradients.

Arrays of a framework give its array as the value, which the framework itself differentiates."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._bases import MultipoleBasis
from ._dispatch import adapter, backend_for
from ._records import options_text, record
from ._types import Array, Number


class Traced:
    """The context of values that belong to a framework: their derivatives are the framework's business."""

    def __init__(self, backend: str):
        self.backend = backend

    def pullback(self, *_):
        raise TypeError(f"values of {self.backend} are differentiated by {self.backend}: use its own gradient")

    pushforward = pullback


def _apply(name: str, options: dict[str, Any], *values: Any) -> tuple[Any, _core.Saved | Traced]:
    backend, text = backend_for(*values), options_text(options)
    if backend == "numpy":
        return record(f"poy.{name}", text)(*values)
    return adapter(backend).call(f"poy.{name}", text, *values), Traced(backend)


def _media(epsilon, mu, kappa):
    """epsilon, mu, kappa of all media; mu 1 and kappa 0 unless given."""
    n = np.shape(epsilon)
    return epsilon, np.ones(n, complex) if mu is None else mu, np.zeros(n, complex) if kappa is None else kappa


def _labels(value, like):
    return np.broadcast_to(np.asarray(value, float), np.shape(like))


# ---- linear algebra ----


def solve(operator, rhs):
    return _apply("solve", {}, operator, rhs)


def eig(operator):
    return _apply("eig", {}, operator)


def eigvals(operator):
    return _apply("eigvals", {}, operator)


def svdvals(operator):
    return _apply("svdvals", {}, operator)


# ---- functions ----


def bessel(order, z, *, function="j", spherical=False, derivative=False):
    options = {"function": function, "spherical": spherical, "derivative": derivative}
    return _apply("bessel", options, _labels(order, z), z)


def angular(degree, order, z, *, function="legendre"):
    return _apply("angular", {"function": function}, _labels(degree, z), _labels(order, z), z)


def incgamma(n, z):
    return _apply("incgamma", {}, _labels(n, z), z)


def intkambe(n, z, eta):
    return _apply("intkambe", {}, _labels(n, z), z, eta)


def sph_harm(theta, phi, *, degree, order):
    return _apply("sph_harm", {}, theta, phi, _labels(degree, theta), _labels(order, theta))


def wignerd(degree, row, column, phi, theta, psi):
    return _apply("wignerd", {}, *(_labels(v, theta) for v in (degree, row, column)), phi, theta, psi)


def coordinates(points, *, function=None, kind=None):
    return _apply("coordinates", {"function": function or kind}, points)


def vector_coordinates(vectors, points, *, function=None, kind=None):
    return _apply("vector_coordinates", {"function": function or kind}, vectors, points)


def vector_wave(*arguments, function, degree: Array = 0, order: Array = 0, pol=None, polarization=None):
    """One vector wave or harmonic at each point; the gradient of all arguments is one array [arguments, points]."""
    if backend_for(*arguments) == "numpy":
        rows: Any = np.array([np.asarray(a, complex).ravel() for a in np.broadcast_arrays(*arguments)])
    elif len(arguments) == 1:
        rows = arguments[0]
    else:
        raise TypeError("vector_wave takes a framework's arguments as one array [arguments, points]")
    like = rows[0]
    pol = polarization if pol is None else pol
    return _apply("vector_wave", {"function": function}, rows, _labels(degree, like), _labels(order, like),
                  _labels(0 if pol is None else pol, like))


# ---- particles ----


def sphere(lmax, k0, radii, epsilon, mu=None, kappa=None):
    return _apply("sphere", {"lmax": lmax}, k0, radii, *_media(epsilon, mu, kappa))


def cylinder(kzs, mmax, k0, radii, epsilon, mu=None, kappa=None):
    return _apply("cylinder", {"mmax": mmax}, kzs, k0, radii, *_media(epsilon, mu, kappa))


def mie(degree, x, epsilon, mu, kappa):
    return _apply("mie", {"degree": degree}, x, epsilon, mu, kappa)


def mie_cyl(kz, order, k0, radii, epsilon, mu, kappa):
    return _apply("mie_cyl", {"order": order}, kz, k0, radii, epsilon, mu, kappa)


def _modes(columns) -> np.ndarray:
    return np.column_stack([np.ravel(np.asarray(c, float)) for c in columns])


def ebcm_qmat(radii, slopes, ks, zs, *, theta, weights, destination, source=None, singular=True):
    """destination, source: columns (l, m, pol)."""
    rows = _modes(destination)
    return _apply("ebcm_qmat", {"singular": singular}, radii, slopes, ks, zs, np.asarray(theta, float), np.asarray(weights, float), rows,
                  rows if source is None else _modes(source))


# ---- waves ----


def _waves(basis: MultipoleBasis):
    if not isinstance(basis, MultipoleBasis):
        raise TypeError(f"a basis of multipoles is wanted, not a {type(basis).__name__}")
    return basis._waves


def expansion(destination, source, ks, *, poltype=None, singular=False):
    """Gradients: positions of destination and source, ks, axial wavenumbers (of spherical waves none)."""
    axial = np.union1d(destination._axial, source._axial)
    options = {"waves": _waves(destination), "source": _waves(source), "poltype": poltype, "singular": singular}
    return _apply("expansion", options, destination.positions, source.positions, ks, axial, destination._rows_in(axial),
                  source._rows_in(axial))


def rotation(angles, destination, source=None):
    source = destination if source is None else source
    axial = np.union1d(destination._axial, source._axial)
    return _apply("rotation", {"waves": _waves(destination)}, angles, destination._rows_in(axial), source._rows_in(axial))


def spherical_translation(kr, theta, phi, *, destination, source, poltype=None, singular=True):
    """destination, source: columns (l, m, pol)."""
    return _apply("spherical_translation", {"poltype": poltype, "singular": singular}, kr, theta, phi, _modes(destination),
                  _modes(source))


def cylindrical_translation(krr, phi, z, kz, *, order, singular=True):
    """order: that of the source less that of the destination."""
    return _apply("cylindrical_translation", {"singular": singular}, krr, phi, z, kz, _labels(order, krr))


def field(coefficients, points, basis, ks, *, poltype=None, singular=False):
    options = {"waves": _waves(basis), "poltype": poltype, "singular": singular}
    return _apply("field", options, coefficients, points, basis.positions, ks, basis._axial, basis._rows)


def field_operator(points, basis, ks, *, poltype=None, singular=False):
    options = {"waves": _waves(basis), "poltype": poltype, "singular": singular}
    return _apply("field_operator", options, points, basis.positions, ks, basis._axial, basis._rows)


def plane_expansion(destination, vectors, polarizations, *, poltype=None, fixed_vectors=False):
    options = {"waves": _waves(destination), "poltype": poltype}
    return _apply("plane_expansion_fixed" if fixed_vectors else "plane_expansion", options, destination.positions, vectors,
                  destination._rows, np.asarray(polarizations, float), destination._axial)


def plane_field(coefficients, points, vectors, polarizations, *, poltype=None, fixed_vectors=False):
    """coefficients None: the field of each wave, [points, 3, waves]."""
    last = "_fixed" if fixed_vectors else ""
    pols = np.asarray(polarizations, float)
    if coefficients is None:
        return _apply("plane_field_operator" + last, {"poltype": poltype}, points, vectors, pols)
    return _apply("plane_field" + last, {"poltype": poltype}, coefficients, points, vectors, pols)


def plane_phases(points, vectors):
    return _apply("plane_phases", {}, points, vectors)


def plane_permutation(vectors, polarizations, n: int = 1, *, poltype=None):
    return _apply("plane_permutation", {"n": n, "poltype": poltype}, vectors, np.asarray(polarizations, float))


# ---- clusters ----


def interaction(local, coupling):
    return _apply("interaction", {}, local, coupling)


def illuminate(local, coupling, incident):
    return _apply("illuminate", {}, local, coupling, incident)


def particle_cluster(local, positions, ks, *, bases, poltype=None):
    """local: T-matrices, one for each particle; their gradients come as one array, one after the other, row by row."""
    modes = np.concatenate([np.column_stack([np.full(len(b), i), b.modes[:, 1:]]) for i, b in enumerate(bases)])
    first = bases[0]
    together = type(first)(modes, np.zeros((len(bases), 3)))
    if backend_for(*local) == "numpy":
        values = np.concatenate([np.asarray(t, complex).ravel() for t in local])
    else:
        from ._xp import namespace_of

        xp = namespace_of(*local)
        values = xp.join([xp.reshape(t, (-1,)) for t in local], 0)
    return _apply("particle_cluster", {"waves": _waves(first), "poltype": poltype}, values, positions, ks, together._axial, together._rows)


def sphere_cluster(lmax, k0, radii, epsilon, positions):
    return _apply("sphere_cluster", {"lmax": lmax}, k0, radii, epsilon, positions)


class InteractionFactor:
    """1 - T C, factored once: solve(incident) for columns of it, record(incident) with derivatives. See factor_interaction."""

    def __init__(self, local, coupling, blocks=None):
        local, coupling = np.array(local, complex), np.array(coupling, complex)
        self._local, self._coupling, self._blocks = local, coupling, blocks
        self._response = np.asarray(interaction(local, coupling)[0])

    @property
    def dimension(self) -> int:
        return len(self._local)

    def solve(self, incident) -> np.ndarray:
        """(1 - T C)^-1 T incident."""
        incident = np.asarray(incident, complex)
        if incident.ndim not in (1, 2) or len(incident) != self.dimension:
            raise ValueError(f"incident has shape {incident.shape}, columns of {self.dimension} waves are wanted")
        return self._response @ incident

    def record(self, incident):
        """(solve(incident), context), whose gradients are those of T, C and incident."""
        incident = np.array(incident, complex)
        value = self.solve(incident)
        return value, IlluminateContext(self, incident, value)


class IlluminateContext:
    """pullback(cotangent) -> gradients of T, C, incident; pullback_blocks: of the list of blocks, C, incident; pushforward: the reverse.

    With p = X a, X = (1 - T C)^-1 T: dp = v + X (C v + dC p + da), v = dT (a + C p)."""

    def __init__(self, factor, incident, value):
        self._factor, self._columns = factor, incident.shape
        self._incident = incident.reshape(len(incident), -1)
        self._value = value.reshape(len(value), -1)
        self._exciting = self._incident + factor._coupling @ self._value

    def _back(self, cotangent):
        f = self._factor
        g = np.asarray(cotangent, complex)
        if g.shape != self._columns:
            raise ValueError(f"the cotangent has shape {g.shape}, the value {self._columns}")
        g = g.reshape(len(g), -1)
        q = f._response.conj().T @ g
        return g + f._coupling.conj().T @ q, q

    def pullback(self, cotangent):
        h, q = self._back(cotangent)
        return h @ self._exciting.conj().T, q @ self._value.conj().T, q.reshape(self._columns)

    def pullback_blocks(self, cotangent):
        h, q = self._back(cotangent)
        ends = np.cumsum([0, *(len(b) for b in self._factor._blocks or [self._factor._local])])
        rows = [slice(i, j) for i, j in zip(ends, ends[1:])]
        return [h[r] @ self._exciting[r].conj().T for r in rows], q @ self._value.conj().T, q.reshape(self._columns)

    def pushforward(self, d_local=None, d_coupling=None, d_incident=None):
        f, v, sent = self._factor, 0, 0
        if d_local is not None:
            v = np.asarray(d_local) @ self._exciting
            sent = f._coupling @ v
        if d_coupling is not None:
            sent = sent + np.asarray(d_coupling) @ self._value
        if d_incident is not None:
            sent = sent + np.asarray(d_incident, complex).reshape(self._incident.shape)
        moved = v + (f._response @ sent if np.ndim(sent) else 0)
        return np.broadcast_to(moved, self._value.shape).reshape(self._columns).astype(complex)


def factor_interaction(local, coupling) -> InteractionFactor:
    """Solves with 1 - T C once, for any illuminations: factor.solve(incident), factor.record(incident). Arrays of NumPy."""
    if backend_for(local, coupling) != "numpy":
        raise TypeError("a factor is an object of NumPy: use diff.illuminate with arrays of a framework")
    return InteractionFactor(local, coupling)


def factor_interaction_blocks(local, coupling) -> InteractionFactor:
    """The same of one block of T for each particle; the context has pullback_blocks."""
    blocks = [np.array(b, complex) for b in local]
    n = sum(map(len, blocks))
    whole, at = np.zeros((n, n), complex), 0
    for b in blocks:
        whole[at:at + len(b), at:at + len(b)] = b
        at += len(b)
    return InteractionFactor(whole, coupling, blocks)


def sphere_cluster_factor(lmax, k0, radii, epsilon, positions) -> InteractionFactor:
    """The same of homogeneous, nonmagnetic spheres in vacuum."""
    from ._bases import SphericalBasis

    radii, epsilon = np.asarray(radii, float), np.asarray(epsilon, complex)
    blocks = [np.asarray(sphere(lmax, k0, np.array([r]), np.array([e, 1]))[0]) for r, e in zip(radii, epsilon)]
    basis = SphericalBasis.default(lmax, len(radii), np.asarray(positions, float))
    coupling = expansion(basis, basis, np.array([k0, k0], complex), singular=True)[0]
    return factor_interaction_blocks(blocks, coupling)


def tmatrix_metric(operator, ks: Array = (1.0, 1.0), *, polarizations, metric=None, kind=None):
    return _apply("tmatrix_metric", {"metric": metric or kind}, operator, np.asarray(ks, float) if isinstance(ks, tuple) else ks,
                  np.asarray(polarizations, float))


# ---- lattices, layers, S-matrices ----


def lattice_sum(lmax, k, kpar, a, r):
    """All sums of spherical waves up to lmax at once, entry l (l + 1) + m."""
    return _apply("lattice_sum", {"lmax": lmax}, k, kpar, a, r)


def _pair(destination, source):
    source = destination if source is None else source
    axial = np.union1d(destination._axial, source._axial)
    return source, axial, destination._rows_in(axial), source._rows_in(axial)


def lattice_expansion(destination, source, ks, kpar, a, *, poltype=None, eta: Number = 0):
    """Gradients: positions of destination and source, ks, kpar, a, axial wavenumbers."""
    source, axial, rows, columns = _pair(destination, source)
    options = {"waves": _waves(destination), "poltype": poltype, "eta": float(eta) or None}
    return _apply("lattice_expansion", options, destination.positions, source.positions, ks, kpar, a, axial, rows, columns)


def lattice_expansion_from_table(values, destination, source=None, *, poltype=None):
    """values: sums [destination origins, source origins, wavenumbers, (2 lmax + 1)^2], entry l (l + 1) + m."""
    source, _, rows, columns = _pair(destination, source)
    return _apply("lattice_expansion_from_table", {"poltype": poltype}, values, rows, columns)


def spherical_channels(basis, ks, q, polarizations, area, *, poltype=None, fixed_q=False):
    name = "spherical_channels_fixed" if fixed_q else "spherical_channels"
    return _apply(name, {"poltype": poltype}, basis.positions, ks, q, area, basis._rows, np.asarray(polarizations, float))


def cylindrical_channels(basis, ks, kx, polarizations, period, *, kz, fixed_q=False):
    """kz: of each port, a label."""
    name = "cylindrical_channels_fixed" if fixed_q else "cylindrical_channels"
    return _apply(name, {}, basis.positions, ks, kx, period, basis._rows, np.asarray(polarizations, float), basis._axial,
                  np.asarray(kz, float))


def periodic_to_cw(destination, source, ks, period, *, poltype=None):
    return _apply("periodic_to_cw", {"poltype": poltype}, destination.positions, source.positions, ks, destination._axial, period,
                  destination._rows, source._rows)


def fresnel(ks, kzs, zs):
    """Wavenumbers, normal wavenumbers [side][pol] and impedances of the media below and above."""
    return _apply("fresnel", {}, ks, kzs, zs)


def interface_coefficients(ks, zs, q):
    return _apply("interface_coefficients", {}, ks, zs, q)


def layer_stack(ks, zs, q, thickness):
    return _apply("layer_stack", {}, ks, zs, q, thickness)


def propagation_matrix(vectors, distance):
    return _apply("propagation_matrix", {}, vectors, distance)


def smatrix_add(lower, upper):
    return _apply("smatrix_add", {}, lower, upper)


def smatrix_illuminate(lower, upper, up, down):
    return _apply("smatrix_illuminate", {}, lower, upper, up, down)


def smatrix_from_array(response, channels):
    return _apply("smatrix_from_array", {}, response, channels)


def smatrix_tr(matrices, incident, ks, zs, q, *, modes, poltype=None, modetype="up"):
    """modes: pairs (row of q, pol)."""
    return _apply("smatrix_tr", {"poltype": poltype, "modetype": modetype}, matrices, incident, ks, zs, q, np.asarray(modes, float))


def smatrix_periodic(smats):
    return _apply("smatrix_periodic", {}, smats)


def bands(smats, period):
    return _apply("bands", {}, smats, period)


def chirality_density(ks, normal, z: Array = (0.0, 0.0)):
    return _apply("chirality_density", {}, ks, normal, np.asarray(z, float) if isinstance(z, tuple) else z)


def oriented_chirality(transverse, normal, z: Array = (0.0, 0.0), *, polarizations, axis: int = 2):
    return _apply("oriented_chirality", {"axis": "xyz"[axis]}, transverse, normal, np.asarray(z, float) if isinstance(z, tuple) else z,
                  np.asarray(polarizations, float))
