"""poynting conform on backends of others: crashes, hangs, interruptions, plug-ins that are none."""

import json
import os
import re
import signal
import subprocess

from command import COMMAND, run

BROKEN, MINE = os.environ["BROKEN_PLUGIN"], os.environ["MINE_PLUGIN"]


def judge(*args):
    return run("conform", "--load", BROKEN, "--ops", "add", *args)


def test_crashes_are_cases_that_failed(tmp_path):
    done = judge("--backend", "broken:abort", "--json", tmp_path / "c.json", "--report", tmp_path / "c.md")
    assert done.returncode == 6
    assert "2 failed (2 of them crashed or did not return)" in done.stdout
    name = re.search(r"(add\.f64\.\d+\.1): (crashed: SIGABRT|ended the process)", done.stderr)[1]
    cells = {c["dtype"]: c for c in json.loads((tmp_path / "c.json").read_text())}
    assert cells["f64"]["crashed"] == cells["f64"]["failed"] == 2 and cells["f64"]["cases"] == 36
    assert len(cells) == 7 and cells["f32"]["crashed"] == 0
    assert "FAIL 2" in (tmp_path / "c.md").read_text()
    again = run("conform", "--load", BROKEN, "--backend", "broken:abort", "--case", name)
    assert again.returncode == 6 and name in again.stderr and "1 failed (1 of them crashed" in again.stdout


def test_a_debugger_sees_the_crash():
    done = judge("--backend", "broken:abort", "--case-limit", "0 s")
    assert done.returncode == -signal.SIGABRT  # of this process, whose stack a debugger has


def test_what_never_returns():
    done = judge("--backend", "broken:sleep", "--case-limit", "2 s")
    assert done.returncode == 6
    assert "add.f64.0.1: did not return within 2 s" in done.stderr


def test_times_are_those_of_a_clock():
    done = run("conform", "--ops", "add", "--dtypes", "f64", "--level", "soak", "--for", "0.001 h", "--case-limit", "1 min")
    assert done.returncode == 0 and "0 failed" in done.stdout


def test_a_crash_outside_of_a_case_is_an_error():
    done = judge("--backend", "broken:opened")
    assert done.returncode == 4 and "when it was opened" in done.stderr


def test_ctrl_c_leaves_a_whole_file(tmp_path):
    path = tmp_path / "c.json"
    # The case that hangs comes behind the cell of f32, which is told of first.
    with subprocess.Popen([COMMAND, "conform", "--load", BROKEN, "--backend", "broken:sleep", "--ops", "add", "--json",
                           str(path), "--case-limit", "1 h"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as p:
        told = ""
        while "f32:" not in told:
            told += (more := p.stdout.read(1))
            assert more, p.stderr.read()
        p.send_signal(signal.SIGINT)
        _, complaint = p.communicate(timeout=120)
    assert p.returncode == 75 and "interrupted" in complaint
    assert [c["dtype"] for c in json.loads(path.read_text())] == ["f32"]


def test_plug_ins_that_are_none(tmp_path):
    done = run("conform", "--load", tmp_path / "none.so", "--backend", "mine")
    assert done.returncode == 74 and "none.so" in done.stderr
    (tmp_path / "text.so").write_text("no library")
    done = run("conform", "--load", tmp_path / "text.so", "--backend", "mine")
    assert done.returncode == 74 and "text.so" in done.stderr
    done = run("conform", "--load", os.environ["BROKEN_OTHER_ABI"], "--backend", "broken")
    assert done.returncode == 4 and "is built for ABI 99, this library has ABI 1" in done.stderr
