"""Failures while a record runs, one record in C for each (failing.c): which exception, in which words, in each framework; and records
without a forward mode. What is refused before anything runs is in test_refusals.py."""
import pathlib

import numpy as np
import pytest

import poynting as po
from conftest import load_c
from poynting import _core, _dispatch

X = np.array([0.3, 1.1])
# name: the exception of NumPy, PyTorch, Autograd and Advect, its words, the code of XLA
CAUSES = {"stuck": (po.NoConvergenceError, ValueError, "as it was told to", "FAILED_PRECONDITION"),
          "unlike": (po.MismatchError, ValueError, "as it was told to", "FAILED_PRECONDITION"),
          "diverging": (po.ThresholdError, ValueError, "as it was told to", "FAILED_PRECONDITION"),
          "hungry": (po.PoyntingError, MemoryError, "(?i)memory|budget", "RESOURCE_EXHAUSTED")}


@pytest.fixture(scope="module", autouse=True)
def failing(tmp_path_factory):
    code = (pathlib.Path(__file__).parent / "failing.c").read_text(encoding="utf-8")
    load_c("failing.stuck", code, tmp_path_factory.mktemp("failing"))


def square(framework, name):
    return framework.value_and_grad(lambda x: (framework.adapter.call("failing." + name, "", x) ** 2).sum(), X)


@pytest.mark.parametrize("cause", CAUSES)
def test_frameworks(framework, cause):
    kind, builtin, words, code = CAUSES[cause]
    if framework.name == "jax":
        import jax

        kind = builtin = jax.errors.JaxRuntimeError
        words = code
    with pytest.raises(kind, match=words) as failure:
        square(framework, cause)
    assert isinstance(failure.value, builtin)
    value, (g,) = square(framework, "backward")  # all goes on
    assert value == pytest.approx(np.sum(X**2)) and np.array_equal(g, 2 * X)


@pytest.mark.parametrize("cause", CAUSES)
def test_numpy(cause):
    kind, builtin, words, _ = CAUSES[cause]
    record = _core.Record("failing." + cause)
    for attempt in (lambda: record(X), lambda: record.evaluate(0, (X,), True), lambda: _dispatch.call("failing." + cause, "", X)):
        with pytest.raises(kind, match=words) as failure:
            attempt()
        assert isinstance(failure.value, builtin)


def test_reverse_only(framework):
    """B59: forward mode of a record that has none says which mode is missing."""
    case = type("case", (), {"name": "failing.backward", "options": "", "inputs": (X,), "tangents": (X,)})
    with pytest.raises(NotImplementedError, match="pushforward"):
        framework.tangents(case)
    np.testing.assert_array_equal(square(framework, "backward")[1][0], 2 * X)


def test_reverse_only_on_numpy():
    _, context = _core.Record("failing.backward")(X)
    with pytest.raises(NotImplementedError, match="pushforward"):
        context.pushforward(X)
    np.testing.assert_array_equal(context.pullback(X)[0], X)
