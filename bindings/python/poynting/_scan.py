"""Scans: many runs of one recipe, in processes of this machine or wherever an executor runs plain functions, and what they gave
by named axes."""
from __future__ import annotations

import builtins
import errno
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping

from . import _core
from ._progress import Line, wanted
from ._recipe import Recipe
from ._result import Result

_WAITING, _RUNNING, _DONE, _FAILED = range(4)
_FAULTS = {-getattr(signal, n) for n in ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGSYS") if hasattr(signal, n)}
_WORKER = "import pickle, sys; path, task = pickle.load(sys.stdin.buffer); sys.path[:] = path; from poynting import _scan; _scan.main(task)"


@dataclass(frozen=True)
class Task:
    """Points first ... first + n - 1 of a scan, for work(); plain data."""

    recipe: Recipe
    folder: str
    first: int
    n: int
    start: int
    threads: int | None
    together: int
    token: str = field(default_factory=lambda: uuid.uuid4().hex)  # executors that remember results know it as a new one


def work(task: Task) -> tuple[int, int, int]:
    """Runs those points of a task that nobody else has: (done, failed, left to others). A plain function of plain data: what can
    pickle can run it, where the folder is the same."""
    scan = _core.Scan(task.recipe.copy(), task.folder)
    before = _core.threads()
    if task.threads:
        _core.threads(task.threads)
    try:
        return scan.work(task.first, task.n, task.start, task.together, None)
    finally:
        if task.threads:
            _core.threads(before)


def main(pickled: bytes) -> None:
    """A process of a scan: SIGTERM stores the state of its point; the end of its parent is such a signal."""
    def stop(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG
    try:
        work(pickle.loads(pickled))
    except KeyboardInterrupt:
        sys.exit(75)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent tells it
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(getattr(error, "exit_code", 1))


class Scan(Result):
    """The collected file of a scan. to_xarray() has a dimension for each axis, by the name of its key.

    failures: {point: why}. folder: where each point's own file is; point(i) opens it."""

    folder: str
    failures: dict[int, str]

    def __init__(self, path: str | os.PathLike[str], folder: str, failures: dict[int, str]):
        super().__init__(path)
        self.folder, self.failures = folder, failures

    def point(self, i: int) -> Result:
        """The result of one point."""
        return Result(os.path.join(self.folder, f"{i:05d}.h5"))


# ---- processes of this machine ----


@dataclass
class _Worker:
    process: subprocess.Popen
    errors: Any

    def message(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace").strip()


def _start(task: Task) -> _Worker:
    errors = tempfile.TemporaryFile()
    process = subprocess.Popen([sys.executable, "-c", _WORKER], stdin=subprocess.PIPE, stderr=errors, process_group=0)
    assert process.stdin is not None
    process.stdin.write(pickle.dumps((sys.path, pickle.dumps(task))))
    process.stdin.close()
    return _Worker(process, errors)


def _bury(scan: _core.Scan, worker: _Worker) -> bool:
    """A process ended. True where it was killed, so that another one should take its place."""
    code = worker.process.returncode
    if code == 0:
        return False
    if code > 0:
        raise RuntimeError(f"a process of the scan could not work: {worker.message()}")
    if code in _FAULTS:
        scan.crashed(worker.process.pid, f"the process that ran it crashed ({signal.strsignal(-code)})\n")
    return True


def _round(scan: _core.Scan, tasks: list[Task], show: Callable[[], None]) -> None:
    workers = [(task, _start(task)) for task in tasks]
    try:
        while workers:
            time.sleep(0.02)
            show()
            for item in [w for w in workers if w[1].process.poll() is not None]:
                workers.remove(item)
                if _bury(scan, item[1]):
                    workers.append((item[0], _start(item[0])))
    finally:  # Ctrl-C, or one that could not work: the others store what they have
        for _, worker in workers:
            worker.process.terminate()
        for _, worker in workers:
            worker.process.wait()


def _processes(scan: _core.Scan, recipe: Recipe, n: int, jobs: int, threads: int | None, together: int, show: Callable[[], None]) -> None:
    """Points whose process died after the others had passed them are left over: a new round takes them."""
    threads = threads or max(1, _core.threads() // jobs)
    last = -1
    while True:
        waiting = scan.states(0, n).count(_WAITING)
        if not waiting or waiting == last:
            return
        last = waiting
        workers = min(jobs, waiting)
        _round(scan, [Task(recipe, scan.folder, 0, n, n * k // workers, threads, together) for k in range(workers)], show)


# ---- executors ----


def _executor(scan: _core.Scan, recipe: Recipe, n: int, executor: Any, per_task: int, threads: int | None, together: int,
              show: Callable[[], None]) -> None:
    """A task for every so many points that are not over yet. One that fails costs only its own points."""
    states = scan.states(0, n)
    firsts = [i for i in range(0, n, per_task) if any(s < _DONE for s in states[i:i + per_task])]
    futures = [executor.submit(work, Task(recipe, os.path.abspath(scan.folder), i, min(per_task, n - i), i, threads or 1, together)) for i in firsts]
    error = None
    for future in futures:
        try:
            future.result()
        except Exception as e:  # noqa: BLE001 - any of the executor's or the engine's
            error = error or e
        show()
    if error and any(s < _DONE for s in scan.states(0, n)):
        raise error


# ---- the call ----


class _Line:
    """Tells how a scan goes on: as a line, or to a function of (done, failed, running, all)."""

    def __init__(self, scan: _core.Scan, n: int, progress: bool | Callable[..., Any] | None):
        self.scan, self.n, self.progress, self.shown = scan, n, progress if callable(progress) else wanted(progress), time.monotonic()
        self.line = Line()
        self.start, self.before = self.shown, sum(s >= _DONE for s in scan.states(0, n))

    def __call__(self, last: bool = False) -> None:
        now = time.monotonic()
        if not self.progress or (now - self.shown < 0.25 and not last):
            return
        self.shown = now
        states = self.scan.states(0, self.n)
        done, failed, running = (states.count(s) for s in (_DONE, _FAILED, _RUNNING))
        if callable(self.progress):
            self.progress(done, failed, running, self.n)
            return
        fresh = done + failed - self.before
        rest = f"{(now - self.start) * (self.n - done - failed) / fresh:.0f} s left" if fresh else ""
        self.line.show("scan", (done + failed) / max(self.n, 1), f"{done}/{self.n} done, {failed} failed, {running} running  {rest}", last=last)


def _with_axes(recipe: Recipe | str | os.PathLike[str], **ways: Any) -> Recipe:
    recipe = recipe.copy() if isinstance(recipe, Recipe) else Recipe.load(recipe)
    for way, axes in ways.items():
        if way == "collect":
            if axes is not None:
                recipe.set("scan.collect", axes)
            continue
        for key, values in (axes or {}).items():
            recipe.set(f"scan.{way}.{key}", values)
    recipe.check()
    return recipe


def scan(recipe: Recipe | str | os.PathLike[str], *, grid: Mapping[str, Any] | None = None, zip: Mapping[str, Any] | None = None,
         list: Mapping[str, Any] | None = None, collect: builtins.list[str] | None = None, jobs: int | None = None,
         executor: Any = None, points_per_task: int = 1, together: int = 1, folder: str | os.PathLike[str] | None = None,
         output: str | os.PathLike[str] | None = None, retry_failed: bool = False, threads: int | None = None,
         progress: bool | Callable[..., Any] | None = None) -> Scan:
    """Runs all points of a recipe's [scan] and opens the file that collects them.

    grid, zip, list: axes {key: values} beside those of the recipe; values: a list, or {"start":, "stop":, "num":, "scale":}. Those of
    grid multiply, the first slowest; those of zip advance together; each of list is one more axis. collect: names of quantities
    (docs/scans.md).

    jobs: processes of this machine [as many as it has processors]; 1: this one. executor: anything with submit(function, task) and
    futures with result(), a Dask client or a concurrent.futures executor; it gets points_per_task points at a time, and needs to see the
    same folder. together: points that a process runs in lockstep, of pulses with a solver.schedule. folder [NAME.scan] holds the points: the same call goes on with a scan that was stopped, and leaves to others what they
    run. output: the collected file [NAME.scan.h5]. threads: of each process [its share of the processors; 1 in an executor].

    A point that fails is recorded, warned of, and stops nothing: see .failures; retry_failed runs such points again. Ctrl-C keeps the
    state of what is running."""
    if output is not None and not os.path.isdir(os.path.dirname(os.fspath(output)) or "."):
        raise FileNotFoundError(errno.ENOENT, "its folder is not there: make it first", os.fspath(output))
    recipe = _with_axes(recipe, grid=grid, zip=zip, list=list, collect=collect)
    work_on = _core.Scan(recipe, None if folder is None else os.fspath(folder))
    n = 1
    for extent in work_on.shape:
        n *= extent
    if points_per_task < 1:
        raise ValueError(f"points_per_task: {points_per_task} is not a count of points")
    work_on.judge()
    if retry_failed:
        work_on.retry()
    show = _Line(work_on, n, progress)
    try:
        if executor is not None:
            _executor(work_on, recipe, n, executor, points_per_task, threads, together, show)
        elif jobs == 1:
            work(Task(recipe, work_on.folder, 0, n, 0, threads, together))
        else:
            _processes(work_on, recipe, n, min(jobs or _core.threads(), n), threads, together, show)
    except KeyboardInterrupt as error:
        over = sum(s >= _DONE for s in work_on.states(0, n))
        raise KeyboardInterrupt(f"{work_on.folder}: stopped after {over} of {n} points: the same call goes on with the others") from error
    finally:
        show.line.end()
    show(last=True)
    states = work_on.states(0, n)
    failures = {i: work_on.failure(i) for i, state in enumerate(states) if state == _FAILED}
    if failures:
        i, why = next(iter(failures.items()))
        warnings.warn(f"{len(failures)} of {n} points failed, see .failures; point {i} ({work_on.describe(i)}): {why}", stacklevel=2)
    return Scan(work_on.collect(None if output is None else os.fspath(output)), work_on.folder, failures)
