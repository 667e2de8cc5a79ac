# SPDX-License-Identifier: Apache-2.0
"""Factors of a user's own: is the oracle that is chosen by measurement as fast as the best that one could name?

Four models with a factor of the user's (bench/oracles/study.cc), solved by each oracle that the factor allows, with and
without recall, and by the one that is measured; five seeds, each another table. Seconds are of the process' CPU, on one
thread. The gap is the largest distance of a mean from that by the most exact oracle without recall, in standard
deviations. Best is the fastest fixed choice of oracle (and of recall, where the measured one recalls) with a gap of at most
.1. All thresholds of the choice were
set on seed 100.
"""
import statistics

from harness import fovea, task
from harness.measure import summary
from harness.results import Report

COMMAND = "bench/run.sh oracles"
SEEDS, QUICK_SEEDS, GAP = range(1, 6), range(1, 2), .1


def ratios_of(records, recall):
    """Seconds of the measured oracle over those of the best fixed choice: one for each model."""
    ratios = []
    for model in dict.fromkeys(record["model"] for record in records):
        runs = [record for record in records if record["model"] == model]
        fixed = [run["cpu_seconds"] for run in runs
                 if run["oracle"] != "measured" and run["gap"] <= GAP and (recall or not run["recall"])]
        measured, = [run for run in runs if run["oracle"] == "measured" and run["recall"] == recall]
        ratios.append(measured["cpu_seconds"] / min(fixed))
    return ratios


def main():
    is_quick = task.wants_quick_run(__doc__)
    report = Report("oracles")
    report.add(text=__doc__)
    by_seed = [fovea.study("oracles_study", seed) for seed in (QUICK_SEEDS if is_quick else SEEDS)]
    for records in zip(*by_seed):
        seconds, gaps = [r["cpu_seconds"] for r in records], [r["gap"] for r in records]
        first = records[0]
        report.add(table="Models", row={
            "model": first["model"], "oracle": first["oracle"], "recall": "yes" if first["recall"] else "no",
            "CPU s": f"{statistics.median(seconds):.3f} ({min(seconds):.3f} .. {max(seconds):.3f})",
            "gap (sd)": f"{statistics.median(gaps):.4f} (at most {max(gaps):.4f})",
            "settled": f"{sum(r['converged'] for r in records)} of {len(records)}"})
    for recall, name in ((False, "without"), (True, "with")):
        ratios = [max(ratios_of(records, recall)) for records in by_seed]
        report.bar(f"oracles/{name}", statistics.median(ratios), COMMAND, spread=summary(ratios))
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
