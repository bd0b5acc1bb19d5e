"""The scattering recipes that users were promised, run as they are: complete, converged, and power is kept."""

import h5py
import numpy as np
from command import SOURCE, run


def whole(folder, name):
    done = run("-q", "run", "--no-plots", SOURCE / "tests/run/recipes" / name, "-o", "a.h5", cwd=folder)
    assert done.returncode == 0, done.stderr
    return h5py.File(folder / "a.h5")


def test_cluster(tmp_path):
    f = whole(tmp_path, "4_cluster.toml")
    e, s, a = (f[f"cross_sections/{name}"][:] for name in ("extinction", "scattering", "absorption"))
    assert f.attrs["complete"] == 1 and len(e) == 181 and (f["sweep/change"][:] < 1e-10).all()
    assert np.allclose(e, s + a, rtol=1e-9) and (a > 0).all()
    assert f["near_field/E"].shape == (1, 151, 151, 3) and np.isfinite(f["near_field/E"][:]).all()


def test_metasurface(tmp_path):
    f = whole(tmp_path, "5_metasurface.toml")
    t, r, a = (f[f"transmission/{name}"][:] for name in "TRA")
    assert f.attrs["complete"] == 1 and len(t) == 401 and (f["sweep/change"][:] < 1e-10).all()
    assert abs(t + r + a - 1).max() < 1e-12 and (a > 0).all()
    cd = f["cd/transmission"][:]
    assert np.isfinite(cd).all() and 1e-4 < abs(cd).max() < 1
