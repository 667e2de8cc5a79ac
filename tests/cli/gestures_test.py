# SPDX-License-Identifier: Apache-2.0
"""Typing by swiping: generate, train both families, decode, and what is refused."""
import json
import unittest

from program import BAD_INPUT, USAGE, ProgramTest

WORDS = "the\t90\nthat\t40\nthen\t20\nwhat\t20\nhave\t18\ngood\t9\nbanana\t4\nkeyboard\t3\nwater\t5\n"
GOLDEN_SWIPE = "uid\tword\tkeys\txy\n7\tto\ttyuio\t450,54 550,54 650,54 750,54 850,54\n"


class Gestures(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.write("words.tsv", WORDS)
        cls.answer("generate", "gestures", "--words", "words.tsv", "--count", 120, "--uniform", "--seed", 3,
                   "-o", "swipes.tsv")
        for family in ("path", "alignment"):
            cls.answer("gestures", "train", "words.tsv", "swipes.tsv", "--family", family, "--chains", 4, "--passes", 2,
                       "--list", 5, "-o", f"{family}.model", "-q")

    def swipes(self):
        return [line.split("\t") for line in (self.folder / "swipes.tsv").read_text().splitlines()]

    def test_gestures_are_a_function_of_the_seed(self):
        again = self.answer("generate", "gestures", "--words", "words.tsv", "--count", 120, "--uniform", "--seed", 3)
        self.assertEqual(again.decode(), (self.folder / "swipes.tsv").read_text())
        self.assertEqual(self.swipes()[0], ["uid", "word", "keys", "xy"])

    def test_both_families_read_most_words(self):
        meant = {cells[0]: cells[1] for cells in self.swipes()[1:]}
        for family in ("path", "alignment"):
            rows = [line.split("\t") for line in
                    self.answer("gestures", "decode", f"{family}.model", "swipes.tsv", "--n-best", 3, "--budget",
                                "60 transitions/item").decode().splitlines()]
            self.assertEqual(rows[0], ["uid", "rank", "word", "score"])
            right = sum(meant[uid] == word for uid, rank, word, _ in rows[1:] if rank == "1")
            self.assertGreater(right, 80, family)
            for before, row in zip(rows[1:], rows[2:]):
                if row[1] != "1":
                    self.assertLessEqual(float(row[3]), float(before[3]))

    def test_json_and_report(self):
        run = self.run_program("gestures", "decode", "path.model", "swipes.tsv", "--json", "--report")
        lines = [json.loads(line) for line in run.stdout.decode().splitlines()]
        self.assertEqual(len(lines), 120)
        self.assertEqual(set(lines[0]), {"uid", "words"})
        self.assertEqual(set(lines[0]["words"][0]), {"word", "score"})
        report = json.loads(run.stderr.decode().removeprefix("fovea: "))
        self.assertEqual(report["not_in_dictionary"], 0)
        self.assertGreater(report["first_is_right"], 0.7)

    def test_the_same_training_makes_the_same_model(self):
        models = [self.folder / name for name in ("first.fovea", "second.fovea")]
        for model in models:
            self.answer("gestures", "train", "words.tsv", "swipes.tsv", "-o", model, "-q")
        self.assertEqual(models[0].read_bytes(), models[1].read_bytes())
        self.assertIn(b"gestures", self.answer("inspect", models[0]))

    def test_the_training_curve_is_told(self):
        report = json.loads(self.answer("gestures", "train", "words.tsv", "--generate", 60, "--chains", 8,
                                        "--passes", 2, "--json", "-o", "new.model"))
        self.assertEqual(report["family"], "alignment")
        curve = [record for record in report["curve"] if record["of"] == "both"]
        self.assertGreater(curve[1]["log_likelihood"], curve[0]["log_likelihood"])
        self.assertGreater(curve[0]["standard_error"], 0)

    def test_golden(self):
        """Scores of untrained models follow from their definitions: one word, one alignment."""
        self.write("one.tsv", "to\t1\n")
        self.write("golden.tsv", GOLDEN_SWIPE)
        self.answer("gestures", "train", "one.tsv", "golden.tsv", "--path-passes", 0, "--network-passes", 0, "-o",
                    "one.model", "-q")
        self.assertEqual(self.answer("gestures", "decode", "one.model", "golden.tsv").decode(),
                         "uid\trank\tword\tscore\n7\t1\tto\t0.0000\n")  # the only word takes all the probability

    def test_bad_options(self):
        for epsilon in ("0", "-1", "1.5", "nan"):
            self.refused("gestures", "train", "words.tsv", "swipes.tsv", f"--epsilon={epsilon}", "-o", "new.model",
                         code=USAGE, says=("--epsilon",))
        for budget in ("3 sweeps/item", "0 transitions", "many"):
            self.refused("gestures", "decode", "path.model", "swipes.tsv", "--budget", budget, code=USAGE,
                         says=("--budget",))
        self.refused("gestures", "train", "words.tsv", "-o", "new.model", code=USAGE, says=("SWIPES", "--generate"))
        self.refused("gestures", "train", "words.tsv", "swipes.tsv", code=USAGE, says=("--output",))
        self.refused("generate", "gestures", code=USAGE, says=("--words",))

    def test_bad_input(self):
        for name, content, says in (
                ("words", "", ("bad.tsv", "dictionary is empty")),
                ("words", "the\t1\n77\t2\n", ("bad.tsv:2", "a .. z")),
                ("words", "the\n", ("bad.tsv:1", "no count")),
                ("swipes", "uid\tword\tkeys\n1\tthe\tt5e\n", ("bad.tsv:2", "'t5e'", "a .. z")),
                ("swipes", "uid\tword\tkeys\n1\tthe\n", ("bad.tsv:2",)),
                ("swipes", "uid\tword\tkeys\txy\n1\tthe\tthe\t5;6\n", ("bad.tsv:2", "not a list of points")),
                ("swipes", "uid\tkeys\n1\tthe\n", ("no column 'word'",)),
                ("swipes", "uid\tword\tkeys\n1\tzebra\tq\n", ("nothing to learn",))):
            with self.subTest(says):
                self.write("bad.tsv", content)
                files = ("bad.tsv", "swipes.tsv") if name == "words" else ("words.tsv", "bad.tsv")
                self.refused("gestures", "train", *files, "-o", "new.model", code=BAD_INPUT, says=says)
        self.write("keys.tsv", "uid\tkeys\n1\tthe\n")
        self.refused("gestures", "decode", "path.model", "keys.tsv", says=("keys.tsv:2", "no points"))
        self.refused("gestures", "decode", "words.tsv", "swipes.tsv", says=("words.tsv",))


    def test_words_and_gestures_without_end_are_refused(self):
        self.write("long.tsv", "hello\t3\n" + "a" * 3000 + "\t5\n")
        self.refused("gestures", "train", "long.tsv", "--generate", 5, "-o", "x.model",
                     says=["long.tsv:2", "a word of 3000 letters; at most 100"])
        self.write("short.tsv", "hello\t3\n")
        self.write("endless.tsv", "uid\tword\tkeys\nu\thello\t" + "hgfre" * 1000 + "\n")
        self.refused("gestures", "train", "short.tsv", "endless.tsv", "-o", "x.model",
                     says=["endless.tsv:2", "a gesture over 5000 keys; at most 1000"])


if __name__ == "__main__":
    unittest.main()
