"""poynting grad of arrays and stacks: shares of power against published gradients, closed forms and differences of plain runs."""

import json
import math

import h5py
import numpy as np
import pytest
from command import SOURCE, run

GOLDEN = {case["id"].rpartition("/")[2]: case
          for case in json.loads((SOURCE / "bindings/python/tests/gradient.json").read_text(encoding="utf-8"))["cases"]}
UM = 1e-6  # the golden cases have one unit of length; here it is a micrometre


def recipe(folder, body, quantity, wrt, *, k0=None, wavelength=None, light='angles = { theta = "0 deg", phi = "0 deg" }, polarisation = "x"', lmax=2, more=""):
    text = f"""schema = 1
kind = "scatter"
name = "sheet"
sweep.wavelength = "{2 * np.pi / k0 if k0 else wavelength!r} um"
illumination = {{ {light} }}
numerics.lmax = {lmax}
output.quantities = ["transmission"]
plots.kinds = []
{more}
{body}
[objective]
maximise = "{quantity}"
wrt = {json.dumps(wrt)}
"""
    (folder / "a.toml").write_text(text, encoding="utf-8")


def grad(folder, *more):
    """(value, {key: array}), and all that the command says as JSON."""
    done = run("grad", "a.toml", "--json", *more, cwd=folder)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    return said["value"], {p["key"]: np.array(p["gradient"]).reshape(p["shape"]) for p in said["parts"]}, said


@pytest.mark.parametrize("number", ["012", "013"])
def test_published_gradients_of_an_array(tmp_path, number):
    case = GOLDEN[number]
    given, bound = case["inputs"], case["tol"]["rel"]
    e, pitch, k0 = given["epsilon"], given["pitch"], given["k0"]
    recipe(tmp_path, f"""particle = [{{ shape = "sphere", radius = "{given['radius']!r} um", material = {{ re = {e[0]!r}, im = {e[1]!r} }} }}]
lattice = {{ vectors = [[{pitch!r}, 0.0], [0.0, {pitch!r}]], unit = "um" }}
""", "transmission.T", ["particle.0.radius", "lattice.vectors", "particle.0.material", "sweep.wavelength"], k0=k0, lmax=given["lmax"],
           more='numerics.orders_kmax = "0.1 rad/um"', light="polarisation = 1")
    _, gradient, said = grad(tmp_path)
    radius, by_pitch, epsilon, by_k0 = (complex(*x) for x in case["expected"])
    scale = bound * abs(radius)
    assert gradient["particle.0.radius"] * UM == pytest.approx(radius.real, rel=0, abs=scale)
    assert np.trace(gradient["lattice.vectors"]) * UM == pytest.approx(by_pitch.real, rel=0, abs=scale)
    assert complex(*gradient["particle.0.material"]) == pytest.approx(epsilon, rel=0, abs=scale)
    assert gradient["sweep.wavelength"] * UM * -(2 * np.pi / k0**2) == pytest.approx(by_k0.real, rel=0, abs=scale)
    assert said["units"] == "1" and [p["units"] for p in said["parts"]] == ["1/m", "1/m", "1", "1/m"]


def test_published_gradient_of_a_slab(tmp_path):
    given = GOLDEN["014"]["inputs"]
    e, sine = given["epsilon"], given["kpar"][0] / given["k0"]
    recipe(tmp_path, f"""[stack]
layers = [{{ material = "vacuum" }}, {{ material = {{ re = {e[0]!r}, im = {e[1]!r} }}, thickness = "{given['thickness']!r} um" }}, {{ material = "vacuum" }}]
""", "transmission.T", ["stack.layers.1.thickness", "stack.layers.1.material"], k0=given["k0"],
           light=f'angles = {{ theta = "{math.asin(sine)!r} rad", phi = "0 deg" }}, polarisation = "s"')
    _, gradient, _ = grad(tmp_path)
    thickness, epsilon, _ = (complex(*x) for x in GOLDEN["014"]["expected"])
    assert gradient["stack.layers.1.thickness"] * UM == pytest.approx(thickness.real, rel=1e-10)
    assert complex(*gradient["stack.layers.1.material"]) == pytest.approx(epsilon, rel=1e-10)


