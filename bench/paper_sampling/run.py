# SPDX-License-Identifier: Apache-2.0
"""Where to sample, in the paper's setting: models trained by its recipe, random labels to begin with, one sweep from left
to right, then the site of highest value from a queue over all instances; what is scored is the best sample so far.

Models of text are trained by `fovea train --recipe heterosampler-code` on four fifths of the training sentences (with the
features that the text prints, words alone, the first sweep of Gibbs stands at an F1 of .4 where the paper has .7); models of letters by
`--recipe heterosampler` on folds 1 to 9. Policies are learned on the fifth left over, or on fold 9, which the model of letters
has seen. Dev and fold 0 are scored. 20 seeds of learning and of runs, three runs for each policy. Savings compare
a seed's curve with the mean curve of cyclic Gibbs. The rate of learning was chosen on halves of the tuning text, after a first look at dev had shown lower rates to be better.
"""
import json
import lzma
import pathlib
import statistics

from harness import data, fovea, measure, models, task
from harness.results import Report
from where_to_sample import curves

PUBLISHED = json.loads((pathlib.Path(__file__).parent / "published.json").read_text(encoding="utf-8"))
PUBLISHED_NAME = {"ner-f2": "ner-f2", "ner-f4": "ner-f4", "pos-f4": "wsj-f4", "ocr-f4": "ocr-f4", "ocr-f4, the authors' weights": "ocr-f4"}
SPLIT = {"ner": "dev (published: test)", "pos": "UD English dev (published: WSJ test)", "ocr": "fold 0, as published"}
ABLATED = ("ner-f2", "pos-f4", "ocr-f4")
SEEDS = 20
SAVING_SWEEPS = (2, 3, 4, 8)
BAR_SWEEPS = 3
SHOWN_SWEEPS = (1, 1.1, 1.2, 1.5, 2, 3, 4, 8, 16)
OURS = "lower rate, best of 6 by tuning text"


def text_problem(name):
    model, tuning, dev = models.tuned(name, "--recipe", "heterosampler-code")
    return model, tuning, dev, models.score(name)


def letter_model(name):
    folds, _, _ = data.letters()
    model = data.CACHE / "models" / f"{name}.model"
    model.parent.mkdir(parents=True, exist_ok=True)
    if name == "ocr-f4":
        measure.run(fovea.command("train", "--features", "pixels", "--factor-size", 4, "--recipe", "heterosampler",
                                  *folds, "-o", model))
        return model
    weights = model.with_suffix(".txt")
    with lzma.open(data.directory() / "ocr_letters" / "authors_f4.model.xz") as packed:
        weights.write_bytes(packed.read())
    letters = model.with_suffix(".tsv")
    letters.write_text("".join(data.unpacked(fold) for fold in folds), encoding="utf-8")
    measure.run([f"{fovea.folder()}/paper_sampling_authors_weights", weights, letters, model])
    return model


def problem(name):
    if not name.startswith("ocr"):
        return text_problem(name)
    _, tuning, test = data.letters()
    return letter_model("ocr-f4" if name == "ocr-f4" else "ocr-f4-authors"), tuning, test, "accuracy"


def by_schedule(records):
    found = {}
    for record in records:
        found.setdefault(record["schedule"], []).append(record)
    return found


def curve(seeds, middle=statistics.median):
    """The points of the median curve of some seeds."""
    sweeps = seeds[0]["sweeps"]
    return [(x, middle(record["best"][i] for record in seeds)) for i, x in enumerate(sweeps)]


def spread(values, form):
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{form(middle)} ({form(low)} to {form(high)})"


def gibbs_table(report, name, gibbs):
    published = PUBLISHED["curves"][PUBLISHED_NAME[name]]["gibbs"]
    ours = dict(curve(gibbs, statistics.mean))
    row = {"model": name, "scored on": SPLIT[name.split("-")[0]]}
    for sweeps in (1, 2, 3, 4):
        row[f"{sweeps} sweeps (published)"] = f"{ours[sweeps]:.3f} ({published[sweeps - 1][1]:.3f})"
    report.add(table="Cyclic Gibbs from random labels, best sample so far, mean of 20 seeds", row=row)
    return max(abs(ours[sweeps] - published[sweeps - 1][1]) for sweeps in (1, 2, 3, 4))


def savings(gibbs, seeds, sweeps):
    """For each seed, how many times fewer transitions it needs to be as good as the mean of cyclic Gibbs after `sweeps`
    sweeps; 0 where it never is within 16 sweeps."""
    baseline = curve(gibbs, statistics.mean)
    return [curves.saving(baseline, list(zip(record["sweeps"], record["best"])), sweeps) or 0 for record in seeds]


