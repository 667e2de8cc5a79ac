# SPDX-License-Identifier: Apache-2.0
"""Long jobs, as whole processes, by one thread and by two, in turn. Their answers are compared byte for byte at 1, 2 and 7
threads; of 7, a machine runs as many as it has cores.

Where the time goes is what `--phases` says, in one more run. By one thread it also predicts what more cores would take:
it measures the tasks that threads would share, which makes small ones slower, hands them out to 16 and to 64 cores, and
takes all the rest as work for one core. That is a prediction: it knows nothing of memory that cores share. The last column
is the longest chain of tasks, as a share of all work: no number of cores is faster than that.

Logistic regressions take turns with scikit-learn's (newton-cholesky, one process each, from the file to the weights;
pandas reads it). Growth is that of CPU seconds from 200,000 authors' mentions to ten times as many, by a model. Memory
is the peak of the whole process, per variable, of models in which each variable and each pair has a table of its own.
"""
import argparse
import filecmp
import gzip
import json
import math
import pathlib
import random
import re
import shutil
import sys

from harness import data, fovea, measure, task
from harness.results import Report

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = data.CACHE / "cores"
COMMAND = "bench/run.sh cores"
ROUNDS = 7
VARIABLES = 1_000_000
LEAST_SHARE = .02  # of a job's time: shorter phases are not shown


def made(name, make):
    """The path of a file in the folder, which make(path) makes unless it is there."""
    path = FOLDER / name
    if not path.exists():
        make(path)
    return path


def generated(kind, name, *options):
    return made(name, lambda path: measure.run(fovea.command("generate", kind, *options, "-o", path)))


