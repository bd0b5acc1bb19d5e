"""Progress: a bar in notebooks, a line elsewhere, silence where nobody asked."""
import pathlib
import sys
import types

import pytest

import poynting as po
from soliton import soliton

RECIPE = """schema = 1
kind = "scatter"
name = "dots"
sweep.wavelength = { start = "500 nm", stop = "700 nm", num = 4 }
output.quantities = ["cross_sections"]
numerics.lmax = 2
particle = [{ shape = "sphere", radius = "50 nm", material = { n = 1.5, k = 0.0 } }]
"""


class Handle:
    def __init__(self, shown):
        self.shown = shown

    def update(self, data, raw=False):
        assert raw
        self.shown.append(data)


@pytest.fixture
def notebook(monkeypatch):
    """What IPython shows in a kernel: a list of bundles, and how many displays they went to."""
    shown, made = [], []

    def display(data, raw=False, display_id=None):
        assert raw and display_id
        made.append(1)
        shown.append(data)
        return Handle(shown)

    package, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    package.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    module.display, package.display = display, module
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    return shown, made


def test_a_run_in_a_notebook_draws_one_bar(notebook, tmp_path, capsys):
    shown, made = notebook
    po.run(po.Recipe.parse(RECIPE), tmp_path / "x.h5")
    assert len(made) == 1 and shown and capsys.readouterr().err == ""
    assert 'value="1.0000"' in shown[-1]["text/html"] and "100.0 %" in shown[-1]["text/plain"] and shown[-1]["text/plain"].startswith("dots")
    assert "points" in shown[-1]["text/plain"]


def test_a_pulse_is_told_by_the_name_of_its_recipe(tmp_path):
    told = []
    po.run(po.Recipe.parse(soliton("1 mm", 256, 2)), tmp_path / "x.h5", progress=lambda name, *_: told.append(name))
    assert told and set(told) == {"soliton"}


def test_names_are_escaped(notebook):
    from poynting._progress import Line

    Line().show("a<b>&c", 0.5, "<i>", last=True)
    assert "a&lt;b&gt;&amp;c" in notebook[0][0]["text/html"] and "<i>" not in notebook[0][0]["text/html"]


def test_a_scan_in_a_notebook_draws_one_bar(notebook, tmp_path, capsys):
    po.scan(po.Recipe.parse(RECIPE), grid={"particle.0.radius": ["40 nm", "50 nm"]}, jobs=1, folder=tmp_path / "a", output=tmp_path / "a.h5")
    shown, made = notebook
    assert len(made) == 1 and "2/2 done, 0 failed" in shown[-1]["text/plain"] and capsys.readouterr().err == ""


def test_nothing_is_shown_unasked_outside(monkeypatch, tmp_path, capsys):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    po.run(po.Recipe.parse(RECIPE), tmp_path / "x.h5")
    assert capsys.readouterr().err == ""
    po.run(po.Recipe.parse(RECIPE), tmp_path / "y.h5", progress=True)
    told = capsys.readouterr().err
    assert told.startswith("\rdots [") and told.endswith("\n") and "100.0 %" in told


def test_a_notebook_may_be_told_to_be_silent(notebook, tmp_path, capsys):
    po.run(po.Recipe.parse(RECIPE), tmp_path / "x.h5", progress=False)
    assert notebook[0] == [] and capsys.readouterr().err == ""


def test_in_a_shell_of_ipython_it_is_a_line(monkeypatch, tmp_path, capsys):
    package = types.ModuleType("IPython")
    package.get_ipython = lambda: types.SimpleNamespace()  # no kernel: a terminal
    monkeypatch.setitem(sys.modules, "IPython", package)
    po.run(po.Recipe.parse(RECIPE), tmp_path / "x.h5")
    assert "100.0 %" in capsys.readouterr().err


def test_in_a_real_kernel(tmp_path):
    """Where ipykernel and nbclient are installed: the output of a cell has the bar."""
    pytest.importorskip("ipykernel")
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    code = f"import sys; sys.path.insert(0, {str(pathlib.Path(po.__file__).parents[1])!r})\nimport poynting as po\nr = po.run(po.Recipe.parse({RECIPE!r}), {str(tmp_path / 'x.h5')!r})\nr"
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(page, timeout=120).execute()
    outputs = page.cells[0].outputs
    assert any('value="1.0000"' in o.get("data", {}).get("text/html", "") for o in outputs)
    assert any("cross_sections/scattering" in o.get("data", {}).get("text/html", "") for o in outputs)  # the result's own table
