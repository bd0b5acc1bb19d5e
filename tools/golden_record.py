#!/usr/bin/env python3
"""Values and gradients of the built-in records in 80-digit arithmetic: writes tests/golden/record_cases.def.

Inputs and cotangents are multiples of 1/64, so that they are the same numbers everywhere. A gradient is the central
difference of L = Re sum(conj(g) y) with a step of 1e-25 in each real and imaginary part: its error is about 1e-50. The
tolerance of a row, in units of eps times the largest number of the array, is derived where it is computed.

usage: golden_record.py [output]"""

import pathlib
import random
import sys

from mpmath import mp, mpc, mpf

mp.dps = 80
STEP = mpf(10) ** -25


def draw(rng, count, cplx, low=-1.0, high=1.0):
    """count numbers, multiples of 1/64; the imaginary parts in (-1, 1)."""
    number = lambda a, b: mpf(rng.randint(int(64 * a), int(64 * b))) / 64
    return [mpc(number(low, high), number(-1, 1) if cplx else 0) for _ in range(count)]


def matrix(flat, rows, cols):
    return mp.matrix([[flat[i * cols + j] for j in range(cols)] for i in range(rows)])


def flat(m):
    return [m[i, j] for i in range(m.rows) for j in range(m.cols)]


# ---- the records, from their definitions ----


def gauge(v):
    """Columns of length 1, the first of the largest entries real and positive."""
    for j in range(v.cols):
        norm = mp.sqrt(sum(abs(v[i, j]) ** 2 for i in range(v.rows)))
        most = max(abs(v[i, j]) for i in range(v.rows))
        k = next(i for i in range(v.rows) if abs(v[i, j]) > most * (1 - mpf(10) ** -12))
        turn = mp.conj(v[k, j]) / abs(v[k, j]) / norm
        for i in range(v.rows):
            v[i, j] *= turn
    return v


def eig(a):
    values, vectors = mp.eig(a)
    order = sorted(range(len(values)), key=lambda k: (mp.nint(values[k].real * 10**9), values[k].imag))
    v = matrix([vectors[i, k] for i in range(a.rows) for k in order], a.rows, a.rows)
    return [values[k] for k in order], gauge(v)


def eigh(a):
    h = (a + a.H) / 2
    values, vectors = mp.eighe(h)
    return [mpc(x) for x in values], gauge(vectors)


def dft(x, sign, scale, count):
    n = len(x)
    root = lambda k: mp.expjpi(sign * mpf(2 * k) / n)
    return [scale * sum(x[j] * root(j * k % n) for j in range(n)) for k in range(count)]


