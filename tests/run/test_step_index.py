"""Several modes of step-index fibres from recipes: one mode is the fibre's run, what couples them is what overlaps say, laws of
conservation, cut-offs and refusals by name."""

import h5py
import numpy as np
import pytest
from command import check
from hollow import recipe
from test_from_result import distance, field, go

FIBRE = 'type = "step_index"\nlength = "LENGTH"\ncore_radius = "4 um"\ncore_material = "SiO2"\ncore_offset = 0.006\ncladding = "SiO2"'
PULSE = 'wavelength = "1030 nm"\npeak_power = "200 kW"\nfwhm = "100 fs"\nshape = "sech2"'
GRID = 'wavelength_min = "800 nm"\nwavelength_max = "1300 nm"\nwindow = "1.5 ps"'
WIDE = FIBRE.replace('"4 um"', '"12 um"')
TAPER = FIBRE.replace('"4 um"', '[["0 m", "4 um"], ["2 mm", "3 um"]]')


def sections(geometry, length="2 mm", **more):
    n = 8
    step = float(length.split()[0]) / n
    steps = ", ".join([f'"{step} mm"'] * n)
    return dict(geometry=geometry.replace("LENGTH", length), gas=None, pulse=PULSE, grid=GRID,
                solver=f'absorber = "none"\nschedule = [{steps}]') | more


def stats(path, *names):
    with h5py.File(path) as f:
        return [f["stats"][name][:] for name in names]


@pytest.mark.parametrize("raman", ['"off"', '"blow_wood"', '"lin_agrawal"'])
def test_one_mode_is_the_fibre(tmp_path, raman):
    """gamma = n2 omega/(c A_eff) of the mode: by its effective area, or at points; to the rounding of the rule (64 + 24 radii)."""
    more = dict(physics=f"raman = {raman}")
    one = go(tmp_path, "one", **sections(FIBRE, **more))
    points = go(tmp_path, "points", **sections(FIBRE + "\naveraged = false", **more))
    start = field(one, 0)[1]
    assert distance(field(one)[1], start) > 0.05
    assert distance(field(points)[1], field(one)[1]) < 1e-12


def test_n2_or_gamma(tmp_path):
    """gamma of the first mode stands for n2 = gamma c A_eff/omega."""
    modes = WIDE + '\nmodes = ["HE11", "HE12"]'
    code, checked, _ = check(tmp_path, recipe(**sections(modes, fibre='n2 = "3e-20 m2/W"')))
    assert code == 0, checked
    gamma = checked["numbers"]["gamma"]["value"]
    two = go(tmp_path, "two", **sections(modes, fibre='n2 = "3e-20 m2/W"'))
    same = go(tmp_path, "same", **sections(modes, fibre=f'gamma = "{gamma!r} 1/(W m)"'))
    assert distance(field(same)[1], field(two)[1]) < 1e-12


def test_vacant_modes_change_nothing(tmp_path):
    """Of a fibre that is round, light in HE11 couples to HE1m alone, and of dispersion alone to none."""
    alone = go(tmp_path, "alone", **sections(WIDE + "\naveraged = false"))
    more = go(tmp_path, "more", **sections(WIDE + '\nmodes = ["HE11", "HE21"]'))
    assert distance(field(more)[1][0], field(alone)[1][0]) < 1e-12
    assert np.abs(field(more)[1][1]).max() < 1e-12 * np.abs(field(more)[1]).max()
    linear = go(tmp_path, "linear", **sections(WIDE + '\nmodes = ["HE11", "HE12"]', physics='kerr = false\nraman = "off"'))
    assert np.abs(field(linear)[1][1]).max() == 0


def test_polarisations(tmp_path):
    """Light along x is as light along y; circular light has 2/3 of the nonlinear phase, of the real, weakly vectorial field to its
    weakness (the step of the index, 4e-3)."""
    physics = 'raman = "off"\nshock = false'
    path = {name: go(tmp_path, name, **sections(FIBRE + "\naveraged = false", length="0.4 mm", physics=physics,
                                                pulse=f'{PULSE}\npolarisation = "{name}"'))
            for name in ("y", "x", "right")}
    along = {name: field(p)[1] for name, p in path.items()}
    start = field(path["y"], 0)[1][0]
    assert distance(along["x"][1], along["y"][0]) < 1e-12
    bright = np.abs(start) > 0.5 * np.abs(start).max()
    turn = {"y": np.angle(along["y"][0] / start)[bright].mean(), "right": np.angle(along["right"][0] / start * np.sqrt(2))[bright].mean()}
    none = go(tmp_path, "none", **sections(FIBRE + "\naveraged = false", length="0.4 mm", physics='kerr = false\nraman = "off"'))
    rest = np.angle(field(none)[1][0] / start)[bright].mean()
    assert (turn["right"] - rest) / (turn["y"] - rest) == pytest.approx(2 / 3, abs=4e-3)


