"""A mirror out of a recipe: which radii, pitch and film make the sheet of core-shell spheres of examples/metasurface.toml reflect the light
of one wavelength? Its transmission and the gradient by keys of the recipe, descended by Adam in NumPy alone. The same gradient on the
command line: poynting grad examples/metasurface.toml -s objective.minimise=transmission.T -s objective.at="650 nm" ...

    python examples/python/metasurface_recipe.py [steps]"""
import pathlib
import sys

import numpy as np

import poynting as po

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 20
KEYS = ["particle.0.radii", "lattice.vectors", "stack.layers.2.thickness"]
RATE, SCALE = 0.008, 1e-7  # of each step; lengths in units of 100 nm

recipe = po.Recipe.load(pathlib.Path(__file__).parents[1] / "metasurface.toml")
recipe.set("numerics.lmax", 4).set("output.quantities", ["transmission"])
f = po.value_and_grad(po.objective("transmission.T", at="650 nm"), wrt=KEYS)


def with_lengths(x):
    """The recipe with both radii, the pitch of a square lattice and the thickness of the film, in SCALE."""
    a, b, pitch, film = (float(v) * SCALE for v in x)
    recipe.set("particle.0.radii", [a, b]).set("lattice.vectors", [[pitch * 1e9, 0.0], [0.0, pitch * 1e9]])
    layers = list(LAYERS)
    layers[2] = '{ material = { n = 1.45, k = 0.0 }, thickness = "%.9g nm" }' % (film * 1e9)
    return recipe.set("stack.layers", "[" + ", ".join(layers) + "]")


LAYERS = ['{ material = "vacuum" }', '{ array = true, medium = "vacuum", above = "200 nm", below = "200 nm" }', "", '{ material = "SiO2" }']
x = np.array([1.1, 1.3, 5.0, 2.0])
mean, square = np.zeros(4), np.zeros(4)
first = None
for step in range(1, STEPS + 1):
    value, gradient = f(with_lengths(x))
    first = value if first is None else first
    radii, lattice, film = (gradient[key] for key in KEYS)
    slope = np.array([*radii, np.trace(lattice), film]) * SCALE
    mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
    x = x - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-12)
print(f"transmission {first:.4f} -> {value:.4f} in {STEPS} steps: radii {100 * x[0]:.1f}, {100 * x[1]:.1f} nm, pitch {100 * x[2]:.1f} nm, film {100 * x[3]:.1f} nm")
