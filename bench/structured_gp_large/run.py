# SPDX-License-Identifier: Apache-2.0
"""Structured Gaussian processes on more data: 500 of the 823 sentences of base NP, and CoNLL-2000 chunking.

Base NP: two shuffles of ours, 500 sentences to train on and 323 to score; the paper's stochastic run took about two
hours for an error of 5.14 %. CoNLL-2000: nine tenths of the training text to train on and every tenth sentence to
score, the CRF++ chunking template, minibatches, next to our CRF (penalty .1). All have variances by 500 inducing points
and means by a weight for every attribute. Cost of a step: the first twelve minibatches of about 2,000 items from ever
more sentences, with means by points.
"""
import gzip
import json
import random
import statistics

from harness import data, fovea, measure, task
from harness.results import Report
from structured_gp.run import crf, gaussian_process, predictions, scores, sentence, unpacked, write_folds

COMMAND = "bench/run.sh structured_gp_large"
SENTENCES = (1000, 2000, 4000, 8000)
STEPS = 12  # of the first pass, as many as a thousand sentences have


def write(path, items_of_sentences):
    path.write_text("".join("".join("\t".join(item) + "\n" for item in items) + "\n" for items in items_of_sentences))
    return path


def base_np(root, report):
    results = {"Gaussian process": [], "CRF, penalty .1": [], "CRF, penalty 1": []}
    for shuffle in range(2):
        numbers = list(range(1, 824))
        random.Random(shuffle).shuffle(numbers)
        paths = [write(root / f"basenp500.{shuffle}.{part}", [sentence(root / "data", "basenp", n) for n in chosen])
                 for part, chosen in (("train", numbers[:500]), ("test", numbers[500:]))]
        results["Gaussian process"].append(gaussian_process(paths, "linear(1)"))
        results["CRF, penalty .1"].append(crf(paths, .1))
        results["CRF, penalty 1"].append(crf(paths, 1))
    for method, runs in results.items():
        report.add(table="Base NP, 500 sentences to train on, 323 to score; two shuffles", row={
            "method": method, "error %": " ".join(f"{run['error']:.2f}" for run in runs),
            "-log p": f"{statistics.mean(run['nll'] for run in runs):.3f}",
            "calibration error %": f"{statistics.mean(run['calibration'] for run in runs):.2f}",
            "seconds": f"{statistics.mean(run['seconds'] for run in runs):.2f}"})
    ours = results["Gaussian process"]
    report.bar("gp-large/basenp-seconds", statistics.mean(run["seconds"] for run in ours), COMMAND)
    report.bar("gp-large/basenp-error", statistics.mean(run["error"] for run in ours), COMMAND,
               note="printed: 5.14 after two hours; CRF 4.50 and 5.13")


def chunks(root):
    """Paths of nine tenths and one tenth of the training text, and of the CRF++ template."""
    with gzip.open(data.directory() / "chunk_conll2000" / "train.txt.gz", "rt", encoding="utf-8") as file:
        sentences = file.read().strip().split("\n\n")
    parts = {"train": [s for i, s in enumerate(sentences) if i % 10 != 9],
             "test": [s for i, s in enumerate(sentences) if i % 10 == 9]}
    paths = []
    for part, chosen in parts.items():
        paths.append(root / f"conll2000.{part}")
        paths[-1].write_text("\n\n".join(chosen) + "\n\n")
    return paths, data.directory() / "crfpp" / "chunking" / "template", parts["train"]


def judged(model, test):
    tagged = model.with_suffix(".tagged")
    with open(tagged, "w", encoding="utf-8") as output:
        measure.run(fovea.command("tag", model, test, "--all-marginals"), stdout=output)
    return fovea.evaluate(tagged)


