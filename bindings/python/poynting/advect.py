"""poynting.advect: records as primitives of Advect: grad, vjp, jvp, linearize, checkpoint and staged programs.

Two forms. Where a plain trace records the call, the tape owns what the derivatives need (a residual): one node, the shortest way.
Checkpoints, staged programs and nested traces refuse such primitives; there a record is an ordinary primitive whose last output is its
state, and its derivatives are primitives, too, and have none. Their names, poynting.record.<inputs>.<outputs>, are the same in every
process: staged programs link by them."""
from __future__ import annotations

import math
from functools import lru_cache, partial
from typing import Any, Callable

from ._needs import needed

needed("advect", "poynting.advect")

import advect as ad
import advect.numpy as adn
import numpy as np

from . import _records as _r
from ._dispatch import only as _only
from ._operations import *  # noqa: F403
from ._operations import bind as _bind


def _refuse(*_, **__):
    raise NotImplementedError(_r.FIRST_ORDER)


# ---- the tape owns the context ----


class _Once:
    """A record at one call, with those of its inputs that are not traced: they stay here, the others go through the tape."""

    __slots__ = ("rec", "fixed", "slots")

    def __init__(self, rec, fixed, slots):
        self.rec, self.fixed, self.slots = rec, fixed, slots

    def inputs(self, values):
        every = self.fixed.copy()
        for i, v in zip(self.slots, values):
            every[i] = v
        return tuple(every)

    def evaluate(self, values):
        inputs = self.inputs(values)
        outputs, state = self.rec.evaluate(0, inputs, True)
        kept = tuple([y.copy() for y in outputs]) if self.rec.needs_outputs else outputs
        return outputs, (inputs, kept, state)

    def pullback(self, context, values, cotangents):
        inputs, outputs, state = context
        given = tuple([None if g is None else _cotangent(g, y) for g, y in zip(cotangents, outputs)])
        wanted = None
        if len(self.slots) < len(self.fixed):
            wanted = tuple([v is None for v in self.fixed])
        gradients = _r.pullback(self.rec, inputs, outputs, state, given, wanted)
        return tuple([_r.narrow(gradients[i], _dtype(v)) for i, v in zip(self.slots, values)])

    def pushforward(self, context, tangents):
        inputs, outputs, state = context
        every = [None] * len(inputs)
        for i, t in zip(self.slots, tangents):
            every[i] = _r.tangent_for(self.rec, i, t, _r.wide(inputs[i]))
        return _r.pushforward(self.rec, inputs, outputs, state, tuple(every))


class _OncePython:
    """The same of a record written in Python, all of whose inputs go through the tape."""

    __slots__ = ("rule",)

    def __init__(self, rule):
        self.rule = rule

    def evaluate(self, values):
        inputs = tuple(map(_r.wide, values))
        outputs, context = self.rule.evaluate(inputs)
        return outputs, (inputs, outputs, context)

    def pullback(self, context, values, cotangents):
        inputs, outputs, context = context
        given = [np.zeros_like(y) if g is None else _cotangent(g, y) for g, y in zip(cotangents, outputs)]
        gradients = self.rule.pullback(context, inputs, tuple(given))
        return tuple(_r.narrow(g, _dtype(v)) for g, v in zip(gradients, values))

    def pushforward(self, context, tangents):
        inputs, _, context = context
        return self.rule.pushforward(context, [np.zeros_like(x) if t is None else _r.wide(t) for t, x in zip(tangents, inputs)])


def _dtype(value):
    return value.dtype if isinstance(value, np.ndarray) else np.asarray(value).dtype


def _cotangent(g, y):
    """A cotangent in the type and shape of its output."""
    if _dtype(g) is not y.dtype:
        g = _r.narrow(_r.wide(g), y.dtype)
    return g if g.shape == y.shape else np.broadcast_to(g, y.shape)


def _alone(values):
    return values if len(values) > 1 else values[0]


