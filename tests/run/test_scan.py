"""Scans as a user meets them: axes, failures, stopping, being killed, the collected file."""

import os
import pathlib
import shlex
import shutil
import signal

import h5py
import numpy as np
import pytest
from command import run
from paced import hold_workers, let_go
from scans import ENERGY, FAST, LONG, NOISE, TWO_BY_THREE, children, energies, is_waiting, launched, points, scan, start, wait_until, write

# ---- axes ----


def test_grid_first_axis_slowest_values_by_name(tmp_path):
    write(tmp_path, TWO_BY_THREE + ENERGY)
    listed = scan(tmp_path, "--list")
    assert listed.returncode == 0
    assert [line.split("waiting  ")[1] for line in listed.stdout.splitlines()] == [
        f'pulse.0.peak_power = "{p}", pulse.0.t0 = "{t} fs"' for p in ("1 kW", "1.8 kW") for t in (80, 100, 120)]
    done = scan(tmp_path, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "soliton.scan.h5: 6 of 6 points, 0 failed\n"
    energy, status = energies(tmp_path)
    assert (status == 1).all() and energy.shape == (2, 3)
    want = [[launched(p, t) for t in (80e-15, 100e-15, 120e-15)] for p in (1e3, 1.8e3)]
    assert np.allclose(energy, want, rtol=1e-6)
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        assert f.attrs["complete"] == 1 and f.attrs["kind"] == "scan"
        assert np.allclose(f["scan/axes/pulse.0.t0"], [80e-15, 100e-15, 120e-15], rtol=1e-12)
        assert f["scan/axes/pulse.0.t0"].attrs["units"] == "s"
        assert f["scan/final_energy"].attrs["dims"] == "pulse.0.peak_power pulse.0.t0"
        assert [d.label for d in f["scan/final_energy"].dims] == ["", ""]
        assert f["scan/final_energy"].dims[1][0].name.endswith("pulse.0.t0")


def test_axes_may_be_set_in_the_order_given(tmp_path):
    write(tmp_path, ENERGY)
    axes = ["-s", 'scan.grid.pulse.0.t0=["100 fs", "110 fs"]', "-s", "scan.grid.seed=[1, 2]", "-s", 'scan.grid.pulse.0.peak_power=["1 kW", "2 kW"]']
    listed = scan(tmp_path, *axes, "--list")
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.splitlines()[5].split("waiting  ")[1] == 'pulse.0.t0 = "110 fs", seed = 1, pulse.0.peak_power = "2 kW"'


def test_zip_advances_together_list_adds_an_axis(tmp_path):
    write(tmp_path, 'zip.pulse.0.peak_power = ["1 kW", "2 kW"]\nzip.pulse.0.t0 = ["100 fs", "50 fs"]\nlist.seed = [3, 5, 7]\n' + ENERGY)
    done = scan(tmp_path)
    assert done.returncode == 0, done.stderr
    energy, _ = energies(tmp_path)
    assert energy.shape == (2, 3) and np.allclose(energy, launched(1e3, 1e-13), rtol=1e-6)
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        assert list(f["scan/axes/seed"]) == [3, 5, 7]
        assert np.allclose(f["scan/axes/pulse.0.t0"], [1e-13, 5e-14]) and f["scan/axes/pulse.0.t0"].attrs["dims"] == "pulse.0.peak_power"


def test_logarithmic_scale_and_words(tmp_path):
    write(tmp_path, 'grid.pulse.0.peak_power = { start = "10 W", stop = "1 kW", num = 3, scale = "log" }\n'
                    'grid.pulse.0.shape = ["sech2", "gaussian"]\n' + ENERGY)
    done = scan(tmp_path, "-s", "pulse.0.fwhm=100 fs", "-s", "pulse.0.t0=100 fs")
    assert done.returncode == 3  # fwhm and t0: every point has the fault
    text = (tmp_path / "a.toml").read_text(encoding="utf-8").replace('t0 = "100 fs"', 'fwhm = "100 fs"')
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    shutil.rmtree(tmp_path / "soliton.scan", ignore_errors=True)
    done = scan(tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        assert np.allclose(f["scan/axes/pulse.0.peak_power"], [10, 100, 1000])
        assert [w.decode() for w in f["scan/axes/pulse.0.shape"]] == ['"sech2"', '"gaussian"']
        assert np.allclose(f["scan/final_energy"][2] / f["scan/final_energy"][0], 100, rtol=1e-6)


WRONG = [
    # bug B52, scan-4
    ("zip.pulse.0.t0 = [\"1 fs\", \"2 fs\", \"3 fs\"]\nzip.seed = [4, 5]\n", "scan.zip: lengths differ (t0 3, seed 2): make them equal"),
    ("grid.pulse.0.t0 = [\"1 nm\"]\n", "expected a time, got a length"),
    ("grid.pulse.0.energi = [\"1 nJ\"]\n", "did you mean energy"),
    ("grid.seed = { start = 1, stop = 2, num = 4 }\n", "value 2 of 4 is 1.33333, not an integer"),
    ("grid.pulse.0.t0 = { start = \"0 fs\", stop = \"2 fs\", num = 4, scale = \"log\" }\n", "above"),
    ("grid.seed = [1]\nlist.seed = [2]\n", "seed stands on two axes: keep one"),
    ("grid.seed = []\n", "a scan needs a list of values"),
    ('collect = ["final_spectrum"]\n', "has no [scan]: write e.g."),
    ("grid.seed = [1, 2]\ngrid.notes = [\"a\"]\ngrid.name = [\"b\"]\ngrid.output.planes = [2]\ngrid.output.every = [1]\ngrid.output.fields = [\"none\"]\n",
     "makes more than 5 axes"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_scans_are_refused_by_name(tmp_path, text, message):
    write(tmp_path, text)
    done = scan(tmp_path)
    assert done.returncode == 3 and message in done.stderr, done.stderr
    assert not points(tmp_path)


@pytest.mark.parametrize(("arguments", "message"), [
    (["--index", "2"], "--index '2' is no range of points: write --index 0:6"), (["--index", "4:9"], "write --index 0:6"),
    (["--index", "3:3"], "no range"), (["--jobs", "0"], "--jobs"), (["--worker", "4/4"], "not K/N"), (["--worker", "x"], "not K/N"),
    (["--slurm", "tasks=x"], "not a count"), (["--slurm", "time=3 m"], "not a time"), (["--slurm", "a=$(id)"], "means something to a shell")])
def test_wrong_options(tmp_path, arguments, message):
    write(tmp_path, TWO_BY_THREE)
    done = scan(tmp_path, *arguments)
    assert done.returncode == 2 and message in done.stderr, done.stderr


MODES = """schema = 1
kind = "pulse"
name = "soliton"
geometry = { type = "capillary", core_radius = "125 um", length = "1 mm", modes = 4 }
gas = { fill = "He", pressure = "1 bar" }
pulse = [{ wavelength = "800 nm", energy = "100 uJ", fwhm = "10 fs" }]
physics.plasma = false
grid = { wavelength_min = "200 nm", wavelength_max = "4 um", window = "100 fs" }
output = { planes = 2, stats = ["energy", "energy_per_mode"] }
"""


def test_modes_shift_no_axis(tmp_path):
    """Bug B52, scan-1, with four modes: an axis more in every point's file lies behind the axes of the scan, by its name; the numbers
    of a point are those of its own file."""
    write(tmp_path, 'grid.pulse.0.energy = ["50 uJ", "100 uJ"]\ngrid.gas.pressure = ["0.6 bar", "1 bar", "1.4 bar"]\n'
                    'collect = ["final_spectrum", "final_energy", "final_energy_per_mode", "stats"]\n', MODES)
    done = scan(tmp_path)
    assert done.returncode == 0, done.stderr
    listed = [line.split("done     ")[1] for line in scan(tmp_path, "--list").stdout.splitlines()]
    assert listed == [f'pulse.0.energy = "{e} uJ", gas.pressure = "{p} bar"' for e in (50, 100) for p in (0.6, 1, 1.4)]
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        spectrum, lengths = f["scan/final_spectrum"], f["scan/stats/valid_length"][:]
        assert spectrum.attrs["dims"] == "pulse.0.energy gas.pressure mode polarisation omega" and spectrum.shape[:3] == (2, 3, 4)
        assert f["scan/final_energy"].shape == (2, 3) and f["scan/final_energy_per_mode"].shape == (2, 3, 4)
        assert np.allclose(f["scan/final_energy"][:, 0], [50e-6, 100e-6], rtol=1e-3)
        assert list(f["scan/axes/gas.pressure"]) == pytest.approx([0.6e5, 1e5, 1.4e5])
        for i in range(6):
            at = divmod(i, 3)
            with h5py.File(tmp_path / f"soliton.scan/{i:05d}.h5") as p:
                assert np.array_equal(spectrum[at], p["field/spectrum"][-1])
                assert np.array_equal(f["scan/stats/energy_per_mode"][at][: lengths[at]], p["stats/energy_per_mode"])
                assert np.isnan(f["scan/stats/energy_per_mode"][at][lengths[at]:]).all()


# ---- failures ----


def test_a_failed_point_is_recorded_and_stops_nothing(tmp_path):
    """Bug B52, scan-3: of six points one fails; a rerun with --retry-failed runs that one alone."""
    write(tmp_path, 'grid.solver.dz_min = ["1e-9 m", "1e-9 m", "1 mm", "1e-9 m", "1e-9 m", "1e-9 m"]\n' + ENERGY)
    arguments = ["-s", "solver.rtol=1e-12", "-s", "pulse.0.peak_power=100 kW", "--jobs", 2]
    done = scan(tmp_path, *arguments)
    assert done.returncode == 3 and "point 2 (solver.dz_min = \"1 mm\") failed: " in done.stderr
    assert "5 of 6 points, 1 failed" in done.stdout
    energy, status = energies(tmp_path)
    assert list(status) == [1, 1, 2, 1, 1, 1] and np.isnan(energy[2]) and np.isfinite(np.delete(energy, 2)).all()
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        assert f.attrs["complete"] == 0 and f["scan/failures"][0].decode().startswith("2: soliton: ")
    stamps = {p: (tmp_path / "soliton.scan" / p).stat().st_mtime_ns for p in points(tmp_path)}
    again = scan(tmp_path, *arguments)
    assert again.returncode == 3 and points(tmp_path) == sorted(stamps)
    retried = scan(tmp_path, *arguments, "--retry-failed")
    assert retried.returncode == 3 and "point 2 " in retried.stderr
    assert {p: (tmp_path / "soliton.scan" / p).stat().st_mtime_ns for p in points(tmp_path)} == stamps
    assert "failed   solver.dz_min" in scan(tmp_path, *arguments, "--list").stdout.splitlines()[2]


def test_a_folder_belongs_to_its_recipe(tmp_path):
    write(tmp_path, TWO_BY_THREE)
    assert scan(tmp_path, "--index", "0:1").returncode == 0
    other = scan(tmp_path, "-s", "seed=7")
    assert other.returncode == 4 and not other.stdout
    assert 'belongs to another recipe, 1 key differs: seed (0 -> 7): choose another folder with --queue' in other.stderr
    assert scan(tmp_path, "-s", "seed=7", "--queue", "other", "--index", "0:1").returncode == 0
    assert scan(tmp_path, "-s", 'scan.collect=["stats"]', "--threads", 2, "--index", "1:2").returncode == 0  # not what is computed


# ---- going on ----


def test_only_missing_points_are_run(tmp_path):
    write(tmp_path, TWO_BY_THREE + ENERGY)
    part = scan(tmp_path, "--index", "1:4")
    assert part.returncode == 0 and not part.stdout and points(tmp_path) == ["00001.h5", "00002.h5", "00003.h5"]
    first = scan(tmp_path, "--collect")
    assert first.returncode == 0 and first.stdout == "soliton.scan.h5: 3 of 6 points, 0 failed\n"
    assert list(energies(tmp_path)[1].ravel()) == [0, 1, 1, 1, 0, 0]
    stamp = (tmp_path / "soliton.scan/00002.h5").stat().st_mtime_ns
    assert scan(tmp_path).returncode == 0
    assert (tmp_path / "soliton.scan/00002.h5").stat().st_mtime_ns == stamp and len(points(tmp_path)) == 6
    assert sorted(p.name for p in (tmp_path / "soliton.scan").iterdir()) == [f"{i:05d}.h5" for i in range(6)] + ["recipe.toml"]


def test_nothing_to_collect(tmp_path):
    write(tmp_path, TWO_BY_THREE)
    done = scan(tmp_path, "--collect")
    assert done.returncode == 1 and "no point is done yet, there is nothing to collect" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_and_taken_up_where_it_was(tmp_path, number):
    write(tmp_path, 'list.seed = [1, 2]\ncollect = ["final_energy"]\n', LONG)
    process = start(tmp_path, "--jobs", "2", "-s", 'scan.collect=["final_energy"]', "--retry-failed", "--backend", "cpu")
    folder = tmp_path / "soliton.scan"
    held = hold_workers(folder, 2)
    process.send_signal(number)
    wait_until(lambda: all(is_waiting(pid, signal.SIGTERM) for pid in held))
    let_go(held)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 75
    again = errors.split("Continue with: poynting ")[1].splitlines()[0]
    assert again == "scan a.toml -j 2 -s 'scan.collect=[\"final_energy\"]' --backend cpu"
    parts = list(folder.glob("*.part.h5"))
    assert len(parts) == 2 and not list(folder.glob("*.failed"))
    with h5py.File(parts[0]) as f:
        assert f.attrs["complete"] == 0
    listed = scan(tmp_path, "--list").stdout
    assert "running" not in listed and "waiting" in listed
    done = run(*shlex.split(again), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(folder / "00000.h5") as f:
        assert f.attrs["complete"] == 1 and f["provenance/sessions"][()] == 2


def test_its_processes_end_with_their_parent(tmp_path):
    write(tmp_path, "list.seed = [1, 2]\n", LONG)
    process = start(tmp_path, "--jobs", "2")
    workers = hold_workers(tmp_path / "soliton.scan", 2)
    assert sorted(workers) == sorted(children(process.pid))
    process.kill()
    process.wait()
    wait_until(lambda: all(is_waiting(pid, signal.SIGTERM) for pid in workers))
    let_go(workers)
    process.communicate()
    wait_until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() and "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split(")")[1][:3]
                               for pid in workers))
    assert "running" not in scan(tmp_path, "--list").stdout


def test_a_crash_is_recorded(tmp_path):
    write(tmp_path, "list.seed = [1, 2]\n", LONG)
    process = start(tmp_path, "--jobs", "2")
    workers = hold_workers(tmp_path / "soliton.scan", 2)
    os.kill(workers[0], signal.SIGABRT)
    let_go(workers)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 3 and "failed: the process that ran it crashed (Aborted)" in errors


# ---- what is collected ----


def test_ragged_statistics_are_padded(tmp_path):
    write(tmp_path, 'grid.pulse.0.peak_power = ["1 W", "100 kW"]\ncollect = ["stats", "steps.dz"]\n')
    assert scan(tmp_path).returncode == 0
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        lengths, energy = f["scan/stats/valid_length"][:], f["scan/stats/energy"][:]
        assert lengths[0] < lengths[1] == energy.shape[1]
        for k, point in enumerate(points(tmp_path)):
            with h5py.File(tmp_path / "soliton.scan" / point) as p:
                assert np.array_equal(energy[k, :lengths[k]], p["stats/energy"]) and np.isnan(energy[k, lengths[k]:]).all()
        assert f["scan/steps/valid_length"].shape == (2,)


NO_FIELDS = FAST.replace("planes = 2", 'planes = 2\nfields = "none"')


def test_a_chunk_is_a_point(tmp_path):
    """Bug B52, Luna #167: chunks across points are read and written again for each of them."""
    write(tmp_path, TWO_BY_THREE + 'collect = ["final_spectrum", "stats", "final_energy"]\n')
    assert scan(tmp_path).returncode == 0
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        spectrum, energy = f["scan/final_spectrum"], f["scan/stats/energy"]
        assert spectrum.chunks == (1, 1, *spectrum.shape[2:]) and energy.chunks == (1, 1, energy.shape[2])
        assert f["scan/final_energy"].chunks is None


@pytest.mark.parametrize(("name", "message", "text"), [
    ("final_speed", "points will have no stats/speed: they will have final_spectrum, stats.energy, stats.photon_number, stats.peak_power, "
                    "stats.fwhm_t, stats.red", FAST),
    ("stats.enrgy", "points will have no stats/enrgy", FAST), ("steps.dx", "points will have no steps/dx: they will have steps.z, steps.dz, steps.error", FAST),
    ("cross_sections.scattering", "points will have no cross_sections/scattering", FAST),
    ("coherence_g12", "coherence_g12 is taken over seeds, and seed is no axis of the scan: write list.seed", FAST),
    ("final_spectrum", "points will have no field/spectrum: they will have stats.energy", NO_FIELDS)])
def test_what_cannot_be_collected(tmp_path, name, message, text):
    """It is told with its line before the first point runs, not at the end of the night."""
    path = write(tmp_path, f'grid.pulse.0.peak_power = ["1 kW"]\ncollect = ["{name}"]\n', text)
    line = path.read_text(encoding="utf-8").splitlines().index(f'collect = ["{name}"]') + 1
    done = scan(tmp_path)
    assert done.returncode == 3 and f"a.toml:{line}: scan.collect: {message}" in done.stderr, done.stderr
    assert not (tmp_path / "soliton.scan.h5").exists() and not list(tmp_path.glob("*.tmp")) and not points(tmp_path)


def test_scattering_names_are_judged_too(tmp_path):
    write(tmp_path, 'grid.particle.0.radius = ["30 nm", "60 nm"]\ncollect = ["cross_sections.extincton"]\n', SPHERE)
    done = scan(tmp_path)
    assert done.returncode == 3 and "no cross_sections/extincton: they will have " in done.stderr and "cross_sections/extinction" in done.stderr
    assert not points(tmp_path)
    write(tmp_path, 'grid.particle.0.radius = ["30 nm", "60 nm"]\ncollect = ["cross_sections.extinction", "sweep.k0"]\n', SPHERE)
    assert scan(tmp_path).returncode == 0


def test_grids_that_differ_are_told_before(tmp_path):
    """Also where nothing is named, and spectra are collected; a first point that cannot be set up hides nothing."""
    axis = 'grid.grid.window = ["1 fs", "5 ps", "6 ps"]\n'
    for more in ("", 'collect = ["final_energy", "final_spectrum"]\n'):
        write(tmp_path, axis + more)
        done = scan(tmp_path)
        assert done.returncode == 3 and "the points have different grids, so their spectra share no axis: fix grid.wavelength_min" in done.stderr
        assert not points(tmp_path)
    write(tmp_path, axis + ENERGY)
    done = scan(tmp_path)
    assert done.returncode == 3 and "1 failed" in done.stdout and len(points(tmp_path)) == 2


def test_all_failed(tmp_path):
    """The exit code is that of points that failed, and there is no file."""
    write(tmp_path, 'grid.pulse.0.t0 = ["1 fs", "2 fs"]\n' + ENERGY)
    for more in ([], ["--collect"]):
        done = scan(tmp_path, *more)
        assert done.returncode == 3 and "all 2 points failed, there is nothing to collect" in done.stderr, done.stderr
    assert not (tmp_path / "soliton.scan.h5").exists()


def test_ensemble_against_numpy(tmp_path):
    """Mean, standard deviation and g12 over pairs i != j, from the points' own fields."""
    write(tmp_path, 'list.seed = { start = 1, stop = 6, num = 6 }\ngrid.pulse.0.peak_power = ["1 W", "9 kW"]\n'
                    'collect = ["spectrum_mean", "spectrum_std", "coherence_g12"]\n', NOISE)
    assert scan(tmp_path).returncode == 0
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        assert f["scan/coherence_g12"].attrs["dims"] == "pulse.0.peak_power mode polarisation omega"
        assert (f["scan/members"][:] == 6).all() and "final_spectrum" not in f["scan"]
        mean, std, g12 = (f[f"scan/{k}"][:, 0, 0] for k in ("spectrum_mean", "spectrum_std", "coherence_g12"))
    for cell in range(2):
        fields = []
        for seed in range(6):
            with h5py.File(tmp_path / f"soliton.scan/{cell * 6 + seed:05d}.h5") as p:
                fields.append(p["field/spectrum"][-1, 0, 0])
        fields = np.array(fields)
        pairs = np.mean([fields[i].conj() * fields[j] for i in range(6) for j in range(6) if i != j], axis=0)
        power = np.abs(fields) ** 2
        assert np.allclose(mean[cell], power.mean(0), rtol=1e-12, atol=0)
        assert np.allclose(std[cell], power.std(0, ddof=1), rtol=1e-9, atol=1e-12 * power.max())
        assert np.allclose(g12[cell], np.abs(pairs) / power.mean(0), rtol=0, atol=1e-12)
    assert g12[0][mean[0] > 1e-2 * mean[0].max()].min() > 0.9 > g12[1].min()


def test_opens_in_xarray_by_names(tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    write(tmp_path, TWO_BY_THREE + ENERGY)
    assert scan(tmp_path).returncode == 0
    with xarray.open_dataset(tmp_path / "soliton.scan.h5", group="scan", engine="h5netcdf", phony_dims="sort") as d:
        value = d["final_energy"].sel({"pulse.0.peak_power": 1.8e3}).sel({"pulse.0.t0": 1e-13}, method="nearest")
        assert np.isclose(float(value), launched(1.8e3, 1e-13), rtol=1e-6)


SPHERE = """schema = 1
kind = "scatter"
name = "soliton"
medium.material = "water"
sweep.wavelength = { start = "500 nm", stop = "700 nm", num = 3 }
particle = [{ shape = "sphere", radius = "40 nm", material = { n = 2.0, k = 0.1 } }]
output.quantities = ["cross_sections"]
plots.kinds = []
"""


def test_spheres(tmp_path):
    """Scattering recipes are scanned as pulses are: each point is what it is alone."""
    write(tmp_path, 'grid.particle.0.radius = ["30 nm", "60 nm"]\n', SPHERE)
    done = scan(tmp_path)
    assert done.returncode == 0, done.stderr
    assert run("run", "a.toml", "-s", "particle.0.radius=60 nm", "-o", "one.h5", cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "soliton.scan.h5") as f, h5py.File(tmp_path / "one.h5") as one:
        assert f.attrs["time_factor"] == one.attrs["time_factor"] == "exp(-iwt)"
        assert np.allclose(f["scan/cross_sections/extinction"][1], one["cross_sections/extinction"], rtol=1e-12, atol=0)
        assert np.allclose(f["scan/sweep/wavelength"][0], [500e-9, 600e-9, 700e-9])


# ---- pictures ----


def numbers(path):
    """The rows of numbers of a picture written as CSV."""
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    return np.array([[float(x) for x in row] for row in rows if len(row) > 1 and not row[0].startswith(('"', "#"))])


def test_map_and_lines(tmp_path):
    write(tmp_path, TWO_BY_THREE + 'collect = ["final_energy", "stats"]\n')
    assert scan(tmp_path).returncode == 0
    listed = run("plot", "soliton.scan.h5", "--list", cwd=tmp_path).stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["map", "lines"]
    assert run("plot", "soliton.scan.h5", "map", "lines", "--csv", cwd=tmp_path).returncode == 0
    image = numbers(tmp_path / "soliton.scan_map.csv")
    power, t0, energy = 1e-3 * image[:, 1], 1e15 * image[:, 0], 1e12 * image[:, 2]
    nearest_power, nearest_t0 = np.where(power < 1.4, 1.0, 1.8), np.clip(np.round((t0 - 80) / 20), 0, 2) * 20 + 80
    inside = (np.abs(power - 1.4) > 0.01) & (np.abs(np.abs(t0 - 100) - 10) > 0.5)
    assert np.allclose(energy[inside], (2 * nearest_power * nearest_t0)[inside], rtol=1e-4)
    lines = numbers(tmp_path / "soliton.scan_lines.csv")
    assert np.allclose(lines, [[t, 2e3 * t, 3.6e3 * t] for t in (80e-15, 100e-15, 120e-15)], rtol=1e-4, atol=0)
    other = run("plot", "soliton.scan.h5", "lines", "--csv", "--quantity", "stats.peak_power", "-o", "p.csv", cwd=tmp_path)
    assert other.returncode == 0 and "peak_power at the end peak_power = 1000 W (W)" in (tmp_path / "p.csv").read_text(encoding="utf-8")
    for arguments, message in [(["map", "--quantity", "speed"], "has no quantity 'speed' with a number for each point: it has final_energy"),
                               (["coherence"], "holds nothing for a picture 'coherence': it can show map, lines")]:
        done = run("plot", "soliton.scan.h5", *arguments, cwd=tmp_path)
        assert done.returncode == 2 and message in done.stderr


def test_coherence_picture(tmp_path):
    write(tmp_path, 'list.seed = [1, 2, 3]\ncollect = ["spectrum_mean", "spectrum_std", "coherence_g12"]\n', NOISE)
    assert scan(tmp_path).returncode == 0
    assert run("plot", "soliton.scan.h5", "coherence", "--csv", cwd=tmp_path).returncode == 0
    text = (tmp_path / "soliton.scan_coherence.csv").read_text(encoding="utf-8")
    assert '"mean spectrum (dB)"' in text and '"coherence |g12|"' in text
    coherence = numbers(tmp_path / "soliton.scan_coherence.csv")[:, -1]
    assert np.nanmax(coherence) <= 1.3 and np.nanmin(coherence) >= 0
