"""poynting.testing: derivatives held to differences and to the adjoint identity. Each check raises AssertionError where they differ."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._types import Array

__all__ = ["check_gradient", "check_pullback", "check_pushforward"]


def _tuple(value) -> tuple:
    return value if isinstance(value, tuple) else (value,)


def _outputs(value) -> tuple:
    return tuple(np.asarray(v) for v in _tuple(value))


def _pullback(context):
    return getattr(context, "pullback", context)


def _random(rng, like, unit):
    like = np.asarray(like)
    value = rng.standard_normal(like.shape)
    if np.iscomplexobj(like):
        value = value + 1j * rng.standard_normal(like.shape)
    size = np.linalg.norm(value)
    return value / size if unit and size > 0 else value


def _directions(given, parameters, rng):
    if given is None:
        return tuple(_random(rng, p, True) for p in parameters)
    if len(given) != len(parameters):
        raise ValueError(f"{len(given)} directions for {len(parameters)} parameters")
    return tuple(np.asarray(d) for d in given)


def _inner(a, b) -> float:
    return float(sum(np.real(np.vdot(x, y)) for x, y in zip(a, b)))


def _agree(what, got, wanted, rtol, atol):
    if not np.allclose(got, wanted, rtol=rtol, atol=atol):
        raise AssertionError(f"{what}: {got!r}, but differences give {wanted!r}")


def check_pullback(record: Callable[..., Any], *parameters: Array, directions: Array = None, cotangents: Array = None,
                   step: float = 1e-6, rtol: float = 1e-5, atol: float = 1e-7, seed: int = 0) -> None:
    """record(*parameters) -> (value, context): the gradient of Re vdot(cotangents, value) along a direction of each parameter, the others
    held, against a central difference."""
    rng = np.random.default_rng(seed)
    parameters = tuple(np.asarray(p) for p in parameters)
    directions = _directions(directions, parameters, rng)
    value, context = record(*parameters)
    outputs = _outputs(value)
    cotangents = tuple(_random(rng, o, False) for o in outputs) if cotangents is None else _outputs(cotangents)
    gradients = _tuple(_pullback(context)(*cotangents))
    if len(gradients) != len(parameters):
        raise ValueError(f"{len(gradients)} gradients for {len(parameters)} parameters")

    def along(i, h):
        moved = tuple(p + h * d if j == i else p for j, (p, d) in enumerate(zip(parameters, directions)))
        return _inner(cotangents, _outputs(record(*moved)[0]))

    for i, (gradient, direction) in enumerate(zip(gradients, directions)):
        _agree(f"gradient of parameter {i}", _inner((gradient,), (direction,)), (along(i, step) - along(i, -step)) / (2 * step), rtol, atol)


def check_pushforward(record: Callable[..., Any], *parameters: Array, directions: Array = None, cotangents: Array = None,
                      step: float = 1e-6, rtol: float = 1e-5, atol: float = 1e-7, adjoint_rtol: float = 1e-12,
                      adjoint_atol: float = 1e-12, seed: int = 0) -> None:
    """All parameters move together: the tangent against a central difference, then Re vdot(cotangent, J d) = Re vdot(J^H cotangent, d)."""
    rng = np.random.default_rng(seed)
    parameters = tuple(np.asarray(p) for p in parameters)
    directions = _directions(directions, parameters, rng)
    value, context = record(*parameters)
    tangents = _outputs(context.pushforward(*directions))
    ends = [_outputs(record(*(p + h * d for p, d in zip(parameters, directions)))[0]) for h in (step, -step)]
    for i, (tangent, up, down) in enumerate(zip(tangents, *ends)):
        _agree(f"tangent of output {i}", tangent, (up - down) / (2 * step), rtol, atol)
    cotangents = tuple(_random(rng, o, False) for o in _outputs(value)) if cotangents is None else _outputs(cotangents)
    gradients = _tuple(_pullback(record(*parameters)[1])(*cotangents))
    forward, backward = _inner(cotangents, tangents), _inner(gradients, directions)
    if not np.allclose(forward, backward, rtol=adjoint_rtol, atol=adjoint_atol):
        raise AssertionError(f"adjoint identity: {forward!r} forwards, {backward!r} backwards")


def check_gradient(function: Callable[..., Any], gradient: Callable[..., Any], *parameters: Array, directions: Array = None,
                   step: float = 1e-6, rtol: float = 1e-5, atol: float = 1e-7, seed: int = 0) -> None:
    """gradient(*parameters) of a real function(*parameters) against differences."""
    def record(*values):
        return function(*values), lambda g: tuple(np.real(g) * np.asarray(part) for part in _tuple(gradient(*values)))

    check_pullback(record, *parameters, directions=directions, cotangents=1.0, step=step, rtol=rtol, atol=atol, seed=seed)
