"""Scattering objects: against treams-rs where it is installed, against themselves where two ways lead to one number, and their
gradients in every framework."""
import importlib.util
import json
import pathlib

import numpy as np
import pytest
import treams_script

import poynting as po

POSITIONS = [[0, 0, 0], [0.6, 0.1, 0.2], [-0.1, 0.7, 0.3]]


GOLDEN = json.loads((pathlib.Path(__file__).parent / "treams_rs.json").read_text(encoding="utf-8"))["numbers"]
SHARES = ("cd", "duality", "slab cd", "array cd", "array power", "array from above", "slab power", "stack power")  # of 1


def compare(found, wanted):
    assert found.keys() == wanted.keys()
    for key in wanted:
        a, b = wanted[key], found[key]
        assert a.shape == b.shape, key
        assert np.max(np.abs(a - b)) <= 1e-10 * (1.0 if key in SHARES else np.max(np.abs(a))), key


@pytest.mark.parametrize("name", treams_script.SCRIPTS)
def test_a_script_gives_the_numbers_of_treams_rs(name):
    wanted = {}
    for key, (shape, real, imag) in GOLDEN[name].items():
        wanted[key] = (np.array(real, float) + 1j * np.array(imag, float)).reshape(shape)
    compare(treams_script.numbers(po, name), wanted)


@pytest.mark.skipif(importlib.util.find_spec("treams_rs") is None, reason="treams-rs is not installed")
@pytest.mark.parametrize("name", treams_script.SCRIPTS)
def test_a_script_runs_with_another_import(name):
    import treams_rs

    compare(treams_script.numbers(po, name), treams_script.numbers(treams_rs, name))


def test_small_sphere_is_rayleighs():
    """sigma = 8 pi / 3 k^4 a^6 |(eps - 1) / (eps + 2)|^2 for k a << 1 (Bohren & Huffman, eq. 5.8), to order (k a)^2."""
    k, a, eps = 1.0, 1e-3, 2.25
    x = po.sphere_tmatrix(k0=k, lmax=1, radius=a, material=eps).cross_sections(po.plane_wave([0, 0, 1], 0, k0=k))
    assert x.scattering == pytest.approx(8 * np.pi / 3 * k**4 * a**6 * ((eps - 1) / (eps + 2)) ** 2, rel=1e-5)


def test_two_ways_to_a_cluster():
    """Composed in one record, by the coupled T-matrix, and from the scattered wave alone."""
    spheres = [po.sphere_tmatrix(k0=2.0, lmax=3, radius=r, material=3 + 0.2j) for r in (0.2, 0.15, 0.1)]
    cluster = po.Cluster(spheres, positions=POSITIONS)
    wave = po.plane_wave([1, 0.3, -1], "negative_helicity", k0=2.0)
    solved = cluster.solve()
    composed = solved.cross_sections(wave)
    plain = po.TMatrix(solved.array, k0=2.0, basis=solved.basis).cross_sections(wave)
    assert composed.scattering == pytest.approx(plain.scattering, rel=1e-12)
    assert composed.extinction == pytest.approx(plain.extinction, rel=1e-12)
    np.testing.assert_allclose(cluster.scatter(wave).coefficients, solved.scatter(wave).coefficients, rtol=1e-11, atol=1e-14)
    assert composed.absorption > 0


def test_wrong_arguments():
    sphere = po.sphere_tmatrix(k0=2.0, lmax=1, radius=0.2, material=3.0)
    wave = po.plane_wave([0, 0, 1], 0, k0=2.0)
    for wrong, match in (
        (lambda: po.sphere_tmatrix(k0=0.0, lmax=1, radius=0.2, material=3.0), "k0"),
        (lambda: po.sphere_tmatrix(k0=2.0, lmax=0, radius=0.2, material=3.0), "lmax"),
        (lambda: po.sphere_tmatrix(k0=2.0, lmax=1, radius=-0.2, material=3.0), "radii"),
        (lambda: po.multilayer_sphere_tmatrix(k0=2.0, lmax=1, radii=[0.1, 0.2], materials=[3.0]), "one for each layer"),
        (lambda: po.Cluster([sphere, sphere], positions=[[0, 0, 0], [0, 0, 0]]), "one place"),
        (lambda: po.Cluster([sphere, sphere], positions=[[0, 0, 0]]), r"\(2, 3\)"),
        (lambda: sphere.cross_sections(po.plane_wave([0, 0, 1], 0, k0=2.5)), "k0"),
        (lambda: sphere.cross_sections(po.plane_wave([0, 0, 1], 0, k0=2.0, medium=1.5)), "epsilon"),
        (lambda: sphere.cross_sections(po.plane_wave([0, 0, 1], 0, k0=2.0, polarization="parity")), "parity"),
        (lambda: po.plane_wave([0, 0, 0], 0, k0=2.0), "direction"),
        (lambda: po.plane_wave([0, 0, 1], "left", k0=2.0), "left"),
        (lambda: po.plane_wave([0, 0, 1], [1, 0, 1], k0=2.0), "normal"),
        (lambda: po.SphericalBasis([(1, 2, 0)]), "mode"),
        (lambda: po.sphere_tmatrix(k0=2.0, lmax=1, radius=0.2, material=3.0, medium=1 + 1j).cross_sections(
            po.plane_wave([0, 0, 1], 0, k0=2.0, medium=1 + 1j)), "lossless"),
    ):
        with pytest.raises(ValueError, match=match):
            wrong()
    assert sphere.cross_sections(wave).scattering > 0


def test_gradient_of_a_cluster(framework):
    """Absorption of three spheres to positions and radii, by the framework, against differences."""
    wave = po.plane_wave([0, 0.3, 1], "positive_helicity", k0=2.0)

    def absorption(positions, r):
        spheres = [po.sphere_tmatrix(k0=2.0, lmax=2, radius=r, material=3 + 0.2j) for _ in range(3)]
        x = po.Cluster(spheres, positions=positions).solve().cross_sections(wave)
        return x.extinction - x.scattering

    positions, r = np.array(POSITIONS), np.array(0.18)
    value, (gp, gr) = framework.value_and_grad(absorption, positions, r)
    assert value == pytest.approx(float(absorption(positions, r)), rel=1e-12)
    step = 1e-5
    direction = np.random.default_rng(3).standard_normal(positions.shape)
    difference = (absorption(positions + step * direction, r) - absorption(positions - step * direction, r)) / (2 * step)
    assert np.sum(gp * direction) == pytest.approx(difference, rel=1e-6, abs=1e-10)
    difference = (absorption(positions, r + step) - absorption(positions, r - step)) / (2 * step)
    assert float(gr) == pytest.approx(difference, rel=1e-6)
    # a cluster's net force on itself is none: moving all of it changes nothing
    np.testing.assert_allclose(np.sum(gp, axis=0), 0, atol=1e-12)


def test_two_frameworks_do_not_mix():
    jax, torch = pytest.importorskip("jax"), pytest.importorskip("torch")
    with pytest.raises(TypeError, match="cannot mix"):
        po.sphere_tmatrix(k0=2.0, lmax=1, radius=jax.numpy.asarray(0.2), material=torch.tensor(3.0))
