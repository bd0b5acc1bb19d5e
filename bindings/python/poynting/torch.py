"""poynting.torch: records as operations of PyTorch: autograd, torch.func, forward mode, vmap, checkpoint, torch.compile.

The record's state is a uint8 tensor among the saved ones: hooks and checkpoints see it, and retain_graph repeats nothing."""
from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any, Callable

from ._needs import needed

needed("torch", "poynting.torch")

import numpy as np
import torch

from . import _records as _r
from ._dispatch import only as _only
from ._operations import *  # noqa: F403
from ._operations import bind as _bind

_DTYPES = (torch.float64, torch.complex128, torch.float32, torch.complex64)


def _wide_type(is_complex):
    return torch.complex128 if is_complex else torch.float64


def _check(tensor):
    if tensor.dtype not in _DTYPES:
        raise TypeError(_r.FLOATING.format(tensor.dtype))
    if tensor.layout is not torch.strided:
        raise TypeError(f"dense tensors are needed; received one of layout {tensor.layout}: make it dense first, x.to_dense()")
    if tensor.device.type != "cpu":
        raise ValueError(f"poynting.torch works on CPU tensors; received one on {tensor.device}")


def _host(tensor):
    """The memory of a tensor as a NumPy array of float64 or complex128 in C order."""
    dtype = tensor.dtype
    if dtype is not torch.float64:
        if dtype is not torch.complex128:
            _check(tensor)
            tensor = tensor.double() if dtype is torch.float32 else tensor.to(torch.complex128)
        if tensor.is_conj():
            tensor = tensor.resolve_conj()
    if tensor.is_neg():
        tensor = tensor.resolve_neg()
    return (tensor if tensor.is_contiguous() else tensor.contiguous()).detach().numpy()


@lru_cache(maxsize=4096)
def _placeholders(specs):
    """Arrays of the right shapes for derivatives that do not look at the numbers."""
    return tuple(np.empty(shape, _r.dtype_of(is_complex)) for is_complex, shape in specs)


class _Plan:
    """A record and those of its inputs that are no tensors: they pass by the graph as one object."""

    __slots__ = ("rec", "fixed", "slots", "needs_outputs")

    def __init__(self, rec, fixed):
        self.rec, self.fixed = rec, fixed
        self.slots = tuple(i for i, v in enumerate(fixed) if v is None)  # where the tensors belong
        self.needs_outputs = rec.needs_outputs

    def together(self, hosts, nb):
        """All inputs as the record takes them: tensors' memory, and constants that the batch shares."""
        fixed = self.fixed
        if len(self.slots) == len(fixed):
            return tuple(hosts)
        every = list(fixed) if not nb else [None if v is None else v.reshape((1,) * nb + v.shape) for v in fixed]
        for i, v in zip(self.slots, hosts):
            every[i] = v
        return tuple(every)

    def inputs(self, x, nb):
        """The inputs as a derivative takes them, batch axes included."""
        if self.rec.needs_inputs:
            return self.together([_host(v) for v in x], nb)
        return self.together(_placeholders(tuple((v.is_complex(), tuple(v.shape)) for v in x)), nb)

    def evaluate(self, nb, x):
        outputs, state = self.rec.evaluate(nb, self.together([_host(v) for v in x], nb), True)
        return (*map(torch.from_numpy, outputs), torch.from_numpy(state))

    def pullback(self, nb, x, y, state, cotangents, wanted=None):
        rec = self.rec
        given = tuple([None if g is None else _host(g) for g in cotangents])
        host_y = tuple([_host(v) for v in y]) if rec.needs_outputs else None
        want = None
        if wanted is not None or len(self.slots) < len(self.fixed):
            want = [False] * len(self.fixed)
            for i, w in zip(self.slots, (True,) * len(x) if wanted is None else wanted):
                want[i] = w
            want = tuple(want)
        gradients = rec.derive(False, nb, self.inputs(x, nb), host_y, state.contiguous().numpy(), given, want)
        found = [gradients[i] for i in self.slots]
        return [None if g is None else _like(torch.from_numpy(g), v) for g, v in zip(found, x)]

    def pushforward(self, nb, x, y, state, tangents):
        rec = self.rec
        if rec.reverse_only:
            raise NotImplementedError(f"{rec.name} has no pushforward: forward mode needs one")
        given = [None] * len(self.fixed)
        for i, t, v in zip(self.slots, tangents, x):
            if t is None or rec.inputs[i][2]:
                continue
            if t.is_complex() and not v.is_complex():
                raise TypeError(f"the tangent of input {i} of {rec.name} is complex, the input is real")
            given[i] = np.asarray(_host(t), _r.dtype_of(v.is_complex()))
        host_y = tuple([_host(v) for v in y]) if rec.needs_outputs else None
        moved = rec.derive(True, nb, self.inputs(x, nb), host_y, state.contiguous().numpy(), tuple(given), None)
        return [torch.from_numpy(t) for t in moved]


