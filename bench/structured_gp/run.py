# SPDX-License-Identifier: Apache-2.0
"""Sequence taggers that know how sure they are: structured Gaussian processes on four small tasks.

The data and the five folds are those of pyGPstruct (Bratieres, Quadrianto, Ghahramani 2015), on which Galliani,
Dezfouli, Bonilla and Quadrianto (2017, table 1) report: base noun phrases, chunks, segments of Chinese text, Japanese
named entities. Errors are shares of wrong labels. Labels that a fold's training part does not have count as their label
0, as in the original; `unmapped` counts them as wrong. Kernels and penalties are chosen on the training part of each
fold alone. Five variances are averaged, with the weights that make labels likeliest when sequences are predicted from the
others ("by errors": the one with the fewest wrong labels there; "by the bound": the one with the highest bound;
"learned": to where the bound is highest, by its gradient). Of five
penalties of the structured SVM, which has no probabilities, it is the one with the fewest in cross-validation by five
parts. Calibration error: 15 bins of equal width, mean of five folds; "pooled" puts the items of all test parts in one
set of bins, where chance adds less. Seconds are wall clock of the whole `fovea train` with what was chosen, or of all
five that are averaged, two threads. Slice sampling has 10 s a fold with the kernel chosen by points, from a draw of the Gaussian posterior.
Variances are by 500 inducing points and means by a weight for every attribute and label, except where it says "points
alone" (`--means inducing-points`), for 1,000 points with the kernel chosen with 500.
"""
import math
import re
import shutil
import statistics
import time

from harness import data, fovea, measure, task
from harness.results import Report

TASKS = {  # name: (sentences in a permutation, of these to train on, bar of the error, bar of the seconds)
    "basenp": (300, 150, 4.81, 3),
    "chunking": (100, 50, 8.29, 5),
    "segmentation": (36, 20, 14.88, .5),
    "japanesene": (100, 50, 4.80, 7),
}
FOLDS = 5
SLICE_LIMIT = "10s"
BY_ATTRIBUTES = ("--means", "attributes")
LEARNED = ("basenp", "segmentation")  # ten fits a fold
BY_POINTS = ("--means", "inducing-points")
VARIANCES = (.3, 1, 3, 10, 30)
PENALTIES = (.3, 1, 3, 10, 30)
BINS = 15
STUDENT_4 = 2.776  # 95 %, four degrees of freedom
COMMAND = "bench/run.sh structured_gp"


def unpacked():
    source = data.directory() / "gp_pygpstruct" / "pygpstruct-data.tar.xz"
    if not source.exists():
        raise data.Missing(f"{source} is not there; set FOVEA_DATA")
    target = data.CACHE / "structured_gp"
    if not (target / "data").exists():
        shutil.unpack_archive(source, target)
    return target


def sentence(folder, name, number):
    """[label, attribute:value ...] of each item; rows of NUMBER.x are item, feature, value."""
    labels = (folder / name / f"{number}.y").read_text().split()
    items = [[label] for label in labels]
    for line in (folder / name / f"{number}.x").read_text().splitlines():
        item, feature, value = line.split("\t")
        items[int(item) - 1].append(feature if value == "1" else f"{feature}:{value}")
    return items


def write_folds(root, name):
    """[(train, test)] in CRFsuite's format."""
    count, train_count = TASKS[name][:2]
    permutations = (root / "data" / f"datasplit.n_data={count}.txt").read_text().splitlines()
    folds = []
    for fold, permutation in enumerate(permutations[:FOLDS]):
        numbers = permutation.split()
        paths = []
        for part, chosen in (("train", numbers[:train_count]), ("test", numbers[train_count:])):
            path = root / f"{name}.{fold}.{part}"
            path.write_text("".join("".join("\t".join(item) + "\n" for item in sentence(root / "data", name, number)) +
                                    "\n" for number in chosen))
            paths.append(path)
        folds.append(paths)
    return folds


