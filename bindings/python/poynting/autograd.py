"""poynting.autograd: records as operations of HIPS Autograd, reverse and forward mode.

Autograd pairs bilinearly, so what it reports for a complex input is the conjugate of the record's gradient."""
from __future__ import annotations

from typing import Any, Callable

from ._needs import needed

needed("autograd", "poynting.autograd")

import autograd.numpy as anp
import numpy as np
from autograd.extend import defjvp_argnums, defvjp_argnums, primitive
from autograd.tracer import getval, isbox

from . import _records as _r
from ._dispatch import only as _only
from ._operations import *  # noqa: F403
from ._operations import bind as _bind


class _Run:
    """One evaluation: owns its inputs and its state for as long as Autograd keeps it. Inputs that are no boxes stay here; only boxes go
    through the tracer, at these slots."""

    __slots__ = ("rule", "dtypes", "inputs", "slots", "outputs", "state", "kinds")

    def __init__(self, rule, fixed, slots):
        self.rule, self.inputs, self.slots = rule, fixed, slots

    def evaluate(self, values):
        values = [v if type(v) is np.ndarray else np.asarray(v) for v in values]
        self.dtypes = [v.dtype for v in values]
        for i, v in zip(self.slots, values):
            self.inputs[i] = _r.owned(v)
        self.inputs = tuple(self.inputs)
        if isinstance(self.rule, _r.PythonRecord):
            self.outputs, self.state = self.rule.evaluate(self.inputs)
            return self.outputs
        outputs, self.state = self.rule.evaluate(0, self.inputs, True)
        self.kinds = [o.dtype for o in outputs]
        self.outputs = outputs if self.rule.needs_outputs else None
        return tuple(o.copy() for o in outputs) if self.outputs else outputs

    def pullback(self, cotangents, places):
        cotangents = [np.conj(_r.wide(c)) for c in cotangents]
        if isinstance(self.rule, _r.PythonRecord):
            gradients = self.rule.pullback(self.state, self.inputs, tuple(cotangents))
        else:
            given = tuple([_r.narrow(c, kind) for c, kind in zip(cotangents, self.kinds)])
            wanted = [False] * len(self.inputs)
            for i in places:
                wanted[self.slots[i]] = True
            gradients = _r.pullback(self.rule, self.inputs, self.outputs, self.state, given, tuple(wanted))
        return [_r.narrow(np.conj(gradients[self.slots[i]]), self.dtypes[i]) for i in places]

    def pushforward(self, tangents):
        every = [None] * len(self.inputs)
        for i, t in zip(self.slots, tangents):
            every[i] = t
        if isinstance(self.rule, _r.PythonRecord):
            zeros = [np.zeros_like(x) if t is None else t for t, x in zip(every, self.inputs)]
            return tuple(self.rule.pushforward(self.state, zeros))
        every = tuple(_r.tangent_for(self.rule, i, t, x) for i, (t, x) in enumerate(zip(every, self.inputs)))
        return _r.pushforward(self.rule, self.inputs, self.outputs, self.state, every)


def _refuse(*values):
    if any(isbox(v) or (isinstance(v, (tuple, list)) and any(map(isbox, v))) for v in values):
        raise NotImplementedError(_r.FIRST_ORDER)


@primitive
def _execute(run, *values):
    return run.evaluate(values)


def _vjp(argnums, answer, args, kwargs):
    _refuse(answer, *args[1:])
    run, places = args[0], [i - 1 for i in argnums]

    def back(cotangents):
        _refuse(cotangents)
        return tuple(run.pullback(cotangents, places))

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
    values = [anp.array(v) if isinstance(v, (list, tuple)) else v for v in values]  # boxes may be inside
    boxes = [isbox(v) for v in values]
    for v, box in zip(values, boxes):
        if box:
            _r.check_dtype(np.asarray(getval(v)).dtype)
    fixed = [None if box else _r.owned(v) for v, box in zip(values, boxes)]
    run = _Run(rule, fixed, [i for i, box in enumerate(boxes) if box])
    outputs = _execute(run, *(v for v, box in zip(values, boxes) if box))
    return tuple(outputs[i] for i in range(len(outputs))) if len(outputs) > 1 else outputs[0]


def call(name: str, options: str, *values: Any) -> Any:
    """The record of a name on Autograd's values."""
    _only("autograd", values)
    return _apply(_r.record(name, options), values)


def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns (value, context) as an operation of Autograd."""
    rule = _r.PythonRecord(function)
    return lambda *values: _apply(rule, values)


_bind(globals(), call)
