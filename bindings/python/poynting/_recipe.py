"""Recipes as objects, and running them."""
from __future__ import annotations

import functools
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._progress import Line, left, wanted
from ._errors import PoyntingError, RecipeError

if TYPE_CHECKING:
    from ._result import Result


@dataclass(frozen=True)
class Fault:
    """One thing that a check found."""

    warning: bool
    file: str | None
    line: int
    column: int
    key: str | None
    code: str | None
    problem: str
    hint: str | None

    def __str__(self) -> str:
        where = ":".join(str(p) for p in (self.file, self.line or None) if p)
        return ": ".join(p for p in (where, self.key, self.problem, self.hint) if p)


@dataclass(frozen=True)
class Quantity:
    """A derived number in SI."""

    value: float
    unit: str
    text: str

    def __float__(self) -> float:
        return self.value


# Forms in which a bare number is no quantity, though parts of the value have a dimension.
_NOT_BARE = ("a unit of length", "a list of statistics", "a list of layers", "a gas, or a table of partial pressures")


@functools.cache
def _units() -> list[tuple[re.Pattern, str, bool]]:
    """(pattern of a path, SI unit, may a list hold numbers) of the keys that take quantities."""
    rows = []
    for path, form, dimension, unit in _core.recipe_keys():
        if dimension and "^" not in unit and form not in _NOT_BARE:
            pattern = re.escape(path).replace("\\.N", r"\.\d+").replace("\\.NAME", r"\.\w+")
            rows.append((re.compile(pattern), unit, form.startswith(("a list", "a value"))))
    return rows


def _unit_of(key: str) -> tuple[str, bool]:
    """The SI unit of a key's plain numbers, and whether its lists hold such; "" for keys that take plain numbers."""
    axis = re.fullmatch(r"scan\.(?:grid|zip|list)\.(.+)", key)
    for pattern, unit, lists in _units():
        if pattern.fullmatch(axis[1] if axis else key):
            return unit, lists or bool(axis)
    return "", False


def _toml(value: Any, unit: str = "", lists: bool = False, inside: bool = False) -> str:
    """A Python value as TOML; numbers of a quantity get its SI unit. A text that is no part of a list stays as it is
    ("150 uJ" needs no quotes of its own)."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if inside else value
    if isinstance(value, (list, tuple)):
        deeper = unit if lists else ""
        return "[" + ", ".join(_toml(v, deeper, False, True) for v in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_toml(v, '' if k == 'num' else unit, lists, True)}" for k, v in value.items()) + " }"
    number = repr(value) if isinstance(value, float) else str(value)
    return (f'"{number} {unit}"' if inside else f"{number} {unit}") if unit else number


def _metres(what: str, position: float | str) -> float:
    """A length: a float in m, or a text with a unit."""
    if not isinstance(position, str):
        return float(position)
    value, dimension, _ = _core.quantity(position)
    if dimension != "length":
        raise ValueError(f"{what}: a length is wanted, {position!r} is of dimension {dimension}")
    return value


def _rebuild(text: str, file: str, values: list[tuple[str, str]]) -> Recipe:
    recipe = Recipe(text=text, file=file)
    for key, value in values:
        recipe._put(key, value)
    return recipe


class Recipe(_core.Recipe):
    """What is to be computed. Keys are paths, "pulse.0.energy"; values carry their unit, "150 uJ", or are floats in SI. A recipe
    can be copied and pickled.

    A text that is no TOML is a RecipeError at once; whatever set() may still mend is one where it is needed: in check(), get(),
    describe(), run(). The error lists all faults."""

    def __init__(self, text: str | None = None, file: str = "recipe.toml", path: str | None = None):
        self._file = os.path.abspath(path or file)
        self._values: list[tuple[str, str]] = []
        self._refuse([f for f in self.faults() if f.code == "E_SYNTAX"])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recipe:
        """The recipe in a file. Raises IoError, and RecipeError where it is no TOML."""
        return cls(path=os.fspath(path))

    @classmethod
    def parse(cls, text: str, file: str = "recipe.toml") -> Recipe:
        """The recipe in a text; file: its name in messages, its stem the name of results. Raises RecipeError where it is no TOML."""
        return cls(text=text, file=file)

    def set(self, key: str, value: Any) -> Recipe:
        """Puts a value in the place of the recipe's own; returns the recipe."""
        self._put(key, _toml(value, *_unit_of(key)))
        return self

    def _put(self, key: str, text: str) -> None:
        super().set(key, text)
        self._values.append((key, text))

    def copy(self) -> Recipe:
        """A recipe that can be changed without this one."""
        return _rebuild(self.text, self._file, self._values)

    def __reduce__(self) -> tuple[Callable[..., Recipe], tuple[Any, ...]]:
        return _rebuild, (self.text, self._file, list(self._values))

    def faults(self) -> list[Fault]:
        """Everything that a check finds, warnings included."""
        return [Fault(*row) for row in super().check()]

    def check(self) -> list[Fault]:
        """Checks all that can be known without computing; returns the warnings. Raises RecipeError, with .faults."""
        faults = self.faults()
        self._refuse([f for f in faults if not f.warning])
        return faults

    @staticmethod
    def _refuse(bad: list[Fault]) -> None:
        if bad:
            first = bad[0]
            error = RecipeError("\n".join(map(str, bad)), file=first.file, line=first.line, key=first.key, hint=first.hint)
            error.faults = bad
            raise error

    def get(self, key: str) -> str | None:
        """The value of a key as TOML text, defaults filled in."""
        self.check()
        return super().get(key)

    def describe(self) -> dict[str, Quantity]:
        """What follows from the recipe before any computing: dispersion, soliton numbers, grid, bytes."""
        self.check()
        return {key: Quantity(*row) for key, row in super().describe().items()}

    def cite(self) -> str:
        """What the recipe rests on, one source a line."""
        self.check()
        return super().cite()

    def __repr__(self) -> str:
        return f"<poynting.Recipe {self.name or ''}>".replace(" >", ">")


