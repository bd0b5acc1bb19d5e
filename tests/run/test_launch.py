"""What a pulse went through before the guide, and beams that are focused into it, as recipes: numbers worked out here, files,
refusals by name and line."""

import h5py
import numpy as np
import pytest
from command import check, run
from hollow import CAPILLARY, PULSE, numbers, recipe, result

C = 299792458.0
VACUUM = dict(gas='fill = "vacuum"')


def pulse(more):
    return PULSE + "\n" + more


def write_mirror(folder, name="mirror.csv", header="wavelength [nm], reflectance [%], gdd [fs2]", rows=None):
    rows = rows or "".join(f"{l}, 99.0, -25\n" for l in range(400, 1300, 5))
    (folder / name).write_text(f"{header}\n{rows}")


# ---- what it went through ----

def final(path, plane=0):
    with h5py.File(path) as f:
        return f["grid/omega"][:], f["field/spectrum"][plane].reshape(-1, f["grid/omega"].size)


def test_glass_chirps_and_mirrors_compress(tmp_path):
    """3 mm of silica at 800 nm have 108.5 fs2 and 82.4 fs3 (Malitson's formula); a peak power of 10 fs pulses by hand."""
    write_mirror(tmp_path)
    glass = '{ material = "SiO2", thickness = "3 mm" }'
    peak = {}
    for name, through in {
        "none": "[]",
        "glass": f"[{glass}]",
        "constant": f'[{glass}, {{ gdd = "-27.1 fs2", tod = "-20.6 fs3", reflections = 4 }}]',
        "table": f'[{glass}, {{ mirror = "mirror.csv", reflections = 4 }}]',
        "back": f'[{glass}, {{ material = "SiO2", thickness = "-3 mm" }}]',
    }.items():
        found, checked = numbers(tmp_path, pulse=pulse(f"through = {through}"), **VACUUM)
        peak[name] = found["peak_power"]
        assert found["energy"] == pytest.approx(120e-6, rel=1e-12)
        assert (name == "none") or "through" in checked["resolved"]
    want = 0.93943727869965 * 120e-6 / 10e-15
    stretch = np.sqrt(1 + (4 * np.log(2) * 108.5 / 100) ** 2)
    assert peak["none"] == pytest.approx(want, rel=1e-4)
    assert peak["glass"] == pytest.approx(want / stretch, rel=0.03)  # the cubic phase is not in the formula
    assert peak["constant"] == pytest.approx(want, rel=5e-3)
    assert 0.6 * want < peak["table"] < want  # 8.5 fs2 and the cubic phase are left
    assert peak["back"] == pytest.approx(peak["none"], rel=1e-9)


def test_guide_taken_away(tmp_path):
    """A pulse from which the guide was taken away is, at its end, the one without it at the launch."""
    sections = dict(geometry=CAPILLARY.replace("1 cm", "20 cm"), physics='kerr = false\nplasma = false')
    omega, plain = final(result(tmp_path, **sections))
    _, end = final(result(tmp_path, **sections, pulse=pulse('through = [{ guide = "-20 cm" }]')), 1)
    mask = np.abs(plain[0]) > 1e-4 * np.abs(plain).max()
    ratio = end[0, mask] / plain[0, mask]
    assert np.ptp(np.unwrap(np.angle(ratio))) < 1e-6  # one phase for all; the loss went before the energy was set
    assert np.ptp(np.abs(ratio)) < 1e-9
    assert omega.size == plain.shape[1]


