#!/usr/bin/env python3
"""Wall time of recipes on one thread over that on two, in turns, the best of each; and their processor times, whose quotient tells what
sharing costs where the machine has other work.

    python bench/threads.py build/release/src/cli/poynting [rounds] RECIPE...

Without recipes: the spectrum of examples/cluster.toml (181 points, cross sections alone) and that of examples/metasurface.toml with 401
points."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = ["-s", 'output.quantities=["cross_sections"]']
SHARES = ["-s", 'output.quantities=["transmission", "cd"]', "-s", 'sweep.photon_energy={ start = "1.2 eV", stop = "2.2 eV", num = 401 }']
OWN = [(HERE / "examples/cluster.toml", SECTIONS), (HERE / "examples/metasurface.toml", SHARES)]


def timed(program, recipe, options, threads, folder):
    before, start = os.times(), time.perf_counter()
    subprocess.run([program, "-q", "run", recipe, *options, "--threads", str(threads), "--no-plots", "--force", "-o", f"{folder}/x.h5"],
                   check=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    wall, after = time.perf_counter() - start, os.times()
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def main():
    program, rest = sys.argv[1], sys.argv[2:]
    rounds = int(rest.pop(0)) if rest and rest[0].isdigit() else 3
    print("recipe, wall seconds on one and two threads, their quotient (bar 1.8), processor seconds, their quotient")
    with tempfile.TemporaryDirectory() as folder:
        for recipe, options in [(r, []) for r in rest] or OWN:
            wall, spent = {1: [], 2: []}, {1: [], 2: []}
            for _ in range(rounds):
                for threads in (1, 2):
                    w, c = timed(program, recipe, options, threads, folder)
                    wall[threads].append(w)
                    spent[threads].append(c)
            a, b, c, d = min(wall[1]), min(wall[2]), min(spent[1]), min(spent[2])
            print(f"{pathlib.Path(recipe).stem} {a:.2f} {b:.2f} {a / b:.2f} {c:.2f} {d:.2f} {c / d:.2f}", flush=True)


main()
