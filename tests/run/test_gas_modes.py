"""Gas-filled guides with several modes and two polarisations: columns of the file, their numbers, and resuming."""

import h5py
import numpy as np
import pytest
from command import check, run
from hollow import CAPILLARY, LEAN, PULSE, SHORT, recipe, result


def test_modes(tmp_path):
    """Two pulses in two modes, as columns of the file; what each mode has adds up."""
    second = PULSE + '\n[[pulse]]\nwavelength = "800 nm"\nenergy = "20 uJ"\nfwhm = "10 fs"\nmode = "HE12"'
    path = result(tmp_path, geometry=SHORT + '\nmodes = ["HE11", "HE12", "HE13"]', pulse=second, **LEAN,
                  output='planes = 2\nstats = ["energy", "energy_per_mode", "quadrature_error", "peak_intensity"]',
                  plots='kinds = []')
    with h5py.File(path) as f:
        spectrum, omega = f["field/spectrum"][:], f["grid/omega"][:]
        assert [m.decode() for m in f["grid/mode"][:]] == ["HE11", "HE12", "HE13"] and spectrum.shape[1:3] == (3, 1)
        stats = {name: f["stats"][name][:] for name in f["stats"]}
    energies = np.sum(np.abs(spectrum[..., 0, :]) ** 2, axis=-1) * (omega[1] - omega[0])
    assert np.allclose(energies, stats["energy_per_mode"][[0, -1]], rtol=1e-12, atol=1e-20)
    assert np.allclose(energies[0], [120e-6, 20e-6, 0], rtol=1e-12, atol=1e-20) and energies[1, 2] > 0
    assert np.allclose(stats["energy_per_mode"].sum(axis=1), stats["energy"], rtol=1e-12)
    assert np.all(stats["quadrature_error"][1:] < 1e-3)
    drawn = run("plot", "gas.h5", "energy_per_mode", "evolution", "spectrogram", "--csv", cwd=tmp_path)
    assert drawn.returncode == 0 and "energy HE13 (J)" in (tmp_path / "gas_energy_per_mode.csv").read_text(), drawn.stderr
    check_numbers_of_modes(tmp_path, energies, stats)


def read_csv(path):
    """Names and columns of the first table of a picture's numbers."""
    names, *rows = path.read_text().split("\n\n")[0].splitlines()[2:]
    return names.strip('"').split('","'), np.array([[float(v) for v in row.split(",")] for row in rows]).T


def check_numbers_of_modes(folder, energies, stats):
    """What --csv writes is physical and linear: energies are integrals of it."""
    done = run("plot", "gas.h5", "stats", "evolution", "spectrum", "--csv", "--axis", "frequency", cwd=folder)
    assert done.returncode == 0, done.stderr
    names, columns = read_csv(folder / "gas_stats.csv")
    assert names[0] == "z (m)" and np.allclose(columns[names.index("energy (J)")], stats["energy"], rtol=1e-8)
    assert np.allclose(columns[names.index("energy HE12 (J)")], stats["energy_per_mode"][:, 1], rtol=1e-8)
    names, columns = read_csv(folder / "gas_spectrum.csv")
    assert names == ["frequency (THz)", "energy density z = 1 mm (J/THz)", "energy density z = 0 (J/THz)"]
    for column, energy in zip(columns[1:], energies[::-1]):
        assert np.isclose(np.sum(column) * (columns[0][1] - columns[0][0]), energy.sum(), rtol=1e-6)
    names, columns = read_csv(folder / "gas_evolution.csv")
    assert names == ["frequency (THz)", "distance (mm)", "energy density (J/THz)"]
    end = columns[:, columns[1] == columns[1].max()]
    assert np.isclose(np.sum(end[2]) * (end[0][1] - end[0][0]), energies[1].sum(), rtol=2e-3)  # of the frame, in pixels
    done = run("plot", "gas.h5", "spectrum", "--csv", "--axis", "frequency", "--modes", "HE12", cwd=folder)
    names, columns = read_csv(folder / "gas_spectrum.csv")
    assert np.isclose(np.sum(columns[1]) * (columns[0][1] - columns[0][0]), energies[1, 1], rtol=1e-6)
    done = run("plot", "gas.h5", "temporal", "--csv", "--modes", "all", cwd=folder)
    names, columns = read_csv(folder / "gas_temporal.csv")
    assert [n.rsplit(" (", 1)[0] for n in names[1::2]] == [f"power HE1{k} z = 1 mm" for k in (1, 2, 3)]
    done = run("plot", "gas.h5", "spectrum", "--modes", "HE14", cwd=folder)
    assert done.returncode == 2 and "has no mode 'HE14': its modes are HE11 to HE13, or 1 to 3" in done.stderr


