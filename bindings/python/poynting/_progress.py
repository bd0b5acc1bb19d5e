"""How far a run or a scan is: in a notebook a bar that is drawn again in its place, else a line on standard error."""
from __future__ import annotations

import html
import sys
import time
from typing import Any


def shell() -> Any:
    """The interactive shell of IPython that this is in, or None. IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None


def wanted(progress) -> bool:
    """None: where there is IPython, so in notebooks."""
    return shell() is not None if progress is None else bool(progress)


class Line:
    """One line, over and over."""

    def __init__(self, pace: float = 0.2):
        self.pace, self.shown, self._handle = pace, float("-inf"), None
        self._open = False  # the cursor stands in a line
        at = shell()
        self._notebook = at is not None and getattr(at, "kernel", None) is not None
        if self._notebook:
            try:
                import IPython.display  # noqa: F401
            except ImportError:
                self._notebook = False

    def due(self) -> bool:
        """Is it time for another one?"""
        return time.monotonic() - self.shown >= self.pace

    def end(self) -> None:
        """What is written next stands on a line of its own, also where the work was stopped."""
        if self._open:
            sys.stderr.write("\n")
            self._open = False

    def show(self, name: str, share: float, text: str, last: bool = False) -> None:
        self.shown = time.monotonic()
        share = min(max(share, 0.0), 1.0)
        if self._notebook:
            self._display(name, share, text)
            return
        bar = "#" * int(30 * share)
        sys.stderr.write(f"\r{name} [{bar:<30}] {100 * share:5.1f} %  {text} " + ("\n" if last else ""))
        self._open = not last
        sys.stderr.flush()

    def _display(self, name, share, text):
        from IPython.display import display

        told = f"{name} {100 * share:.1f} %  {text}"
        data = {"text/plain": told, "text/html": f'<div><code>{html.escape(name)}</code> <progress value="{share:.4f}" max="1" style="width: 20em">'
                                                 f"</progress> {100 * share:.1f} % &nbsp; {html.escape(text)}</div>"}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def left(start: float, share: float) -> str:
    """Time that is left by what a share took since start (of time.monotonic)."""
    return f"{(time.monotonic() - start) * (1 - share) / share:.0f} s left" if share > 0 else ""
