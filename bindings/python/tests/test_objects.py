"""Objects of the package where programs take them: copied, pickled, in threads and forked processes, changed or dropped while they are used."""
import copy
import gc
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import poynting as po
from poynting import diff
from soliton import soliton

DOTS = """schema = 1
kind = "scatter"
name = "dots"
sweep.wavelength = { start = "500 nm", stop = "700 nm", num = 12 }
output.quantities = ["cross_sections"]
numerics.lmax = 2
particle = [{ shape = "sphere", radius = "50 nm", material = { n = 1.5, k = 0.0 } }]
"""


def objects():
    sphere = po.sphere_tmatrix(k0=2.0, lmax=2, radius=0.2, material=3.0)
    cluster = po.Cluster([sphere, sphere], positions=[[0, 0, 0], [0, 0, 1.0]])
    ports = po.PlaneWavePorts.diffr_orders([0, 0], po.Lattice.square(2.0), 4.0)
    wave = po.plane_wave([0, 0, 1], 0, k0=2.0)
    return {"sphere": sphere, "cylinder": po.cylinder_tmatrix(k0=2.0, kz=0.1, mmax=2, radius=0.2, material=3.0), "cluster": cluster, "solved": cluster.solve(),
            "wave": wave, "scattered": sphere.scatter(wave), "ports": ports, "basis": sphere.basis, "slab": po.slab(basis=ports, k0=2.0, thickness=0.3, material=2.0),
            "periodic": po.solve_periodic(sphere, lattice=po.Lattice.square(0.9), kpar=[0, 0]), "lattice": po.Lattice.square(2.0), "vector": po.WaveVector([0.1, 0.2]),
            "material": po.Material(2.25, 1, 0.1), "objective": po.objective("cross_sections.absorption", at="650 nm"), "cross sections": sphere.cross_sections(wave)}


def numbers(thing):
    """What tells two of a kind apart."""
    if hasattr(thing, "modes"):
        return np.asarray(thing.modes)
    if isinstance(thing, po.Cluster):
        return np.asarray(thing.solve().array)
    return np.asarray(thing.array) if hasattr(thing, "array") else thing


@pytest.mark.parametrize("name", objects())
@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["copy", "deepcopy", "pickle"])
def test_copies(name, how):
    thing = objects()[name]
    other = how(thing)
    assert type(other) is type(thing)
    assert np.array_equal(numbers(other), numbers(thing)) if isinstance(numbers(thing), np.ndarray) else numbers(other) == numbers(thing)


def test_copies_work_on():
    """What a copy has to make again: handles of the engine."""
    slab, wave = objects()["slab"], objects()["wave"]
    again = pickle.loads(pickle.dumps(slab))
    assert again.power(wave) == slab.power(wave) and not again.array.flags.writeable
    assert np.allclose(again.cascade(slab).power(wave), slab.cascade(slab).power(wave), rtol=1e-13)  # of blocks, not of layers
    ports = pickle.loads(pickle.dumps(slab.basis))
    assert ports == slab.basis and np.array_equal(ports.rotate(0.3).modes, slab.basis.rotate(0.3).modes)
    with pytest.raises(TypeError, match="pickle the cluster"):
        pickle.dumps(objects()["cluster"].factor())


def test_copies_of_recipes_and_results(tmp_path):
    recipe = po.Recipe.parse(DOTS).set("numerics.lmax", 3)
    result = po.run(recipe, tmp_path / "d.h5")
    for how in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), po.Recipe.copy):
        other = how(recipe)
        assert other.get("numerics.lmax") == "3"
        other.set("numerics.lmax", 4)
        assert recipe.get("numerics.lmax") == "3" and other.get("numerics.lmax") == "4"
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again["cross_sections/extinction"], result["cross_sections/extinction"]) and again.report == result.report
    with po.open(tmp_path / "d.h5") as same:
        assert same["sweep/wavelength"].shape == (12,)


FORKS = """import os, pathlib, signal, sys
import numpy as np
import poynting as po
from poynting import diff

dots, pulse, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
recipe = po.Recipe.parse(dots).set("run.threads", 2)
whole = po.run(recipe, folder / "parent.h5")["cross_sections/extinction"]
po.run(po.Recipe.parse(pulse).set("run.threads", 2), folder / "pulse.h5")

def in_child(work):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
    return os.waitpid(pid, 0)[1]

def child():
    assert np.array_equal(po.run(recipe.copy(), folder / "child.h5")["cross_sections/extinction"], whole)
    diff.solve(np.eye(300) + 0j, np.ones((300, 1)) + 0j)
    assert in_child(lambda: po.run(recipe.copy(), folder / "grandchild.h5")) == 0

status = in_child(child)
assert np.array_equal(po.run(recipe, folder / "again.h5")["cross_sections/extinction"], whole)
sys.exit("the child ended with %d" % status if status else 0)
"""


