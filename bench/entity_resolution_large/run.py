# SPDX-License-Identifier: Apache-2.0
"""The same on as many mentions as the paper has, generated ones. Tables of the values of a block grow with its square and
would not fit, so that all arms compare values anew. A single run of each arm, of 14 sweeps: all factors take tens of
CPU minutes.
"""
from entity_resolution import corpora
from entity_resolution.run import add_bars, best, compare, draw, study, target_of
from harness import task
from harness.results import Report

ARMS = ("exact", "variance=1", "variance=10=4")


def main():
    report = Report("entity_resolution_large")
    report.add(text=__doc__)
    corpus = corpora.generated(5_000_000)
    records = study(corpus, 14, 2, 1, [f"{arm}+rows" for arm in ARMS])
    draw(report, corpus, records, ARMS, "+rows")
    found = compare(report, corpus.title, records, target_of(records), "+rows")
    compare(report, corpus.title, records, .8, "+rows")
    add_bars(report, corpus, found, best(found),
             {"factors": "resolution-factors/generated", "seconds": "resolution-seconds/generated"}, "+rows")
    report.write()


if __name__ == "__main__":
    task.run(main)
