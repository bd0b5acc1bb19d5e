"""A result file as an xarray.Dataset."""
from __future__ import annotations

from ._needs import needed

# The groups whose datasets have axes of their own.
_GROUPS = ("field", "grid", "stats", "steps")


def _dims(path: str, shape: tuple[int, ...]) -> tuple[str, ...]:
    group, _, name = path.rpartition("/")
    if path == "field/spectrum":
        return ("z", "mode", "polarisation", "omega")
    if name in ("z", "t", "omega"):
        return (name,) if group in ("field", "grid") else (f"{group}_{name}",)
    if group in ("stats", "steps"):
        return (f"{group}_z", *(f"{group}_{name}_{k}" for k in range(1, len(shape))))
    return tuple(f"{path.replace('/', '_')}_{k}" for k in range(len(shape)))


def _of_run(result):
    variables, coordinates = {}, {}
    datasets = dict(result._datasets)
    for alias, path in (("field/omega", "grid/omega"), ("field/z", "grid/z")):  # one dataset under two names is listed once
        if path in datasets and alias not in datasets:
            datasets[alias] = datasets[path]
    for path, (units, text, shape, _, is_text, _) in datasets.items():
        group, _, name = path.rpartition("/")
        if is_text or group not in _GROUPS or path in ("grid/omega", "grid/z") or not shape:
            continue
        dims = _dims(path, shape)
        short = name if group == "field" or (group == "grid" and name == "t") else f"{group}_{name}"
        target = coordinates if dims == (short,) else variables
        target[short] = (dims, result[path], {"units": units, "long_name": text})
    return variables, coordinates


_VIEWS = ("near_field", "far_field", "convergence")  # series of wavelengths of their own


def _is_view(group: str) -> bool:
    return group.startswith(_VIEWS)


def _axes(group: str, name: str, dims: str, shape: tuple[int, ...]) -> tuple[str, ...]:
    """Names of a scattering dataset's axes: those of the file; k0, the rows, is "wavelength"; what belongs to one series has its name in
    front; axes that the file does not name are numbered."""
    known = dims.split()
    known += [f"{group}_{name}_{k}" for k in range(len(known), len(shape))]
    shared = ("component", "helicity", "illumination", "particle", "degree", "light", "axis")
    return tuple(("wavelength" if not _is_view(group) else f"{group}_wavelength") if d == "k0" else f"{group}_{d}" if _is_view(group) and d not in shared
                 else d for d in known)


def _of_scattering(result):
    """Quantities by wavelength and what else they depend on."""
    variables, coordinates = {}, {}
    for path, (units, text, shape, _, is_text, dims) in result._datasets.items():
        group, _, name = path.rpartition("/")
        if is_text or not shape or group.split("/")[0] in ("provenance", "recipe", "resume", "") or name == "k0":
            continue
        group = group.replace("/", "_")
        short = "wavelength" if path == "sweep/wavelength" else f"{group}_{name}"
        axes = _axes(group, name, dims if len(dims.split()) <= len(shape) else "", shape)
        target = coordinates if axes == (short,) else variables
        target[short] = (axes, result[path], {"units": units, "long_name": text})
    return variables, coordinates


def _of_scan(result):
    """Quantities by the axes of the scan, the file's own names: "pulse.0.energy", then "mode", "omega", "row", ..."""
    variables, coordinates = {}, {}
    for path, (units, text, shape, _, is_text, dims) in result._datasets.items():
        group, _, name = path.partition("/")
        if path in ("grid/omega", "grid/t"):
            target = coordinates
        elif group == "scan" and path != "scan/failures":
            is_axis = name.startswith("axes/")
            name, target = (name.removeprefix("axes/"), coordinates) if is_axis else (name.replace("/", "_"), variables)
        else:
            continue
        part = path.split("/")[1]
        # rows of statistics and of steps, and wavelengths of fields, are axes of their own
        axes = tuple(f"{part}_{a}" if a == "row" or (a == "k0" and _is_view(part)) else a for a in dims.split())
        axes += tuple(f"{name}_{k}" for k in range(len(axes), len(shape)))
        if len(axes) != len(shape):
            raise ValueError(f"{result.path}: {path} has {len(shape)} axes and names for {len(axes)}")
        target[name] = (axes, result[path], {"units": units, "long_name": text})
    return variables, coordinates


def dataset_of(result):
    """Fields, statistics and steps with their axes, what scatters by wavelength, or a scan's quantities with its axes; everything else of the file stays in
    result[path]."""
    xr = needed("xarray", "to_xarray")
    ways = {"scan": _of_scan, "scatter": _of_scattering}
    variables, coordinates = ways.get(result.attribute("kind") or "", _of_run)(result)
    attributes = {k: result.attribute(k) for k in ("name", "kind", "version", "backend", "created", "complete",
                                                   "time_factor", "config_sha256")}
    return xr.Dataset(variables, coordinates, {k: v for k, v in attributes.items() if v is not None})
