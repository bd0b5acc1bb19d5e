"""Bad input is refused before memory is taken, by name; a run that has to stop on its way keeps the planes before."""

import h5py
import numpy as np
import pytest
from command import run
from hollow import PULSE, recipe
from test_gas import BAD

TINY = "[run]\nmemory = \"1 KiB\"\n"


@pytest.mark.parametrize("what", BAD)
def test_refused_before_memory_is_taken(tmp_path, what):
    """With a budget that holds no run: what is wrong is told, not that memory is short; and nothing is left."""
    sections, key, _, words = BAD[what]
    (tmp_path / "gas.toml").write_text(recipe(**sections) + TINY)
    done = run("-q", "run", "gas.toml", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert f": {key}: " in done.stderr and words in done.stderr and "needs" not in done.stderr.split(":")[1], done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["gas.toml"]


def test_good_input_needs_that_memory(tmp_path):
    (tmp_path / "gas.toml").write_text(recipe() + TINY)
    done = run("-q", "run", "gas.toml", cwd=tmp_path)
    assert done.returncode == 4 and "budget 1 KiB" in done.stderr and "run.memory" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["gas.toml"]


LONG = dict(geometry='type = "capillary"\ncore_radius = "75 um"\nlength = "0.8 m"', gas='fill = "He"\npressure = "7 bar"',
            pulse=PULSE.replace("120 uJ", "30 uJ"), grid='wavelength_min = "160 nm"\nwavelength_max = "3 um"\nwindow = "200 fs"',
            output="planes = 21")
NARROWER = LONG["geometry"].replace('"75 um"', '[["0 m", "75 um"], ["0.8 m", "25 um"]]')
STEPS = "schedule = [" + ", ".join(['"20 mm"'] * 40) + "]"

STOPS = {
    "limit of steps": (dict(solver='absorber = "none"\nsteps_max = 60'), "solver.steps_max is 60", "z = 0."),
    "shortest step": (dict(solver='absorber = "none"\ndz_min = "0.9 mm"\ndz_first = "0.9 mm"\nrtol = 1e-8'),
                      "the shortest step is 0.0009 m: raise solver.rtol, or lower solver.dz_min", "z = 0."),
    "not finite": (dict(geometry=NARROWER, physics="plasma = false", pulse=PULSE.replace("120 uJ", "60 uJ"),
                        solver=f'absorber = "none"\n{STEPS}'), "not finite", "shorten the steps of solver.schedule"),
    "table of the rate": (dict(geometry=NARROWER, pulse=PULSE.replace("120 uJ", "8 mJ").replace("10 fs", "20 fs"), gas='fill = "He"\npressure = "1 mbar"'),
                          "above the ppt table of He", 'physics.rate_above = "hold"'),
}


@pytest.mark.parametrize("what", STOPS)
def test_what_was_good_is_kept(tmp_path, what):
    sections, *words = STOPS[what]
    (tmp_path / "gas.toml").write_text(recipe(**(LONG | sections)))
    done = run("-q", "run", "gas.toml", cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    for word in words:
        assert word in done.stderr, done.stderr
    with h5py.File(tmp_path / "gas.h5") as f:
        z, S = f["grid/z"][:], f["field/spectrum"][:]
        assert 1 < len(z) < 21 and len(S) == len(z) and np.isfinite(S).all() and not f.attrs["complete"]
        assert f"{len(z)} planes are kept in gas.h5" in done.stderr
        at = float(done.stderr.split("z = ")[1].split(" m")[0])
        assert z[-1] <= at < z[-1] + 0.04 + 1e-9
        assert np.abs(S[-1]).max() > 0
    assert run("info", "gas.h5", cwd=tmp_path).returncode == 0


def test_rejections_end(tmp_path):
    """A step that is never good is tried ten times, each shorter, then given up."""
    fibre = dict(geometry='type = "fibre"\nlength = "1 m"', gas=None, fibre='gamma = "1e99 1/(W m)"\nbeta = ["-10 ps2/km"]', solver=None,
                 grid='samples = 1024\nwindow = "2 ps"', pulse='wavelength = "800 nm"\npeak_power = "1 kW"\nfwhm = "50 fs"')
    (tmp_path / "gas.toml").write_text(recipe(**fibre))
    done = run("-q", "run", "gas.toml", cwd=tmp_path)
    assert done.returncode == 5 and "1 plane is kept in gas.h5" in done.stderr, done.stderr
    with h5py.File(tmp_path / "gas.h5") as f:
        assert len(f["grid/z"]) == 1 and not f["steps/accepted"][:].any() and len(f["steps/dz"]) == 10
