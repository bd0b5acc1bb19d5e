"""Scattering as a user meets it: recipes of every shape against sums worked out here and published fields, what they refuse,
the same bits for every number of threads, stopping and going on."""

import io
import os
import signal

import h5py
import numpy as np
import pytest
from command import SOURCE, check, run
from paced import Paced

GOLDEN = SOURCE / "tests/golden/scattering"
SPHERE = '[[particle]]\nshape = "sphere"\nradius = "75 nm"\nmaterial = { re = 15.5, im = 0.12 }\n'
SWEEP = '[sweep]\nwavelength = { start = "500 nm", stop = "700 nm", num = 5 }\n'
SECTIONS = '[output]\nquantities = ["cross_sections"]\n'


def recipe(*parts, name="a"):
    return f'schema = 1\nkind = "scatter"\nname = "{name}"\n' + "".join(parts) + "\n[plots]\nkinds = []\n"


def result(folder, *parts, args=()):
    """The recipe, run: its open file."""
    (folder / "a.toml").write_text(recipe(*parts))
    done = run("-q", "run", "--force", *args, "a.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    return h5py.File(io.BytesIO((folder / "a.h5").read_bytes()))  # nothing keeps the file itself open


def mie(m, x, lmax):
    """a_l, b_l of Bohren and Huffman (4.88) by downward and upward recurrence."""
    z, n = m * x, int(max(lmax, abs(m * x)) + 30)
    d = np.zeros(n + 1, complex)
    for k in range(n, 0, -1):
        d[k - 1] = k / z - 1 / (d[k] + k / z)
    psi, chi = [np.sin(x), np.sin(x) / x - np.cos(x)], [np.cos(x), np.cos(x) / x + np.sin(x)]
    for k in range(1, lmax + 1):
        psi.append((2 * k + 1) / x * psi[k] - psi[k - 1])
        chi.append((2 * k + 1) / x * chi[k] - chi[k - 1])
    psi, xi = np.array(psi), np.array(psi) - 1j * np.array(chi)
    k = np.arange(1, lmax + 1)
    a = ((d[k] / m + k / x) * psi[k] - psi[k - 1]) / ((d[k] / m + k / x) * xi[k] - xi[k - 1])
    b = ((d[k] * m + k / x) * psi[k] - psi[k - 1]) / ((d[k] * m + k / x) * xi[k] - xi[k - 1])
    return a, b


# ---- numbers ----


def test_one_sphere(tmp_path):
    f = result(tmp_path, SPHERE, SWEEP, SECTIONS)
    k0, degrees = f["sweep/k0"][:], np.arange(1, 9)
    assert np.allclose(2 * np.pi / k0, np.linspace(500e-9, 700e-9, 5), rtol=1e-14)
    for i, k in enumerate(k0):
        a, b = mie(np.sqrt(15.5 + 0.12j), k * 75e-9, 8)
        electric, magnetic = (2 * np.pi / k**2 * (2 * degrees + 1) * c.real for c in (a, b))
        scattering = 2 * np.pi / k**2 * ((2 * degrees + 1) * (abs(a) ** 2 + abs(b) ** 2)).sum()
        assert f["cross_sections/extinction"][i] == pytest.approx((electric + magnetic).sum(), rel=1e-11)
        assert f["cross_sections/scattering"][i] == pytest.approx(scattering, rel=1e-11)
        for name, part in (("electric", electric), ("magnetic", magnetic)):
            assert np.allclose(f[f"cross_sections/extinction_{name}"][i, :8], part, rtol=1e-9, atol=1e-9 * part.max())
    assert f.attrs["time_factor"] == "exp(-iwt)" and f.attrs["complete"] == 1
    assert f["cross_sections/extinction"].dims[0][0].name == "/sweep/k0"


def test_published_efficiencies(tmp_path):
    """mie.json of the reports: m, x, Q_ext, Q_sca, Q_abs; also a sphere that needs more degrees than waves have."""
    for m, x, *q in ((1.5 + 0.01j, 1.0, 0.2424793354997718, 0.2136385715990876, 0.028840763900684192),
                     (1.41 + 0.008j, 1.97292018645439, 1.1545349764949697, 1.0904225837887467, 0.06411239270622322),
                     (0.05 + 2.1j, 0.02, 0.008644100322262581, 2.1422176772620594e-06, 0.00864195810458532),
                     (1.5 + 0.01j, 100.0, 2.0954693693402757, 1.1613940019922613, 0.9340753673480143),
                 (1.5 + 0.01j, 1000.0, 2.0198458843890794, 1.1048752818812757, 0.9149706025078037),
                 (1.3346, 113.0, 2.0558548479900276, 2.0558548479900276, 0.0),
                     (10 + 10j, 50.0, 2.0967264658245264, 1.8553253830365786, 0.2414010827879478)):
        f = result(tmp_path, f'[[particle]]\nshape = "sphere"\nradius = "{x!r} um"\n'
                   f"material = {{ n = {m.real!r}, k = {m.imag!r} }}\n",
                   f'[sweep]\nwavelength = "{2 * np.pi!r} um"\n', SECTIONS)
        for name, value in zip(("extinction", "scattering", "absorption"), q):
            assert f[f"cross_sections/{name}"][0] / (np.pi * x * x * 1e-12) == pytest.approx(value, rel=1e-13 + 1e-15 * x, abs=1e-15)


def test_published_field(tmp_path):
    """sphere_field.json of the reports: E_x on the axis of a sphere with m = 1.3, x = 2, near it and far from it."""
    f = result(tmp_path, '[[particle]]\nshape = "sphere"\nradius = "2 um"\nmaterial = { n = 1.3, k = 0.0 }\n',
               f'[sweep]\nwavelength = "{2 * np.pi!r} um"\n[numerics]\nlmax = 20\n',
               '[output]\nquantities = [{ name = "near_field", plane = "x = 0 nm", size = "400 um", pixels = 161 }]\n')
    z, E = f["near_field/z"][:] * 1e6, f["near_field/E"][0]
    for at, value in ((-10, -0.8282016535450655 + 0.5545708907170864j), (10, -0.9235181660439985 - 0.7025776356782891j),
                      (-2.5, -0.7504339224550385 - 0.561212392244654j), (2.5, -1.366480208165831 + 0.35817002293478445j),
                      (-200, 0.48686572147082224 + 0.8740408279455403j), (200, 0.49388177006233425 - 0.8792227387860836j)):
        got = E[np.argmin(abs(z - at)), 80, 0]
        assert got == pytest.approx(value, rel=1e-11)
    # on the surface itself, of the field inside: tangential, so that both sides agree
    f = result(tmp_path, '[[particle]]\nshape = "sphere"\nradius = "2 um"\nmaterial = { n = 1.3, k = 0.0 }\n',
               f'[sweep]\nwavelength = "{2 * np.pi!r} um"\n[numerics]\nlmax = 20\n',
               '[output]\nquantities = [{ name = "near_field", plane = "x = 0 nm", size = "4 um", pixels = 3 }]\n')
    E = f["near_field/E"][0]
    assert E[0, 1, 0] == pytest.approx(-0.33546477603808694 - 0.860968425672196j, rel=1e-11)
    assert E[2, 1, 0] == pytest.approx(-1.0840378636481869 + 0.858203735097435j, rel=1e-11)


def test_cluster(tmp_path):
    """By both solvers; parts add up."""
    pair = SPHERE + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [170.0, 20.0, 40.0], [-60.0, 160.0, 0.0]]\n'
    light = '[illumination]\nangles = { theta = "40 deg", phi = "25 deg" }\npolarisation = "left"\n'
    dense = result(tmp_path, pair, SWEEP, light, SECTIONS, '[numerics]\nlmax = 8\nsolver = "dense"\n')
    a = {k: v[:] for k, v in dense["cross_sections"].items()}
    gmres = result(tmp_path, pair, SWEEP, light, SECTIONS, '[numerics]\nlmax = 8\nsolver = "gmres"\n')
    for key, value in a.items():
        assert np.allclose(gmres[f"cross_sections/{key}"][:], value, rtol=1e-10, atol=1e-10 * abs(value).max()), key
    assert np.allclose(a["extinction"], a["scattering"] + a["absorption"], rtol=1e-10)
    assert np.allclose(a["extinction"], a["extinction_particle"].sum(1), rtol=1e-12)
    assert np.allclose(a["extinction"], a["extinction_electric"].sum(1) + a["extinction_magnetic"].sum(1), rtol=1e-10)


