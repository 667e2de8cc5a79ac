# SPDX-License-Identifier: Apache-2.0
"""Where to sample for any labels: is a policy that knows no labels, learned on other corpora, as good as one tuned for the task?

Nine tasks of seven corpora. Models are trained on a part of the training sentences, and a task's own policy is learned on the rest;
the policy for any labels is learned on the same parts of the tasks of all *other* corpora. The test part is scored once. What classes
of label pairs the rounds see was chosen on the tuning parts.

Rounds begin at the best label of each item by its own scores; queues begin at random labels, as the paper's do. Savings are in visits:
how many times fewer than cyclic order, to gain as much log-probability. Rounds: as much as 95 % of what visits to best labels
gain until nothing changes (three sweeps); queues: as much as cyclic Gibbs sampling after three sweeps, the best sample counting, mean of three
runs. Kept: log saving over that of the policy tuned for the task.

What ships with the library is learned by `universal_policy_study learn` on the tasks whose data may be shared freely: not on
entities.
"""
import math
import statistics

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


def compare(report, record, what, target):
    """Adds a row and gives (saving, share kept)."""
    tuned, universal = (saving(record[what], kind, target) for kind in ("tuned", "universal"))
    share = kept(tuned, universal)
    report.add(table=f"Savings of {what}", row={"task": record["task"], "tuned for the task": round(tuned, 2),
                                                "for any labels": round(universal, 2),
                                                "log saving kept": "" if math.isnan(share) else f"{share:.0%}"})
    return universal, share


def bars(report, what, found):
    command = "universal_policy_study compare TASK..."
    shares = [share for _, share in found if not math.isnan(share)]
    savings = [saving for saving, _ in found]
    report.bar(f"universal/{what}-kept", 100 * statistics.median(shares), command,
               note=f"worst {100 * min(shares):.0f} %; {sum(share >= .8 for share in shares)} of {len(shares)} tasks keep 80 %")
    report.bar(f"universal/{what}-worst", min(savings), command, note=f"median {statistics.median(savings):.2f}x")


def main():
    report = Report("universal_policy")
    report.add(text=__doc__)
    words = [word for name, parts in problems().items() for word in (name, *parts)]
    rounds, queues = [], []
    for record in fovea.study("universal_policy_study", "compare", *words):
        rounds.append(compare(report, record, "rounds", ROUND_SHARE * record["rounds"]["cyclic"][-1][1]))
        three = dict((p[0], p[1]) for p in record["queues"]["cyclic"])[QUEUE_SWEEPS]
        queues.append(compare(report, record, "queues", three))
    bars(report, "rounds", rounds)
    bars(report, "queues", queues)
    report.write()


if __name__ == "__main__":
    task.run(main)
