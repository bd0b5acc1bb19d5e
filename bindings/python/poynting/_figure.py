"""Pictures by matplotlib: of pulses, scattering, lattices and stacks, scans. Each kind of Result.figure is a function of _KINDS. What they
say of a quantity, and in which unit, is what the pictures of gnuplot say: see _caption."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable

import numpy as np

from . import _core
from ._needs import needed

_AXES = ("wavelength", "frequency", "angular_frequency", "photon_energy")
_C, _H, _E = 299792458.0, 6.62607015e-34, 1.602176634e-19


def figure(result, kind: str | None, axis: str, db: float, z, quantity: str | None, row: int):
    """See Result.figure."""
    needed("matplotlib", "Result.figure", ". Result.plot draws with gnuplot")
    from matplotlib.figure import Figure

    if axis not in _AXES:
        raise ValueError(f"axis: {axis!r} is not one of {', '.join(_AXES)}")
    if not db > 0:
        raise ValueError(f"db = {db}: decibels below the peak have to be above 0")
    here = [k for k in result.kinds() if k in _KINDS]
    kind = here[0] if kind is None and here else kind
    if kind not in here:
        other = "; Result.plot draws it" if kind in result.kinds() else ""
        raise ValueError(f"kind: {kind!r} is not {', '.join(here) or 'there: this file has no picture'}{other}; Result.plot draws "
                         f"{', '.join(result.kinds())}")
    page = Figure(layout="constrained")
    _KINDS[kind](SimpleNamespace(page=page, result=result, axis=axis, db=db, z=z, quantity=quantity, row=row))
    return page


# ---- pieces ----


def _caption(key: str, values=None, si: str | None = None, about: str | None = None) -> tuple[str, float]:
    """(label, factor from SI to its unit) of numbers in SI: rows of the table that the pictures of gnuplot have, captions.def."""
    finite = np.abs(np.asarray(1.0 if values is None else values, float))
    finite = finite[np.isfinite(finite)]
    return _core.plot_label(key, about, si, float(finite.max()) if finite.size else 0.0)


def _said(key: str) -> str:
    return _caption(key)[0]


def _place(z: float) -> str:
    """A position, as "3.2 cm"."""
    label, factor = _caption("z", z)
    return f"{factor * z:.4g} {label[label.index('(') + 1:-1]}" if z else "0"


def _about(result, path: str, values) -> tuple[str, float]:
    """The caption of a dataset, by its name, unit and long name."""
    units, text = result._datasets[path][:2]
    return _caption(path.rpartition("/")[2], values, units, text)


def _unit(result, path: str) -> str:
    return result.datasets[path][0]


def _axis(name: str) -> tuple[str, float]:
    """Label and factor of a spectral axis; photon energies are in eV here."""
    label, factor = _caption(name)
    return label, 1.0 if name == "photon_energy" else factor


def _spectral(q, wavelength, axis: str | None = None):
    """Wavelengths as the axis that is asked for: values, label; and in which order they rise."""
    axis = axis or q.axis
    label, scale = _axis(axis)
    values = {"wavelength": wavelength, "frequency": _C / wavelength, "angular_frequency": 2 * np.pi * _C / wavelength,
              "photon_energy": _H * _C / (_E * wavelength)}[axis] * scale
    return values, label, np.argsort(values)


def _first_light(result, values, extra: int):
    """The first light, where datasets have an axis of lights; extra: axes of a row beside it."""
    return values[:, 0] if values.ndim == extra + 2 else values


def _decibel(power, peak, db):
    return 10 * np.log10(np.maximum(power / peak, 10 ** (-db / 10 - 1)))


def _span(x, values, floor):
    """From the first to the last x at which the values are above a floor, with a margin."""
    inside = np.flatnonzero(values > floor)
    low, high = (x[inside[0]], x[inside[-1]]) if inside.size > 1 else (x[0], x[-1])
    margin = 0.05 * (high - low)
    return max(low - margin, x[0]), min(high + margin, x[-1])


# ---- pulses ----


def _spectrum(q):
    label, scale = _axis(q.axis)
    ax = q.page.add_subplot(xlabel=label, ylabel=_said(f"density_{q.axis}"), ylim=(-q.db, 3))
    x, density = q.result.spectrum(q.axis, q.z)
    peak = density.max()
    ax.plot(x * scale, _decibel(density, peak, q.db), label="all modes")
    ax.set_xlim(*_span(x * scale, density, peak * 10 ** (-q.db / 10)))
    modes = q.result.datasets["field/spectrum"][1][1]
    for i in range(modes if modes > 1 else 0):
        ax.plot(x * scale, _decibel(q.result.spectrum(q.axis, q.z, modes=i)[1], peak, q.db), lw=0.8, label=f"mode {i}")
    if modes > 1:
        ax.legend()


def _evolution(q):
    label, scale = _axis(q.axis)
    planes = q.result["field/z"]
    along, factor = _caption("z", planes)
    rows = [q.result.spectrum(q.axis, float(p)) for p in planes]
    power = np.array([density for _, density in rows])
    ax = q.page.add_subplot(xlabel=label, ylabel=along)
    picture = ax.pcolormesh(rows[0][0] * scale, factor * planes, _decibel(power, power.max(), q.db), shading="nearest", vmin=-q.db, vmax=0)
    low, high = _span(rows[0][0] * scale, power.max(0), power.max() * 10 ** (-q.db / 10))
    ax.set_xlim(low, high)
    if q.axis == "wavelength" and high > 5 * low > 0:  # else waves in the ultraviolet are a thin line
        ax.set_xscale("log")
    q.page.colorbar(picture, label=_said("below_maximum"))


def _temporal(q):
    """Power at the first and at the last plane (or z): |A(t)|^2 in W, A the transform of S, whose phase is that of the start of the window."""
    omega, planes = q.result["field/omega"], q.result["field/z"]
    band = len(omega) * (omega[1] - omega[0])
    time = q.result["grid/t"][0] + 2 * np.pi * np.arange(len(omega)) / band
    ends = [float(planes[0]), float(planes[-1]) if q.z is None else q.z]
    power = [(np.abs(np.fft.ifft(np.asarray(q.result.field(z)), axis=-1)) ** 2).sum((0, 1)) * band**2 / (2 * np.pi) for z in ends]
    peak = max(p.max() for p in power)
    shown = _span(time, np.maximum(*power), 1e-3 * peak)
    (xlabel, scale), (ylabel, factor) = _caption("t", shown), _caption("power", peak)
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=ylabel)
    for p, z in zip(power, ends):
        ax.plot(scale * time, factor * p, label=f"z = {_place(z)}")
    ax.set_xlim(scale * shown[0], scale * shown[1])
    ax.legend()


def _stats(q):
    """Those that change; of what stays within a hundredth of its start, the change."""
    paths = [p for p in q.result.datasets if p.startswith("stats/") and p != "stats/z" and len(q.result.datasets[p][1]) == 1]
    rows = {p: np.asarray(q.result[p], float) for p in paths}
    rows = {p: y for p, y in rows.items() if not np.all(np.abs(y[1:] - y[0]) <= 1e-12 * abs(y[0]))}
    label, factor = _caption("z", q.result["stats/z"])
    z, height = factor * q.result["stats/z"], -(-len(rows) // 2) or 1
    q.page.set_size_inches(8, 2.2 * height)
    for i, (path, values) in enumerate(rows.items()):
        own, scale = _about(q.result, path, values)
        if np.all(np.abs(values - values[0]) < 1e-2 * abs(values[0])):
            own, values, scale = f"{own.rpartition(' (')[0] or own}: change", values / values[0] - 1, 1.0
        ax = q.page.add_subplot(height, 2, i + 1, xlabel=label if i >= len(rows) - 2 else "")
        ax.set_title(own, fontsize=9)
        ax.plot(z, scale * values, lw=1)


def _energy_per_mode(q):
    values = q.result["stats/energy_per_mode"]
    (xlabel, factor), (ylabel, scale) = _caption("z", q.result["stats/z"]), _caption("energy", values)
    z = factor * q.result["stats/z"]
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=ylabel, yscale="log")
    names = q.result["grid/mode"] if "grid/mode" in q.result else range(values.shape[1])
    for name, column in zip(names, values.T):
        ax.plot(z, scale * column, label=str(name))
    peak = scale * np.nanmax(values)
    ax.set_ylim(peak * 10 ** (-q.db / 10), 2 * peak)
    ax.legend()


def _steps(q):
    z, dz, cause = (np.asarray(q.result[f"steps/{name}"]) for name in ("z", "dz", "cause"))
    good = np.asarray(q.result["steps/accepted"], bool)
    cut = good & ((cause == 1) | (cause == 2))
    (xlabel, factor), (ylabel, scale) = _caption("z", z + dz), _caption("step", dz)
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=ylabel, yscale="log")
    for chosen, mark, key in ((good & ~cut, ".", "step_kept"), (cut, ".", "step_cut"), (~good, "x", "step_rejected")):
        if chosen.any():
            ax.plot(factor * z[chosen], scale * dz[chosen], mark, ms=3 if mark == "." else None, label=_said(key))
    ax.legend()


# ---- scattering ----


def _lines(q, group: str, names, ylabel: str, factor: float, legends: dict[str, str]):
    """Datasets of a group over the spectral axis, of the first light."""
    x, label, order = _spectral(q, q.result["sweep/wavelength"])
    ax = q.page.add_subplot(xlabel=label, ylabel=ylabel)
    for name in names:
        if f"{group}/{name}" in q.result:
            values = _first_light(q.result, q.result[f"{group}/{name}"], 0)
            ax.plot(x[order], factor * values[order], "-" if len(x) > 1 else "o", label=legends.get(name, name))
    ax.legend()
    return ax, x, order


def _cross_sections(q):
    names = ("extinction", "scattering", "absorption")
    values = [_first_light(q.result, q.result[f"cross_sections/{n}"], 0) for n in names]
    label, scale = _caption("cross_section" if _unit(q.result, "cross_sections/extinction") == "m2" else "cross_width", np.concatenate(values))
    ax, x, order = _lines(q, "cross_sections", names, label, scale, {})
    for kind, style in (("electric", "--"), ("magnetic", ":")):
        path = f"cross_sections/extinction_{kind}"
        if path not in q.result:
            continue
        parts = _first_light(q.result, q.result[path], 1)
        for degree, part in enumerate(parts.T):
            if np.nanmax(np.abs(part)) >= 0.01 * np.nanmax(values):
                word = f" {('dipole', 'quadrupole', 'octupole')[degree]}" if degree < 3 else f", degree {degree + 1}"
                ax.plot(x[order], scale * part[order], style, lw=0.8, label=kind + word)
    ax.legend(fontsize=8)


def _wavelength(q, group: str) -> str:
    return f"{1e9 * np.atleast_1d(q.result[f'{group}/wavelength'])[q.row]:.5g} nm"


def _near_field(q):
    """|E|^2, in decades where it spans more than two."""
    E = q.result["near_field/E"][q.row]
    E = E[0] if E.ndim == 4 else E
    across = [n for n in "xyz" if len(np.atleast_1d(q.result[f"near_field/{n}"])) > 1]
    places = [np.atleast_1d(q.result[f"near_field/{n}"]) for n in across]
    reach = np.concatenate(places)
    (xlabel, factor), (ylabel, _) = (_caption(f"near_{n}", reach) for n in across)
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=ylabel, aspect="equal")
    intensity = np.ma.masked_invalid((np.abs(E) ** 2).sum(-1))
    seen = intensity[intensity > 0]
    decades = seen.count() > 0 and seen.max() > 100 * seen.min()
    ax.set_facecolor("0.8")
    picture = ax.pcolormesh(factor * places[0], factor * places[1], np.ma.log10(intensity) if decades else intensity, shading="nearest")
    if "near_field/outlines" in q.result:
        outlines = factor * q.result["near_field/outlines"]
        for color, width in (("w", 2.0), ("0.1", 0.8)):
            ax.plot(outlines[:, 0], outlines[:, 1], "-", color=color, lw=width)
    ax.set(xlim=factor * places[0][[0, -1]], ylim=factor * places[1][[0, -1]])
    ax.set_title(_wavelength(q, "near_field"), fontsize=9)
    q.page.colorbar(picture, label=_said("intensity_log" if decades else "intensity"))


def _far_field(q):
    angle, value = q.result["far_field/angle"], np.asarray(q.result["far_field/differential"])[q.row]
    value = value.reshape(-1, *value.shape[-2:])[0] if value.shape[-1] == len(angle) and value.ndim > 1 else value[None]
    label, scale = _caption("differential_section" if len(value) > 1 else "differential_width", value)
    ax = q.page.add_subplot(projection="polar")
    for plane, row in enumerate(value):
        ax.plot(angle, scale * row, label=_said(f"far_plane_{plane}") if len(value) > 1 else None)
    q.page.suptitle(f"{label} at {_wavelength(q, 'far_field')}", fontsize=9)
    if len(value) > 1:
        ax.legend(loc="lower left", fontsize=8)


def _convergence(q):
    degree = q.result["convergence/lmax"]
    ax = q.page.add_subplot(xlabel=_said("degree"), ylabel=_said("degree_error"), yscale="log")
    ax.set_title(f"convergence at {_wavelength(q, 'convergence')}: distance from the last degree over its extinction", fontsize=9)
    extinction = abs(_first_light(q.result, q.result["convergence/extinction"], 0)[-1])
    for name in ("extinction", "scattering", "absorption"):
        values = _first_light(q.result, q.result[f"convergence/{name}"], 0)
        error = np.abs(values - values[-1]) / extinction
        ax.plot(degree[:-1], np.maximum(error[:-1], 1e-17), "o-", label=name)
    ax.legend()


def _tmatrix(q):
    size = np.abs(np.asarray(q.result["tmatrix/tmatrix"]))[q.row]
    ax = q.page.add_subplot(xlabel=_said("incident_mode"), ylabel=_said("scattered_mode"), aspect="equal")
    floor = size.max() * 1e-12
    picture = ax.pcolormesh(np.log10(np.maximum(size, floor)))
    ax.invert_yaxis()
    q.page.colorbar(picture, label=_said("tmatrix"))


# ---- lattices and stacks ----


def _light_of(values):
    """The recipe's own light of the first illumination: shares are [point, (illumination,) light]."""
    return values[..., 0].reshape(len(values), -1)[:, 0]


