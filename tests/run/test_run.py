"""Runs: what the result file holds, exit codes, pictures."""

import json
import os
import pathlib
import re
import subprocess

import h5py
import numpy as np
import pytest
from command import COMMAND, SOURCE, run
from soliton import RECIPE, write


@pytest.fixture(name="result", scope="module")
def fixture_result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    write(folder)
    done = run("run", "a.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "soliton.h5"


# ---- the file ----


def test_layout(result):
    with h5py.File(result) as f:
        assert {k: type(v).__name__ for k, v in f.attrs.items()} == {
            "format": "int64", "program": "str", "version": "str", "kind": "str", "name": "str", "created": "str",
            "complete": "int64", "config_sha256": "str", "backend": "str", "precision": "str", "time_factor": "str",
            "cite": "str"}
        assert (f.attrs["format"], f.attrs["complete"], f.attrs["kind"]) == (1, 1, "pulse")
        assert f["field/spectrum"].shape == (11, 1, 1, 1024) and f["field/spectrum"].dtype == np.complex128
        assert f["field/spectrum"].chunks == (1, 1, 1, 1024) and f["field/spectrum"].maxshape[0] is None
        assert f["grid/omega"].shape == (1024,) and np.all(np.diff(f["grid/omega"]) > 0)
        assert np.allclose(f["grid/z"], np.linspace(0, 0.2, 11), rtol=0, atol=1e-15)
        assert f["grid/t"].shape == (1024,) and f["grid/t"][512] == 0
        for name in ("energy", "photon_number", "peak_power", "fwhm_t", "red"):
            assert f["stats"][name].shape == f["stats/z"].shape
        assert f["steps/accepted"].dtype == bool
        assert f["resume/current"][()] in (b"a", b"b")
        assert f["recipe/text"][()].decode() == RECIPE


def test_every_dataset_says_what_it_is(result):
    with h5py.File(result) as f:
        def look(name, item):
            if isinstance(item, h5py.Dataset):
                assert item.attrs["long_name"], name
                if item.dtype.kind in "fic":
                    assert item.attrs["units"], name

        f.visititems(look)


def test_axes_are_dimension_scales(result):
    with h5py.File(result) as f:
        scales = [d[0] for d in f["field/spectrum"].dims]
        assert [s.name.split("/")[-1] for s in scales] == ["z", "mode", "polarisation", "omega"]
        assert f["field/spectrum"].attrs["dims"] == "z mode polarisation omega"


def test_xarray(result):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    data = xarray.open_dataset(result, engine="h5netcdf", group="field")
    assert data.spectrum.dims == ("z", "mode", "polarisation", "omega")
    energy = (abs(data.spectrum) ** 2).sum("omega") * float(data.omega[1] - data.omega[0])
    assert np.allclose(energy, 2 * 1800 * 100e-15, rtol=1e-7)
    assert data.spectrum.attrs["units"] == "sqrt(J s)"
    stats = xarray.open_dataset(result, engine="h5netcdf", group="stats")
    assert float(stats.energy.sel(z=0)) == pytest.approx(3.6e-10, rel=1e-9)


def test_spectrum_is_that_of_the_launch(result):
    """S = A dt / sqrt(2 pi) of the samples of sech(t/t0), from the array's start."""
    with h5py.File(result) as f:
        t, omega, S = f["grid/t"][:], f["grid/omega"][:], f["field/spectrum"][0, 0, 0]
    A = np.sqrt(1800) / np.cosh(t / 100e-15)
    dt = t[1] - t[0]
    want = np.fft.fftshift(np.fft.fft(A)) * dt / np.sqrt(2 * np.pi)
    assert np.linalg.norm(S - want) < 1e-13 * np.linalg.norm(want)
    carrier = 2 * np.pi * 299792458 / 1550e-9
    assert omega[512] == pytest.approx(carrier, rel=1e-15)
    assert np.allclose(omega - carrier, 2 * np.pi * np.fft.fftshift(np.fft.fftfreq(1024, dt)), rtol=1e-9, atol=1)


def test_statistics_are_those_of_the_planes(result):
    """Every plane's statistics, from the field by numpy, against the rows of the file."""
    hbar = 1.054571817e-34
    with h5py.File(result) as f:
        omega, z, S = f["grid/omega"][:], f["grid/z"][:], f["field/spectrum"][:, 0, 0]
        rows = f["stats/z"][:]
        at = [int(np.argmin(abs(rows - x))) for x in z]
        assert np.allclose(rows[at], z, rtol=0, atol=1e-15)
        stats = {k: f["stats"][k][:][at] for k in f["stats"] if k != "z"}
    domega = omega[1] - omega[0]
    density = abs(S) ** 2
    assert np.allclose(stats["energy"], density.sum(1) * domega, rtol=1e-12)
    positive = omega > 0
    assert np.allclose(stats["photon_number"], (density / (hbar * omega))[:, positive].sum(1) * domega, rtol=1e-8)
    power = abs(np.fft.ifft(np.fft.ifftshift(S, axes=1), axis=1)) ** 2 * (1024 * domega) ** 2 / (2 * np.pi)
    assert np.allclose(stats["peak_power"], power.max(1), rtol=1e-10)
    # the band's edges are Planck tapers, 64 bins wide, outside the band
    low, high = (2 * np.pi * 299792458 / x for x in (1700e-9, 1600e-9))
    inside, outside = ((omega > low - e) & (omega < high + e) for e in (0, 65 * domega))
    assert np.all(stats["red"] > density[:, inside].sum(1) * domega)
    assert np.all(stats["red"] < density[:, outside].sum(1) * domega)


def test_provenance(result):
    with h5py.File(result) as f:
        p = f["provenance"]
        assert p["wall_s"][()] > 0 and p["sessions"][()] == 1
        assert sum(v[()] for v in p["memory"].values()) > 1024 * 16
        assert p["execution"][()].count(b"backend: ") == 1
        text = " ".join(str(p[k][()]) for k in ("compiler", "flags", "libraries", "execution"))
    assert os.uname().nodename not in text and "/home" not in text and "/root" not in text


def test_rerun_of_the_stored_recipe_gives_the_same_bytes(result, tmp_path):
    """What info --recipe prints, run twice under run.deterministic: all but times, bit for bit."""
    (tmp_path / "a.toml").write_text(run("info", result, "--recipe").stdout)
    args = ["-s", "run.deterministic=true"]
    assert run("run", "a.toml", "-o", "a.h5", *args, cwd=tmp_path).returncode == 0
    (tmp_path / "b.toml").write_text(run("info", tmp_path / "a.h5", "--recipe").stdout)
    assert run("run", "b.toml", "-o", "b.h5", *args, cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "a.h5") as a, h5py.File(tmp_path / "b.h5") as b:
        compared = []

        def content(item):
            values = np.asarray(item[()])
            return values.tolist() if values.dtype == object else values.tobytes()

        def compare(path, item):
            if isinstance(item, h5py.Dataset) and not path.startswith(("provenance/", "resume/")):
                assert content(item) == content(b[path]), path
                compared.append(path)

        a.visititems(compare)
        # which of its two places a state to go on from stands in depends on how long the run took; what stands there does not
        states = [f["resume"][f["resume/current"][()].decode()] for f in (a, b)]
        assert "field" in states[0] and set(states[0]) == set(states[1])
        for name in states[0]:
            assert content(states[0][name]) == content(states[1][name]), f"resume: {name}"
        assert {"field/spectrum", "stats/energy", "steps/error"} <= set(compared)
        assert {k: v for k, v in a.attrs.items() if k != "created"} == {k: v for k, v in b.attrs.items() if k != "created"}


def test_resolved_recipe_computes_the_same(result, tmp_path):
    with h5py.File(result) as f:
        write(tmp_path, f["recipe/resolved"][()].decode())
        assert run("run", "a.toml", cwd=tmp_path).returncode == 0
        with h5py.File(tmp_path / "soliton.h5") as g:
            assert g.attrs["config_sha256"] == f.attrs["config_sha256"]
            assert g["recipe/resolved"][()] == f["recipe/resolved"][()]


@pytest.mark.parametrize("key, value", [("output.precision", "single"), ("output.compress", "true"), ("output.fields", "none")])
def test_output_options(result, tmp_path, key, value):
    write(tmp_path)
    assert run("run", "a.toml", "-s", f"{key}={value}", cwd=tmp_path).returncode == 0
    with h5py.File(result) as f, h5py.File(tmp_path / "soliton.h5") as g:
        if value == "none":
            assert "field" not in g and g["grid/z"].shape == (11,)
            return
        want, got = f["field/spectrum"][:], g["field/spectrum"][:]
        assert g["field/spectrum"].dtype == (np.complex64 if value == "single" else np.complex128)
        assert np.linalg.norm(got - want) <= (1e-7 if value == "single" else 1e-12) * np.linalg.norm(want)


def test_backends_agree(result, tmp_path):
    """The reference on the schedule of the file, within the bound of one rounding per operation (1e-12 over 100 steps)."""
    write(tmp_path)
    done = run("run", "a.toml", "--backend", "ref", "-s", f"solver.schedule={result}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(result) as f, h5py.File(tmp_path / "soliton.h5") as g:
        assert g.attrs["backend"] == "ref"
        want, got = f["field/spectrum"][-1], g["field/spectrum"][-1]
        assert set(g["steps/cause"][:]) == {3}
    assert np.linalg.norm(got - want) < 1e-11 * np.linalg.norm(want)


# ---- the command ----


@pytest.mark.parametrize(
    "arguments, code, text",
    [
        (["run", "none.toml"], 74, "none.toml: cannot be read"),
        (["run"], 2, "needs RECIPE"),
        (["run", "a.toml", "--forse"], 2, "did you mean --force?"),
        (["run", "a.toml", "--threads"], 2, "--threads needs a value"),
        (["run", "a.toml", "--stop-after", "30"], 2, "needs a unit"),
        (["run", "a.toml", "--backend", "cuda"], 4, "cuda"),
        (["run", "a.toml", "--memory", "1 KiB"], 4, "soliton: needs "),
        (["run", "a.toml", "-s", "solver.method=adams"], 4, "override: solver.method: adams is not built yet: use dopri5"),
        (["run", "a.toml", "-s", "geometry.type=slab"], 3, ""),
        (["run", "a.toml", "-s", "geometry.length=3"], 3, "a length needs a unit"),
        (["run", "a.toml", "-s", "solver.steps_max=3"], 5, "soliton: z = "),
        (["run", "a.toml", "-s", 'solver.schedule=["0.1 m", "0.1 m"]', "-s", "output.planes=3", "-s", "fibre.gamma=1e99 1/(W m)"], 5,
         "not finite: row finish, column 0, bin 0 (omega = "),
        (["run", "a.toml", "-s", "fibre.gamma=1e99 1/(W m)", "-s", "solver.dz_min=1 mm"], 5,
         "1 plane is kept in soliton.h5: reduce solver.rtol or solver.dz_max, or the power"),
        (["run", "a.toml", "-s", "solver.rtol=1e-12", "-s", "solver.dz_min=1 mm"], 5, "solver.rtol"),
        (["run", "a.toml", "-s", "solver.schedule=a.h5"], 3, "override: solver.schedule: a.h5 is no result file: check the path"),
        (["run", "a.toml", "-o", "nowhere/x.h5"], 74, "nowhere/x.h5: cannot be written: No such file"),
        (["rum", "a.toml"], 2, "unknown command 'rum': did you mean run?"),
        (["resume", "none.h5"], 74, "none.h5: cannot be opened"),
        (["resume", "a.toml"], 74, "file signature not found"),
        (["plot", "a.toml"], 74, "file signature not found"),
    ],
)
def test_exit_codes(tmp_path, arguments, code, text):
    write(tmp_path)
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert text in done.stderr


def test_memory_is_refused_before_anything_is_written(tmp_path):
    write(tmp_path)
    done = run("run", "a.toml", "--memory", "1 MiB", "-s", "grid.samples=262144", cwd=tmp_path)
    assert done.returncode == 4
    assert "budget 1 MiB by run.memory (largest: " in done.stderr and "--memory" in done.stderr
    assert not list(tmp_path.glob("*.h5"))


def test_dry_run_writes_nothing(tmp_path):
    write(tmp_path)
    done = run("run", "a.toml", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0 and "would write soliton.h5 on cpu, needs" in done.stdout
    checked = json.loads(run("check", "a.toml", "--json", cwd=tmp_path).stdout)
    told = re.search(r"\(([\d.]+) MiB with program and libraries, for a cluster's --mem\)", done.stdout)
    assert abs(float(told[1]) * 2**20 / checked[0]["numbers"]["process"]["value"] - 1) < 0.05
    assert [p.name for p in tmp_path.iterdir()] == ["a.toml"]


def test_existing_output(tmp_path):
    write(tmp_path)
    (tmp_path / "soliton.h5").write_text("precious")
    done = run("run", "a.toml", cwd=tmp_path)
    assert done.returncode == 74
    assert done.stderr.splitlines()[-1] == "soliton.h5: exists already: use --force, or -o another file"
    assert (tmp_path / "soliton.h5").read_text() == "precious"
    assert run("run", "a.toml", "--force", cwd=tmp_path).returncode == 0


def test_quiet_and_piped(tmp_path):
    write(tmp_path)
    done = run("-q", "run", "a.toml", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = run("run", "a.toml", "--force", cwd=tmp_path)
    assert "\033" not in done.stdout + done.stderr and "\r" not in done.stderr
    assert "soliton: 100% z=0.2/0.2 m" in done.stderr
    done = run("--color", "always", "run", "a.toml", cwd=tmp_path)
    assert "\033[31m" in done.stderr


def test_json_progress(tmp_path):
    write(tmp_path)
    read, write_end = os.pipe()
    done = run("-q", "run", "a.toml", "--json-progress", write_end, cwd=tmp_path, pass_fds=(write_end,))
    os.close(write_end)
    with os.fdopen(read) as stream:
        lines = [json.loads(line) for line in stream]
    assert done.returncode == 0
    assert lines[-1]["done"] == lines[-1]["total"] == 0.2
    assert {line["name"] for line in lines} == {"soliton"}
    assert lines[-1]["accepted"] == len(lines) - lines[-1]["rejected"]


# ---- pictures ----


def test_plots(result):
    listed = run("plot", result, "--list").stdout
    kinds = [line.split()[0] for line in listed.splitlines()]
    assert {"evolution", "spectrum", "temporal", "steps", "stats", "spectrogram", "dispersion", "phase_matching"} <= set(kinds)
    environment = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    for kind in kinds:
        done = run("plot", result, kind, env=environment)
        assert done.returncode == 0, (kind, done.stderr)
        picture = pathlib.Path(done.stdout.strip())
        data = picture.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (1600, 1000)
        assert len(data) > 8000, kind


@pytest.mark.parametrize("form, head", [("svg", b"<?xml"), ("pdf", b"%PDF"), ("csv", b"# soliton"), ("gp", b"$p0")])
def test_plot_formats(result, tmp_path, form, head):
    out = tmp_path / f"x.{form}"
    for also in ([], ["--format", form]):
        assert run("plot", result, "spectrum", "-o", out, *also).returncode == 0
        assert out.read_bytes().startswith(head)


def test_response_that_folds_back(tmp_path):
    """|A|^2 A reaches three times as far as A: a grid that is too narrow for it says so, one with room does not."""
    for samples, told in ((64, True), (2048, False)):
        (tmp_path / "a.toml").write_text(RECIPE)
        done = run("-q", "run", "--force", "-s", 'grid.window="2.5 ps"', "-s", f"grid.samples={samples}", "-s", "plots.kinds=[]", "-s", 'output.stats=["energy"]', "a.toml", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        (result,) = tmp_path.glob("*.h5")
        with h5py.File(result) as f:
            assert any(b"folded back from beyond the grid: raise grid.samples" in w for w in f["provenance/warnings"][:]) == told


def test_plot_numbers(result, tmp_path):
    """The numbers of a picture: the launch of a sech pulse over frequency, in joules per terahertz."""
    out = tmp_path / "x.csv"
    assert run("plot", result, "spectrum", "--csv", "--axis", "frequency", "--at", "0 m", "-o", out).returncode == 0
    names, *lines = out.read_text().splitlines()[2:]
    assert names.endswith('"energy density z = 0 (J/THz)"')
    rows = np.array([[float(x) for x in line.split(",")] for line in lines])
    order = np.argsort(rows[:, 0])
    f, density = rows[order, 0], rows[order, -1]
    with h5py.File(result) as file:
        energy = file["stats/energy"][0]
    assert np.isclose(np.sum(density) * (f[1] - f[0]), energy, rtol=1e-6)
    t0, f0 = 100e-15, 299792458 / 1550e-9
    want = 1 / np.cosh(np.pi**2 * t0 * (1e12 * f - f0)) ** 2
    assert np.allclose(density / density.max(), want / want.max(), atol=2e-3)


@pytest.mark.parametrize(
    "arguments, code, text",
    [
        (["nothing"], 2, "there is no picture 'nothing': "),
        (["spectrum", "--db", "40"], 2, "not below 0"),
        (["spectrum", "--axis", "colour"], 2, "there is no axis 'colour'"),
        (["spectrum", "--range", "400 nm"], 2, "is not from:to"),
        (["spectrum", "--format", "jpg"], 2, "there is no format 'jpg'"),
        (["spectrum", "-o", "/no/such/folder/x.png"], 74, "x.png"),
        (["spectrum", "-o", "x.jpg"], 2, "there is no format 'jpg'"),
        (["spectrum", "-o", "x.png", "--format", "svg"], 2, "does not end in .svg"),
        (["spectrum", "--at", "5 m"], 2, "5 m lies outside of it"),
    ],
)
def test_plot_refusals(result, arguments, code, text):
    done = run("plot", result, *arguments)
    assert done.returncode == code, done.stderr
    assert text in done.stderr


def test_without_gnuplot(result, tmp_path):
    done = run("plot", result, "spectrum", "-o", tmp_path / "x.png", env={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 4
    assert "gnuplot is not installed" in done.stderr


@pytest.mark.parametrize("name", [p.name for p in sorted((SOURCE / "examples").glob("*.toml"))])
def test_examples_are_sound(name):
    done = run("check", SOURCE / "examples" / name)
    assert done.returncode == 0 and "warning" not in done.stderr


# ---- files that a recipe names ----


def test_measured_spectrum(tmp_path):
    """A Gaussian as a table over wavelength gives the pulse that the formula gives; the result holds the table, so that it
    can be resumed without it."""
    light, fwhm, centre = 299792458.0, 40e-15, 1550e-9
    rate = 4 * np.log(2) / fwhm**2  # |A|^2 = exp(-rate t^2), |S|^2 ~ exp(-(omega - omega0)^2 / rate)
    frequency = light / centre + np.linspace(-40e12, 40e12, 801)
    density = np.exp(-((2 * np.pi * (frequency - light / centre)) ** 2) / rate)
    wavelength = light / frequency
    rows = [f"{x:.12g}, {y:.12g}, 0" for x, y in zip(1e9 * wavelength, density * light / wavelength**2)]
    (tmp_path / "s.csv").write_text("wavelength [nm], density, phase [rad]\n" + "\n".join(rows) + "\n")
    text = RECIPE.replace('peak_power = "1.8 kW"\nt0 = "100 fs"\nshape = "sech2"',
                          'energy = "1 nJ"\nshape = "file"\nfile = "s.csv"\nphase_sign = "exp(+iwt)"')
    write(tmp_path, text)
    assert run("run", "a.toml", "-o", "table.h5", cwd=tmp_path).returncode == 0
    done = run("run", "a.toml", "-o", "part.h5", "--stop-after", "0.02 s", "-s", "geometry.length=20 m", cwd=tmp_path)
    assert done.returncode == 75
    write(tmp_path, RECIPE.replace('peak_power = "1.8 kW"\nt0 = "100 fs"\nshape = "sech2"', 'energy = "1 nJ"\nfwhm = "40 fs"'))
    assert run("run", "a.toml", "-o", "formula.h5", cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "table.h5") as f, h5py.File(tmp_path / "formula.h5") as g:
        a, b = f["field/spectrum"][0, 0, 0], g["field/spectrum"][0, 0, 0]
        assert np.linalg.norm(a - b) < 1e-6 * np.linalg.norm(b)
        assert f["recipe/sources/0"].attrs["name"] == "s.csv" and len(f["recipe/sources/0"].attrs["sha256"]) == 64
        assert f["recipe/sources/0"][()].decode() == (tmp_path / "s.csv").read_text()
    (tmp_path / "s.csv").unlink()
    assert run("resume", "part.h5", "--stop-after", "0.02 s", cwd=tmp_path).returncode == 75


def test_index_file(tmp_path):
    """A table of n_eff = 1.45 + a (omega - omega0)^2 has beta_2 = 2 a omega0 / c + ... at its middle."""
    light = 299792458.0
    omega0 = 2 * np.pi * light / 1550e-9
    omega = np.linspace(0.2 * omega0, 1.9 * omega0, 400)
    a = -20e-27 * light / (2 * omega0)
    rows = [f"{1e6 * 2 * np.pi * light / w:.14g}; {1.45 + a * (w - omega0) ** 2:.17g}" for w in omega]
    (tmp_path / "n.csv").write_text("# made for a test\nwavelength [um]; n\n" + "\n".join(rows) + "\n")
    write(tmp_path, RECIPE.replace('beta = ["-20 ps2/km"]', 'index_file = "n.csv"').replace(
        "samples = 1024", 'wavelength_min = "1 um"\nwavelength_max = "3 um"'))
    numbers = json.loads(run("check", "--json", "a.toml", cwd=tmp_path).stdout)[0]["numbers"]
    assert numbers["beta2"]["value"] == pytest.approx(-20e-27, rel=1e-3)


def test_schedule_of_a_result_is_kept(result, tmp_path):
    write(tmp_path)
    assert run("run", "a.toml", "-s", f"solver.schedule={result}", cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "soliton.h5") as f, h5py.File(result) as g:
        assert str(result).encode() not in f["recipe/resolved"][()]
        assert np.array_equal(f["steps/dz"][:], g["steps/dz"][:][g["steps/accepted"][:]])
        want, got = g["field/spectrum"][-1], f["field/spectrum"][-1]
        assert np.linalg.norm(got - want) < 1e-12 * np.linalg.norm(want)


def test_terminal(tmp_path):
    """In a terminal one line is renewed, and never longer than the terminal is wide."""
    write(tmp_path)
    pty = pytest.importorskip("pty")
    fcntl, struct, termios = (pytest.importorskip(n) for n in ("fcntl", "struct", "termios"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    process = subprocess.Popen([COMMAND, "run", "a.toml", "-s", "geometry.length=2 m"], cwd=tmp_path, stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    assert process.wait() == 0
    lines = [x.split(b"\033[K")[0] for x in seen.replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\r")]
    assert len(lines) > 1 and lines[-1].startswith(b"[##########] 100% z=2/2 m")
    assert max(map(len, lines)) < 60
