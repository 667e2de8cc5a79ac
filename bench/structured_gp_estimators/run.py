# SPDX-License-Identifier: Apache-2.0
"""The estimators of Galliani, Dezfouli, Bonilla and Quadrianto (2017) are compared with natural gradients. What do
gradients from a likelihood's values alone cost, on the first two folds of four tasks (the estimators on all five of
Japanese NE)?

GP-VAR-B: score function with control variates, L-BFGS, 10,000 draws a sequence. GP-VAR-S: SAGA, 4,000 draws. GP-VAR-P:
the same with the piecewise pseudo-likelihood. All have 500 inducing points and the linear kernel of variance 1, on one
thread, and each ends after the time stated; the paper's runs took up to five and a half hours on several cores. Errors
count labels that the training part lacks as label 0. A run's curve is its own trace: error and mean log p of a label on
the test part.
"""
import json
import statistics

from harness import task
from harness.results import Report
from structured_gp.run import TASKS, predictions, scores, train, unpacked, write_folds

SECONDS = {"basenp": 240, "chunking": 320, "segmentation": 120, "japanesene": 240}  # of stochastic gradients
FOLDS = 2
MORE_FOLDS = {"japanesene": 5}  # of the paper's estimators; here the first two are harder than the others
COMMAND = "bench/run.sh structured_gp_estimators"
METHODS = {  # the share of those seconds (0 runs to the end), and words
    "natural gradients": (0, "--inference", "natural-gradient", "--means", "inducing-points"),
    "natural gradients, free means": (0, "--inference", "natural-gradient", "--means", "attributes"),
    "slice sampling": (1 / 2, "--inference", "slice-sampling"),
    "GP-VAR-B": (1 / 6, "--inference", "score-function"),
    "GP-VAR-S": (1, "--inference", "saga"),
    "GP-VAR-P": (1, "--inference", "saga", "--likelihood", "pseudo"),
    "GP-VAR-B without control variates": (1 / 6, "--inference", "score-function", "--no-control-variates"),
}
PRINTED = {  # error and standard deviation of table 1
    "GP-VAR-B": {"basenp": (5.17, .41), "chunking": (8.76, 1.09), "segmentation": (15.61, 1.90),
                 "japanesene": (5.23, .68)},
    "GP-VAR-S": {"basenp": (5.27, .24), "chunking": (10.02, .41), "segmentation": (14.97, 1.38),
                 "japanesene": (4.99, .41)},
    "GP-VAR-P": {"basenp": (5.37, .33), "chunking": (9.58, .87), "segmentation": (15.16, 1.57),
                 "japanesene": (4.80, .65)},
    "slice sampling": {"basenp": (4.81, .47), "chunking": (8.77, 1.08), "segmentation": (14.88, 1.80),
                       "japanesene": (5.83, .83)},
}


def run(paths, words):
    """Scores, and the lines of the trace."""
    model, trace = paths[0].with_suffix(".gp"), paths[0].with_suffix(".jsonl")
    facts, _ = train(paths[0], model, "--family", "gp", "--dev", paths[1], "--trace", trace, *words, threads=1)
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    return {**scores(predictions(model, paths[1])), "seconds": facts["fit"]["seconds"],
            "iterations": facts["fit"]["steps"], "bound": facts["fit"]["bound"]}, lines


def add_figures(report, name, traces):
    for figure, key, scale, axis in (("error", "dev_error", 100, "wrong labels, %"),
                                     ("density", "dev_log_density", -1, "- log p of a label, nats")):
        report.add(figure=f"structured-gp-{name}-{figure}.svg", title=f"{name}, first fold: test part while training",
                   x="seconds", y=axis, log_x=True,
                   curves=[{"label": method, "points": [[line["seconds"], scale * line[key]] for line in lines]}
                           for method, lines in traces.items() if "without" not in method])


def words_of(method, name):
    share, *words = METHODS[method]
    return (*words, "--time-limit", f"{share * SECONDS[name]:.0f}s") if share > 0 else words


def add_bar(report, method, name, results):
    mean = statistics.mean(result["error"] for result in results)
    printed, deviation = PRINTED[method][name]
    short = method.lower().replace(" ", "-")
    report.bar(f"gp-paper/{short}/{name}", (mean - printed) / deviation, COMMAND,
               note=f"{mean:.2f} % on {len(results)} folds in {words_of(method, name)[-1]} each; "
                    f"printed {printed} ({deviation})")


def main():
    root = unpacked()
    report = Report("structured_gp_estimators")
    report.add(text=__doc__)
    for name in TASKS:
        folds = write_folds(root, name)
        traces = {}
        for method in METHODS:
            if "without" in method and name != "japanesene":
                continue
            count = MORE_FOLDS.get(name, FOLDS) if method.startswith("GP-VAR") and "without" not in method else FOLDS
            runs = [run(paths, words_of(method, name)) for paths in folds[:count]]
            results = [result for result, _ in runs]
            traces[method] = runs[0][1]
            printed = PRINTED.get(method, {}).get(name)
            report.add(table=name, row={
                "method": method,
                "error %, fold by fold": " ".join(f"{result['error']:.2f}" for result in results),
                "printed, five folds": f"{printed[0]} ({printed[1]})" if printed else "-",
                "-log p": f"{statistics.mean(result['nll'] for result in results):.3f}",
                "seconds": f"{statistics.mean(result['seconds'] for result in results):.1f}",
                "bound": f"{statistics.mean(result['bound'] for result in results):.0f}"})
            if printed:
                add_bar(report, method, name, results)
        add_figures(report, name, traces)
    report.write()


if __name__ == "__main__":
    task.run(main)
