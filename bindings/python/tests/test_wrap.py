"""Records written in Python: both modes, several values, what they lack and what they get wrong."""
import numpy as np
import pytest

X = np.array([0.3, 1.1])


class Sine:
    """The derivatives of sin at x."""

    def __init__(self, x):
        self.slope = np.cos(x)

    def pullback(self, g):
        return (g * self.slope,)

    def pushforward(self, t):
        return (t * self.slope,)


def sine(x):
    return np.sin(x), Sine(x)


def wrapped(framework, f):
    """JAX wants examples of the arguments."""
    return framework.adapter.wrap(f, X) if framework.name == "jax" else framework.adapter.wrap(f)


def gradient(framework, f, loss):
    return framework.value_and_grad(lambda v: loss(f(v)), X)[1][0]


def square(y):
    return (y ** 2).sum()


def test_gradient(framework):
    f = wrapped(framework, sine)
    value, (g,) = framework.value_and_grad(lambda v: square(f(v)), X)
    assert value == pytest.approx(np.sum(np.sin(X) ** 2))
    np.testing.assert_allclose(g, np.sin(2 * X), rtol=1e-12)


def test_several_values(framework):
    """d (sin^2 + cos) = sin 2x - sin x; and records of one and of two values go on beside each other, as does a value that nobody uses."""
    one = wrapped(framework, sine)
    two = wrapped(framework, lambda x: ((np.sin(x), np.cos(x)), lambda g, h: (g * np.cos(x) - h * np.sin(x),)))
    for _ in range(2):
        np.testing.assert_allclose(gradient(framework, two, lambda y: square(y[0]) + y[1].sum()), np.sin(2 * X) - np.sin(X), rtol=1e-12)
        np.testing.assert_allclose(gradient(framework, two, lambda y: y[1].sum()), -np.sin(X), rtol=1e-12)
        np.testing.assert_allclose(gradient(framework, one, square), np.sin(2 * X), rtol=1e-12)


def test_wrong_pullbacks(framework):
    """Too many gradients, and one of another shape: named, and what is right goes on afterwards."""
    two = wrapped(framework, lambda v: (np.sin(v), lambda g: (g, g)))
    with pytest.raises(Exception, match="2 gradients for 1 input"):
        gradient(framework, two, square)
    long = wrapped(framework, lambda v: (np.sin(v), lambda g: (np.ones(3),)))
    with pytest.raises(Exception, match=r"\(3,\)"):
        gradient(framework, long, square)
    np.testing.assert_allclose(gradient(framework, wrapped(framework, sine), square), np.sin(2 * X), rtol=1e-12)


def tangent(framework, f):
    """Of f at X along (1, -2), in the framework's own forward mode."""
    case = type("case", (), {"inputs": (X,), "tangents": (np.array([1.0, -2.0]),)})
    framework.call = lambda case, x: (f(x),)
    return framework.tangents(case)[0]


def test_tangent(framework):
    np.testing.assert_allclose(tangent(framework, wrapped(framework, sine)), np.cos(X) * [1.0, -2.0], rtol=1e-12)


def test_reverse_only(framework):
    """B59: forward mode of a record that has a pullback alone says which mode it lacks."""
    with pytest.raises(Exception, match="pushforward"):
        np.asarray(tangent(framework, wrapped(framework, lambda x: (np.sin(x), lambda g: (g * np.cos(x),)))))


def test_batches_of_torch():
    """vmap, derivatives of it and of its items, and Jacobians of a wrapped record, each item with its own context."""
    torch = pytest.importorskip("torch")
    import poynting.torch as pt

    f = pt.wrap(sine)
    x = torch.tensor([[0.3, 1.1], [0.5, -2.0], [0.0, 0.7]], dtype=torch.float64)
    scale = torch.tensor([1.0, 2.0, -1.0], dtype=torch.float64)

    def loss(v, s):
        return (s * f(v) ** 2).sum()

    wanted = scale[:, None] * torch.sin(2 * x)
    torch.testing.assert_close(torch.func.vmap(f)(x), torch.sin(x))
    torch.testing.assert_close(torch.func.vmap(torch.func.grad(loss))(x, scale), wanted)
    torch.testing.assert_close(torch.func.grad(lambda v: torch.func.vmap(loss)(v, scale).sum())(x), wanted)
    for jacobian in (torch.func.jacrev, torch.func.jacfwd):
        torch.testing.assert_close(torch.func.vmap(jacobian(f))(x), torch.diag_embed(torch.cos(x)))
    with pytest.raises(NotImplementedError, match="first-order"):
        torch.func.grad(lambda v: torch.func.grad(loss)(v, 1.0).sum())(x[0])