def predictions(model, test):
    """[(gold, prediction, {label: probability})] of all items."""
    rows = []
    for line in measure.run(fovea.command("tag", model, test, "--all-marginals")).output.splitlines():
        cells = line.split("\t")
        if len(cells) < 3:
            continue
        told = dict(cell.rsplit(":", 1) for cell in cells[2:])
        shares = {label: float(p) for label, p in told.items() if label not in ("mean", "variance", "entropy")}
        rows.append((cells[0], cells[1], shares))
    return rows


def scores(rows):
    wrong = mapped_wrong = surprise = known = 0
    bins = [[0, 0.0] for _ in range(BINS)]  # right predictions, sum of confidences
    for gold, prediction, shares in rows:
        wrong += gold != prediction
        mapped_wrong += (gold if gold in shares else "0") != prediction
        if gold in shares:
            surprise -= math.log(max(shares[gold], 1e-9))
            known += 1
        confidence = max(shares.values())
        cell = bins[min(int(confidence * BINS), BINS - 1)]
        cell[0] += gold == prediction
        cell[1] += confidence
    return {"error": 100 * mapped_wrong / len(rows), "unmapped": 100 * wrong / len(rows), "nll": surprise / known,
            "calibration": calibration_error(bins, len(rows)), "bins": bins, "items": len(rows)}


def calibration_error(bins, items):
    """The calibration error in %."""
    return 100 * sum(abs(right - confidence) for right, confidence in bins) / items


def pooled_calibration_error(results):
    bins = [[sum(cells) for cells in zip(*same)] for same in zip(*(result["bins"] for result in results))]
    return calibration_error(bins, sum(result["items"] for result in results))


def train(path, model, *words, threads=2):
    """The program's report on its training, and seconds."""
    start = time.monotonic()
    facts = fovea.run_json("train", "--format", "attributes", path, "-o", model, "--threads", threads, "--json", *words)
    return facts, time.monotonic() - start


def averaged(paths, *words):
    """Scores of the average of all kernels, and the program's report."""
    model = paths[0].with_suffix(".gp")
    kernels = [word for variance in VARIANCES for word in ("--kernel", f"linear({variance:g})")]
    facts, seconds = train(paths[0], model, "--family", "gp", *words, *kernels, "--quiet")
    heaviest = max(facts["tried"], key=lambda tried: tried["weight"])
    return {**scores(predictions(model, paths[1])), "seconds": seconds,
            "choice": f"most of {heaviest['kernel']}"}, facts


def chosen_kernels(facts):
    """{rule: kernel} that the training sentences choose."""
    fits = {tried["kernel"]: tried["fit"] for tried in facts["tried"]}
    return {"error": min(fits, key=lambda k: (fits[k]["left_out_error"], -fits[k]["left_out_log_density"])),
            "bound": max(fits, key=lambda k: fits[k]["bound"])}


def gaussian_process(paths, kernel, *words):
    model = paths[0].with_suffix(".gp")
    facts, seconds = train(paths[0], model, "--family", "gp", "--kernel", kernel, *words)
    return {**scores(predictions(model, paths[1])), "seconds": seconds, "choice": facts["fit"]["kernel"],
            "steps": facts["fit"]["steps"], "bound": facts["fit"]["bound"]}


def crf(paths, penalty):
    model = paths[0].with_suffix(".crf")
    _, seconds = train(paths[0], model, "--l2", penalty)
    return {**scores(predictions(model, paths[1])), "seconds": seconds}


def structured_svm(paths):
    """Errors with the penalty that its own training sentences choose."""
    model = paths[0].with_suffix(".svm")
    start = time.monotonic()
    accuracies = {}
    for penalty in PENALTIES:
        facts, _ = train(paths[0], model, "--family", "svm", "--l2", penalty, "--folds", 5, "--quiet")
        accuracies[penalty] = statistics.mean(fold["accuracy"] for fold in facts["folds"])
    seconds_of_choice = time.monotonic() - start
    chosen = max(PENALTIES, key=accuracies.get)
    facts, seconds = train(paths[0], model, "--family", "svm", "--l2", chosen)
    measured = scores(predictions(model, paths[1]))
    return {"error": measured["error"], "unmapped": measured["unmapped"], "seconds": seconds,
            "choice": f"penalty {chosen:g}", "seconds_of_choice": seconds_of_choice, "passes": facts["iterations"]}