def test_closed_form_of_a_lossless_slab(tmp_path):
    """T = 1 / (1 + F sin^2 d), d = 2 pi n t / lambda, F = (n^2 - 1)^2 / (4 n^2), by n, t and lambda."""
    n, t, wavelength = 2.0, 0.31, 0.9
    recipe(tmp_path, f"""[stack]
layers = [{{ material = "vacuum" }}, {{ material = {{ n = {n}, k = 0.0 }}, thickness = "{t} um" }}, {{ material = "vacuum" }}]
""", "transmission.R", ["stack.layers.1.thickness", "stack.layers.1.material", "sweep.wavelength"], wavelength=wavelength)
    value, gradient, said = grad(tmp_path, "--check")
    F, dF, d = (n**2 - 1)**2 / (4 * n**2), (n**4 - 1) / (2 * n**3), 2 * np.pi * n * t / wavelength
    T = 1 / (1 + F * np.sin(d)**2)
    by_d = T**2 * F * np.sin(2 * d)  # of R = 1 - T
    assert value == pytest.approx(1 - T, rel=1e-12) and said["check"]["passed"]
    assert gradient["stack.layers.1.thickness"] * UM == pytest.approx(by_d * d / t, rel=1e-11)
    assert gradient["stack.layers.1.material"][0] == pytest.approx(by_d * d / n + T**2 * dF * np.sin(d)**2, rel=1e-11)
    assert gradient["sweep.wavelength"] * UM == pytest.approx(-by_d * d / wavelength, rel=1e-11)


SHEET = """
[[particle]]
shape = "core_shell"
radii = ["90 nm", "110 nm"]
materials = [{ n = 3.5, k = 0.02 }, { n = 1.6, k = 0.0, kappa = 0.05 }]
unit = "nm"
positions = [[0.0, 0.0, 0.0], [240.0, 210.0, 30.0]]
[lattice]
vectors = [[460.0, 20.0], [0.0, 440.0]]
unit = "nm"
[stack]
layers = [{ material = "vacuum" }, { material = "SiO2", thickness = "120 nm" },
          { array = true, medium = { n = 1.2, k = 0.01 }, below = "150 nm", above = "160 nm" },
          { repeat = 2, layers = [{ material = { n = 1.9, k = 0.0 }, thickness = "80 nm" }, { material = "vacuum", thickness = "60 nm" }] },
          { array = true, medium = "vacuum", below = "160 nm", above = "150 nm" }, { material = { n = 1.5, k = 0.0 } }]
"""
KEYS = ["particle.0.radii", "particle.0.positions", "particle.0.materials", "lattice.vectors", "stack.layers.1.thickness", "stack.layers.2.below",
        "stack.layers.2.above", "stack.layers.2.medium", "stack.layers.3.layers.0.thickness", "stack.layers.3.layers.0.material",
        "stack.layers.5.material", "sweep.wavelength"]


@pytest.mark.parametrize(("quantity", "keys", "light"), [
    ("transmission.T", KEYS, 'angles = { theta = "0 deg", phi = "0 deg" }, polarisation = "x"'),
    ("transmission.R", ["particle.0.radii", "stack.layers.2.medium", "sweep.wavelength"], 'angles = { theta = "20 deg", phi = "35 deg" }, polarisation = "s"'),
    ("transmission.A", ["particle.0.materials", "lattice.vectors", "sweep.wavelength"], 'angles = { theta = "20 deg", phi = "35 deg" }, polarisation = "left"'),
    ("transmission.T_order.0.0", ["stack.layers.3.layers.0.thickness", "sweep.wavelength"], 'angles = { theta = "25 deg", phi = "0 deg" }, polarisation = "p"'),
    ("transmission.R_order.-1.0", ["particle.0.radii", "lattice.vectors"], 'angles = { theta = "60 deg", phi = "0 deg" }, polarisation = "p"'),
    ("cd.transmission", ["particle.0.positions", "stack.layers.5.material"], 'angles = { theta = "20 deg", phi = "35 deg" }, polarisation = "left"'),
    ("cd.outgoing", ["particle.0.radii", "sweep.wavelength"], 'angles = { theta = "20 deg", phi = "35 deg" }, polarisation = "right"'),
    ("cd.absorption", ["particle.0.radii", "particle.0.materials", "stack.layers.2.medium", "sweep.wavelength"], 'angles = { theta = "20 deg", phi = "35 deg" }, polarisation = "left"')])
