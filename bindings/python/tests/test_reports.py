"""Public reports of faults in other programs' derivatives, case by case (reports.json), each in every framework and in its own
convention: JAX and Autograd report the conjugate of the gradient of dL = Re sum(conj(g) dx), PyTorch and Advect the gradient."""
from __future__ import annotations

import importlib
import importlib.util
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

REPORTS = json.loads((pathlib.Path(__file__).parent / "reports.json").read_text())["cases"]
FRAMEWORKS = ("jax", "torch", "autograd", "advect")


def array(pairs):
    a = np.asarray(pairs, float)
    return np.asarray(a[..., 0] + 1j * a[..., 1])


def loss(call, xp, case, z):
    """L of a case, by records of the table alone."""
    if case["loss"] == "|z|^2":
        return call("poy.abs2", "", z)
    if case["loss"] == "Re(z^2)":
        return call("poy.real", "", call("poy.mul", "", z, z))
    if case["loss"] == "|z|":
        return call("poy.abs", "", z)
    if case["loss"] == "arg z":
        return call("poy.angle", "", z)
    if case["loss"] == "Re sqrt(z)":
        return call("poy.real", "", call("poy.sqrt", "", z))
    assert case["loss"] == "sum_{k<3} |FFT(x)_k|^2"
    power = call("poy.abs2", "", call("poy.fft", "", z))
    return call("poy.sum", "", call("poy.mul", "", power, xp.asarray([1.0, 1.0, 1.0, 0.0])))


def gradient(framework, case, z):
    """What the framework itself reports."""
    call = importlib.import_module(f"poynting.{framework}").call
    if framework == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        return np.asarray(jax.grad(lambda v: loss(call, jax.numpy, case, v))(z))
    if framework == "torch":
        import torch

        x = torch.tensor(z, requires_grad=True)
        value = loss(call, torch, case, x)
        return torch.autograd.grad(value, x)[0].resolve_conj().numpy()
    if framework == "autograd":
        import autograd

        return np.asarray(autograd.grad(lambda v: loss(call, np, case, v))(z))
    from verbs import VERBS

    return np.asarray(VERBS["advect"]().value_and_grad(lambda v: loss(call, np, case, v), z)[1][0])


@pytest.fixture(params=FRAMEWORKS)
def installed(request):
    if importlib.util.find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return request.param


@pytest.mark.parametrize("case", REPORTS, ids=lambda c: c["id"])
def test_gradient_as_the_framework_reports_it(installed, case):
    z, want = array(case["at"]), array(case["expected"][installed])
    got = gradient(installed, case, z)
    assert np.all(np.isfinite(got))
    assert np.all(np.abs(got - want) <= case["tolerance"]["atol"] + case["tolerance"]["rtol"] * np.abs(want))


def test_no_derivative_is_refused_and_not_nan(installed):
    """ad-08: Re sqrt(z) at 0."""
    with pytest.raises(Exception, match="element"):
        np.asarray(gradient(installed, {"loss": "Re sqrt(z)"}, np.asarray(0j)))


WATCHED = """
import jax, jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
import poynting.jax as pj
f = jax.jit(jax.value_and_grad(lambda z: jnp.sum(pj.call("poy.abs2", "", pj.call("poy.fft", "", z[0])))
                               + jnp.sum(pj.call("poy.abs2", "", pj.call("poy.exp", "", z)))))
z = jnp.ones((500, 500), dtype=jnp.complex128)
for i in range(100):
    value, g = f(z + 1e-3 * i)  # not waited for: the next call is dispatched meanwhile
print(float(value), bool(jnp.all(jnp.isfinite(jnp.abs(g)))))
"""

OPERAND = """
import sys, time
import jax, jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
import poynting.jax as pj
def text(n):
    f = jax.jit(lambda a, b: pj.call("poy.krylov", "", a, b))
    return f.lower(jnp.eye(n), jnp.ones(n)).as_text()
assert abs(len(text(400)) - len(text(4))) < 200, "a matrix is in the program's text"
start = time.monotonic()
jax.jit(lambda a, b: pj.call("poy.krylov", "", a, b)).lower(jnp.eye(400), jnp.ones(400)).compile()
assert time.monotonic() - start < 10
print("ok")
"""


@pytest.mark.parametrize("script", [WATCHED, OPERAND], ids=["ad-15", "matrix-is-an-operand"])
def test_jax_in_time(script):
    """ad-15: 100 calls of 500 x 500 complex numbers, records that allocate, 60 s; and a matrix that a solver gets is an operand of
    the compiled program, not a constant that makes compiling take long."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed")
    done = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
