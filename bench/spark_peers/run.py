# SPDX-License-Identifier: Apache-2.0
"""Records on Spark by Fovea and by Splink 5: the same table of 1,000,000 made-up people, the same blocking rules (those by
which Splink finds most), the same executors: two of one core and 1 GB.

Whole processes, from the start of the JVM to the Parquet of clusters. Splink's settings and its threshold are those that
served it best on people of another seed (`splink_jobs.py`); it learns on the way. Fovea has its default threshold, and
learns from the first tenth of the table in one process, whose seconds count.
"""
import csv
import pathlib
import sys

import pyarrow.parquet

from harness import fovea, measure, task
from harness.results import Report
from spark import jobs

COMMAND = "bench/run.sh spark_peers"
HERE = pathlib.Path(__file__).resolve().parent
COMPARE = "given:given_name, surname:jaro_winkler, born:date, street:jaro_winkler, house, postcode, phone:edits, email"
RULES = "surname+given, born, phone, email, postcode+given"


def scores(table, clusters):
    """Of pairs, by the people whom the table's records were made from."""
    found, path = pyarrow.parquet.read_table(clusters), jobs.FOLDER / "peer.csv"
    entities = jobs.FOLDER / "peer.gold.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "cluster"), *zip(found["id"].to_pylist(), found["cluster"].to_pylist())])
    with open(table.path, encoding="utf-8", newline="") as lines, open(entities, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "entity"), *((row["id"], row["entity"]) for row in csv.DictReader(lines))])
    return fovea.run_json("eval", "clusters", path, "--gold", "entity", "--gold-file", entities, "--json")["pairs"]


def main():
    quick = task.wants_quick_run(__doc__)
    count = 20_000 if quick else 1_000_000
    report = Report("spark_peers")
    report.add(text=__doc__)
    table = jobs.Table("peers", "people", count, "id", count // 10, ("--compare", COMPARE, "--block", RULES))
    output = jobs.FOLDER / "out.parquet"
    commands = {"Fovea": [sys.executable, HERE.parent / "spark" / "job.py", table.path, table.model, "id", jobs.CLUSTER, 0, output],
                "Splink 5.0.0": [sys.executable, HERE / "splink_on_spark.py", table.path, jobs.CLUSTER, output]}
    seconds, f1 = {}, {}
    for tool, command in commands.items():
        began, run = jobs.busy_seconds(), measure.run(command)
        cpu = jobs.busy_seconds() - began + (table.learning.cpu_seconds if tool == "Fovea" else 0)
        seconds[tool] = run.seconds + (table.learning.seconds if tool == "Fovea" else 0)
        found = scores(table, output)
        f1[tool] = found["f1"]
        report.add(table="1,000,000 people on Spark", row={
            "tool": tool, "pair F1": round(found["f1"], 4), "precision": round(found["precision"], 4),
            "recall": round(found["recall"], 4), "seconds": round(seconds[tool], 1), "CPU seconds": round(cpu, 1)})
        print(tool, seconds[tool], found, flush=True)
    ours, theirs = commands
    report.bar("spark/splink-speed", seconds[theirs] / seconds[ours], COMMAND)
    report.bar("spark/splink-f1", f1[ours] - f1[theirs], COMMAND, note=f"{f1[ours]:.4f} and {f1[theirs]:.4f}")
    report.finish(quick)


if __name__ == "__main__":
    task.run(main)
