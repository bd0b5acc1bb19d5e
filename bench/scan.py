#!/usr/bin/env python3
"""What a scan costs over the plain runs of its points, and what a second process gives: python3 bench/scan.py [COMMAND]

Prints ratios of one run, the kinds alternated and the least of each taken; they mean something on a quiet machine with two
cores: points of about a second, overhead at most 3 %, two processes at least 1.9 times one."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else str(ROOT / "build/release/src/cli/poynting")
POINTS, ROUNDS = 8, 3
SETTINGS = ["-s", "output.planes=2", "-s", "run.deterministic=true", "-s", 'plots.kinds=[]', "--threads", "1"]
RECIPE = (ROOT / "examples/soliton.toml").read_text(encoding="utf-8").replace('length = "0.785398163397448 m"', 'length = "LENGTH"')
AXIS = '\n[scan]\nlist.seed = { start = 1, stop = %d, num = %d }\ncollect = ["final_energy"]\n' % (POINTS, POINTS)


def timed(*arguments, cwd):
    start = time.perf_counter()
    subprocess.run([COMMAND, "-q", *arguments], cwd=cwd, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def write(folder, metres):
    text = RECIPE.replace("LENGTH", f"{metres!r} m")
    (folder / "one.toml").write_text(text, encoding="utf-8")
    (folder / "scan.toml").write_text(text + AXIS, encoding="utf-8")


def one(folder):
    return timed("run", "one.toml", *SETTINGS, "--force", cwd=folder)


def scan(folder, jobs):
    shutil.rmtree(folder / "soliton.scan", ignore_errors=True)
    return timed("scan", "scan.toml", *SETTINGS, "--jobs", str(jobs), cwd=folder)


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    write(folder, 1.0)
    one(folder)
    write(folder, 1.0 / one(folder))  # to about a second
    plain, single, double = [], [], []
    for _ in range(ROUNDS):
        plain.append(sum(one(folder) for _ in range(POINTS)))
        single.append(scan(folder, 1))
        double.append(scan(folder, 2))
    shutil.rmtree(folder)
    plain, single, double = min(plain), min(single), min(double)
    load = pathlib.Path("/proc/loadavg").read_text(encoding="ascii").split()[0]
    print(f"{POINTS} points of {plain / POINTS:.2f} s: scan over plain runs {100 * (single / plain - 1):+.1f} % (at most 3 %), "
          f"two processes {single / double:.2f} x one (at least 1.9); load {load}")


if __name__ == "__main__":
    main()
