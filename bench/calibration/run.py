# SPDX-License-Identifier: Apache-2.0
"""Which tagger knows best how sure it is? CRFs with a temperature (`fovea train --calibrate`) and Gaussian processes.

Every setting comes from training sequences alone: the CRF's penalty (.1, .3, 1 or 3) and, for letters, its factor
size (2 or 3; "of pairs": 2) by five-fold cross-validation, its temperature by labels of five parts left out; the weights
of a Gaussian process' kernels by sequences left out (stacking). All families by `fovea train` and `fovea tag`. "-log p" and
the calibration error (15 bins of equal width) are of the items' marginals.

Text: the four small tasks of pyGPstruct (five folds, as in the benchmark of structured Gaussian processes) and
CoNLL-2000 chunking, a tenth kept from training. Letters: handwritten words as 16 x 8 pixels; of the ten folds, which
are of different writers, two are kept for scoring in each of five splits, and 150, 400 or 700 words of the others are
drawn (seed: the split) to learn from; groups are folds. There are only 55 different words, which label triples learn by
heart and a Gaussian process of label pairs cannot. Entities: probability of exactly these items as an entity of this
type, against whether it is right; the CRF learns from the whole training text of CoNLL-2003 (scored: dev) and
CoNLL-2000 (scored: test).
"""
import gzip
import random
import statistics

from harness import data, fovea, measure, task
from harness.results import Report
from structured_gp.run import BY_ATTRIBUTES, TASKS, VARIANCES, calibration_error, unpacked, write_folds
from structured_gp_large.run import chunks, judged

COMMAND = "bench/run.sh calibration"
PENALTIES = (.1, .3, 1, 3)
LARGE_KERNELS = ("linear(0.3)", "linear(1)", "linear(3)")
LETTER_KERNELS = ("rbf(10, 6)", "rbf(30, 8)", "rbf(30, 12)")
SIZES, SPLITS = (150, 400, 700), 5
BINS = 15


def told(judgement):
    return {"error": 100 * (1 - judgement["accuracy"]), "nll": judgement["calibration"]["negative_log_likelihood"],
            "calibration": 100 * judgement["calibration"]["expected_calibration_error"]}


def train(files, model, *words):
    return fovea.run_json("train", *files, "-o", model, "--threads", 2, "--json", "--quiet", *words)


def chosen_crf(files, model, words, factor_sizes=(2,)):
    """Options of the CRF with the best accuracy in cross-validation."""
    accuracies = {}
    for size in factor_sizes:
        for penalty in PENALTIES:
            options = ("--l2", penalty, "--factor-size", size)
            facts = train(files, model, *words, *options, "--folds", 5)
            accuracies[options] = statistics.mean(fold["accuracy"] for fold in facts["folds"])
    return max(accuracies, key=accuracies.get)


def both_crfs(files, test, words, factor_sizes=(2,)):
    """{method: figures} of the tuned CRF, without a temperature and with one."""
    model = test.with_suffix(".crf")
    options = chosen_crf(files, model, words, factor_sizes)
    result = {}
    for method, more in (("CRF", ()), ("CRF, calibrated", ("--calibrate",))):
        facts = train(files, model, *words, *options, *more)
        result[method] = {**told(judged(model, test)), "choice": f"l2 {options[1]}, size {options[3]}",
                          "temperature": facts.get("temperature", 1)}
    return result


def process(files, test, words, kernels):
    model = test.with_suffix(".gp")
    choices = [word for kernel in kernels for word in ("--kernel", kernel)]
    facts = train(files, model, "--family", "gp", *words, *choices)
    heaviest = max(facts["tried"], key=lambda tried: tried.get("weight", 1))
    return {"Gaussian process": {**told(judged(model, test)),
                                 "choice": f"most of {heaviest['kernel']}" if len(kernels) > 1 else kernels[0],
                                 "temperature": heaviest["fit"]["temperature"]}}


def add_rows(report, table, name, runs):
    """runs: [{method: figures}], one for each fold or split."""
    for method in runs[0]:
        def spread(key, digits=2):
            values = [run[method][key] for run in runs]
            error = f" ({statistics.stdev(values):.{digits}f})" if len(values) > 1 else ""
            return f"{statistics.mean(values):.{digits}f}{error}"
        report.add(table=table, row={
            "task": name, "method": method, "error %": spread("error"), "-log p": spread("nll", 3),
            "calibration error %": spread("calibration"), "temperature": spread("temperature"),
            "chosen": "; ".join(sorted({run[method]["choice"] for run in runs}))})


def mean(runs, method, key):
    return statistics.mean(run[method][key] for run in runs)


def add_bars(report, name, runs):
    for key in ("nll", "calibration"):
        report.bar(f"gp-over-crf/{name}-{key}",
                   mean(runs, "Gaussian process", key) / mean(runs, "CRF, calibrated", key), COMMAND)


