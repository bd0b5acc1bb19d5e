"""Recipes: every key of the schema with a good and a bad value, the messages that users are promised, round trips."""

import json
import pathlib
import re
import resource
import tomllib

import pytest
from command import COMMAND, SOURCE, check, follows, run

FIBRE = """schema = 1
kind = "pulse"
name = "soliton"

[geometry]
type = "fibre"
length = "1 m"

[fibre]
gamma = "0.01 1/(W m)"
beta = ["-20 ps2/km"]

[[pulse]]
wavelength = "1550 nm"
peak_power = "80 W"
t0 = "500 fs"
shape = "sech2"

[grid]
window = "25 ps"
samples = 2048
"""


def codes(result, key=None):
    return [f["code"] for f in result["faults"] if f["severity"] == "error" and key in (None, f["key"])]


def of(result, key):
    found = [f for f in result["faults"] if f["key"] == key]
    assert found, f"no fault at {key}: {result['faults']}"
    return found[0]


# ---- the schema, key by key ----

KEYS = json.loads(run("check", "--keys", "--json").stdout)


def base(key):
    """A good recipe in which the key may stand, as nested dictionaries of TOML texts."""
    kind = key["kind"] or "pulse"
    if kind == "scatter":
        return {
            "schema": "1",
            "kind": '"scatter"',
            "particle": [{"shape": '"sphere"', "radius": '"40 nm"', "material": '"Au:Johnson"'}],
            "sweep": {"wavelength": '"650 nm"'},
            "output": {"quantities": '["cross_sections"]'},
        }
    types = key["types"].split() or ["fibre"]
    recipe = {
        "schema": "1",
        "kind": '"pulse"',
        "geometry": {"type": f'"{types[0]}"', "length": '"1 m"'},
        "pulse": [{"wavelength": '"835 nm"', "energy": '"1 nJ"', "fwhm": '"50 fs"'}],
        "grid": {"wavelength_min": '"400 nm"', "wavelength_max": '"2400 nm"', "window": '"12.5 ps"'},
    }
    recipe["geometry"] |= GUIDE.get(types[0], {"core_radius": '"15 um"'})
    if types[0] == "fibre":
        recipe["fibre"] = {"gamma": '"0.11 1/(W m)"', "beta": '["-11.83 ps2/km"]'}
    elif types[0] != "step_index":
        recipe["gas"] = {"fill": '"He"', "pressure": '"1 bar"'}
    return recipe


# What each type needs of [geometry].
GUIDE = {
    "fibre": {},
    "antiresonant": {"core_radius": '"15 um"', "wall_thickness": '"300 nm"'},
    "step_index": {"core_radius": '"2 um"', "core_material": '"SiO2"', "core_offset": "0.03", "cladding": '"SiO2"'},
    "rectangular": {"half_width_x": '"100 um"', "half_width_y": '"50 um"'},
    "tabulated": {"index_file": '"neff.csv"', "effective_area": '"1000 um2"'},
}


