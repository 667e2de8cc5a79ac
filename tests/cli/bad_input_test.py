# SPDX-License-Identifier: Apache-2.0
"""Bad input ends with exit code 3 and a message with file and line; nothing is lost and nothing crashes."""
import json
import os
import random
import unittest

from program import BAD_INPUT, USAGE, ProgramTest

GOOD = "the D\ncat N\nsits V\n\na D\ndog N\n\n"


class BadInput(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.write("good.txt", GOOD)
        cls.answer("train", "good.txt", "-o", "good.model", "-q")
        cls.write("deep.txt", "the x D\ncat y N\n\n")
        cls.answer("train", "deep.txt", "-o", "deep.model", "-q")

    def refused_as_data(self, content, *says):
        """The file is refused for training and for tagging, and the model that was there stays."""
        self.write("bad.txt", content)
        self.write("kept.model", "as it was")
        self.refused("train", "bad.txt", "-o", "kept.model", says=("bad.txt",) + says)
        self.assertEqual((self.folder / "kept.model").read_bytes(), b"as it was")
        self.refused("tag", "good.model", "bad.txt", says=("bad.txt",) + says)

    def test_ragged_columns(self):
        self.refused_as_data("the D\ncat\n", "bad.txt:2", "ragged")

    def test_empty_file(self):
        self.refused_as_data("")
        self.refused_as_data("\n\n\n")

    def test_nul_bytes(self):
        self.refused_as_data(b"the D\nc\0t N\n", "bad.txt:2", "NUL")

    def test_megabyte_long_line(self):
        self.refused_as_data(b"the D\n" + b"x" * (3 << 20) + b" N\n", "bad.txt:2")

    def test_random_bytes(self):
        noise = random.Random(1).randbytes(100_000)
        self.refused_as_data(noise)

    def test_text_of_random_words_has_too_many_labels(self):
        draw = random.Random(2)
        lines = "".join(f"word{i} {draw.getrandbits(64):x}\n" for i in range(5000))
        self.write("bad.txt", lines)
        self.refused("train", "bad.txt", "-o", "new.model", says=("bad.txt:2001", "different labels"))

    def test_missing_label(self):
        self.write("bad.txt", "the\tD\ncat\t\n")
        self.refused("train", "bad.txt", "-o", "new.model", says=("bad.txt:2", "label is missing"))
        self.write("bad.txt", "the\ncat\n")
        self.refused("train", "bad.txt", "-o", "new.model", says=("bad.txt:1", "one column"))

    def test_fewer_columns_than_the_template_needs(self):
        self.refused("tag", "deep.model", "-", stdin=b"the\ncat\n", says=("<stdin>", "column"))

    def test_bad_template_lines(self):
        for line, says in (("U1:%x[0]", "bad.template:2"), ("U1:%nothing[0,0]", "nothing"), ("U1:%x[0,7]", "7"),
                           ("Q1:%x[0,0]", "bad.template:2")):
            with self.subTest(line):
                self.write("bad.template", f"U0:%x[0,0]\n{line}\n")
                self.refused("train", "good.txt", "--template", "bad.template", "-o", "new.model", says=(says,))

    def test_model_given_as_data_and_data_as_model(self):
        self.refused("train", "good.model", "-o", "new.model", says=("good.model",))
        self.refused("tag", "good.model", "good.model", says=("good.model",))
        self.refused("tag", "good.txt", "good.txt", says=("good.txt",))
        self.refused("inspect", "good.txt", says=("good.txt",))
        self.refused("tag", "good.model", "--policy", "good.model", "good.txt", says=("good.model",))

    def test_missing_files(self):
        self.refused("train", "nowhere.txt", "-o", "new.model", says=("nowhere.txt",))
        self.refused("tag", "nowhere.model", "good.txt", says=("nowhere.model",))

    def test_damaged_models(self):
        whole = (self.folder / "good.model").read_bytes()
        draw = random.Random(3)
        damaged = [whole[:size] for size in (0, 7, 64, len(whole) // 2, len(whole) - 1)]
        for _ in range(50):
            place = draw.randrange(len(whole))
            damaged.append(whole[:place] + bytes([whole[place] ^ (1 << draw.randrange(8))]) + whole[place + 1:])
        for number, content in enumerate(damaged):
            with self.subTest(number):
                self.write("bad.model", content)
                run = self.run_program("tag", "bad.model", "good.txt")
                if run.returncode == 0:  # the byte was padding between sections
                    self.assertEqual(run.stdout, self.answer("tag", "good.model", "good.txt"))
                else:
                    self.assertEqual(run.returncode, BAD_INPUT)
                    self.assertIn("bad.model", run.stderr.decode())

    def test_outputs_that_cannot_be_written(self):
        self.refused("tag", "good.model", "good.txt", "-o", "no/such/folder/out.txt", says=("no/such/folder",))
        self.refused("train", "good.txt", "-o", "no/such/folder/model", says=("no/such/folder",))
        if os.path.exists("/dev/full"):
            self.refused("tag", "good.model", "good.txt", "-o", "/dev/full", says=("/dev/full",))
            with open("/dev/full", "wb") as full:
                self.refused("tag", "good.model", "good.txt", stdout=full)

    def test_usage(self):
        for words in (("train", "good.txt"), ("tag", "good.model", "good.txt", "--budget", "many"),
                      ("tag", "good.model", "good.txt", "--method", "learned", "--schedule", "heap"),
                      ("tag", "good.model", "good.txt", "--method", "learned", "--regret", ".1"),
                      ("tag", "good.model", "good.txt", "--valid-bio"),
                      ("tag", "good.model", "good.txt", "--n-best", "2", "--method", "gibbs"),
                      ("train", "good.txt", "-o", "new.model", "--factor-size", "9")):
            with self.subTest(words):
                self.refused(*words, code=USAGE)

    def test_errors_as_json(self):
        run = self.run_program("tag", "good.model", "nowhere.txt", "--json")
        self.assertEqual(run.returncode, BAD_INPUT)
        self.assertIn("nowhere.txt", json.dumps(json.loads(run.stdout)))


if __name__ == "__main__":
    unittest.main()
