#!/usr/bin/env python3
"""Processor time of JAX (jit), SciPy and, where they are installed, Torch and SpaceCore (over NumPy and JAX, jit) on the work
of bench/bench_solve.c, and the ratios, in one run on one thread.

    python bench/peers/solve.py build/release/bench/bench_solve [rounds]

Needs jax and scipy; torch and spacecore take part where they are installed. The programs run in turns, the best of each counts. Ratios above 1: we are faster. OpenBLAS takes old
kernels for a processor that it does not know, as `poynting backends` tells; set OPENBLAS_CORETYPE then, for batches."""
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import jax.numpy as jnp
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

jax.config.update("jax_enable_x64", True)


def laplacian(v):
    p = jnp.pad(v, 1)
    return 4 * v - p[2:, 1:-1] - p[:-2, 1:-1] - p[1:-1, 2:] - p[1:-1, :-2]


@jax.jit
def cg(b):
    """The recurrence of poy_cg, without a preconditioner, to 1e-8."""
    threshold = 1e-8 * jnp.linalg.norm(b)

    def body(state):
        x, r, p, rho, k = state
        q = laplacian(p)
        alpha = rho / jnp.vdot(p, q)
        x, r = x + alpha * p, r - alpha * q
        new = jnp.vdot(r, r)
        return x, r, r + new / rho * p, new, k + 1

    start = (jnp.zeros_like(b), b, b, jnp.vdot(b, b), 0)
    return jax.lax.while_loop(lambda s: jnp.sqrt(s[3]) > threshold, body, start)


@jax.jit
def power(v):
    def body(_, x):
        y = laplacian(x)
        return y / jnp.linalg.norm(y)

    x = jax.lax.fori_loop(0, 500, body, v / jnp.linalg.norm(v))
    return jnp.vdot(x, laplacian(x))


def matrix(n):
    line = sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])
    return (sparse.kron(sparse.identity(n), line) + sparse.kron(line, sparse.identity(n))).tocsr()


def varied(a):
    """D a D with d = 1 + 0.2 sin i: the same places, no two rows of the same values."""
    d = sparse.diags_array(1 + 0.2 * np.sin(np.arange(a.shape[0])))
    return (d @ a @ d).tocsr()


def permuted(a):
    """a with its points in another order: no two rows of the same places."""
    i = np.arange(a.shape[0], dtype=np.int64)
    order = i * (2 * i + 1) % a.shape[0]
    c = a.tocoo()
    return sparse.csr_matrix((c.data, (order[c.row], order[c.col])), shape=a.shape)


def torch_peers(big, small, v):
    """Torch has no solvers: the same recurrences in its operations, in place where it can, as a user would write them."""
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    def stencil(x):
        p = torch.nn.functional.pad(x, (1, 1, 1, 1))
        return 4 * x - p[2:, 1:-1] - p[:-2, 1:-1] - p[1:-1, 2:] - p[1:-1, :-2]

    def rows(a):
        return torch.sparse_csr_tensor(torch.from_numpy(a.indptr), torch.from_numpy(a.indices),
                                       torch.from_numpy(a.data), a.shape)

    def solve(apply, b):
        x, r, p = torch.zeros_like(b), b.clone(), b.clone()
        rho = torch.vdot(r.ravel(), r.ravel()).item()
        threshold = 1e-8 * rho**0.5
        while rho**0.5 > threshold:
            q = apply(p)
            alpha = rho / torch.vdot(p.ravel(), q.ravel()).item()
            x.add_(p, alpha=alpha)
            r.add_(q, alpha=-alpha)
            new = torch.vdot(r.ravel(), r.ravel()).item()
            p.mul_(new / rho).add_(r)
            rho = new
        return x

    def power(x):
        x = x / torch.linalg.norm(x)
        for _ in range(500):
            y = stencil(x)
            x = y / torch.linalg.norm(y)
        return torch.vdot(x.ravel(), stencil(x).ravel())

    matrix_512 = rows(big)
    square, ones = torch.ones((512, 512)), torch.ones(512 * 512)
    grid = torch.from_numpy(v.reshape(128, 128).copy())
    return {
        ("cg_stencil_512", "torch"): lambda: solve(stencil, square),
        ("cg_csr_512", "torch"): lambda: solve(lambda x: matrix_512 @ x, ones),
        ("power_128_it500", "torch"): lambda: power(grid),
    }


