# SPDX-License-Identifier: Apache-2.0
"""Tests that the harness measures what it says it measures."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import attributes, measure, results  # noqa: E402


def python(code):
    return [sys.executable, "-c", code]


class MeasureTest(unittest.TestCase):
    def test_wall_clock_counts_waiting_and_cpu_does_not(self):
        run = measure.run(python("import time; time.sleep(0.3); print('done')"))
        self.assertGreaterEqual(run.seconds, 0.3)
        self.assertLess(run.cpu_seconds, run.seconds)
        self.assertEqual(run.output, "done\n")

    def test_peak_memory_is_the_child_s(self):
        big = measure.run(python("print(len(bytearray(200 << 20)))"))
        self.assertGreater(big.peak_mb, 200)
        ballast = b"x" * (300 << 20)  # of the process that starts it
        self.assertLess(measure.run(python("pass")).peak_mb, 100)
        del ballast

    def test_failure_is_not_a_measurement(self):
        with self.assertRaisesRegex(measure.Failed, "exit code 3\nwhy"):
            measure.run(python("import sys; print('why', file=sys.stderr); sys.exit(3)"))

    def test_much_output_on_both_streams_does_not_block(self):
        run = measure.run(python("import sys; print('o' * 10**6); print('e' * 10**6, file=sys.stderr)"))
        self.assertEqual((len(run.output), len(run.errors)), (10**6 + 1, 10**6 + 1))

    def test_rounds_are_interleaved(self):
        order = []
        measure.interleaved({name: (lambda n=name: order.append(n)) for name in "ab"}, 3)
        self.assertEqual(order, list("ababab"))

    def test_ratios_are_taken_within_a_round(self):
        self.assertEqual(measure.ratios([2, 30, 4], [1, 10, 1]), {"median": 3, "min": 2, "max": 4, "runs": 3})


class AttributesTest(unittest.TestCase):
    def test_reads_escapes_values_and_sequences(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("A\tw=x\\:y\tback\\\\slash\nB\tsize:2.5\tplain\n\nA\tz\n")
            file.flush()
            self.assertEqual(list(attributes.sequences(file.name)),
                             [([["w=x:y", "back\\slash"], {"size": 2.5, "plain": 1.0}], ["A", "B"]), ([["z"]], ["A"])])


class EvidenceTest(unittest.TestCase):
    def test_evidence_of_several_samples_is_that_of_the_first(self):
        from solve_map.toulbar2 import observations
        self.assertEqual(observations("2 5 1 7 0".split()), [(5, 1), (7, 0)])
        self.assertEqual(observations("1 2 5 1 7 0".split()), [(5, 1), (7, 0)])
        self.assertEqual(observations("2 1 5 1 2 7 0 8 1".split()), [(5, 1)])
        self.assertEqual(observations("0".split()), [])
        self.assertEqual(observations([]), [])


class ResultsTest(unittest.TestCase):
    def test_machine_is_stated_but_not_named(self):
        self.assertEqual(set(results.machine()), {"processor", "cores", "vectors", "memory_gb", "system"})


if __name__ == "__main__":
    unittest.main()
