# SPDX-License-Identifier: Apache-2.0
"""Tags NER with exact f2, one thread, file in and file out with feature extraction.

CRFsuite has no feature extraction of its own. Three figures stand for it: its tagger alone, with all attributes already
in its own memory layout (the most favourable figure, with which the target is compared); its whole process on a file of
attributes made beforehand; and its whole process with the same features made in Python.
"""
import json
import pathlib
import sys

from harness import data, fovea, measure, task
from harness.attributes import sequences
from harness.results import Report
from tag_crf.python_features import column_sequences

HERE = pathlib.Path(__file__).resolve().parent
AGREEMENT = 0.99  # share of tokens on which two models of one objective, trained by two programs, must agree


def input_file():
    """Train and dev one after the other: 255,000 tokens of running text, none of it repeated."""
    target = data.CACHE / "data" / "ner.all.tsv"
    target.write_text("".join(data.prepare("ner", part).read_text(encoding="utf-8") for part in ("train", "dev")),
                      encoding="utf-8")
    return target


def train(models):
    train_file = data.prepare("ner", "train")
    measure.run(fovea.command("train", "--factor-size", 2, "--l2", 1.0, train_file, "-o", models / "fovea"))
    measure.run([sys.executable, HERE.parent / "train_crf" / "crfsuite.py", fovea.attributes(train_file, 3),
                 models / "crfsuite"])


def tag_command(models, source, *more):
    return fovea.command("tag", models / "fovea", "--method", "exact", "--threads", 1, *more, source)


def run_fovea(models, source):
    with open(models / "fovea.txt", "w", encoding="utf-8") as output:
        return {"run": measure.run(tag_command(models, source), stdout=output)}


def run_crfsuite(models, source, name, *more):
    run = measure.run([sys.executable, HERE / "crfsuite.py", models / "crfsuite", source, models / f"{name}.txt", *more])
    return {"run": run, **json.loads(run.output)}


def verify_features(source, attributes):
    for (python, _), (ours, _) in zip(column_sequences(source), sequences(attributes), strict=True):
        if [sorted(item) for item in python] != [sorted(item) for item in ours]:
            raise measure.Failed("Python's features are not Fovea's")


def last_column(path):
    return [line.rsplit("\t", 1)[-1] for line in path.read_text(encoding="utf-8").split("\n") if line]


def verify_tags(models, expected_tokens):
    ours, theirs, extracted = (last_column(models / f"{name}.txt") for name in ("fovea", "attributes", "python"))
    if not len(ours) == len(theirs) == expected_tokens or theirs != extracted:
        raise measure.Failed("outputs do not match the input")
    agreement = sum(a == b for a, b in zip(ours, theirs)) / expected_tokens
    if agreement < AGREEMENT:
        raise measure.Failed(f"only {agreement:.2%} of the tags agree")
    return agreement


def add_table(report, runs, tokens):
    labels = {"fovea": "Fovea, whole process from columns",
              "attributes": "CRFsuite, whole process from ready-made attributes",
              "python": "CRFsuite, whole process from columns, features in Python"}
    tagger = [r["tag_seconds"] for r in runs["attributes"]]
    rows = [(labels[name], [r["run"].seconds for r in runs[name]]) for name in labels]
    for label, seconds in [*rows, ("CRFsuite, tagger alone, attributes in memory", tagger)]:
        report.add(table=f"NER f2, {tokens} tokens, one thread",
                   row={"tool": label, "seconds": measure.summary(seconds),
                        "tokens/s": round(tokens / measure.summary(seconds)["median"])})


def main(rounds=7):
    models = data.CACHE / "models"
    models.mkdir(parents=True, exist_ok=True)
    source = input_file()
    train(models)
    attributes = fovea.attributes(source, 3)
    verify_features(source, attributes)
    report = Report("tag_crf")
    report.add(text=__doc__)
    runners = {"fovea": lambda: run_fovea(models, source),
               "attributes": lambda: run_crfsuite(models, attributes, "attributes"),
               "python": lambda: run_crfsuite(models, source, "python", "--extract")}
    tokens = [runner() for runner in runners.values()][1]["tokens"]
    agreement = verify_tags(models, tokens)
    runs = measure.interleaved(runners, rounds)
    report.add(text=f"Checked: the features made in Python are Fovea's, and {agreement:.2%} of the tags are equal.")
    add_table(report, runs, tokens)
    seconds = [r["run"].seconds for r in runs["fovea"]]
    throughput = measure.summary(tokens / s / 1e6 for s in seconds)
    speed = measure.ratios([r["tag_seconds"] for r in runs["attributes"]], seconds)
    shown = fovea.shown(tag_command(models, source)) + " > out.txt"
    report.bar("tag/throughput", throughput["median"], shown, spread=throughput)
    report.bar("tag/speed", speed["median"], shown, spread=speed)
    report.write()


if __name__ == "__main__":
    task.run(main)
