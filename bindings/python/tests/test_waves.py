"""Bases, lattices, periodic structures, stacks and files, by what has to be so; their numbers stand in test_scatter.py."""
import numpy as np
import pytest

import poynting as po

K0 = 3.0


def test_bases_are_sequences():
    basis = po.SphericalBasis.default(2)
    assert len(basis) == po.SphericalBasis.defaultdim(2) == 16 and basis[0] == (0, 1, -1, 1)
    assert po.SphericalBasis.defaultlmax(16) == 2 and basis.index((0, 2, 1, 0)) == 13 and (0, 3, 0, 0) not in basis
    part = basis[basis.l == 1]
    assert len(part) == 6 and len(basis & part) == 6 and len(basis - part) == 10 and len(part | basis) == 16
    assert part.isdisjoint(basis - part) and basis.count((0, 1, 0, 0)) == 1
    assert {*po.SphericalBasis.ebcm(2, mmax=1)} == {row for row in basis if abs(row[2]) <= 1}
    rods = po.CylindricalBasis.default([0.1, 0.2], 1)
    assert len(rods) == 12 and po.CylindricalBasis.defaultmmax(12, 2) == 1 and rods[0] == (0, 0.1, -1, 1)
    chain = po.CylindricalBasis.diffr_orders(0.1, 0, 2.0, 4.0)
    np.testing.assert_allclose(chain.kz[::2], 0.1 + np.pi * np.array([-1, 0, 1]))
    ports = po.PlaneWavePorts.diffr_orders([0.1, 0.0], po.Lattice.square(2.0), 3.2)
    assert ports[0] == (0.1, 0.0, 1) and len(ports) == 10 and ports.normal_axis == "z" and ports.kz is None
    waves = ports.byunitvector(K0, 2.25)
    np.testing.assert_allclose(np.sum(waves.modes[:, :3] ** 2, axis=1), 1)
    assert waves.bycomp(K0, "xy", 2.25) == po.PlaneWavePorts([(*np.round(c, 12), p) for *c, p in ports]) or np.allclose(
        waves.bycomp(K0, "xy", 2.25).modes, ports.modes)
    np.testing.assert_allclose(np.array(ports.kvecs(K0))[2], np.sqrt(K0**2 - np.sum(ports.components**2, axis=1) + 0j))
    for wrong in (lambda: po.SphericalBasis([(0, 0, 0)]), lambda: po.CylindricalBasis([(0.1, 200, 0)]), lambda: basis.index((0, 9, 0, 0)),
                  lambda: po.PlaneWavePorts([(0, 0, 2)]), lambda: po.PlaneWaveBasis([(1, 1j, 0, 0)]),
                  lambda: po.PlaneWavePorts.default([0, 0], "xz"), lambda: po.SphericalBasis.defaultlmax(7)):
        with pytest.raises(ValueError):
            wrong()


def test_lattices():
    hexagonal = po.Lattice.hexagonal(2.0)
    assert hexagonal.volume == pytest.approx(np.sqrt(12)) and hexagonal.alignment == "xy"
    np.testing.assert_allclose(np.asarray(hexagonal) @ hexagonal.reciprocal.T, 2 * np.pi * np.eye(2), atol=1e-14)
    assert po.Lattice(2.0).alignment == "z" and float(np.asarray(po.Lattice(2.0))) == 2.0
    assert po.Lattice(po.Lattice.orthorhombic(1, 2, 3), "xy") == po.Lattice([1, 2])
    assert po.Lattice(2.0).permute().alignment == "x" and po.Lattice.square(1.0).permute().alignment == "yz"
    assert po.Lattice(2.0, "x").rotate(np.pi / 2).alignment == "y" and po.Lattice(1.0).isdisjoint(po.Lattice.square(1.0))
    k = po.WaveVector([0.1, 0.2])
    assert k[0] == 0.1 and np.isnan(k[2]) and k.permute() == po.WaveVector([np.nan, 0.1, 0.2])
    assert k & po.WaveVector(0.5) == po.WaveVector([0.1, 0.2, 0.5]) and (k | po.WaveVector([0.1, 0.3]))[0] == 0.1
    np.testing.assert_allclose(k.rotate(np.pi / 2).along("xy"), [-0.2, 0.1])
    for wrong in (lambda: po.Lattice([[1, 0], [2, 0]]), lambda: po.Lattice(1.0, "xy"), lambda: po.Lattice.square(1.0).rotate(np.nan),
                  lambda: k & po.WaveVector([0.3, 0.2]), lambda: k.along("z"), lambda: po.Lattice.hexagonal(1.0, 2.0, "xy")):
        with pytest.raises(ValueError):
            wrong()


