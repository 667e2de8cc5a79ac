# SPDX-License-Identifier: Apache-2.0
"""Typing by swiping.

Figure 4 of the strong-Doeblin paper, on generated gestures: character and word accuracy after each pass, with 1,000
gestures to learn from and 2,000 to score, five seeds, and words drawn equally often from the 20,000 most frequent.
Doeblin is read after its last pass, u-Gibbs after the pass that is best for it. "Words" and "characters" are means over
the samples that a chain keeps, where each chain weighs the same. "First" is the word most often met by one chain of T
transitions. "Exact" are the same weights read by sums of all alignments of each word of the dictionary, which chains do
not know to be the whole language; "u alone" has no chain.

Then real swipes, with all words of the dictionary: four fifths of the users to learn from, a fifth (by a hash of the
user) to score. Every row is read and counts, also those that the data call failed (a sixth), which are shown apart and
not learned from. Words that the dictionary lacks count as wrong; their share is reported. Users type from one pool of
sentences, so that words learned from the others' swipes, and even more what follows what, are met again more often than
elsewhere: "words before" learns from the sentences that the other users typed, and is told the words before each swipe
("meant") or takes those that it read ("read").
"""
import gzip
import json
import statistics

from harness import data, fovea, measure, task
from harness.results import Report

STUDY = "gestures_study"
BUDGETS = (20, 50, 100)
METHODS = ("doeblin", "u-gibbs", "basic-gibbs")
STUDENT_4 = 2.776  # 95 %, four degrees of freedom: five seeds


def by_seed(records, method, transitions, number, key="characters"):
    return {r["seed"]: r[key] for r in records
            if (r["method"], r["transitions"], r["pass"]) == (method, transitions, number)}


def best(records, method, transitions):
    """The accuracy of each seed after the pass whose mean is best."""
    passes = sorted({r["pass"] for r in records})
    return max((by_seed(records, method, transitions, number) for number in passes),
               key=lambda scores: statistics.mean(scores.values()))


def points_above(high, low):
    """Mean and half the 95 % interval of the paired differences."""
    differences = [100 * (high[seed] - low[seed]) for seed in sorted(high)]
    return statistics.mean(differences), STUDENT_4 * statistics.stdev(differences) / len(differences) ** .5


FIGURES = ("words", "characters", "training_words", "training_characters", "seconds")
READINGS = ("chain_first", "exact_first", "exact_words", "exact_characters", "exact_milliseconds")


def add_mean(report, records, row, keys):
    report.add(table="Figure 4: accuracy on generated gestures",
               row={**row, **{key: round(statistics.mean(r[key] for r in records), 3) for key in keys}})


def figure_4(report, words):
    records = fovea.study(STUDY, words, 5, "types")
    of_u = [r for r in records if r["method"] == "u"]
    records = [r for r in records if r["method"] != "u"]
    last = max(r["pass"] for r in records)
    for transitions in BUDGETS:
        for method in METHODS:
            for number in range(1, last + 1):
                chosen = [r for r in records if (r["method"], r["transitions"], r["pass"]) == (method, transitions, number)]
                add_mean(report, chosen, {"T": transitions, "method": method, "pass": number}, FIGURES + READINGS)
        mean, half = points_above(by_seed(records, "doeblin", transitions, last), best(records, "u-gibbs", transitions))
        report.bar(f"gestures/{transitions}", mean - half, "bench/run.sh gestures", note=f"mean {mean:.2f}")
    add_mean(report, of_u, {"T": "", "method": "u alone", "pass": ""}, READINGS[1:])
    mean, half = points_above(by_seed(records, "doeblin", 20, last), best(records, "u-gibbs", 100))
    report.bar("gestures/fewer", mean, "bench/run.sh gestures", note=f"95 %: {mean - half:.2f} .. {mean + half:.2f}")
    exact_bars(report, of_u, [r for r in records if (r["method"], r["pass"]) == ("doeblin", last)])


def exact_bars(report, of_u, doeblin):
    command = "bench/run.sh gestures"
    first = measure.summary([r["exact_first"] for r in of_u])
    report.bar("exact-words/u", first["median"], command, spread=first)
    slowest = measure.summary([r["exact_milliseconds"] for r in of_u + doeblin])
    report.bar("exact-words/milliseconds", slowest["max"], command, spread=slowest)
    for transitions in BUDGETS:
        less = measure.summary([100 * (r["chain_first"] - r["exact_first"])
                                for r in doeblin if r["transitions"] == transitions])
        report.bar(f"exact-words/chain{transitions}", less["median"], command, spread=less)


def hash_of(text):
    """FNV-1a, 64 bits."""
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001b3) & (2**64 - 1)
    return value


def split_by_user(source):
    train, test = (data.CACHE / "gestures" / f"{part}.tsv" for part in ("train", "test"))
    train.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(source, "rt", encoding="utf-8") as lines, open(train, "w", encoding="utf-8") as rest, \
            open(test, "w", encoding="utf-8") as kept:
        header = next(lines)
        rest.write(header)
        kept.write(header)
        for line in lines:
            (rest if hash_of(line.split("\t", 1)[0]) % 5 else kept).write(line)
    return train, test


