#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/benchmarks.md and docs/benchmarks/*.md from bench/bars.json and the results in bench/results/*.json.

The records of a task say how they are shown. {"bar": id, "value": ...} is the measured value of one part of a row of
the table of targets; {"table": title, "row": {column: value}} is one row of a table; {"figure": file, "title": ...} is
a picture that tools/plot_figures.py draws; {"text": ...} is a paragraph. Records appear in the order of the file.
"""
import argparse
import itertools
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOT_MEASURED = "not measured yet"

TITLES = {
    "report_pages": "Records: pages for people, and labels that are given there",
    "python": "Python: the package against its peers and the command line",
    "author_names": "Records: authors of papers",
    "auto": "Tagging: the planner against the best single method",
    "bayesian_networks": "Models: marginals of Bayesian networks",
    "cores": "All jobs: one thread, two, and more cores",
    "deadlines": "Models: are deadlines kept?",
    "dnf_search": "Formulas: disjunctive normal forms",
    "chain_steps": "Formulas: steps of chains on programs",
    "entity_classification": "Sampling: how many factors to look at, large entities",
    "entity_resolution": "Records: how many factors to look at",
    "entity_resolution_large": "Records: millions of mentions",
    "gestures": "Gestures: swiped words",
    "gibbs_throughput": "Tagging: Gibbs transitions a second",
    "graph_sampling": "Models: where to sample, the paper's setting",
    "grid_gibbs": "Models: Gibbs updates a second",
    "grid_sampling": "Models: where to sample on grids",
    "table_rules": "Formulas: rules from tables",
    "perfect_draws": "Graphical models: perfect draws",
    "invariants": "Formulas: loop invariants",
    "invariants_2019": "Formulas: invariants of engineers' programs",
    "ocr": "Tagging: handwritten letters",
    "recall": "Regression: recalling messages",
    "record_linkage": "Records: duplicates and links without labels",
    "record_trust": "Records: what must hold on every table",
    "spark": "Records on Spark",
    "posteriors": "Models that are written down: posteriors with reference draws",
    "simulator": "Models that are written down: an expensive simulator",
    "oracles": "Models that are written down: who computes messages",
    "everyday_models": "Models that are written down: everyday models",
    "posteriors_peers": "Models that are written down: against Stan",
    "spark_failures": "Records on Spark: processes that die",
    "spark_skew": "Records on Spark: one huge block",
    "spark_peers": "Records on Spark: against Splink",
    "restart_tagging": "Tagging: chains with restarts",
    "solve_map": "Models: best assignments (MAP)",
    "solve_sums": "Models: partition functions and marginals",
    "structured_gp": "Gaussian processes: four tasks",
    "structured_gp_estimators": "Gaussian processes: estimators of the paper",
    "structured_gp_large": "Gaussian processes: thousands of sentences",
    "calibration": "Tagging: how sure is it?",
    "tag_crf": "Tagging: speed from file to file",
    "train_crf": "Tagging: training against CRFsuite",
    "paper_sampling": "Tagging: where to sample, the paper's setting",
    "gain_calibration": "Tagging: expected gains and regrets",
    "costly_oracle": "Sampling: conditionals that are expensive",
    "universal_policy": "Tagging: where to sample, for any labels",
    "search_policy": "Models: which searcher should have the time",
    "where_to_sample": "Tagging: where to sample",
}

ORIGIN = """Made by `tools/make_benchmarks_md.py` from `bench/results/`; change those, not this page.
"""

INTRODUCTION = f"""# Benchmarks

{ORIGIN.strip()}
`bench/run.sh` measures everything again ([how](../bench/README.md)). Each task has a page with its targets, its tables
and the machine.

Every benchmark checks the answer before it times it. Times are wall clock of whole processes unless a table says
otherwise: medians of interleaved runs, with the smallest and the largest in brackets; ratios are taken between the runs
of one round.
"""


def load_results(folder):
    """Task name -> (header, records)."""
    results = {}
    for path in sorted(folder.glob("*.json")):
        header, *records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        results[header["task"]] = header, records
    return results


def number(value):
    """The value in four significant digits at most; whole numbers stay whole."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return str(value)
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.4g}"


def cell(value):
    """The text of a cell; a summary {"median", "min", "max"} shows its spread."""
    if isinstance(value, dict) and "median" in value:
        return f"{number(value['median'])} ({number(value['min'])} .. {number(value['max'])})"
    return number(value).replace("|", "\\|")


def target_of(part):
    if "at_least" in part:
        return f"at least {number(part['at_least'])}{part['unit']}"
    if "at_most" in part:
        return f"at most {number(part['at_most'])}{part['unit']}"
    return "shown below"


def verdict(part, value):
    if value is None or not ("at_least" in part or "at_most" in part):
        return ""
    reached = value >= part["at_least"] if "at_least" in part else value <= part["at_most"]
    return "reached" if reached else "**not reached**"


def measured_of(part, record):
    if record is None or record["value"] is None:
        return (record or {}).get("note") or NOT_MEASURED
    spread = record.get("spread")
    text = number(record["value"]) + part["unit"]
    if spread:
        text += f" ({number(spread['min'])} .. {number(spread['max'])})"
    return text + (f"; {record['note']}" if record.get("note") else "")