class _PythonPlan:
    """The same for a record written in Python. Its contexts stay here; the state is the number of each, so that it follows the batch."""

    __slots__ = ("rule", "runs", "needs_outputs")

    def __init__(self, rule):
        self.rule, self.runs, self.needs_outputs = rule, [], False

    @staticmethod
    def batch(nb, arrays):
        """(index of an item, its part of each array) for all items."""
        lead = np.broadcast_shapes(*(a.shape[:nb] for a in arrays if a is not None))
        for at in np.ndindex(lead):
            yield at, [None if a is None else a[tuple(k if n > 1 else 0 for k, n in zip(at, a.shape))] for a in arrays]

    @staticmethod
    def gather(items):
        """{index: arrays of an item} -> tensors of all items."""
        lead = tuple(k + 1 for k in max(items)) if items else (0,)
        columns = zip(*(items[at] for at in np.ndindex(lead)))
        return [torch.from_numpy(np.stack(c).reshape(lead + np.shape(c[0]))) for c in columns]

    def evaluate(self, nb, x):
        found = {}
        for at, inputs in self.batch(nb, [np.array(_host(v)) for v in x]):
            outputs, context = self.rule.evaluate(tuple(inputs))
            found[at] = (*outputs, np.int64(len(self.runs)))
            self.runs.append((tuple(inputs), outputs, context))
        return tuple(self.gather(found))

    def derive(self, nb, state, directions, step):
        found = {}
        for at, (number, *given) in self.batch(nb, [state.numpy(), *(None if d is None else _host(d) for d in directions)]):
            found[at] = step(self.runs[int(number)], given)
        return self.gather(found)

    def pullback(self, nb, x, y, state, cotangents, wanted=None):
        def step(run, given):
            inputs, outputs, context = run
            return self.rule.pullback(context, inputs, tuple(np.zeros_like(v) if g is None else g for g, v in zip(given, outputs)))

        return [_like(g, v) for g, v in zip(self.derive(nb, state, cotangents, step), x)]

    def pushforward(self, nb, x, y, state, tangents):
        def step(run, given):
            inputs, _, context = run
            return self.rule.pushforward(context, [np.zeros_like(v) if t is None else t for t, v in zip(given, inputs)])

        return self.derive(nb, state, tangents, step)


def _specs(rec, x, nb):
    return _r.infer(rec, tuple((v.is_complex(), tuple(v.shape[nb:])) for v in x))


def _like(gradient, x):
    """A gradient in the type of its input; of an input that the batch shares it is the sum."""
    if gradient.shape != x.shape:
        gradient = gradient.sum_to_size(x.shape)
    return gradient if gradient.dtype is x.dtype else gradient.to(x.dtype)


def _bring(tensors, dims):
    """vmap: each mapped axis in front, an axis of length 1 for what is shared."""
    return [None if v is None else v.movedim(d, 0) if d is not None else v.unsqueeze(0) for v, d in zip(tensors, dims)]


