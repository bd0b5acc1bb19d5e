"""Scans under what clusters start programs with: a Slurm of one node with munge, and mpirun. make test-cluster runs it; what is
not installed is skipped by its name."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(os.environ["POY_SOURCE_DIR"]) / "tests/run"))
from command import COMMAND, SOURCE, run  # noqa: E402
from test_scan import data, local, points, write  # noqa: E402

HERE = SOURCE / "tests/cluster"


@pytest.fixture(name="slurm", scope="module")
def fixture_slurm(tmp_path_factory):
    """The environment in which sbatch finds a Slurm of one node."""
    folder = tmp_path_factory.mktemp("slurm")
    started = subprocess.run(["sh", HERE / "slurm_up.sh", folder], capture_output=True, text=True, check=False)
    if started.returncode == 77:
        pytest.skip(started.stderr.strip())
    assert started.returncode == 0, started.stderr
    yield os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}
    subprocess.run(["sh", HERE / "slurm_down.sh", folder], check=False)


def wait_for_queue(slurm, seconds=300):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        queue = subprocess.run(["squeue", "-h"], env=slurm, capture_output=True, text=True, check=True)
        if not queue.stdout.strip():
            return
        time.sleep(0.5)
    raise AssertionError(f"jobs are left: {queue.stdout}")


def test_eight_tasks_of_five_points(tmp_path, slurm):
    """A job array of 8 tasks and the job that collects after it give the numbers of one command here, byte for byte."""
    want = local(tmp_path)
    done = run("scan", "a.toml", "--slurm", "tasks=8,time=10min", "-s", "run.deterministic=true", cwd=tmp_path, env=slurm)
    assert done.returncode == 0, done.stderr
    assert "#SBATCH --array=0-7" in done.stdout and "job array " in done.stdout
    wait_for_queue(slurm)
    logs = {p.name: p.read_text(encoding="utf-8") for p in (tmp_path / "soliton.scan").glob("*.out")}
    assert len(points(tmp_path)) == 40, logs
    assert len([name for name in logs if name.startswith("scan-")]) == 8
    assert data(tmp_path / "soliton.scan.h5") == want


def test_srun_numbers_its_tasks(tmp_path, slurm):
    write(tmp_path, 'grid.pulse.0.peak_power = { start = "1 kW", stop = "2 kW", num = 10 }\ncollect = ["final_energy"]\n')
    done = subprocess.run(["srun", "-n", "2", "--overcommit", COMMAND, "scan", "a.toml"], cwd=tmp_path, env=slurm, capture_output=True, text=True,
                          check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "soliton.scan.h5: 10 of 10 points, 0 failed\n"


def test_a_failed_task_does_not_keep_the_rest(tmp_path, slurm):
    """One point of six fails: its task ends with 3, the collected file has the other five."""
    write(tmp_path, 'grid.solver.dz_min = ["1e-9 m", "1e-9 m", "1 mm", "1e-9 m", "1e-9 m", "1e-9 m"]\ncollect = ["final_energy"]\n')
    done = run("scan", "a.toml", "--slurm", "tasks=3", "-s", "solver.rtol=1e-12", "-s", "pulse.0.peak_power=100 kW", cwd=tmp_path, env=slurm)
    assert done.returncode == 0, done.stderr
    wait_for_queue(slurm)
    assert points(tmp_path) == [f"{i:05d}.h5" for i in (0, 1, 3, 4, 5)]
    assert "5 of 6 points, 1 failed" in "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "soliton.scan").glob("collect*.out"))


def test_mpirun_of_two(tmp_path):
    if not shutil.which("mpirun"):
        pytest.skip("mpirun is not installed")
    want = local(tmp_path)
    env = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "2", COMMAND, "scan", "a.toml", "-s", "run.deterministic=true"], cwd=tmp_path, env=env,
                          capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "soliton.scan.h5: 40 of 40 points, 0 failed\n"
    assert data(tmp_path / "soliton.scan.h5") == want
