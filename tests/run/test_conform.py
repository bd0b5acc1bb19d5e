"""poynting conform on backends of others: crashes, hangs, interruptions, plug-ins that are none."""

import json
import os
import re
import signal
import subprocess

import pytest

from command import COMMAND, SOURCE, run

BROKEN, MINE = os.environ["BROKEN_PLUGIN"], os.environ["MINE_PLUGIN"]
RECORDS, LINOP = os.environ["BROKEN_RECORDS"], os.environ["LINOP_PLUGIN"]
GOLDEN = SOURCE / "tests" / "golden"
# How a process ends by itself, or a sanitizer ends it.
CRASHED = r"(crashed: SIG\w+|ended the process, with exit code)"


def judge(*args, **more):
    return run("conform", "--load", BROKEN, "--ops", "add", *args, **more)


def test_crashes_are_cases_that_failed(tmp_path):
    done = judge("--backend", "broken:abort", "--json", tmp_path / "c.json", "--report", tmp_path / "c.md")
    assert done.returncode == 6
    assert "2 failed (2 of them crashed or did not return)" in done.stdout
    name = re.search(r"(add\.f64\.\d+\.1): (crashed: SIGABRT|ended the process)", done.stderr)[1]
    cells = {c["dtype"]: c for c in json.loads((tmp_path / "c.json").read_text())}
    assert cells["f64"]["crashed"] == cells["f64"]["failed"] == 2 and cells["f64"]["cases"] == 36
    assert len(cells) == 7 and cells["f32"]["crashed"] == 0
    assert "FAIL 2 (2 crash) |" in (tmp_path / "c.md").read_text() and "f64:FAIL 2 (2 crash)" in done.stdout
    again = run("conform", "--load", BROKEN, "--backend", "broken:abort", "--case", name)
    assert again.returncode == 6 and name in again.stderr and "1 failed (1 of them crashed" in again.stdout


def test_a_debugger_sees_the_crash():
    done = judge("--backend", "broken:abort", "--case-limit", "0 s")
    assert done.returncode == -signal.SIGABRT, done.stderr  # of this process, whose stack a debugger has
    assert judge("--backend", "broken", "--case-limit", "0 s").returncode == 0


def test_what_never_returns(tmp_path):
    done = judge("--backend", "broken:sleep", "--case-limit", "2 s", "--json", tmp_path / "c.json", "--report", tmp_path / "c.md")
    assert done.returncode == 6
    assert "add.f64.0.1: did not return within 2 s" in done.stderr
    cells = {c["dtype"]: c for c in json.loads((tmp_path / "c.json").read_text())}
    assert cells["f64"]["crashed"] == cells["f64"]["hung"] == 1
    assert "| FAIL 1 (1 hang) |" in (tmp_path / "c.md").read_text()


def test_what_a_case_started_ends_with_it():
    # It has the other ends of all pipes: nothing returns as long as it lives.
    done = judge("--backend", "broken:every-fork", timeout=100)
    assert done.returncode == 6 and "3 failed (3 of them crashed" in done.stdout
    done = judge("--backend", "broken:every-fork", "--json", "/dev/full", timeout=100)
    assert done.returncode == 74


def told(tmp_path, *args):
    """The finished process, and what it wrote as JSON, by name and type."""
    done = run("conform", *args, "--json", tmp_path / "c.json")
    found = json.loads((tmp_path / "c.json").read_text())
    name = next(iter(found[0])) if found else None
    return done, {(c[name], c["dtype"]) if "dtype" in c else c[name]: c for c in found}


def test_rows_of_programs_that_end_badly(tmp_path):
    done, rows = told(tmp_path, "--load", BROKEN, "--backend", "broken:row-segv", "--rows", "*")
    drive = rows["drive"]
    assert done.returncode == 6 and drive["crashed"] == drive["failed"] == drive["cases"] == 3 and drive["hung"] == 0
    assert re.match(r"row:drive\.0\.1: .*" + CRASHED + r".*; cases behind row:drive\.2\.1: .* are left out", drive["failure"])
    assert len(rows) > 20 and "(3 crash)" in done.stdout  # the others went on
    done, rows = told(tmp_path, "--load", BROKEN, "--backend", "broken:row-sleep", "--rows", "drive", "--case-limit", "2 s")
    assert done.returncode == 6 and rows["drive"]["hung"] == rows["drive"]["cases"] == 1 and "(1 hang)" in done.stdout
    assert "row:drive.0.1: 1 of 1, 1 columns: did not return within 2 s" in done.stderr


