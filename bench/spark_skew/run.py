# SPDX-License-Identifier: Apache-2.0
"""Records on Spark where one block is huge: 5,000,000 made-up people, of whom 100,000 have one phone, as forms have that ask
for one. Blocks of up to that many records are allowed, so each of these is compared with each, in all but their phones.
Two workers of one core and 1 GB, next to one process of `fovea dedupe` with the same model.
"""
from harness import task
from harness.results import Report
from spark.jobs import BLOCK, CLUSTER, FOLDER, Table, differing, finish, start

COMMAND = "bench/run.sh spark_skew"
SCORING = "fovea: 4-forest"
COMPARE = "given:jaro_winkler, surname:jaro_winkler, born:date, street:words, postcode, city:edits"


def main():
    quick = task.wants_quick_run(__doc__)
    scale = 50 if quick else 1
    large = 100_000 // scale
    report = Report("spark_skew")
    report.add(text=__doc__)
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
    report.bar("spark/skew-identical", wrong, COMMAND)
    report.bar("spark/skew", slowest, COMMAND)
    report.bar("spark/executor", run["python_mb"] + run["worker_jvm_mb"], COMMAND)
    report.finish(quick)


if __name__ == "__main__":
    task.run(main)