# What has to go, and what has to come, when a key is set; sections by path.
GOES = {
    "geometry.core_diameter": ["geometry.core_radius"],
    "fibre.n2": ["fibre.gamma"],
    "fibre.effective_area": ["fibre.gamma"],
    "fibre.D": ["fibre.beta"],
    "fibre.S": ["fibre.beta"],
    "fibre.index_file": ["fibre.beta"],
    "pulse.0.frequency": ["pulse.0.wavelength"],
    "pulse.0.photon_energy": ["pulse.0.wavelength"],
    "pulse.0.peak_power": ["pulse.0.energy"],
    "pulse.0.t0": ["pulse.0.fwhm"],
    "pulse.0.average_power": ["pulse.0.energy", "pulse.0.fwhm"],
    "pulse.0.linewidth": ["pulse.0.fwhm"],
    "pulse.0.line": ["pulse.0.fwhm"],
    "pulse.0.file": ["pulse.0.fwhm"],
    "pulse.0.phase_sign": ["pulse.0.fwhm"],
    "pulse.0.from": ["pulse.0.fwhm"],
    "pulse.0.at": ["pulse.0.fwhm"],
    "sweep.frequency": ["sweep.wavelength"],
    "sweep.photon_energy": ["sweep.wavelength"],
    "particle.0.radii": ["particle.0.radius", "particle.0.material"],
    "particle.0.semi_axes": ["particle.0.radius"],
    "particle.0.exponent": ["particle.0.radius"],
    "particle.0.materials": ["particle.0.radius", "particle.0.material"],
    "particle.0.file": ["particle.0.material"],
    "particle.0.rotation": ["particle.0.radius"],
    "stack.layers": ["particle"],
    "grid.samples": ["grid.wavelength_min", "grid.wavelength_max"],
    "pulse.0.sideband.offset": ["grid.wavelength_min", "grid.wavelength_max"],
    "pulse.0.sideband.relative_power": ["grid.wavelength_min", "grid.wavelength_max"],
}
BINS = {"grid.samples": "4096", "grid.window": '"10 ps"'}  # bins of 0.1 THz
ARRAY = {"lattice.vectors": "[[500.0, 0.0], [0.0, 500.0]]", "lattice.unit": '"nm"', "output.quantities": '["transmission"]'}
COMES = {
    "geometry.type": {},
    "materials.He.k": {"materials.He.n": "1.3"},
    "materials.He.im": {"materials.He.re": "1.3"},
    "materials.He.mu": {"materials.He.n": "1.3"},
    "materials.He.kappa": {"materials.He.n": "1.3"},
    "geometry.tubes": {"geometry.model": '"tubes"', "geometry.tube_radius": '"10 um"'},
    "geometry.tube_radius": {"geometry.model": '"tubes"', "geometry.tubes": "7"},
    "geometry.gap": {"geometry.model": '"tubes"', "geometry.tubes": "7"},
    "fibre.n2": {"fibre.effective_area": '"14 um2"'},
    "fibre.effective_area": {"fibre.n2": '"2.7e-20 m2/W"'},
    "fibre.D": {"fibre.S": '"0.06 ps/(nm2 km)"'},
    "fibre.S": {"fibre.D": '"17 ps/(nm km)"'},
    "pulse.0.t0": {"pulse.0.shape": '"sech2"'},
    "pulse.0.file": {"pulse.0.shape": '"file"', "pulse.0.phase_sign": '"exp(+iwt)"'},
    "pulse.0.phase_sign": {"pulse.0.shape": '"file"', "pulse.0.file": '"spectrum.csv"'},
    "pulse.0.sideband.offset": {"pulse.0.sideband.relative_power": "1e-6", **BINS},
    "pulse.0.sideband.relative_power": {"pulse.0.sideband.offset": '"5 THz"', **BINS},
    "pulse.0.at": {"pulse.0.from": '"first.h5"'},
    "pulse.0.average_power": {"pulse.0.shape": '"cw"'},
    "pulse.0.linewidth": {"pulse.0.shape": '"cw"'},
    "pulse.0.line": {"pulse.0.shape": '"cw"', "pulse.0.linewidth": '"0.5 nm"'},
    "pulse.0.beam.distance": {"pulse.0.beam.waist": '"80 um"'},
    "pulse.0.beam.iris": {"pulse.0.beam.waist": '"80 um"'},
    "pulse.0.beam.aperture": {"pulse.0.beam.waist": '"80 um"'},
    "pulse.0.beam.aperture_edge": {"pulse.0.beam.waist": '"80 um"', "pulse.0.beam.aperture": '"80 um"'},
    "pulse.0.beam.x": {"pulse.0.beam.waist": '"80 um"'},
    "pulse.0.beam.y": {"pulse.0.beam.waist": '"80 um"'},
    "objective.at": {"objective.maximise": '"stats.energy"'},
    "objective.band": {"objective.maximise": '"stats.energy"'},
    "objective.wrt": {"objective.maximise": '"stats.energy"'},
    "particle.0.positions": {"particle.0.unit": '"nm"'},
    "particle.0.unit": {"particle.0.positions": "[[0.0, 0.0, 90.0]]"},
    "particle.0.radii": {"particle.0.shape": '"core_shell"', "particle.0.materials": '["Au:Johnson", "SiO2"]'},
    "particle.0.semi_axes": {"particle.0.shape": '"spheroid"'},
    "particle.0.ripple": {"particle.0.shape": '"chebyshev"', "particle.0.waves": "4"},
    "particle.0.waves": {"particle.0.shape": '"chebyshev"', "particle.0.ripple": "0.1"},
    "particle.0.exponent": {"particle.0.shape": '"superellipsoid"', "particle.0.semi_axes": '["40 nm", "60 nm"]'},
    "particle.0.file": {"particle.0.shape": '"tmatrix_file"'},
    "particle.0.rotation": {"particle.0.shape": '"spheroid"', "particle.0.semi_axes": '["40 nm", "60 nm"]'},
    "lattice.vectors": {"lattice.unit": '"nm"', "output.quantities": '["transmission"]'},
    "lattice.unit": ARRAY,
    "lattice.bloch": ARRAY,
    "lattice.path": ARRAY | {"output.quantities": '["bands"]'},
    "lattice.path_points": ARRAY | {"lattice.path": "[[0.0, 0.0], [0.5, 0.0]]", "output.quantities": '["bands"]'},
    "stack.layers": {"output.quantities": '["transmission"]'},
    "solver.schedule": {"geometry.length": '"2 mm"'},
    "solver.dz_min": {"solver.dz_max": '"1 m"'},
    "particle.0.materials": {"particle.0.shape": '"core_shell"', "particle.0.radii": '["40 nm", "50 nm"]'},
}


