"""poynting grad: gradients of recipes against golden numbers, closed forms and differences; what has none is refused by name."""

import json

import h5py
import numpy as np
import pytest
from command import SOURCE, run

GOLDEN = {case["id"].rpartition("/")[2]: case
          for case in json.loads((SOURCE / "bindings/python/tests/gradient.json").read_text(encoding="utf-8"))["cases"]}
UM = 1e-6  # the golden cases have one unit of length; here it is a micrometre


def recipe(folder, particles, objective, *, k0=2.0, lmax=2, polarisation="1", direction="[0, 0, 1]", more=""):
    """A recipe of spheres: particles as TOML tables."""
    text = f"""schema = 1
kind = "scatter"
name = "spheres"
sweep.wavelength = "{2 * np.pi / k0!r} um"
illumination = {{ direction = {direction}, polarisation = {polarisation} }}
{f'numerics.lmax = {lmax}' if lmax else ''}
output.quantities = ["cross_sections"]
plots.kinds = []
particle = [{', '.join(particles)}]
{more}
[objective]
{objective}
"""
    (folder / "a.toml").write_text(text, encoding="utf-8")


def sphere(radius, epsilon, position):
    return (f'{{ shape = "sphere", radius = "{radius!r} um", material = {{ re = {epsilon[0]!r}, im = {epsilon[1]!r} }}, unit = "um", '
            f"positions = [[{', '.join(repr(float(x)) for x in position)}]] }}")


def grad(folder, *more):
    """(value, {key: array}) and the rest of what the command says as JSON."""
    done = run("grad", "a.toml", "--json", *more, cwd=folder)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    return said["value"], {p["key"]: np.array(p["gradient"]).reshape(p["shape"]) for p in said["parts"]}, said


def complexes(values):
    return np.array(values)[..., 0] + 1j * np.array(values)[..., 1]


NAMES = {"sca": "cross_sections.scattering", "ext": "cross_sections.extinction"}


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("number", ["000", "001", "002", "003"])
def test_spheres_against_golden_numbers(tmp_path, number, mode):
    case = GOLDEN[number]
    given, want, bound = case["inputs"], complexes(case["expected"]), case["tol"]["rel"]
    recipe(tmp_path, [sphere(given["radius"], given["epsilon"], (0, 0, 0))],
           f'maximise = "{NAMES[given["kind"]]}"\nwrt = ["particle.0.radius", "particle.0.material"]', k0=given["k0"], lmax=given["lmax"])
    _, gradient, _ = grad(tmp_path, "--mode", mode)
    assert gradient["particle.0.radius"] == pytest.approx(want[1].real * UM, rel=bound)
    got = gradient["particle.0.material"] / UM**2  # d/d re, d/d im
    assert np.abs(got[0] + 1j * got[1] - want[2]) < bound * np.abs(want[2])


@pytest.mark.parametrize("numbers", [("005", "006", "007"), ("009", "010", "011")])
def test_clusters_against_golden_numbers(tmp_path, numbers):
    given = GOLDEN[numbers[0]]["inputs"]
    n = len(given["radii"])
    keys = [f"particle.{i}.{what}" for what in ("radius", "material", "positions") for i in range(n)]
    recipe(tmp_path, [sphere(*x) for x in zip(given["radii"], given["epsilon"], given["positions"])],
           f'minimise = "{NAMES[given["kind"]]}"\nwrt = {json.dumps(keys)}', k0=given["k0"], lmax=given["lmax"],
           polarisation=str(2 * given["pol"] - 1), direction=json.dumps(given["direction"]))
    _, gradient, said = grad(tmp_path, "--check")
    assert said["check"]["passed"] and said["sense"] == "minimise"
    radii, epsilon, positions = (GOLDEN[i]["expected"] for i in numbers)
    got = [gradient[f"particle.{i}.radius"] for i in range(n)]
    assert np.allclose(got, np.array(radii) * UM, rtol=0, atol=1e-10 * np.abs(radii).max() * UM)
    got = np.array([gradient[f"particle.{i}.material"] for i in range(n)]) / UM**2
    assert np.allclose(complexes(got), complexes(epsilon), rtol=0, atol=1e-10 * np.abs(complexes(epsilon)).max())
    got = np.array([gradient[f"particle.{i}.positions"][0] for i in range(n)]) / UM
    assert np.allclose(got, positions, rtol=0, atol=1e-10 * np.abs(positions).max())


