#!/usr/bin/env python3
"""Check that every internal function that a header declares is named by a file other than the one that defines it.

A poyi_ function that only its own file uses is static there, without the prefix: a declaration in a header says that
others depend on it. Names that begin like one that a macro pastes together (poyi_jet_##name) are passed over."""

import collections
import pathlib
import re
import sys

DECLARED = re.compile(r"^(?!static|#|typedef|return)[A-Za-z_][\w \t*]*?\b(poyi_\w+)\s*\(", re.MULTILINE)
WORD = re.compile(r"\bpoyi_\w+")
PASTED = re.compile(r"\b(poyi_\w+_)##")
SUFFIXES = {".c", ".h", ".cpp", ".def", ".clh", ".cu"}


def bare(text: str) -> str:
    """The code without comments and texts in quotes, so that a name in prose counts for nothing."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)


def main(root: pathlib.Path) -> int:
    files = {file.relative_to(root): bare(file.read_text(encoding="utf-8"))
             for folder in ("src", "tests", "bench") for file in sorted((root / folder).rglob("*")) if file.suffix in SUFFIXES}
    declared, users, pasted = {}, collections.defaultdict(set), set()
    for name, text in files.items():
        names = collections.Counter(WORD.findall(text))
        if name.suffix == ".h":
            own = DECLARED.findall(text)
            declared |= dict.fromkeys(own, name)
            names.subtract(own)
        pasted |= set(PASTED.findall(text))
        for word, count in names.items():
            if count > 0:
                users[word].add(name)
    wrong = 0
    for word, header in sorted(declared.items(), key=lambda row: (str(row[1]), row[0])):
        if len(users[word]) < 2 and not word.startswith(tuple(pasted)):
            print(f"{header}: {word}: used in {', '.join(map(str, sorted(users[word]))) or 'no file'} alone")
            wrong += 1
    print(f"{len(declared)} functions, {wrong} that one file alone uses")
    return 1 if wrong or not declared else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent))