def put(recipe, path, value):
    *tables, leaf = path.split(".")
    at = recipe
    for name in tables:
        at = at[int(name)] if name.isdigit() else at.setdefault(name, {})
    at[leaf] = value


def remove(recipe, path):
    *tables, leaf = path.split(".")
    at = recipe
    for name in tables:
        at = at[int(name)] if name.isdigit() else at[name]
    del at[leaf]


def inline(value):
    return value if isinstance(value, str) else "{ " + ", ".join(f"{k} = {inline(v)}" for k, v in value.items()) + " }"


def write(recipe):
    """TOML of the nested dictionaries."""
    lines = [f"{k} = {v}" for k, v in recipe.items() if isinstance(v, str)]
    for name, value in recipe.items():
        if isinstance(value, dict):
            lines.append(f"[{name}]")
            lines += [f"{k} = {inline(v)}" for k, v in value.items()]
        elif isinstance(value, list):
            for element in value:
                lines.append(f"[[{name}]]")
                lines += [f"{k} = {inline(v)}" for k, v in element.items()]
    return "\n".join(lines) + "\n"


def recipe_with(key, value):
    path = key["path"].replace(".N.", ".0.").replace("NAME", "He")
    recipe = base(key)
    for gone in GOES.get(path, []):
        remove(recipe, gone)
    for other, text in COMES.get(path, {}).items():
        put(recipe, other, text)
    put(recipe, path, value)
    return path, write(recipe)


@pytest.fixture(name="files", scope="module")
def fixture_files(tmp_path_factory):
    """A folder with the files that good values name."""
    folder = tmp_path_factory.mktemp("keys")
    rows = "".join(f"{300 + 25 * i}, {1.46 - 1e-4 * i}\n" for i in range(201))
    (folder / "neff.csv").write_text("wavelength [nm], n\n" + rows)
    rows = "".join(f"{0.5 + 0.05 * i}, {max(0, 10 - abs(i - 30))}, 0\n" for i in range(80))
    (folder / "spectrum.csv").write_text("omega [rad/fs], density, phase [rad]\n" + rows)
    (folder / "Au.yml").write_text("DATA:\n  - type: tabulated nk\n    data: |\n        0.2 1.5 1.4\n        3.0 0.6 20.0\n")
    particle = base({"path": "particle.N.file", "types": "", "kind": "scatter"})
    particle |= {"name": '"particle.tmat"', "output": {"quantities": '["tmatrix"]'}, "plots": {"kinds": "[]"}}
    (folder / "particle.toml").write_text(write(particle))
    assert run("-q", "run", "particle.toml", cwd=folder).returncode == 0
    first = base({"path": "pulse.N.from", "types": "", "kind": "pulse"})
    first |= {"physics": {"kerr": "false", "raman": '"off"'}, "output": {"planes": "3"}, "plots": {"kinds": "[]"}}
    (folder / "first.toml").write_text(write(first))
    assert run("-q", "run", "first.toml", cwd=folder).returncode == 0
    return folder


