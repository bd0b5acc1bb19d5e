"""Value, gradient and tangent in each framework's own words. Gradients come in the record's pairing dL = Re sum(conj(g) dx);
JAX and Autograd report its conjugate, so theirs are conjugated back."""
from __future__ import annotations

import importlib

import numpy as np


def pair(xp, cotangents, outputs):
    """Re sum(conj(g) y) over all outputs."""
    total = 0.0
    for g, y in zip(cotangents, outputs):
        total = total + xp.sum(xp.real(np.conj(g) * y))
    return total


class Verbs:
    name = ""

    def __init__(self):
        self.adapter = importlib.import_module(f"poynting.{self.name}")

    def call(self, case, *values):
        y = self.adapter.call(case.name, case.options, *values)
        return y if isinstance(y, (tuple, list)) else (y,)


class Jax(Verbs):
    name = "jax"

    def __init__(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        super().__init__()
        self.jax = jax

    def value(self, case):
        return [np.asarray(y) for y in self.call(case, *case.inputs)]

    def gradients(self, case):
        f = lambda *x: pair(self.jax.numpy, case.cotangents, self.call(case, *x))  # noqa: E731
        return [np.conj(g) for g in self.jax.jit(self.jax.grad(f, tuple(range(len(case.inputs)))))(*case.inputs)]

    def value_and_grad(self, f, *x):
        value, gradients = self.jax.jit(self.jax.value_and_grad(f, tuple(range(len(x)))))(*x)
        return float(value), [np.conj(g) for g in gradients]

    def tangents(self, case):
        push = self.jax.jit(lambda x, t: self.jax.jvp(lambda *v: self.call(case, *v), x, t)[1])
        return [np.asarray(v) for v in push(tuple(case.inputs), tuple(case.tangents))]


class Torch(Verbs):
    name = "torch"

    def __init__(self):
        import torch

        super().__init__()
        self.torch = torch

    def value(self, case):
        return [y.numpy() for y in self.call(case, *map(self.torch.tensor, case.inputs))]

    def gradients(self, case):
        x = [self.torch.tensor(v).requires_grad_() for v in case.inputs]
        y = self.call(case, *x)
        self.torch.autograd.backward(y, [self.torch.tensor(g) for g in case.cotangents])
        return [np.zeros(v.shape) if v.grad is None else v.grad.resolve_conj().numpy() for v in x]

    def value_and_grad(self, f, *x):
        x = [self.torch.tensor(v).requires_grad_() for v in x]
        value = f(*x)
        return float(value.detach()), [g.numpy() for g in self.torch.autograd.grad(value, x)]

    def tangents(self, case):
        x = tuple(map(self.torch.tensor, case.inputs))
        t = tuple(map(self.torch.tensor, case.tangents))
        _, moved = self.torch.func.jvp(lambda *v: tuple(self.call(case, *v)), x, t)
        return [v.numpy() for v in moved]


class Autograd(Verbs):
    name = "autograd"

    def __init__(self):
        super().__init__()
        import autograd
        import autograd.numpy as anp
        from autograd.differential_operators import make_jvp

        self.ag, self.xp, self.make_jvp = autograd, anp, make_jvp

    def value(self, case):
        return [np.asarray(y) for y in self.call(case, *case.inputs)]

    def gradients(self, case):
        f = lambda *x: pair(self.xp, case.cotangents, self.call(case, *x))  # noqa: E731
        return [np.conj(self.ag.grad(f, i)(*case.inputs)) for i in range(len(case.inputs))]

    def value_and_grad(self, f, *x):
        return float(f(*x)), [np.conj(self.ag.grad(f, i)(*x)) for i in range(len(x))]

    def tangents(self, case):
        total = None
        for i, (x, t) in enumerate(zip(case.inputs, case.tangents)):
            def f(v, i=i):
                y = self.call(case, *(v if j == i else w for j, w in enumerate(case.inputs)))
                return self.ag.builtins.tuple(tuple(y))

            _, moved = self.make_jvp(f)(x)(t)
            total = list(moved) if total is None else [a + b for a, b in zip(total, moved)]
        return total


class Advect(Verbs):
    name = "advect"

    def __init__(self):
        super().__init__()
        import advect

        self.ad = advect

    def value(self, case):
        return [np.asarray(y) for y in self.call(case, *case.inputs)]

    def gradients(self, case):
        import advect.numpy as adn

        f = lambda *x: pair(adn, case.cotangents, self.call(case, *x))  # noqa: E731
        return list(self.ad.grad(f, argnums=tuple(range(len(case.inputs))))(*case.inputs))

    def value_and_grad(self, f, *x):
        value, gradients = self.ad.value_and_grad(f, argnums=tuple(range(len(x))))(*x)
        return float(value), list(gradients)

    def tangents(self, case):
        n = tuple(range(len(case.inputs)))
        _, moved = self.ad.jvp(lambda *x: tuple(self.call(case, *x)), argnums=n)(*case.inputs, tangents=tuple(case.tangents))
        return [np.asarray(v) for v in (moved if isinstance(moved, (tuple, list)) else (moved,))]


VERBS = {"jax": Jax, "torch": Torch, "autograd": Autograd, "advect": Advect}
