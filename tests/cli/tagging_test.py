# SPDX-License-Identifier: Apache-2.0
"""Train, tune, tag and evaluate on tiny corpora, as a user does."""
import gzip
import json
import math
import unittest
import xml.dom.minidom

from program import USAGE, ProgramTest


def generate(test, name, part, sentences):
    test.write(name, test.answer("generate", "tags", "--sentences", sentences, "--labels", 6, "--part", part))


class Tagging(ProgramTest):
    @classmethod
    def prepare(cls):
        generate(cls, "train.txt", 0, 300)
        generate(cls, "tune.txt", 1, 100)
        generate(cls, "test.txt", 2, 100)
        cls.answer("train", "train.txt", "--factor-size", 3, "-o", "a.model", "-q")
        cls.answer("tune", "a.model", "tune.txt", "-o", "a.policy", "-q")

    def accuracy(self, *words):
        tagged = self.answer("tag", "a.model", *words, "test.txt")
        return json.loads(self.answer("eval", "tags", "--json", stdin=tagged))["accuracy"]

    def test_every_method_is_nearly_as_good_as_exact(self):
        exact = self.accuracy("--method", "exact")
        self.assertGreater(exact, 0.8)
        for words in (("--method", "beam"), ("--method", "icm"), ("--method", "gibbs"),
                      ("--method", "learned", "--policy", "a.policy"), ("--policy", "a.policy")):
            with self.subTest(words):
                self.assertGreater(self.accuracy(*words), exact - 0.1)

    def test_answers_do_not_depend_on_threads(self):
        for words in (("--method", "exact"), ("--method", "gibbs", "--start", "random"),
                      ("--method", "learned", "--policy", "a.policy", "--budget", "1.5 sweeps/item"),
                      ("--method", "learned", "--policy", "a.policy", "--budget", "1.5 sweeps")):
            with self.subTest(words):
                one, four = (self.answer("tag", "a.model", *words, "--threads", n, "test.txt") for n in (1, 4))
                self.assertEqual(one, four)

    def test_chains_with_restarts(self):
        self.answer("train", "--family", "doeblin", "--factor-size", 3, "--iterations", 2, "train.txt", "-o", "d.model",
                    "-q")
        facts = json.loads(self.answer("inspect", "d.model", "--json"))
        self.assertGreater(facts["restart_rate"], 0)
        one, four = (self.run_program("tag", "d.model", "--threads", n, "--report", "--json", "test.txt")
                     for n in (1, 4))
        self.assertEqual(one.stdout, four.stdout)
        report = json.loads(one.stderr.removeprefix(b"fovea: "))
        self.assertEqual(report["used"]["decode"]["method"], "doeblin")
        self.assertEqual(report["guarantee"]["spectral_gap_at_least"], facts["restart_rate"])
        scores = json.loads(self.answer("eval", "tags", "--json", stdin=one.stdout))
        self.assertGreater(scores["accuracy"], self.accuracy("--method", "exact") - 0.1)
        bench = json.loads(self.answer("bench", "tag", "d.model", "test.txt", "--methods", "doeblin", "--repetitions", 1,
                                       "--json"))
        self.assertEqual({row["method"] for row in bench["rows"]}, {"doeblin"})
        settled = self.run_program("tag", "d.model", "--settled", 2, "--report", "--json", "test.txt")
        settled_report = json.loads(settled.stderr.removeprefix(b"fovea: "))
        self.assertLess(settled_report["transitions"], report["transitions"])
        self.assertFalse(settled_report["guarantee"]["holds"])
        self.assertNotIn("spectral_gap_at_least", settled_report["guarantee"])

    def test_the_model_keeps_its_separator(self):
        self.write("tabs.txt", "New York\tB LOC\nis\tO\n\nYork\tB PER\nsat\tO\n\n" * 5)
        self.answer("train", "tabs.txt", "-o", "tabs.model", "-q")
        labelled = self.answer("tag", "tabs.model", "--marginals", stdin=b"New York\tx\n")
        plain = self.answer("tag", "tabs.model", "--marginals", stdin=b"New York\n")
        self.assertEqual(plain.split(b"\t")[:2], [b"New York", b"B LOC"])
        self.assertEqual(labelled.replace(b"\tx", b""), plain)
        run = self.run_program("tag", "tabs.model", stdin=b"in town\nof York\n")
        self.assertIn(b"warning: <stdin>:1: no tab in this sequence", run.stderr)

    def test_columns_unlike_those_of_training_are_noticed(self):
        self.write("three.txt", "Ann N P\nran V O\n\n" * 5)
        self.write("words.template", "U:%x[0,0]\nB\n")
        self.answer("train", "three.txt", "--template", "words.template", "-o", "three.model", "-q")
        for text, columns in ((b"Ann\n", 1), (b"Ann N\n", None), (b"Ann N P\n", None), (b"Ann ran off today\n", 4)):
            with self.subTest(text):
                run = self.run_program("tag", "three.model", stdin=text)
                self.assertEqual(run.returncode, 0)
                if columns: self.assertIn(f"{columns} column".encode(), run.stderr)
                else: self.assertEqual(run.stderr, b"")
        self.write("four.txt", "Ann N x P\nran V x O\n\n")
        self.refused("train", "three.txt", "--dev", "four.txt", "-o", "x.model",
                     says=("four.txt:1: 4 columns, but the model was trained on 3",))

    def test_a_template_without_b_scores_no_label_pairs(self):
        self.write("no-b.template", "U:%x[0,0]\n")
        run = self.run_program("train", "train.txt", "--template", "no-b.template", "-o", "no-b.model")
        self.assertIn(b"no B line", run.stderr)
        self.assertEqual(json.loads(self.answer("inspect", "no-b.model", "--json"))["label_ngrams"], 0)
        self.answer("tag", "no-b.model", "test.txt", "--marginals")
        self.refused("train", "train.txt", "--template", "no-b.template", "--factor-size", 3, "-o", "x.model",
                     code=USAGE, says=("no B line",))
        svm = self.run_program("train", "train.txt", "--template", "no-b.template", "--family", "svm", "-o", "s.model")
        self.assertEqual(svm.returncode, 0, svm.stderr)

    def test_valid_bio_notices_iob1(self):
        self.write("iob1.txt", "Ann I-P\nLee I-P\nran O\nOslo I-L\n\nBob I-P\nTim B-P\nis O\n\n" * 3)
        self.answer("train", "iob1.txt", "-o", "iob1.model", "-q")
        self.refused("tag", "iob1.model", "--valid-bio", "iob1.txt", code=USAGE, says=("'I-L' could never be tagged",))
        self.write("people.txt", "Ann I-P\nLee I-P\nran O\nAnn I-P\n\nBob I-P\nTim B-P\nis O\n\n" * 3)
        self.answer("train", "people.txt", "-o", "people.model", "-q")
        self.assertIn(b"IOB1", self.run_program("tag", "people.model", "--valid-bio", "people.txt").stderr)

    def test_scores_say_what_they_leave_out(self):
        run = self.run_program("eval", "tags", "--brief", stdin=b"w B-A B-A\nw L-A L-A\nw X O\n")
        self.assertIn(b"F1 100.00", run.stdout)
        self.assertIn(b"warning: <stdin>: 1 gold or predicted labels mark no entity, as B-X, I-X and O do (X)", run.stderr)
        run = self.run_program("eval", "tags", "--unknown-label", "?", "--brief", stdin=b"w B-A B-A\nw ? O\n")
        self.assertEqual(run.stdout, b"accuracy 100.00 (1 of 1 tokens)\n")
        self.assertIn(b"not known", run.stderr)
        run = self.run_program("eval", "tags", "--brief", stdin=b"Ann B-A\nran O\n")
        self.assertIn(b"no gold label is ever predicted", run.stderr)
        self.refused("eval", "tags", stdin=b"w O O O:nan B:0.500000\n", says=("[0, 1]",))

    def test_large_attribute_values_are_scaled_and_named(self):
        lines = [f"{'AB'[i % 3 % 2]}\tw={'uv'[i % 3 % 2]}\tunix:{1600000000 + 60 * i}\n" + "\n" * (i % 5 == 4)
                 for i in range(200)]
        self.write("unix.att", "".join(lines))
        run = self.run_program("train", "--format", "attributes", "unix.att", "-o", "unix.model", "--json")
        self.assertIn(b"warning: the values of attribute 'unix' reach 1.6e+09", run.stderr)
        self.assertLess(json.loads(run.stdout)["objective"], 40)
        tagged = self.answer("tag", "unix.model", "unix.att")
        self.assertGreater(json.loads(self.answer("eval", "tags", "--json", stdin=tagged))["accuracy"], .98)

    def test_attributes_need_tabs(self):
        self.write("spaces.att", "B w=a\nO w=b\n")
        self.refused("train", "--format", "attributes", "spaces.att", "-o", "x.model", says=("spaces.att:1", "tab"))

    def test_a_cut_run_guarantees_nothing(self):
        self.answer("train", "--family", "doeblin", "--factor-size", 3, "--iterations", 2, "train.txt", "-o", "d.model",
                    "-q")
        for limit in (("--budget", "1 sweep"), ("--budget", "1 sweep/item"), ("--time-limit", "1us/item")):
            with self.subTest(limit):
                run = self.run_program("tag", "d.model", *limit, "--report", "--json", "test.txt")
                guarantee = json.loads(run.stderr.removeprefix(b"fovea: "))["guarantee"]
                self.assertFalse(guarantee["holds"])
                self.assertLess(guarantee["whole_runs"], guarantee["runs"])
                self.assertNotIn("spectral_gap_at_least", guarantee)
                run = self.run_program("tag", "d.model", *limit, "--report", "test.txt")
                self.assertIn(b"guarantee: none: ", run.stderr)
                self.assertNotIn(b"exact draw", run.stderr)

    def test_what_chains_with_restarts_are_not(self):
        for words, part in ((("train", "--gradient", "doeblin", "train.txt", "-o", "x"), "needs --family doeblin"),
                            (("train", "--family", "doeblin", "train.txt", "-o", "x"), "needs --factor-size 3"),
                            (("train", "--family", "doeblin", "--gradient", "exact", "train.txt", "-o", "x"),
                             "has its own gradient"),
                            (("train", "--family", "doeblin", "--restart-rate", 1.5, "train.txt", "-o", "x"),
                             "restart-rate"),
                            (("train", "--family", "doeblin", "--factor-size", 3, "--restart-rate", 1e-9, "train.txt",
                              "-o", "x"), "give 0, or at least 0.0001"),
                            (("tag", "a.model", "--method", "doeblin", "test.txt"), "needs a model of that family")):
            with self.subTest(words):
                self.refused(*words, code=USAGE, says=[part])

    def test_too_many_label_contexts_are_refused_by_every_way_to_train(self):
        for labels, size in ((50, 6), (200, 4)):
            name = f"labels{labels}.txt"
            lines = "".join(f"w{i % 997}\tL{i % labels}\n" + ("\n" if i % 7 == 6 else "") for i in range(3 * labels))
            (self.folder / name).write_text(lines)
            for words in ((), ("--gradient", "exact"), ("--gradient", "gibbs"), ("--family", "doeblin"),
                          ("--family", "gp"), ("--family", "svm")):
                with self.subTest(labels=labels, words=words):
                    self.refused("train", name, "--factor-size", size, *words, "-o", "x", "-q", code=USAGE,
                                 says=[str(size)])

    def test_training_does_not_depend_on_threads(self):
        for threads in (1, 3):
            self.answer("train", "tune.txt", "--threads", threads, "-o", f"{threads}.model", "-q")
        weights = [self.answer("inspect", f"{threads}.model", "--weights") for threads in (1, 3)]
        self.assertEqual(*weights)

    def test_output_is_the_input_with_one_more_column(self):
        text = (self.folder / "test.txt").read_bytes()
        for name, change in (("spaces", lambda b: b), ("tabs", lambda b: b.replace(b" ", b"\t")),
                             ("carriage returns", lambda b: b.replace(b"\n", b"\r\n")),
                             ("blank lines", lambda b: b"\n\n" + b.replace(b"\n\n", b"\n\n\n") + b"\n"),
                             ("no last line end", lambda b: b.rstrip(b"\n"))):
            with self.subTest(name):
                given = change(text)
                tagged = self.answer("tag", "a.model", stdin=given)
                end = b"\r\n" if name == "carriage returns" else b"\n"
                separator = b"\t" if name == "tabs" else b" "
                stripped = [line.rpartition(separator)[0] for line in tagged.split(end)]
                self.assertEqual([line for line in given.split(end)], stripped[:len(given.split(end))])

    def test_packed_files_are_read_and_written(self):
        self.write("test.gz", gzip.compress((self.folder / "test.txt").read_bytes()))
        self.answer("tag", "a.model", "test.gz", "-o", "out.gz")
        self.assertEqual(gzip.decompress((self.folder / "out.gz").read_bytes()),
                         self.answer("tag", "a.model", "test.txt"))

    def test_labels_need_not_be_there(self):
        text = (self.folder / "test.txt").read_text()
        words = "\n".join(line.partition(" ")[0] for line in text.split("\n"))
        with_gold, without = (self.answer("tag", "a.model", stdin=t.encode()).decode() for t in (text, words))
        last = [[line.rpartition(" ")[2] for line in t.split("\n")] for t in (with_gold, without)]
        self.assertEqual(*last)

    def test_bytes_that_are_no_utf8_survive(self):
        self.write("latin.txt", b"caf\xe9 N\xe9\nnoir A\n\n" * 5)
        self.answer("train", "latin.txt", "-o", "latin.model", "-q")
        self.assertEqual(self.answer("tag", "latin.model", stdin=b"caf\xe9\nnoir\n"), b"caf\xe9 N\xe9\nnoir A\n")

    def test_probabilities_of_all_taggings_sum_to_one(self):
        tagged = self.answer("tag", "a.model", "--n-best", 1000, stdin=b"la\nle\n").decode()
        shares = [float(line.split()[3]) for line in tagged.split("\n") if line.startswith("# ")]
        self.assertEqual(len(shares), 6 * 6)
        self.assertAlmostEqual(sum(shares), 1, delta=1e-4)
        self.assertEqual(shares, sorted(shares, reverse=True))

    def test_the_taggings_shares_add_up_to_the_marginals(self):
        tagged = self.answer("tag", "a.model", "--method", "auto", "--marginals", "--n-best", 1000, stdin=b"la\nle\n")
        total, share, stated = {}, 0, {}
        for line in tagged.decode().split("\n"):
            if line.startswith("# "):
                share, item = float(line.split()[3]), 0
            elif line:
                label, marginal = line.split(" ")[-2:]
                total[item, label] = total.get((item, label), 0) + share
                stated[item] = marginal.rpartition(":")
                item += 1
        for item, (label, _, probability) in stated.items():
            self.assertAlmostEqual(total[item, label], float(probability), delta=1e-4)

    def test_marginals_sum_to_one(self):
        tagged = self.answer("tag", "a.model", "--all-marginals", "test.txt").decode()
        for line in tagged.split("\n")[:50]:
            if line:
                shares = [float(cell.rpartition(":")[2]) for cell in line.split(" ")[3:]]
                self.assertEqual(len(shares), 6)
                self.assertAlmostEqual(sum(shares), 1, delta=1e-4)

    def test_budgets_are_kept(self):
        run = self.run_program("tag", "a.model", "--method", "gibbs", "--budget", "100 transitions", "--report",
                               "--json", "test.txt", "-o", "out.txt")
        report = run.stderr.decode()
        report = json.loads(report[report.index("{"):])
        self.assertEqual(report["transitions"], 100)

    def test_attributes_give_the_same_tags_as_columns(self):
        for part in ("train", "test"):
            self.write(f"{part}.attributes", self.answer("attributes", f"{part}.txt"))
        self.answer("train", "train.attributes", "--format", "attributes", "--factor-size", 3, "-o", "b.model", "-q")
        columns = [line.split(" ") for line in self.answer("tag", "a.model", "test.txt").decode().split("\n") if line]
        pairs = [line.split("\t") for line in self.answer("tag", "b.model", "test.attributes").decode().split("\n")
                 if line]
        same = sum(column[1:] == pair for column, pair in zip(columns, pairs, strict=True))
        self.assertGreater(same, 0.99 * len(columns))

    def test_a_policy_of_another_model_is_refused(self):
        self.answer("train", "train.txt", "--factor-size", 3, "--l2", 3, "-o", "c.model", "-q")
        self.refused("tag", "c.model", "--policy", "a.policy", "test.txt", says=("a.policy", "another model"))

    def test_valid_bio(self):
        self.write("bio.txt", "a B-X\nb I-X\nc O\n\nb O\na B-X\n\n" * 3)
        self.answer("train", "bio.txt", "-o", "bio.model", "-q")
        tagged = self.answer("tag", "bio.model", "--valid-bio", stdin=b"b\nb\nb\nc\nb\n").decode()
        labels = [line.split(" ")[1] for line in tagged.split("\n") if line]
        for left, right in zip(["O"] + labels, labels):
            self.assertFalse(right == "I-X" and left == "O", labels)

    def test_inspect(self):
        facts = json.loads(self.answer("inspect", "a.model", "--json"))
        self.assertEqual(facts["factor_size"], 3)
        self.assertEqual(facts["training"]["sequences"], 300)
        weights = self.answer("inspect", "a.model", "--weights").decode().splitlines()
        self.assertEqual(len(weights), facts["attribute_weights"] + facts["label_ngrams"])
        self.assertIn("factor size 3", self.answer("inspect", "a.model").decode())
        json.loads(self.answer("inspect", "a.policy", "--json"))

    def test_bench_measures_every_method(self):
        bench = json.loads(self.answer("bench", "tag", "a.model", "test.txt", "--policy", "a.policy", "--repetitions",
                                       1, "--json"))
        self.assertEqual({row["method"] for row in bench["rows"]},
                         {"exact", "beam", "icm", "gibbs", "learned", "auto"})
        rows = self.answer("bench", "tag", "a.model", "test.txt", "--methods", "gibbs", "--repetitions", 1, "--cheapest",
                           "--csv", "-q").decode().splitlines()[1:]
        self.assertEqual(sorted(row.split(",")[1] for row in rows), ["random", "unigram"])

    def test_cross_validation_and_warm_start(self):
        facts = json.loads(self.answer("train", "tune.txt", "--folds", 2, "--dev", "test.txt", "-o", "d.model", "--json",
                                       "-q"))
        self.assertEqual(len(facts["folds"]), 2)
        self.assertGreater(facts["dev"]["accuracy"], 0.5)
        again = json.loads(self.answer("train", "tune.txt", "--warm-start", "d.model", "-o", "e.model", "--json", "-q"))
        self.assertLessEqual(again["objective"], facts["objective"] * 1.001)

    def test_the_picture_of_where_it_sampled(self):
        words = ("tag", "a.model", "--method", "gibbs", "--sweeps", 2, "--show-sampling", "--svg", "out.svg")
        shown = self.answer(*words, stdin=b"la\nle\n\nlu\n").decode()
        self.assertEqual(shown, "la/2 le/2\nlu/2\n")
        picture = (self.folder / "out.svg").read_text()
        self.assertTrue(picture.startswith("<svg") and picture.rstrip().endswith("</svg>"))
        self.refused("tag", "a.model", "--method", "exact", "--show-sampling", "test.txt", code=USAGE)

    def test_entities_with_their_probabilities(self):
        self.write("ner.txt", b"in O\nNew B-LOC\nYork I-LOC\n\nold O\nYork B-LOC\n\n" * 3)
        self.answer("train", "ner.txt", "-o", "ner.model", "-q")
        lines = self.answer("tag", "ner.model", "--spans", stdin=b"in\nNew\nYork\n\n\nold\n\nYork\n").decode().split("\n")
        cells = [line.split("\t") for line in lines if line]
        self.assertEqual([c[:4] + c[5:] for c in cells],
                         [["0", "1", "3", "LOC", "New York"], ["2", "0", "1", "LOC", "York"]])
        self.assertTrue(all(0.5 < float(c[4]) < 1 for c in cells))
        self.refused("tag", "a.model", "--spans", "test.txt", code=USAGE, says=["entities need labels that mark them"])
        self.refused("tag", "ner.model", "--spans", "--n-best", 2, "ner.txt", code=USAGE, says=["exclude each other"])

    def test_labels_are_explained(self):
        text = self.answer("tag", "a.model", "--explain", 100, stdin=b"la\nle\n").decode()
        self.assertTrue(text.endswith("\n\n"))
        for block in text.strip("\n").split("\nle")[:1]:
            first, *terms = block.split("\n")
            token, label, other, difference = first.split("\t")
            self.assertEqual((token, label == other), ("la", False))
            parts = [float(term.split("\t")[1]) for term in terms]
            self.assertAlmostEqual(sum(parts), float(difference), delta=2e-4 * (len(parts) + 1))
            self.assertEqual(parts, sorted(parts, key=abs, reverse=True))

    def test_models_of_other_programs(self):
        self.write("a.txt", b"version: 100\ncost-factor: 1\nmaxid: 6\nxsize: 1\n\nN\nV\n\nU0:%x[0,0]\nB\n\n0 U0:a\n2 B\n\n"
                            b"1\n0\n0\n2\n0\n0\n")
        self.assertEqual(self.answer("tag", "a.txt", stdin=b"a\nb\n"), b"a N\nb V\n")
        facts = json.loads(self.answer("inspect", "a.txt", "--json"))
        self.assertEqual((facts["labels"], facts["training"]), (["N", "V"], {"program": "CRF++"}))
        self.assertEqual(self.answer("inspect", "a.txt", "--weights"), b"attribute\tU0:a\tN\t1\nngram\tN\tV\t2\n")
        self.write("cut.txt", b"version: 100\ncost-factor: 1\n")
        self.refused("tag", "cut.txt", "test.txt", says=["cut.txt:3"])
        self.write("cut.crfsuite", b"lCRF")
        self.refused("tag", "cut.crfsuite", "test.txt", says=["byte 4 of a CRFsuite model"])

    def test_help_of_train_shows_the_options_of_the_family(self):
        plain = self.answer("train", "--help").decode()
        processes = self.answer("train", "--family", "gp", "--help").decode()
        for text, shown, hidden in ((plain, "--l2 X", "--kernel TEXT"), (processes, "--kernel TEXT", "--l2 X")):
            self.assertIn(shown, text)
            self.assertNotIn(hidden, text)
            self.assertIn("--checkpoint", text)

    def test_every_command_has_help_with_examples(self):
        for command in ("train", "tune", "tag", "inspect", "bench tag", "eval tags", "eval clusters"):
            with self.subTest(command):
                self.assertIn("Examples:", self.answer(*command.split(), "--help").decode())
        self.refused("tagg", code=USAGE, says=("tag",))


