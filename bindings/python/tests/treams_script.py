"""What a user of treams-rs writes; only the import differs. `python treams_script.py > treams_rs.json` with treams-rs 0.2.2 writes
the numbers that the tests compare with."""
import json

import numpy as np

POSITIONS = [[0, 0, 0], [0.6, 0.1, 0.2], [-0.1, 0.7, 0.3]]
POINTS = np.array([[1, 1, 1.0], [0.5, -2, 0.1]])


def particles(tr, out):
    spheres = [tr.sphere_tmatrix(k0=2.0, lmax=2, radius=r, material=e) for r, e in ((0.2, 3 + 0.1j), (0.15, 2.5), (0.1, 4))]
    wave = tr.plane_wave([0, 0.3, 1], "positive_helicity", k0=2.0)
    one = spheres[0].cross_sections(wave)
    out["one"] = one.scattering, one.extinction, one.absorption
    average = spheres[0].average_cross_sections
    out["average"] = average.scattering, average.extinction
    out["duality"] = spheres[0].duality_breaking
    cluster = tr.Cluster(spheres, positions=POSITIONS)
    solved = cluster.solve()
    x = solved.cross_sections(wave)
    out["cluster"] = x.scattering, x.extinction
    out["matrix"] = solved.array
    out["factor"] = cluster.factor().scatter(wave).coefficients
    moved = solved.in_basis(tr.SphericalBasis.default(4))
    out["global"] = moved.array
    turned = moved.rotate(0.1, 0.2, 0.3)
    out["turned"] = turned.array
    average = turned.average_cross_sections
    out["turned average"] = average.scattering, average.extinction
    out["cd"] = turned.circular_dichroism
    linear = tr.plane_wave([0, 0, 1], [1, 0, 0], k0=2.0)
    out["linear"] = solved.scatter(linear).coefficients
    shell = tr.multilayer_sphere_tmatrix(k0=2.0, lmax=3, radii=[0.2, 0.3], materials=[(2.5, 1, 0.1), 4 + 0.2j], medium=1.7)
    inside = tr.plane_wave_angle(0.3, 0.4, 0, k0=2.0, medium=1.7)
    x = shell.cross_sections(inside)
    out["shell"] = x.scattering, x.extinction
    parity = tr.sphere_tmatrix(k0=2.0, lmax=2, radius=0.2, material=3 + 0.1j, polarization="parity")
    out["parity"] = parity.xs(tr.plane_wave_angle(0.3, 0.4, 1, k0=2.0, polarization="parity"))
    out["changed"] = spheres[0].with_polarization("parity").array
    out["translated"] = spheres[0].translate([0.1, 0.2, -0.1]).array
    out["selected"] = spheres[0].select(tr.SphericalBasis.default(1)).array
    out["sphere"] = tr.TMatrix.sphere(2, 2.0, [0.2], [3, 1.2]).array


def fields(tr, out):
    chiral = tr.Material(1.5, 1.1, 0.1)
    sphere = tr.sphere_tmatrix(k0=2.0, lmax=3, radius=0.3, material=3 + 0.1j, medium=chiral)
    wave = tr.plane_wave([0.1, 0.3, -1], [0.3, 0.8j], k0=2.0, medium=chiral)
    scattered = sphere.scatter(wave)
    for light, name in ((wave, "plane "), (scattered, "scattered ")):
        for field in ("efield", "hfield", "dfield", "bfield"):
            out[name + field] = getattr(light, field)(POINTS)
        for field in ("gfield", "ffield"):
            for pol in (0, 1):
                out[f"{name}{field} {pol}"] = getattr(light, field)(pol, POINTS)
    evanescent = tr.plane_wave([0.5, 0, 1.2j], 0, k0=1.0)
    out["evanescent k"] = evanescent.kvecs
    out["evanescent"] = evanescent.efield(POINTS)
    out["evanescent H"] = evanescent.hfield(POINTS)
    out["evanescent in multipoles"] = evanescent.in_basis(tr.SphericalBasis.default(2)).coefficients
    one = tr.spherical_wave(2, 1, 0, k0=2.0, kind="singular")
    out["one multipole"] = one.efield(POINTS)
    out["moved multipole"] = tr.spherical_wave(1, 1, 0, k0=2.0).in_basis(
        tr.SphericalBasis.default(2, positions=[[0.1, 0.2, 0.3]])).coefficients
    out["parity field"] = wave.in_basis(tr.SphericalBasis.default(6)).efield(0.1 * POINTS)
    columns = tr.Wave(np.eye(6, 2) + 1j, basis=tr.SphericalBasis.default(1), k0=2.0, kind="singular")
    out["two illuminations"] = columns.efield(POINTS)


