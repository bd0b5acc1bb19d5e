"""Packages of others that may be absent: where one is needed, an ImportError says how to install it."""
from __future__ import annotations

import importlib
import sys
from types import ModuleType


def needed(package: str, what: str, more: str = "") -> ModuleType:
    """The package, for what needs it. Where it is there and cannot be imported, its own error is the answer."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        advice = "advect needs Python 3.12" if package == "advect" and sys.version_info < (3, 12) else f"pip install {package}"
        raise ModuleNotFoundError(f"{what} needs {package}: {advice}{more}", name=package) from None
