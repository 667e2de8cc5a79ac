# SPDX-License-Identifier: Apache-2.0
"""The same on as many mentions as the paper has: generated ones, one seed, 16 sweeps (after which F1 still rises), with
scores of values in tables, a few blocks at a time. Comparing values anew takes some 30 times as long, so that this is
done for a million mentions.

A proposal has about 13 factors in all here, on average over a run from singletons to the target: 13.16 times fewer
would leave one.
"""
from entity_resolution import corpora
from entity_resolution.run import add_bars, best, study_rows, study_tables
from harness import measure, task
from harness.results import Report

ARMS = ("exact", "variance=1", "sequential=0.05=8", "sequential=0.2=4", "planned=bounded:0.05", "planned=exact+sums")
ROWS = ("exact", "sequential=0.05=8")
SWEEPS, LARGE_SEEDS, SEEDS = 16, 1, 3


def main():
    report = Report("entity_resolution_large")
    report.add(text=__doc__)
    large, smaller = corpora.generated(5_000_000), corpora.generated(1_000_000)
    tables = study_tables(report, large, ARMS, SWEEPS, LARGE_SEEDS)
    add_bars(report, large, tables.found, best(tables.found),
             {"factors": "resolution-factors/generated", "seconds": "resolution-seconds/generated"})
    add_bars(report, large, tables.found, "planned=exact+sums", {"seconds": "resolution-sums/generated"})
    tables = study_tables(report, smaller, ARMS, SWEEPS, SEEDS)
    rows = study_rows(report, smaller, ROWS, SWEEPS, 1, tables.target)
    ratio = measure.summary(rows.seconds("exact+rows")[0] / seconds for seconds in tables.seconds("planned=exact+sums"))
    report.bar("resolution-anew/generated", ratio["median"], "entity_resolution_study ... exact+rows planned=exact+sums",
               spread=ratio)
    report.write()


if __name__ == "__main__":
    task.run(main)
