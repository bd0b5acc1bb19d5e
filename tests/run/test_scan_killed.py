"""A scan whose processes are killed at random, many times."""

import os
import random
import signal
import time

import numpy as np
from test_scan import ENERGY, children, energies, launched, start, write


def test_killed_at_random(tmp_path):
    """At least 200 processes die by kill -9 wherever they are; every point is there once, with its own numbers. A kill
    waits for one more point, so that the scan ends, however slow the machine is."""
    n, kills, done_before = 400, 0, 0
    write(tmp_path, f'grid.pulse.0.peak_power = {{ start = "1 kW", stop = "1.399 kW", num = {n} }}\n' + ENERGY)
    random.seed(1)
    process = start(tmp_path, "--jobs", "4")
    folder = tmp_path / "soliton.scan"
    while process.poll() is None and kills < 215:
        over = sum(name[5:] == ".h5" for name in os.listdir(folder)) if folder.exists() else 0
        workers = children(process.pid)
        if over > done_before and workers:
            time.sleep(random.uniform(0, 0.01))
            try:
                os.kill(random.choice(workers), signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
            done_before = over
        time.sleep(0.001)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert kills >= 200
    assert out == f"soliton.scan.h5: {n} of {n} points, 0 failed\n"
    energy, status = energies(tmp_path)
    want = launched(np.linspace(1e3, 1.399e3, n), 1e-13)
    assert (status == 1).all() and np.allclose(energy, want, rtol=1e-7, atol=0)  # neighbours differ by 1e-3
    assert sorted(p.name for p in folder.iterdir()) == [f"{i:05d}.h5" for i in range(n)] + ["recipe.toml"]
