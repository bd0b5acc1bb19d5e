"""Pictures by matplotlib: of pulses, scattering, lattices and stacks, scans. Each kind of Result.figure is a function of _KINDS."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable

import numpy as np

from ._needs import needed

_AXES = {"wavelength": ("wavelength (nm)", 1e9), "frequency": ("frequency (THz)", 1e-12),
         "angular_frequency": ("angular frequency (rad/fs)", 1e-15), "photon_energy": ("photon energy (eV)", 1.0)}
_C, _H, _E = 299792458.0, 6.62607015e-34, 1.602176634e-19
_STEPS = ((1e-15, "f"), (1e-12, "p"), (1e-9, "n"), (1e-6, "\u00b5"), (1e-3, "m"), (1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"))


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


def _scaled(values, unit: str):
    """(factor, unit) that brings the largest of the values, in SI, between 1 and 1000: of one letter of a unit, or an area."""
    finite = np.abs(np.asarray(values, float))
    finite = finite[np.isfinite(finite) & (finite > 0)]
    power = {"m2": 2, "m2/sr": 2}.get(unit, 1)
    if not finite.size or unit not in ("m", "s", "J", "W", "m2", "m2/sr", "Pa", "V/m"):
        return 1.0, unit if unit != "1" else ""
    largest = float(finite.max()) ** (1 / power)
    factor, letter = next(((f, p) for f, p in reversed(_STEPS) if largest >= f), _STEPS[0])
    return factor**-power, letter + unit.replace("m2", "m\u00b2")


def _label(name: str, unit: str) -> str:
    return f"{name.replace('_', ' ')} ({unit})" if unit else name.replace("_", " ")


def _unit(result, path: str) -> str:
    return result.datasets[path][0]


def _spectral(q, wavelength):
    """Wavelengths as the axis that is asked for: values, label; and in which order they rise."""
    label, scale = _AXES[q.axis]
    values = {"wavelength": wavelength, "frequency": _C / wavelength, "angular_frequency": 2 * np.pi * _C / wavelength,
              "photon_energy": _H * _C / (_E * wavelength)}[q.axis] * scale
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
    label, scale = _AXES[q.axis]
    ax = q.page.add_subplot(xlabel=label, ylabel="energy density (dB)", ylim=(-q.db, 3))
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
    label, scale = _AXES[q.axis]
    planes = q.result["field/z"]
    rows = [q.result.spectrum(q.axis, float(p)) for p in planes]
    power = np.array([density for _, density in rows])
    ax = q.page.add_subplot(xlabel=label, ylabel="z (m)")
    picture = ax.pcolormesh(rows[0][0] * scale, planes, _decibel(power, power.max(), q.db), shading="nearest", vmin=-q.db, vmax=0)
    ax.set_xlim(*_span(rows[0][0] * scale, power.max(0), power.max() * 10 ** (-q.db / 10)))
    q.page.colorbar(picture, label="energy density (dB)")


def _temporal(q):
    """Power at the first and at the last plane (or z): |a(t)|^2, a the transform of S, whose phase is that of the start of the window."""
    ax = q.page.add_subplot(xlabel="time (fs)", ylabel="power (of the peak)")
    omega, planes = q.result["field/omega"], q.result["field/z"]
    time = q.result["grid/t"][0] + 2 * np.pi * np.arange(len(omega)) / (len(omega) * (omega[1] - omega[0]))
    power = [(np.abs(np.fft.ifft(np.asarray(q.result.field(z)), axis=-1)) ** 2).sum((0, 1))
             for z in (float(planes[0]), float(planes[-1]) if q.z is None else q.z)]
    peak = max(p.max() for p in power)
    for p, name in zip(power, ("launch", "end")):
        ax.plot(1e15 * time, p / peak, label=name)
    ax.set_xlim(*_span(1e15 * time, np.maximum(*power), 1e-3 * peak))
    ax.legend()


def _stats(q):
    names = [p for p in q.result.datasets if p.startswith("stats/") and p != "stats/z" and len(q.result.datasets[p][1]) in (1, 2)]
    z = q.result["stats/z"]
    factor, unit = _scaled(z, "m")
    rows = -(-len(names) // 2) or 1
    q.page.set_size_inches(8, 2.2 * rows)
    for i, path in enumerate(names):
        values = q.result[path]
        scale, own = _scaled(values, _unit(q.result, path))
        ax = q.page.add_subplot(rows, 2, i + 1, xlabel=_label("z", unit) if i >= len(names) - 2 else "")
        ax.set_title(_label(path[6:], own), fontsize=9)
        ax.plot(factor * z, scale * np.asarray(values), lw=1)


def _energy_per_mode(q):
    z, values = q.result["stats/z"], q.result["stats/energy_per_mode"]
    factor, unit = _scaled(z, "m")
    scale, own = _scaled(values, "J")
    ax = q.page.add_subplot(xlabel=_label("z", unit), ylabel=_label("energy", own), yscale="log")
    names = q.result["grid/mode"] if "grid/mode" in q.result else range(values.shape[1])
    for name, column in zip(names, values.T):
        ax.plot(factor * z, scale * column, label=str(name))
    peak = scale * np.nanmax(values)
    ax.set_ylim(peak * 10 ** (-q.db / 10), 2 * peak)
    ax.legend()


def _steps(q):
    z, dz, good = q.result["steps/z"], q.result["steps/dz"], np.asarray(q.result["steps/accepted"], bool)
    factor, unit = _scaled(z, "m")
    ax = q.page.add_subplot(xlabel=_label("z", unit), ylabel="step (m)", yscale="log")
    ax.plot(factor * z[good], dz[good], ".", ms=3, label="accepted")
    if not good.all():
        ax.plot(factor * z[~good], dz[~good], "x", label="rejected")
    ax.legend()


# ---- scattering ----


def _lines(q, group: str, names, ylabel: str | None = None, widths=True):
    """Datasets of a group over the spectral axis, of the first light."""
    x, label, order = _spectral(q, q.result["sweep/wavelength"])
    columns = {n: _first_light(q.result, q.result[f"{group}/{n}"], 0) for n in names if f"{group}/{n}" in q.result}
    scale, unit = _scaled(np.concatenate(list(columns.values())), _unit(q.result, f"{group}/{next(iter(columns))}")) if widths else (1.0, "")
    ax = q.page.add_subplot(xlabel=label, ylabel=ylabel or _label(group, unit))
    for name, values in columns.items():
        ax.plot(x[order], scale * values[order], "-" if len(x) > 1 else "o", label=name)
    ax.legend()
    return ax, x, order, scale


def _cross_sections(q):
    ax, x, order, scale = _lines(q, "cross_sections", ("extinction", "scattering", "absorption"))
    for kind, style in (("electric", "--"), ("magnetic", ":")):
        path = f"cross_sections/extinction_{kind}"
        if path not in q.result:
            continue
        parts = _first_light(q.result, q.result[path], 1)
        for degree in range(min(2, parts.shape[1])):
            ax.plot(x[order], scale * parts[order, degree], style, lw=0.8, label=f"{kind}, l = {degree + 1}")
    ax.legend(fontsize=8)


def _near_field(q):
    E = q.result["near_field/E"][q.row]
    E = E[0] if E.ndim == 4 else E
    across = [n for n in "xyz" if len(np.atleast_1d(q.result[f"near_field/{n}"])) > 1]
    places = [np.atleast_1d(q.result[f"near_field/{n}"]) for n in across]
    factor, unit = _scaled(np.concatenate(places), "m")
    ax = q.page.add_subplot(xlabel=_label(across[0], unit), ylabel=_label(across[1], unit), aspect="equal")
    intensity = np.ma.masked_invalid((np.abs(E) ** 2).sum(-1))
    ax.set_facecolor("0.8")
    picture = ax.pcolormesh(factor * places[0], factor * places[1], intensity, shading="nearest")
    if "near_field/outlines" in q.result:
        outlines = factor * q.result["near_field/outlines"]
        ax.plot(outlines[:, 0], outlines[:, 1], "w-", lw=0.8)
    ax.set(xlim=factor * places[0][[0, -1]], ylim=factor * places[1][[0, -1]])
    ax.set_title(f"{1e9 * np.atleast_1d(q.result['near_field/wavelength'])[q.row]:.4g} nm", fontsize=9)
    q.page.colorbar(picture, label="|E|\u00b2 (incident: 1)")


def _far_field(q):
    angle, value = q.result["far_field/angle"], np.asarray(q.result["far_field/differential"])[q.row]
    value = value.reshape(-1, *value.shape[-2:])[0] if value.shape[-1] == len(angle) and value.ndim > 1 else value[None]
    scale, unit = _scaled(value, _unit(q.result, "far_field/differential"))
    ax = q.page.add_subplot(projection="polar")
    for plane, row in enumerate(value):
        ax.plot(angle, scale * row, label=("along theta", "along phi")[plane] if len(value) > 1 else None)
    q.page.suptitle(_label("differential", unit), fontsize=9)
    if len(value) > 1:
        ax.legend(loc="lower left", fontsize=8)


def _convergence(q):
    degree = q.result["convergence/lmax"]
    ax = q.page.add_subplot(xlabel="degree", ylabel="distance from the last degree (relative)", yscale="log")
    for name in ("extinction", "scattering"):
        values = _first_light(q.result, q.result[f"convergence/{name}"], 0)
        error = np.abs(values / values[-1] - 1)
        ax.plot(degree[:-1], np.maximum(error[:-1], 1e-17), "o-", label=name)
    ax.legend()


def _tmatrix(q):
    size = np.abs(np.asarray(q.result["tmatrix/tmatrix"]))[q.row]
    ax = q.page.add_subplot(xlabel="incident mode", ylabel="scattered mode", aspect="equal")
    floor = size.max() * 1e-12
    picture = ax.pcolormesh(np.log10(np.maximum(size, floor)))
    ax.invert_yaxis()
    q.page.colorbar(picture, label="log10 |T|")


# ---- lattices and stacks ----


def _light_of(values):
    """The recipe's own light of the first illumination: shares are [point, (illumination,) light]."""
    return values[..., 0].reshape(len(values), -1)[:, 0]


