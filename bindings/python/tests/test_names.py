"""Names of treams-rs 0.2.2: each is here, but for those that docs/python.md tells; and what they do, by closed forms where no golden number has
it (test_scatter.py compares numbers)."""
import importlib
import inspect
import json
import pathlib

import numpy as np
import pytest

import poynting as po

NAMES = json.loads((pathlib.Path(__file__).parent / "treams_names.json").read_text(encoding="utf-8"))
FRAMEWORKS = ("jax", "torch", "autograd", "advect")
PAGE = (pathlib.Path(__file__).parents[3] / "docs/python.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", NAMES)
def test_every_name_is_here_or_told_to_be_absent(module):
    if module.rpartition(".")[2] in FRAMEWORKS:
        pytest.importorskip(module.rpartition(".")[2])
    ours = importlib.import_module(module)
    absent = [name for name in NAMES[module] if not hasattr(ours, name)]
    assert all(f"`{name}`" in PAGE for name in absent), absent


def test_members_are_here():
    """Of classes at the root; attributes of instances count."""
    sphere = po.sphere_tmatrix(k0=2.0, lmax=1, radius=0.2, material=3)
    wave = po.plane_wave([0, 0, 1], 0, k0=2.0)
    rod = po.cylinder_tmatrix(k0=2.0, kz=0.1, mmax=1, radius=0.1, material=2)
    samples = {"TMatrix": sphere, "PlaneWave": wave, "Wave": sphere.scatter(wave), "Cluster": po.Cluster([sphere], positions=[[0, 0, 0]]),
               "CylindricalTMatrix": rod}
    for name, members in NAMES["poynting"].items():
        if name == "WaveVector":  # a tuple there
            members = [m for m in members if m not in ("count", "index")]
        value = samples.get(name, getattr(po, name, None))
        assert [m for m in members if not hasattr(value, m)] == [], name


def test_threads():
    before = po.get_num_threads()
    with po.threads(1):
        assert po.get_num_threads() == 1 == po.thread_info()["threads"]
        with po.parallel.threads(2):
            assert po.get_num_threads() == 2
    assert po.get_num_threads() == before <= max(before, po.thread_info()["available"])
    with pytest.raises(RuntimeError), po.threads(1):
        raise RuntimeError
    assert po.get_num_threads() == before


def test_catalog_is_plain_data():
    told = json.loads(json.dumps(po.support_catalog()))
    assert "signature" in told["api"]["poynting"]["sphere_tmatrix"] and "poy.sphere" in told["records"]
    assert "qmat" in told["api"]["poynting.ebcm"] and told["version"] == po.__version__


def test_a_surface_that_is_a_sphere_is_mies():
    lmax, k0, radius, epsilon = 2, 1.3, 0.7, 2.5 + 0.1j
    basis = po.SphericalBasis.default(lmax)
    n = np.sqrt(epsilon)
    def q(singular):
        return po.ebcm.qmat(lambda t: radius, lambda t: 0.0, [[k0 * n, k0 * n], [k0, k0]], [1 / n, 1], (basis.l, basis.m, basis.pol), singular=singular)
    wanted = po.sphere_tmatrix(k0=k0, lmax=lmax, radius=radius, material=epsilon).array
    np.testing.assert_allclose(-np.linalg.solve(q(True), q(False)), wanted, atol=1e-12 * np.abs(wanted).max())
    with pytest.raises(AssertionError):  # without the radius in the element of area it is another integral where r is not 1
        np.testing.assert_allclose(po.ebcm.qmat(lambda t: radius * (1 + 0.1 * np.cos(t)), lambda t: -0.07 * np.sin(t), [[k0 * n] * 2, [k0] * 2], [1 / n, 1],
                                                (basis.l, basis.m, basis.pol), radial_area_factor=False),
                                   po.ebcm.qmat(lambda t: radius * (1 + 0.1 * np.cos(t)), lambda t: -0.07 * np.sin(t), [[k0 * n] * 2, [k0] * 2], [1 / n, 1],
                                                (basis.l, basis.m, basis.pol)), rtol=1e-6)


