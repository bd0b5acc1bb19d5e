"""Recipes of kind scatter, run in a folder."""

import io

import h5py
from command import run

HEAD = 'schema = 1\nkind = "scatter"\nname = "a"\n'
TAIL = "\n[plots]\nkinds = []\n"


def done(folder, text, *args):
    (folder / "a.toml").write_text(HEAD + text + TAIL)
    return run("-q", "run", "--force", *args, "a.toml", cwd=folder)


def opened(folder):
    return h5py.File(io.BytesIO((folder / "a.h5").read_bytes()))


def result(folder, text, *args):
    ran = done(folder, text, *args)
    assert ran.returncode == 0, ran.stderr
    return opened(folder)