def _transmission(q):
    x, label, order = _spectral(q, q.result["sweep/wavelength"])
    ax = q.page.add_subplot(xlabel=label, ylabel="share of the power", ylim=(-0.02, 1.02))
    for name, text in (("T", "transmitted"), ("R", "reflected"), ("A", "absorbed")):
        ax.plot(x[order], _light_of(q.result[f"transmission/{name}"])[order], "-" if len(x) > 1 else "o", label=text)
    ax.legend()


def _orders(q):
    x, label, order = _spectral(q, q.result["sweep/wavelength"])
    orders = q.result["transmission/orders"].astype(int)
    for place, (name, text) in enumerate((("T_order", "transmitted"), ("R_order", "reflected"))):
        values = q.result[f"transmission/{name}"]
        values = values.reshape(len(x), -1, *values.shape[-2:])[:, 0, 0]
        ax = q.page.add_subplot(2, 1, place + 1, xlabel=label if place else "", ylabel=text)
        for i, pair in enumerate(orders):
            if np.nanmax(np.abs(values[:, i])) > 1e-6:
                ax.plot(x[order], values[order, i], label=f"({pair[0]}, {pair[1]})")
        ax.legend(fontsize=8)


def _dichroism(q):
    _lines(q, "cd", ("transmission", "outgoing", "absorption"), "circular dichroism", widths=False)


