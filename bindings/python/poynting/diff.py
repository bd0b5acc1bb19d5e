"""poynting.diff: records with their derivatives. Each function returns (value, context), and the context has pullback(cotangent, ...)
and pushforward(tangent, ...), in the pairing dL = Re sum(conj(g) dx). Names and arguments are those of treams-rs; docs/records.md says
what each computes. Arguments that are labels or options have no derivative; the others come in the order of the gradients.

Arrays of a framework give its array as the value, which the framework itself differentiates."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from . import _core
from ._bases import MultipoleBasis
from ._dispatch import adapter, backend_for
from ._records import options_text, record
from ._types import Array, Number


class Traced:
    """The context of values that belong to a framework: their derivatives are the framework's business."""

    backend: str

    def __init__(self, backend: str):
        self.backend = backend

    def pullback(self, *_: Any) -> NoReturn:
        """Raises TypeError: the framework has the derivatives."""
        raise TypeError(f"values of {self.backend} are differentiated by {self.backend}: use its own gradient")

    pushforward = pullback


Recorded = tuple[Any, "_core.Saved | Traced"]  # the value, or a tuple of several, and the context


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


def solve(operator: Array, rhs: Array) -> Recorded:
    """X [n, m] of A X = B, A [n, n]. Gradients: A, B. Raises SingularError."""
    return _apply("solve", {}, operator, rhs)


def eig(operator: Array) -> Recorded:
    """(values [n], vectors [n, n] as columns) of a matrix [n, n]. Gradient: the matrix; equal values have none
    (NotDifferentiableError)."""
    return _apply("eig", {}, operator)


def eigvals(operator: Array) -> Recorded:
    """Eigenvalues [n] of a matrix [n, n]. Gradient: the matrix."""
    return _apply("eigvals", {}, operator)


def svdvals(operator: Array) -> Recorded:
    """Singular values [n], falling, of a matrix [m, n]. Gradient: the matrix."""
    return _apply("svdvals", {}, operator)


# ---- functions ----


def bessel(order: Array, z: Array, *, function: str = "j", spherical: bool = False, derivative: bool = False) -> Recorded:
    """Bessel or Hankel function ("j", "y", "h1", "h2") of an order at each z, or its derivative. Gradient: z."""
    options = {"function": function, "spherical": spherical, "derivative": derivative}
    return _apply("bessel", options, _labels(order, z), z)


def angular(degree: Array, order: Array, z: Array, *, function: str = "legendre") -> Recorded:
    """An angular function of a degree and an order at each z, e.g. "legendre". Gradient: z."""
    return _apply("angular", {"function": function}, _labels(degree, z), _labels(order, z), z)


def incgamma(n: Any, z: Array) -> Recorded:
    """Upper incomplete gamma function of n at each z. Gradient: z."""
    return _apply("incgamma", {}, _labels(n, z), z)


def intkambe(n: Any, z: Array, eta: Number) -> Recorded:
    """Kambe's integral of n from eta to infinity at each z. Gradients: z, eta."""
    return _apply("intkambe", {}, _labels(n, z), z, eta)


def sph_harm(theta: Array, phi: Array, *, degree: Array, order: Array) -> Recorded:
    """Spherical harmonic of a degree and an order at each theta, phi (radians). Gradients: theta, phi."""
    return _apply("sph_harm", {}, theta, phi, _labels(degree, theta), _labels(order, theta))


def wignerd(degree: Array, row: Array, column: Array, phi: Array, theta: Array, psi: Array) -> Recorded:
    """Wigner's D of a degree, row and column at each phi, theta, psi (radians). Gradients: the angles."""
    return _apply("wignerd", {}, *(_labels(v, theta) for v in (degree, row, column)), phi, theta, psi)


def coordinates(points: Array, *, function: str | None = None, kind: str | None = None) -> Recorded:
    """Points [..., 3] in other coordinates, function: e.g. "car2sph". Gradient: points."""
    return _apply("coordinates", {"function": function or kind}, points)


