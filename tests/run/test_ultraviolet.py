"""docs/ultraviolet.md: its recipe, the numbers that it shows, the answer that it gives."""

import re

import h5py
import numpy as np
from command import SOURCE, run

PAGE = (SOURCE / "docs/ultraviolet.md").read_text()
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, flags=re.S)


def test_page(tmp_path):
    recipe = BLOCKS[0][1]
    (tmp_path / "uv.toml").write_text(recipe + '[plots]\nkinds = ["stats", "phase_matching"]\n')
    done = run("check", "uv.toml", cwd=tmp_path)
    assert done.returncode == 0 and not done.stderr, done.stderr
    shown = {" ".join(line.split()) for line in done.stdout.splitlines()}
    promised = [" ".join(line.split()) for line in BLOCKS[1][1].splitlines()]
    assert len(promised) == 5 and set(promised) <= shown, shown
    done = run("-q", "run", "uv.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "uv_stats.png").exists() and (tmp_path / "uv_phase_matching.png").exists()
    with h5py.File(tmp_path / "uv.h5") as f:
        assert np.isclose(f["stats/uv_energy"][:].max() * 1e6, float(re.search(r"reaches ([\d.]+) uJ of", PAGE)[1]), atol=0.05)
        assert np.isclose(f["stats/energy"][-1] / 30e-6, 0.5, atol=0.05)


def test_example_is_the_page():
    example = run("check", "--json", SOURCE / "examples/ultraviolet.toml")
    assert example.returncode == 0 and '"pressure"' in example.stdout
    for line in ('core_diameter = "150 um"', 'pressure = { pin = "rdw_soliton", wavelength = "280 nm" }', 'energy = "30 uJ"'):
        assert line in BLOCKS[0][1] and line in (SOURCE / "examples/ultraviolet.toml").read_text()


def test_what_next(tmp_path):
    """The scan of the energy has a pressure for each point; a second run starts from the result."""
    short = BLOCKS[0][1].replace('"1 m"', '"2 mm"').replace("[output]", "[output]\nplanes = 2")
    (tmp_path / "ultraviolet.toml").write_text(short + BLOCKS[3][1].replace("num = 9", "num = 2") + "[plots]\nkinds = []\n")
    done = run("-q", "scan", "-j", "1", "ultraviolet.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run("plot", "ultraviolet.scan.h5", "lines", "--quantity", "stats.uv_energy", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run("-q", "run", "ultraviolet.toml", cwd=tmp_path).returncode == 0
    pulse = re.search(r"`\[\[pulse\]\] (from = .*?)`", PAGE)[1] + "\n" + re.search(r"with `(through = .*?)`", PAGE)[1]
    second = re.sub(r"\[\[pulse\]\].*?\n\n", f"[[pulse]]\n{pulse}\n\n", short, flags=re.S).replace(
        '{ pin = "rdw_soliton", wavelength = "280 nm" }', '"7 bar"')
    (tmp_path / "second.toml").write_text(second)
    done = run("check", "second.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