def _bands(q):
    if "bands/resonance" not in q.result:
        kz = q.result["bands/kz"]
        x, label, _ = _spectral(q, q.result["sweep/wavelength"])
        ax = q.page.add_subplot(xlabel="Re kz (rad/\u00b5m)", ylabel=label)
        kz = kz.reshape(len(x), -1)
        carries = np.abs(kz.imag) < 1e-3 * np.max(np.abs(kz.real))
        for at, row, here in zip(x, kz, carries):
            ax.plot(1e-6 * row.real[here], np.full(here.sum(), at), "k.", ms=2)
        return
    x, label, order = _spectral(q, q.result["sweep/wavelength"])
    ax = q.page.add_subplot(xlabel="along the path (rad/\u00b5m)", ylabel=label)
    value = np.log10(q.result["bands/resonance"])
    picture = ax.pcolormesh(1e-6 * q.result["bands/way"], x[order], value[order], shading="nearest", cmap="magma")
    for corner in q.result["bands/corners"]:
        ax.axvline(1e-6 * corner, color="w", lw=0.5)
    q.page.colorbar(picture, label="log10 of the least singular value")


# ---- scans ----


def _scan_value(q):
    """(path, values [axes], names of the axes): the quantity that is asked for, else the first; of rows the last counts."""
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
    return path, values[..., -1] if values.ndim > len(status) else values, names


def _scan_axis(q, name: str, n: int):
    path = f"scan/axes/{name}"
    values = q.result[path]
    if isinstance(values, list) or len(values) != n:
        return np.arange(1, n + 1), f"{name}, number"
    factor, unit = _scaled(values, _unit(q.result, path))
    return factor * np.asarray(values, float), _label(name, unit)


def _map(q):
    path, values, names = _scan_value(q)
    while values.ndim > 2:
        values = values[0]
    (y, ylabel), (x, xlabel) = (_scan_axis(q, name, n) for name, n in zip(names[-2:], values.shape))
    scale, unit = _scaled(values, _unit(q.result, path))
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=ylabel)
    picture = ax.pcolormesh(x, y, scale * values, shading="nearest")
    q.page.colorbar(picture, label=_label(path[5:].replace("/", "."), unit))


def _scan_lines(q):
    path, values, names = _scan_value(q)
    x, xlabel = _scan_axis(q, names[-1], values.shape[-1])
    scale, unit = _scaled(values, _unit(q.result, path))
    ax = q.page.add_subplot(xlabel=xlabel, ylabel=_label(path[5:].replace("/", "."), unit))
    rows = values.reshape(-1, values.shape[-1])
    for i, row in enumerate(rows[:10]):
        label = None
        if values.ndim > 1:
            at, name = _scan_axis(q, names[-2], values.shape[-2])
            label = f"{name.split(' (')[0].rpartition('.')[2]} {at[i % len(at)]:.4g}"
        ax.plot(x, scale * row, "o-", label=label)
    if values.ndim > 1:
        ax.legend(fontsize=8)


_KINDS: dict[str, Callable[[Any], None]] = {
    "spectrum": _spectrum, "evolution": _evolution, "temporal": _temporal, "stats": _stats, "energy_per_mode": _energy_per_mode, "steps": _steps,
    "cross_sections": _cross_sections, "near_field": _near_field, "far_field": _far_field, "convergence": _convergence, "tmatrix": _tmatrix,
    "transmission": _transmission, "orders": _orders, "cd": _dichroism, "bands": _bands, "map": _map, "lines": _scan_lines}
