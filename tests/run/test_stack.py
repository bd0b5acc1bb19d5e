"""Stacks and arrays as a user meets them: closed forms of layers, an array that another program computed, what they refuse, the
same bits for every number of threads."""

import h5py
import numpy as np
import pytest
from command import run
from scattering import HEAD, done, opened, result

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


def test_pictures_over_angles(tmp_path):
    """One wavelength and several thetas: the picture is drawn over them, of the first polarisation. Lights that differ otherwise have
    no axis: no picture, and no failure."""
    text = ('[stack]\nlayers = [{ material = "vacuum" }, { material = { n = 2.0, k = 0.1 }, thickness = "130 nm" }, '
            '{ material = { n = 1.5, k = 0.0 } }]\n[sweep]\nwavelength = "500 nm"\n[illumination]\n%s\n'
            '[output]\nquantities = ["transmission", "cd"]\n')
    angles = 'angles = { theta = %s, phi = "20 deg" }\npolarisation = ["p", "s"]'
    f = result(tmp_path, text % (angles % '["50 deg", "20 deg", "0 deg"]'))
    drawn = run("plot", "a.h5", "transmission", "--csv", cwd=tmp_path)
    assert drawn.returncode == 0, drawn.stderr
    lines = [line for line in (tmp_path / "a_transmission.csv").read_text().splitlines() if line and line[0] in "0123456789"]
    rows = np.array([[float(x) for x in line.split(",")[:2]] for line in lines])[:3]
    assert np.allclose(sorted(rows[:, 0]), [0, 20, 50])
    for theta, t in rows:
        i = [50, 20, 0].index(round(theta))
        assert t == pytest.approx(f["transmission/T"][0, 2 * i, 0], rel=1e-6)
        assert t == pytest.approx(airy([1.0, 2.0 + 0.1j, 1.5], 130e-9, f["sweep/k0"][0], np.sin(np.radians(theta)))[1][0], rel=1e-6)
    for light in ('polarisation = ["s", "p"]', angles % '["0 deg", "30 deg", "10 deg"]',
                  'angles = { theta = "10 deg", phi = ["0 deg", "40 deg"] }'):
        (tmp_path / "b.toml").write_text(HEAD + text % light)
        ran = run("-q", "run", "--force", "b.toml", cwd=tmp_path)
        assert ran.returncode == 0 and not list(tmp_path.glob("*.png")), ran.stderr
    (tmp_path / "b.toml").write_text(HEAD + text.replace('"500 nm"', '["500 nm", "500 nm"]') % "")
    assert run("-q", "run", "--force", "b.toml", cwd=tmp_path).returncode == 0  # a picture of one place
    assert len(list(tmp_path.glob("*.png"))) == 2


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