def test_nothing_scatters_without_contrast(tmp_path):
    light = '[illumination]\nangles = { theta = "30 deg", phi = "50 deg" }\npolarisation = "p"\n'
    wanted = '[output]\nquantities = ["cross_sections", { name = "near_field", plane = "y = 20 nm", size = "1 um", pixels = 21 }]\n'
    f = result(tmp_path, '[[particle]]\nshape = "sphere"\nradius = "100 nm"\nmaterial = { n = 1.5 }\n',
               '[medium]\nmaterial = { n = 1.5 }\n', SWEEP, light, wanted)
    assert abs(f["cross_sections/extinction"][:]).max() < 1e-25
    x, z = f["near_field/x"][:], f["near_field/z"][:]
    t, p = np.radians(30), np.radians(50)
    k = np.array([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)])
    e = np.array([np.cos(t) * np.cos(p), np.cos(t) * np.sin(p), -np.sin(t)])
    for i, k0 in enumerate(f["near_field/k0"][:]):
        phase = np.exp(1.5j * k0 * (k[0] * x[None, :] + k[1] * 20e-9 + k[2] * z[:, None]))
        got = f["near_field/E"][i]
        around = np.hypot(np.hypot(x[None, :], z[:, None]), 20e-9) > 100e-9
        h = f["near_field/H"][i] - 1.5 * phase[..., None] * np.cross(k, e)
        assert abs(got - phase[..., None] * e)[around].max() < 1e-12 and abs(h)[around].max() < 1e-12
        # inside the degrees of the root of tol tell: 1e-5, and here some digits more
        assert abs(got - phase[..., None] * e).max() < 1e-7 and abs(h).max() < 1e-6


