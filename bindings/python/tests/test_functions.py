"""The functions that go element by element: closed forms, and treams-rs where it is installed."""
import importlib
import importlib.util

import numpy as np
import pytest

import poynting as po
from poynting._elements import rows

FUNCTIONS = [(module, name) for module, names in rows().items() for name in names]


def arguments(module, name):
    """Six elements of each argument within its domain."""
    rng = np.random.default_rng(1)
    degree = rng.integers(1, 5, 6)
    given = []
    for word in rows()[module][name][1].split():
        if ":" not in word:
            continue
        label, kind = word.split("=")[0].split(":")
        if kind == "i":
            value = degree if label in ("l", "lambda_", "n", "j1", "j2", "j3") else \
                rng.integers(0, 2, 6) if label.startswith(("pol", "qol")) or label in "pq" else \
                np.full(6, {"m1": 1, "m2": -1, "m3": 0}.get(label, 0)) if label[1:].isdigit() else rng.integers(-1, 2, 6)
        elif label in ("kz", "qz", "kzcw", "kzpw") and module != "sw" or (label == "kz" and kind == "d"):
            value = np.full(6, 0.3, complex if kind == "c" else float)
        elif kind == "d":
            value = rng.integers(1, 4, 6) / 2 if label == "n" else rng.uniform(0.2, 1.2, 6)
        elif kind == "c":
            value = rng.uniform(0.2, 0.9, 6) + 1j * rng.uniform(0, 0.2, 6) * (label not in ("z", "kx", "ky"))
        else:
            value = rng.uniform(0.2, 1.2, (6, 2 if kind in "2w" else 3)) + (0j if kind in "vw" else 0)
        given.append(value)
    return given


@pytest.mark.parametrize("module, name", FUNCTIONS)
def test_shapes(module, name):
    """An array in, an array out; one element at a time the same numbers."""
    function, values = getattr(importlib.import_module(f"poynting.{module}"), name), arguments(module, name)
    whole = function(*values)
    assert len(whole) == 6 and np.all(np.isfinite(whole))
    for i in (0, 5):
        np.testing.assert_array_equal(function(*(v[i] for v in values)), whole[i])
    square = function(*(v.reshape(2, 3, *v.shape[1:]) for v in values))
    np.testing.assert_array_equal(square.reshape(whole.shape), whole)


@pytest.mark.skipif(importlib.util.find_spec("treams_rs") is None, reason="treams-rs is not installed")
@pytest.mark.parametrize("module, name", FUNCTIONS)
def test_against_treams_rs(module, name):
    values = arguments(module, name)
    values = [v.real if np.isrealobj(v) or not np.any(v.imag) else v for v in values]
    theirs = getattr(importlib.import_module(f"treams_rs.{module}"), name)(*values)
    ours = getattr(importlib.import_module(f"poynting.{module}"), name)(*values)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12 * np.max(np.abs(theirs)))


def test_closed_forms():
    """DLMF 10.16.1, 10.49.3, 14.5; Wigner's 3j (1 1 2; 0 0 0) = sqrt(2 / 15); unit vectors at a point of the x axis."""
    z = np.linspace(0.3, 4, 7)
    np.testing.assert_allclose(po.special.jv(0.5, z), np.sqrt(2 / (np.pi * z)) * np.sin(z), rtol=1e-14)
    np.testing.assert_allclose(po.special.spherical_jn(1, z), np.sin(z) / z**2 - np.cos(z) / z, rtol=1e-13)
    np.testing.assert_allclose(po.special.spherical_jn(0, z, True), (z * np.cos(z) - np.sin(z)) / z**2, rtol=1e-13)
    np.testing.assert_allclose(po.special.lpmv(0, 2, z / 4), 0.5 * (3 * (z / 4) ** 2 - 1), rtol=1e-14)
    assert po.special.wigner3j(1, 1, 2, 0, 0, 0) == pytest.approx(np.sqrt(2 / 15))
    np.testing.assert_allclose(po.special.car2sph([2.0, 0, 0]), [2, np.pi / 2, 0], atol=1e-15)
    np.testing.assert_allclose(po.special.vcar2cyl([1, 2, 3], [2.0, 0, 0]), [1, 2, 3])
    assert po.misc.wave_vec_z(0.6, 0.0, 1.0) == pytest.approx(0.8)
    assert po.misc.firstbrillouin1d(3.0, 2.0) == 1.0 and po.misc.firstbrillouin1d(-3.0, 2.0) == 1.0
    np.testing.assert_allclose(po.misc.firstbrillouin2d([0.9, 0.2], np.eye(2)), [-0.1, 0.2])
    np.testing.assert_allclose(po.misc.refractive_index([4, 2.25], 1, 0.1), [[1.9, 2.1], [1.4, 1.6]])