def vector_coordinates(vectors: Array, points: Array, *, function: str | None = None, kind: str | None = None) -> Recorded:
    """Components [..., 3] of vectors at points in other coordinates, function: e.g. "car2sph". Gradients: vectors, points."""
    return _apply("vector_coordinates", {"function": function or kind}, vectors, points)


def vector_wave(*arguments: Array, function: str, degree: Array = 0, order: Array = 0, pol: Array = None,
                polarization: Array = None) -> Recorded:
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


def sphere(lmax: int, k0: Number, radii: Array, epsilon: Array, mu: Array = None, kappa: Array = None) -> Recorded:
    """T-matrix [modes, modes] of a layered sphere: radii [layers] inside out, media [layers + 1], what is around last. Gradients:
    k0, radii, epsilon, mu, kappa."""
    return _apply("sphere", {"lmax": lmax}, k0, radii, *_media(epsilon, mu, kappa))


def cylinder(kzs: Array, mmax: int, k0: Number, radii: Array, epsilon: Array, mu: Array = None, kappa: Array = None) -> Recorded:
    """T-matrix of a layered cylinder at kzs [axial] and |m| <= mmax, as sphere(). Gradients: kzs, k0, radii, epsilon, mu, kappa."""
    return _apply("cylinder", {"mmax": mmax}, kzs, k0, radii, *_media(epsilon, mu, kappa))


def mie(degree: int, x: Array, epsilon: Array, mu: Array, kappa: Array) -> Recorded:
    """Coefficients [2, 2] of one degree of a layered sphere of size parameters x [layers]. Gradients: x, epsilon, mu, kappa."""
    return _apply("mie", {"degree": degree}, x, epsilon, mu, kappa)


def mie_cyl(kz: Number, order: int, k0: Number, radii: Array, epsilon: Array, mu: Array, kappa: Array) -> Recorded:
    """Coefficients [2, 2] of one order of a layered cylinder. Gradients: kz, k0, radii, epsilon, mu, kappa."""
    return _apply("mie_cyl", {"order": order}, kz, k0, radii, epsilon, mu, kappa)


def _modes(columns) -> np.ndarray:
    return np.column_stack([np.ravel(np.asarray(c, float)) for c in columns])


def ebcm_qmat(radii: Array, slopes: Array, ks: Array, zs: Array, *, theta: Array, weights: Array, destination: Any,
              source: Any = None, singular: bool = True) -> Recorded:
    """destination, source: columns (l, m, pol)."""
    rows = _modes(destination)
    return _apply("ebcm_qmat", {"singular": singular}, radii, slopes, ks, zs, np.asarray(theta, float), np.asarray(weights, float), rows,
                  rows if source is None else _modes(source))


# ---- waves ----


def _waves(basis: MultipoleBasis):
    if not isinstance(basis, MultipoleBasis):
        raise TypeError(f"a basis of multipoles is wanted, not a {type(basis).__name__}")
    return basis._waves


def expansion(destination: MultipoleBasis, source: MultipoleBasis, ks: Array, *, poltype: str | None = None,
              singular: bool = False) -> Recorded:
    """Gradients: positions of destination and source, ks, axial wavenumbers (of spherical waves none)."""
    axial = np.union1d(destination._axial, source._axial)
    options = {"waves": _waves(destination), "source": _waves(source), "poltype": poltype, "singular": singular}
    return _apply("expansion", options, destination.positions, source.positions, ks, axial, destination._rows_in(axial),
                  source._rows_in(axial))


def rotation(angles: Array, destination: MultipoleBasis, source: MultipoleBasis | None = None) -> Recorded:
    """Multipoles of source turned by z-y-z angles [3] (radians), in those of destination. Gradient: angles."""
    source = destination if source is None else source
    axial = np.union1d(destination._axial, source._axial)
    return _apply("rotation", {"waves": _waves(destination)}, angles, destination._rows_in(axial), source._rows_in(axial))