def test_checks_find_a_wrong_gradient():
    A = np.array([[2 + 1j, 1], [0.5, 3]])
    b = np.array([[1.0 + 0j], [2]])
    po.testing.check_pullback(po.diff.solve, A, b)
    po.testing.check_pushforward(po.diff.solve, A, b)
    po.testing.check_gradient(lambda x: float(np.sum(x**3)), lambda x: 3 * x**2, np.array([1.0, -2]))
    with pytest.raises(AssertionError, match="gradient of parameter 0"):
        po.testing.check_gradient(lambda x: float(np.sum(x**3)), lambda x: 3.01 * x**2, np.array([1.0, -2]))

    def wrong(x):
        class Context:
            pullback = staticmethod(lambda g: (g * np.cos(x),))
            pushforward = staticmethod(lambda d: d * np.cos(x) * 1.01)
        return np.sin(x), Context()

    with pytest.raises(AssertionError, match="tangent of output 0"):
        po.testing.check_pushforward(wrong, np.array([0.3]))


def test_factors_and_iterations_are_the_dense_solution():
    spheres = dict(lmax=2, k0=2.0, radii=[0.2, 0.15], epsilon=[3 + 0.1j, 2.5], positions=[[0, 0, 0], [0.6, 0.1, 0.2]])
    cluster, factor = po.iterative.SphereCluster(**spheres), po.diff.sphere_cluster_factor(**spheres)
    incident = np.exp(1j * np.arange(2 * cluster.dimension)).reshape(-1, 2)
    dense = np.asarray(po.diff.sphere_cluster(*spheres.values())[0]) @ incident
    np.testing.assert_allclose(factor.solve(incident), dense, rtol=0, atol=1e-13 * np.abs(dense).max())
    found = cluster.solve(incident, rtol=1e-12)
    np.testing.assert_allclose(found.coefficients, dense, rtol=0, atol=1e-11 * np.abs(dense).max())
    assert all(0 < c.iterations < 30 and c.residual_norm <= 1e-12 * c.rhs_norm for c in found.convergence)
    with pytest.raises(po.NoConvergenceError, match="raise max_iterations"):
        cluster.solve(incident, rtol=1e-13, max_iterations=1)
    value, context = cluster.record(incident[:, 0], rtol=1e-12)
    moved = context.pushforward(k0=1.0)
    shifted = [po.iterative.SphereCluster(**{**spheres, "k0": 2 + h}).solve(incident[:, 0], rtol=1e-13).coefficients for h in (1e-5, -1e-5)]
    np.testing.assert_allclose(moved, (shifted[0] - shifted[1]) / 2e-5, atol=1e-7 * np.abs(moved).max())
    po.testing.check_pushforward(lambda a: (factor.solve(a), _Linear(factor, a)), incident)
    with pytest.raises(ValueError, match="columns of 32 waves"):
        factor.solve(incident[1:])


class _Linear:
    """The context of the light alone."""

    def __init__(self, factor, incident):
        self._context = factor.record(incident)[1]

    def pullback(self, g):
        return self._context.pullback(g)[2]

    def pushforward(self, d):
        return self._context.pushforward(d_incident=d)


def test_a_group_of_h5py_gets_what_a_file_has(tmp_path):
    h5py = pytest.importorskip("h5py")
    sphere = po.sphere_tmatrix(k0=0.01, lmax=2, radius=30.0, material=3)
    po.io.save_hdf5(tmp_path / "a.tmat.h5", sphere, "a sphere")
    with h5py.File(tmp_path / "b.tmat.h5", "w") as file:
        po.io.save_hdf5(file, sphere, "a sphere")
        with pytest.raises(ValueError, match="already"):
            po.io.save_hdf5(file, sphere)
    one, other = po.io.load_hdf5(tmp_path / "a.tmat.h5"), po.io.load_hdf5(tmp_path / "b.tmat.h5")
    np.testing.assert_array_equal(one.array, other.array)
    with h5py.File(tmp_path / "a.tmat.h5") as a, h5py.File(tmp_path / "b.tmat.h5") as b:
        assert set(a) == set(b) and set(a.attrs) == set(b.attrs)


