# SPDX-License-Identifier: Apache-2.0
"""All marginals of 24 Bayesian networks without evidence, against aGrUM's lazy propagation.

Fovea is timed as a whole process, reading included. aGrUM's reading and inference are timed inside Python, so that the
start of the interpreter does not count against it. Fovea has one thread, aGrUM as many as it takes.
"""
import gzip
import json
import pathlib
import sys

from harness import fovea, graphs, measure, task
from harness.data import CACHE
from harness.results import Report

HERE = pathlib.Path(__file__).resolve().parent
TIME_LIMIT = 60  # for the first run of a peer on a network; one that finishes then may take longer later


def unpacked(graph):
    """aGrUM reads no packed files."""
    target = CACHE / "bif" / f"{graph.name}.bif"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.decompress(graph.model.read_bytes()))
    return target


def run_fovea(path):
    run = measure.run(fovea.command("solve", path, "--task", "MAR", "--threads", 1, "--json"))
    return {"seconds": run.seconds, "answer": json.loads(run.output)}


def run_agrum(path, limit=5 * TIME_LIMIT):
    run = measure.run(["timeout", str(limit), sys.executable, HERE / "agrum.py", path])
    answer = json.loads(run.output)
    return {"seconds": answer["load"] + answer["infer"], "answer": answer}


def agrum_fails(path):
    """The reason why it gives no answer, or None."""
    try:
        run_agrum(path, TIME_LIMIT)
        return None
    except measure.Failed as failure:
        return f"no answer in {TIME_LIMIT} s" if "exit code 124" in str(failure) else "an error: cannot read the file"


def largest_difference(ours, theirs):
    return max(abs(p - theirs[variable][label]) for variable, marginal in ours.items() for label, p in marginal.items())


def compare(graph, rounds):
    print(f"  {graph.name}", file=sys.stderr, flush=True)
    path = unpacked(graph)
    runners = {"fovea": lambda: run_fovea(path)}
    failure = agrum_fails(path)
    if not failure:
        runners["agrum"] = lambda: run_agrum(path)
    runs = measure.interleaved(runners, rounds)
    ours = runs["fovea"][0]["answer"]
    row = {"network": graph.name, "variables": ours["model"]["variables"], "status": ours["status"],
           "Fovea, s": measure.summary(r["seconds"] for r in runs["fovea"])}
    if "agrum" not in runs:
        return {**row, "aGrUM, s": failure, "times faster": "", "largest difference": ""}
    theirs = runs["agrum"]
    ratio = measure.ratios([r["seconds"] for r in theirs], [r["seconds"] for r in runs["fovea"]])
    difference = largest_difference(ours["named"], theirs[0]["answer"]["marginals"])
    return {**row, "aGrUM, s": measure.summary(r["seconds"] for r in theirs), "times faster": ratio,
            "largest difference": float(f"{difference:.2g}")}


def main(rounds=5):
    report = Report("bayesian_networks")
    report.add(text=__doc__)
    rows = [compare(graph, rounds) for graph in graphs.bayesian_networks()]
    for row in rows:
        report.add(table="24 networks, all marginals", row=row)
    both = [row for row in rows if row["times faster"] != ""]
    speeds = measure.summary(row["times faster"]["median"] for row in both)
    shown = "fovea solve NETWORK.bif --task MAR --threads 1"
    report.bar("bif/difference", max(row["largest difference"] for row in both), shown,
               note=f"{len(both)} networks that both finish")
    report.bar("bif/exact", sum(row["status"] == "exact" for row in rows), shown)
    report.bar("bif/speed", speeds["median"], shown, spread=speeds, note="median over networks")
    report.write()


if __name__ == "__main__":
    task.run(main)
