# SPDX-License-Identifier: Apache-2.0
"""Where to sample: every method by the seconds that it takes.

Models are trained on four fifths of the training sentences, policies are learned on the fifth left over, and dev is scored
once. The settings of learned methods, of which there are many (threshold, rounds, pruning), are picked on the tuning text:
the cheapest that reaches the quality there. Gibbs is interpolated on dev between numbers of sweeps, to just the
quality that the picked setting has there. The table of cheapest settings picks on the tuning text on both sides.
"""
from harness import fovea, measure, models, task
from harness.results import Report
from where_to_sample import curves

SAMPLING_BARS = ("ner-f2", "ner-f4", "pos-f2", "pos-f4")
ROUNDS = 7


def score_name(name):
    return "F1" if models.score(name) == "f1" else "accuracy"


def group(records, name):
    return [r for r in records if r["group"] == name]


def method_table(report, name, records):
    """Adds each group's cheapest setting at each level of the best quality on the tuning text."""
    best = max(map(curves.tuning_quality, records))
    for level in (0.98, 0.99, 0.995, 0.999):
        for title in dict.fromkeys(r["group"] for r in records):
            found = curves.picked(group(records, title), level * best, curves.median_seconds)
            if curves.tuning_quality(found) >= level * best:
                report.add(table=f"Cheapest settings, {name}", row={
                    "of the best quality on tuning text": f"{level:.1%}", "method": title,
                    f"{score_name(name)} on dev": round(curves.quality(found), 4),
                    "ns per token": measure.summary(1e9 * s for s in found["seconds"]),
                    "visits per token": round(found["transitions"], 3)})


def method_figure(report, name, records, score="accuracy", x="ns per token"):
    lines = [{"label": title, "points": [[1e9 * x, y] for x, y in
                                         curves.frontier(group(records, title), curves.median_seconds)]}
             for title in dict.fromkeys(r["group"] for r in records)]
    top = max(y for line in lines for _, y in line["points"])
    report.add(figure=f"seconds-{name}.svg", title=f"{name}: quality by time", x=x, y=score, log_x=True,
               y_min=top - 0.06, curves=lines)


def visits(record):
    return record["transitions"]


def sampling_start(records):
    """The start from which Gibbs gets fastest, on dev, to half a point below its ceiling, except starts that are there
    already."""
    gibbs = [r for r in records if r["group"].startswith("gibbs from")]
    target = max(map(curves.quality, gibbs)) - curves.MARGIN
    found = {}
    for start in ("unigram", "chain"):
        settings = group(gibbs, f"gibbs from {start}")
        if settings and max(curves.quality(s) for s in settings if visits(s) == 0) < target:
            found[start] = curves.cost_to_reach(curves.frontier(settings, curves.median_seconds), target)
    return min((s for s in found if found[s]), key=found.get)


def sampling_bar(report, bar, gibbs, picked, cost, note):
    """Adds how many times more Gibbs costs, interpolated, for the quality that the picked setting has on dev, though not
    more than half a point below the ceiling of Gibbs."""
    ceiling = max(map(curves.quality, gibbs)) - curves.MARGIN
    target = min(curves.quality(picked), ceiling)
    needed = curves.cost_to_reach(curves.frontier(gibbs, cost), target)
    short = "" if curves.quality(picked) >= ceiling else f", short of the {ceiling:.4f} that was wanted"
    report.bar(bar, needed / max(cost(picked), 1e-12), "where_to_sample_methods MODEL TUNING DEV SCORE 7",
               note=f"to {target:.4f}{short}; {setting(picked)}; {note}")


def sampling_bars(report, name, records):
    start = sampling_start(records)
    gibbs, learned = group(records, f"gibbs from {start}"), group(records, f"learned sampling from {start}")
    target = max(map(curves.tuning_quality, gibbs)) - curves.MARGIN
    fast, few = (curves.picked(learned, target, cost) for cost in (curves.median_seconds, visits))
    joint = curves.picked(group(records, f"joint decoding from {start}"), target, curves.median_seconds)
    note = (f"from {start}; joint visits, which decide instead of sampling: {1e9 * curves.median_seconds(joint):.0f} ns at "
            f"{curves.quality(joint):.4f}, this {1e9 * curves.median_seconds(fast):.0f} ns")
    sampling_bar(report, f"sampling-seconds/{name}", gibbs, fast, curves.median_seconds, note)
    sampling_bar(report, f"sampling-transitions/{name}", gibbs, few, visits, f"{visits(few):.3f} a token")


def decoding_bars(report, name, records):
    """Compares learned decoding, from any start, with beam 8, and visits of one site with ICM."""
    shown = f"where_to_sample_methods {name}.model tune.tsv dev.tsv"
    beam = next(r for r in group(records, "beam") if r["options"]["beam_width"] == 8)
    learned = [r for r in records if "decoding from" in r["group"]]
    found = curves.picked(learned, curves.tuning_quality(beam), curves.median_seconds)
    report.bar("decoding/beam-accuracy", 100 * (curves.quality(found) - curves.quality(beam)), shown,
               note=setting(found))
    share = measure.ratios(found["seconds"], beam["seconds"])
    report.bar("decoding/beam-time", share["median"], shown, spread=share, note=setting(found))
    icm = group(records, "icm from chain")
    plain = curves.picked(icm, max(map(curves.tuning_quality, icm)) - 0.0005, curves.median_seconds)
    fast = curves.picked(group(records, "learned decoding from chain"), curves.tuning_quality(plain), curves.median_seconds)
    ratio = measure.ratios(plain["seconds"], fast["seconds"])
    report.bar("decoding/icm-speed", ratio["median"], shown, spread=ratio,
               note=f"{curves.quality(fast):.4f}, ICM {curves.quality(plain):.4f}; {setting(fast)}")


def setting(record):
    """The options of the command line that tell a learned setting from others."""
    options = record["options"]
    names = ["start", "visit", "threshold"] + (["answer", "prune"] if options["visit"] == "joint" else ["max_rounds"])
    return " ".join(f"--{n.replace('_', '-')} {options[n]}" for n in names)


def methods(report, name):
    model, tuning, dev = models.tuned(name)
    records = fovea.study("where_to_sample_methods", model, tuning, dev, models.score(name), ROUNDS)
    method_table(report, name, records)
    method_figure(report, name, records, score_name(name))
    if name in SAMPLING_BARS:
        sampling_bars(report, name, records)
    if name == "pos-f4":
        decoding_bars(report, name, records)


def main():
    report = Report("where_to_sample")
    report.add(text=__doc__)
    for name in models.TASKS:
        methods(report, name)
    report.write()


if __name__ == "__main__":
    task.run(main)
