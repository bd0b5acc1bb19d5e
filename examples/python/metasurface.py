"""A mirror out of spheres: which radii and which height make a sheet of silicon-like spheres on glass reflect the light of one
wavelength? Two spheres in each cell of a square lattice; transmission and its gradient through the array, the gap and the substrate
in one compiled function, descended by Adam (optax).

    pip install './bindings/python[jax]' optax; python examples/python/metasurface.py [steps]"""
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

import poynting as po

jax.config.update("jax_enable_x64", True)

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
K0 = 2 * np.pi / 0.8  # lengths in um, a wavelength of 800 nm
PITCH, SILICON, GLASS = 0.5, 13.7 + 0.03j, 2.25
LATTICE = po.Lattice.square(PITCH)
PORTS = po.PlaneWavePorts.default([0, 0])  # no order but the zeroth leaves the sheet; glass is far enough from it
LIGHT = po.plane_wave([0, 0, 1], "positive_helicity", k0=K0)
PLACES = np.array([[0.0, 0.0, 0.0], [PITCH / 2, PITCH / 2, 0.0]])
SUBSTRATE = po.interface(basis=PORTS, k0=K0, negative_medium=1, positive_medium=GLASS)


def transmission(radii, gap):
    spheres = [po.sphere_tmatrix(k0=K0, lmax=3, radius=r, material=SILICON) for r in radii]
    sheet = po.solve_periodic(po.Cluster(spheres, positions=PLACES), lattice=LATTICE, kpar=[0, 0]).to_smatrix(PORTS)
    return po.stack([sheet, po.propagation(basis=PORTS, k0=K0, distance=gap), SUBSTRATE]).power(LIGHT).transmission


parameters = {"radii": [jnp.asarray(0.105), jnp.asarray(0.115)], "gap": jnp.asarray(0.3)}
optimiser = optax.adam(5e-4)
state = optimiser.init(parameters)
step = jax.jit(jax.value_and_grad(lambda p: transmission(**p)))
first = None
for _ in range(STEPS):
    value, gradient = step(parameters)
    first = value if first is None else first
    updates, state = optimiser.update(gradient, state)
    parameters = optax.apply_updates(parameters, updates)
radii = ", ".join(f"{1e3 * float(r):.1f}" for r in parameters["radii"])
print(f"transmission {float(first):.4f} -> {float(value):.4f} in {STEPS} steps: radii {radii} nm, gap {1e3 * float(parameters['gap']):.0f} nm")
