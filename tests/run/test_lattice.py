"""Lattices as a user meets them: gratings of cylinders, chains, crystals, fields of arrays and stacks: against other programs, closed
forms and limits, and what they refuse."""

import numpy as np
import pytest
from scattering import done, result

# ---- gratings ----

GRATING = """
[lattice]
vectors = [[420.0]]
unit = "nm"
[[particle]]
shape = "cylinder"
radius = "90 nm"
material = { n = 3.2, k = 0.02 }
[[particle]]
shape = "cylinder"
radius = "60 nm"
material = { n = 2.0, k = 0.0 }
unit = "nm"
positions = [[200.0, 40.0, 0.0]]
[sweep]
wavelength = "620 nm"
"""


def test_grating(tmp_path):
    """T and R of both helicities by treams-rs 0.2.2, of light that goes along y, aslant to the cylinders and to the period."""
    f = result(tmp_path, GRATING + '[illumination]\nangles = { theta = "70 deg", phi = "65 deg" }\npolarisation = "left"\n'
               '[numerics]\nmmax = 6\norders_kmax = "35 rad/um"\n[output]\nquantities = ["transmission", "cd", "orders"]\n')
    t, r, a = (f[f"transmission/{name}"][0] for name in "TRA")
    assert t == pytest.approx([0.4225989254342447, 0.5501386396321326], abs=1e-12)
    assert r == pytest.approx([0.5219298613746447, 0.33964828453722296], abs=1e-12)
    assert abs(t + r + a - 1).max() < 1e-13
    assert (f["transmission/orders"][:, 1] == 0).all() and len(f["transmission/orders"]) == 5
    assert f["cd/transmission"][0] == pytest.approx((t[1] - t[0]) / (t[1] + t[0]), abs=1e-13)


def test_lossless_grating_on_a_film(tmp_path):
    """T + R = 1 at several angles in one run, with two propagating orders; at one of them as in a run of its own."""
    text = GRATING.replace("k = 0.02", "k = 0.0").replace("[[420.0]]", "[[700.0, 0.0, 0.0]]") + (
        '[stack]\nlayers = [{ material = "vacuum" }, { array = true, medium = "vacuum", above = "150 nm", below = "120 nm" }, '
        '{ material = { n = 1.8, k = 0.0 }, thickness = "90 nm" }, { material = { n = 1.45, k = 0.0 } }]\n'
        '[numerics]\nmmax = 5\n[output]\nquantities = ["transmission"]\n[illumination]\npolarisation = "s"\n')
    f = result(tmp_path, text + 'angles = { theta = "90 deg", phi = { start = "90 deg", stop = "60 deg", num = 3 } }\n')
    assert f["transmission/T"].shape == (1, 3, 2)
    assert abs(f["transmission/T"][:] + f["transmission/R"][:] - 1).max() < 1e-9  # what decays by less than tol is left out
    one = result(tmp_path, text + 'angles = { theta = "90 deg", phi = "75 deg" }\n')
    assert f["transmission/T"][0, 1] == pytest.approx(one["transmission/T"][0], abs=1e-9)


# ---- chains ----

CHAIN = """
[lattice]
vectors = [[0.0, 0.0, 300.0]]
unit = "nm"
[[particle]]
shape = "sphere"
radius = "100 nm"
material = { n = 3.5, k = 0.05 }
[sweep]
wavelength = "700 nm"
[numerics]
lmax = 4
"""


def test_chain(tmp_path):
    """Widths by treams-rs 0.2.2: the chain as one scatterer of cylindrical waves, of all propagating orders."""
    f = result(tmp_path, CHAIN + '[illumination]\nangles = { theta = "60 deg", phi = "20 deg" }\npolarisation = ["left", "right"]\n'
               '[output]\nquantities = ["cross_sections"]\n')
    assert f["cross_sections/extinction"].attrs["units"] == "m"
    assert f["cross_sections/extinction"][0] * 1e9 == pytest.approx([592.4365505899501, 592.4365505899499], rel=1e-11)
    assert f["cross_sections/scattering"][0] * 1e9 == pytest.approx([487.7201824962423, 487.72018249624216], rel=1e-11)


