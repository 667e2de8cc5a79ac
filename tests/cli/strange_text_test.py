# SPDX-License-Identifier: Apache-2.0
"""Texts as other systems write them, for every command that reads text: with a byte order mark, put together, with
lines that end in \\r alone, in UTF-16, with NUL bytes. Each is read as if it were plain, or refused by name."""
import re
import unittest

from program import ANSWER, BAD_INPUT, ProgramTest

MARK = b"\xef\xbb\xbf"

UAI = "MARKOV\n2\n2 2\n2\n1 0\n2 0 1\n\n2\n.5 2\n\n4\n1 2 3 4\n"
BIF = ("network n {\n}\nvariable a {\n type discrete [ 2 ] { no, yes };\n}\nprobability ( a ) {\n table 0.25, 0.75;\n}\n")
WCSP = "two 2 2 1 9\n2 2\n2 0 1 0 1\n0 0 3\n"
CFN = '{"problem": {"name": "p", "mustbe": "<9"},\n"variables": {"x": 2},\n"functions": {"u": {"scope": ["x"], "costs": [1, 0]}}}\n'
SYGUS = """(set-logic LIA)
(synth-inv inv ((x Int)))
(define-fun pre ((x Int)) Bool (= x 0))
(define-fun trans ((x Int) (x! Int)) Bool (= x! (+ x 1)))
(define-fun post ((x Int)) Bool (>= x 0))
(inv-constraint inv pre trans post)
(check-synth)
"""
WORDS = "hello\t3\nworld\t2\n"
TEMPLATE = "U00:%x[0,0]\nU01:%x[-1,0]\nB\n"
TABLE = "id,name,city\n1,anna smith,rome\n2,anna smith,rome\n3,otto may,bonn\n"
TAGGED = "a\tN\tN\nb\tV\tN\n\nc\tN\tN\n"
NUMBERS = "x,y,target\n1,2,0\n2,1,1\n3,5,0\n4,1,1\n2,2,1\n1,1,0\n"
DRAWS = "chain,draw,v\n" + "".join(f"{c},{d},{(c * 7 + d * 5) % 3}\n" for c in (1, 2) for d in range(8))
ATTRIBUTES = "N\ta\tb\nV\tb\n\nN\ta\n"
LINES = '{"id": "1", "name": "a b", "city": "x"}\n{"id": "2", "name": "a b", "city": "x"}\n'
FORMULAS = "a,b,label\n1,0,1\n0,1,0\n1,1,1\n0,0,0\n"


class StrangeText(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.answer("generate", "tags", "--sentences", 30, "--labels", 4, "-o", "train.txt")
        cls.train = (cls.folder / "train.txt").read_text()
        cls.answer("train", "train.txt", "-o", "a.model", "-q")
        cls.write("a.uai", UAI)
        cls.write("clusters.csv", "id,cluster,gold\n1,1,a\n2,1,a\n3,3,b\n")

    def readers(self):
        """Pairs of a text and the command that reads it from the file `text`."""
        yield self.train, ("train", "text", "-o", "m.model")
        yield self.train, ("tag", "a.model", "text")
        yield TEMPLATE, ("train", "train.txt", "--template", "text", "-o", "m.model")
        yield TAGGED, ("eval", "tags", "text")
        yield UAI, ("solve", "--from", "uai", "text")
        yield BIF, ("solve", "--from", "bif", "text")
        yield WCSP, ("solve", "--from", "wcsp", "text")
        yield CFN, ("solve", "--from", "cfn", "text")
        yield "1 0 1\n", ("solve", "a.uai", "--evidence", "text")
        yield "1 0\n", ("solve", "a.uai", "--task", "MMAP", "--query", "text")
        yield "0 1\n", ("check", "a.uai", "text")
        yield SYGUS, ("synth", "inv", "text")
        yield FORMULAS, ("synth", "dnf", "text", "--terms", 1)
        yield TABLE, ("dedupe", "text", "--compare", "name,id:edits", "--block", "city", "-q")
        yield NUMBERS, ("fit", "logistic", "text", "--target", "target")
        yield DRAWS, ("diagnose", "text")
        yield WORDS, ("gestures", "train", "text", "--generate", "20", "-o", "g.model", "-q")
        yield ATTRIBUTES, ("train", "--format", "attributes", "text", "-o", "m.model")
        yield LINES, ("dedupe", "text", "--format", "jsonl", "--compare", "name,id:edits", "--block", "city", "-q")

    def result(self, words, content):
        self.write("text", content)
        run = self.run_program(*words)
        timeless = run.stdout
        if words[0] == "train":
            timeless = re.sub(rb"\d+\.\d+", b"", timeless)
        if words[:2] == ("synth", "inv"):  # one of several invariants, from whichever solver was first
            timeless = b""
        return run.returncode, timeless, run.stderr

    def test_marks_and_returns_change_nothing(self):
        for text, words in self.readers():
            plain = text.encode()
            code, expected, message = self.result(words, plain)
            self.assertEqual(code, ANSWER, (words, message))
            for what, content in (("mark", MARK + plain), ("returns", plain.replace(b"\n", b"\r")),
                                  ("both ends", plain.replace(b"\n", b"\r\n"))):
                with self.subTest(command=words, text=what):
                    code, got, message = self.result(words, content)
                    self.assertEqual(code, ANSWER, message)
                    self.assertEqual(got.replace(b"\r\n", b"\n"), expected)

    def test_marks_where_files_were_put_together(self):
        words = ("tag", "a.model", "text")
        half = self.train.index("\n\n") + 2
        first, second = self.train[:half].encode(), self.train[half:].encode()
        expected = self.result(words, first + second)
        self.assertEqual(self.result(words, MARK + first + MARK + second)[:2], expected[:2])

    def test_wide_text_is_refused_by_name_except_in_tables(self):
        tables = (TABLE, NUMBERS, LINES, FORMULAS)
        for text, words in self.readers():
            if text in tables:
                with self.subTest(command=words):
                    self.assertEqual(self.result(words, text.encode("utf-16"))[:2], self.result(words, text.encode())[:2])
                continue
            for encoding in ("utf-16", "utf-16-be", "utf-32"):
                with self.subTest(command=words, encoding=encoding):
                    mark = "\ufeff" if encoding == "utf-16-be" else ""
                    code, _, message = self.result(words, (mark + text).encode(encoding))
                    self.assertEqual(code, BAD_INPUT)
                    self.assertIn(b"text in UTF-", message)

    def test_nul_bytes_are_refused_by_name(self):
        for text, words in self.readers():
            with self.subTest(command=words):
                code, _, message = self.result(words, text.encode().replace(b"\n", b"\n\0", 1))
                self.assertEqual(code, BAD_INPUT)
                self.assertIn(b"NUL byte", message)

    def test_wide_tables_are_read_where_their_encoding_is_named(self):
        words = ("dedupe", "text", "--compare", "name,id:edits", "--block", "city", "-q")
        expected = self.result(words, TABLE.encode())
        for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8"):
            with self.subTest(encoding):
                named = (*words, "--encoding", encoding.removesuffix("-le") + ("le" if encoding.endswith("-le") else ""))
                self.assertEqual(self.result(named, TABLE.encode(encoding)), expected)


if __name__ == "__main__":
    unittest.main()
