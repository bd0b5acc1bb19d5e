#!/usr/bin/env python3
"""Write tests/golden/ops.txt from the manifest of golden operations: those that the array layer has, as words that a C
test reads, numbers in hexadecimal so that no digit is lost.

usage: golden_ops.py golden/ops/manifest.json > tests/golden/ops.txt

Each case is
  case ID OP MODE RTOL ATOL STATUS N_INPUTS N_OUTPUTS
  arg N integers...             shape, axes or axis, by operation
  value RE IM DTYPE             what fills; the type that is cast to or made ("none": not given)
  in DTYPE RANK extents strides OFFSET N_BASE parts...
  out DTYPE RANK extents N parts...
Ravel is a reshape, zeros and ones are fills."""

import json
import sys

UNARY = {"conj", "real", "imag", "abs", "sign", "sqrt", "exp", "log", "isfinite", "isnan"}
FORMATS = ["coo", "csr", "csc"]
SOLVERS = {"cg": "cg", "lsqr": "lsqr", "expm_multiply": "expm", "power_iteration": "power", "lanczos_smallest": "lanczos"}
BINARY = {"add", "mul", "div", "maximum", "minimum", "matmul", "vdot", "kron"}
TERNARY = {"where", "axpy"}
JOIN = {"stack", "concatenate", "hstack", "vstack", "dstack", "column_stack"}
DIAGONAL = {"diagonal", "diag", "tril", "triu", "trace"}
LINALG = {"solve", "cholesky", "eigh", "eigvalsh", "svd"}
REDUCE = {"sum", "prod", "mean", "max", "min", "argmax", "argmin"}
TOLERANCES = (("rtol", 1e-5), ("atol", 1e-8))
ALL_AXES = FLAT = -1000


def parts(values):
    """The real numbers of a list of values, as words."""
    out = []
    for v in values:
        for p in v if isinstance(v, list) else [v]:
            p = float(p)
            out.append(str(p) if p != p or p in (float("inf"), float("-inf")) else p.hex())
    return out