def test_chain_far_apart(tmp_path):
    """Spheres many wavelengths apart scatter as alone but for what the few others send, which falls as 1 / distance."""
    wanted = '[illumination]\ndirection = [1, 0, 0]\npolarisation = "p"\n[output]\nquantities = ["cross_sections"]\n'
    alone = result(tmp_path, CHAIN.replace('[lattice]\nvectors = [[0.0, 0.0, 300.0]]\nunit = "nm"\n', "") + wanted)
    apart = result(tmp_path, CHAIN.replace("300.0", "150123.0") + wanted)
    per_sphere = apart["cross_sections/extinction"][0] * 150123e-9
    assert per_sphere == pytest.approx(alone["cross_sections/extinction"][0], rel=5e-3)


def test_guided_waves_of_a_chain(tmp_path):
    """They lie beyond the light line, where nothing radiates: there the smallest singular value falls by orders of magnitude, within
    it does not."""
    f = result(tmp_path, CHAIN.replace("k = 0.05", "k = 0.0").replace('wavelength = "700 nm"',
               'photon_energy = { start = "1.3 eV", stop = "1.7 eV", num = 81 }').replace('[[particle]]', 'path = [[0.0], [0.5]]\npath_points = 26\n[[particle]]') +
               '[output]\nquantities = ["bands"]\n')
    resonance, k0, kz = f["bands/resonance"][:], f["sweep/k0"][:], f["bands/path"][:, 0]
    assert resonance.shape == (81, 26) and kz[-1] == pytest.approx(np.pi / 300e-9)
    beyond = kz[None, :] > 1.02 * k0[:, None]
    within = kz[None, :] < 0.9 * k0[:, None]
    assert resonance[beyond].min() < 0.01 < 0.1 < resonance[within].min()
    # one of the bands: rising from the light line to the edge of the zone, where its slope ends
    lowest = np.array([k0[np.argmin(np.where(beyond[:, i], resonance[:, i], 1))] for i in range(22, 26)])
    assert (np.diff(lowest) >= 0).all() and (lowest < kz[22:]).all()


def test_thresholds_of_a_chain(tmp_path):
    """Widths where an order grazes the chain, and Bloch vectors of its light line, are NaN; all else is there."""
    f = result(tmp_path, CHAIN.replace("300.0", "700.0").replace('"700 nm"', '["700 nm", "1400 nm"]').replace(
        "[[particle]]", "path = [[0.0], [0.5]]\npath_points = 5\n[[particle]]").replace("lmax = 4", "lmax = 2") +
        '[illumination]\ndirection = [1, 0, 0]\npolarisation = "s"\n'
        '[output]\nquantities = ["cross_sections", "bands", { name = "near_field", pixels = 4, wavelengths = ["700 nm"] }]\n')
    assert np.isnan(f["cross_sections/extinction"][:]).tolist() == [True, False]
    assert np.isnan(f["bands/resonance"][:]).tolist() == [[True, False, False, False, False], [False, False, False, False, True]]
    assert f["sweep/gaps"][:].tolist() == [2, 1] and np.isnan(f["near_field/E"][:]).all()
    assert "first of 2" in f["provenance/warnings"].asstr()[0] and "Bloch vector 5 of 5" in f["provenance/warnings"].asstr()[1]


# ---- crystals ----


def test_crystal(tmp_path):
    """Long waves in a cubic lattice of spheres: Rayleigh's permittivity of 1892, to the order of its last term."""
    n, a, radius = 2.0, 100.0, 30.0
    share = 4 / 3 * np.pi * radius**3 / a**3
    e = n * n
    mixture = 1 + 3 * share / ((e + 2) / (e - 1) - share - 1.305 * share ** (10 / 3) * (e - 1) / (e + 4 / 3))
    k = 0.05 * 2 * np.pi / (a * 1e-9)
    wavelength = float(2 * np.pi * np.sqrt(mixture) / k)
    f = result(tmp_path, f'[lattice]\nvectors = [[{a}, 0.0, 0.0], [0.0, {a}, 0.0], [0.0, 0.0, {a}]]\nunit = "nm"\nbloch = ["0 rad/m", "0 rad/m", "{k!r} rad/m"]\n'
               f'[[particle]]\nshape = "sphere"\nradius = "{radius} nm"\nmaterial = {{ n = {n}, k = 0.0 }}\n'
               f'[sweep]\nwavelength = {{ start = "{wavelength * 0.98!r} m", stop = "{wavelength * 1.02!r} m", num = 81 }}\n'
               '[numerics]\nlmax = 3\n[output]\nquantities = ["bands"]\n')
    at = 2 * np.pi / f["sweep/k0"][np.argmin(f["bands/resonance"][:, 0])]
    assert at == pytest.approx(wavelength, rel=3e-3)  # terms of (k a)^2 = 0.1 times the contrast, and the step of the sweep