def spherical_translation(kr: Array, theta: Array, phi: Array, *, destination: Any, source: Any, poltype: str | None = None,
                          singular: bool = True) -> Recorded:
    """destination, source: columns (l, m, pol)."""
    return _apply("spherical_translation", {"poltype": poltype, "singular": singular}, kr, theta, phi, _modes(destination),
                  _modes(source))


def cylindrical_translation(krr: Array, phi: Array, z: Array, kz: Array, *, order: Array, singular: bool = True) -> Recorded:
    """order: that of the source less that of the destination."""
    return _apply("cylindrical_translation", {"singular": singular}, krr, phi, z, kz, _labels(order, krr))


def field(coefficients: Array, points: Array, basis: MultipoleBasis, ks: Array, *, poltype: str | None = None,
          singular: bool = False) -> Recorded:
    """Electric field [points, 3] of coefficients [modes] at points [points, 3]. Gradients: coefficients, points, positions, ks
    [2], axial wavenumbers."""
    options = {"waves": _waves(basis), "poltype": poltype, "singular": singular}
    return _apply("field", options, coefficients, points, basis.positions, ks, basis._axial, basis._rows)


def field_operator(points: Array, basis: MultipoleBasis, ks: Array, *, poltype: str | None = None, singular: bool = False) -> Recorded:
    """Electric field [points, 3, modes] of each mode. Gradients: points, positions, ks [2], axial wavenumbers."""
    options = {"waves": _waves(basis), "poltype": poltype, "singular": singular}
    return _apply("field_operator", options, points, basis.positions, ks, basis._axial, basis._rows)


def plane_expansion(destination: MultipoleBasis, vectors: Array, polarizations: Array, *, poltype: str | None = None,
                    fixed_vectors: bool = False) -> Recorded:
    """Plane waves with wavevectors [m, 3] in regular multipoles, [modes, m]. Gradients: positions, vectors unless they are fixed."""
    options = {"waves": _waves(destination), "poltype": poltype}
    return _apply("plane_expansion_fixed" if fixed_vectors else "plane_expansion", options, destination.positions, vectors,
                  destination._rows, np.asarray(polarizations, float), destination._axial)


def plane_field(coefficients: Array, points: Array, vectors: Array, polarizations: Array, *, poltype: str | None = None,
                fixed_vectors: bool = False) -> Recorded:
    """coefficients None: the field of each wave, [points, 3, waves]."""
    last = "_fixed" if fixed_vectors else ""
    pols = np.asarray(polarizations, float)
    if coefficients is None:
        return _apply("plane_field_operator" + last, {"poltype": poltype}, points, vectors, pols)
    return _apply("plane_field" + last, {"poltype": poltype}, coefficients, points, vectors, pols)


def plane_phases(points: Array, vectors: Array) -> Recorded:
    """exp(i k r), [points, waves]. Gradients: points, vectors."""
    return _apply("plane_phases", {}, points, vectors)


def plane_permutation(vectors: Array, polarizations: Array, n: int = 1, *, poltype: str | None = None) -> Recorded:
    """Both amplitudes [2, m] of plane waves in axes permuted cyclically n times. Gradient: vectors."""
    return _apply("plane_permutation", {"n": n, "poltype": poltype}, vectors, np.asarray(polarizations, float))


# ---- clusters ----


def interaction(local: Array, coupling: Array) -> Recorded:
    """X = (1 - T C)^-1 T, all [n, n]: particles that see one another. Gradients: T, C. Raises SingularError."""
    return _apply("interaction", {}, local, coupling)


def illuminate(local: Array, coupling: Array, incident: Array) -> Recorded:
    """(1 - T C)^-1 T a for columns a [n, m] alone. Gradients: T, C, a. Raises SingularError."""
    return _apply("illuminate", {}, local, coupling, incident)


def particle_cluster(local: Array, positions: Array, ks: Array, *, bases: Sequence[MultipoleBasis], poltype: str | None = None) -> Recorded:
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


