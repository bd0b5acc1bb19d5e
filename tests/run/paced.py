"""Processes that are caught in the middle of their work, however fast the machine is."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import h5py
from command import COMMAND


def stop(pid):
    """SIGSTOP, until it is in force: a process that waits for a disk comes to it later, after signals of lower numbers."""
    os.kill(pid, signal.SIGSTOP)
    while (state := pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0]) != "T":
        assert state not in "ZX", "it was over before it was stopped"
        time.sleep(0.001)


class Paced:
    """A run that waits for its reader: each step is told through a socket that holds a few messages, so that the run is never
    further than a few steps behind what was read."""

    def __init__(self, *args, cwd):
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
            self.process = subprocess.Popen([COMMAND, *map(str, args), "--json-progress", str(theirs.fileno())], cwd=cwd, text=True,
                                            pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def until(self, done):
        """Goes on until it is told that so much is done."""
        while True:
            line = self.ours.recv(4096)
            assert line, self.process.communicate()[1]
            told = json.loads(line)
            assert told["done"] < told["total"], "over before it was told to stop"
            if told["done"] >= done:
                return self

    def signal(self, *numbers):
        """All of them at once: it is stopped while they are sent."""
        stop(self.process.pid)
        for number in numbers:
            self.process.send_signal(number)
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        """Lets it go on alone. (exit code, standard output, standard error)"""
        self.ours.close()
        output, errors = self.process.communicate(timeout=120)
        return self.process.returncode, output, errors

    def kill(self):
        self.process.kill()
        return self.end()


def planes_of(path):
    """The planes of a file that is being written: HDF5 is told not to lock, and may find it half changed."""
    try:
        with h5py.File(path, locking=False) as f:
            return f["grid/z"].shape[0] if not f.attrs["complete"] else 0
    except (OSError, KeyError, RuntimeError):
        return 0


def _owner(part):
    """The process that has a point, by its claim."""
    number, generation = part.name.split(".")[:2]
    try:
        return int((part.parent / f"{number}.claim.{generation}").read_text(encoding="ascii").splitlines()[1].split()[0])
    except (FileNotFoundError, IndexError):
        return None


def hold_workers(folder, workers, points=1):
    """Stops (SIGSTOP) so many processes of a scan, each as soon as the files of so many points of it have the launch and are
    not complete. Their numbers, for let_go()."""
    begun, held = {}, []
    end = time.monotonic() + 60
    while len(held) < workers:
        assert time.monotonic() < end, "the processes of the scan did not start"
        time.sleep(0.002)
        for part in folder.glob("*.part.h5"):
            pid = _owner(part)
            if pid is None or pid in held or planes_of(part) < 1:
                continue
            begun.setdefault(pid, set()).add(part)
            if len(begun[pid]) == points:
                stop(pid)
                held.append(pid)
    assert all(planes_of(part) and part.exists() for pid in held for part in begun[pid]), "it was over before it was held"
    return held


def let_go(pids):
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
