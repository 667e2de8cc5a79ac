# SPDX-License-Identifier: Apache-2.0
"""Solve discrete models as a user does: every task, limits, evidence, traces, and what goes wrong."""
import itertools
import json
import math
import random
import signal
import subprocess
import time
import unittest

from program import BAD_INPUT, INFEASIBLE, INTERRUPTED, LIMIT, PROGRAM, USAGE, ProgramTest


class Model:
    """A pairwise model on a grid with random tables, its UAI text and its answers by enumeration."""

    def __init__(self, rows, columns, labels=2, seed=1, zeros=0.0):
        draw = random.Random(seed)
        self.cards = [labels] * (rows * columns)
        scopes = [(v,) for v in range(rows * columns)]
        scopes += [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
        scopes += [(r * columns + c, r * columns + c + columns) for r in range(rows - 1) for c in range(columns)]
        self.factors = [(scope, [0 if len(scope) > 1 and draw.random() < zeros else math.exp(draw.gauss(0, 1))
                                 for _ in range(labels ** len(scope))]) for scope in scopes]

    def text(self):
        lines = ["MARKOV", str(len(self.cards)), " ".join(map(str, self.cards)), str(len(self.factors))]
        lines += [" ".join(map(str, (len(scope), *scope))) for scope, _ in self.factors]
        lines += [f"\n{len(table)}\n" + " ".join(map(repr, table)) for _, table in self.factors]
        return "\n".join(lines) + "\n"

    def weight(self, values):
        product = 1.0
        for scope, table in self.factors:
            index = 0
            for v in scope:
                index = index * self.cards[v] + values[v]
            product *= table[index]
        return product

    def assignments(self):
        return itertools.product(*(range(card) for card in self.cards))


def picture(rows, columns, labels=3, seed=1):
    """A Potts grid with random unary factors, one table for all edges."""
    draw = random.Random(seed)
    count = rows * columns
    edges = [(v, v + 1) for v in range(count) if (v + 1) % columns] + [(v, v + columns) for v in range(count - columns)]
    table = [math.e if a == b else 1 for a in range(labels) for b in range(labels)]
    lines = ["MARKOV", str(count), " ".join([str(labels)] * count), str(count + len(edges))]
    lines += [f"1 {v}" for v in range(count)] + [f"2 {a} {b}" for a, b in edges]
    lines += [f"{labels} " + " ".join(repr(math.exp(draw.gauss(0, 0.5))) for _ in range(labels)) for _ in range(count)]
    lines += [f"{labels * labels} " + " ".join(map(repr, table)) for _ in edges]
    return "\n".join(lines) + "\n"


class Solving(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.small = Model(3, 3, labels=2, seed=7)
        cls.write("small.uai", cls.small.text().encode())
        cls.write("large.uai", Model(30, 30, labels=3, seed=3).text().encode())

    def solve(self, *words):
        return json.loads(self.answer("solve", "--json", *words))

    def test_the_likeliest_assignment_is_that_of_enumeration(self):
        best = max(self.small.assignments(), key=self.small.weight)
        got = self.solve("small.uai")
        self.assertEqual(got["values"], list(best))
        self.assertTrue(got["optimal"])
        self.assertAlmostEqual(got["score"], math.log(self.small.weight(best)), places=9)
        self.assertAlmostEqual(got["gap"], 0, places=9)

    def test_the_partition_function_and_marginals_are_those_of_enumeration(self):
        z = math.fsum(map(self.small.weight, self.small.assignments()))
        self.assertAlmostEqual(self.solve("small.uai", "--task", "PR")["log10_partition"], math.log10(z), places=9)
        marginals = self.solve("small.uai", "--task", "MAR")["marginals"]
        for v in range(9):
            one = math.fsum(self.small.weight(a) for a in self.small.assignments() if a[v] == 1) / z
            self.assertAlmostEqual(marginals[v][1], one, places=9)

    def test_marginal_map_sums_the_other_variables_out(self):
        self.write("query.txt", b"2 0 4\n")
        sums = {}
        for a in self.small.assignments():
            sums[a[0], a[4]] = sums.get((a[0], a[4]), 0) + self.small.weight(a)
        best = max(sums, key=sums.get)
        got = self.solve("small.uai", "--task", "MMAP", "--query", "query.txt")
        self.assertEqual((got["values"][0], got["values"][4]), best)
        self.assertAlmostEqual(got["score"], math.log(sums[best]), places=9)

    def test_evidence_is_kept_whether_from_a_file_or_from_the_command_line(self):
        self.write("small.evid", b"2 3 1 5 0\n")
        best = max((a for a in self.small.assignments() if a[3] == 1 and a[5] == 0), key=self.small.weight)
        for evidence in ("small.evid", "3=1,5=0"):
            with self.subTest(evidence):
                self.assertEqual(self.solve("small.uai", "--evidence", evidence)["values"], list(best))

    def test_a_budget_gives_the_same_answer_at_any_number_of_threads(self):
        words = ("large.uai", "--budget", "60 sweeps", "--method", "search", "--seed", "5")
        one, four = (self.solve(*words, "--threads", n) for n in (1, 4))
        self.assertEqual(one["values"], four["values"])
        self.assertEqual(one["work"], four["work"])

    def test_a_sampled_partition_function_comes_with_its_error(self):
        words = ("large.uai", "--task", "PR", "--method", "sampling", "--budget", "2000 sweeps", "--seed", "5")
        one, two = (self.solve(*words, "--threads", n) for n in (1, 2))
        self.assertEqual(one["log10_partition"], two["log10_partition"])
        self.assertGreater(one["log10_partition_error"], 0)
        self.assertLessEqual(self.solve(*words, "--target-error", ".9")["work"]["transitions"],
                             one["work"]["transitions"])

    def test_a_time_limit_is_kept_and_the_answer_has_a_bound(self):
        begin = time.monotonic()
        got = self.solve("large.uai", "--time-limit", "1s")
        self.assertLess(time.monotonic() - begin, 10, "far beyond the limit, even on a busy machine")
        self.assertEqual(len(got["values"]), 900)
        self.assertGreaterEqual(got["bound"], got["score"])

    def test_the_trace_rises_to_the_answer(self):
        got = self.solve("large.uai", "--budget", "100 sweeps", "--trace", "run.jsonl")
        steps = [json.loads(line) for line in (self.folder / "run.jsonl").read_text().splitlines()]
        scores = [step["score"] for step in steps if step["score"] is not None]
        self.assertEqual(scores, sorted(scores))
        self.assertAlmostEqual(scores[-1], got["score"], places=6)

    def test_a_start_is_never_made_worse(self):
        got = self.solve("large.uai", "--budget", "100 sweeps", "--method", "search")
        self.answer("solve", "large.uai", "--budget", "100 sweeps", "--method", "search", "-o", "first.txt", "-q")
        again = self.solve("large.uai", "--budget", "2 sweeps", "--method", "search", "--start", "first.txt", "--seed", "9")
        self.assertGreaterEqual(again["score"], got["score"] - 1e-9)

    def test_diverse_answers_are_good_and_differ(self):
        got = self.solve("small.uai", "--diverse", "4", "--distance", "3", "--time-limit", "5s")
        answers = [answer["values"] for answer in got["diverse"]]
        self.assertEqual(len(answers), 4)
        for a, b in itertools.combinations(answers, 2):
            self.assertGreaterEqual(sum(x != y for x, y in zip(a, b)), 3)

    def test_an_impossible_model_is_infeasible(self):
        self.write("impossible.uai", b"MARKOV\n2\n2 2\n2\n2 0 1\n2 0 1\n4\n0 1 1 0\n4\n1 0 0 1\n")
        for task in ("MAP", "MAR"):
            with self.subTest(task):
                self.refused("solve", "impossible.uai", "--task", task, code=INFEASIBLE)
        self.assertIsNone(self.solve("impossible.uai", "--task", "PR")["log10_partition"])

    def test_exact_is_exact_or_no_answer(self):
        self.assertTrue(self.solve("small.uai", "--method", "exact")["optimal"])
        self.write("dense.uai", Model(40, 40, labels=4, seed=2).text().encode())
        self.refused("solve", "dense.uai", "--method", "exact", "--task", "PR", "--memory-limit", "1MB",
                     "--time-limit", "300ms", code=LIMIT)

    def test_options_that_do_not_fit_are_usage_errors(self):
        self.refused("solve", "small.uai", "--task", "MMAP", code=USAGE)
        self.refused("solve", "small.uai", "--task", "PR", "--diverse", "2", code=USAGE)
        self.refused("solve", "small.uai", "--memory-limit", "4", code=USAGE)
        self.refused("solve", "small.uai", "--evidence", "99=1", code=USAGE)
        self.refused("solve", "missing.uai", code=BAD_INPUT)

    def test_an_interrupt_keeps_the_best_so_far(self):
        process = subprocess.Popen([PROGRAM, "solve", "large.uai", "--method", "search", "--time-limit", "60s", "--json"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual(len(json.loads(out)["values"]), 900)

    def test_draws_are_the_model_s_and_can_be_diagnosed(self):
        self.answer("sample", "small.uai", "--chains", "3", "--draws", "400", "-o", "draws.csv", "-q")
        header, *rows = (self.folder / "draws.csv").read_text().splitlines()
        self.assertEqual(header, "chain,draw," + ",".join(map(str, range(9))))
        self.assertEqual(len(rows), 1200)
        marginals = self.solve("small.uai", "--task", "MAR")["marginals"]
        for row in json.loads(self.answer("diagnose", "draws.csv", "--json"))["variables"]:
            self.assertAlmostEqual(row["mean"], marginals[int(row["variable"])][1], delta=6 * row["standard_error"])
            self.assertLess(row["r_hat"], 1.1)

    def test_tempered_draws_come_with_the_trades_accepted(self):
        words = ("sample", "small.uai", "--draws", "200", "--temperatures", "4", "--hottest", "5", "--json")
        got = json.loads(self.answer(*words, "-o", "draws.csv", "-q"))
        self.assertEqual((got["draws"], len(got["temperatures"]), len(got["trades_accepted"])), (200, 4, 3))
        marginals = self.solve("small.uai", "--task", "MAR")["marginals"]
        for row in json.loads(self.answer("diagnose", "draws.csv", "--json"))["variables"]:
            self.assertAlmostEqual(row["mean"], marginals[int(row["variable"])][1], delta=6 * row["standard_error"])
        self.refused(*words, code=USAGE, says=["-o"])

    def test_draws_by_proposals_come_with_the_factors_that_were_looked_at(self):
        words = ("sample", "small.uai", "--draws", "400", "--exactness")
        got = json.loads(self.answer(*words, "fraction:0.5", "--json", "-o", "draws.csv", "-q"))["proposals"]
        self.assertEqual(got["exactness"], "fraction:0.5")
        self.assertEqual(sum(got[f"decided_by_{how}"] for how in ("all_factors", "bounds", "draws")), got["proposals"])
        self.assertLessEqual(got["factors_looked_at"], got["factors"])
        self.assertLessEqual(got["accepted"], got["proposals"])
        text = self.run_program(*words, "exact", "-o", "draws.csv").stderr.decode()
        self.assertIn("factors looked at", text)
        marginals = self.solve("small.uai", "--task", "MAR")["marginals"]
        for row in json.loads(self.answer("diagnose", "draws.csv", "--json"))["variables"]:
            self.assertAlmostEqual(row["mean"], marginals[int(row["variable"])][1], delta=6 * row["standard_error"])
        self.refused(*words, "about", code=USAGE, says=["'about'", "fraction:SHARE"])
        self.refused(*words, "exact", "--temperatures", "2", code=USAGE, says=["--temperatures", "--exactness"])

    def test_draws_do_not_depend_on_threads(self):
        one, four = (self.answer("sample", "small.uai", "--draws", "20", "--threads", n) for n in (1, 4))
        self.assertEqual(one, four)
        self.refused("diagnose", stdin=b"chain,draw,x\n1,1,none\n", says=["<stdin>:2", "is not a number"])

    def test_a_policy_for_grids_is_learned_used_and_drawn(self):
        for seed in (1, 2):
            self.write(f"picture{seed}.uai", picture(40, 40, seed=seed).encode())
        self.answer("tune", "picture1.uai", "-o", "grid.policy", "--generations", 1, "--candidates", 8, "--seeds", 1, "-q")
        self.assertIn("picture1.uai", self.answer("inspect", "grid.policy").decode())
        got = self.solve("picture2.uai", "--policy", "grid.policy", "--image", "out.png", "--heatmap", "where.png",
                         "--method", "search", "--budget", "100 sweeps")
        self.assertEqual(len(got["values"]), 1600)
        for name in ("out.png", "where.png"):
            self.assertEqual((self.folder / name).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.write("clique.uai", b"MARKOV\n3\n2 2 2\n1\n3 0 1 2\n8 1 2 3 4 5 6 7 8\n")
        self.refused("solve", "clique.uai", "--image", "out.png", code=USAGE, says=["need a model of a grid"])
        self.refused("tune", "clique.uai", "--learn", "strips", "-o", "x.policy", says=["clique.uai", "not a grid"])

    def test_a_policy_for_searchers_is_learned_and_used(self):
        for seed in (1, 2):
            self.write(f"wide{seed}.uai", Model(40, 40, labels=3, seed=seed).text().encode())
        self.answer("tune", "wide1.uai", "--learn", "searchers", "--seconds-per-model", ".5", "-o", "search.policy", "-q")
        policy = json.loads(self.answer("inspect", "search.policy", "--json"))
        self.assertEqual(policy["sources"], ["wide1.uai"])
        self.assertIn("annealing", policy["shares"])
        words = ("wide2.uai", "--budget", "200 sweeps", "--policy")
        learned, same = (self.solve(*words, name) for name in ("search.policy", "universal"))
        self.assertEqual(learned["values"], self.solve(*words, "search.policy", "--threads", 1)["values"])
        for answer in (learned, same):
            self.assertIn("annealing", [searcher["name"] for searcher in answer["searchers"]])
        self.refused("tune", "small.uai", "--learn", "searchers", "-o", "x.policy", code=USAGE,
                     says=["small.uai", "without a search"])
        self.assertFalse((self.folder / "x.policy").exists())

    def test_a_report_says_what_was_given_and_used(self):
        result = self.run_program("solve", "small.uai", "--report")
        for word in ("Given", "Used", "simplifying", "optimal"):
            self.assertIn(word, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
