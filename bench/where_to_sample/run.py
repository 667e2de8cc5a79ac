# SPDX-License-Identifier: Apache-2.0
"""Where to sample: the paper's setting, then every method by the seconds that it takes.

The model is trained on four fifths of the training sentences, the policy is learned on the fifth left over, and dev is
scored. In the paper's setting the model is trained by AdaGrad on Gibbs samples of the gradient, but not as the paper's: with a
penalty, from an exact start, and with richer features.

On both sides, bars and tables take the cheapest setting that reaches the quality on dev, picked with hindsight. The
learned methods have more settings to pick from (threshold, rounds, pruning) than Gibbs (sweeps) or beams (width).
"""
import json
import pathlib

from harness import fovea, measure, models, task
from harness.results import Report
from where_to_sample import curves

PUBLISHED = json.loads((pathlib.Path(__file__).parent / "published.json").read_text(encoding="utf-8"))
PUBLISHED_NAME = {"ner-f2": "ner-f2", "ner-f4": "ner-f4", "pos-f4": "wsj-f4"}
SAVING_SWEEPS = 3  # where the bar is read
SAMPLING_BARS = ("ner-f2", "ner-f4", "pos-f2", "pos-f4")
SHOWN_SWEEPS = (1, 1.1, 1.2, 1.5, 2, 3, 4, 8)
ROUNDS = 7


def score_name(name):
    return "F1" if models.score(name) == "f1" else "accuracy"


def points(record, key="best"):
    return list(zip(record["sweeps"], record[key]))


def paper_table(report, name, records):
    for record in records:
        by_sweep = dict(points(record))
        row = {"schedule": record["schedule"], **{f"{s} sweeps": round(by_sweep[s], 4) for s in SHOWN_SWEEPS},
               "current sample, 8": round(dict(points(record, "current"))[8], 4), "seconds": round(record["seconds"], 2)}
        report.add(table=f"The paper's setting, {name}: {score_name(name)} of the best sample so far", row=row)


def oracle_table(report, name, records):
    for record in records:
        weights = {feature: round(weight, 2) for feature, weight in record["weights"].items()}
        report.add(table=f"Pull towards a visit with the expected immediate reward among the meta-features, {name}",
                   row={"learned with": f"H={record['horizon']}", **weights})


def paper_figure(report, name, records):
    scale = records[0]["tokens"] / records[0]["sequences"]
    shown = [r for r in records if r["schedule"] in ("cyclic Gibbs", "learned, H=1", "learned, H=0")]
    lines = [{"label": r["schedule"], "points": [[x * scale, y] for x, y in points(r)]} for r in shown]
    published = PUBLISHED["curves"][PUBLISHED_NAME[name]]
    lines += [{"label": f"published: {kind} ({PUBLISHED_NAME[name]})", "points": published[kind], "published": True}
              for kind in ("gibbs", "learned")]
    report.add(figure=f"paper-{name}.svg", title=f"{name}: the paper's setting", x="transitions per sentence",
               y=score_name(name), log_x=True, y_min=0.4 if models.score(name) == "f1" else 0.8, curves=lines)


def saving_table(report, name, records):
    """Adds savings at the quality that cyclic Gibbs reaches after 2, 3, ... sweeps, next to those of the published
    curves. Returns those at SAVING_SWEEPS."""
    published = PUBLISHED["curves"][PUBLISHED_NAME[name]]
    by_name = {r["schedule"]: r for r in records}
    at_bar = None
    for sweeps in (2, 3, 4, 8):
        row = {"as good as cyclic Gibbs after": f"{sweeps} sweeps"}
        for schedule in ("learned, H=1", "learned, H=0"):
            row[schedule] = curves.saving(points(by_name["cyclic Gibbs"]), points(by_name[schedule]), sweeps)
        if sweeps <= 4:  # up to there the published points of Gibbs are one sweep apart
            row["published, H=1"] = curves.saving(published["gibbs"], published["learned"],
                                                  published["gibbs"][sweeps - 1][0])
        if sweeps == SAVING_SWEEPS:
            at_bar = row["learned, H=1"], row["published, H=1"]
        report.add(table=f"The paper's setting, {name}: transitions of cyclic Gibbs over those of the learned schedule",
                   row={k: f"{v:.2f}x" if isinstance(v, float) else v or "never" for k, v in row.items()})
    return at_bar


def paper_setting(report, name):
    model, tuning, dev = models.tuned(name, "--gradient", "gibbs")
    records = fovea.study("where_to_sample_paper_setting", model, tuning, dev, models.score(name))
    oracle_table(report, name, [r for r in records if "oracle" in r])
    records = [r for r in records if "oracle" not in r]
    paper_table(report, name, records)
    paper_figure(report, name, records)
    ours, theirs = saving_table(report, name, records)
    report.bar(f"paper/{name}", ours, f"where_to_sample_paper_setting {name}.model tune.tsv dev.tsv",
               note=f"published curves: {theirs:.2f}x; both to what cyclic Gibbs reaches in {SAVING_SWEEPS} sweeps")


def group(records, name):
    return [r for r in records if r["group"] == name]


