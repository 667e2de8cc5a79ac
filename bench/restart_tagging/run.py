# SPDX-License-Identifier: Apache-2.0
"""Taggers run through strong Doeblin chains (`fovea train --family doeblin`): Gibbs sweeps in the model of letter
n-grams up to four, with restarts from the exact chain of letter pairs, trained as they are run. Handwritten letters:
folds 1 to 9 are trained on, fold 0 is scored, by 16 runs of each word; as restart rates fall, more sweeps follow a
restart.

Next to them are the ends of the scale: the chain of pairs alone, which is exact, and the model of all n-grams trained
by Gibbs sampling without restarts and decoded by a beam, which promises nothing about how it mixes. Then comes the
paper's gradient estimator against ours: the training likelihood after the same passes of the same runs on average,
three seeds.
"""
import statistics

from harness import data, fovea, measure, task
from harness.results import Report

FEATURES = ("--features", "pixels")
RATES = (.5, .25, .125, .0625)
SEEDS = (1, 2, 3)


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


def row(report, name, facts, score):
    curve = facts.get("curve", [])
    rate = facts.get("restart_rate")
    report.add(table="Handwritten letters", row={
        "tagger": name, "restart rate": "" if rate is None else f"{rate:.4g}",
        "sweeps after a restart": "" if rate is None else f"{1 / rate - 1:.3g}", "accuracy": round(score[0], 4),
        "log-likelihood of a training letter": "" if rate is None else
        f"{-curve[-1]['objective']:.4f} +- {1.96 * curve[-1]['error']:.4f}",
        "training seconds": round(facts["seconds"], 1), "tagging seconds": round(score[1], 3)})


def main():
    report = Report("restart_tagging")
    report.add(text=__doc__)
    folds, _, test = data.letters()
    model, facts = train(folds, "pairs", "--factor-size", 2)
    row(report, "the chain of pairs", facts, tagged(model, test))
    for rate in RATES:
        model, facts = train(folds, f"{rate}", "--family", "doeblin", "--factor-size", 4, "--restart-rate", rate)
        row(report, "with restarts", facts, tagged(model, test))
    model, facts = train(folds, "learned", "--family", "doeblin", "--factor-size", 4)
    row(report, "with restarts, the rate learned", facts, tagged(model, test))
    row(report, "the same, restarted until settled by 2 errors", facts, tagged(model, test, "--settled", 2))
    model, facts = train(folds, "gibbs", "--factor-size", 4, "--gradient", "gibbs")
    facts.pop("curve", None)
    row(report, "no restarts, a beam", facts, tagged(model, test, "--method", "beam"))
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