def test_crystal_of_cylinders(tmp_path):
    """Long waves across a square lattice of thin rods: the permittivity of the mean along them, in one of two polarisations."""
    a, radius, n = 100.0, 20.0, 1.5
    mixture = 1 + np.pi * radius**2 / a**2 * (n * n - 1)
    k = 0.04 * 2 * np.pi / (a * 1e-9)
    wavelength = float(2 * np.pi * np.sqrt(mixture) / k)
    f = result(tmp_path, f'[lattice]\nvectors = [[{a}, 0.0], [0.0, {a}]]\nunit = "nm"\nbloch = ["{k!r} rad/m", "0 rad/m"]\n'
               f'[[particle]]\nshape = "cylinder"\nradius = "{radius} nm"\nmaterial = {{ n = {n}, k = 0.0 }}\n'
               f'[sweep]\nwavelength = {{ start = "{wavelength * 0.99!r} m", stop = "{wavelength * 1.01!r} m", num = 81 }}\n'
               '[numerics]\nmmax = 3\n[output]\nquantities = ["bands"]\n')
    at = 2 * np.pi / f["sweep/k0"][np.argmin(f["bands/resonance"][:, 0])]
    assert at == pytest.approx(wavelength, rel=2e-3)


# ---- fields ----


def airy_field(n, thickness, k0, z):
    """E_x along z of light of 1 V/m from below on one layer at 0 .. thickness: waves in all three parts."""
    kz = k0 * np.array(n)
    r = [(kz[i] - kz[i + 1]) / (kz[i] + kz[i + 1]) for i in (0, 1)]
    phase = np.exp(1j * kz[1] * thickness)
    up = (1 + r[0]) / (1 + r[0] * r[1] * phase**2)
    down = up * r[1] * phase**2
    reflected = (r[0] + r[1] * phase**2) / (1 + r[0] * r[1] * phase**2)
    through = up * phase * (1 + r[1])
    below = np.exp(1j * kz[0] * z) + reflected * np.exp(-1j * kz[0] * z)
    within = up * np.exp(1j * kz[1] * z) + down * np.exp(-1j * kz[1] * z)
    above = through * np.exp(1j * kz[2] * (z - thickness))
    return np.where(z < 0, below, np.where(z < thickness, within, above))


def test_field_of_a_layer(tmp_path):
    f = result(tmp_path, '[stack]\nlayers = [{ material = "vacuum" }, { material = { n = 2.0, k = 0.1 }, thickness = "130 nm" }, '
               '{ material = { n = 1.5, k = 0.0 } }]\n[sweep]\nwavelength = ["500 nm", "700 nm"]\n'
               '[output]\nquantities = [{ name = "near_field", plane = "y = 0 nm", size = "600 nm", pixels = 24 }]\n')
    z = f["near_field/z"][:]
    for i, k0 in enumerate(f["near_field/k0"][:]):
        want = airy_field([1.0, 2.0 + 0.1j, 1.5], 130e-9, k0, z)
        assert abs(f["near_field/E"][i, :, :, 0] - want[:, None]).max() < 1e-12
        # Z_0 H_y = dE_x / dz / (i k0)
        h = 1e-12
        slope = (airy_field([1.0, 2.0 + 0.1j, 1.5], 130e-9, k0, z + h) - airy_field([1.0, 2.0 + 0.1j, 1.5], 130e-9, k0, z - h)) / (2 * h)
        assert abs(f["near_field/H"][i, :, :, 1] - (slope / (1j * k0))[:, None]).max() < 1e-3


