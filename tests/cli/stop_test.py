# SPDX-License-Identifier: Apache-2.0
"""Commands that are asked to stop, or whose time is over, end at once, whatever they are doing."""
import os
import random
import signal
import subprocess
import time
import unittest

from program import INTERRUPTED, PROGRAM, USAGE, ProgramTest

LATENCY = 1.0  # seconds; the aim is 0.2, on a machine that does nothing else


class Stop(ProgramTest):
    @classmethod
    def prepare(cls):
        draw = random.Random(1)
        words = [f"w{i}" for i in range(3000)]
        rows = [f"{i},{draw.choice(words)} {draw.choice(words)},x,{draw.randrange(99999)}\n" for i in range(20000)]
        cls.write("block.csv", "id,name,form,code\n" + "".join(rows))
        rows = [f"{i},a,{''.join(draw.choices('abcdefgh ', k=100000))}\n" for i in range(6)]
        cls.write("long.csv", "id,name,note\n" + "".join(rows))
        cls.answer("generate", "authors", "--mentions", 20000, "-o", "authors.tsv")

    BLOCK = ("dedupe", "block.csv", "--compare", "name:words,form,code", "--block", "form", "--max-block", "1000000",
             "-o", "out.csv", "-q")

    def test_interrupted_comparisons_end(self):
        draw = random.Random(2)
        for words in (self.BLOCK, ("dedupe", "authors.tsv", "--preset", "authors", "-o", "out.csv", "-q")):
            for signal_number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(command=words, signal=signal_number):
                    job = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stderr=subprocess.DEVNULL)
                    time.sleep(draw.uniform(.1, .8))
                    asked = time.monotonic()
                    job.send_signal(signal_number)
                    job.wait(60)
                    self.assertLess(time.monotonic() - asked, LATENCY)

    def test_whoever_ends_it_before_it_begins_gets_the_documented_code(self):
        run = subprocess.run([PROGRAM, "dedupe", "block.csv"], cwd=self.folder, check=False, capture_output=True,
                             env={**os.environ, "LD_PRELOAD": os.environ["FOVEA_EARLY_SIGNAL"]})
        self.assertIn(run.returncode, (INTERRUPTED, USAGE), run.stderr)

    def test_time_limits_hold_while_records_are_compared(self):
        begun = time.monotonic()
        self.run_program(*self.BLOCK, "--time-limit", "1s")
        self.assertLess(time.monotonic() - begun, 1 + LATENCY)

    def test_long_texts_are_compared_in_no_time(self):
        begun = time.monotonic()
        self.answer("dedupe", "long.csv", "--compare", "name,note:jaro_winkler", "--block", "name", "-o", "out.csv")
        self.assertLess(time.monotonic() - begun, 1 + LATENCY)


    def test_training_of_any_family_ends_with_its_time(self):
        self.answer("generate", "tags", "--sentences", 6000, "--labels", 20, "-o", "tags.txt")
        self.answer("generate", "tags", "--sentences", 1000, "--labels", 20, "-o", "fewer.txt")
        for words in ((), ("--calibrate",), ("--folds", 4), ("--family", "svm"), ("--family", "gp"),
                      ("--family", "doeblin", "--factor-size", 3), ("--gradient", "gibbs")):
            with self.subTest(words):
                started = time.monotonic()
                self.answer("train", "fewer.txt" if "gp" in words else "tags.txt", "-o", "t.model", "--time-limit", "1s", "-q", *words)
                self.assertLess(time.monotonic() - started, 1 + LATENCY)
                self.answer("inspect", "t.model")

    def test_options_of_another_family_are_refused(self):
        self.answer("generate", "tags", "--sentences", 10, "-o", "few.txt")
        for family, words, says in (("gp", ("--l2", 3), "takes no --l2"), ("gp", ("--tolerance", .1), "takes no --tol"),
                                    ("crf", ("--kernel", "linear(2)"), "--kernel needs --family gp"),
                                    ("svm", ("--gp-steps", 3), "--gp-steps needs --family gp")):
            self.refused("train", "--family", family, *words, "few.txt", "-o", "x", code=USAGE, says=[says])

if __name__ == "__main__":
    unittest.main()
