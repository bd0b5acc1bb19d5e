"""Recipes as objects, and running them."""
from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable

from . import _core
from ._errors import PoyntingError, RecipeError


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


def _toml(value: Any) -> str:
    """A Python value as TOML; texts stay as they are ("150 uJ" needs no quotes of its own)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(f'"{v}"' if isinstance(v, str) else _toml(v) for v in value) + "]"
    if hasattr(value, "tolist"):
        return _toml(value.tolist())
    return repr(value) if isinstance(value, float) else str(value)


class Recipe(_core.Recipe):
    """What is to be computed. Keys are paths, "pulse.0.energy"; values carry their unit, "150 uJ", or are floats in SI."""

    @classmethod
    def load(cls, path: str | os.PathLike) -> "Recipe":
        return cls(path=os.fspath(path))

    @classmethod
    def parse(cls, text: str, file: str = "recipe.toml") -> "Recipe":
        return cls(text=text, file=file)

    def set(self, key: str, value: Any) -> "Recipe":
        """Puts a value in the place of the recipe's own; returns the recipe."""
        super().set(key, _toml(value))
        return self

    def faults(self) -> list[Fault]:
        """Everything that a check finds, warnings included."""
        return [Fault(*row) for row in super().check()]

    def check(self) -> list[Fault]:
        """Checks all that can be known without computing; returns the warnings. Raises RecipeError, with .faults."""
        faults = self.faults()
        bad = [f for f in faults if not f.warning]
        if bad:
            first = bad[0]
            error = RecipeError("\n".join(map(str, bad)), file=first.file, line=first.line, key=first.key, hint=first.hint)
            error.faults = bad
            raise error
        return faults

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


class _Progress:
    """A line that tells how far the work is: in a notebook, and where standard error is a terminal."""

    def __init__(self):
        self.start = self.shown = time.monotonic()

    def __call__(self, what, unit, done, total, accepted, rejected, energy, energy_start):
        now = time.monotonic()
        if now - self.shown < 0.2 and done < total:
            return False
        self.shown = now
        share = done / total if total else 0.0
        left = (now - self.start) * (1 - share) / share if share > 0 else float("nan")
        bar = "#" * int(30 * share)
        sys.stderr.write(f"\r{what} [{bar:<30}] {100 * share:5.1f} %  {accepted} steps  {left:.0f} s left ")
        if done >= total:
            sys.stderr.write("\n")
        sys.stderr.flush()
        return False


def run(recipe: "Recipe | str | os.PathLike", output: str | os.PathLike | None = None, *, force: bool = False,
        progress: bool | Callable[..., Any] = False):
    """Computes a recipe, writes its result file and opens it.

    output: the file [NAME.h5 in the working folder]; force: write over it. progress: True for a line, or a function of
    (what, unit, done, total, accepted, rejected, energy, energy at the start) that may answer True to stop: the file can be
    resumed then. Ctrl-C does the same."""
    from ._result import Result

    if not isinstance(recipe, _core.Recipe):
        recipe = Recipe.load(recipe)
    recipe.check()
    watch = _Progress() if progress is True else progress if callable(progress) else None
    report = _core.Recipe.run(recipe, None if output is None else os.fspath(output), force, False, watch)
    result = Result(report["output"])
    result.report = report
    return result


__all__ = ["Fault", "Quantity", "Recipe", "PoyntingError", "run"]
