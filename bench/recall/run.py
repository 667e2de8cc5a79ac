# SPDX-License-Identifier: Apache-2.0
"""Messages recalled just in time (Eslami et al. 2014, "Just-in-time learning for fast and flexible inference") against
the oracles that teach them, on one thread. `python -m recall.run --quick` takes few problems, prints and writes
nothing.

Oracle and recall have the same draws a message, in runs that take turns. Recalled messages are judged as they are used,
by what many like them would make of a variable; the marginal KL in the tables is that of each alone, against
quadrature. Errors of posteriors are distances of means from those by quadrature, in posterior standard deviations, as
root mean squares over weights. Warm-up is the first fifth of the problems or messages.

Logistic: 50 regressions (20 weights, 300 rows, one w for all labels), one after the other, five seeds. Tables: real
ones with scaled columns, which one source visits in this order; it must see that each is another world. Compound gamma:
incoming messages with log-normal shapes and rates. Yields: a stand-in for the paper's, whose data are not public
(equations in bench/recall/yield.cc), in turns, and by residuals, which takes next the message whose inputs have changed
most.
"""
import collections
import csv
import math
import pathlib
import statistics
import tempfile

from harness import data, fovea, task
from harness.measure import summary
from harness.results import Report

COMMAND = "bench/run.sh recall"
SEEDS, QUICK_SEEDS = range(1, 6), range(1, 2)
SAMPLES, PROBLEMS, QUICK_PROBLEMS = 5000, 50, 5
MAX_KL = 1e-3  # the default limit on the error of a recalled message
MESSAGES, QUICK_MESSAGES = 32768, 4096
YIELD_SAMPLES = 20000
CHAIN = (100_000, 4000)
QUICK_CHAIN = (10_000, 500)
TABLES = {  # file, lines of heading, the label that counts as 1
    "banknote": ("data_banknote_authentication.txt", 0, "1"),
    "transfusion": ("transfusion.data", 1, "1"),
    "ionosphere": ("ionosphere.data", 0, "g"),
    "fertility": ("fertility_Diagnosis.txt", 0, "O")}


class Judged:
    """Recalled messages of all streams, and those among them that err by more than allowed."""

    def __init__(self):
        self.recalled = self.wrong = 0
        self.worst = 0.

    def add(self, marginal_kl):
        self.recalled += marginal_kl["recalled"]
        self.wrong += marginal_kl["wrong"]
        self.worst = max(self.worst, marginal_kl["worst"])

    def upper(self):
        """One-sided 95 % limit of the percentage of wrong ones, by the normal approximation with a pseudo-count."""
        share = (self.wrong + 2) / (self.recalled + 4)
        return 100 * (share + 1.645 * (share * (1 - share) / (self.recalled + 4)) ** .5)


def share(records):
    return 100 * sum(r["oracle_calls"] for r in records) / sum(r["messages"] for r in records)


