"""What a process takes against what its recipe was estimated to take: the examples, on grids so long that fields outweigh libraries."""

import json
import re
import subprocess
import sys

import pytest
from command import COMMAND, SOURCE, run

SIZES = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SHORT = ["-s", "geometry.length=1 um", "-s", "output.planes=2", "-s", "run.deterministic=true", "--threads", "1"]


def estimated(recipe, folder, *options):
    told = run("run", recipe, *options, "--dry-run", cwd=folder)
    assert told.returncode == 0, told.stderr
    number, unit = re.search(r"needs ([0-9.e+]+) (\w+)", told.stdout).groups()
    return float(number) * SIZES[unit]


# A process begins with the memory of the one that started it as its peak: this one is smaller than any run.
LAUNCH = "import os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); _, status, usage = os.wait4(pid, 0); print(status, usage.ru_maxrss)"


def resident(recipe, folder, *options):
    """The most bytes that the process ever had in memory."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCH, COMMAND, "-q", "run", str(recipe), *options, "--no-plots", "-o", "x.h5", "--force"],
                          cwd=folder, text=True, capture_output=True, check=True)
    status, kibibytes = done.stdout.split()[-2:]
    assert status == "0", done.stderr
    return int(kibibytes) * 1024


@pytest.mark.parametrize(("name", "larger"), [
    ("soliton", "grid.samples=131072"), ("supercontinuum", "grid.window=60 ps"), ("coherence", "grid.window=60 ps"),
    ("dispersive_wave", "grid.window=4 ps"), ("rdw", "grid.window=3 ps"),
    ("gradient", "grid.window=2 ps")])
def test_peak_is_within_a_tenth_of_the_estimate(tmp_path, name, larger):
    """A run on next to nothing stands for the libraries, which the estimate leaves out; the grids are so large that 10 % are
    more than what the heap rounds up."""
    recipe = (SOURCE / f"examples/{name}.toml", tmp_path, *SHORT, "-s", larger)
    bare = (SOURCE / "examples/soliton.toml", tmp_path, *SHORT, "-s", "grid.samples=256")
    more = estimated(*recipe) - estimated(*bare)
    grown = resident(*recipe) - resident(*bare)
    assert more > 30 * 2**20, "fields that outweigh what the heap rounds up"
    assert abs(grown / more - 1) < 0.1, f"{grown / 2**20:.1f} MiB, estimated {more / 2**20:.1f} MiB"


FEW = {"cluster": 'sweep.wavelength=["450 nm", "650 nm"]', "metasurface": 'sweep.photon_energy=["1.2 eV", "2.2 eV"]',
       "chain": 'sweep.photon_energy=["1.2 eV", "2.0 eV"]'}
NOTHING = {"cluster": ["-s", "numerics.lmax=1"], "metasurface": ["-s", "numerics.lmax=1", "-s", "numerics.orders_kmax=1 rad/um"],
           "chain": ["-s", "numerics.lmax=1"]}


@pytest.mark.parametrize("name", FEW)
def test_scattering_is_within_a_tenth_of_program_and_estimate(tmp_path, name):
    """Program and libraries are what a run of the same recipe on next to nothing takes beside its own estimate, 20 to 30 MiB."""
    recipe = (SOURCE / f"examples/{name}.toml", tmp_path, "--threads", "1", "-s", FEW[name])
    bare = (*recipe, *NOTHING[name])
    program = resident(*bare) - estimated(*bare)
    assert 15 * 2**20 < program < 40 * 2**20
    told, taken = program + estimated(*recipe), resident(*recipe)
    assert abs(taken / told - 1) < 0.1, f"{taken / 2**20:.1f} MiB, estimated {told / 2**20:.1f} MiB, {program / 2**20:.1f} of them the program"


def told(recipe, folder, key, *options):
    """A number that check tells."""
    done = run("check", "--json", recipe, *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[0]["numbers"][key]["value"]


def peak(folder, *command):
    done = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCH, COMMAND, "-q", *map(str, command)], cwd=folder, text=True, capture_output=True, check=True)
    status, kibibytes = done.stdout.split()[-2:]
    assert status == "0", done.stderr
    return int(kibibytes) * 1024


ONE = ["-s", "run.threads=1"]
QUICK = ["-s", "geometry.length=1 um", "-s", "output.planes=2", "-s", "run.deterministic=true", *ONE]
LIBRARIES = 6 * 2**20  # by which what a process has of its libraries may differ from machine to machine: their pages come in groups
WHOLE = {"soliton": QUICK, "supercontinuum": QUICK, "dispersive_wave": QUICK, "rdw": QUICK, "gradient": QUICK,
         "cluster": ["-s", FEW["cluster"], *ONE], "metasurface": ["-s", FEW["metasurface"], *ONE], "chain": ["-s", FEW["chain"], *ONE]}


@pytest.mark.parametrize("name", WHOLE)
def test_what_to_ask_a_cluster_for(tmp_path, name):
    """Not a byte is left out: program, libraries and the run, within a tenth of what the process had in memory, but for pages of
    libraries: their share was measured on one machine, where all are within a tenth."""
    recipe = SOURCE / f"examples/{name}.toml"
    asked = told(recipe, tmp_path, "process", *WHOLE[name])
    taken = peak(tmp_path, "run", recipe, *WHOLE[name], "--no-plots", "-o", "x.h5", "--force")
    assert abs(taken - asked) < 0.1 * asked + LIBRARIES, f"{taken / 2**20:.1f} MiB, {asked / 2**20:.1f} MiB are told"


def test_what_to_ask_a_cluster_for_a_gradient(tmp_path):
    recipe, options = SOURCE / "examples/cluster.toml", ["-s", "numerics.lmax=14", *ONE]
    asked = told(recipe, tmp_path, "gradient_process", *options)
    taken = peak(tmp_path, "grad", recipe, *options)
    assert abs(taken - asked) < 0.1 * asked + LIBRARIES, f"{taken / 2**20:.1f} MiB, {asked / 2**20:.1f} MiB are told"