def array_and_ports(absorbing=0.0, lmax=3):
    cell = po.Cluster([po.sphere_tmatrix(k0=K0, lmax=lmax, radius=r, material=4 + 1j * absorbing) for r in (0.2, 0.15)],
                      positions=[[0, 0, 0], [0.45, 0.3, 0.1]])
    kpar = [0.3, -0.2]
    ports = po.PlaneWavePorts.diffr_orders(kpar, po.Lattice.square(0.9), 7.0)
    return po.solve_periodic(cell, lattice=po.Lattice.square(0.9), kpar=kpar).to_smatrix(ports), ports


def test_power_is_conserved():
    """Lossless arrays and layers pass on all power, absorbing ones not; both ways of a stack have one transmission."""
    array, ports = array_and_ports()
    layer = po.slab(basis=ports, k0=K0, thickness=0.3, material=2.25)
    gap = po.propagation(basis=ports, k0=K0, distance=0.4)
    light = po.plane_wave([0.3, -0.2, np.sqrt(K0**2 - 0.13)], [0.6, 0.8j], k0=K0)
    for network in (array, layer, po.stack([array, gap, layer])):
        shares = network.power(light)
        assert shares.transmission + shares.reflection == pytest.approx(1, abs=1e-12) and abs(shares.absorption) < 1e-12
    assert array_and_ports(0.5)[0].power(light).absorption > 0.01
    orders = array.order_powers(light)
    assert np.sum(orders.transmission) == pytest.approx(array.power(light).transmission, rel=1e-12)
    whole = po.stack([layer, gap, array])
    again = layer.add(gap).add(array)
    np.testing.assert_allclose(whole.array, again.array, atol=1e-13)
    np.testing.assert_allclose(gap.double(2).array, po.propagation(basis=ports, k0=K0, distance=1.6).array, atol=1e-13)
    np.testing.assert_allclose(layer.translate([0.1, 0.2, 0]).translate([-0.1, -0.2, 0]).array, layer.array, atol=1e-13)
    np.testing.assert_allclose(layer.rotate(0.3).rotate(-0.3).array, layer.array, atol=1e-13)
    np.testing.assert_allclose(layer.permute(3).array, layer.array, atol=1e-13)
    np.testing.assert_allclose(layer.changepoltype().changepoltype().array, layer.array, atol=1e-13)


def test_slab_is_fresnels():
    """Normal incidence on a plate: r = (1 - n^2)(e^{2 i n k d} - 1) / ((1 + n)^2 - (1 - n)^2 e^{2 i n k d}) up to its sign, by
    summing both reflections (Born & Wolf, 7.6)."""
    ports = po.PlaneWavePorts.default([0, 0])
    n, d = 1.5, 0.37
    turn = np.exp(2j * n * K0 * d)
    r = (1 - n**2) * (1 - turn) / ((1 + n) ** 2 - (1 - n) ** 2 * turn)
    plate = po.slab(basis=ports, k0=K0, thickness=d, material=n**2)
    light = po.plane_wave([0, 0, 1], "positive_helicity", k0=K0)
    assert plate.power(light).reflection == pytest.approx(abs(r) ** 2, rel=1e-12)
    assert plate.power(po.plane_wave([0, 0, -1], 0, k0=K0)).reflection == pytest.approx(abs(r) ** 2, rel=1e-12)
    faces = [po.interface(basis=ports, k0=K0, negative_medium=a, positive_medium=b) for a, b in ((1, n**2), (n**2, 1))]
    inside = po.propagation(basis=ports, k0=K0, distance=d, medium=n**2)
    np.testing.assert_allclose(po.stack([faces[0], inside, faces[1]]).array, plate.array, atol=1e-13)
    waves = plate.bands(period=d).wavenumbers  # vacuum around: the crystal of plates is plain glass
    assert np.min(np.abs(waves - n * K0)) < 1e-10


