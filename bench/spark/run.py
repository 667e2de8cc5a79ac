"""Records on Spark, next to one process of `fovea dedupe` with the same model: the clusters of every record, seconds, CPU
seconds of the whole machine (the JVM, the workers' Python and the driver), memory, and one block that is far too large.

Made-up people have seven comparisons and four rules; made-up authors are compared by the preset, whose scores depend on
how many namesakes there are. Models are learned from a tenth and a twentieth of the records. `local` is one process of Spark
with two cores; `cluster` is two workers, each a process of one core and 1 GB, on the same machine. What happens when
processes die is in spark_failures, and another program on Spark in spark_peers.
"""
from harness import task
from harness.results import Report
from spark.jobs import BLOCK, CLUSTER, COMPARE, FOLDER, LOCAL, ONE_WORKER, Table, busy_seconds, differing, finish, start

COMMAND = "bench/run.sh spark"
SCORING = "fovea: 4-forest"


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


def one_large_block(report, scale):
    """People of whom 100,000 have one phone, with blocks of up to that many records allowed: each is compared with each."""
    large = 100_000 // scale
    table = Table("people of one phone", "people", 5_000_000 // scale, "id", 200_000 // scale,
                  ("--compare", COMPARE, "--block", BLOCK, "--max-block", large), shared_phone=large)
    expected = table.expected()
    run = finish(start(table, CLUSTER, 0, FOLDER / "out.parquet"), watched=True)
    wrong = differing(table, FOLDER / "out.parquet", expected)
    slowest = max(stage["slowest"] for stage in run["stages"] if stage["name"] == SCORING and "slowest" in stage)
    report.add(table="One block of a fiftieth of the records", row={
        "records": len(expected), "records of the block": large, "records that differ": wrong,
        "seconds": round(run["seconds"], 1), "slowest task of scoring by the median": round(slowest, 2),
        "a worker's largest Python, MB": round(run["python_mb"]), "a worker's JVM, MB": round(run["worker_jvm_mb"]),
        "seconds, fovea dedupe": round(table.one.seconds, 1), "memory, fovea dedupe, MB": round(table.one.peak_mb)})
    report.bar("spark/skew", slowest, COMMAND)
    report.bar("spark/executor", run["python_mb"] + run["worker_jvm_mb"], COMMAND)
    return wrong


def main():
    quick = task.wants_quick_run(__doc__)
    scale = 50 if quick else 1
    report = Report("spark")
    report.add(text=__doc__)
    people = Table("people", "people", 2_000_000 // scale, "id", 200_000 // scale, ("--compare", COMPARE, "--block", BLOCK))
    runs = [(LOCAL, 4), (LOCAL, 8), (LOCAL, 64), (CLUSTER, 0), (ONE_WORKER, 0)]
    _, differ = identical(report, people, people.expected(), runs)
    authors = Table("authors", "authors", 5_000_000 // scale, "mention", 250_000 // scale,
                    ("--preset", "authors", "--labels", "entity"))
    expected = authors.expected()
    figures, more = identical(report, authors, expected, runs)
    best = figures[CLUSTER, 0]
    report.bar("spark/cpu", best["cpu"] / authors.one.cpu_seconds, COMMAND)
    report.bar("spark/workers", figures[ONE_WORKER, 0]["seconds"] / best["seconds"], COMMAND)
    report.bar("spark/driver", best["driver_mb"] - 8 * len(expected) / 2**20, COMMAND)
    report.bar("spark/identical", differ + more + one_large_block(report, scale), COMMAND)
    report.finish(quick)


if __name__ == "__main__":
    task.run(main)
