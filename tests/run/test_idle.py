"""No key of a scattering recipe is passed over in silence: in every kind of recipe each key of the schema changes what is computed, is
refused, or is told to have no effect."""

import copy
import json

import h5py
import numpy as np
import pytest
from command import run

KEYS = [k["path"] for k in json.loads(run("check", "--keys", "--json").stdout) if k["kind"] != "pulse"]

# How it is run and shown, or what other commands than run read (docs/scattering.md).
PRESENTATION = ("schema", "kind", "name", "notes", "run.", "plots.", "scan.", "objective.")

# Two values of each key; by the number of lattice vectors where they depend on it.
VALUES = {
    "seed": ["1", "2"],
    "materials.NAME.n": ["1.4", "1.5"],
    "materials.NAME.k": ["0.1", "0.2"],
    "materials.NAME.re": ["1.4", "1.5"],
    "materials.NAME.im": ["0.1", "0.2"],
    "materials.NAME.mu": ["1.1", "1.2"],
    "materials.NAME.kappa": ["0.1", "0.2"],
    "materials.NAME.file": ['"a.yml"', '"b.yml"'],
    "materials.NAME.extrapolate": ["true", "false"],
    "medium.material": ["{ n = 1.1 }", "{ n = 1.2 }"],
    "sweep.wavelength": ['"620 nm"', '"640 nm"'],
    "sweep.frequency": ['"490 THz"', '"500 THz"'],
    "sweep.photon_energy": ['"2.1 eV"', '"2 eV"'],
    "particle.N.shape": ['"core_shell"', '"spheroid"'],
    "particle.N.radius": ['"70 nm"', '"75 nm"'],
    "particle.N.radii": ['["40 nm", "70 nm"]', '["40 nm", "75 nm"]'],
    "particle.N.semi_axes": ['["60 nm", "70 nm"]', '["55 nm", "75 nm"]'],
    "particle.N.ripple": ["0.05", "0.07"],
    "particle.N.waves": ["3", "4"],
    "particle.N.exponent": ["0.95", "0.85"],
    "particle.N.material": ["{ n = 1.7, k = 0.1 }", "{ n = 1.8, k = 0.1 }"],
    "particle.N.materials": ["[{ n = 1.7 }, { n = 1.9 }]", "[{ n = 1.8 }, { n = 1.9 }]"],
    "particle.N.file": ['"p.csv"', '"q.csv"'],
    "particle.N.unit": ['"nm"', '"pm"'],
    "particle.N.positions": ["[[1.0, 2.0, 3.0]]", "[[0.0, 3.0, 5.0]]"],
    "particle.N.rotation": ['["30 deg", "40 deg", "0 deg"]', '["20 deg", "10 deg", "5 deg"]'],
    "lattice.vectors": {1: ["[[310.0]]", "[[330.0]]"], 2: ["[[300.0, 20.0], [0.0, 310.0]]", "[[300.0, 10.0], [0.0, 310.0]]"],
                        3: ["[[300.0, 0.0, 9.0], [0.0, 310.0, 0.0], [0.0, 0.0, 320.0]]", "[[300.0, 9.0, 0.0], [0.0, 310.0, 0.0], [0.0, 0.0, 320.0]]"]},
    "lattice.unit": ['"nm"', '"pm"'],
    "lattice.bloch": {1: ['["1 rad/um"]', '["2 rad/um"]'], 2: ['["1 rad/um", "0 rad/um"]', '["2 rad/um", "1 rad/um"]'],
                      3: ['["1 rad/um", "0 rad/um", "0 rad/um"]', '["2 rad/um", "0 rad/um", "0 rad/um"]']},
    "lattice.path": {1: ["[[0.1], [0.3]]", "[[0.15], [0.3]]"], 2: ["[[0.1, 0.1], [0.3, 0.0]]", "[[0.15, 0.0], [0.3, 0.1]]"],
                     3: ["[[0.1, 0.1, 0.0], [0.3, 0.0, 0.0]]", "[[0.15, 0.1, 0.0], [0.3, 0.0, 0.0]]"]},
    "lattice.path_points": ["3", "4"],
    "stack.layers": ['[{ material = "vacuum" }, { array = true, above = "95 nm", below = "95 nm" }, { material = { n = 1.4 } }]',
                     '[{ material = "vacuum" }, { array = true, above = "95 nm", below = "95 nm" }, { material = { n = 1.6 } }]'],
    "illumination.type": ['"plane"', '"dipole"'],
    "illumination.direction": ["[1, 0.3, 0.2]", "[0.2, 1, 0.3]"],
    "illumination.angles.theta": ['"70 deg"', '"80 deg"'],
    "illumination.angles.phi": ['"20 deg"', '"30 deg"'],
    "illumination.polarisation": ['"s"', '"left"'],
    "numerics.lmax": ["3", "4"],
    "numerics.mmax": ["3", "4"],
    "numerics.orders_kmax": ['"45 rad/um"', '"25 rad/um"'],
    "numerics.solver": ['"dense"', '"gmres"'],
    "numerics.tol": ["1e-2", "1e-6"],
    "numerics.ewald_split": ["0.8", "1.3"],
    "output.quantities": ['[{ name = "near_field", pixels = 3, size = "400 nm", plane = "y = 0 nm" }]', '["tmatrix"]'],
}
# What has to stand beside a key, and what may not.
BESIDE = {"materials.NAME.k": {"materials.NAME.n": "1.3"}, "materials.NAME.im": {"materials.NAME.re": "1.3"},
          "materials.NAME.mu": {"materials.NAME.n": "1.3"}, "materials.NAME.kappa": {"materials.NAME.n": "1.3"},
          "particle.N.positions": {"particle.N.unit": '"nm"'}, "particle.N.radii": {"particle.N.materials": "[{ n = 1.5 }, { n = 1.9 }]"},
          "particle.N.unit": {"particle.N.positions": "[[1.0, 2.0, 3.0]]"}, "illumination.angles.phi": {"illumination.angles.theta": '"50 deg"'},
          "lattice.unit": {"lattice.vectors": "[[400.0]]"}}