def test_resume_of_modes(tmp_path):
    result(tmp_path, geometry=SHORT + "\nmodes = 2", **LEAN)
    done = run("-q", "resume", "gas.h5", "--extend", "1 mm", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "gas.h5") as f:
        extended = f["field/spectrum"][-1]
        assert list(f["grid/z"][:]) == [0, 0.001, 0.002]
    whole = result(tmp_path, geometry=SHORT.replace("1 mm", "2 mm") + "\nmodes = 2", output='plane_positions = ["1 mm"]', **LEAN)
    with h5py.File(whole) as f:
        assert np.linalg.norm(f["field/spectrum"][-1] - extended) < 1e-6 * np.linalg.norm(extended)


def test_one_mode_at_points(tmp_path):
    """One mode whose field is taken at points is the averaged one."""
    fields = []
    for averaged in ("true", "false"):
        with h5py.File(result(tmp_path, geometry=SHORT + f"\naveraged = {averaged}", **LEAN)) as f:
            fields.append(f["field/spectrum"][-1])
    assert np.linalg.norm(fields[1] - fields[0]) < 1e-9 * np.linalg.norm(fields[0])


def test_polarisations(tmp_path):
    """Circular light has two thirds of the nonlinear phase of linear light (propagation.md 14, law 10)."""
    spectra = {}
    for word in ('"y"', '"x"', '"right"', '"left"', "{ ellipticity = 0.5 }"):
        physics = 'plasma = false\nthg = false\nfield = "envelope"'
        with h5py.File(result(tmp_path, geometry=SHORT, grid=LEAN["grid"], physics=physics, pulse=PULSE + f"\npolarisation = {word}")) as f:
            spectra[word] = f["field/spectrum"][:, 0]
            if word != '"y"':
                assert [p.decode() for p in f["grid/polarisation"][:]] == ["y", "x"]
    linear, turned, right, left, ellipse = spectra.values()
    assert np.allclose(linear[-1, 0], turned[-1, 1], rtol=0, atol=1e-9 * np.max(np.abs(linear)))
    assert np.allclose(right[0, 1], 1j * right[0, 0]) or np.allclose(right[0, 1], -1j * right[0, 0])
    assert np.allclose(right[0, 1], -left[0, 1])
    assert abs(np.sum(np.abs(ellipse[0, 1]) ** 2) / np.sum(np.abs(ellipse[0, 0]) ** 2) - 0.25) < 1e-9


def test_polarisations_of_a_rectangle(tmp_path):
    """Each of its modes has one: refused with what to do, which runs."""
    rectangle = 'type = "rectangular"\nhalf_width_x = "100 um"\nhalf_width_y = "80 um"\nlength = "1 mm"\n'
    code, checked, _ = check(tmp_path, recipe(geometry=rectangle, pulse=PULSE + '\npolarisation = "x"'))
    (fault,) = checked["faults"]
    assert code == 3 and fault["key"] == "geometry.modes"
    modes = fault["hint"].split("name ")[1].split("]")[0] + "]"
    both = PULSE + '\nmode = "Ey11"\n[[pulse]]\n' + PULSE + '\nmode = "Ex11"\nphase = { cep = "1.5708 rad" }'
    path = result(tmp_path, geometry=rectangle + modes, pulse=both)
    with h5py.File(path) as f:
        energy = np.sum(np.abs(f["field/spectrum"][-1]) ** 2, axis=(1, 2))
    assert energy[0] == pytest.approx(energy[1], rel=0.01)
