"""Stacks and arrays as a user meets them: closed forms of layers, an array that another program computed, what they refuse, the
same bits for every number of threads."""

import numpy as np
import pytest
from scattering import done, result

CELL = """
[stack]
layers = [
  { material = { n = 1.2, k = 0.0 } },
  { array = true, medium = { n = 1.1, k = 0.0 }, above = "250 nm", below = "200 nm" },
  { material = { n = 2.0, k = 0.01 }, thickness = "150 nm" },
  { material = { n = 1.5, k = 0.0 } },
]
[lattice]
vectors = [[520.0, 30.0], [100.0, 480.0]]
unit = "nm"
[[particle]]
shape = "sphere"
radius = "90 nm"
material = { n = 3.2, k = 0.02 }
unit = "nm"
positions = [[0.0, 0.0, 0.0]]
[[particle]]
shape = "core_shell"
radii = ["60 nm", "85 nm"]
materials = [{ n = 1.5, k = 0.0 }, { re = 6.0, im = 0.1, kappa = 0.2 }]
unit = "nm"
positions = [[210.0, 240.0, 60.0]]
[sweep]
wavelength = ["620 nm", "800 nm"]
[illumination]
angles = { theta = "20 deg", phi = "35 deg" }
polarisation = "right"
"""
WANTED = '[output]\nquantities = ["transmission", "cd", "orders"]\n'


def airy(n, thickness, k0, sine):
    """T and R of s and p light from below on one layer: indices n[3], sine in the first."""
    kz = [np.sqrt((k0 * m) ** 2 - (k0 * n[0] * sine) ** 2 + 0j) for m in n]
    shares = []
    for p in (0, 1):
        w = [k / m**2 if p else k for k, m in zip(kz, n)]
        r = [(w[i] - w[i + 1]) / (w[i] + w[i + 1]) for i in (0, 1)]
        phase = np.exp(2j * kz[1] * thickness)
        reflected = (r[0] + r[1] * phase) / (1 + r[0] * r[1] * phase)
        t = (1 + r[0]) * (1 + r[1]) * np.exp(1j * kz[1] * thickness) / (1 + r[0] * r[1] * phase)
        shares.append((abs(t) ** 2 * (w[2] / w[0]).real, abs(reflected) ** 2))
    return shares


@pytest.mark.parametrize("word", ["s", "p"])
def test_layer(tmp_path, word):
    f = result(tmp_path, '[stack]\nlayers = [{ material = "vacuum" }, { material = { n = 2.0, k = 0.1 }, thickness = "130 nm" }, '
               '{ material = { n = 1.5, k = 0.0 } }]\n[sweep]\nwavelength = ["500 nm", "700 nm"]\n[illumination]\n'
               f'angles = {{ theta = "40 deg", phi = "20 deg" }}\npolarisation = "{word}"\n'
               '[output]\nquantities = ["transmission"]\n')
    for i, k0 in enumerate(f["sweep/k0"][:]):
        t, r = airy([1.0, 2.0 + 0.1j, 1.5], 130e-9, k0, np.sin(np.radians(40)))[word == "p"]
        assert f["transmission/T"][i, 0] == pytest.approx(t, rel=1e-12)
        assert f["transmission/R"][i, 0] == pytest.approx(r, rel=1e-12)
        assert f["transmission/A"][i, 0] == pytest.approx(1 - t - r, rel=1e-12)


def test_array(tmp_path):
    """T and R of both helicities by treams-rs 0.2.2, with the same degree and orders."""
    want = [[(0.7905327485699646, 0.14432133016577947), (0.7312156383613286, 0.1832478543699225)],
            [(0.7877824937781162, 0.18640898914269782), (0.7875993745508562, 0.18644600184933388)]]
    f = result(tmp_path, CELL + '[numerics]\nlmax = 4\norders_kmax = "30 rad/um"\n' + WANTED)
    t, r, a = (f[f"transmission/{name}"][:] for name in "TRA")
    for i, point in enumerate(want):
        for light, (transmitted, reflected) in enumerate(point):
            assert t[i, light] == pytest.approx(transmitted, abs=1e-13)
            assert r[i, light] == pytest.approx(reflected, abs=1e-13)
    assert abs(t + r + a - 1).max() < 1e-14
    assert abs(f["transmission/T_order"][:].sum(2) - t).max() < 1e-14
    cd = f["cd/transmission"][:]
    assert cd == pytest.approx((t[:, 1] - t[:, 0]) / (t[:, 1] + t[:, 0]), abs=1e-14)
    assert f["orders/transmitted"].shape == (2, f["transmission/orders"].shape[0], 2)


