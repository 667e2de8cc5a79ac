# SPDX-License-Identifier: Apache-2.0
"""Handwritten letters, with pixel x letter weights and letter n-grams: every method by the seconds that it takes. (The
paper's setting is a task of its own, paper_sampling.) Factor size 2 is trained by maximum likelihood, factor size 4 by AdaGrad on Gibbs
samples, with a penalty and from an exact start. Models are trained on folds 1 to 9, policies are learned on fold 9, which
the model has seen, and fold 0 is scored.

Both arms of a comparison begin with the same labels. Learned sampling takes its cheapest setting that reaches the accuracy
on fold 9; Gibbs is interpolated between numbers of sweeps, to the accuracy that this setting has on fold 0.
"""
import os

from harness import data, fovea, measure, task
from harness.results import Report
from where_to_sample import curves
from where_to_sample.run import group, method_figure, sampling_bar, visits

RECIPES = {"ocr-f2": (2, ()), "ocr-f4": (4, ("--gradient", "gibbs"))}
TARGET = 0.92
ROUNDS = 5


def trained(name, folds):
    factor_size, recipe = RECIPES[name]
    model = data.CACHE / "models" / f"{name}.model"
    model.parent.mkdir(parents=True, exist_ok=True)
    measure.run(fovea.command("train", "--features", "pixels", "--factor-size", factor_size, *recipe, *folds,
                              "-o", model))
    return model


def method_table(report, name, records):
    """Adds each group's cheapest settings to half a point below its best accuracy on fold 9."""
    for title in dict.fromkeys(r["group"] for r in records):
        settings = group(records, title)
        best = max(map(curves.tuning_quality, settings))
        few = curves.picked(settings, best - curves.MARGIN, visits)
        fast = curves.picked(settings, best - curves.MARGIN, curves.median_seconds)
        report.add(table=f"Cheapest settings to half a point below the method's best on fold 9, {name}", row={
            "method": title, "visits per letter": round(visits(few), 3), "accuracy at these": round(curves.quality(few), 4),
            "ns per letter": measure.summary(1e9 * s for s in fast["seconds"]),
            "accuracy at these ns": round(curves.quality(fast), 4)})


def arms(records, start):
    return group(records, f"gibbs from {start}"), group(records, f"learned sampling from {start}")


def transition_bar(report, bar, records, start):
    gibbs, learned = arms(records, start)
    few = curves.picked(learned, TARGET, visits)
    sampling_bar(report, bar, gibbs, few, visits, f"{visits(few):.3f} a letter")


def final_bar(report, records):
    """Adds the accuracies at which the settings with most visits end."""
    ends = [curves.quality(max(arm, key=visits)) for arm in arms(records, "unigram")]
    report.bar("ocr/accuracy", min(ends), "where_to_sample_methods ocr-f4.model fold9 fold0 accuracy",
               note=f"Gibbs {ends[0]:.4f}, learned sampling {ends[1]:.4f}; published: .943 and .941")


def note_load(report):
    """Accuracies and transitions do not depend on what else the machine does; seconds do."""
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    if load > cores:
        report.add(text=f"Measured on a busy machine (load {load:.0f} on {cores} cores): **the seconds are too high**, "
                        "accuracies and transitions are not affected.")


def main():
    report = Report("ocr")
    folds, tuning, test = data.letters()
    report.add(text=__doc__)
    note_load(report)
    for name in RECIPES:
        model = trained(name, folds)
        records = fovea.study("where_to_sample_methods", model, tuning, test, "accuracy", ROUNDS)
        method_table(report, name, records)
        method_figure(report, name, records, x="ns per letter")
    transition_bar(report, "ocr/transitions", records, "unigram")
    transition_bar(report, "ocr/transitions-chain", records, "chain")
    final_bar(report, records)
    report.write()


if __name__ == "__main__":
    task.run(main)
