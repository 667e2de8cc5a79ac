# SPDX-License-Identifier: Apache-2.0
"""Every long command is killed or asked to stop at random moments. Its output is then as it was or whole, nothing else
stays, and its checkpoint leads to what an uninterrupted run writes.

FOVEA_KILLS: how many in all (default 40). A run with 300 and more on a machine that does nothing else also shows the
slowest answers to SIGINT and SIGTERM. FOVEA_KILL_JOBS names the outputs of the commands to test, if not all.
"""
import os
import random
import signal
import subprocess
import time
import unittest

from program import INTERRUPTED, LIMIT, PROGRAM, ProgramTest

KILLS = int(os.environ.get("FOVEA_KILLS", 40))
LATENCY = 1.0  # seconds; the aim is 0.2, on a machine that does nothing else
OLD = b"as it was\n"
KINDS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


class Job:
    """A command, its output, how to see that the output can be used, and the checkpoint."""

    def __init__(self, *words, output, look=None, checkpoint=None, same=True):
        self.words, self.output, self.look, self.checkpoint = [*words, "-q"], output, look, checkpoint
        self.is_same = same  # two runs write the same, since no clock ends them
        self.seconds, self.whole = 0, None  # of an uninterrupted run


def train(*words, output, **more):
    return Job("train", "train.txt", *words, "-o", output, output=output, look=("inspect", output), **more)


def jobs():
    authors = ("--preset", "authors")
    return [
        train("--tolerance", 0, "--iterations", 80, output="crf.fovea", checkpoint="crf.ck"),
        train("--gradient", "gibbs", "--iterations", 8, output="gibbs.fovea", checkpoint="gibbs.ck"),
        train("--family", "doeblin", "--factor-size", 3, "--iterations", 4, output="doeblin.fovea",
              checkpoint="doeblin.ck"),
        train("--family", "svm", "--iterations", 60, output="svm.fovea"),
        Job("train", "small.txt", "--family", "gp", "-o", "gp.fovea", output="gp.fovea", look=("inspect", "gp.fovea")),
        Job("tune", "tagger.fovea", "test.txt", "-o", "policy.fovea", output="policy.fovea", same=False,
            look=("inspect", "policy.fovea")),
        Job("tag", "tagger.fovea", "long.txt", "-o", "tagged.txt", output="tagged.txt"),
        Job("dedupe", "authors.tsv", *authors, "-o", "clusters.tsv", output="clusters.tsv", checkpoint="clusters.ck",
            look=("eval", "clusters", "clusters.tsv", "--gold", "entity")),
        Job("dedupe", "authors.tsv", *authors, "--output-table", "authors", "-o", "clusters.sqlite",
            output="clusters.sqlite",
            look=("eval", "clusters", "clusters.sqlite", "--gold", "entity")),
        Job("link", "authors.tsv", "more.tsv", *authors, "-o", "links.csv", output="links.csv"),
        Job("solve", "grid.uai", "--budget", "4000 sweeps", "-o", "map.txt", output="map.txt",
            look=("check", "grid.uai", "map.txt")),
        Job("solve", "grid.uai", "--task", "MAR", "--time-limit", "2s", "-o", "mar.txt", output="mar.txt", same=False),
        Job("sample", "grid.uai", "--draws", 4000, "-o", "draws.csv", output="draws.csv",
            look=("diagnose", "draws.csv")),
        Job("convert", "large.uai", "large.cfn", output="large.cfn", look=("convert", "large.cfn", "again.uai")),
        Job("fit", "logistic", "rows.csv", "-o", "fit.json", output="fit.json", same=False),
        Job("gestures", "train", "words.tsv", "swipes.tsv", "-o", "keys.fovea", output="keys.fovea",
            look=("inspect", "keys.fovea")),
        Job("gestures", "decode", "keyboard.fovea", "swipes.tsv", "-o", "read.tsv", output="read.tsv"),
        Job("generate", "authors", "--mentions", 400000, "-o", "made.tsv", output="made.tsv"),
        Job("generate", "people", "--records", 200000, "-o", "made.csv", output="made.csv"),
        Job("generate", "tags", "--sentences", 300000, "-o", "made.txt", output="made.txt"),
        Job("synth", "dnf", "formula.csv", "--terms", 1, "--time-limit", "2s", "-o", "formula.txt",
            output="formula.txt", same=False),
    ]


def grid_model(side, draw):
    edges = [(i, i + 1) for i in range(side * side) if (i + 1) % side] + [(i, i + side) for i in range(side * side - side)]
    tables = ("16\n" + " ".join(f"{draw.lognormvariate(0, 1):.4f}" for _ in range(16)) + "\n" for _ in edges)
    return (f"MARKOV\n{side * side}\n{'4 ' * side * side}\n{len(edges)}\n" +
            "".join(f"2 {a} {b}\n" for a, b in edges) + "".join(tables))


