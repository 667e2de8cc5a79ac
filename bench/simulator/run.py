# SPDX-License-Identifier: Apache-2.0
"""Fits properties of a wall to experiments, each a simulation of about a millisecond: who calls the simulator least?

A wall has four or eight unknown properties (bench/simulator/study.cc has the equations); 15 temperatures are measured, each
in an experiment of its own, with noise of .3 degrees. Message passing computes messages by sigma points (posterior
linearisation), with all calls of the simulator, and with its values recalled where they can be interpolated; both begin
each wall with nothing known. Distances are from importance sampling of the whole posterior around its mode, in its
standard deviations: means of {draws4} and {draws8} draws, whose own error is in the table. Eight unknowns are damped by .3
and four are not; this, the allowed error of values (.01) and the number of held-out values (100) were chosen on walls of
another seed.

Three other ways are shown. A Gaussian at the mode takes all experiments at once by Gauss-Newton steps: it is not message
passing, needs no recall, and is the cheapest here. Messages to each unknown, not to the vector of all, lose what is known
together: they are confidently wrong. Messages that are recalled themselves, as published, are hardly ever trusted: there
are too many numbers in them.
"""
import statistics

from harness import fovea, task
from harness.measure import summary
from harness.results import Report

COMMAND = "bench/run.sh simulator"
SEEDS, EXPERIMENTS = range(1, 6), 15
DRAWS = {4: 1500, 8: 1000}
NAMES = {"sigma_points": "sigma points", "recalled": "sigma points, values recalled", "mode": "a Gaussian at the mode",
         "factorised": "to each unknown, values recalled", "messages": "to each unknown, messages recalled"}


def records_of(seeds, draws):
    """One wall for each number of unknowns and seed; the slow recall of messages for the first alone."""
    for unknowns in DRAWS:
        for seed in seeds:
            first = ["messages"] if unknowns == 4 and seed == seeds[0] else []
            record, = fovea.study("simulator_study", unknowns, 1, EXPERIMENTS, draws[unknowns], seed, *first)
            yield {"seed": seed, **record}


def write(report, records):
    for unknowns in DRAWS:
        walls = [record for record in records if record["unknowns"] == unknowns]
        for record in walls:
            for way, name in NAMES.items():
                if way not in record:
                    continue
                answer = record[way]
                report.add(table=f"{unknowns} unknowns", row={
                    "seed": record["seed"], "way": name, "calls": answer["calls"],
                    "CPU s": round(answer["cpu_seconds"], 2),
                    "recalled, %": round(100 * answer["recalled"], 1) if "recalled" in answer else "",
                    "settled": "yes" if answer["converged"] else "no", "gap of means (sd)": round(answer["rms_gap"], 3),
                    "ratio of sd": f"{answer['least_ratio']:.2f} .. {answer['largest_ratio']:.2f}",
                    "ms a call": round(record["milliseconds"], 2),
                    "reference's error (sd)": round(record["reference_worth"] ** -.5, 3)})
        faster = [r["sigma_points"]["cpu_seconds"] / r["recalled"]["cpu_seconds"] for r in walls]
        report.bar(f"simulator/{unknowns}/faster", statistics.median(faster), COMMAND, spread=summary(faster))
        shares = [100 * r["recalled"]["recalled"] for r in walls]
        report.bar(f"simulator/{unknowns}/recalled", statistics.median(shares), COMMAND, spread=summary(shares))
        more = [r["recalled"]["rms_gap"] - r["sigma_points"]["rms_gap"] for r in walls]
        report.bar(f"simulator/{unknowns}/error", statistics.median(more), COMMAND, spread=summary(more))


def main():
    is_quick = task.wants_quick_run(__doc__)
    report = Report("simulator")
    report.add(text=__doc__.format(draws4=DRAWS[4], draws8=DRAWS[8]))
    seeds = SEEDS[:1] if is_quick else SEEDS
    write(report, list(records_of(seeds, {unknowns: 100 for unknowns in DRAWS} if is_quick else DRAWS)))
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