@pytest.mark.parametrize("polarisation", ["x", "s", "right", -1])
def test_far_field_carries_the_scattered_power(tmp_path, polarisation):
    """Rings about the direction of the light from the two planes are enough for one sphere: sigma = integral of |f|^2."""
    word = polarisation if isinstance(polarisation, int) else f'"{polarisation}"'
    f = result(tmp_path, SPHERE, SWEEP, f"[illumination]\ndirection = [0, 1, 0]\npolarisation = {word}\n",
               '[output]\nquantities = ["cross_sections", { name = "far_field", pixels = 721 }]\n')
    angle, d = f["far_field/angle"][:361], f["far_field/differential"][:, :, :361]
    ring = np.pi * d.sum(1) * np.sin(angle)  # of cos^2 and sin^2 about the axis, half of each plane's pattern
    power = np.trapezoid(ring, angle, axis=1) if hasattr(np, "trapezoid") else np.trapz(ring, angle, axis=1)
    assert np.allclose(power, f["cross_sections/scattering"][:], rtol=1e-4)


def test_bodies_of_revolution_meet_the_sphere(tmp_path):
    one = result(tmp_path, SPHERE, SWEEP, SECTIONS)["cross_sections/extinction"][:]
    material = "material = { re = 15.5, im = 0.12 }\n"
    degrees = '[numerics]\nlmax = 6\n'
    (tmp_path / "r.csv").write_text("theta [deg], r [nm]\n" + "".join(f"{a}, 75\n" for a in range(0, 181, 10)))
    for body in ('shape = "spheroid"\nsemi_axes = ["75 nm", "75 nm"]\n',
                 'shape = "chebyshev"\nradius = "75 nm"\nripple = 0.0\nwaves = 2\n',
                 'shape = "superellipsoid"\nsemi_axes = ["75 nm", "75 nm", "75 nm"]\nexponent = 1.0\n',
                 'shape = "profile"\nfile = "r.csv"\n'):
        f = result(tmp_path, "[[particle]]\n" + body + material, SWEEP, SECTIONS, degrees)
        assert np.allclose(f["cross_sections/extinction"][:], one, rtol=1e-8), body


def test_spheroid_turned(tmp_path):
    """A rod along x, lit along z with E along x, is a rod along z, lit along x with E along z."""
    rod = '[[particle]]\nshape = "spheroid"\nsemi_axes = ["40 nm", "60 nm"]\nmaterial = { n = 2.0, k = 0.1 }\n'
    a = result(tmp_path, rod + 'rotation = ["0 deg", "90 deg", "0 deg"]\n', SWEEP, SECTIONS)
    a = a["cross_sections/extinction"][:], a["sweep/change"][:]
    b = result(tmp_path, rod, SWEEP, '[illumination]\ndirection = [1, 0, 0]\npolarisation = "p"\n', SECTIONS)
    assert np.allclose(a[0], b["cross_sections/extinction"][:], rtol=1e-8)
    assert (a[1] < 1e-6).all()