class Probabilities(ProgramTest):
    """Whether a tagger's probabilities can be trusted, as 'fovea eval tags' says."""

    @classmethod
    def prepare(cls):
        for part, name in enumerate(("train.txt", "test.txt")):
            generate(cls, name, part, 100)
        cls.answer("train", "train.txt", "-o", "crf.model", "-q")
        cls.answer("train", "--family", "gp", "--inducing-points", 60, "train.txt", "-o", "gp.model", "-q")
        for family in ("crf", "gp"):
            for kind in ("marginals", "all-marginals"):
                cls.answer("tag", f"{family}.model", f"--{kind}", "test.txt", "-o", f"{family}.{kind}")

    def score(self, *words):
        return json.loads(self.answer("eval", "tags", "--json", *words))

    def test_other_scores_do_not_change(self):
        for family in ("crf", "gp"):
            plain = json.loads(self.answer("eval", "tags", "--json", stdin=self.answer("tag", f"{family}.model", "test.txt")))
            self.assertIsNone(plain.pop("calibration"))
            for kind in ("marginals", "all-marginals"):
                with self.subTest(family=family, kind=kind):
                    scores = self.score(f"{family}.{kind}")
                    self.assertEqual(scores.pop("calibration")["items"], plain["tokens"])
                    self.assertEqual(scores, plain)

    def test_one_probability_or_all_tell_the_same_of_calibration(self):
        for family in ("crf", "gp"):
            one, every = (self.score(f"{family}.{kind}")["calibration"] for kind in ("marginals", "all-marginals"))
            for name in ("expected_calibration_error", "bins", "risk_at_coverage", "area_under_risk_coverage", "accuracy"):
                self.assertEqual(one[name], every[name], (family, name))
            self.assertIsNone(one["negative_log_likelihood"])
            self.assertGreater(every["negative_log_likelihood"], 0)
            self.assertLess(every["brier_score"], 2 * (1 - every["accuracy"]))
            self.assertEqual(one["mean_entropy"] is None, family == "crf")

    def test_numbers_are_those_of_a_plain_computation(self):
        lines = [line.split() for line in (self.folder / "crf.all-marginals").read_text().split("\n") if line]
        items = []
        for _, gold, answer, *cells in lines:
            shares = {label: float(p) for label, p in (cell.rsplit(":", 1) for cell in cells)}
            best = max(shares, key=lambda label: (shares[label], label == answer))
            items.append((shares[best], best == gold, shares[gold]))
        found = self.score("crf.all-marginals", "--bins", 10)["calibration"]
        bins = [[item for item in items if math.ceil(round(item[0] * 1e6) / 1e5) == b + 1] for b in range(10)]
        self.assertEqual([len(b) for b in bins], [b["items"] for b in found["bins"]])
        error = sum(abs(sum(right for _, right, _ in b) - sum(p for p, _, _ in b)) for b in bins) / len(items)
        self.assertAlmostEqual(found["expected_calibration_error"], error, delta=1e-6)
        self.assertAlmostEqual(found["negative_log_likelihood"],
                               -sum(math.log(max(gold, 5e-7)) for _, _, gold in items) / len(items), delta=1e-9)

    def test_catches_a_tagger_that_is_too_sure(self):
        sure = "".join(f"w A {'A' if i % 5 < 3 else 'B'} {'A' if i % 5 < 3 else 'B'}:0.990000\n" for i in range(1000))
        self.assertAlmostEqual(self.score(self.write("sure.txt", sure))["calibration"]["expected_calibration_error"], .39,
                               delta=1e-6)

    def test_doubt_tells_other_text(self):
        strange = "".join(f"{chr(97 + i % 26)}{i} L00\n" for i in range(500))
        self.answer("tag", "gp.model", "--marginals", "-o", "strange.out", stdin=strange.encode())
        domains = self.score("gp.marginals", "--out-of-domain", "strange.out")["domains"]
        self.assertEqual(domains["by"], "entropy")
        self.assertGreater(domains["area_under_roc"], .8)
        self.assertGreater(domains["out_of_domain"]["mean_entropy"], domains["in_domain"]["mean_entropy"])
        same = self.score("gp.marginals", "--out-of-domain", "gp.marginals")["domains"]
        self.assertAlmostEqual(same["area_under_roc"], .5, delta=1e-9)

    def test_picture(self):
        self.answer("eval", "tags", "gp.marginals", "--reliability", "how-sure.svg")
        picture = xml.dom.minidom.parse(str(self.folder / "how-sure.svg"))
        self.assertGreater(len(picture.getElementsByTagName("rect")), 4)

    def test_what_it_refuses(self):
        text = (self.folder / "gp.all-marginals").read_text().split("\n")
        for change, part in ((lambda line: line.replace("variance:", "variety:"), "variance:number"),
                             (lambda line: line.replace("L00:0.", "L00:2."), "must lie in [0, 1]"),
                             (lambda line: line.replace("L00:0.", "L0:0."), "the probability of L00"),
                             (lambda line: line.replace("L00:0.", "L00:O."), "of the form label:probability")):
            with self.subTest(part):
                self.write("bad.out", "\n".join(text[:2] + [change(text[2])] + text[3:]))
                self.refused("eval", "tags", "bad.out", says=["bad.out:3: column", part])
        self.write("plain.out", self.answer("tag", "gp.model", "test.txt"))
        self.refused("eval", "tags", "plain.out", "--reliability", "x.svg", says=["no probabilities", "--marginals"])
        self.refused("eval", "tags", "gp.marginals", "--out-of-domain", "plain.out", says=["plain.out:1"])
        self.refused("eval", "tags", "gp.marginals", "--against", "gp.marginals", "--reliability", "x.svg", code=USAGE)
        self.assertFalse((self.folder / "x.svg").exists())


if __name__ == "__main__":
    unittest.main()
