#!/usr/bin/env python3
"""Turn golden propagations in fibres and gas-filled capillaries (JSON) into the text tables that the tests of
tests/physics read.

Usage: golden_propagation.py FOLDER_OF_JSON OUT_FOLDER
One table a case: a key and its values on each line; the tables are kept in tests/golden/propagation, so that the
tests need neither this program nor the JSON."""
import json
import pathlib
import re
import sys

CASES = ("e01_soliton_N3", "e02_dispersion_gauss", "e03_spm", "e03b_spm_shock", "e04_ssfs_blowwood", "e04_ssfs_hollenbeck",
         "e04_ssfs_linagrawal", "e06_supercontinuum_dudley2006", "e11_modulation_instability", "e25_step_index_gnlse")
RAMAN = {"blowwood": 1, "linagrawal": 2, "hollenbeck": 3}  # poy_raman_model
SHAPE = {"gauss": 0, "sech": 1, "cw": 3}  # poy_shape


def rows(data):
    p, grid = data["inputs"], data["grid"]
    pulse, raman, betas = p["pulse"], p.get("raman"), p.get("betas", ())
    assert p["units"] == "SI" and p["model"].startswith("GNLSE") and not any(betas[:2]) and not p.get("loss_dB_m")
    assert grid["N"] == grid["N_fine"] == p.get("N", grid["N"]) and grid["field"] == "envelope" and not pulse.get("gdd")
    yield "length", data["length_m"]
    yield "reference", p["lambda0"]
    yield "window", p["time_window" if "time_window" in p else "time_range"]
    yield "n", grid["N"]
    yield "dt", grid["dt_s"]
    yield "domega", grid["domega_rad_s"]
    yield "omega0", grid["omega0_rad_s"]
    yield "gamma", p["gamma"]
    for beta in betas[2:]:
        yield "beta", beta
    if "radius" in p:  # the mode of a step instead of betas: Malitson's silica, in the core with so much more
        assert p["n_clad"] == "SiO2 Malitson" and p["n_core"].startswith(p["n_clad"] + " + ") and not p["loss"]
        yield "radius", p["radius"]
        yield "step", float(p["n_core"].split("+")[1])
        yield "shortest", min(p["lambda_lims"])
        yield "longest", max(p["lambda_lims"])
        yield "frame", data["dispersion"]["beta1_s_m"]
        for omega, index in zip(data["dispersion"]["omega_rad_s"], data["dispersion"]["neff"]):
            yield "index", omega, index
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
    kept = [1 + value for key, value in data.get("cross_checks", {}).items() if key.startswith("photon number out/in - 1")]
    scalars = {"photon_number_ratio": kept[0], **data["scalars"]} if "radius" in p else data["scalars"]
    for key in ("energy_in_J", "energy_J", "photon_number_ratio", "omega_mean_rad_s"):
        yield key, scalars[key]
    samples = data["samples"]
    if "sideband" not in data:  # of a continuous wave the samples are the carrier alone
        for w, (re_, im) in zip(samples["omega_rad_s"], samples["spectrum_complex_sqrtJs"]):
            yield "sample", w, re_, im
        for t, power in zip(samples["t_s"], samples["power_W"]):
            yield "power", t, power


GAS_CASES = ("e07_rdw_he_adk", "e08_selfcompression_envelope", "e09_soliton_blueshift_ar", "e10_raman_h2_envelope",
             "e12_taper_ar", "e13_gradient_he", "e14_antiresonant_ar", "e26_taper_linear_only", "e17_ppt_table_ar", "e18_mixture_ar_he", "e21_raman_n2_field", "e22_envelope_thg_ar",
             "e23_preionised_ar", "e24_two_colour_he")


# beta_1 (s/m) of the frame as the program that made these tables had it: from a polynomial through 29 values of beta, good to
# 7e-14. What that is off moves the pulse in time, by up to 5e-22 s, and is taken out before fields are compared.
FRAME = {"e07_rdw_he_adk": 3.335759771632696e-09, "e08_selfcompression_envelope": 3.335759771632696e-09,
         "e09_soliton_blueshift_ar": 3.3467023277057756e-09, "e10_raman_h2_envelope": 3.3387177379485967e-09,
         "e14_antiresonant_ar": 3.3410273319668956e-09, "e17_ppt_table_ar": 3.3358253098335068e-09, "e18_mixture_ar_he": 3.3357157742726126e-09,
         "e21_raman_n2_field": 3.3363955185687878e-09, "e22_envelope_thg_ar": 3.3359023280862877e-09,
         "e23_preionised_ar": 3.3357032604011843e-09, "e24_two_colour_he": 3.3358645323587008e-09}


def word(value):
    return value if isinstance(value, str) else repr(value)


