# SPDX-License-Identifier: Apache-2.0
"""Gibbs updates a second on Potts tori, coupling .8: 256 x 256 on one and two threads, 200 x 200 with running marginals.

Checked first: the mean score on a torus of 2 x 128 against its transfer matrix, by batch means.

The 256 x 256 torus of five labels is then given as a factor graph like any other, and sampled in colour order: one Potts
table for all edges, and a table of standard normal scores for each edge. Checked first: the mean score on a torus of
3 x 40 against a junction tree.
"""
from harness import fovea, measure, task
from harness.results import Report

ROUNDS = 9
# Student's t with 19 degrees of freedom exceeds 10 with probability 5e-9.
MAX_DEVIATION = 10


def add_grids(report):
    for record in fovea.study("grid_gibbs_fovea", ROUNDS):
        labels = record["labels"]
        if record["deviation"] > MAX_DEVIATION:
            raise measure.Failed(f"{labels} labels: the mean score is {record['deviation']:.1f} standard errors off")
        one, two, tallies = (measure.summary(value / 1e6 for value in record[key])
                             for key in ("one_thread", "two_threads", "tallies"))
        scaling = measure.ratios(record["two_threads"], record["one_thread"])
        report.add(table="Million updates a second", row={
            "labels": labels, "one thread": one, "two threads": two, "ratio": scaling, "with marginals": tallies,
            "deviation from exact, standard errors": round(record["deviation"], 1)})
        command = f"grid_gibbs_fovea {ROUNDS}"
        report.bar(f"grid-gibbs/k{labels}", one["median"], command, spread=one)
        if labels == 5:
            report.bar("grid-gibbs/tallies", tallies["median"], command, spread=tallies)
            report.bar("grid-gibbs/threads", scaling["median"], command, spread=scaling)


def add_graphs(report):
    for record in fovea.study("grid_gibbs_graphs", ROUNDS):
        tables = record["tables"]
        if record["deviation"] > MAX_DEVIATION:
            raise measure.Failed(f"{tables} tables: the mean score is {record['deviation']:.1f} standard errors off")
        one, two, one_by_one = (measure.summary(value / 1e6 for value in record[key])
                                for key in ("one_thread", "two_threads", "one_by_one"))
        scaling = measure.ratios(record["two_threads"], record["one_thread"])
        report.add(table="Million updates a second, any graph in colour order, 5 labels", row={
            "tables": tables, "one thread": one, "two threads": two, "ratio": scaling,
            "one variable at a time": one_by_one,
            "deviation from exact, standard errors": round(record["deviation"], 1)})
        command = f"grid_gibbs_graphs {ROUNDS}"
        report.bar(f"graph-gibbs/{tables}", one["median"], command, spread=one)
        report.bar(f"graph-gibbs/{tables}-threads", scaling["median"], command, spread=scaling)


def main():
    report = Report("grid_gibbs")
    report.add(text=__doc__)
    add_grids(report)
    add_graphs(report)
    report.write()


if __name__ == "__main__":
    task.run(main)
