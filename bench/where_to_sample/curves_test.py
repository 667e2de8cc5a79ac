# SPDX-License-Identifier: Apache-2.0
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from where_to_sample import curves  # noqa: E402


class CurvesTest(unittest.TestCase):
    def test_cost_is_interpolated(self):
        points = [(1, 0.5), (2, 0.7), (4, 0.8)]
        self.assertAlmostEqual(curves.cost_to_reach(points, 0.75), 3)
        self.assertEqual(curves.cost_to_reach(points, 0.4), 1)
        self.assertIsNone(curves.cost_to_reach(points, 0.9))

    def test_saving_is_to_the_baseline_s_quality_at_that_cost(self):
        baseline = [(1, 0.5), (2, 0.795), (4, 0.8)]
        self.assertAlmostEqual(curves.saving(baseline, [(0.5, 0.79), (1, 0.8)], 2), 2 / 0.75)
        self.assertIsNone(curves.saving(baseline, [(1, 0.5), (4, 0.7)], 4))

    def test_published_savings(self):
        # By hand from the published points: Gibbs has .785 at 28.9, learned between 14.8 and 16.1.
        gibbs = [(14.5, 0.70), (28.9, 0.785), (43.3, 0.793), (57.8, 0.794), (86.7, 0.796), (115, 0.797)]
        learned = [(13.5, 0.70), (14.8, 0.778), (16.1, 0.792)]
        self.assertAlmostEqual(curves.saving(gibbs, learned, 28.9), 28.9 / (14.8 + 1.3 / 2))

    def test_cheapest_needs_the_mean_quality(self):
        settings = [{"quality": [0.7, 0.9], "seconds": [1]}, {"quality": [0.85, 0.85], "seconds": [2]},
                    {"quality": [0.9, 0.9], "seconds": [3]}]
        self.assertIs(curves.cheapest(settings, 0.82, curves.median_seconds), settings[1])
        self.assertIsNone(curves.cheapest(settings, 0.95, curves.median_seconds))


if __name__ == "__main__":
    unittest.main()
