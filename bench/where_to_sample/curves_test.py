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

    def test_settings_are_picked_on_the_tuning_text(self):
        settings = [{"tuning_quality": 0.7, "quality": [0.99], "seconds": [1]},
                    {"tuning_quality": 0.9, "quality": [0.8], "seconds": [3]},
                    {"tuning_quality": 0.85, "quality": [0.7], "seconds": [2]}]
        self.assertIs(curves.picked(settings, 0.8, curves.median_seconds), settings[2])
        self.assertIs(curves.picked(settings, 0.95, curves.median_seconds), settings[1])

    def test_the_frontier_leaves_out_what_costs_more_for_less(self):
        settings = [{"quality": [q], "seconds": [s]} for q, s in ((0.5, 1), (0.4, 2), (0.6, 3), (0.6, 4))]
        self.assertEqual(curves.frontier(settings, curves.median_seconds), [(1, 0.5), (3, 0.6)])


if __name__ == "__main__":
    unittest.main()