def _transmission(q):
    x, label, order = _spectral(q, q.result["sweep/wavelength"])
    ax = q.page.add_subplot(xlabel=label, ylabel=_said("share"), ylim=(-0.02, 1.02))
    for name in "TRA":
        ax.plot(x[order], _light_of(q.result[f"transmission/{name}"])[order], "-" if len(x) > 1 else "o", label=_said(f"share_{name}"))
    ax.legend()


def _orders(q):
    x, label, order = _spectral(q, q.result["sweep/wavelength"])
    orders = q.result["transmission/orders"].astype(int)
    for place, (name, text) in enumerate((("T_order", "transmitted_order"), ("R_order", "reflected_order"))):
        values = q.result[f"transmission/{name}"]
        values = values.reshape(len(x), -1, *values.shape[-2:])[:, 0, 0]
        ax = q.page.add_subplot(2, 1, place + 1, xlabel=label if place else "", ylabel=_said(text))
        for i, pair in enumerate(orders):
            if np.nanmax(np.abs(values[:, i])) > 1e-6:
                ax.plot(x[order], values[order, i], label=f"({pair[0]}, {pair[1]})")
        ax.legend(fontsize=8)


def _dichroism(q):
    names = ("transmission", "outgoing", "absorption")
    _lines(q, "cd", names, _said("dichroism"), 1.0, {n: _said(f"cd_{n}") for n in names})


