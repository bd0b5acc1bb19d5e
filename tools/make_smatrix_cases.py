#!/usr/bin/env python3
"""Makes the tables of published S-matrices and reports that tests/unit/scatter/test_smatrix*.c read.

usage: make_smatrix_cases.py SMATRIX.json SMATRIX_REPORTS.json LATTICE_REPORTS.json FOLDER
       writes FOLDER/smatrix.txt, FOLDER/smatrix_reports.txt, FOLDER/orders.txt

smatrix.txt, each line: id op poltype (0 helicity, 1 parity) rel abs k0 kpar[2] layers thickness... media (epsilon mu kappa, re im
each)... lmax spheres radii... epsilon (re im)... positions (xyz)... lattice[4] bmax pol slab-thickness slab-epsilon spacer
period times count expected... (complex entries as re im).
smatrix_reports.txt: id kz (re im) z[2] rel abs up-up (re im) down-up (re im). orders.txt: id a[4] kpar[2] kmax orders
orders-of-G."""
import json
import sys
from pathlib import Path


def flat(value):
    return [x for v in value for x in flat(v)] if isinstance(value, list) else [float.hex(float(value))]


def pair(value):
    return flat(value if isinstance(value, list) else [value, 0.0])


def counted(values, convert):
    return [len(values), *[x for v in values for x in convert(v)]]


def published(case):
    given, op = case["inputs"], case["op"]
    kpar = given.get("kpar", [0, 0])
    kpar = kpar if isinstance(kpar, list) else [kpar, 0.0]
    media = given.get("materials") or [[e, 1.0, 0.0] for e in given.get("epsilon", [])]
    arrays = "lmax" in given
    spheres = given["epsilon"] if arrays else []
    slab = given.get("slab", {"thickness": 0.0, "epsilon": 1.0})
    thickness = given.get("thickness", [])
    thickness = thickness if isinstance(thickness, list) else [thickness]
    parity = given.get("poltype", "parity" if op == "slab_power" else "helicity") == "parity"
    fields = [case["id"], op, int(parity), case["tol"]["rel"], case["tol"]["abs"], *flat([given["k0"], kpar]),
              *counted(thickness, flat_one), *counted([] if arrays else media, lambda m: [x for v in m for x in pair(v)]),
              given.get("lmax", 0), *counted(given.get("radii", []), flat_one), *[x for e in spheres for x in pair(e)],
              *flat(given.get("positions", [[0, 0, 0]] * len(spheres))), *flat(given.get("lattice", [[1, 0], [0, 1]])),
              *flat([given.get("bmax", 0.0)]), given.get("pol", 1), *flat([slab["thickness"], slab["epsilon"], given.get("spacer", 0.0),
                                          given.get("period", 0.0)]), given.get("n", 0)]
    want = flat(case["expected"])
    return " ".join(map(str, fields + [len(want), *want]))


def flat_one(value):
    return flat([value])


def main():
    smatrix, reports, lattice, folder = sys.argv[1:]
    folder = Path(folder)
    cases = json.loads(Path(smatrix).read_text())["cases"]
    (folder / "smatrix.txt").write_text("\n".join(map(published, cases)) + "\n")
    lines = []
    for case in json.loads(Path(reports).read_text())["cases"]:
        if case["area"] != "scatter.chirality_density_interval":
            continue
        want = case["expected"]
        lines.append(" ".join([case["id"], *flat([case["input"]["kz"], case["input"]["z"], case["tolerance"]["rtol"],
                                                  case["tolerance"]["atol"], want["factor_up_up"],
                                                  want["factor_down_up"]])]))
    (folder / "smatrix_reports.txt").write_text("\n".join(lines) + "\n")
    lines = []
    for case in json.loads(Path(lattice).read_text())["cases"]:
        if case["area"] == "lattice.diffraction_orders":
            given, want = case["input"], case["expected"]
            lines.append(" ".join([case["id"], *flat([given["lattice"], given["kpar"], given["kmax"]]),
                                   str(want["n_orders"]), str(want["n_orders_if_radius_is_on_G_alone"])]))
    (folder / "orders.txt").write_text("\n".join(lines) + "\n")


main()
