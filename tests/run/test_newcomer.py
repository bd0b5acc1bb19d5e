"""What newcomers stumbled over: keys said twice, units, advice that led astray, warnings of sound examples, faults told one by one."""

import json
import re

import h5py
import numpy as np
import pytest
from command import SOURCE, check, run
from hollow import CAPILLARY, recipe
from soliton import RECIPE
from test_recipe import KEYS, recipe_with

# ---- messages ----

NAMED = re.compile(r"(?:^|: )(?:geometry|gas|fibre|pulse|physics|grid|solver|output|medium|materials|sweep|particle|lattice|stack|"
                   r"illumination|numerics|plots|scan|objective|run)(?:\.\w+)+: ")


def spoiled(value):
    """The good value of a key with its first number tiny and huge: forms have nothing against it, the physics has."""
    for number in ("1e-30", "1e30"):
        yield re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", number, value, count=1)


def test_no_message_says_its_key_twice(tmp_path):
    """Every key with bad values of all kinds: the key stands before the problem, once, also where another room wrote the text."""
    names, faults = [], 0
    for key in KEYS:
        values = {key["bad"], *(spoiled(key["good"]) if key["kind"] == "pulse" and key["dimension"] else [])}
        for i, value in enumerate(values):
            names.append(f"{key['path']}-{i}.toml")
            (tmp_path / names[-1]).write_text(recipe_with(key, value)[1])
    assert len(names) > 1.5 * len(KEYS)
    for result in json.loads(run("check", "--json", *names, cwd=tmp_path).stdout):
        for fault in result["faults"]:
            assert not NAMED.search(f"{fault['problem']}: {fault['hint']}"), (result["file"], fault)
            faults += fault["severity"] == "error"
    assert faults > len(KEYS)


@pytest.mark.parametrize("key, sections", [
    ("gas.pressure", dict(gas='fill = "He"\npressure = { pin = "soliton_order", value = 1e-9 }')),
    ("geometry.core_diameter", dict(geometry='type = "capillary"\nlength = "1 cm"\ncore_diameter = { pin = "soliton_order", value = 1e-9 }')),
])
def test_pin_without_an_answer(tmp_path, key, sections):
    (tmp_path / "a.toml").write_text(recipe(**sections))
    done = run("check", "a.toml", cwd=tmp_path)
    what = "pressure" if "gas" in key else "core radius"
    assert done.returncode == 3 and re.search(rf"^a\.toml:\d+: {key}: no {what} from .* gives the soliton order 1e-09: ", done.stderr), done.stderr
    assert done.stderr.count("gas.pressure") + done.stderr.count("geometry.core") == 1 and "searched" not in done.stderr


SPHERE = """schema = 1
kind = "scatter"
medium.material = "water"
sweep.wavelength = "600 nm"
output.quantities = ["cross_sections"]
[[particle]]
shape = "sphere"
radius = "50 nm"
material = "Au:Johnson"
unit = "nm"
positions = [[0, 0, 0]]
"""


@pytest.mark.parametrize("text, old, new, hint", [
    (SPHERE, '"50 nm"', '"50"', 'a length needs a unit: write radius = "50 nm"'),
    (SPHERE, '"50 nm"', "50", 'a length needs a unit: write radius = "50 nm"'),
    (recipe(), '"125 um"', '"125"', 'a length needs a unit: write core_radius = "125 um"'),
    (recipe(), 'length = "1 cm"', 'length = "1"', 'a length needs a unit: write length = "1 m"'),
    (recipe(), '"120 uJ"', '"120"', 'an energy needs a unit: write energy = "120 uJ"'),
    (recipe(), 'wavelength = "800 nm"', 'frequency = "375"', 'needs a unit: write frequency = "375 THz"'),
])
def test_bare_numbers_get_the_usual_unit_of_their_key(tmp_path, text, old, new, hint):
    (tmp_path / "a.toml").write_text(text.replace(old, new))
    done = run("check", "a.toml", cwd=tmp_path)
    assert done.returncode == 3 and hint in done.stderr, done.stderr