def gas_rows(case, data):
    """A capillary, or a thin wall, of Malitson's silica, filled with gas: the unidirectional equation of one mode."""
    p, grid = data["inputs"], data["grid"]
    plasma, pressure = p.get("plasma"), p["pressure"]
    assert p["model"].startswith("UPPE") and p["marcatili"] == "full" and p.get("shock", True) and p.get("mode", "HE11") == "HE11"
    for key, name in (("lambda0", "reference"), ("temperature_K", "temperature"), ("time_range", "window")):
        yield name, p[key]
    radius = p["radius"]  # a number, or a*(1+slope*z/length)
    for_z = (lambda z: eval(radius, {"__builtins__": {}}, {"z": z, "L": data["length_m"]})) if isinstance(radius, str) else None
    yield ("radius",) + ((for_z(0.0), for_z(data["length_m"])) if for_z else (radius, radius))
    if "wall" in p:
        yield "wall", p["wall"]
    yield "kerr", int(bool(p["kerr"]))
    yield "length", data["length_m"]
    yield "limits", min(p["lambda_lims"]), max(p["lambda_lims"])
    yield "real", int(grid["field"] == "real")
    yield "thg", int(p.get("thg", True))
    yield "loss", int(p["loss"])
    mixed = isinstance(p["gas"], list)
    for gas, bar in zip(p["gas"], pressure) if mixed else [(p["gas"], None)]:
        yield ("gas", gas) + ((bar * 1e5,) if mixed else ())
    if not mixed:  # Pa at both ends
        ends = pressure if isinstance(pressure, list) else [pressure, pressure]
        yield "pressure", ends[0] * 1e5, ends[1] * 1e5
    yield "plasma", int(bool(plasma))
    yield "ppt", int(isinstance(plasma, dict) and plasma["model"] == "PPT")
    yield "preionised", plasma.get("f0", 0.0) if isinstance(plasma, dict) else 0.0
    yield "raman", int(bool(p.get("raman")))
    for pulse in p.get("pulses", [p.get("pulse")]):
        assert pulse["shape"] == "gauss"
        yield "pulse", pulse.get("lambda0", p["lambda0"]), pulse["fwhm"], pulse["energy"]
        yield "gdd", pulse.get("gdd", 0.0)
    for key in ("N", "N_fine", "dt_s", "dt_fine_s", "domega_rad_s", "omega0_rad_s"):
        yield key, grid[key]
    for key in ("energy_in_J", "energy_J", "omega_mean_rad_s"):
        if key in data["scalars"]:
            yield key, data["scalars"][key]
    if case in FRAME:
        yield "frame", FRAME[case]
    yield "tolerance", data["convergence"]["suggested_tolerance_field"]
    samples = data["samples"]
    for omega, (re_, im) in zip(samples["omega_rad_s"], samples["spectrum_complex_sqrtJs"]):
        yield "sample", omega, re_, im
    for t, power in zip(samples["t_s"], samples["power_W"]):
        yield "power", t, power


COLUMN_CASES = ("e16_multimode_kerr", "e16_multimode_plasma", "e19_vector_field_he", "e20_vector_envelope_he")


def column_rows(data):
    """Several modes, or both polarisations of one, in a capillary like that of gas_rows: samples are of each column."""
    p, grid, vector = data["inputs"], data["grid"], data["kind"] == "propagation_vector"
    assert p["marcatili"] == "full" and p["shock"] and p["loss"] and p["kerr"] and p["pulse"]["shape"] == "gauss"
    assert vector or p["reference_mode"] == "HE11" and p["prefactor"] == "-i w^2/(4 c beta_m)"
    for key, name in (("lambda0", "reference"), ("radius", "radius"), ("temperature_K", "temperature"),
                      ("time_range", "window")):
        yield name, p[key]
    yield "length", data["length_m"]
    yield "limits", min(p["lambda_lims"]), max(p["lambda_lims"])
    yield "real", int(grid.get("field", "real") == "real")
    yield "thg", int(p["thg"])
    yield "gas", p["gas"]
    yield "pressure", p["pressure"] * 1e5
    yield "plasma", int(bool(p["plasma"]))
    yield "fwhm", p["pulse"]["fwhm"]
    if vector:
        assert data["order"] == ["x", "y"]
        yield "polarised", p["pulse"]["energy"], p["pulse"]["ellipticity"]
    else:
        yield "radii", p["radial_nodes"]
    for i, column in enumerate(data["scalars"]):
        name, angle = (p["mode"], 1 - i) if vector else (p["modes"][i], 0)  # angle in units of pi/2: x, y
        yield "column", name, angle, 0.0 if vector else p["energies_J"][i], column["energy_J"], column["omega_mean_rad_s"]
    for key in ("N", "N_fine", "dt_s"):
        yield key, grid[key]
    yield "tolerance", data["convergence"]["suggested_tolerance_field"]
    for i, samples in enumerate(data["samples"]):
        for omega, (re_, im) in zip(samples["omega_rad_s"], samples["spectrum_complex_sqrtJs"]):
            yield "sample", i, omega, re_, im
        for t, power in zip(samples["t_s"], samples["power_W"]):
            yield "power", i, t, power


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    for case in CASES + GAS_CASES + COLUMN_CASES:
        data = json.loads((source / (case + ".json")).read_text())
        table = gas_rows(case, data) if case in GAS_CASES else column_rows(data) if case in COLUMN_CASES else rows(data)
        lines = [" ".join([row[0]] + [word(v) for v in row[1:]]) for row in table]
        head = "# %s, SI units; made by tools/golden_propagation.py\n" % case
        (out / (case + ".txt")).write_text(head + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
