# SPDX-License-Identifier: Apache-2.0
"""Structured SVMs as a user trains and uses them."""
import json
import unittest

from program import USAGE, ProgramTest


class StructuredSvm(ProgramTest):
    @classmethod
    def prepare(cls):
        for part, (name, sentences) in enumerate((("train.txt", 100), ("test.txt", 60))):
            cls.write(name, cls.answer("generate", "tags", "--sentences", sentences, "--labels", 5, "--part", part))
        cls.answer("train", "--family", "svm", "train.txt", "-o", "a.model", "-q")

    def accuracy(self, model):
        tagged = self.answer("tag", model, "test.txt")
        return json.loads(self.answer("eval", "tags", "--json", stdin=tagged))["accuracy"]

    def test_is_about_as_good_as_a_crf(self):
        self.answer("train", "train.txt", "-o", "crf.model", "-q")
        crf = self.accuracy("crf.model")
        self.assertGreater(crf, .7)
        self.assertGreater(self.accuracy("a.model"), crf - .03)

    def test_reports_its_certificate(self):
        facts = json.loads(self.answer("train", "--family", "svm", "--l2", .3, "--gap-tolerance", .001, "--folds", 2,
                                       "--dev", "test.txt", "--json", "train.txt", "-o", "b.model"))
        self.assertEqual((facts["family"], facts["ended_by"]), ("svm", "converged"))
        self.assertLessEqual(facts["gap"], .001 * facts["objective"])
        self.assertEqual(len(facts["folds"]), 2)
        self.assertGreater(facts["dev"]["accuracy"], .7)
        looser = json.loads(self.answer("train", "--family", "svm", "--l2", .3, "--gap-tolerance", .1, "--json",
                                        "train.txt", "-o", "c.model"))
        self.assertLess(looser["iterations"], facts["iterations"])
        self.assertGreaterEqual(looser["objective"], facts["objective"] - facts["gap"])
        told = self.answer("train", "--family", "svm", "train.txt", "-o", "c.model").decode()
        self.assertIn("above the minimum", told)

    def test_is_a_model_like_any_other(self):
        self.assertIn("tagger: structured SVM, factor size 2", self.answer("inspect", "a.model").decode())
        self.assertEqual(json.loads(self.answer("inspect", "a.model", "--json"))["training"]["family"], "svm")
        self.answer("tune", "a.model", "train.txt", "-o", "a.policy", "-q")
        self.answer("tag", "a.model", "--policy", "a.policy", "test.txt")

    def test_depends_on_the_seed_alone(self):
        for name, words in (("one", ("--threads", 1)), ("three", ("--threads", 3)), ("other", ("--seed", 2))):
            self.answer("train", "--family", "svm", "--iterations", 12, *words, "train.txt", "-o", name, "-q")
        one, three, other = (self.answer("inspect", name, "--weights") for name in ("one", "three", "other"))
        self.assertEqual(one, three)
        self.assertNotEqual(one, other)

    def test_what_it_refuses(self):
        for words, part in ((("--factor-size", 3), "factor-size 3"), (("--gradient", "exact"), "takes no gradient"),
                            (("--optimizer", "lbfgs"), "takes no optimizer"), (("--l1", 1), "takes no l1"),
                            (("--tolerance", .1), "takes no tolerance"), (("--l2", 0), "l2 must be more than 0"),
                            (("--warm-start", "a.model"), "excludes --warm-start"),
                            (("--checkpoint", "y"), "keeps no state"), (("--resume", "y"), "keeps no state"),
                            (("--unknown-label", "?"), "a label for every item"),
                            (("--gap-tolerance", 2), "gap-tolerance")):
            with self.subTest(words):
                self.refused("train", "--family", "svm", *words, "train.txt", "-o", "x", code=USAGE, says=[part])
        self.refused("train", "--gap-tolerance", .1, "train.txt", "-o", "x", code=USAGE, says=["needs --family svm"])


if __name__ == "__main__":
    unittest.main()