def test_all_faults_of_a_scattering_recipe_in_one_go(tmp_path):
    """Units, positions and each material that nobody knows do not wait for one another."""
    text = SPHERE.replace('"water"', '"watr"').replace('"50 nm"', '"50"').replace('"Au:Johnson"', '"Gold"').replace("[0, 0, 0]", "[0, 0]")
    text += '[[particle]]\nshape = "core_shell"\nradii = ["10 nm", "20 nm"]\nmaterials = ["SiO2", "Ag:Jonson"]\npositions = [[200, 0, 0]]\nunit = "nm"\n'
    code, result, _ = check(tmp_path, text + '[stack]\nlayers = [{ material = "glas" }, { material = { n = 1.5 } }]\n')
    keys = {f["key"] for f in result["faults"]}
    assert code == 3
    assert {"medium.material", "particle.0.radius", "particle.0.material", "particle.1.materials.1"} <= keys, result["faults"]
    assert any(k.startswith("particle.0.positions") for k in keys) and any(k.startswith("stack.layers") for k in keys), keys


@pytest.mark.parametrize("word, code", [("free_space", 3), ("radial", 0), ("cartesian", 0)])
def test_free_space_is_planned(tmp_path, word, code):
    (tmp_path / "a.toml").write_text(recipe(geometry=f'type = "{word}"\nlength = "1 cm"'))
    done = run("check", "a.toml", cwd=tmp_path)
    assert done.returncode == code
    assert "is not built yet: use a guide: fibre, capillary, " in done.stderr and "free space are planned" in done.stderr, done.stderr
    assert run("run", "a.toml", cwd=tmp_path).returncode in (3, 4)
    (tmp_path / "a.toml").write_text(recipe(geometry='type = "warp"\nlength = "1 cm"'))
    assert "radial" not in run("check", "a.toml", cwd=tmp_path).stderr


# ---- advice about dispersive waves ----

UV = recipe(geometry='type = "capillary"\ncore_diameter = "150 um"\nlength = "1 m"',
            gas='fill = "He"\npressure = { pin = "rdw_soliton", wavelength = "280 nm" }',
            pulse='wavelength = "800 nm"\nenergy = "30 uJ"\nfwhm = "10 fs"',
            grid='wavelength_min = "130 nm"\nwavelength_max = "4 um"\nwindow = "300 fs"')


