#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the notebooks of docs/guide and compares the texts that their cells print with those in the files.

A cell tagged `varies` (seconds, charts) has to run, but may print what it likes. In one tagged `rounds`, numbers may
differ by 1 %: training rounds as the vector units of the machine do. A notebook whose first cell is tagged
`needs-data` is skipped, and says so, where FOVEA_DATA does not name the folder of data.

  tools/run_notebooks.py           # compares; exit code 1 if anything differs
  tools/run_notebooks.py --update  # writes the outputs into the notebooks
"""

import argparse
import os
import pathlib
import sys

import nbclient
import nbformat
from run_guides import matches

GUIDE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "guide"


def printed(cell):
    """The texts that a cell printed or returned."""
    texts = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream" and output["name"] == "stdout":
            texts.append(output["text"])
        elif output["output_type"] in ("execute_result", "display_data"):
            texts.append(output["data"].get("text/plain", ""))
    return "".join(texts)


def tags(cell):
    return cell["metadata"].get("tags", [])


def execute(path):
    """The notebook with the outputs of a run in an empty kernel."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    for cell in notebook["cells"]:
        cell["metadata"].pop("execution", None)
        for output in cell.get("outputs", []):
            output["metadata"] = {}
    notebook["metadata"] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


def differences(path, expected, found):
    for number, (old, new) in enumerate(zip(expected["cells"], found["cells"])):
        tolerance = .01 if "rounds" in tags(old) else 0
        is_same = matches(printed(old).splitlines(), printed(new).splitlines(), tolerance)
        if "varies" not in tags(old) and not is_same:
            yield f"{path.name}, cell {number}: prints\n{printed(new)}\nbut shows\n{printed(old)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    update = parser.parse_args().update
    failures = []
    for path in sorted(GUIDE.glob("*.ipynb")):
        expected = nbformat.read(path, as_version=4)
        if "needs-data" in tags(expected["cells"][0]) and not os.environ.get("FOVEA_DATA"):
            print(f"SKIPPED: {path.name} needs FOVEA_DATA", file=sys.stderr)
            continue
        found = execute(path)
        if update:
            nbformat.write(found, path)
        else:
            failures += differences(path, expected, found)
        print(f"ran {path.name}", file=sys.stderr)
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
