"""poynting.jax: records inside JAX programs: jit, vmap, grad, jvp, linearize, checkpoint, scan, export.

A compiled program calls the engine directly (XLA custom calls), never Python. JAX pairs bilinearly, so what it reports for a
complex input is the conjugate of the record's gradient. Arrays have to be on the CPU; JAX's configuration is left alone.

Four primitives serve every record; the record is a static parameter of them.
  record   inputs -> outputs                            derivative: saved, then tangent
  saved    inputs -> outputs, state                     none: first order only
  tangent  inputs, outputs, state, directions -> ...    linear in the directions; transposed by pullback
  pullback inputs, outputs, state, cotangents -> ...    none
`lead` is the batch in front of every array, a tuple; each axis of an array is 1 or the batch's."""
from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, Callable

from ._needs import needed

needed("jax", "poynting.jax")

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _core
from . import _records as _r
from ._dispatch import only as _only
from ._operations import *  # noqa: F403
from ._operations import bind as _bind

if _core.xla_targets is None:
    raise ImportError("this build of poynting has no XLA handlers: build it where jaxlib is installed")
for _name, _capsule in _core.xla_targets.items():
    jax.ffi.register_ffi_target(_name, _capsule, platform="cpu")

TARGETS = tuple(_core.xla_targets)  # for jax.export: DisabledSafetyCheck.custom_call(name)
_Shape = jax.ShapeDtypeStruct


def _rec(op, options):
    return _r.record(op, options)


@lru_cache(maxsize=None)
def _canonical(is_complex: bool, x64: bool):
    return np.dtype(jax.dtypes.canonicalize_dtype(np.complex128 if is_complex else np.float64))


def _meta(op, options, lead, avals):
    """Shapes of the outputs and of the state, without numbers."""
    k = len(lead)
    specs = tuple((bool(np.issubdtype(a.dtype, np.complexfloating)), np.shape(a)[k:]) for a in avals)
    outs, nbytes = _r.infer(_rec(op, options), specs)
    x64 = bool(jax.config.jax_enable_x64)
    return [_Shape(lead + s, _canonical(c, x64)) for c, s in outs], _Shape(lead + (nbytes,), np.uint8)


def _ffi(target, results, arrays, op, options, lead):
    call = jax.ffi.ffi_call(target, tuple(results))
    return list(call(*arrays, op=op, options=options, lead=np.int64(len(lead))))


def _n_out(op, options):
    return len(_rec(op, options).outputs)


def _record_shapes(*x, op, options, lead):
    return _meta(op, options, lead, x)[0]


def _saved_shapes(*x, op, options, lead):
    outs, state = _meta(op, options, lead, x)
    return [*outs, state]


def _tangent_shapes(*a, op, options, lead, n):
    return _meta(op, options, lead, a[:n])[0]


def _pullback_shapes(*a, op, options, lead, n):
    return [_Shape(lead + np.shape(v)[len(lead):], v.dtype) for v in a[:n]]


def _spread(value, lead):
    """value with every axis of the batch at its full length."""
    return jnp.broadcast_to(value, lead + np.shape(value)[len(lead):])


@lru_cache(maxsize=None)
def _jitted(fn, params):
    return jax.jit(partial(fn, **dict(params)))


def _primitive(name, target, shapes, check=None):
    """check(op, options) may refuse what is about to run."""
    p = Primitive(name)
    p.multiple_results = True

    def lowered(*arrays, op, options, lead, **rest):
        if check:
            check(op, options)
        return _ffi(target, shapes(*arrays, op=op, options=options, lead=lead, **rest), arrays, op, options, lead)

    p.def_impl(lambda *arrays, **params: _jitted(lowered, tuple(params.items()))(*arrays))
    p.def_abstract_eval(lambda *a, **params: [jax.core.ShapedArray(s.shape, s.dtype) for s in shapes(*a, **params)])
    mlir.register_lowering(p, mlir.lower_fun(lowered, multiple_results=True))

    def batch(arrays, axes, *, lead, **params):
        size = next(a.shape[d] for a, d in zip(arrays, axes) if d is not None)
        first_direction = None
        if "n" in params:
            first_direction = params["n"] + _n_out(params["op"], params["options"]) + 1
        moved = []
        for i, (a, d) in enumerate(zip(arrays, axes)):
            a = jnp.expand_dims(a, 0) if d is None else jnp.moveaxis(a, d, 0)
            if first_direction is not None and i >= first_direction:
                a = _spread(a, (size,) + lead)  # JAX sums the gradients of what is shared
            moved.append(a)
        results = p.bind(*moved, lead=(size,) + lead, **params)
        return results, [0] * len(results)

    batching.primitive_batchers[p] = batch
    return p


def _check_forward(op, options):
    """Not where a tangent is asked for: reverse mode asks, too, and transposes it."""
    rec = _rec(op, options)
    if rec.reverse_only:
        raise NotImplementedError(f"{rec.name} has no pushforward: forward mode needs one")


_record_p = _primitive("poynting_record", "poy_eval", _record_shapes)
_saved_p = _primitive("poynting_saved", "poy_eval", _saved_shapes)
_tangent_p = _primitive("poynting_tangent", "poy_pushforward", _tangent_shapes, _check_forward)
_pullback_p = _primitive("poynting_pullback", "poy_pullback", _pullback_shapes)


def _refuse(*_, **__):
    raise ValueError(_r.FIRST_ORDER)


