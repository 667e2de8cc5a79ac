# SPDX-License-Identifier: Apache-2.0
"""The Python package, next to what its users would take instead, and next to our own command.

Each figure comes from processes of their own. The CRF is trained on CoNLL-2003 (NER) with attributes given as lists of
str, as sklearn-crfsuite's users write them; the peer's time includes its append(), and its predictions are those of its
Tagger. The items are the same lists in both. Ctrl-C comes at random moments, drawn evenly from the first .6 seconds.
"""

import csv
import json
import pathlib
import sys
import sysconfig
import zipfile

from harness import data, fovea, measure, records, task
from harness.results import ROOT, Report
from record_linkage.run import MATCHINGS

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 5


def script(name, *words):
    """Runs one of the scripts beside this one, in the folder of the cache; returns the objects that it prints."""
    run = measure.run([sys.executable, HERE / f"{name}.py", *words], {"PYTHONPATH": str(HERE)})
    return [json.loads(line) for line in run.output.splitlines()]


def require_package():
    try:
        import fovea.tagging  # noqa: F401
    except ImportError as reason:
        raise data.Missing(f"the Python package is not installed ({reason}); scripts/wheel.sh makes it") from None


def megabytes(wheels):
    """Of a wheel: (in all, without the extension for formulas and its Z3)."""
    found = list(wheels.glob("*.whl"))
    if not found:
        raise data.Missing("no wheel in build/wheels; scripts/wheel.sh makes it")
    with zipfile.ZipFile(found[0]) as packed:
        apart = sum(e.compress_size for e in packed.infolist() if "_synthesis" in e.filename or "libz3" in e.filename)
    size = found[0].stat().st_size
    return size / 1e6, (size - apart) / 1e6


def measure_wheel(report):
    for bar, wheels in (
        ("python/wheel", ROOT / "build" / "python" / "plain"),
        ("python/wheel-full", ROOT / "build" / "wheels"),
    ):
        whole, apart = megabytes(wheels)
        report.bar(bar, apart, "scripts/wheel.sh", note=f"{whole:.1f} MB with fovea.synthesis and what it needs")
    calls = script("calls")[0]
    report.bar(
        "python/import",
        calls["import_ms"],
        "bench/python/calls.py",
        note="NumPy is " + ("loaded" if calls["loads_numpy"] else "not loaded"),
    )
    report.bar("python/empty-call", calls["empty_ns"], "bench/python/calls.py")
    report.bar("python/viterbi", calls["viterbi_us"], "bench/python/calls.py")
    report.bar("python/graph", calls["graph_seconds"], "bench/python/calls.py", note=f"{calls['factors']} factors")


def tagged(dev, labels, output):
    """The dev file with a column of labels more."""
    lines = zip(dev.read_text(encoding="utf-8").split("\n"), labels.read_text(encoding="utf-8").split("\n"))
    output.write_text("".join(f"{line}\t{label}\n" if line else "\n" for line, label in lines), encoding="utf-8")
    return output


def measure_crf(report):
    train, dev = data.prepare("ner", "train"), data.prepare("ner", "dev")
    labels = {tool: data.CACHE / f"python.{tool}.labels" for tool in ("fovea", "crfsuite")}
    runs = measure.interleaved(
        {tool: lambda tool=tool: script("crf", tool, train, dev, labels[tool])[0] for tool in labels}, ROUNDS
    )
    for tool, name in (("fovea", "Fovea, 2 threads"), ("crfsuite", "python-crfsuite 0.9.12")):
        report.add(
            table="CRF on lists of str, CoNLL-2003 NER, c2 = 1",
            row={
                "tool": name,
                "fit, s": measure.summary(r["fit_seconds"] for r in runs[tool]),
                "predict, k items/s (one thread)": measure.summary(r["items_per_second"] / 1e3 for r in runs[tool]),
                "added to the process, MB": measure.summary(r["added_mb"] for r in runs[tool]),
            },
        )
    command = "bench/python/crf.py"
    for bar, key, tools in (
        ("python/fit", "fit_seconds", ("crfsuite", "fovea")),
        ("python/fit-memory", "added_mb", ("fovea", "crfsuite")),
        ("python/predict", "items_per_second", ("fovea", "crfsuite")),
    ):
        ratio = measure.ratios(*([r[key] for r in runs[tool]] for tool in tools))
        report.bar(bar, ratio["median"], command, spread=ratio)
    files = {tool: tagged(dev, labels[tool], data.CACHE / f"python.{tool}.txt") for tool in labels}
    difference = fovea.evaluate(files["fovea"], against=files["crfsuite"], score="f1")["difference"]
    report.bar(
        "python/dev-f1",
        100 * difference["difference"],
        command,
        note=f"95 % interval {100 * difference['lower']:+.3f} to {100 * difference['upper']:+.3f}",
    )


def partition(path):
    """[row], the first row of the same cluster: equal for equal clusterings, whatever the clusters are called."""
    first, rows = {}, []
    with open(path, encoding="utf-8", newline="") as file:
        for row, record in enumerate(csv.DictReader(file)):
            rows.append(first.setdefault(record["cluster"], row))
    return rows


def measure_records(report):
    """The larger table counts: on the smaller one, both take a fifth of a second."""
    for name in ("RLdata10000", "acl187k_abbrev"):
        table = records.prepare(name).tables[0]
        ours, theirs = data.CACHE / f"python.{name}.csv", data.CACHE / f"command.{name}.csv"
        options = {"compare": MATCHINGS[name].compare, "block": MATCHINGS[name].block, "threads": 2}
        words = [w for option, value in options.items() for w in (f"--{option}", value)]
        command = fovea.command("dedupe", "--quiet", *words, "--missing", "NA", table, "-o", theirs)
        runs = measure.interleaved(
            {
                "command": lambda command=command: measure.run(command),
                "python": lambda words=(table, ours, json.dumps(options)): script("records", *words)[0],
            },
            ROUNDS,
        )
        if partition(ours) != partition(theirs):
            raise measure.Failed(f"{name}: Dedupe and the command `dedupe` find other clusters")
        ratio = measure.ratios([r["seconds"] for r in runs["python"]], [r.seconds for r in runs["command"]])
        report.add(
            table="Dedupe of a polars frame, and the command on the same table: identical clusters",
            row={
                "table": name,
                "command, s": measure.summary(r.seconds for r in runs["command"]),
                "fit_predict, s": measure.summary(r["seconds"] for r in runs["python"]),
                "with import, reading and writing by polars, s": measure.summary(
                    r["whole_seconds"] for r in runs["python"]
                ),
                "fit_predict of the command": ratio,
            },
        )
    report.bar("python/dedupe", ratio["median"], "bench/python/records.py", spread=ratio, note=name)


def measure_long_calls(report):
    slowest = {"largest_ms": 0}
    for row in script("interrupts", 100):
        report.add(table="Ctrl-C at a random moment, 100 times", row=row)
        slowest = max(slowest, row, key=lambda one: one["largest_ms"])
    report.bar("python/interrupt", slowest["largest_ms"], "bench/python/interrupts.py", note=slowest["call"])
    for row in script("memory", 1000):
        report.add(table="Resident memory over 1,000 calls, MB", row=row)


def main():
    require_package()
    report = Report("python")
    report.add(text=__doc__)
    report.add(text=f"Python {sysconfig.get_python_version()}.")
    measure_wheel(report)
    measure_crf(report)
    measure_records(report)
    measure_long_calls(report)
    report.write()


if __name__ == "__main__":
    task.run(main)
