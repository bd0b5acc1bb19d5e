"""What scattering runs take of memory against what their recipes were estimated to take: the ledger of the result, to the byte."""

import io
import re

import h5py
import pytest
from command import check, run

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
    "layered": SPHERE.replace('radius = "75 nm"\nmaterial = { re = 15.5, im = 0.12 }', 'radii = ["60 nm", "75 nm"]\nmaterials = ["Ag:Johnson", "SiO2"]') +
               TWELVE + '[numerics]\nlmax = 5\n[output]\nquantities = ["cross_sections"]\n',
    "chiral": SPHERE + TWELVE + '[medium]\nmaterial = { n = 1.33, kappa = 0.05 }\n[numerics]\nlmax = 4\nsolver = "gmres"\n'
              '[output]\nquantities = ["cross_sections"]\n',
    "spheroids": '[[particle]]\nshape = "spheroid"\nsemi_axes = ["40 nm", "60 nm"]\nmaterial = { re = 4.0, im = 0.12 }\nrotation = ["30 deg", "40 deg", "0 deg"]\n'
                 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [200.0, 0.0, 0.0]]\n[numerics]\nlmax = 6\n[output]\nquantities = ["cross_sections"]\n',
    "gratings": RODS + '[lattice]\nvectors = [[500.0, 0.0, 0.0]]\nunit = "nm"\n[numerics]\nmmax = 6\norders_kmax = "60 rad/um"\n'
                '[output]\nquantities = ["transmission"]\n',
    "array of two": SPHERE + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [220.0, 10.0, 30.0]]\n' + LATTICE +
                    '[numerics]\nlmax = 5\norders_kmax = "40 rad/um"\n[output]\nquantities = ["transmission"]\n',
    "array, lights": SPHERE + LATTICE + '[illumination]\npolarisation = ["s", "p"]\nangles = { theta = ["0 deg", "20 deg", "40 deg"], phi = "0 deg" }\n'
                     '[numerics]\nlmax = 4\norders_kmax = "40 rad/um"\n[output]\nquantities = ["transmission"]\n',
    "stack": SPHERE + LATTICE + STACK + '[numerics]\nlmax = 6\norders_kmax = "60 rad/um"\n[output]\nquantities = ["transmission"]\n',
    "layers": '[stack]\nlayers = [{ material = "vacuum" }, { material = "SiO2", thickness = "50 nm" }, { material = "vacuum" }]\n'
              '[output]\nquantities = ["transmission"]\n',
    "chain": SPHERE + '[lattice]\nvectors = [[0.0, 0.0, 300.0]]\nunit = "nm"\n[illumination]\ndirection = [1, 0, 0]\npolarisation = ["s", "p"]\n'
             '[numerics]\nlmax = 6\n[output]\nquantities = ["cross_sections"]\n',
    "chain, near": SPHERE + '[lattice]\nvectors = [[0.0, 0.0, 300.0]]\nunit = "nm"\n[illumination]\ndirection = [1, 0, 0]\npolarisation = "s"\n'
                   '[numerics]\nlmax = 4\n[output]\nquantities = [{ name = "near_field", plane = "y = 0 nm", size = "900 nm", pixels = 61, '
                   'wavelengths = ["600 nm"] }]\n',
    "bands": SPHERE + '[lattice]\nvectors = [[0.0, 0.0, 300.0]]\nunit = "nm"\npath = [[0.0], [0.5]]\npath_points = 21\n[illumination]\n'
             'direction = [1, 0, 0]\npolarisation = "s"\n[numerics]\nlmax = 5\n[output]\nquantities = ["bands"]\n',
    "rods, near": RODS + '[illumination]\ndirection = [1, 0, 0]\npolarisation = "s"\n[numerics]\nmmax = 6\n'
                  '[output]\nquantities = [{ name = "near_field", pixels = 101 }]\n',
    "one, of low degree": SPHERE + '[numerics]\nlmax = 1\n[output]\nquantities = ["cross_sections"]\n',
    "iteration, few": SPHERE + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [170.0, 0.0, 0.0]]\n[numerics]\nlmax = 2\nsolver = "gmres"\n'
                      '[output]\nquantities = ["cross_sections"]\n',
    "few along an axis": SPHERE + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [0.0, 0.0, 170.0], [0.0, 0.0, 340.0]]\n[numerics]\nlmax = 6\n'
                         '[output]\nquantities = ["cross_sections"]\n',  # by factors up to the degree 4, by an iteration above
    "array of three, near": SPHERE + 'unit = "nm"\npositions = [[0.0, 0.0, 0.0], [200.0, 0.0, 10.0], [0.0, 200.0, -20.0]]\n' + LATTICE +
                            '[numerics]\nlmax = 4\norders_kmax = "30 rad/um"\n[output]\nquantities = ["transmission", { name = "near_field", pixels = 11 }]\n',
    "stack, near": SPHERE + LATTICE + STACK + '[numerics]\nlmax = 6\norders_kmax = "60 rad/um"\n'
                   '[output]\nquantities = [{ name = "near_field", pixels = 11, wavelengths = ["600 nm"] }]\n',
}


