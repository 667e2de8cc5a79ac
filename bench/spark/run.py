# SPDX-License-Identifier: Apache-2.0
"""Records on Spark, next to one process of `fovea dedupe` with the same model: the clusters of every record, seconds, CPU
seconds of the whole machine (the JVM, the workers' Python and the driver), memory, and what happens when processes die.

Made-up people have seven comparisons and four rules; made-up authors are compared by the preset, whose scores depend on
how many namesakes there are. Models are learned from a tenth and a twentieth of the records. `local` is one process of Spark
with two cores; `cluster` is two workers, each a process of one core and 1 GB, on the same machine.
"""
import csv
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import pyarrow.parquet

from harness import data, fovea, measure, task
from harness.results import Report

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = data.CACHE / "spark"
COMMAND = "bench/run.sh spark"
LOCAL, CLUSTER, ONE_WORKER = "local[2]", "local-cluster[2,1,1024]", "local-cluster[1,1,1024]"
COMPARE = "given:jaro_winkler, surname:jaro_winkler, born:date, street:words, postcode, city:edits, phone"
BLOCK = "surname+born, soundex(surname)+postcode, phone, born+city"
KILLS = 20
EXECUTOR = "CoarseGrainedExecutorBackend"


class Table:
    """Generated records, a model, and the clusters that one process finds."""

    def __init__(self, name, kind, count, ids, learning, options):
        self.name, self.ids = name, ids
        ending = "tsv" if kind == "authors" else "csv"
        self.path, self.model = FOLDER / f"{name}.{ending}", FOLDER / f"{name}.er"
        sample, self.clusters = FOLDER / f"{name}.sample.{ending}", FOLDER / f"{name}.one.{ending}"
        FOLDER.mkdir(parents=True, exist_ok=True)
        counted = "--mentions" if kind == "authors" else "--records"
        measure.run(fovea.command("generate", kind, counted, count, "--seed", 11, "-o", self.path))
        with open(self.path, encoding="utf-8") as lines, open(sample, "w", encoding="utf-8") as some:
            some.writelines(line for line, _ in zip(lines, range(learning + 1)))
        measure.run(fovea.command("dedupe", sample, *options, "--save-model", self.model, "-o", FOLDER / f"out.{ending}"))
        self.one = measure.run(fovea.command("dedupe", self.path, "--model", self.model, "-o", self.clusters, "-q"))

    def expected(self):
        is_tsv = self.clusters.suffix == ".tsv"
        with open(self.clusters, encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t" if is_tsv else ",", quoting=csv.QUOTE_NONE if is_tsv else 0)
            return {row[self.ids]: row["cluster"] for row in rows}


def busy_seconds():
    """CPU seconds that the machine has spent since it started."""
    with open("/proc/stat", encoding="utf-8") as lines:
        user, nice, system, _, _, *interrupts = map(int, lines.readline().split()[1:])
    return (user + nice + system + sum(interrupts[:2])) / os.sysconf("SC_CLK_TCK")


def start(table, master, partitions, output, *storage):
    command = [sys.executable, HERE / "job.py", table.path, table.model, table.ids, master, partitions, output, *storage]
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                            start_new_session=True)


def finish(job):
    output, _ = job.communicate()
    if job.returncode != 0:
        raise measure.Failed(f"a job on Spark ended with {job.returncode}")
    return json.loads(output.splitlines()[-1])


def differing(table, output, expected):
    """Records whose cluster is another than that of one process."""
    found = pyarrow.parquet.read_table(output)
    clusters = zip(found[table.ids].to_pylist(), found["cluster"].to_pylist())
    return len(expected) - sum(expected[id] == cluster for id, cluster in clusters)


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
        slowest = max((s["slowest"] for s in run["stages"] if s["name"] == "fovea: 4-forest" and "slowest" in s), default=0)
        report.add(table=f"{table.name}: on Spark and in one process", row={
            "where": "cluster" if master != LOCAL else "local", "workers": 1 if master == ONE_WORKER else 2,
            "tasks a stage": run["report"]["tasks"], "records that differ": wrong, "seconds": round(run["seconds"], 1),
            "CPU seconds": round(run["cpu"], 1), "of which JVM in tasks": round(sum(s["jvm"] for s in run["stages"]), 1),
            "slowest task of scoring by the median": round(slowest, 2), "driver, Python, MB": round(run["driver_mb"]),
            "driver, JVM, MB": round(run["jvm_mb"])})
        print(f"{table.name} {master} {partitions}: {run['seconds']:.0f} s", flush=True)
    report.add(table=f"{table.name}: on Spark and in one process", row={
        "where": "fovea dedupe, 2 threads", "seconds": round(table.one.seconds, 1),
        "CPU seconds": round(table.one.cpu_seconds, 1), "driver, Python, MB": round(table.one.peak_mb)})
    return figures, differ


