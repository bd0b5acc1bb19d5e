"""What type checkers are told: the stubs name what is there, and where mypy is installed it finds nothing to complain of."""
import ast
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import subprocess
import sys

import pytest

import poynting

PACKAGE = pathlib.Path(poynting.__file__).parent


def stub(name):
    return ast.parse((PACKAGE / name).read_text(encoding="utf-8"))


def names_of(tree):
    """Public names that a stub says a module has."""
    found = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.ImportFrom):
            found.update(a.asname for a in node.names if a.asname == a.name)
    return {n for n in found if not n.startswith("_")}


def test_package():
    """The stub of the package has each public name, each by its home."""
    told = names_of(stub("__init__.pyi"))
    assert set(poynting.__all__) | set(poynting._MODULES) | {"units"} == told
    assert all(getattr(poynting, n, None) is not None for n in poynting.__all__)


def test_extension_module():
    from poynting import _core

    tree = stub("_core.pyi")
    assert names_of(tree) == {n for n in dir(_core) if not n.startswith("_")}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or node.name == "Scan":
            continue
        told = {f.name for f in node.body if isinstance(f, ast.FunctionDef) and not f.name.startswith("_")}
        assert told == {n for n in dir(getattr(_core, node.name)) if not n.startswith("_")}, node.name
    functions = {n.name: n.args for n in tree.body if isinstance(n, ast.FunctionDef)}
    for name, args in functions.items():
        count = len(args.posonlyargs) + len(args.args)
        documented = inspect.getdoc(getattr(_core, name)) or ""
        if documented.startswith(name + "("):  # "name(a, b) -> c"
            assert count == len(documented[len(name) + 1:documented.index(")")].split(", ")), name


def test_exceptions():
    errors = importlib.import_module("poynting._errors")
    told = {n.name: [ast.unparse(b).removeprefix("builtins.") for b in n.bases] for n in stub("_errors.pyi").body
            if isinstance(n, ast.ClassDef)}
    assert told == {n: [b.__name__ for b in getattr(errors, n).__bases__] for n in errors.__all__}


@pytest.mark.parametrize("name", ["special", "sw", "cw", "pw", "misc"])
def test_functions_bound_at_import(name):
    """What checkers cannot see: the stub has each function with its parameters, and those that may be left out."""
    module = importlib.import_module(f"poynting.{name}")
    told = {n.name: n.args for n in stub(f"{name}.pyi").body if isinstance(n, ast.FunctionDef)}
    assert set(told) == set(module.__all__)
    for function, args in told.items():
        parameters = inspect.signature(getattr(module, function)).parameters.values()
        names = [a.arg for a in args.args + args.kwonlyargs]
        optional = names[len(args.args) - len(args.defaults):len(args.args)] + [a.arg for a, d in zip(args.kwonlyargs, args.kw_defaults) if d]
        assert names == [p.name for p in parameters], function
        assert optional == [p.name for p in parameters if p.default is not p.empty], function


def test_operations_of_adapters(framework):
    """Functions with their parameters, and objects that are those of the package."""
    told = stub("_operations.pyi")
    exported = ast.literal_eval(next(n.value for n in told.body if isinstance(n, ast.Assign)))
    functions = {n.name: n.args for n in told.body if isinstance(n, ast.FunctionDef) and n.name != "bind"}
    for name in exported:
        if name in functions:
            parameters = inspect.signature(getattr(framework.adapter, name)).parameters
            assert [a.arg for a in functions[name].args + functions[name].kwonlyargs] == list(parameters), name
        else:
            assert getattr(framework.adapter, name) is getattr(poynting, name)
    assert set(functions) <= set(exported)


def untyped(tree, inside=""):
    """Public functions, and methods of public classes, of which a parameter or the result has no annotation."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from untyped(node, node.name + ".")
        if not isinstance(node, ast.FunctionDef) or (node.name.startswith("_") and node.name != "__init__"):
            continue
        known = {"self", "cls"} if inside else set()
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *filter(None, (node.args.vararg, node.args.kwarg))]
        if [a for a in every if a.annotation is None and a.arg not in known] or (node.returns is None and node.name != "__init__"):
            yield inside + node.name


def undocumented(tree, inside=""):
    """Public functions, classes and methods without a text; __init__ has that of its class."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            if ast.get_docstring(node) is None:
                yield inside + node.name
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node, node.name + ".")


