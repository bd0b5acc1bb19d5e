"""Result files: datasets as arrays, spectra on the axis one wants, xarray, pictures."""
from __future__ import annotations

import contextlib
import math
import os
from typing import Any

import numpy as np

from . import _core
from ._errors import ArgumentError
from ._recipe import _metres

_C = 299792458.0
_H = 6.62607015e-34
_E = 1.602176634e-19


class Result:
    """A result file, read through the library: files of killed runs open as well.

    The file is held open only while something is read, so that a run may write it again."""

    path: str
    report: dict[str, Any] | None = None

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fspath(path)
        with self._open() as file:
            self._datasets = file.datasets()
            self._kinds = [kind for kind, _, applies in file.kinds() if applies]

    def __enter__(self) -> Result:
        """with open("a.h5") as result: ... Nothing is held open, so the result is good afterwards, too."""
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def _open(self):
        return contextlib.closing(_core.Result(self.path))

    def __repr__(self) -> str:
        return f"<poynting.Result {self.path!r}: {self.attribute('kind')} {self.attribute('name')!r}>"

    def _repr_html_(self) -> str:
        """What notebooks show: name, state, and all datasets."""
        from html import escape

        told = {name: self.attribute(name) for name in ("kind", "name", "version", "backend")}
        state = "" if self.attribute("complete") in ("1", "True", "true") else " &mdash; not complete: <code>poynting.resume</code>"
        head = ", ".join(f"{name} <b>{escape(value)}</b>" for name, value in told.items() if value)
        rows = "".join(f"<tr><td style='text-align:left'><code>{escape(path)}</code></td><td>{' &times; '.join(map(str, shape)) or '1'}</td>"
                       f"<td>{escape(units)}</td></tr>" for path, (units, shape) in self.datasets.items())
        return (f"<div><code>{escape(self.path)}</code>: {head}{state}<details><summary>{len(self.datasets)} datasets; pictures: "
                f"{escape(', '.join(self.kinds()))}</summary><table><tr><th>dataset</th><th>shape</th><th>unit</th></tr>{rows}</table>"
                "</details></div>")

    def attribute(self, name: str) -> str | None:
        """An attribute of the file: "kind", "name", "version", "complete", "backend", ..."""
        with self._open() as file:
            return file.attribute(name)

    @property
    def datasets(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """{path: (unit, shape)} of all datasets."""
        return {path: (units, shape) for path, (units, _, shape, *_) in self._datasets.items()}

    def __contains__(self, path: str) -> bool:
        return path in self._datasets

    def __getitem__(self, path: str) -> Any:
        """A dataset as an array, a text as str, texts as a list of them; "stats/energy"."""
        try:
            with self._open() as file:
                value = file.read(path, 0, -1)
        except ArgumentError as error:
            import difflib

            near = difflib.get_close_matches(path, self._datasets, 1)
            raise KeyError(f"{path}: no such dataset{f', did you mean {near[0]}?' if near else ''}") from error
        return value if isinstance(value, (str, list)) or value.ndim else value[()]

    # ---- pulses ----

    def _plane(self, z) -> int:
        planes = self["field/z"]
        if not len(planes):
            raise ValueError(f"{self.path} holds no plane yet")
        if z is None:
            return len(planes) - 1
        z = _metres("z", z)
        i = int(np.argmin(np.abs(planes - z)))
        if abs(planes[i] - z) > 1e-9 * max(abs(planes[-1]), 1e-30):
            raise ValueError(f"z = {z:g} m is no saved plane: the nearest is at {planes[i]:g} m, of {len(planes)} up to "
                             f"{planes[-1]:g} m")
        return i

    def field(self, z: str | float | None = None) -> np.ndarray:
        """The spectral amplitude S [mode, polarisation, omega] of a saved plane, sqrt(J s): the sum of |S|^2 domega is the
        energy. z: a position (m, or "3 m"), None for the last."""
        plane = self._plane(z)
        with self._open() as file:
            return file.read("field/spectrum", plane, 1)[0]

    def spectrum(self, axis: str = "wavelength", z: str | float | None = None, modes: str | int = "sum") -> tuple[np.ndarray, np.ndarray]:
        """(axis, energy density) at a saved plane: over "wavelength" (m), "frequency" (Hz), "angular_frequency" (rad/s) or
        "photon_energy" (eV), in J per unit of the axis, rising. modes: "sum", or the index of one mode."""
        omega = self["field/omega"]
        power = (np.abs(self.field(z)) ** 2).sum(axis=1)
        density = power.sum(axis=0) if modes == "sum" else power[int(modes)]
        keep = omega > 0
        omega, density = omega[keep], density[keep]
        if axis == "angular_frequency":
            return omega, density
        if axis == "frequency":
            return omega / (2 * math.pi), density * (2 * math.pi)
        if axis == "photon_energy":
            scale = _H / (2 * math.pi * _E)
            return omega * scale, density / scale
        if axis == "wavelength":
            wavelength = 2 * math.pi * _C / omega
            return wavelength[::-1], (density * omega**2 / (2 * math.pi * _C))[::-1]
        raise ValueError(f"axis: {axis!r} is not wavelength, frequency, angular_frequency or photon_energy")

    # ---- other programs ----

    def to_xarray(self) -> Any:
        """The file as an xarray.Dataset: dimensions by name, units as attributes. Needs xarray."""
        from ._xarray import dataset_of

        return dataset_of(self)

    def kinds(self) -> list[str]:
        """The pictures that can be drawn from this file."""
        return list(self._kinds)

    def plot(self, kind: str, output: str | os.PathLike[str] | None = None, *, format: str | None = None,
             axis: str | None = None, db: float | None = None, wavelengths: tuple[float, float] | None = None, z: str | float | None = None) -> str:
        """Draws a picture with gnuplot; returns the path of the file written."""
        nan = math.nan
        low, high = wavelengths or (nan, nan)
        with self._open() as file:
            return file.plot(kind, None if output is None else os.fspath(output), format, axis, nan if db is None else db,
                             low, high, nan if z is None else _metres("z", z))

    def figure(self, kind: str | None = None, *, axis: str = "wavelength", db: float = 40.0, z: str | float | None = None,
               quantity: str | None = None, row: int = 0) -> Any:
        """A figure of matplotlib, which a notebook shows. kind: one of kinds(), the first of them by default; all but spectrogram,
        dispersion, phase_matching and coherence, which plot() draws.

        axis: of spectra. db: of pulses, down to so many decibels below the peak. z: the plane of "spectrum", the end of "temporal" [the last].
        quantity: of scans, e.g. "cross_sections.absorption". row: of near and far fields and T-matrices, the number of their wavelength."""
        from ._figure import figure

        return figure(self, kind, axis, db, z, quantity, row)


def open(path: str | os.PathLike[str]) -> Result:  # noqa: A001 - the name that h5py and xarray use, too
    """Opens a result file."""
    return Result(path)
