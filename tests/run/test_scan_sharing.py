"""Scans that several processes share, and members that march in lockstep: the numbers are those of one process and one run."""

import os
import re
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from command import COMMAND
from hollow import CAPILLARY, recipe
from paced import hold_workers, let_go
from scans import ENERGY, FAST, LONG, NOISE, TWO_BY_THREE, data, energies, is_waiting, launched, points, scan, start, wait_until, write

# ---- sharing ----


def test_processes_of_several_hosts_share_a_folder(tmp_path):
    """Four commands of their own at once; each point is run by one of them."""
    write(tmp_path, 'grid.pulse.0.peak_power = { start = "1 kW", stop = "2 kW", num = 24 }\n' + ENERGY)
    processes = [start(tmp_path, "--worker", f"{k}/4") for k in range(4)]
    for p in processes:
        assert p.wait(timeout=60) == 0, p.stderr.read()
        p.stdout.close()
        p.stderr.close()
    assert len(points(tmp_path)) == 24
    assert scan(tmp_path, "--collect").stdout == "soliton.scan.h5: 24 of 24 points, 0 failed\n"
    with h5py.File(tmp_path / "soliton.scan/00007.h5") as f:
        assert f["provenance/sessions"][()] == 1


def test_claims_of_others(tmp_path):
    """A claim of another machine counts while it is renewed; one that is silent for two minutes does not."""
    write(tmp_path, "list.seed = [1, 2]\n" + ENERGY)
    assert scan(tmp_path, "--index", "0:1").returncode == 0
    claim = tmp_path / "soliton.scan/00001.claim.0"
    claim.write_text("another-boot pid:[1]\n4711 99\nrunning\n", encoding="ascii")
    busy = scan(tmp_path)
    assert busy.returncode == 0 and "1 points are run by other processes still" in busy.stderr and len(points(tmp_path)) == 1
    os.utime(claim, (time.time() - 300, time.time() - 300))
    assert scan(tmp_path).returncode == 0 and len(points(tmp_path)) == 2 and not claim.exists()


DETERMINISTIC = 'grid.pulse.0.peak_power = { start = "1 kW", stop = "2 kW", num = 40 }\ncollect = ["final_spectrum", "stats"]\n'


def local(folder, text=FAST):
    write(folder, DETERMINISTIC, text)
    done = scan(folder, "-s", "run.deterministic=true", "--queue", "local.scan", "-o", "local.h5")
    assert done.returncode == 0, done.stderr
    return data(folder / "local.h5")


def test_array_tasks_as_slurm_numbers_them(tmp_path):
    """8 tasks of 5 points, by Slurm's variables alone; the numbers are those of one command, byte for byte."""
    want = local(tmp_path)
    for task in range(8):
        done = scan(tmp_path, "-s", "run.deterministic=true", SLURM_ARRAY_TASK_ID=str(10 + 2 * task), SLURM_ARRAY_TASK_COUNT="8",
                    SLURM_ARRAY_TASK_MIN="10", SLURM_ARRAY_TASK_STEP="2", SLURM_CPUS_PER_TASK="1")
        assert done.returncode == 0 and not done.stdout, done.stderr
        assert len(points(tmp_path)) == 5 * (task + 1)
    assert scan(tmp_path, "-s", "run.deterministic=true", "--collect").returncode == 0
    assert data(tmp_path / "soliton.scan.h5") == want


