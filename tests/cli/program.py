# SPDX-License-Identifier: Apache-2.0
"""Runs the program under test in a folder of its own."""
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["FOVEA_PROGRAM"]
ANSWER, INTERNAL, USAGE, BAD_INPUT, INFEASIBLE, LIMIT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


class ProgramTest(unittest.TestCase):
    """Gives each class a scratch folder, in which commands run."""

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls._folder.name)
        cls.prepare()

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    @classmethod
    def prepare(cls):
        """Makes files that the tests of the class share."""

    @classmethod
    def run_program(cls, *words, stdin=b"", stdout=subprocess.PIPE):
        return subprocess.run([PROGRAM, *map(str, words)], cwd=cls.folder, input=stdin, stdout=stdout,
                              stderr=subprocess.PIPE, timeout=120, check=False)

    @classmethod
    def answer(cls, *words, stdin=b""):
        """The standard output of a command that must succeed."""
        run = cls.run_program(*words, stdin=stdin)
        if run.returncode != ANSWER:
            raise AssertionError(f"fovea {' '.join(map(str, words))}: exit {run.returncode}: {run.stderr.decode()}")
        return run.stdout

    @classmethod
    def write(cls, name, content):
        (cls.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def refused(self, *words, code=BAD_INPUT, says=(), stdin=b"", stdout=subprocess.PIPE):
        """The command must end with `code` and a message that holds all of `says`."""
        run = self.run_program(*words, stdin=stdin, stdout=stdout)
        message = run.stderr.decode(errors="replace")
        self.assertEqual(run.returncode, code, message)
        for text in says:
            self.assertIn(text, message)
        return message
