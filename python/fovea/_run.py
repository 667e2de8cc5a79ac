# SPDX-License-Identifier: Apache-2.0
"""What every long call takes: limits, threads, the seed and progress."""

import math
import numbers
import sys

from fovea._errors import UsageError


def time_text(limit):
    """The library's spelling of a time limit: seconds, or a text such as "10s" or "2ms/item"."""
    if limit is None or isinstance(limit, str):
        return limit or ""
    if isinstance(limit, bool) or not isinstance(limit, numbers.Real) or not (limit > 0 and math.isfinite(limit)):
        raise UsageError(f"argument time_limit={limit!r}: needs seconds, more than 0, or a text such as '10s'")
    return f"{float(limit)!r}s"


def seed_of(random_state):
    """A seed: an int, None (always the same), or a draw from NumPy's Generator or RandomState."""
    if random_state is None:
        return 1
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**63))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, bool) or not hasattr(random_state, "__index__") or not 0 <= random_state < 2**63:
        raise UsageError(f"argument random_state={random_state!r}: needs a whole number from 0 to 2**63 - 1")
    return int(random_state)


class _Bar:
    """Shows progress on the terminal: with tqdm where it is there."""

    def __init__(self):
        self._bar = None
        self._phase = None

    def __call__(self, record):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return self._write(record)
        if record["phase"] != self._phase:
            self.close()
            self._phase = record["phase"]
            self._bar = tqdm(total=record["total"] or None, desc=record["phase"], leave=False)
        self._bar.update(record["done"] - self._bar.n)

    def _write(self, record):
        share = f"{100 * record['done'] / record['total']:.0f} %" if record["total"] else f"{record['done']:.0f}"
        sys.stderr.write(f"\r{record['phase']}: {share}, {record['seconds']:.0f} s ")
        sys.stderr.flush()
        self._phase = record["phase"]

    def close(self):
        if self._bar is not None:
            self._bar.close()
        elif self._phase is not None:
            sys.stderr.write("\n")
        self._bar = self._phase = None


def run_arguments(time_limit, budget, threads, random_state, progress, memory_limit=None):
    """The keyword arguments by which the extension module takes them."""
    arguments = {"time_limit": time_text(time_limit), "budget": budget or "", "seed": seed_of(random_state)}
    if memory_limit is not None:
        arguments["memory_limit"] = memory_limit if isinstance(memory_limit, str) else f"{memory_limit}B"
    if threads is not None:
        if isinstance(threads, bool) or not hasattr(threads, "__index__") or not 0 <= threads <= 1024:
            raise UsageError(f"argument threads={threads!r}: needs a whole number from 0 (all cores) to 1024")
        arguments["threads"] = int(threads)
    if progress is True:
        arguments["progress"] = _Bar()
    elif progress not in (None, False):
        if not callable(progress):
            raise UsageError(f"argument progress={progress!r}: needs True or a function of one dict")
        arguments["progress"] = progress
    return arguments