def test_rows_of_programs_that_are_wrong(tmp_path):
    done, rows = told(tmp_path, "--load", BROKEN, "--backend", "broken:row-wrong", "--rows", "drive")
    assert done.returncode == 6 and rows["drive"]["failed"] == rows["drive"]["cases"] > 3 and rows["drive"]["crashed"] == 0
    # The backend adds 1 to |A|^2 of the element in the middle.
    wrong = re.match(r"row:drive\.0\.1: .*element 0 is ([\d.]+) 0, reference ([\d.]+) 0", rows["drive"]["failure"])
    assert abs(float(wrong[1]) - float(wrong[2]) - 1) < 1e-15


def test_golden_cases_that_end_badly(tmp_path):
    done, cases = told(tmp_path, "--load", BROKEN, "--backend", "broken:every-segv", "--golden", GOLDEN)
    bad = {c["op"] for c in cases.values() if c["failed"]}
    assert done.returncode == 6 and len(cases) == 161 and "add" in bad and len(bad) < 5
    assert all(c["crashed"] == c["failed"] and re.match(CRASHED, c["failure"]) for c in cases.values() if c["failed"])
    assert re.search(r"^add: golden:g066_add_f32: " + CRASHED, done.stderr, re.M)
    done, cases = told(tmp_path, "--load", BROKEN, "--backend", "broken:sleep", "--golden", GOLDEN, "--case-limit", "2 s")
    late = [c for c in cases.values() if c["failed"]]
    assert done.returncode == 6 and {c["op"] for c in late} == bad and len(late) == len(bad)  # one of each, the rest left out
    assert all(c["hung"] == 1 and "did not return within 2 s; cases of" in c["failure"] for c in late)
    assert {"g160_linop_dense_rapply_f64", "g000_zeros_c64"} <= {k for k, c in cases.items() if not c["failed"]}


def test_laws_that_end_badly(tmp_path):
    args = "--load", BROKEN, "--laws", "space *"
    done, laws = told(tmp_path, *args, "--backend", "broken:every-segv")
    assert done.returncode == 6 and len(laws) == 32
    assert re.match(r"law:space-dense\.f64\.1: " + CRASHED, laws["space dense", "f64"]["failure"])
    assert all(law["failed"] == law["crashed"] == (t == "f64") for (_, t), law in laws.items())
    done, late = told(tmp_path, *args, "--backend", "broken:sleep", "--case-limit", "2 s", "--dtypes", "f32,f64")
    # Each that hangs costs its time: after three the rest is left out, and that is said.
    assert done.returncode == 6 and [law["hung"] for law in late.values()] == 8 * [0] + 3 * [1]
    assert late["space plane", "f64"]["failure"].endswith("within 2 s; cases behind law:space-plane.f64.1 are left out")


@pytest.mark.parametrize(("symbol", "failure", "code"), [
    ("mirror", None, 0), ("aborting", CRASHED, 6), ("waiting", "did not return within 2 s", 6), ("refusing", "out of order", 6)])
def test_operators_that_end_badly(tmp_path, symbol, failure, code):
    done, laws = told(tmp_path, "--linop", f"{LINOP}:{symbol}", "--case-limit", "2 s" if symbol == "waiting" else "30 s")
    assert done.returncode == code and laws[f"domain of {symbol}", "f64"]["failed"] == 0
    assert not failure or re.match(rf"law:{symbol}\.f64\.1: {failure}", laws[symbol, "f64"]["failure"])


def test_an_operator_that_cannot_be_made():
    done = run("conform", "--linop", f"{LINOP}:crashing_entry")
    assert done.returncode == 4 and "when it was given to 'crashing_entry'" in done.stderr
    assert run("conform", "--linop", f"{LINOP}:nobody").returncode == 1
    assert run("conform", "--linop", "./nowhere.so:x").returncode == 74


