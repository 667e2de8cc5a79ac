"""Measure whether repeating a call makes its process grow: in a process of its own, where no other test leaves memory behind."""

import os
import subprocess
import sys

MEASURE = """
import gc, os
def resident():
    gc.collect()
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
early, late = [], []
for i in range({times}):
    step(i)
    done = (i - {warm_up}) / ({times} - {warm_up})
    if i % {every} == 0 and 0 <= done < 0.25: early.append(resident())
    if i % {every} == 0 and 0.75 <= done: late.append(resident())
print(min(late) - max(early))  # what is free for now comes and goes
"""


def growth(program, *, times, warm_up):
    """Bytes that a process is larger in the last quarter of `times` calls of step(i), which `program` defines, than in the
    first, which is half of what all calls leave; `warm_up` calls before do not count. Test files can be imported."""
    measure = MEASURE.format(times=times, warm_up=warm_up, every=max(1, (times - warm_up) // 20))
    folder = os.path.dirname(__file__)
    path = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
    answer = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program + measure],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert answer.returncode == 0, answer.stderr
    return int(answer.stdout)
