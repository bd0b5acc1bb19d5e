"""Recipes, runs and results from Python."""
import importlib.util
import threading

import numpy as np
import pytest

import poynting
from soliton import soliton

SOLITON = soliton("0.1 m", 1024, 11)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return poynting.run(poynting.Recipe.parse(SOLITON), tmp_path_factory.mktemp("run") / "s.h5")


def test_a_fundamental_soliton_keeps_its_shape(result):
    """N = 1: gamma P t0^2 / |beta_2| = 1, so |A(t)| does not change; energy 2 P t0."""
    assert result.report["complete"] and result.attribute("kind") == "pulse"
    t = result["grid/t"]
    assert result["stats/energy"][-1] == pytest.approx(2 * 200 * 100e-15, rel=1e-6)
    first, last = result.field(0.0)[0, 0], result.field("10 cm")[0, 0]
    assert np.max(np.abs(np.abs(last) - np.abs(first))) < 1e-4 * np.max(np.abs(first))
    assert len(t) == 1024


@pytest.mark.parametrize("axis", ["wavelength", "frequency", "angular_frequency", "photon_energy"])
def test_a_spectrum_holds_the_energy_on_every_axis(result, axis):
    x, density = result.spectrum(axis)
    assert np.all(np.diff(x) > 0)
    energy = np.sum((density[1:] + density[:-1]) / 2 * np.diff(x))
    assert energy == pytest.approx(result["stats/energy"][-1], rel=1e-4)


def test_what_is_not_there_is_named(result):
    with pytest.raises(KeyError, match="stats/energy"):
        result["stats/enrgy"]
    with pytest.raises(ValueError, match="no saved plane"):
        result.field(0.0123)
    with pytest.raises(ValueError, match="length"):
        result.field("3 fs")
    with pytest.raises(ValueError, match="axis"):
        result.spectrum("colour")
    with pytest.raises(OSError):
        poynting.open("no such file.h5")


def test_faults_tell_their_place():
    with pytest.raises(poynting.RecipeError) as failure:
        poynting.Recipe.parse(SOLITON.replace('"200 W"', '"200 m"'), "mine.toml").check()
    e = failure.value
    assert (e.code, e.file, e.key) == ("RECIPE", "mine.toml", "pulse.0.peak_power")
    assert SOLITON.splitlines()[e.line - 1].startswith("peak_power")
    assert isinstance(e, ValueError) and len(e.faults) == 1


def test_set_and_describe():
    recipe = poynting.Recipe.parse(SOLITON).set("pulse.0.peak_power", "800 W").set("grid.samples", 2048)
    assert recipe.check() == [] and recipe.get("grid.samples") == "2048"
    assert float(recipe.describe()["N"]) == pytest.approx(2.0, rel=1e-6)


def test_progress_may_stop_and_may_fail(tmp_path):
    recipe = poynting.Recipe.parse(SOLITON)
    calls = []
    with pytest.raises(KeyboardInterrupt):
        poynting.run(recipe, tmp_path / "a.h5", progress=lambda *a: calls.append(a) or len(calls) == 3)
    assert len(calls) == 3
    with pytest.raises(ZeroDivisionError):
        poynting.run(recipe, tmp_path / "b.h5", progress=lambda *a: 1 / 0)
    out = poynting.run(recipe, tmp_path / "a.h5", force=True)
    again = poynting.run(recipe, tmp_path / "a.h5", force=True)  # a result that is still in use does not stand in the way
    assert np.array_equal(out["stats/energy"], again["stats/energy"])
    with pytest.raises(poynting.IoError):
        poynting.run(recipe, tmp_path / "a.h5")


def test_two_runs_at_once_give_the_same(tmp_path):
    results = {}

    def work(name):
        results[name] = poynting.run(poynting.Recipe.parse(SOLITON), tmp_path / f"{name}.h5").field()

    threads = [threading.Thread(target=work, args=(n,)) for n in "ab"]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert np.array_equal(results["a"], results["b"])


def test_xarray(result):
    xr = pytest.importorskip("xarray")
    data = result.to_xarray()
    assert isinstance(data, xr.Dataset)
    assert data["spectrum"].dims == ("z", "mode", "polarisation", "omega") and data["z"].attrs["units"] == "m"
    assert float(data["spectrum"].sel(z=0.1, method="nearest").isel(mode=0).real.max()) != 0.0


def test_figures(result, tmp_path):
    """What matplotlib is given: the spectrum in decibels of its peak, and all planes as a picture."""
    if importlib.util.find_spec("matplotlib") is None:
        with pytest.raises(ImportError, match="pip install matplotlib"):
            result.figure()
        return
    line = result.figure("spectrum", axis="frequency", db=30).axes[0].lines[0]
    x, density = result.spectrum("frequency")
    np.testing.assert_allclose(line.get_xdata(), x * 1e-12)
    assert np.max(line.get_ydata()) == pytest.approx(0, abs=1e-12)
    assert x[np.argmax(line.get_ydata())] == x[np.argmax(density)]
    page = result.figure("evolution")
    assert page.axes[0].collections[0].get_array().size == 11 * len(result.spectrum()[0])
    page.savefig(tmp_path / "evolution.png")
    assert (tmp_path / "evolution.png").stat().st_size > 1000
    for wrong, match in ((lambda: result.figure("tea"), "Result.plot"), (lambda: result.figure(axis="colour"), "wavelength"),
                         (lambda: result.figure(db=0), "decibels")):
        with pytest.raises(ValueError, match=match):
            wrong()
