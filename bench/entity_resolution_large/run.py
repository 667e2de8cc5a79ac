# SPDX-License-Identifier: Apache-2.0
"""The same on as many mentions as the paper has, generated ones, with scores of values in tables: a few blocks are done
at a time. Comparing values anew takes some 40 times as long, so that this is done for a million mentions and one seed.
"""
from entity_resolution import corpora
from entity_resolution.run import add_bars, best, study_rows, study_tables
from harness import task
from harness.results import Report

ARMS = ("exact", "variance=1", "sequential=0.05=8", "sequential=0.2=4", "planned=bounded:0.05", "planned=exact+sums")
ROWS = ("exact", "sequential=0.05=8")
SWEEPS, SEEDS = 16, 3


def main():
    report = Report("entity_resolution_large")
    report.add(text=__doc__)
    large, smaller = corpora.generated(5_000_000), corpora.generated(1_000_000)
    by_tables, _ = study_tables(report, large, ARMS, SWEEPS, SEEDS)
    add_bars(report, large, by_tables, best(by_tables),
             {"factors": "resolution-factors/generated", "seconds": "resolution-seconds/generated"})
    add_bars(report, large, by_tables, "planned=exact+sums", {"seconds": "resolution-sums/generated"})
    _, target = study_tables(report, smaller, ARMS, SWEEPS, SEEDS)
    study_rows(report, smaller, ROWS, SWEEPS, 1, target)
    report.write()


if __name__ == "__main__":
    task.run(main)