def warned(tmp_path, *settings):
    (tmp_path / "uv.toml").write_text(UV)
    options = [word for setting in settings for word in ("-s", setting)]
    done = run("check", "uv.toml", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    numbers = dict(line.split()[:2] for line in done.stdout.splitlines() if line.startswith("  "))
    return done.stderr, float(numbers["N"])


def test_orders_that_break_up_are_told(tmp_path):
    """From N = 8 on the strongest soliton has less than a quarter of the energy, (2 N - 1)/N^2; what is advised leads below it."""
    text, order = warned(tmp_path)
    assert text == "" and 3 < order < 8
    text, order = warned(tmp_path, "pulse.0.energy=80 uJ", "pulse.0.fwhm=30 fs")
    assert order > 8 and f"a soliton of order {order:.3g} there: above about 8 it breaks up" in text
    advised = re.search(r"lower pulse.0.energy below about (\d+ uJ)", text)[1]
    text, order = warned(tmp_path, f"pulse.0.energy={advised}", "pulse.0.fwhm=30 fs")
    assert 7 < order < 8.5


def test_advice_to_raise_the_energy_ends_where_the_order_does(tmp_path):
    text, order = warned(tmp_path, "geometry.length=45 cm")
    energy = re.search(r"lengthen it, or raise pulse.0.energy to about (\S+ \S+) \(order ([\d.]+)\)", text)
    assert order < float(energy[2]) < 8
    assert "sheds its dispersive wave after" not in warned(tmp_path, "geometry.length=45 cm", "pulse.0.energy=60 uJ")[0]
    text, _ = warned(tmp_path, "geometry.length=10 cm")
    assert "lengthen it, or shorten the pulse: a pulse.0.energy for this length would make it of order" in text


def test_loss_before_the_wave_is_told(tmp_path):
    text, _ = warned(tmp_path, "geometry.core_diameter=80 um", "pulse.0.energy=8 uJ", "geometry.length=2 m")
    loss = float(re.search(r"the guide takes ([\d.]+) dB of the pulse before it sheds its dispersive wave: widen the core", text)[1])
    done = run("check", "uv.toml", "--json", "-s", "geometry.core_diameter=80 um", "-s", "pulse.0.energy=8 uJ", cwd=tmp_path)
    n = {k: v["value"] for k, v in json.loads(done.stdout)[0]["numbers"].items()}
    assert loss > 3 and np.isclose(loss, 10 / np.log(10) * n["attenuation"] * n["L_fiss"], rtol=0.05)


@pytest.mark.parametrize("setting, key, words", [
    ('gas.pressure={ pin = "rdw", wavelength = "100 nm" }', "gas.pressure.wavelength", "100 nm is outside the grid, 130 nm to 4 um (line "),
    ('gas.pressure={ pin = "zdw", wavelength = "5 um" }', "gas.pressure.wavelength", "5 um is outside the grid, 130 nm to 4 um (line "),
    ('output.stats=[{ name = "vuv_energy", band = "110 nm:200 nm" }]', "output.stats", "110 nm is outside the grid, 130 nm to 4 um (line "),
    ('output.stats=[{ name = "ir_energy", band = "3 um:6 um" }]', "output.stats", "6 um is outside the grid, 130 nm to 4 um (line "),
])
def test_what_is_asked_for_lies_on_the_grid(tmp_path, setting, key, words):
    (tmp_path / "uv.toml").write_text(UV)
    done = run("check", "uv.toml", "-s", setting, cwd=tmp_path)
    assert done.returncode == 3 and f"{key}: {words}" in done.stderr and "widen the grid" in done.stderr, done.stderr


def test_band_of_a_grid_of_samples(tmp_path):
    """4096 samples of 10 ps reach 204.8 THz to each side of 193.4 THz: from 753 nm to any longer wavelength."""
    text = RECIPE.replace("1600 nm:1700 nm", "700 nm:800 nm")
    assert text != RECIPE
    (tmp_path / "a.toml").write_text(text)
    done = run("check", "a.toml", "-s", "grid.samples=4096", "-s", "grid.window=10 ps", cwd=tmp_path)
    assert done.returncode == 3 and "output.stats: 700 nm is outside the grid, 752.8 nm to any longer one" in done.stderr, done.stderr


# ---- what examples say ----

README = (SOURCE / "README.md").read_text()


def test_first_recipe_runs_without_a_warning(tmp_path):
    """That of README.md, over the first centimetre, where the spectrum is as wide as it gets and the pulse shortest."""
    (tmp_path / "pcf.toml").write_text(re.search(r"```toml\n(.*?)```", README, flags=re.S)[1])
    done = run("run", "pcf.toml", "--no-plots", "-s", "geometry.length=1.2 cm", "-s", "output.planes=25", cwd=tmp_path)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    done = run("run", "pcf.toml", "--force", "--no-plots", "-s", "physics.noise=shot", "-s", "seed=1", "-s", "geometry.length=1 mm",
               "-s", "output.planes=3", cwd=tmp_path)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr  # photons of vacuum at the edges are no fault
    done = run("run", "pcf.toml", "--force", "--no-plots", "-s", "grid.wavelength_min=600 nm", "-s", "geometry.length=1.2 cm",
               "-s", "output.planes=25", cwd=tmp_path)
    assert "of the nonlinear response in the band is folded back from beyond the grid: lower grid.wavelength_min" in done.stderr


def test_share_that_folds_back_is_that_against_a_finer_grid(tmp_path):
    """What the warning says: |A|^2 A on the grid against one with twice the samples, where it has room."""
    (tmp_path / "a.toml").write_text(RECIPE)
    done = run("-q", "run", "a.toml", "-s", "grid.window=2.5 ps", "-s", "grid.samples=64", "-s", "plots.kinds=[]", "-s", 'output.stats=["energy"]', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.glob("*.h5")
    with h5py.File(path) as f:
        told = [w.decode() for w in f["provenance/warnings"][:] if b"folded back" in w]
        planes = np.fft.ifftshift(f["field/spectrum"][:, 0, 0, :], axes=-1)
    worst = 0
    for A in planes:
        n = len(A)
        fine = np.zeros(2 * n, complex)
        fine[: n // 2], fine[-n // 2:] = A[: n // 2], A[n // 2:]
        coarse, fine = (np.fft.fft(abs(a) ** 2 * a) for a in (np.fft.ifft(A), 2 * np.fft.ifft(fine)))
        fine = np.concatenate([fine[: n // 2], fine[-n // 2:]]) / 2
        worst = max(worst, np.sum(abs(coarse - fine) ** 2) / np.sum(abs(fine) ** 2))
    assert len(told) == 1 and np.isclose(float(told[0].split()[0]), worst, rtol=0.05)


def test_light_beyond_the_band_is_what_counts(tmp_path):
    """A band from 100 nm to 4 um ends at 4 um: light at 3 um, which the taper leaves alone, is not at its edge; light beyond 4 um is."""
    geometry = CAPILLARY.replace("1 cm", "0.1 mm")
    for wavelength, told in (("3.1 um", False), ("3.97 um", True)):
        pulse = f'wavelength = "800 nm"\nenergy = "1 nJ"\nfwhm = "10 fs"\n[[pulse]]\nwavelength = "{wavelength}"\nenergy = "1 nJ"\nfwhm = "60 fs"'
        (tmp_path / "a.toml").write_text(recipe(geometry=geometry, pulse=pulse, physics="plasma = false",
                                                grid='wavelength_min = "100 nm"\nwavelength_max = "4 um"\nwindow = "600 fs"'))
        done = run("-q", "run", "--force", "a.toml", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        with h5py.File(tmp_path / "gas.h5") as f:
            texts = [w.decode() for w in f["provenance/warnings"][:]]
        assert any("reached the edges of the band: widen" in w for w in texts) == told, (wavelength, texts)


def test_electrons_that_delay_the_pulse_out_of_its_window(tmp_path):
    """omega_p^2 L / (2 omega^2 c) of the gas, all of it ionised, at 1 bar and 293.15 K: 0.24 ps per centimetre."""
    (tmp_path / "a.toml").write_text(recipe(physics="preionised = 1.0"))
    done = run("check", "a.toml", cwd=tmp_path)
    delay = 0.5 * 1e5 / (1.380649e-23 * 293.15) / 1.742e27 * 0.01 / 299792458 * 1e15
    told = re.search(r"physics\.preionised: these electrons delay the first pulse by about (\d+) fs along the guide, out of the time window: set grid.window to", done.stderr)
    assert done.returncode == 0 and told and np.isclose(float(told[1]), delay, rtol=0.05), done.stderr
    assert "delay" not in run("check", "a.toml", "-s", "physics.preionised=0.01", cwd=tmp_path).stderr


def test_line_wider_than_the_grid(tmp_path):
    text = RECIPE.replace('peak_power = "1.8 kW"\nt0 = "100 fs"\nshape = "sech2"', 'average_power = "10 W"\nlinewidth = "300 THz"\nshape = "cw"')
    assert text != RECIPE
    (tmp_path / "a.toml").write_text(text)
    done = run("check", "a.toml", cwd=tmp_path)
    assert done.returncode == 3 and "pulse.0.linewidth: 3e+14 Hz, but the grid ends 1.0" in done.stderr, done.stderr


def test_scattering_tells_wavelengths_and_notes_the_objective(tmp_path):
    """An example warns of nothing, and counts what the sweep says, fields and degrees beside it."""
    done = run("run", SOURCE / "examples/cluster.toml", "-o", "x.h5", "--no-plots", "-s", "numerics.lmax=4", "-s",
               'sweep.wavelength={ start = "500 nm", stop = "800 nm", num = 3 }', "-s", 'output.quantities=["cross_sections"]', cwd=tmp_path)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    assert "gold-trimer: this is the plain run: [objective] is used by poynting grad" in done.stderr
    assert re.search(r"^x\.h5: 3 wavelengths, 7 points with those of fields and convergence, ", done.stdout, flags=re.M), done.stdout
    numbers = run("check", SOURCE / "examples/cluster.toml", "-s", "numerics.lmax=4").stdout
    assert re.search(r"^  convergence +4 ", numbers, flags=re.M) and re.search(r"^  points +181 ", numbers, flags=re.M)


def test_resume_tells_the_launch_and_its_own_start(tmp_path):
    (tmp_path / "a.toml").write_text(RECIPE)
    lossy = ("-s", "fibre.attenuation=20 dB/m", "-s", "geometry.length=0.1 m", "-s", "output.planes=3", "-s", "plots.kinds=[]")
    done = run("run", "a.toml", "-o", "a.h5", *lossy, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    whole = re.search(r"energy (\S+ \S+) of (\S+ \S+) launched, ", done.stdout)
    done = run("resume", "a.h5", "--extend", "0.1 m", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    more = re.search(r"energy (\S+ \S+) of (\S+ \S+) launched \((\S+ \S+) where it was resumed, at 100 mm\), ", done.stdout)
    assert more and (more[3], more[2]) == (whole[1], whole[2]), done.stdout
    assert f"/{float(whole[2].split()[0]):.4g} " in done.stderr, done.stderr  # so does the progress