def test_result_goes_on(tmp_path):
    """What a run needs to be repeated is in its file, tables too."""
    write_mirror(tmp_path)
    path = result(tmp_path, pulse=pulse('through = [{ mirror = "mirror.csv", reflections = 2 }]'), output="planes = 3")
    with h5py.File(path) as f:
        assert any("99.0, -25" in str(f[f"recipe/sources/{k}"][()]) for k in f["recipe/sources"])
    (tmp_path / "mirror.csv").unlink()
    done = run("resume", "--extend", "0.5 cm", path.name, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_filter(tmp_path):
    """The spectrum takes the share that the table passes, between its rows by a spline; what is left has the energy."""
    rows = "".join(f"{l}, {90 - 0.02 * (l - 400)}\n" for l in range(300, 2500, 50))
    (tmp_path / "filter.csv").write_text("wavelength [nm], transmittance [%]\n" + rows)
    omega, plain = final(result(tmp_path, **VACUUM))
    _, passed = final(result(tmp_path, pulse=pulse('through = [{ filter = "filter.csv" }]'), **VACUUM))
    inside = np.abs(plain[0]) > 1e-3 * np.abs(plain).max()
    wavelength = 2e9 * np.pi * C / omega[inside]
    ratio = passed[0, inside] / plain[0, inside]
    want = np.sqrt(0.9 - 0.0002 * (wavelength - 400))
    assert np.ptp((ratio / want).real) < 1e-4 * ratio.real.mean() and np.abs(ratio.imag).max() < 1e-12
    code, checked, _ = check(tmp_path, recipe(pulse=pulse('through = [{ filter = "filter.csv", reflections = 2 }]')))
    assert code == 3 and checked["faults"][0]["key"].endswith("reflections")
    (tmp_path / "filter.csv").write_text("wavelength [nm], share\n" + rows)
    code, checked, _ = check(tmp_path, recipe(pulse=pulse('through = [{ filter = "filter.csv" }]')))
    assert code == 3 and "transmittance" in checked["faults"][0]["hint"]


def test_band_and_phase_file(tmp_path):
    rows = "".join(f"{l}, {1e-3 * (l - 800)}\n" for l in range(400, 1300, 10))
    (tmp_path / "phase.csv").write_text("wavelength [nm], phase [rad]\n" + rows)
    through = '[{ phase = "phase.csv", phase_sign = "exp(-iwt)" }, { band = "750 nm:850 nm", edge = "20 THz" }]'
    omega, plain = final(result(tmp_path, **VACUUM))
    _, field = final(result(tmp_path, pulse=pulse(f"through = {through}"), **VACUUM))
    wavelength = np.full_like(omega, np.inf)
    wavelength[1:] = 2 * np.pi * C / omega[1:] * 1e9
    inside = (wavelength > 751) & (wavelength < 849)
    ratio = field[0, inside] / plain[0, inside]
    assert np.allclose(np.abs(ratio), np.abs(ratio[0]), rtol=1e-9)
    assert np.allclose(np.angle(ratio), 1e-3 * (wavelength[inside] - 800), atol=1e-6)  # of exp(-iwt): the other sign
    assert not field[0, (wavelength < 713) | (wavelength > 902)].any()


# ---- beams ----

def test_beam_into_modes(tmp_path):
    """A waist of 0.64 a: 98.07 % into HE11, 0.618 % into HE12."""
    geometry = CAPILLARY + "\nmodes = 4"
    path = result(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um" }'), physics="plasma = false",
                  output='planes = 2\nstats = ["energy", "energy_per_mode"]')
    with h5py.File(path) as f:
        modes = np.asarray(f["stats/energy_per_mode"])[0] / 120e-6
    assert modes[0] == pytest.approx(0.9807, abs=5e-5)
    assert modes[1] == pytest.approx(0.00618, abs=5e-6)
    found, _ = numbers(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um" }'))
    assert found["coupled"] == pytest.approx(modes.sum(), rel=1e-9)
    whole, _ = numbers(tmp_path, geometry=geometry)
    assert "coupled" not in whole and found["N"] == pytest.approx(np.sqrt(modes[0]) * whole["N"], rel=1e-6)


def test_beam_off_the_axis(tmp_path):
    near, _ = numbers(tmp_path, pulse=pulse('beam = { waist = "80 um", x = "20 um" }'))
    same, _ = numbers(tmp_path, pulse=pulse('beam = { waist = "80 um", y = "-20 um" }'))
    centred, _ = numbers(tmp_path, pulse=pulse('beam = { waist = "80 um" }'))
    assert near["coupled"] == pytest.approx(same["coupled"], rel=1e-6)
    # the overlap of a Gaussian mode of the same waist: exp(-d^2/w^2) of the power
    assert near["coupled"] / centred["coupled"] == pytest.approx(np.exp(-(20 / 80) ** 2), rel=0.02)


def test_iris_and_aperture(tmp_path):
    """A Gaussian's power within a radius is 1 - exp(-2 a^2/w^2), behind an iris at the lens 1 - exp(-2 T^2); the modes get less."""
    geometry = CAPILLARY + "\nmodes = 4"
    free, _ = numbers(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um" }'))
    cut, _ = numbers(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um", aperture = "70 um" }'))
    assert "passed" not in free and cut["passed"] == pytest.approx(1 - np.exp(-2 * (70 / 80) ** 2), rel=1e-10)
    assert cut["coupled"] < cut["passed"] and cut["coupled"] < free["coupled"]
    soft, _ = numbers(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um", aperture = "70 um", aperture_edge = "60 um" }'))
    assert soft["coupled"] / soft["passed"] > cut["coupled"] / cut["passed"]  # smoother: less in higher modes
    iris, _ = numbers(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um", iris = 1.1 }'))
    assert iris["passed"] == pytest.approx(1 - np.exp(-2 * 1.1**2), rel=1e-10)
    near, _ = numbers(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um", distance = "5 mm" }'))
    far, _ = numbers(tmp_path, geometry=geometry, pulse=pulse('beam = { waist = "80 um", distance = "-20 mm" }'))
    assert far["coupled"] < near["coupled"] < free["coupled"]


def test_apertures_launch_what_check_says(tmp_path):
    beam = pulse('polarisation = "right"\nbeam = { waist = "80 um", distance = "10 mm", iris = 1.2, aperture = "100 um" }')
    found, _ = numbers(tmp_path, pulse=beam)
    path = result(tmp_path, pulse=beam, physics="plasma = false", output='planes = 2\nstats = ["energy"]')
    with h5py.File(path) as f:
        assert f["stats/energy"][0] == pytest.approx(found["coupled"] * 120e-6, rel=1e-9)


# ---- powers in time, constant waves ----

FIBRE = dict(geometry='type = "fibre"\nlength = "10 cm"', gas=None, fibre='gamma = "0.01 1/(W m)"\nbeta = ["-10 ps2/km"]', solver=None,
             grid='samples = 4096\nwindow = "8 ps"')


def test_power_in_time(tmp_path):
    """A Gaussian as a table, behind a quadratic phase: the pulse of closed form with the chirp b in exp(-i b t^2)."""
    t, fwhm, b = np.arange(-400, 401), 100.0, 2e-5
    rows = "".join(f"{x}, {7 * np.exp(-4 * np.log(2) * (x / fwhm) ** 2):.16e}, {b * x * x:.16e}\n" for x in t)
    (tmp_path / "pulse.csv").write_text("\ufefftime [fs], intensity, phase [rad]\n" + rows)
    text = 'wavelength = "1550 nm"\nshape = "file"\nfile = "pulse.csv"\nphase_sign = "exp(+iwt)"\npeak_power = "1 kW"'
    found, _ = numbers(tmp_path, pulse=text, **FIBRE)
    assert found["L_NL"] == pytest.approx(0.1, rel=1e-9)
    assert found["energy"] == pytest.approx(1e3 * 100e-15 * np.sqrt(np.pi / (4 * np.log(2))), rel=1e-6)
    assert found["L_D"] == pytest.approx((100e-15 / (2 * np.sqrt(np.log(2)))) ** 2 / 10e-27, rel=1e-3)
    omega, S = final(result(tmp_path, pulse=text, **FIBRE))
    # the Fourier transform of exp(-(1/(2 t0^2) + i b) t^2) is exp(-w^2/(4 (1/(2 t0^2) + i b)))
    w = (omega - 2 * np.pi * C / 1550e-9) * 1e-15
    want = np.exp(-(w**2) / 4 / (2 * np.log(2) / fwhm**2 + 1j * b))
    middle = np.argmin(np.abs(w))
    turned = (-1.0) ** (np.arange(w.size) - middle)  # phases are about the start of the window
    assert np.abs(turned * S[0] / S[0][middle] - want / want[middle]).max() < 1e-6
    flipped = text.replace("exp(+iwt)", "exp(-iwt)")
    _, S = final(result(tmp_path, pulse=flipped, **FIBRE))
    assert np.abs(turned * S[0] / S[0][middle] - np.conj(want / want[middle])).max() < 1e-6
    (tmp_path / "plain.csv").write_text("time [fs], power\n" + "".join(row.rsplit(",", 1)[0] + "\n" for row in rows.splitlines()))
    plain, _ = numbers(tmp_path, pulse=text.replace('phase_sign = "exp(+iwt)"\n', "").replace("pulse.csv", "plain.csv"), **FIBRE)
    assert plain["energy"] == pytest.approx(found["energy"], rel=1e-9)


@pytest.mark.parametrize("header, more, key, words", [
    ("time [fs], intensity, phase [rad]", 'wavelength = "1550 nm"', "pulse.0.phase_sign", "phase of file"),
    ("time [fs], intensity", "", "pulse.0.wavelength", "carrier"),
    ("time [fs], intensity", 'wavelength = "1550 nm"\nphase_sign = "exp(+iwt)"', "pulse.0.phase_sign", "no phase"),
    ("time, intensity", 'wavelength = "1550 nm"', "column 1", "time [fs]"),
    ("time [nm], intensity", 'wavelength = "1550 nm"', "column 1", "time [fs]"),
    ("time [fs], height", 'wavelength = "1550 nm"', "header", "intensity"),
])
def test_bad_power_in_time(tmp_path, header, more, key, words):
    columns = header.count(",")
    (tmp_path / "pulse.csv").write_text(header + "\n" + "".join(f"{x}{', 1.0' * columns}\n" for x in range(-100, 101, 10)))
    code, checked, _ = check(tmp_path, recipe(pulse='shape = "file"\nfile = "pulse.csv"\nenergy = "1 nJ"\n' + more, **FIBRE))
    faults = [f for f in checked["faults"] if f["severity"] == "error"]
    assert code == 3 and [f["key"] for f in faults] == [key], checked["faults"]
    assert words in f"{faults[0]['problem']}: {faults[0]['hint']}"


def test_constant_wave_with_a_line(tmp_path):
    """0.1 nm at 1550 nm are 12.48 GHz; sech2 lines have 0.5876 of the reciprocal as coherence time; the seed decides."""
    wave = 'wavelength = "1550.3 nm"\nshape = "cw"\naverage_power = "5 W"\nlinewidth = "0.1 nm"'
    grid = dict(FIBRE, grid='samples = 4096\nwindow = "1 ns"\nreference = "1550 nm"', output="planes = 2")
    found, _ = numbers(tmp_path, pulse=wave, **grid)
    width = C * 0.1e-9 / 1550.3e-9**2
    assert found["energy"] == pytest.approx(5e-9, rel=1e-9)
    assert found["coherence_time"] == pytest.approx(2 * np.arccosh(np.sqrt(2)) / 3 / width, rel=1e-9)
    omega, S = final(result(tmp_path, pulse=wave, **grid))
    density = np.abs(S[0]) ** 2
    above = omega[density > density.max() / 2]
    assert (above[-1] - above[0]) / (2 * np.pi) == pytest.approx(width, abs=2e9)  # two bins
    assert np.sum(omega * density) / density.sum() == pytest.approx(2 * np.pi * C / 1550.3e-9, rel=1e-6)
    _, again = final(result(tmp_path, pulse=wave, **grid))
    assert np.array_equal(again, S)
    text = recipe(pulse=wave, **grid)
    (tmp_path / "gas.toml").write_text(text)
    assert run("-q", "run", "--force", "-s", "seed=1", "gas.toml", cwd=tmp_path).returncode == 0
    _, other = final(tmp_path / "gas.h5")
    assert np.allclose(np.abs(other[0]), np.abs(S[0])) and np.abs(other[0] - S[0]).max() > 0.1 * np.abs(S[0]).max()
    path = result(tmp_path, pulse=wave + '\nline = "phase_diffusion"', **grid)
    _, S = final(path)
    power = np.abs(np.fft.fft(np.fft.ifftshift(S[0]))) ** 2
    assert power.std() < 1e-9 * power.mean()
    code, checked, _ = check(tmp_path, recipe(pulse=wave.replace("average_power", "peak_power"), **grid))
    assert code == 3 and "average_power" in checked["faults"][0]["hint"]


# ---- refusals ----

BAD = {
    "no kind": ('through = [{ thickness = "1 mm" }]', "pulse.0.through", "E_MISSING", "material, gas"),
    "no thickness": ('through = [{ material = "SiO2" }]', "pulse.0.through.thickness", "E_MISSING", "1 mm"),
    "two kinds": ('through = [{ material = "SiO2", thickness = "1 mm", gdd = "1 fs2" }]', "pulse.0.through.gdd", "E_CONFLICT", "of its own"),
    "material": ('through = [{ material = "SiO3", thickness = "1 mm" }]', "pulse.0.through.0.material", "E_VALUE", "did you mean SiO2?"),
    "unit": ('through = [{ material = "SiO2", thickness = 1 }]', "pulse.0.through.thickness", "E_UNIT", "unit"),
    "gas": ('through = [{ gas = "Hee", pressure = "1 bar", thickness = "1 m" }]', "pulse.0.through", "E_VALUE", "did you mean He?"),
    "vacuum": ('through = [{ gas = "vacuum", pressure = "1 bar", thickness = "1 m" }]', "pulse.0.through", "E_VALUE", "remove"),
    "no reflections": ('through = [{ gdd = "1 fs2", reflections = 0 }]', "pulse.0.through.reflections", "E_RANGE", "1 or more"),
    "file": ('through = [{ mirror = "none.csv" }]', "pulse.0.through.0.mirror", "E_IO", "cannot be read"),
    "sign": ('through = [{ phase = "mirror.csv" }]', "pulse.0.through.phase_sign", "E_MISSING", "exp(+iwt)"),
    "misspelt": ('through = [{ materiel = "SiO2", thickness = "1 mm" }]', "pulse.0.through.materiel", "E_KEY", "material"),
    "no list": ('through = { material = "SiO2", thickness = "1 mm" }', "pulse.0.through", "E_TYPE", "list"),
    "beam and mode": ('mode = "HE11"\nbeam = { waist = "80 um" }', "pulse.0.mode", "E_CONFLICT", "keep one"),
    "centre alone": ('beam = { x = "1 um" }', "pulse.0.beam.waist", "E_MISSING", "80 um"),
    "waist": ('waist = "80 um"', "pulse.0.waist", "E_KEY", "beam = { waist"),
    "tiny": ('beam = { waist = "1 um" }', "pulse.0.beam.waist", "E_RANGE", "1/40"),
    "aperture": ('aperture = "100 um"', "pulse.0.aperture", "E_KEY", "beam = { waist"),
    "aperture alone": ('beam = { aperture = "100 um" }', "pulse.0.beam.waist", "E_MISSING", "80 um"),
    "edge alone": ('beam = { waist = "80 um", aperture_edge = "10 um" }', "pulse.0.beam.aperture", "E_MISSING", "100 um"),
    "edge": ('beam = { waist = "80 um", aperture = "20 um", aperture_edge = "50 um" }', "pulse.0.beam.aperture_edge", "E_RANGE", "twice the radius"),
    "iris": ('beam = { waist = "80 um", iris = "5 mm" }', "pulse.0.beam.iris", "E_TYPE", "number"),
    "closed iris": ('beam = { waist = "80 um", iris = 0.0 }', "pulse.0.beam.iris", "E_RANGE", "above 0"),
    "far from focus": ('beam = { waist = "80 um", iris = 5.0, distance = "10 m" }', "pulse.0.beam.iris", "E_RANGE", "waist to the entrance"),
    "line of a pulse": ('linewidth = "1 THz"', "pulse.0.linewidth", "E_CONFLICT", 'shape = "cw"'),
    "average power of a pulse": ('average_power = "1 W"', "pulse.0.average_power", "E_CONFLICT", "keep one"),
}


@pytest.mark.parametrize("name", BAD)
def test_refusal(tmp_path, name):
    more, key, code, words = BAD[name]
    write_mirror(tmp_path)
    left, checked, _ = check(tmp_path, recipe(pulse=pulse(more)))
    faults = [f for f in checked["faults"] if f["severity"] == "error"]
    assert left == 3 and [f["key"] for f in faults] == [key], checked["faults"]
    (fault,) = faults
    assert fault["code"] == code and fault["line"] > 0 and words in f"{fault['problem']}: {fault['hint']}", fault


@pytest.mark.parametrize("header, row, line, words", [
    ("wavelength [nm], phase [rad]", "800, 0", 1, "gdd [fs2]"),
    ("wavelength [nm], gdd", "1200, 0", 1, "gdd [fs2]"),
    ("wavelength [nm], gdd [fs3]", "1200, 0", 1, "gdd [fs2]"),
    ("wavelength [nm], R, gdd [fs2]", "1200, 99, 0", 2, "[%]"),
    ("wavelength [nm], gdd [fs2]", "1200, x", 2, "remove the row"),
])
def test_bad_mirror(tmp_path, header, row, line, words):
    columns = header.count(",")
    rows = row + "\n" + "".join(f"{l}{', 0' * columns}\n" for l in range(1000, 500, -100))
    write_mirror(tmp_path, header=header, rows=rows)
    left, checked, _ = check(tmp_path, recipe(pulse=pulse('through = [{ mirror = "mirror.csv" }]')))
    assert left == 3
    (fault,) = checked["faults"]
    assert (fault["file"], fault["line"]) == ("mirror.csv", line) and words in f"{fault['problem']}: {fault['hint']}", fault


def test_mirror_of_another_laser(tmp_path):
    write_mirror(tmp_path, rows="".join(f"{l}, 99, 0\n" for l in range(1000, 1100, 10)))
    left, checked, _ = check(tmp_path, recipe(pulse=pulse('through = [{ mirror = "mirror.csv" }]')))
    assert left == 3 and checked["faults"][0]["key"] == "pulse.0.through" and "800 nm" in checked["faults"][0]["problem"]
