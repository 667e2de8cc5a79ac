# SPDX-License-Identifier: Apache-2.0
"""Gaussian process taggers as a user trains and uses them."""
import json
import math
import time
import unittest

from program import BAD_INPUT, USAGE, ProgramTest


class GaussianProcesses(ProgramTest):
    @classmethod
    def prepare(cls):
        for part, (name, sentences) in enumerate((("train.txt", 60), ("test.txt", 40))):
            cls.write(name, cls.answer("generate", "tags", "--sentences", sentences, "--labels", 4, "--part", part))
        cls.answer("train", "--family", "gp", "--inducing-points", 100, "train.txt", "-o", "a.gp", "-q")

    def accuracy(self, model, *words):
        tagged = self.answer("tag", model, *words, "test.txt")
        return json.loads(self.answer("eval", "tags", "--json", stdin=tagged))["accuracy"]

    def test_is_about_as_good_as_a_crf(self):
        self.answer("train", "train.txt", "-o", "crf.model", "-q")
        self.answer("train", "--family", "gp", "--likelihood", "pseudo", "train.txt", "-o", "pseudo.gp", "-q")
        crf = self.accuracy("crf.model")
        self.assertGreater(self.accuracy("a.gp"), crf - .03)
        self.assertGreater(self.accuracy("pseudo.gp"), crf - .05)

    def test_says_how_sure_it_is(self):
        lines = [line.split() for line in self.answer("tag", "a.gp", "--all-marginals", "test.txt").decode().split("\n")]
        for cells in filter(None, lines):
            label, shares, rest = cells[2], cells[3:7], dict(cell.split(":") for cell in cells[7:])
            p = {name: float(value) for name, value in (cell.rsplit(":", 1) for cell in shares)}
            self.assertAlmostEqual(sum(p.values()), 1, delta=1e-5)
            self.assertEqual(p[label], max(p.values()))
            entropy = -sum(x * math.log(x) for x in p.values() if x > 0)
            self.assertAlmostEqual(float(rest["entropy"]), entropy, delta=1e-3)
            self.assertGreater(float(rest["variance"]), 0)
            float(rest["mean"])
        brief = [line.split() for line in self.answer("tag", "a.gp", "--marginals", "test.txt").decode().split("\n")]
        self.assertEqual([len(cells) for cells in brief if cells], [7] * sum(map(bool, lines)))

    def test_answers_do_not_depend_on_threads(self):
        for threads in (1, 3):
            self.answer("train", "--family", "gp", "--inducing-points", 40, "--threads", threads, "train.txt", "-o",
                        f"{threads}.gp", "-q")
        one, three = (self.answer("tag", f"{n}.gp", "--threads", n, "--marginals", "test.txt") for n in (1, 3))
        self.assertEqual(one, three)

    def test_reports(self):
        facts = json.loads(self.answer("train", "--family", "gp", "--kernel", "linear(2) + constant", "--folds", 2,
                                       "--dev", "test.txt", "--json", "train.txt", "-o", "b.gp"))
        fit = facts["fit"]
        self.assertAlmostEqual(fit["bound"], fit["expected_log_likelihood"] - fit["unary_divergence"] -
                               fit["pairwise_divergence"], delta=1e-6)
        self.assertEqual(len(facts["folds"]), 2)
        self.assertGreater(facts["dev"]["accuracy"], .5)
        shown = json.loads(self.answer("inspect", "b.gp", "--json"))
        self.assertEqual(shown["processes"][0]["kernel"], "linear(2) + constant(1)")
        self.assertEqual(shown["processes"][0]["means"], "inducing-points")
        self.answer("train", "--family", "gp", "--means", "attributes", "--inducing-points", 20, "train.txt", "-o", "w.gp",
                    "-q")
        self.assertEqual(json.loads(self.answer("inspect", "w.gp", "--json"))["processes"][0]["means"], "attributes")
        self.assertGreater(self.accuracy("w.gp"), self.accuracy("a.gp") - .05)
        self.assertIn("structured Gaussian process", self.answer("inspect", "b.gp").decode())
        report = self.run_program("tag", "b.gp", "--report", "--json", "test.txt").stderr
        self.assertEqual(json.loads(report.removeprefix(b"fovea: "))["sequences"], 40)

    def test_other_inference(self):
        for inference, words in (("score-function", ("--gp-draws", 60, "--gp-steps", 1)),
                                 ("score-function", ("--gp-draws", 60, "--gp-steps", 1, "--components", 2, "--diagonal")),
                                 ("saga", ("--gp-draws", 10, "--gp-steps", 1)),
                                 ("slice-sampling", ("--gp-steps", 400))):
            with self.subTest(inference, words=words):
                facts = json.loads(self.answer("train", "--family", "gp", "--inference", inference, *words,
                                               "--inducing-points", 20, "--json", "train.txt", "-o", "i.gp"))
                self.assertEqual(facts["fit"]["inference"], inference)
                self.assertEqual(facts["fit"]["steps"], words[words.index("--gp-steps") + 1])
                self.assertIsNone(facts["fit"]["left_out_error"])
                self.assertGreater(self.accuracy("i.gp", "--marginals"), .4)  # of four labels
                tagged = self.answer("tag", "i.gp", "--all-marginals", "test.txt").decode()
                for cells in filter(None, map(str.split, tagged.split("\n"))):
                    self.assertAlmostEqual(sum(float(cell.rsplit(":", 1)[1]) for cell in cells[3:7]), 1, delta=1e-5)
                shown = json.loads(self.answer("inspect", "i.gp", "--json"))
                self.assertEqual(shown["processes"][0]["inducing_points"], 20)
                self.assertIn(inference, self.answer("inspect", "i.gp").decode())

    def test_trace(self):
        for inference, words in (("natural-gradient", ()), ("score-function", ("--gp-draws", 40, "--gp-steps", 1)),
                                 ("saga", ("--gp-draws", 10, "--gp-steps", 1)), ("slice-sampling", ("--gp-steps", 300))):
            for dev in ((), ("--dev", "test.txt")):
                with self.subTest(inference, dev=dev):
                    self.answer("train", "--family", "gp", "--inference", inference, *words, *dev, "--inducing-points",
                                20, "--trace", "t.jsonl", "train.txt", "-o", "t.gp", "-q")
                    lines = [json.loads(line) for line in (self.folder / "t.jsonl").read_text().splitlines()]
                    self.assertTrue(lines)
                    names = ["iteration", "seconds", "bound"] + (["dev_error", "dev_log_density"] if dev else [])
                    for line in lines:
                        self.assertEqual(list(line), names)
                        self.assertTrue(all(math.isfinite(value) for value in line.values()), line)
                    for before, after in zip(lines, lines[1:]):
                        self.assertGreaterEqual(after["seconds"], 1.2 * before["seconds"])
                        self.assertGreaterEqual(after["iteration"], before["iteration"])
                    if dev:
                        self.assertTrue(0 <= lines[-1]["dev_error"] < .6, lines[-1])
                        self.assertLess(lines[-1]["dev_log_density"], 0)

    def test_time_limit(self):
        for inference in ("natural-gradient", "score-function", "saga", "slice-sampling"):
            with self.subTest(inference):
                start = time.monotonic()
                facts = json.loads(self.answer("train", "--family", "gp", "--inference", inference, "--gp-draws", 200,
                                               "--gp-steps", 100000, "--gp-tolerance", 0, "--inducing-points", 20,
                                               "--time-limit", "700ms", "--json", "train.txt", "-o", "l.gp"))
                self.assertLess(time.monotonic() - start, 60)  # not a hundred thousand steps
                self.assertFalse(facts["fit"]["converged"] and inference != "natural-gradient")
                self.assertGreater(self.accuracy("l.gp"), .25)
        self.answer("train", "--family", "gp", "--time-limit", "1ms", "train.txt", "-o", "none.gp", "-q")  # the prior
        self.answer("tag", "none.gp", "test.txt")

    def test_a_stopped_fit_says_that_it_is_not_calibrated(self):
        words = ("train", "--family", "gp", "--time-limit", "1ms", "train.txt", "-o", "stopped.gp")
        for means in ("attributes", "inducing-points"):
            with self.subTest(means):
                self.assertIn(b"not calibrated", self.answer(*words, "--means", means))
                self.assertIn(b"temperature of marginals: 1 (not calibrated", self.answer("inspect", "stopped.gp"))
                facts = json.loads(self.answer("inspect", "stopped.gp", "--json"))
                self.assertEqual((facts["processes"][0]["temperature"], facts["calibrated"]), (1, False))
        self.assertTrue(json.loads(self.answer("inspect", "a.gp", "--json"))["calibrated"])

    def test_checkpoint_and_resume(self):
        words = ("train", "--family", "gp", "--inference", "score-function", "--gp-draws", 200, "--gp-steps", 1,
                 "--inducing-points", 20, "train.txt", "-q")
        self.answer(*words, "--checkpoint", "part.gp", "-o", "whole.gp")
        self.assertEqual(json.loads(self.answer("inspect", "part.gp", "--json"))["processes"][0]["inducing_points"], 20)
        self.answer(*words, "--resume", "part.gp", "-o", "more.gp")  # a tagger like any other, and a start for more
        self.assertGreater(self.accuracy("more.gp"), .25)
        facts = json.loads(self.answer(*words, "--resume", "whole.gp", "-o", "more.gp", "--json"))
        first = json.loads(self.answer(*words, "-o", "whole.gp", "--json"))["fit"]["bound"]
        self.assertGreater(facts["fit"]["bound"], first - .02 * abs(first))
        self.answer("train", "--family", "gp", "--means", "inducing-points", "--inducing-points", 20, "train.txt", "-o",
                    "n.gp", "-q")
        self.answer(*words, "--resume", "n.gp", "-o", "more.gp")  # from natural gradients
        self.refused("train", "--family", "gp", "--resume", "n.gp", "train.txt", "-o", "x", code=USAGE,
                     says=["natural-gradient cannot go on"])
        self.refused(*words, "--likelihood", "pseudo", "--resume", "n.gp", "-o", "x", code=USAGE,
                     says=["--likelihood chain"])
        self.refused("train", "--family", "gp", "--inference", "saga", "--resume", "n.gp", "test.txt", "-o", "x",
                     says=["n.gp", "other labels or attributes"])
        self.answer("train", "--family", "gp", "--means", "attributes", "--inducing-points", 20, "train.txt", "-o", "w.gp",
                    "-q")
        self.answer(*words, "--resume", "w.gp", "-o", "more.gp")  # from the means by inducing points
        self.refused("train", "--family", "gp", "--means", "attributes", "--kernel", "rbf(1, 2)", "train.txt", "-o", "x",
                     code=USAGE, says=["must be linear(variance)"])

    def test_chooses_by_the_bound(self):
        facts = json.loads(self.answer("train", "--family", "gp", "--kernel", "linear(1)", "--kernel", "rbf(1, 3)",
                                       "--choose", "bound", "--inducing-points", 20, "--json", "train.txt", "-o", "k.gp"))
        fits = {tried["kernel"]: tried["fit"]["bound"] for tried in facts["tried"]}
        self.assertEqual(set(fits), {"linear(1)", "rbf(1, 3)"})
        self.assertEqual(facts["fit"]["bound"], max(fits.values()))

    def test_averages_kernels(self):
        words = ("train", "--family", "gp", "--kernel", "linear(0.01)", "--kernel", "linear(1)", "--kernel", "rbf(1, 3)",
                 "--inducing-points", 20, "train.txt", "-o", "k.gp")
        facts = json.loads(self.answer(*words, "--json"))
        weights = {tried["kernel"]: tried["weight"] for tried in facts["tried"]}
        self.assertAlmostEqual(sum(weights.values()), 1)
        shown = json.loads(self.answer("inspect", "k.gp", "--json"))["processes"]
        self.assertEqual({p["kernel"]: p["weight"] for p in shown}, {k: w for k, w in weights.items() if w > 0})
        self.assertIn(b"average of ", self.answer(*words))
        self.accuracy("k.gp")
        one = json.loads(self.answer(*words, "--choose", "error", "--json"))
        self.assertEqual(len(json.loads(self.answer("inspect", "k.gp", "--json"))["processes"]), 1)
        self.assertEqual(one["fit"]["left_out_error"], min(t["fit"]["left_out_error"] for t in one["tried"]))
        self.answer(*words)
        if len(shown) > 1:
            self.refused("train", "--family", "gp", "--inference", "saga", "--resume", "k.gp", "train.txt", "-o", "x",
                         says=["k.gp", "averages kernels"])

    def test_learns_the_kernel(self):
        words = ("train", "--family", "gp", "--kernel", "linear(0.01)", "--inducing-points", 20, "train.txt", "-o", "k.gp")
        fixed, learned = (json.loads(self.answer(*words, "--json", *more))["fit"] for more in ((), ("--learn-kernel",)))
        self.assertEqual(fixed["kernel"], "linear(0.01)")
        self.assertGreater(learned["bound"], fixed["bound"] + 10)
        shown = json.loads(self.answer("inspect", "k.gp", "--json"))["processes"][0]
        self.assertEqual(shown["kernel"], learned["kernel"])
        self.assertIn(learned["kernel"], self.answer(*words, "--learn-kernel").decode())
        self.answer(*words, "--learn-kernel", "--kernel", "rbf(1, 3)", "--time-limit", "1s", "-q")
        self.accuracy("k.gp")  # it can be used, however little time there was
        self.refused(*words, "--learn-kernel", "--inference", "saga", code=USAGE, says=["learn_kernel"])

    def test_attributes(self):
        self.write("train.attributes", "A\tx\ty:2\nB\tz\n\n" * 8)
        self.answer("train", "--family", "gp", "--format", "attributes", "train.attributes", "-o", "c.gp", "-q")
        self.assertEqual(self.answer("tag", "c.gp", stdin=b"A\tx\nB\tz\tunseen\n\n"), b"A\tA\nB\tB\n\n")

    def test_what_it_refuses(self):
        for words, part in ((("train", "--family", "gp", "--kernel", "rfb", "train.txt", "-o", "x"), "from character 1"),
                            (("train", "--family", "gp", "--warm-start", "a.gp", "train.txt", "-o", "x"), "a gp tagger file"),
                            (("train", "--family", "gp", "--kernel", "linear", "--kernel", "cosine", "--inference", "saga",
                              "train.txt", "-o", "x"), "several kernels are compared by sequences left out"),
                            (("train", "--family", "gp", "--time-limit", "soon", "train.txt", "-o", "x"), "soon"),
                            (("train", "--family", "gp", "--time-limit", "1s/item", "train.txt", "-o", "x"), "/item"),
                            (("train", "--family", "gp", "--inference", "guess", "train.txt", "-o", "x"), "saga"),
                            (("train", "--family", "gp", "--components", 0, "train.txt", "-o", "x"), "components"),
                            (("train", "--family", "gp", "--gp-draws", -1, "train.txt", "-o", "x"), "gp-draws"),
                            (("tag", "a.gp", "--method", "gibbs", "test.txt"), "takes none of"),
                            (("inspect", "a.gp", "--weights"), "has none")):
            with self.subTest(words):
                self.refused(*words, code=BAD_INPUT if "warm" in str(words) else USAGE, says=[part])
        self.write("hole.txt", "a A\nb ?\n")
        self.refused("train", "--family", "gp", "--unknown-label", "?", "hole.txt", "-o", "x", says=["not known"])
        self.refused("tag", "a.gp", stdin=b"", says=["no item"])
        self.refused("tune", "a.gp", "test.txt", "-o", "x", code=USAGE, says=["takes no policy"])

    def test_damaged_models(self):
        model = (self.folder / "a.gp").read_bytes()
        self.write("short.gp", model[:len(model) // 2])
        self.refused("tag", "short.gp", "test.txt", says=["short.gp"])
        for at in range(100, len(model), len(model) // 25):
            with self.subTest(at):
                self.write("bad.gp", model[:at] + bytes([model[at] ^ 255]) + model[at + 1:])
                run = self.run_program("tag", "bad.gp", "test.txt")
                self.assertIn(run.returncode, (0, BAD_INPUT), run.stderr)


if __name__ == "__main__":
    unittest.main()