def _bands(q):
    x, label, order = _spectral(q, q.result["sweep/wavelength"], "photon_energy")
    if "bands/resonance" not in q.result:
        xlabel, factor = _caption("bloch_kz")
        ax = q.page.add_subplot(xlabel=xlabel, ylabel=label)
        kz = q.result["bands/kz"].reshape(len(x), -1)
        carries = np.abs(kz.imag) < 1e-3 * np.max(np.abs(kz.real))
        for at, row, here in zip(x, kz, carries):
            ax.plot(factor * row.real[here], np.full(here.sum(), at), "k.", ms=2)
        return
    xlabel, factor = _caption("bloch_path")
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=label)
    value = np.log10(q.result["bands/resonance"])
    picture = ax.pcolormesh(factor * q.result["bands/way"], x[order], value[order], shading="nearest")
    for corner in q.result["bands/corners"]:
        ax.axvline(factor * corner, color="w", lw=0.5)
    q.page.colorbar(picture, label=_said("resonance"))


# ---- scans ----


def _scan_value(q):
    """(values [axes] and label of the quantity that is asked for, else the first, names of the axes); of rows the last counts."""
    r = q.result
    status = r.datasets["scan/status"][1]
    names = r._datasets["scan/status"][5].split()[:len(status)]
    skip = ("scan/status", "scan/axes/", "scan/members", "scan/omega", "scan/illumination", "scan/particles")
    known = [p for p in r.datasets if p.startswith("scan/") and not p.startswith(skip) and not p.endswith(("valid_length", "/k0", "/z"))
             and len(r.datasets[p][1]) in (len(status), len(status) + 1) and r.datasets[p][1][:len(status)] == status]
    known = [p for p in known if np.isrealobj(r[p])]
    wanted = q.quantity and q.quantity.replace(".", "/")
    path = next((p for p in known if p == f"scan/{wanted}" or p == f"scan/stats/{wanted}"), None) if wanted else None
    if wanted and path is None:
        raise ValueError(f"quantity: {q.quantity!r} is not one of {', '.join(p[5:].replace('/', '.') for p in known)}")
    told = [p for p in known if not p.startswith(("scan/convergence", "scan/sweep"))] or known
    path = path or next((p for p in told if len(r.datasets[p][1]) == len(status)), told[0])
    values = np.asarray(r[path], float)
    rows = values.ndim > len(status)
    values = values[..., -1] if rows else values
    label, factor = _caption(path.rpartition("/")[2] + (" at the end" if rows else ""), values, _unit(r, path))
    return factor * values, label, names