def row_strides(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= max(extent, 1)
    return strides


def value_of(v):
    v = v["scalar"] if isinstance(v, dict) else v
    return (v, 0) if not isinstance(v, list) else tuple(v)


def number(x):
    return float(x["scalar"]) if isinstance(x, dict) else float(x)


def inputs_of(case):
    """The arrays that go in: also the parts of a list, numbers of the host, the ends of a range."""
    op, kw, inputs = case["op"], case["kw"], case["in"]
    if op in JOIN:
        return inputs[0]
    if op == "arange":
        return [{"dt": "f64", "shape": [3], "data": [number(kw[k]) for k in ("start", "stop", "step")]}]
    inputs = [scalar_array(x, inputs[-1]) if "scalar" in x else x for x in inputs]
    return inputs + [scalar_array(kw[k], inputs[0]) for k in ("min", "max") if kw.get(k) is not None]


def scalar_array(x, like):
    """A number of the host as an array of rank 0, of the type of another."""
    return {"dt": like["dt"], "shape": [], "data": [x["scalar"]]}


def translate(case):
    """(operation of the array layer, integers, value, dtype) or None where it has no such one."""
    op, kw, inputs = case["op"], case["kw"], case["in"]
    if op in {"zeros", "ones", "full"}:
        value = {"zeros": (0, 0), "ones": (1, 0)}.get(op) or value_of(kw["value"])
        return "fill", kw["shape"], value, kw["dtype"]
    if op == "astype":
        return "copy", [], (0, 0), kw["dtype"]
    if op == "clip":
        return "clip", [int(kw[k] is not None) for k in ("min", "max")], (0, 0), "none"
    if op in UNARY | BINARY | TERNARY:
        return op, [], (0, 0), "none"
    if op in REDUCE:
        axis = kw.get("axis", ALL_AXES)
        return op, [int(kw.get("keepdims", False))] + (axis if isinstance(axis, list) else [axis]), (0, 0), "none"
    if op in {"sort", "argsort"}:
        return op, [kw.get("axis", -1)], (0, 0), "none"
    if op == "norm" and "ord" not in kw:
        return op, [0, ALL_AXES], (0, 0), "none"
    if op == "take":
        return op, [FLAT if kw["axis"] is None else kw["axis"]], (0, 0), "none"
    if op in {"index_set", "index_add"}:
        return {"index_set": "put", "index_add": "put_add"}[op], [0], (0, 0), "none"
    if op == "fft":
        assert kw["norm"] == "backward"
        return "fft", [kw["axis"]], (0, 0), "none"
    if op == "sparse_matmul":
        return "spmm", [FORMATS.index(kw["format"])] + kw["shape"], (0, 0), "none"
    if op == "assparse":
        return op, [FORMATS.index(kw["format"])], (0, 0), "none"
    if op in SOLVERS:
        t = tuple(kw["t"]) if "t" in kw else (number(kw["tol"]), 0)
        return SOLVERS[op], [kw.get("maxiter", 0)], t, "none"
    if op == "linop_dense_rapply":
        return "linop_adjoint", [], (0, 0), "none"
    if op == "broadcast_to":
        return "broadcast", kw["shape"], (0, 0), "none"
    if op == "ravel":
        return "reshape", [-1], (0, 0), "none"
    if op == "reshape":
        return "reshape", kw["shape"], (0, 0), "none"
    if op in {"expand_dims", "squeeze"}:
        axis = kw.get("axis", ALL_AXES)
        return op, axis if isinstance(axis, list) else [axis], (0, 0), "none"
    if op == "transpose":
        return op, kw.get("axes") or list(reversed(range(len(inputs[0]["shape"])))), (0, 0), "none"
    if op == "swapaxes":
        return op, [kw["axis1"], kw["axis2"]], (0, 0), "none"
    if op == "moveaxis":
        return op, kw["source"] + kw["destination"], (0, 0), "none"
    if op in JOIN:
        return op, [kw.get("axis", 0)], (0, 0), "none"
    if op == "einsum":
        return op, [], (0, 0), kw["subscripts"]
    if op in LINALG:
        return op, [int(kw.get("full_matrices", True))], (0, 0), "none"
    if op in DIAGONAL:
        return op, [kw.get("k", 0)], (0, 0), "none"
    if op == "arange":
        return op, [], (0, 0), kw["dtype"]
    if op == "eye":
        return op, [kw["n"], kw.get("m", kw["n"])], (0, 0), kw["dtype"]
    if op == "norm":
        name = "vector_norm" if "axis" in kw else "matrix_norm"
        return name, [kw.get("axis", 0)], (float(kw["ord"]), 0), "none"
    if op == "logsumexp":
        axis = kw.get("axis", ALL_AXES)
        return op, [int(len(inputs) > 1), int(kw.get("return_sign", False)), axis], (0, 0), "none"
    if op == "allclose":
        return op, [int(kw.get("equal_nan", False))], tuple(number(kw.get(k, d)) for k, d in TOLERANCES), "none"
    return None


def write(case, translated):
    op, integers, value, dtype = translated
    inputs = inputs_of(case)
    status = case.get("error", "POY_OK").removeprefix("POY_ERR_").removeprefix("POY_")
    print("case", case["id"], op, case["mode"], float(case.get("rtol") or 0).hex(), float(case.get("atol") or 0).hex(),
          status, len(inputs), len(case.get("out", [])))
    print("arg", len(integers), *integers)
    print("value", *parts(list(value)), dtype)
    for x in inputs:
        shape, base = x["shape"], x.get("base", x.get("data"))
        print("in", x["dt"], len(shape), *shape, *x.get("strides", row_strides(shape)), x.get("offset", 0), len(base),
              *parts(base))
    for x in case.get("out", []):
        print("out", x["dt"], len(x["shape"]), *x["shape"], len(x["data"]), *parts(x["data"]))


def main() -> int:
    cases = json.load(open(sys.argv[1], encoding="utf-8"))["cases"]
    kept = [(c, t) for c in cases if (t := translate(c)) is not None]
    print("cases", len(kept))
    for case, translated in kept:
        write(case, translated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
