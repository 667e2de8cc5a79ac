# SPDX-License-Identifier: Apache-2.0
"""Finds the program under test and runs its commands as the benches use them."""
import json
import os

from harness import measure
from harness.data import CACHE
from harness.results import ROOT


def folder():
    """The folder of the programs: FOVEA_BIN, else where bench/run.sh builds them."""
    return os.environ.get("FOVEA_BIN") or str(ROOT / "build" / "dev" / "bin")


def command(*words):
    return [f"{folder()}/fovea", *map(str, words)]


def study(name, *words):
    """Runs one of the C++ programs of this folder; returns the records that it prints, one JSON object a line."""
    run = measure.run([f"{folder()}/{name}", *words])
    return [json.loads(line) for line in run.output.splitlines()]


def shown(words):
    """A command as a reader would type it, without this machine's folders."""
    text = " ".join(map(str, words))
    for path in (CACHE, ROOT):
        text = text.replace(str(path) + "/", "")
    return text.replace(folder() + "/", "")


def run_json(*words):
    return json.loads(measure.run(command(*words)).output)


def evaluate(output, against=None, score=None):
    """`fovea eval tags`: the metrics of a tagged file, with the paired difference to another one if asked for."""
    words = ["eval", "tags", output, "--json"]
    if against is not None:
        words += ["--against", against, "--score", score]
    return run_json(*words)


def attributes(source, columns):
    """A file of CRFsuite's attributes, made by our own default template, so that all tools see the same features."""
    target = source.with_suffix(".attributes")
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        with open(target, "w", encoding="utf-8") as output:
            measure.run(command("attributes", source), stdout=output)
    return target