def processes(text):
    found = subprocess.run(["pgrep", "-f", text], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def killed_workers(report, table, expected):
    """A random worker's process, or one of its Python, is killed at a random moment of each of twenty jobs."""
    seconds, failed = finish(start(table, CLUSTER, 0, FOLDER / "out.parquet"))["seconds"], 0
    killed = 0
    for seed in range(KILLS):
        draw = random.Random(seed)
        job = start(table, CLUSTER, 0, FOLDER / "out.parquet")
        while not processes(EXECUTOR):
            time.sleep(.1)
        time.sleep(draw.uniform(0, seconds + 5))
        victims = processes(EXECUTOR if seed % 2 else "pyspark.daemon")
        if victims and job.poll() is None:
            os.kill(draw.choice(victims), signal.SIGKILL)
            killed += 1
        try:
            finish(job)
            failed += differing(table, FOLDER / "out.parquet", expected) > 0
        except measure.Failed:
            failed += 1
    report.add(table="Processes killed", row={"what": "a worker, or its Python, at a random moment", "jobs": KILLS,
                                              "kills that struck": killed, "jobs that failed or differed": failed})
    report.bar("spark/killed", failed, COMMAND)


def killed_drivers(report, table, expected):
    """The driver is killed as soon as a stage is whole; the job is started again with the same storage."""
    failed = repeated = 0
    names = ("1-records", "4-forest", "5-clusters", "6-records")
    for name in names:
        storage = FOLDER / "storage"
        shutil.rmtree(storage, ignore_errors=True)
        job = start(table, CLUSTER, 0, FOLDER / "out.parquet", storage)
        while not list(storage.glob(f"{name}-*/_SUCCESS")) and job.poll() is None:
            time.sleep(.05)
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
        job.communicate()
        run = finish(start(table, CLUSTER, 0, FOLDER / "out.parquet", storage))
        failed += differing(table, FOLDER / "out.parquet", expected) > 0
        repeated += name not in run["report"]["skipped"]
    report.add(table="Processes killed", row={"what": "the driver, after each stage", "jobs": len(names),
                                              "kills that struck": len(names), "jobs that failed or differed": failed,
                                              "finished stages that were repeated": repeated})
    report.bar("spark/resumed", failed + repeated, COMMAND)


def main():
    quick = task.wants_quick_run(__doc__)
    scale = 50 if quick else 1
    report = Report("spark")
    report.add(text=__doc__)
    people_options = ("--compare", COMPARE, "--block", BLOCK)
    people = Table("people", "people", 2_000_000 // scale, "id", 200_000 // scale, people_options)
    expected = people.expected()
    _, differ = identical(report, people, expected, [(LOCAL, 4), (LOCAL, 8), (LOCAL, 64), (CLUSTER, 0), (ONE_WORKER, 0)])
    authors = Table("authors", "authors", 5_000_000 // scale, "mention", 250_000 // scale,
                    ("--preset", "authors", "--labels", "entity"))
    expected = authors.expected()
    runs = [(LOCAL, 4), (LOCAL, 8), (LOCAL, 64), (CLUSTER, 0), (ONE_WORKER, 0)]
    figures, more = identical(report, authors, expected, runs)
    report.bar("spark/identical", differ + more, COMMAND)
    best = figures[CLUSTER, 0]
    report.bar("spark/cpu", best["cpu"] / authors.one.cpu_seconds, COMMAND)
    report.bar("spark/workers", figures[ONE_WORKER, 0]["seconds"] / best["seconds"], COMMAND)
    report.bar("spark/driver", best["driver_mb"] - 8 * len(expected) / 2**20, COMMAND)
    small = Table("people, fewer", "people", 200_000 // scale, "id", 100_000 // scale, people_options)
    expected = small.expected()
    killed_drivers(report, small, expected)
    killed_workers(report, small, expected)
    report.finish(quick)


if __name__ == "__main__":
    task.run(main)
