"""Where should twenty absorbing spheres stand to absorb most of a plane wave? 60 coordinates, by Adam (optax) on gradients of the
coupled problem; spheres that come too close are pushed apart.

    pip install './bindings/python[jax]' optax; python examples/python/cluster_positions.py [steps]"""
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

import poynting as po

jax.config.update("jax_enable_x64", True)

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 60
K0, RADIUS, N = 2 * np.pi, 0.08, 20  # lengths in wavelengths
WAVE = po.plane_wave([0, 0, 1], "positive_helicity", k0=K0)
SPHERE = po.sphere_tmatrix(k0=K0, lmax=2, radius=RADIUS, material=6 + 1j)


def loss(positions):
    x = po.Cluster([SPHERE] * N, positions=positions).solve().cross_sections(WAVE)
    gaps = jnp.sqrt(jnp.sum((positions[:, None] - positions[None]) ** 2, axis=-1) + jnp.eye(N))
    overlap = jnp.sum(jnp.where(jnp.eye(N) > 0, 0.0, jax.nn.relu(2.5 * RADIUS - gaps)) ** 2)
    return -x.absorption + 50 * overlap


grid = np.stack(np.meshgrid(*[np.arange(3) * 0.25] * 3, indexing="ij"), -1).reshape(-1, 3)[:N]
positions = jnp.asarray(grid + 0.01 * np.random.default_rng(1).standard_normal(grid.shape))
optimiser = optax.adam(0.01)
state = optimiser.init(positions)
step = jax.jit(jax.value_and_grad(loss))
first = None
for i in range(STEPS):
    value, gradient = step(positions)
    first = value if first is None else first
    updates, state = optimiser.update(gradient, state)
    positions = optax.apply_updates(positions, updates)
print(f"absorption cross section {-float(first):.5f} -> {-float(value):.5f} wavelengths^2 in {STEPS} steps")