class Kills(ProgramTest):
    @classmethod
    def prepare(cls):
        draw = random.Random(1)
        generate = lambda what, output, *words: cls.answer("generate", what, *words, "-o", output, "-q")
        generate("tags", "train.txt", "--sentences", 6000)
        generate("tags", "small.txt", "--sentences", 40)
        generate("tags", "test.txt", "--sentences", 500, "--part", 1)
        generate("tags", "long.txt", "--sentences", 300000, "--part", 2)
        generate("authors", "authors.tsv", "--mentions", 60000)
        generate("authors", "more.tsv", "--mentions", 20000, "--seed", 2)
        generate("formulas", "formula.csv", "--rows", 400, "--terms", 4)
        cls.write("grid.uai", grid_model(40, draw))
        cls.write("large.uai", grid_model(200, draw))
        rows = ([draw.gauss(0, 1) for _ in range(60)] for _ in range(20000))
        cls.write("rows.csv", ",".join(f"x{i}" for i in range(60)) + ",y\n" + "".join(
            ",".join(f"{x:.4f}" for x in row) + f",{int(sum(row[:9]) + draw.gauss(0, 1) > 0)}\n" for row in rows))
        words = {"".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 9))) for _ in range(2000)}
        cls.write("words.tsv", "".join(f"{word}\t{1 + 10000 // (i + 1)}\n" for i, word in enumerate(sorted(words))))
        generate("gestures", "swipes.tsv", "--words", "words.tsv", "--count", 1500)
        cls.answer("train", "train.txt", "-o", "tagger.fovea", "-q")
        cls.answer("gestures", "train", "words.tsv", "swipes.tsv", "-o", "keyboard.fovea", "-q")

    def test_outputs_are_whole_or_as_they_were(self):
        draw = random.Random(2)
        chosen = os.environ.get("FOVEA_KILL_JOBS", "").split()
        all_jobs = [job for job in jobs() if not chosen or job.output in chosen]
        self.latencies = []
        for job in all_jobs:
            begun = time.monotonic()
            run = self.run_program(*job.words)
            job.seconds = time.monotonic() - begun
            self.assertIn(run.returncode, (0, LIMIT), run.stderr)
            if KILLS > 200:
                print(job.output, round(job.seconds, 2), run.returncode)
            job.whole = (self.folder / job.output).read_bytes() if run.returncode == 0 else None
        for kill in range(KILLS):
            job, kind = all_jobs[kill % len(all_jobs)], KINDS[kill // len(all_jobs) % len(KINDS)]
            moment = draw.uniform(.01, 1.05 * job.seconds)
            with self.subTest(command=job.words, signal=kind.name, moment=round(moment, 3)):
                self.end(job, kind, moment)
        if self.latencies:
            self.tell_latencies()

    def end(self, job, kind, moment):
        output = self.folder / job.output
        output.unlink(missing_ok=True)
        if not job.output.endswith(".sqlite"):
            output.write_bytes(OLD)
        if job.checkpoint:
            (self.folder / job.checkpoint).unlink(missing_ok=True)
        before = set(os.listdir(self.folder))
        checkpoint = ["--checkpoint", job.checkpoint] if job.checkpoint else []
        process = subprocess.Popen([PROGRAM, *map(str, job.words), *checkpoint], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(moment)
        asked = time.monotonic()
        process.send_signal(kind)
        message = process.communicate(timeout=60)[1].decode()
        latency = time.monotonic() - asked
        if kind != signal.SIGKILL:
            self.latencies.append((latency, job.output, round(moment, 3)))
            self.assertLess(latency, LATENCY)
            self.assertIn(process.returncode, (0, INTERRUPTED, LIMIT), message)
            self.assertLessEqual(set(os.listdir(self.folder)), before | {job.output, job.checkpoint})
        self.look(job, kind, process.returncode)
        if job.checkpoint and (self.folder / job.checkpoint).exists():
            self.answer(*job.words, "--resume", job.checkpoint)
            self.assertEqual(output.read_bytes(), job.whole, "resumed, it writes something else")
        elif kind == signal.SIGKILL and job.is_same:
            self.run_program(*job.words)
            self.assertLessEqual(set(os.listdir(self.folder)), before | {job.output}, "temporary files stay")

    def look(self, job, kind, status):
        """The output is as it was before, or can be used."""
        output = self.folder / job.output
        content = output.read_bytes() if output.exists() else None
        if content in (OLD, None):
            return
        if job.is_same and (kind == signal.SIGKILL or status == 0):
            self.assertTrue(content == job.whole or job.output.endswith(".sqlite"), "neither old nor whole")
        if job.look:
            self.answer(*job.look)

    def tell_latencies(self):
        slowest = sorted(self.latencies, reverse=True)
        print(f"{len(slowest)} asked to end: median {slowest[len(slowest) // 2][0]:.3f} s; slowest", slowest[:8])


if __name__ == "__main__":
    unittest.main()