def test_records_that_end_badly(tmp_path):
    done, records = told(tmp_path, "--load-records", RECORDS, "--records", "broken.*", "--case-limit", "2 s")
    crash, late, wrong, good = (records[f"broken.{k}"] for k in ("abort", "sleep", "wrong", "good"))
    assert done.returncode == 6
    assert crash["crashed"] == crash["cases"] == 3 and crash["hung"] == 0
    assert re.match(r"record:broken\.abort\.0\.1: .*; cases behind record:broken\.abort\.0\.3 are left out", crash["failure"])
    assert late["hung"] == late["cases"] == 1 and "record:broken.sleep.0.1: did not return within 2 s" in late["failure"]
    assert wrong["failed"] == wrong["cases"] == 6 and wrong["crashed"] == 0 and good["failed"] == 0 and good["cases"] == 6


# What is printed of a failure, and what to say with --case to see it again.
REPEATED = {
    "operation": (("--load", BROKEN, "--backend", "broken:abort"), ("--ops", "add", "--seed", "12345678901234567890"),
                  r"add\.f64\.\d+\.12345678901234567890"),
    "row": (("--load", BROKEN, "--backend", "broken:row-wrong"), ("--rows", "*", "--seed", "7"), r"row:drive\.\d+\.7"),
    "crash of a row": (("--load", BROKEN, "--backend", "broken:row-segv"), ("--rows", "*"), r"row:drive\.\d+\.1"),
    "golden": (("--load", BROKEN, "--backend", "broken:every-segv", "--golden", GOLDEN), (), r"golden:g066_add_f32"),
    "law": (("--load", BROKEN, "--backend", "broken:every-segv"), ("--laws", "operator d*", "--seed", "3"),
            r"law:operator-dense\.f64\.3"),
    "operator": (("--linop", f"{LINOP}:wrong_adjoint"), ("--seed", "5"), r"law:wrong_adjoint\.f64\.5"),
    "its space": (("--linop", f"{LINOP}:in_wrong_space"), (), r"law:domain-of-in_wrong_space\.f64\.1"),
    "record": (("--load-records", RECORDS), ("--records", "broken.w*", "--seed", "9"), r"record:broken\.wrong\.0\.9"),
    "crash of a record": (("--load-records", RECORDS), ("--records", "broken.a*"), r"record:broken\.abort\.0\.1"),
}


@pytest.mark.parametrize("kind", REPEATED)
def test_what_is_printed_is_found_again(kind):
    common, parts, name = REPEATED[kind]
    first = run("conform", *common, *parts)
    case, failure = re.search(rf"({name}): (.*?)(?:; cases (?:behind|of) .*)?$", first.stderr, re.M).groups()
    again = run("conform", *common, "--case", case)
    assert first.returncode == again.returncode == 6
    # A sanitizer has its say beside it.
    assert [s for s in again.stderr.splitlines() if case in s] == [f"{label(first.stderr, case)}{case}: {failure}"]
    assert re.search(r"^1 golden cases, 1 failed|\b1 cases, 1 failed|\d+ cases, [12] failed", again.stdout, re.M)
    assert again.stdout.count("failed") == 1  # of no other


def label(text, case):
    """What stands before the name of a case: the operation and its type."""
    return re.search(rf"^(.*?){re.escape(case)}", text, re.M)[1]


@pytest.mark.parametrize(("case", "said"), [
    ("exp.f64.3.-1", "names no case, which reads exp.c128.17.1"), ("exp.f33.3.1", "names no case"), ("exp.f64.3", "names no case"),
    ("exp.f64.99999999999999999999.1", "names no case"), ("", "names no case"), ("nix.f64.3.1", "no operation 'nix'"),
    ("e*.f64.3.1", "names no case"), ("row:drive.1", "which reads row:combine.17.1"), ("row:d*.1.1", "no row 'd*'"),
    ("row:drive.99999.1", "no case 99999"), ("law:operator-fft.f64.1", "no case 'law:operator-fft.f64.1'"),
    ("law:operator-fft", "which reads law:operator-block.f64.1"), ("record:poy.eig.99.1", "no example 99"),
    ("record:poy.nix.0.1", "no record 'poy.nix'"), ("record:poy.eig", "which reads record:poy.solve.0.1")])