SHELL = '{ shape = "core_shell", radii = ["0.12 um", "0.2 um"], materials = [{ n = 1.5, k = 0.02 }, { n = 2.1, k = 0.0, mu = 1.1 }], unit = "um", positions = [[0, 0, 0], [0.6, 0.1, 0]] }'
PLAIN = '{ shape = "sphere", radius = "0.15 um", material = "glass", unit = "um", positions = [[0, 0.5, 0.3]] }'
MIXED = '"particle.0.radii", "particle.0.materials", "particle.0.positions", "particle.1.radius", "particle.1.material", "particle.1.positions"'


@pytest.mark.parametrize("quantity", ["scattering", "extinction", "absorption"])
@pytest.mark.parametrize("polarisation", ['"x"', '"left"'])
def test_layers_copies_and_polarisations_pass_the_check(tmp_path, quantity, polarisation):
    """Bodies of different layers in one cluster; copies share radii and materials; differences are those of plain runs."""
    recipe(tmp_path, [SHELL, PLAIN], f'maximise = "cross_sections.{quantity}"\nat = "2.1 um"\nwrt = [{MIXED}]', polarisation=polarisation,
           more="materials.glass = { n = 1.7, k = 0.1 }", lmax=3)
    value, gradient, said = grad(tmp_path, "--check")
    assert said["check"]["passed"] and said["check"]["adjoint"] < 1e-12 and said["check"]["difference"] < 1e-7
    assert {k: v.shape for k, v in gradient.items()} == {
        "particle.0.radii": (2,), "particle.0.materials": (2, 2), "particle.0.positions": (2, 3), "particle.1.radius": (),
        "particle.1.material": (2,), "particle.1.positions": (1, 3)}
    total = gradient["particle.0.positions"].sum(0) + gradient["particle.1.positions"].sum(0)
    assert np.abs(total).max() < 1e-9 * np.abs(gradient["particle.0.positions"]).max()  # moving all together changes nothing
    # the scaled value is what a run stores
    assert run("run", "a.toml", "-s", "sweep.wavelength=2.1 um", "-o", "x.h5", cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "x.h5") as f:
        assert value == pytest.approx(float(f[f"cross_sections/{quantity}"][0]), rel=1e-9)
    text = [line.split()[0] for line in run("grad", "a.toml", cwd=tmp_path).stdout.splitlines()]
    assert text[0] == f"cross_sections.{quantity}" and "particle.0.positions.1" in text and "particle.1.radius" in text


def test_all_lengths_scaled_scale_the_cross_section(tmp_path):
    """Euler's theorem: sizes, positions and wavelength together are homogeneous of degree 2, without dispersion."""
    recipe(tmp_path, [SHELL, PLAIN], 'maximise = "cross_sections.absorption"\nat = "2.1 um"\nwrt = ["particle.0.radii", "particle.0.positions", "particle.1.radius", "particle.1.positions", "sweep.wavelength"]',
           more="materials.glass = { n = 1.7, k = 0.1 }", lmax=3)
    value, g, _ = grad(tmp_path)
    along = (g["particle.0.radii"] @ [0.12, 0.2] + (g["particle.0.positions"] * [[0, 0, 0], [0.6, 0.1, 0]]).sum() + g["particle.1.radius"] * 0.15
             + (g["particle.1.positions"] * [[0, 0.5, 0.3]]).sum() + g["sweep.wavelength"] * 2.1) * UM
    assert along == pytest.approx(2 * value, rel=1e-11)


@pytest.mark.parametrize("material", ['"Au:Johnson"', '"SiO2"'])
def test_wavelength_with_dispersion_passes_the_check(tmp_path, material):
    recipe(tmp_path, [f'{{ shape = "sphere", radius = "0.1 um", material = {material} }}'],
           'maximise = "cross_sections.extinction"\nat = "651 nm"\nwrt = ["sweep.wavelength"]', k0=2 * np.pi / 0.651, more='medium.material = "water"')
    _, _, said = grad(tmp_path, "--check")
    assert said["check"]["passed"], said["check"]


@pytest.mark.parametrize("material", ["{ re = 3.7, im = 0.0, kappa = 0.2 }", "{ n = 1.9, k = 0.0 }"])
def test_lossless_spheres_pass_the_check(tmp_path, material):
    """Below an imaginary part of 0 the roots of a handed medium turn: differences stay above."""
    keys = ["particle.0.radius", "sweep.wavelength"] + ["particle.0.material"]
    recipe(tmp_path, [f'{{ shape = "sphere", radius = "0.2 um", material = {material} }}'], f'maximise = "cross_sections.extinction"\nwrt = {json.dumps(keys)}', lmax=4)
    _, _, said = grad(tmp_path, "--check")
    assert said["check"]["passed"] and said["check"]["difference"] < 1e-8, said["check"]


