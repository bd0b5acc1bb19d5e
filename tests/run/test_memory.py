"""What a process takes against what its recipe was estimated to take: the examples, on grids so long that fields outweigh libraries."""

import os
import re
import subprocess

import pytest
from command import COMMAND, SOURCE, run

SIZES = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SHORT = ["-s", "geometry.length=1 um", "-s", "output.planes=2", "-s", "run.deterministic=true", "--threads", "1", "--no-plots"]


def estimated(recipe, folder, *options):
    told = run("run", recipe, *SHORT, *options, "--dry-run", cwd=folder)
    assert told.returncode == 0, told.stderr
    number, unit = re.search(r"needs ([0-9.e+]+) (\w+)", told.stdout).groups()
    return float(number) * SIZES[unit]


def resident(recipe, folder, *options):
    """The most bytes that the process ever had in memory."""
    process = subprocess.Popen([COMMAND, "-q", "run", str(recipe), *SHORT, *options, "-o", "x.h5", "--force"], cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return usage.ru_maxrss * 1024


@pytest.mark.parametrize(("name", "larger"), [
    ("soliton", "grid.samples=131072"), ("supercontinuum", "grid.window=60 ps"), ("coherence", "grid.window=60 ps"),
    ("dispersive_wave", "grid.window=4 ps"), ("rdw", "grid.window=3 ps"),
    pytest.param("gradient", "grid.window=2 ps", marks=pytest.mark.xfail(
        reason="several modes: 7 MiB that grow with the grid are not in the ledger, 13 % of it", strict=False))])
def test_peak_is_within_a_tenth_of_the_estimate(tmp_path, name, larger):
    """A run on next to nothing stands for the libraries, which the estimate leaves out; the grids are so large that 10 % are
    more than what the heap rounds up."""
    recipe = (SOURCE / f"examples/{name}.toml", tmp_path, "-s", larger)
    bare = (SOURCE / "examples/soliton.toml", tmp_path, "-s", "grid.samples=256")
    more = estimated(*recipe) - estimated(*bare)
    grown = resident(*recipe) - resident(*bare)
    assert more > 30 * 2**20, "fields that outweigh what the heap rounds up"
    assert abs(grown / more - 1) < 0.1, f"{grown / 2**20:.1f} MiB, estimated {more / 2**20:.1f} MiB"
