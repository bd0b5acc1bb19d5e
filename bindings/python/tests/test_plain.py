"""The package with NumPy alone: what it imports, its records, its exceptions."""
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import poynting
from poynting import _core

RNG = np.random.default_rng(5)


def system(n=4, m=2):
    a = RNG.standard_normal((n, n)) + 1j * RNG.standard_normal((n, n)) + n * np.eye(n)
    return a, RNG.standard_normal((n, m)) + 0j


def test_import_brings_no_framework():
    code = ("import sys, time; t = time.perf_counter(); import poynting; t = time.perf_counter() - t; "
            "bad = {'jax', 'torch', 'autograd', 'advect', 'scipy', 'h5py', 'matplotlib', 'numpy'} & set(sys.modules); print(bad, t)")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith("set()"), out


def test_solve_against_numpy():
    a, b = system()
    x, saved = _core.Record("poy.solve")(a, b)
    np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=1e-12)
    ga, gb = saved.pullback(2 * x)
    w = np.linalg.solve(a.conj().T, 2 * x)  # L = sum |x|^2
    np.testing.assert_allclose(gb, w, rtol=1e-12)
    np.testing.assert_allclose(ga, -w @ x.conj().T, rtol=1e-12)


def test_strides_types_and_numbers():
    a, b = system()
    record = _core.Record("poy.solve")
    x, _ = record(np.asfortranarray(a), np.repeat(b, 2, axis=0)[::2])
    np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=1e-12)
    x, _ = record(a.astype(np.complex64), b.astype(np.complex64))
    assert x.dtype == np.complex128
    y, _ = _core.Record("poy.exp")(1)  # a Python number is a value, an array of integers is a mistake
    assert y == np.exp(1.0) and y.shape == ()
    for bad in (np.eye(3, dtype=int), np.eye(3, dtype=bool), np.eye(3, dtype=np.longdouble), np.eye(3, dtype=np.float16)):
        with pytest.raises(TypeError, match="float64"):
            record(bad, bad)
    with pytest.raises(TypeError):
        record("a", "b")


def test_shapes_and_counts():
    a, b = system()
    record = _core.Record("poy.solve")
    with pytest.raises(poynting.ShapeError) as failure:
        record(a, b[:2])
    assert failure.value.code == "SHAPE" and isinstance(failure.value, ValueError)
    with pytest.raises(ValueError, match="2 wanted"):
        record(a)
    with pytest.raises(poynting.ArgumentError, match="poy.solve"):
        _core.Record("poy.solv")
    with pytest.raises(poynting.ArgumentError):
        _core.Record("poy.solve", "axis=3")


def test_singular_and_after():
    record = _core.Record("poy.solve")
    zero = np.zeros((3, 3))
    with pytest.raises(ValueError, match="(?i)singular") as failure:
        record(zero, np.ones((3, 1)))
    assert isinstance(failure.value, ArithmeticError) and failure.value.exit_code == 5
    a, b = system()
    assert np.allclose(a @ record(a, b)[0], b)


def test_inputs_and_results_are_apart():
    a, b = system()
    before = a.copy(), b.copy()
    x, saved = _core.Record("poy.solve")(a, b)
    first = saved.pullback(x)
    a[:] = 0
    x[:] = 0
    np.testing.assert_array_equal(saved.pullback(np.linalg.solve(*before))[0].shape, first[0].shape)
    again = saved.pullback(np.linalg.solve(*before))
    np.testing.assert_allclose(again[1], first[1], rtol=1e-12)


def test_zero_size_and_not_finite():
    record = _core.Record("poy.add")
    y, saved = record(np.empty((0, 3)), np.empty((0, 3)))
    assert y.shape == (0, 3) and saved.pullback(y)[0].shape == (0, 3)
    y, _ = record(np.array([np.nan]), np.array([1.0]))
    assert np.isnan(y[0])
    a, b = system()
    a[0, 0] = np.nan
    try:
        x, _ = _core.Record("poy.solve")(a, b)
    except poynting.PoyntingError:
        return
    assert not np.all(np.isfinite(x))


def test_batches_are_loops():
    """evaluate and derive with batch axes of length 1 or of the batch against a loop."""
    record = _core.Record("poy.solve")
    a = np.stack([system()[0] for _ in range(5)])
    b = system()[1][None]
    outputs, state = record.evaluate(1, (a, b), True)
    assert outputs[0].shape == (5, 4, 2) and state.shape[0] == 5 and state.dtype == np.uint8
    g = RNG.standard_normal(outputs[0].shape) + 0j
    ga, gb = record.derive(False, 1, (a, b), None, state, (g,), None)
    for i in range(5):
        x, saved = record(a[i], b[0])
        np.testing.assert_allclose(outputs[0][i], x, rtol=1e-13)
        ea, eb = saved.pullback(g[i])
        np.testing.assert_allclose(ga[i], ea, rtol=1e-12)
        np.testing.assert_allclose(gb[i], eb, rtol=1e-12)


def test_a_state_that_is_not_one_is_refused():
    record = _core.Record("poy.solve")
    a, b = system()
    _, state = record.evaluate(0, (a, b), True)
    broken = state.copy()
    broken[100] ^= 1
    for bad in (broken, state[:-8].copy(), np.zeros_like(state)):
        with pytest.raises(poynting.StateError):
            record.derive(False, 0, (a, b), None, bad, (b,), None)


def test_many_threads_share_a_state():
    a, b = system(60, 30)
    x, saved = _core.Record("poy.solve")(a, b)
    expected = saved.pullback(x)
    wrong = []

    def work():
        for _ in range(20):
            got = saved.pullback(x)
            if not all(np.array_equal(g, e) for g, e in zip(got, expected)):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_the_interpreter_runs_on():
    """A long call leaves other Python threads alone: the largest gap of a 1 ms clock is below half of the call."""
    a, b = system(900, 900)
    record = _core.Record("poy.solve")
    gaps, stop = [], threading.Event()

    def clock():
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    thread = threading.Thread(target=clock)
    thread.start()
    start = time.perf_counter()
    record(a, b)
    length = time.perf_counter() - start
    stop.set()
    thread.join()
    assert max(gaps) < max(length / 2, 0.02), (max(gaps), length)


def test_quantities_and_threads():
    assert poynting.quantity("30 fs") == (pytest.approx(30e-15, rel=1e-15), "time", "s")
    with pytest.raises(poynting.ArgumentError):
        poynting.quantity("30 parsec")
    before = poynting.get_num_threads()
    poynting.set_num_threads(1)
    assert poynting.get_num_threads() == 1
    poynting.set_num_threads(before)
    with pytest.raises(ValueError):
        poynting.set_num_threads(-1)