@ad.primitive(name="poynting.once", static_argnames=("rule",), residual=True, variable_output_arity=True)
def _once(values, *, rule):
    outputs, context = rule.evaluate(values)
    return ad.PrimitiveResult(_alone(outputs), context)


@_once.def_transpose
def _(cotangents, primals, _out, residual, *, rule):
    given = cotangents if isinstance(cotangents, tuple) else (cotangents,)
    return _refuse() if any(map(ad.is_traced, given)) else rule.pullback(residual, primals, given)


@_once.def_jvp
def _(_out, primals, tangents, *, residual, rule):
    return _refuse() if any(map(ad.is_traced, tangents)) else _alone(tuple(rule.pushforward(residual, tangents)))


# ---- the state is an output ----

# Constants reach the primitives as plain data, which is what Advect takes for static: so staged programs can be written down. A
# layout ("1:D:4,2;3:d:") names their places, types and shapes, the bytes follow one another.


@lru_cache(maxsize=4096)
def _layout(specs) -> str:
    return ";".join(f"{i}:{s[0]}:{','.join(map(str, s[1]))}" for i, s in enumerate(specs) if s is not None)


@lru_cache(maxsize=4096)
def _places(layout: str):
    places, offset = [], 0
    for entry in filter(None, layout.split(";")):
        slot, char, sizes = entry.split(":")
        shape = tuple(map(int, filter(None, sizes.split(","))))
        count = math.prod(shape)
        places.append((int(slot), char, shape, count, offset))
        offset += count * (16 if char == "D" else 8)
    return places


class _Call:
    """A record, its inputs that are not traced, and the places of those that are."""

    __slots__ = ("rec", "arrays", "slots")

    def __init__(self, op, options, layout, data):
        self.rec = _r.record(op, options)
        self.arrays = [None] * len(self.rec.inputs)
        for slot, char, shape, count, offset in _places(layout):
            self.arrays[slot] = np.frombuffer(data, char, count, offset).reshape(shape)
        self.slots = [i for i, v in enumerate(self.arrays) if v is None]

    def together(self, values, absent=None):
        every = [absent] * len(self.arrays) if absent is not None else list(self.arrays)
        for i, v in zip(self.slots, values):
            every[i] = v
        return tuple(every)

    def inputs(self, values):
        return self.together([_r.wide(v) for v in values])

    def infer(self, values):
        specs = self.together([(np.dtype(v.spec.dtype).kind == "c", tuple(v.spec.shape)) for v in values])
        outs, nbytes = _r.infer(self.rec, tuple(_r.spec_of(s) if isinstance(s, np.ndarray) else s for s in specs))
        return [ad.ArraySpec(s, "complex128" if c else "float64") for c, s in outs], nbytes

    def pull(self, values, outputs, state, cotangents):
        x = self.inputs(values)
        given = tuple([_r.narrow(np.broadcast_to(_r.wide(g), y.shape), y.dtype) for g, y in zip(cotangents, outputs)])
        wanted = self.together([True] * len(values), False)
        gradients = _r.pullback(self.rec, x, tuple(map(_r.wide, outputs)), np.asarray(state), given, wanted)
        return tuple([_r.narrow(gradients[i], np.asarray(v).dtype) for i, v in zip(self.slots, values)])

    def push(self, values, outputs, state, tangents):
        x = self.inputs(values)
        every = [None] * len(x)
        for i, t in zip(self.slots, tangents):
            every[i] = _r.tangent_for(self.rec, i, t, x[i])
        return _r.pushforward(self.rec, x, tuple(map(_r.wide, outputs)), np.asarray(state), tuple(every))


def _plain(*groups):
    return not any(ad.is_traced(v) for group in groups for v in group)


_STATIC = ("op", "options", "layout", "data")


