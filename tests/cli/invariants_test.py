# SPDX-License-Identifier: Apache-2.0
"""Invariant problems of a competition, solved as a user does. Skipped if FOVEA_DATA (else ./data) does not have them:
exit code 77."""
import json
import os
import pathlib
import sys
import unittest

from program import ANSWER, INFEASIBLE, LIMIT, ProgramTest

SOURCE = pathlib.Path(os.environ.get("FOVEA_DATA", "data")) / "invariants"
SKIPPED = 77


class Invariants(ProgramTest):
    def test_programs_of_the_paper_are_proved_by_the_chain_alone(self):
        for path in sorted((SOURCE / "papers").glob("*.sl")):
            with self.subTest(path.name):
                definition = self.answer("synth", "inv", path, "--no-spacer", "--no-clauses", "--time-limit",
                                         "60s").decode()
                self.assertTrue(definition.startswith("(define-fun "), definition)

    def test_a_program_that_breaks_its_postcondition_has_a_run_that_shows_it(self):
        for words in ((), ("--no-spacer",)):
            run = self.run_program("synth", "inv", SOURCE / "sygus" / "jmbl_dec_simpl-new.sl", "--json", *words)
            self.assertEqual(run.returncode, INFEASIBLE, run.stderr)
            report = json.loads(run.stdout.splitlines()[0])
            self.assertEqual(report["outcome"], "infeasible")
            self.assertGreater(len(report["unsafe_run"]), 0)

    def test_all_problems_are_read(self):
        for path in sorted((SOURCE / "sygus").glob("*.sl")):
            with self.subTest(path.name):
                run = self.run_program("synth", "inv", path, "--time-limit", "1us")
                self.assertIn(run.returncode, (ANSWER, INFEASIBLE, LIMIT), run.stderr)


if __name__ == "__main__":
    if not SOURCE.is_dir():
        print(f"{SOURCE} is not there: set FOVEA_DATA")
        sys.exit(SKIPPED)
    unittest.main()
