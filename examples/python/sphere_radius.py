"""Which radius lets a silicon-like sphere scatter most per cross-section area at one wavelength? The magnetic dipole
resonance, by bisection of the gradient in JAX.

    pip install './bindings/python[jax]'; python examples/python/sphere_radius.py"""
import jax
import jax.numpy as jnp

import poynting as po

jax.config.update("jax_enable_x64", True)

K0 = 2 * jnp.pi / 0.8  # lengths in um, a wavelength of 800 nm
WAVE = po.plane_wave([0, 0, 1], "positive_helicity", k0=float(K0))


def efficiency(radius):
    sphere = po.sphere_tmatrix(k0=float(K0), lmax=6, radius=radius, material=13.7 + 0.03j)
    return sphere.cross_sections(WAVE).scattering / (jnp.pi * radius**2)


slope = jax.jit(jax.grad(efficiency))
low, high = 0.100, 0.112  # the slope is positive here and negative there
while high - low > 1e-9:
    middle = (low + high) / 2
    low, high = (middle, high) if slope(middle) > 0 else (low, middle)
print(f"radius {1e3 * low:.4f} nm: scattering efficiency {float(efficiency(low)):.4f}, slope {float(slope(low)):.1e} per um")
