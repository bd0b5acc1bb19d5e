"""Gradients of published cases (mpmath differences of 50 digits) through every framework, by objects as users make them."""
import json
import pathlib

import numpy as np
import pytest

import poynting as po

CASES = json.loads((pathlib.Path(__file__).parent / "gradient.json").read_text())["cases"]


def number(pair):
    return complex(*pair) if isinstance(pair, list) else pair


def power(kind, x):
    return x.scattering if kind == "sca" else x.extinction


def check(case, got):
    is_complex = case["inputs"].get("wrt", "all of a sphere") in ("epsilon", "all of a sphere")
    want = np.asarray([number(v) for v in case["expected"]] if is_complex else case["expected"])
    got = np.asarray(got)
    assert got.shape == want.shape
    assert np.max(np.abs(got - want)) <= case["tol"]["rel"] * np.max(np.abs(want))


@pytest.mark.parametrize("case", [c for c in CASES if c["op"] == "grad_sphere_xs"], ids=lambda c: c["id"][-3:])
def test_sphere(framework, case):
    i = case["inputs"]

    def f(k0, radius, epsilon):
        sphere = po.sphere_tmatrix(k0=k0, lmax=i["lmax"], radius=radius, material=epsilon)
        return power(i["kind"], sphere.cross_sections(po.plane_wave([0, 0, 1], "positive_helicity", k0=k0)))

    _, gradients = framework.value_and_grad(f, np.array(i["k0"]), np.array(i["radius"]), np.array(number(i["epsilon"])))
    check(case, [complex(g) for g in gradients])


@pytest.mark.parametrize("case", [c for c in CASES if c["op"] == "grad_cluster_xs"], ids=lambda c: c["id"][-3:])
def test_cluster(framework, case):
    i = case["inputs"]
    values = {"k0": np.array(i["k0"]), "radii": np.array(i["radii"]), "positions": np.array(i["positions"], float),
              "epsilon": np.array([number(e) for e in i["epsilon"]])}

    def f(x):
        v = {**values, i["wrt"]: x}
        spheres = [po.sphere_tmatrix(k0=v["k0"], lmax=i["lmax"], radius=v["radii"][n], material=v["epsilon"][n])
                   for n in range(len(i["radii"]))]
        wave = po.plane_wave(i["direction"], i["pol"], k0=v["k0"])
        return power(i["kind"], po.Cluster(spheres, positions=v["positions"]).solve().cross_sections(wave))

    _, (gradient,) = framework.value_and_grad(f, values[i["wrt"]])
    check(case, gradient)
