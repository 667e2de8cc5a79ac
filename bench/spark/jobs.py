# SPDX-License-Identifier: Apache-2.0
"""Tables for Spark, and jobs as processes of their own."""
import contextlib
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time

import pyarrow.parquet
import pyspark

from harness import data, fovea, measure

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = data.CACHE / "spark"
LOCAL, CLUSTER, ONE_WORKER = "local[2]", "local-cluster[2,1,1024]", "local-cluster[1,1,1024]"
COMPARE = "given:jaro_winkler, surname:jaro_winkler, born:date, street:words, postcode, city:edits, phone"
BLOCK = "surname+born, soundex(surname)+postcode, phone, born+city"
EXECUTOR, PYTHON = "CoarseGrainedExecutorBackend", "pyspark.daemon"


class Table:
    """Generated records, a model, and the clusters that one process finds."""

    def __init__(self, name, kind, count, ids, learning, options, shared_phone=0):
        self.name, self.ids = name, ids
        ending, file = "tsv" if kind == "authors" else "csv", name.replace(" ", "_")
        self.path, self.model = FOLDER / f"{file}.{ending}", FOLDER / f"{file}.er"
        sample, self.clusters = FOLDER / f"{file}.sample.{ending}", FOLDER / f"{file}.one.{ending}"
        FOLDER.mkdir(parents=True, exist_ok=True)
        counted = "--mentions" if kind == "authors" else "--records"
        measure.run(fovea.command("generate", kind, counted, count, "--seed", 11, "-o", self.path))
        with open(self.path, encoding="utf-8") as lines, open(sample, "w", encoding="utf-8") as some:
            some.writelines(line for line, _ in zip(lines, range(learning + 1)))
        self.learning = measure.run(
            fovea.command("dedupe", sample, *options, "--save-model", self.model, "-o", FOLDER / f"out.{ending}"))
        if shared_phone:
            self._share_a_phone(count, shared_phone)
        self.one = measure.run(fovea.command("dedupe", self.path, "--model", self.model, "-o", self.clusters, "-q"))

    def _share_a_phone(self, count, sharing):
        """Gives that many records, drawn at random, one phone, as forms have that ask for one."""
        drawn, whole = set(random.Random(1).sample(range(count), sharing)), self.path.with_suffix(".whole")
        self.path.rename(whole)
        with open(whole, encoding="utf-8", newline="") as lines, open(self.path, "w", encoding="utf-8", newline="") as out:
            rows = csv.DictReader(lines)
            writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\n")
            writer.writeheader()
            for number, row in enumerate(rows):
                if number in drawn:
                    row["phone"] = "0000000000"
                writer.writerow(row)
        whole.unlink()

    def expected(self):
        """id -> cluster."""
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


def finish(job, watched=False):
    """What a job has printed. watched: with the largest memory of a worker's JVM and of its Python."""
    peaks, ended = {EXECUTOR: 0.0, PYTHON: 0.0}, threading.Event()

    def watch():
        while not ended.wait(.3):
            for text, peak in peaks.items():
                peaks[text] = max([peak, *map(peak_mb, processes(text))])

    watcher = threading.Thread(target=watch)
    if watched:
        watcher.start()
    output, _ = job.communicate()
    ended.set()
    if watched:
        watcher.join()
    if job.returncode != 0:
        raise measure.Failed(f"a job on Spark ended with {job.returncode}")
    return {**json.loads(output.splitlines()[-1]), "worker_jvm_mb": peaks[EXECUTOR], "python_mb": peaks[PYTHON]}


def differing(table, output, expected):
    """Records whose cluster is another than that of one process."""
    found = pyarrow.parquet.read_table(output)
    clusters = zip(found[table.ids].to_pylist(), found["cluster"].to_pylist())
    return len(expected) - sum(expected[id] == cluster for id, cluster in clusters)


@contextlib.contextmanager
def standalone():
    """A master and two workers of one core and 1 GB, as a standalone cluster has them; yields its address."""
    start_class = pathlib.Path(pyspark.__file__).parent / "bin" / "spark-class"
    address = "spark://127.0.0.1:7177"
    deploy = "org.apache.spark.deploy"
    master = [f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", "7177", "--webui-port", "0"]
    worker = [f"{deploy}.worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir", FOLDER / "work", "--webui-port", "0",
              address]
    started = []
    try:
        for words in (master, worker, worker):
            started.append(subprocess.Popen([str(word) for word in (start_class, *words)], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL))
            time.sleep(5)
        yield address
    finally:
        for process in started:
            process.kill()
            process.wait()


def processes(text):
    found = subprocess.run(["pgrep", "-f", text], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def peak_mb(process):
    try:
        with open(f"/proc/{process}/status", encoding="utf-8") as lines:
            return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0) / 1024
    except OSError:  # it has ended
        return 0
