# SPDX-License-Identifier: Apache-2.0
"""The pages of `fovea solve`, `sample`, `diagnose`, `fit` and `synth rule`, in a browser."""
import math
import random
import unittest

from browser import HOSTILE, PageTest
from selenium.webdriver.common.keys import Keys

SCHOOLS = "school,y,sigma\nA,28,15\nB,8,10\nC,-3,16\nD,7,11\nE,-1,9\nF,1,11\nG,18,10\nH,12,18\n"
MODEL = ("schools ~ plate(school)\nmu ~ normal(0, 10)\ntau ~ half_cauchy(5)\nz[school] ~ normal(0, 1)\n"
         "theta[school] = mu + tau * z[school]\ny ~ normal(theta[school], sigma)\n")
NET = """network hostile {{}}
variable a {{ type discrete [ 2 ] {{ {0}, no }}; }}
variable b {{ type discrete [ 2 ] {{ yes, no }}; }}
probability ( a ) {{ table 0.3, 0.7; }}
probability ( b | a ) {{ ({0}) 0.9, 0.1; (no) 0.2, 0.8; }}
"""


def points(seed, rows):
    draw = random.Random(seed)
    lines = ["a,b,y"]
    for _ in range(rows):
        a, b = draw.gauss(0, 1), draw.gauss(0, 1)
        lines.append(f"{a:.3f},{b:.3f},{int(draw.random() < 1 / (1 + math.exp(2 * b - a)))}")
    return "\n".join(lines) + "\n"


class ModelPages(PageTest):
    def write_grid(self, side):
        """A grid of Potts factors, in the form of the UAI competitions."""
        edges = [(r * side + c, r * side + c + d) for r in range(side) for c in range(side) for d in (1, side)
                 if (d == 1 and c + 1 < side) or (d == side and r + 1 < side)]
        draw = random.Random(1)
        tables = [f"3\n{draw.random()} {draw.random()} {draw.random()}" for _ in range(side * side)]
        tables += ["9\n2 1 1 1 2 1 1 1 2"] * len(edges)
        scopes = [f"1 {v}" for v in range(side * side)] + [f"2 {a} {b}" for a, b in edges]
        self.write("grid.uai", "\n".join(["MARKOV", str(side * side), " ".join(["3"] * (side * side)), str(len(tables)),
                                          *scopes, *tables]) + "\n")

    def first_row(self, n):
        """Chooses the first row of the n-th list."""
        self.all(".list")[n].send_keys(Keys.HOME)

    def test_the_best_assignment_of_a_grid(self):
        self.write_grid(12)
        self.fovea("solve", "grid.uai", "--method", "search", "--time-limit", "1s", "-o", "map.txt", "--report-html",
                   "page.html")
        self.open("page.html")
        for part in ("Score", "Score and bound over time", "The answer as a picture", "Best assignment", "Work", "Phases"):
            self.assertIn(part, self.text())
        self.assertGreater(self.browser.execute_script("return document.querySelector('img').naturalWidth"), 400)
        values = (self.folder / "map.txt").read_text().split("\n")[1].split()[1:]
        self.assertEqual(self.all(".list")[0].text.split("\n")[:6], ["0", values[0], "1", values[1], "2", values[2]])

    def test_marginals(self):
        self.write("net.bif", NET.format("yes"))
        self.fovea("solve", "net.bif", "--task", "MAR", "-o", "out.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("status exact", self.text())
        self.assertEqual(self.all(".list")[0].text.split("\n")[:3], ["a", "yes", "0.3"])

    def test_a_partition_function(self):
        self.write("net.bif", NET.format("yes"))
        self.fovea("solve", "net.bif", "--task", "PR", "-o", "out.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("log10 Z", self.text())

    def test_draws(self):
        self.write("net.bif", NET.format("yes"))
        self.fovea("sample", "net.bif", "--draws", 500, "-o", "draws.csv", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("500 draws of 4 chains", self.text())
        self.fovea("diagnose", "draws.csv", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("of which have mixed 2", self.text())
        self.first_row(0)
        self.assertIn("Ranks of the draws", self.one(".detail").text)
        self.assertEqual(len(self.all(".detail svg")), 3)

    def test_chains_that_disagree(self):
        rows = [f"{chain},{draw},{chain}.{draw % 7}" for chain in (1, 2) for draw in range(100)]
        self.write("apart.csv", "chain,draw,x\n" + "\n".join(rows) + "\n")
        self.fovea("diagnose", "apart.csv", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("Chains disagree", self.one(".warning").text)

    def test_a_fit_and_its_check(self):
        self.write("schools.csv", SCHOOLS)
        self.write("schools.fov", MODEL)
        self.fovea("fit", "-q", "schools.fov", "schools.csv", "--draws", 200, "--report-html", "page.html")
        self.open("page.html")
        for part in ("Posterior", "Predictive check of y", "y as observed and as predicted", "the most surprising first"):
            self.assertIn(part, self.text())
        self.fovea("fit", "-q", "schools.fov", "schools.csv", "--draws", 50, "--check", 10, "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("data sets 10", self.text())

    def test_a_model_that_cannot_predict_rows_says_so(self):
        self.write("walk.csv", "y\n1\n2\n3\n4\n")
        self.write("walk.fov", "x[1] ~ normal(0, 1)\nx[row] ~ normal(x[row - 1], 1)\ny ~ normal(x[row], 1)\n")
        self.fovea("fit", "-q", "walk.fov", "walk.csv", "--draws", 200, "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("No predictive check", self.text())

    def test_a_logistic_regression_with_recall(self):
        self.write("points.csv", points(1, 2000))
        self.fovea("fit", "logistic", "points.csv", "--target", "y", "--oracle", "sampling", "--jit", "--jit-always",
                   "--report-html", "page.html")
        self.open("page.html")
        for part in ("Weights", "Predictive check", "Recalling messages", "Trust in messages to variable 1"):
            self.assertIn(part, self.text())

    def test_rules(self):
        self.write("points.csv", points(2, 300))
        self.fovea("synth", "rule", "-q", "points.csv", "--target", "y", "-o", "rules.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertEqual(self.one("pre").text, (self.folder / "rules.txt").read_text().strip())
        self.assertIn("Rows that the rules get wrong", self.text())
        self.assertGreater(len(self.all(".list .row")), 0)

    def test_rules_that_are_right_everywhere(self):
        self.write("right.csv", "a,y\n" + "".join(f"{i},{int(i > 20)}\n" for i in range(40)))
        self.fovea("synth", "rule", "-q", "right.csv", "--target", "y", "-o", "rules.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("No row of the table is wrong", self.text())

    def test_hostile_names_are_texts(self):
        name = HOSTILE[0]
        quoted = '"' + name.replace('"', '""') + '"'
        self.write("draws.csv", f"draw,{quoted}\n" + "".join(f"{i},{i % 3}\n" for i in range(40)))
        self.fovea("diagnose", "draws.csv", "--report-html", "page.html")
        self.open("page.html")
        self.first_row(0)
        self.assert_inert()
        self.assertIn("onerror", self.one(".detail").text)
        rows = "".join(f"{quoted if i % 3 else 'plain'},{int(i % 3 > 0)}\n" for i in range(60))
        self.write("texts.csv", f"{quoted},y\n{rows}")
        self.fovea("synth", "rule", "-q", "texts.csv", "--target", "y", "-o", "rules.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("onerror", self.text())


if __name__ == "__main__":
    unittest.main()