def test_as_many_orders_as_tol_needs(tmp_path):
    """Of particles close to a metal film, one of them out of the plane: T and R with many more orders are the same within tol."""
    cell = ('[stack]\nlayers = [{ material = "vacuum" }, { array = true, medium = { n = 1.3, k = 0.0 }, above = "300 nm", below = "80 nm" }, '
            '{ material = { n = 0.3, k = 2.0 }, thickness = "15 nm" }, { material = { n = 1.5, k = 0.0 } }]\n'
            '[lattice]\nvectors = [[300.0, 30.0], [80.0, 290.0]]\nunit = "nm"\n'
            '[[particle]]\nshape = "sphere"\nradius = "70 nm"\nmaterial = { n = 3.4, k = 0.05 }\nunit = "nm"\npositions = [[0, 0, 0]]\n'
            '[[particle]]\nshape = "sphere"\nradius = "30 nm"\nmaterial = { n = 0.2, k = 3.1 }\nunit = "nm"\npositions = [[160, 150, -40]]\n'
            '[sweep]\nwavelength = "620 nm"\n[illumination]\nangles = { theta = "30 deg", phi = "20 deg" }\npolarisation = ["left", "p"]\n'
            '[numerics]\nlmax = 4\ntol = 1e-5\n%s\n[output]\nquantities = ["transmission"]\n')
    few, many = (result(tmp_path, cell % more) for more in ("", 'orders_kmax = "150 rad/um"'))
    assert few["transmission/orders"].shape[0] < many["transmission/orders"].shape[0]
    for part in "TR":
        assert np.allclose(few["transmission/" + part], many["transmission/" + part], rtol=0, atol=1e-5)
    fine = done(tmp_path, cell.replace("1e-5", "1e-12") % "")
    assert fine.returncode == 4 and ": numerics.orders_kmax: " in fine.stderr and "what numerics.tol asks for: raise tol" in fine.stderr


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
    """An order that grazes to a part in 1e8 keeps the power; on the threshold itself the point is NaN, and point and order are named."""
    cell = ('[lattice]\nvectors = [[500.0, 0.0], [0.0, 500.0]]\nunit = "nm"\n[[particle]]\nshape = "sphere"\nradius = "90 nm"\n'
            'material = {{ n = 2.5, k = 0.0 }}\n[sweep]\nwavelength = "{!r} nm"\n[numerics]\nlmax = 3\n[output]\nquantities = ["transmission"]\n')
    for off in (1e-8, -1e-8, 1e-4):
        f = result(tmp_path, cell.format(500.0 * (1 + off)))
        assert abs(f["transmission/T"][:] + f["transmission/R"][:] - 1).max() < 1e-11
    text = cell.replace('"{!r} nm"', '["450 nm", "500 nm", "550 nm"]').replace("{{", "{").replace("}}", "}")
    others = result(tmp_path, text.replace('"500 nm", ', ""))
    text = text.replace('["transmission"]', '["transmission", "orders", {{ name = "near_field", pixels = 4, wavelengths = ["500 nm"] }}]'.replace("{{", "{").replace("}}", "}"))
    rows = []
    for threads in ("1", "3"):
        ran = done(tmp_path, text, "--threads", threads)
        assert ran.returncode == 0, ran.stderr
        f = opened(tmp_path)
        warnings = [w.decode() for w in f["provenance/warnings"][:]]
        assert len(warnings) == 2 and all("500 nm: left NaN" in w and "order (0, -1) is on its threshold" in w for w in warnings)
        assert "near_field" in warnings[1] and "near_field" not in warnings[0]
        assert f["sweep/gaps"][:].tolist() == [0, 1, 0] and f["near_field/gaps"][:].tolist() == [1]
        assert f.attrs["complete"] == 1 and np.isnan(f["near_field/E"][:]).all()
        for name in ("transmission/T", "transmission/R_order", "orders/reflected"):
            assert np.isnan(f[name][1]).all() and np.isfinite(f[name][[0, 2]]).all()
        assert (f["sweep/kpar"][1] == 0).all() and f["sweep/wavelength"][1] == pytest.approx(500e-9)
        assert (f["transmission/T"][[0, 2]] == others["transmission/T"][:]).all()  # untouched by what lies between
        rows.append(b"".join(f[name][:].tobytes() for name in ("transmission/T", "orders/reflected", "sweep/gaps")))
    assert rows[0] == rows[1]
    table = run("plot", "a.h5", "transmission", "--csv", cwd=tmp_path)
    assert table.returncode == 0, table.stderr
    script = run("plot", "a.h5", "transmission", "--format", "gp", cwd=tmp_path)
    assert script.returncode == 0 and "NaN" not in (tmp_path / "a_transmission.gp").read_text()  # the curve is parted