def test_spheres_of_a_mesh():
    """The calls that Gmsh gets: a volume and a surface for each sphere, sizes on it and in it."""
    calls = []

    class Fake:
        def __init__(self, path=""):
            self._path = path

        def __getattr__(self, name):
            return Fake(f"{self._path}.{name}".lstrip("."))

        def __call__(self, *args, **options):
            calls.append((self._path, args))
            return {"occ.addSphere": len([c for c in calls if c[0] == "occ.addSphere"]), "getBoundary": [(2, 7)], "getBoundingBox": (0,) * 6}.get(self._path, [])

    assert isinstance(po.io.mesh_spheres([1.0, 2.0], [[0, 0, 0], [5, 0, 0]], Fake()), Fake)
    assert [a for n, a in calls if n == "occ.addSphere"] == [(0.0, 0.0, 0.0, 1.0), (5.0, 0.0, 0.0, 2.0)]
    assert [a for n, a in calls if n == "addPhysicalGroup"] == [(3, [1]), (2, [7]), (3, [2]), (2, [7])]
    assert {a[1] for n, a in calls if n == "mesh.setSize"} == {0.2}
    with pytest.raises(ValueError, match="radii above 0"):
        po.io.mesh_spheres([1.0], [[0, 0, 0], [5, 0, 0]], Fake())


def test_operators_that_cannot_say_so():
    from poynting import operators as op

    x = op.PhysicsArray(np.ones(6), basis=po.SphericalBasis.default(1), k0=2.0)
    with pytest.raises(NotImplementedError, match="no inverse"):
        op.EField([1, 2, 3]).inv(basis=x.basis, k0=2.0)
    with pytest.raises(TypeError, match="3 arguments|2 arguments|arguments"):
        op.Translate([0, 0, 1], 2, 3, 4, 5, 6, 7, 8, 9)
    with pytest.raises(ValueError):
        x.array[0] = 2
    assert repr(op.Rotate(0.1).inv) == "Rotate(0.1, isinv=True)" and isinstance(type(x).rotate, op.OperatorAttribute)
    assert np.allclose(op.Rotate(0.1, 0.2, 0.3)(basis=x.basis) @ op.Rotate(0.1, 0.2, 0.3).inv(basis=x.basis), np.eye(6))


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_adapters_have_the_objects(framework):
    pytest.importorskip(framework)
    module = importlib.import_module(f"poynting.{framework}")
    assert module.SMatrix is po.SMatrix and module.sphere_tmatrix is po.sphere_tmatrix
    sphere = module.tmatrix(np.eye(6) + 0j, basis=po.SphericalBasis.default(1), k0=2.0)
    assert isinstance(sphere, po.TMatrix) and np.array_equal(sphere.array, np.eye(6))
    assert np.allclose(module.mie(1, np.array([0.3]), np.array([3.0, 1]), np.ones(2), np.zeros(2)), po.coeffs.mie(1, np.array([0.3]), np.array([3.0, 1]), np.ones(2), np.zeros(2)))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        module.nothing


def test_signatures_take_what_treams_rs_takes():
    for function, names in ((po.ebcm.qmat, ["r", "dr", "ks", "zs", "out", "in_", "singular", "order", "radial_area_factor"]),
                            (po.iterative.SphereCluster.solve, ["self", "incident", "rtol", "atol", "restart", "max_iterations"]),
                            (po.testing.check_pullback, ["record", "parameters", "directions", "cotangents", "step", "rtol", "atol", "seed"])):
        assert list(inspect.signature(function).parameters) == names