def bar_rows(bars, measured):
    """Yields one row for each part of the bars: what, target, measured, verdict, command."""
    for bar in bars:
        for position, part in enumerate(bar["parts"]):
            record = measured.get(part["id"])
            title = bar["bar"] if position == 0 else "\u2033"
            what = f"{title}: {part['what']}" if part["what"] else title
            command = (record or {}).get("command") or bar["command"]
            yield [what, target_of(part), measured_of(part, record),
                   verdict(part, record["value"] if record else None), f"`{command}`"]


def task_of(bar):
    """The task that measures a bar, from its command `bench/run.sh TASK`."""
    return bar["command"].removeprefix("bench/run.sh ").split()[0]


def missed_rows(bars, measured):
    """Yields one row for each target that was not reached: what, target, measured, page."""
    for bar in bars:
        for part in bar["parts"]:
            record = measured.get(part["id"])
            if verdict(part, record["value"] if record else None).startswith("**"):
                what = f"{bar['bar']}: {part['what']}" if part["what"] else bar["bar"]
                yield [what, target_of(part), measured_of(part, record), f"[{task_of(bar)}](benchmarks/{task_of(bar)}.md)"]


def summary_rows(bars, measured, tasks):
    """Yields one row for each task: title, targets reached of those that are set, page."""
    for task in sorted(tasks, key=lambda name: TITLES.get(name, name)):
        parts = [part for bar in bars if task_of(bar) == task for part in bar["parts"]]
        verdicts = [verdict(part, (measured.get(part["id"]) or {}).get("value")) for part in parts]
        targets = sum("at_least" in part or "at_most" in part for part in parts)
        reached = f"{verdicts.count('reached')} of {targets}" if targets else ""
        yield [TITLES.get(task, task), reached, f"[{task}](benchmarks/{task}.md)"]


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def record_table(title, records):
    columns = list(dict.fromkeys(key for record in records for key in record["row"]))
    return f"## {title}\n\n" + table(columns, [[r["row"].get(c, "") for c in columns] for r in records])


def provenance(header):
    machine = header["machine"]
    return (f"Commit `{header['commit']}`; {machine['processor']}, {machine['cores']} cores, {machine['vectors']}, "
            f"{machine['memory_gb']} GB, {machine['system']}.\n")


def results_section(header, records):
    parts = [provenance(header)]
    shown = [record for record in records if "bar" not in record]
    for title, group in itertools.groupby(shown, key=lambda record: record.get("table")):
        group = list(group)
        if title is not None:
            parts.append(record_table(title, group))
            continue
        parts += [record["text"] + "\n" for record in group if "text" in record]
        parts += [f"![{record['title']}](../figures/{record['figure']})\n" for record in group if "figure" in record]
    return "\n".join(parts)


def task_page(task, bars, measured, result):
    parts = [f"# {TITLES.get(task, task)}\n", ORIGIN]
    own = [bar for bar in bars if task_of(bar) == task]
    if own:
        parts += ["## Targets\n", table(["what", "target", "measured", "", "command"], bar_rows(own, measured))]
    if result:
        parts += ["## Results\n", results_section(*result)]
    return "\n".join(parts)


def pages(bars, results):
    """Path below docs -> text."""
    measured = {record["bar"]: record for _, records in results.values() for record in records if "bar" in record}
    known = {part["id"] for bar in bars for part in bar["parts"]}
    if unknown := measured.keys() - known:
        raise SystemExit(f"bench/bars.json does not know the bars {sorted(unknown)}")
    tasks = {task_of(bar) for bar in bars} | results.keys()
    missed = list(missed_rows(bars, measured))
    summary = [INTRODUCTION, "## Targets that were not reached\n",
               table(["what", "target", "measured", "page"], missed) if missed else "None.\n",
               "## All tasks\n", table(["task", "targets reached", "page"], summary_rows(bars, measured, tasks))]
    made = {f"benchmarks/{task}.md": task_page(task, bars, measured, results.get(task)) for task in tasks}
    return {"benchmarks.md": "\n".join(summary), **made}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 if the page is not up to date")
    options = parser.parse_args()
    bars = json.loads((ROOT / "bench" / "bars.json").read_text(encoding="utf-8"))
    made = pages(bars, load_results(ROOT / "bench" / "results"))
    docs = ROOT / "docs"
    stale = [path.relative_to(docs).as_posix() for path in (docs / "benchmarks").glob("*.md")]
    stale = [path for path in stale if path not in made]
    if options.check:
        wrong = stale + [path for path, text in made.items()
                         if not (docs / path).exists() or (docs / path).read_text(encoding="utf-8") != text]
        sys.exit(f"docs/{wrong[0]} is not what tools/make_benchmarks_md.py makes; run it" if wrong else 0)
    (docs / "benchmarks").mkdir(exist_ok=True)
    for path in stale:
        (docs / path).unlink()
    for path, text in made.items():
        (docs / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
