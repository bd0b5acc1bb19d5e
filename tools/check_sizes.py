#!/usr/bin/env python3
"""Check that files and functions stay small enough to be read: a file is about 600 lines, a function about 60.

Fails beyond the limits below, which leave room for a table or a long comment; names what is beyond the aim.
Needs the project's format (tools/format.sh): a function ends with a } in the first column."""

import pathlib
import sys

FILE_AIM, FILE_LIMIT = 600, 700
FUNCTION_AIM, FUNCTION_LIMIT = 60, 100


def functions(lines: list[str]):
    """(first line, length) of each body that opens with { in the first column and closes with }."""
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, number - start - 1
            start = None


def main(root: pathlib.Path) -> int:
    wrong = checked = 0
    for folder in ("src", "include", "tests", "bench", "tools", "bindings"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".c", ".h", ".cpp", ".clh", ".cu", ".py", ".sh"} or "golden" in file.parts:
                continue
            name, lines = file.relative_to(root), file.read_text(encoding="utf-8").splitlines()
            sizes = [(f"{name}: {len(lines)} lines", len(lines), FILE_AIM, FILE_LIMIT)]
            sizes += [(f"{name}:{at}: a function of {n} lines", n, FUNCTION_AIM, FUNCTION_LIMIT) for at, n in functions(lines)]
            checked += 1
            for text, n, aim, limit in sizes:
                if n > aim:
                    print(f"{text} (aim {aim}{', LIMIT ' + str(limit) if n > limit else ''})")
                wrong += n > limit
    print(f"{checked} files, {wrong} beyond a limit")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent))
