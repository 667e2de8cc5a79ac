# SPDX-License-Identifier: Apache-2.0
"""Trains the same CRF (same attributes, same c2) with Fovea and CRFsuite's L-BFGS, NER f2.

Fovea's time is its whole process, from columns to a saved model at its own convergence. CRFsuite's time is its train()
alone, up to the first iteration within .1 % of its own final objective; reading, which Python does for it, is left out.
"""
import json
import pathlib
import sys

from harness import data, fovea, measure, task
from harness.results import Report

HERE = pathlib.Path(__file__).resolve().parent
CLOSE = 1.001  # within .1 % of CRFsuite's final objective
THREADS = 2


def crfsuite(train, model, c2, *more):
    run = measure.run([sys.executable, HERE / "crfsuite.py", train, model, "--c2", c2, *more])
    facts = json.loads(run.output)
    near = next(i for i in facts["iterations"] if i["objective"] <= CLOSE * facts["objective"])
    return {"run": run, "objective": facts["objective"], "features": facts["features"],
            "seconds": near["seconds"] - facts["read_seconds"],
            "full_seconds": facts["seconds"] - facts["read_seconds"], "peak_mb": run.peak_mb}


def train_command(train, model, c2, *more):
    return fovea.command("train", "--factor-size", 2, "--l2", c2, "--threads", THREADS, *more, train, "-o", model)


def train_fovea(train, model, c2, *more):
    run = measure.run(train_command(train, model, c2, *more))
    facts = fovea.run_json("inspect", model, "--json")["training"]
    return {"run": run, "objective": facts["objective"], "features": facts["features"], "seconds": run.seconds,
            "peak_mb": run.peak_mb}


def first_sentences(source, count):
    target = source.with_suffix(f".first{count}.tsv")
    blocks = source.read_text(encoding="utf-8").split("\n\n")[:count]
    target.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    return target


def verify(train, c2):
    """The objective is strictly convex: equal minima on a small set mean equal features and an equal objective."""
    small = first_sentences(train, 500)
    models = data.CACHE / "models"
    ours = train_fovea(small, models / "small.fovea", c2, "--tolerance", 1e-9)
    theirs = crfsuite(fovea.attributes(small, 3), models / "small.crfsuite", c2, "--tight")
    if ours["features"] != theirs["features"]:
        raise measure.Failed(f"features differ: {ours['features']} and CRFsuite's {theirs['features']}")
    if abs(ours["objective"] / theirs["objective"] - 1) > 1e-5:
        raise measure.Failed(f"minima differ: {ours['objective']} and CRFsuite's {theirs['objective']}")
    return ours["objective"], theirs["objective"]


def accept(runs):
    for ours, theirs in zip(runs["fovea"], runs["crfsuite"]):
        if ours["objective"] > CLOSE * theirs["objective"]:
            raise measure.Failed(f"objective {ours['objective']} is not within .1 % of {theirs['objective']}")


def dev_f1(models, dev):
    """Paired difference on dev, ours minus CRFsuite's, with both outputs as tagged files."""
    ours = models / "dev.fovea.txt"
    with open(ours, "w", encoding="utf-8") as output:
        measure.run(fovea.command("tag", models / "fovea", "--method", "exact", dev), stdout=output)
    labels, theirs = models / "dev.crfsuite.labels", models / "dev.crfsuite.txt"
    measure.run([sys.executable, HERE.parent / "tag_crf" / "crfsuite.py", models / "crfsuite",
                 fovea.attributes(dev, 3), labels])
    lines = zip(dev.read_text(encoding="utf-8").split("\n"), labels.read_text(encoding="utf-8").split("\n"))
    theirs.write_text("".join(f"{line}\t{label}\n" if line else "\n" for line, label in lines), encoding="utf-8")
    return fovea.evaluate(ours, against=theirs, score="f1")


def add_tables(report, c2, runs):
    for tool, label in (("fovea", f"Fovea, {THREADS} threads"), ("crfsuite", "CRFsuite 0.12 (python-crfsuite 0.9.12)")):
        row = {"tool": label, "features": runs[tool][0]["features"], "objective": runs[tool][0]["objective"],
               "seconds to within .1 %": measure.summary(r["seconds"] for r in runs[tool]),
               "seconds to convergence": measure.summary(r.get("full_seconds", r["seconds"]) for r in runs[tool]),
               "peak MB": measure.summary(r["peak_mb"] for r in runs[tool])}
        report.add(table=f"NER f2, c2 = {c2}", row=row)


def main(rounds=5, c2=1.0):
    train, dev = data.prepare("ner", "train"), data.prepare("ner", "dev")
    models = data.CACHE / "models"
    models.mkdir(parents=True, exist_ok=True)
    report = Report("train_crf")
    report.add(text=__doc__)
    minima = verify(train, c2)
    report.add(text=f"Checked first: on 500 sentences both reach the same minimum ({minima[0]:.4f} and "
                    f"{minima[1]:.4f}) with the same number of features.")
    attributes = fovea.attributes(train, 3)
    runs = measure.interleaved({"fovea": lambda: train_fovea(train, models / "fovea", c2),
                                "crfsuite": lambda: crfsuite(attributes, models / "crfsuite", c2)}, rounds)
    accept(runs)
    add_tables(report, c2, runs)
    shown = fovea.shown(train_command(train, models / "fovea", c2))
    speed = measure.ratios([r["seconds"] for r in runs["crfsuite"]], [r["seconds"] for r in runs["fovea"]])
    report.bar("train/speed", speed["median"], shown, spread=speed)
    memory = measure.ratios([r["peak_mb"] for r in runs["fovea"]], [r["peak_mb"] for r in runs["crfsuite"]])
    report.bar("train/memory", memory["median"], shown, spread=memory)
    difference = dev_f1(models, dev)["difference"]
    report.bar("train/dev-f1", 100 * difference["lower"], "fovea eval tags dev.fovea.txt --against dev.crfsuite.txt",
               note=f"difference {100 * difference['difference']:+.2f} points")
    report.write()


if __name__ == "__main__":
    task.run(main)
