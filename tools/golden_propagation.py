#!/usr/bin/env python3
"""Turn golden propagations in a fibre (JSON) into the text tables that tests/physics/golden.h reads.

Usage: golden_propagation.py FOLDER_OF_JSON OUT_FOLDER
One table a case: a key and its values on each line; the tables are kept in tests/golden/propagation, so that the
tests need neither this program nor the JSON."""
import json
import pathlib
import re
import sys

CASES = ("e01_soliton_N3", "e02_dispersion_gauss", "e03_spm", "e03b_spm_shock", "e04_ssfs_blowwood", "e04_ssfs_hollenbeck",
         "e04_ssfs_linagrawal", "e06_supercontinuum_dudley2006", "e11_modulation_instability")
RAMAN = {"blowwood": 1, "linagrawal": 2, "hollenbeck": 3}  # poy_raman_model
SHAPE = {"gauss": 0, "sech": 1, "cw": 3}  # poy_shape


def rows(data):
    p, grid = data["inputs"], data["grid"]
    pulse, raman, betas = p["pulse"], p.get("raman"), p["betas"]
    assert p["units"] == "SI" and p["model"] == "GNLSE" and not any(betas[:2]) and not p.get("loss_dB_m")
    assert grid["N"] == grid["N_fine"] == p["N"] and grid["field"] == "envelope" and not pulse.get("gdd")
    yield "length", data["length_m"]
    yield "reference", p["lambda0"]
    yield "window", p["time_window"]
    yield "n", p["N"]
    yield "dt", grid["dt_s"]
    yield "domega", grid["domega_rad_s"]
    yield "omega0", grid["omega0_rad_s"]
    yield "gamma", p["gamma"]
    for beta in betas[2:]:
        yield "beta", beta
    yield "shock", int(p["shock"])
    if raman:
        yield "raman", RAMAN[raman["model"]]
        yield "fraction", raman["fr"]
        yield "start_full", int(raman["model"] == "linagrawal")  # this case samples h(0) with full weight
    yield "shape", SHAPE[pulse["shape"]]
    for key, name in (("fwhm", "fwhm"), ("tau0", "t0"), ("power", "peak_power"), ("energy", "energy")):
        if key in pulse:
            yield name, pulse[key]
    if "seed" in pulse:  # sqrt(P) (1 + s cos(Omega t)) = sqrt(P) (1 + 2 sqrt(r) cos(2 pi f t))
        side = data["sideband"]
        s = float(re.fullmatch(r"sqrt\(P\)\(1\+(\S+) cos\(Omega t\)\)", pulse["seed"]).group(1))
        yield "sideband_bin", side["k"]
        yield "sideband_power", (s / 2) ** 2
        yield "sideband_in", side["in_rel"]
        yield "sideband_out", side["out_rel"]
    for key in ("energy_in_J", "energy_J", "photon_number_ratio", "omega_mean_rad_s"):
        yield key, data["scalars"][key]
    samples = data["samples"]
    if "sideband" not in data:  # of a continuous wave the samples are the carrier alone
        for w, (re_, im) in zip(samples["omega_rad_s"], samples["spectrum_complex_sqrtJs"]):
            yield "sample", w, re_, im
        for t, power in zip(samples["t_s"], samples["power_W"]):
            yield "power", t, power


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    for case in CASES:
        data = json.loads((source / (case + ".json")).read_text())
        lines = [" ".join([row[0]] + [repr(v) for v in row[1:]]) for row in rows(data)]
        head = "# %s, SI units; made by tools/golden_propagation.py\n" % case
        (out / (case + ".txt")).write_text(head + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
