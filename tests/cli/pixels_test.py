# SPDX-License-Identifier: Apache-2.0
"""Handwritten letters: train, tune, tag and evaluate on a made-up hand, and what is refused."""
import json
import unittest

from program import USAGE, ProgramTest


class Pixels(ProgramTest):
    @classmethod
    def prepare(cls):
        for part, name, words in ((1, "first.tsv", 200), (2, "second.tsv", 150), (3, "tune.tsv", 120),
                                  (0, "test.tsv", 120)):
            cls.answer("generate", "letters", "--words", words, "--part", part, "--noise", 0.12, "-o", name)
        cls.train("a.model", "--factor-size", 3, "first.tsv", "second.tsv")

    @classmethod
    def train(cls, model, *words):
        cls.answer("train", "--features", "pixels", *words, "-o", model, "-q")

    def accuracy(self, *words):
        tagged = self.answer("tag", *words, "test.tsv")
        return json.loads(self.answer("eval", "tags", "--json", stdin=tagged))["accuracy"]

    def test_neighbours_help_to_read_a_letter(self):
        self.train("alone.model", "--factor-size", 1, "first.tsv", "second.tsv")
        alone, together = self.accuracy("alone.model"), self.accuracy("a.model")
        self.assertGreater(alone, 0.5)
        self.assertGreater(together, alone + 0.02)

    def test_a_policy_is_tuned_and_used(self):
        self.answer("tune", "a.model", "--features", "pixels", "tune.tsv", "-o", "a.policy", "-q")
        learned = self.accuracy("a.model", "--policy", "a.policy", "--method", "learned")
        self.assertGreater(learned, self.accuracy("a.model") - 0.2)  # .05 to .12 below, depending on the hand

    def test_output_is_word_position_letter_and_prediction(self):
        tagged = self.answer("tag", "a.model", "--features", "pixels", "test.tsv").decode().split("\n")
        letters = [line.split("\t") for line in (self.folder / "test.tsv").read_text().split("\n")]
        self.assertEqual(len(tagged), len(letters))
        for line, cells in zip(tagged, letters):
            if line:
                self.assertEqual(line.split("\t")[:3], [cells[3], cells[4], cells[1]])
                self.assertEqual(len(line.split("\t")), 4)
            else:
                self.assertEqual(cells, [""])

    def test_attributes_give_the_same_predictions(self):
        for name in ("first", "test"):
            self.answer("attributes", "--features", "pixels", f"{name}.tsv", "-o", f"{name}.attributes")
        self.train("pixels.model", "first.tsv")
        self.answer("train", "--format", "attributes", "first.attributes", "-o", "given.model", "-q")
        pixels = self.answer("tag", "pixels.model", "test.tsv").decode().split("\n")
        given = self.answer("tag", "given.model", "test.attributes").decode().split("\n")
        self.assertEqual([line.split("\t")[2:] for line in pixels],
                         [line.split("\t") if line else [] for line in given])

    def test_inspect_says_pixels(self):
        self.assertIn("16 x 8 pixels", self.answer("inspect", "a.model").decode())
        self.assertTrue(json.loads(self.answer("inspect", "a.model", "--json"))["pixels"])

    def test_a_model_goes_on_from_a_model_of_pixels(self):
        self.train("b.model", "--warm-start", "a.model", "second.tsv")
        self.assertGreater(self.accuracy("b.model"), 0.3)

    def test_features_that_do_not_fit_are_refused(self):
        self.answer("generate", "tags", "--sentences", 20, "-o", "text.txt")
        self.answer("train", "text.txt", "-o", "text.model", "-q")
        for words in (("tag", "text.model", "--features", "pixels", "test.tsv"),
                      ("tag", "a.model", "--features", "text", "test.tsv"),
                      ("tune", "a.model", "--features", "text", "tune.tsv", "-o", "new.policy"),
                      ("train", "--features", "pixels", "--format", "attributes", "test.tsv", "-o", "new.model"),
                      ("train", "--features", "pixels", "--warm-start", "text.model", "test.tsv", "-o", "new.model"),
                      ("attributes", "--features", "pixels", "--template", "none", "test.tsv")):
            with self.subTest(words):
                self.refused(*words, code=USAGE, says=("--features",))

    def test_bad_letters_are_refused(self):
        lines = (self.folder / "test.tsv").read_text().split("\n")

        def changed(line, cell, value):
            cells = lines[line].split("\t")
            cells[cell] = value
            return "\n".join(lines[:line] + ["\t".join(cells)] + lines[line + 1:])

        for content, says in ((changed(1, 40, "2"), ("bad.tsv:2", "column 41", "must be 0 or 1")),
                              (changed(0, 2, "77"), ("bad.tsv:2", "says that 77 follows")),
                              (changed(1, 4, "x"), ("bad.tsv:2", "position 'x'")),
                              (lines[0] + "\n", ("bad.tsv", "the word 1 ends")),
                              (lines[0] + "\t0\n", ("bad.tsv:1", "135 cells")),
                              ("\n", ("bad.tsv", "no item"))):
            with self.subTest(says):
                self.write("bad.tsv", content)
                self.refused("train", "--features", "pixels", "bad.tsv", "-o", "new.model", says=says)
                self.refused("tag", "a.model", "bad.tsv", says=says)


if __name__ == "__main__":
    unittest.main()
