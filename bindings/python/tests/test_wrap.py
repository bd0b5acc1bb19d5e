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
