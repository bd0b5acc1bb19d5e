"""Scans from Python: axes by name, processes, executors, Dask, failures, what is collected."""
import concurrent.futures
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import h5py
import numpy as np
import pytest

import poynting
from soliton import soliton

SOLITON = soliton("2 mm", 512, 2) + "[run]\ndeterministic = true\n"
AXES = {"grid": {"pulse.0.peak_power": [1e3, "1.8 kW"], "pulse.0.t0": {"start": "80 fs", "stop": 1.2e-13, "num": 3}}}
COLLECT = ["final_energy", "final_spectrum", "stats"]


@pytest.fixture(name="here", autouse=True)
def fixture_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def recipe(**more):
    r = poynting.Recipe.parse(SOLITON)
    for key, value in more.items():
        r.set(key.replace("__", "."), value)
    return r


def data(result):
    """All numbers of a collected file as bytes."""
    found = {path: result[path].tobytes() for path in result.datasets if path.startswith("scan/") and not isinstance(result[path], (str, list))}
    assert len(found) > 5
    return found


def launched(power, t0):
    """Energy of a sech2 pulse (J)."""
    return 2 * power * t0


def test_axes_by_name_in_the_order_given():
    out = poynting.scan(recipe(), **AXES, collect=COLLECT, jobs=2)
    assert not out.failures and out.attribute("kind") == "scan" and out.path == "soliton.scan.h5"
    assert out["scan/final_energy"] == pytest.approx(launched(np.array([[1e3], [1.8e3]]), np.array([[80e-15, 100e-15, 120e-15]])), rel=1e-6)
    assert out.point(4)["stats/energy"][-1] == out["scan/final_energy"][1, 1]
    assert out.kinds() == ["map", "lines"]


def test_one_process_several_an_executor_give_the_same_bytes():
    one = poynting.scan(recipe(), **AXES, collect=COLLECT, jobs=1, folder="one", output="one.h5")
    many = poynting.scan(recipe(), **AXES, collect=COLLECT, jobs=3, folder="many", output="many.h5")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pooled = poynting.scan(recipe(), **AXES, collect=COLLECT, executor=pool, points_per_task=4, folder="pool", output="pool.h5")
    assert data(one) == data(many) == data(pooled)


def test_dask_gives_the_same_bytes():
    """Plain pickled functions on a LocalCluster of two processes: nothing here knows of Dask."""
    distributed = pytest.importorskip("distributed")
    local = poynting.scan(recipe(), **AXES, collect=COLLECT, jobs=2, folder="local", output="local.h5")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        spread = poynting.scan(recipe(), **AXES, collect=COLLECT, executor=client, folder="dask", output="dask.h5")
        pids = set(client.run(os.getpid).values())
        assert len(pids) == 2 and os.getpid() not in pids
        failing = poynting.Recipe.parse(SOLITON)
        with pytest.warns(UserWarning, match="1 of 2 points failed"):
            part = poynting.scan(failing, list={"pulse.0.t0": ["100 fs", "1 fs"]}, collect=["final_energy"], executor=client, folder="part", output="part.h5")
    assert data(spread) == data(local)
    assert list(part.failures) == [1] and "below four samples" in part.failures[1]


def test_wrong_names_are_told_before_anything_runs():
    with pytest.raises(poynting.RecipeError, match="points will have no stats/speed"):
        poynting.scan(recipe(), **AXES, collect=["final_speed"], jobs=2)
    assert not list(pathlib.Path("soliton.scan").glob("*.h5"))


