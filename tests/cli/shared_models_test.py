# SPDX-License-Identifier: Apache-2.0
"""Models of the UAI 2014 competition, solved as a user does, against the answers that come with them. Skipped if
FOVEA_DATA (else ./data) does not have them: exit code 77."""
import json
import os
import pathlib
import shutil
import sys
import unittest

from program import ProgramTest

SOURCE = pathlib.Path(os.environ.get("FOVEA_DATA", "data")) / "uai2014"
SKIPPED = 77


class SharedModels(ProgramTest):
    """PR.tar.xz, for example, holds PR/NAME.uai, its evidence and, in NAME.uai.PR, its reference."""

    @classmethod
    def prepare(cls):
        for task in ("PR", "MAR", "MAP"):
            shutil.unpack_archive(SOURCE / f"{task}.tar.xz", cls.folder)

    def solve(self, task, name, *words):
        model = f"{task}/{name}.uai"
        return json.loads(self.answer("solve", model, "--evidence", model + ".evid", "--task", task, "--json", *words))

    def reference(self, task, name):
        """The words after the first line."""
        return (self.folder / task / f"{name}.uai.{task}").read_text(encoding="ascii").split("\n", 1)[1].split()

    def test_partition_functions_are_those_of_the_references(self):
        for name in ("Alchemy_11", "BN_69", "DBN_11", "Grids_11", "Pedigree_11", "Promedus_11", "Segmentation_11",
                     "linkage_21", "2bitmax_6.cnf", "c1908.isc.cnf"):
            with self.subTest(name):
                answer = self.solve("PR", name, "--time-limit", "60s")
                self.assertEqual(answer["status"], "exact")
                self.assertAlmostEqual(answer["log10_partition"], float(self.reference("PR", name)[0]), delta=.01)

    def test_marginals_are_those_of_the_references(self):
        for name in ("DBN_11", "Grids_11", "Pedigree_11", "Promedus_11", "Segmentation_11"):
            with self.subTest(name):
                answer = self.solve("MAR", name)
                self.assertEqual(answer["status"], "exact")
                written = [float(p) for row in answer["marginals"] for p in (len(row), *row)]
                expected = [float(p) for p in self.reference("MAR", name)[1:]]
                self.assertEqual(len(written), len(expected))
                self.assertLess(max(abs(a - b) for a, b in zip(written, expected)), 1e-5)

    def test_assignments_reach_the_best_published_scores(self):
        published = dict(line.split("\t")[:2] for line in
                         (SOURCE / "MAP_best_published_log10.tsv").read_text(encoding="ascii").splitlines())
        for name in ("ProteinFolding_15", "Segmentation_11", "Segmentation_13", "Segmentation_15", "Segmentation_19"):
            with self.subTest(name):
                answer = self.solve("MAP", name, "--time-limit", "60s")
                self.assertTrue(answer["optimal"])
                self.assertGreaterEqual(answer["log10_score"], float(published[name]) - .05)


if __name__ == "__main__":
    if not SOURCE.is_dir():
        print(f"{SOURCE} is not there: set FOVEA_DATA")
        sys.exit(SKIPPED)
    unittest.main()