def test_waves_of_an_array_are_its_ports():
    """Far above an array its scattered field is that of the ports; the incident wave goes on beside it."""
    array, ports = array_and_ports(0.1)
    light = po.plane_wave([0.3, -0.2, np.sqrt(K0**2 - 0.13)], "positive_helicity", k0=K0)
    out = array.scatter(negative=light)
    assert out.positive.kind == "up" and out.negative.kind == "down"
    up, down = array.illuminate(light)
    np.testing.assert_allclose(out.positive.coefficients, up)
    point = np.array([[0.1, 0.2, 1.5]])
    total = out.positive.efield(point)
    one = sum(c * po.Wave(np.eye(len(ports))[i], basis=ports, k0=K0, kind="up").efield(point)
              for i, c in enumerate(up))
    np.testing.assert_allclose(total, one, rtol=1e-12)
    assert down.shape == (len(ports),)


def test_fields_obey_maxwell():
    """curl E = i k0 c B and curl (Z_0 H) = -i k0 D / epsilon_0 by central differences, in a chiral medium."""
    medium = po.Material(2.0, 1.2, 0.15)
    wave = po.sphere_tmatrix(k0=1.0, lmax=2, radius=0.5, material=4, medium=medium).scatter(
        po.plane_wave([0, 0.2, 1], 0, k0=1.0, medium=medium))
    at, h = np.array([1.0, 0.7, -0.4]), 1e-4

    def curl(field):
        d = [(field(at + h * e) - field(at - h * e)) / (2 * h) for e in np.eye(3)]
        return np.array([d[1][2] - d[2][1], d[2][0] - d[0][2], d[0][1] - d[1][0]])

    np.testing.assert_allclose(curl(wave.efield), 1j * wave.bfield(at), rtol=1e-6)
    np.testing.assert_allclose(curl(wave.hfield), -1j * wave.dfield(at), rtol=1e-6)


def test_fields_in_frameworks(framework):
    """All fields of a scattered wave by the record of E and weights are those of the engine, and have derivatives."""
    medium = po.Material(2.0, 1.2, 0.15)
    light = po.plane_wave([0, 0.2, 1], 0, k0=1.0, medium=medium)
    points = np.array([[1.0, 0.7, -0.4], [0.2, -1.0, 0.6]])

    def energy(radius, which, like=None):
        wave = po.sphere_tmatrix(k0=1.0, lmax=2, radius=radius, material=4, medium=medium).scatter(light)
        field = getattr(wave, which)(points)
        return (abs(field) ** 2).sum()

    for which in ("efield", "hfield", "dfield", "bfield"):
        value, (slope,) = framework.value_and_grad(lambda r, w=which: energy(r, w), np.array(0.5))
        assert value == pytest.approx(energy(0.5, which), rel=1e-12), which
        assert slope == pytest.approx((energy(0.5 + 1e-5, which) - energy(0.5 - 1e-5, which)) / 2e-5, rel=1e-6), which


