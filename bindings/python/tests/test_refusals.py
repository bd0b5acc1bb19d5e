"""What every framework refuses, by the type and in the words that users see; and that all goes on afterwards."""
import numpy as np
import pytest

import poynting as po

A = np.array([[2.0 + 1j, 0.3], [0.1, 3.0]])
B = np.array([[1.0 + 0j], [2.0]])


def run(framework, f, *x):
    """The value of |f(x)|^2 in a framework, its gradient taken, as a user would."""
    return framework.value_and_grad(lambda *v: (abs(f(*v)) ** 2).sum(), *x)


def works(framework):
    value, (g,) = run(framework, lambda a: framework.adapter.solve(a, B), A)
    assert value == pytest.approx(np.sum(np.abs(np.linalg.solve(A, B)) ** 2)) and np.all(np.isfinite(g))


def test_types(framework):
    """Integers and booleans are no numbers to differentiate by, and no arrays of a record."""
    for wrong in (np.eye(2, dtype=int), np.eye(2, dtype=bool), np.eye(2, dtype=np.float16)):
        with pytest.raises(TypeError, match="float64"):
            run(framework, lambda b, w=wrong: framework.adapter.solve(w, b), B)
    works(framework)


def test_shapes_and_options(framework):
    solve, bessel = framework.adapter.solve, framework.adapter.bessel
    for wrong, x in ((lambda b: solve(A, b), np.ones((3, 1), complex)), (lambda a: solve(a, B), np.ones((2, 3), complex)),
                     (lambda a: solve(a, B), np.ones(2, complex)),
                     (lambda z: bessel(z, order=1, function="w"), np.array([0.3])),
                     (lambda z: bessel(z, order=[1, 2, 3]), np.array([0.3]))):
        with pytest.raises(ValueError):
            run(framework, wrong, x)
    works(framework)


def test_singular(framework):
    """A failure of the numbers: ValueError with what is wrong; of compiled programs of JAX its own error with the same words."""
    kind = ValueError
    if framework.name == "jax":
        import jax

        kind = jax.errors.JaxRuntimeError
    with pytest.raises(kind, match="(?i)singular") as failure:
        run(framework, lambda a: framework.adapter.solve(a, B), np.zeros((2, 2), complex))
    if framework.name == "jax":
        assert "INVALID_ARGUMENT" in str(failure.value) or "FAILED_PRECONDITION" in str(failure.value)
    works(framework)


def test_guards(framework):
    """k0 that differ are an error, in whatever order they are found."""
    def scattering(k0):
        sphere = po.sphere_tmatrix(k0=k0, lmax=1, radius=0.2, material=3.0)
        return sphere.cross_sections(po.plane_wave([0, 0, 1], 0, k0=2.0)).scattering

    with pytest.raises(Exception, match="k0"):
        framework.value_and_grad(scattering, np.array(2.5))
    works(framework)


def test_not_finite(framework):
    """NaN in: an error, or NaN out; never a finite number."""
    bad = A.copy()
    bad[0, 1] = np.nan
    try:
        value, (g,) = run(framework, lambda a: framework.adapter.solve(a, B), bad)
    except Exception as failure:  # noqa: BLE001 - which one is the framework's affair
        assert "finite" in str(failure) or "nan" in str(failure).lower()
    else:
        assert not np.isfinite(value) and not np.all(np.isfinite(g))
    works(framework)


@pytest.mark.parametrize("shapes", [((2, 2), (2, 0)), ((0, 0), (0, 2)), ((0, 0), (0, 0))])
def test_zero_size(framework, shapes):
    """Arrays without elements pass, and so do their gradients."""
    a, b = np.eye(shapes[0][0], dtype=complex), np.zeros(shapes[1], complex)
    value, slopes = run(framework, framework.adapter.solve, a, b)
    assert value == 0 and [g.shape for g in slopes] == list(shapes)