def sentences(source, count):
    blocks = source.read_text(encoding="utf-8").split("\n\n")[:count]
    return made("ner.few.tsv", lambda path: path.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8"))


def logistic(rows, columns):
    """A table of standard normal inputs and a target drawn from a logistic regression."""
    def write(path):
        draw = random.Random(rows + columns)
        weights = [2 * draw.gauss(0, 1) / columns ** .5 for _ in range(columns)]
        with open(path, "w", encoding="utf-8") as out:
            out.write(",".join(f"x{c}" for c in range(columns)) + ",y\n")
            for _ in range(rows):
                x = [draw.gauss(0, 1) for _ in range(columns)]
                z = sum(a * b for a, b in zip(weights, x))
                out.write(",".join(f"{v:.6f}" for v in x) + f",{int(draw.random() < 1 / (1 + math.exp(-z)))}\n")
    return made(f"logistic.{rows}.{columns}.csv", write)


def jobs():
    """Name -> (what the job is, its command without --threads and the file that it writes)."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    train = data.prepare("ner", "train")
    large = made("ner.large.tsv", lambda path: path.write_text(train.read_text(encoding="utf-8") * 12, encoding="utf-8"))
    tagger = made("ner.model", lambda path: measure.run(fovea.command("train", train, "-o", path)))
    learn = ("dedupe", generated("authors", "labelled.tsv", "--mentions", 200_000, "--seed", 2), "--preset", "authors",
             "--labels", "entity")
    authors = made("authors.er", lambda path: measure.run(fovea.command(*learn, "-o", path)))
    mentions = generated("authors", "mentions.tsv", "--mentions", 500_000, "--seed", 1)
    people = generated("people", "people.csv", "--records", 300_000, "--seed", 2)
    munin = data.directory() / "bif" / "munin1.bif.gz"
    return {
        "train": ("training a CRF, CoNLL-2003", ("train", train)),
        "tag": ("tagging 2.4 million tokens, exact", ("tag", tagger, "--method", "exact", large)),
        "attributes": ("attributes of 2.6 million lines", ("attributes", large)),
        "dedupe": ("500,000 author mentions by a model", ("dedupe", mentions, "--model", authors)),
        "people": ("300,000 people, learning without labels",
                   ("dedupe", people, "--compare", "given:given_name, surname:jaro_winkler, born:date, city",
                    "--block", "surname+born, given+born, given+surname")),
        "learn": ("match weights from 200,000 labelled mentions", learn),
        "logistic": ("logistic regression, 300,000 x 20", ("fit", "logistic", logistic(300_000, 20))),
        "gp": ("Gaussian processes, 1,000 sentences", ("train", "--family", "gp", sentences(train, 1000))),
        "sums": ("exact marginals, munin1", ("solve", munin, "--task", "MAR", "--method", "exact")),
    }


def output_of(name, threads):
    return FOLDER / f"{name}.{threads}.csv"


def run_once(name, words, threads, *more):
    return measure.run(fovea.command(*words, "-q", "--threads", threads, "-o", output_of(name, threads), *more))


def phases_of(run):
    return json.loads(run.errors)["phases"]


def are_same(name, words):
    """True if the answers at 1, 2 and 7 threads are the same; reports in JSON say how long they took."""
    for threads in (1, 2, 7):
        run_once(name, words, threads)
    if name == "logistic":
        texts = {re.sub(r'"seconds":[^,]*', "", output_of(name, t).read_text(encoding="utf-8")) for t in (1, 2, 7)}
        return len(texts) == 1
    return all(filecmp.cmp(output_of(name, t), output_of(name, 7), shallow=False) for t in (1, 2))


def add_phases(rows, title, runs):
    """Adds a row for each phase that takes a while; returns what is predicted."""
    alone, shared = phases_of(runs[1]), {p["phase"]: p for p in phases_of(runs[2])}
    total = sum(p["seconds"] for p in alone)
    predicted = [sum(p["predicted_seconds"][k] for p in alone) for k in range(4)]
    for p in alone:
        if p["seconds"] < LEAST_SHARE * total:
            continue
        two = shared[p["phase"]]
        rows.append({
            "job": title, "phase": p["phase"], "1 thread, s": round(p["seconds"], 3), "2 threads, s": round(two["seconds"], 3),
            "cores": round(two["cpu_seconds"] / max(two["seconds"], 1e-9), 2),
            "16 cores, predicted s": round(p["predicted_seconds"][1], 3)})
        title = ""
    return {"predicted": [total / seconds for seconds in predicted[:3]], "path": predicted[3] / total}


def scaling(report, rounds, chosen):
    worst_path, phases = 0, []
    for name, (title, words) in jobs().items():
        if chosen and name not in chosen:
            continue
        answers = "same" if are_same(name, words) else "**differ**"
        # Timed without the clock that measures tasks, which takes time itself where these are small.
        runs = measure.interleaved({t: lambda t=t: run_once(name, words, t) for t in (1, 2)}, rounds)
        seconds = {t: [run.seconds for run in runs[t]] for t in runs}
        gain = measure.ratios(seconds[1], seconds[2])
        facts = add_phases(phases, title, {t: run_once(name, words, t, "--phases", "--json") for t in (1, 2)})
        report.add(table="Whole processes", row={
            "job": title, "1 thread, s": measure.summary(seconds[1]), "2 threads, s": measure.summary(seconds[2]), "gain": gain,
            "answers": answers,
            **{f"{cores} cores, predicted": f"{facts['predicted'][k]:.1f}x" for k, cores in ((0, 2), (1, 16), (2, 64))},
            "longest chain": f"{100 * facts['path']:.1f} %"})
        report.bar(f"cores/{name}", gain["median"], COMMAND, spread=gain)
        worst_path = max(worst_path, facts["path"])
    report.bar("cores/path", 100 * worst_path, COMMAND)
    for row in phases:
        report.add(table="Phases", row=row)


def against_scikit(report, rounds):
    for rows, columns in ((1_000_000, 20), (100_000, 200)):
        path = logistic(rows, columns)
        ours = fovea.command("fit", "logistic", path, "-q", "-o", FOLDER / "posterior.json")
        runs = measure.interleaved({
            "fovea": lambda: measure.run(ours),
            "scikit-learn": lambda: measure.run([sys.executable, HERE / "scikit.py", path])}, rounds)
        for tool, label in (("fovea", "Fovea, 2 threads"), ("scikit-learn", "scikit-learn 1.9.1, pandas 3.1.1")):
            report.add(table="Logistic regressions, from the file to the weights", row={
                "rows x columns": f"{rows:,} x {columns}", "tool": label,
                "CPU s": measure.summary(run.cpu_seconds for run in runs[tool]),
                "seconds": measure.summary(run.seconds for run in runs[tool]),
                "peak MB": measure.summary(run.peak_mb for run in runs[tool])})
        ratio = measure.ratios([run.cpu_seconds for run in runs["fovea"]],
                               [run.cpu_seconds for run in runs["scikit-learn"]])
        report.bar(f"cores/scikit-{columns}", ratio["median"], COMMAND, spread=ratio)
        if columns == 20:
            wall = measure.summary(run.seconds for run in runs["fovea"])
            report.bar("cores/logistic-seconds", wall["median"], COMMAND, spread=wall)


def packed(path):
    def write(target):
        with open(path, "rb") as plain, gzip.open(target, "wb", compresslevel=6) as out:
            shutil.copyfileobj(plain, out)
    return made(path.name + ".gz", write)


def reading(report, rounds):
    """How fast text becomes features, plain and packed, as a part of the jobs that read it."""
    known = jobs()
    for name, parts in (("train", ("reading", "features")), ("dedupe", ("reading",)), ("logistic", ("reading", "numbers"))):
        title, words = known[name]
        plain = next(pathlib.Path(word) for word in words if pathlib.Path(str(word)).is_file())
        for path in (plain, packed(plain)):
            row = {"job": title, "file": path.suffix, "MB unpacked": round(plain.stat().st_size / 1e6, 1)}
            for threads in (1, 2):
                runs = [phases_of(run_once(name, [path if word == plain else word for word in words], threads, "--phases",
                                           "--json")) for _ in range(rounds)]
                seconds = measure.summary(sum(p["seconds"] for p in phases if p["phase"] in parts) for phases in runs)
                shares = measure.summary(sum(p["seconds"] for p in phases if p["phase"] in parts) /
                                         sum(p["seconds"] for p in phases) for phases in runs)
                row[f"MB/s, {threads} thread{'s' * (threads > 1)}"] = round(plain.stat().st_size / 1e6 / seconds["median"])
                row[f"share of the job, {threads} thread{'s' * (threads > 1)}"] = f"{100 * shares['median']:.0f} %"
            report.add(table="Reading and features", row=row)


def random_model(path, pairs):
    """A model of a million binary variables in the UAI format, with a table of its own for each variable and pair."""
    draw = random.Random(1)

    def table(entries):
        return f"\n{entries}\n " + " ".join(f"{draw.random():.4f}" for _ in range(entries)) + "\n"
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"MARKOV\n{VARIABLES}\n{' '.join(['2'] * VARIABLES)}\n{VARIABLES + len(pairs)}\n")
        out.writelines(f"1 {v}\n" for v in range(VARIABLES))
        out.writelines(f"2 {v} {w}\n" for v, w in pairs)
        out.writelines(table(2) for _ in range(VARIABLES))
        out.writelines(table(4) for _ in pairs)


def memory(report):
    """Peak memory of solving models of a million variables, from the file on."""
    side = round(VARIABLES ** .5)
    models = {"chain": lambda: [(v, v + 1) for v in range(VARIABLES - 1)],
              "grid": lambda: [(v, w) for v in range(VARIABLES) for w in (v + 1, v + side)
                               if w < VARIABLES and (w == v + side or w % side > 0)]}
    worst = 0
    for name, pairs in models.items():
        path = made(f"{name}.uai", lambda path, pairs=pairs: random_model(path, pairs()))
        for job in ("MAP", "MAR"):
            run = measure.run(fovea.command("solve", path, "--task", job, "--time-limit", "20s", "-q", "-o",
                                            FOLDER / "large.out"))
            report.add(table="A million binary variables, 20 s, two threads", row={
                "model": name, "task": job, "KB a variable": round(1000 * run.peak_mb / VARIABLES, 2),
                "seconds": round(run.seconds, 1)})
            worst = max(worst, 1000 * run.peak_mb / VARIABLES)
    report.bar("cores/memory", worst, COMMAND, note="the worst of chain and grid, MAP and MAR")


def small_and_large(report, rounds):
    one = made("one.tsv", lambda path: path.write_text("EU\tNNP\tI-NP\tO\nrejects\tVBZ\tI-VP\tO\n", encoding="utf-8"))
    runs = [measure.run(fovea.command("tag", FOLDER / "ner.model", one, "-q", "-o", FOLDER / "one.out"))
            for _ in range(3 * rounds)]
    process = measure.summary(1000 * run.seconds for run in runs)
    report.bar("cores/process", process["median"], COMMAND, spread=process)
    cpu = {}
    for count in (200_000, 2_000_000):
        mentions = generated("authors", f"growth.{count}.tsv", "--mentions", count, "--seed", 3)
        words = ("dedupe", mentions, "--model", FOLDER / "authors.er", "-q", "-o", FOLDER / "growth.csv")
        cpu[count] = measure.summary(measure.run(fovea.command(*words)).cpu_seconds for _ in range(1 + rounds // 3))
        report.add(table="Author mentions by a model", row={"mentions": f"{count:,}", "CPU s": cpu[count]})
    growth = math.log10(cpu[2_000_000]["median"] / cpu[200_000]["median"])
    report.bar("cores/growth", growth, COMMAND)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("jobs", nargs="*", help="only these jobs; print, write nothing")
    options = parser.parse_args()
    report = Report("cores")
    report.add(text=__doc__)
    scaling(report, options.rounds, options.jobs)
    if not options.jobs:
        against_scikit(report, options.rounds)
        reading(report, max(1, options.rounds // 2))
        small_and_large(report, options.rounds)
        memory(report)
    report.finish(bool(options.jobs))


if __name__ == "__main__":
    task.run(main)
