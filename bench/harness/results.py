# SPDX-License-Identifier: Apache-2.0
"""Writes results as JSON lines, one file per task in bench/results: a header with machine and commit, then one record
per measured thing. tools/make_benchmarks_md.py turns them into docs/benchmarks."""
import json
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench" / "results"


def _first(path, prefix, default="unknown"):
    with open(path, encoding="utf-8") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(prefix)), default)


def _git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def machine():
    """The processor and what the system offers, but nothing that names the machine."""
    flags = _first("/proc/cpuinfo", "flags", "").split()
    widest = next((name for name in ("avx512f", "avx2", "sse4_2") if name in flags), "baseline")
    return {"processor": _first("/proc/cpuinfo", "model name", platform.machine()),
            "cores": len(os.sched_getaffinity(0)), "vectors": widest,
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
            "system": f"{platform.system()} {platform.release().split('-')[0]}"}


def commit():
    """The commit that was measured, with a mark if sources differ from it."""
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", "src", "cmake", "CMakeLists.txt")
    return _git("rev-parse", "--short=12", "HEAD") + (" (changed)" if changed else "")


class Report:
    """Collects the records of one task and writes them when the task is done."""

    def __init__(self, task):
        self.task = task
        self.records = []

    def add(self, **record):
        self.records.append(record)

    def bar(self, name, value, command, note="", spread=None):
        """Adds the measured value of one row of the table of targets (bench/bars.json)."""
        self.add(bar=name, value=value, spread=spread, command=command, note=note)

    def write(self):
        RESULTS.mkdir(exist_ok=True)
        header = {"task": self.task, "machine": machine(), "commit": commit()}
        path = RESULTS / f"{self.task}.json"
        with open(path, "w", encoding="utf-8") as output:
            for record in [header, *self.records]:
                output.write(json.dumps(record, ensure_ascii=False) + "\n")
        return path

    def finish(self, is_quick):
        """Writes the records; those of a quick run prove nothing, so they are only printed."""
        if is_quick:
            print(*self.records, sep="\n")
        else:
            self.write()
