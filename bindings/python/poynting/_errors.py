"""Exceptions: one class for each status of the engine, under PoyntingError and the built-in class that fits."""
from __future__ import annotations

import builtins
import re

from . import _core


class PoyntingError(Exception):
    """A failure of the engine.

    code: name of the status, "SHAPE"; account: the cause, and a line for each call it passed through; file, line, key,
    hint: of the first fault of a recipe, else None."""

    code: str = "INTERNAL"
    exit_code: int = 1

    def __init__(self, message: str = "", account: str = "", *, file=None, line=None, key=None, hint=None):
        super().__init__(message)
        self.account = account or message
        self.file, self.line, self.key, self.hint = file, line, key, hint

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


# A singular matrix is bad arithmetic and a bad value: both names catch it.
_ALSO = {"SINGULAR": ("ValueError",), "NO_CONVERGENCE": ("ValueError",), "THRESHOLD": ("ValueError",),
         "NOT_PD": ("ValueError",), "NONFINITE": ("ValueError",)}


def _classes() -> dict[int, type[PoyntingError]]:
    classes = {}
    for number, name, exit_code, python, text in _core.statuses():
        bases = tuple(getattr(builtins, b) for b in (python, *_ALSO.get(name, ())))
        title = "".join(part.capitalize() for part in name.split("_")) + "Error"
        members = {"code": name, "exit_code": exit_code, "__doc__": text[0].upper() + text[1:] + ".", "__module__": "poynting"}
        classes[number] = type(title, (PoyntingError, *bases), members)
    return classes


_BY_NUMBER = _classes()
globals().update({c.__name__: c for c in _BY_NUMBER.values()})
__all__ = ["PoyntingError", *(c.__name__ for c in _BY_NUMBER.values())]

_FAULT = re.compile(r"(?:(?P<file>.+?):(?P<line>\d+)|override): (?P<key>[\w.]+): (?P<rest>.+)", re.S)  # override: a value that was set


def make(number: int, cause: str, account: str) -> PoyntingError:
    """The exception of a status; called by the extension module."""
    error = _BY_NUMBER[number]
    fault = _FAULT.match(cause) if error.code == "RECIPE" else None
    if not fault:
        return error(cause or error.__doc__, account, file=cause.partition(": ")[0] or None if error.code == "IO" else None)
    _, _, hint = fault["rest"].partition(": ")
    return error(cause, account, file=fault["file"], line=int(fault["line"]) if fault["line"] else None, key=fault["key"], hint=hint or None)


def stopped(pending: BaseException | None, number: int, cause: str, account: str, path: str) -> BaseException:
    """What is raised where a run ended before its time; called by the extension module. Ctrl-C, so a plain KeyboardInterrupt, tells
    where the run stands and how it goes on; an exception of the progress function gets a note of it. .file: the result's path."""
    told = cause or f"{path}: is complete"
    if pending is None:
        return _BY_NUMBER[number](cause, account, file=path)
    if type(pending) is KeyboardInterrupt:
        error = KeyboardInterrupt(told)
        error.file = path  # type: ignore[attr-defined]
        return error
    pending.add_note(told)
    return pending