INSTEAD = {"sweep.frequency": ["sweep.wavelength"], "sweep.photon_energy": ["sweep.wavelength"], "illumination.angles.theta": ["illumination.direction"],
           "illumination.angles.phi": ["illumination.direction"], "lattice.bloch": ["illumination.direction"], "particle.N.radii": ["particle.N.radius", "particle.N.material"]}

# ---- kinds of recipes ----

TURNED = 'rotation = ["10 deg", "50 deg", "0 deg"]'
SHAPES = {
    "sphere": 'radius = "80 nm"\nmaterial = { n = 2.0, k = 0.1, kappa = 0.1 }',
    "core_shell": 'radii = ["50 nm", "80 nm"]\nmaterials = [{ n = 1.5 }, { n = 2.0, k = 0.1, kappa = 0.1 }]',
    "cylinder": 'radius = "80 nm"\nmaterial = { n = 2.0, k = 0.1 }',
    "spheroid": 'semi_axes = ["50 nm", "80 nm"]\nmaterial = { n = 2.0, k = 0.1 }\n' + TURNED,
    "chebyshev": 'radius = "70 nm"\nripple = 0.1\nwaves = 2\nmaterial = { n = 2.0, k = 0.1 }\n' + TURNED,
    "superellipsoid": 'semi_axes = ["50 nm", "80 nm"]\nexponent = 0.9\nmaterial = { n = 2.0, k = 0.1 }\n' + TURNED,
    "profile": 'file = "p.csv"\nmaterial = { n = 2.0, k = 0.1 }\n' + TURNED,
    "tmatrix_file": 'file = "t.h5"\nradius = "80 nm"',
}
NEAR = '[{ name = "near_field", pixels = 4, size = "400 nm", plane = "y = 0 nm" }]'
LATTICES = {1: "[[300.0]]", 2: "[[300.0, 0.0], [0.0, 310.0]]", 3: "[[300.0, 0.0, 0.0], [0.0, 310.0, 0.0], [0.0, 0.0, 320.0]]"}
PATHS = {1: "[[0.1], [0.2]]", 2: "[[0.1, 0.0], [0.2, 0.0]]", 3: "[[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]]"}
HELD = '[{ material = "vacuum" }, { array = true, medium = { n = 1.2 }, above = "95 nm", below = "95 nm" }, { material = { n = 1.5 } }]'
LAYERS = '[{ material = "vacuum" }, { material = { n = 2.0, k = 0.1 }, thickness = "90 nm" }, { material = { n = 1.5 } }]'


def body(shape):
    return {"shape": f'"{shape}"'} | dict(line.split(" = ", 1) for line in SHAPES[shape].split("\n"))


def recipe(quantities, shape=None, copies=1, dim=0, light=None, path=False, layers=None):
    numerics = {"mmax" if shape == "cylinder" else "lmax": "2"} if shape and shape != "tmatrix_file" else {}
    out = {"particle": [body(shape) for _ in range(copies)] if shape else [], "sweep": {"wavelength": '["600 nm"]'},
           "output": {"quantities": quantities}, "numerics": numerics, "illumination": light or {}, "lattice": {}, "stack": {}}
    if copies == 2:
        for i, particle in enumerate(out["particle"]):
            particle |= {"unit": '"nm"', "positions": f"[[{230.0 * i + 5}, 0.0, 0.0]]"}
    if dim:
        out["lattice"] = {"vectors": LATTICES[dim], "unit": '"nm"'} | ({"path": PATHS[dim]} if path else {})
    if layers:
        out["stack"] = {"layers": layers}
    return out


