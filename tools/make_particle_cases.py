#!/usr/bin/env python3
"""Makes the tables that the tests of spheres and cylinders read.

usage: make_particle_cases.py MIE.json CYLINDER.json GRADIENT.json REPORTS.json FOLDER    published cases
       make_particle_cases.py --reference FOLDER            own arithmetic of 90 digits and more (mpmath)

Each line: op rel abs n inputs... m expected..., complex numbers as re im.
mie: l layers x[layers] epsilon, mu, kappa[layers + 1] -> c[2][2]; mie_cyl: kz m k0 layers radii and so on;
efficiency: x epsilon lmax -> q_sca q_ext; report: x epsilon -> q_ext q_sca q_abs q_back g; gradient: kind (0 scattering, 1 extinction) k0 radius epsilon lmax
-> derivatives of the cross section of helicity +1 by k0, radius, epsilon (re im).
The first form writes FOLDER/particle.txt, the second FOLDER/particle_reference.txt."""
import json
import random
import sys
from pathlib import Path


def number(value):
    return float.hex(float(value))


def pair(value):
    return [number(part) for part in (value if isinstance(value, list) else [value, 0.0])]


def flat(values):
    return [part for value in values for part in pair(value)]


def line(op, tolerance, inputs, expected):
    return " ".join(map(str, [op, tolerance[0], tolerance[1], len(inputs), *inputs, len(expected), *expected]))


def media(given):
    return flat(given["epsilon"]) + flat(given["mu"]) + flat(given["kappa"])


def published(cases):
    for case in cases:
        given, tolerance = case["inputs"], (case["tol"]["rel"], case["tol"]["abs"])
        if case["op"] == "mie":
            head = [given["l"], len(given["x"]), *map(number, given["x"])]
        elif case["op"] == "mie_cyl":
            head = [number(given["kz"]), given["m"], number(given["k0"]), len(given["radii"]), *map(number, given["radii"])]
        elif case["op"] == "sphere_efficiency":
            inputs = [number(given["x"]), *pair(given["epsilon"]), given["lmax"]]
            yield line("efficiency", tolerance, inputs, list(map(number, case["expected"])))
            continue
        elif case["op"] == "grad_sphere_xs":
            inputs = [int(given["kind"] == "ext"), number(given["k0"]), number(given["radius"]), *pair(given["epsilon"]),
                      given["lmax"]]
            want = case["expected"]
            yield line("gradient", tolerance, inputs, [number(want[0][0]), number(want[1][0]), *pair(want[2])])
            continue
        else:
            continue
        yield line(case["op"], tolerance, head + media(given), [p for row in case["expected"] for p in flat(row)])


def efficiencies(n, x):
    """q_ext, q_sca, q_abs, q_back and g of Bohren and Huffman, with 60 digits and enough terms."""
    from mpmath import mp
    mp.dps = 60
    n, x = mp.mpc(n), mp.mpf(x)
    z, lmax = n * x, int(x + 4.05 * mp.cbrt(x) + 40)
    slopes, slope = [mp.mpc(0)] * (lmax + 2), mp.mpc(0)
    for k in range(int(max(lmax, abs(z))) + 400, 0, -1):
        slope = k / z - 1 / (slope + k / z)
        if k - 1 <= lmax:
            slopes[k - 1] = slope
    psi, chi, sums, back, before = [mp.cos(x), mp.sin(x)], [-mp.sin(x), mp.cos(x)], [mp.mpf(0)] * 3, mp.mpc(0), None
    for l in range(1, lmax + 1):
        for f in (psi, chi):
            f[0], f[1] = f[1], (2 * l - 1) / x * f[1] - f[0]
        xi, lower = psi[1] - 1j * chi[1], psi[0] - 1j * chi[0]
        ab = [(t * psi[1] - psi[0]) / (t * xi - lower) for t in (slopes[l] / n + l / x, slopes[l] * n + l / x)]
        sums[0] += (2 * l + 1) * sum(c.real for c in ab)
        sums[1] += (2 * l + 1) * sum(abs(c) ** 2 for c in ab)
        sums[2] += mp.mpf(2 * l + 1) / (l * (l + 1)) * (ab[0] * mp.conj(ab[1])).real
        if before:
            sums[2] += mp.mpf(l * l - 1) / l * sum((a * mp.conj(b)).real for a, b in zip(before, ab))
        back += (-1) ** l * (2 * l + 1) * (ab[0] - ab[1])
        before = ab
    ext, sca = 2 * sums[0] / x**2, 2 * sums[1] / x**2
    return dict(q_ext=ext, q_sca=sca, q_abs=ext - sca, q_back=abs(back) ** 2 / x**2, g=2 * sums[2] / sums[1])