def test_numbers_for_arrays(framework):
    """A number in the place of an array is an array of one element, and has a number for a gradient."""
    def scattering(radius):
        x = framework.adapter.call("poy.spheres_cross_sections", "lmax=1", 2.0, radius, 3.0 + 0.1j, 1.0, 0.0, np.zeros((1, 3)),
                                   np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
        return x[0]

    value, (g,) = framework.value_and_grad(scattering, np.array(0.2))
    sphere = po.sphere_tmatrix(k0=2.0, lmax=1, radius=0.2, material=3.0 + 0.1j)
    assert value == pytest.approx(sphere.cross_sections(po.plane_wave([0, 0, 1], [1.0, 0.0], k0=2.0)).scattering, rel=1e-12)
    assert np.shape(g) == ()


def test_constants_are_copied(framework):
    """What is no array of the framework is taken as it is at the call: changing it afterwards changes no gradient."""
    if framework.name != "torch":
        pytest.skip("the gradient is taken in the call itself")
    import torch

    a, b = A.copy(), torch.tensor(B, requires_grad=True)
    x = framework.adapter.solve(a, b)
    a[:] = 0
    (g,) = torch.autograd.grad((x.abs() ** 2).sum(), b)
    np.testing.assert_allclose(g.numpy(), np.linalg.solve(A.conj().T, 2 * np.linalg.solve(A, B)), rtol=1e-12)


def test_other_devices_of_torch():
    """A tensor without memory stands for any; one of a GPU where there is one."""
    torch = pytest.importorskip("torch")
    import poynting.torch as pt

    for device in ("meta", *["cuda"] * torch.cuda.is_available()):
        with pytest.raises(ValueError, match=f"CPU.*{device}"):
            pt.solve(torch.ones(2, 2, dtype=torch.complex128, device=device), torch.tensor(B))
        with pytest.raises(ValueError, match=f"CPU.*{device}"):
            sphere = po.sphere_tmatrix(k0=2.0, lmax=1, radius=torch.tensor(0.2, device=device), material=3.0)
            sphere.cross_sections(po.plane_wave([0, 0, 1], 0, k0=2.0))


def test_other_devices_of_jax(monkeypatch):
    """An array that says that it is elsewhere; compiled programs have no target there, and JAX says so itself."""
    jax = pytest.importorskip("jax")
    import poynting.jax as pj

    class Elsewhere:
        dtype, shape, ndim = np.dtype(complex), (2, 2), 2

        def devices(self):
            return {type("device", (), {"platform": "gpu"})()}

    monkeypatch.setattr(jax, "Array", Elsewhere)
    with pytest.raises(ValueError, match="CPU.*gpu"):
        pj.solve(Elsewhere(), B)


def test_frameworks_do_not_mix():
    """Before anything is converted, in containers and objects, too."""
    jax, torch = pytest.importorskip("jax"), pytest.importorskip("torch")
    one, other = jax.numpy.asarray(0.2), torch.tensor(3.0)
    ports = po.PlaneWavePorts.default([0, 0])
    for wrong in (lambda: po.sphere_tmatrix(k0=2.0, lmax=1, radius=one, material=other), lambda: po.Material(one, other),
                  lambda: po.diff.sphere(1, one, [0.1], [other, 1.0]),
                  lambda: po.slab(basis=ports, k0=one, thickness=other, material=2.0)):
        with pytest.raises(TypeError, match="cannot mix"):
            wrong()


@pytest.mark.parametrize("other", ["jax", "torch"])
def test_the_function_of_a_framework_takes_no_array_of_another(framework, other):
    if framework.name == other:
        pytest.skip("that is one framework")
    library = pytest.importorskip(other)
    stranger = library.numpy.asarray([[1.0], [2.0]]) if other == "jax" else library.tensor([[1.0], [2.0]], dtype=library.complex128)
    for wrong in ((np.eye(2), stranger), (stranger, np.ones((1, 1)))):
        with pytest.raises(TypeError, match=f"cannot mix .*{other}"):
            framework.adapter.solve(*wrong)
    works(framework)


def test_sparse_tensors_of_torch():
    torch = pytest.importorskip("torch")
    import poynting.torch as pt

    with pytest.raises(TypeError, match="to_dense"):
        pt.solve(torch.eye(2, dtype=torch.float64).to_sparse(), torch.ones(2, 1, dtype=torch.float64))


@pytest.mark.parametrize("other", ["jax", "torch"])
def test_a_trace_and_an_array_of_another_framework(framework, other):
    """In the middle of a gradient, as an argument beside the traced one and in an object."""
    if framework.name == other:
        pytest.skip("that is one framework")
    library = pytest.importorskip(other)
    stranger = library.numpy.asarray(0.3) if other == "jax" else library.tensor(0.3)
    for wrong in (lambda r: po.diff.sphere(1, 2.0, [r], [stranger, 1.0])[0],
                  lambda r: po.sphere_tmatrix(k0=2.0, lmax=1, radius=r, material=stranger)):
        with pytest.raises(TypeError, match="cannot mix"):
            if framework.name == "autograd":  # whose verb evaluates without a trace first
                framework.ag.grad(wrong)(0.2)
            else:
                framework.value_and_grad(wrong, np.array(0.2))
    works(framework)


def test_diff_of_framework_values(framework):
    """poynting.diff with a framework's values: its array, which it differentiates itself; the context says so."""
    contexts = []

    def solution(a):
        x, context = po.diff.solve(a, B)
        contexts.append(context)
        return x

    value, (g,) = run(framework, solution, A)
    w = np.linalg.solve(A.conj().T, 2 * np.linalg.solve(A, B))
    np.testing.assert_allclose(g, -w @ np.linalg.solve(A, B).conj().T, rtol=1e-10)
    traced = [c for c in contexts if isinstance(c, po.diff.Traced)]
    with pytest.raises(TypeError, match="own gradient"):
        traced[0].pullback(B)
