"""What happens to scans on disks, clocks and in files that are not as they should be: nothing is lost, and it is told."""

import os
import pathlib
import resource
import shutil
import stat
import subprocess
import tempfile
import time

import h5py
import numpy as np
import pytest
from command import COMMAND, run
from scans import ENERGY, write


def scan(folder, *more, **how):
    return run("scan", "a.toml", *more, cwd=folder, env=os.environ | {"OMP_WAIT_POLICY": "passive"}, **how)


def done_points(folder):
    return sorted(p.name for p in (pathlib.Path(folder) / "soliton.scan").glob("?????.h5"))


# ---- disks ----


def test_a_file_that_cannot_grow_loses_nothing(tmp_path):
    """The limit of a file's size is that of a full disk, but for its words: the points wait, and the same command goes on."""
    write(tmp_path, "list.seed = [1, 2, 3]\n" + ENERGY)
    small = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)), "restore_signals": False}
    full = scan(tmp_path, "--jobs", 2, **small)
    assert full.returncode == 74 and not done_points(tmp_path)
    assert "the same command goes on\nContinue with: poynting scan a.toml -j 2\n" in full.stderr
    assert [line.split()[1] for line in scan(tmp_path, "--list").stdout.splitlines()] == ["waiting"] * 3
    assert scan(tmp_path).stdout == "soliton.scan.h5: 3 of 3 points, 0 failed\n"
    assert not [p for p in (tmp_path / "soliton.scan").iterdir() if "part" in p.name or "claim" in p.name]


@pytest.mark.parametrize("command", ["run", "scan"])
def test_a_missing_folder_is_refused_before_anything_is_computed(tmp_path, command):
    write(tmp_path, "list.seed = [1, 2]\n" + ENERGY)
    done = run(command, "a.toml", "-o", "no/such/x.h5", cwd=tmp_path)
    assert done.returncode == 74
    assert "no/such/x.h5: cannot be written: No such file or directory: make its folder first, or name another file" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["a.toml"]


def test_a_missing_folder_is_refused_by_a_dry_run_too(tmp_path):
    write(tmp_path, "list.seed = [1, 2]\n" + ENERGY)
    assert run("run", "a.toml", "--dry-run", "-o", "no/x.h5", cwd=tmp_path).returncode == 74


def test_a_folder_that_can_only_be_read_is_listed_and_collected(tmp_path):
    write(tmp_path, "list.seed = [1, 2]\n" + ENERGY)
    assert scan(tmp_path, "--index", "0:1").returncode == 0
    shared = pathlib.Path(tempfile.mkdtemp())  # that of tmp_path lets nobody else in
    try:
        shutil.copytree(tmp_path / "soliton.scan", shared / "soliton.scan")
        shutil.copy(tmp_path / "a.toml", shared)
        shutil.copy(COMMAND, shared / "poynting")
        for path in [*shared.rglob("*"), shared]:
            path.chmod((path.stat().st_mode | stat.S_IRGRP | stat.S_IROTH | (0o055 if path.is_dir() or path.name == "poynting" else 0)) & ~0o222)
        home = {"HOME": str(shared), "PATH": os.environ["PATH"]} | {k: v for k, v in os.environ.items() if k.startswith("LD_")}
        other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        ask = lambda *more: subprocess.run([shared / "poynting", "scan", "a.toml", *more], cwd=shared, env=home, text=True, capture_output=True, check=False, **other)
        listed = ask("--list")
        assert listed.returncode == 0, listed.stderr
        assert [line.split()[1] for line in listed.stdout.splitlines()] == ["done", "waiting"]
        with tempfile.TemporaryDirectory() as elsewhere:
            pathlib.Path(elsewhere).chmod(0o777)
            collected = ask("--collect", "-o", f"{elsewhere}/c.h5")
            assert collected.stdout == f"{elsewhere}/c.h5: 1 of 2 points, 0 failed\n", collected.stderr
        refused = ask()
        assert refused.returncode == 74 and "Permission denied" in refused.stderr
    finally:
        for path in [shared, *shared.rglob("*")]:
            path.chmod(0o755)
        shutil.rmtree(shared)


