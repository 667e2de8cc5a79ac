# SPDX-License-Identifier: Apache-2.0
"""Are time limits kept? `fovea solve` runs with 10 ms to 10 s on every shared model, timed by wall clock from outside.

A process may take, from start to exit, the limit plus the larger of 2 % and 50 ms. Ending with status 5 (no answer
within the limit) is allowed, too. Files are read once before, so that no run waits for them. This machine is shared and
stands still now and then, whatever runs: late runs are repeated five times when the others are done, and have overshot
if they are late again.
"""
import subprocess
import sys
import time

from harness import fovea, graphs, task
from harness.results import Report

LIMITS = {"10ms": 0.01, "100ms": 0.1, "1s": 1.0, "10s": 10.0}
NO_ANSWER = 5
REPEATS = 5


def allowed(limit):
    return limit + max(0.02 * limit, 0.05)


def timed(graph, name, limit):
    command = fovea.command("solve", *graph.words(), "--task", name, "--time-limit", limit, "--threads", 2, "--json")
    started = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False)
    return time.monotonic() - started, done.returncode


def all_models():
    for name in ("MAP", "MAR", "PR"):
        yield from ((name, graph) for graph in graphs.uai(name))
    yield from (("MAP", graphs.generated(name)) for name in ("grid20_k3", "grid200_k5", "inpaint100_k3", "rand3_k3"))
    yield from (("MAR", graph) for graph in graphs.bayesian_networks())


def is_late(seconds, code, limit):
    return code not in (0, NO_ANSWER) or seconds > allowed(LIMITS[limit])


def measure_limit(report, models, limit):
    """Adds one row; returns how many models overshot."""
    late, overshot, without, worst = [], [], 0, 0.0
    for name, graph in models:
        seconds, code = timed(graph, name, limit)
        without += code == NO_ANSWER
        if is_late(seconds, code, limit):
            print(f"  {limit}: {name} {graph.name} {seconds:.3f} s, status {code}", file=sys.stderr, flush=True)
            late.append((name, graph))
        else:
            worst = max(worst, seconds - LIMITS[limit])
    for name, graph in late:
        runs = [timed(graph, name, limit) for _ in range(REPEATS)]
        worst = max(worst, *(seconds - LIMITS[limit] for seconds, _ in runs))
        times = sum(is_late(*run, limit) for run in runs)
        print(f"  {limit}: {name} {graph.name} late again {times} times", file=sys.stderr, flush=True)
        if times:
            overshot.append(f"{name} {graph.name} ({times} of {REPEATS})")
    report.add(table=f"{len(models)} models and tasks, 2 threads",
               row={"limit": limit, "late at first": len(late), "late again": len(overshot),
                    "worst except those stalls, ms late": round(1e3 * worst, 1),
                    "ended without an answer": without, "which": "; ".join(overshot)})
    return len(overshot)


def main(limits=tuple(LIMITS)):
    report = Report("deadlines")
    report.add(text=__doc__)
    models = list(all_models())
    for _, graph in models:
        graph.model.read_bytes()
    overshot = sum(measure_limit(report, models, limit) for limit in limits)
    report.bar("deadlines/overshot", overshot, "fovea solve MODEL --task TASK --time-limit LIMIT --threads 2",
               note=f"of {len(models) * len(limits)} runs")
    report.write()


if __name__ == "__main__":
    task.run(main)