def test_ways_of_numpy():
    """out= and where=, broadcasting, and what is refused."""
    out = np.zeros((2, 3), complex)
    z = np.array([0.1, 0.2, 0.3])
    assert po.special.jv([[0], [1]], z, out=out) is out
    np.testing.assert_array_equal(out, po.special.jv([[0], [1]], z))
    po.special.jv(0, z, out=out[0], where=[True, False, True])
    assert isinstance(po.special.jv(0, 0.1), np.complexfloating)
    assert po.special.jv(np.empty((0, 1)), z).shape == (0, 3)
    for wrong, error in ((lambda: po.special.spherical_jn(0.5, z), TypeError), (lambda: po.special.car2sph(z[:2]), ValueError),
                         (lambda: po.special.yv(0, 0.0), ValueError), (lambda: po.special.jv("a", z), TypeError),
                         (lambda: po.special.sph_harm(1, 2, 1j, z), TypeError), (lambda: po.special.jv(0), TypeError),
                         (lambda: po.sw.translate(1, 0, 0, 1, 0, 0, 0.3, 0, 0, "linear"), ValueError)):
        with pytest.raises(error):
            wrong()


def test_sums():
    """A lattice sum is its two parts at any split, and what the shells add up to in an absorbing medium."""
    k, a, r = 2 + 0.8j, np.diag([1.0, 1.2]), np.array([0.2, 0.1, 0.0])
    l, m = np.array([0, 1, 2]), np.array([0, 1, -2])  # noqa: E741
    kpar = np.array([0.1, 0.2])
    whole = po.lattice.lsumsw(2, l, m, k, kpar, a, r)
    parts = po.lattice.realsumsw(2, l, m, k, kpar, a, r, 0.6) + po.lattice.recsumsw(2, l, m, k, kpar, a, r, 0.6)
    np.testing.assert_allclose(parts, whole, rtol=1e-12, atol=1e-13)
    shells = sum(po.lattice.dsumsw(2, l, m, k, kpar, a, r, i) for i in range(40))  # e^(-0.8 x 40)
    np.testing.assert_allclose(shells, whole, rtol=1e-10, atol=1e-11)
    one = po.lattice.lsumcw(1, [0, 1], 2 + 0.8j, 0.1, 1.0, [0.2, 0.3])
    shells = sum(po.lattice.dsumcw(1, [0, 1], 2 + 0.8j, 0.1, 1.0, [0.2, 0.3], i) for i in range(40))
    np.testing.assert_allclose(shells, one, rtol=1e-10)
    np.testing.assert_allclose(po.lattice.reciprocal([[1, 0], [1, 2.0]]) @ np.array([[1, 0], [1, 2.0]]).T, 2 * np.pi * np.eye(2),
                               atol=1e-14)
    assert len(po.lattice.cube(3, 1)) == 27 and len(po.lattice.cubeedge(3, 1)) == 26
    assert po.lattice.diffr_orders_circle(np.eye(2), 1).tolist() == [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]]


def test_functions_in_frameworks(framework):
    """The same functions on a framework's values select the record."""
    z = np.array([0.4, 0.9])
    value, (g,) = framework.value_and_grad(lambda x: (abs(po.special.spherical_jn(1, x)) ** 2).sum(), z)
    j = po.special.spherical_jn(1, z).real
    assert value == pytest.approx(np.sum(j**2))
    np.testing.assert_allclose(g, 2 * j * po.special.spherical_jn(1, z, True).real, rtol=1e-12)


def test_whole_numbers_are_numbers():
    np.testing.assert_array_equal(po.coeffs.mie(1, [1], [2, 1], [1, 1], [0, 0]), po.coeffs.mie(1, [1.0], [2.0, 1.0], [1.0, 1.0], [0.0, 0.0]))
    np.testing.assert_array_equal(po.coeffs.mie_cyl(0, 1, 1, [1], [4, 1], [1, 1], [0, 0]),
                                  po.coeffs.mie_cyl(0.0, 1, 1.0, [1.0], [4.0, 1.0], [1.0, 1.0], [0.0, 0.0]))