def test_arrays_in_frameworks(framework):
    """Transmission of light from below through an array of pairs of spheres on a plate: to the radius, k0, a position and the
    thickness of the plate."""
    ports = po.PlaneWavePorts.default([0, 0])
    def transmission(radius, k0, places, thickness):
        spheres = [po.sphere_tmatrix(k0=k0, lmax=2, radius=r, material=6.0) for r in (radius, 0.15)]
        cell = po.Cluster(spheres, positions=places)
        array = po.solve_periodic(cell, lattice=po.Lattice.square(0.9), kpar=[0, 0]).to_smatrix(ports)
        plate = po.slab(basis=ports, k0=k0, thickness=thickness, material=2.25)
        whole = po.stack([array, po.propagation(basis=ports, k0=k0, distance=0.5), plate])
        return whole.power(po.plane_wave([0, 0, 1], "positive_helicity", k0=k0)).transmission

    at = [np.array(v) for v in (0.2, K0, [[0, 0, 0], [0.45, 0.35, 0.15]], 0.3)]
    value, slopes = framework.value_and_grad(transmission, *at)
    assert value == pytest.approx(transmission(*at), rel=1e-11)
    for i, (slope, direction) in enumerate(zip(slopes, (1.0, 1.0, np.array([[0, 0, 0], [0, 1.0, 1.0]]), 1.0))):
        up, down = ([v + h * direction if i == j else v for j, v in enumerate(at)] for h in (1e-5, -1e-5))
        assert np.sum(slope * direction) == pytest.approx((transmission(*up) - transmission(*down)) / 2e-5, rel=1e-5), i


def test_chains_and_gratings_in_frameworks(framework):
    """The same of a chain of spheres as a rod, and of a grating of such rods; and Bloch waves of a crystal of plates."""
    ports = po.PlaneWavePorts.default([0, 0])

    def reflection(radius):
        sphere = po.sphere_tmatrix(k0=K0, lmax=2, radius=radius, material=6.0)
        rod = po.solve_periodic(sphere, lattice=0.7, kpar=[0.0]).to_cylindrical(po.CylindricalBasis.default([0.0], 2))
        grating = po.solve_periodic(rod, lattice=0.8, kpar=[0.0]).to_smatrix(orders=[0])
        return grating.power(po.plane_wave([0, 1, 0], 0, k0=K0)).reflection

    value, (slope,) = framework.value_and_grad(reflection, np.array(0.25))
    assert value == pytest.approx(reflection(0.25), rel=1e-11)
    assert slope == pytest.approx((reflection(0.25 + 1e-5) - reflection(0.25 - 1e-5)) / 2e-5, rel=1e-5)

    def wavenumbers(thickness):
        return (abs(po.slab(basis=ports, k0=K0, thickness=thickness, material=(4.0, 1.0, 0.2)).bands(period=0.7).wavenumbers) ** 2).sum()

    value, (slope,) = framework.value_and_grad(wavenumbers, np.array(0.3))
    assert value == pytest.approx(wavenumbers(0.3), rel=1e-9)
    assert slope == pytest.approx((wavenumbers(0.3 + 1e-5) - wavenumbers(0.3 - 1e-5)) / 2e-5, rel=1e-5)


def test_files(tmp_path):
    """What is written is what is read; files of what does not fit are refused."""
    shell = po.multilayer_sphere_tmatrix(k0=0.01, lmax=2, radii=[50.0, 80.0], materials=[4, 2 + 0.1j], medium=1.7)
    path = tmp_path / "one.tmat.h5"
    po.io.save_hdf5(path, shell, name="shell", lunit="nm")
    back = po.io.load_hdf5(path, lunit="nm")
    np.testing.assert_allclose(back.array, shell.array, rtol=1e-14, atol=1e-300)
    assert back.k0 == pytest.approx(0.01) and complex(back.medium.epsilon) == 1.7 and back.basis == shell.basis
    assert po.io.load_hdf5(path, lunit="um").k0 == pytest.approx(10.0)
    sweep = [po.sphere_tmatrix(k0=k, lmax=1, radius=50.0, material=4) for k in (0.01, 0.012)]
    po.io.save_hdf5(tmp_path / "two.tmat.h5", sweep)
    assert [t.k0 for t in po.io.load_hdf5(tmp_path / "two.tmat.h5")] == pytest.approx([0.01, 0.012])
    with pytest.raises(OSError):
        po.io.load_hdf5(tmp_path / "none.h5")
    with pytest.raises(ValueError, match="lunit"):
        po.io.load_hdf5(path, lunit="furlong")
    with pytest.raises(TypeError, match="spherical"):
        po.io.save_hdf5(path, po.cylinder_tmatrix(k0=1.0, kz=0.0, mmax=1, radius=0.2, material=2))