def _record_jvp(primals, tangents, *, op, options, lead):
    rec = _rec(op, options)
    *outputs, state = _saved_p.bind(*primals, op=op, options=options, lead=lead)
    # constants stand for what the derivatives do not read, so that it is not kept alive
    inputs = primals if rec.needs_inputs else [jnp.zeros(np.shape(p), p.dtype) for p in primals]
    kept = outputs if rec.needs_outputs else [jnp.zeros(o.shape, o.dtype) for o in outputs]
    tangents = [_spread(ad.instantiate_zeros(t), lead) for t in tangents]
    return outputs, _tangent_p.bind(*inputs, *kept, state, *tangents, op=op, options=options, lead=lead, n=len(primals))


def _tangent_jvp(primals, tangents, *, op, options, lead, n):
    first = n + _n_out(op, options) + 1
    if any(not isinstance(t, ad.Zero) for t in tangents[:first]):
        _refuse()
    params = dict(op=op, options=options, lead=lead, n=n)
    moved = map(ad.instantiate_zeros, tangents[first:])
    return _tangent_p.bind(*primals, **params), _tangent_p.bind(*primals[:first], *moved, **params)


def _transpose(cotangents, *arrays, op, options, lead, n):
    def conj(v):
        return jnp.conj(v) if jnp.iscomplexobj(v) else v

    first = n + _n_out(op, options) + 1
    shapes = _meta(op, options, lead, arrays[:n])[0]
    given = [jnp.zeros(s.shape, s.dtype) if isinstance(c, ad.Zero) else conj(c) for c, s in zip(cotangents, shapes)]
    gradients = _pullback_p.bind(*arrays[:first], *given, op=op, options=options, lead=lead, n=n)
    return [None] * first + [conj(g) for g in gradients]


ad.primitive_jvps[_record_p] = _record_jvp
ad.primitive_jvps[_saved_p] = _refuse
ad.primitive_jvps[_tangent_p] = _tangent_jvp
ad.primitive_jvps[_pullback_p] = _refuse
ad.primitive_transposes[_tangent_p] = _transpose


def _array(value):
    dtype = getattr(value, "dtype", None)
    if dtype is None and not isinstance(value, (int, float, complex)):
        value = np.asarray(value)
        dtype = value.dtype
    if dtype is not None:
        _r.check_dtype(dtype)
    elif isinstance(value, (bool, int)):
        value = float(value)
    if isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer):
        platforms = {d.platform for d in value.devices()}
        if platforms != {"cpu"}:
            raise ValueError(f"poynting.jax works on CPU arrays; received one on {', '.join(sorted(platforms))}")
    return jnp.asarray(value)


def call(name: str, options: str, *values: Any) -> Any:
    """The record of a name on JAX's values."""
    _only("jax", values)
    rec = _r.record(name, options)
    arrays = [_array(v) for v in values]
    if len(arrays) != len(rec.inputs):
        raise ValueError(f"{name}: {len(rec.inputs)} inputs wanted, {len(arrays)} given")
    for i, (_, _, _, rank) in enumerate(rec.inputs):
        if rank > 0 and arrays[i].ndim == 0:  # a number is an array of one element
            arrays[i] = jnp.reshape(arrays[i], (1,) * rank)
    outputs = _record_p.bind(*arrays, op=name, options=rec.options, lead=())
    return tuple(outputs) if len(outputs) > 1 else outputs[0]


# ---- records written in Python: host callbacks ----


def wrap(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """A function that returns (value, context) as an operation of JAX, for arguments of the shapes and types of examples.

    It runs as a host callback, and once more for each derivative."""
    rule = _r.PythonRecord(function)
    examples = tuple(_r.wide(e) for e in examples)
    outputs, _ = rule.evaluate(examples)
    x64 = lambda: bool(jax.config.jax_enable_x64)  # noqa: E731
    shapes = lambda arrays: tuple(_Shape(a.shape, _canonical(a.dtype.kind == "c", x64())) for a in arrays)  # noqa: E731

    def run(step, like, *arrays):
        def host(*given):
            return tuple(np.asarray(r, s.dtype) for r, s in zip(step(*map(_r.wide, given)), wanted))

        wanted = shapes(like)
        return jax.pure_callback(host, wanted, *arrays, vmap_method="sequential")

    def evaluate(*x):
        return rule.evaluate(x)[0]

    def pull(*a):
        x, g = a[:len(examples)], a[len(examples):]
        return rule.pullback(rule.evaluate(x)[1], x, g)

    def push(*a):
        x, t = a[:len(examples)], a[len(examples):]
        return rule.pushforward(rule.evaluate(x)[1], t)

    conj = lambda v: jnp.conj(v) if jnp.iscomplexobj(v) else v  # noqa: E731

    @jax.custom_jvp
    def operation(*x):
        return run(evaluate, outputs, *x)

    @operation.defjvp
    def derivative(primals, tangents):
        x = primals

        def forward(t):
            return run(push, outputs, *x, *t)

        def backward(g):
            return tuple(conj(v) for v in run(pull, examples, *x, *map(conj, g)))

        from jax.custom_derivatives import linear_call

        moved = linear_call(lambda _, t: forward(t), lambda _, g: backward(g), (), tuple(tangents))
        return run(evaluate, outputs, *x), moved

    def call_wrapped(*values):
        arrays = [jnp.asarray(v) for v in values]
        wanted = [(e.shape, e.dtype.kind) for e in examples]
        if [(a.shape, np.dtype(a.dtype).kind) for a in arrays] != wanted:
            raise ValueError("parameters must match the shapes and dtypes used by wrap: wanted "
                             f"{[e.shape for e in examples]}, received {[a.shape for a in arrays]}")
        results = operation(*arrays)
        return results if len(results) > 1 else results[0]

    return call_wrapped


_bind(globals(), call)
