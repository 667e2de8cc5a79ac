# SPDX-License-Identifier: Apache-2.0
"""`--method auto` against the best single setting that reaches the requested quality on dev.

Quality is the F1 of entities where labels mark some, else the share of right labels. The planner knows only what tuning
measured on another part of the text. Each row asks for a share of the best quality
on dev. The best setting is the cheapest one that reaches this quality, picked with hindsight. A pick that misses the
requested quality by more than a tenth of a point counts as a row that is too slow.
"""
import math

from harness import fovea, measure, models, task
from harness.results import Report

ROUNDS = 11
TOLERANCE = 0.001


def median(record):
    return measure.summary(record["seconds"])["median"]


def judge(settings, pick):
    """(share by which one pick is slower, row for the table)."""
    best_quality = max(s["quality"] for s in settings)
    target = pick["requested"] * best_quality
    best = min((s for s in settings if s["quality"] >= target), key=median)
    chosen = next(s for s in settings if same(s["options"], pick["options"]))
    slower = math.inf if chosen["quality"] < target - TOLERANCE else median(chosen) / median(best) - 1
    return slower, {"asked": f"{pick['requested']:.0%}", "best": name(best), "auto": name(chosen),
                    "quality asked": round(target, 4), "quality of auto": round(chosen["quality"], 4),
                    "ns per token, best": measure.summary(1e9 * s for s in best["seconds"]),
                    "ns per token, auto": measure.summary(1e9 * s for s in chosen["seconds"]),
                    "slower by": "missed" if slower == math.inf else f"{100 * slower:.0f} %"}


def same(one, other):
    return all(value == other[key] for key, value in one.items() if key != "quality")


def name(setting):
    options = setting["options"]
    extra = {"beam": f" {options['beam_width']}", "gibbs": f" {options['sweeps']:g} sweeps from {options['start']}",
             "icm": f" {options['sweeps']:g} sweeps from {options['start']}",
             "learned": f" {options['visit']} {options['threshold'] or 0:g} from {options['start']}"}
    return options["method"] + extra.get(options["method"], "")


def main():
    report = Report("auto")
    report.add(text=__doc__)
    slower = []
    for task_name in models.TASKS:
        model, tuning, dev = models.tuned(task_name)
        records = fovea.study("auto_auto", model, tuning, dev, models.score(task_name), ROUNDS)
        settings = [r for r in records if "requested" not in r]
        for pick in (r for r in records if "requested" in r):
            share, row = judge(settings, pick)
            slower.append(share)
            report.add(table=f"Picks, {task_name}", row=row)
    within = 100 * sum(share <= 0.10 for share in slower) / len(slower)
    missed = slower.count(math.inf)
    worst = max(share for share in slower if share < math.inf)
    command = "auto_auto MODEL tune.tsv dev.tsv 21"
    report.bar("auto/rows", within, command, note=f"of {len(slower)} rows")
    report.bar("auto/worst", 100 * worst, command, note=f"picks that missed the quality asked: {missed}")
    report.write()


if __name__ == "__main__":
    task.run(main)