def irfft(y, n, scale):
    full = [mpc(0)] * n
    for k in range(n // 2 + 1):
        own = k == 0 or 2 * k == n
        full[k] = mpc(y[k].real) if own else y[k]
        if not own:
            full[n - k] = mp.conj(y[k])
    return [mpc(x.real) for x in dft(full, 1, scale, n)]


def kappa(m):
    return mp.mnorm(m, "f") * mp.mnorm(m ** -1, "f")


def both(function):
    """[values, vectors] of the one input, a 3 x 3 matrix."""

    def record(inputs):
        values, vectors = function(matrix(inputs[0], 3, 3))
        return [values, flat(vectors)]

    return record


def eigen_tolerances(values, v, a):
    """Backward error n eps |A|: values move by kappa(V) times that, vectors by kappa(V) |A| / gap, derivatives once more."""
    n = len(values)
    gap = min(abs(values[i] - values[j]) for i in range(n) for j in range(i))
    value = 8 * n * kappa(v) * mp.mnorm(a, "f") / gap
    return value, value * kappa(v) * mp.mnorm(a, "f") / gap


def cases():
    """(name, options, specs, inputs, output specs, function, tolerance of values and of gradients in eps)."""
    rng = random.Random(20240501)
    pointwise = {"exp": mp.exp, "log": mp.log, "sqrt": mp.sqrt, "sin": mp.sin, "cos": mp.cos}
    for name, f in pointwise.items():  # a few ulp; the slope of log and sqrt at |x| >= 1/4 costs a few more
        for cplx in (False, True):
            kind = "c128[4]" if cplx else "f64[4]"
            x = draw(rng, 4, cplx, 0.25, 3)
            yield name, "", [kind], [x], [kind], (lambda v, f=f: [[f(t) for t in v[0]]]), 8, 16
    for name, f in {"abs": abs, "abs2": lambda t: abs(t) ** 2, "angle": mp.arg}.items():
        x = draw(rng, 4, True, 0.25, 3)
        yield name, "", ["c128[4]"], [x], ["f64[4]"], (lambda v, f=f: [[mpc(f(t)) for t in v[0]]]), 8, 16
    x, y = draw(rng, 6, True), draw(rng, 3, False, 0.5, 2)
    yield "div", "", ["c128[2,3]", "f64[3]"], [x, y], ["c128[2,3]"], (
        lambda v: [[v[0][i] / v[1][i % 3] for i in range(6)]]), 8, 16
    yield "mul", "", ["c128[2,3]", "f64[3]"], [x, y], ["c128[2,3]"], (
        lambda v: [[v[0][i] * v[1][i % 3] for i in range(6)]]), 8, 16
    yield "norm", "axis=0", ["c128[2,3]"], [x], ["f64[3]"], (
        lambda v: [[mpc(mp.sqrt(abs(v[0][i]) ** 2 + abs(v[0][i + 3]) ** 2)) for i in range(3)]]), 8, 16
    a, b = draw(rng, 6, True), draw(rng, 12, False)
    yield "matmul", "", ["c128[2,3]", "f64[3,4]"], [a, b], ["c128[2,4]"], (
        lambda v: [flat(matrix(v[0], 2, 3) * matrix(v[1], 3, 4))]), 16, 16
    for cplx in (False, True):
        kind = "c128" if cplx else "f64"
        a, b = draw(rng, 16, cplx), draw(rng, 8, cplx)
        k = kappa(matrix(a, 4, 4))  # eps n kappa, and kappa once more in A^-H g X^H
        yield "solve", "", [kind + "[4,4]", kind + "[4,2]"], [a, b], [kind + "[4,2]"], (
            lambda v: [flat(matrix(v[0], 4, 4) ** -1 * matrix(v[1], 4, 2))]), 32 * k, 32 * k * k
    for cplx in (False, True):
        kind = "c128[3,3]" if cplx else "f64[3,3]"
        a = draw(rng, 9, cplx)
        values, v = eig(matrix(a, 3, 3))
        tolerances = eigen_tolerances(values, v, matrix(a, 3, 3))
        yield "eig", "", [kind], [a], ["c128[3]", "c128[3,3]"], both(eig), *tolerances
        values, v = eigh(matrix(a, 3, 3))
        tolerances = eigen_tolerances(values, v, matrix(a, 3, 3))
        yield "eigh", "", [kind], [a], ["f64[3]", kind], both(eigh), *tolerances
    x = draw(rng, 7, True)  # eps log2 n of the 2-norm
    yield "fft", "", ["c128[7]"], [x], ["c128[7]"], (lambda v: [dft(v[0], -1, 1, 7)]), 16, 16
    yield "fft", "direction=backward;norm=ortho", ["c128[7]"], [x], ["c128[7]"], (
        lambda v: [dft(v[0], 1, 1 / mp.sqrt(7), 7)]), 16, 16
    x = draw(rng, 6, False)
    yield "rfft", "norm=forward", ["f64[6]"], [x], ["c128[4]"], (lambda v: [dft(v[0], -1, mpf(1) / 6, 4)]), 16, 16
    x = draw(rng, 5, True)
    yield "irfft", "n=9", ["c128[5]"], [x], ["f64[9]"], (lambda v: [irfft(v[0], 9, mpf(1) / 9)]), 16, 16
    yield "irfft", "n=8;norm=ortho", ["c128[5]"], [x], ["f64[8]"], (lambda v: [irfft(v[0], 8, 1 / mp.sqrt(8))]), 16, 16


# ---- gradients, and the file ----


def loss(outputs, cotangents):
    return sum((mp.conj(g) * y).real for ys, gs in zip(outputs, cotangents) for y, g in zip(ys, gs))


def gradient(f, inputs, specs, cotangents):
    grads = []
    for i, x in enumerate(inputs):
        grad = []
        for k in range(len(x)):
            parts = []
            for unit in (mpc(1), mpc(0, 1)):
                moved = lambda h: [list(t) if j != i else [t[m] + (h * unit if m == k else 0) for m in range(len(t))]
                                   for j, t in enumerate(inputs)]
                complex_input = specs[i].startswith("c128")
                wanted = unit == 1 or complex_input
                parts.append((loss(f(moved(STEP)), cotangents) - loss(f(moved(-STEP)), cotangents)) / (2 * STEP)
                             if wanted else mpf(0))
            grad.append(mpc(*parts))
        grads.append(grad)
    return grads


def numbers(arrays, specs):
    out = []
    for array, spec in zip(arrays, specs):
        for z in array:
            out += [z.real, z.imag] if spec.startswith("c128") else [z.real]
    return "(const double[]){" + ", ".join(mp.nstr(mpf(x), 17, strip_zeros=True) for x in out) + "}"


def main(path):
    rng = random.Random(7)
    rows = []
    for name, options, in_specs, inputs, out_specs, f, tol, grad_tol in cases():
        outputs = f(inputs)
        cotangents = [draw(rng, len(y), spec.startswith("c128")) for y, spec in zip(outputs, out_specs)]
        grads = gradient(f, inputs, in_specs, cotangents)
        rows.append(f'{{"poy.{name}", "{options}", "{" ".join(in_specs)}", {mp.nstr(mpf(tol), 3)}, {mp.nstr(mpf(grad_tol), 3)},\n'
                    f" {numbers(inputs, in_specs)},\n {numbers(outputs, out_specs)},\n"
                    f" {numbers(cotangents, out_specs)},\n {numbers(grads, in_specs)}}},\n")
    path.write_text("/* record_cases.def: written by tools/golden_record.py: record, options, inputs, tolerances of values and gradients in\n"
                    " * eps; numbers of the inputs, outputs, cotangents, gradients. */\n" + "".join(rows), encoding="utf-8")
    print(f"{len(rows)} rows in {path}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "tests/golden/record_cases.def"))
