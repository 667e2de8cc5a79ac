# SPDX-License-Identifier: Apache-2.0
"""Where the time of a call goes."""

import contextlib
import importlib
from collections.abc import Iterator

from fovea._errors import UsageError


@contextlib.contextmanager
def phases() -> Iterator[list[dict[str, str | float]]]:
    """Records what the calls of this thread spend their time on.

    Yields a list. At the end of the block it holds a dict for each phase, such as reading, training or clustering, in
    the order of their beginning: its `phase`, the `seconds` that it took, the `cpu_seconds` of all threads of the
    process meanwhile, and the `cores` that worked, on average.

    Raises UsageError inside another such block.

        with fovea.phases() as spent:
            tagger.fit(sentences)
        print(spent)
    """
    core = importlib.import_module("fovea._core")
    if not core.begin_phases():
        raise UsageError("fovea.phases() inside fovea.phases(): one block records all calls")
    spent: list[dict[str, str | float]] = []
    try:
        yield spent
    finally:
        for phase in core.end_phases():
            cores = phase["cpu_seconds"] / phase["seconds"] if phase["seconds"] > 0 else 0.0
            spent.append({**phase, "cores": cores})