def cylinders(tr, out):
    rods = [tr.cylinder_tmatrix(k0=2.0, kz=[0.0, 0.3], mmax=2, radius=r, material=e) for r, e in ((0.2, 3 + 0.1j), (0.15, 2.5))]
    wave = tr.plane_wave([1, 0.3, 0], [0.6, 0.8j], k0=2.0)
    x = rods[0].cross_widths(wave)
    out["rod"] = x.scattering, x.extinction
    average = rods[0].average_cross_widths
    out["rod average"] = average.scattering, average.extinction
    out["rod matrix"] = rods[0].array
    out["krhos"] = rods[0].krhos
    both = tr.Cluster(rods, positions=[[0, 0, 0], [0.6, 0.2, 0]]).solve()
    out["rods"] = both.array
    out["rods field"] = both.scatter(wave).efield(POINTS)
    out["rods together"] = both.in_basis(tr.CylindricalBasis.default([0.0, 0.3], 3)).array
    out["turned rod"] = both.in_basis(tr.CylindricalBasis.default([0.0], 2)).rotate(0.3).array
    shell = tr.multilayer_cylinder_tmatrix(k0=2.0, kz=0.1, mmax=1, radii=[0.1, 0.2], materials=[2, 3], medium=1.3)
    out["pipe"] = shell.array
    out["cylindrical wave"] = tr.cylindrical_wave(0.3, 1, 0, k0=2.0, kind="singular").efield(POINTS)
    out["as multipoles"] = tr.cylindrical_wave(0.3, 1, 0, k0=2.0).in_basis(tr.SphericalBasis.default(3)).coefficients


def arrays(tr, out):
    k0 = 3.0
    lattice = tr.Lattice.square(0.9)
    cell = tr.Cluster([tr.sphere_tmatrix(k0=k0, lmax=2, radius=r, material=4 + 0.1j) for r in (0.15, 0.12)],
                      positions=[[0, 0, 0], [0.4, 0.1, 0.2]])
    response = tr.solve_periodic(cell, lattice=lattice, kpar=[0.2, 0.1])
    out["response"] = response.array
    ports = tr.PlaneWavePorts.diffr_orders([0.2, 0.1], lattice, 7.1)
    out["orders"] = ports.components
    array = response.to_smatrix(ports)
    out["array"] = array.array
    out["array by orders"] = response.to_smatrix(orders=[[0, 0], [1, 0]]).array
    kz = np.sqrt(k0**2 - 0.05)
    wave = tr.plane_wave([0.2, 0.1, kz], "positive_helicity", k0=k0)
    out["array power"] = tuple(array.power(wave))
    out["array from above"] = tuple(array.power(tr.plane_wave([0.2, 0.1, -kz], [0.6, 0.8], k0=k0)))
    out["array cd"] = tuple(array.circular_dichroism(wave))
    both = array.scatter(negative=wave)
    out["array waves"] = both.positive.coefficients, both.negative.coefficients
    local = response.scatter(wave)
    out["cell"] = local.coefficients
    out["cell upwards"] = local.in_basis(ports, kind="up").coefficients
    hexagonal = tr.Lattice.hexagonal(0.8)
    out["hexagonal"] = tr.solve_periodic(tr.sphere_tmatrix(k0=k0, lmax=2, radius=0.2, material=3.0), lattice=hexagonal,
                                         kpar=[0, 0]).to_smatrix(tr.PlaneWavePorts.default([0, 0])).array
    chain = tr.solve_periodic(tr.sphere_tmatrix(k0=k0, lmax=2, radius=0.2, material=3.0), lattice=0.9, kpar=[0.3])
    out["chain"] = chain.array
    rod = chain.to_cylindrical(tr.CylindricalBasis.diffr_orders(0.3, 2, 0.9, 0.1))
    out["chain as a rod"] = rod.array
    grating = tr.solve_periodic(rod, lattice=0.7, kpar=[0.1])
    out["grating of chains"] = grating.to_smatrix(orders=[0, -1]).array
    simple = tr.sphere_tmatrix(k0=k0, lmax=2, radius=0.2, material=3.0)
    out["latticeinteraction"] = simple.latticeinteraction.solve(tr.Lattice.square(0.9), [0.1, 0.0])
    crystal = tr.solve_periodic(simple, lattice=tr.Lattice.cubic(0.9), kpar=[0.1, 0.2, 0.3])
    out["crystal"] = crystal.array