ARRAY = """
[stack]
layers = [
  { material = { n = 1.2, k = 0.0 } },
  { array = true, medium = { n = 1.1, k = 0.0 }, above = "180 nm", below = "160 nm" },
  { material = { n = 2.0, k = 0.01 }, thickness = "150 nm" },
  { material = { n = 1.5, k = 0.0 } },
]
[lattice]
vectors = [[320.0, 30.0], [60.0, 340.0]]
unit = "nm"
[[particle]]
shape = "core_shell"
radii = ["60 nm", "85 nm"]
materials = [{ n = 1.5, k = 0.0 }, { re = 6.0, im = 0.1, kappa = 0.2 }]
[sweep]
wavelength = "620 nm"
[illumination]
angles = { theta = "20 deg", phi = "35 deg" }
polarisation = "right"
[numerics]
lmax = 6
orders_kmax = "90 rad/um"
"""


def plane(folder, text, axis, at, pixels=5, size=300):
    f = result(folder, text + f'[output]\nquantities = ["orders", {{ name = "near_field", plane = "{axis} = {at!r} nm", size = "{size} nm", '
               f"pixels = {pixels} }}]\n")
    return f, f["near_field/E"][0], f["near_field/H"][0]


def test_field_of_an_array(tmp_path):
    """Tangential fields are continuous where the particles' medium ends, where their own sum over images meets plane waves; and across a
    particle's surface; far above the field is that of the orders."""
    for height in (-160.0, 180.0, 330.0):
        _, e1, h1 = plane(tmp_path, ARRAY, "z", height - 1e-6)
        _, e2, h2 = plane(tmp_path, ARRAY, "z", height + 1e-6)
        for a, b in ((e1, e2), (h1, h2)):
            assert abs(a[..., :2] - b[..., :2]).max() < 1e-4 * abs(a).max()  # orders up to 90 rad/um
    # the plane touches the particle at its top, where E_x, E_y are tangential
    _, inside, _ = plane(tmp_path, ARRAY, "z", 85.0 - 1e-6, 3, 1e-3)
    _, outside, _ = plane(tmp_path, ARRAY, "z", 85.0 + 1e-6, 3, 1e-3)
    assert abs(inside[1, 1, :2] - outside[1, 1, :2]).max() < 2e-3 * abs(outside[1, 1]).max()  # degrees up to 6
    f, e, _ = plane(tmp_path, ARRAY, "z", 2000.0)
    kpar, k0 = f["sweep/kpar"][0], f["sweep/k0"][0]
    k = np.array([*kpar, np.sqrt((1.5 * k0) ** 2 - kpar @ kpar)])
    up = f["orders/transmitted"][0, 0]
    theta = np.cross(np.cross(k, [0, 0, 1]), k)
    theta = -theta / np.linalg.norm(theta)
    theta *= np.sign(theta @ np.array([k[0] * k[2], k[1] * k[2], -(k[0] ** 2 + k[1] ** 2)]))
    phi = np.cross(k / np.linalg.norm(k), theta)
    # A_s = (N + s M) / sqrt 2, N = -theta, M = -i phi
    amplitude = sum(up[1 - p] * (-theta - (2 * p - 1) * 1j * phi) / np.sqrt(2) for p in (0, 1))
    x, y = f["near_field/x"][:], f["near_field/y"][:]
    phase = np.exp(1j * (k[0] * x[None, :] + k[1] * y[:, None] + k[2] * (2000e-9 - 330e-9)))
    assert abs(e - phase[..., None] * amplitude).max() < 1e-5


def test_field_without_contrast(tmp_path):
    """Arrays, gratings and chains of nothing leave the plane wave as it is, within particles too."""
    light = '[illumination]\nangles = {{ theta = "{}", phi = "{}" }}\npolarisation = "p"\n'
    for body, vectors, theta, phi in (("sphere", "[[300.0, 0.0], [40.0, 320.0]]", "20 deg", "35 deg"),
                                      ("sphere", "[[0.0, 0.0, 300.0]]", "70 deg", "35 deg"),
                                      ("cylinder", "[[300.0]]", "80 deg", "70 deg")):
        f = result(tmp_path, f'[medium]\nmaterial = {{ n = 1.3 }}\n[lattice]\nvectors = {vectors}\nunit = "nm"\n'
                   f'[[particle]]\nshape = "{body}"\nradius = "90 nm"\nmaterial = {{ n = 1.3 }}\n[sweep]\nwavelength = "600 nm"\n'
                   + light.format(theta, phi) + '[numerics]\nlmax = 8\nmmax = 8\n'
                   '[output]\nquantities = [{ name = "near_field", plane = "y = 10 nm", size = "700 nm", pixels = 8 }]\n')
        t, p = np.radians(float(theta[:2])), np.radians(float(phi[:2]))
        k = 1.3 * f["near_field/k0"][0] * np.array([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)])
        e = np.array([np.cos(t) * np.cos(p), np.cos(t) * np.sin(p), -np.sin(t)])
        x, z = f["near_field/x"][:], f["near_field/z"][:]
        phase = np.exp(1j * (k[0] * x[None, :] + k[1] * 10e-9 + k[2] * z[:, None]))
        # degrees up to 8 inside of a particle of k r = 1.2: 1.2^9 / 19!! and some more
        assert abs(f["near_field/E"][0] - phase[..., None] * e).max() < 1e-6, body


