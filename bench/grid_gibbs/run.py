# SPDX-License-Identifier: Apache-2.0
"""Gibbs updates a second on Potts tori, coupling .8: 256 x 256 on one and two threads, 200 x 200 with running
marginals.

A check comes first: the mean score on a torus of 2 x 128 against its transfer matrix, by batch means.

Then the 256 x 256 torus of five labels is a factor graph like any other, sampled in colour order: with one Potts table
for all edges, and with a table of standard normal scores for each edge. A check comes first: the mean score on a torus
of 3 x 40 against a junction tree.

The machine matters. With 5 labels, two virtual Intel cores made 1.1 thousand million updates a second on one thread and
1.74 (1.36 .. 1.95) times as many on two; two of an AMD EPYC made 3.6 thousand million and 1.92 (1.38 .. 1.96) times as
many.
"""
from harness import fovea, measure, task
from harness.results import Report

ROUNDS = 21
# Student's t with 19 degrees of freedom exceeds 10 with probability 5e-9.
MAX_DEVIATION = 10


def check(record, name):
    if record["deviation"] > MAX_DEVIATION:
        raise measure.Failed(f"{name}: the mean score is {record['deviation']:.1f} standard errors off")


def speeds(record):
    """Columns of a table's row."""
    return {"one thread": measure.summary(in_millions(record["one_thread"])),
            "two threads": measure.summary(in_millions(record["two_threads"])),
            "ratio": measure.ratios(record["two_threads"], record["one_thread"])}


def in_millions(values):
    return [value / 1e6 for value in values]


def add_bar(report, name, figure, command):
    report.bar(name, figure["median"], command, spread=figure)


def add_grids(report):
    command = f"grid_gibbs_fovea {ROUNDS}"
    for record in fovea.study("grid_gibbs_fovea", ROUNDS):
        labels = record["labels"]
        check(record, f"{labels} labels")
        row = speeds(record)
        tallies = measure.summary(in_millions(record["tallies"]))
        report.add(table="Million updates a second", row={
            "labels": labels, **row, "with marginals": tallies,
            "deviation from exact, standard errors": round(record["deviation"], 1)})
        add_bar(report, f"grid-gibbs/k{labels}", row["one thread"], command)
        if labels == 5:
            add_bar(report, "grid-gibbs/tallies", tallies, command)
            add_bar(report, "grid-gibbs/threads", row["ratio"], command)


def add_graphs(report):
    command = f"grid_gibbs_graphs {ROUNDS}"
    for record in fovea.study("grid_gibbs_graphs", ROUNDS):
        tables = record["tables"]
        check(record, f"{tables} tables")
        row = speeds(record)
        report.add(table="Million updates a second, any graph in colour order, 5 labels", row={
            "tables": tables, **row, "one variable at a time": measure.summary(in_millions(record["one_by_one"])),
            "deviation from exact, standard errors": round(record["deviation"], 1)})
        add_bar(report, f"graph-gibbs/{tables}", row["one thread"], command)
        add_bar(report, f"graph-gibbs/{tables}-threads", row["ratio"], command)


def main():
    report = Report("grid_gibbs")
    report.add(text=__doc__)
    add_grids(report)
    add_graphs(report)
    report.write()


if __name__ == "__main__":
    task.run(main)
