# SPDX-License-Identifier: Apache-2.0
"""The same through `fovea sample --exactness`, with 10,000 factors a variable, on two models, five of each. "Labels" is
the paper's model, with the mean of the factors: 20 entities, each with its own factors. "Pairs" has ten binary
variables and 1,111 factors for each pair of them, so that no variable can be decided alone. One chain starts at random
and has no warm-up; errors are means over variables. "All factors" has the draws of "exact", counted as if every
decision had looked at all factors; "exact" decides the same but stops when those left cannot change the decision. Gibbs
sampling, the default of `fovea sample`, adds up a variable's own factors once and for all, so on the labels it is the
best choice; it cannot do so for pairs. How many draws a chain takes to an error of .04 varies much, and the last two
columns with it; the share of the factors that a decision looks at does not.
"""
import csv
import itertools
import json
import math
import random
import statistics
import tempfile
from pathlib import Path

from harness import fovea, measure

SEEDS = range(1, 6)
DRAWS = 2000
ENTITIES, PAIRED, FACTORS = 20, 10, 10_000
TARGET = .04
LIMITS = {"labels": ("width:5e-5", "estimate:1e-10"), "pairs": ("width:1e-4", "estimate:1e-9")}
RULES = ("exact", "bounded:0.05", "bounded:0.01", "fraction:0.1", "fraction:0.01")
DRAWN = ("all factors", "exact", "bounded:0.05", *itertools.chain(*LIMITS.values()), "fraction:0.1", "fraction:0.01")
SHOWN = (1000, 10_000, 100_000, 1_000_000)  # factors a variable


def labels(draw):
    """(scope, log table) of each factor: f_j(true) ~ N(.5, 1), f_j(false) ~ N(-.5, 1), divided by their number."""
    for entity in range(ENTITIES):
        for _ in range(FACTORS):
            yield (entity,), [draw.gauss(mean, 1) / FACTORS for mean in (-.5, .5)]


def pairs(draw):
    """As labels(); the factors of a pair share a table, of N(0, 1) scores in all, to which each adds its own noise."""
    each = FACTORS // (PAIRED - 1)
    for first in range(PAIRED):
        for second in range(first):
            shared = [draw.gauss(0, 1) for _ in range(4)]
            for _ in range(each):
                yield (first, second), [score / each + draw.gauss(0, 1) / FACTORS for score in shared]


def write_model(path, variables, factors):
    factors = list(factors)
    with open(path, "w", encoding="ascii") as output:
        print("MARKOV", variables, " ".join("2" * variables), len(factors), sep="\n", file=output)
        for scope, _ in factors:
            print(len(scope), *scope, file=output)
        for _, table in factors:
            print(len(table), *(repr(math.exp(score)) for score in table), file=output)


def errors(path, truth):
    """[draw]: the mean error of the marginals of all draws so far."""
    sums, result = [0] * len(truth), []
    with open(path, encoding="ascii") as rows:
        for number, (_, _, *values) in enumerate(list(csv.reader(rows))[1:], 1):
            sums = [total + int(value) for total, value in zip(sums, values)]
            result.append(statistics.fmean(abs(total / number - p) for total, p in zip(sums, truth)))
    return result


def sample(folder, model, rule, seed, truth):
    """(errors by draw, a variable's factors in a sweep, those of them that were looked at)."""
    draws = Path(folder) / "draws.csv"
    run = measure.run(fovea.command("sample", model, "--chains", 1, "--warm-up", 0, "--draws", DRAWS, "--seed", seed,
                                    "--exactness", rule, "--json", "-o", draws, "-q"))
    work = json.loads(run.output)["proposals"]
    scale = 1 / DRAWS / len(truth)
    return errors(draws, truth), work["factors"] * scale, work["factors_looked_at"] * scale


def settled(curve):
    """The number of draws from which on the error is at most TARGET; infinite if it ends above."""
    above = [number for number, error in enumerate(curve, 1) if error > TARGET]
    if not above:
        return 1
    return above[-1] + 1 if above[-1] < len(curve) else math.inf


