"""The recipe of a higher-order soliton that runs in a tenth of a second."""

import pathlib

RECIPE = """schema = 1
kind = "pulse"
name = "soliton"

[geometry]
type = "fibre"
length = "0.2 m"

[fibre]
gamma = "0.01 1/(W m)"
beta = ["-20 ps2/km"]

[[pulse]]
wavelength = "1550 nm"
peak_power = "1.8 kW"
t0 = "100 fs"
shape = "sech2"

[physics]
raman = "off"
shock = false

[grid]
window = "5 ps"
samples = 1024

[output]
planes = 11
stats = ["energy", "photon_number", "peak_power", "fwhm_t", { name = "red", band = "1600 nm:1700 nm" }]

[plots]
kinds = []
"""


def write(folder, text=RECIPE, name="a.toml"):
    path = pathlib.Path(folder) / name
    path.write_text(text, encoding="utf-8")
    return path