def test_degrees_and_threads(tmp_path):
    """Raised until they stand still; the same bits for every number of threads."""
    text = CHAIN.replace("[numerics]\nlmax = 4\n", "[numerics]\ntol = 1e-7\n").replace('"700 nm"', '["650 nm", "700 nm", "750 nm"]') + (
        '[illumination]\ndirection = [1, 0, 0]\npolarisation = "s"\n[output]\nquantities = ["cross_sections", { name = "near_field", pixels = 5, wavelengths = '
        '["700 nm"] }]\n')
    f = result(tmp_path, text, "--threads", "1")
    assert (f["sweep/change"][:] < 1e-7).all() and (f["sweep/lmax"][:] > 4).all()
    g = result(tmp_path, text, "--threads", "3")
    for name in ("cross_sections/extinction", "near_field/E", "near_field/H"):
        assert f[name][:].tobytes() == g[name][:].tobytes()


BAD = [
    (GRATING.replace("[[420.0]]", "[[0.0, 420.0, 0.0]]"), "transmission", "leave x"),
    (GRATING.replace("[[420.0]]", "[[120.0]]"), "transmission", "overlap"),
    (GRATING + "[illumination]\ndirection = [0, -1, 0]\n", "transmission", "along y"),
    (GRATING.replace("[[420.0]]", "[[420.0, 0.0], [0.0, 420.0]]"), "bands", "lattice.path"),
    (CHAIN.replace("[0.0, 0.0, 300.0]", "[300.0, 0.0, 0.0]"), "cross_sections", "leave z"),
    (CHAIN.replace("[0.0, 0.0, 300.0]", "[0.0, 0.0, 150.0]"), "cross_sections", "overlap by 50 nm"),
    (CHAIN, "far_field", "far_field of chains"),
    (CHAIN + '[stack]\nlayers = [{ material = "vacuum" }, { array = true }, { material = "vacuum" }]\n', "cross_sections", "a chain"),
    (CHAIN + '[medium]\nmaterial = { n = 1.3, k = 0.1 }\n', "cross_sections", "no far-field"),
    (CHAIN.replace("[[particle]]", "path = [[0.0, 0.0], [0.5, 0.0]]\n[[particle]]"), "bands", "corners with 2 numbers"),
    (CHAIN.replace("[[particle]]", "path = [[0.5], [0.5]]\n[[particle]]"), "bands", "one point"),
    (CHAIN.replace("[[particle]]", "path = [[0.5]]\n[[particle]]"), "bands", "1 corners make no path: give two or more"),
    (CHAIN.replace("[[particle]]", "path = [[0.1], [0.5]]\n[[particle]]"), "cross_sections", "lattice.path: has no effect: bands are not asked for"),
    (CHAIN.replace("[[particle]]", 'bloch = ["1 rad/um"]\n[[particle]]'), "cross_sections", "lattice.bloch: has no effect"),
    (ARRAY + '[medium]\nmaterial = "water"\n', "transmission", "medium: has no effect: [stack] says"),
    (ARRAY.replace("[[particle]]", "path = [[0.1, 0.0], [0.5, 0.0]]\n[[particle]]").replace("[illumination]", "[[materials]]").split("[[materials]]")[0],
     "bands", "in one medium, not in a [stack]"),
    (ARRAY.replace('thickness = "150 nm"', 'thickness = "150 nm", medium = "vacuum"'), "transmission", "has no meaning for a layer"),
    (ARRAY.replace("{ material = { n = 1.5, k = 0.0 } },\n]", "{ repeat = 2, layers = [{ material = { n = 1.5, k = 0.0 }, thickness = \"9 nm\" }] },\n]"),
     "transmission", "begins or ends with layers that are repeated"),
    (ARRAY.replace("{ material = { n = 2.0, k = 0.01 }, thickness = \"150 nm\" }", "{ repeat = 2, layers = [{ material = { n = 1.5, k = 0.0 } }] }"),
     "transmission", "needs its thickness"),
    (ARRAY.replace('unit = "nm"', 'unit = "um"'), "transmission", "more than 400 diffraction orders"),
    (GRATING.replace("[200.0, 40.0, 0.0]", "[200.0, 40.0, 5.0]"), "transmission", "cylinders are infinite along z"),
    (ARRAY.replace("[60.0, 340.0]", "[640.0, 60.0]"), "transmission", "span no area"),
    (ARRAY.replace("[320.0, 30.0], [60.0, 340.0]", "[1000.0, 0.0], [9050.0, 150.0]"), "transmission", "overlap by 11.9 nm"),
    (GRATING.replace("[200.0, 40.0, 0.0]", "[4300.0, 40.0, 0.0]"), "transmission", "overlap by 42.3 nm"),
]