def add_logistic(report, judged, seeds, problems, how=(), name="a forest, judged together"):
    speed, shares, excess, runs = [], [], [], []
    for seed in seeds:
        runs.append(fovea.study("recall_logistic", "problems", SAMPLES, problems, seed, *how))
        records = runs[-1]
        late = records[len(records) // 5:]
        speed.append(sum(r["oracle_seconds"] for r in records) / sum(r["seconds"] for r in records))
        shares.append(share(late))
        errors = statistics.mean(r["error"] for r in records), statistics.mean(r["oracle_error"] for r in records)
        excess.append(errors[0] / errors[1])
        here = Judged()
        for record in records:
            here.add(record["marginal_kl"])
        report.add(table=f"{problems} logistic regressions, {SAMPLES} draws a message: {name}", row={
            "seed": seed, "messages": sum(r["messages"] for r in records),
            "oracle, %": round(share(records), 2), "after warm-up, %": round(shares[-1], 2),
            "seconds": round(sum(r["seconds"] for r in records), 2),
            "oracle's seconds": round(sum(r["oracle_seconds"] for r in records), 2),
            "error": f"{errors[0]:.4f}", "oracle's error": f"{errors[1]:.4f}",
            "above max": f"{here.wrong} of {here.recalled}", "worst KL": f"{here.worst:.1e}"})
        if not how:
            judged.recalled += here.recalled
            judged.wrong += here.wrong
            judged.worst = max(judged.worst, here.worst)
    if not how:
        draw_logistic(report, runs, MAX_KL)
    return speed, shares, excess


def density(moments, x):
    mean, variance = moments
    return math.exp(-.5 * (x - mean) ** 2 / variance) / math.sqrt(2 * math.pi * variance)


def draw_logistic(report, runs, limit):
    """Draws figures from all seeds' records, one list each."""
    everything = [record for records in runs for record in records]
    cases = [case for record in everything for case in record["cases"] if min(case) > 0]
    exponents = collections.Counter(math.floor(2 * math.log10(error)) / 2 for _, error in cases)
    report.add(figure="recall-logistic-errors.svg", title="Recalled messages of logistic factors", log_x=True,
               x="marginal KL from quadrature (half decades)", y="% of messages",
               curves=[{"label": "recalled", "points": [[10 ** (e + .25), round(100 * exponents[e] / len(cases), 3)]
                                                        for e in sorted(exponents)]}])
    few = cases[::max(1, len(cases) // 1500)]
    report.add(figure="recall-logistic-doubt.svg", title="Doubt and error of recalled messages", log_x=True, log_y=True,
               x="doubt: expected error with others like it", y="marginal KL alone",
               curves=[{"label": "recalled", "dots": True,
                        "points": [[float(f"{d:.3g}"), float(f"{e:.3g}")] for d, e in few]},
                       {"label": "allowed", "published": True, "points": [[min(d for d, _ in few), limit],
                                                                           [max(d for d, _ in few), limit]]}])
    places = range(len(runs[0]))
    middle = {key: [statistics.median(records[i][key] for records in runs) for i in places]
              for key in ("seconds", "oracle_seconds", "error", "oracle_error")}
    report.add(figure="recall-logistic-share.svg", title="Messages that the oracle is asked for", x="problem", y="%",
               curves=[{"label": "median of the seeds",
                        "points": [[i + 1, round(statistics.median(share([records[i]]) for records in runs), 3)]
                                   for i in places]}])
    for key, unit in (("seconds", "seconds"), ("error", "distance of means, posterior standard deviations")):
        report.add(figure=f"recall-logistic-{key}.svg", title="Logistic regressions, one after the other", x="problem",
                   y=unit, curves=[{"label": label, "points": [[i + 1, float(f"{value:.3g}")]
                                                               for i, value in enumerate(middle[of])]}
                                   for label, of in (("recalled", key), ("oracle", f"oracle_{key}"))])
    worst = max((record["worst"] for record in everything), key=lambda w: w["error"])
    mean, variance = worst["exact"]
    xs = [mean + 4 * math.sqrt(variance) * k / 40 for k in range(-40, 41)]
    report.add(figure="recall-logistic-worst.svg", title=f"The worst recalled message: marginal KL {worst['error']:.1e}",
               x="log odds", y="density",
               curves=[{"label": label, "points": [[round(x, 4), float(f"{density(worst[key], x):.4g}")] for x in xs]}
                       for label, key in (("incoming message", "incoming"), ("marginal by quadrature", "exact"),
                                          ("recalled marginal", "recalled"))])


def write_table(name, folder):
    file, heading, positive = TABLES[name]
    with open(data.directory() / "uci_binary" / file, encoding="latin-1") as lines:
        rows = [row for row in csv.reader(lines) if row][heading:]
    columns = [column for column in zip(*[[float(cell) for cell in row[:-1]] for row in rows]) if len(set(column)) > 1]
    scaled = [[(value - statistics.mean(column)) / statistics.pstdev(column) for value in column]
              for column in columns]
    path = folder / f"{name}.csv"
    with open(path, "w", newline="", encoding="ascii") as output:
        writer = csv.writer(output)
        writer.writerow([f"x{i}" for i in range(len(scaled))] + ["y"])
        for i, row in enumerate(rows):
            writer.writerow([f"{column[i]:.9g}" for column in scaled] + [int(row[-1].strip() == positive)])
    return path


def add_tables(report, judged, seeds):
    with tempfile.TemporaryDirectory() as folder:
        paths = [write_table(name, pathlib.Path(folder)) for name in TABLES]
        runs = [fovea.study("recall_logistic", "tables", SAMPLES, seed, *paths) for seed in seeds]
    for records in zip(*runs):
        here = Judged()
        for record in records:
            here.add(record["marginal_kl"])
            judged.add(record["marginal_kl"])
        report.add(table=f"Tables visited one after the other, {len(runs)} runs", row={
            "table": pathlib.Path(records[0]["table"]).stem, "rows": records[0]["rows"],
            "messages": statistics.median(r["messages"] for r in records), "oracle, %": round(share(records), 1),
            "speed-up": round(statistics.median(r["oracle_seconds"] / r["seconds"] for r in records), 1),
            "error": f"{statistics.median(r['error'] for r in records):.4f}",
            "oracle's error": f"{statistics.median(r['oracle_error'] for r in records):.4f}",
            "above max": f"{here.wrong} of {here.recalled}", "worst KL": f"{here.worst:.1e}"})


def add_compound(report, judged, seeds, messages):
    shares, ratios, microseconds = [], [], []
    for seed in seeds:
        *steps, timing = fovea.study("recall_compound", messages, seed)
        late = [step for step in steps if step["messages"] <= messages / 4][-1]
        last = steps[-1]
        shares.append(100 * (last["oracle_calls"] - late["oracle_calls"]) / (last["messages"] - late["messages"]))
        ratios.append(timing["equal_seconds"] / timing["recall_seconds"])
        microseconds.append(1e6 * timing["recall_seconds"])
        judged.add(last["marginal_kl"])
        report.add(table="Compound-gamma messages", row={
            "seed": seed, "oracle calls": f"{last['oracle_calls']} of {last['messages']}",
            "median KL": f"{timing['median_recalled']:.1e}", "worst KL": f"{last['marginal_kl']['worst']:.1e}",
            "us recalled": round(microseconds[-1], 2), "us by quadrature": round(1e6 * timing["quadrature_seconds"], 1),
            "draws for that KL": timing["equal_samples"], "their seconds": round(timing["equal_seconds"], 3),
            "KL in that time": f"{timing['matched_error']:.2g}"})
    return shares, ratios, microseconds


def add_yields(report, seeds, judged, how=(), name="in turns"):
    fresh, continued = [], []
    for seed in seeds:
        for record in fovea.study("recall_yield", YIELD_SAMPLES, seed, "alone", "max=1e-2", *how):
            if record["recall"] == "fresh":
                fresh.append(record)
            elif record["year"] > 11:
                continued.append(record)
            judged.add(record["marginal_kl"])
            kl = record["marginal_kl"]
            report.add(table=f"Yields, {YIELD_SAMPLES} draws a message, {name}", row={
                "seed": seed, "year": record["year"], "recall": record["recall"],
                "oracle, %": round(share([record]), 1), "seconds": round(record["seconds"], 1),
                "oracle's seconds": round(record["oracle_seconds"], 1), "KL of optima": f"{record['error']:.1e}",
                "oracle's": f"{record['oracle_error']:.1e}", "above max": f"{kl['wrong']} of {kl['recalled']}"})
    return fresh, continued


def main():
    is_quick = task.wants_quick_run("Measure what recalling messages saves, and what it costs.")
    seeds = QUICK_SEEDS if is_quick else SEEDS
    problems = QUICK_PROBLEMS if is_quick else PROBLEMS
    report, judged, yields = Report("recall"), Judged(), Judged()
    report.add(text=__doc__)
    speed, shares, excess = add_logistic(report, judged, seeds, problems)
    report.bar("logistic/share", statistics.median(shares), COMMAND, spread=summary(shares))
    report.bar("logistic/speed", statistics.median(speed), COMMAND, spread=summary(speed))
    report.bar("logistic/error", statistics.median(excess), COMMAND, spread=summary(excess))
    for how, name in ((("alone",), "a forest, judged alone"), (("by_message",), "messages, as published"),
                      (("alone", "random_features"), "random features, judged alone")):
        add_logistic(report, judged, list(seeds)[:1], problems, how, name)
    add_tables(report, judged, seeds)
    shares, ratios, microseconds = add_compound(report, judged, seeds, QUICK_MESSAGES if is_quick else MESSAGES)
    report.bar("compound/share", statistics.median(shares), COMMAND, spread=summary(shares))
    report.bar("compound/ratio", statistics.median(ratios), COMMAND, spread=summary(ratios))
    report.bar("compound/microseconds", statistics.median(microseconds), COMMAND, spread=summary(microseconds))
    fresh, continued = add_yields(report, list(seeds)[:2], yields)
    for name, records in (("fresh", fresh), ("continued", continued)):
        rates = [r["oracle_seconds"] / r["seconds"] for r in records]
        report.bar(f"yield-share/{name}", share(records), COMMAND)
        report.bar(f"yield-speed/{name}", statistics.median(rates), COMMAND, spread=summary(rates))
    add_yields(report, list(seeds)[:1], Judged(), ("residual",), "by residuals")
    report.bar("confident/upper", judged.upper(), COMMAND,
               note=f"{judged.wrong} of {judged.recalled}, worst {judged.worst:.1e}; yields apart: {yields.wrong} of "
                    f"{yields.recalled}")
    chain, = fovea.study("recall_chain", *(QUICK_CHAIN if is_quick else CHAIN), 1)
    report.add(table="Logistic regression with 20 weights against Hamiltonian Monte Carlo", row={
        "rows": chain["rows"], "seconds": round(chain["fit_seconds"], 2), "draws of the chain": chain["draws"],
        "largest distance of means, posterior sd": round(chain["largest_distance"], 3),
        "standard error of the chain": round(chain["largest_chain_error"], 3)})
    report.bar("regression/seconds", chain["fit_seconds"], COMMAND)
    report.bar("regression/distance", chain["largest_distance"], COMMAND,
               note=f"the chain's own standard error: {chain['largest_chain_error']:.3f}")
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