@pytest.mark.parametrize("key", KEYS, ids=lambda k: k["path"])
def test_good_value(files, key):
    path, text = recipe_with(key, key["good"])
    code, result, _ = check(files, text)
    assert code == 0, (text, result["faults"])
    assert result["ok"], path


@pytest.mark.parametrize("key", KEYS, ids=lambda k: k["path"])
def test_bad_value(files, key):
    path, text = recipe_with(key, key["bad"])
    code, result, _ = check(files, text)
    assert code == 3
    here = [f for f in result["faults"] if f["key"] == path or f["key"].startswith(path + ".")]
    assert key["code"] in [f["code"] for f in here], (text, result["faults"])
    for fault in here:
        assert fault["line"] > 0 and fault["problem"] and fault["hint"], fault


def test_keys_are_documented():
    for key in KEYS:
        assert key["text"], key["path"]
        if key["need"]:
            assert not key["default"], f"{key['path']} is required and has a default"


# ---- what users are promised ----

CASES = json.loads((SOURCE / "tests/golden/recipe_faults.json").read_text())["cases"]


@pytest.mark.parametrize("case", [c for c in CASES if "key" in c["expected"]], ids=lambda c: c["id"])
def test_promised_fault(tmp_path, case):
    want = case["expected"]
    code, result, _ = check(tmp_path, case["input"]["recipe_text"], name=case["input"]["file"])
    assert code == want["exit_code"]
    assert len(result["faults"]) - codes(result).count("") >= 1
    fault = of(result, want["key"])
    assert (fault["code"], fault["line"]) == (want["code"], want["line"])
    for word in want["message_contains"]:
        assert word in f"{fault['problem']}: {fault['hint']}"
    assert codes(result) == [want["code"]], "one mistake, one fault"


def resolved(result):
    return tomllib.loads(result["resolved"])


@pytest.mark.parametrize("case", [c for c in CASES if "key" not in c["expected"]], ids=lambda c: c["id"])
def test_promised_acceptance(tmp_path, case):
    code, result, _ = check(tmp_path, case["input"]["recipe_text"])
    assert code == case["expected"]["exit_code"], result["faults"]
    other, rtol = case["expected"]["same_resolved_values_as"].split(", rtol ")
    one_mode = ["-s", "geometry.modes=1"]  # several have no derived numbers yet
    _, result, _ = check(tmp_path, case["input"]["recipe_text"], *one_mode)
    _, same, _ = check(tmp_path, (SOURCE / "tests/run/recipes" / other).read_text(encoding="utf-8"), *one_mode)
    want = {k: v["value"] for k, v in follows(same).items()}
    assert len(want) > 10
    assert {k: v["value"] for k, v in follows(result).items()} == pytest.approx(want, rel=float(rtol), nan_ok=True)


MESSAGES = [
    ('length = "1 m"', "length = 3", 'a.toml:7: geometry.length: a length needs a unit: write length = "3 m"'),
    ('t0 = "500 fs"', "t0 = 35e-15", 'a.toml:16: pulse.0.t0: a time needs a unit: write t0 = "35 fs"'),
    ('t0 = "500 fs"', 'fwhm = "10 nm"', 'a.toml:16: pulse.0.fwhm: expected a time, got a length ("10 nm"): use fs, ps, ns'),
    ("samples = 2048", 'samples = "2048"', "a.toml:21: grid.samples: expected an integer, got a string: write samples = 2048"),
    ('length = "1 m"', 'length = "1 m"\nlength = "2 m"', "a.toml:8: geometry.length: already set at line 7: keep one"),
    ('type = "fibre"', 'type = "slab"', "a.toml:6: warning: geometry.type: slab is not built yet: use a guide: fibre, capillary, "
     "antiresonant, step_index, rectangular, tabulated; beams in free space are planned, as radial, cartesian, line, slab"),
    ('type = "fibre"', 'type = "fiber"', 'a.toml:6: geometry.type: "fiber" is not known: did you mean fibre?'),
    ("gamma =", "gama =", "a.toml:10: fibre.gama: unknown key: did you mean gamma?"),
    ("samples = 2048", "", "a.toml:19: grid.samples: missing: an envelope needs samples, or wavelength_min and "
     "wavelength_max, e.g. samples = 8192"),
]