def test_cylinders(tmp_path):
    """Extinction width of a dielectric cylinder across, E along its axis: 4 / k Re sum b_n (Bohren and Huffman, 8.36)."""
    special = pytest.importorskip("scipy.special")
    rod = '[[particle]]\nshape = "cylinder"\nradius = "100 nm"\nmaterial = { n = 2.0, k = 0.0 }\n'
    f = result(tmp_path, rod, SWEEP, '[illumination]\ndirection = [1, 0, 0]\npolarisation = "p"\n', SECTIONS)
    for k, got in zip(f["sweep/k0"][:], f["cross_sections/extinction"][:]):
        x, m, n = k * 100e-9, 2.0, np.arange(-20, 21)
        j, jp, h, hp = (g(n, x) for g in (special.jv, special.jvp, special.hankel1, special.h1vp))
        jm, jmp = special.jv(n, m * x), special.jvp(n, m * x)
        b = (jm * jp - m * jmp * j) / (jm * hp - m * jmp * h)
        assert got == pytest.approx(4 / k * b.sum().real, rel=1e-9)
    assert f["cross_sections/extinction"].attrs["units"] == "m"
    two = rod + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [0.0, 260.0, 0.0]]\n'
    f = result(tmp_path, two, SWEEP, '[illumination]\ndirection = [1, 0, 0]\npolarisation = "s"\n',
               '[output]\nquantities = ["cross_sections", { name = "near_field", size = "1 um", pixels = 15 }]\n')
    assert np.allclose(f["cross_sections/extinction"][:], f["cross_sections/scattering"][:], rtol=1e-9)
    assert (f["sweep/change"][:] < 1e-10).all() and np.isfinite(f["near_field/E"][0, 0, 0]).all()


# ---- T-matrices ----


def test_tmatrix_comes_back(tmp_path):
    light = '[illumination]\ndirection = [1, 2, 3]\npolarisation = "left"\n'
    wanted = '[output]\nquantities = ["cross_sections", "tmatrix"]\n'
    f = result(tmp_path, SPHERE, SWEEP, light, wanted)
    extinction = f["cross_sections/extinction"][:]
    lmax = int(f["sweep/lmax"][0])
    assert f["tmatrix/tmatrix"].shape == (5, 2 * lmax * (lmax + 2), 2 * lmax * (lmax + 2))
    assert list(f["tmatrix/modes/polarization"][:2]) == [b"positive", b"negative"]
    f.close()
    (tmp_path / "a.h5").rename(tmp_path / "own.h5")
    body = '[[particle]]\nshape = "tmatrix_file"\nfile = "own.h5"\nradius = "75 nm"\n'
    again = result(tmp_path, body, SWEEP, light, SECTIONS)
    assert np.allclose(again["cross_sections/extinction"][:], extinction, rtol=1e-10)
    off = SWEEP.replace("500 nm", "501 nm")
    code, checked, _ = check(tmp_path, recipe(body, off, SECTIONS))
    assert code == 3 and "nearest is at 500 nm" in checked["faults"][0]["problem"]
    assert checked["faults"][0]["key"] == "particle.0.file"


@pytest.mark.parametrize("name", sorted(p.name for p in (GOLDEN / "tmat").glob("*.h5")))
def test_info_reads_every_published_file(name):
    done = run("info", GOLDEN / "tmat" / name)
    assert done.returncode == 0, done.stderr
    assert "tmat.h5" in done.stdout and "modes" in done.stdout


def test_published_file_as_a_particle(tmp_path):
    """An achiral sphere of 75 nm, eps 15.5 + 0.12i, at 600 nm, written by another program with lmax = 2."""
    body = f'[[particle]]\nshape = "tmatrix_file"\nfile = "{GOLDEN / "tmat/rs_sphere_helicity.tmat.h5"}"\n'
    line = '[sweep]\nwavelength = "600 nm"\n'
    a = result(tmp_path, body, line, SECTIONS)["cross_sections/extinction"][0]
    b = result(tmp_path, SPHERE, line, SECTIONS, "[numerics]\nlmax = 2\n")["cross_sections/extinction"][0]
    assert a == pytest.approx(b, rel=1e-12)
    assert a == pytest.approx(143373.97883867414e-18, rel=1e-12)  # of the file's manifest