def write_sentences(train):
    """The words that users typed, a line for each, without swipes that failed."""
    path = train.with_name("sentences.txt")
    with open(train, encoding="utf-8") as rows, open(path, "w", encoding="utf-8") as text:
        names = next(rows).rstrip("\n").split("\t")
        uid, word, failed = (names.index(name) for name in ("uid", "word", "is_err"))
        last = None
        for row in rows:
            cells = row.rstrip("\n").split("\t")
            if cells[failed] != "0":
                continue
            text.write(("" if last is None else " " if cells[uid] == last else "\n") + cells[word])
            last = cells[uid]
        text.write("\n")
    return path


def real_swipes(report, words, source):
    """Measures with the words of WORDS alone, and with words and sentences learned from other users."""
    train, test = split_by_user(source)
    text = write_sentences(train)
    for learned, dictionary in ((0, "WORDS alone"), (1, "and words of the other users")):
        model = train.with_name(f"keyboard{learned}.model")
        training = fovea.run_json("gestures", "train", words, train, "--learn-words", learned, "--text", text,
                                  "-o", model, "--json")
        report.add(table="Real swipes: training", row={
            "dictionary": dictionary,
            **{key: training[key] for key in ("words", "gestures", "failed_left_out", "unknown", "context_grams")},
            "seconds": round(training["seconds"], 1)})
        if learned == 0:
            report.bar("swipes/training", training["seconds"], "bench/run.sh gestures",
                       note=f"{training['gestures']:,} swipes, two threads")
        for context in ("column", "meant", "read"):
            for transitions in (4, 10, 20, 50) if context == "column" else (20,):
                told = read_swipes(model, test, transitions, context)
                report.add(table="Real swipes: a fifth of the users, every row", row={
                    "dictionary": dictionary, "transitions": transitions,
                    "words before": {"column": "not known"}.get(context, context),
                    **{key: round(value, 4) for key, value in told.items()
                       if "labelled" not in key and not key.endswith("not_in_dictionary") and key != "gestures"}})
                if transitions == 20:
                    add_bars(report, learned, context, told)
    paper_model(report, words, train, test)


def paper_model(report, words, train, test):
    """The paper's family, which reads keys, from every sixth swipe: by its chain and by exact sums."""
    part = train.with_name("sixth.tsv")
    with open(train, encoding="utf-8") as rows, open(part, "w", encoding="utf-8") as kept:
        kept.writelines(row for i, row in enumerate(rows) if i % 6 == 0)
    model = train.with_name("alignment.model")
    fovea.run_json("gestures", "train", words, part, "--family", "alignment", "--start-passes", 3, "--passes", 2, "-o",
                   model, "--json")
    for reading, transitions in (("exact", 20), ("chain", 20), ("chain", 100)):
        told = read_swipes(model, test, transitions, "column", "--reading", reading)
        report.add(table="Real swipes: the paper's family, learned from a sixth of the swipes", row={
            "reading": reading, "transitions": "" if reading == "exact" else transitions,
            **{key: round(told[key], 4) for key in ("first_is_right", "listed", "failed_first_is_right",
                                                    "others_first_is_right", "milliseconds_per_gesture")}})


def read_swipes(model, test, transitions, context, *more):
    run = measure.run(fovea.command("gestures", "decode", model, test, "--n-best", 4, "--budget",
                                    f"{transitions} transitions/item", "--context", context, "--json", "--report",
                                    *more))
    return json.loads(run.errors.removeprefix("fovea: "))


def add_bars(report, learned, context, told):
    name = "swipes" if learned == 0 else "learned-swipes"
    if context == "column":
        report.bar(f"{name}/first", told["others_first_is_right"], "bench/run.sh gestures",
                   note=f"{told['others_not_in_dictionary']:.1%} of the words are not in the dictionary")
        report.bar(f"{name}/four", told["others_listed"], "bench/run.sh gestures")
        report.bar(f"{name}/milliseconds", told["milliseconds_per_gesture"], "bench/run.sh gestures")
    if learned == 1 and context != "read":
        report.bar(f"every-swipe/{context}", told["first_is_right"], "bench/run.sh gestures",
                   note=f"failed {told['failed_first_is_right']:.3f}, others {told['others_first_is_right']:.3f}")


def main():
    folder = data.directory() / "gestures"
    words, swipes = folder / "word_frequencies.tsv.gz", folder / "swipes_dev_users.tsv.gz"
    for path in (words, swipes):
        if not path.exists():
            raise data.Missing(f"{path} is not there; set FOVEA_DATA")
    report = Report("gestures")
    report.add(text=__doc__)
    figure_4(report, words)
    real_swipes(report, words, swipes)
    report.write()


if __name__ == "__main__":
    task.run(main)
