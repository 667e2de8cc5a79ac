# SPDX-License-Identifier: Apache-2.0
"""Everyday models, as a person would write them, by `fovea fit` with its defaults: are they short, quick and right?

Each model is fitted to a table of its own, with five seeds: the seconds are those of the whole process on all cores, and
the gap is that of the means of any number between any two seeds, in its standard deviations (for the probability p of
a whole number's value, sqrt(p (1 - p))). Draws have a Monte Carlo error; for 400 effective draws it is .05 standard
deviations. `fovea fit --check` then draws 40 data sets from the model's prior, fits each, and ranks the true numbers among
the draws: "ok" if their ranks look uniform, counting all numbers of the model. Checks take two chains of 500 draws after 500. The models and their priors were written before any of these
figures, and tables are made with seed 1. Two things changed after the first run: the program, for which 0 log 0 was not a
number, so that mark-recapture could not be fitted; and the gap of probabilities, which was in standard deviations of what
each draw says, far too small where nearly all draws say 0.
"""
import csv
import itertools
import json
import math
import random
import statistics

from everyday_models.models import MODELS, WITHOUT_MODEL
from harness import fovea, measure, task
from harness.data import CACHE
from harness.results import Report

COMMAND = "bench/run.sh everyday_models"
FOLDER = CACHE / "everyday_models"
SEEDS, DATA_SETS, LINES, GAP, SECONDS = 5, 40, 15, .2, 5
CHECK = ["--chains", 2, "--warm-up", 500, "--draws", 500]


def written(name, model):
    """The model's file, and its table's."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    stem = name.replace(",", "").replace(" ", "_").replace("/", "_")
    text, table = FOLDER / f"{stem}.fov", FOLDER / f"{stem}.csv"
    text.write_text(model.text, encoding="utf-8")
    columns = model.table(random.Random(1))
    with open(table, "w", encoding="utf-8", newline="") as output:
        rows = csv.writer(output)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values(), strict=True))
    return [text, table]


def deviation(number):
    """The posterior standard deviation; for the probability p of a value, that of a number that is 1 if it is so."""
    if "=" not in number["name"]:
        return number["sd"]
    return math.sqrt(max(0, number["mean"] * (1 - number["mean"])))


def largest_gap(fits):
    """Of the means of two fits, in standard deviations."""
    gaps = [0.]
    for one, other in itertools.combinations(fits, 2):
        for a, b in zip(one["variables"], other["variables"], strict=True):
            if max(deviation(a), deviation(b)) > 0:
                gaps.append(abs(a["mean"] - b["mean"]) / max(deviation(a), deviation(b)))
    return max(gaps)


def row_of(name, model, seeds, data_sets):
    files = written(name, model)
    runs = [measure.run(fovea.command("fit", *files, "--json", "--seed", seed)) for seed in range(1, seeds + 1)]
    fits = [json.loads(run.output) for run in runs]
    row = {"model": name, "lines": model.text.count("\n"), "numbers": len(fits[0]["variables"]),
           "seconds": round(statistics.median(run.seconds for run in runs), 2),
           "slowest": round(max(run.seconds for run in runs), 2),
           "mixed": f"{sum(fit['mixing'] == 'mixed' for fit in fits)} of {seeds}",
           "divergent": max(fit["divergences"] for fit in fits), "largest gap (sd)": round(largest_gap(fits), 3),
           "check": "not possible"}
    if model.check:
        check = json.loads(measure.run(fovea.command("fit", *files, "--check", data_sets, "--json", *CHECK)).output)
        worst = min(check["variables"], key=lambda number: number["p_value"])
        row["check"] = f"{check['verdict']} (smallest p {worst['p_value']:.2g}, {worst['name']})"
    return row


def main():
    is_quick = task.wants_quick_run(__doc__)
    report = Report("everyday_models")
    report.add(text=__doc__)
    rows = []
    for name, model in list(MODELS.items())[:2] if is_quick else MODELS.items():
        rows.append(row_of(name, model, 2 if is_quick else SEEDS, 10 if is_quick else DATA_SETS))
        report.add(table="Models", row=rows[-1])
        print(rows[-1], flush=True)
    for name, reason in WITHOUT_MODEL.items():
        report.add(table="Not written", row={"model": name, "reason": reason})
    checked = [row for row in rows if row["check"] != "not possible"]
    report.bar("everyday/written", sum(row["lines"] <= LINES for row in rows), COMMAND, "of 25")
    report.bar("everyday/agree", sum(row["largest gap (sd)"] <= GAP for row in rows), COMMAND, f"of {len(rows)}")
    report.bar("everyday/quick", sum(row["slowest"] <= SECONDS for row in rows), COMMAND, f"of {len(rows)}")
    report.bar("everyday/right", sum(row["check"].startswith("ok") for row in checked), COMMAND, f"of {len(checked)}")
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
