"""Runs that are stopped, and go on; what refusals advise in Python."""
import pickle
import re
import signal

import numpy as np
import pytest

import poynting as po
from soliton import soliton

SOLITON = soliton("0.1 m", 1024, 11)
DOTS = """schema = 1
kind = "scatter"
name = "dots"
sweep.wavelength = { start = "500 nm", stop = "700 nm", num = 12 }
output.quantities = ["cross_sections"]
numerics.lmax = 2
particle = [{ shape = "sphere", radius = "50 nm", material = { n = 1.5, k = 0.0 } }]
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return po.run(po.Recipe.parse(SOLITON), tmp_path_factory.mktemp("whole") / "soliton.h5")


def interrupt_at(place):
    """Ctrl-C as soon as so much is done."""
    def watch(what, unit, done, *_):
        if done >= place:
            signal.raise_signal(signal.SIGINT)

    return watch


def same(result, whole):
    assert result.attribute("complete") == "1" and result.report["complete"]
    field, wanted = result.field(), whole.field()
    assert np.abs(field - wanted).max() <= 1e-12 * np.abs(wanted).max()


def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path, whole):
    path = tmp_path / "s.h5"
    with pytest.raises(KeyboardInterrupt) as stopped:
        po.run(po.Recipe.parse(SOLITON), path, progress=interrupt_at(0.03))
    error = stopped.value
    assert type(error) is KeyboardInterrupt  # "except Exception" lets it pass
    assert error.file == str(path) and str(error).endswith(f': continue with poynting.resume("{path}")')
    z = float(re.match(r"soliton: stopped on request at z = (\S+) m of 0.1 m: ", str(error))[1])
    assert 0.03 <= z < 0.1 and po.open(path).attribute("complete") == "0"
    told = []
    result = po.resume(path, progress=lambda what, unit, done, *_: told.append(done))
    assert told[0] > z and told[-1] == pytest.approx(0.1)
    same(result, whole)


def test_a_function_that_answers_true_does_the_same(tmp_path, whole):
    path = tmp_path / "s.h5"
    with pytest.raises(po.InterruptedError, match=r"continue with poynting\.resume\(") as stopped:
        po.run(po.Recipe.parse(SOLITON), path, progress=lambda what, unit, done, *_: done > 0.03)
    assert stopped.value.file == str(path)
    with pytest.raises(po.InterruptedError):  # again, while it goes on
        po.resume(path, progress=lambda what, unit, done, *_: done > 0.07)
    same(po.resume(po.open(path)), whole)


def test_a_function_that_fails_keeps_its_own_exception(tmp_path, whole):
    path = tmp_path / "s.h5"

    def watch(what, unit, done, *_):
        if done > 0.05:
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine") as failed:
        po.run(po.Recipe.parse(SOLITON), path, progress=watch)
    assert f'continue with poynting.resume("{path}")' in failed.value.__notes__[0]
    same(po.resume(path), whole)


def test_scattering_goes_on(tmp_path):
    recipe = po.Recipe.parse(DOTS).set("run.threads", 1)
    with pytest.raises(KeyboardInterrupt, match=r"dots: stopped on request after \d+ of 14 points: continue with poynting.resume"):
        po.run(recipe, tmp_path / "d.h5", progress=interrupt_at(3))
    result = po.resume(tmp_path / "d.h5")
    whole = po.run(recipe, tmp_path / "whole.h5")
    assert np.array_equal(result["cross_sections/extinction"], whole["cross_sections/extinction"])


def test_a_line_of_progress_is_ended(tmp_path, capsys):
    from poynting._recipe import _Told

    def interrupted(self, *args):
        show(self, *args)
        signal.raise_signal(signal.SIGINT)

    show, _Told.__call__ = _Told.__call__, interrupted
    try:
        with pytest.raises(KeyboardInterrupt):
            po.run(po.Recipe.parse(SOLITON), tmp_path / "s.h5", progress=True)
    finally:
        _Told.__call__ = show
    assert capsys.readouterr().err.endswith("\n")


def test_what_resume_changes_and_refuses(tmp_path, whole):
    path = tmp_path / "s.h5"
    with pytest.raises(KeyboardInterrupt):
        po.run(po.Recipe.parse(SOLITON), path, progress=interrupt_at(0.03))
    with pytest.raises(po.MismatchError, match="solver.rtol"):
        po.resume(path, set={"solver.rtol": 1e-7})
    with pytest.raises(ValueError, match="length"):
        po.resume(path, extend="3 fs")
    with pytest.raises(ValueError, match="extend"):
        po.resume(path, extend=-1.0)
    same(po.resume(path, set={"run.threads": 1}), whole)
    with pytest.raises(po.MismatchError, match='nothing is left to do, except extend="0.5 m"'):
        po.resume(path)
    longer = po.resume(path, extend="5 cm")
    assert longer["grid/z"][-1] == pytest.approx(0.15) and longer.report["length"] == pytest.approx(0.15)
    with pytest.raises(po.IoError):
        po.resume(tmp_path / "none.h5")


def test_a_scan_says_how_it_goes_on(tmp_path, monkeypatch):
    from poynting import _scan

    def interrupted(task):
        raise KeyboardInterrupt

    with monkeypatch.context() as m:
        m.setattr(_scan, "work", interrupted)
        with pytest.raises(KeyboardInterrupt, match="stopped after 0 of 2 points: the same call goes on"):
            po.scan(po.Recipe.parse(DOTS), grid={"particle.0.radius": ["40 nm", "50 nm"]}, jobs=1, folder=tmp_path / "f")
    out = po.scan(po.Recipe.parse(DOTS), grid={"particle.0.radius": ["40 nm", "50 nm"]}, jobs=1, folder=tmp_path / "f", output=tmp_path / "o.h5")
    assert not out.failures


def test_advice_is_python(tmp_path):
    """No option of the command is named."""
    recipe, path = po.Recipe.parse(DOTS), tmp_path / "d.h5"
    po.run(recipe, path)
    with pytest.raises(po.IoError, match=r"exists already: pass force=True, or another output=$") as refused:
        po.run(recipe, path)
    assert refused.value.file == str(path) and isinstance(refused.value, OSError)
    (tmp_path / "text.h5").write_text("no result, but a text that is long enough for a head\n" * 40, encoding="utf-8")
    with pytest.raises(po.IoError, match="poynting.run makes them of recipes"):
        po.open(tmp_path / "text.h5")
    (tmp_path / "empty.h5").write_bytes(b"")
    with pytest.raises(po.IoError, match="run the recipe again with force=True"):
        po.open(tmp_path / "empty.h5")
    with pytest.raises(po.BudgetError, match='a smaller set_num_threads, or run.memory = "'):
        po.run(po.Recipe.parse(DOTS).set("run.memory", "1 KiB"), tmp_path / "m.h5")
    with pytest.raises(po.BudgetError, match='use fewer samples, or run.memory = "'):
        po.run(po.Recipe.parse(SOLITON).set("run.memory", "1 KiB"), tmp_path / "m.h5")
    with pytest.raises(po.ArgumentError, match=r"see \.resolved of a recipe"):
        recipe.get("numerics.tea")
    with pytest.raises(po.RecipeError, match="output= in Python"):
        po.Recipe.parse(SOLITON + 'file = "x.h5"\n').check()
    po.scan(recipe, grid={"particle.0.radius": ["40 nm"]}, jobs=1, folder=tmp_path / "f", output=tmp_path / "o.h5")
    with pytest.raises(po.MismatchError, match=r"choose another folder=, or remove it"):
        po.scan(po.Recipe.parse(DOTS).set("numerics.lmax", 3), grid={"particle.0.radius": ["40 nm"]}, jobs=1, folder=tmp_path / "f")


def test_a_text_that_is_no_toml_is_refused_when_it_is_read(tmp_path):
    bad = SOLITON.replace('t0 = "100 fs"', 't0 = "100 fs').replace("shock = false", "shock = = false")
    with pytest.raises(po.RecipeError) as refused:
        po.Recipe.parse(bad, "mine.toml")
    line = 1 + [i for i, text in enumerate(bad.splitlines()) if text.startswith("t0")][0]
    assert refused.value.file == "mine.toml" and refused.value.line == line and refused.value.faults[0].code == "E_SYNTAX"
    (tmp_path / "a.toml").write_text(bad, encoding="utf-8")
    with pytest.raises(po.RecipeError, match=rf"a\.toml:{line}: "):
        po.Recipe.load(tmp_path / "a.toml")
    with pytest.raises(po.IoError):
        po.Recipe.load(tmp_path / "none.toml")


def test_what_can_still_be_set_is_refused_where_it_is_needed():
    """All faults in one error, sorted by line."""
    recipe = po.Recipe.parse(SOLITON.replace('length = "0.1 m"', 'length = 3').replace('t0 = "100 fs"', 't0 = "100 nm"'), "mine.toml")
    for need in (recipe.check, recipe.describe, lambda: recipe.get("grid.samples"), lambda: po.run(recipe), recipe.cite):
        with pytest.raises(po.RecipeError) as refused:
            need()
        faults = refused.value.faults
        assert [f.key for f in faults] == ["geometry.length", "pulse.0.t0"] and faults[0].line < faults[1].line
        assert str(refused.value).count("mine.toml:") == 2
    assert recipe.set("geometry.length", 0.1).set("pulse.0.t0", "100 fs").check() == []


def test_exceptions_can_be_pickled(tmp_path):
    with pytest.raises(po.PoyntingError) as refused:
        po.Recipe.parse(SOLITON.replace('"200 W"', '"200 m"'), "mine.toml").check()
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is po.RecipeError and str(again) == str(refused.value) and again.line == refused.value.line and len(again.faults) == 1
    with pytest.raises(po.IoError) as missing:
        po.open(tmp_path / "none.h5")
    again = pickle.loads(pickle.dumps(missing.value))
    assert str(again) == str(missing.value) and again.file == missing.value.file and again.account
