"""Packages that are not installed: each thing that needs one says how to get it, and everything else works. A name that sys.modules has as
None cannot be imported, so the tests run with and without the packages."""
import subprocess
import sys

import pytest

import poynting as po
from soliton import soliton


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return po.run(po.Recipe.parse(soliton("1 cm", 512, 2)), tmp_path_factory.mktemp("run") / "s.h5")


@pytest.mark.parametrize("framework", ["jax", "torch", "autograd", "advect"])
@pytest.mark.parametrize("way", ["import poynting.{0}", "import poynting\npoynting.{0}", "from poynting.{0} import solve"])
def test_frameworks(framework, way):
    code = f"""import sys
sys.modules[{framework!r}] = None
try:
    {way.format(framework).replace(chr(10), chr(10) + '    ')}
except ModuleNotFoundError as error:
    print(error.name, error, sep="|")
import poynting
poynting.sphere_tmatrix(k0=2.0, lmax=1, radius=0.2, material=3.0).average_cross_sections.scattering
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    remedy = "advect needs Python 3.12" if framework == "advect" and sys.version_info < (3, 12) else f"pip install {framework}"
    assert done.stdout == f"{framework}|poynting.{framework} needs {framework}: {remedy}\n"


def test_pictures_and_datasets(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ModuleNotFoundError, match=r"^Result.figure needs matplotlib: pip install matplotlib. Result.plot draws with gnuplot$"):
        result.figure()
    with pytest.raises(ModuleNotFoundError, match="^to_xarray needs xarray: pip install xarray$"):
        result.to_xarray()


def test_what_is_there_and_broken_is_not_called_absent(tmp_path, monkeypatch):
    """A package that lacks one of its own: its error is told as it is."""
    from poynting._needs import needed

    (tmp_path / "brokenpackage.py").write_text("import another_that_is_absent\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="another_that_is_absent") as failed:
        needed("brokenpackage", "this")
    assert failed.value.name == "another_that_is_absent"
