"""poynting.advect: records as primitives of Advect: grad, vjp, jvp, linearize, checkpoint and staged programs.

A record is an ordinary primitive whose last output is its state; its derivatives are primitives, too, and have none. Names of the
primitives, poynting.record.<inputs>.<outputs>, are the same in every process: staged programs link by them."""
from __future__ import annotations

from functools import lru_cache

import advect as ad
import numpy as np

from . import _records as _r
from ._operations import *  # noqa: F403
from ._operations import bind as _bind


def _refuse(*_, **__):
    raise NotImplementedError(_r.FIRST_ORDER)


def _specs(rec, values):
    outs, nbytes = _r.infer(rec, tuple((np.dtype(v.spec.dtype).kind == "c", tuple(v.spec.shape)) for v in values))
    return [ad.ArraySpec(s, "complex128" if c else "float64") for c, s in outs], nbytes


def _wides(values):
    return tuple(_r.wide(v) for v in values)


def _outputs_like(rec, values, cotangents):
    outs, _ = _r.infer(rec, tuple(_r.spec_of(v) for v in values))
    return tuple(None if g is None else _r.narrow(np.broadcast_to(_r.wide(g), s), _r.dtype_of(c))
                 for g, (c, s) in zip(cotangents, outs))


@lru_cache(maxsize=None)
def _primitives(n_in: int, n_out: int):
    """The three primitives of an arity: Advect fixes the number of outputs of each."""
    tag = f"{n_in}.{n_out}"
    static = ("op", "options")

    @ad.primitive(name=f"poynting.pull.{tag}", static_argnames=static)
    def pull(values, outputs, state, cotangents, *, op, options):
        rec, x = _r.record(op, options), _wides(values)
        gradients = _r.pullback(rec, x, _wides(outputs), np.asarray(state), _outputs_like(rec, x, cotangents))
        return tuple(_r.narrow(g, np.asarray(v).dtype) for g, v in zip(gradients, values))

    pull.def_transpose(_refuse)
    pull.def_jvp(_refuse)
    pull.def_abstract(lambda values, outputs, state, cotangents, *, op, options: tuple(v.spec for v in values))

    @ad.primitive(name=f"poynting.push.{tag}", static_argnames=static)
    def push(values, outputs, state, tangents, *, op, options):
        rec, x = _r.record(op, options), _wides(values)
        directions = tuple(_r.tangent_for(rec, i, t, v) for i, (t, v) in enumerate(zip(tangents, x)))
        return _r.pushforward(rec, x, _wides(outputs), np.asarray(state), directions)

    push.def_transpose(_refuse)
    push.def_jvp(_refuse)
    push.def_abstract(lambda values, outputs, state, tangents, *, op, options: tuple(_specs(_r.record(op, options), values)[0]))

    @ad.primitive(name=f"poynting.record.{tag}", static_argnames=static)
    def evaluate(values, *, op, options):
        outputs, state = _r.record(op, options).evaluate(0, _wides(values), True)
        return (*outputs, state)

    @evaluate.def_abstract
    def _(values, *, op, options):
        specs, nbytes = _specs(_r.record(op, options), values)
        return (*specs, ad.ArraySpec((nbytes,), "uint8"))

    @evaluate.def_jvp
    def _(out, primals, tangents, *, op, options):
        tangents = tuple(np.zeros_like(p) if t is None else t for p, t in zip(primals, tangents))
        moved = push(tuple(primals), tuple(out[:-1]), out[-1], tangents, op=op, options=options)
        return (*moved, np.zeros_like(out[-1]))

    @evaluate.def_transpose
    def _(cotangents, primals, out, *, op, options):
        given = tuple(np.zeros(y.shape, y.dtype) if g is None else g for g, y in zip(cotangents, out[:-1]))
        return pull(tuple(primals), tuple(out[:-1]), out[-1], given, op=op, options=options)

    return evaluate


def call(name: str, options: str, *values):
    """The record of a name on Advect's values."""
    values = tuple(ad.numpy.asarray(v) for v in values)
    for v in values:
        if not ad.is_traced(v):
            _r.check_dtype(np.asarray(v).dtype)
    rec = _r.record(name, options)
    outputs = _primitives(len(values), len(rec.outputs))(values, op=name, options=rec.options)
    return tuple(outputs[:-1]) if len(outputs) > 2 else outputs[0]


# ---- records written in Python: the tape owns the context ----


@ad.primitive(name="poynting.python_record", static_argnames=("rule",), residual=True)
def _python(values, *, rule):
    inputs = _wides(values)
    outputs, context = rule.evaluate(inputs)
    return ad.PrimitiveResult(outputs if len(outputs) > 1 else outputs[0], [inputs, context], release=list.clear)


@_python.def_transpose
def _(cotangents, primals, _out, residual, *, rule, active_input_indices=None):
    inputs, context = residual
    cotangents = cotangents if isinstance(cotangents, tuple) else (cotangents,)
    gradients = rule.pullback(context, inputs, _wides(cotangents))
    return tuple(_r.narrow(g, np.asarray(p).dtype) for g, p in zip(gradients, primals))


@_python.def_jvp
def _(_out, primals, tangents, *, residual, rule):
    inputs, context = residual
    moved = rule.pushforward(context, [np.zeros_like(x) if t is None else _r.wide(t) for t, x in zip(tangents, inputs)])
    return tuple(moved) if len(moved) > 1 else moved[0]


def wrap(function):
    """A function that returns (value, context) as an operation of Advect."""
    rule = _r.PythonRecord(function)
    return lambda *values: _python(tuple(ad.numpy.asarray(v) for v in values), rule=rule)


_bind(globals(), call)