@pytest.mark.parametrize("names", [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")])
def test_ranks_as_mpi_numbers_them(tmp_path, names):
    write(tmp_path, 'grid.pulse.0.peak_power = { start = "1 kW", stop = "2 kW", num = 12 }\n' + ENERGY)
    ranks = [subprocess.Popen([COMMAND, "scan", "a.toml"], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=os.environ | {names[0]: str(k), names[1]: "3"}) for k in range(3)]
    outputs = [p.communicate(timeout=60) for p in ranks]
    assert [p.returncode for p in ranks] == [0, 0, 0], outputs
    assert [o[0] for o in outputs] == ["soliton.scan.h5: 12 of 12 points, 0 failed\n", "", ""]


def test_slurm_script(tmp_path):
    write(tmp_path, TWO_BY_THREE)
    done = scan(tmp_path, "--slurm", "tasks=3,time=90min,mem=2GiB,partition=long", "--dry-run", "-s", "seed=2", "--queue", "q")
    assert done.returncode == 0, done.stderr
    for line in ["#SBATCH --array=0-2", "#SBATCH --cpus-per-task=1", "#SBATCH --time=1:30:00", "#SBATCH --mem=2048M", "#SBATCH --partition=long",
                 "#SBATCH --output=q/scan-%A_%a.out", "# task k of n takes the k-th share of 6 points"]:
        assert line in done.stdout
    assert re.search(r"exec '.*' scan 'a.toml' --queue 'q' -s 'seed=2'\n", (tmp_path / "q/array.sbatch").read_text(encoding="utf-8"))
    assert (tmp_path / "q/collect.sbatch").read_text(encoding="utf-8").rstrip().endswith("--collect")
    takes = re.search(r"# the larger of the first and the last point takes a process of (\d+)M, a task starts up to 1\n", done.stdout)
    assert 10 < int(takes[1]) < 2048 and "may take" not in done.stderr
    assert "#SBATCH --output=q/collect-%j.out" in done.stdout  # no array: it has no task
    assert not list((tmp_path / "q").glob("*.h5"))
    done = scan(tmp_path, "--slurm", "tasks=3,cpus=2,mem=1MiB", "--dry-run", "--queue", "q2")
    assert done.returncode == 0 and "mem=1 MiB is less than the " in done.stderr and "a task starts up to 2\n" in done.stdout
    done = scan(tmp_path, "--slurm", "tasks=3", "--dry-run", "--queue", "q3")
    assert done.returncode == 0 and "mem=... asks for it" in done.stderr and "--mem" not in done.stdout


# ---- lockstep ----

SCHEDULE = "[solver]\nschedule = [" + ", ".join(['"0.5 mm"'] * 40) + "]\n"
FIXED = f"{NOISE.replace('planes = 2', 'planes = 5')}\n{SCHEDULE}"
SEEDS = 'list.seed = { start = 1, stop = 7, num = 7 }\ngrid.pulse.0.peak_power = ["1 W", "9 kW"]\ncollect = ["final_spectrum", "stats", "coherence_g12", "spectrum_mean", "spectrum_std"]\n'


def test_members_in_lockstep_are_what_they_are_alone(tmp_path):
    """An ensemble on one schedule, five points at a time: every number of every file is that of a run of its own, to the bit."""
    write(tmp_path, SEEDS, FIXED)
    assert scan(tmp_path, "--queue", "alone.scan", "-o", "alone.h5", "-s", "run.deterministic=true").returncode == 0
    done = scan(tmp_path, "--together", 5, "--jobs", 1, "--threads", 2, "-s", "run.deterministic=true")
    assert done.returncode == 0, done.stderr
    assert len(points(tmp_path)) == 14 and data(tmp_path / "soliton.scan.h5") == data(tmp_path / "alone.h5")
    for name in points(tmp_path):
        with h5py.File(tmp_path / "soliton.scan" / name) as a, h5py.File(tmp_path / "alone.scan" / name) as b:
            for path in ("field/spectrum", "stats/energy", "stats/z", "steps/z", "steps/dz", "grid/z"):
                assert np.array_equal(a[path][...], b[path][...]), (name, path)
            assert a.attrs["config_sha256"] == b.attrs["config_sha256"] and a.attrs["complete"] == 1


def test_lockstep_warnings_are_those_of_their_own_point(tmp_path):
    """Above its table a rate is held, which one of two points tells of on its way."""
    text = recipe(geometry=CAPILLARY.replace("1 cm", "0.1 mm"), physics='rate_above = "hold"',
                  solver='absorber = "none"\nschedule = ["50 um", "50 um"]')
    write(tmp_path, 'list.pulse.0.energy = ["100 uJ", "40 mJ"]\ncollect = ["final_energy"]\n', text)
    done = scan(tmp_path, "--together", 2, "--jobs", 1)
    assert done.returncode == 0, done.stderr
    told = []
    for path in sorted((tmp_path / "gas.scan").glob("*.h5")):
        with h5py.File(path) as f:
            told.append(any(b"held at its last" in w for w in f["provenance/warnings"][:]))
    assert told == [False, True]


def test_lockstep_failure_is_that_of_its_own_point(tmp_path):
    """One member overflows: the rest of its group is what it is alone."""
    text = FIXED.replace('peak_power = "1.8 kW"', 'peak_power = "1 kW"')
    write(tmp_path, 'list.pulse.0.peak_power = ["1 kW", "1e300 W", "2 kW", "3 kW"]\ncollect = ["final_energy"]\n', text)
    done = scan(tmp_path, "--together", 4, "--jobs", 1)
    assert done.returncode == 3 and 'point 1 (pulse.0.peak_power = "1e300 W") failed: ' in done.stderr, done.stderr
    energy, status = energies(tmp_path)
    assert list(status) == [1, 2, 1, 1] and np.allclose(energy[[0, 2, 3]], launched(np.array([1e3, 2e3, 3e3]), 1e-13), rtol=1e-3)


def test_lockstep_stopped_and_taken_up(tmp_path):
    """All members stand at the same step when they are stopped; each file goes on alone."""
    steps = ", ".join(['"0.5 mm"'] * 20000)
    long = LONG.replace('length = "20 m"', 'length = "10 m"').replace("planes = 101", "planes = 11") + f"\n[solver]\nschedule = [{steps}]\n"
    write(tmp_path, 'list.seed = [1, 2, 3]\ncollect = ["final_energy"]\n', long)
    process = start(tmp_path, "--jobs", "1", "--together", "3")
    folder = tmp_path / "soliton.scan"
    held = hold_workers(folder, 1, points=3)
    process.send_signal(signal.SIGINT)
    wait_until(lambda: is_waiting(held[0], signal.SIGTERM))
    let_go(held)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 75, errors
    parts = sorted(folder.glob("*.part.h5"))
    assert len(parts) == 3
    stood = set()
    for part in parts:
        with h5py.File(part) as f:
            stood.add(len(f["steps/z"]))
    assert len(stood) == 1 and 0 < stood.pop() < 20000
    done = scan(tmp_path, "--jobs", 2, "--together", 3)
    assert done.returncode == 0, done.stderr
    with h5py.File(folder / "00001.h5") as f:
        assert f.attrs["complete"] == 1 and f["provenance/sessions"][()] == 2 and len(f["steps/z"]) == 20000


@pytest.mark.parametrize(("axes", "text", "message"), [
    ("list.seed = [1, 2]\n", NOISE, "march on one fixed schedule: give solver.schedule"),
    ('list.seed = [1, 2]\ngrid.geometry.length = ["2 cm", "3 cm"]\n', FIXED, "have the same steps, and geometry.length is an axis")])
def test_lockstep_is_refused_by_name(tmp_path, axes, text, message):
    write(tmp_path, axes, text)
    done = scan(tmp_path, "--together", 2, "--jobs", 1)
    assert done.returncode == 4 and message in done.stderr, done.stderr
    assert not points(tmp_path)
