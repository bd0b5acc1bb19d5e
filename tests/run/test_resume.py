"""Stopping, dying, full disks, and going on from the file alone."""

import os
import re
import shutil
import signal
import struct
import subprocess
import time

import h5py
import numpy as np
import pytest
from command import COMMAND, run
from paced import Paced
from soliton import RECIPE, write

# Steps that every run takes, so that stopped and whole runs do the same arithmetic.
SCHEDULE = 'solver.schedule=[' + ", ".join(['"0.1 mm"'] * 2000) + "]"
SAME = 1e-13  # rounding: the first stage of a resumed step is computed anew


def spectra(path):
    with h5py.File(path) as f:
        assert f.attrs["complete"] == 1
        return f["grid/z"][:], f["field/spectrum"][:], {k: f["steps"][k][:] for k in f["steps"]}, f["stats/energy"][:]


@pytest.fixture(name="whole", scope="module")
def fixture_whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    write(folder)
    assert run("run", "a.toml", "-s", SCHEDULE, "-s", "output.planes=41", cwd=folder).returncode == 0
    return spectra(folder / "soliton.h5")


def same(got, want):
    assert np.array_equal(got[0], want[0])
    for g, w in zip(got[1], want[1]):
        assert np.linalg.norm(g - w) <= SAME * np.linalg.norm(w)
    assert np.array_equal(got[2]["dz"], want[2]["dz"]) and np.array_equal(got[2]["z"], want[2]["z"])
    assert len(got[3]) == len(want[3])


