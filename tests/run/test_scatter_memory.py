"""What scattering runs take of memory against what their recipes were estimated to take: the ledger of the result, most bytes at once."""

import io
import re

import h5py
import pytest
from command import run

SIZES = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
HEAD = 'schema = 1\nkind = "scatter"\nname = "a"\n[plots]\nkinds = []\n'
SPHERE = '[[particle]]\nshape = "sphere"\nradius = "75 nm"\nmaterial = { re = 15.5, im = 0.12 }\n'
TWELVE = 'unit = "nm"\npositions = [' + ", ".join(f"[{170 * (i % 3)}, {170 * (i // 3 % 3)}, {170 * (i // 9)}]" for i in range(12)) + "]\n"
SWEEP = '[sweep]\nwavelength = { start = "501 nm", stop = "700 nm", num = 6 }\n'
RODS = '[[particle]]\nshape = "cylinder"\nradius = "75 nm"\nmaterial = { re = 4.0, im = 0.12 }\n'
LATTICE = '[lattice]\nvectors = [[500.0, 0.0], [0.0, 500.0]]\nunit = "nm"\n'
STACK = '[stack]\nlayers = [{ material = "vacuum" }, { array = true, above = "200 nm", below = "200 nm" }, ' \
        '{ material = "SiO2", thickness = "50 nm" }, { material = "vacuum" }]\n'
RECIPES = {
    "one": SPHERE + '[numerics]\nlmax = 8\n[output]\nquantities = ["cross_sections"]\n',
    "one, near": SPHERE + '[numerics]\nlmax = 8\n[output]\nquantities = [{ name = "near_field", pixels = 301 }]\n',
    "factors": SPHERE + TWELVE + '[numerics]\nlmax = 4\nsolver = "dense"\n[output]\nquantities = ["cross_sections"]\n',
    "iteration": SPHERE + TWELVE + '[numerics]\nlmax = 6\nsolver = "gmres"\n[output]\nquantities = ["cross_sections"]\n',
    "degrees": SPHERE + TWELVE + '[numerics]\ntol = 1e-4\n[output]\nquantities = ["cross_sections"]\n',
    "tmatrix": SPHERE + TWELVE + '[numerics]\nlmax = 3\n[output]\nquantities = ["cross_sections", "tmatrix"]\n',
    "far": SPHERE + TWELVE + '[numerics]\nlmax = 3\n[output]\nquantities = [{ name = "far_field", pixels = 721 }]\n',
    "near": SPHERE + TWELVE + '[numerics]\nlmax = 4\n[output]\nquantities = [{ name = "near_field", pixels = 201 }]\n',
    "lights": SPHERE + TWELVE + '[numerics]\nlmax = 4\nsolver = "dense"\n[illumination]\npolarisation = ["left", "right", "x", "y"]\n'
              '[output]\nquantities = ["cross_sections"]\n',
    "rods": RODS + 'unit = "nm"\npositions = [' + ", ".join(f"[{180 * (i % 3)}, {180 * (i // 3)}, 0]" for i in range(12)) + "]\n"
            '[illumination]\ndirection = [1, 0, 0]\npolarisation = "s"\n[numerics]\nmmax = 5\n[output]\nquantities = ["cross_sections"]\n',
    "spheroid": '[[particle]]\nshape = "spheroid"\nsemi_axes = ["40 nm", "60 nm"]\nmaterial = { re = 4.0, im = 0.12 }\n'
                '[numerics]\nlmax = 10\n[output]\nquantities = ["cross_sections"]\n',
    "array": SPHERE + LATTICE + '[numerics]\nlmax = 8\norders_kmax = "60 rad/um"\n[output]\nquantities = ["transmission"]\n',
    "stack, near": SPHERE + LATTICE + STACK + '[numerics]\nlmax = 6\norders_kmax = "60 rad/um"\n'
                   '[output]\nquantities = [{ name = "near_field", pixels = 11, wavelengths = ["600 nm"] }]\n',
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", RECIPES)
def test_estimate_holds(tmp_path, name, threads):
    """Never less than was taken, and no more than three quarters above it on one thread, beside a lump of small buffers. Two threads
    need not be at their largest at the same time: how much they take together is a matter of chance."""
    (tmp_path / "a.toml").write_text(HEAD + RECIPES[name] + SWEEP)
    told = run("run", "--dry-run", "--threads", threads, "a.toml", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    number, unit = re.search(r"needs ([0-9.e+]+) (\w+)", told.stdout).groups()
    estimate = float(number) * SIZES[unit] * 1.001  # three digits are printed
    done = run("-q", "run", "--threads", threads, "a.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(io.BytesIO((tmp_path / "a.h5").read_bytes())) as f:
        taken = int(f["provenance/memory/total"][()])
    assert taken <= estimate, f"{taken} taken, {estimate:.0f} estimated"
    if threads == 1:
        assert estimate <= 1.75 * taken + 200 * 2**10, f"{taken} taken, {estimate:.0f} estimated"
