# SPDX-License-Identifier: Apache-2.0
"""Resident memory after many fits and predicts; prints one JSON object for each kind.

python memory.py [TIMES]
"""

import gc
import json
import os
import sys

from long_calls import _people, _sentences


def resident_mb():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def growth(work, times):
    """MB at a tenth of the way, where caches and pools are warm, and at the end."""
    for i in range(times):
        work()
        if i == times // 10:
            gc.collect()
            warm = resident_mb()
    gc.collect()
    return warm, resident_mb()


def main(times):
    from fovea.graph import FactorGraph
    from fovea.linkage import Dedupe
    from fovea.tagging import CRF

    X, y = _sentences(50)
    people = _people(100)

    def tag():
        CRF(iterations=5, threads=2).fit(X, y).predict_proba(X)

    def dedupe():
        Dedupe(compare="given, surname, born:date, city", block="surname", threads=2).fit_predict(people)

    def solve():
        graph = FactorGraph()
        graph.variables([3] * 50)
        for v in range(49):
            graph.log_factor([v, v + 1], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        graph.solve()
        graph.marginals()

    for name, work in {"CRF fit and predict_proba": tag, "Dedupe fit_predict": dedupe, "FactorGraph": solve}.items():
        warm, end = growth(work, times)
        print(json.dumps({"call": name, "times": times, "mb_at_a_tenth": warm, "mb_at_the_end": end}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
