"""poynting.io: T-matrices in files of the format tmat.h5."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core
from ._bases import SphericalBasis
from ._media import Material, embedding
from ._tmatrix import TMatrix
from ._types import Array

LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "nm": 1e-9, "pm": 1e-12}


def _unit(lunit: str) -> float:
    if lunit not in LENGTHS:
        raise ValueError(f"lunit {lunit!r}: it is one of {', '.join(LENGTHS)}")
    return LENGTHS[lunit]


def load_hdf5(filename: str | os.PathLike[str], lunit: str = "nm") -> Any:
    """The T-matrices of a file, lengths in lunit: one, or an array of those of its sweep, in the order of its axes."""
    found = []
    for k0, m, parity, handle, positions, values in _core.tmatrix_load(os.fspath(filename), _unit(lunit)):
        medium = Material(*(complex(m[i], m[i + 1]) for i in (0, 2, 4)))
        basis = SphericalBasis(_core.basis_modes(handle).real.astype(int), positions)
        found.append(TMatrix._of(k0, basis, medium, "parity" if parity else "helicity", values))
    if len(found) == 1:
        return found[0]
    out = np.empty(len(found), object)
    out[:] = found
    return out


def _flat(tms):
    """A sweep of any depth in row-major order."""
    if isinstance(tms, (list, tuple, np.ndarray)):
        return [t for part in tms for t in _flat(part)]
    return [tms]


def _group_of(h5file):
    """Is it an open group of h5py?"""
    return not isinstance(h5file, (str, bytes, os.PathLike)) and hasattr(h5file, "create_dataset")


def save_hdf5(h5file: Any, tms: Any, name: str = "", description: str = "", keywords: str = "", *, lunit: str = "nm") -> None:
    """Writes T-matrices of the same modes and positions as one file: a path, or an open group of h5py, into which the file's content
    goes."""
    rows = []
    for i, t in enumerate(_flat(tms)):
        if not isinstance(t, TMatrix):
            raise TypeError(f"matrix {i} is a {type(t).__name__}: files hold T-matrices of spherical waves")
        rows.append((embedding(t.k0, t.medium_, t.polarization), t.basis._handle, np.asarray(t.array, complex)))
    told = (_unit(lunit), tuple(rows), name or None, description or None, keywords or None)
    if not _group_of(h5file):
        _core.tmatrix_save(os.fspath(h5file), *told)
        return
    import tempfile

    import h5py

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tmatrix.h5")
        _core.tmatrix_save(path, *told)
        with h5py.File(path) as file:
            taken = [key for key in file if key in h5file]
            if taken:
                raise ValueError(f"the group has {', '.join(taken)} already: give an empty one")
            for key in file:
                file.copy(key, h5file)
            for key, value in file.attrs.items():
                h5file.attrs[key] = value


MatrixSet = tuple[Any, ...]  # T-matrices, nested as deep as a sweep
_PREFIXES = {"y": 1e-24, "z": 1e-21, "a": 1e-18, "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "\u00b5": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1,
             "": 1.0, "da": 1e1, "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21, "Y": 1e24}
INVLENGTHS = {f"{p}m^{{-1}}": 1 / v for p, v in _PREFIXES.items()}
FREQUENCIES = {**{f"{p}Hz": v for p, v in _PREFIXES.items()}, **{f"{p}s^{{-1}}": 1 / v for p, v in _PREFIXES.items()}}


def mesh_spheres(radii: Array, positions: Array, model: Any, meshsize: float | None = None, meshsize_boundary: float | None = None) -> Any:
    """Adds spheres to a model of Gmsh (gmsh.model), each as a physical volume and a physical surface, with sizes of the mesh in them (default: a
    fifth of the least radius) and on their surfaces; the model is returned. Initialising Gmsh, making the mesh and writing it is the
    caller's."""
    radii, positions = np.asarray(radii, float).reshape(-1), np.asarray(positions, float).reshape(-1, 3)
    if len(radii) != len(positions) or not np.all(radii > 0):
        raise ValueError(f"{len(radii)} radii above 0 for {len(positions)} positions are wanted")
    inside = float(np.min(radii)) / 5 if meshsize is None else float(meshsize)
    edge = inside if meshsize_boundary is None else float(meshsize_boundary)
    tags = [model.occ.addSphere(*map(float, p), float(r)) for r, p in zip(radii, positions)]
    model.occ.synchronize()
    for tag in tags:
        surfaces = [t for _, t in model.getBoundary([(3, tag)], oriented=False)]
        model.addPhysicalGroup(3, [tag])
        model.addPhysicalGroup(2, surfaces)
        model.mesh.setSize(model.getEntitiesInBoundingBox(*model.getBoundingBox(3, tag), 0), inside)
        model.mesh.setSize(model.getBoundary([(3, tag)], recursive=True), edge)
    return model


__all__ = ["FREQUENCIES", "INVLENGTHS", "LENGTHS", "MatrixSet", "load_hdf5", "mesh_spheres", "save_hdf5"]