def test_degree_is_found(tmp_path):
    f = result(tmp_path, CELL + '[numerics]\ntol = 1e-6\norders_kmax = "30 rad/um"\n' + WANTED)
    assert (f["sweep/change"][:] < 1e-6).all() and (f["sweep/lmax"][:] > 3).all()


def test_threads(tmp_path):
    rows = []
    for threads in ("1", "2"):
        f = result(tmp_path, CELL + '[numerics]\nlmax = 3\norders_kmax = "30 rad/um"\n' + WANTED, "--threads", threads)
        rows.append(f["transmission/T_order"][:].tobytes() + f["orders/reflected"][:].tobytes())
    assert rows[0] == rows[1]


def test_bands(tmp_path):
    """Bloch waves of two layers by the equation of Kronig and Penney."""
    f = result(tmp_path, '[stack]\nlayers = [{ material = "vacuum" }, { material = { n = 2.5, k = 0.0 }, thickness = "100 nm" }, '
               '{ material = "vacuum", thickness = "150 nm" }, { material = "vacuum" }]\n'
               '[sweep]\nwavelength = ["1.4 um", "1.8 um"]\n[output]\nquantities = ["bands"]\n')
    for i, k0 in enumerate(f["sweep/k0"][:]):
        a, b, n = 2.5 * k0 * 100e-9, k0 * 150e-9, 2.5
        cosine = np.cos(a) * np.cos(b) - (n + 1 / n) / 2 * np.sin(a) * np.sin(b)
        assert abs(f["bands/kz"][i].real) == pytest.approx(np.full(4, np.arccos(cosine) / 250e-9), rel=1e-11)


def test_near_a_threshold_and_on_it(tmp_path):
    """An order that grazes to a part in 1e8 keeps the power; on the threshold itself the order is named."""
    cell = ('[lattice]\nvectors = [[500.0, 0.0], [0.0, 500.0]]\nunit = "nm"\n[[particle]]\nshape = "sphere"\nradius = "90 nm"\n'
            'material = {{ n = 2.5, k = 0.0 }}\n[sweep]\nwavelength = "{!r} nm"\n[numerics]\nlmax = 3\n[output]\nquantities = ["transmission"]\n')
    for off in (1e-8, -1e-8, 1e-4):
        f = result(tmp_path, cell.format(500.0 * (1 + off)))
        assert abs(f["transmission/T"][:] + f["transmission/R"][:] - 1).max() < 1e-11
    ran = done(tmp_path, cell.format(500.0))
    assert ran.returncode == 5 and "threshold" in ran.stderr and "order (" in ran.stderr


def test_sublattices_almost_in_one_plane(tmp_path):
    """Two particles of a cell 1e-7 of it apart in height, and in one plane: the same to that."""
    text = CELL.replace("[210.0, 240.0, 60.0]", "[210.0, 240.0, {!r}]") + '[numerics]\nlmax = 3\norders_kmax = "30 rad/um"\n' + WANTED
    flat, high = (result(tmp_path, text.replace("{!r}", repr(z)))["transmission/T"][:] for z in (0.0, 5e-5))
    assert 0 < abs(flat - high).max() < 1e-6


BAD = [
    (CELL.replace('[lattice]\nvectors = [[520.0, 30.0], [100.0, 480.0]]\nunit = "nm"\n', ""), WANTED, "no [lattice]"),
    (CELL.replace('above = "250 nm"', 'above = "100 nm"'), WANTED, "reaches"),
    (CELL.replace("[520.0, 30.0]", "[150.0, 30.0]"), WANTED, "overlap"),
    (CELL, WANTED.replace('"cd"', '"far_field"'), "far_field of arrays"),
    (CELL.replace('theta = "20 deg"', 'theta = "120 deg"'), WANTED, "has to go up"),
    (CELL.replace("[[520.0, 30.0], [100.0, 480.0]]", "[[0.0, 0.0, 530.0]]"), WANTED, "transmission of chains"),
    (CELL.replace("  { array = true,", "  # { array = true,"), WANTED, "no layer holds the particles"),
    (CELL.replace("{ material = { n = 1.2, k = 0.0 } }", "{ material = { n = 1.2, k = 0.2 } }"), WANTED, "absorbs"),
]


@pytest.mark.parametrize("text, wanted, says", BAD)
def test_refusals(tmp_path, text, wanted, says):
    ran = done(tmp_path, text + wanted)
    assert ran.returncode in (3, 4) and says in ran.stderr and not (tmp_path / "a.h5").exists(), ran.stderr
