#!/usr/bin/env python3
"""Processor time of NumPy, JAX (jit) and Torch on single operations of the array layer, and the ratios to the fastest of them,
in one run on one thread.

    python bench/peers/arrays.py [build/release] [rounds]

Needs numpy, scipy, jax and torch. Ours is libpoynting itself through ctypes, whose overhead (about 1 us) counts. Each peer
takes part in the forms that it has: making its result, and writing into one that is there; the fastest counts. Programs take
turns, the best of each counts. Ratios above 1: we are faster. OpenBLAS takes old kernels for a processor that it does not
know, as `poynting backends` tells; set OPENBLAS_CORETYPE then, for the matrix product."""
import ctypes
import os
import pathlib
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # XLA heeds the flags in part only

import jax
import jax.experimental.sparse as jax_sparse
import jax.numpy as jnp
import numpy as np
import scipy.fft
import scipy.sparse
import torch

jax.config.update("jax_enable_x64", True)
torch.set_num_threads(1)

N, FACTOR = 1_000_000, 1.5
BARS = {"cexp_mul_c128_1e6": 1.8}  # 1.0 elsewhere


class Poynting:
    """Operations of the library on memory of NumPy arrays."""

    dtypes = {"float64": 1, "complex128": 3, "int32": 4}

    def __init__(self, build):
        self.lib = ctypes.CDLL(str(pathlib.Path(build) / "src" / "libpoynting.so"))
        self.lib.poy_ctx_message.restype = ctypes.c_char_p
        self.ctx, self.be = ctypes.c_void_p(), ctypes.c_void_p()
        self.must(self.lib.poy_ctx_create(ctypes.byref(self.ctx)))
        self.lib.poy_ctx_set_threads(self.ctx, 1)
        self.must(self.lib.poy_backend_open(self.ctx, b"cpu", ctypes.byref(self.be)))

    def must(self, status):
        if status:
            raise RuntimeError(self.lib.poy_ctx_message(self.ctx).decode())

    def wrap(self, a):
        extent = (ctypes.c_int64 * max(a.ndim, 1))(*a.shape)
        out = ctypes.c_void_p()
        self.must(self.lib.poy_array_wrap(self.ctx, self.be, self.dtypes[a.dtype.name], a.ndim, extent, None,
                                          a.ctypes.data_as(ctypes.c_void_p), ctypes.byref(out)))
        return out

    def rows(self, a):
        parts = [self.wrap(p) for p in (a.indptr, a.indices, a.data)]
        out = ctypes.c_void_p()
        self.must(self.lib.poy_sparse_create(self.ctx, 1, ctypes.c_int64(a.shape[0]), ctypes.c_int64(a.shape[1]), *parts,
                                             ctypes.byref(out)))
        return out

    def call(self, name, *arguments):
        function, ctx = getattr(self.lib, "poy_" + name), self.ctx

        def run():
            self.must(function(ctx, *arguments))

        return run


def laplacian(n):
    line = scipy.sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])
    eye = scipy.sparse.identity(n)
    return (scipy.sparse.kron(eye, line) + scipy.sparse.kron(line, eye)).tocsr()


def varied(a):
    """D a D with d = 1 + 0.2 sin i: the same places, no two rows of the same values."""
    d = scipy.sparse.diags_array(1 + 0.2 * np.sin(np.arange(a.shape[0])))
    return (d @ a @ d).tocsr()


def jax_call(f, *arrays):
    compiled, arrays = jax.jit(f), [jnp.asarray(a) for a in arrays]
    return lambda: jax.block_until_ready(compiled(*arrays))


def vectors(p, rng):
    x, y, z = rng.standard_normal(N), rng.standard_normal(N), np.empty(N)
    c, w, one, zero = x + 1j * y, np.empty(N, complex), np.array(FACTOR), np.empty(())
    tx, ty, tz, tc, tw = (torch.from_numpy(a) for a in (x, y, z, c, w))
    phase = torch.empty(N, dtype=torch.complex128)

    def numpy_axpy():
        np.multiply(x, FACTOR, out=z)
        np.add(z, y, out=z)

    def numpy_cexp():
        np.exp(1j * x, out=w)
        np.multiply(w, c, out=w)

    def torch_polar():
        torch.polar(torch.ones(1, dtype=torch.float64).expand(N), tx, out=phase)
        torch.mul(phase, tc, out=tw)

    yield ("axpy_f64_1e6", p.call("axpy_into", *map(p.wrap, (one, x, y, z))), z, {
        "numpy": lambda: FACTOR * x + y, "numpy out": numpy_axpy,
        "jax": jax_call(lambda a, b: FACTOR * a + b, x, y),
        "torch": lambda: torch.add(ty, tx, alpha=FACTOR), "torch out": lambda: torch.add(ty, tx, alpha=FACTOR, out=tz)})
    yield ("dot_f64_1e6", p.call("vdot_into", *map(p.wrap, (x, y, zero))), zero, {
        "numpy": lambda: np.vdot(x, y), "jax": jax_call(jnp.vdot, x, y), "torch": lambda: torch.vdot(tx, ty)})
    yield ("norm_f64_1e6", p.call("norm_into", p.wrap(x), -1, None, 0, p.wrap(zero)), zero, {
        "numpy": lambda: np.linalg.norm(x), "jax": jax_call(jnp.linalg.norm, x), "torch": lambda: torch.linalg.norm(tx)})
    yield ("cexp_mul_c128_1e6", p.call("cis_mul_into", *map(p.wrap, (c, x, w))), w, {
        "numpy": lambda: np.exp(1j * x) * c, "numpy out": numpy_cexp,
        "jax": jax_call(lambda a, b: jnp.exp(1j * b) * a, c, x),
        "torch": lambda: torch.exp(1j * tx) * tc, "torch polar": torch_polar})


