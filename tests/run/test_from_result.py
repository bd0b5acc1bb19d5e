"""Runs that start from the state of another one: in two pieces as in one, on other grids, by names of modes; what does not
fit is refused by name and line."""

import h5py
import numpy as np
import pytest
from command import check, run
from hollow import CAPILLARY, GRID, PULSE, recipe

AR = 'fill = "Ar"\npressure = "0.3 bar"'
STEP = "0.25 mm"


def steps(n):
    return "absorber = \"none\"\nschedule = [" + ", ".join([f'"{STEP}"'] * n) + "]"


def go(folder, name, *args, **sections):
    (folder / f"{name}.toml").write_text(recipe(**sections).replace('name = "gas"', f'name = "{name}"'))
    done = run("-q", "run", "--force", *args, f"{name}.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / f"{name}.h5"


def field(path, plane=-1):
    with h5py.File(path) as f:
        return f["grid/omega"][:], f["field/spectrum"][plane].reshape(-1, f["grid/omega"].size)


def distance(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


def geometry(length, more=""):
    return CAPILLARY.replace("1 cm", length) + "\n" + more


CASES = {
    "two modes": dict(geometry="modes = 2", gas=AR),
    "two polarisations": dict(pulse="polarisation = \"right\"", gas=AR),
    "nitrogen": dict(gas='fill = "N2"\npressure = "0.5 bar"'),
    "envelope": dict(physics='field = "envelope"', gas=AR),
}


@pytest.mark.parametrize("name", CASES)
def test_two_pieces_are_one(tmp_path, name):
    """The same steps, so that what is left is rounding: of 8 steps, each with transforms of 2^13 samples, less than 1e-12."""
    case = dict(CASES[name])
    more, pulse = case.pop("geometry", ""), PULSE + "\n" + case.pop("pulse", "")
    whole = go(tmp_path, "whole", geometry=geometry("2 mm", more), pulse=pulse, solver=steps(8), **case)
    go(tmp_path, "first", geometry=geometry("1 mm", more), pulse=pulse, solver=steps(4), **case)
    second = go(tmp_path, "second", geometry=geometry("1 mm", more), pulse='from = "first.h5"', solver=steps(4), **case)
    assert distance(field(second)[1], field(whole)[1]) < 1e-12


def test_controller_and_planes(tmp_path):
    """Adaptive steps: both are within what the tolerance lets them be off; a plane in the middle goes as well as an end."""
    solver = 'rtol = 1e-8\nabsorber = "none"'
    whole = go(tmp_path, "whole", geometry=geometry("2 cm"), gas=AR, solver=solver, output="planes = 5")
    half = go(tmp_path, "half", geometry=geometry("1 cm"), gas=AR, solver=solver, pulse='from = "whole.h5"\nat = "10 mm"')
    assert distance(field(half)[1], field(whole)[1]) < 1e-6
    assert distance(field(half, 0)[1], field(whole, 2)[1]) < 1e-15


def test_fibre(tmp_path):
    fibre = dict(geometry='type = "fibre"\nlength = "LENGTH"', gas=None,
                 fibre='gamma = "0.1 1/(W m)"\nbeta = ["-10 ps2/km", "0.08 ps3/km"]',
                 grid='samples = 1024\nwindow = "4 ps"')
    pulse = 'wavelength = "835 nm"\npeak_power = "1 kW"\nfwhm = "50 fs"'
    path = {}
    for name, length, n, what in (("whole", "2 mm", 8, pulse), ("first", "1 mm", 4, pulse), ("second", "1 mm", 4, 'from = "first.h5"')):
        sections = fibre | dict(geometry=fibre["geometry"].replace("LENGTH", length), pulse=what, solver=steps(n))
        path[name] = go(tmp_path, name, **sections)
    assert distance(field(path["second"])[1], field(path["whole"])[1]) < 1e-12


# ---- other grids ----

VACUUM = dict(gas='fill = "vacuum"')


@pytest.mark.parametrize("grid", ['wavelength_min = "160 nm"\nwavelength_max = "3 um"\nwindow = "900 fs"',
                                  'wavelength_min = "120 nm"\nwavelength_max = "4 um"\nwindow = "300 fs"',
                                  'wavelength_min = "333 nm"\nwavelength_max = "2.2 um"\nwindow = "250 fs"'])
def test_other_grid(tmp_path, grid):
    """A pulse that fits into both grids is the same on the second one as if it were launched there: to the transforms'
    rounding, and the band's edges, which cut 1e-12 of this one's amplitude."""
    pulse = PULSE.replace("10 fs", "14 fs") + '\nphase = { gdd = "90 fs2", delay = "17 fs", cep = "0.4 rad" }'
    go(tmp_path, "first", pulse=pulse, **VACUUM)
    there = go(tmp_path, "there", pulse=pulse, grid=grid, **VACUUM)
    taken = go(tmp_path, "taken", pulse='from = "first.h5"\nat = "0 m"', grid=grid, **VACUUM)
    assert distance(field(taken, 0)[1], field(there, 0)[1]) < 1e-10


def test_real_field_to_envelope(tmp_path):
    """The signal is the analytic one in both."""
    envelope = dict(physics='field = "envelope"', **VACUUM)
    go(tmp_path, "first", **VACUUM)
    there = go(tmp_path, "there", **envelope)
    taken = go(tmp_path, "taken", pulse='from = "first.h5"\nat = "0 m"', **envelope)
    assert distance(field(taken, 0)[1], field(there, 0)[1]) < 1e-6  # the wings of 10 fs at frequency 0


def test_scaled_and_chirped(tmp_path):
    """Energy, phases and what it goes through, as of other pulses; a second pulse beside it."""
    go(tmp_path, "first", **VACUUM)
    pulse = 'from = "first.h5"\nat = "0 m"\nenergy = "1 uJ"\nphase = { gdd = "40 fs2" }\nthrough = [{ gdd = "-40 fs2" }]'
    taken = go(tmp_path, "taken", pulse=pulse, **VACUUM)
    own = go(tmp_path, "own", pulse=PULSE.replace("120 uJ", "1 uJ"), **VACUUM)
    assert distance(field(taken, 0)[1], field(own, 0)[1]) < 1e-9
    two = go(tmp_path, "two", pulse=pulse + '\n[[pulse]]\nwavelength = "400 nm"\nenergy = "2 uJ"\nfwhm = "20 fs"', **VACUUM)
    with h5py.File(two) as f:
        omega, S = f["grid/omega"][:], f["field/spectrum"][0, 0, 0]
        assert np.sum(np.abs(S) ** 2) * (omega[1] - omega[0]) == pytest.approx(3e-6, rel=1e-3)


# ---- what a result holds ----

def test_stands_alone(tmp_path):
    """A result holds the state that it started from: the first run's file may go."""
    go(tmp_path, "first", gas=AR)
    second = go(tmp_path, "second", gas=AR, pulse='from = "first.h5"')
    (tmp_path / "first.h5").unlink()
    with h5py.File(second) as f:
        source = f["recipe/sources/0"]
        assert source.attrs["name"] == "first.h5" and len(source.attrs["sha256"]) == 64
        assert 'reference = "800 nm"' in f["recipe/resolved"][()].decode()
    done = run("resume", "--extend", "2 mm", "second.h5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run("plot", "second.h5", "spectrum", cwd=tmp_path).returncode == 0


def test_digest_follows_content(tmp_path):
    digests = []
    for energy in ("120 uJ", "121 uJ"):
        go(tmp_path, "first", gas=AR, pulse=PULSE.replace("120 uJ", energy))
        with h5py.File(go(tmp_path, "second", gas=AR, pulse='from = "first.h5"')) as f:
            digests.append(f.attrs["config_sha256"])
    assert digests[0] != digests[1]


# ---- refusals ----

@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    there = tmp_path_factory.mktemp("results")
    go(there, "first", gas=AR, geometry=geometry("1 mm", 'modes = ["HE11", "HE12"]'), output="planes = 3",
       pulse=PULSE + '\n[[pulse]]\nwavelength = "400 nm"\nenergy = "20 uJ"\nfwhm = "20 fs"\nmode = "HE12"')
    go(there, "late", pulse=PULSE + '\ndelay = "150 fs"', **VACUUM)
    go(there, "none", output='planes = 2\nfields = "none"', **VACUUM)
    (there / "text.h5").write_text("no result")
    return there


@pytest.mark.parametrize("pulse, more, key, message", [
    ('from = "nowhere.h5"', {}, "from", "nowhere.h5 is no result file"),
    ('from = "text.h5"', {}, "from", "text.h5 is no result file"),
    ('from = "none.h5"', {}, "from", "holds no fields"),
    ('from = "first.h5"\nat = "0.7 mm"', {}, "from", "no plane at 700 um: the nearest are at 500 um and 1 mm"),
    ('from = "first.h5"\nat = "3 mm"', {}, "from", "no plane at 3 mm: the nearest is at 1 mm"),
    ('from = "first.h5"\nfwhm = "10 fs"', {}, "fwhm", "has no meaning"),
    ('from = "first.h5"\npeak_power = "1 kW"', {}, "peak_power", "has no meaning"),
    ('from = "first.h5"\nshape = "sech2"', {}, "shape", "remove one of the two"),
    ('shape = "result"', {}, "from", "missing"),
    (PULSE + '\nat = "1 mm"', {}, "from", "missing"),
    ('from = "first.h5"', {}, "from", "0.143 of its energy is in mode HE12, which this guide has not: add it to geometry.modes"),
    ('from = "late.h5"', dict(grid=GRID.replace("400 fs", "200 fs").replace("160 nm", "250 nm")), "from",
     "outside the window of this grid"),
    ('from = "late.h5"', dict(grid='wavelength_min = "900 nm"\nwavelength_max = "3 um"\nwindow = "400 fs"\nreference = "1 um"'),
     "from", "outside the band of this grid"),
])
def test_refusals(folder, pulse, more, key, message):
    code, checked, err = check(folder, recipe(**(dict(gas=AR, pulse=pulse) | more)))
    faults = checked["faults"]
    assert code == 3, err
    assert len(faults) == 1, faults
    text = f"{faults[0]['problem']}: {faults[0]['hint']}"
    assert faults[0]["key"] == f"pulse.0.{key}" and message in text and faults[0]["line"] > 0, faults
