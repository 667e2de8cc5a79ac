# SPDX-License-Identifier: Apache-2.0
"""Discrete models: converted between formats, checked against assignments, refused when they are broken."""
import json
import math
import unittest

from program import BAD_INPUT, USAGE, ProgramTest

INFEASIBLE = 4

UAI = """MARKOV
3
2 2 3
3
1 0
2 0 1
2 1 2

2
 0.25 0.75

4
 1 0
 0.5 2

6
 1 2 3
 4 5 6
"""

BIF = """network weather {
}
variable Rain {
  type discrete [ 2 ] { no, yes };
}
variable Lawn {
  type discrete [ 3 ] { dry, "quite wet", <5 };
}
probability ( Rain ) {
  table 0.8, 0.2;
}
probability ( Lawn | Rain ) {
  (no) 0.9, 0.1, 0;
  (yes) 0.05, 0.15, 0.8;
}
"""


class ModelFiles(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.write("a.uai", UAI)
        cls.write("net.bif", BIF)

    def score(self, model, assignment):
        report = json.loads(self.answer("check", model, "-", "--json", stdin=assignment.encode()))
        return report["log_score"]

    def test_the_upper_bound_of_a_cost_network_holds_for_the_whole_sum(self):
        network = "sum 2 2 2 {}\n2 2\n1 0 3 1\n1 4\n1 1 3 1\n1 4\n"
        self.write("top.wcsp", network.format(5))
        self.write("free.wcsp", network.format(9))
        self.refused("solve", "top.wcsp", code=INFEASIBLE, says=["all cost at least 6", "upper bound of the model"])
        self.refused("check", "top.wcsp", "-", stdin=b"0 0", code=INFEASIBLE, says=["costs 6", "upper bound"])
        self.assertEqual(b"MAP\n2 0 0", self.answer("solve", "free.wcsp").strip())
        self.write("some.wcsp", network.format(7))
        self.assertEqual(json.loads(self.answer("solve", "some.wcsp", "--diverse", 4, "--json"))["diverse"],
                         [{"score": -6.0, "values": [0, 0]}])
        run = self.run_program("solve", "some.wcsp", "--task", "MAR")
        self.assertIn(b"upper bound of costs, 7, holds for --task MAP alone", run.stderr)
        run = self.run_program("convert", "some.wcsp", "some.uai")
        self.assertIn(b"uai holds no upper bound", run.stderr)
        self.answer("convert", "some.wcsp", "some.cfn")
        self.assertEqual(self.answer("solve", "some.cfn"), self.answer("solve", "some.wcsp"))
        self.refused("check", "some.cfn", "-", stdin=b"1 0", code=INFEASIBLE, says=["upper bound"])

    def test_models_as_other_tools_write_them(self):
        self.write("inf.cfn", """{"problem": {"name": "hard", "mustbe": "<1000"},
 "variables": {"x": ["a", "b"], "y": ["u", "v"]},
 "functions": {"f": {"scope": ["x"], "costs": [0, 4]}, "f": {"scope": ["y"], "costs": [3, 0]},
  "same": {"scope": ["x", "y"], "costs": [0, "inf", inf, 0]}}}""")
        self.assertEqual(json.loads(self.answer("solve", "inf.cfn", "--task", "MPE", "--json"))["values"], [0, 0])
        self.refused("check", "inf.cfn", "-", stdin=b"0 1", code=INFEASIBLE, says=["hard constraints"])
        shared = (self.folder / "inf.cfn").read_text().replace("[0, 4]", '"f"')
        self.refused("solve", self.write("several.cfn", shared), says=["several.cfn:3", "several functions have that name"])
        self.write("small.UAI", "# by hand\n" + UAI.replace("MARKOV", "markov"))
        self.assertEqual(self.answer("solve", "small.UAI"), self.answer("solve", "a.uai"))

    def test_tables_that_are_no_distributions_are_told_of(self):
        self.write("bayes.uai", "BAYES\n2\n2 2\n2\n1 0\n2 0 1\n\n2\n.3 .7\n\n4\n.9 .2 .1 .8\n")
        run = self.run_program("solve", "bayes.uai", "--task", "MAR")
        self.assertIn(b"1 of 2 tables do not sum to one", run.stderr)
        self.assertIn(b"may be transposed", run.stderr)
        self.write("bayes.uai", "BAYES\n2\n2 2\n2\n1 0\n2 0 1\n\n2\n.3 .7\n\n4\n.9 .1 .2 .8\n")
        self.assertNotIn(b"warning", self.run_program("solve", "bayes.uai", "--task", "MAR").stderr)
        self.assertIn(b"wcsp holds no names", self.run_program("convert", "inf.cfn", "inf.wcsp").stderr)

    def test_uai_survives_every_packing(self):
        for name in ("b.uai", "b.uai.gz", "b.uai.xz", "b.uai.zst"):
            with self.subTest(name):
                self.answer("convert", "a.uai", name)
                again = self.answer("convert", name, "-", "--to", "uai").decode()
                self.assertEqual(again.split(), UAI.split())

    def test_bif_survives_as_it_was(self):
        self.answer("convert", "net.bif", "again.bif.gz")
        self.assertEqual(self.answer("convert", "again.bif.gz", "-", "--to", "bif").decode(), BIF)

    def test_formats_agree_on_scores(self):
        note = self.run_program("convert", "net.bif", "net.uai").stderr.decode()
        self.assertIn("no names", note)
        self.assertTrue((self.folder / "net.uai").read_text().startswith("BAYES"))
        for assignment, probability in (("0 0", 0.8 * 0.9), ("1 2", 0.2 * 0.8)):
            for model in ("net.bif", "net.uai"):
                self.assertAlmostEqual(self.score(model, assignment), math.log(probability), places=12)

    def test_standard_input_needs_a_format(self):
        self.assertEqual(self.answer("convert", "--from", "uai", "-", "-", "--to", "uai", stdin=UAI.encode()).split(),
                         UAI.encode().split())
        self.refused("convert", "-", "b.uai", code=USAGE, says=("does not tell the format",), stdin=UAI.encode())
        self.refused("convert", "a.uai", "b.uia", code=USAGE, says=("'b.uia'",))
        self.refused("convert", "a.uai", "b.uai", "--from", "biff", code=USAGE, says=("Did you mean 'bif'?",))

    def test_markov_networks_are_no_bayesian_ones(self):
        self.refused("convert", "a.uai", "b.bif", says=("Bayesian networks only",))
        self.assertFalse((self.folder / "b.bif").exists())

    def test_one_corruption_of_uai_at_a_time(self):
        for good, bad, says in (("MARKOV", "MARKOVIAN", ("bad.uai:1:", "'MARKOVIAN'")),
                                ("2 2 3", "2 0 3", ("bad.uai:3:", "from 1 to 65535")),
                                ("2 1 2", "2 1 3", ("bad.uai:7:", "'3'", "from 0 to 2")),
                                ("2 1 2", "2 1 1", ("bad.uai:7:", "factor 2 names variable 1 twice")),
                                ("0.25", "-0.25", ("bad.uai:10:", "entry 0 of the table of factor 0", "'-0.25'")),
                                ("0.25", "nan", ("bad.uai:10:", "'nan'")),
                                ("0.25", "inf", ("bad.uai:10:", "'inf'")),
                                (" 5 6", " 5", ("bad.uai:19:", "the file ends after 5 entries")),
                                (" 5 6", " 5 6 7", ("bad.uai:18:", "'7' after the table of the last factor")),
                                ("\n4\n", "\n3\n", ("bad.uai:12:", "announces 3", "4 joint values")),
                                ("\n3\n2 2", "\n1000000000\n2 2", ("bad.uai:",))):
            with self.subTest(bad):
                self.write("bad.uai", UAI.replace(good, bad, 1))
                self.refused("convert", "bad.uai", "out.uai", code=BAD_INPUT, says=says)
                self.assertFalse((self.folder / "out.uai").exists())

    def test_one_corruption_of_bif_at_a_time(self):
        for good, bad, says in (("( Lawn | Rain )", "( Lawn | Rian )", ("bad.bif:12:", "Did you mean 'Rain'?")),
                                ("(yes)", "(maybe)", ("bad.bif:14:", "no value 'maybe'")),
                                ("0.15", "0.25", ("bad.bif:14:", "sum to 1.1")),
                                ("  (no) 0.9, 0.1, 0;\n", "", ("bad.bif:14:", "1 of 2 rows are missing")),
                                ("( Rain ) {\n  table", "( Rain | Lawn ) {\n  default", ("directed cycle",)),
                                ("[ 3 ]", "[ 4 ]", ("bad.bif:7:", "announces 4 values and names 3"))):
            with self.subTest(bad):
                self.write("bad.bif", BIF.replace(good, bad, 1))
                self.refused("convert", "bad.bif", "out.uai", code=BAD_INPUT, says=says)

    def test_check_adds_up_the_tables(self):
        self.write("a.MAP", "MAP\n3 1 0 2\n")
        score = math.log(0.75 * 0.5 * 3)
        report = json.loads(self.answer("check", "a.uai", "a.MAP", "--json"))
        self.assertTrue(report["feasible"])
        self.assertAlmostEqual(report["log_score"], score, places=12)
        self.assertAlmostEqual(report["log10_score"], score / math.log(10), places=12)
        self.assertIn("feasible: yes", self.answer("check", "a.uai", "-", stdin=b"1 0 2").decode())

    def test_check_names_what_is_broken(self):
        run = self.run_program("check", "net.bif", "-", "--evidence", "Lawn=quite wet,0=no", stdin=b"0 2")
        self.assertEqual(run.returncode, INFEASIBLE)
        for text in ("feasible: no", "log score: -inf", "1 of 2 observations", "Lawn=<5, but quite wet was observed",
                     "1 of 2 factors", "factor 1 at Rain=no Lawn=<5"):
            self.assertIn(text, run.stdout.decode())
        run = self.run_program("check", "a.uai", "-", "--json", stdin=b"0 1 0")
        self.assertEqual(run.returncode, INFEASIBLE)
        result, failure = map(json.loads, run.stdout.decode().splitlines())
        self.assertEqual((result["feasible"], result["log_score"]), (False, None))
        self.assertEqual(result["broken_factors"], [{"factor": 1, "values": {"0": "0", "1": "1"}}])
        self.assertEqual(failure["error"]["exit_code"], INFEASIBLE)

    def test_check_refuses_what_does_not_fit(self):
        self.write("a.evid", "1 2 3")
        self.refused("check", "a.uai", "-", says=("<stdin>:1:", "the value of variable 2 is 3"), stdin=b"0 0 3")
        self.refused("check", "a.uai", "-", says=("2 numbers, where an answer has 4",), stdin=b"0 0")
        self.refused("check", "a.uai", "-", "--evidence", "a.evid", says=("a.evid:1:", "from 0 to 2"), stdin=b"0 0 0")
        self.refused("check", "net.bif", "-", "--evidence", "Rian=no", code=USAGE, says=("Did you mean 'Rain'?",),
                     stdin=b"0 0")


if __name__ == "__main__":
    unittest.main()
