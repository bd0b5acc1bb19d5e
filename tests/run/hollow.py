"""Recipes of gas-filled guides for tests: a helium capillary, of which each test changes what it is about."""

from command import check, follows, run

CAPILLARY = 'type = "capillary"\ncore_radius = "125 um"\nlength = "1 cm"'
PULSE = 'wavelength = "800 nm"\nenergy = "120 uJ"\nfwhm = "10 fs"'
GRID = 'wavelength_min = "160 nm"\nwavelength_max = "3 um"\nwindow = "400 fs"'
NO_ABSORBER = 'absorber = "none"'  # it would decide the steps of so short a guide
SHORT = CAPILLARY.replace("1 cm", "1 mm")  # and what else a run of moments takes
LEAN = {"grid": 'wavelength_min = "300 nm"\nwavelength_max = "3 um"\nwindow = "100 fs"', "physics": "plasma = false"}


def recipe(**sections):
    """The text of a recipe: the helium capillary, with sections (None: without) in the place of its own."""
    whole = {"geometry": CAPILLARY, "gas": 'fill = "He"\npressure = "1 bar"', "pulse": PULSE, "grid": GRID,
             "solver": NO_ABSORBER, "output": "planes = 2", "plots": "kinds = []"} | sections
    text = 'schema = 1\nkind = "pulse"\nname = "gas"\n'
    for name, body in whole.items():
        if body is not None:
            text += f"{'[[pulse]]' if name == 'pulse' else f'[{name}]'}\n{body}\n"
    return text


def result(folder, **sections):
    """The recipe, run: the path of its file."""
    (folder / "gas.toml").write_text(recipe(**sections))
    done = run("-q", "run", "--force", "gas.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "gas.h5"


def numbers(folder, **sections):
    code, checked, _ = check(folder, recipe(**sections))
    assert code == 0, checked
    return {key: n["value"] for key, n in follows(checked).items()}, checked
