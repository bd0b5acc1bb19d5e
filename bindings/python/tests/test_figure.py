"""Figures by matplotlib: what each kind draws, from small runs. Skipped where matplotlib is not installed."""
import numpy as np
import pytest

import poynting as po
from figure_recipes import SHEET, SPHERES

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def dots(tmp_path_factory):
    return po.run(po.Recipe.parse(SPHERES), tmp_path_factory.mktemp("a") / "x.h5")


def test_cross_sections(dots):
    page = dots.figure()  # the first kind of the file
    lines = {line.get_label(): line for line in page.axes[0].lines}
    assert {"extinction", "scattering", "absorption", "electric dipole"} <= set(lines)
    np.testing.assert_allclose(lines["extinction"].get_xdata(), [500, 550, 600, 650, 700])
    wanted = dots["cross_sections/extinction"]
    ratio = lines["extinction"].get_ydata() / wanted
    assert np.allclose(ratio, 1e18) and "m\u00b2" in page.axes[0].get_ylabel()
    energies = dots.figure("cross_sections", axis="photon_energy").axes[0].lines[0]
    assert np.all(np.diff(energies.get_xdata()) > 0) and energies.get_xdata()[0] == pytest.approx(1239.84198 / 700, rel=1e-6)


def test_fields(dots):
    page = dots.figure("near_field")
    drawn = page.axes[0].collections[0].get_array()
    E = dots["near_field/E"][0]
    intensity = (np.abs(E) ** 2).sum(-1)
    decades = intensity.max() > 100 * intensity.min()
    np.testing.assert_allclose(np.ma.filled(drawn, np.nan).reshape(9, 9), np.log10(intensity) if decades else intensity, rtol=1e-12)
    assert page.axes[0].get_title() == "600 nm" and page.axes[0].get_xlabel() == "x (nm)"
    polar = dots.figure("far_field").axes[0]
    assert polar.name == "polar" and len(polar.lines) == 2
    assert len(dots.figure("tmatrix").axes[0].collections) == 1


def test_shares_of_power(tmp_path):
    r = po.run(po.Recipe.parse(SHEET), tmp_path / "x.h5")
    lines = {line.get_label(): line.get_ydata() for line in r.figure("transmission").axes[0].lines}
    np.testing.assert_allclose(lines["transmitted T"] + lines["reflected R"] + lines["absorbed A"], 1, atol=1e-9)
    np.testing.assert_allclose(lines["transmitted T"], r["transmission/T"][:, 0])
    top = r.figure("orders").axes[0]
    assert top.lines[0].get_label() == "(0, 0)"
    assert [line.get_label() for line in r.figure("cd").axes[0].lines] == ["over T of both", "over T + R of both", "over A of both"]


def test_scans(tmp_path):
    text = SPHERES.replace(', { name = "near_field", plane = "z = 0 nm", size = "300 nm", pixels = 9, wavelengths = ["600 nm"] }, { name = "far_field", wavelengths = ["600 nm"] }, "tmatrix"', "")
    r = po.scan(po.Recipe.parse(text), grid={"particle.0.radius": ["40 nm", "50 nm", "55 nm"], "numerics.lmax": [1, 2]}, jobs=1, folder=tmp_path / "a",
                output=tmp_path / "a.h5")
    result = po.open(tmp_path / "a.h5")
    page = result.figure("map", quantity="cross_sections.scattering")
    assert page.axes[0].get_ylabel() == "particle.0.radius (nm)" and page.axes[0].get_xlabel() == "numerics.lmax"
    wanted = result["scan/cross_sections/scattering"][..., -1]
    drawn = np.asarray(page.axes[0].collections[0].get_array()).reshape(3, 2)
    np.testing.assert_allclose(drawn / drawn.max(), wanted / wanted.max())
    assert len(result.figure("lines").axes[0].lines) == 3 and r is not None
    with pytest.raises(ValueError, match="quantity: 'tea' is not one of"):
        result.figure("map", quantity="tea")


def test_what_is_not_there(dots):
    with pytest.raises(ValueError, match="is not cross_sections, near_field"):
        dots.figure("spectrum")
