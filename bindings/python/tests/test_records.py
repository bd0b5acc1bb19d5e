"""Every record of the table, at its examples, through every framework: the same numbers as the engine itself."""
import numpy as np
import pytest


def close(got, expected, rtol=1e-12):
    assert len(got) == len(expected)
    for a, b in zip(got, expected):
        a, b = np.asarray(a), np.asarray(b)
        assert a.shape == b.shape
        assert np.max(np.abs(a - b), initial=0.0) <= rtol * max(np.max(np.abs(b), initial=0.0), 1e-30), (a, b)


def test_value(case, framework):
    close(framework.value(case), case.outputs, 1e-15)


def test_gradients(case, framework):
    expected, _ = case.native
    got = framework.gradients(case)
    for g, e, x in zip(got, expected, case.inputs):
        assert np.iscomplexobj(g) == np.iscomplexobj(x) or not np.any(np.imag(g))
    close(got, expected)


def test_tangents(case, framework):
    if case.record.reverse_only:
        pytest.skip("this record has no pushforward")
    _, expected = case.native
    close(framework.tangents(case), expected)


def test_adjoint_identity(case):
    gradients, tangents = case.native
    left = sum(np.sum(np.real(np.conj(g) * t)) for g, t in zip(case.cotangents, tangents))
    right = sum(np.sum(np.real(np.conj(gradients[i]) * case.tangents[i])) for i in case.active)
    scale = sum(np.linalg.norm(g) * np.linalg.norm(t) for g, t in zip(case.cotangents, tangents))
    assert abs(left - right) <= 1e-12 * max(scale, 1e-30)