class _Told:
    """Tells how far a run is."""

    def __init__(self):
        self.start, self.line = time.monotonic(), Line()

    def __enter__(self) -> _Told:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.end()

    def __call__(self, what, unit, done, total, accepted, rejected, energy, energy_start):
        if self.line.due() or done >= total:
            share = done / total if total else 0.0
            counted = f"{accepted} steps" if unit == "m" else f"{done:.0f} of {total:.0f} {unit}"
            self.line.show(what, share, f"{counted}  {left(self.start, share)}", last=done >= total)
        return False


def run(recipe: Recipe | str | os.PathLike[str], output: str | os.PathLike[str] | None = None, *, force: bool = False,
        progress: bool | Callable[..., Any] | None = None) -> Result:
    """Computes a recipe, writes its result file and opens it; .report of the result tells of the run.

    output: the file [NAME.h5 in the working folder]; force: write over it. progress: True for a line (None: in
    notebooks, a bar), or a function of (what, unit, done, total, accepted, rejected, energy, energy at the start) that may answer
    True to stop.

    Ctrl-C ends the run after its step with a KeyboardInterrupt, a function that answers True with an InterruptedError: both say
    where it stands and have the file's path in .file, and resume() goes on with it. Raises RecipeError, IoError (it exists, cannot be
    written), BudgetError (memory), UnsupportedError, and what the computation meets."""
    if not isinstance(recipe, _core.Recipe):
        recipe = Recipe.load(recipe)
    recipe.check()
    return _watched(progress, _core.Recipe.run, recipe, None if output is None else os.fspath(output), force, False)


def resume(result: Result | str | os.PathLike[str], *, extend: str | float | None = None, set: Mapping[str, Any] | None = None,
           progress: bool | Callable[..., Any] | None = None) -> Result:
    """Goes on with a run that was stopped or killed, from its result file alone, and opens the file.

    extend: a length by which a pulse goes on beyond its end, "0.5 m" or in m; then the run may be complete. set: keys and values to be
    changed, as Recipe.set takes them; one that changes what is computed is refused by its name. progress: as of run().

    Raises MismatchError (another configuration, nothing left to do, no state stored yet), IoError, and as run()."""
    path = os.fspath(getattr(result, "path", result))
    length = _metres("extend", extend) if extend is not None else 0.0
    if extend is not None and not length > 0:
        raise ValueError(f"extend: {extend!r} is no length to go on by")
    pairs = [text for key, value in (set or {}).items() for text in (key, _toml(value, *_unit_of(key)))]
    return _watched(progress, _core.resume, path, length, pairs)


def _watched(progress: bool | Callable[..., Any] | None, call: Callable[..., dict[str, Any]], *args: Any) -> Result:
    """The result of a call that runs something and takes a progress function at the end."""
    from ._result import Result

    if callable(progress) or not wanted(progress):
        report = call(*args, progress if callable(progress) else None)
    else:
        with _Told() as told:
            report = call(*args, told)
    result = Result(report["output"])
    result.report = report
    return result


__all__ = ["Fault", "Quantity", "Recipe", "PoyntingError", "resume", "run"]
