# SPDX-License-Identifier: Apache-2.0
"""MAP on the shared models of the UAI 2014 competition and on two generated ones.

Every tool has the same wall time on the same two cores, one after the other; toulbar2's search has one thread.
`fovea check` computes the scores of both from the assignment, in log10 of the product of all factors. A published value
counts as reached at .05 below it, as its last digit allows. Generated models are solved with five seeds within the time
that the best peer took.
"""
import json
import math
import pathlib
import statistics
import sys

from harness import fovea, graphs, measure, task
from harness.data import CACHE
from harness.results import Report

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60
TOLERANCE = 0.05
SEEDS = range(1, 6)
GENERATED = {"grid200_k5": (54152.0, 1.9, "TRW-S of OpenGM"), "rand3_k3": (1786.8, 30, "toulbar2 -vns")}


def checked_score(graph, assignment):
    """log10 score as `fovea check` computes it; None for an assignment that breaks a constraint."""
    path = CACHE / "assignment.txt"
    path.write_text(f"{len(assignment)} " + " ".join(map(str, assignment)) + "\n", encoding="ascii")
    words = [graph.model, path, *(["--evidence", graph.evidence] if graph.evidence else [])]
    try:
        return fovea.run_json("check", *words, "--json")["log10_score"]
    except measure.Failed:
        return None


def solve(graph, seconds, *words):
    command = fovea.command("solve", *graph.words(), "--time-limit", f"{seconds}s", "--threads", 2, *words, "--json")
    run = measure.run(command)
    return json.loads(run.output), run


def solve_by_toulbar2(graph, seconds):
    command = [sys.executable, HERE / "toulbar2.py", graph.model, graph.evidence or "-", seconds]
    try:
        return checked_score(graph, json.loads(measure.run(["timeout", str(seconds + 15), *command]).output)["values"])
    except (measure.Failed, json.JSONDecodeError):
        return None


def compare(graph, published):
    answer, run = solve(graph, SECONDS)
    ours = checked_score(graph, answer["values"])
    if ours is None or abs(ours - answer["log10_score"]) > 1e-6 * (1 + abs(ours)):
        raise measure.Failed(f"{graph.name}: the score {answer['log10_score']} is not that of the assignment, {ours}")
    theirs = solve_by_toulbar2(graph, SECONDS)
    print(f"  {graph.name}: {ours:.3f}, toulbar2 {theirs}, published {published}", file=sys.stderr, flush=True)
    return {"model": graph.name, "Fovea": round(ours, 3), "proved": "yes" if answer["optimal"] else "",
            "seconds": round(run.seconds, 2), "by": answer["method"],
            "toulbar2": "none" if theirs is None else round(theirs, 3), "published": published}


def compare_generated(report, name, best, seconds, peer):
    """Adds one row and one bar: the median score of several seeds, next to toulbar2 in whole seconds, rounded up."""
    graph = graphs.generated(name)
    answers, runs = zip(*(solve(graph, seconds, "--seed", seed) for seed in SEEDS))
    scores = measure.summary(answer["score"] for answer in answers)
    theirs = solve_by_toulbar2(graph, math.ceil(seconds))
    print(f"  {name}: {scores}, toulbar2 {theirs}", file=sys.stderr, flush=True)
    report.add(table="Generated models, natural log scores",
               row={"model": name, "Fovea, median": round(scores["median"], 2),
                    "worst of 5 seeds": round(scores["min"], 2),
                    "seconds": round(statistics.median(run.seconds for run in runs), 2), "by": answers[0]["method"],
                    "best peer": best, "peer": peer, "its seconds": seconds,
                    "toulbar2 here": "none" if theirs is None else round(theirs * math.log(10), 2)})
    report.bar(f"map/{name}", scores["median"], f"fovea solve {name}.uai --time-limit {seconds}s --threads 2",
               spread=scores)


def main():
    published = graphs.published_map_scores()
    report = Report("solve_map")
    report.add(text=__doc__)
    rows = [compare(graph, published[graph.name]) for graph in graphs.uai("MAP") if graph.name in published]
    for row in rows:
        report.add(table=f"UAI 2014 MAP, log10 scores, {SECONDS} s, 2 threads", row=row)
    reached = sum(row["Fovea"] >= row["published"] - TOLERANCE for row in rows)
    below = sum(row["toulbar2"] != "none" and row["Fovea"] < row["toulbar2"] - 1e-3 for row in rows)
    shown = f"fovea solve MODEL.uai --evidence MODEL.uai.evid --time-limit {SECONDS}s --threads 2"
    report.bar("map/published", reached, shown, note=f"of {len(rows)}")
    report.bar("map/toulbar2", below, shown, note=f"of {len(rows)}; toulbar2 -vns for the same wall time")
    for name, (best, seconds, peer) in GENERATED.items():
        compare_generated(report, name, best, seconds, peer)
    report.write()


if __name__ == "__main__":
    task.run(main)