def test_own_files_are_read_by_others(tmp_path):
    """The group tmatrix of a result, and a file of the library's own, in treams-rs: k0, medium, modes, positions and values."""
    peer = pytest.importorskip("treams_rs", reason="treams-rs is not here")
    pair = SPHERE + 'unit = "nm"\npositions = [[-90.0, 0.0, 10.0], [100.0, 20.0, 0.0]]\n'
    for medium in ("{ n = 1.33 }", "{ re = 1.7, im = 0.0, mu = 1.1, kappa = 0.05 }"):
        result(tmp_path, pair, f"[medium]\nmaterial = {medium}\n", '[sweep]\nwavelength = ["550 nm", "600 nm"]\n[numerics]\nlmax = 2\n',
               '[output]\nquantities = ["tmatrix"]\n').close()
        with h5py.File(tmp_path / "a.h5") as f, h5py.File(tmp_path / "t.tmat.h5", "w") as out:
            for name in f["tmatrix"]:
                f.copy(f["tmatrix"][name], out, name)
        with h5py.File(tmp_path / "a.h5") as f:
            values, k0 = f["tmatrix/tmatrix"][:], f["sweep/k0"][:]
            degree, order, index = (f[f"tmatrix/modes/{name}"][:] for name in ("l", "m", "position_index"))
            epsilon, kappa = f["tmatrix/embedding/relative_permittivity"][0], f["tmatrix/embedding/chirality"][0]
        read = np.ravel(peer.io.load_hdf5(str(tmp_path / "t.tmat.h5"), lunit="nm"))
        assert len(read) == 2
        for i, t in enumerate(read):
            assert t.k0 == pytest.approx(k0[i] * 1e-9, rel=1e-14)
            assert (np.asarray(t.array) == values[i]).all()
            assert (np.asarray(t.basis.l) == degree).all() and (np.asarray(t.basis.m) == order).all()
            assert (np.asarray(t.basis.pidx) == index).all()
            assert np.allclose(t.basis.positions, [[-90, 0, 10], [100, 20, 0]], rtol=1e-14)
            assert t.material.epsilon == epsilon and t.material.kappa == kappa


def test_several_lights(tmp_path):
    """Every theta with every polarisation in one run: each as in a run of its own."""
    pair = SPHERE + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [170.0, 20.0, 40.0]]\n'
    wanted = '[output]\nquantities = ["cross_sections", { name = "far_field", pixels = 13 }, { name = "near_field", pixels = 7 }]\n'
    light = '[illumination]\nangles = {{ theta = {}, phi = "25 deg" }}\npolarisation = {}\n'
    numerics = '[numerics]\nlmax = 4\nsolver = "{}"\n'
    for solver in ("dense", "gmres"):
        many = result(tmp_path, pair, SWEEP, wanted, numerics.format(solver),
                      light.format('{ start = "0 deg", stop = "60 deg", num = 3 }', '["left", "s"]'))
        assert many["cross_sections/extinction"].shape == (5, 6) and many["near_field/E"].shape == (5, 6, 7, 7, 3)
        assert list(many["illumination/polarisation"].asstr()) == ["left", "s"] * 3
        assert np.allclose(np.degrees(many["illumination/angles"][:, 0]), [0, 0, 30, 30, 60, 60])
        for i, (theta, word) in enumerate((t, w) for t in (0, 30, 60) for w in ("left", "s")):
            one = result(tmp_path, pair, SWEEP, wanted, numerics.format(solver), light.format(f'"{theta} deg"', f'"{word}"'))
            for name in ("cross_sections/extinction", "cross_sections/absorption_particle", "cross_sections/extinction_magnetic",
                         "far_field/amplitude", "far_field/differential", "near_field/E", "near_field/H", "convergence/scattering"):
                assert np.allclose(many[name][:, i], one[name][:], rtol=1e-9, atol=1e-9 * abs(one[name][:]).max()), (name, i)