def sources():
    """Modules whose own text tells types: all but those with a stub beside them, and what only the package itself uses."""
    homes = [f"{home}.py" for home in poynting._HOMES if home.startswith("_")]
    public = [p.name for p in PACKAGE.glob("*.py") if not p.name.startswith("_") and not p.with_suffix(".pyi").exists()]
    return sorted({*homes, *public, "_around.py", "_fields.py", "_operator_objects.py"})


@pytest.mark.parametrize("name", sources())
def test_every_public_name_has_types_and_a_text(name):
    tree = ast.parse((PACKAGE / name).read_text(encoding="utf-8"))
    shown = getattr(importlib.import_module(f"poynting.{name[:-3]}"), "__all__", None) if name.startswith("_") else None
    if shown is not None:  # a private module shows only these
        tree.body = [node for node in tree.body if getattr(node, "name", None) in shown or isinstance(node, ast.ClassDef)]
    assert not list(untyped(tree)) and not list(undocumented(tree)), (list(untyped(tree)), list(undocumented(tree)))


def test_pyright_knows_every_type():
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed")
    done = subprocess.run([sys.executable, "-m", "pyright", "--verifytypes", "poynting", "--ignoreexternal"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)})
    assert "Type completeness score: 100%" in done.stdout, done.stdout[-3000:]


PROGRAM = '''import numpy as np
import poynting as po
import poynting.autograd as pa
from poynting import operators

sphere: po.TMatrix = po.sphere_tmatrix(k0=2.0, lmax=2, radius=0.2, material=3.0, medium=1.77)
cross: po.CrossSections = sphere.cross_sections(po.plane_wave([0, 0, 1], 0, k0=2.0, material=1.77))
ports: po.PlaneWavePorts = po.PlaneWavePorts.default([0, 0])
network: po.SMatrix = po.stack([po.slab(basis=ports, k0=2.0, thickness=0.3, material=2.0, negative_medium=1.5)])
shares: po.PowerBalance = network.power([1, 0])
moved = operators.translate([0, 0, 0.1], basis=sphere.basis, k0=2.0, material=2.25)
turn: operators.Operator = operators.Rotate(0.1).inv
turned: np.ndarray = turn @ sphere
cell: po.PeriodicResponse = po.solve_periodic(sphere, lattice=po.Lattice.square(1.0), kpar=[0, 0])
around: po.Material = cell.medium
numbers = po.special.jv(0, 1.0), po.sw.translate, po.misc.refractive_index(2.25), 800 * po.units.nm
solution, context = po.diff.solve([[2.0]], [[1.0]])
gradient = context.pullback(solution)
boxed = pa.solve([[2.0]], [[1.0]]), pa.wrap(lambda x: (x, lambda g: (g,)))
same: po.TMatrix = pa.sphere_tmatrix(k0=2.0, lmax=1, radius=0.2, material=3.0)
wrong: po.TMatrix = network
'''


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers(checker, tmp_path):
    """A program with types, one mistake in its last line: this one is found, and no other. The program runs, but for that."""
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    options = {"mypy": ["--strict", "--no-incremental", "--follow-imports=silent"], "pyright": ["--pythonpath", sys.executable]}[checker]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(PACKAGE.parent)]}), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", checker, *options, str(program)], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
    faults = [line for line in done.stdout.splitlines() if "error:" in line]
    last = len(PROGRAM.splitlines())
    assert len(faults) == 1 and f":{last}:" in faults[0], done.stdout


def test_program_of_checkers():
    if importlib.util.find_spec("autograd") is None:
        pytest.skip("autograd is not installed")
    exec(compile(PROGRAM, "program.py", "exec"), {})  # noqa: S102


def test_import_is_quick():
    """Less than 0.3 s of processor time beyond what NumPy takes, and no framework is met."""
    code = '''
import sys, time
import numpy
start = time.process_time()
import poynting
poynting.sphere_tmatrix, poynting.SMatrix, poynting.diff
print(time.process_time() - start)
print([m for m in ("jax", "torch", "autograd", "advect", "xarray", "matplotlib") if m in sys.modules])
'''
    done = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split("\n")
            for _ in range(2)]
    assert min(float(lines[0]) for lines in done) < 0.3
    assert done[0][1] == "[]"
