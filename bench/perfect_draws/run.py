# SPDX-License-Identifier: Apache-2.0
"""Perfect draws (`fovea sample --perfect`), and what draws with restarts cost.

Bayesian networks: 400 independent draws of each; of all values with a probability between .02 and .98, the share whose
exact probability lies in the 95 % interval of the draws (Wilson's). Draws of one network share their values, so that the
share of a small network may be off.

Ising models of 64 x 64 spins at three temperatures, too wide to eliminate: coupling from the past, 100 draws. The mean
of the energy against the exact one, from Kac and Ward's determinant, in standard errors; the sum of their squares has a
chi-squared law with three degrees of freedom.

Restarts: seconds of 2,000 draws with restarts after 19 sweeps on average, against as many draws of one plain chain 19
sweeps apart, whole processes, the median of five rounds; and the distance to the model that is printed.
"""
import json
import math
import pathlib
import statistics
import tempfile

import numpy as np
from harness import data, fovea, measure, task
from harness.results import Report
from perfect_draws import ising

COMMAND = "bench/run.sh perfect_draws"
DRAWS, ISING_DRAWS, SIDE, BETAS = 400, 100, 64, (.2, .3, .4)
RATE, SWEEPS, RESTARTS, ROUNDS = .05, 19, 2000, 5


def drawn(model, path, *options):
    """(draws as [draw][variable], report)"""
    report = fovea.run_json("sample", model, *options, "--json", "-o", path)
    return np.loadtxt(path, delimiter=",", skiprows=1, dtype=int, ndmin=2)[:, 2:], report


def wilson(count, total, z=1.96):
    share, adjust = count / total, z * z / total
    middle = (share + adjust / 2) / (1 + adjust)
    half = z * math.sqrt(share * (1 - share) / total + adjust / (4 * total)) / (1 + adjust)
    return middle - half, middle + half


def networks(report, folder):
    inside = total = 0
    for path in sorted((data.directory() / "bif").glob("*.bif.gz")):
        exact = fovea.run_json("solve", path, "--task", "MAR", "--json")["marginals"]
        draws, told = drawn(path, folder / "draws.csv", "--perfect", "--chains", 1, "--draws", DRAWS)
        hits = []
        for variable, marginal in enumerate(exact):
            for value, probability in enumerate(marginal):
                if .02 < probability < .98:
                    low, high = wilson(int((draws[:, variable] == value).sum()), DRAWS)
                    hits.append(low <= probability <= high)
        inside += sum(hits)
        total += len(hits)
        report.add(table="Bayesian networks: 95 % intervals of 400 perfect draws", row={
            "network": path.name.removesuffix(".bif.gz"), "by": told["perfect"], "values": len(hits),
            "in the interval, %": round(100 * sum(hits) / len(hits), 1)})
    for side in ("least", "most"):
        report.bar(f"perfect_draws/coverage-{side}", 100 * inside / total, COMMAND, note=f"{total} values")


def ising_models(report, folder):
    squares = 0
    for beta in BETAS:
        model = folder / "ising.uai"
        ising.write_uai(model, SIDE, beta)
        run = measure.run(fovea.command("sample", model, "--perfect", "--chains", 1, "--draws", ISING_DRAWS, "--json",
                                        "-o", folder / "draws.csv"))
        draws = np.loadtxt(folder / "draws.csv", delimiter=",", skiprows=1, dtype=int)[:, 2:]
        mean, variance = ising.energy_moments(SIDE, beta)
        found = ising.energies(draws, SIDE)
        errors = (found.mean() - mean) / math.sqrt(variance / ISING_DRAWS)
        squares += errors**2
        report.add(table=f"Ising models of {SIDE} x {SIDE}, {ISING_DRAWS} perfect draws", row={
            "inverse temperature": beta, "by": json.loads(run.output)["perfect"], "exact mean energy": round(mean, 1),
            "mean of the draws": round(float(found.mean()), 1), "in standard errors": round(errors, 2),
            "variance, exact": round(variance), "of the draws": round(float(found.var(ddof=1))),
            "sweeps a draw": round(json.loads(run.output)["mean_sweeps"], 1),
            "ms a draw": round(1e3 * run.seconds / ISING_DRAWS, 1)})
    report.bar("perfect_draws/ising", squares, COMMAND)


def restarts(report, folder):
    worst = 0
    models = [data.directory() / "bif" / f"{name}.bif.gz" for name in ("cancer", "asia", "alarm")]
    grid = folder / "grid.uai"
    ising.write_uai(grid, 20, .2)
    for model in [*models, grid]:
        common = ("sample", model, "--chains", 1, "--draws", RESTARTS, "--threads", 1, "--json", "-o",
                  folder / "draws.csv")
        ratios, told = [], {}
        for _ in range(ROUNDS):
            plain = measure.run(fovea.command(*common, "--warm-up", 0, "--thin", SWEEPS))
            again = measure.run(fovea.command(*common, "--restart-rate", RATE))
            told = json.loads(again.output)
            ratios.append(again.seconds / plain.seconds)
        worst = max(worst, statistics.median(ratios))
        report.add(table="Draws with restarts", row={
            "model": "Ising of 20 x 20, .2" if model == grid else pathlib.Path(model).name.removesuffix(".bif.gz"),
            "sweeps a draw": round(told["mean_sweeps"], 1), "time, of the plain chain's": round(statistics.median(ratios), 2),
            "distance to the model, at most": "not known" if told["distance"] is None else round(told["distance"], 3)})
    report.bar("perfect_draws/restarts", worst, COMMAND)


def main():
    report = Report("perfect_draws")
    report.add(text=__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        networks(report, folder)
        ising_models(report, folder)
        restarts(report, folder)
    report.write()


if __name__ == "__main__":
    task.run(main)