def _scan_axis(q, name: str, n: int):
    path = f"scan/axes/{name}"
    values = q.result[path]
    if isinstance(values, list) or len(values) != n:
        return np.arange(1, n + 1), f"{name}, number"
    label, factor = _caption(name, values, _unit(q.result, path))
    return factor * np.asarray(values, float), label


def _map(q):
    values, label, names = _scan_value(q)
    while values.ndim > 2:
        values = values[0]
    (y, ylabel), (x, xlabel) = (_scan_axis(q, name, n) for name, n in zip(names[-2:], values.shape))
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=ylabel)
    picture = ax.pcolormesh(x, y, values, shading="nearest")
    q.page.colorbar(picture, label=label)


def _scan_lines(q):
    values, label, names = _scan_value(q)
    x, xlabel = _scan_axis(q, names[-1], values.shape[-1])
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=label)
    rows = values.reshape(-1, values.shape[-1])
    for i, row in enumerate(rows[:10]):
        text = None
        if values.ndim > 1:
            at, name = _scan_axis(q, names[-2], values.shape[-2])
            key, _, unit = name.rstrip(")").partition(" (")
            text = f"{key.rpartition('.')[2]} = {at[i % len(at)]:.4g} {unit}".rstrip()
        ax.plot(x, row, "o-", label=text)
    if values.ndim > 1:
        ax.legend(fontsize=8)


_KINDS: dict[str, Callable[[Any], None]] = {
    "spectrum": _spectrum, "evolution": _evolution, "temporal": _temporal, "stats": _stats, "energy_per_mode": _energy_per_mode, "steps": _steps,
    "cross_sections": _cross_sections, "near_field": _near_field, "far_field": _far_field, "convergence": _convergence, "tmatrix": _tmatrix,
    "transmission": _transmission, "orders": _orders, "cd": _dichroism, "bands": _bands, "map": _map, "lines": _scan_lines}