def reports(cases):
    """Computed again: the published series of x = 1000 is cut 3e-13 short, and its backscattering wrong by 3e-10."""
    for case in cases:
        n = complex(*case["input"]["m"])
        epsilon, want = n * n, efficiencies(n, case["input"]["x"])
        assert all(abs(want[k] - case["expected"][k]) < 1e-9 * abs(want[k]) + 1e-14 for k in want), case["id"]
        tolerance = (case["tolerance"]["rtol"], case["tolerance"]["atol"])
        yield line("report", tolerance, [number(case["input"]["x"]), number(epsilon.real), number(epsilon.imag)],
                   [number(want[name]) for name in ("q_ext", "q_sca", "q_abs", "q_back", "g")])


# ---- own arithmetic: the boundary conditions as one linear system ----

def waves(mp, spherical, order, z):
    """(F, F') of the regular and the outgoing wave: j or J downwards (Miller), h or H upwards."""
    step = (lambda k: (2 * k + 1) / z) if spherical else (lambda k: 2 * k / z)
    top = int(max(order, abs(z)) + 60 * max(order, abs(z)) ** (1 / 3) + 150)
    lower, here, values = mp.mpf(1), mp.mpf(0), {}
    for k in range(top, 0, -1):
        lower, here = step(k) * lower - here, lower
        values[k], values[k - 1] = here, lower
    if spherical:
        start = [mp.sin(z) / z, mp.sin(z) / z**2 - mp.cos(z) / z]
        outgoing = [-1j * mp.exp(1j * z) / z, -mp.exp(1j * z) * (1 / z + 1j / z**2)]
    else:
        start = [mp.besselj(n, z) for n in (0, 1)]
        outgoing = [mp.hankel1(n, z) for n in (0, 1)]
    larger = 0 if abs(values[0]) > abs(values[1]) else 1
    scale = start[larger] / values[larger]
    for k in range(1, order + 1):
        outgoing.append(step(k) * outgoing[k] - outgoing[k - 1])
    pairs = [(values[order] * scale, values[order + 1] * scale), (outgoing[order], outgoing[order + 1])]
    return [(value, order / z * value - next_) for value, next_ in pairs]


def columns(mp, spherical, order, m, kz, k, radius, impedance):
    """Four tangential components of each wave: [regular, outgoing][p][row]."""
    out = [[], []]
    for p, sign in enumerate((-1, 1)):
        radial = k[p] if spherical else mp.sqrt(k[p] ** 2 - kz ** 2)
        if not spherical and radial.imag < 0:
            radial = -radial
        z = radial * radius
        for kind, (f, slope) in enumerate(waves(mp, spherical, order, z)):
            if spherical:
                electric = [slope + f / z, sign * f]
            else:
                electric = [radial / k[p] * f, -kz * m * f / (k[p] * z) - sign * slope]
            out[kind].append([*electric, *[sign / impedance * e for e in electric]])
    return out


def coefficients(mp, spherical, label, kz, k0, radii, epsilon, mu, kappa):
    """Unknowns: p waves of the core, then regular and outgoing ones of each layer and outside; one incident p."""
    order = abs(label)
    layers = len(radii)
    ks, zs = [], []
    for e, u, x in zip(epsilon, mu, kappa):
        root = mp.sqrt(mp.mpc(e) * mp.mpc(u))
        root = -root if root.imag < 0 else root  # either, with its impedance
        ks.append([mp.mpf(k0) * (root - mp.mpc(x)), mp.mpf(k0) * (root + mp.mpc(x))])
        zs.append(mp.mpc(u) / root)
    size = 4 * layers
    system, rhs = mp.matrix(size, size), mp.matrix(size, 2)
    for i, radius in enumerate(radii):
        inner = columns(mp, spherical, order, label, mp.mpf(kz), ks[i], mp.mpf(radius), zs[i])
        outer = columns(mp, spherical, order, label, mp.mpf(kz), ks[i + 1], mp.mpf(radius), zs[i + 1])
        for row in range(4):
            for p in range(2):
                at = 4 * i + row
                if i == 0:
                    system[at, p] = inner[0][p][row]
                else:
                    system[at, 4 * i - 2 + p] = inner[0][p][row]
                    system[at, 4 * i + p] = inner[1][p][row]
                if i == layers - 1:
                    system[at, 4 * i + 2 + p] = -outer[1][p][row]
                    rhs[at, p] = outer[0][p][row]
                else:
                    system[at, 4 * i + 2 + p] = -outer[0][p][row]
                    system[at, 4 * i + 4 + p] = -outer[1][p][row]
    # rows and columns of one size: entries span hundreds of decades
    scale = [max(mp.fabs(system[i, j]) for i in range(size)) for j in range(size)]
    for j in range(size):
        for i in range(size):
            system[i, j] /= scale[j]
    out = []
    for q in range(2):
        x = mp.lu_solve(system, rhs[:, q])
        out.append([x[size - 2 + p] / scale[size - 2 + p] for p in range(2)])
    return [[out[q][p] for q in range(2)] for p in range(2)]


