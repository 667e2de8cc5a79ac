# SPDX-License-Identifier: Apache-2.0
"""Under a count budget without a deadline an answer depends on work alone: neither on the number of threads, nor on the
machine's load, for which a clock that runs a thousand times as fast stands here."""
import os
import pathlib
import random
import subprocess
import unittest

from program import ANSWER, LIMIT, PROGRAM, ProgramTest

FAST_CLOCK = os.environ["FOVEA_FAST_CLOCK"]
DATA = pathlib.Path(os.environ.get("FOVEA_DATA", "data")) / "toulbar2_examples"
WAYS = ((1, 1), (2, 1), (4, 1), (7, 1000))  # threads, rate of the clock


def grid(side, labels, seed):
    """A grid of random scores in the UAI format: too wide for a junction tree, too hard for a quick proof."""
    draw = random.Random(seed)
    scopes = [(r * side + c, r * side + c + 1) for r in range(side) for c in range(side - 1)]
    scopes += [(r * side + c, (r + 1) * side + c) for r in range(side - 1) for c in range(side)]
    lines = ["MARKOV", str(side * side), " ".join([str(labels)] * side * side), str(len(scopes))]
    lines += [f"2 {a} {b}" for a, b in scopes]
    for _ in scopes:
        lines += [str(labels**2), " ".join(f"{draw.expovariate(1):.4f}" for _ in range(labels**2))]
    return "\n".join(lines) + "\n"


class BudgetTest(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.write("grid.uai", grid(14, 4, 1))
        cls.write("small.uai", grid(6, 3, 2))
        cls.write("query.txt", "6 0 7 14 21 28 35\n")
        cls.answer("generate", "tags", "--sentences", 60, "--labels", 6, "-o", "train.txt")
        cls.answer("generate", "tags", "--sentences", 40, "--labels", 6, "--part", 1, "-o", "test.txt")
        cls.answer("train", "--factor-size", 3, "train.txt", "-o", "a.model", "-q")
        cls.answer("train", "--family", "doeblin", "--factor-size", 3, "--iterations", 2, "train.txt", "-o", "d.model",
                   "-q")
        cls.answer("tune", "a.model", "test.txt", "-o", "a.policy", "-q")
        cls.answer("generate", "authors", "--mentions", 800, "-o", "authors.tsv")
        cls.answer("dedupe", "authors.tsv", "--preset", "authors", "--labels", "entity", "-o", "authors.er", "-q")
        cls.answer("generate", "formulas", "--terms", 2, "--atoms", 2, "-o", "rows.csv")

    def outputs(self, *words):
        """Exit code, standard output, and the message of a failure, for every way to run a command."""
        for threads, rate in WAYS:
            environment = {**os.environ, "LD_PRELOAD": FAST_CLOCK, "FOVEA_CLOCK_RATE": str(rate)}
            run = subprocess.run([PROGRAM, *map(str, words), "--threads", str(threads), "-q"], cwd=self.folder,
                                 env=environment, capture_output=True, timeout=120, check=False)
            yield (threads, rate), (run.returncode, run.stdout, run.stderr if run.returncode else b"")

    def check(self, *words, code=ANSWER):
        (_, first), *others = self.outputs(*words)
        self.assertEqual(first[0], code, first[2])
        for way, output in others:
            with self.subTest(command=words, threads_and_rate=way):
                self.assertEqual(first, output)

    def test_the_clock_is_fast(self):
        environment = {**os.environ, "LD_PRELOAD": FAST_CLOCK, "FOVEA_CLOCK_RATE": "1000000"}
        run = subprocess.run([PROGRAM, "solve", "grid.uai", "--method", "search", "--time-limit", "100000s"],
                             cwd=self.folder, env=environment, capture_output=True, timeout=60, check=False)
        self.assertEqual(run.returncode, ANSWER, run.stderr)

    def test_solving(self):
        for words in (("grid.uai", "--budget", "30 sweeps"),
                      ("grid.uai", "--budget", "1e5 transitions", "--method", "search"),
                      ("small.uai", "--budget", "20 sweeps", "--diverse", 3, "--distance", 4),
                      ("grid.uai", "--task", "MAR", "--method", "sampling", "--budget", "600 sweeps"),
                      ("small.uai", "--task", "PR", "--budget", "2000 sweeps"),
                      ("small.uai", "--task", "MMAP", "--query", "query.txt", "--budget", "60 sweeps")):
            self.check("solve", *words)

    def test_solving_models_of_peers(self):
        if not DATA.is_dir():
            self.skipTest("needs FOVEA_DATA")
        self.check("solve", DATA.resolve() / "CELAR6-SUB0.wcsp", "--budget", "20 sweeps")
        self.check("solve", DATA.resolve() / "GeomSurf-7-gm256.uai.xz", "--budget", "3 sweeps")
        self.check("solve", DATA.resolve() / "CELAR6-SUB0.wcsp", "--budget", "5 sweeps", "--diverse", 3)

    def test_drawing(self):
        self.check("sample", "grid.uai", "--draws", 20)
        self.check("sample", "small.uai", "--draws", 20, "--restart-rate", .2)
        self.check("sample", "small.uai", "--draws", 20, "--exactness", "fraction:.5")

    def test_tagging(self):
        for words in (("a.model", "--method", "gibbs", "--start", "random", "--budget", "1.5 sweeps/item"),
                      ("a.model", "--method", "learned", "--policy", "a.policy", "--budget", "1.5 sweeps"),
                      ("a.model", "--method", "icm", "--budget", "100 transitions"),
                      ("d.model", "--budget", "3 sweeps"), ("d.model", "--budget", "3 sweeps/item")):
            self.check("tag", *words, "test.txt")

    def test_records_and_formulas(self):
        self.check("dedupe", "authors.tsv", "--model", "authors.er", "--budget", "5 sweeps")
        self.check("synth", "dnf", "rows.csv", "--terms", 3, "--atoms", 3, "--budget", "2000 transitions",
                   code=LIMIT)


if __name__ == "__main__":
    unittest.main()