def sphere_cluster(lmax: int, k0: Number, radii: Array, epsilon: Array, positions: Array) -> Recorded:
    """Coupled T-matrix of homogeneous, nonmagnetic spheres in vacuum: radii [n], epsilon [n], positions [n, 3]. Gradients: k0,
    radii, epsilon, positions."""
    return _apply("sphere_cluster", {"lmax": lmax}, k0, radii, epsilon, positions)


class InteractionFactor:
    """1 - T C, factored once: solve(incident) for columns of it, record(incident) with derivatives. See factor_interaction."""

    def __init__(self, local: Array, coupling: Array, blocks: Sequence[Array] | None = None):
        local, coupling = np.array(local, complex), np.array(coupling, complex)
        self._local, self._coupling, self._blocks = local, coupling, blocks
        self._response = np.asarray(interaction(local, coupling)[0])

    @property
    def dimension(self) -> int:
        """Waves of all particles."""
        return len(self._local)

    def solve(self, incident: Array) -> np.ndarray:
        """(1 - T C)^-1 T incident."""
        incident = np.asarray(incident, complex)
        if incident.ndim not in (1, 2) or len(incident) != self.dimension:
            raise ValueError(f"incident has shape {incident.shape}, columns of {self.dimension} waves are wanted")
        return self._response @ incident

    def record(self, incident: Array) -> tuple[np.ndarray, IlluminateContext]:
        """(solve(incident), context), whose gradients are those of T, C and incident."""
        incident = np.array(incident, complex)
        value = self.solve(incident)
        return value, IlluminateContext(self, incident, value)


