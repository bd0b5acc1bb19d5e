"""Objectives of recipes: value and gradient by keys, against golden numbers and against the same cluster in NumPy."""
import json
import math
import pathlib

import numpy as np
import pytest

import poynting as po

CASES = {c["id"].rpartition("/")[2]: c for c in json.loads((pathlib.Path(__file__).parent / "gradient.json").read_text(encoding="utf-8"))["cases"]}


def cluster(given):
    """The recipe of a golden cluster, a micrometre as its unit of length."""
    particles = ", ".join(
        f'{{ shape = "sphere", radius = "{r!r} um", material = {{ re = {e[0]!r}, im = {e[1]!r} }}, unit = "um", positions = [[{", ".join(repr(float(x)) for x in p)}]] }}'
        for r, e, p in zip(given["radii"], given["epsilon"], given["positions"]))
    return po.Recipe.parse(f"""schema = 1
kind = "scatter"
name = "spheres"
sweep.wavelength = "{2 * math.pi / given['k0']!r} um"
illumination = {{ direction = {json.dumps(given['direction'])}, polarisation = {2 * given['pol'] - 1} }}
numerics.lmax = {given['lmax']}
output.quantities = ["cross_sections"]
particle = [{particles}]
""")


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize(("numbers", "quantity"), [(("005", "007"), "scattering"), (("009", "011"), "extinction")])
def test_golden_clusters(numbers, quantity, mode):
    given, n = CASES[numbers[0]]["inputs"], len(CASES[numbers[0]]["inputs"]["radii"])
    wrt = [f"particle.{i}.{what}" for what in ("radius", "positions") for i in range(n)]
    value, gradient = po.value_and_grad(po.objective(f"cross_sections.{quantity}"), wrt=wrt, mode=mode)(cluster(given))
    assert value > 0 and list(gradient) == wrt
    got = np.array([gradient[f"particle.{i}.radius"] for i in range(n)]) / 1e-6
    assert np.allclose(got, CASES[numbers[0]]["expected"], rtol=0, atol=1e-10 * np.abs(CASES[numbers[0]]["expected"]).max())
    got = np.array([gradient[f"particle.{i}.positions"][0] for i in range(n)]) / 1e-6
    assert np.allclose(got, CASES[numbers[1]]["expected"], rtol=0, atol=1e-10 * np.abs(CASES[numbers[1]]["expected"]).max())


def test_the_recipe_s_own_objective_and_its_check():
    recipe = cluster(CASES["005"]["inputs"]).set("objective.minimise", '"cross_sections.extinction"').set("objective.wrt", ["particle.0.material"])
    value, gradient = po.value_and_grad()(recipe)
    assert gradient["particle.0.material"].shape == (2,)
    told = po.check_grad(recipe)
    assert told["passed"] and told["adjoint"] < 1e-11 and told["difference"] < 1e-6 and told["worst"] == "particle.0.material"
    other, _ = po.value_and_grad(po.objective("cross_sections.scattering"), ["particle.1.radius"])(recipe)
    assert other < value and recipe.get("objective.wrt") == '["particle.0.material"]'  # the caller's recipe is as it was


def test_ascent_with_floats_in_si():
    """Ten steps along the gradient, positions and radius as plain numbers, raise the value."""
    recipe = cluster(CASES["005"]["inputs"])
    f = po.value_and_grad(po.objective("cross_sections.scattering"), wrt=["particle.0.radius"])
    radius, values = 0.2e-6, []
    for _ in range(10):
        value, gradient = f(recipe.set("particle.0.radius", radius))
        values.append(value)
        radius += 1e-9 * float(np.sign(gradient["particle.0.radius"]))
    assert np.all(np.diff(values) > 0)


def test_refusals():
    recipe = cluster(CASES["005"]["inputs"])
    with pytest.raises(po.NotDifferentiableError, match="numerics.tol has no derivative"):
        po.value_and_grad(po.objective("cross_sections.scattering"), ["numerics.tol"])(recipe)
    with pytest.raises(po.NotDifferentiableError) as caught:
        po.value_and_grad(po.objective("cross_sections.scattering"), ["particle.0.positions", "numerics.tol"])(recipe)
    assert caught.value.key == "objective.wrt" and caught.value.code == "NOT_DIFFERENTIABLE" and caught.value.hint.startswith("radius, radii")
    with pytest.raises(po.ArgumentError, match="far_field of particles has no derivative"):
        po.value_and_grad(po.objective("far_field"), ["particle.0.radius"])(recipe)
    with pytest.raises(po.ArgumentError, match=r"has no \[objective\]"):
        po.value_and_grad()(recipe)
    with pytest.raises(ValueError, match="come together"):
        po.value_and_grad(po.objective("cross_sections.scattering"))
    with pytest.raises(ValueError, match="not reverse or forward"):
        po.value_and_grad(mode="both")
