# SPDX-License-Identifier: Apache-2.0
"""Bayesian logistic regression on a table: fit, predict, and what is refused."""
import csv
import json
import math
import random
import unittest

from program import BAD_INPUT, USAGE, ProgramTest

WEIGHTS = {"(intercept)": .5, "age": 1., "dose": -2.}


class Fit(ProgramTest):
    @classmethod
    def prepare(cls):
        draw = random.Random(3)
        rows = []
        for _ in range(2000):
            age, dose = draw.gauss(0, 1), draw.gauss(0, 1)
            chance = 1 / (1 + math.exp(-(WEIGHTS["(intercept)"] + WEIGHTS["age"] * age + WEIGHTS["dose"] * dose)))
            rows.append((age, int(draw.random() < chance), dose))
        with open(cls.folder / "data.csv", "w", newline="", encoding="ascii") as output:
            csv.writer(output).writerows([("age", "cured", "dose"), *rows])

    def test_weights_are_found_with_their_doubt(self):
        self.answer("fit", "logistic", "data.csv", "--target", "cured", "-o", "posterior.json")
        report = json.loads((self.folder / "posterior.json").read_text())
        self.assertTrue(report["converged"])
        self.assertEqual(report["rows"], 2000)
        self.assertEqual([weight["name"] for weight in report["weights"]], list(WEIGHTS))
        for weight in report["weights"]:
            self.assertLess(abs(weight["mean"] - WEIGHTS[weight["name"]]), 5 * weight["sd"])
            self.assertLess(weight["sd"], .15)
        self.assertEqual(len(report["covariance"]), 9)

    def test_predictions_follow_the_rows(self):
        self.write("new.csv", "dose,age\n-3,1\n3,-1\n")
        lines = self.answer("fit", "logistic", "data.csv", "--target", "cured", "--predict", "new.csv").decode().split()
        self.assertEqual(lines[0], "probability")
        self.assertGreater(float(lines[1]), .99)
        self.assertLess(float(lines[2]), .02)

    def test_a_table_for_people(self):
        text = self.answer("fit", "logistic", "data.csv", "--target", "cured").decode()
        self.assertIn("(intercept)", text)
        self.assertIn("log evidence", text)

    def test_the_evidence_prefers_the_right_model(self):
        def evidence(*words):
            return json.loads(self.answer("fit", "logistic", "data.csv", "--target", "cured", "--json", *words))[
                "log_evidence"]
        self.assertGreater(evidence(), evidence("--no-intercept"))

    def test_bad_input(self):
        for name, text, says in (
                ("missing.csv", "x,y\n,0\n1,\n", ("all 2 rows miss a cell",)),
                ("text.csv", "x,y\n1,0\nhigh,1\n", ("text.csv:3", "'high'", "not a finite number")),
                ("huge.csv", "x,y\n1,0\n1e999,1\n", ("huge.csv:3", "not a finite number")),
                ("labels.csv", "x,y\n1,0\n2,2\n", ("labels.csv:3", "'2'", "not a label")),
                ("empty.csv", "x,y\n", ("no rows",)),
                ("target.csv", "x,z\n1,0\n", ("'y'",))):
            with self.subTest(name):
                self.refused("fit", "logistic", self.write(name, text), code=BAD_INPUT, says=says)
        self.write("few.csv", "age\n1\n")
        self.refused("fit", "logistic", "data.csv", "--target", "cured", "--predict", "few.csv", says=("dose",))
        self.refused("fit", "logistic", "data.csv", "--target", "cured", "--predict", "few.csv", "--json", code=USAGE)

    def report(self, *words):
        return json.loads(self.answer("fit", "logistic", "data.csv", "--target", "cured", "--json", *words))

    def test_draws_and_recalled_messages_find_the_same(self):
        exact = self.report()
        for words in (("--oracle", "sampling", "--samples", "5000"), ("--jit",),
                      ("--oracle", "sampling", "--samples", "5000", "--jit")):
            found = self.report(*words)
            for weight, expected in zip(found["weights"], exact["weights"]):
                self.assertLess(abs(weight["mean"] - expected["mean"]), .05 * expected["sd"])
                self.assertLess(abs(weight["sd"] - expected["sd"]), .02 * expected["sd"])
            self.assertLess(abs(found["log_evidence"] - exact["log_evidence"]), .5)

    def test_what_was_learned_serves_the_next_run(self):
        operator = self.folder / "logistic.operator"
        first = self.report("--operator", operator, "--jit-always")["recall"]
        again = self.report("--operator", operator, "--jit-always")["recall"]
        self.assertGreater(first["recalled"], 0)
        self.assertLess(again["oracle_calls"] / again["messages"], first["oracle_calls"] / first["messages"])
        text = self.answer("operator", "inspect", operator).decode()
        self.assertIn("u_max", text)
        shown = json.loads(self.answer("operator", "inspect", operator, "--json"))
        self.assertEqual(shown["factor"], "logistic")
        self.assertEqual(shown["parts"][0]["families"], ["beta", "gaussian"])
        self.assertEqual(self.answer("inspect", operator).decode(), text)
        merged = self.folder / "merged.operator"
        self.answer("operator", "merge", operator, operator, "-o", merged)
        both = json.loads(self.answer("operator", "inspect", merged, "--json"))
        self.assertEqual(both["parts"][0]["examples"], 2 * shown["parts"][0]["examples"])

    def test_recall_that_does_not_pay_is_given_up(self):
        self.assertTrue(self.report("--jit")["recall"]["given_up"])
        text = self.answer("fit", "logistic", "data.csv", "--target", "cured", "--jit").decode()
        self.assertIn("jit-always", text)

    def test_bad_operators(self):
        operator = self.folder / "used.operator"
        self.report("--operator", operator, "--jit-always")
        fit = ("fit", "logistic", "data.csv", "--target", "cured")
        self.refused(*fit, "--operator", operator, "--jit-by-message", says=("used.operator", "learned marginals"))
        self.refused(*fit, "--operator", self.write("no.operator", "age\n"), says=("no.operator",))
        whole = operator.read_bytes()
        cut = self.folder / "cut.operator"
        cut.write_bytes(whole[:len(whole) // 2])
        self.refused("operator", "inspect", cut, says=("cut.operator",))
        self.refused("operator", "merge", operator, code=USAGE, says=("--output",))
        self.refused(*fit, "--oracle", "guessing", code=USAGE, says=("quadrature",))

    def test_what_does_not_converge_is_said(self):
        run = self.run_program("fit", "logistic", "data.csv", "--target", "cured", "--iterations", 1)
        self.assertIn(b"not converged", run.stderr)


    def test_columns_of_any_size(self):
        self.write("large.csv", "x,y\n0,0\n1e12,1\n")
        fit = json.loads(self.answer("fit", "logistic", "large.csv", "--json"))
        weight = fit["weights"][1]
        # Any positive weight explains the second row: half of N(0, 10), with mean 2.52 and sd 1.91.
        self.assertAlmostEqual(weight["mean"], 2.52, delta=.05)
        self.assertAlmostEqual(weight["sd"], 1.91, delta=.05)
        self.write("new.csv", "x\n1e10\n-1e15\n")
        chances = self.answer("fit", "logistic", "large.csv", "--predict", "new.csv").decode().split()[1:]
        self.assertTrue(all(0 <= float(p) <= 1 for p in chances), chances)
        self.write("small.csv", "x,y\n" + "".join(f"{i}e12,{int(i * 7 % 5 > 2)}\n" for i in range(30)))
        self.assertNotIn(b" 0.0000 ", self.answer("fit", "logistic", "small.csv"))
        self.write("huge.csv", "x,y\n0,0\n1e300,1\n")
        self.refused("fit", "logistic", "huge.csv", says=["huge.csv:3", "1e300", "beyond 1e100"])


    def test_tables_as_people_have_them(self):
        rows = [(x, "rome" if x % 3 else "bonn", x % 2 == 0, x * 5 % 7 > 2) for x in range(40)]
        written = {"plain": ("0", "1"), "decimal": ("0.0", "1.0"), "words": ("no", "Yes"), "truth": ("FALSE", "true"),
                   "two": ("1", "2")}
        fits = {}
        for name, labels in written.items():
            self.write(f"{name}.csv", "x,city,old,y\n" +
                       "".join(f"{x},{city},{str(old).lower()},{labels[y]}\n" for x, city, old, y in rows))
            fits[name] = json.loads(self.answer("fit", "logistic", f"{name}.csv", "--json"))
            self.assertEqual(fits[name]["weights"], fits["plain"]["weights"], name)
        self.assertEqual([w["name"] for w in fits["plain"]["weights"]], ["(intercept)", "x", "city=rome", "old"])
        self.assertEqual(fits["two"]["positive"], "2")
        run = self.run_program("fit", "logistic", "two.csv")
        for note in (b"column 'city' holds texts", b"column 'old': true is 1", b"probability is that of 2"):
            self.assertIn(note, run.stderr)
        fewer = json.loads(self.answer("fit", "logistic", "plain.csv", "--ignore", "city,old", "--json"))
        self.assertEqual(fewer["weights"],
                         json.loads(self.answer("fit", "logistic", "plain.csv", "--columns", "x", "--json"))["weights"])
        self.write("holes.csv", (self.folder / "plain.csv").read_text() + ",rome,true,1\n3,,true,0\n4,rome,true,\n")
        holes = json.loads(self.answer("fit", "logistic", "holes.csv", "--json"))
        self.assertEqual((holes["rows_left_out"], holes["weights"]), (3, fits["plain"]["weights"]))
        self.refused("fit", "logistic", "plain.csv", "--target", "z", says=["no column is called 'z'. The columns are"])
        self.write("three.csv", "x,y\n1,2\n2,0\n")
        self.refused("fit", "logistic", "three.csv", says=["three.csv:3", "'0' in column 'y' is not a label"])
        self.write("ids.csv", "id,y\n" + "".join(f"k{i},{i % 2}\n" for i in range(150)))
        self.refused("fit", "logistic", "ids.csv", says=["150 different texts", "--ignore"])


if __name__ == "__main__":
    unittest.main()
