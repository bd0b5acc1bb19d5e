"""Pictures say the same of a quantity, and in the same unit, whether gnuplot or matplotlib draws them: the table captions.def. matplotlib
need not be installed: a figure that writes down what it is asked for stands in its place."""
import re
import sys
import types

import pytest

import poynting as po
from poynting import _core
from poynting._figure import _KINDS
from soliton import soliton
from figure_recipes import SHEET, SPHERES

CHAIN = """schema = 1
kind = "scatter"
name = "chain"
sweep.photon_energy = ["1.5 eV", "1.6 eV", "1.7 eV"]
numerics.lmax = 1
output.quantities = ["bands"]
lattice = { vectors = [[0.0, 0.0, 300.0]], unit = "nm", path = [[0.0], [0.5]], path_points = 4 }
particle = [{ shape = "sphere", radius = "100 nm", material = { n = 3.5, k = 0.0 } }]
"""


class Page:
    """A figure, its axes and all that they answer: keeps labels, and texts that lines are called by."""

    said: list = []

    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        return lambda *args, **kwargs: self.keep(name, args, kwargs)

    def keep(self, name, args, kwargs):
        words = [kwargs.get(k) for k in ("xlabel", "ylabel", "label")]
        if name in ("set_title", "suptitle"):
            words += args[:1]
        Page.said += [w for w in words if w]
        return Page()


@pytest.fixture
def recorder(monkeypatch):
    module = types.ModuleType("matplotlib.figure")
    module.Figure = Page
    monkeypatch.setitem(sys.modules, "matplotlib", types.ModuleType("matplotlib"))
    monkeypatch.setitem(sys.modules, "matplotlib.figure", module)
    Page.said = []
    return Page


def script_words(result, kind, folder):
    """Labels, titles and names of lines in the script that gnuplot would be given."""
    script = open(result.plot(kind, folder / f"{kind}.gp", format="gp"), encoding="utf-8").read()
    return set(re.findall(r"(?:label|title) '((?:[^']|'')*)'", script))


# Words of one of them alone: the modes of a spectrum, the wavelength above a field, spectra of all modes.
OWN = {"spectrum": {"all modes"}}


@pytest.mark.parametrize("text, least", [(soliton("0.1 m", 1024, 11), 5), (SPHERES.replace("lmax = 2", "lmax = 3"), 5), (SHEET, 3), (CHAIN, 1)], ids=["pulse", "spheres", "sheet", "chain"])
def test_both_say_the_same(text, least, tmp_path, recorder):
    recipe = po.Recipe.parse(text)
    if "[output]" in text:
        recipe.set("output.stats", ["energy", "peak_power", "fwhm_t"])
    result = po.run(recipe, tmp_path / "x.h5")
    drawn = [kind for kind in result.kinds() if kind in _KINDS]
    assert len(drawn) >= least
    for kind in drawn:
        recorder.said = []
        result.figure(kind)
        words, said = script_words(result, kind, tmp_path), set(recorder.said) - OWN.get(kind, set())
        said = {w for w in said if not re.fullmatch(r"[\d.]+ nm", w)}  # the wavelength alone above a field
        if kind == "convergence":  # gnuplot's has the cross sections, too
            said = {w for w in said if not w.startswith("convergence")}
        if kind == "stats":  # digits of what hardly changes are told as a power of ten by gnuplot alone
            words = {w.partition(": change")[0] for w in words}
            said = {w.partition(": change")[0] for w in said}
        assert said and said <= words, (kind, said - words)


def test_scans_say_the_same(tmp_path, recorder):
    text = re.sub(r"output.quantities = .*", 'output.quantities = ["cross_sections"]', SPHERES)
    po.scan(po.Recipe.parse(text), grid={"particle.0.radius": ["40 nm", "50 nm"], "numerics.lmax": [1, 2]}, jobs=1, folder=tmp_path / "a",
            output=tmp_path / "a.h5")
    result = po.open(tmp_path / "a.h5")
    for kind in ("map", "lines"):
        recorder.said = []
        result.figure(kind)
        assert set(recorder.said) <= script_words(result, kind, tmp_path), kind


def test_units_fit_their_numbers():
    say = _core.plot_label
    assert say("z", None, None, 0.15) == ("distance (cm)", 100.0) and say("z", None, None, 3.0) == ("distance (m)", 1.0)
    assert say("cross_section", None, None, 5e-14) == ("cross section (µm²)", 1e12) and say("near_x", None, None, 2e-7)[0] == "x (nm)"
    assert say("differential_section", None, None, 1e-15)[0] == "differential scattering cross section (nm²/sr)"
    assert say("electron_density", None, "1/m3", 3e17)[0] == "electron density (10¹¹/cm³)" and say("fwhm_t", None, "s", 3e-14)[0] == "FWHM (fs)"
    assert say("uv_energy", "energy between 2.3e-07 and 3.3e-07 m", "J", 4e-6) == ("energy, 230-330 nm (µJ)", 1e6)
    assert say("particle.0.radius", None, "m", 5e-8) == ("particle.0.radius (nm)", pytest.approx(1e9))
    assert say("peak_power at the end", None, "W", 2e3)[0] == "peak power at the end (kW)" and say("share", None, None, 1)[0] == "share of the power"
