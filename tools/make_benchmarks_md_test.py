#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page holds every target and every record, and hides no miss."""

import json
import pathlib
import tempfile
import unittest

import make_benchmarks_md as page_maker

BARS = [{"bar": "Speed", "command": "bench/run.sh speed", "parts": [
    {"id": "speed/a", "what": "on A", "at_least": 10, "unit": "x"},
    {"id": "speed/b", "what": "on B", "at_most": 2, "unit": " s"}]}]
HEADER = {"task": "speed", "commit": "abc", "machine": {"processor": "P", "cores": 2, "vectors": "avx2",
                                                        "memory_gb": 8, "system": "Linux 6"}}


def page(*records):
    return page_maker.pages(BARS, {"speed": (HEADER, list(records))})["benchmarks/speed.md"]


class MakeBenchmarksTest(unittest.TestCase):
    def test_target_without_measurement_says_so(self):
        self.assertIn("| Speed: on A | at least 10x | not measured yet |  | `bench/run.sh speed` |",
                      page_maker.pages(BARS, {})["benchmarks/speed.md"])

    def test_target_reached_or_not(self):
        self.assertIn("| 12x (11 .. 13) | reached |", page(
            {"bar": "speed/a", "value": 12.0, "spread": {"min": 11, "max": 13}, "command": "fovea x"}))
        self.assertIn("| 9.5x | **not reached** | `fovea x` |",
                      page({"bar": "speed/a", "value": 9.5, "command": "fovea x"}))
        self.assertIn("| 2.5 s; slow disk | **not reached** |",
                      page({"bar": "speed/b", "value": 2.5, "command": "", "note": "slow disk"}))

    def test_measurement_that_failed_shows_why(self):
        self.assertIn("| no model fits | ", page({"bar": "speed/a", "value": None, "command": "", "note": "no model fits"}))

    def test_summary_counts_and_names_what_was_not_reached(self):
        summary = page_maker.pages(BARS, {"speed": (HEADER, [
            {"bar": "speed/a", "value": 12, "command": ""}, {"bar": "speed/b", "value": 3, "command": ""}])})["benchmarks.md"]
        self.assertIn("| Speed: on B | at most 2 s | 3 s | [speed](benchmarks/speed.md) |", summary)
        self.assertIn("| speed | 1 of 2 | [speed](benchmarks/speed.md) |", summary)
        self.assertNotIn("on A", summary)

    def test_unknown_bar_is_refused(self):
        with self.assertRaises(SystemExit):
            page({"bar": "speed/c", "value": 1, "command": ""})

    def test_rows_of_one_table_share_its_columns(self):
        text = page({"text": "How."}, {"table": "T", "row": {"tool": "a|b", "s": {"median": 1.25, "min": 1, "max": 2}}},
                    {"table": "T", "row": {"tool": "c", "extra": 12345.6}}, {"figure": "f.svg", "title": "F"})
        self.assertIn("How.", text)
        self.assertIn("## T\n\n| tool | s | extra |\n| --- | --- | --- |\n| a\\|b | 1.25 (1 .. 2) |  |\n"
                      "| c |  | 12346 |\n", text)
        self.assertIn("![F](../figures/f.svg)", text)

    def test_results_are_json_lines_with_a_header(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "speed.json"
            path.write_text("\n".join(map(json.dumps, [HEADER, {"text": "x"}])) + "\n", encoding="utf-8")
            self.assertEqual(page_maker.load_results(path.parent), {"speed": (HEADER, [{"text": "x"}])})


if __name__ == "__main__":
    unittest.main()
