#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times are masked, and nothing else; differences between two records are reported by example and part."""

import unittest

import run_examples


class MaskedTest(unittest.TestCase):
    def test_what_a_clock_says_is_masked(self):
        for one, two in ((b'{"seconds":{"read":0.1,"all":2e-05},"rows":3}', b'{"seconds":{"read":0.7,"all":1},"rows":3}'),
                         (b'{"predicted_seconds_per_item": 1e-7}', b'{"predicted_seconds_per_item": 3}'),
                         (b"12 rows in 0.31 s", b"12 rows in 4 s"), (b"seconds         0.02", b"seconds         17"),
                         (b"decoding      0.1   2000.0", b"decoding      0.9   1.0")):
            with self.subTest(one):
                self.assertEqual(run_examples.masked(one), run_examples.masked(two))

    def test_answers_are_not_masked(self):
        for one, two in ((b'{"score": -1.5}', b'{"score": -1.25}'), (b"12 rows", b"13 rows"), (b"a\tb", b"a\tc"),
                         (b"\0\x01 5 s", b"\0\x01 6 s")):
            with self.subTest(one):
                self.assertNotEqual(run_examples.masked(one), run_examples.masked(two))


class DifferencesTest(unittest.TestCase):
    RECORD = {"fovea a": {"exit": 0, "output": "1", "files": {"x": "2"}}, "fovea b": {"exit": 0}}

    def test_equal_records_do_not_differ(self):
        self.assertEqual(list(run_examples.differences(self.RECORD, dict(self.RECORD))), [])

    def test_a_changed_part_is_named(self):
        changed = {**self.RECORD, "fovea a": {"exit": 0, "output": "1", "files": {"x": "3"}}}
        [told] = run_examples.differences(self.RECORD, changed)
        self.assertIn("differs in files: fovea a", told)

    def test_examples_that_come_or_go_are_named(self):
        told = list(run_examples.differences(self.RECORD, {"fovea a": self.RECORD["fovea a"], "fovea c": {"exit": 0}}))
        self.assertEqual(told, ["only before: fovea b", "only after: fovea c"])


class ShortenTest(unittest.TestCase):
    def test_long_examples_are_cut_and_ellipses_filled(self):
        self.assertIn("--mentions 20000", run_examples.shorten("fovea generate authors --mentions 5000000"))
        self.assertNotIn("...", run_examples.shorten("fovea dedupe people.csv --compare ... --block ... --profile"))


if __name__ == "__main__":
    unittest.main()
