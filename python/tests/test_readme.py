# SPDX-License-Identifier: Apache-2.0
"""The Python that README.md shows runs as it is written, and gives what its comments say."""

import pathlib
import re

import numpy as np  # noqa: F401  (array(...) in the comments)
import pytest

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def test_readme_runs_as_written():
    if not README.exists():
        pytest.skip("the source tree is not here")
    block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S).group(1)
    names = {"frame": [{"name": n, "born": b} for n in ("Ann Lee", "Bob Ray", "Cy Poe") for b in ("1980-01-02",) * 2]}
    weights = [60, 72, 81, 55, 90, 66, 77, 84]
    doses = [w / 10 + i % 3 for i, w in enumerate(weights)]
    names["patients"] = {"weight": weights, "dose": doses, "clinic": list("AABB") * 2}
    compared = 0
    for line in block.splitlines():
        code, _, shown = line.partition("  # ")
        if not shown or shown.startswith("the "):
            exec(code, names)  # noqa: S102
            continue
        expected = eval(shown, {"array": np.array})  # noqa: S307
        np.testing.assert_array_equal(
            np.round(eval(code, names), 8) if "array" in shown else eval(code, names), expected
        )  # noqa: S307
        compared += 1
    assert compared == 2
