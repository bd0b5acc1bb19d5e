#!/usr/bin/env python3
"""Check that the tables which say what tests which requirement name tests that there are, and words of theirs.

check_tables.py TESTS CTEST BUILD: the tables of all README.md under TESTS that have a column "test". What stands there in
backticks is a source of a test (tests/**/<name>.c, with what it includes of its own folder, or .py), or a test as ctest names
it, or the first part of such a name, to a '_' or '.'. In a column "words", what stands in backticks is in one of the row's
sources, letter by letter.
"""

import pathlib
import re
import subprocess
import sys


def cells(line):
    """Of a row; a bar in backticks or behind a backslash is part of its cell."""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def tables(text):
    """(header, rows with their line numbers) of each table."""
    header, rows = None, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if not line.startswith("|"):
            if header:
                yield header, rows
            header, rows = None, []
        elif header is None:
            header = [cell.lower() for cell in cells(line)]
        elif set(line) - set("|- "):
            rows.append((number, cells(line)))


def registered(ctest, build):
    listed = subprocess.run([ctest, "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"Test +#\d+: (\S+)", listed)


def parts(source):
    """A source, and the .c and .h files beside it that it includes."""
    beside = re.findall(r'#include "(\w+)\.h"', source.read_text(encoding="utf-8"))
    return [source, *(p for name in beside for p in (source.with_name(name + ".h"), source.with_name(name + ".c")) if p.exists())]


def faults(path, sources, names):
    for header, rows in tables(path.read_text(encoding="utf-8")):
        if "test" not in header:
            continue
        for number, row in rows:
            found, text = [], ""
            for name in re.findall("`([^`]+)`", row[header.index("test")]):
                found.append(name)
                if name in sources:
                    text += "".join(source.read_text(encoding="utf-8") for source in sources[name])
                elif not any(known == name or known.startswith((name + "_", name + ".")) for known in names):
                    yield f"{path}:{number}: there is no test '{name}'"
            words = re.findall("`([^`]+)`", row[header.index("words")]) if "words" in header else []
            # a text of C goes on in the next line
            joined = re.sub(r'"\s*\n\s*"', "", text)
            yield from (f"{path}:{number}: '{word}' is in none of {', '.join(found)}" for word in words if word not in joined)


def main():
    tests, ctest, build = sys.argv[1:]
    root = pathlib.Path(tests)
    sources = {}
    for source in [*root.rglob("test_*.c"), *root.rglob("test_*.py")]:
        sources.setdefault(source.stem, []).extend(parts(source))
    names, wrong, checked = registered(ctest, build), [], 0
    for path in sorted(root.rglob("README.md")):
        wrong += faults(path, sources, names)
        checked += sum(len(rows) for header, rows in tables(path.read_text(encoding="utf-8")) if "test" in header)
    print(*wrong, f"{checked} rows, {len(wrong)} without what they name", sep="\n")
    return bool(wrong) or not checked or not names


if __name__ == "__main__":
    sys.exit(main())
