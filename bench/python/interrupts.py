# SPDX-License-Identifier: Apache-2.0
"""Sends Ctrl-C at a random moment of every long call; prints one JSON object for each call, with resident memory after a
tenth of the interrupted calls and after all.

python interrupts.py [TIMES]
"""

import json
import os
import random
import signal
import sys
import threading
import time

from long_calls import long_calls
from memory import resident_mb


def interrupt(call, delay):
    """How the call ended, and seconds from the signal to its end."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(delay, send)
    timer.start()
    try:
        try:
            result = call()
            ended = time.perf_counter()
            outcome = "best so far" if sent else "finished"
            del result
        except KeyboardInterrupt:
            ended = time.perf_counter()
            outcome = "KeyboardInterrupt"
        timer.cancel()
        timer.join()
    except KeyboardInterrupt:  # sent just after the call had ended
        return "finished", 0.0
    return outcome, ended - sent[0] if sent and outcome != "finished" else 0.0


def main(times):
    rng, warm = random.Random(1), 0.0
    for name, call in long_calls().items():
        outcomes, delays = {}, []
        for i in range(times):
            if i == times // 10:
                warm = resident_mb()
            outcome, seconds = interrupt(call, rng.uniform(0.01, 0.6))
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if outcome != "finished":
                delays.append(seconds)
        delays.sort()
        print(
            json.dumps(
                {
                    "call": name,
                    "times": times,
                    **outcomes,
                    "median_ms": 1e3 * delays[len(delays) // 2],
                    "largest_ms": 1e3 * delays[-1],
                    "above_100_ms": sum(d > 0.1 for d in delays),
                    "mb_at_a_tenth": warm,
                    "mb_at_the_end": resident_mb(),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