def test_names_of_no_case(case, said):
    done = run("conform", "--case", case)
    assert done.returncode == 1 and said in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_golden_case_by_name():
    assert "1 golden cases, 0 failed" in run("conform", "--golden", GOLDEN, "--case", "golden:g042_exp_f32").stdout
    done = run("conform", "--golden", GOLDEN, "--case", "golden:g042")
    assert done.returncode == 1 and "no golden case 'g042'" in done.stderr
    done = run("conform", "--case", "golden:g042_exp_f32")
    assert done.returncode == 2 and "--golden tests/golden" in done.stderr


@pytest.mark.parametrize(("args", "said"), [
    (("--for", "1 s"), "--for is how long to soak: say --level soak, too"),
    (("--for", "1 s", "--level", "full"), "say --level soak, too"), (("--for", "1 s", "--case", "exp.f64.1.1"), "leave --for out"),
    *((("--case", "exp.f64.1.1", f"--{name}", value), f"leave --{name} out") for name, value in (
        ("ops", "exp"), ("dtypes", "f64"), ("level", "full"), ("seed", "2"), ("rows", "*"), ("records", "*"), ("laws", "*"),
        ("report", "x.md"))),
    (("--case", "exp.f64.1.1", "--list"), "leave --list out"), (("--case", "exp.f64.1.1", "--bench"), "leave --bench out"),
    (("--case", "exp.f64.1.1", "--golden", "x"), "none of the golden numbers"),
    (("--case", "row:drive.1.1", "--compare", "cpu,ref"), "--compare has no use here: it is of array operations"),
    (("--rows", "drive", "--dtypes", "f64"), "--dtypes has no use here: it is of array operations and laws"),
    (("--rows", "drive", "--level", "full"), "--level has no use here"), (("--laws", "*", "--report", "x.md"), "--report has no use"),
    (("--records", "*", "--backend", "cpu"), "--backend has no use"),
    (("--records", "*", "--load", MINE), "--load has no use"), (("--ops", "add", "--load-records", RECORDS), "it is of derivative records"), (("--golden", "x", "--seed", "2"), "--seed has no use"),
    (("--records", "*", "--bench"), "--bench has no use"), (("--rows", "*", "--list"), "--list has no use"),
    (("--list", "--report", "x.md"), "--list runs nothing"), (("--list", "--bench"), "--list runs nothing"),
    (("--ops", ""), "--ops '' names nothing"), (("--rows", ""), "--rows '' names nothing"), (("--json", ""), "names no file"),
    (("--dtypes", ""), "no element type ''"), (("--dtypes", "f32,"), "no element type ''"),
    (("--seed", "-1"), "whole number from 0 to 18446744073709551615"), (("--seed", "18446744073709551616"), "whole number from 0"),
    (("--seed", "1e3"), "whole number from 0"), (("--seed", ""), "whole number from 0"), (("--case-limit", "-1 s"), "below 0"),
    (("--case-limit", "1 m"), "--case-limit"), (("--compare", "cpu,"), "say two backends")])
def test_what_has_no_use_is_refused(args, said):
    done = run("conform", *args)
    assert done.returncode == 2 and said in done.stderr and not done.stdout


def test_seeds_and_parts(tmp_path):
    for seed in ("0", "18446744073709551615"):
        assert run("conform", "--ops", "add", "--dtypes", "f64", "--seed", seed).returncode == 0
    assert "laws" not in (done := run("conform", "--list", "--dtypes", "b8")).stderr and done.returncode == 0
    done = run("conform", "--laws", "*", "--dtypes", "b8")
    assert done.returncode == 1 and 'matches "*" in the element types named' in done.stderr
    done = run("conform", "--dtypes", "f32", "--ops", "neg", "--laws", "dense", "--rows", "copy", "--json", tmp_path / "c.json")
    assert done.returncode == 0
    names = [next(iter(c.items())) for c in json.loads((tmp_path / "c.json").read_text())]
    assert names == [("op", "neg"), ("row", "copy"), ("object", "space dense"), ("object", "operator dense")]


