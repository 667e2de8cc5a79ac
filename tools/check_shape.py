#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the shape of the C++ sources: no file above 500 lines, no function above 60. Prints medians too.

Functions are found by their braces: a block whose head has a parenthesis and that lies in namespaces and types only.
"""

import argparse
import pathlib
import re
import statistics
import sys

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
FOLDERS = ("src", "tests", "bench", "examples", "fuzz")
NOISE = re.compile(
    r'R"(?P<raw>\w*)\(.*?\)(?P=raw)"'  # raw string
    r"|//[^\n]*|/\*.*?\*/"  # comments
    r'|"(?:\\.|[^"\\\n])*"' r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"  # strings; not digit separators
    r"|^[ \t]*#(?:\\\n|[^\n])*",  # preprocessor
    re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b", re.DOTALL)

ACCESS = {"public", "private", "protected"}


def without_noise(text):
    """The text with comments, strings and directives blanked and line ends kept."""
    return NOISE.sub(lambda match: "\n" * match.group().count("\n"), text)


def functions(text):
    """Yields (first line of the head, lines) of every function defined in `text`."""
    stack, head, head_line, line = [], "", 1, 1
    for char in without_noise(text):
        if char == "{":
            in_scopes = all(kind == "scope" for kind, _ in stack)
            is_scope = in_scopes and (bool(SCOPE.match(head.strip())) or "(" not in head)
            stack.append(("scope" if is_scope else "function" if in_scopes else "block", head_line))
        elif char == "}" and stack:
            kind, start = stack.pop()
            if kind == "function":
                yield start, line - start + 1
        if char in "{};" or (char == ":" and head in ACCESS):
            head = ""
        elif not (char.isspace() and not head):
            head_line = line if not head else head_line
            head += char
        line += char == "\n"


def check(root):
    """Returns (problems, summary) of the tree at `root`."""
    problems, file_lines, function_lines = [], [], []
    for path in sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in {".h", ".cc"}):
        text = path.read_text()
        file_lines.append(text.count("\n"))
        if file_lines[-1] > MAX_FILE_LINES:
            problems.append(f"{path}:1: {file_lines[-1]} lines, more than {MAX_FILE_LINES}")
        for start, lines in functions(text):
            function_lines.append(lines)
            if lines > MAX_FUNCTION_LINES:
                problems.append(f"{path}:{start}: function of {lines} lines, more than {MAX_FUNCTION_LINES}")
    return problems, f"files: {spread(file_lines)}; functions: {spread(function_lines)}"


def spread(lengths):
    ordered = sorted(lengths) or [0]
    return (f"{len(lengths)}, lines median {statistics.median(ordered):.0f}, "
            f"p90 {ordered[len(ordered) * 9 // 10]}, max {ordered[-1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    problems, summary = check(parser.parse_args().root)
    print("\n".join(problems + [summary]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