def saving_table(report, name, schedules, shown):
    gibbs = schedules["cyclic Gibbs"]
    published = PUBLISHED["curves"][PUBLISHED_NAME[name]]
    row = {"schedule": "published"}
    for sweeps in SAVING_SWEEPS[:3]:  # up to there the published points of Gibbs are one sweep apart
        row[f"{sweeps} sweeps"] = (
            f"{curves.saving(published['gibbs'], published['learned'], published['gibbs'][sweeps - 1][0]):.2f}x")
    report.add(table=f"{name}: transitions of cyclic Gibbs over those of the schedule, median of {SEEDS} seeds (worst to best)",
               row=row)
    for schedule in shown:
        row = {"schedule": schedule}
        for sweeps in SAVING_SWEEPS:
            found = savings(gibbs, schedules[schedule], sweeps)
            never = sum(x == 0 for x in found)
            row[f"{sweeps} sweeps"] = spread(found, lambda x: f"{x:.2f}x" if x else "never") + (
                f", {never} never" if never else "")
        policy = statistics.mean(r["seconds"] for r in schedules[schedule])
        row["share of seconds in the policy"] = f"{1 - statistics.mean(r['seconds'] for r in gibbs) / policy:.0%}"
        row["seconds to learn"] = round(statistics.median(r["learning_seconds"] for r in schedules[schedule]), 2)
        report.add(table=f"{name}: transitions of cyclic Gibbs over those of the schedule, median of {SEEDS} seeds (worst to best)",
                   row=row)


def quality_table(report, name, schedules):
    for schedule, seeds in schedules.items():
        middle = dict(curve(seeds))
        report.add(table=f"{name}: median score of the best sample so far",
                   row={"schedule": schedule, **{f"{s} sweeps": f"{middle[s]:.4f}" for s in SHOWN_SWEEPS}})


def figure(report, name, schedules, score):
    record = schedules["cyclic Gibbs"][0]
    scale = record["tokens"] / record["sequences"]
    shown = ("cyclic Gibbs", "as printed, H=1", OURS)
    lines = [{"label": s, "points": [[x * scale, y] for x, y in curve(schedules[s])]} for s in shown]
    published = PUBLISHED["curves"][PUBLISHED_NAME[name]]
    lines += [{"label": f"published: {kind}", "points": published[kind], "published": True} for kind in ("gibbs", "learned")]
    report.add(figure=f"paper-{name.split(',')[0]}.svg", title=f"{name}: the paper's setting", x="transitions per instance",
               y="F1" if score == "f1" else "accuracy", log_x=True, y_min=0.65 if score == "f1" else 0.7, curves=lines)


def oracle_table(report, name, records):
    for record in records:
        weights = {feature: round(weight, 2) for feature, weight in record["weights"].items()}
        report.add(table=f"{name}: pull towards a visit with the expected immediate reward among the meta-features",
                   row={"learned with": f"H={record['horizon']}", **weights})


def bars(report, name, schedules, gap):
    command = "paper_sampling_study MODEL TUNING TEST SCORE 20"
    short = name.split(",")[0] + ("-authors" if "," in name else "")
    found = savings(schedules["cyclic Gibbs"], schedules[OURS], BAR_SWEEPS)
    printed = savings(schedules["cyclic Gibbs"], schedules["as printed, H=1"], BAR_SWEEPS)
    published = PUBLISHED["curves"][PUBLISHED_NAME[name]]
    theirs = curves.saving(published["gibbs"], published["learned"], published["gibbs"][BAR_SWEEPS - 1][0])
    report.bar(f"paper-gibbs/{short}", gap, command, note=f"1 to 4 sweeps, {SPLIT[name.split('-')[0]]}")
    report.bar(f"paper/{short}", statistics.median(found), command,
               note=f"{min(found):.2f} to {max(found):.2f}; as printed {spread(printed, lambda x: f'{x:.2f}')}; published {theirs:.2f}")
    report.bar(f"paper-worst/{short}", min(found) / statistics.median(found), command)


def study(report, name):
    model, tuning, test, score = problem(name)
    words = ["random", "ablation"] if name in ABLATED else []
    records = fovea.study("paper_sampling_study", model, tuning, test, score, SEEDS, *words)
    oracle_table(report, name, [r for r in records if "oracle" in r])
    schedules = by_schedule(r for r in records if "oracle" not in r)
    gap = gibbs_table(report, name, schedules["cyclic Gibbs"])
    saving_table(report, name, schedules, [s for s in schedules if s != "cyclic Gibbs"])
    quality_table(report, name, schedules)
    if "authors" not in name:
        figure(report, name, schedules, score)
    bars(report, name, schedules, gap)


def main():
    report = Report("paper_sampling")
    report.add(text=__doc__)
    report.add(text=f"Published curves: {PUBLISHED['source']}. {PUBLISHED['notes']}")
    for name in PUBLISHED_NAME:
        study(report, name)
    report.write()


if __name__ == "__main__":
    task.run(main)
