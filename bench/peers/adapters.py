#!/usr/bin/env python3
"""What a small gradient costs in each framework: poynting against the framework's own solve and against treams-rs, in one run.

    python bench/peers/adapters.py [repeats]

Needs the poynting wheel (bindings/python), NumPy and whichever of JAX, PyTorch, Autograd, Advect and treams-rs are to be met. Things to be
compared are run in turns; the best of each counts, in microseconds of processor time of the whole process."""
from __future__ import annotations

import importlib.util
import sys
import time
import timeit

import numpy as np

REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 15


def there(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def race(number: int, **functions) -> dict[str, float]:
    """The best time of each function, in us, taken in turns."""
    best = dict.fromkeys(functions, float("inf"))
    for f in functions.values():
        f()
    for _ in range(REPEATS):
        for name, f in functions.items():
            best[name] = min(best[name], timeit.timeit(f, number=number, timer=time.process_time) / number * 1e6)
    return best


def show(what: str, ours: float, theirs: float, peer: str, bar: str) -> None:
    print(f"{what:<46} {ours:10.1f} {theirs:10.1f}  {ours / theirs:6.2f}  {bar:<8} {peer}")


RNG = np.random.default_rng(0)
A = RNG.standard_normal((3, 3)) + 4 * np.eye(3) + 0j
B = np.ones((3, 2), complex)


def numpy_path() -> None:
    from poynting._core import Record

    record = Record("poy.solve")
    x, _ = record(A, B)
    best = race(2000, value=lambda: record(A, B), both=lambda: record(A, B)[1].pullback(x), numpy=lambda: np.linalg.solve(A, B))
    show("NumPy: value", best["value"], best["numpy"], "numpy.linalg.solve", "")
    show("NumPy: value + pullback", best["both"], best["numpy"], "numpy.linalg.solve", "2.5 us")


def jax_path() -> None:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    import poynting.jax as pj

    def gradient(solve):
        return jax.value_and_grad(lambda a, b: jnp.sum(jnp.abs(solve(a, b)) ** 2), (0, 1))

    a, b = jnp.asarray(A), jnp.asarray(B)
    ours, own = jax.jit(gradient(pj.solve)), jax.jit(gradient(jnp.linalg.solve))
    empty = jax.jit(lambda u, v: (v, u, v))
    ready = jax.block_until_ready
    best = race(300, ours=lambda: ready(ours(a, b)), own=lambda: ready(own(a, b)), empty=lambda: ready(empty(a, b)))
    show("JAX jit: value + gradient", best["ours"], best["own"], "jnp.linalg.solve", "<= 1.0")
    show("JAX jit: the same against an empty call", best["ours"], best["empty"], "empty jit", "< 10")
    stacks = jnp.stack([a + i * 0.01 for i in range(64)])
    ours, own = (jax.jit(jax.vmap(gradient(s), (0, None))) for s in (pj.solve, jnp.linalg.solve))
    best = race(100, ours=lambda: ready(ours(stacks, b)), own=lambda: ready(own(stacks, b)))
    show("JAX jit: vmap of 64, value + gradient", best["ours"], best["own"], "jnp.linalg.solve", "<= 1.0")


def torch_path() -> None:
    import torch

    import poynting.torch as pt

    torch.set_num_threads(1)

    def step(solve):
        a, b = torch.tensor(A, requires_grad=True), torch.tensor(B, requires_grad=True)

        def run():
            torch.autograd.grad((solve(a, b).abs() ** 2).sum(), (a, b))

        return run

    best = race(200, ours=step(pt.solve), own=step(torch.linalg.solve))
    show("PyTorch: value + gradient", best["ours"], best["own"], "torch.linalg.solve", "<= 1.6")


def autograd_path() -> None:
    import autograd
    import autograd.numpy as anp

    import poynting.autograd as pa

    def step(solve):
        g = autograd.value_and_grad(lambda a: anp.sum(anp.abs(solve(a, B)) ** 2))
        return lambda: g(A)

    best = race(200, ours=step(pa.solve), own=step(anp.linalg.solve))
    show("Autograd: value + gradient", best["ours"], best["own"], "anp.linalg.solve", "<= 1.3")


def advect_path() -> None:
    import advect
    import advect.numpy as adn

    import poynting.advect as pd

    def step(solve):
        g = advect.value_and_grad(lambda a: adn.sum(adn.abs(solve(a, B)) ** 2))
        return lambda: g(A)

    best = race(200, ours=step(pd.solve), own=step(adn.linalg.solve))
    show("Advect: value + gradient", best["ours"], best["own"], "adn.linalg.solve", "<= 1.3")


def sphere_gradients() -> None:
    """Value and gradient of a sphere's scattering cross section with respect to its radius, lmax 2."""
    import poynting
    import treams_rs

    def f(tr):
        wave = tr.plane_wave([0, 0, 1], "positive_helicity", k0=2.0)
        return lambda r: tr.sphere_tmatrix(k0=2.0, lmax=2, radius=r, material=3.0).cross_sections(wave).scattering

    r = np.array(0.21)
    if there("jax"):
        import jax

        g = {name: jax.jit(jax.value_and_grad(f(tr))) for name, tr in (("ours", poynting), ("own", treams_rs))}
        best = race(50, **{name: lambda h=h: jax.block_until_ready(h(0.21)) for name, h in g.items()})
        show("JAX jit: gradient of a cross section", best["ours"], best["own"], "treams-rs", "<= 0.2")
    if there("torch"):
        import torch

        def step(tr):
            g, x = f(tr), torch.tensor(0.21, dtype=torch.float64, requires_grad=True)
            return lambda: torch.autograd.grad(g(x), x)

        best = race(20, ours=step(poynting), own=step(treams_rs))
        show("PyTorch: gradient of a cross section", best["ours"], best["own"], "treams-rs", "<= 0.2")
    if there("autograd"):
        import autograd

        best = race(20, **{n: (lambda h=autograd.value_and_grad(f(tr)): h(0.21)) for n, tr in (("ours", poynting), ("own", treams_rs))})
        show("Autograd: gradient of a cross section", best["ours"], best["own"], "treams-rs", "<= 0.2")
    if there("advect"):
        import advect

        best = race(20, **{n: (lambda h=advect.value_and_grad(f(tr)): h(r)) for n, tr in (("ours", poynting), ("own", treams_rs))})
        show("Advect: gradient of a cross section", best["ours"], best["own"], "treams-rs", "<= 0.2")


print(f"{'a complex 3x3 solve, 2 right-hand sides':<46} {'ours us':>10} {'peer us':>10}  {'ratio':>6}  {'bar':<8} peer")
numpy_path()
for name, path in (("jax", jax_path), ("torch", torch_path), ("autograd", autograd_path), ("advect", advect_path)):
    path() if there(name) else print(f"{name} is not installed")
sphere_gradients() if there("treams_rs") else print("treams-rs is not installed")
