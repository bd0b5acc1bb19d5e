#!/usr/bin/env python3
"""Turn published tables of material data (JSON, refractiveindex.info YAML) into the rows of src/media/data.

Usage: media_data.py FOLDER OUT_FOLDER
FOLDER holds helmholtz_residual.json, silica_nk.json, metal_nk.json and index/*.yml. Written: fluid.def,
fluid_term.def, table.def and table/<name>.def. The rows are kept in the tree; this program is needed only to add
to them. Formulas (Sellmeier and others) are in formula.def, which is written by hand."""
import json
import pathlib
import re
import sys

import yaml

# File in index/ -> (name of the material, name of its C array); formulas are rows of formula.def.
TABLES = {
    "Ag-Johnson": "Ag:Johnson", "Al-Rakic": "Al:Rakic", "Au-Johnson": "Au:Johnson", "Cr-Johnson": "Cr:Johnson",
    "Cu-Johnson": "Cu:Johnson", "GaAs-Aspnes": "GaAs:Aspnes", "GaP-Aspnes": "GaP:Aspnes",
    "Ge-Aspnes": "Ge:Aspnes", "H2O-Hale": "water:Hale", "MoS2-Ermolaev-o": "MoS2:Ermolaev-o",
    "Pd-Johnson": "Pd:Johnson", "Pt-Werner": "Pt:Werner", "Si-Aspnes": "Si:Aspnes",
    "Si-Green-2008": "Si:Green-2008", "Si-Schinke": "Si:Schinke", "Ti-Johnson": "Ti:Johnson",
    "TiN-Pfluger": "TiN:Pfluger", "TiO2-Sarkar": "TiO2:Sarkar", "W-Werner": "W:Werner",
}


def number(x):
    text = repr(float(x))
    return text[:-2] if text.endswith(".0") and "e" not in text else text


def double(x):
    return repr(float(x))


def quoted(text):
    text = re.sub(r"\s+", " ", text).replace("\\", "").replace('"', "'").strip()
    return '"%s"' % text


def packed(rows, width=118):
    """The rows, as many on a line as fit."""
    line = ""
    for row in rows:
        if line and len(line) + 1 + len(row) > width:
            yield line + "\n"
            line = ""
        line += (" " if line else "") + row
    yield line + "\n"


def fluids(source, out):
    data = json.loads((source / "helmholtz_residual.json").read_text())["gases"]
    head, terms, first = [], [], 0
    for name, g in data.items():
        head.append("FLUID(%s, %d, %d, %s,\n      %s, %s, %s, %s, %s, %s, %s)\n" % (
            quoted(name), first, len(g["terms"]), quoted(g["source"]), double(g["T_reducing_K"]),
            double(g["rho_reducing_mol_m3"]), double(g["R_J_molK"]), double(g["T_min_K"]), double(g["T_max_K"]),
            double(g["p_max_Pa"]), double(g["T_crit_K"])))
        terms.append("/* %s */\n" % name)
        for n, d, t, l, eta, beta, gamma, eps in g["terms"]:
            terms.append("TERM(%s, %d, %s, %d, %s, %s, %s, %s)\n" % (
                double(n), d, double(t), l, double(eta), double(beta), double(gamma), double(eps)))
        first += len(g["terms"])
    (out / "fluid.def").write_text(
        "/* fluid.def: fluids with a reference equation of state, a row each.\n"
        " * FLUID(name, first term, terms, source,\n"
        " *       reducing temperature K, reducing density mol/m3, gas constant J/(mol K), lowest and highest\n"
        " *       temperature K, highest pressure Pa, critical temperature K) */\n" + "".join(head))
    (out / "fluid_term.def").write_text(
        "/* fluid_term.def: terms of the residual Helmholtz energy, in the order of fluid.def, whose rows name the sources:\n"
        " * alpha_r = sum n delta^d tau^t exp(-delta^l [l > 0]) exp(-eta (delta - epsilon)^2 - beta (tau - gamma)^2),\n"
        " * delta = density/reducing density, tau = reducing temperature/temperature.\n"
        " * TERM(n, d, t, l, eta, beta, gamma, epsilon) */\n" + "".join(terms))


def table(out, stem, text, rows):
    (out / "table").mkdir(exist_ok=True)
    (out / "table" / (stem + ".def")).write_text("/* %s.def: %s */\n" % (stem, text) + "".join(packed(rows)))


def nk(rows):
    return ["NK(%s, %s, %s)" % tuple(number(x) for x in row) for row in rows]


def tables(source, out):
    rows = []
    silica = json.loads((source / "silica_nk.json").read_text())["rows"]
    table(out, "SiO2", "complex index of fused silica. ENK(photon energy eV, n, k)",
          ["ENK(%s, %s, %s)" % tuple(number(x) for x in row) for row in silica])
    rows.append(('"SiO2:table"', "SiO2", "SPLINE", '"fused silica, 0.062 to 2000 eV; collection without a named '
                 'publication"', '""'))
    metals = json.loads((source / "metal_nk.json").read_text())
    origin = {
        "Ag": metals["sources"].removeprefix("Ag: "),
        "Al": "Hagemann et al., J. Opt. Soc. Am. 65, 742 (1975) below 0.15 um; McPeak et al., ACS Photonics 2, 326 "
              "(2015) to 2 um; Ordal et al., Appl. Opt. 27, 1203 (1988) above",
    }
    for name in ("Ag", "Al"):
        table(out, name, "complex index of %s. NK(vacuum wavelength um, n, k)" % name, nk(metals[name]))
        rows.append((quoted(name), name, "SPLINE", quoted(origin[name]), '""'))
    for stem, name in TABLES.items():
        text = (source / "index" / (stem + ".yml")).read_text()
        # The database has comments with escapes that YAML does not know ("\\Optical").
        doc = yaml.safe_load(re.sub(r'\\(?![nrt"\\/xuU0])', r"\\\\", text))
        (entry,) = doc["DATA"]
        assert entry["type"] == "tabulated nk", stem
        data = [line.split() for line in entry["data"].splitlines() if line.strip()]
        table(out, stem, "complex index of %s. NK(vacuum wavelength um, n, k)" % name, nk(data))
        rows.append((quoted(name), stem, "MONOTONE", quoted(doc["REFERENCES"]), quoted(doc.get("COMMENTS") or "")))
    text = ("/* table.def: materials whose complex index is a table, a row each.\n"
            " * TABLE(name, C name of the array, interpolation, source, comment) */\n")
    for name, stem, kind, reference, comment in rows:
        text += "TABLE(%s, %s, POYI_TABLE_%s,\n      %s,\n      %s)\n" % (
            name, stem.replace("-", "_"), kind, reference, comment)
    (out / "table.def").write_text(text)


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    fluids(source, out)
    tables(source, out)


if __name__ == "__main__":
    main()