def method_table(report, name, records):
    """Adds each group's cheapest setting at each level of quality."""
    best = max(map(curves.quality, records))
    for level in (0.98, 0.99, 0.995, 0.999):
        for title in dict.fromkeys(r["group"] for r in records):
            found = curves.cheapest(group(records, title), level * best, curves.median_seconds)
            if found:
                report.add(table=f"Cheapest settings, {name}", row={
                    "of the best quality": f"{level:.1%}", "method": title, score_name(name): round(curves.quality(found), 4),
                    "ns per token": measure.summary(1e9 * s for s in found["seconds"]),
                    "visits per token": round(found["transitions"], 3)})


def method_figure(report, name, records, score="accuracy", x="ns per token"):
    lines = []
    for title in dict.fromkeys(r["group"] for r in records):
        frontier, best = [], 0
        for r in sorted(group(records, title), key=curves.median_seconds):
            if curves.quality(r) > best:
                best = curves.quality(r)
                frontier.append([1e9 * curves.median_seconds(r), best])
        lines.append({"label": title, "points": frontier})
    top = max(y for line in lines for _, y in line["points"])
    report.add(figure=f"seconds-{name}.svg", title=f"{name}: quality by time", x=x, y=score, log_x=True,
               y_min=top - 0.06, curves=lines)


def visits(record):
    return record["transitions"]


def sampling_start(records):
    """(start, target): the start from which Gibbs gets fastest to half a point below its ceiling, except starts that
    are there already."""
    found = {}
    gibbs = [r for r in records if r["group"].startswith("gibbs from")]
    target = max(map(curves.quality, gibbs)) - curves.MARGIN
    for start in ("unigram", "chain"):
        settings = group(gibbs, f"gibbs from {start}")
        fastest = curves.cheapest(settings, target, curves.median_seconds)
        if fastest and visits(fastest) > 0:
            found[start] = curves.median_seconds(fastest)
    return min(found, key=found.get), target


def sampling_bars(report, name, records):
    shown = f"where_to_sample_methods {name}.model tune.tsv dev.tsv"
    start, target = sampling_start(records)
    gibbs, learned = group(records, f"gibbs from {start}"), group(records, f"learned sampling from {start}")
    fast_gibbs, fast = (curves.cheapest(settings, target, curves.median_seconds) for settings in (gibbs, learned))
    few_gibbs, few = (curves.cheapest(settings, target, visits) for settings in (gibbs, learned))
    note = f"to {target:.4f} from {start}"
    joint = curves.cheapest(group(records, f"joint decoding from {start}"), target, curves.median_seconds)
    if joint:
        ratio = measure.ratios(fast_gibbs["seconds"], joint["seconds"])["median"]
        note += f"; joint visits, which decide instead of sampling: {ratio:.1f}x"
    if fast is None:
        best = max(map(curves.quality, learned))
        for bar in ("seconds", "transitions"):
            report.bar(f"sampling-{bar}/{name}", None, shown, note=f"{note}; not reached, best {best:.4f}")
        return
    ratio = measure.ratios(fast_gibbs["seconds"], fast["seconds"])
    report.bar(f"sampling-seconds/{name}", ratio["median"], shown, spread=ratio, note=note)
    report.bar(f"sampling-transitions/{name}", visits(few_gibbs) / max(visits(few), 1e-9), shown,
               note=f"{visits(few_gibbs):.2f} and {visits(few):.3f} a token")


def decoding_bars(report, name, records):
    """Compares all learned decoding, from any start, with beams, and visits of one site with ICM."""
    shown = f"where_to_sample_methods {name}.model tune.tsv dev.tsv"
    beam = next(r for r in group(records, "beam") if r["options"]["beam_width"] == 8)
    learned = [r for r in records if "decoding from" in r["group"]]
    above = curves.quality(beam) + 1e-9
    found = curves.cheapest(learned, above, curves.median_seconds) or max(learned, key=curves.quality)
    report.bar("decoding/beam-accuracy", 100 * (curves.quality(found) - curves.quality(beam)), shown,
               note=setting(found))
    share = measure.ratios(found["seconds"], beam["seconds"])
    report.bar("decoding/beam-time", share["median"], shown, spread=share, note=setting(found))
    icm = group(records, "icm from chain")
    target = curves.quality(max(icm, key=lambda r: r["transitions"])) - 0.0005
    plain = curves.cheapest(icm, target, curves.median_seconds)
    fast = curves.cheapest(group(records, "learned decoding from chain"), target, curves.median_seconds)
    ratio = measure.ratios(plain["seconds"], fast["seconds"]) if fast else None
    report.bar("decoding/icm-speed", ratio and ratio["median"], shown, spread=ratio,
               note=f"to {target:.4f}" if fast else f"{target:.4f} is not reached")


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
    report.add(text=f"Grey curves: {PUBLISHED['source']}. {PUBLISHED['notes']} Other features (and, for parts of "
                    "speech, another corpus), so compare shapes.")
    for name in PUBLISHED_NAME:
        paper_setting(report, name)
    for name in models.TASKS:
        methods(report, name)
    report.write()


if __name__ == "__main__":
    task.run(main)