def test_layered_sphere_inside(tmp_path):
    """What is lost inside of a sphere of two layers, k0 Im epsilon |E|^2 over the cells of a plane, is what the recipe absorbs: by a
    sum over a fine plane of a body of revolution in light along its axis and both polarisations."""
    body = ('[[particle]]\nshape = "core_shell"\nradii = ["50 nm", "80 nm"]\nmaterials = [{ re = 4.0, im = 0.6 }, { re = 2.2, im = 0.3 }]\n')
    f = result(tmp_path, body, '[sweep]\nwavelength = "600 nm"\n[illumination]\npolarisation = ["x", "y"]\n',
               '[output]\nquantities = ["cross_sections", { name = "near_field", plane = "y = 0 nm", size = "170 nm", pixels = 341 }]\n')
    x, z, E, k0 = f["near_field/x"][:], f["near_field/z"][:], f["near_field/E"][0], f["near_field/k0"][0]
    rho, r = abs(x)[None, :], np.hypot(x[None, :], z[:, None])
    loss = np.where(r < 50e-9, 0.6, np.where(r < 80e-9, 0.3, 0.0))
    # |E|^2 of x-light goes as cos^2 and sin^2 of the azimuth: its mean over it is that of x- and y-light in one plane
    square = (abs(E[0]) ** 2 + abs(E[1]) ** 2).sum(-1) / 2
    lost = k0 * (loss * square * np.pi * rho).sum() * (x[1] - x[0]) * (z[1] - z[0])
    assert lost == pytest.approx(f["cross_sections/absorption"][0, 0], rel=5e-3)  # pixels on the edges


def test_far_field_of_cylinders(tmp_path):
    """It carries the scattered width; the forward amplitude is that of the extinction."""
    rods = ('[[particle]]\nshape = "cylinder"\nradius = "80 nm"\nmaterial = { n = 3.0, k = 0.2 }\nunit = "nm"\n'
            'positions = [[0, 0, 0], [200, 60, 0]]\n')
    for theta in (90, 60):
        f = result(tmp_path, rods, SWEEP, f'[illumination]\nangles = {{ theta = "{theta} deg", phi = "30 deg" }}\npolarisation = "left"\n',
                   '[output]\nquantities = ["cross_sections", { name = "far_field", pixels = 181 }]\n')
        d, sine = f["far_field/differential"][:, :-1], np.sin(np.radians(theta))
        assert np.allclose(d.sum(1) * 2 * np.pi / 180, f["cross_sections/scattering"][:], rtol=1e-9)
        k = f["sweep/k0"][:]
        forward = f["far_field/amplitude"][:, 0, 1]
        extinction = -4 / k * np.sqrt(np.pi * k * sine / 2) * (forward * np.exp(0.25j * np.pi)).real
        assert np.allclose(extinction, f["cross_sections/extinction"][:], rtol=1e-9)


# ---- what is refused, by name, before anything is written ----

PAIR = '[[particle]]\nshape = "sphere"\nradius = "50 nm"\nmaterial = { n = 2.0 }\nunit = "nm"\npositions = [[0, 0, 0], [%s, 0, 0]]\n'
REFUSED = [
    (PAIR % "96.8", "particle.0.positions", "E_GEOMETRY", "spheres 0 and 1 overlap by 3.2 nm"),
    (PAIR % "0", "particle.0.positions", "E_GEOMETRY", "spheres 0 and 1 have the same centre"),
    (SPHERE + '[medium]\nmaterial = { n = 1.33, k = 0.05 }\n', "medium.material", "E_PHYSICS", "no far-field cross section"),
    (SPHERE + '[medium]\nmaterial = "Au:Johnson"\n', "medium.material", "E_PHYSICS", "no far-field cross section"),
    ('[[particle]]\nshape = "sphere"\nradius = "50 nm"\nmaterial = { n = 1.4, k = -0.01 }\n', "particle.0.material", "E_RANGE", "gain"),
    ('[[particle]]\nshape = "sphere"\nradius = "50 nm"\nmaterial = "Gold"\n', "particle.0.material", "E_VALUE", "Gold"),
    ('[[particle]]\nshape = "core_shell"\nradii = ["50 nm", "40 nm"]\nmaterials = [{ n = 2.0 }, { n = 1.5 }]\n',
     "particle.0.radii", "E_RANGE", "do not rise"),
    ('[[particle]]\nshape = "core_shell"\nradii = ["40 nm", "50 nm"]\nmaterials = [{ n = 2.0 }]\n', "particle.0.materials", "E_SHAPE",
     "1 materials for 2 radii"),
    ('[[particle]]\nshape = "spheroid"\nsemi_axes = ["40 nm", "50 nm", "60 nm"]\nmaterial = { n = 2.0 }\n', "particle.0.semi_axes",
     "E_RANGE", "three different ones"),
    ('[[particle]]\nshape = "cylinder"\nradius = "40 nm"\nmaterial = { n = 2.0 }\n', "illumination.direction", "E_RANGE", "along the axis"),
    ('[[particle]]\nshape = "tmatrix_file"\nfile = "none.h5"\n', "particle.0.file", "E_RANGE", "no such file"),
    ('[[particle]]\nshape = "chebyshev"\nradius = "50 nm"\nripple = 0.1\nmaterial = { n = 2.0 }\n', "particle.0.waves", "E_MISSING",
     "missing"),
    (SPHERE + '[illumination]\ndirection = [0, 0, 0]\n', "illumination.direction", "E_RANGE", "no length"),
    (SPHERE + '[illumination]\ndirection = [1, 0, 0]\npolarisation = "x"\n', "illumination.polarisation", "E_RANGE",
     "along the direction of the light"),
    (SPHERE + '[run]\nbackend = "ref"\n', "run.backend", "E_CONFLICT", "by the processor alone"),
]