@pytest.mark.parametrize("old, new, message", MESSAGES, ids=lambda x: x[:24] if isinstance(x, str) else "")
def test_message(tmp_path, old, new, message):
    (tmp_path / "a.toml").write_text(FIBRE.replace(old, new))
    done = run("check", "a.toml", cwd=tmp_path)
    assert message in done.stderr.splitlines(), done.stderr


def test_all_faults_in_one_pass_sorted_by_line(tmp_path):
    text = FIBRE.replace('length = "1 m"', 'length = "1 s"\nlength = "2 m"\ncolour = "red"').replace("80 W", "80 kg")
    code, result, _ = check(tmp_path, text.replace("samples = 2048", "samples = 1"))
    assert code == 3
    assert codes(result) == ["E_DIM", "E_SYNTAX", "E_KEY", "E_UNIT", "E_RANGE"]
    lines = [f["line"] for f in result["faults"]]
    assert lines == sorted(lines)


def test_file_that_is_no_toml(tmp_path):
    code, result, _ = check(tmp_path, 'schema = 1\nkind = "pulse\n')
    assert code == 3
    assert codes(result) == ["E_SYNTAX"]
    assert result["faults"][0]["line"] == 2


GARBAGE = {
    "nothing": "", "one key": "schema = 1\n", "bytes": "\x00\x01\x02", "brackets": "[[[", "a long word": "a" * 100000,
    "deep lists": "x = " + "[" * 300 + "]" * 300, "a deep key": "a." * 100000 + "b = 1", "a letter outside of a text": "name = \u03bc\n",
    "very often": "a = 1\n" * 5000, "a long list": "a = [" + '"1 m", ' * 50000 + "]",
}


@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_refused_with_a_message(tmp_path, text):
    (tmp_path / "a.toml").write_text(text)
    done = run("check", "a.toml", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith("a.toml")


def test_missing_file(tmp_path):
    done = run("check", "nothing.toml", cwd=tmp_path)
    assert done.returncode == 74
    assert "nothing.toml: cannot be read: No such file" in done.stderr


# ---- measured spectra ----

SPECTRUM = """schema = 1
kind = "pulse"
geometry = { type = "fibre", length = "1 m" }
fibre = { gamma = "0.01 1/(W m)", beta = [] }
pulse = [{ wavelength = "835 nm", shape = "file", file = "s.csv", phase_sign = "exp(+iwt)", energy = "1 nJ" }]
grid = { wavelength_min = "400 nm", wavelength_max = "2400 nm", window = "5 ps" }
"""


def spectrum(header, rows):
    return header + "\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    "text, line, code, words",
    [
        (spectrum("omega, density", ["7.3e5, 1", "7.4e5, 1", "7.5e5, 1", "7.6e5, 1"]), 2, "E_UNIT", "rad/s"),
        (spectrum("omega [rad/fs], density", ["1.9, 1", "2.0, 1", "nan, 1", "2.2, 1"]), 4, "E_VALUE", "not a number"),
        (spectrum("omega [rad/fs], density", ["1.9, 1", "2.0, ", "2.1, 1", "2.2, 1"]), 3, "E_VALUE", "not a number"),
        (spectrum("omega [rad/fs], density", ["1.9, 1", "2.0, 1", "1.8, 1", "2.2, 1"]), 4, "E_VALUE", "sort"),
        (spectrum("omega [rad/fs], density, phase [deg]", ["1.9,1,0", "2.0,1,0", "2.1,1,0", "2.2,1,0"]), 1, "E_UNIT", "rad"),
        (spectrum("1.9, 1", ["2.0, 1", "2.1, 1", "2.2, 1"]), 1, "E_UNIT", "header"),
        ("", 1, "E_SHAPE", "rows"),
    ],
)
def test_faults_of_a_spectrum(tmp_path, text, line, code, words):
    (tmp_path / "s.csv").write_text(text)
    status, result, _ = check(tmp_path, SPECTRUM)
    assert status == 3
    fault = result["faults"][0]
    assert (fault["file"], fault["line"], fault["code"]) == ("s.csv", line, code)
    assert words in fault["problem"] + fault["hint"]


def test_spectrum_file_is_missing(tmp_path):
    status, result, _ = check(tmp_path, SPECTRUM)
    assert status == 3
    assert of(result, "pulse.0.file")["code"] == "E_IO"


