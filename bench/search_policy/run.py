# SPDX-License-Identifier: Apache-2.0
"""Which searcher should have the time, when a model's likeliest assignment is searched?

The shared models of the UAI 2014 competition for MAP, by families: what comes before the "_" of a name. Each model is searched
once with the same time for all searchers; from these trials a policy is learned for each family from all *other* families, and for
each half of a family from its other half. Then every model that is not proved within a second is searched with nothing learned
(`--policy universal`: equal shares, which adapt to what is found), with the policy of the other families, and with that of the other half of its own.
What is compared is the time at which the score is reached that the search with nothing learned ended with, from the start of the
process; a search that does not reach it counts as infinitely long. Five seeds; both searches have the same wall time and two threads.
"""
import json
import math
import pathlib
import statistics

from harness import data, fovea, graphs, measure, task
from harness.results import Report

EXPLORE_SECONDS = 10  # the default of `fovea tune`
SECONDS = 3
SEEDS = (1, 2, 3, 4, 5)
TOLERANCE = 1e-6  # of the score
EASY = 1  # seconds within which a proof makes a model of no interest


def learned(models):
    """A folder of policies."""
    folder = data.CACHE / "search_policy"
    folder.mkdir(parents=True, exist_ok=True)
    program = f"{fovea.folder()}/search_policy_study"
    trials = folder / "trials.jsonl"
    trials.write_text(measure.run([program, "explore", str(EXPLORE_SECONDS), *(str(m.model) for m in models)]).output,
                      encoding="utf-8")
    measure.run([program, "learn", trials, folder])
    return folder


def solve(graph, policy, seed):
    """[(seconds, score)], and whether the answer was proved."""
    trace = data.CACHE / "search_policy" / "trace.jsonl"
    answer = fovea.run_json("solve", *graph.words(), "--time-limit", f"{SECONDS}s", "--threads", 2, "--seed", seed,
                            "--policy", policy, "--trace", trace, "--json")
    steps = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    return [(step["seconds"], step["score"]) for step in steps if step["score"] is not None], answer["optimal"]


def time_to(steps, score):
    return next((seconds for seconds, found in steps if found >= score - TOLERANCE * (1 + abs(score))), math.inf)


def ratios(graph, policies):
    """[policy] -> ratios of times, a seed each; None for a model that is easy."""
    found = {name: [] for name in policies}
    for seed in SEEDS:
        steps, proved = solve(graph, "universal", seed)
        if proved and steps[-1][0] < EASY:
            return None
        score = steps[-1][1]
        for name, path in policies.items():
            found[name].append(time_to(solve(graph, path, seed)[0], score) / time_to(steps, score))
    return found


def shown(values):
    return " ".join("never" if math.isinf(v) else f"{v:.2f}" for v in sorted(values))


def main():
    report = Report("search_policy")
    report.add(text=__doc__)
    models = graphs.uai("MAP")
    folder = learned(models)
    place = {}
    medians = {"other families": [], "own family": []}
    for graph in models:
        family = graph.name.rsplit("_", 1)[0]
        place[family] = place.get(family, -1) + 1
        half = "odd" if place[family] % 2 == 0 else "even"
        paths = {"other families": folder / f"without-{family}.policy", "own family": folder / f"{half}-{family}.policy"}
        found = ratios(graph, {name: path for name, path in paths.items() if pathlib.Path(path).exists()})
        if found is None:
            continue
        for name, values in found.items():
            medians[name].append(statistics.median(values))
        report.add(table="Time to the score that nothing learned ends with, over its own time", row={
            "model": graph.name, **{f"learned from {name}": shown(values) for name, values in found.items()}})
    command = f"fovea solve MODEL.uai --policy FILE --time-limit {SECONDS}s --threads 2"
    for name, values in medians.items():
        key = name.replace(" ", "-")
        report.bar(f"search-policy/{key}", statistics.median(values), command,
                   note=f"{shown([min(values), max(values)])} over {len(values)} models")
        report.bar(f"search-policy/{key}-slower", sum(v > 1.1 for v in values), command, note=f"of {len(values)}")
    report.write()


if __name__ == "__main__":
    task.run(main)
