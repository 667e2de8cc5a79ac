# SPDX-License-Identifier: Apache-2.0
"""Gibbs transitions a second: one thread, unary scores ready, dev sentences, eight sweeps a run.

A check comes first: label counts of the sampler against exact marginals on some sequences, by batch means.
"""
from harness import fovea, measure, models, task
from harness.results import Report

# Sequences to check and bar by task. Exact marginals at 49 labels and factor size 4 take seconds a sentence.
TASKS = {"ner-f2": 300, "ner-f4": 300, "pos-f2": 300, "pos-f4": 10}
ROUNDS = 9
# Student's t with 19 degrees of freedom exceeds 10 with probability 5e-9; at most 49 labels and 4 tasks make 1e-6.
MAX_DEVIATION = 10


def main():
    report = Report("gibbs_throughput")
    report.add(text=__doc__)
    for name, sequences in TASKS.items():
        model, _, dev = models.tuned(name)
        [record] = fovea.study("gibbs_throughput_fovea", model, dev, ROUNDS, sequences)
        if record["deviation"] > MAX_DEVIATION:
            raise measure.Failed(f"{name}: label counts are {record['deviation']:.1f} standard errors off")
        colour = measure.summary(value / 1e6 for value in record["colour"])
        straight = measure.summary(value / 1e6 for value in record["left_to_right"])
        report.add(table="Million transitions a second", row={
            "task": name, "labels": record["labels"], "tokens": record["tokens"], "colour order": colour,
            "left to right": straight, "largest deviation from exact, standard errors": round(record["deviation"], 1)})
        if name != "pos-f2":
            report.bar(f"gibbs/{name}", colour["median"], f"gibbs_throughput_fovea {name}.model dev.tsv", spread=colour)
    report.write()


if __name__ == "__main__":
    task.run(main)