# ---- overrides, precedence, the resolved recipe ----


def test_override_beats_recipe_beats_default(tmp_path):
    _, result, _ = check(tmp_path, FIBRE + '[solver]\nrtol = 1e-7\n', "-s", "fibre.gamma=0.02 1/(W m)", "-s", "physics.kerr=false",
                         "-s", 'output.stats=["energy"]')
    tree = resolved(result)
    assert tree["fibre"]["gamma"] == "0.02 1/(W m)"
    assert tree["solver"]["rtol"] == 1e-7
    assert tree["physics"]["kerr"] is False
    assert tree["output"] == {"planes": 201, "fields": "spectrum", "stats": ["energy"], "every": 1,
                              "precision": "double", "compress": False}


def test_override_adds_what_is_not_there(tmp_path):
    code, result, _ = check(tmp_path, FIBRE, "-s", "pulse.1.wavelength=1540 nm", "-s", "pulse.1.energy=1 pJ", "-s",
                            "pulse.1.fwhm=1 ps", "-s", "pulse.0.phase.gdd=100 fs2")
    assert code == 0, result["faults"]
    tree = resolved(result)
    assert tree["pulse"][1]["energy"] == "1 pJ"
    assert tree["pulse"][0]["phase"] == {"gdd": "100 fs2"}


@pytest.mark.parametrize(
    "pair, status, text",
    [
        ("fibre.gamma=3", 3, 'override: fibre.gamma: a nonlinear coefficient gamma needs a unit: write gamma = "3 1/(W m)"'),
        ("fibre.gama=3 1/(W m)", 3, "override: fibre.gama: unknown key: did you mean gamma?"),
        ("pulse.3.energy=1 nJ", 3, "override pulse.3.energy: the recipe has no place for '3': the list is shorter"),
        ("fibre.gamma", 2, "-s 'fibre.gamma' is not key=value"),
        ("=3", 2, "-s '=3' is not key=value"),
    ],
)
def test_bad_override(tmp_path, pair, status, text):
    (tmp_path / "a.toml").write_text(FIBRE)
    done = run("check", "a.toml", "-s", pair, cwd=tmp_path)
    assert done.returncode == status
    assert text in done.stderr


RECIPES = sorted((SOURCE / "examples").glob("*.toml")) + sorted((SOURCE / "tests/run/recipes").glob("*.toml"))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda p: p.name)
def test_resolved_recipe_reads_back_to_itself(tmp_path, recipe):
    code, result, _ = check(tmp_path, recipe.read_text(encoding="utf-8"), name=recipe.name)
    assert code == 0, result["faults"]
    again, second, _ = check(tmp_path, result["resolved"], name="again.toml")
    assert again == 0
    assert second["resolved"] == result["resolved"]
    assert follows(second) == follows(result)
    given = tomllib.loads(recipe.read_text(encoding="utf-8"))
    for section, value in given.items():
        if isinstance(value, dict) and section not in ("physics", "scan"):
            for name, v in value.items():
                if not (isinstance(v, dict) and "pin" in v):  # of which the value takes the place
                    assert tomllib.loads(result["resolved"])[section][name] == v


def test_derived_numbers(tmp_path):
    """N = sqrt(gamma P t0^2 / |beta_2|), from the recipe by hand."""
    _, result, _ = check(tmp_path, FIBRE)
    numbers = {k: v["value"] for k, v in result["numbers"].items()}
    assert numbers["L_D"] == pytest.approx(0.5e-12**2 / 20e-27, rel=1e-12)
    assert numbers["L_NL"] == pytest.approx(1 / (0.01 * 80), rel=1e-6)
    assert numbers["N"] == pytest.approx((0.5e-12**2 / 20e-27 * 0.01 * 80) ** 0.5, rel=1e-6)
    assert numbers["samples"] == 2048
    assert numbers["dt"] == pytest.approx(25e-12 / 2048, rel=1e-12)
    assert numbers["beta2"] == pytest.approx(-20e-27, rel=1e-12)


