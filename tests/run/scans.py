"""Small scans of the soliton, the command that runs them, and what is in the files that they leave."""

import os
import pathlib
import re
import subprocess
import time

import h5py
from command import COMMAND, run
from soliton import RECIPE

FAST = RECIPE.replace('length = "0.2 m"', 'length = "2 mm"').replace("samples = 1024", "samples = 256").replace("planes = 11", "planes = 2")
TWO_BY_THREE = 'grid.pulse.0.peak_power = ["1 kW", "1.8 kW"]\ngrid.pulse.0.t0 = { start = "80 fs", stop = "120 fs", num = 3 }\n'
NOISE = FAST.replace('raman = "off"', 'raman = "off"\nnoise = "shot"').replace('length = "2 mm"', 'length = "2 cm"')
LONG = RECIPE.replace('length = "0.2 m"', 'length = "20 m"').replace("planes = 11", "planes = 101")
ENERGY = 'collect = ["final_energy"]\n'


def write(folder, scan, text=FAST, name="a.toml"):
    path = pathlib.Path(folder) / name
    path.write_text(f"{text}\n[scan]\n{scan}", encoding="utf-8")
    return path


def scan(folder, *more, **environment):
    return run("scan", "a.toml", *more, cwd=folder, env=os.environ | {"OMP_WAIT_POLICY": "passive"} | environment)


def points(folder):
    return sorted(p.name for p in (folder / "soliton.scan").glob("*.h5"))


def energies(folder, name="soliton.scan.h5"):
    with h5py.File(folder / name) as f:
        return f["scan/final_energy"][...], f["scan/status"][...]


def launched(power, t0):
    """Energy of a sech2 pulse (J)."""
    return 2 * power * t0


def start(folder, *more):
    return subprocess.Popen([COMMAND, "scan", "a.toml", *more], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=os.environ | {"OMP_WAIT_POLICY": "passive"})


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def is_waiting(pid, number):
    """Whether a process that is held has a signal before it, for when it is let go."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return any(int(re.search(rf"^{name}:\s*(\w+)", status, re.MULTILINE)[1], 16) >> number - 1 & 1 for name in ("SigPnd", "ShdPnd"))


def children(pid):
    try:
        return [int(c) for c in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def data(path):
    """All numbers of a collected file as bytes, but the time it was made at."""
    found = {}
    with h5py.File(path) as f:
        f["scan"].visititems(lambda name, o: found.update({name: o[...].tobytes()}) if isinstance(o, h5py.Dataset) and o.dtype.kind in "fcui" else None)
    assert len(found) > 3
    return found
