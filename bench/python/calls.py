# SPDX-License-Identifier: Apache-2.0
"""What calls cost; prints one JSON object."""

import json
import statistics
import subprocess
import sys
import time
import timeit


def import_milliseconds():
    """Of `import fovea` in a warm Python, least of ten, and whether NumPy came with it."""
    code = (
        "import time, sys; t = time.perf_counter(); import fovea; "
        "print(time.perf_counter() - t, 'numpy' in sys.modules)"
    )
    lines = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(10)
    ]
    return 1e3 * min(float(seconds) for seconds, _ in lines), any(loaded == "True" for _, loaded in lines)


def per_call(function, number):
    return statistics.median(timeit.repeat(function, number=number, repeat=5)) / number


def million_factors():
    """Seconds to build a graph of about 1e6 factors of pairs, least of three: adding and the first question's index."""
    import numpy as np

    from fovea.graph import FactorGraph

    side = 708
    points = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate(
        [
            np.stack([points[:, :-1].ravel(), points[:, 1:].ravel()], 1),
            np.stack([points[:-1].ravel(), points[1:].ravel()], 1),
        ]
    )
    tables = np.random.default_rng(0).normal(size=(len(pairs), 3, 3))
    seconds = []
    for _ in range(3):
        started = time.perf_counter()
        graph = FactorGraph()
        graph.variables([3] * side * side)
        graph.log_factors(pairs, tables)
        graph.log_score([0] * side * side)
        seconds.append(time.perf_counter() - started)
    return len(pairs), min(seconds)


def main():
    milliseconds, loads_numpy = import_milliseconds()
    import numpy as np

    from fovea.graph import FactorGraph
    from fovea.sequence import Chain

    graph = FactorGraph()
    graph.variable("a", 2)
    core = graph._built
    rng = np.random.default_rng(0)
    chain, unary = Chain(rng.normal(size=(9, 9))), rng.normal(size=(20, 9)).astype(np.float32)
    factors, seconds = million_factors()
    print(
        json.dumps(
            {
                "import_ms": milliseconds,
                "loads_numpy": loads_numpy,
                "empty_ns": 1e9 * per_call(lambda: core.variable_count, 10**6),
                "viterbi_us": 1e6 * per_call(lambda: chain.viterbi(unary), 20_000),
                "factors": factors,
                "graph_seconds": seconds,
            }
        )
    )


if __name__ == "__main__":
    main()