def conll(root, report):
    (train, test), template, sentences = chunks(root)
    figures = {}
    for method, words in (("CRF", ("--l2", .1)), ("Gaussian process", ("--family", "gp", "--gp-steps", 3))):
        model = root / "conll2000.model"
        run = measure.run(fovea.command("train", "--template", template, train, "-o", model, "--threads", 2, "--quiet",
                                        *words))
        figures[method] = {**judged(model, test), "seconds": run.seconds, "memory": run.peak_mb}
        row = figures[method]
        report.add(table="CoNLL-2000 chunking, a tenth kept from training", row={
            "method": method, "F1": f"{100 * row['entities']['f1']:.2f}", "accuracy": f"{100 * row['accuracy']:.2f}",
            "-log p": f"{row['calibration']['negative_log_likelihood']:.4f}",
            "calibration error %": f"{100 * row['calibration']['expected_calibration_error']:.2f}",
            "seconds": f"{row['seconds']:.1f}", "memory MB": f"{row['memory']:.0f}"})
    ours, field = figures["Gaussian process"], figures["CRF"]
    report.bar("gp-large/conll-seconds", ours["seconds"], COMMAND)
    report.bar("gp-large/conll-memory", ours["memory"] / 1000, COMMAND)
    report.bar("gp-large/conll-f1", 100 * (field["entities"]["f1"] - ours["entities"]["f1"]), COMMAND,
               note="points below our CRF")
    for key, name in (("negative_log_likelihood", "nll"), ("expected_calibration_error", "calibration")):
        report.bar(f"gp-large/conll-{name}", ours["calibration"][key] / field["calibration"][key], COMMAND,
                   note="of the CRF's")
    cost_per_step(root, template, sentences, report)


def every_label_first(sentences):
    """The same, with those first that bring a new label: a step's cost is proportional to the number of labels."""
    seen, first, rest = set(), [], []
    for sentence in sentences:
        labels = {line.split()[-1] for line in sentence.splitlines()}
        (rest if labels <= seen else first).append(sentence)
        seen |= labels
    return first + rest


def cost_per_step(root, template, sentences, report):
    seconds = {}
    sentences = every_label_first(sentences)
    for count in SENTENCES:
        train = root / "conll2000.part"
        train.write_text("\n\n".join(sentences[:count]) + "\n\n")
        trace = root / "conll2000.jsonl"
        fovea.run_json("train", "--family", "gp", "--template", template, train, "-o", root / "conll2000.part.gp",
                       "--minibatch", 2000, "--means", "inducing-points", "--gp-steps", 1, "--threads", 2, "--trace",
                       trace, "--json")
        lines = [json.loads(line) for line in trace.read_text().splitlines()]
        lines = [line for line in lines if line["iteration"] <= STEPS]
        seconds[count] = (lines[-1]["seconds"] - lines[0]["seconds"]) / (lines[-1]["iteration"] - lines[0]["iteration"])
        report.add(table="Cost of a step of about 2,000 items", row={"sentences": count,
                                                                     "seconds a step": f"{seconds[count]:.3f}"})
    report.bar("gp-large/step", seconds[SENTENCES[-1]] / seconds[SENTENCES[0]], COMMAND,
               note="a step with 8,000 sentences over one with 1,000")


def steps_of_the_paper(root, report):
    """Stochastic gradients with the exact chain (GP-VAR-S) and with the piecewise pseudo-likelihood (GP-VAR-P)."""
    (train, _), *_ = write_folds(root, "chunking")
    seconds = {}
    for diagonal in ((), ("--diagonal",)):
        for likelihood in ("chain", "pseudo"):
            trace = root / "chunking.jsonl"
            fovea.run_json("train", "--family", "gp", "--format", "attributes", train, "-o", root / "steps.gp",
                           "--inference", "saga", "--likelihood", likelihood, "--time-limit", "30s", "--threads", 1,
                           "--trace", trace, "--json", *diagonal)
            lines = [json.loads(line) for line in trace.read_text().splitlines()]
            seconds[likelihood] = ((lines[-1]["seconds"] - lines[0]["seconds"]) /
                                   (lines[-1]["iteration"] - lines[0]["iteration"]))
            report.add(table="A step of stochastic gradients on chunking, 4,000 draws, one thread", row={
                "covariances": "diagonal" if diagonal else "full", "likelihood": likelihood,
                "milliseconds": f"{1000 * seconds[likelihood]:.2f}"})
        kind = "diagonal" if diagonal else "full"
        report.bar(f"gp-paper/step/{kind}", seconds["chain"] / seconds["pseudo"], COMMAND)


def main():
    report = Report("structured_gp_large")
    report.add(text=__doc__)
    root = unpacked()
    base_np(root, report)
    steps_of_the_paper(root, report)
    conll(root, report)
    report.write()


if __name__ == "__main__":
    task.run(main)