def test_every_number_and_key_passes_the_check(tmp_path, quantity, keys, light):
    """Two arrays in different media, a stack repeated, a dispersive layer, a medium that absorbs, handed shells."""
    recipe(tmp_path, SHEET, quantity, keys, wavelength=0.62, lmax=1, light=light, more='numerics.orders_kmax = "14 rad/um"')
    value, gradient, said = grad(tmp_path, "--check")
    assert said["check"]["passed"] and said["check"]["adjoint"] < 1e-12, said["check"]
    if quantity == "transmission.T":
        shapes = {k: v.shape for k, v in gradient.items()}
        assert shapes["particle.0.positions"] == (2, 3) and shapes["lattice.vectors"] == (2, 2) and shapes["stack.layers.2.medium"] == (2,)
        _, forward, _ = grad(tmp_path, "--mode", "forward")
        for key, g in gradient.items():
            assert np.abs(g - forward[key]).max() <= 1e-11 * np.abs(g).max(), key
        # all particles moved up by h: the same as below + h, above - h of both arrays
        up = gradient["particle.0.positions"][:, 2].sum()
        recipe(tmp_path, SHEET, quantity, [f"stack.layers.{i}.{what}" for i in (2, 4) for what in ("below", "above")], wavelength=0.62, lmax=1, light=light,
               more='numerics.orders_kmax = "14 rad/um"')
        _, sides, _ = grad(tmp_path)
        moved = sum(float(g) * (1 if key.endswith("below") else -1) for key, g in sides.items())
        assert up == pytest.approx(moved, rel=1e-9)
    path = quantity.split(".")
    assert run("run", "a.toml", "-o", "x.h5", "--no-plots", "-s", 'output.quantities=["transmission", "cd"]', cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "x.h5") as f:
        data = f["/".join(path[:2])][0]
        stored = data if path[0] == "cd" else data[0]
        if len(path) == 4:
            stored = stored[[tuple(o) for o in f["transmission/orders"][:].astype(int)].index((int(path[2]), int(path[3])))]
    assert value == pytest.approx(float(stored), rel=0, abs=1e-11)


def test_automatic_degrees_are_those_of_a_run(tmp_path):
    recipe(tmp_path, SHEET, "transmission.T", ["particle.0.radii"], wavelength=0.62, lmax='"auto"', more='numerics.tol = 1e-4\nnumerics.orders_kmax = "12 rad/um"')
    done = run("run", "a.toml", "--grad", "-o", "x.h5", "--no-plots", cwd=tmp_path)
    assert done.returncode == 0 and "[objective] is used by" not in done.stderr and "gradient of the objective" in done.stdout
    assert " m2" not in done.stdout and "solutions" in done.stderr  # a share has no units; progress is told
    text = run("grad", "a.toml", cwd=tmp_path).stdout
    with h5py.File(tmp_path / "x.h5") as f:
        assert f["gradient/value"][()] == pytest.approx(float(f["transmission/T"][0, 0]), rel=0, abs=1e-11)
        assert f["gradient/value"].attrs["units"] == "1" and f["gradient/particle.0.radii"].attrs["units"] == "1/m"
        assert f"lmax {int(f['lmax'][0] if 'lmax' in f else f['sweep/lmax'][0])}" in text


def test_a_plain_run_still_notes_the_objective(tmp_path):
    recipe(tmp_path, SHEET, "transmission.T", ["particle.0.radii"], wavelength=0.62, lmax=1, more='numerics.orders_kmax = "12 rad/um"')
    assert "[objective] is used by poynting grad" in run("run", "a.toml", "-o", "x.h5", "--no-plots", cwd=tmp_path).stderr


@pytest.mark.parametrize(("quantity", "wrt", "message"), [
    ("cross_sections.scattering", ["particle.0.radii"], "of an array or a stack has no derivative: use transmission.T"),
    ("transmission.T_order", ["particle.0.radii"], "has no derivative: use transmission.T"),
    ("transmission.T_order.5.5", ["particle.0.radii"], "the order (5, 5) is none of the"),
    ("transmission.T_order.x.0", ["particle.0.radii"], "names no order"),
    ("transmission.T", ["stack.layers.0.thickness"], '"stack.layers.0.thickness" is no key of a recipe'),
    ("transmission.T", ["stack.layers.1.material"], '"SiO2" is a table of data'),
    ("transmission.T", ["medium.material"], "medium.material has no derivative"),
    ("transmission.T", ["numerics.lmax"], "numerics.lmax has no derivative")])
def test_what_has_no_gradient_is_a_fault_at_check_and_refused_by_grad(tmp_path, quantity, wrt, message):
    recipe(tmp_path, SHEET, quantity, wrt, wavelength=0.62, lmax=1, more='numerics.orders_kmax = "12 rad/um"')
    done = run("check", "a.toml", cwd=tmp_path)
    assert done.returncode == 3 and message in done.stderr and ": objective" in done.stderr, done.stderr
    done = run("grad", "a.toml", cwd=tmp_path)
    assert done.returncode == 3 and message in done.stderr and not done.stdout, done.stderr


