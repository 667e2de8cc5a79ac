# SPDX-License-Identifier: Apache-2.0
"""What must hold on every table: recall never falls as the threshold falls; output that is asked for besides leaves the
clusters as they are; probabilities are calibrated; labels and answers do no harm; lists that are proposed are nearly as
good as those written by hand; limits hold, and leave a usable table; models serve other records than their own.

Comparisons and rules are those of `record_linkage`; all else is the default unless a table says otherwise. Answers are
simulated from the gold labels: the hundred pairs that `fovea review` asks about, one in twenty answered wrong.
"""
import collections
import filecmp
import json
import pathlib
import random
import statistics
import sys
import time

from harness import data, fovea, measure, records, task
from harness.records import rows_of, write
from harness.results import Report
from record_linkage.run import MATCHINGS

FOLDER = data.CACHE / "trust"
SCORER = pathlib.Path(__file__).parent / "scorer.py"
GOLD = "GOLD"  # the column of gold labels
TABLES = ("RLdata10000", "febrl_3", "coraLarge", "people", "beard72k", "acl187k_abbrev")
SEEDS = 5
COMMAND = "bench/run.sh record_trust"


class Table:
    """A table with its gold labels as a column, and how its records are compared."""

    def __init__(self, name):
        self.name = name
        prepared = records.prepare(name)
        entities = {row["id"]: row["entity"] for row in rows_of(prepared.gold)}
        rows = rows_of(prepared.tables[0])
        self.id = list(rows[0])[0]
        self.entities = entities
        self.path = write(FOLDER / f"{name}.csv", [{**row, GOLD: entities[row[self.id]]} for row in rows])
        self.output = FOLDER / f"{name}.out.csv"
        self.rows = rows
        matching = MATCHINGS[name]
        self.lists = ("--compare", matching.compare, "--block", matching.block)
        self.more = matching.more

    def dedupe(self, *options, lists=True, path=None):
        """Runs the job; returns its summary, with seconds."""
        run = measure.run(fovea.command("dedupe", path or self.path, *(self.lists if lists else ()), *self.more, "--gold",
                                        GOLD, "--json", "-o", self.output, *options))
        return {**json.loads(run.output), "seconds": run.seconds, "cpu": run.cpu_seconds, "mb": run.peak_mb}


def pairs(summary):
    return summary["metrics"]["pairs"]


def f1(summary):
    return pairs(summary)["f1"]


def thresholds(report, tables):
    """Recall at thresholds that fall."""
    worst = 0
    for table in tables:
        recalls = [pairs(table.dedupe("--threshold", t))["recall"] for t in (.5, .1, .01, .001)]
        worst = max([worst, *(a - b for a, b in zip(recalls, recalls[1:]))])
        report.add(table="Recall of pairs at thresholds that fall", row={
            "data": table.name, **{f"{t}": round(r, 4) for t, r in zip((.5, .1, .01, .001), recalls)}})
    report.bar("trust/recall", worst, COMMAND)


def extra_output(report, tables):
    """Clusters with and without pairs and samples, byte by byte."""
    differ = 0
    for table in tables:
        alone, clusters = FOLDER / f"{table.name}.alone.csv", []
        table.dedupe("-o", alone)
        table.dedupe("--pairs", FOLDER / "pairs.csv")
        clusters.append(filecmp.cmp(alone, table.output, shallow=False))
        table.dedupe("--samples", 5)
        sampled = [{k: v for k, v in row.items() if k != "confidence"} for row in rows_of(table.output)]
        clusters.append(sampled == rows_of(alone))
        differ += not all(clusters)
        report.add(table="The same clusters with other output", row={
            "data": table.name, "--pairs": "same" if clusters[0] else "other",
            "--samples": "same" if clusters[1] else "other"})
    report.bar("trust/same", differ, COMMAND)


def calibration_error(path, entities):
    """Expected calibration error of the probabilities of pairs, in ten bins."""
    bins = {}
    for row in rows_of(path):
        probability = float(row["probability"])
        match = entities[row["first_id"]] == entities[row["second_id"]]
        bins.setdefault(min(9, int(10 * probability)), []).append((probability, match))
    count = sum(map(len, bins.values()))
    return sum(abs(sum(p - m for p, m in members)) for members in bins.values()) / count


def calibration(report, tables):
    worst = 0
    for table in tables:
        errors = {}
        for name, options in (("scores", ()), ("20 samples", ("--samples", 20))):
            table.dedupe("--pairs", FOLDER / "pairs.csv", *options)
            errors[name] = calibration_error(FOLDER / "pairs.csv", table.entities)
        worst = max(worst, errors["20 samples"])
        report.add(table="Expected calibration error of pairs",
                   row={"data": table.name, **{k: round(v, 4) for k, v in errors.items()}})
    report.bar("trust/calibration", worst, COMMAND)


def answered(table, questions, seed):
    draws = random.Random(seed)
    rows = []
    for row in rows_of(questions):
        match = table.entities[row["first_id"]] == table.entities[row["second_id"]]
        rows.append({"first_id": row["first_id"], "second_id": row["second_id"],
                     "match": int(match != (draws.random() < .05))})
    return write(FOLDER / "answers.csv", rows)


