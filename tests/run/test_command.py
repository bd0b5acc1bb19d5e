"""The command's own surface: help, info, new, backends, materials, completion."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest
from command import COMMAND, SOURCE, run

COMMANDS = re.findall(r"^  (\w+) {2,}", run("help").stdout, re.M)


def test_commands():
    assert {"run", "resume", "check", "plot", "info", "new", "materials", "backends", "completion"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen_and_has_an_example(command):
    done = run(command, "--help")
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) <= 24
    assert lines[-1].startswith(f"Example: poynting {command}")
    assert run("help", command).stdout == done.stdout
    assert max(map(len, lines)) <= 120


def test_version_and_usage():
    assert re.fullmatch(r"poynting \d+\.\d+\.\d+\n", run("--version").stdout)
    assert run().returncode == 2
    assert run("--colour", "run").returncode == 2
    assert run("--color", "blue", "check").returncode == 2


@pytest.mark.parametrize("kind", ["fibre", "capillary", "freespace", "cluster", "array", "stack"])
def test_new(tmp_path, kind):
    assert run("new", kind, cwd=tmp_path).stdout == f"{kind}.toml\n"
    done = run("check", f"{kind}.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run("new", kind, cwd=tmp_path).returncode == 74
    assert run("new", kind, "--force", cwd=tmp_path).returncode == 0
    assert run("new", kind, "-o", "-", cwd=tmp_path).stdout == (tmp_path / f"{kind}.toml").read_text()


def test_new_fibre_runs(tmp_path):
    run("new", "fibre", cwd=tmp_path)
    done = run("run", "fibre.toml", "-s", "geometry.length=5 mm", "-s", "output.planes=11", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in tmp_path.glob("*.png")) == ["fibre_evolution.png", "fibre_spectrum.png", "fibre_temporal.png"]


def test_new_unknown():
    assert "did you mean fibre?" in run("new", "fiber").stderr


def test_backends():
    data = json.loads(run("backends", "--json").stdout)
    known = {b["name"]: b for b in data["backends"]}
    assert known["ref"]["available"] and known["cpu"]["available"]
    assert not known["cuda"]["available"] and known["cuda"]["reason"]
    assert data["threads"] >= 1
    assert "fftw" in run("backends").stdout


def test_materials(tmp_path):
    listed = run("materials").stdout
    for name in ("SiO2", "Au:Johnson", "water", "He", "Ar"):
        assert re.search(rf"^{name} ", listed, re.M), name
    # Malitson, J. Opt. Soc. Am. 55, 1205 (1965): n(0.5876 um) = 1.45846, table 1
    shown = run("materials", "SiO2", "--at", "0.587561 um").stdout
    assert float(re.search(r"^n +(\S+)", shown, re.M)[1]) == pytest.approx(1.45846, abs=1e-5)
    # fused silica: zero dispersion at 1.273 um
    beta = [float(re.search(r"^beta_2 +(\S+)", run("materials", "SiO2", "--at", f"{x} um").stdout, re.M)[1]) for x in (1.26, 1.285)]
    assert beta[0] > 0 > beta[1]
    helium = run("materials", "He", "--at", "800 nm", "--pressure", "2 bar").stdout
    # Ermolov et al., PRA 92, 033821 (2015) at 800 nm, 2 bar, 293.15 K; n2 as published tables have it
    assert abs(float(re.search(r"^n - 1 +(\S+)", helium, re.M)[1]) / 6.4804307e-5 - 1) < 1e-6
    assert abs(float(re.search(r"^n2 +(\S+)", helium, re.M)[1]) / 7.1256e-25 - 1) < 1e-4
    for name, lines in (("SiO2", 3), ("Au:Johnson", 1), ("He", 3)):  # one table of n and k; n, beta_2 and its zero
        drawn = run("materials", name, "--plot", "a.csv", "--range", "300 nm:1 um", cwd=tmp_path)
        assert drawn.returncode == 0 and drawn.stdout.splitlines()[-1] == "a.csv", drawn.stderr
        text = (tmp_path / "a.csv").read_text()
        assert text.count('"wavelength (nm)"') == lines and "300," in text
    assert run("materials", "SiO2", "--plot", "a.bmp", cwd=tmp_path).returncode == 1
    assert "no index between" in run("materials", "SiO2", "--plot", "a.csv", "--range", "20 nm:30 nm", cwd=tmp_path).stderr
    assert run("materials", "Unobtainium").returncode == 1
    assert run("materials", "Argon", "--at", "800 nm").stdout == run("materials", "Ar", "--at", "800 nm").stdout
    assert 'did you mean "Al2O3:Malitson-o"?' in run("materials", "sapphire").stderr
    (tmp_path / "x.yml").write_text("DATA:\n  - type: tabulated nk\n    data: |\n        0.5 1.5 0.1\n        0.6 1.6 0.2\n")
    shown = run("materials", "--import", tmp_path / "x.yml", "--at", "500 nm")
    assert shown.returncode == 0, shown.stderr
    assert "1.5" in shown.stdout


def test_units():
    shown = run("check", "--units").stdout
    assert re.search(r"^time +fs, ps, ns$", shown, re.M)


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("info")
    run("new", "fibre", cwd=folder)
    done = run("run", "fibre.toml", "--no-plots", "-s", "geometry.length=2 mm", "-s", "output.planes=3", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_info(folder):
    text = run("info", "fibre.h5", cwd=folder).stdout
    assert re.search(r"^complete +1$", text, re.M) and re.search(r"^/field/spectrum +\(3, 1, 1, \d+\) +sqrt\(J s\)", text, re.M)
    data = json.loads(run("info", "fibre.h5", "--json", cwd=folder).stdout)
    assert data["name"] == "fibre" and data["complete"] == 1 and data["format"] == 1
    assert {"grid/z", "grid/omega", "field/spectrum", "stats/energy"} <= {d["path"] for d in data["datasets"]}


def test_info_gives_the_recipe_back(folder):
    """As it was given; with keys that were set beside it, as it was resolved: either gives the same problem again."""
    text = run("info", "fibre.h5", "--recipe", cwd=folder).stdout
    assert text.startswith("# With every default filled in, since these keys were set beside the recipe:\n"
                           "#   geometry.length = 2 mm\n#   output.planes = 3\n")
    (folder / "again.toml").write_text(text)
    assert run("info", "fibre.h5", "--diff", "again.toml", cwd=folder).stdout == "no key differs\n"
    given = (folder / "fibre.toml").read_text().replace('length = "10 cm"', 'length = "1 mm"')
    (folder / "given.toml").write_text(given)
    done = run("run", "given.toml", "--no-plots", "--threads", "1", "-o", "given.h5", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert run("info", "given.h5", "--recipe", cwd=folder).stdout == given


def test_info_of_a_recipe(folder):
    text = run("info", "fibre.toml", cwd=folder).stdout
    assert 'raman = "blow_wood"' in text and "rtol = 1e-6" in text
    assert run("info", "fibre.toml", "--recipe", cwd=folder).stdout == (folder / "fibre.toml").read_text()


def test_info_cite(folder):
    for name in ("fibre.h5", "fibre.toml"):
        text = run("info", name, "--cite", cwd=folder).stdout
        assert "Blow and Wood" in text and "Dudley" in text and "Poynting" in text
    run("new", "capillary", cwd=folder)
    assert re.search(r"^He, index: Ermolov|^He, index: .*Ermolov", run("info", "capillary.toml", "--cite", cwd=folder).stdout, re.M)


def test_info_diff(folder):
    done = run("info", "fibre.h5", "--diff", "fibre.toml", cwd=folder)
    assert done.returncode == 0
    assert 'geometry.length ("2 mm" -> "10 cm")' in done.stdout.splitlines()
    assert run("info", "fibre.toml", "--diff", "fibre.toml", cwd=folder).stdout == "no key differs\n"


def test_info_explain(folder):
    """What it says about densities and time fields is true of the file."""
    h5py = pytest.importorskip("h5py")
    numpy = pytest.importorskip("numpy")
    text = run("info", "fibre.h5", "--explain", cwd=folder).stdout
    assert "A(t_n) = sqrt(2 pi)/dt * ifft(S)" in text
    with h5py.File(folder / "fibre.h5") as f:
        omega, t, S = f["grid/omega"][:], f["grid/t"][:], f["field/spectrum"][0, 0, 0]
    domega = omega[1] - omega[0]
    dt = 2 * numpy.pi / (len(omega) * domega)
    assert dt == pytest.approx(t[1] - t[0], rel=1e-9)
    A = numpy.sqrt(2 * numpy.pi) / dt * numpy.fft.ifft(numpy.fft.ifftshift(S))
    t0 = 50e-15 / 1.7627471740390859
    assert numpy.allclose(abs(A) ** 2, 1000 / numpy.cosh(t / t0) ** 2, atol=1e-3)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    done = run("completion", shell)
    assert done.returncode == 0
    for word in COMMANDS + ["--stop-after" if shell != "fish" else "stop-after"]:
        assert word in done.stdout
    assert run("completion", "csh").returncode == 2


def test_bash_completes():
    script = run("completion", "bash").stdout
    ask = script + '\nCOMP_WORDS=(poynting res); COMP_CWORD=1; _poynting; echo "${COMPREPLY[@]}"' \
                   '\nCOMP_WORDS=(poynting run --st); COMP_CWORD=2; _poynting; echo "${COMPREPLY[@]}"'
    out = subprocess.run(["bash", "-c", ask], text=True, capture_output=True, check=True).stdout.split("\n")
    assert out[:2] == ["resume", "--stop-after"]


def test_conform(tmp_path):
    done = run("conform", "--ops", "add", "--json", tmp_path / "c.json")
    assert done.returncode == 0, done.stderr
    cells = json.loads((tmp_path / "c.json").read_text())
    assert {c["op"] for c in cells} == {"add"} and all(c["cases"] > 0 and c["failed"] == 0 for c in cells)
    assert run("conform", "--rows", "drive").returncode == 0
    done = run("conform", "--records", "eig*", "--json", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "r.json").read_text())
    assert {"poy.eig", "poy.eigh", "poy.eigsh", "poy.eigvals"} == {r["record"] for r in found}
    assert all(r["failed"] == 0 and r["cases"] > 0 and r["adjoint"] < 1e-12 for r in found)
    assert "no record matches" in run("conform", "--records", "nope").stderr
    assert run("conform", "--load-records", tmp_path / "none.so").returncode == 74
    assert run("conform", "--backend", "nope").returncode == 4
    assert "no element type 'f33'" in run("conform", "--dtypes", "f33").stderr
    assert run("conform", "--load", tmp_path / "none.so").returncode != 0


def test_conform_lists_compares_soaks_and_reports(tmp_path):
    listed = run("conform", "--list", "--ops", "exp*").stdout.splitlines()
    assert [line.split()[:3] for line in listed[:2]] == [["exp", "f32", "native"], ["exp", "f64", "native"]]
    assert "0 failed" in run("conform", "--compare", "cpu:isa=base,cpu", "--ops", "add").stdout
    assert "say two backends" in run("conform", "--compare", "cpu").stderr
    assert "would name another" in run("conform", "--compare", "cpu,ref", "--backend", "ref").stderr
    golden = run("conform", "--golden", SOURCE / "tests" / "golden", "--backend", "ref", "--json", tmp_path / "g.json")
    assert golden.returncode == 0 and "161 golden cases, 0 failed" in golden.stdout
    assert len(json.loads((tmp_path / "g.json").read_text())) == 161
    (tmp_path / "ops.txt").write_text("cases 1\ncase a fill exact 0 0 OK 0 1\narg x\n")
    assert "ops.txt:3: " in run("conform", "--golden", tmp_path).stderr
    assert run("conform", "--golden", tmp_path / "none").returncode == 74
    narrow = run("conform", "--ops", "exp", "--dtypes", "f64", "--tolerance-scale", "0.01")
    assert narrow.returncode == 6 and "times the bound" in narrow.stderr
    assert "0.04 eps" in run("conform", "--list", "--ops", "exp", "--dtypes", "f64", "--tolerance-scale", "0.01").stdout
    assert run("conform", "--ops", "exp", "--dtypes", "f64", "--tolerance-scale", "2").returncode == 0
    assert "a number above 0" in run("conform", "--tolerance-scale", "-1").stderr
    soaked = run("conform", "--level", "soak", "--for", "0.2 s", "--ops", "add", "--dtypes", "f64")
    assert soaked.returncode == 0 and int(re.search(r"(\d+) cases", soaked.stdout)[1]) >= 12
    assert run("conform", "--level", "long").returncode == 2
    assert run("conform", "--ops", "add", "--report", tmp_path / "r.md").returncode == 0
    assert run("conform", "--ops", "neg", "--report", tmp_path / "r.md").returncode == 0
    assert "468 cases, 0 failed" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "| `add` | 252 |" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert run("conform", "--ops", "add", "--report", tmp_path / "none" / "r.md").returncode == 74


def test_bench(tmp_path):
    done = run("bench", "--quick", "--json", tmp_path / "b.json")
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / "b.json").read_text())
    assert data["stage.8192"]["ratio"] > 1 and data["stage.8192"]["over_ref"] > 1
    assert "%" in run("bench", "--quick", "--against", tmp_path / "b.json").stdout
    for text in ("hello", '{"backend": "cpu"}', '{"backend": "cpu", "stage.8192": {"ratio": null}}'):
        (tmp_path / "bad.json").write_text(text)
        bad = run("bench", "--quick", "--against", tmp_path / "bad.json")
        assert bad.returncode == 1 and "bad.json: these are no numbers that poynting bench --json wrote" in bad.stderr
    assert run("bench", "--quick", "--against", tmp_path / "none").returncode == 74
    assert run("bench", "--quick", "--against", tmp_path).returncode == 74
    assert "/dev/full: cannot be written: No space left" in run("bench", "--quick", "--json", "/dev/full").stderr
    assert run("bench", "walk").returncode == 2
    rows = run("bench", "rows", "--quick").stdout
    assert re.search(r"^axpy +f64 .* GB/s +[\d.]+ %$", rows, re.M)
    assert re.search(r"^sqrt +f64 .* GB/s +[\d.]+ %, [\d.]+ % of its instructions alone$", rows, re.M)
    assert run("bench", "rows", "--json", tmp_path / "b.json").returncode == 2


def test_manual_pages():
    """Every command, option and key is in them, and troff has nothing to say about them."""
    folder = pathlib.Path(COMMAND).parent
    commands, recipes = ((folder / n).read_text().replace("\\-", "-") for n in ("poynting.1", "poynting-recipe.5"))
    for command in COMMANDS:
        assert f'.SS "{command} ' in commands
    for option in re.findall(r"--([a-z-]+)", run("run", "--help").stdout):
        assert f"--{option}" in commands or option == "help"
    for key in json.loads(run("check", "--keys", "--json").stdout):
        assert f"\\fB{key['path']}\\fR" in recipes
    if shutil.which("groff"):
        for name in ("poynting.1", "poynting-recipe.5"):
            done = subprocess.run(["groff", "-man", "-ww", "-z", folder / name], text=True, capture_output=True, check=True)
            assert done.stderr == ""