def test_photons(tmp_path):
    """With self-steepening and Raman scattering sum |A|^2/omega over all modes stays: that of the march (rtol 1e-8 over a
    step each)."""
    pulse = PULSE + '\n[[pulse]]\nwavelength = "1030 nm"\npeak_power = "100 kW"\nfwhm = "100 fs"\nmode = "HE12"'
    s = sections(WIDE + '\nmodes = ["HE11", "HE12"]', length="4 mm", pulse=pulse, solver='absorber = "none"\nrtol = 1e-8',
                 output='planes = 2\nstats = ["photon_number", "energy_per_mode", "quadrature_error", "fwhm_r", "core_radius"]')
    photons, modes, error, width, radius = stats(go(tmp_path, "two", **s), *(
        "photon_number", "energy_per_mode", "quadrature_error", "fwhm_r", "core_radius"))
    assert abs(photons / photons[0] - 1).max() < 1e-7
    assert abs(modes[-1] / modes[0] - 1).max() > 1e-4  # they have exchanged light
    assert error[1:].max() < 1e-3 and 0.5 < width[0] / radius[0] < 2 and radius[0] == pytest.approx(12e-6)


def test_names_of_weak_guidance(tmp_path):
    """LP01 is HE11; LP11 stands for TE01, HE21, TM01; check tells V and how many modes there are."""
    named = sections(WIDE + '\nmodes = ["LP01", "LP11", "LP02"]', pulse=PULSE + '\nmode = "LP02"')
    vector = sections(WIDE + '\nmodes = ["HE11", "TE01", "HE21", "TM01", "HE12"]', pulse=PULSE + '\nmode = "HE12"')
    one, other = go(tmp_path, "one", **named), go(tmp_path, "other", **vector)
    assert np.array_equal(field(one)[1], field(other)[1])
    with h5py.File(one) as f:
        assert [m.decode() for m in f["grid/mode"][:]] == ["HE11", "TE01", "HE21", "TM01", "HE12"]
    code, checked, _ = check(tmp_path, recipe(**named))
    V = checked["numbers"]["V"]["value"]
    n = 1.4500  # of silica at 1030 nm
    assert code == 0 and V == pytest.approx(2 * np.pi / 1.03 * 12 * np.sqrt(0.006 * (2 * n + 0.006)), rel=1e-3)
    assert checked["numbers"]["guided"]["value"] == pytest.approx(V**2 / 2, rel=0.25)


@pytest.mark.parametrize("geometry, more, key, message", [
    (FIBRE + "\nmodes = 2", {}, "geometry.modes", "guided there are HE11 (LP01); TE01, HE21, TM01 (LP11): name those"),
    (WIDE + '\nmodes = ["LP01", "LP11"]', dict(pulse=PULSE + '\nmode = "LP11"'), "pulse.0.mode", "is a group, of TE01, HE21, TM01"),
    (WIDE + '\nmodes = ["LP01", "HE11"]', {}, "geometry.modes", "HE11 stands twice"),
    (FIBRE.replace("4 um", "8 um") + '\nmodes = ["HE11", "HE12"]', {}, "geometry.modes", "HE12 is cut off"),
    (WIDE + '\nmodes = ["HE11", "TE01"]', dict(pulse=PULSE + '\npolarisation = "x"'), "geometry.modes", "TE01 has one polarisation"),
    (WIDE.replace("0.006", "0.9") .replace("12 um", "1 um") + '\nmodes = ["HE11", "HE12"]', {}, "geometry.modes", "weakly guiding"),
    (TAPER, {}, "geometry.core_radius", "changes along z is not built yet: give one radius"),
    (TAPER + "\naveraged = false", {}, "geometry.core_radius", "changes along z is not built yet: give one radius"),
    (FIBRE, dict(physics='field = "real"'), "physics.field", "one of envelopes"),
    (FIBRE, dict(physics="thg = true"), "physics.thg", "no third harmonic"),
    (FIBRE, dict(fibre='gamma = "1 1/(W km)"\nn2 = "3e-20 m2/W"'), "fibre.n2", "already set by"),
    (FIBRE, dict(output='stats = ["fwhm_r"]'), "output.stats", "has no meaning in a fibre"),
])
def test_refusals(tmp_path, geometry, more, key, message):
    code, checked, err = check(tmp_path, recipe(**sections(geometry, **more)))
    faults = checked["faults"]
    assert code in (3, 4), err
    assert faults[0]["key"] == key and message in f"{faults[0]['problem']}: {faults[0]['hint']}", faults
