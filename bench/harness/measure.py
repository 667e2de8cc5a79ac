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
    peak_mb: float  # largest resident set
    output: str  # standard output
    errors: str  # standard error


# A process inherits the peak of the one that starts it, so a small one starts the command, and measures it.
_STARTER = """
import os, sys, time
started = time.monotonic()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.monotonic() - started
with open(sys.argv[1], "w") as report:
    print(os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=report)
"""


def run(command, environment=None, stdout=None):
    """Runs one command to its end; raises Failed unless it exits with 0. `stdout` may be an open file."""
    words = [str(word) for word in command]
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors, \
            tempfile.NamedTemporaryFile("r") as report:
        starter = subprocess.run([sys.executable, "-I", "-S", "-c", _STARTER, report.name, *words], check=False,
                                 stdin=subprocess.DEVNULL, stdout=stdout or output, stderr=errors,
                                 env={**os.environ, **(environment or {})})
        output.seek(0)
        errors.seek(0)
        code, *figures = map(float, report.read().split()) if starter.returncode == 0 else (starter.returncode,)
        if code != 0:
            raise Failed(f"{' '.join(words)}: exit code {code:.0f}\n{errors.read().strip()}")
        seconds, cpu_seconds, peak_kb = figures
        return Run(seconds, cpu_seconds, peak_kb / 1024, output.read(), errors.read())


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