LOOSE = {"spheroids"}  # whether turned particles make a symmetric matrix, whose factors take more scratch, is seen when it is there


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", RECIPES)
def test_estimate_is_the_ledger(tmp_path, name, threads):
    """To the byte, on every route, for any number of threads: what was estimated is reserved before the first point. Of what is reserved
    for a thread at least nine tenths are used, but for a lump of small buffers; never is it too little."""
    _, checked, _ = check(tmp_path, HEAD + RECIPES[name] + SWEEP, "-s", f"run.threads={threads}")
    done = run("-q", "run", "--threads", threads, "a.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(io.BytesIO((tmp_path / "a.h5").read_bytes())) as f:
        memory = {k: int(v[()]) for k, v in f["provenance/memory"].items()}
    assert memory["total"] == checked["numbers"]["bytes"]["value"]
    team = memory["run.threads"] // 16  # two pointers for each thread: there are no more than points
    reserved, used = memory["run.workspace"] // team, memory["run.workspace.used"]
    assert used <= reserved and (name in LOOSE or reserved <= used / 0.9 + 64 * 2**10), f"{used} used, {reserved} reserved"


GIVES_WAY = (HEAD + '[[particle]]\nshape = "sphere"\nradius = "75 nm"\nmaterial = { re = -2.0, im = 0.001 }\n' + 'unit = "nm"\npositions = ['
             + ", ".join(f"[{152 * (i % 3)}, {152 * (i // 3)}, 0]" for i in range(9)) + ']\n[numerics]\nlmax = 3\ntol = 1e-6\n'
             '[output]\nquantities = ["cross_sections"]\n')
THREE = '[sweep]\nwavelength = ["370 nm", "375 nm", "380 nm"]\n'


def result(folder):
    with h5py.File(io.BytesIO((folder / "a.h5").read_bytes())) as f:
        return int(f["provenance/memory/total"][()]), f["cross_sections/extinction"][...].tobytes(), f["provenance/warnings"][...].tolist()


def test_factors_that_take_over_are_told_and_reserved_to_the_byte(tmp_path):
    """Near its resonance the iteration does not converge: check tells both figures, the ledger shows the larger one."""
    _, checked, _ = check(tmp_path, GIVES_WAY + '[sweep]\nwavelength = ["380 nm"]\n', "-s", "run.threads=1")
    bytes_, most = (checked["numbers"][key]["value"] for key in ("bytes", "bytes_most"))
    assert run("-q", "run", "--threads", 1, "a.toml", cwd=tmp_path).returncode == 0
    assert result(tmp_path)[0] == most > 2 * bytes_


def test_a_budget_is_not_overrun_where_factors_take_over(tmp_path):
    """It holds the factors of one thread, or is refused; three threads take turns, and compute what they compute without it."""
    _, checked, _ = check(tmp_path, GIVES_WAY + THREE, "-s", "run.threads=3")
    bytes_, most = (checked["numbers"][key]["value"] for key in ("bytes", "bytes_most"))
    needed = int(bytes_ + (most - bytes_) / 3)
    assert run("-q", "run", "--threads", 3, "a.toml", cwd=tmp_path).returncode == 0
    free = result(tmp_path)
    done = run("-q", "run", "--threads", 3, "--memory", f"{needed} B", "a.toml", "--force", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert result(tmp_path)[0] <= needed and result(tmp_path)[1] == free[1]
    refused = run("run", "--threads", 3, "--memory", f"{needed - 1} B", "a.toml", "--force", cwd=tmp_path)
    assert refused.returncode == 4 and "by run.memory (largest: run.workspace " in refused.stderr
    assert re.search(r"a: needs [\d.]+ MiB where factors take over from an iteration \([\d.]+ [KM]iB where none has to: numerics.solver = \"gmres\"\)", refused.stderr)
    assert re.search(r"use a smaller numerics.lmax, fewer threads, or --memory \"[\d.]+ MiB\"", refused.stderr)


RISES = (HEAD + '[[particle]]\nshape = "sphere"\nradius = "20 nm"\nmaterial = "Ag:Johnson"\nunit = "nm"\npositions = [[0, 0, 0], [44, 0, 0]]\n'
         '[numerics]\ntol = 1e-3\n[sweep]\nwavelength = ["355 nm", "360 nm"]\n[output]\nquantities = ["cross_sections"]\n')


def test_degrees_rise_as_far_as_a_budget_has_room(tmp_path):
    """Whatever the number of threads; the run comes to its end, and tells what it could not do."""
    _, checked, _ = check(tmp_path, RISES, "-s", "run.threads=1")
    first = checked["numbers"]["bytes"]["value"]
    assert run("-q", "run", "--threads", 1, "a.toml", cwd=tmp_path).returncode == 0
    taken, free, warned = result(tmp_path)
    assert taken > 2 * first and not any(b"stay at a degree" in w for w in warned)
    budget = 48 * 2**20
    sections = set()
    for threads in (1, 2):
        done = run("-q", "run", "--threads", threads, "--memory", f"{budget} B", "a.toml", "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        total, numbers, warned = result(tmp_path)
        assert total <= budget and any(b"points stay at a degree below the one that numerics.tol wants: the budget has room up to" in w for w in warned)
        sections.add(numbers)
    assert len(sections) == 1 and sections != {free}