def test_lossless_spheres_absorb_nothing_and_pass_the_check(tmp_path):
    """Absorption, the rounding of a difference, has derivatives that cannot be held to themselves."""
    recipe(tmp_path, ['{ shape = "sphere", radius = "75 nm", material = { re = 4.0 }, unit = "nm", positions = [[0.0, 0.0, 0.0], [200.0, 0.0, 30.0]] }'],
           'maximise = "cross_sections.absorption"\nat = "500 nm"\nwrt = ["particle.0.radius", "particle.0.positions"]', lmax=3)
    value, gradient, said = grad(tmp_path, "--check")
    assert said["check"]["passed"], said["check"]
    assert abs(value) < 1e-28 and abs(gradient["particle.0.radius"]) < 1e-20


def test_narrow_resonances_pass_the_check(tmp_path):
    """Whispering galleries of a large sphere are narrower than a thousandth of its radius: finer differences follow them."""
    recipe(tmp_path, ['{ shape = "sphere", radius = "1.01 um", material = { n = 4.0, k = 0.0 } }'],
           'maximise = "cross_sections.scattering"\nat = "1 um"\nwrt = ["particle.0.radius", "particle.0.material"]', lmax=None)
    _, _, said = grad(tmp_path, "--check")
    assert said["check"]["passed"]


def test_a_band_is_the_mean_of_its_points(tmp_path):
    objective = 'maximise = "cross_sections.extinction"\nwrt = ["particle.0.radius"]\n'
    recipe(tmp_path, [sphere(0.2, (4.0, 0.1), (0, 0, 0))], objective + 'band = "900 nm:1.2 um"')
    sweep = ("-s", 'sweep.wavelength=["0.8 um", "0.9 um", "1 um", "1.2 um", "1.3 um"]')
    value, gradient, _ = grad(tmp_path, *sweep)
    recipe(tmp_path, [sphere(0.2, (4.0, 0.1), (0, 0, 0))], objective)
    single = [grad(tmp_path, *sweep, "-s", f'objective.at="{w} um"') for w in (0.9, 1.0, 1.2)]
    assert value == pytest.approx(np.mean([s[0] for s in single]), rel=1e-12)
    assert gradient["particle.0.radius"] == pytest.approx(np.mean([s[1]["particle.0.radius"] for s in single]), rel=1e-12)


def test_run_grad_puts_it_into_the_file(tmp_path):
    recipe(tmp_path, [SHELL], 'maximise = "cross_sections.scattering"\nwrt = ["particle.0.radii", "particle.0.positions"]')
    done = run("run", "a.toml", "--grad", "-o", "x.h5", cwd=tmp_path)
    assert done.returncode == 0 and "x.h5: gradient of the objective" in done.stdout, done.stderr
    value, gradient, _ = grad(tmp_path)
    with h5py.File(tmp_path / "x.h5") as f:
        assert f.attrs["complete"] == 1 and f["gradient/value"][()] == value
        assert np.array_equal(f["gradient/particle.0.radii"], gradient["particle.0.radii"])
        assert f["gradient/particle.0.positions"].shape == (2, 3) and f["gradient/particle.0.radii"].attrs["units"] == "m"
    assert run("info", "x.h5", cwd=tmp_path).returncode == 0


def test_gradient_leads_up(tmp_path):
    """A step along the gradient raises the value by what it promises, to second order."""
    recipe(tmp_path, [SHELL, PLAIN], 'maximise = "cross_sections.scattering"\nwrt = ["particle.1.radius"]', more="materials.glass = { n = 1.7, k = 0.1 }")
    value, gradient, _ = grad(tmp_path)
    slope = float(gradient["particle.1.radius"])
    changed = [grad(tmp_path, "-s", f"particle.1.radius={0.15 + h!r} um")[0] for h in (1e-4, 2e-4)]
    errors = [abs(v - value - slope * h * UM) for v, h in zip(changed, (1e-4, 2e-4))]
    assert 3.5 < errors[1] / errors[0] < 4.5