def listed(name):
    return NEAR if name == "near_field" else f'["{name}"]'


ACROSS = {"direction": "[1, 0, 0]", "polarisation": '"s"'}
ASLANT = {"direction": "[1, 0, 0.1]", "polarisation": '"s"'}
GROUPS = {
    "alone": {f"{shape}, {name}": recipe(listed(name), shape, light=ACROSS if shape == "cylinder" else None)
              for shape, name in [(s, "cross_sections") for s in SHAPES] + [("sphere", "near_field"), ("cylinder", "near_field"),
                                                                            ("sphere", "far_field"), ("cylinder", "far_field"), ("spheroid", "tmatrix")]},
    "clusters": {f"two {shape}s, {name}": recipe(listed(name), shape, 2, light=ACROSS if shape == "cylinder" else None)
                 for shape, name in (("sphere", "cross_sections"), ("sphere", "tmatrix"), ("sphere", "near_field"), ("cylinder", "cross_sections"))},
    "planes": {f"{name}, {wanted}": recipe(listed(wanted), shape, 1, dim, layers=layers)
               for name, shape, dim, layers in (("array", "sphere", 2, None), ("held array", "sphere", 2, HELD),
                                                ("array in the medium", "sphere", 2, HELD.replace("medium = { n = 1.2 }, ", "")),
                                                ("grating", "cylinder", 1, None), ("layers", None, 0, LAYERS))
               for wanted in ("transmission",)}
    | {"array, orders": recipe(listed("orders"), "sphere", dim=2),
       "array, near_field": recipe(NEAR, "sphere", dim=2), "layers, near_field": recipe(NEAR, layers=LAYERS),
       "layers, bands": recipe(listed("bands"), layers=LAYERS.replace("{ n = 1.5 }", '"vacuum"'))},
    "guides": {"chain, cross_sections": recipe(listed("cross_sections"), "sphere", dim=1, light=ASLANT),
               "chain, near_field": recipe(NEAR, "sphere", dim=1, light=ASLANT),
               "chain, bands": recipe(listed("bands"), "sphere", dim=1, path=True),
               "array, bands": recipe(listed("bands"), "sphere", dim=2, path=True),
               "crystal": recipe(listed("bands"), "sphere", dim=3, path=True),
               "rods": recipe(listed("bands"), "cylinder", dim=2, path=True)},
}

# ---- variants ----


def place(recipe, path):
    """The table in which a key stands, and its name there."""
    table, *rest = path.replace("NAME", "foo").split(".")
    at = recipe.setdefault(table, {}) if rest else recipe
    if rest and rest[0] == "N":
        at = at[0]
    return at, ".".join(p for p in rest if p != "N") or table


def put(recipe, path, value):
    at, name = place(recipe, path)
    at[name] = value


def variant(base, key, value):
    out = copy.deepcopy(base)
    for other in INSTEAD.get(key, []):
        at, name = place(out, other)
        at.pop(name, None)
    for other, beside in BESIDE.get(key, {}).items():
        at, name = place(out, other)
        at.setdefault(name, beside)
    put(out, key, value)
    if key.startswith("materials."):  # of something that the particle is made of
        for particle in out["particle"]:
            particle |= {"material": '"foo"'} if "material" in particle else {}
    return out


def text(recipe, name):
    lines = ["schema = 1", 'kind = "scatter"', f'name = "{name}"'] + [f"{k} = {v}" for k, v in recipe.items() if isinstance(v, str)]
    for table, content in recipe.items():
        for entry in content if isinstance(content, list) else [content]:
            if isinstance(entry, dict) and entry:
                lines += [f"[[{table}]]" if isinstance(content, list) else f"[{table}]"] + [f"{k} = {v}" for k, v in entry.items()]
    return "\n".join(lines + ["[plots]", "kinds = []", ""])


def values_of(key, base):
    values = VALUES[key]
    dim = next((d for d, v in LATTICES.items() if base["lattice"].get("vectors") == v), 2)
    return values[dim] if isinstance(values, dict) else values


# ---- what differs ----