@pytest.mark.parametrize("quantity", ["transmission.T", "transmission.A", "transmission.T_order.0.0", "cd.transmission", "cd.outgoing", "cd.absorption"])
def test_derivatives_that_symmetry_forbids_pass_the_check(tmp_path, quantity):
    """Where one particle of a lattice stands changes no power, and a mirror image has no dichroism: what is left is rounding."""
    recipe(tmp_path, """particle = [{ shape = "sphere", radius = "75 nm", material = { re = 15.5, im = 0.12 } }]
lattice = { vectors = [[400.0, 0.0], [0.0, 400.0]], unit = "nm" }
""", quantity, ["particle.0.positions", "lattice.vectors", "particle.0.radius"], wavelength=0.38, lmax=3, more='numerics.orders_kmax = "30 rad/um"')
    value, gradient, said = grad(tmp_path, "--check")
    assert said["check"]["passed"], said["check"]
    assert np.abs(gradient["particle.0.positions"]).max() * UM < 1e-14
    if quantity.startswith("cd"):
        assert abs(value) < 1e-14 and abs(gradient["particle.0.radius"]) * UM < 1e-13


def test_a_dichroism_of_nothing_is_refused(tmp_path):
    recipe(tmp_path, """[stack]
layers = [{ material = "vacuum" }, { material = { n = 1.6, k = 0.0, kappa = 0.05 }, thickness = "120 nm" }, { material = "vacuum" }]
""", "cd.absorption", ["stack.layers.1.thickness"], wavelength=0.62, light='polarisation = "left"')
    done = run("grad", "a.toml", cwd=tmp_path)
    assert done.returncode == 1 and "cd.absorption: nothing absorbs at 620 nm: there is no ratio: use cd.transmission" in done.stderr, done.stderr


def test_chains_are_refused(tmp_path):
    recipe(tmp_path, """particle = [{ shape = "sphere", radius = "100 nm", material = { n = 2.0, k = 0.0 } }]
lattice = { vectors = [[400.0]], unit = "nm" }
""", "cross_sections.scattering", ["particle.0.radius"], wavelength=0.62)
    text = (tmp_path / "a.toml").read_text(encoding="utf-8").replace('["transmission"]', '["cross_sections"]')
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    for command in ("grad", "check"):
        done = run(command, "a.toml", "-s", "illumination.angles.theta=30 deg", cwd=tmp_path)
        assert done.returncode in (3, 4) and "chains have no gradient" in done.stderr, done.stderr


@pytest.mark.parametrize("lmax", ["2", '"auto"\nnumerics.tol = 1e-5'])
def test_thresholds_name_key_and_wavelength(tmp_path, lmax):
    """There is no derivative on a diffraction threshold; nor where the step of a difference ends on one."""
    body = ('particle = [{ shape = "sphere", radius = "80 nm", material = { n = 2.0, k = 0.1 } }]\n'
            'lattice = { vectors = [[500.0, 0.0], [0.0, 500.0]], unit = "nm" }\n')
    recipe(tmp_path, body, "transmission.T", ["particle.0.radius"], wavelength=0.5, lmax=lmax)
    for check in ([], ["--check"]):
        done = run("grad", "a.toml", *check, cwd=tmp_path)
        assert done.returncode == 5, done.stderr
        assert "sweep: at 500 nm there is no gradient: " in done.stderr and "threshold" in done.stderr


def test_differences_that_run_into_a_threshold(tmp_path):
    body = ('particle = [{ shape = "sphere", radius = "80 nm", material = { n = 2.0, k = 0.1 } }]\n'
            'lattice = { vectors = [[500.0, 0.0], [0.0, 500.0]], unit = "nm" }\n')
    recipe(tmp_path, body, "transmission.T", ["lattice.vectors"], wavelength=0.5 / (1 - 1e-4))  # steps are a ten-thousandth of it
    assert run("grad", "a.toml", cwd=tmp_path).returncode == 0
    done = run("grad", "a.toml", "--check", cwd=tmp_path)
    assert done.returncode == 5, done.stdout + done.stderr
    assert "lattice.vectors: moved by 5e-11 (SI) for a difference: sweep: at 500.05 nm" in done.stderr
