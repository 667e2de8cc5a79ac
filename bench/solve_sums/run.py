# SPDX-License-Identifier: Apache-2.0
"""Partition functions (PR) and marginals (MAR) of the UAI 2014 competition's models, against the references in the set.

A few references cannot be right; they are named, with the reason, and not counted. MAR references carry six digits. So
exact answers are computed a second time, for the first and last values of five or six variables of each model, as
quotients Z(v = k) / Z of simplified models.
"""
import json
import math
import sys

from harness import fovea, graphs, measure, task
from harness.results import Report

SECONDS = 60
PR_TOLERANCE = 0.01
WRONG_REFERENCES = {
    "sat-grid-pbl-0010.cnf": "as written every assignment breaks a constraint: Z = 0",
    "relational_1": "a closed form and two exact methods agree with each other, not with it",
    "relational_3": "two exact methods agree with each other, not with it",
    "relational_5": "two exact methods agree with each other, not with it",
}


def solve(graph, name, *more):
    words = ("solve", *graph.words(), "--task", name, "--time-limit", f"{SECONDS}s", "--threads", 2, "--json", *more)
    try:
        run = measure.run(fovea.command(*words))
    except measure.Failed as failure:
        return {"method": str(failure).rsplit("\n", 1)[-1][:60], "status": "none", "log10_partition": None}, None
    return json.loads(run.output), run


def seconds_of(run):
    return "" if run is None else round(run.seconds, 2)


def partition_row(graph):
    answer, run = solve(graph, "PR")
    reference = graph.reference_numbers()[0]
    got = answer["log10_partition"]
    row = {"model": graph.name, "log10 Z": "-" if got is None else round(got, 4), "reference": round(reference, 4),
           "error": "-" if got is None else float(f"{abs(got - reference):.2g}"), "status": answer["status"],
           "by": answer["method"], "seconds": seconds_of(run), "remark": WRONG_REFERENCES.get(graph.name, "")}
    print(f"  PR {row}", file=sys.stderr, flush=True)
    return row


def reference_marginals(graph):
    numbers = graph.reference_numbers()
    if numbers[0] == 1 and len(numbers) > 2 and numbers[1] > 1 and float(numbers[1]).is_integer():
        try:
            return parse_marginals(numbers[1:])
        except (IndexError, ValueError):
            pass
    return parse_marginals(numbers)


def parse_marginals(numbers):
    marginals, at = [], 1
    for _ in range(int(numbers[0])):
        card = int(numbers[at])
        marginals.append(numbers[at + 1:at + 1 + card])
        at += 1 + card
    if at != len(numbers):
        raise ValueError("not a list of marginals")
    return marginals


def hellinger(p, q):
    return math.sqrt(max(0.0, sum((math.sqrt(max(a, 0)) - math.sqrt(max(b, 0))) ** 2 for a, b in zip(p, q))) / 2)


def mean_hellinger(marginals, reference):
    return sum(map(hellinger, marginals, reference)) / len(reference)


def marginal_row(graph):
    answer, run = solve(graph, "MAR")
    reference = reference_marginals(graph)
    row = {"model": graph.name, "status": answer["status"], "by": answer["method"], "seconds": seconds_of(run)}
    if "marginals" in answer:
        row["largest error"] = float(f"{max(abs(a - b) for p, q in zip(answer['marginals'], reference) for a, b in zip(p, q)):.2g}")
        row["Hellinger"] = float(f"{mean_hellinger(answer['marginals'], reference):.3g}")
    if answer["status"] == "exact":
        second = fovea.study("solve_sums_second_method", graph.model, graph.evidence or "")[0]
        row["second exact method"] = float(f"{second['largest_difference']:.2g}")
    else:
        belief, _ = solve(graph, "MAR", "--method", "messages")
        if "marginals" in belief:
            row["of belief propagation"] = float(f"{mean_hellinger(belief['marginals'], reference):.3g}")
    row["remark"] = WRONG_REFERENCES.get(graph.name, "")
    print(f"  MAR {row}", file=sys.stderr, flush=True)
    return row


def add_partition_functions(report):
    rows = [partition_row(graph) for graph in graphs.uai("PR")]
    for row in rows:
        report.add(table=f"PR, {SECONDS} s, 2 threads", row=row)
    counted = [row for row in rows if not row["remark"]]
    good = sum(row["error"] != "-" and row["error"] <= PR_TOLERANCE for row in counted)
    report.bar("pr/reached", 100 * good / len(counted), f"fovea solve MODEL.uai --task PR --time-limit {SECONDS}s",
               note=f"{good} of {len(counted)}; {len(rows) - len(counted)} with a wrong reference left out")


def add_marginals(report):
    rows = [marginal_row(graph) for graph in graphs.uai("MAR")]
    for row in rows:
        report.add(table=f"MAR, {SECONDS} s, 2 threads", row=row)
    shown = f"fovea solve MODEL.uai --task MAR --time-limit {SECONDS}s"
    exact = [row for row in rows if row["status"] == "exact" and not row["remark"]]
    report.bar("mar/exact", max((row["largest error"] for row in exact), default=None), shown, note=f"{len(exact)} models")
    twice = max(row["second exact method"] for row in rows if "second exact method" in row)
    report.bar("mar/second-method", twice, "solve_sums_second_method MODEL.uai MODEL.uai.evid",
               note="largest difference of a marginal, log Z relative")
    rest = [row for row in rows if "of belief propagation" in row and not row["remark"]]
    ours, theirs = (sum(row[key] for row in rest) for key in ("Hellinger", "of belief propagation"))
    report.bar("mar/rest-mean", ours / theirs, shown, note=f"{len(rest)} models")
    good = sum(row["Hellinger"] <= row["of belief propagation"] / 2 for row in rest)
    report.bar("mar/rest", good, shown, note=f"of {len(rest)} models")


def main():
    report = Report("solve_sums")
    report.add(text=__doc__)
    add_partition_functions(report)
    add_marginals(report)
    report.write()


if __name__ == "__main__":
    task.run(main)