def stacks(tr, out):
    k0 = 3.0
    ports = tr.PlaneWavePorts.default([[0.2, 0.1], [0.2 + 2 * np.pi / 0.9, 0.1]])
    glass, chiral = tr.Material(2.25), tr.Material(2.3 + 0.08j, 1, 0.2 + 0.01j)
    kz = np.sqrt(k0**2 - 0.05)
    wave = tr.plane_wave([0.2, 0.1, kz], "positive_helicity", k0=k0)
    face = tr.interface(basis=ports, k0=k0, negative_medium=1, positive_medium=glass)
    out["interface"] = face.array
    layer = tr.slab(basis=ports, k0=k0, thickness=0.2, material=chiral)
    out["slab"] = layer.array
    out["slab power"] = tuple(layer.power(wave)), layer.tr(wave)
    out["slab cd"] = layer.cd(wave)
    layers = tr.multilayer_slab(basis=ports, k0=k0, thicknesses=[0.1, 0.3], materials=[4, glass], positive_medium=glass)
    out["layers"] = layers.array
    gap = tr.propagation(basis=ports, k0=k0, distance=0.3)
    out["gap"] = gap.array
    array = tr.solve_periodic(tr.sphere_tmatrix(k0=k0, lmax=2, radius=0.2, material=4), lattice=tr.Lattice.square(0.9),
                              kpar=[0.2, 0.1]).to_smatrix(ports)
    whole = tr.stack([layer, gap, array, gap, layers])
    out["stack"] = whole.array
    out["stack power"] = tuple(whole.power(wave))
    out["stack add"] = layer.add(array).array
    out["double"] = layer.double(2).array
    out["parity"] = layer.double(0).array, tr.slab(basis=ports, k0=k0, thickness=0.2, material=3).changepoltype("parity").array
    out["illuminate"] = layer.illuminate(np.eye(4)[0], smat=array)
    out["illuminate both"] = layer.illuminate(np.eye(4)[0], np.eye(4)[1])
    out["transfer"] = tr.slab(basis=tr.PlaneWavePorts.default([0.2, 0.1]), k0=k0, thickness=0.2, material=3).periodic()
    bands = 0.9 * array.bands(period=0.9).wavenumbers  # in pairs, in any order
    out["bands"] = np.sort(np.cos(bands[np.abs(bands.imag) < 3]).real)
    out["translate"] = layer.translate([0.1, 0.2, 0.3]).array
    turned = layer.rotate(0.3)
    out["rotate"], out["rotated ports"] = turned.array, turned.basis.components
    out["permute"] = layer.permute().array
    out["block"] = np.asarray(layer.block("up", "up").array), np.asarray(layer["up", "down"])
    out["k of ports"] = ports.kvecs(k0, glass, "down")


def named_sums(tr, out):
    """Lattice sums by dimension, whole, in parts and by shells."""
    cells = {1: 1.1, 2: np.array([[1.0, 0.1], [0.2, 1.3]]), 3: np.diag([1.0, 1.2, 0.9])}
    waves = {1: 0.3, 2: np.array([0.3, 0.1]), 3: np.array([0.3, 0.1, -0.2])}
    for prefix, last in (("lsum", 0), ("realsum", 0.9), ("recsum", 0.9), ("dsum", 2)):
        for kind, shift in (("sw1d", 0.2), ("sw1d_shift", [0.1, 0.2, 0.3]), ("sw2d", [0.1, 0.2]), ("sw2d_shift", [0.1, 0.2, 0.3]),
                            ("sw3d", [0.1, 0.2, 0.3]), ("cw1d", 0.2), ("cw1d_shift", [0.2, 0.1]), ("cw2d", [0.1, 0.2])):
            dim, shift = int(kind[2]), np.asarray(shift)
            labels = (2,) if kind == "sw1d" else (3, 1) if kind.startswith("sw") else (1,)
            out[prefix + kind] = getattr(tr.lattice, prefix + kind)(*labels, 1.7 + (0.1j if prefix in ("lsum", "dsum") else 0), waves[dim], cells[dim], shift, last)