def test_forked_processes_compute(tmp_path):
    """Threads of the parent do not exist in the child; teams that wait for them would wait for ever, until the alarm. In a process without
    frameworks, whose own threads may not like it."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKS, DOTS, soliton("1 cm", 4096, 2), str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_recipe_in_use_is_not_changed(tmp_path):
    recipe, refused = po.Recipe.parse(DOTS), []

    def watch(*_):
        assert recipe.name == "dots" and "dots" in repr(recipe)
        for use in (lambda: recipe.set("numerics.lmax", 5), recipe.check, recipe.describe, lambda: recipe.get("numerics.lmax"), lambda: po.run(recipe, tmp_path / "b.h5"),
                    recipe.cite, lambda: po.value_and_grad()(recipe)):
            with pytest.raises(RuntimeError, match="use a copy"):
                use()
        refused.append(recipe.copy().get("numerics.lmax"))

    first = po.run(recipe, tmp_path / "a.h5", progress=watch)["cross_sections/extinction"]
    assert refused and set(refused) == {"2"}
    assert np.array_equal(po.run(recipe.set("numerics.lmax", 2), tmp_path / "c.h5")["cross_sections/extinction"], first)


def test_a_recipe_that_is_dropped_while_it_runs(tmp_path):
    held = [po.Recipe.parse(DOTS)]

    def watch(*_):
        held.clear()
        gc.collect()

    assert po.run(held[0], tmp_path / "a.h5", progress=watch).report["complete"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_inside_of_a_progress_function(tmp_path, threads):
    inner = []

    def watch(*_):
        inner.append(po.run(po.Recipe.parse(DOTS), tmp_path / "inner.h5", force=True)["cross_sections/extinction"])

    outer = po.run(po.Recipe.parse(DOTS).set("run.threads", threads), tmp_path / "outer.h5", progress=watch)["cross_sections/extinction"]
    assert inner and all(np.array_equal(x, outer) for x in inner)


@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_of_progress_on_any_thread(tmp_path, threads):
    """The function is called on whichever thread of the engine writes; what it raises comes out of the call."""
    for k in range(6):
        def watch(what, unit, done, total, *_):
            if done > k:
                raise ZeroDivisionError(str(threading.get_ident()))

        with pytest.raises(ZeroDivisionError) as failed:
            po.run(po.Recipe.parse(DOTS).set("run.threads", threads), tmp_path / f"{k}.h5", progress=watch)
        assert "continue with poynting.resume" in failed.value.__notes__[0]
        assert po.resume(tmp_path / f"{k}.h5").report["complete"]


def test_many_threads_run_and_differentiate(tmp_path):
    want = po.run(po.Recipe.parse(DOTS), tmp_path / "want.h5")["cross_sections/extinction"]
    f = po.value_and_grad(po.objective("cross_sections.scattering", at="600 nm"), wrt=["particle.0.radius"])
    value, gradient = f(po.Recipe.parse(DOTS))
    wrong = []

    def work(k):
        try:
            got = po.run(po.Recipe.parse(DOTS), tmp_path / f"{k}.h5", progress=lambda *_: False)["cross_sections/extinction"]
            v, g = f(po.Recipe.parse(DOTS))
            if not np.array_equal(got, want) or v != value or g["particle.0.radius"] != gradient["particle.0.radius"]:
                wrong.append(k)
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


@pytest.mark.parametrize("shape", ["read only", "Fortran", "strided", "backwards", "other bytes", "list", "masked"])
def test_arrays_of_any_layout(shape):
    A, b = np.array([[2 + 1j, 1], [0.5, 3]]), np.array([[1 + 0j], [2]])
    wide = np.zeros((4, 4), complex)
    wide[::2, ::2] = A
    given = {"Fortran": np.asfortranarray(A), "strided": wide[::2, ::2], "backwards": A[::-1].copy()[::-1], "other bytes": A.astype(">c16"), "list": A.tolist(),
             "masked": np.ma.array(A), "read only": A.copy()}[shape]
    if shape == "read only":
        given.flags.writeable = False
    value, context = diff.solve(given, b)
    assert np.allclose(value, np.linalg.solve(A, b), rtol=1e-14)
    want = diff.solve(A, b)[1].pullback(value)
    assert all(np.array_equal(g, w) for g, w in zip(context.pullback(value), want))