def paired(high, low, key):
    """Mean and half the 95 % interval of the difference by fold."""
    differences = [a[key] - b[key] for a, b in zip(high, low)]
    return statistics.mean(differences), STUDENT_4 * statistics.stdev(differences) / len(differences) ** .5


def rounded(choice):
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2g}", choice)


def add_rows(report, name, method, results):
    def spread(key):
        if key not in results[0]:
            return "-"
        values = [result[key] for result in results]
        return f"{statistics.mean(values):.2f} ({statistics.stdev(values):.2f})"
    choices = sorted({rounded(result["choice"]) for result in results if "choice" in result})
    report.add(table="Four tasks: mean (standard deviation) over five folds", row={
        "task": name, "method": method, "error %": spread("error"), "unmapped %": spread("unmapped"),
        "-log p": f"{statistics.mean(r['nll'] for r in results):.3f}" if "nll" in results[0] else "-",
        "calibration error %": spread("calibration"),
        "pooled": f"{pooled_calibration_error(results):.2f}" if "bins" in results[0] else "-",
        "seconds": spread("seconds"), "chosen": ", ".join(choices)})


def main():
    root = unpacked()
    report = Report("structured_gp")
    report.add(text=__doc__)
    for name, (_, _, error_bar, _) in TASKS.items():
        folds = write_folds(root, name)
        averages = {words: [averaged(paths, *words) for paths in folds] for words in (BY_POINTS, BY_ATTRIBUTES)}
        kernels = {words: [chosen_kernels(facts) for _, facts in runs] for words, runs in averages.items()}

        def processes_by(rule, means, *words):
            return [gaussian_process(paths, choice[rule], *means, *words)
                    for paths, choice in zip(folds, kernels[means])]

        ours = [figures for figures, _ in averages[BY_ATTRIBUTES]]
        single = processes_by("error", BY_ATTRIBUTES)
        slices = processes_by("error", BY_POINTS, "--inference", "slice-sampling", "--time-limit", SLICE_LIMIT)
        fields = {penalty: [crf(paths, penalty) for paths in folds] for penalty in (.1, 1)}
        add_rows(report, name, "Gaussian processes, averaged", ours)
        add_rows(report, name, "kernel by errors", single)
        add_rows(report, name, "kernel by the bound", processes_by("bound", BY_ATTRIBUTES))
        if name in LEARNED:
            add_rows(report, name, "kernel learned", [gaussian_process(paths, "linear(1)", "--learn-kernel")
                                                      for paths in folds])
        for points in (500, 1000):
            add_rows(report, name, f"{points} points alone",
                     processes_by("error", BY_POINTS, "--inducing-points", points))
        add_rows(report, name, "elliptical slice sampling, 500 points", slices)
        for penalty, results in fields.items():
            add_rows(report, name, f"CRF, penalty {penalty:g}", results)
        add_rows(report, name, "structured SVM", [structured_svm(paths) for paths in folds])
        best_field = min(fields.values(), key=lambda results: statistics.mean(r["error"] for r in results))
        surest = min(fields.values(), key=lambda results: statistics.mean(r["calibration"] for r in results))
        mean, half = paired(ours, best_field, "error")
        report.bar(f"gp-error/{name}", statistics.mean(r["error"] for r in ours), COMMAND,
                   note=f"printed best: {error_bar}")
        report.bar(f"gp-crf/{name}", mean - half, COMMAND, note=f"mean {mean:.2f}, the better CRF on the test part")
        mean, half = paired(ours, slices, "error")
        report.bar(f"gp-ess/{name}", mean - half, COMMAND, note=f"mean {mean:.2f}")
        report.bar(f"gp-seconds/{name}", statistics.mean(r["seconds"] for r in single), COMMAND,
                   note="500 inducing points, one kernel")
        pooled = pooled_calibration_error(ours) / min(map(pooled_calibration_error, fields.values()))
        report.bar(f"gp-calibration/{name}", statistics.mean(r["calibration"] for r in ours) /
                   statistics.mean(r["calibration"] for r in surest), COMMAND,
                   note=f"of the better calibrated CRF's; pooled {pooled:.2f}")
    report.write()


if __name__ == "__main__":
    task.run(main)
