"""Results as xarray datasets: particles, arrays, scans of them."""
import numpy as np
import pytest
from test_progress import RECIPE

import poynting as po

xr = pytest.importorskip("xarray")
FIELDS = RECIPE.replace('["cross_sections"]', '["cross_sections", { name = "near_field", plane = "z = 0 nm", size = "300 nm", pixels = 9, wavelengths = ["600 nm"] }, '
                        '{ name = "far_field", wavelengths = ["600 nm"] }]')


def test_particles(tmp_path):
    r = po.run(po.Recipe.parse(FIELDS), tmp_path / "x.h5")
    data = r.to_xarray()
    assert data["cross_sections_extinction"].dims == ("wavelength",) and data["wavelength"].attrs["units"] == "m"
    np.testing.assert_array_equal(data["cross_sections_extinction"].values, r["cross_sections/extinction"])
    assert float(data["cross_sections_extinction"].sel(wavelength=5e-7, method="nearest")) == r["cross_sections/extinction"][0]
    assert data["near_field_E"].dims == ("near_field_wavelength", "near_field_y", "near_field_x", "component")
    assert data["near_field_E"].shape == (1, 9, 9, 3) and data["far_field_differential"].dims[-1] == "far_field_angle"
    assert data.attrs["name"] == "dots"


def test_a_sheet(tmp_path):
    text = RECIPE.replace('["cross_sections"]', '["transmission"]') + 'lattice = { vectors = [[300.0, 0.0], [0.0, 300.0]], unit = "nm" }\n'
    data = po.run(po.Recipe.parse(text), tmp_path / "x.h5").to_xarray()
    assert data["transmission_T"].dims[0] == "wavelength" and data["transmission_T"].dims[-1] == "light"
    total = data["transmission_T"] + data["transmission_R"] + data["transmission_A"]
    np.testing.assert_allclose(total, 1, atol=1e-9)


def test_a_scan_of_particles(tmp_path):
    r = po.scan(po.Recipe.parse(FIELDS), grid={"particle.0.radius": ["40 nm", "50 nm"], "numerics.lmax": [1, 2]}, jobs=1, folder=tmp_path / "a", output=tmp_path / "a.h5")
    data = po.open(tmp_path / "a.h5").to_xarray()
    assert data["cross_sections_extinction"].dims[:2] == ("particle.0.radius", "numerics.lmax") and r is not None
    np.testing.assert_allclose(data["particle.0.radius"], [4e-8, 5e-8])
