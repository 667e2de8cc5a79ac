# SPDX-License-Identifier: Apache-2.0
"""Taggers run through strong Doeblin chains (`fovea train --family doeblin`): Gibbs sweeps in the model of letter
n-grams up to four, with restarts from the exact chain of letter pairs, trained as they are run. Handwritten letters:
folds 1 to 9 are trained on, fold 0 is scored, by 16 runs of each word; as restart rates fall, more sweeps follow a
restart.

Next to them are the chain of pairs alone, which is exact; the model of all n-grams trained by exact sums, as `fovea
train` does by default, and decoded by a beam; and the same trained by Gibbs sampling without restarts. Where something
is drawn, the figures are means of five seeds with the least and the largest. Then comes the paper's gradient estimator
against ours: the training likelihood after the same passes of the same runs on average.
"""
import statistics

from harness import data, fovea, measure, task
from harness.results import Report

FEATURES = ("--features", "pixels")
RATES = (.25, .125, .0625, .03125)
SEEDS = (1, 2, 3, 4, 5)
COMMAND = "bench/run.sh restart_tagging"


def train(folds, name, *options):
    """(model, what training reports)"""
    model = data.CACHE / "models" / f"restarts-{name}.model"
    model.parent.mkdir(parents=True, exist_ok=True)
    return model, fovea.run_json("train", *FEATURES, *options, *folds, "-o", model, "--json")


def tagged(model, test, *options):
    """(accuracy, seconds of the fastest of three runs)"""
    output = model.with_suffix(".tagged")
    runs = [measure.run(fovea.command("tag", *FEATURES, model, *options, test, "-o", output)) for _ in range(3)]
    return fovea.run_json("eval", "tags", "--json", output)["accuracy"], min(run.seconds for run in runs)


def rows_of(folds, test, name, options, tagging=(), seeds=SEEDS):
    """(facts of the last seed, accuracies, seconds), one for each seed."""
    accuracies, seconds = [], []
    for seed in seeds:
        model, facts = train(folds, f"{name}-{seed}", *options, "--seed", seed)
        accuracy, taken = tagged(model, test, *tagging)
        accuracies.append(accuracy)
        seconds.append(taken)
    return facts, accuracies, seconds


def row(report, name, facts, accuracies, seconds):
    curve = facts.get("curve", [])
    rate = facts.get("restart_rate")
    report.add(table="Handwritten letters", row={
        "tagger": name, "restart rate": "" if rate is None else f"{rate:.4g}",
        "sweeps after a restart": "" if rate is None else f"{1 / rate - 1:.3g}",
        "accuracy": f"{statistics.mean(accuracies):.4f} ({min(accuracies):.4f} .. {max(accuracies):.4f})",
        "log-likelihood of a training letter": "" if rate is None else
        f"{-curve[-1]['objective']:.4f} +- {1.96 * curve[-1]['error']:.4f}",
        "training seconds": round(facts["seconds"], 1), "tagging seconds": round(statistics.median(seconds), 3)})


def main():
    report = Report("restart_tagging")
    report.add(text=__doc__)
    folds, _, test = data.letters()
    row(report, "the chain of pairs", *rows_of(folds, test, "pairs", ("--factor-size", 2), seeds=(1,)))
    exact = rows_of(folds, test, "exact", ("--factor-size", 4), ("--method", "beam"), seeds=(1,))
    row(report, "no restarts, exact sums, a beam", *exact)
    best = None
    for rate in RATES:
        found = rows_of(folds, test, f"{rate}", ("--family", "doeblin", "--factor-size", 4, "--restart-rate", rate))
        row(report, "with restarts", *found)
        if best is None or statistics.mean(found[1]) > statistics.mean(best[1]):
            best = found
    learned = rows_of(folds, test, "learned", ("--family", "doeblin", "--factor-size", 4))
    row(report, "with restarts, the rate learned", *learned)
    row(report, "no restarts, Gibbs sampling, a beam",
        *rows_of(folds, test, "gibbs", ("--factor-size", 4, "--gradient", "gibbs"), ("--method", "beam")))
    for key, found in (("learned", learned), ("best", best)):
        points = measure.summary(100 * (accuracy - exact[1][0]) for accuracy in found[1])
        report.bar(f"restart_tagging/{key}", points["median"], COMMAND, spread=points)
    report.bar("restart_tagging/seconds", statistics.median(best[2]) / exact[2][0], COMMAND)
    for stratified in (False, True):
        options = ("--family", "doeblin", "--factor-size", 4, "--restart-rate", .25, "--iterations", 2,
                   *(() if stratified else ("--no-stratified",)))
        ends = [train(folds, "estimator", *options, "--seed", seed)[1]["curve"] for seed in SEEDS]
        report.add(table="Log-likelihood of a training letter", row={
            "estimator": "stratified lengths, advantages" if stratified else "the paper's",
            **{f"pass {p + 1}": f"{-statistics.mean(end[p]['objective'] for end in ends):.4f} "
                                f"(sd {statistics.stdev(end[p]['objective'] for end in ends):.4f})" for p in range(2)}})
    report.write()


if __name__ == "__main__":
    task.run(main)
