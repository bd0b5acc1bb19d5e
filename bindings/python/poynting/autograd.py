"""poynting.autograd: records as operations of HIPS Autograd, reverse and forward mode.

Autograd pairs bilinearly, so what it reports for a complex input is the conjugate of the record's gradient."""
from __future__ import annotations

import autograd.numpy as anp
import numpy as np
from autograd.extend import defjvp_argnums, defvjp_argnums, primitive
from autograd.tracer import getval, isbox

from . import _records as _r
from ._operations import *  # noqa: F403
from ._operations import bind as _bind


class _Run:
    """One evaluation: owns its inputs and its state for as long as Autograd keeps it."""

    __slots__ = ("rule", "dtypes", "inputs", "outputs", "state")

    def __init__(self, rule):
        self.rule = rule

    def evaluate(self, values):
        values = [np.asarray(v) for v in values]
        self.dtypes = [v.dtype for v in values]
        self.inputs = tuple(np.array(_r.wide(v), copy=True) for v in values)
        if isinstance(self.rule, _r.PythonRecord):
            self.outputs, self.state = self.rule.evaluate(self.inputs)
        else:
            outputs, self.state = self.rule.evaluate(0, self.inputs, True)
            self.outputs = outputs if self.rule.needs_outputs else None
            return tuple(o.copy() for o in outputs) if self.outputs else outputs
        return self.outputs

    def pullback(self, cotangents, wanted):
        cotangents = tuple(np.conj(_r.wide(c)) for c in cotangents)
        if isinstance(self.rule, _r.PythonRecord):
            gradients = self.rule.pullback(self.state, self.inputs, cotangents)
        else:
            gradients = _r.pullback(self.rule, self.inputs, self.outputs, self.state, _like_outputs(self, cotangents), wanted)
        return [None if g is None else _r.narrow(np.conj(g), d) for g, d in zip(gradients, self.dtypes)]

    def pushforward(self, tangents):
        if isinstance(self.rule, _r.PythonRecord):
            zeros = [np.zeros_like(x) if t is None else t for t, x in zip(tangents, self.inputs)]
            return tuple(self.rule.pushforward(self.state, zeros))
        tangents = tuple(_r.tangent_for(self.rule, i, t, x) for i, (t, x) in enumerate(zip(tangents, self.inputs)))
        return _r.pushforward(self.rule, self.inputs, self.outputs, self.state, tangents)


def _like_outputs(run, cotangents):
    outs, _ = _r.infer(run.rule, tuple(_r.spec_of(x) for x in run.inputs))
    return tuple(_r.narrow(c, _r.dtype_of(is_complex)) for c, (is_complex, _) in zip(cotangents, outs))


def _refuse(*values):
    if any(isbox(v) or (isinstance(v, (tuple, list)) and any(map(isbox, v))) for v in values):
        raise NotImplementedError(_r.FIRST_ORDER)


@primitive
def _execute(run, *values):
    return run.evaluate(values)


def _vjp(argnums, answer, args, kwargs):
    _refuse(answer, *args[1:])
    run = args[0]
    wanted = tuple(i + 1 in argnums for i in range(len(args) - 1))

    def back(cotangents):
        _refuse(cotangents)
        gradients = run.pullback(cotangents, wanted)
        return tuple(gradients[i - 1] for i in argnums)

    return back


def _jvp(argnums, tangents, answer, args, kwargs):
    _refuse(answer, *args[1:], *tangents)
    all_tangents = [None] * (len(args) - 1)
    for i, t in zip(argnums, tangents):
        all_tangents[i - 1] = t
    return args[0].pushforward(all_tangents)


defvjp_argnums(_execute, _vjp)
defjvp_argnums(_execute, _jvp)


def _apply(rule, values):
    outputs = _execute(_Run(rule), *(v if isbox(v) else anp.array(v) for v in values))
    return tuple(outputs[i] for i in range(len(outputs))) if len(outputs) > 1 else outputs[0]


def call(name: str, options: str, *values):
    """The record of a name on Autograd's values."""
    for v in values:
        _r.check_dtype(np.asarray(getval(v)).dtype) if not isinstance(v, (int, float, complex)) else None
    return _apply(_r.record(name, options), values)


def wrap(function):
    """A function that returns (value, context) as an operation of Autograd; see poynting.wrap_help."""
    rule = _r.PythonRecord(function)
    return lambda *values: _apply(rule, values)


_bind(globals(), call)