def start(folder, *more):
    write(folder)
    return subprocess.Popen([COMMAND, "run", "a.toml", "-s", SCHEDULE, "-s", "output.planes=41", *more], cwd=folder, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def paced(folder, *more):
    write(folder)
    return Paced("run", "a.toml", "-s", SCHEDULE, "-s", "output.planes=41", *more, cwd=folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_then_resume(tmp_path, whole, number):
    process = paced(tmp_path).until(0.012)
    process.signal(number)
    code, _, errors = process.end()
    assert code == 75
    assert ": continue with poynting resume soliton.h5" in errors
    with h5py.File(tmp_path / "soliton.h5") as f:
        assert f.attrs["complete"] == 0
        planes = f["grid/z"].shape[0]
        assert 2 <= planes < 41
    done = run("resume", "soliton.h5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    same(spectra(tmp_path / "soliton.h5"), whole)
    with h5py.File(tmp_path / "soliton.h5") as f:
        assert f["provenance/sessions"][()] == 2


@pytest.mark.parametrize("planes", [2, 7, 20, 33])
def test_kill_then_resume(tmp_path, whole, planes):
    paced(tmp_path).until(0.2 * planes / 40).kill()
    with h5py.File(tmp_path / "soliton.h5") as f:
        assert f.attrs["complete"] == 0
    checked, done = (run("resume", "soliton.h5", *args, cwd=tmp_path) for args in (["--check"], []))
    assert checked.returncode == done.returncode == 0, done.stderr
    same(spectra(tmp_path / "soliton.h5"), whole)
    assert not (tmp_path / "soliton.h5.journal").exists()


def journal(path, at=0, size=8, end=None):
    """The journal of a flush that writes what the file holds there already."""
    data = path.read_bytes()
    body = struct.pack("<QQQ", at, size, 0) + data[at: at + size]
    total = 14695981039346656037
    for byte in body:
        total = (total ^ byte) * 1099511628211 % 2**64
    head = struct.pack("<8sQQQQ", b"POYJRNL2", 1, 40 + len(body), total, len(data) if end is None else end)
    return head + body


@pytest.fixture(name="finished", scope="module")
def fixture_finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    write(folder)
    assert run("run", "a.toml", cwd=folder).returncode == 0
    return folder / "soliton.h5"


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("command", [["resume"], ["resume", "--check"], ["info"], ["plot", "spectrum", "--csv"]])
def test_journal_of_a_finished_run(tmp_path, finished, command, torn):
    """Killed after the file was marked complete and before the journal went: whoever opens it next tidies up."""
    path = tmp_path / "soliton.h5"
    shutil.copy(finished, path)
    left = tmp_path / "soliton.h5.journal"
    left.write_bytes(journal(path)[: 50 if torn else None])
    done = run(command[0], "soliton.h5", *command[1:], cwd=tmp_path)
    if command[0] == "resume":
        assert done.returncode == 4 and "it is complete: nothing is left to do" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
    assert not left.exists() and path.read_bytes() == finished.read_bytes()


def test_journal_of_another_file(tmp_path, finished):
    """It is not written into a file that it does not fit, and not lost; a run that makes the file anew drops it."""
    path, left = tmp_path / "soliton.h5", tmp_path / "soliton.h5.journal"
    shutil.copy(finished, path)
    write(tmp_path)
    left.write_bytes(journal(path, end=4096))
    done = run("resume", "soliton.h5", cwd=tmp_path)
    assert done.returncode == 74 and "its .journal is of another file or an older state: move that away" in done.stderr
    assert left.exists() and path.read_bytes() == finished.read_bytes()
    again = run("run", "a.toml", cwd=tmp_path)
    assert again.returncode == 74 and "exists already: use --force" in again.stderr and left.exists()
    assert run("run", "a.toml", "--force", cwd=tmp_path).returncode == 0 and not left.exists()


PICTURES = RECIPE.replace("kinds = []", 'kinds = ["spectrum", "temporal"]')


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_after_the_run(tmp_path, number):
    """A run that is over is no failure, whenever a signal comes: here while a gnuplot draws that never ends by itself."""
    write(tmp_path, PICTURES)
    slow = tmp_path / "bin/gnuplot"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\ntouch '{tmp_path}/drawing'\nexec sleep 60\n", encoding="ascii")
    slow.chmod(0o755)
    process = subprocess.Popen([COMMAND, "run", "a.toml"], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=os.environ | {"PATH": f"{slow.parent}:{os.environ['PATH']}"}, start_new_session=True)
    while not (tmp_path / "drawing").exists():
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(number)
    assert process.wait(timeout=60) == 0
    os.killpg(process.pid, signal.SIGKILL)  # the sleep
    output, _ = process.communicate()
    assert output.startswith("soliton.h5: 200 mm, ")
    with h5py.File(tmp_path / "soliton.h5") as f:
        assert f.attrs["complete"] == 1
    assert not (tmp_path / "soliton.h5.journal").exists()


def test_signal_between_recipes(tmp_path):
    """What has not begun is not begun: the first run is stopped, the second has no file."""
    write(tmp_path)
    write(tmp_path, RECIPE.replace('"soliton"', '"other"'), "b.toml")
    process = Paced("run", "a.toml", "b.toml", "-s", SCHEDULE, cwd=tmp_path).until(0.1)
    process.signal(signal.SIGTERM)
    assert process.end()[0] == 75
    assert (tmp_path / "soliton.h5").exists() and not (tmp_path / "other.h5").exists()


def test_kill_at_random_instants(tmp_path, whole):
    """Any reader opens what is left; it is taken up again, by the other backend now and then, or says that there is nothing."""
    random = np.random.default_rng(4)
    begin = time.monotonic()
    start(tmp_path).communicate(timeout=60)
    longest = 1.1 * (time.monotonic() - begin)
    seen = {"nothing": 0, "resumed": 0, "complete": 0}
    for k in range(int(os.environ.get("POY_KILLS", "8"))):
        path = tmp_path / "soliton.h5"
        path.unlink(missing_ok=True)
        process = start(tmp_path)
        time.sleep(random.uniform(0, longest))
        process.kill()
        process.communicate(timeout=60)
        done = run("resume", "soliton.h5", "--check", cwd=tmp_path)
        if done.returncode in (4, 74) and "complete" not in done.stderr:
            assert "run the recipe again" in done.stderr or "No such file" in done.stderr, done.stderr
            seen["nothing"] += 1
            continue
        with h5py.File(path) as f:
            f.visititems(lambda name, item: item[()] if isinstance(item, h5py.Dataset) else None)
            assert f["grid/z"].shape[0] <= f["field/spectrum"].shape[0]
            complete = f.attrs["complete"]
        seen["complete" if complete else "resumed"] += 1
        other = k % 4 == 3 and not complete
        if not complete:
            done = run("resume", "soliton.h5", *(["--backend", "ref"] if other else []), cwd=tmp_path)
            assert done.returncode == 0, done.stderr
        got = spectra(path)
        if other:
            assert all(np.linalg.norm(g - w) <= 1e-11 * np.linalg.norm(w) for g, w in zip(got[1], whole[1]))
        else:
            same(got, whole)
    print(seen)


def in_small_filesystem(folder, size, script):
    """Runs a shell script in a folder that is a file system of its own, while it runs; None where that is not allowed."""
    test = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size={size} none '{folder}' && cd '{folder}'"
    try:
        if subprocess.run([*test, mount], capture_output=True, check=False).returncode != 0:
            return None
    except FileNotFoundError:
        return None
    return subprocess.run([*test, f"{mount} && {script}"], text=True, capture_output=True, check=False)


def test_full_disk(tmp_path, whole):
    """The file system fills up on the way; what was safe is read by anyone, and the run goes on where there is room."""
    write(tmp_path)
    (tmp_path / "disk").mkdir()
    args = f"a.toml -s '{SCHEDULE}' -s output.planes=41"
    done = in_small_filesystem(tmp_path / "disk", "712k", f"cp ../a.toml . && '{COMMAND}' run {args}; echo $?; cp soliton.h5 ..")
    if done is None:
        pytest.skip("no mounting here")
    assert done.stdout == "74\n", done.stderr
    assert "soliton.h5: cannot " in done.stderr
    assert "No space left on device: make room, then poynting resume soliton.h5" in done.stderr
    with h5py.File(tmp_path / "soliton.h5") as f:
        planes = f["grid/z"].shape[0]
        assert 0 < planes < 41 and f.attrs["complete"] == 0
        for got, want in zip(f["field/spectrum"][:planes], whole[1]):
            assert np.linalg.norm(got - want) <= SAME * np.linalg.norm(want)
    assert run("resume", "soliton.h5", cwd=tmp_path).returncode == 0
    same(spectra(tmp_path / "soliton.h5"), whole)


def test_disk_that_is_too_small(tmp_path):
    """Fields that cannot fit are refused before the run, by name, with both sizes."""
    write(tmp_path)
    (tmp_path / "disk").mkdir()
    script = f"'{COMMAND}' run ../a.toml -s output.planes=2001; echo $?; ls"
    done = in_small_filesystem(tmp_path / "disk", "700k", script)
    if done is None:
        pytest.skip("no mounting here")
    assert done.stdout == "74\n", done.stderr
    assert re.search(r"soliton.h5: takes [\d.]+ MiB, the disk has 700 KiB: use fewer output.planes", done.stderr), done.stderr


def test_read_only_filesystem(tmp_path):
    write(tmp_path)
    (tmp_path / "disk").mkdir()
    script = f"mount -o remount,ro . && '{COMMAND}' run ../a.toml; echo $?"
    done = in_small_filesystem(tmp_path / "disk", "1m", script)
    if done is None:
        pytest.skip("no mounting here")
    assert done.stdout == "74\n" and "soliton.h5: cannot be written: Read-only file system" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_no_permission(tmp_path):
    write(tmp_path)
    tmp_path.chmod(0o500)
    done = run("run", "a.toml", cwd=tmp_path)
    tmp_path.chmod(0o700)
    assert done.returncode == 74 and "soliton.h5: cannot be written: Permission denied" in done.stderr


def test_a_running_file_is_left_alone(tmp_path, whole):
    """Neither --force nor resume touch a file that another process is writing."""
    process = paced(tmp_path).until(0.012)
    for arguments in (["run", "a.toml", "--force"], ["resume", "soliton.h5"]):
        done = run(*arguments, cwd=tmp_path)
        assert done.returncode == 74 and "in use by another process" in done.stderr, done.stderr
    assert process.end()[0] == 0
    same(spectra(tmp_path / "soliton.h5"), whole)


def test_second_signal_ends_at_once(tmp_path):
    """Both are there before the run takes its next step: nothing more is written."""
    process = paced(tmp_path).until(0.012)
    process.signal(signal.SIGINT, signal.SIGTERM)
    assert process.end()[0] == 75
    with h5py.File(tmp_path / "soliton.h5") as f:
        assert f.attrs["complete"] == 0 and f["provenance/sessions"][()] == 0
    assert run("resume", "soliton.h5", "--check", cwd=tmp_path).returncode == 0


LONG = ["-s", "geometry.length=2 km", "-s", "output.planes=2"]  # no machine is through with it in 50 ms


def test_stop_after(tmp_path):
    write(tmp_path)
    done = run("run", "a.toml", "--stop-after", "0.05 s", *LONG, cwd=tmp_path)
    assert done.returncode == 75
    assert "resume soliton.h5" in done.stderr
    done = run("resume", "soliton.h5", "--stop-after", "0.05 s", cwd=tmp_path)
    assert done.returncode == 75


def test_resume_with_controller(tmp_path):
    """An adaptive run that is stopped between planes: the controller goes on where it was, planes are the same to rtol."""
    write(tmp_path)
    args = ["-s", "geometry.length=2 m", "-s", "output.planes=4"]
    assert run("run", "a.toml", "-o", "whole.h5", *args, cwd=tmp_path).returncode == 0
    process = Paced("run", "a.toml", "-o", "part.h5", *args, cwd=tmp_path).until(0.9)
    process.signal(signal.SIGTERM)
    assert process.end()[0] == 75
    with h5py.File(tmp_path / "part.h5") as f:
        slot = f["resume"][f["resume/current"][()].decode()]
        assert slot["z"][()] > f["grid/z"][-1]
    assert run("resume", "part.h5", cwd=tmp_path).returncode == 0
    a, b = spectra(tmp_path / "whole.h5"), spectra(tmp_path / "part.h5")
    assert np.array_equal(a[0], b[0])
    assert np.linalg.norm(a[1][-1] - b[1][-1]) < 1e-3 * np.linalg.norm(a[1][-1])
    assert len(a[2]["dz"]) == pytest.approx(len(b[2]["dz"]), abs=3)


def test_extend(tmp_path):
    write(tmp_path)
    assert run("run", "a.toml", cwd=tmp_path).returncode == 0
    assert run("resume", "soliton.h5", cwd=tmp_path).returncode == 4
    done = run("resume", "soliton.h5", "--extend", "0.1 m", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "soliton.h5") as f:
        assert np.allclose(f["grid/z"], np.linspace(0, 0.3, 16), rtol=0, atol=1e-12)
        assert f.attrs["complete"] == 1
    assert run("run", "a.toml", "-o", "long.h5", "-s", "geometry.length=0.3 m", "-s", "output.planes=16", cwd=tmp_path).returncode == 0
    a, b = spectra(tmp_path / "long.h5"), spectra(tmp_path / "soliton.h5")
    assert np.linalg.norm(a[1][-1] - b[1][-1]) < 1e-4 * np.linalg.norm(a[1][-1])


def test_resume_refuses_another_problem(tmp_path):
    write(tmp_path)
    assert run("run", "a.toml", "--stop-after", "0.05 s", *LONG, cwd=tmp_path).returncode == 75
    done = run("resume", "soliton.h5", "-s", "fibre.gamma=0.02 1/(W m)", "-s", "solver.rtol=1e-8", cwd=tmp_path)
    assert done.returncode == 4
    assert done.stderr.splitlines()[-1] == (
        'soliton.h5: cannot resume: 2 keys differ: fibre.gamma ("0.01 1/(W m)" -> "0.02 1/(W m)"), solver.rtol (1e-6 -> 1e-8)')
    for key, value in (("peak_power", "3 kW"), ("t0", "90 fs"), ("delay", "10 fs")):
        done = run("resume", "soliton.h5", "-s", f"pulse.0.{key}={value}", cwd=tmp_path)
        assert done.returncode == 4, key
        assert f"cannot resume: 1 key differs: pulse.0.{key}" in done.stderr
    assert run("resume", "soliton.h5", "-s", "run.threads=1", "--stop-after", "0.05 s", cwd=tmp_path).returncode == 75


def test_digest_knows_the_launch(tmp_path):
    """Two results with one digest hold the same fields: keys of the launch count, those of the machine do not."""
    write(tmp_path)
    digests = []
    for i, key in enumerate(["run.threads=1", "run.threads=2", "pulse.0.peak_power=3 W", "pulse.0.delay=10 fs", "seed=7"]):
        assert run("run", "a.toml", "-o", f"{i}.h5", "--no-plots", "-s", key, "-s", "geometry.length=1 mm", cwd=tmp_path).returncode == 0
        with h5py.File(tmp_path / f"{i}.h5") as f:
            digests.append(f.attrs["config_sha256"])
    assert digests[0] == digests[1] and len(set(digests)) == 4


def test_other_backend_goes_on(tmp_path, whole):
    write(tmp_path)
    paced(tmp_path).until(0.15).kill()
    assert run("resume", "soliton.h5", "--backend", "ref", cwd=tmp_path).returncode == 0
    got = spectra(tmp_path / "soliton.h5")
    for g, w in zip(got[1], whole[1]):
        assert np.linalg.norm(g - w) <= 1e-11 * np.linalg.norm(w)


def test_newer_format_is_refused_by_name(tmp_path):
    write(tmp_path)
    assert run("run", "a.toml", cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "soliton.h5", "a") as f:
        f.attrs["format"] = np.int64(3)
    for command in ("resume", "plot", "info"):
        done = run(command, "soliton.h5", cwd=tmp_path)
        assert done.returncode == 4, command
        assert "written by format 3, this program reads 1-1: use a newer poynting" in done.stderr