def sphere_cases(rng):
    metal, glass, lossy, one = -10 + 0.5j, 2.25, 4 + 0.3j, 1.0
    for x in (1e-4, 1e-2, 1.0, 30.0, 1e3, 1e4):
        for l in (1, 3, 17, 128):
            for core in (glass, metal, lossy, -4.0):
                if not (l == 128 and x < 1):
                    yield l, [x], [core, one], [1, 1], [0, 0]
    for l in (1, 5, 40):
        yield l, [20.0, 20.0 + 1e-6], [glass, metal, one], [1, 1, 1], [0, 0, 0]
        yield l, [5.0, 90.0, 91.0], [2, -50 + 5j, 12, 1.77], [1, 1, 1, 1], [0, 0, 0, 0]
        yield l, [1e-3, 900.0, 1000.0], [9, 2 + 3j, 3, 1], [1, 1, 1, 1], [0, 0, 0, 0]
        yield l, [3.0], [2.0 + 0.1j, 1.2], [1.5 + 0.2j, 1], [0.3 + 0.02j, 0.1]
        yield l, [2.0, 30.0], [3, 2 + 1j, 1], [1, 1.3, 1], [0.2, 0.1 + 0.4j, 0]
        yield l, [4.0], [-2 + 0.1j, 1], [-1.5 + 0.1j, 1], [0, 0]
        yield l, [7.0], [2.25, 1.5 + 0.2j], [1, 1], [0, 0]
        yield l, [7.0], [2.25, 1.5 + 0.2j], [1, 1], [0.1, 0.05]
        yield l, [40.0], [-9 + 0.8j, 2 + 0.01j], [1, 1.1], [0.1, 0]
    for layers in (5, 25):
        x = [0.4 * (i + 1) + 0.1 * rng.random() for i in range(layers)]
        yield 4, x, [2 + rng.random() + 0.2j * rng.random() for _ in x] + [1.3], [1] * (layers + 1), [0] * (layers + 1)
        yield 4, x, [2 + rng.random() for _ in x] + [1.3], [1] * (layers + 1), [0.1 * rng.random() for _ in range(layers + 1)]


def cylinder_cases(rng):
    for r in (1e-4, 1e-2, 1.0, 30.0, 1e3, 1e4):
        for m in (0, 1, -2, 11):
            for core in (2.25, -10 + 0.5j, 4 + 0.3j):
                yield 0.3, m, 1.0, [r], [core, 1], [1, 1], [0, 0]
    for m in (0, -1, 4):
        yield 0.0, m, 2.0, [1.0], [3, 1], [1, 1], [0, 0]
        yield 1.7, m, 1.5, [0.5, 0.9], [6, 4 + 0.1j, 1], [1, 1, 1], [0, 0, 0]
        yield -0.4, m, 2.0, [0.5, 20.0], [2, -30 + 2j, 1.3], [1, 1, 1], [0.1, 0, 0]
        yield 0.4, m, 2.0, [1.5], [2 + 0.1j, 1.3], [1.5, 1], [0.2, 0.1]
        yield 0.4, m, 2.0, [1.5], [2.5, 1.3 + 0.2j], [1, 1], [0, 0]
        yield 0.4, m, 2.0, [1.5], [-2 + 0.1j, 1], [-1.5 + 0.1j, 1], [0, 0]


def reference():
    from mpmath import mp
    rng = random.Random(3)
    bar = 1e-12  # of particles, relative to the largest entry

    def complexes(values):
        return [part for z in values for part in (number(complex(z).real), number(complex(z).imag))]

    def row(op, head, spherical, label, kz, k0, radii, e, u, x):
        mp.dps = 90
        c = coefficients(mp, spherical, label, kz, k0, radii, e, u, x)
        c = [complex(v) for r in c for v in r]
        if max(map(abs, c)) < 1e-290:
            return None
        return line(op, (bar, 0.0), [*head, *complexes(e), *complexes(u), *complexes(x)], complexes(c))

    for l, x, e, u, k in sphere_cases(rng):
        yield row("mie", [l, len(x), *map(number, x)], True, l, 0.0, 1.0, x, e, u, k)
    for kz, m, k0, r, e, u, k in cylinder_cases(rng):
        yield row("mie_cyl", [number(kz), m, number(k0), len(r), *map(number, r)], False, m, kz, k0, r, e, u, k)


def main():
    if sys.argv[1] == "--reference":
        lines = [text for text in reference() if text]
        (Path(sys.argv[2]) / "particle_reference.txt").write_text("\n".join(lines) + "\n")
        return
    lines = []
    for source, convert in zip(sys.argv[1:5], (published, published, published, reports)):
        lines += convert(json.loads(Path(source).read_text())["cases"])
    (Path(sys.argv[5]) / "particle.txt").write_text("\n".join(lines) + "\n")


main()
