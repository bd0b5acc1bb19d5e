"""Running the command in tests: where it is, what it says."""

import json
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(os.environ["POY_SOURCE_DIR"])
COMMAND = os.environ["POYNTING"]


def run(*args, cwd=None, env=None, **more):
    """The finished process; text, nothing raised."""
    return subprocess.run([COMMAND, *map(str, args)], cwd=cwd, text=True, capture_output=True, check=False, env=env, **more)


def check(folder, text, *args, name="a.toml"):
    """(exit code, the one result of check --json, standard error) of a recipe's text."""
    path = pathlib.Path(folder) / name
    path.write_text(text, encoding="utf-8")
    done = run("check", "--json", *args, name, cwd=folder)
    return done.returncode, json.loads(done.stdout)[0], done.stderr


def follows(result):
    """The numbers that follow from the recipe: what the process has in memory is measured."""
    return {k: v for k, v in result["numbers"].items() if not k.endswith("process")}
