"""One set of verbs over the frameworks, and every record of the table as a test case."""
from __future__ import annotations

import functools
import importlib.util
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import poynting
from poynting import _core

FRAMEWORKS = ("jax", "torch", "autograd", "advect")
ROOT = pathlib.Path(__file__).resolve().parents[3]


def load_c(name, code, folder):
    """Compiles C as a user would, against the package's own library, and loads its records, of which `name` is one."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    (folder / "record.c").write_text(code, encoding="utf-8")
    library = pathlib.Path(poynting.__file__).parent / "libpoynting.so.0"
    subprocess.run(["cc", "-std=c17", "-Wall", "-Werror", "-shared", "-fPIC", f"-I{ROOT / 'include'}", "record.c", str(library), "-lm", "-o",
                    "record.so"], cwd=folder, check=True)
    if name not in poynting.records():
        poynting.load_records(str(folder / "record.so"))


def cases():
    """(record, example) of the whole table."""
    found = []
    for name in poynting.records():
        k = 0
        while True:
            try:
                _core.example(name, k, 0)
            except IndexError:
                break
            found.append((name, k))
            k += 1
    return found


class Case:
    """A record at one of its examples."""

    def __init__(self, name, k):
        self.name = name
        self.options, self.inputs = _core.example(name, k, 7)
        self.record = _core.Record(name, self.options)
        self.active = [i for i, (_, _, constant, _) in enumerate(self.record.inputs) if not constant]
        rng = np.random.default_rng(11)
        self.tangents = [self._like(rng, x) for x in self.inputs]
        value, self.saved = self.record(*self.inputs)
        self.outputs = value if isinstance(value, tuple) else (value,)
        self.cotangents = [self._like(rng, y) for y in self.outputs]

    @staticmethod
    def _like(rng, x):
        d = rng.standard_normal(x.shape)
        return d + 1j * rng.standard_normal(x.shape) if x.dtype.kind == "c" else d

    @functools.cached_property
    def native(self):
        """Gradients and tangents by the engine itself; constants have neither."""
        zero = [t if i in self.active else None for i, t in enumerate(self.tangents)]
        return self.saved.pullback(*self.cotangents), self.saved.pushforward(*zero)


@pytest.fixture(params=cases(), ids=lambda c: f"{c[0]}-{c[1]}", scope="module")  # made once for all tests of it
def case(request):
    return Case(*request.param)


@pytest.fixture(params=FRAMEWORKS)
def framework(request):
    if importlib.util.find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    from verbs import VERBS

    return VERBS[request.param]()
