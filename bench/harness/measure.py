# SPDX-License-Identifier: Apache-2.0
"""Measures whole processes from outside: wall clock, CPU seconds, peak memory.

Runs of the tools that are compared are interleaved (A B C A B C ...), so that a slow minute of the machine falls on all
of them; ratios are taken within a round.
"""
import dataclasses
import os
import statistics
import subprocess
import sys
import tempfile
import time


class Failed(RuntimeError):
    """A tool ended with an error, or gave an answer that its bench does not accept."""


@dataclasses.dataclass
class Run:
    seconds: float  # wall clock, start to exit
    cpu_seconds: float  # user + system, all threads
    peak_mb: float  # largest resident set; at least the harness's own (see floor_mb)
    output: str  # standard output
    errors: str  # standard error


def floor_mb():
    """The smallest peak that can be told apart: a process inherits the peak of the one that starts it."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def run(command, environment=None, stdout=None):
    """Runs one command to its end; raises Failed unless it exits with 0. `stdout` may be an open file."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        started = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                   stdout=stdout or output, stderr=errors, env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            raise Failed(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{errors.read().strip()}")
        return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.read(), errors.read())


def interleaved(runners, rounds):
    """Calls every runner (name -> function without arguments) once a round; name -> list of what they returned."""
    results = {name: [] for name in runners}
    for number in range(rounds):
        for name, runner in runners.items():
            print(f"  round {number + 1}/{rounds}: {name}", file=sys.stderr, flush=True)
            results[name].append(runner())
    return results


def summary(values):
    """The median with its spread."""
    values = list(values)
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "runs": len(values)}


def ratios(numerators, denominators):
    """The ratios within each round, summarised."""
    return summary(n / d for n, d in zip(numerators, denominators, strict=True))