def spacecore_peers(small, v):
    """The same solvers of SpaceCore on the sparse Laplacian, as a library's user would call them."""
    try:
        import spacecore
    except ImportError:
        return {}
    peers = {}
    for name, ops, form, jit in (("numpy", spacecore.NumpyOps(), "csr", lambda f: f),
                                 ("jax", spacecore.JaxOps(), "bcoo", jax.jit)):
        ctx = spacecore.Context(ops, dtype="float64")
        space = spacecore.DenseCoordinateSpace((small.shape[0],), ctx, check_level="none")
        op = spacecore.SparseLinOp(ops.assparse(small, format=form), space, space, ctx, check_level="none")
        start = ops.asarray(v)
        works = {
            "lanczos_128_m60": lambda x, op=op: tuple(spacecore.lanczos_smallest(op, x, max_iter=60, tol=1e-6))[4],
            "power_128_it500": lambda x, op=op: tuple(spacecore.power_iteration(op, x0=x, tol=0.0, maxiter=500))[4],
            "expm_128_t0.5": lambda x, op=op: tuple(
                spacecore.expm_multiply(op, x, t=-0.5, max_iter=30, tol=1e-12))[0],
        }
        for work, call in works.items():
            compiled = jit(call)
            peers[(work, "spacecore " + name)] = lambda f=compiled, x=start: jax.block_until_ready(f(x))
    return peers


def timed(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    big, small = matrix(512), matrix(128)
    big_varied, big_permuted = varied(big), permuted(big)
    ones, v = np.ones(512 * 512), np.random.default_rng(1).standard_normal(128 * 128)
    square, grid = jnp.ones((512, 512)), jnp.asarray(v.reshape(128, 128))
    peers = {
        ("cg_stencil_512", "jax"): lambda: jax.block_until_ready(cg(square)),
        ("cg_csr_512", "scipy"): lambda: linalg.cg(big, ones, rtol=1e-8, maxiter=5000),
        ("cg_csr_varied_512", "scipy"): lambda: linalg.cg(big_varied, ones, rtol=1e-8, maxiter=5000),
        ("cg_csr_permuted_512", "scipy"): lambda: linalg.cg(big_permuted, ones, rtol=1e-8, maxiter=5000),
        ("power_128_it500", "jax"): lambda: jax.block_until_ready(power(grid)),
        ("expm_128_t0.5", "scipy"): lambda: linalg.expm_multiply(-0.5 * small, v),
        ("lanczos_128_m60", "scipy eigsh"): lambda: linalg.eigsh(small, k=1, which="SA", ncv=60, maxiter=1, tol=1e30),
    }
    peers.update(torch_peers(big, small, v))
    peers.update(spacecore_peers(small, v))
    for call in peers.values():
        call()  # compiles
    ours, theirs = {}, {}
    for _ in range(rounds):
        text = subprocess.run([sys.argv[1], "quick"], capture_output=True, text=True, check=True).stdout
        for line in text.splitlines():
            name, seconds = line.split()[:2]
            ours[name] = min(ours.get(name, float("inf")), float(seconds))
        for key, call in peers.items():
            theirs[key] = min(theirs.get(key, float("inf")), timed(call))
    for (name, peer), seconds in theirs.items():
        print(f"{name:20} {peer:15} {seconds:9.4f} s, ours {ours[name]:9.4f} s, ratio {seconds / ours[name]:.2f}")
    for n in (16, 64, 256):
        ratio = ours[f"cg_loop_64_of_{n}"] / ours[f"cg_batch_64_of_{n}"]
        print(f"cg of 64 systems of {n:3}: batch against loop {ratio:.2f}")


main()
