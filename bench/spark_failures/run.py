# SPDX-License-Identifier: Apache-2.0
"""Records on Spark while processes die: the clusters of every record of 200,000 made-up people against one process.

Two workers, each a process of one core and 1 GB. A worker (JVM) or a worker's Python is killed at a random moment, until
twenty jobs were struck: a job that ended before its moment is counted, but not as one of the twenty. In four more, the
driver is killed as soon as a stage is whole, and the job is started again with the same storage. One more runs on a
standalone cluster of a master and two workers, where nothing is killed.
"""
import itertools
import os
import random
import shutil
import signal
import time

from harness import measure, task
from harness.results import Report
from spark.jobs import (BLOCK, CLUSTER, COMPARE, EXECUTOR, FOLDER, PYTHON, Table, differing, finish, processes, standalone,
                        start)

COMMAND = "bench/run.sh spark_failures"
KILLS = 20
STAGES = ("1-records", "4-forest", "5-clusters", "6-records")


def undisturbed(table):
    """pattern of processes -> seconds from the first one to the end of a job in which nothing is killed."""
    job = start(table, CLUSTER, 0, FOLDER / "out.parquet")
    began = {}
    while job.poll() is None:
        for pattern in (EXECUTOR, PYTHON):
            if pattern not in began and processes(pattern):
                began[pattern] = time.monotonic()
        time.sleep(.1)
    finish(job)
    return {pattern: time.monotonic() - first for pattern, first in began.items()}


def killed_worker(seed, table, expected, seconds):
    """(whether the kill struck, whether the job failed, records that differ)."""
    draw = random.Random(seed)
    pattern = EXECUTOR if seed % 2 else PYTHON
    job = start(table, CLUSTER, 0, FOLDER / "out.parquet")
    while not processes(pattern) and job.poll() is None:
        time.sleep(.1)
    time.sleep(draw.uniform(0, seconds[pattern]))
    victims = processes(pattern)
    struck = bool(victims) and job.poll() is None
    if struck:
        os.kill(draw.choice(victims), signal.SIGKILL)
    try:
        finish(job)
    except measure.Failed:
        return struck, True, 0
    return struck, False, differing(table, FOLDER / "out.parquet", expected)


def killed_driver(stage, table, expected):
    """(whether the kill struck, whether the finished stage was repeated, records that differ)."""
    storage = FOLDER / "storage"
    shutil.rmtree(storage, ignore_errors=True)
    job = start(table, CLUSTER, 0, FOLDER / "out.parquet", storage)
    while not list(storage.glob(f"{stage}-*/_SUCCESS")) and job.poll() is None:
        time.sleep(.05)
    struck = job.poll() is None
    if struck:
        os.killpg(job.pid, signal.SIGKILL)
    job.communicate()
    run = finish(start(table, CLUSTER, 0, FOLDER / "out.parquet", storage))
    return struck, stage not in run["report"]["skipped"], differing(table, FOLDER / "out.parquet", expected)


def main():
    scale = 5 if task.wants_quick_run(__doc__) else 1
    report = Report("spark_failures")
    report.add(text=__doc__)
    table = Table("people, fewer", "people", 200_000 // scale, "id", 100_000 // scale,
                  ("--compare", COMPARE, "--block", BLOCK))
    expected = table.expected()
    seconds = undisturbed(table)
    with standalone() as address:
        finish(start(table, address, 0, FOLDER / "out.parquet"))
        apart = differing(table, FOLDER / "out.parquet", expected)
    workers, drivers = [], []
    seeds = itertools.count()
    while sum(struck for struck, _, _ in workers) < KILLS // scale and len(workers) < 2 * KILLS:
        seed = next(seeds)
        workers.append(killed_worker(seed, table, expected, seconds))
        print("worker", seed, workers[-1], flush=True)  # a job may take minutes
    for stage in STAGES:
        drivers.append(killed_driver(stage, table, expected))
        print("driver", stage, drivers[-1], flush=True)
    report.add(table="Processes killed", row={
        "what": "a worker, or its Python, at a random moment", "jobs": len(workers),
        "kills that struck": sum(struck for struck, _, _ in workers), "jobs that failed": sum(bad for _, bad, _ in workers),
        "jobs that differed": sum(wrong > 0 for _, _, wrong in workers)})
    report.add(table="Processes killed", row={
        "what": "the driver, after each stage", "jobs": len(drivers),
        "kills that struck": sum(struck for struck, _, _ in drivers), "jobs that failed": 0,
        "jobs that differed": sum(wrong > 0 for _, _, wrong in drivers),
        "finished stages that were repeated": sum(repeated for _, repeated, _ in drivers)})
    report.add(table="Processes killed", row={
        "what": "nothing, on a standalone cluster", "jobs": 1, "kills that struck": 0, "jobs that failed": 0,
        "jobs that differed": int(apart > 0)})
    report.bar("spark/standalone", apart, COMMAND)
    report.bar("spark/killed", sum(bad or wrong > 0 for _, bad, wrong in workers), COMMAND)
    report.bar("spark/resumed", sum(repeated or wrong > 0 for _, repeated, wrong in drivers), COMMAND)
    report.finish(scale > 1)


if __name__ == "__main__":
    task.run(main)
