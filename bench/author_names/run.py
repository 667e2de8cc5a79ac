# SPDX-License-Identifier: Apache-2.0
"""Authors are told apart by weights learned on a fifth of the blocks (by hash of the block) and scored on the rest,
with the preset `authors`. Tables show B-cubed F1, the mean of five splits with its standard deviation, by average link
alone and by chains that start from it or from every mention alone; and the expected calibration error of the chain's
probabilities, over pairs of mentions of one block: as they are, and calibrated on folds of the fifth.

Then come five million generated mentions, as a user would have them. The model is learned on 200,000 others; one
process reads the table, finds clusters from singletons, and writes both.
"""
import statistics

from harness import data, fovea, measure, task
from harness.results import Report

CORPORA = {"beard72k": .948, "acl187k_abbrev": .903}  # F1 of blocks by surname and first initial
STUDY = "author_names_study"
MENTIONS = 5_000_000
BASELINE = "surname and first initial"


def summary(values):
    return f"{statistics.mean(values):.4f} ({statistics.stdev(values):.4f})"


def quality(report, corpus, trivial):
    path = data.directory() / "entity_resolution" / f"{corpus}.tsv.gz"
    if not path.exists():
        raise data.Missing(f"{path} is not there; set FOVEA_DATA")
    records = fovea.study(STUDY, path)
    report.add(table="B-cubed F1 of five splits", row={"data": corpus, "by": BASELINE, "mean (sd)": f"{trivial:.4f}"})
    for start, sweeps, by in (("average-link", 0, "average link"), ("average-link", 100, "chain from average link"),
                              ("singletons", 100, "chain from singletons")):
        scores = [r["f1"] for r in records if r.get("start") == start and r["sweeps"] == sweeps]
        seconds = [r["seconds"] for r in records if r.get("start") == start and r["sweeps"] == sweeps]
        report.add(table="B-cubed F1 of five splits",
                   row={"data": "", "by": by, "mean (sd)": summary(scores),
                        "seconds, without reading": round(statistics.mean(seconds), 2)})
        if by == "chain from average link":
            report.bar(f"authors-f1/{corpus}", statistics.mean(scores), "bench/run.sh author_names",
                       note=f"sd {statistics.stdev(scores):.4f}")
    for is_calibrated, by in ((False, "shares of samples"), (True, "calibrated")):
        errors = [r["calibration_error"] for r in records if r.get("is_calibrated") == is_calibrated]
        report.add(table="Expected calibration error", row={"data": corpus, "by": by, "mean (sd)": summary(errors)})
    report.bar(f"authors-calibration/{corpus}", statistics.mean(errors), "bench/run.sh author_names",
               note=f"sd {statistics.stdev(errors):.4f}")


def generated(name, *options):
    path = data.CACHE / "authors" / f"{name}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        measure.run(fovea.command("generate", "authors", *options, "-o", path))
    return path


def large(report):
    labelled = generated("labelled", "--mentions", 200_000, "--seed", 2)
    mentions = generated("mentions", "--mentions", MENTIONS, "--seed", 1)
    model, clusters = labelled.with_suffix(".er"), mentions.with_name("clusters.tsv")
    measure.run(fovea.command("dedupe", labelled, "--preset", "authors", "--labels", "entity", "-o", model))
    for start in ("singletons", "average-link"):
        command = fovea.command("dedupe", mentions, "--model", model, "--statistics", "table", "--start", start, "-o",
                                clusters)
        run = measure.run(command)
        score = fovea.run_json("eval", "clusters", clusters, "--gold", "entity", "--json")["b_cubed"]["f1"]
        report.add(table="Five million generated mentions, two threads",
                   row={"start": start, "B-cubed F1": round(score, 4), "seconds": round(run.seconds, 1),
                        "peak MB": round(run.peak_mb)})
        if start == "singletons":
            shown = fovea.shown(command)
            report.bar("authors-large/seconds", run.seconds, shown)
            report.bar("authors-large/memory", run.peak_mb / 1024, shown)
            report.bar("authors-large/f1", score - .811, shown, note=f"{score:.4f}; {BASELINE}: .811")


def main():
    report = Report("author_names")
    report.add(text=__doc__)
    for corpus, trivial in CORPORA.items():
        quality(report, corpus, trivial)
    large(report)
    report.write()


if __name__ == "__main__":
    task.run(main)