class _Record(torch.autograd.Function):
    """tensors -> (outputs..., state)"""

    @staticmethod
    def forward(plan, nb, *x):
        return plan.evaluate(nb, x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.plan, ctx.nb, *x = inputs
        ctx.n = len(x)
        ctx.mark_non_differentiable(output[-1])
        ctx.set_materialize_grads(False)
        kept = output if ctx.plan.needs_outputs else output[-1:]
        ctx.save_for_backward(*x, *kept)
        ctx.save_for_forward(*x, *kept)

    @staticmethod
    def _saved(ctx):
        tensors = ctx.saved_tensors
        return tensors[:ctx.n], tensors[ctx.n:-1], tensors[-1]

    @staticmethod
    def backward(ctx, *cotangents):
        x, y, state = _Record._saved(ctx)
        if not torch.is_grad_enabled():  # a plain backward pass: nothing asks for the derivative of this one
            return (None, None, *ctx.plan.pullback(ctx.nb, x, y, state, cotangents[:-1], ctx.needs_input_grad[2:]))
        gradients = _Pullback.apply(ctx.plan, ctx.nb, len(x), len(y), *x, *y, state, *cotangents[:-1])
        return (None, None, *gradients)

    @staticmethod
    def jvp(ctx, *tangents):
        x, y, state = _Record._saved(ctx)
        moved = _Pushforward.apply(ctx.plan, ctx.nb, len(x), len(y), *x, *y, state, *tangents[2:])
        return (*moved, None)

    @staticmethod
    def vmap(info, dims, plan, nb, *x):
        results = _Record.apply(plan, nb + 1, *_bring(x, dims[2:]))
        return results, (0,) * len(results)


class _Linear(torch.autograd.Function):
    """A derivative: it has none itself."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, *cotangents):
        raise NotImplementedError(_r.FIRST_ORDER)

    @staticmethod
    def jvp(ctx, *tangents):
        raise NotImplementedError(_r.FIRST_ORDER)


def _batched(info, values, dims, n):
    """All arrays of a derivative with the batch in front; inputs at full length: each item has its own gradient."""
    moved = []
    for i, (v, d) in enumerate(zip(values, dims)):
        if v is not None:
            v = v.movedim(d, 0) if d is not None else v.expand(info.batch_size, *v.shape)
        moved.append(v)
    return moved


class _Pullback(_Linear):
    @staticmethod
    def forward(plan, nb, n, m, *v):
        return tuple(plan.pullback(nb, v[:n], v[n:n + m], v[n + m], v[n + m + 1:]))

    @staticmethod
    def vmap(info, dims, plan, nb, n, m, *v):
        results = _Pullback.apply(plan, nb + 1, n, m, *_batched(info, v, dims[4:], n))
        return results, (0,) * len(results)


class _Pushforward(_Linear):
    @staticmethod
    def forward(plan, nb, n, m, *v):
        return tuple(plan.pushforward(nb, v[:n], v[n:n + m], v[n + m], v[n + m + 1:]))

    @staticmethod
    def vmap(info, dims, plan, nb, n, m, *v):
        results = _Pushforward.apply(plan, nb + 1, n, m, *_batched(info, v, dims[4:], n))
        return results, (0,) * len(results)


# PyTorch binds such functions through inspect.signature at every call: give it the answer.
for _f in (_Record, _Pullback, _Pushforward):
    _f.forward.__signature__ = inspect.signature(_f.forward)  # type: ignore[attr-defined]

# ---- operators for torch.compile: opaque, with shape rules ----

_library = torch.library.Library("poynting", "DEF")
_library.define("eval(str op, str options, Tensor[] x) -> Tensor[]")
_library.define("pullback(str op, str options, Tensor[] x, Tensor[] y, Tensor state, Tensor[] cotangents) -> Tensor[]")


def _plan_of(op, options, x):
    return _Plan(_r.record(op, options), (None,) * len(x))


_library.impl("eval", lambda op, options, x: [*_plan_of(op, options, x).evaluate(0, x)], "CPU")
_library.impl("pullback", lambda op, options, x, y, state, g: _plan_of(op, options, x).pullback(0, x, y, state, g), "CPU")


@torch.library.register_fake("poynting::eval", lib=_library)
def _(op, options, x):
    outs, nbytes = _specs(_r.record(op, options), x, 0)
    return [*(torch.empty(s, dtype=_wide_type(c)) for c, s in outs), torch.empty(nbytes, dtype=torch.uint8)]


@torch.library.register_fake("poynting::pullback", lib=_library)
def _(op, options, x, y, state, cotangents):
    return [torch.empty_like(v, memory_format=torch.contiguous_format) for v in x]


def _eval_setup(ctx, inputs, output):
    ctx.op, ctx.options, x = inputs
    ctx.n = len(x)
    kept = output if _r.record(ctx.op, ctx.options).needs_outputs else output[-1:]
    ctx.save_for_backward(*x, *kept)


def _eval_backward(ctx, cotangents):
    tensors = ctx.saved_tensors
    x, y, state = tensors[:ctx.n], tensors[ctx.n:-1], tensors[-1]
    return None, None, torch.ops.poynting.pullback(ctx.op, ctx.options, list(x), list(y), state, list(cotangents[:-1]))


def _refuse(ctx, *_):
    raise NotImplementedError(_r.FIRST_ORDER)


torch.library.register_autograd("poynting::eval", _eval_backward, setup_context=_eval_setup, lib=_library)
torch.library.register_autograd("poynting::pullback", _refuse, lib=_library)


def _tensor(value):
    if isinstance(value, torch.Tensor):
        _check(value)
        return value
    return torch.tensor(_r.wide(value))  # a copy: later changes of an array must not reach the gradient


def call(name: str, options: str, *values: Any) -> Any:
    """The record of a name on tensors."""
    if torch.compiler.is_compiling():
        every = [_tensor(v) for v in values]
        # an operator with register_autograd would give a zero tangent without a word
        if any(torch.autograd.forward_ad.unpack_dual(v).tangent is not None for v in every):
            raise NotImplementedError("forward mode inside torch.compile is not supported: differentiate outside of it")
        outputs = torch.ops.poynting.eval(name, options, every)
    else:
        _only("torch", values)
        x = [v for v in values if isinstance(v, torch.Tensor)]
        for v in x:
            _check(v)
        fixed = tuple([None if isinstance(v, torch.Tensor) else _r.owned(v) for v in values])
        outputs = _Record.apply(_Plan(_r.record(name, options), fixed), 0, *x)
    return tuple(outputs[:-1]) if len(outputs) > 2 else outputs[0]


# ---- records written in Python ----


def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns (value, context) as an operation of PyTorch."""
    rule = _r.PythonRecord(function)

    def operation(*values):
        outputs = _Record.apply(_PythonPlan(rule), 0, *(_tensor(v) for v in values))
        return tuple(outputs[:-1]) if len(outputs) > 2 else outputs[0]

    return operation


_bind(globals(), call)