def partly_labelled(table, seed):
    """A column that has the labels of a fifth of the entities."""
    entities = sorted(set(table.entities.values()))
    chosen = set(random.Random(seed).sample(entities, len(entities) // 5))
    rows = [{**row, GOLD: table.entities[row[table.id]],
             "LABEL": table.entities[row[table.id]] if table.entities[row[table.id]] in chosen else ""}
            for row in table.rows]
    return write(FOLDER / f"{table.name}.labels.csv", rows)


def labels(report, tables):
    worst = {"answers": 0, "labels": 0}
    for table in tables:
        without = f1(table.dedupe())
        questions, none = FOLDER / "questions.csv", FOLDER / "none.csv"
        measure.run(fovea.command("review", table.path, *table.lists, *table.more, "--questions", questions, "--answers",
                                  none))
        seeds = range(SEEDS if len(table.rows) < 100_000 else 3)
        found = {"answers": [f1(table.dedupe("--labelled-pairs", answered(table, questions, s))) for s in seeds],
                 "labels": [f1(table.dedupe("--labels", "LABEL", path=partly_labelled(table, s))) for s in seeds]}
        for kind, values in found.items():
            worst[kind] = max(worst[kind], without - min(values))
        report.add(table="Pair F1 with labels, and with the answers to a review", row={
            "data": table.name, "without": round(without, 4),
            "a fifth of the entities labelled": measure.summary(found["labels"]),
            "100 answers, 5 % wrong": measure.summary(found["answers"])})
    report.bar("trust/answers", worst["answers"], COMMAND)
    report.bar("trust/labels", worst["labels"], COMMAND)


def proposals(report, tables):
    worst = 0
    for table in tables:
        by_hand, proposed = f1(table.dedupe()), table.dedupe(lists=False)
        worst = max(worst, by_hand - f1(proposed))
        report.add(table="Pair F1 without lists of comparisons and rules", row={
            "data": table.name, "lists by hand": round(by_hand, 4), "proposed": round(f1(proposed), 4),
            "compare": proposed["proposed"]["compare"], "block": proposed["proposed"]["block"]})
    report.bar("trust/proposals", worst, COMMAND)


def limits(report, people):
    """300,000 people by rules that bring over 1e9 pairs together, under limits."""
    worst = 0
    lists = ("--compare", MATCHINGS["people"].compare, "--block", "initial(surname), initial(given), year(born)",
             "--max-block", 100_000)
    for limit in (1, 2, 5):
        run = people.dedupe(*lists, "--time-limit", f"{limit}s", lists=False)
        worst = max(worst, run["seconds"] - limit - max(.05 * limit, 1))
        report.add(table="Time limits at over 1e9 candidate pairs", row={
            "limit, s": limit, "seconds": round(run["seconds"], 2), "pair F1": round(f1(run), 4)})
    report.bar("trust/limits", worst, COMMAND)


def one_block(report):
    """30,000 people in one block, also with the rules of `people` to learn from."""
    path = FOLDER / "block.csv"
    measure.run(fovea.command("generate", "people", "--records", 30_000, "--seed", 3, "-o", path))
    write(path, [{**row, "all": "x"} for row in rows_of(path)])
    for options in ((), ("--train-rules", MATCHINGS["people"].block)):
        run = measure.run(fovea.command("dedupe", path, "--compare", MATCHINGS["people"].compare, "--block", "all",
                                        "--max-block", 100_000, "--gold", "entity", "--json", "-o", FOLDER / "o.csv", *options))
        score = f1(json.loads(run.output))
        report.add(table="30,000 people in one block", row={
            "rules to learn from": "proposed" if not options else "those of people", "pair F1": round(score, 4),
            "CPU seconds": round(run.cpu_seconds, 1), "peak MB": round(run.peak_mb)})
        if not options:
            report.bar("trust/block-f1", score, COMMAND)
            report.bar("trust/block-cpu", run.cpu_seconds, COMMAND)
            report.bar("trust/block-memory", run.peak_mb, COMMAND)


def mentions(name):
    """Author mentions with the columns that both bibliographies have together, in another order."""
    columns = ("mention", "name", "affiliation", "paper", "coauthors", "title", "venue")
    rows = records.read(f"{name}.tsv")
    random.Random(1).shuffle(rows)
    for row in rows:
        row.setdefault("name", f"{row.get('last')}, {row.get('first')}")
    return write(FOLDER / f"{name}.mentions.csv",
                 [{**{c: row.get(c, "") for c in columns}, "entity": row["entity"]} for row in rows])


def adapting(report):
    trivial = {"beard72k": .948, "acl187k_abbrev": .903}  # by surname and first initial
    paths = {name: mentions(name) for name in trivial}
    models = {}
    for name, path in paths.items():
        models[name] = FOLDER / f"{name}.er"
        measure.run(fovea.command("dedupe", path, "--preset", "authors", "--labels", "entity", "-o", models[name]))
    above = []
    for own, other in (("beard72k", "acl187k_abbrev"), ("acl187k_abbrev", "beard72k")):
        found = {}
        for kind, options in (("as it is", ()), ("adapted", ("--adapt",))):
            run = measure.run(fovea.command("dedupe", paths[other], "--model", models[own], "--statistics", "table", *options,
                                            "--gold", "entity", "--json", "-o", FOLDER / "o.csv"))
            found[kind] = json.loads(run.output)["metrics"]["b_cubed"]["f1"]
        above.append(found["adapted"] - trivial[other])
        report.add(table="B-cubed F1 by the labelled model of another bibliography", row={
            "model of": own, "on": other, "surname and first initial": trivial[other],
            **{kind: round(value, 4) for kind, value in found.items()}})
        report.bar(f"trust/adapting-{other}", found["adapted"] - found["as it is"], COMMAND)
    report.bar("trust/adapted", min(above), COMMAND)


def frequent_names(rows):
    """The mentions of every eighth of the 400 most frequent names: all of them would take an hour."""
    blocks = collections.Counter(row["surname"] + row["given"][:1] for row in rows)
    chosen = {name for name, _ in blocks.most_common(400)[::8]}
    return [row for row in rows if row["surname"] + row["given"][:1] in chosen]


def asking(report, citations, mentions):
    """A scorer that takes long: what subsampling saves, what a schedule does, and both. An arm counts if it ends at most
    .005 below the exact decisions of the default schedule."""
    worst = {"saving": [], "difference": 0, "both": 0}
    part = FOLDER / "mentions.asking.csv"
    write(part, [{**row, GOLD: mentions.entities[row[mentions.id]]} for row in frequent_names(mentions.rows)])
    for table, path, seeds in ((citations, citations.path, SEEDS), (mentions, part, 2)):
        cpu, scores = {}, {}
        for schedule in ("learned", "uniform"):
            for exactness in ("exact", "bounded:0.05"):
                runs = [table.dedupe("--score", f"{sys.executable} {SCORER} {table.name}", "--exactness", exactness,
                                     "--schedule", schedule, "--seed", seed, path=path) for seed in range(1, seeds + 1)]
                arm = schedule, exactness
                cpu[arm] = statistics.median(run["cpu"] for run in runs)
                scores[arm] = [f1(run) for run in runs]
                report.add(table="A command scores pairs", row={
                    "data": table.name, "schedule": schedule, "exactness": exactness,
                    "pairs asked about": int(statistics.median(run["asked"] for run in runs)),
                    "CPU seconds": round(cpu[arm], 2), "pair F1": measure.summary(scores[arm])})
        means = {arm: statistics.mean(values) for arm, values in scores.items()}
        exact, both = ("learned", "exact"), ("learned", "bounded:0.05")
        alone = [arm for arm in (exact, ("uniform", "bounded:0.05")) if means[arm] >= means[exact] - .005]
        worst["saving"].append(cpu[exact] / cpu[both])
        worst["difference"] = max(worst["difference"], abs(means[both] - means[exact]))
        worst["both"] = max(worst["both"], cpu[both] / min(cpu[arm] for arm in alone))
    report.bar("trust/asking", min(worst["saving"]), COMMAND)
    report.bar("trust/asking-f1", worst["difference"], COMMAND)
    report.bar("trust/asking-both", worst["both"], COMMAND)


def large(report):
    path = FOLDER / "people2m.csv"
    measure.run(fovea.command("generate", "people", "--records", 2_000_000, "--seed", 7, "-o", path))
    run = measure.run(fovea.command("dedupe", path, "--compare", MATCHINGS["people"].compare, "--block",
                                    MATCHINGS["people"].block, "--gold", "entity", "--json", "-o", FOLDER / "o.csv"))
    report.add(table="2,000,000 made-up people", row={
        "seconds": round(run.seconds, 1), "CPU seconds": round(run.cpu_seconds, 1), "peak MB": round(run.peak_mb),
        "pair F1": round(f1(json.loads(run.output)), 4)})
    report.bar("trust/large-seconds", run.seconds, COMMAND)
    report.bar("trust/large-memory", run.peak_mb, COMMAND)


def main():
    report = Report("record_trust")
    report.add(text=__doc__)
    tables = {name: Table(name) for name in TABLES}
    began = time.monotonic()

    def step(function, *arguments):
        function(report, *arguments)
        print(f"{time.monotonic() - began:6.0f} s  {function.__name__}", flush=True)

    small = [tables[name] for name in ("RLdata10000", "febrl_3", "coraLarge", "beard72k")]
    step(one_block)
    step(thresholds, small)
    step(extra_output, list(tables.values()))
    step(calibration, [tables[name] for name in ("RLdata10000", "febrl_3", "coraLarge", "people")])
    step(labels, list(tables.values()))
    step(proposals, list(tables.values()))
    step(limits, tables["people"])
    step(adapting)
    step(asking, tables["coraLarge"], tables["beard72k"])
    step(large)
    report.write()


if __name__ == "__main__":
    task.run(main)
