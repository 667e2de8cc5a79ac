# SPDX-License-Identifier: Apache-2.0
"""Formulas in disjunctive normal form from labelled rows (section 5 of Steinhardt and Liang 2015, "Learning fast-mixing
models for structured prediction"): the paper's 0, 1 and 2 stages and the portfolio, at several temperatures, on one
thread, in CPU seconds. `python -m dnf_search.run --quick` takes few seeds, prints and writes nothing.

Each seed is another made-up formula (coefficients and bounds in -1 .. 1, integers in -4 .. 4) and another chain.
Figures are means with their standard error over seeds; a search that finds nothing within its limit counts with the
limit. Stages are left with the paper's probabilities, .04 and .0002; it does not say at which temperature.

The five programs are like those of the paper's task: whole processes find invariants by the counterexample loop, with
the chain alone.
"""
import json
import math
import statistics
import subprocess

from harness import data, fovea, task
from harness.results import Report

SEEDS, MOST_STEPS = 100, "2e7"
QUICK_SEEDS, QUICK_MOST_STEPS = 5, "3e6"
PROGRAMS = ("fig1", "cegar2", "nested", "gj2007", "tacas")
PROGRAM_SECONDS = 60
STAGES = ("0", "1", "2", "portfolio")
COMMAND, COMMAND_OF_TASK = "dnf_search_study", "bench/run.sh dnf_search"


def with_error(values, digits):
    """mean (standard error)"""
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0
    return f"{statistics.mean(values):.{digits}f} ({error:.{digits}f})"


def add_throughput(report, record):
    rates = sorted(rate / 1e6 for rate in record["steps_per_second"])
    report.add(table="Metropolis-Hastings steps, 3 x 3 inequalities, 5 variables, 2 stages", row={
        "rows": record["rows"], "million steps a second": round(statistics.median(rates), 1),
        "least": round(rates[0], 1), "most": round(rates[-1], 1)})
    if record["rows"] == 100:
        report.bar("dnf-steps/100", statistics.median(rates), COMMAND, spread={"min": rates[0], "max": rates[-1]})


def add_problem(report, record):
    report.add(table=f"{record['problem']}: formulas found", row={
        "stages": record["stages"], "temperature": record["temperature"],
        "found": f"{record['found']} of {len(record['steps'])}",
        "thousand steps": with_error([steps / 1e3 for steps in record["steps"]], 1),
        "ms": with_error([1e3 * seconds for seconds in record["seconds"]], 2)})


def has_programs():
    """Whether this program finds invariants, and theirs are here."""
    known = subprocess.run(fovea.command("synth", "inv", "--help"), capture_output=True, check=False).returncode == 0
    return known and any((data.directory() / "invariants" / "papers").glob("*.sl"))


def program_seconds(path, stages, seed):
    """Seconds of the whole process; None if it found no invariant."""
    command = fovea.command("synth", "inv", path, "--no-spacer", "--no-clauses", "--stages", stages, "--seed", seed, "--time-limit",
                            f"{PROGRAM_SECONDS}s", "--json")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(run.stdout.splitlines()[0])["seconds"] if run.returncode == 0 else None


def add_programs(report, seeds):
    folder = data.directory() / "invariants" / "papers"
    means, solved, asked = [], 0, 0
    for program in PROGRAMS:
        path, = folder.glob(f"*{program}*.sl")
        row = {"program": path.stem}
        for stages in STAGES:
            seconds = [program_seconds(path, stages, seed) for seed in range(1, seeds + 1)]
            counted = [PROGRAM_SECONDS if s is None else s for s in seconds]
            row[f"{stages} stages" if stages.isdigit() else stages] = with_error(counted, 3)
            if stages == "portfolio":
                means.append(statistics.mean(counted))
                solved += sum(s is not None for s in seconds)
                asked += seeds
        report.add(table="Invariants of the paper's programs, the chain alone: mean seconds", row=row)
    report.bar("programs/solved", 100 * solved / asked, COMMAND_OF_TASK, note=f"{solved} of {asked}")
    report.bar("programs/slowest", max(means), COMMAND_OF_TASK)


def main():
    is_quick = task.wants_quick_run("Measure how soon formulas are found.")
    seeds, most_steps = (QUICK_SEEDS, QUICK_MOST_STEPS) if is_quick else (SEEDS, MOST_STEPS)
    report = Report("dnf_search")
    report.add(text=__doc__)
    for record in fovea.study("dnf_search_study", seeds, most_steps):
        (add_throughput if "rows" in record else add_problem)(report, record)
    if has_programs():
        add_programs(report, seeds)
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
