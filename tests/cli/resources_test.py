# SPDX-License-Identifier: Apache-2.0
"""Under too small limits of memory, stack and threads, commands answer or end with the code of a limit; and libraries
come from the system alone."""
import gzip
import lzma
import resource
import subprocess
import unittest

from program import ANSWER, LIMIT, PROGRAM, ProgramTest

LOOP = """(set-logic LIA)
(synth-inv inv ((x Int) (y Int)))
(define-fun pre ((x Int) (y Int)) Bool (and (= x 1) (= y 0)))
(define-fun trans ((x Int) (y Int) (x! Int) (y! Int)) Bool (and (< y 1000) (= x! (+ x y)) (= y! (+ y 1))))
(define-fun post ((x Int) (y Int)) Bool (not (and (>= y 1000) (< x y))))
(inv-constraint inv pre trans post)
(check-synth)
"""
MEGABYTE = 1 << 20


class Resources(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.write("loop.sl", LOOP)
        grid = [(i, i + 1) for i in range(399) if (i + 1) % 20] + [(i, i + 20) for i in range(380)]
        cls.write("grid.uai", f"MARKOV\n400\n{'3 ' * 400}\n{len(grid)}\n" + "".join(f"2 {a} {b}\n" for a, b in grid) +
                  "9\n2 1 1 1 2 1 1 1 2\n" * len(grid))
        cls.answer("generate", "tags", "--sentences", 2000, "-o", "train.txt")
        cls.answer("generate", "authors", "--mentions", 5000, "-o", "authors.tsv")
        text = (cls.folder / "train.txt").read_bytes()
        cls.write("train.txt.gz", gzip.compress(text))
        cls.write("train.txt.xz", lzma.compress(text, preset=9))
        cls.answer("train", "train.txt", "-o", "tagger.fovea", "-q")

    COMMANDS = (("synth", "inv", "loop.sl", "--time-limit", "3s"),
                ("solve", "grid.uai", "--time-limit", "1s"),
                ("solve", "grid.uai", "--task", "MAR", "--time-limit", "1s"),
                ("sample", "grid.uai", "--draws", "50"),
                ("train", "train.txt.gz", "-o", "out.fovea", "--iterations", "3"),
                ("tag", "tagger.fovea", "train.txt.xz"),
                ("dedupe", "authors.tsv", "--preset", "authors", "-o", "clusters.tsv"))

    def ends_well(self, kind, most):
        for words in self.COMMANDS:
            with self.subTest(command=words, limit=most):
                run = subprocess.run([PROGRAM, *words, "-q", "--threads", "2"], cwd=self.folder, capture_output=True,
                                     check=False, timeout=60,
                                     preexec_fn=lambda: resource.setrlimit(kind, (most, most)))
                self.assertIn(run.returncode, (ANSWER, LIMIT), run.stderr[-500:])

    def test_little_memory(self):
        for megabytes in (60, 80, 100, 150, 200, 300):
            self.ends_well(resource.RLIMIT_AS, megabytes * MEGABYTE)

    def test_little_data(self):
        for megabytes in (5, 20, 60):
            self.ends_well(resource.RLIMIT_DATA, megabytes * MEGABYTE)

    def test_no_library_from_the_current_folder(self):
        """The program must not load files there that have the names of its libraries."""
        needed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
        libraries = [line.split()[0] for line in needed.splitlines() if "=> /" in line]
        self.assertGreater(len(libraries), 5)
        for library in libraries:
            self.write(library, "not a library")
        try:
            self.answer("--version")
        finally:
            for library in libraries:
                (self.folder / library).unlink()

    def test_small_stacks(self):
        for kilobytes in (64, 256, 1024):
            self.ends_well(resource.RLIMIT_STACK, kilobytes << 10)


if __name__ == "__main__":
    unittest.main()
