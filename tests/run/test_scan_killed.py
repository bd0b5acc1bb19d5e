"""A scan whose processes are killed at random, many times."""

import os
import random
import shutil
import signal
import time

import numpy as np
from scans import ENERGY, children, energies, launched, start, write

KILLS, POINTS = int(os.environ.get("POY_KILLS", "200")), 400


def kill_while_it_runs(process, folder, most):
    """Kills one of the processes after each point that gets done, a random part of a point later. How many."""
    kills, done_before, begin = 0, 0, time.monotonic()
    while process.poll() is None and kills < most:
        over = sum(name[5:] == ".h5" for name in os.listdir(folder)) if folder.exists() else 0
        workers = children(process.pid)
        if over > done_before and workers:
            time.sleep(random.uniform(0, min(0.01, (time.monotonic() - begin) / over)))
            try:
                os.kill(random.choice(workers), signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
            done_before = over
        time.sleep(0.0005)
    return kills


def test_killed_at_random(tmp_path):
    """At least 200 processes die by kill -9 wherever they are; every point is there once, with its own numbers. A kill
    waits for one more point, so that a scan ends, however slow the machine is; a fast one does several points between two
    kills, and several scans then."""
    write(tmp_path, f'grid.pulse.0.peak_power = {{ start = "1 kW", stop = "1.399 kW", num = {POINTS} }}\n' + ENERGY)
    random.seed(1)
    folder, kills, scans = tmp_path / "soliton.scan", 0, 0
    while kills < KILLS:
        shutil.rmtree(folder, ignore_errors=True)
        process = start(tmp_path, "--jobs", "4")
        killed = kill_while_it_runs(process, folder, KILLS - kills)
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert killed > 5, "a scan of many points in which nothing could be killed"
        kills, scans = kills + killed, scans + 1
        assert out == f"soliton.scan.h5: {POINTS} of {POINTS} points, 0 failed\n"
        energy, status = energies(tmp_path)
        want = launched(np.linspace(1e3, 1.399e3, POINTS), 1e-13)
        assert (status == 1).all() and np.allclose(energy, want, rtol=1e-7, atol=0)  # neighbours differ by 1e-3
        assert sorted(p.name for p in folder.iterdir()) == [f"{i:05d}.h5" for i in range(POINTS)] + ["recipe.toml"]
    print(f"{kills} kills in {scans} scans of {POINTS} points")
