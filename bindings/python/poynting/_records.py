"""Records on the host: what every adapter shares. A Call is a record's derivative rule over NumPy arrays, with the state
as an array of bytes; the adapters move those arrays into their frameworks and back."""
from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from . import _core

FIRST_ORDER = "poynting supports first-order derivatives only: a derivative of a record's derivative was asked for"
FLOATING = "float64, float32, complex128 or complex64 values are needed; received {}: cast it first"
_WIDE = {"d": np.float64, "f": np.float64, "D": np.complex128, "F": np.complex128}


@lru_cache(maxsize=None)
def record(name: str, options: str = "") -> _core.Record:
    """The record of a name and of options ("axis=0;keep=no"), opened once."""
    return _core.Record(name, options)


def options_text(options: dict[str, Any]) -> str:
    """Options as the text that Record takes; what is None is left to its default."""
    return _text(*options.items())


@lru_cache(maxsize=4096, typed=True)
def _text(*options) -> str:
    return ";".join(f"{k}={('no', 'yes')[v] if isinstance(v, bool) else v}" for k, v in options if v is not None)


def check_dtype(dtype) -> None:
    if np.dtype(dtype).char not in _WIDE:
        raise TypeError(FLOATING.format(dtype))


def wide(value) -> np.ndarray:
    """value as float64 or complex128 in C order, its shape kept; other types are refused."""
    array = np.asarray(value)
    char = array.dtype.char
    if (char == "d" or char == "D") and array.flags.c_contiguous:
        return array
    if char not in _WIDE:
        if isinstance(value, (int, float, complex, np.integer)) and not isinstance(value, bool):
            return np.asarray(value, np.float64)
        raise TypeError(FLOATING.format(array.dtype))
    return np.asarray(array, _WIDE[array.dtype.char], order="C")


def owned(value) -> np.ndarray:
    """The same in memory that nobody else writes to: arrays that may not be written are taken as they are."""
    array = wide(value)
    converted = isinstance(value, np.ndarray) and array is not value and array.base is None  # in memory of its own
    return array.copy() if array.flags.writeable and not converted else array


def narrow(gradient: np.ndarray, dtype) -> np.ndarray:
    """gradient in the type of its input; of a complex one for a real input the real part."""
    if gradient.dtype is dtype:
        return gradient
    dtype = np.dtype(dtype)
    if gradient.dtype.kind == "c" and dtype.kind != "c":
        gradient = gradient.real
    return gradient.astype(dtype, copy=False)


@lru_cache(maxsize=65536)
def infer(rec: _core.Record, specs: tuple) -> tuple[tuple, int]:
    """((is complex, shape), ...) -> (the same of the outputs, bytes of a state); reads no numbers."""
    return rec.infer(specs)


def spec_of(array: np.ndarray, lead: int = 0) -> tuple[bool, tuple[int, ...]]:
    return array.dtype.kind == "c", array.shape[lead:]


def dtype_of(is_complex: bool) -> type:
    return np.complex128 if is_complex else np.float64


def tangent_for(rec: _core.Record, i: int, tangent, like: np.ndarray):
    """A tangent of input i: None where the input is constant; a complex one for a real input is refused."""
    if tangent is None or rec.inputs[i][2]:
        return None
    tangent = wide(tangent)
    if tangent.dtype.kind == "c" and like.dtype.kind != "c":
        raise TypeError(f"the tangent of input {i} of {rec.name} is complex, the input is real")
    if tangent.shape != like.shape:
        raise ValueError(f"the tangent of input {i} of {rec.name} has shape {tangent.shape}, the input {like.shape}")
    return np.asarray(tangent, like.dtype)


def pullback(rec, inputs, outputs, state, cotangents, wanted=None, lead: int = 0):
    """Gradients of all inputs (or those wanted, else None) in the native pairing dL = Re sum(conj(g) dx)."""
    return rec.derive(False, lead, inputs, outputs if rec.needs_outputs else None, state, cotangents, wanted)


def pushforward(rec, inputs, outputs, state, tangents, lead: int = 0):
    if rec.reverse_only:
        raise NotImplementedError(f"{rec.name} has no pushforward: forward mode needs one")
    return rec.derive(True, lead, inputs, outputs if rec.needs_outputs else None, state, tangents, None)


# ---- records written in Python: function(*arrays, **options) -> (value, context) --------------------------------------


class PythonRecord:
    """A user's function that returns (value, context). context has pullback(*cotangents) and, for forward mode,
    pushforward(*tangents); a bare callable is the pullback."""

    def __init__(self, function, name: str | None = None):
        self.function = function
        self.name = name or getattr(function, "__name__", "record")

    def evaluate(self, inputs: tuple[np.ndarray, ...]):
        value, context = self.function(*inputs)
        outputs = value if isinstance(value, tuple) else (value,)
        if not outputs:
            raise ValueError(f"{self.name} must return at least one array")
        outputs = tuple(np.array(v, np.complex128 if np.iscomplexobj(v) else np.float64, order="C") for v in outputs)
        return outputs, context

    def pullback(self, context, inputs, cotangents):
        back = getattr(context, "pullback", context)
        result = back(*cotangents)
        gradients = result if isinstance(result, tuple) else (result,)
        if len(gradients) != len(inputs):
            raise ValueError(f"{self.name}: its pullback gave {len(gradients)} gradients for {len(inputs)} inputs")
        out = []
        for i, (g, x) in enumerate(zip(gradients, inputs)):
            g = np.asarray(g)
            if g.shape != x.shape:
                raise ValueError(f"{self.name}: gradient {i} has shape {g.shape}, its input has shape {x.shape}")
            out.append(narrow(g, x.dtype))
        return tuple(out)

    def pushforward(self, context, tangents):
        forward = getattr(context, "pushforward", None)
        if forward is None:
            raise NotImplementedError(f"{self.name} has no pushforward: forward mode needs one")
        result = forward(*tangents)
        return result if isinstance(result, tuple) else (result,)
