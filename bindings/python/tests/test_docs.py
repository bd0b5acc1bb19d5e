"""The Python of docs/python.md and the examples run."""
import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```python ?(\w*)\n(.*?)^```", re.M | re.S)


def test_page(tmp_path):
    """All blocks in one go, those of frameworks that are not installed left out."""
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = [code for needs, code in BLOCK.findall(text) if not needs or importlib.util.find_spec(needs)]
    assert len(BLOCK.findall(text)) >= 7 and len(blocks) >= 2
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_scans_page(tmp_path):
    """The Python of docs/scans.md, on the example that it names."""
    text = (ROOT / "docs/scans.md").read_text(encoding="utf-8")
    modules = {"": "poynting", "dask": "distributed"}
    blocks = [code for needs, code in BLOCK.findall(text) if importlib.util.find_spec(modules[needs])]
    assert len(BLOCK.findall(text)) == 2 and blocks
    (tmp_path / "soliton.toml").write_text((ROOT / "examples/soliton.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "page.py").write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run([sys.executable, "page.py"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("{} "), done.stderr[-2000:]


@pytest.mark.parametrize("name, needs, options", [("sphere_radius.py", ["jax"], []), ("cluster_positions.py", ["jax", "optax"], ["12"]),
                                                  ("metasurface.py", ["jax", "optax"], ["15"]), ("metasurface_recipe.py", [], ["10"])])
def test_example(name, needs, options):
    for module in needs:
        pytest.importorskip(module)
    done = subprocess.run([sys.executable, ROOT / "examples/python" / name, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    if name == "cluster_positions.py":
        before, after = map(float, re.search(r"([\d.]+) -> ([\d.]+)", done.stdout).groups())
        assert after > before
    elif name.startswith("metasurface"):
        before, after = map(float, re.search(r"transmission ([\d.]+) -> ([\d.]+)", done.stdout).groups())
        assert 0 <= after < 0.8 * before
    else:
        assert float(re.search(r"efficiency ([\d.]+)", done.stdout)[1]) > 9
