# SPDX-License-Identifier: Apache-2.0
"""Table 1 of Steinhardt and Liang (2015, section 5) in steps of the chain alone: 0, 1 and 2 stages, cold and hot.

Whole processes that find invariants spend their time in the solver, so they cannot tell chains apart. Here the
counterexample loop runs once for each program (loops of the SyGuS competitions of 2018 and 2019, and five like the
paper's); the examples that it ends with, among them implications, are then given to the chains alone, 100 seeds each.
Steps are Metropolis-Hastings steps and restarts; a run that finds no formula within 100,000 counts with 100,000.
Formulas have 3 x 3 comparisons, stages are left with the paper's probabilities, .04 and .0002.

Means of steps are geometric means over programs of the mean over seeds. "Hard" are programs on which some method needs
more than 10,000 steps in the mean. Steps are counts: they do not depend on the machine.
"""
import lzma
import pathlib
import statistics
import tarfile
import tempfile

from harness import data, fovea, task
from harness.results import Report

SEEDS, MOST_STEPS = "100", "1e5"
COMMAND = "bench/run.sh chain_steps"
HARD = 1e4


def loops(folder):
    """Files of the paper's programs and of both competitions."""
    root = data.directory() / "invariants"
    packed = root / "sygus2019_xc.tar.xz"
    if not packed.exists():
        raise data.Missing(f"{packed.name} is not there; set FOVEA_DATA")
    with lzma.open(packed) as stream, tarfile.open(fileobj=stream) as archive:
        archive.extractall(folder, filter="data")
    return [*sorted((root / "papers").glob("*.sl")), *sorted((root / "sygus").glob("*.sl")),
            *sorted(pathlib.Path(folder).rglob("*.sl"))]


def mean_steps(records, stages, temperature):
    """[program] mean over seeds."""
    return [statistics.mean(method["steps"]) for record in records for method in record["methods"]
            if (method["stages"], method["temperature"]) == (stages, temperature)]


def unsolved(records, stages, temperature):
    steps = [s for record in records for method in record["methods"]
             if (method["stages"], method["temperature"]) == (stages, temperature) for s in method["steps"]]
    return sum(s >= float(MOST_STEPS) for s in steps) / len(steps)


def add_table(report, title, records):
    methods = [(m["stages"], m["temperature"]) for m in records[0]["methods"]]
    for temperature in sorted({temperature for _, temperature in methods}):
        means = {stages: mean_steps(records, stages, temperature) for stages in ("0", "1", "2")}
        row = {"temperature": temperature}
        for stages, values in means.items():
            row[f"{stages} stages, steps"] = round(statistics.geometric_mean(values))
            row[f"{stages} stages, not found"] = f"{unsolved(records, stages, temperature):.1%}"
        for rival in ("0", "1"):
            ratios = [a / b for a, b in zip(means[rival], means["2"])]
            row[f"{rival} over 2, median (most)"] = f"{statistics.median(ratios):.2f} ({max(ratios):.1f})"
        report.add(table=f"{title}: {len(records)}", row=row)


def best_gain(records):
    """The largest factor, over temperatures, by which two stages take fewer steps than the best of 0 and 1."""
    gains = {}
    for temperature in {m["temperature"] for m in records[0]["methods"]}:
        zero, one, two = (statistics.geometric_mean(mean_steps(records, stages, temperature)) for stages in "012")
        gains[temperature] = min(zero, one) / two
    temperature = max(gains, key=gains.get)
    return gains[temperature], temperature


def main():
    is_quick = task.wants_quick_run("Count the steps of chains on the examples of real programs.")
    report = Report("chain_steps")
    report.add(text=__doc__)
    with tempfile.TemporaryDirectory() as folder:
        files = loops(folder)[::12 if is_quick else 1]
        records = fovea.study("chain_steps_study", "5" if is_quick else SEEDS, MOST_STEPS, *files)
    found = [record for record in records if record["methods"]]
    report.add(text=f"Of {len(records)} files, the portfolio found an invariant of {len(found)} by the chain alone, within "
                    "200 candidates and 2 million steps without one.")
    hard = [record for record in found if max(statistics.mean(m["steps"]) for m in record["methods"]) > HARD]
    add_table(report, "All programs", found)
    if hard:
        add_table(report, "Hard programs", hard)
        gain, temperature = best_gain(hard)
        report.bar("chain-steps/two-stages", gain, COMMAND, note=f"at temperature {temperature}")
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
