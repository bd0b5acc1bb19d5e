"""The recipe of a fundamental soliton, gamma P t0^2 / |beta_2| = 1, on a small grid."""


def soliton(length, samples, planes):
    return f"""
schema = 1
kind = "pulse"
name = "soliton"
[geometry]
type = "fibre"
length = "{length}"
[fibre]
gamma = "0.01 1/(W m)"
beta = ["-20 ps2/km"]
[[pulse]]
wavelength = "1550 nm"
peak_power = "200 W"
t0 = "100 fs"
shape = "sech2"
[physics]
raman = "off"
shock = false
[grid]
window = "10 ps"
samples = {samples}
[output]
planes = {planes}
"""