def test_wrong_structures():
    array, ports = array_and_ports(lmax=1)
    layer = po.slab(basis=ports, k0=K0, thickness=0.3, material=2.25)
    rod = po.cylinder_tmatrix(k0=K0, kz=0.0, mmax=1, radius=0.2, material=4)
    sphere = po.sphere_tmatrix(k0=K0, lmax=1, radius=0.2, material=4)
    chiral = po.Material(2, 1, 0.1)
    for error, match, wrong in (
        (ValueError, "same ports", lambda: layer.add(po.slab(basis=po.PlaneWavePorts.default([0, 0]), k0=K0, thickness=1, material=2))),
        (ValueError, "k0", lambda: layer.add(po.slab(basis=ports, k0=2.0, thickness=1, material=2))),
        (ValueError, "put an interface", lambda: layer.add(po.propagation(basis=ports, k0=K0, distance=1, medium=2))),
        (ValueError, "modes of the basis", lambda: layer.power(po.plane_wave([0, 0, 1], 0, k0=K0))),
        (ValueError, "goes up", lambda: layer.power(po.plane_wave([0.3, -0.2, np.sqrt(K0**2 - 0.13)], 0, k0=K0), side="positive")),
        (ValueError, "period needs", lambda: po.interface(basis=ports, k0=K0, negative_medium=1, positive_medium=2).bands(period=1)),
        (ValueError, "one for each", lambda: po.multilayer_slab(basis=ports, k0=K0, thicknesses=[1, 2], materials=[2])),
        (ValueError, "chiral", lambda: po.slab(basis=ports, k0=K0, thickness=1, material=2, positive_medium=chiral,
                                               polarization="parity")),
        (ValueError, "diffraction order", lambda: po.solve_periodic(sphere, lattice=po.Lattice.square(0.9), kpar=[0, 0]).to_smatrix(ports)),
        (ValueError, "along", lambda: po.solve_periodic(sphere, lattice=po.Lattice(0.9, "x"), kpar=[0])),
        (ValueError, "none", lambda: po.solve_periodic(sphere, lattice=0.9, kpar=[0]).to_smatrix(ports)),
        (ValueError, "TMatrix", lambda: po.Cluster([sphere, rod], positions=[[0, 0, 0], [1, 0, 0]])),
        (ValueError, "one place", lambda: po.Cluster([rod, rod], positions=[[0, 0, 0], [0, 0, 1]])),
        (ValueError, "theta", lambda: rod.rotate(0.1, 0.2)),
        (TypeError, "permute", lambda: sphere.permute()),
        (ValueError, "regular or singular", lambda: po.spherical_wave(1, 0, 0, k0=1.0, kind="up")),
        (ValueError, "points", lambda: sphere.scatter(po.plane_wave([0, 0, 1], 0, k0=K0)).efield([1.0, 2.0])),
        (ValueError, "fit", lambda: po.TMatrix(np.eye(6), k0=1.0, basis=po.SphericalBasis.default(2))),
        (TypeError, "SphericalBasis", lambda: po.TMatrix(np.eye(6), k0=1.0, basis=rod.basis)),
    ):
        with pytest.raises(error, match=match):
            wrong()
    assert array.power(np.eye(len(ports))[0]).transmission > 0  # all of it still works
