#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the include rule: which module of src/fovea may include which, as the table in docs/design/architecture.md says.

Prints one line `file:line: problem` for each violation and exits 1 if there is any.
"""

import argparse
import pathlib
import re
import sys

TABLE_HEADER = re.compile(r"^\|\s*module\s*\|\s*job\s*\|\s*may include\s*\|\s*$")
TABLE_ROW = re.compile(r"^\|\s*`(\w+)`\s*\|.*\|\s*([^|]+?)\s*\|\s*$")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def read_table(document):
    """Returns ({module: set of modules it may include}, problems) from the Markdown table."""
    allowed, problems, inside = {}, [], False
    for number, line in enumerate(document.read_text().splitlines(), start=1):
        inside = inside or bool(TABLE_HEADER.match(line))
        row = TABLE_ROW.match(line)
        if inside and not line.startswith("|"):
            break
        if not inside or not row:
            continue
        module, text = row.groups()
        named = {"-": set(), "all above": set(allowed)}.get(text, set(re.split(r",\s*", text)))
        for other in sorted(named - set(allowed)):
            problems.append(f"{document}:{number}: `{module}` may not include `{other}`: it is not in a row above")
        allowed[module] = named
    if not allowed:
        problems.append(f"{document}: no table `| module | job | may include |`")
    return allowed, problems


def check_line(module, is_test, included, allowed, source_root):
    """Returns what is wrong with one quoted include of `module`, or None."""
    parts = included.split("/")
    if parts[0] == "tests":
        return None if is_test else "only tests and benchmarks may include test support"
    if parts[0] != "fovea":
        return "not found; quote only includes of the form \"fovea/<module>/...\"" if not is_external(included) else None
    if not (source_root / included).is_file():
        return "no such file"
    other = parts[1]
    if other != module and other not in allowed[module]:
        return f"module `{module}` may not include `{other}`"
    return None


def is_external(included):
    """Libraries whose headers are quoted by custom (Highway's own documentation quotes them)."""
    return included.startswith("hwy/")


def check_file(path, module, allowed, source_root):
    is_test = path.stem.endswith(("_test", "_bench"))
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        match = INCLUDE.match(line)
        problem = match and check_line(module, is_test, match.group(1), allowed, source_root)
        if problem:
            yield f"{path}:{number}: #include \"{match.group(1)}\": {problem}"


def check_tree(root):
    """Returns all problems of the tree at `root`."""
    source_root = root / "src"
    allowed, problems = read_table(root / "docs" / "design" / "architecture.md")
    if problems:
        return problems
    for folder in sorted(p for p in (source_root / "fovea").iterdir() if p.is_dir()):
        files = sorted(p for p in folder.rglob("*") if p.suffix in {".h", ".cc"})
        if files and folder.name not in allowed:
            problems.append(f"{folder}: module `{folder.name}` is not in the table of docs/design/architecture.md")
            continue
        for path in files:
            problems.extend(check_file(path, folder.name, allowed, source_root))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    problems = check_tree(parser.parse_args().root)
    print("\n".join(problems) if problems else "include rule: no violation")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