@lru_cache(maxsize=None)
def _primitives(n_in: int, n_out: int):
    """The three primitives of an arity: Advect fixes the number of outputs of each."""
    tag = f"{n_in}.{n_out}"

    @ad.primitive(name=f"poynting.pull.{tag}", static_argnames=_STATIC)
    def pull(values, outputs, state, cotangents, *, op, options, layout, data):
        return _Call(op, options, layout, data).pull(values, outputs, state, cotangents)

    pull.def_transpose(_refuse)
    pull.def_jvp(_refuse)
    pull.def_abstract(lambda values, outputs, state, cotangents, **_: tuple(v.spec for v in values))

    @ad.primitive(name=f"poynting.push.{tag}", static_argnames=_STATIC)
    def push(values, outputs, state, tangents, *, op, options, layout, data):
        return _Call(op, options, layout, data).push(values, outputs, state, tangents)

    push.def_transpose(_refuse)
    push.def_jvp(_refuse)
    push.def_abstract(lambda values, outputs, state, tangents, **static: tuple(_Call(**static).infer(values)[0]))

    @ad.primitive(name=f"poynting.record.{tag}", static_argnames=_STATIC)
    def evaluate(values, *, op, options, layout, data):
        call = _Call(op, options, layout, data)
        outputs, state = call.rec.evaluate(0, call.inputs(values), True)
        return (*outputs, state)

    @evaluate.def_abstract
    def _(values, **static):
        specs, nbytes = _Call(**static).infer(values)
        return (*specs, ad.ArraySpec((nbytes,), "uint8"))

    @evaluate.def_jvp
    def _(out, primals, tangents, **static):
        tangents = tuple(np.zeros_like(p) if t is None else t for p, t in zip(primals, tangents))
        moved = push(tuple(primals), tuple(out[:-1]), out[-1], tangents, **static)
        return (*moved, np.zeros_like(out[-1]))

    @evaluate.def_transpose
    def _(cotangents, primals, out, **static):
        given = tuple(np.zeros(y.shape, y.dtype) if g is None else g for g, y in zip(cotangents, out[:-1]))
        # outside of every trace there is no need for the primitive, whose part is to refuse second derivatives
        step = _Call(**static).pull if _plain(primals, out, given) else partial(pull, **static)
        return step(tuple(primals), tuple(out[:-1]), out[-1], given)

    return evaluate


def _ordinary(rec, fixed, moving):
    """The ordinary primitive: where a residual is refused."""
    layout = _layout(tuple([None if f is None else (f.dtype.char, f.shape) for f in fixed]))
    data = b"".join([f.tobytes() for f in fixed if f is not None])
    evaluate = _primitives(len(moving), len(rec.outputs))
    return tuple(evaluate(moving, op=rec.name, options=rec.options, layout=layout, data=data)[:-1])


def call(name: str, options: str, *values: Any) -> Any:
    """The record of a name on Advect's values."""
    _only("advect", values)
    rec = _r.record(name, options)
    fixed: list[np.ndarray | None] = []
    moving, slots = [], []
    for i, v in enumerate(values):
        if isinstance(v, (list, tuple)):
            v = adn.asarray(v)  # traced values may be inside
        if ad.is_traced(v):
            fixed.append(None)
            moving.append(v)
            slots.append(i)
        else:
            fixed.append(_r.owned(v) if rec.needs_inputs else _r.wide(v))
    if not moving:  # nothing to trace
        return _alone(rec.evaluate(0, tuple(fixed), False)[0])
    try:
        return _once(tuple(moving), rule=_Once(rec, fixed, slots))
    except ad.TracingError:  # a checkpoint, a staged program, a trace within a trace
        return _alone(_ordinary(rec, fixed, tuple(moving)))


def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns (value, context) as an operation of Advect."""
    rule = _OncePython(_r.PythonRecord(function))
    return lambda *values: _once(tuple(adn.asarray(v) for v in values), rule=rule)


_bind(globals(), call)
