"""docs/modes.md: its recipe, its commands and its Python, as they stand there, one after the other."""

import re
import shlex
import subprocess
import sys

import h5py
import numpy as np
from command import SOURCE, check, run

PAGE = (SOURCE / "docs/modes.md").read_text()
RECIPE, COMMANDS, PYTHON = (re.search(rf"```{kind}\n(.*?)```", PAGE, flags=re.S)[1] for kind in ("toml", "sh", "python"))


def test_page(tmp_path):
    (tmp_path / "modes.toml").write_text(RECIPE + "[run]\nthreads = 1\n")
    for line in COMMANDS.splitlines():
        done = run(*shlex.split(line)[1:], cwd=tmp_path)
        assert done.returncode == 0 and "warning" not in done.stderr, (line, done.stderr)
    shown = subprocess.run([sys.executable, "-c", PYTHON], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    lines = re.findall(r"^(HE1\d): (\S+) uJ at the launch, (\S+) uJ at the end$", shown.stdout, flags=re.M)
    assert [name for name, *_ in lines] == ["HE11", "HE12", "HE13"]
    with h5py.File(tmp_path / "modes.h5") as f:
        assert f["stats/quadrature_error"][:].max() < 1e-3
        energies = f["stats/energy_per_mode"][:]
    assert np.allclose(energies[0], [1e-6 * float(first) for _, first, _ in lines], atol=1e-9)
    assert energies[-1, 1] != energies[0, 1] and energies[-1].sum() < energies[0].sum()


def test_coupled_is_the_sum_of_the_shares(tmp_path):
    """2 sqrt(eps0/mu0) overlaps of a Gaussian of 0.55 a with HE11, HE12, HE13 (Marcatili and Schmeltzer): by quadrature here."""
    code, checked, _ = check(tmp_path, RECIPE)
    assert code == 0, checked
    x = (np.arange(20000) + 0.5) / 20000
    beam = np.exp(-((x / 0.55) ** 2))
    whole = 0.55**2 / 4  # of beam^2 over the plane, without 2 pi
    share = 0
    for zero in (2.404825557695773, 5.520078110286311, 8.653727912911013):
        angle = np.linspace(0, np.pi, 400, endpoint=False)
        profile = np.cos(zero * x[:, None] * np.sin(angle)).mean(axis=1)  # J_0
        share += np.mean(beam * profile * x) ** 2 / (np.mean(profile**2 * x) * whole)
    assert np.isclose(checked["numbers"]["coupled"]["value"], share, rtol=1e-5)