def matrices(p, rng):
    a, b, c = rng.standard_normal((512, 512)), rng.standard_normal((512, 512)), np.empty((512, 512))
    f = rng.standard_normal((8, 1 << 16)) + 1j * rng.standard_normal((8, 1 << 16))
    g = np.empty_like(f)
    ta, tb, tc, tf, tg = (torch.from_numpy(m) for m in (a, b, c, f, g))
    yield ("matmul_f64_512", p.call("matmul_into", *map(p.wrap, (a, b, c))), c, {
        "numpy": lambda: a @ b, "numpy out": lambda: np.matmul(a, b, out=c), "jax": jax_call(jnp.matmul, a, b),
        "torch": lambda: ta @ tb, "torch out": lambda: torch.matmul(ta, tb, out=tc)})
    yield ("fft_c128_8x65536", p.call("fft_into", p.wrap(f), None, p.wrap(g)), g, {
        "numpy": lambda: np.fft.fft(f), "scipy": lambda: scipy.fft.fft(f), "jax": jax_call(jnp.fft.fft, f),
        "torch": lambda: torch.fft.fft(tf), "torch out": lambda: torch.fft.fft(tf, out=tg)})


def products(p, rng):
    for name, m in (("csr_lap2d_512", laplacian(512)), ("csr_varied_512", varied(laplacian(512)))):
        x, y = rng.standard_normal(m.shape[0]), np.empty(m.shape[0])
        tm = torch.sparse_csr_tensor(*map(torch.from_numpy, (m.indptr, m.indices, m.data)), m.shape)
        tx, jm = torch.from_numpy(x), jax_sparse.BCSR.from_scipy_sparse(m)
        yield (name, p.call("spmm_into", p.rows(m), 0, p.wrap(x), p.wrap(y)), y, {
            "numpy": lambda m=m, x=x: m @ x, "jax": jax_call(lambda v, jm=jm: jm @ v, x),
            "torch": lambda tm=tm, tx=tx: tm @ tx})


def stencil(v):
    q = jnp.pad(v, 1)
    return 4 * v - q[2:, 1:-1] - q[:-2, 1:-1] - q[1:-1, 2:] - q[1:-1, :-2]


def cg(b):
    """The recurrence of poy_cg, without a preconditioner, to 1e-8."""
    threshold = 1e-8 * jnp.linalg.norm(b)

    def body(state):
        x, r, p, rho = state
        q = stencil(p)
        alpha = rho / jnp.vdot(p, q)
        x, r = x + alpha * p, r - alpha * q
        new = jnp.vdot(r, r)
        return x, r, r + new / rho * p, new

    return jax.lax.while_loop(lambda s: jnp.sqrt(s[3]) > threshold, body, (jnp.zeros_like(b), b, b, jnp.vdot(b, b)))


def seconds_of(call, least=0.03):
    """Processor time of one call, over as many as take a while."""
    calls, start = 0, time.process_time()
    while True:
        call()
        calls += 1
        passed = time.process_time() - start
        if passed > least:
            return passed / calls


def report(name, ours, theirs):
    peer = min(theirs, key=theirs.get)
    ratio, bar = theirs[peer] / ours, BARS.get(name, 1.0)
    others = ", ".join(f"{p} {1e3 * t:.3f}" for p, t in sorted(theirs.items(), key=lambda item: item[1]))
    print(f"{name:20} {1e3 * ours:9.3f} ms   ratio {ratio:5.2f} (bar {bar}{'' if ratio >= bar else ', BELOW'})   {others}")


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2] / "build" / "release"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    p, rng = Poynting(build), np.random.default_rng(1)
    for works in (vectors, matrices, products):
        for name, ours, out, peers in works(p, rng):
            ours()
            got = out.copy()
            for peer, call in peers.items():  # compiles, too
                result = call()
                if result is not None and not np.allclose(np.asarray(result), got, rtol=1e-9, atol=1e-9):
                    raise SystemExit(f"{name}: {peer} has another result")
            best, theirs = float("inf"), dict.fromkeys(peers, float("inf"))
            for _ in range(rounds):
                best = min(best, seconds_of(ours))
                for peer, call in peers.items():
                    theirs[peer] = min(theirs[peer], seconds_of(call))
            report(name, best, theirs)
    solve, ones = jax_call(cg, np.ones((512, 512))), []
    solve()
    for _ in range(max(2, rounds // 5)):
        text = subprocess.run([pathlib.Path(build) / "bench" / "bench_solve", "quick", "cg"], capture_output=True, text=True,
                              check=True).stdout
        ones.append((float(text.split()[1]), seconds_of(solve)))
    report("cg_stencil_512", min(o for o, _ in ones), {"jax": min(t for _, t in ones)})


main()