def symmetric(base, key):
    """What has an effect but in these places, or no more than rounding."""
    one = "," not in base or base.split(", ")[1] not in ("near_field", "far_field", "tmatrix")
    alone = base.split(",")[0] in ("sphere", "core_shell")
    return (key == "numerics.ewald_split" or
            (key in ("particle.N.unit", "particle.N.positions") and one and not base.startswith("two")) or  # moved as a whole
            (key.startswith(("illumination.direction", "illumination.angles")) and alone and "cross" in base) or
            (key == "illumination.angles.phi" and base.startswith(("chain", "cylinder"))) or
            (key == "illumination.polarisation" and base == "layers, transmission") or  # across them
            (key, base) == ("particle.N.radius", "tmatrix_file, cross_sections"))  # what may not overlap


def numbers(path):
    """All that was computed; not what the file says about its recipe and its light."""
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, o: found.update({name: o[()]}) if isinstance(o, h5py.Dataset) and
                     not name.startswith(("provenance", "recipe", "illumination", "particles")) and "unit" not in name else None)
    return found


def same(a, b, tolerance):
    if a.keys() != b.keys():
        return False
    for name, x in a.items():
        y = b[name]
        if np.shape(x) != np.shape(y):
            return False
        if not isinstance(x, np.ndarray) or x.dtype.kind not in "fc":
            if not np.array_equal(x, y):
                return False
            continue
        size = np.nanmax(abs(x), initial=0.0)
        if not np.allclose(x, y, rtol=0, atol=tolerance * size, equal_nan=True):
            return False
    return True


MATERIAL = 'DATA:\n  - type: tabulated nk\n    data: |\n        0.4 {0} 0.1\n        0.9 {0} 0.1\n'


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("idle")
    for name, r in (("p.csv", 75), ("q.csv", 70)):
        (folder / name).write_text(f"theta [deg],r [nm]\n0,80\n45,78\n90,{r}\n135,78\n180,80\n")
    for name, n in (("a.yml", 1.4), ("b.yml", 1.5)):
        (folder / name).write_text(MATERIAL.format(n))
    of_file = recipe(listed("tmatrix"), "spheroid")
    of_file["sweep"]["wavelength"] = '["600 nm", "620 nm", "640 nm"]'
    (folder / "t.toml").write_text(text(of_file, "t"))
    assert run("-q", "run", "t.toml", cwd=folder).returncode == 0
    return folder


def check_all(folder, names):
    out = {}
    for i in range(0, len(names), 400):
        part = names[i:i + 400]
        done = run("check", "--json", *(f"{n}.toml" for n in part), cwd=folder)
        out |= dict(zip(part, json.loads(done.stdout)))
    return out


def test_values_are_of_the_schema():
    missing = [k for k in KEYS if not k.startswith(PRESENTATION) and k not in VALUES]
    assert not missing, f"add two values of {missing}"


@pytest.mark.parametrize("group", GROUPS)
def test_no_key_is_passed_over(folder, group):
    cases = {}
    for base_name, base in GROUPS[group].items():
        for key in (k for k in KEYS if not k.startswith(PRESENTATION)):
            if key.startswith("particle.N.") and not base["particle"]:
                continue
            for i, value in enumerate(values_of(key, base)):
                name = f"{group}{len(cases)}"
                (folder / f"{name}.toml").write_text(text(variant(base, key, value), name))
                cases[name] = (base_name, key, i)
        (folder / f"{group}-base.toml").write_text(text(base, "base"))
        checked = json.loads(run("check", "--json", f"{group}-base.toml", cwd=folder).stdout)[0]
        assert checked["ok"] and not checked["faults"], (base_name, checked["faults"])
    checks = check_all(folder, list(cases))
    silent = [n for n, c in checks.items() if c["ok"] and not any(f["key"] and cases[n][1].replace("N", "0").replace("0AME", "foo").startswith(f["key"]) for f in c["faults"])]
    pairs = {}
    for name in silent:
        pairs.setdefault(cases[name][:2], []).append(name)
    pairs = {k: v for k, v in pairs.items() if len(v) == 2}
    pairs = {k: v for k, v in pairs.items() if not symmetric(*k)}
    assert len(pairs) > 5 * len(GROUPS[group]), "most keys do something"
    ran = run("-q", "run", "--force", "--threads", "1", *(f"{n}.toml" for v in pairs.values() for n in v), cwd=folder)
    assert ran.returncode in (0, 4, 5), ran.stderr  # what stops has an effect
    idle = []
    for (base_name, key), (a, b) in pairs.items():
        tolerance = 0 if key.startswith("numerics.") else 1e-9
        stopped = [n for n in (a, b) if f"\n{n}: " in "\n" + ran.stderr]
        if not stopped and same(numbers(folder / f"{a}.h5"), numbers(folder / f"{b}.h5"), tolerance):
            idle.append(f"{base_name}: {key}")
    assert not idle, "\n".join(idle)