def test_dask_worker_killed_costs_only_its_points():
    """A worker that dies by kill -9 in the middle: the nanny starts another, and every point is there once."""
    distributed = pytest.importorskip("distributed")
    slow = recipe(geometry__length="2 m", grid__samples=1024)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        victim = next(iter(client.run(os.getpid).values()))

        def kill():
            end = time.monotonic() + 60
            while time.monotonic() < end and not any(f" {victim} " in f" {' '.join(p.read_text().split())} " for p in pathlib.Path("dask").glob("*.claim.*")):
                time.sleep(0.005)
            os.kill(victim, signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        out = poynting.scan(slow, list={"pulse.0.peak_power": [1e3 + 10 * k for k in range(12)]}, collect=["final_energy"], executor=client, folder="dask")
        thread.join()
    assert not out.failures and (out["scan/status"] == 1).all()
    assert out["scan/final_energy"] == pytest.approx(launched(1e3 + 10 * np.arange(12), 1e-13), rel=1e-6)


def test_failures_are_warned_of_recorded_and_run_again():
    axes = {"list": {"pulse.0.t0": ["100 fs", "1 fs", "110 fs"]}}
    with pytest.warns(UserWarning, match=r'1 of 3 points failed.*point 1 \(pulse.0.t0 = "1 fs"\)'):
        out = poynting.scan(recipe(), **axes, collect=["final_energy"], jobs=2)
    assert list(out.failures) == [1] and np.isnan(out["scan/final_energy"][1]) and list(out["scan/status"]) == [1, 2, 1]
    stamp = os.stat("soliton.scan/00000.h5").st_mtime_ns
    with pytest.warns(UserWarning, match="1 of 3"):
        poynting.scan(recipe(), **axes, collect=["final_energy"], jobs=1, retry_failed=True)
    assert os.stat("soliton.scan/00000.h5").st_mtime_ns == stamp
    with pytest.warns(UserWarning), pytest.raises(poynting.ArgumentError, match="nothing to collect"):
        poynting.scan(recipe(), list={"pulse.0.t0": ["1 fs"]}, folder="none", jobs=1)


@pytest.mark.parametrize(("axes", "message"), [
    ({"grid": {"pulse.0.t0": ["1 nm"]}}, "expected a time, got a length"), ({"grid": {"pulse.0.energi": [1e-9]}}, "did you mean energy"),
    ({"zip": {"pulse.0.t0": [1e-13, 2e-13], "seed": [1]}}, "lengths differ"), ({}, "has no")])
def test_wrong_axes_are_refused_by_name(axes, message):
    with pytest.raises(poynting.PoyntingError, match=message):
        poynting.scan(recipe(), **axes)
    assert not list(pathlib.Path().glob("*.scan/*.h5"))


def test_a_folder_belongs_to_its_recipe():
    poynting.scan(recipe(), list={"seed": [1]}, jobs=1)
    with pytest.raises(poynting.MismatchError, match="belongs to another recipe"):
        poynting.scan(recipe(seed=5), list={"seed": [1]}, jobs=1)


def test_recipes_are_pickled_with_what_was_set():
    r = poynting.Recipe.parse(SOLITON.replace("planes = 2", ""), "mine.toml").set("pulse.0.peak_power", 500.0)
    r.set("output.plane_positions", [1e-3, np.float64(2e-3)]).set("geometry.length", np.float64(2e-3))
    again = pickle.loads(pickle.dumps(r))
    assert again.get("pulse.0.peak_power") == r.get("pulse.0.peak_power") == '"500.0 W"'
    changed = r.copy().set("pulse.0.peak_power", "1 W")
    assert changed.get("pulse.0.peak_power") == '"1 W"' and r.get("pulse.0.peak_power") == '"500.0 W"'


def test_a_float_in_si_is_accepted_by_every_quantity():
    """A bare number is the SI value of every key that takes one quantity."""
    import re

    from poynting import _core, _recipe

    for path, form, dimension, unit in _core.recipe_keys():
        key = re.sub(r"\bNAME\b", "x", path.replace(".N.", ".0."))
        if form == "a quantity":
            assert _recipe._unit_of(key)[0] == unit == _recipe._unit_of(f"scan.grid.{key}")[0], path
            assert _core.quantity(_recipe._toml(1.5, unit))[0] == 1.5
        elif not dimension:
            assert _recipe._unit_of(key) == ("", False), path


def test_progress_and_words():
    told = []
    out = poynting.scan(recipe(), grid={"output.precision": ["double", "single"], "seed": [1, 2]}, collect=["final_energy"], jobs=2,
                        progress=lambda *a: told.append(a))
    assert told[-1] == (4, 0, 0, 4)
    assert out["scan/axes/output.precision"] == ['"double"', '"single"']


def test_xarray_selects_by_names():
    pytest.importorskip("xarray")
    out = poynting.scan(recipe(), **AXES, collect=COLLECT, jobs=1)
    d = out.to_xarray()
    assert d["final_spectrum"].dims == ("pulse.0.peak_power", "pulse.0.t0", "mode", "polarisation", "omega")
    assert d["pulse.0.t0"].attrs["units"] == "s" and d["stats_energy"].dims[-1] == "stats_row"
    assert float(d["final_energy"].sel({"pulse.0.peak_power": 1.8e3}).sel({"pulse.0.t0": 1e-13}, method="nearest")) == pytest.approx(3.6e-10, rel=1e-6)


def hold_workers(folder, workers):
    """Stops (SIGSTOP) so many processes of a scan, each as soon as its point's file is there. Their numbers."""
    held, end = [], time.monotonic() + 60
    while len(held) < workers:
        assert time.monotonic() < end, "the processes of the scan did not start"
        time.sleep(0.002)
        for part in folder.glob("*.part.h5"):
            number, generation = part.name.split(".")[:2]
            try:
                pid = int((folder / f"{number}.claim.{generation}").read_text(encoding="ascii").splitlines()[1].split()[0])
                if pid in held or h5py.File(part, locking=False).attrs["complete"]:
                    continue
            except (OSError, KeyError, RuntimeError, IndexError):
                continue
            os.kill(pid, signal.SIGSTOP)
            held.append(pid)
    wait_until(lambda: all(status(pid, "State").startswith("T") for pid in held))
    return held


def status(pid, name):
    return next(line.split(":")[1].strip() for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines() if line.startswith(name))


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


def test_stopped_and_taken_up_where_it_was(here):
    """Ctrl-C in a script: its processes keep their states; the same call goes on."""
    script = here / "script.py"
    script.write_text(f"import poynting\nr = poynting.Recipe.parse('''{SOLITON}''')\n"
                      "r.set('geometry.length', '20 m').set('grid.samples', 1024).set('pulse.0.peak_power', '1.8 kW').set('output.planes', 101)\n"
                      "out = poynting.scan(r, list={'seed': [1, 2]}, collect=['final_energy'], jobs=2)\nprint(out['scan/status'])\n", encoding="utf-8")
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    held = hold_workers(here / "soliton.scan", 2)
    process.send_signal(signal.SIGINT)
    wait_until(lambda: all(int(status(pid, "ShdPnd"), 16) >> signal.SIGTERM - 1 & 1 for pid in held))
    for pid in held:
        os.kill(pid, signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors and list(here.glob("soliton.scan/*.part.h5")) and not list(here.glob("soliton.scan/*.failed"))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "[1. 1.]\n", done.stderr
    assert poynting.open("soliton.scan/00000.h5")["provenance/sessions"] == 2
