# SPDX-License-Identifier: Apache-2.0
"""Long jobs, as whole processes, by one thread and by two, in turn; their answers are compared byte for byte at 1, 2 and 7
threads."""
import argparse
import filecmp
import random
import sys

from harness import data, fovea, measure, task
from harness.results import Report

FOLDER = data.CACHE / "threads"
ROUNDS = 7


def repeated(source, name, times):
    path = FOLDER / name
    if not path.exists():
        path.write_text(source.read_text(encoding="utf-8") * times, encoding="utf-8")
    return path


def generated(kind, name, *options):
    path = FOLDER / name
    if not path.exists():
        measure.run(fovea.command("generate", kind, *options, "-o", path))
    return path


def sentences(source, name, count):
    path = FOLDER / name
    if not path.exists():
        blocks = source.read_text(encoding="utf-8").split("\n\n")[:count]
        path.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    return path


def logistic(rows, columns):
    """A table of standard normal inputs and a target drawn from a logistic regression."""
    path = FOLDER / f"logistic.{rows}.{columns}.csv"
    if not path.exists():
        draw = random.Random(rows + columns)
        weights = [draw.gauss(0, 1) / columns ** .5 for _ in range(columns)]
        with open(path, "w", encoding="utf-8") as out:
            out.write(",".join(f"x{c}" for c in range(columns)) + ",y\n")
            for _ in range(rows):
                x = [draw.gauss(0, 1) for _ in range(columns)]
                z = sum(a * b for a, b in zip(weights, x))
                y = draw.random() < 1 / (1 + 2.718281828 ** -z)
                out.write(",".join(f"{v:.6f}" for v in x) + f",{int(y)}\n")
    return path


def jobs():
    """Name -> (what the job is, its command without --threads and the file that it writes)."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    train, dev = data.prepare("ner", "train"), data.prepare("ner", "dev")
    tagger, authors = FOLDER / "ner.model", FOLDER / "authors.er"
    large = repeated(train, "ner.large.tsv", 12)
    labelled = generated("authors", "labelled.tsv", "--mentions", 200_000, "--seed", 2)
    mentions = generated("authors", "mentions.tsv", "--mentions", 500_000, "--seed", 1)
    people = generated("people", "people.csv", "--records", 300_000, "--seed", 2)
    if not tagger.exists():
        measure.run(fovea.command("train", train, "-o", tagger))
    learn = ("dedupe", labelled, "--preset", "authors", "--labels", "entity")
    if not authors.exists():
        measure.run(fovea.command(*learn, "-o", authors))
    few = sentences(train, "ner.few.tsv", 1000)
    munin = data.directory() / "bif" / "munin1.bif.gz"
    return {
        "train": ("CRF training, CoNLL-2003", ("train", train)),
        "tag": ("tagging 2.4 million tokens, exact", ("tag", tagger, "--method", "exact", large)),
        "attributes": ("attributes of 2.6 million lines", ("attributes", large)),
        "dedupe": ("500,000 author mentions with a model", ("dedupe", mentions, "--model", authors)),
        "people": ("300,000 people, learning without labels",
                   ("dedupe", people, "--compare", "given:given_name, surname:jaro_winkler, born:date, city",
                    "--block", "surname+born, given+born, given+surname")),
        "learn": ("match weights from 200,000 labelled mentions", learn),
        "logistic": ("logistic regression, 300,000 x 20", ("fit", "logistic", logistic(300_000, 20))),
        "gp": ("Gaussian processes, 1,000 sentences", ("train", "--family", "gp", few)),
        "sums": ("exact marginals, munin1", ("solve", munin, "--task", "MAR", "--method", "exact")),
    }


def run_once(name, words, threads):
    output = FOLDER / f"{name}.{threads}.csv"
    return measure.run(fovea.command(*words, "-q", "--threads", threads, "-o", output))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("jobs", nargs="*", help="only these; print, write nothing")
    options = parser.parse_args()
    report = Report("threads")
    report.add(text=__doc__)
    for name, (title, words) in jobs().items():
        if options.jobs and name not in options.jobs:
            continue
        run_once(name, words, 7)
        runs = measure.interleaved({t: lambda t=t: run_once(name, words, t) for t in (1, 2)}, options.rounds)
        same = all(filecmp.cmp(FOLDER / f"{name}.{t}.csv", FOLDER / f"{name}.7.csv", shallow=False) for t in (1, 2))
        seconds = {t: [run.seconds for run in runs[t]] for t in runs}
        gain = measure.ratios(seconds[1], seconds[2])
        row = {"job": title, "1 thread, s": measure.summary(seconds[1]), "2 threads, s": measure.summary(seconds[2]),
               "gain": gain, "CPU s": measure.summary(run.cpu_seconds for run in runs[2]),
               "answers": "same" if same else "differ"}
        print(name, *(f"{k} {v['median']:.2f}" if isinstance(v, dict) else v for k, v in row.items()), file=sys.stderr)
        report.add(table="Whole processes", row=row)
        report.bar(f"threads/{name}", gain["median"], fovea.shown(fovea.command(*words)), spread=gain)
    report.finish(bool(options.jobs))


if __name__ == "__main__":
    task.run(main)