def test_D_is_beta2(tmp_path):
    """17 ps/(nm km) at 1550 nm is beta_2 = -21.68 ps2/km (bug B22)."""
    text = FIBRE.replace('beta = ["-20 ps2/km"]', 'D = "17 ps/(nm km)"\nS = "0 ps/(nm2 km)"\nbeta_at = "1550 nm"')
    _, result, _ = check(tmp_path, text)
    assert result["numbers"]["beta2"]["value"] == pytest.approx(-21.68e-27, rel=2e-4)


def test_strict_makes_warnings_faults(tmp_path):
    text = FIBRE.replace("25 ps", "6 ps")  # the pulse is longer than an eighth of the window
    assert check(tmp_path, text)[0] == 0
    assert check(tmp_path, text, "--strict")[0] == 3


@pytest.mark.skipif(b"__asan_init" in pathlib.Path(COMMAND).read_bytes(), reason="sanitizers take their time")
def test_check_is_quick(tmp_path):
    """Less than 0.2 s of processor time for the largest recipes: a long schedule, many pulses, a scan, four modes."""
    steps = ", ".join(['"0.5 mm"'] * 2000)
    pulses = '[[pulse]]\nwavelength = "1550 nm"\npeak_power = "1 W"\nt0 = "500 fs"\nshape = "sech2"\n' * 50
    large = FIBRE + pulses + f"[solver]\nschedule = [{steps}]\n[scan]\nlist.seed = {{ start = 1, stop = 5000, num = 5000 }}\n"
    for text in [large, *(p.read_text(encoding="utf-8") for p in RECIPES)]:
        used = []
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            code, result, _ = check(tmp_path, text)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert code == 0, result["faults"]
        assert min(used) < 0.2


def test_check_takes_many(tmp_path):
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(FIBRE)
    done = run("check", "a.toml", "b.toml", cwd=tmp_path)
    assert done.returncode == 0
    assert re.findall(r"^(\S+): ok$", done.stdout, re.M) == ["a.toml", "b.toml"]


def test_scan(tmp_path):
    good = '[scan]\ngrid.fibre.gamma = ["0.01 1/(W m)", "0.02 1/(W m)"]\ngrid.pulse.0.t0 = { start = "400 fs", stop = "500 fs", num = 3 }\n'
    code, result, _ = check(tmp_path, FIBRE + good)
    assert code == 0, result["faults"]
    assert "grid.fibre.gamma" in result["resolved"]
    bad = '[scan]\nzip.seed = [1, 2, 3]\nzip.name = ["a", "b"]\n'
    code, result, _ = check(tmp_path, FIBRE + bad)
    assert of(result, "scan.zip")["code"] == "E_SHAPE"
    assert of(result, "scan.zip")["problem"] == "lengths differ (seed 3, name 2)"
    bad = '[scan]\ngrid.pulse.0.energi = ["1 nJ"]\n'
    code, result, _ = check(tmp_path, FIBRE + bad)
    assert codes(result) == ["E_KEY"]
    bad = '[scan]\ngrid.fibre.gamma = ["0.01 1/(W m)", 2]\n'
    code, result, _ = check(tmp_path, FIBRE + bad)
    assert codes(result) == ["E_UNIT"]


@pytest.mark.parametrize("pair", ["pulse.0.polarisation=x", "pulse.0.polarisation={ ellipticity = 0.3 }", "solver.method=rk4ip",
                                  "geometry.type=slab"])
def test_what_is_not_built_is_a_warning_of_check_and_refused_by_run(tmp_path, pair):
    text = FIBRE if "geometry" not in pair else FIBRE.split("[fibre]")[0] + "[[pulse]]" + FIBRE.split("[[pulse]]")[1].replace(
        "samples = 2048", 'wavelength_min = "1 um"\nwavelength_max = "2 um"')
    code, result, _ = check(tmp_path, text, "-s", pair)
    assert code == 0, result["faults"]
    assert [f["code"] for f in result["faults"] if f["severity"] == "warning"] == ["E_UNSUPPORTED"]
    done = run("run", "a.toml", "-s", pair, cwd=tmp_path)
    assert done.returncode == 4
    assert "is not built yet: use" in done.stderr
    assert not list(tmp_path.glob("*.h5"))


def test_name_is_no_path(tmp_path):
    code, result, _ = check(tmp_path, FIBRE.replace('name = "soliton"', 'name = "../soliton"'))
    assert code == 3 and of(result, "name")["code"] == "E_VALUE"