def text(report):
    root = unpacked()
    words = ("--format", "attributes")
    kernels = [f"linear({variance:g})" for variance in VARIANCES]
    for name in TASKS:
        runs = [{**both_crfs([part], test, words), **process([part], test, (*words, *BY_ATTRIBUTES), kernels)}
                for part, test in write_folds(root, name)]
        add_rows(report, "Text: mean (standard deviation) over folds", name, runs)
        add_bars(report, name, runs)
    (part, test), template, _ = chunks(root)
    words = ("--template", template)
    runs = [{**both_crfs([part], test, words), **process([part], test, (*words, "--gp-steps", 3), LARGE_KERNELS)}]
    add_rows(report, "Text: mean (standard deviation) over folds", "CoNLL-2000", runs)
    add_bars(report, "conll2000", runs)


def words_of(fold):
    """[lines of a word] of a fold of letters."""
    words, lines = [], []
    with gzip.open(data.directory() / "ocr_letters" / f"fold{fold}.tsv.gz", "rt", encoding="utf-8") as file:
        for line in filter(str.strip, file):
            lines.append(line)
            if line.split("\t")[2] == "-1":
                words.append(lines)
                lines = []
    return words


def write_split(root, split, size):
    """Paths of a file for each fold with training words, and of the test part."""
    kept = (2 * split, 2 * split + 1)
    pool = [(fold, word) for fold in range(10) if fold not in kept for word in words_of(fold)]
    chosen = random.Random(split).sample(pool, size)
    files = []
    for fold in sorted({fold for fold, _ in chosen}):
        path = root / f"letters.{split}.{size}.{fold}.tsv"
        path.write_text("".join(line for f, word in chosen if f == fold for line in word))
        files.append(path)
    test = root / f"letters.{split}.{size}.test"
    test.write_text("".join(line for fold in kept for word in words_of(fold) for line in word))
    return files, test


def crf_of_pairs(files, test, words):
    return {"CRF of pairs, calibrated": both_crfs(files, test, (*words, "--groups", "file"))["CRF, calibrated"]}


def letters(report):
    root = unpacked()
    words = ("--features", "pixels")
    for size in SIZES:
        runs = []
        for split in range(SPLITS):
            files, test = write_split(root, split, size)
            runs.append({**both_crfs(files, test, (*words, "--groups", "file"), (2, 3)),
                         **crf_of_pairs(files, test, words), **process(files, test, words, LETTER_KERNELS)})
        add_rows(report, "Handwritten letters: mean (standard deviation) over splits by writer", f"{size} words", runs)
        for bar, rival in (("error", "CRF, calibrated"), ("pairs", "CRF of pairs, calibrated")):
            ratio = measure.summary([run["Gaussian process"]["error"] / run[rival]["error"] for run in runs])
            report.bar(f"letters-gp/{size}-{bar}", mean(runs, "Gaussian process", "error") / mean(runs, rival, "error"),
                       COMMAND, spread=ratio)
        calibration = measure.summary([run["Gaussian process"]["calibration"] for run in runs])
        report.bar(f"letters-gp/{size}-calibration", mean(runs, "Gaussian process", "calibration"), COMMAND,
                   spread=calibration)


def entities_of(labels):
    """{(first, end, type)} of the IOB labels of a sentence."""
    found, start = set(), None
    for i, label in enumerate([*labels, "O"]):
        if start is not None and (label[0] != "I" or label[2:] != labels[start][2:]):
            found.add((start, i, labels[start][2:]))
            start = None
        if label != "O" and start is None:
            start = i
    return found


def span_calibration(model, test):
    """Calibration error in %, entities, and the share that is right."""
    gold = [entities_of([line.split()[-1] for line in sentence.splitlines()])
            for sentence in gzip.open(test, "rt", encoding="utf-8").read().strip().split("\n\n")]
    bins = [[0, 0.0] for _ in range(BINS)]
    count = right = 0
    for line in measure.run(fovea.command("tag", model, test, "--spans")).output.splitlines():
        sequence, first, end, kind, probability = line.split("\t")[:5]
        is_right = (int(first), int(end), kind) in gold[int(sequence)]  # all numbers are from 0 on
        cell = bins[min(int(float(probability) * BINS), BINS - 1)]
        cell[0] += is_right
        cell[1] += float(probability)
        count += 1
        right += is_right
    return calibration_error(bins, count), count, right / count


def spans(report):
    root = unpacked()
    for name, folder, test in (("ner", "ner_conll2003", "dev"), ("chunks", "chunk_conll2000", "test")):
        source = data.directory() / folder
        for method, more in (("CRF", ()), ("CRF, calibrated", ("--calibrate",))):
            model = root / f"{name}.spans"
            facts = train([source / "train.txt.gz"], model, *more)
            error, count, right = span_calibration(model, source / f"{test}.txt.gz")
            report.add(table="Probabilities of entities", row={
                "text": f"{folder}, {test}", "method": method, "entities": count, "right %": round(100 * right, 1),
                "calibration error %": round(error, 2), "temperature": round(facts.get("temperature", 1), 3)})
        report.bar(f"span-calibration/{name}", error, COMMAND, note=f"temperature {facts['temperature']:.2f}")


def main():
    report = Report("calibration")
    report.add(text=__doc__)
    text(report)
    letters(report)
    spans(report)
    report.write()


if __name__ == "__main__":
    task.run(main)
