# SPDX-License-Identifier: Apache-2.0
"""Begins and ends a task's run.py."""
import argparse
import sys

from harness.data import Missing
from harness.measure import Failed


def run(main):
    """Runs a task. Without its data it says so and ends well; with a wrong answer it ends with 1."""
    try:
        main()
    except Missing as reason:
        print(f"skipped: {reason}", file=sys.stderr)
    except Failed as reason:
        sys.exit(f"failed: {reason}")


def wants_quick_run(description):
    """Reads the command line of a task that takes --quick."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="little of everything; print, write nothing")
    return parser.parse_args().quick
