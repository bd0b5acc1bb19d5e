#!/usr/bin/env python3
"""Check what the documentation points to: links and their anchors, files of this tree, functions and types of the library.

check_docs.py [ROOT]: all Markdown of the checkout. A link without a scheme names a file (its "#part" a heading there). What stands
in backticks and looks like a path from the root or from src, or is the bare name of a source, is there; "*" stands for anything, "<name>",
"NAME" and "N" for a part of the user's. What looks like a name of the library (poy_..., POY_...) stands in a header, a table, or a
binding; a name that ends in "_" or "*" is the beginning of some.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

TOP = ("src/", "include/", "tests/", "tools/", "docs/", "examples/", "bench/", "bindings/", "cmake/", "scripts/")
SOURCES = (".c", ".h", ".cpp", ".def", ".clh", ".py", ".sh", ".cmake")


def anchor(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def tracked(root):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, text=True, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.split("\n")[:-1]
    return [p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file() and "build" not in p.relative_to(root).parts[:1]]


def words(root, files):
    """Every name of the library that code spells out."""
    found = set()
    for name in files:
        if name.startswith(("include/", "src/", "bindings/", "tests/", "CMakeLists")) or name == "CMakePresets.json" or name.startswith("cmake/"):
            if name.endswith((".c", ".h", ".def", ".cpp", ".py", ".txt", ".json", ".cmake", ".pyi", ".clh", ".in")):
                found |= set(re.findall(r"\b(?:poy|POY)_\w+", (root / name).read_text(errors="replace")))
    for table, prefix in (("status.def", "POY_ERR_"), ("ops.def", "poy_"), ("pulse_rows.def", "POY_ROW_"), ("records.def", "poy_")):
        path = root / "include/poynting" / table
        if path.exists():
            found |= {prefix + w for w in re.findall(r"^\s*POY_\w+\((\w+)", path.read_text(), re.M)}
    return found


def is_there(path, files, folders):
    pattern = re.sub(r"<[^>]*>|\bNAME\b|\bN\b", "*", path.rstrip("/"))
    return pattern in folders or any(fnmatch.fnmatch(f, pattern) for f in files) or any(fnmatch.fnmatch(f, pattern) for f in folders)


def check_links(root, page, text, faults):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, part = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        if not other.exists():
            faults.append(f"{page.relative_to(root)}: {target}: there is no such file")
        elif part and part not in [anchor(h) for h in re.findall(r"^#+ (.*)$", other.read_text(), re.M)]:
            faults.append(f"{page.relative_to(root)}: {target}: there is no such heading")


def check_names(where, text, files, folders, known, faults):
    bases = {f.rsplit("/", 1)[-1] for f in files}
    rooms = {f.split("/")[1] for f in folders if f.startswith("src/")}
    for code in re.findall(r"`([^`\n]+)`", text):
        for word in re.split(r"[\s,;()\[\]{}=\"']+", code):
            word = word.rstrip(".:")
            of_room = "/" in word and word.partition("/")[0] in rooms
            if (word.startswith(TOP) or of_room) and not is_there(word, files, folders) and not is_there("src/" + word, files, folders):
                faults.append(f"{where}: {word}: there is no such file")
            elif re.fullmatch(r"[\w*<>-]+(\.[a-z]+)", word) and word.endswith(SOURCES) and not any(
                    fnmatch.fnmatch(b, re.sub(r"<[^>]*>", "*", word)) for b in bases):
                faults.append(f"{where}: {word}: no source is called so")
            elif re.fullmatch(r"(poy|POY)_\w*\*?", word) and word not in known:
                start = word.rstrip("*")
                if not (word != start or word.endswith("_")) or not any(k.startswith(start) for k in known):
                    faults.append(f"{where}: {word}: no such name in the library")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = tracked(root)
    folders = {"/".join(f.split("/")[:i]) for f in files for i in range(1, f.count("/") + 1)}
    known = words(root, files)
    pages = [f for f in files if f.endswith(".md")]
    faults = []
    for name in pages:
        text = (root / name).read_text()
        check_links(root, root / name, text, faults)
        if not name.endswith("CHANGELOG.md"):  # it tells of the past
            check_names(name, re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), files, folders, known, faults)
    print("\n".join(faults + [f"{len(pages)} pages, {len(faults)} names of what is not there"]))
    return 1 if faults or len(pages) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
