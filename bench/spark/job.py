# SPDX-License-Identifier: Apache-2.0
"""One job on Spark, as a process of its own: prints what it took as a JSON object.

    job.py TABLE MODEL ID MASTER PARTITIONS OUTPUT [STORAGE]
"""
import json
import sys
import time
import urllib.request

import fovea.spark as fs
from pyspark.sql import SparkSession


def session(master):
    settings = {"spark.ui.showConsoleProgress": "false", "spark.driver.memory": "2g", "spark.executor.memory": "1g",
                "spark.log.level": "OFF", "spark.sql.shuffle.partitions": "8"}
    return SparkSession.builder.master(master).config(map=settings).getOrCreate()


def table(spark, path):
    is_tsv = path.endswith("tsv")
    options = {"header": "true", "sep": "\t" if is_tsv else ",", "quote": "" if is_tsv else '"'}
    return spark.read.options(**options).csv(path)


def stages_of(spark):
    """Seconds of tasks, those of the slowest by the median, and seconds of the JVM, of each stage that took a second."""
    address = f"{spark.sparkContext.uiWebUrl}/api/v1/applications/{spark.sparkContext.applicationId}/stages"

    def read(path=""):
        with urllib.request.urlopen(address + path, timeout=60) as answer:
            return json.load(answer)

    found = []
    for stage in read():
        row = {"name": stage.get("description") or "", "tasks": stage["numTasks"],
               "seconds": stage["executorRunTime"] / 1000, "jvm": stage["executorCpuTime"] / 1e9}
        if row["seconds"] > 1 and stage["numTasks"] > 2:
            quantiles = read(f"/{stage['stageId']}/{stage['attemptId']}/taskSummary?quantiles=0.5,1.0")
            median, slowest = quantiles["executorRunTime"]
            row["slowest"] = slowest / max(median, 1)
        found.append(row)
    return found


def peak_mb(process):
    """Its own peak: what getrusage says may be inherited from the process that started it."""
    with open(f"/proc/{process}/status", encoding="utf-8") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main():
    path, model, ids, master, partitions, output, *storage = sys.argv[1:]
    spark = session(master)
    began = time.monotonic()
    result = fs.dedupe(table(spark, path), model=model, id=ids, partitions=int(partitions) or None,
                       storage=storage[0] if storage else None)
    seconds = time.monotonic() - began
    result.records.select(ids, "cluster").write.mode("overwrite").parquet(output)
    print(json.dumps({
        "seconds": seconds, "report": result.report, "stages": stages_of(spark), "driver_mb": peak_mb("self"),
        "jvm_mb": peak_mb(spark._jvm.java.lang.ProcessHandle.current().pid())}))


if __name__ == "__main__":
    main()