@pytest.mark.parametrize("text, wanted, says", BAD)
def test_refusals(tmp_path, text, wanted, says):
    ran = done(tmp_path, text + f'[output]\nquantities = ["{wanted}"]\n')
    assert ran.returncode in (3, 4, 5) and says in ran.stderr, ran.stderr
    assert ran.returncode == 5 or not (tmp_path / "a.h5").exists()


def heights(f):
    return (abs(f["near_field/E"][0, :, 10]) ** 2).sum(-1)  # along the normal, through the middle of a sphere


def test_field_of_an_array_is_one_on_both_sides(tmp_path):
    """In its medium, and with planes in vacuum that are none: one field at all heights, inside of the spheres and across their plane."""
    array = """
[lattice]
vectors = [[500.0, 0.0], [0.0, 500.0]]
unit = "nm"
[[particle]]
shape = "sphere"
radius = "100 nm"
material = { n = 2.0, k = 0.1 }
[sweep]
wavelength = "620 nm"
[numerics]
lmax = 4
[output]
quantities = [{ name = "near_field", plane = "y = 0 nm", size = "500 nm", pixels = 21, wavelengths = ["620 nm"] }]
"""
    alone = heights(result(tmp_path, array))
    held = '[stack]\nlayers = [{ material = "vacuum" }, { array = true, medium = "vacuum", above = "150 nm", below = "150 nm" }, ' \
           '{ material = "vacuum" }]\n'
    assert heights(result(tmp_path, held + array)) == pytest.approx(alone, rel=1e-3)  # orders that fall by the root of tol are left out
    inside = abs(np.linspace(-250, 250, 21)) < 100
    assert abs(np.diff(alone[inside])).max() < 0.2 * alone[inside].max()  # it bends, but does not jump


def test_orders_that_a_substrate_sends_back(tmp_path):
    """An array right on glass, with no layer between: the orders that are taken by default are enough."""
    text = """
[stack]
layers = [{ material = "vacuum" }, { array = true, medium = "vacuum", above = "120 nm", below = "150 nm" },
          { material = { n = 1.6, k = 0.0 } }]
[lattice]
vectors = [[300.0, 0.0], [0.0, 300.0]]
unit = "nm"
[[particle]]
shape = "sphere"
radius = "100 nm"
material = { n = 3.0, k = 0.01 }
[sweep]
wavelength = "620 nm"
[output]
quantities = ["transmission"]
"""
    few = result(tmp_path, text + "[numerics]\nlmax = 4\ntol = 1e-6\n")["transmission/T"][0]
    many = result(tmp_path, text + '[numerics]\nlmax = 4\norders_kmax = "110 rad/um"\n')["transmission/T"][0]
    one = result(tmp_path, text + '[numerics]\nlmax = 4\norders_kmax = "17 rad/um"\n')["transmission/T"][0]
    assert few == pytest.approx(many, abs=1e-5)
    assert abs(one - many).max() > 1e-4  # it matters
