#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what README.md and the pages of docs/guide show, and compares the output with the output that they show.

Each page runs in an empty folder of its own, from top to bottom:

    ```console          a command follows `$ ` and goes on after `> `; the other lines are its standard output,
    $ fovea --version   where `...` stands for any lines, and `[exit 5]` for the exit code, which is 0 otherwise
    fovea 0.1.0
    ```

After a line `<!-- numbers within 1 % -->`, numbers of the output may differ that much: training rounds as the vector
units of the machine do. A block ```cpp after a line `<!-- from examples/NAME.cc -->` must stand in that file, with any indentation. A block
```text after `<!-- output of NAME -->` must be what that program of the build prints.

    tools/run_guides.py build/dev/bin            # compares; exit code 1 if anything differs
    tools/run_guides.py build/dev/bin --update   # writes the output into the pages, except where they hold `...`
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"(?:^<!-- (?P<note>[^\n]*?) -->\n)?^```(?P<kind>console|cpp|text)\n(?P<body>.*?)^```$", re.S | re.M)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w|\.\d)")
TOLERANCES = {"numbers within 1 %": .01}


def split_console(body):
    """The pairs (command, expected lines) of a console block."""
    steps = []
    for line in body.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif line.startswith("> ") and steps and not steps[-1][1]:
            steps[-1] = (steps[-1][0] + "\n" + line[2:], [])
        elif steps:
            steps[-1][1].append(line)
        else:
            raise ValueError(f"'{line}' follows no command")
    return steps


def is_same(expected, actual, tolerance):
    """True if two lines are the same, but for numbers within this relative tolerance."""
    if expected == actual or not tolerance:
        return expected == actual
    numbers, others = NUMBER.findall(expected), NUMBER.findall(actual)
    return (NUMBER.sub("0", expected) == NUMBER.sub("0", actual) and
            all(math.isclose(float(a), float(b), rel_tol=tolerance) for a, b in zip(numbers, others)))


def matches(expected, actual, tolerance=0):
    """True if `actual` is `expected`, in which `...` stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:], tolerance) for i in range(len(actual) + 1))
    return (bool(actual) and is_same(expected[0], actual[0], tolerance) and
            matches(expected[1:], actual[1:], tolerance))


def run_command(command, folder, environment):
    """The lines that the command printed, with the exit code if it is not 0."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    if done.returncode:
        lines.append(f"[exit {done.returncode}]")
    return lines, done.stderr


def console_text(steps):
    shown = []
    for command, lines in steps:
        first, *rest = command.split("\n")
        shown += [f"$ {first}", *(f"> {line}" for line in rest), *lines]
    return "".join(f"{line}\n" for line in shown)


def squeezed(text):
    return "\n".join(line.strip() for line in text.strip().splitlines())


class Page:
    """One Markdown page: runs its blocks, and collects its faults and the text with the real output."""

    def __init__(self, path, programs):
        self.path, self.programs = path, programs
        self.text = path.read_text(encoding="utf-8")
        self.faults = []

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}", "LC_ALL": "C"}
            environment.pop("FOVEA_DATA", None)
            self.updated = FENCE.sub(lambda match: self.block(match, folder, environment), self.text)
        return self

    def fault(self, match, text):
        self.faults.append(f"{self.path.name}:{self.text.count(chr(10), 0, match.start()) + 1}: {text}")

    def block(self, match, folder, environment):
        kind, note, body = match["kind"], match["note"] or "", match["body"]
        if kind == "console":
            new = self.console(match, folder, environment, TOLERANCES.get(note, 0))
        elif kind == "cpp" and note.startswith("from "):
            source = (ROOT / note.removeprefix("from ")).read_text(encoding="utf-8")
            if squeezed(body) not in squeezed(source):
                self.fault(match, f"the code does not stand in {note.removeprefix('from ')}")
            new = body
        elif kind == "text" and note.startswith("output of "):
            lines, _ = run_command(str(self.programs / note.removeprefix("output of ")), folder, environment)
            if not matches(body.splitlines(), lines):
                self.fault(match, f"prints\n" + "\n".join(lines))
            new = "".join(f"{line}\n" for line in lines)
        else:
            new = body
        return match.group(0).replace(f"\n{body}```", f"\n{new}```")

    def console(self, match, folder, environment, tolerance):
        steps = []
        for command, expected in split_console(match["body"]):
            actual, errors = run_command(command, folder, environment)
            is_shown = matches(expected, actual, tolerance)
            if not is_shown:
                self.fault(match, f"$ {command}\nprints\n" + "\n".join(actual) + f"\nand reports\n{errors}")
            keeps = "..." in expected or is_shown
            failed = bool(actual) and actual[-1].startswith("[exit ") and actual[-1] not in expected
            steps.append((command, expected if keeps or failed else actual))
        return console_text(steps)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=pathlib.Path, help="folder of the built programs")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="default: README.md and docs/guide/*.md")
    parser.add_argument("--update", action="store_true", help="write what came out into the pages")
    options = parser.parse_args(arguments)
    paths = options.pages or [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pages = list(pool.map(lambda path: Page(path, options.programs.resolve()).run(), paths))
    for page in pages:
        if options.update and page.updated != page.text:
            page.path.write_text(page.updated, encoding="utf-8")
        for fault in page.faults:
            print(fault, file=sys.stderr)
    count = sum(len(page.faults) for page in pages)
    print(f"guides: {len(pages)} pages, " + (f"{count} differences" if count else "all as they say"))
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
