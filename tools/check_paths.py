#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what the documents name is there: files and folders in `code spans`, and the targets of links.

A span counts as a path if it holds a slash and nothing but letters, digits and `_-./*`. It may be relative to the root,
to src, to src/fovea or to one of its modules, to tests, bench or the page. Prints `file:line: path` for each that is
missing and exits with 1 if there is any.
"""
import pathlib
import re
import sys

SPAN = re.compile(r"`([A-Za-z_][\w.*-]*(?:/[\w.*-]*)+)`")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)")
MADE = ("build/", "fovea/")  # made by a build or an installation


def places(root, page):
    modules = sorted(path for path in (root / "src" / "fovea").iterdir() if path.is_dir())
    return [root, root / "src", root / "src" / "fovea", *modules, root / "tests", root / "bench", page.parent]


def is_there(path, folders):
    return any(next(folder.glob(path.rstrip("/")), None) is not None for folder in folders)


def missing_paths(root, page):
    folders = places(root, page)
    text = re.sub(r"```.*?```", lambda m: re.sub(r"[^\n]", " ", m.group(0)), page.read_text(encoding="utf-8"), flags=re.S)
    for number, line in enumerate(text.split("\n"), 1):
        for path in SPAN.findall(line):
            # Units such as `ms/item` have no dot and no final slash.
            looks_like_path = "." in path.rsplit("/", 1)[1] or path.endswith("/") or is_there(path.split("/")[0], folders)
            if looks_like_path and not path.startswith(MADE) and not is_there(path, folders):
                yield number, path
        for path in LINK.findall(line):
            if not (page.parent / path).exists():
                yield number, path


def pages_of(root):
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md")),
            *sorted((root / "bench").glob("*.md")), *sorted((root / "examples").glob("*.md"))]


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    count = 0
    for page in pages_of(root):
        for number, path in missing_paths(root, page):
            print(f"{page.relative_to(root)}:{number}: {path} is not there")
            count += 1
    print(f"paths: {count} missing" if count else "paths: all that the documents name is there")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