# ---- clocks and claims ----


def test_a_claim_from_the_future_counts_from_now(tmp_path):
    """Of a machine whose clock was ahead, and which is dead: others wait for two minutes, not until its time has come."""
    write(tmp_path, "list.seed = [1, 2]\n" + ENERGY)
    assert scan(tmp_path, "--index", "0:1").returncode == 0
    claim = tmp_path / "soliton.scan/00001.claim.0"
    claim.write_text("another-boot pid:[1]\n4711 99\nrunning\n", encoding="ascii")
    os.utime(claim, (time.time() + 2e5, time.time() + 2e5))
    assert "1 points are run by other processes still" in scan(tmp_path).stderr
    assert claim.stat().st_mtime < time.time() + 60
    os.utime(claim, (time.time() - 300, time.time() - 300))
    assert scan(tmp_path).returncode == 0 and len(done_points(tmp_path)) == 2


@pytest.mark.parametrize("text", ["", "another-boot", "another-boot pid:[1]\nx y\n", "\0" * 60])
def test_a_claim_that_cannot_be_read(tmp_path, text):
    """Written half by a file system that lost the rest: after two minutes of silence it is nobody's."""
    write(tmp_path, "list.seed = [1]\n" + ENERGY)
    assert scan(tmp_path, "--list").returncode == 0
    claim = tmp_path / "soliton.scan/00000.claim.0"
    claim.write_text(text, encoding="ascii")
    assert "1 points are run by other processes still" in scan(tmp_path).stderr and not done_points(tmp_path)
    os.utime(claim, (time.time() - 300, time.time() - 300))
    assert scan(tmp_path).returncode == 0 and done_points(tmp_path) == ["00000.h5"]


# ---- recipes ----


@pytest.mark.parametrize(("axis", "message"), [
    ('grid.pulse.0.t0 = ["nan fs", "100 fs"]\n', "'nan fs' is not finite: write a finite number"),
    ("grid.solver.rtol = [nan, 1e-6]\n", "nan is not finite"), ("grid.solver.rtol = { start = 1e-6, stop = inf, num = 3 }\n", "inf is not finite"),
    ("grid.seed = { start = 1, stop = 5, num = 0 }\n", "num is not a count of values"),
    ("grid.seed = [1]\ngrid.seed = [2]\n", "scan.grid.seed: already set at line"),
    ("grid.seed = [1, 2]\nzip.seed = [3, 4]\n", "seed stands on two axes: keep one")])
def test_axes_that_say_nothing(tmp_path, axis, message):
    write(tmp_path, ENERGY + axis)
    done = scan(tmp_path)
    assert done.returncode == 3 and message in done.stderr and not (tmp_path / "soliton.scan").exists()


def test_one_point(tmp_path):
    write(tmp_path, "grid.seed = [1]\n" + ENERGY)
    assert scan(tmp_path).stdout == "soliton.scan.h5: 1 of 1 points, 0 failed\n"
    drawn = run("plot", "soliton.scan.h5", cwd=tmp_path)
    assert drawn.returncode == 0 and "no picture: it has one point" in drawn.stderr


def test_an_edited_scan_mixes_nothing(tmp_path):
    """Other values, another order of them: refused by the keys that differ, whatever is there stays; what is collected may change."""
    write(tmp_path, "grid.seed = [1, 2, 3]\n" + ENERGY)
    assert scan(tmp_path, "--index", "0:2").returncode == 0
    for values, differs in [("[1, 2, 3, 4]", "scan.grid.seed.3 (none -> 4)"), ("[3, 2, 1]", "scan.grid.seed.0 (1 -> 3)")]:
        write(tmp_path, f"grid.seed = {values}\n" + ENERGY)
        done = scan(tmp_path)
        assert done.returncode == 4 and differs in done.stderr and len(done_points(tmp_path)) == 2
    write(tmp_path, 'grid.seed = [1, 2, 3]\ncollect = ["stats.energy"]\n')
    before = {p: (tmp_path / "soliton.scan" / p).stat().st_mtime_ns for p in done_points(tmp_path)}
    assert scan(tmp_path).stdout == "soliton.scan.h5: 3 of 3 points, 0 failed\n"
    assert all((tmp_path / "soliton.scan" / p).stat().st_mtime_ns == t for p, t in before.items())