def objects(tr, out):
    """Operators as objects, matrix-free clusters, factors, surfaces."""
    import importlib

    basis = tr.SphericalBasis.default(2)
    far = tr.SphericalBasis.default(1, positions=[[0.1, 0.2, 0.3]])
    op = importlib.import_module(f"{tr.__name__}.operators")
    row = np.arange(1, 17) + 1j * np.arange(16)[::-1]
    x = op.PhysicsArray(row, basis=basis, k0=2.0, modetype="regular", material=1.5)
    square = np.outer(row, row[::-1]) / 100
    m = op.PhysicsArray(square, basis=basis, k0=2.0, modetype=("singular", "regular"))
    out["Rotate"], out["Rotate of a matrix"] = op.Rotate(0.1, 0.2, 0.3) @ x, m.rotate(0.1, 0.2, 0.3)
    out["rotate of a vector"], out["Rotate back"] = x.rotate(0.1, 0.2), op.Rotate(0.1, 0.2, 0.3).inv(basis=basis)
    out["left, right"] = m.rotate.apply_left(0.3), m.rotate.apply_right(0.3), m.rotate.eval(0.3), m.rotate.eval_inv(0.3)
    out["Translate"], out["translate of a matrix"] = op.Translate([0.1, 0.2, 0.3]) @ x, m.translate([0.1, 0.2, 0.3])
    out["Translate back"] = op.Translate([0.1, 0.2, 0.3]).inv(basis=basis, k0=2.0)
    out["ChangePoltype"], out["Expand"] = op.ChangePoltype("parity") @ x, op.Expand(far, "regular") @ x
    for name in ("EField", "HField", "DField", "BField"):
        out[name] = getattr(op, name)(POINTS) @ x
        out[name.lower()] = getattr(x, name.lower())(POINTS)
    out["GField"], out["FField"] = op.GField(1, POINTS) @ x, x.ffield(0, POINTS)
    ports = tr.PlaneWavePorts.default([[0.2, 0.1], [0.3, 0.4]])
    out["poynting_avg_z"] = tr.poynting_avg_z(ports, 2.0, tr.Material(1.5, 1.0, 0.1))
    out["poynting_avg_z parity"] = tr.poynting_avg_z(ports, 2.0, 2.25 + 0.1j, poltype="parity")
    layer = tr.slab(basis=ports, k0=2.0, thickness=0.2, material=3)
    out["block translated"] = layer.block("up", "up").translate([0.1, 0.2, 0.3])
    iterative = importlib.import_module(f"{tr.__name__}.iterative")
    diff = importlib.import_module(f"{tr.__name__}.diff")
    ebcm = importlib.import_module(f"{tr.__name__}.ebcm")
    spheres = dict(lmax=2, k0=2.0, radii=[0.2, 0.15, 0.1], epsilon=[3 + 0.1j, 2.5, 4], positions=POSITIONS)
    incident = np.outer(np.arange(48) + 1j, [1, 0.3j])
    cluster = iterative.SphereCluster(**spheres)
    out["iterated"] = cluster.solve(incident, rtol=1e-13).coefficients
    solution, context = cluster.record(incident, rtol=1e-13)
    gradient = context.pullback(2 * solution.coefficients)
    for name in ("k0", "radii", "epsilon", "positions", "incident"):
        out[f"iterated by {name}"] = getattr(gradient, name)
    out["iterated wave"] = cluster.scatter(tr.plane_wave([0, 0.3, 1], "positive_helicity", k0=2.0), rtol=1e-13).wave.efield(POINTS)
    factor = diff.sphere_cluster_factor(**spheres)
    out["factor"] = factor.solve(incident)
    value, context = factor.record(incident[:, :1].copy())
    blocks, coupling, back = context.pullback_blocks(2 * value)
    out["factor by blocks"], out["factor by coupling"], out["factor by light"] = np.array(blocks), coupling, back
    local, other = np.diag(np.arange(1, 5) / 10) + 0.02j, np.arange(16).reshape(4, 4) / 50 - 0.1j
    value, context = diff.factor_interaction(local, other).record(np.arange(4)[:, None] + 1j)
    out["interaction"], out["interaction back"] = value, np.concatenate([np.ravel(g) for g in context.pullback(value)])
    out["interaction forth"] = context.pushforward(other, local, np.ones((4, 1)) + 0j)
    for singular in (True, False):
        out[f"qmat {singular}"] = ebcm.qmat(lambda t: 0.2 * (1 + 0.1 * np.cos(t)), lambda t: -0.02 * np.sin(t), [[3.0, 3.2], [2.0, 2.0]],
                                            [0.6, 1.0], (basis.l, basis.m, basis.pol), singular=singular)


SCRIPTS = {f.__name__: f for f in (particles, fields, cylinders, arrays, stacks, named_sums, objects)}


def numbers(tr, name):
    """{key: complex array}"""
    out = {}
    SCRIPTS[name](tr, out)
    return {key: np.asarray(value, complex) for key, value in out.items()}


def texts(part, scale):
    """12 digits, and 0 for what is rounding."""
    return ["0" if abs(x) < 1e-15 * scale else f"{x:.12g}" for x in part.ravel()]


if __name__ == "__main__":
    import treams_rs

    found = {name: {key: [list(v.shape), *(texts(part, np.max(np.abs(v))) for part in (v.real, v.imag))]
                    for key, v in numbers(treams_rs, name).items()} for name in SCRIPTS}
    print(json.dumps({"treams_rs": "0.2.2", "numbers": found}))
