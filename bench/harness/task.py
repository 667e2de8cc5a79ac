# SPDX-License-Identifier: Apache-2.0
"""How a task's run.py ends."""
import sys

from harness.data import Missing
from harness.measure import Failed


def run(main):
    """Runs a task; without its data it says so and ends well, a wrong answer ends it with 1."""
    try:
        main()
    except Missing as reason:
        print(f"skipped: {reason}", file=sys.stderr)
    except Failed as reason:
        sys.exit(f"failed: {reason}")