@pytest.mark.parametrize(("args", "code", "said"), [
    (("--ops", "nix"), 1, "no operation 'nix'"), (("--ops", "epx"), 1, "no operation 'epx': did you mean exp?"),
    (("--ops", "fft", "--dtypes", "b8"), 1, "no operation 'fft' takes the element types named"),
    (("--rows", "dirve"), 1, "no row 'dirve': did you mean drive?"), (("--rows", "nix"), 1, "no row 'nix'"), (("--laws", "nix"), 1, 'matches "nix"'),
    (("--records", "nix"), 1, 'no record matches "nix"'), (("--golden", "/nowhere"), 74, "/nowhere"),
    (("--golden", "/"), 74, "/: no golden operations"), (("--golden", "/dev/null"), 1, "/dev/null:1: not a file of golden"),
    (("--ops", "exp", "--bench"), 1, "no operation that streams is called 'exp'; there are fill, copy, "),
    (("--ops", "neg", "--json", "/nowhere/x"), 74, "/nowhere/x: cannot be written"),
    (("--ops", "neg", "--json", "/dev/full"), 74, "/dev/full: cannot be written: No space left"),
    (("--ops", "neg", "--report", "/dev/full"), 74, "/dev/full: cannot be written: No space left")])
def test_bad_input_is_told_once(args, code, said):
    done = run("conform", *args)
    assert done.returncode == code and said in done.stderr and len([s for s in done.stderr.splitlines() if s]) == 1


def test_lines_that_do_not_arrive(tmp_path):
    words = f"'{COMMAND}' conform --ops neg --dtypes f64"
    for script in (f"{words} >/dev/full", f"{words} >&-", f"{words} --json {tmp_path}/c.json >&-"):
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
        assert done.returncode == 74 and "standard output cannot be written to" in done.stderr, script
    assert len(json.loads((tmp_path / "c.json").read_text())) == 1  # not mixed with lines
    done = subprocess.run(["sh", "-c", f"{words} 2>&-"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "0 failed" in done.stdout


def test_times_are_those_of_a_clock():
    done = run("conform", "--ops", "add", "--dtypes", "f64", "--level", "soak", "--for", "0.001 h", "--case-limit", "1 min")
    assert done.returncode == 0 and "0 failed" in done.stdout


def test_a_crash_outside_of_a_case_is_an_error():
    done = judge("--backend", "broken:opened")
    assert done.returncode == 4 and "when it was opened" in done.stderr


# What hangs comes behind what is told of first.
@pytest.mark.parametrize(("args", "first"), [
    (("--load", BROKEN, "--backend", "broken:sleep", "--ops", "add"), "f32:"),
    (("--load", BROKEN, "--backend", "broken:row-sleep", "--rows", "[cd]*"), "combine"),
    (("--load", BROKEN, "--backend", "broken:sleep", "--laws", "space dense"), "space dense"),
    (("--load-records", RECORDS, "--records", "broken.[as]*"), "broken.abort")])
def test_ctrl_c_leaves_a_whole_file(tmp_path, args, first):
    path = tmp_path / "c.json"
    with subprocess.Popen([COMMAND, "conform", *args, "--json", str(path), "--case-limit", "1 h"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as p:
        said = ""
        while first not in said:
            said += (more := p.stdout.read(1))
            assert more, p.stderr.read()
        p.send_signal(signal.SIGINT)
        _, complaint = p.communicate(timeout=120)
    assert p.returncode == 75 and "interrupted" in complaint
    assert len(json.loads(path.read_text())) == 1


def test_several_plug_ins():
    done = run("conform", "--load", BROKEN, "--load", MINE, "--compare", "broken,mine", "--ops", "add", "--dtypes", "f64")
    assert done.returncode == 0 and "36 cases, 0 failed" in done.stdout


def test_plug_ins_that_are_none(tmp_path):
    for library, other in (("load", RECORDS), ("load-records", BROKEN)):
        done = run("conform", f"--{library}", other)
        assert done.returncode in (1, 4) and f"'{other}' does not export poy_" in done.stderr
    done = run("conform", "--load", tmp_path / "none.so", "--backend", "mine")
    assert done.returncode == 74 and "none.so" in done.stderr
    (tmp_path / "text.so").write_text("no library")
    done = run("conform", "--load", tmp_path / "text.so", "--backend", "mine")
    assert done.returncode == 74 and "text.so" in done.stderr
    done = run("conform", "--load", os.environ["BROKEN_OTHER_ABI"], "--backend", "broken")
    assert done.returncode == 4 and "is built for ABI 99, this library has ABI 1" in done.stderr
