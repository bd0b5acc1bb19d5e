"""The record in C of docs/records.md, compiled as a user would: it works in every framework, and in compiled programs."""
import pathlib
import re

import numpy as np
import pytest

from conftest import load_c

ROOT = pathlib.Path(__file__).resolve().parents[3]
OMEGA, POLE = np.array([1.0, 1.3, 2.5]), np.array([1.5, 0.2, 0.8])  # w0, gamma, f


@pytest.fixture(scope="module", autouse=True)
def lorentz(tmp_path_factory):
    code = re.search(r"^```c\n(/\* lorentz\.c.*?)^```", (ROOT / "docs/records.md").read_text(encoding="utf-8"), re.M | re.S)[1]
    load_c("acme.lorentz", code, tmp_path_factory.mktemp("lorentz"))


def permittivity(w, pole):
    return 2.0 + pole[2] * pole[0] ** 2 / (pole[0] ** 2 - w**2 - 1j * pole[1] * w)


def test_value_and_gradient(framework):
    def loss(w, pole):
        return (abs(framework.adapter.call("acme.lorentz", "eps_inf=2", w, pole)) ** 2).sum()

    value, slopes = framework.value_and_grad(loss, OMEGA, POLE)
    assert value == pytest.approx(np.sum(np.abs(permittivity(OMEGA, POLE)) ** 2), rel=1e-13)
    for i, (g, x) in enumerate(zip(slopes, (OMEGA, POLE))):
        for k in range(3):
            step = np.zeros(3)
            step[k] = 1e-6
            up, down = ((OMEGA + s * step, POLE) if i == 0 else (OMEGA, POLE + s * step) for s in (1, -1))
            difference = np.sum(np.abs(permittivity(*up)) ** 2 - np.abs(permittivity(*down)) ** 2) / 2e-6
            assert g[k] == pytest.approx(difference, rel=1e-7), (i, k)
        assert g.shape == x.shape


def test_on_numpy():
    from poynting._core import Record

    value, context = Record("acme.lorentz", "eps_inf=2")(OMEGA, POLE)
    np.testing.assert_allclose(value, permittivity(OMEGA, POLE), rtol=1e-14)
    assert [g.shape for g in context.pullback(value)] == [(3,), (3,)]
    with pytest.raises(ValueError, match="eps_inf"):
        Record("acme.lorentz", "eps_inf=-1")
