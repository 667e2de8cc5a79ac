# SPDX-License-Identifier: Apache-2.0
"""How far can the gains that rounds expect be trusted? Models are trained on four fifths of the training sentences, policies
and their calibration are learned on the fifth left over, and dev is looked at once.

Octaves: of all visits of the first round whose expected gain is from some number of nats to twice that, the sum that was
expected over the sum that best labels did gain. Regret: dev is cut into files of 50 sentences; `--regret R` is kept on a file
if visits to best labels, until nothing changes, gain no more than R nats an item after it.
"""
from harness import fovea, models, task
from harness.results import Report

TASKS = ("ner-f2", "ner-f4", "pos-f2", "pos-f4")
LEAST_GAIN = 20  # nats; in octaves with less, chance decides


def octave_table(report, name, record):
    row = {"model": name, "start": record["start"]}
    for octave in record["octaves"]:
        ratio = octave["expected"] / octave["gained"] if octave["gained"] > 0 else float("inf")
        row[f"from {octave['from']:g}"] = f"{ratio:.2f} ({octave['gained']:.0f})" if octave["visits"] else ""
    report.add(table="Expected gain over the gain that there was, by octave of the expectation (nats gained)", row=row)


def regret_table(report, name, record):
    row = {"model": name, "start": record["start"]}
    for regret in record["regrets"]:
        row[f"regret {regret['regret']}"] = (f"{regret['kept']} of {regret['files']} files, {regret['left']:.4f} left, "
                                             f"{regret['visits']:.3f} visits")
    report.add(table="Files on which the regret was kept, nats left and visits made per item", row=row)


def main():
    report = Report("gain_calibration")
    report.add(text=__doc__)
    kept, files, ratios = 0, 0, []
    for name in TASKS:
        model, tuning, dev = models.tuned(name)
        for record in fovea.study("gain_calibration_study", model, tuning, dev, models.score(name)):
            octave_table(report, name, record)
            regret_table(report, name, record)
            kept += sum(r["kept"] for r in record["regrets"])
            files += sum(r["files"] for r in record["regrets"])
            ratios += [o["expected"] / o["gained"] for o in record["octaves"] if o["gained"] >= LEAST_GAIN]
    command = "gain_calibration_study MODEL TUNING DEV SCORE"
    report.bar("gains/regret-kept", 100 * kept / files, command, note=f"{kept} of {files}")
    right = sum(0.8 <= ratio <= 1.25 for ratio in ratios)
    report.bar("gains/octaves", 100 * right / len(ratios), command,
               note=f"{right} of {len(ratios)} octaves that gained at least {LEAST_GAIN} nats; {min(ratios):.2f} to {max(ratios):.2f}")
    report.write()


if __name__ == "__main__":
    task.run(main)
