"""Records inside JAX's own machinery: loops, exported programs, the compilation cache, precision, devices, several threads."""
import threading

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402

import poynting.jax as pj  # noqa: E402

RNG = np.random.default_rng(2)
A = RNG.standard_normal((4, 4)) + 4 * np.eye(4) + 0j
B = RNG.standard_normal((4, 2)) + 0j


def loss(a, b):
    return jnp.sum(jnp.abs(pj.solve(a, b)) ** 2)


def test_scan_and_cond():
    def step(x, _):
        return pj.solve(A, x), None

    last, _ = jax.jit(lambda b: jax.lax.scan(step, b, None, length=3))(B)
    np.testing.assert_allclose(last, np.linalg.solve(A, np.linalg.solve(A, np.linalg.solve(A, B))), rtol=1e-11)
    g = jax.grad(lambda b: jnp.sum(jnp.abs(jax.lax.scan(step, b, None, length=3)[0]) ** 2))(B)
    inverse = np.linalg.matrix_power(np.linalg.inv(A), 3)
    np.testing.assert_allclose(np.conj(g), inverse.conj().T @ (2 * inverse @ B), rtol=1e-9)
    branch = jax.jit(lambda p, b: jax.lax.cond(p, lambda v: pj.solve(A, v), lambda v: v, b))
    np.testing.assert_allclose(branch(True, B), np.linalg.solve(A, B), rtol=1e-11)
    np.testing.assert_array_equal(branch(False, B), B)


def test_nested_vmap_and_its_gradient():
    stack_a, stack_b = np.stack([A, 2 * A, A + np.eye(4)]), np.stack([B, 3 * B])
    both = jax.vmap(jax.vmap(loss, (None, 0)), (0, None))(stack_a, stack_b)
    expected = [[np.sum(np.abs(np.linalg.solve(a, b)) ** 2) for b in stack_b] for a in stack_a]
    np.testing.assert_allclose(both, expected, rtol=1e-11)
    total = jax.grad(lambda b: jnp.sum(jax.vmap(loss, (0, None))(stack_a, b)))(B)  # b is shared: its gradients add
    np.testing.assert_allclose(total, sum(jax.grad(loss, 1)(a, B) for a in stack_a), rtol=1e-11)
    along = jax.vmap(lambda b: jax.jvp(lambda v: pj.solve(A, v), (b,), (b,))[1])(stack_b)
    np.testing.assert_allclose(along, [np.linalg.solve(A, b) for b in stack_b], rtol=1e-11)


def test_an_exported_program_comes_back():
    pytest.importorskip("flatbuffers")
    from jax import export

    checks = [export.DisabledSafetyCheck.custom_call(name) for name in pj.TARGETS]
    program = export.export(jax.jit(jax.value_and_grad(loss, 1)), disabled_checks=checks)(A, B)
    value, gradient = export.deserialize(program.serialize()).call(A, B)
    expected = jax.value_and_grad(loss, 1)(A, B)
    np.testing.assert_allclose(value, expected[0], rtol=1e-13)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-12)


def test_the_second_call_compiles_nothing():
    f = jax.jit(jax.value_and_grad(loss))
    f(A, B)
    before = f._cache_size()
    f(A + 1, B)
    assert f._cache_size() == before == 1
    pj.solve(A, B)
    from poynting.jax import _jitted

    before = _jitted.cache_info().misses
    pj.solve(A + 1, B)  # an eager call finds its compiled form, too
    assert _jitted.cache_info().misses == before


def test_threads_do_not_wait_for_each_other_for_ever():
    f = jax.jit(jax.grad(lambda b: loss(A, b)))
    expected = np.asarray(f(B))
    wrong = []

    def work():
        for _ in range(50):
            if not np.array_equal(np.asarray(f(B)), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(timeout=120)
    assert not wrong and not any(t.is_alive() for t in threads)


def test_what_is_refused():
    with pytest.raises(TypeError, match="float64"):
        pj.solve(jnp.eye(3, dtype=jnp.bfloat16), jnp.eye(3, dtype=jnp.bfloat16))
    with pytest.raises(ValueError, match="axis 1 of A"):
        jax.jit(pj.solve)(jnp.ones((3, 4)), jnp.ones((3, 1)))  # while tracing, before anything runs
    with pytest.raises(ValueError, match="2 inputs wanted"):
        pj.call("poy.solve", "", A)
    with pytest.raises(ValueError, match="first-order"):
        jax.hessian(lambda b: jnp.real(jnp.sum(pj.solve(A.real, b))))(B.real)
    with pytest.raises(Exception, match="(?i)singular"):
        jax.block_until_ready(jax.jit(pj.solve)(jnp.zeros((3, 3)), jnp.ones((3, 1))))
    np.testing.assert_allclose(pj.solve(A, B), np.linalg.solve(A, B), rtol=1e-11)


def test_nothing_and_not_a_number():
    assert pj.call("poy.add", "", jnp.zeros((0, 3)), jnp.zeros((0, 3))).shape == (0, 3)
    assert np.isnan(pj.call("poy.add", "", jnp.array([np.nan]), jnp.array([1.0]))[0])
    stacked = jax.vmap(lambda x: pj.call("poy.exp", "", x))(jnp.zeros((0, 2)))
    assert stacked.shape == (0, 2)