class Arm:
    """What one rule did on the models of all seeds."""

    def __init__(self, name):
        self.name, self.curves, self.needed, self.shares, self.costs = name, [], [], [], []

    def add(self, curve, all_factors, looked_at):
        self.curves.append(curve)
        self.needed.append(settled(curve) * looked_at)
        self.shares.append(looked_at / all_factors)
        self.costs.append(looked_at)

    def error_after(self, factors):
        """The mean error over the seeds when a variable has had this many factors looked at; None if it has not."""
        at = round(factors / statistics.fmean(self.costs))
        return statistics.fmean(curve[at - 1] for curve in self.curves) if 1 <= at <= DRAWS else None

    def points(self):
        counts = sorted({round(DRAWS ** (i / 24)) for i in range(25)})
        cost = statistics.fmean(self.costs)
        return [[count * cost, statistics.fmean(curve[count - 1] for curve in self.curves)] for count in counts]

    def row(self, baseline):
        ratios = [all_of / own for all_of, own in zip(baseline.needed, self.needed)]
        at = {f"{n:,}": "" if (e := self.error_after(n)) is None else f"{e:.4f}" for n in SHOWN}
        return {"decisions": self.name, "share looked at": f"{statistics.fmean(self.shares):.2%}", **at,
                "at the end": summary(curve[-1] for curve in self.curves),
                f"factors to {TARGET}": summary(self.needed), "times fewer": summary(ratios)}


def summary(values):
    """The median and the spread, or a text if they are not all finite."""
    values = list(values)
    if missed := sum(not 0 < value < math.inf for value in values):
        return f"not reached by {missed} of {len(values)}"
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def truth_of(model):
    return [marginal[1] for marginal in fovea.run_json("solve", model, "--task", "MAR", "--json", "-q")["marginals"]]


def arms_of(name, make, variables):
    """Runs every rule on five models; refuses to report if exact decisions miss the marginals."""
    rules = [*RULES[:3], *LIMITS[name], *RULES[3:]]
    arms = {rule: Arm(rule) for rule in ["all factors", *rules]}
    with tempfile.TemporaryDirectory() as folder:
        for seed in SEEDS:
            model = Path(folder) / "model.uai"
            write_model(model, variables, make(random.Random(seed)))
            truth = truth_of(model)
            for rule in rules:
                curve, all_factors, looked_at = sample(folder, model, rule, seed, truth)
                arms[rule].add(curve, all_factors, looked_at)
                if rule == "exact":
                    arms["all factors"].add(curve, all_factors, all_factors)
                    if curve[-1] > TARGET:
                        raise measure.Failed(f"{name}, seed {seed}: exact decisions are off by {curve[-1]}")
    return arms


def add_to(report):
    report.add(text=__doc__)
    for name, make, variables in (("labels", labels, ENTITIES), ("pairs", pairs, PAIRED)):
        arms = arms_of(name, make, variables)
        for arm in arms.values():
            report.add(table=f"Error of the marginals by factors looked at, a variable: {name}",
                       row=arm.row(arms["all factors"]))
        report.add(figure=f"subsampling-{name}.svg", title=f"Marginals of {name}, 10,000 factors a variable",
                   x="factors looked at, a variable", y="mean error of the marginals", log_x=True, log_y=True,
                   curves=[{"label": arm.name, "points": arm.points()} for arm in arms.values() if arm.name in DRAWN])
        bounded = arms["bounded:0.05"]
        ratios = summary(a / b for a, b in zip(arms["all factors"].needed, bounded.needed))
        ends = summary(curve[-1] for curve in bounded.curves)
        command = "bench/run.sh entity_classification"
        report.bar(f"subsample/{name}-factors", ratios["median"], command, spread=ratios)
        report.bar(f"subsample/{name}-error", ends["max"], command, spread=ends)