def test_thresholds_of_some_lights(tmp_path):
    """Of several lights only that on its threshold is NaN, where the degree is found, too; resuming does not stop there either."""
    text = ('[lattice]\nvectors = [[500.0]]\nunit = "nm"\n[[particle]]\nshape = "cylinder"\nradius = "90 nm"\nmaterial = { n = 2.5, k = 0.0 }\n'
            '[sweep]\nwavelength = ["500 nm", "600 nm", "750 nm"]\n[numerics]\ntol = 1e-5\n[output]\nquantities = ["transmission"]\n'
            '[illumination]\nangles = { theta = "90 deg", phi = ["90 deg", "60 deg"] }\n')  # sin 30 deg = 1 - 500 / 1000
    f = result(tmp_path, text)
    missing = np.isnan(f["transmission/T"][:, :, 0])
    assert missing.tolist() == [[True, False], [False, False], [False, True]]
    assert (f["sweep/change"][:] < 1e-5).all() and f["sweep/gaps"][:].tolist() == [1, 0, 1]
    assert "phi = 60 deg" in f["provenance/warnings"][1].decode()
    first = f["transmission/T"][:].tobytes()
    ran = done(tmp_path, text, "--stop-after", "1 us", "--threads", "1")  # after the first point
    assert ran.returncode == 75, ran.stderr
    assert run("-q", "resume", "a.h5", cwd=tmp_path).returncode == 0
    f = opened(tmp_path)
    assert f["transmission/T"][:].tobytes() == first
    assert [("500 nm" in w, "750 nm" in w) for w in f["provenance/warnings"].asstr()[:]] == [(True, False), (False, True)]


def test_one_point_is_no_curve(tmp_path):
    result(tmp_path, '[stack]\nlayers = [{ material = "vacuum" }, { material = "SiO2" }]\n[sweep]\nwavelength = "500 nm"\n'
           '[output]\nquantities = ["transmission"]\n')
    said = run("plot", "a.h5", "transmission", cwd=tmp_path)
    assert said.returncode == 2 and "holds nothing for a picture 'transmission'" in said.stderr
    recipe = (tmp_path / "a.toml").read_text().split("[plots]")[0]
    (tmp_path / "a.toml").write_text(recipe)
    said = run("run", "--force", "a.toml", cwd=tmp_path)
    assert said.returncode == 0 and "no picture 'transmission'" in said.stderr
    said = run("plot", "a.h5", cwd=tmp_path)
    assert said.returncode == 0 and "no picture 'transmission'" in said.stderr


def test_many_thresholds(tmp_path):
    """The first are told, all are counted."""
    text = ('[lattice]\nvectors = [[3000.0]]\nunit = "nm"\n[[particle]]\nshape = "cylinder"\nradius = "90 nm"\nmaterial = { n = 2.5, k = 0.0 }\n'
            '[sweep]\nwavelength = ["3 um", "1.5 um", "1 um", "750 nm", "600 nm", "500 nm", "550 nm"]\n[numerics]\nmmax = 1\n'
            '[output]\nquantities = ["transmission"]\n')
    f = result(tmp_path, text)
    warnings = f["provenance/warnings"].asstr()[:]
    assert f["sweep/gaps"][:].sum() == 6 and len(warnings) == 5 and warnings[-1].startswith("6 points in all")


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


def test_resuming_a_file_without_gaps(tmp_path):
    """A file that was written before points on thresholds were counted: rows of it have none."""
    text = ('[lattice]\nvectors = [[500.0]]\nunit = "nm"\n[[particle]]\nshape = "cylinder"\nradius = "90 nm"\nmaterial = { n = 2.5, k = 0.0 }\n'
            '[sweep]\nwavelength = ["600 nm", "500 nm"]\n[numerics]\nlmax = 2\n[output]\nquantities = ["transmission"]\n'
            '[illumination]\nangles = { theta = "90 deg", phi = "90 deg" }\n')  # the second on a threshold
    want = result(tmp_path, text)["transmission/T"][:].tobytes()
    ran = done(tmp_path, text, "--stop-after", "1 us", "--threads", "1")
    assert ran.returncode == 75, ran.stderr
    with h5py.File(tmp_path / "a.h5", "r+") as f:
        assert f["sweep/k0"].shape == (1,)
        del f["sweep/gaps"]
    again = run("-q", "resume", "a.h5", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    f = opened(tmp_path)
    assert f["sweep/gaps"][:].tolist() == [0, 1] and f["sweep/gaps"].attrs["units"] == "1" and f["transmission/T"][:].tobytes() == want