class IlluminateContext:
    """pullback(cotangent) -> gradients of T, C, incident; pullback_blocks: of the list of blocks, C, incident; pushforward: the reverse.

    With p = X a, X = (1 - T C)^-1 T: dp = v + X (C v + dC p + da), v = dT (a + C p)."""

    def __init__(self, factor: InteractionFactor, incident: Array, value: Array):
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

    def pullback(self, cotangent: Array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Gradients of T, C and incident for a cotangent of the shape of the value."""
        h, q = self._back(cotangent)
        return h @ self._exciting.conj().T, q @ self._value.conj().T, q.reshape(self._columns)

    def pullback_blocks(self, cotangent: Array) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        """The same with a list of gradients for the blocks of T."""
        h, q = self._back(cotangent)
        ends = np.cumsum([0, *(len(b) for b in self._factor._blocks or [self._factor._local])])
        rows = [slice(i, j) for i, j in zip(ends, ends[1:])]
        return [h[r] @ self._exciting[r].conj().T for r in rows], q @ self._value.conj().T, q.reshape(self._columns)

    def pushforward(self, d_local: Array = None, d_coupling: Array = None, d_incident: Array = None) -> np.ndarray:
        """The tangent of the value for those of T, C and incident; None: no change."""
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


def factor_interaction(local: Array, coupling: Array) -> InteractionFactor:
    """Solves with 1 - T C once, for any illuminations: factor.solve(incident), factor.record(incident). Arrays of NumPy."""
    if backend_for(local, coupling) != "numpy":
        raise TypeError("a factor is an object of NumPy: use diff.illuminate with arrays of a framework")
    return InteractionFactor(local, coupling)


def factor_interaction_blocks(local: Array, coupling: Array) -> InteractionFactor:
    """The same of one block of T for each particle; the context has pullback_blocks."""
    blocks = [np.array(b, complex) for b in local]
    n = sum(map(len, blocks))
    whole, at = np.zeros((n, n), complex), 0
    for b in blocks:
        whole[at:at + len(b), at:at + len(b)] = b
        at += len(b)
    return InteractionFactor(whole, coupling, blocks)


def sphere_cluster_factor(lmax: int, k0: Number, radii: Array, epsilon: Array, positions: Array) -> InteractionFactor:
    """The same of homogeneous, nonmagnetic spheres in vacuum."""
    from ._bases import SphericalBasis

    radii, epsilon = np.asarray(radii, float), np.asarray(epsilon, complex)
    blocks = [np.asarray(sphere(lmax, k0, np.array([r]), np.array([e, 1]))[0]) for r, e in zip(radii, epsilon)]
    basis = SphericalBasis.default(lmax, len(radii), np.asarray(positions, float))
    coupling = expansion(basis, basis, np.array([k0, k0], complex), singular=True)[0]
    return factor_interaction_blocks(blocks, coupling)


def tmatrix_metric(operator: Array, ks: Array = (1.0, 1.0), *, polarizations: Array, metric: str | None = None,
                   kind: str | None = None) -> Recorded:
    """"cd", "db" or "chi" of a T-matrix of helicity [n, n] in a medium of wavenumbers ks [2]. Gradients: T, ks."""
    return _apply("tmatrix_metric", {"metric": metric or kind}, operator, np.asarray(ks, float) if isinstance(ks, tuple) else ks,
                  np.asarray(polarizations, float))


# ---- lattices, layers, S-matrices ----


def lattice_sum(lmax: int, k: Number, kpar: Array, a: Array, r: Array) -> Recorded:
    """All sums of spherical waves up to lmax at once, entry l (l + 1) + m."""
    return _apply("lattice_sum", {"lmax": lmax}, k, kpar, a, r)


def _pair(destination, source):
    source = destination if source is None else source
    axial = np.union1d(destination._axial, source._axial)
    return source, axial, destination._rows_in(axial), source._rows_in(axial)


def lattice_expansion(destination: MultipoleBasis, source: MultipoleBasis, ks: Array, kpar: Array, a: Array, *,
                      poltype: str | None = None, eta: Number = 0) -> Recorded:
    """Gradients: positions of destination and source, ks, kpar, a, axial wavenumbers."""
    source, axial, rows, columns = _pair(destination, source)
    options = {"waves": _waves(destination), "poltype": poltype, "eta": float(eta) or None}
    return _apply("lattice_expansion", options, destination.positions, source.positions, ks, kpar, a, axial, rows, columns)


def lattice_expansion_from_table(values: Array, destination: MultipoleBasis, source: MultipoleBasis | None = None, *,
                                 poltype: str | None = None) -> Recorded:
    """values: sums [destination origins, source origins, wavenumbers, (2 lmax + 1)^2], entry l (l + 1) + m."""
    source, _, rows, columns = _pair(destination, source)
    return _apply("lattice_expansion_from_table", {"poltype": poltype}, values, rows, columns)


def spherical_channels(basis: MultipoleBasis, ks: Array, q: Array, polarizations: Array, area: Number, *,
                       poltype: str | None = None, fixed_q: bool = False) -> Recorded:
    """Incidence on (0) and emission from (1) a plane array of multipoles, up (0) and down (1), [2, 2, modes, m], by the components
    q [m, 2] of the wavevectors. Gradients: positions, ks [2], q unless it is fixed, area of the cell."""
    name = "spherical_channels_fixed" if fixed_q else "spherical_channels"
    return _apply(name, {"poltype": poltype}, basis.positions, ks, q, area, basis._rows, np.asarray(polarizations, float))


def cylindrical_channels(basis: MultipoleBasis, ks: Array, kx: Array, polarizations: Array, period: Number, *, kz: Array,
                         fixed_q: bool = False) -> Recorded:
    """kz: of each port, a label."""
    name = "cylindrical_channels_fixed" if fixed_q else "cylindrical_channels"
    return _apply(name, {}, basis.positions, ks, kx, period, basis._rows, np.asarray(polarizations, float), basis._axial,
                  np.asarray(kz, float))


def periodic_to_cw(destination: MultipoleBasis, source: MultipoleBasis, ks: Array, period: Number, *,
                   poltype: str | None = None) -> Recorded:
    """Multipoles of a chain along z with this period in outgoing cylindrical waves. Gradients: positions of destination and
    source, ks [2], axial wavenumbers, period."""
    return _apply("periodic_to_cw", {"poltype": poltype}, destination.positions, source.positions, ks, destination._axial, period,
                  destination._rows, source._rows)


def fresnel(ks: Array, kzs: Array, zs: Array) -> Recorded:
    """Wavenumbers, normal wavenumbers [side][pol] and impedances of the media below and above."""
    return _apply("fresnel", {}, ks, kzs, zs)


def interface_coefficients(ks: Array, zs: Array, q: Array) -> Recorded:
    """fresnel() at components q [2] along the plane, [2 out, 2 in, 2 pol out, 2 pol in]. Gradients: ks [2 sides, 2 pols], zs [2],
    q."""
    return _apply("interface_coefficients", {}, ks, zs, q)


def layer_stack(ks: Array, zs: Array, q: Array, thickness: Array) -> Recorded:
    """S of plane layers, [channels, 2, 2, 2, 2], at components q [channels, 2]: ks [media, 2], impedances zs [media], thickness
    [media - 2]. Gradients: ks, zs, q, thickness."""
    return _apply("layer_stack", {}, ks, zs, q, thickness)


def propagation_matrix(vectors: Array, distance: Array) -> Recorded:
    """S [2, 2, n, n] of the way distance [3] through a medium, wavevectors [n, 3] of the waves up. Gradients: vectors, distance."""
    return _apply("propagation_matrix", {}, vectors, distance)


def smatrix_add(lower: Array, upper: Array) -> Recorded:
    """upper on lower, all [2, 2, n, n], with all waves between. Gradients: lower, upper."""
    return _apply("smatrix_add", {}, lower, upper)


def smatrix_illuminate(lower: Array, upper: Array, up: Array, down: Array) -> Recorded:
    """[4, n, m]: what leaves up and down, then what rises and falls between, for columns of light up and down [n, m]. Gradients:
    lower, upper, up, down."""
    return _apply("smatrix_illuminate", {}, lower, upper, up, down)


def smatrix_from_array(response: Array, channels: Array) -> Recorded:
    """S [2, 2, m, m] of an array by its response [n, n] and its channels [2, 2, n, m]. Gradients: response, channels."""
    return _apply("smatrix_from_array", {}, response, channels)


def smatrix_tr(matrices: Array, incident: Array, ks: Array, zs: Array, q: Array, *, modes: Array, poltype: str | None = None,
               modetype: str = "up") -> Recorded:
    """modes: pairs (row of q, pol)."""
    return _apply("smatrix_tr", {"poltype": poltype, "modetype": modetype}, matrices, incident, ks, zs, q, np.asarray(modes, float))


def smatrix_periodic(smats: Array) -> Recorded:
    """Transfer matrix of a cell [2, 2, n, n] that repeats along the normal. Gradient: the S-matrix."""
    return _apply("smatrix_periodic", {}, smats)


def bands(smats: Array, period: Number) -> Recorded:
    """(kz, vectors as columns) of its Bloch waves. Gradients: the S-matrix, the period."""
    return _apply("bands", {}, smats, period)


def chirality_density(ks: Array, normal: Array, z: Array = (0.0, 0.0)) -> Recorded:
    """Forms [3, n] of the chirality of waves up, down, and between them, of positive helicity: wavenumbers ks [n], their normal
    components [n], its mean over z [2]. Gradients: ks, normal, z."""
    return _apply("chirality_density", {}, ks, normal, np.asarray(z, float) if isinstance(z, tuple) else z)


def oriented_chirality(transverse: Array, normal: Array, z: Array = (0.0, 0.0), *, polarizations: Array, axis: int = 2) -> Recorded:
    """The same signed by helicity, for any normal axis: components across [n, 2] in cyclic order after it. Gradients: transverse,
    normal, z."""
    return _apply("oriented_chirality", {"axis": "xyz"[axis]}, transverse, normal, np.asarray(z, float) if isinstance(z, tuple) else z,
                  np.asarray(polarizations, float))