WRONG = [
    ('maximise = "cross_sections.scattering"\nwrt = ["numerics.tol"]', "numerics.tol has no derivative: radius, radii", 3),
    ('maximise = "cross_sections.scattering"\nwrt = ["particle.0.radius", "particle.0.radius"]', "particle.0.radius stands twice", 3),
    ('maximise = "cross_sections.scattering"\nwrt = ["particle.3.radius"]', "particle.3.radius: there are 1 particles", 3),
    ('maximise = "cross_sections.scattering"\nwrt = ["particle.0.radii"]', "particle.0.radii: the recipe has no such value", 3),
    ('maximise = "far_field.forward"\nwrt = ["particle.0.radius"]', "far_field.forward of particles has no derivative: use cross_sections.scattering", 3),
    ('maximise = "cross_sections.scattering"', "objective.wrt: missing: name keys", 3),
    ('maximise = "cross_sections.scattering"\nat = "1 um"\nband = "1 um:2 um"\nwrt = ["particle.0.radius"]', "keep one of them", 3),
    ('maximise = "cross_sections.scattering"\nband = "1 nm:2 nm"\nwrt = ["particle.0.radius"]', "no wavelength of the sweep is in it", 3),
]


@pytest.mark.parametrize(("objective", "message", "code"), WRONG)
def test_what_has_no_gradient_is_refused_by_name(tmp_path, objective, message, code):
    recipe(tmp_path, [sphere(0.2, (4.0, 0.0), (0, 0, 0))], objective)
    done = run("grad", "a.toml", cwd=tmp_path)
    assert done.returncode == code and message in done.stderr and not done.stdout, done.stderr
    done = run("check", "a.toml", cwd=tmp_path)
    assert done.returncode == code and message in done.stderr and "a.toml:" in done.stderr, done.stderr


@pytest.mark.parametrize(("name", "settings", "message", "code"), [
    ("supercontinuum", ['objective.maximise="stats.energy"', 'objective.wrt=["pulse.0.energy"]'],
     "supercontinuum: a pulse has no gradient yet: the rows propagators, drive, response, accept of its program", 4),
    ("metasurface", ['objective.at="650 nm"', 'objective.maximise="cross_sections.scattering"', 'objective.wrt=["particle.0.radii"]'], "of an array or a stack has no derivative: use transmission.T", 3),
    ("chain", ['objective.maximise="cross_sections.scattering"', 'objective.wrt=["particle.0.radius"]'], "chains have no gradient", 4),
    ("cluster", ['illumination.polarisation=["left", "right"]'], "has one direction and one polarisation, here are 2: choose one", 4),
    ("cluster", ['objective.wrt=["particle.0.material"]'], '"Au:Johnson" is a table of data', 3),
    ("metasurface", [], "has no [objective]: write", 3),
    ("soliton", [], "a pulse has no gradient yet", 4)])
def test_examples_without_a_gradient(tmp_path, name, settings, message, code):
    options = [x for s in settings for x in ("-s", s)]
    done = run("grad", SOURCE / f"examples/{name}.toml", *options, cwd=tmp_path)
    assert done.returncode == code and message in done.stderr, done.stderr


def test_example_of_the_cluster(tmp_path):
    """Three equal spheres on (nearly) an equilateral triangle: the gradient by positions sums up to nothing; the check passes."""
    done = run("grad", SOURCE / "examples/cluster.toml", "--json", "--check", "-s", "numerics.lmax=5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    parts = {p["key"]: np.array(p["gradient"]).reshape(p["shape"]) for p in said["parts"]}
    assert said["check"]["passed"] and parts["particle.0.positions"].shape == (3, 3) and parts["particle.0.radius"].shape == ()
    assert np.abs(parts["particle.0.positions"].sum(0)).max() < 1e-9 * np.abs(parts["particle.0.positions"]).max()


def test_a_budget_holds(tmp_path):
    done = run("grad", SOURCE / "examples/cluster.toml", "-s", "numerics.lmax=4", "--memory", "1KiB", cwd=tmp_path)
    assert done.returncode == 4 and "of the budget of 1024" in done.stderr


@pytest.mark.parametrize(("name", "code"), [("soliton", 4), ("metasurface", 3)])
def test_run_grad_refuses_before_the_run(tmp_path, name, code):
    done = run("run", SOURCE / f"examples/{name}.toml", "--grad", "-o", "x.h5", cwd=tmp_path)
    assert done.returncode == code and not (tmp_path / "x.h5").exists(), done.stderr
