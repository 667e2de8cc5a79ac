# SPDX-License-Identifier: Apache-2.0
"""Tests that an arm's cost at a target is read off its curve and compared seed by seed."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from entity_resolution import run  # noqa: E402


class SpentTest(unittest.TestCase):
    record = {"f1": [.5, .7, .9], "factors": [10, 30, 40]}

    def test_lies_between_two_points(self):
        self.assertAlmostEqual(run.spent(self.record, .8, "factors"), 35)

    def test_is_not_continued_beyond_the_ends(self):
        self.assertEqual(run.spent(self.record, .4, "factors"), 10)
        self.assertIsNone(run.spent(self.record, .95, "factors"))


class SavingsTest(unittest.TestCase):
    def test_are_taken_within_a_seed(self):
        saving = run.savings([1, 10, 2], [2, 40, 6])
        self.assertEqual((saving["median"], saving["min"], saving["max"]), (3, 2, 4))

    def test_need_all_seeds(self):
        self.assertIsNone(run.savings([1, None], [2, 2]))


class TargetTest(unittest.TestCase):
    def test_is_that_of_all_factors_without_split_and_merge(self):
        records = [{"arm": "exact", "f1": [.1, .8]}, {"arm": "exact", "f1": [.9]}, {"arm": "exact+split", "f1": [1]}]
        self.assertAlmostEqual(run.target_of(records), .84)


if __name__ == "__main__":
    unittest.main()
