# SPDX-License-Identifier: Apache-2.0
"""Where to sample for any labels: is a policy that knows no labels, learned on other corpora, as good as one tuned for the task?

Nine tasks of seven corpora. Models are trained on a part of the training sentences, and a task's own policy is learned on the rest;
the policy for any labels is learned on the same parts of the tasks of all *other* corpora. Five seeds of learning and of runs; the
test part is scored once. The classes of label pairs that rounds see were chosen on the tuning parts, after a first look at the test parts.

Rounds begin at the best label of each item by its own scores; queues begin at random labels, as the paper's do. Savings are in visits:
how many times fewer than cyclic order, to gain as much log-probability. Rounds: as much as 95 % of what visits to best labels
gain until nothing changes (three sweeps); queues: as much as cyclic Gibbs sampling after three sweeps, the best sample counting, mean of three
runs. Kept: log saving over that of the policy tuned for the task.

`python -m universal_policy.run learn` prints the numbers that ship with the library (sequence/policy/universal_policy.cc). They come
from the tasks whose data may be shared freely, so not from entities and chunks of news, and from generated tags.
"""
import math
import statistics
import sys

from harness import data, fovea, measure, models, task
from harness.results import Report
from where_to_sample.curves import cost_to_reach

CRFPP = {"basenp": "utf-8", "JapaneseNE": "euc-jp", "seg": "utf-8"}
ROUND_SHARE = .95
QUEUE_SWEEPS = 3


def crfpp_problem(name):
    """A task of the CRF++ examples: every third sentence of the training file is for tuning."""
    folder = data.directory() / "crfpp" / name
    if not folder.exists():
        raise data.Missing(f"{folder} is not there; set FOVEA_DATA")
    texts = {part: (folder / f"{part}.data").read_text(encoding=CRFPP[name], errors="replace") for part in ("train", "test")}
    blocks = texts["train"].strip("\n").split("\n\n")
    parts = {"rest": "".join(b + "\n\n" for i, b in enumerate(blocks) if i % 3),
             "tune": "".join(b + "\n\n" for i, b in enumerate(blocks) if i % 3 == 0), "test": texts["test"]}
    paths = {part: data.CACHE / "data" / f"crfpp-{name}.{part}.tsv" for part in parts}
    for part, text in parts.items():
        paths[part].parent.mkdir(parents=True, exist_ok=True)
        paths[part].write_text(text, encoding="utf-8")
    model = data.CACHE / "models" / f"crfpp-{name}.model"
    model.parent.mkdir(parents=True, exist_ok=True)
    measure.run(fovea.command("train", "--factor-size", 2, paths["rest"], "-o", model))
    return model, paths["tune"], paths["test"], "accuracy"


def letters_problem():
    folds, tuning, test = data.letters()
    model = data.CACHE / "models" / "universal-ocr-f4.model"
    model.parent.mkdir(parents=True, exist_ok=True)
    measure.run(fovea.command("train", "--features", "pixels", "--factor-size", 4, "--gradient", "gibbs", *folds, "-o", model))
    return model, tuning, test, "accuracy"


def generated_problem(factor_size):
    """Tags that the program generates."""
    folder = data.CACHE / "data"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"generated-tags.{part}.tsv" for part in ("train", "tune")]
    for part, (path, sentences) in enumerate(zip(paths, (3000, 1000))):
        measure.run(fovea.command("generate", "tags", "--sentences", sentences, "--part", part, "-q", "-o", path))
    model = data.CACHE / "models" / f"generated-tags-f{factor_size}.model"
    model.parent.mkdir(parents=True, exist_ok=True)
    measure.run(fovea.command("train", "--factor-size", factor_size, paths[0], "-o", model))
    return model, paths[1], paths[1], "f1"


def shipped_problems():
    """The tasks from which the numbers come that ship with the library."""
    found = {name: parts for name, parts in problems().items() if not name.startswith(("ner", "chunk"))}
    return found | {f"made-f{factor_size}": generated_problem(factor_size) for factor_size in (2, 4)}


def words_of(tasks):
    return [word for name, parts in tasks.items() for word in (name, *parts)]


def problems():
    """Name -> model, tuning data, test data, score."""
    found = {name: (*models.tuned(name), models.score(name)) for name in models.TASKS}
    found["ocr-f4"] = letters_problem()
    return found | {f"{name}-f2": crfpp_problem(name) for name in CRFPP}


def saving(curves, kind, target):
    """Visits in cyclic order over visits of `kind`, to a gain of `target`."""
    cyclic, ours = (cost_to_reach(sorted((p[0], p[1]) for p in curves[name]), target) for name in ("cyclic", kind))
    return cyclic / ours if cyclic and ours else 0


def kept(tuned, universal):
    return math.log(universal) / math.log(tuned) if tuned > 1 and universal > 0 else float("nan")


def spread(values, form):
    return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"


def compare(report, name, records, what, target_of):
    """Adds a row; gives the medians over seeds of the saving and of the share kept (None where tuning saves nothing)."""
    pairs = [[saving(record[what], kind, target_of(record)) for kind in ("tuned", "universal")] for record in records]
    shares = [kept(*pair) for pair in pairs]
    shares = [share for share in shares if not math.isnan(share)]
    report.add(table=f"Savings of {what}, five seeds", row={
        "task": name, "tuned for the task": spread([tuned for tuned, _ in pairs], "{:.2f}x".format),
        "for any labels": spread([universal for _, universal in pairs], "{:.2f}x".format),
        "log saving kept": spread(shares, "{:.0%}".format) if shares else ""})
    return statistics.median(universal for _, universal in pairs), statistics.median(shares) if shares else None


def bars(report, what, found):
    command = "universal_policy_study compare TASK..."
    shares = [share for _, share in found if share is not None]
    savings = [saving for saving, _ in found]
    report.bar(f"universal/{what}-kept", 100 * statistics.median(shares), command,
               note=f"worst {100 * min(shares):.0f} %; {sum(share >= .8 for share in shares)} of {len(shares)} tasks keep 80 %")
    report.bar(f"universal/{what}-worst", min(savings), command, note=f"median {statistics.median(savings):.2f}x")


def all_there_is(record):
    return ROUND_SHARE * record["rounds"]["cyclic"][-1][1]


def cyclic_sweeps(record):
    return dict(map(tuple, record["queues"]["cyclic"]))[QUEUE_SWEEPS]


def main():
    report = Report("universal_policy")
    report.add(text=__doc__)
    tasks = problems()
    records = fovea.study("universal_policy_study", "compare", *words_of(tasks))
    of_task = {name: [record for record in records if record["task"] == name] for name in tasks}
    bars(report, "rounds", [compare(report, name, found, "rounds", all_there_is) for name, found in of_task.items()])
    bars(report, "queues", [compare(report, name, found, "queues", cyclic_sweeps) for name, found in of_task.items()])
    report.write()


def learn():
    program = f"{fovea.folder()}/universal_policy_study"
    print(measure.run([program, "learn", *words_of(shipped_problems())]).output)


if __name__ == "__main__":
    task.run(learn if sys.argv[1:] == ["learn"] else main)
