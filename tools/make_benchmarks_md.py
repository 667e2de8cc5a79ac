#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/benchmarks.md from bench/bars.json and the results in bench/results/*.json.

The records of a task say how they are shown: {"bar": id, "value": ...} is the measured value of one part of a row of
the table of targets; {"table": title, "row": {column: value}} is one row of a table; {"figure": file, "title": ...} is
a picture that tools/plot_figures.py draws; {"text": ...} is a paragraph. They appear in the order of the file.
"""
import argparse
import itertools
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOT_MEASURED = "not measured yet"

INTRODUCTION = """# Benchmarks

Made by `tools/make_benchmarks_md.py` from `bench/results/`; change those, not this page.
`bench/run.sh` measures everything again ([how](../bench/README.md)).

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
    """Four significant digits at most; whole numbers whole."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return str(value)
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.4g}"


def cell(value):
    """A summary {"median", "min", "max"} shows its spread."""
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
    for bar in bars:
        for position, part in enumerate(bar["parts"]):
            record = measured.get(part["id"])
            title = bar["bar"] if position == 0 else "\u2033"
            what = f"{title}: {part['what']}" if part["what"] else title
            command = (record or {}).get("command") or bar["command"]
            yield [what, target_of(part), measured_of(part, record),
                   verdict(part, record["value"] if record else None), f"`{command}`"]


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def record_table(title, records):
    columns = list(dict.fromkeys(key for record in records for key in record["row"]))
    return f"### {title}\n\n" + table(columns, [[r["row"].get(c, "") for c in columns] for r in records])


def provenance(header):
    machine = header["machine"]
    return (f"Commit `{header['commit']}`; {machine['processor']}, {machine['cores']} cores, {machine['vectors']}, "
            f"{machine['memory_gb']} GB, {machine['system']}.\n")


def task_section(task, header, records):
    parts = [f"## {task}\n", provenance(header)]
    shown = [record for record in records if "bar" not in record]
    for title, group in itertools.groupby(shown, key=lambda record: record.get("table")):
        group = list(group)
        if title is not None:
            parts.append(record_table(title, group))
            continue
        parts += [record["text"] + "\n" for record in group if "text" in record]
        parts += [f"![{record['title']}](figures/{record['figure']})\n" for record in group if "figure" in record]
    return "\n".join(parts)


def page(bars, results):
    measured = {record["bar"]: record for _, records in results.values() for record in records if "bar" in record}
    known = {part["id"] for bar in bars for part in bar["parts"]}
    if unknown := measured.keys() - known:
        raise SystemExit(f"bench/bars.json does not know the bars {sorted(unknown)}")
    parts = [INTRODUCTION, "## Targets\n",
             table(["what", "target", "measured", "", "command"], bar_rows(bars, measured))]
    parts += [task_section(task, *result) for task, result in results.items()]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 if the page is not up to date")
    options = parser.parse_args()
    bars = json.loads((ROOT / "bench" / "bars.json").read_text(encoding="utf-8"))
    text = page(bars, load_results(ROOT / "bench" / "results"))
    target = ROOT / "docs" / "benchmarks.md"
    if options.check:
        sys.exit(0 if target.exists() and target.read_text(encoding="utf-8") == text else
                 "docs/benchmarks.md is not what tools/make_benchmarks_md.py makes; run it")
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
