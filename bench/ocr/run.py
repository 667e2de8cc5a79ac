# SPDX-License-Identifier: Apache-2.0
"""Handwritten letters, with pixel x letter weights and letter n-grams: factor size 2 is trained by maximum likelihood,
factor size 4 by the paper's recipe (AdaGrad on Gibbs samples). Models are trained on folds 1 to 9, policies are learned
on fold 9, which the model has seen, and fold 0, the paper's test set, is scored.

Both arms of a comparison begin with the same labels. As in where_to_sample, learned sampling takes its cheapest setting
that reaches the accuracy, picked with hindsight; Gibbs is interpolated between numbers of sweeps.
"""
import os

from harness import data, fovea, measure, task
from harness.results import Report
from where_to_sample import curves
from where_to_sample.run import PUBLISHED, SAVING_SWEEPS, group, method_figure, points, setting, visits

RECIPES = {"ocr-f2": (2, ()), "ocr-f4": (4, ("--gradient", "gibbs"))}
STARTS = {"random": "random labels", "first-label": "one letter everywhere"}
SHOWN_SWEEPS = (1, 1.2, 1.5, 2, 3, 4, 8, 16)
TARGET = 0.92
ROUNDS = 5


def trained(name, folds):
    factor_size, recipe = RECIPES[name]
    model = data.CACHE / "models" / f"{name}.model"
    model.parent.mkdir(parents=True, exist_ok=True)
    measure.run(fovea.command("train", "--features", "pixels", "--factor-size", factor_size, *recipe, *folds,
                              "-o", model))
    return model


def paper_setting(report, name, model, tuning, test, start):
    """Adds a table of the schedules from one start. Returns their records."""
    records = fovea.study("where_to_sample_paper_setting", model, tuning, test, "accuracy", start)
    records = [r for r in records if "oracle" not in r]
    for record in records:
        by_sweep = dict(points(record))
        report.add(table=f"The paper's setting, {name}, from {STARTS[start]}: accuracy of the best sample so far",
                   row={"schedule": record["schedule"], **{f"{s} sweeps": round(by_sweep[s], 4) for s in SHOWN_SWEEPS},
                        "seconds": round(record["seconds"], 3)})
    return records


def paper_figure(report, name, records):
    scale = records[0]["tokens"] / records[0]["sequences"]
    shown = [r for r in records if r["schedule"] in ("cyclic Gibbs", "learned, H=1", "learned, H=0")]
    lines = [{"label": r["schedule"], "points": [[x * scale, y] for x, y in points(r)]} for r in shown]
    published = PUBLISHED["curves"].get(name, {})
    lines += [{"label": f"published: {kind}", "points": published[kind], "published": True}
              for kind in ("gibbs", "learned") if kind in published]
    report.add(figure=f"paper-{name}.svg", title=f"{name}: the paper's setting", x="transitions per word",
               y="accuracy", log_x=True, y_min=0.4, curves=lines)


def paper_bar(report, records):
    """Adds the schedule with all meta-features that saves most, and the paper's own."""
    by_name = {r["schedule"]: r for r in records}
    gibbs = points(by_name["cyclic Gibbs"])
    savings = {name: curves.saving(gibbs, points(r), SAVING_SWEEPS) or 0
               for name, r in by_name.items() if name.startswith("learned, H=")}
    best = max(savings, key=savings.get)
    published = PUBLISHED["curves"]["ocr-f4"]
    theirs = curves.saving(published["gibbs"], published["learned"], published["gibbs"][SAVING_SWEEPS - 1][0])
    report.bar("ocr/paper", savings[best], "where_to_sample_paper_setting ocr-f4.model fold9 fold0 accuracy",
               note=f"{best}; argmax roll-outs {savings['learned, H=1']:.2f}x, H=0 {savings['learned, H=0']:.2f}x; "
                    f"published curves: {theirs:.2f}x")


def method_table(report, name, records):
    """Adds each group's best accuracy, and its fewest visits and nanoseconds to half a point less."""
    for title in dict.fromkeys(r["group"] for r in records):
        settings = group(records, title)
        best = max(map(curves.quality, settings))
        few = curves.cheapest(settings, best - curves.MARGIN, visits)
        fast = curves.cheapest(settings, best - curves.MARGIN, curves.median_seconds)
        target = curves.cheapest(settings, TARGET, visits)
        report.add(table=f"Every method, {name}", row={
            "method": title, "best accuracy": round(best, 4),
            "visits per letter to half a point less": round(visits(few), 3),
            "ns per letter to half a point less": measure.summary(1e9 * s for s in fast["seconds"]),
            f"visits per letter to {TARGET}": round(visits(target), 3) if target else "not reached"})


def arms(records, start):
    return group(records, f"gibbs from {start}"), group(records, f"learned sampling from {start}")


def transition_bar(report, bar, records, start):
    gibbs, learned = arms(records, start)
    needed = curves.cost_to_reach(sorted((visits(r), curves.quality(r)) for r in gibbs), TARGET)
    few = curves.cheapest(learned, TARGET, visits)
    report.bar(bar, needed / visits(few), "where_to_sample_methods ocr-f4.model fold9 fold0 accuracy",
               note=f"{needed:.2f} and {visits(few):.3f} a letter; {setting(few)}")


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
    report.add(text=f"Grey curves: {PUBLISHED['source']}. {PUBLISHED['notes']}")
    note_load(report)
    for name in RECIPES:
        model = trained(name, folds)
        from_random, _ = [paper_setting(report, name, model, tuning, test, start) for start in STARTS]
        paper_figure(report, name, from_random)
        records = fovea.study("where_to_sample_methods", model, tuning, test, "accuracy", ROUNDS)
        method_table(report, name, records)
        method_figure(report, name, records, x="ns per letter")
    paper_bar(report, from_random)
    transition_bar(report, "ocr/transitions", records, "unigram")
    transition_bar(report, "ocr/transitions-chain", records, "chain")
    final_bar(report, records)
    report.write()


if __name__ == "__main__":
    task.run(main)
