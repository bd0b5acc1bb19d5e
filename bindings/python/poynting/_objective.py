"""Objectives of recipes: one number of what a recipe computes, and its gradient by keys of the recipe."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np

from . import _core
from ._errors import ArgumentError, PoyntingError
from ._recipe import Recipe


@dataclass(frozen=True)
class Objective:
    """A number of a recipe: see objective()."""

    quantity: str
    at: str | float | None = None
    band: str | None = None

    def of(self, recipe: "Recipe | str | os.PathLike[str]", wrt: Sequence[str]) -> Recipe:
        """A recipe that has this as its [objective]."""
        recipe = recipe.copy() if isinstance(recipe, Recipe) else Recipe.load(recipe)
        sense = "minimise" if _has(recipe, "objective.minimise") else "maximise"  # the gradient is the same
        recipe.set(f"objective.{sense}", f'"{self.quantity}"').set("objective.wrt", list(wrt))
        for key, value in (("at", self.at), ("band", self.band)):
            if value is not None:
                recipe.set(f"objective.{key}", value)
        return recipe


def _has(recipe: Recipe, key: str) -> bool:
    try:
        return recipe.get(key) is not None
    except ArgumentError:
        return False


def objective(quantity: str, *, at: str | float | None = None, band: str | None = None) -> Objective:
    """A number of a recipe, at a wavelength ("650 nm", or in m), or its mean over the points of the sweep in a band ("600 nm:700 nm").
    Without both: those of the recipe, or the one point of its sweep.

    Of particles "cross_sections.scattering", ".extinction" or ".absorption"; of arrays and stacks "transmission.T", ".R", ".A",
    "transmission.T_order.i.j", ".R_order.i.j", "cd.transmission", "cd.outgoing", "cd.absorption"."""
    return Objective(quantity, at, band)


def value_and_grad(objective: Objective | None = None, wrt: Sequence[str] | None = None, *,
                   mode: str = "reverse") -> Callable[["Recipe | str | os.PathLike[str]"], tuple[float, dict[str, np.ndarray]]]:
    """A function of a recipe: (value in SI, {key: gradient in SI, of the shape of the key}).

    wrt: keys such as "particle.0.radius", "particle.0.positions" ([position, axis]), "particle.0.material" (by n and k, or re and im, as the
    recipe writes it), "sweep.wavelength", "lattice.vectors" ([vector, axis]), "stack.layers.1.thickness". Without an objective: that of the recipe. mode: "reverse", or "forward"."""
    modes = {"reverse": 1, "forward": 2}
    if mode not in modes:
        raise ValueError(f"mode: {mode!r} is not reverse or forward")
    if (objective is None) != (wrt is None):
        raise ValueError("an objective and its keys come together: value_and_grad(objective, wrt=[...]), or neither")

    def call(recipe: "Recipe | str | os.PathLike[str]") -> tuple[float, dict[str, np.ndarray]]:
        return _located(_core.objective_gradient, _ready(recipe, objective, wrt), modes[mode])

    return call


def check_grad(recipe: "Recipe | str | os.PathLike[str]", objective: Objective | None = None, wrt: Sequence[str] | None = None,
               *, seed: int = 1) -> dict[str, Any]:
    """Relative errors of the gradient: "adjoint" and "modes" (reverse against forward, at most 1e-11), "difference" (against differences of
    plain runs, at most 1e-6; "worst": its key), and whether it "passed"."""
    return _located(_core.objective_check, _ready(recipe, objective, wrt), seed)


def _located(function: Callable[..., Any], recipe: Recipe, *args: Any) -> Any:
    """The answer; a refusal with the place in the recipe that a check finds for it: file, line, key, hint."""
    try:
        return function(recipe, *args)
    except PoyntingError as error:
        if error.key is None:
            try:
                recipe.describe()
            except PoyntingError as fault:
                error.file, error.line, error.key, error.hint = fault.file, fault.line, fault.key, fault.hint
        raise


def _ready(recipe: "Recipe | str | os.PathLike[str]", objective: Objective | None, wrt: Sequence[str] | None) -> Recipe:
    if objective is not None:
        recipe = objective.of(recipe, wrt or [])
    elif not isinstance(recipe, Recipe):
        recipe = Recipe.load(recipe)
    recipe.check()
    return recipe
