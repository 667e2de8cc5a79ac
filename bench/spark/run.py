# SPDX-License-Identifier: Apache-2.0
"""Records on Spark, next to one process of `fovea dedupe` with the same model: the clusters of every record, seconds, CPU
seconds of the whole machine (the JVM, the workers' Python and the driver), and memory.

Made-up people have seven comparisons and four rules; made-up authors are compared by the preset, whose scores depend on
how many namesakes there are. Models are learned from a tenth and a twentieth of the records. `local` is one process of Spark
with two cores; `cluster` is two workers, each a process of one core and 1 GB, on the same machine. One huge block is in
spark_skew, what happens when processes die in spark_failures, and another program on Spark in spark_peers.
"""
from harness import task
from harness.results import Report
from spark.jobs import BLOCK, CLUSTER, COMPARE, FOLDER, LOCAL, ONE_WORKER, Table, busy_seconds, differing, finish, start

COMMAND = "bench/run.sh spark"


def identical(report, table, expected, runs):
    """Jobs with several masters and numbers of tasks; returns their figures by (master, partitions)."""
    figures, differ = {}, 0
    for master, partitions in runs:
        began, output = busy_seconds(), FOLDER / "out.parquet"
        run = finish(start(table, master, partitions, output))
        run["cpu"] = busy_seconds() - began
        wrong = differing(table, output, expected)
        differ += wrong
        figures[master, partitions] = run
        report.add(table=f"{table.name}: on Spark and in one process", row={
            "where": "cluster" if master != LOCAL else "local", "workers": 1 if master == ONE_WORKER else 2,
            "tasks a stage": run["report"]["tasks"], "records that differ": wrong, "seconds": round(run["seconds"], 1),
            "CPU seconds": round(run["cpu"], 1), "of which JVM in tasks": round(sum(s["jvm"] for s in run["stages"]), 1),
            "driver, Python, MB": round(run["driver_mb"]), "driver, JVM, MB": round(run["jvm_mb"])})
        print(f"{table.name} {master} {partitions}: {run['seconds']:.0f} s", flush=True)
    report.add(table=f"{table.name}: on Spark and in one process", row={
        "where": "fovea dedupe, 2 threads", "seconds": round(table.one.seconds, 1),
        "CPU seconds": round(table.one.cpu_seconds, 1), "driver, Python, MB": round(table.one.peak_mb)})
    return figures, differ


def main():
    quick = task.wants_quick_run(__doc__)
    scale = 50 if quick else 1
    report = Report("spark")
    report.add(text=__doc__)
    people = Table("people", "people", 2_000_000 // scale, "id", 200_000 // scale, ("--compare", COMPARE, "--block", BLOCK))
    runs = [(LOCAL, 4), (LOCAL, 8), (LOCAL, 64), (CLUSTER, 0), (ONE_WORKER, 0)]
    _, differ = identical(report, people, people.expected(), runs)
    if not quick:
        report.write()  # the rest takes an hour
    authors = Table("authors", "authors", 5_000_000 // scale, "mention", 250_000 // scale,
                    ("--preset", "authors", "--labels", "entity"))
    expected = authors.expected()
    figures, more = identical(report, authors, expected, runs)
    best = figures[CLUSTER, 0]
    report.bar("spark/cpu", best["cpu"] / authors.one.cpu_seconds, COMMAND)
    report.bar("spark/workers", figures[ONE_WORKER, 0]["seconds"] / best["seconds"], COMMAND)
    report.bar("spark/driver", best["driver_mb"] - 8 * len(expected) / 2**20, COMMAND)
    report.bar("spark/identical", differ + more, COMMAND)
    report.finish(quick)


if __name__ == "__main__":
    task.run(main)