@pytest.mark.parametrize("body,key,code,says", REFUSED)
def test_refusals(tmp_path, body, key, code, says):
    status, checked, _ = check(tmp_path, recipe(body, SWEEP, SECTIONS))
    assert status == 3
    faults = [f for f in checked["faults"] if f["key"] == key]
    assert faults and faults[0]["code"] == code and says in faults[0]["problem"] + faults[0]["hint"], checked["faults"]
    assert faults[0]["line"] > 0 or key == "illumination.direction"
    done = run("run", "a.toml", cwd=tmp_path)
    assert done.returncode == 3 and not (tmp_path / "a.h5").exists()


@pytest.mark.parametrize("other,key", [
    ('[illumination]\ndirection = [1, 0, 0]\npolarisation = "x"\n', "illumination.polarisation"),
    ('[illumination]\ndirektion = [1, 0, 0]\n', "illumination.direktion"),
    ('[numerics]\nlmax = 3.5\n', "numerics.lmax")])
def test_overlaps_are_told_with_other_faults(tmp_path, other, key):
    """Whatever stage of the check another key fails at; not where particles themselves are at fault."""
    status, checked, _ = check(tmp_path, recipe(PAIR % "96.8", SWEEP, SECTIONS, other))
    assert status == 3 and sorted(f["key"] for f in checked["faults"]) == sorted([key, "particle.0.positions"]), checked["faults"]
    _, checked, _ = check(tmp_path, recipe((PAIR % "96.8").replace('"50 nm"', '"50 fs"'), SWEEP, SECTIONS, other))
    assert "E_GEOMETRY" not in [f["code"] for f in checked["faults"]]


def test_more_refusals(tmp_path):
    gold = '[[particle]]\nshape = "sphere"\nradius = "40 nm"\nmaterial = "Au:Johnson"\n'
    _, checked, _ = check(tmp_path, recipe(gold, '[sweep]\nwavelength = "100 nm"\n', SECTIONS))
    assert "data end at" in checked["faults"][0]["problem"] and checked["faults"][0]["key"] == "sweep.wavelength"
    _, checked, _ = check(tmp_path, recipe(SPHERE, '[sweep]\nwavelength = "0 nm"\n', SECTIONS))
    assert checked["faults"][0]["code"] in ("E_RANGE", "E_UNIT", "E_VALUE")
    for plane in ("z = 0", "w = 0 nm", "z 0 nm"):
        wanted = f'[output]\nquantities = [{{ name = "near_field", plane = "{plane}" }}]\n'
        code, checked, _ = check(tmp_path, recipe(SPHERE, SWEEP, wanted))
        assert code == 3 and plane in checked["faults"][0]["problem"]
    (tmp_path / "a.toml").write_text(recipe(SPHERE, SWEEP, '[output]\nquantities = ["transmission"]\n'))
    done = run("run", "a.toml", cwd=tmp_path)
    assert done.returncode == 3 and "transmission of particles alone" in done.stderr
    # an absorbing medium has near fields
    f = result(tmp_path, SPHERE, '[medium]\nmaterial = { n = 1.33, k = 0.05 }\n', SWEEP,
               '[output]\nquantities = [{ name = "near_field", size = "400 nm", pixels = 9 }]\n')
    assert np.isfinite(f["near_field/E"][0, 0, 0]).all()
    done = run("run", "--force", "-s", "run.memory=1 KiB", "a.toml", cwd=tmp_path)
    assert done.returncode == 4 and "needs" in done.stderr


# ---- threads, stopping ----

