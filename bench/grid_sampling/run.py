# SPDX-License-Identifier: Apache-2.0
"""What does choosing strips save on the inpainting grids, against all sites in every round, in CPU seconds of one
thread? `python -m grid_sampling.run --quick` takes few seeds, prints and writes nothing.

Both arms anneal from .7 to .05 and descend twice, from the same random labels. The target is the checkerboard's mean
energy after 300, 1000 and 3000 rounds. Every other arm runs with fewer and with more rounds at the same temperatures,
and its cost at that energy is read off between them. Rules, and the threshold of hot bits, are tuned on ring-inverse; the
start of learning is a rule that was set by hand after a look at learned ones; the universal one was learned
from generated grids (`grid_sampling_universal`) and has seen neither.
"""
import bisect
import math

from harness import data, fovea, task
from harness.results import Report

SEEDS, GENERATIONS = 20, 8
QUICK_SEEDS, QUICK_GENERATIONS = 2, 1
NAMES = {"scored": "ring", "tuned on": "ring-inverse", "tiled": "2040 x 2040 tiled ring"}
BARS = {"scored": "ring", "tuned on": "inverse", "tiled": "tiled"}
BEST_KNOWN = {"scored": 484.60, "tuned on": 424.12}
SOLVE = "fovea solve triplepoint4-plain-ring-inverse.h5 --time-limit 1s --threads 2"
COMMAND = "grid_sampling_study triplepoint4-plain-ring-inverse.h5 triplepoint4-plain-ring.h5"


def spent_at(records, energy, key):
    """The cost at which an arm's mean energy passes `energy`. Logarithms are interpolated, never extrapolated. None if
    the arm's longest run does not reach it."""
    records = sorted(records, key=lambda record: record["rounds"])
    reached = [record["energy"] <= energy for record in records]
    if True not in reached:
        return None
    i = reached.index(True)
    if i == 0:
        return records[0][key]
    before, after = records[i - 1], records[i]
    share = (before["energy"] - energy) / (before["energy"] - after["energy"])
    return math.exp((1 - share) * math.log(before[key]) + share * math.log(after[key]))


def compare(report, records):
    """Adds rows of one model and target; returns arm -> (times fewer seconds, times fewer transitions)."""
    target = next(record for record in records if record["arm"] == "checkerboard")
    savings = {}
    for arm in dict.fromkeys(record["arm"] for record in records):
        runs = [record for record in records if record["arm"] == arm]
        spent = {key: spent_at(runs, target["energy"], key) for key in ("seconds", "transitions")}
        savings[arm] = tuple(target[key] / spent[key] if spent[key] else None for key in spent)
        report.add(table=f"To the checkerboard's energy, {NAMES[target['model']]}", row={
            "rounds": target["target_rounds"], "energy": round(target["energy"], 2), "arm": arm,
            "ms": "not reached" if spent["seconds"] is None else round(1e3 * spent["seconds"], 2),
            "times fewer seconds": savings[arm][0] or "", "times fewer transitions": savings[arm][1] or ""})
    return savings


def saving_bars(report, model, savings):
    """The worst of the targets counts; `learned` is the rule that sees neighbours."""
    for kind, key in enumerate(("seconds", "transitions")):
        values = [arms["learned, H=1"][kind] for arms in savings]
        if model == "scored" or key == "seconds":
            report.bar(f"grid-{key}/{BARS[model]}", None if None in values else min(values), COMMAND)
    if model == "scored":
        for bar, rival in (("hot-bits", "hot bits, tuned threshold"), ("start", "the start of learning")):
            pairs = [(arms["learned, H=1"][0], arms[rival][0]) for arms in savings]
            known = [a / b for a, b in pairs if a and b]
            report.bar(f"grid-learned/{bar}", min(known) if known else None, COMMAND)
        shares = [math.log(arms["universal"][0]) / math.log(arms["learned, H=1"][0]) for arms in savings
                  if arms["universal"][0] and (arms["learned, H=1"][0] or 0) > 1]
        report.bar("grid-universal/ring", 100 * sum(shares) / len(shares) if shares else None, COMMAND)


def solved_energies(path, seeds):
    """Energies of whole processes, reading included."""
    return [-fovea.run_json("solve", path, "--time-limit", "1s", "--threads", 2, "--seed", seed, "--json")["score"]
            for seed in range(seeds)]


def reached(model, energies):
    return bisect.bisect_right(sorted(energies), BEST_KNOWN[model])


def add_reached(report, model, seconds, method, energies):
    energies = sorted(energies)
    report.add(table="Least energies", row={
        "model": NAMES[model], "seconds": seconds, "by": method, "median": energies[len(energies) // 2],
        "largest": energies[-1], "best known": f"{reached(model, energies)} of {len(energies)} seeds"})


def main():
    is_quick = task.wants_quick_run("Measure what choosing strips saves on grids.")
    folder = data.directory() / "inpainting"
    grids = [folder / f"triplepoint4-plain-{name}.h5" for name in ("ring-inverse", "ring")]
    if not all(grid.exists() for grid in grids):
        raise data.Missing(f"{folder} is not there; set FOVEA_DATA")
    report = Report("grid_sampling")
    report.add(text=__doc__)
    records = fovea.study("grid_sampling_study", *grids, *((QUICK_SEEDS, QUICK_GENERATIONS) if is_quick else (SEEDS, GENERATIONS)))
    for record in records:
        if "rule" in record:
            report.add(table="Learning a rule on ring-inverse", row={
                "rule": record["rule"], "CPU seconds": round(record["learning_seconds"], 1),
                "weights": " ".join(f"{weight:.2g}" for weight in record["weights"])})
    for model in NAMES:
        runs = [record for record in records if record.get("model") == model and "arm" in record]
        targets = dict.fromkeys(record["target_rounds"] for record in runs)
        saving_bars(report, model, [compare(report, [r for r in runs if r["target_rounds"] == t]) for t in targets])
    for record in records:
        if "reach_seconds" in record:
            add_reached(report, record["model"], record["reach_seconds"], "grid annealing alone", record["energies"])
            if record["model"] == "scored":
                report.bar("grid-reach/ring", reached("scored", record["energies"]), COMMAND)
    energies = solved_energies(grids[0], QUICK_SEEDS if is_quick else SEEDS)
    add_reached(report, "tuned on", 1, SOLVE, energies)
    report.bar("grid-reach/inverse", reached("tuned on", energies), SOLVE)
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
