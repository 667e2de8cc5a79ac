# SPDX-License-Identifier: Apache-2.0
"""Files that are read and written: none is destroyed, mixed up with another, or found faulty too late."""
import os
import signal
import sqlite3
import subprocess
import threading
import time
import unittest

from program import ANSWER, BAD_INPUT, INTERRUPTED, PROGRAM, USAGE, ProgramTest

RECORDS = "id,name,city\n1,anna smith,rome\n2,anna smith,rome\n3,anna smyth,rome\n4,otto may,bonn\n5,otto mai,bonn\n"


class FilesTest(ProgramTest):
    @classmethod
    def prepare(cls):
        cls.answer("generate", "tags", "--sentences", 60, "--labels", 5, "-o", "train.txt")
        cls.answer("train", "train.txt", "-o", "a.model", "-q")
        cls.write("a.uai", "MARKOV\n1\n2\n1\n1 0\n2\n.5 2\n")
        cls.write("records.csv", RECORDS)
        cls.answer("dedupe", "records.csv", "--compare", "name:jaro_winkler,id:edits", "--block", "city",
                   "--save-model", "records.json", "-o", "clusters.csv", "-q")

    def keeps(self, name, *words, says="would replace what is read as", **options):
        before = (self.folder / name).read_bytes()
        self.refused(*words, code=USAGE, says=[says], **options)
        self.assertEqual((self.folder / name).read_bytes(), before)

    def test_no_output_replaces_an_input(self):
        os.symlink("train.txt", self.folder / "symbolic.txt")
        os.link(self.folder / "train.txt", self.folder / "hard.txt")
        for output in ("train.txt", "./train.txt", "symbolic.txt", "hard.txt"):
            self.keeps("train.txt", "train", "train.txt", "-o", output)
        self.keeps("train.txt", "tag", "a.model", "train.txt", "-o", "train.txt")
        self.keeps("train.txt", "train", "train.txt", "--template", "train.txt", "-o", "b.model", "--checkpoint",
                   "train.txt")
        self.keeps("a.model", "tune", "a.model", "train.txt", "-o", "a.model")
        self.keeps("a.model", "train", "train.txt", "--warm-start", "a.model", "-o", "a.model")
        self.keeps("a.uai", "solve", "a.uai", "-o", "a.uai")
        self.keeps("a.uai", "solve", "a.uai", "--trace", "a.uai")
        self.keeps("a.uai", "convert", "a.uai", "a.uai")
        self.keeps("records.csv", "dedupe", "records.csv", "--model", "records.json", "-o", "records.csv")
        self.keeps("clusters.csv", "dedupe", "records.csv", "--model", "records.json", "--clusters", "clusters.csv", "-o",
                   "clusters.csv")
        with open(self.folder / "records.csv", "rb") as stdin:
            run = subprocess.run([PROGRAM, "dedupe", "-", "--model", "records.json", "-o", "records.csv"], stdin=stdin,
                                 cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(run.returncode, USAGE)
        self.assertEqual((self.folder / "records.csv").read_text(), RECORDS)

    def test_two_outputs_are_two_files(self):
        for words in (("dedupe", "records.csv", "--model", "records.json", "-o", "x.csv", "--pairs", "x.csv"),
                      ("dedupe", "records.csv", "--model", "records.json", "-o", "x.csv", "--pairs", "./x.csv"),
                      ("solve", "a.uai", "-o", "x", "--trace", "x")):
            self.refused(*words, code=USAGE, says=["one would replace the other"])
        self.answer("solve", "a.uai", "-o", "/dev/null", "--trace", "/dev/null", "-q")

    def test_a_reader_that_went_away_is_not_a_failure(self):
        for words in ("generate tags --sentences 20000", "generate authors --mentions 20000", "tag a.model long.txt",
                      "attributes long.txt", "dedupe records.csv --model records.json", "describe --json"):
            if "long" in words and not (self.folder / "long.txt").exists():
                self.answer("generate", "tags", "--sentences", 20000, "--labels", 5, "-o", "long.txt")
            run = subprocess.run(["bash", "-c", f"set -o pipefail; '{PROGRAM}' {words} | head -n 1 >/dev/null"],
                                 cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, ANSWER, f"{words}: {run.stderr}")
            self.assertNotIn("error", run.stderr)

    def test_what_cannot_be_written_is_found_before_the_work(self):
        for words in (("train", "train.txt", "--family", "gp", "-o", "no/x"), ("tune", "a.model", "train.txt", "-o", "no/x"),
                      ("train", "train.txt", "-o", "x", "--checkpoint", "no/x"),
                      ("solve", "a.uai", "--trace", "no/x"), ("dedupe", "missing.csv", "--model", "m", "-o", "no/x.csv")):
            self.refused(*words, code=BAD_INPUT, says=["no/x", "No such file or directory"])

    def test_a_checkpoint_of_other_cells_is_refused(self):
        # The clock runs a million times as fast, since checkpoints are written once a minute.
        environment = {**os.environ, "LD_PRELOAD": os.environ["FOVEA_FAST_CLOCK"], "FOVEA_CLOCK_RATE": "1000000000"}
        rows = "".join(f"{i},n{i // 2} x,c{i // 2}\n" for i in range(6, 400))
        self.write("many.csv", RECORDS + rows)
        self.write("changed.csv", RECORDS.replace("anna smith", "zoe quill", 1) + rows)
        subprocess.run([PROGRAM, "dedupe", "many.csv", "--model", "records.json", "-o", "o.csv", "--checkpoint", "ck", "-q",
                        "--sweeps", "2000"], cwd=self.folder, env=environment, check=True, timeout=60)
        self.refused("dedupe", "changed.csv", "--model", "records.json", "--resume", "ck", "-o", "o.csv", "--sweeps", 2000,
                     code=BAD_INPUT, says=["a checkpoint of other records"])
        self.answer("dedupe", "many.csv", "--model", "records.json", "--resume", "ck", "-o", "o.csv", "--sweeps", 2000)

    def test_jobs_that_write_tables_of_one_new_database_lose_none(self):
        for _ in range(4):
            (self.folder / "new.db").unlink(missing_ok=True)
            jobs = [subprocess.Popen([PROGRAM, "dedupe", "records.csv", "--model", "records.json", "-o", "new.db",
                                      "--output-table", f"t{i}", "-q"], cwd=self.folder) for i in range(4)]
            self.assertEqual([job.wait(60) for job in jobs], [ANSWER] * 4)
            with sqlite3.connect(self.folder / "new.db") as database:
                self.assertEqual({name for name, in database.execute("SELECT name FROM sqlite_master")},
                                 {"t0", "t1", "t2", "t3"})
            self.assertEqual([p.name for p in self.folder.glob("new.db?*")], [])

    def test_a_model_may_be_replaced_while_it_is_used(self):
        lines = (self.folder / "train.txt").read_bytes()
        expected = self.answer("tag", "a.model", "train.txt")
        model = (self.folder / "a.model").read_bytes()
        for change in (model[:64], model[:4096] + os.urandom(len(model) - 4096)):
            (self.folder / "m.model").write_bytes(model)
            job = subprocess.Popen([PROGRAM, "tag", "m.model", "--threads", "1"], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
            output = []
            reader = threading.Thread(target=lambda: output.append(job.stdout.read()))
            reader.start()
            job.stdin.write(lines[:lines.index(b"\n\n") + 2])
            job.stdin.flush()
            time.sleep(.2)
            with open(self.folder / "m.model", "r+b") as file:
                file.write(change)
                file.truncate(len(change))
            job.stdin.write(lines)
            job.stdin.close()
            reader.join()
            job.stdout.close()
            self.assertEqual(job.wait(), ANSWER)
            self.assertTrue(output[0].endswith(expected))

    def test_a_training_that_did_not_begin_replaces_nothing(self):
        before = (self.folder / "a.model").read_bytes()
        self.answer("generate", "tags", "--sentences", 2000, "--labels", 8, "-o", "large.txt")
        job = subprocess.Popen([PROGRAM, "train", "large.txt", "--family", "gp", "-o", "a.model", "-q"], cwd=self.folder,
                               stderr=subprocess.PIPE)
        time.sleep(.1)
        job.send_signal(signal.SIGTERM)
        _, message = job.communicate(timeout=60)
        self.assertEqual(job.returncode, INTERRUPTED, message)
        self.assertEqual((self.folder / "a.model").read_bytes(), before)
        self.assertEqual([p.name for p in self.folder.glob("*.tmp-*")], [])


if __name__ == "__main__":
    unittest.main()
