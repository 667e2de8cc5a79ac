#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the include rule of src/fovea, at two levels, as the table in docs/design/architecture.md says.

A module may include the modules that its row names. Inside a module, a folder may include those before it in the row.
Tests and benchmarks may use every folder of their module. A front header, src/fovea/<module>.h, may include its own
module and those of its row. Front headers are for users: no file of a module may include one. Prints one line
`file:line: problem` for each violation and exits with 1 if there is any.
"""

import argparse
import pathlib
import re
import sys

TABLE_HEADER = re.compile(r"^\|\s*module\s*\|\s*job\s*\|\s*folders, in order of travel\s*\|\s*may include\s*\|\s*$")
TABLE_ROW = re.compile(r"^\|\s*`(\w+)`\s*\|.*\|\s*`([^|`]+)`\s*\|\s*([^|]+?)\s*\|\s*$")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


class Table:
    """The rows of the architecture's table."""

    def __init__(self, document):
        self.modules = {}  # module -> set of the modules that it may include
        self.folders = {}  # module -> its folders, in order; "." is the module's own
        self.problems = []
        inside = False
        for number, line in enumerate(document.read_text().splitlines(), start=1):
            inside = inside or bool(TABLE_HEADER.match(line))
            row = TABLE_ROW.match(line)
            if inside and not line.startswith("|"):
                break
            if inside and row:
                self.read_row(f"{document}:{number}", *row.groups())
        if not self.modules:
            self.problems.append(f"{document}: no table `| module | job | folders, in order of travel | may include |`")

    def read_row(self, place, module, folders, text):
        named = {"-": set(), "all above": set(self.modules)}.get(text, set(re.split(r",\s*", text)))
        for other in sorted(named - set(self.modules)):
            self.problems.append(f"{place}: `{module}` may not include `{other}`: it is not in a row above")
        self.modules[module] = named
        self.folders[module] = folders.split()

    def refusal(self, module, folder, other, other_folder, is_test):
        """The reason why a file of `module` in `folder` may not include one of `other` in `other_folder`, or None."""
        if other != module:
            return None if other in self.modules[module] else f"module `{module}` may not include `{other}`"
        order = self.folders[module]
        if is_test or other_folder not in order or order.index(other_folder) <= order.index(folder):
            return None
        return f"folder `{folder}` of `{module}` may not include `{other_folder}`, which comes after it"


def folder_of(parts):
    """The folder of fovea/<module>/<folder>/<file>, within its module."""
    return "/".join(parts[2:-1]) or "."


def check_line(path, is_test, included, table, source_root):
    """Returns what is wrong with one quoted include of the file `path` below the source root, or None."""
    parts = included.split("/")
    if parts[0] == "tests":
        return None if is_test else "only tests and benchmarks may include test support"
    if parts[0] != "fovea":
        return "not found; quote only includes of the form \"fovea/<module>/...\"" if not is_external(included) else None
    if not (source_root / included).is_file():
        return "no such file"
    if len(parts) == 2:
        return "front headers are for users; include what you need of it"
    return table.refusal(path.parts[1], folder_of(path.parts), parts[1], folder_of(parts), is_test)


def is_external(included):
    """True for libraries whose headers are quoted by custom (Highway's own documentation quotes them)."""
    return included.startswith("hwy/")


def check_file(path, table, source_root):
    is_test = path.stem.endswith(("_test", "_bench"))
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        match = INCLUDE.match(line)
        problem = match and check_line(path.relative_to(source_root), is_test, match.group(1), table, source_root)
        if problem:
            yield f"{path}:{number}: #include \"{match.group(1)}\": {problem}"


def check_module(folder, table, source_root):
    files = sorted(p for p in folder.rglob("*") if p.suffix in {".h", ".cc"})
    if files and folder.name not in table.modules:
        yield f"{folder}: module `{folder.name}` is not in the table of docs/design/architecture.md"
        return
    inside = {folder_of(path.relative_to(source_root).parts) for path in files}
    listed = set(table.folders.get(folder.name, ()))
    for name in sorted(inside - listed):
        yield f"{folder / name}: not among the folders of `{folder.name}` in docs/design/architecture.md"
    for name in sorted(listed - inside):
        yield f"docs/design/architecture.md: `{folder.name}` has no files in `{name}`"
    if inside <= listed:
        for path in files:
            yield from check_file(path, table, source_root)


def check_front(path, table, source_root):
    """Yields problems of the front header `path`, src/fovea/<module>.h."""
    if path.stem not in table.modules:
        yield f"{path}: no module `{path.stem}` is in the table of docs/design/architecture.md"
        return
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        match = INCLUDE.match(line)
        parts = match.group(1).split("/") if match else []
        if match and not (source_root / match.group(1)).is_file():
            yield f"{path}:{number}: #include \"{match.group(1)}\": no such file"
        elif match and parts[1] != path.stem and parts[1] not in table.modules[path.stem]:
            yield f"{path}:{number}: #include \"{match.group(1)}\": module `{path.stem}` may not include `{parts[1]}`"


def check_tree(root):
    """Returns all problems of the tree at `root`."""
    source_root = root / "src"
    table = Table(root / "docs" / "design" / "architecture.md")
    problems = list(table.problems)
    if not problems:
        for folder in sorted(p for p in (source_root / "fovea").iterdir() if p.is_dir()):
            problems.extend(check_module(folder, table, source_root))
        for front in sorted((source_root / "fovea").glob("*.h")):
            problems.extend(check_front(front, table, source_root))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    problems = check_tree(parser.parse_args().root)
    print("\n".join(problems) if problems else "include rule: no violation")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