PLENTY = (SPHERE + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [170.0, 0.0, 0.0], [0.0, 165.0, 40.0]]\n',
          '[sweep]\nwavelength = { start = "500 nm", stop = "700 nm", num = 40 }\n', "[numerics]\nlmax = 4\n",
          '[output]\nquantities = ["cross_sections", "tmatrix", { name = "near_field", size = "500 nm", pixels = 11, wavelengths = '
          '["550 nm", "600 nm"] }]\n')


def datasets(path):
    """What was computed, as bytes."""
    found = {}

    def take(name, d):
        if isinstance(d, h5py.Dataset) and name.split("/")[0] in ("sweep", "cross_sections", "tmatrix", "near_field", "convergence"):
            found[name] = d[()].tobytes() if d.dtype != object else list(d[()])

    with h5py.File(path) as f:
        f.visititems(take)
    assert len(found) > 20
    return found


def test_same_bits_for_every_number_of_threads(tmp_path):
    result(tmp_path, *PLENTY, args=["--threads", 1]).close()
    one = datasets(tmp_path / "a.h5")
    for threads in (2, 5):
        result(tmp_path, *PLENTY, args=["--threads", threads]).close()
        assert datasets(tmp_path / "a.h5") == one


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_run_goes_on(tmp_path, number):
    result(tmp_path, *PLENTY).close()
    whole = datasets(tmp_path / "a.h5")
    process = Paced("run", "--force", "--threads", 1, "a.toml", cwd=tmp_path).until(4)
    process.signal(number)
    code, _, errors = process.end()
    with h5py.File(tmp_path / "a.h5") as f:
        assert f.attrs["complete"] == 0 and len(f["sweep/k0"]) < 40
    if number == signal.SIGINT:
        assert code == 75 and "poynting resume a.h5" in errors
    assert "resume a.h5" in run("info", "a.h5", cwd=tmp_path).stdout
    other = run("resume", "a.h5", "-s", "numerics.lmax=5", cwd=tmp_path)
    assert other.returncode == 4 and "numerics.lmax (4 -> 5)" in other.stderr
    done = run("resume", "--no-plots", "a.h5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert datasets(tmp_path / "a.h5") == whole
    assert "nothing is left to do" in run("resume", "a.h5", cwd=tmp_path).stderr


def test_check_tells_what_will_be_computed(tmp_path):
    code, checked, _ = check(tmp_path, recipe(*PLENTY))
    numbers = {k: v["value"] for k, v in checked["numbers"].items()}
    assert code == 0 and numbers["points"] == 40 and numbers["fields"] == 2 and numbers["particles"] == 3
    assert numbers["lmax_max"] == 4 and numbers["unknowns"] == 3 * 2 * 4 * 6
    assert numbers["size_max"] == pytest.approx(2 * np.pi * 75 / 500)
    result(tmp_path, *PLENTY).close()
    assert os.path.getsize(tmp_path / "a.h5") == pytest.approx(numbers["file_bytes"], rel=0.1)


def test_degrees_are_raised_until_the_results_stand_still(tmp_path):
    close = SPHERE.replace("75 nm", "40 nm") + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [84.0, 0.0, 0.0]]\n'
    f = result(tmp_path, close, '[sweep]\nwavelength = "600 nm"\n', SECTIONS, "[numerics]\ntol = 1e-8\n")
    change, lmax, value = f["sweep/change"][0], int(f["sweep/lmax"][0]), f["cross_sections/extinction"][0]
    assert change < 1e-8 and lmax > 10
    study = f["convergence/extinction"][:]
    assert (np.diff(abs(study - value))[:8] < 0).all()
    more = result(tmp_path, close, '[sweep]\nwavelength = "600 nm"\n', SECTIONS, f"[numerics]\nlmax = {lmax + 6}\n")
    assert more["cross_sections/extinction"][0] == pytest.approx(value, rel=1e-8)


def test_old_kernels_of_linear_algebra_are_told_of(tmp_path):
    """Where `poynting backends` advises of the kernels, so does a run; in its log, not in its file."""
    (tmp_path / "a.toml").write_text(recipe(SPHERE, SWEEP, SECTIONS))
    for core in "Prescott", "Haswell":
        env = os.environ | {"OPENBLAS_CORETYPE": core}
        advised = "blas advice: " in run("backends", env=env).stdout
        done = run("run", "--force", "a.toml", cwd=tmp_path, env=env)
        assert done.returncode == 0
        assert ("a: blas advice: these kernels" in done.stderr) == advised, core
        assert "advice" not in run("info", "a.h5", cwd=tmp_path, env=env).stdout