def test_arrays_of_any_length_in_both_directions(tmp_path):
    """Planes and steps differ from point to point: NaN behind what is there, beside it how much that is."""
    write(tmp_path, 'grid.output.planes = [2, 3, 5]\ngrid.solver.rtol = [1e-4, 1e-8]\ncollect = ["steps.dz", "stats.energy", "field.spectrum", "grid.z"]\n')
    assert scan(tmp_path).returncode == 0
    with h5py.File(tmp_path / "soliton.scan.h5") as f:
        planes = f["scan/grid/z"]
        assert planes.shape == (3, 2, 5) and (f["scan/grid/valid_length"][...] == [[2, 2], [3, 3], [5, 5]]).all()
        assert (np.isfinite(planes[...]).sum(axis=-1) == [[2, 2], [3, 3], [5, 5]]).all()
        assert (np.isfinite(f["scan/field/spectrum"][:, 0]).all(axis=(-3, -2, -1)).sum(axis=-1) == [2, 3, 5]).all()
        for k in range(6):
            with h5py.File(tmp_path / f"soliton.scan/{k:05}.h5") as one:
                steps = one["steps/dz"][...]
                assert f["scan/steps/valid_length"][...].flat[k] == len(steps)
                assert (f["scan/steps/dz"][...].reshape(6, -1)[k, :len(steps)] == steps).all()


def test_many_points_are_listed_and_counted(tmp_path):
    write(tmp_path, "grid.seed = { start = 1, stop = 100000, num = 100000 }\n" + ENERGY)
    listed = scan(tmp_path, "--list")
    lines = listed.stdout.splitlines()
    assert len(lines) == 100000 and lines[-1] == "99999  waiting  seed = 100000"
    for k in (7, 99999):  # files of five digits, and what is beside them
        (tmp_path / f"soliton.scan/{k:05}.failed").write_text("told\n", encoding="ascii")
    assert [line for line in scan(tmp_path, "--list").stdout.splitlines() if "failed" in line] == [
        "00007  failed   seed = 8  # told", "99999  failed   seed = 100000  # told"]


# ---- pictures ----


def test_a_map_of_a_constant(tmp_path):
    """Colours from one value to the same one are none that gnuplot draws; energy is constant but for rounding."""
    write(tmp_path, 'grid.seed = [1, 2, 3]\ngrid.solver.rtol = [1e-4, 1e-6]\ncollect = ["final_energy", "stats"]\n')
    assert scan(tmp_path).returncode == 0
    for quantity in ("final_energy", "stats.energy"):
        drawn = run("plot", "soliton.scan.h5", "map", "--quantity", quantity, cwd=tmp_path)
        if shutil.which("gnuplot"):
            assert drawn.returncode == 0, drawn.stderr
        else:
            assert "gnuplot" in drawn.stderr


def test_the_last_value_of_a_statistic_is_a_quantity(tmp_path):
    """Also where it was not collected by that name: it is the last of its rows."""
    write(tmp_path, 'grid.pulse.0.peak_power = ["1 kW", "2 kW"]\ncollect = ["stats"]\n')
    assert scan(tmp_path).returncode == 0
    drawn = run("plot", "soliton.scan.h5", "lines", "--csv", "--quantity", "final_energy", "-o", "e.csv", cwd=tmp_path)
    assert drawn.returncode == 0, drawn.stderr
    rows = [line.split(",") for line in (tmp_path / "e.csv").read_text(encoding="utf-8").splitlines()[-2:]]
    assert np.allclose([[float(x) for x in row] for row in rows], [[1e3, 2e-10], [2e3, 4e-10]], rtol=1e-4, atol=0)
    none = run("plot", "soliton.scan.h5", "lines", "--csv", "--quantity", "final_zdw", cwd=tmp_path)
    assert none.returncode == 2 and "others have to be named in [scan] collect: then poynting scan RECIPE --collect" in none.stderr
