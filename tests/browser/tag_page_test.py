# SPDX-License-Identifier: Apache-2.0
"""The page of `fovea tag --report-html`, in a browser."""
import unittest

from browser import HOSTILE, PageTest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select


class TagPage(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        test = cls("train")
        test.train()

    def train(self):
        self.fovea("generate", "tags", "--sentences", 300, "--labels", 6, "-o", "train.txt")
        self.fovea("train", "-q", "train.txt", "-o", "a.model")

    def chosen(self):
        node = self.one(".list")
        node.send_keys(Keys.HOME)
        return self.one(".detail").text

    def test_shows_labels_and_doubt(self):
        self.fovea("tag", "a.model", "--marginals", "train.txt", "-o", "out.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("300 of 300 sentences", self.text())
        self.assertGreater(len(self.all(".word.doubt")), 0)
        self.assertIn(" %", self.one(".sentence .word").get_attribute("title"))
        self.assertIn("Sentence 1", self.chosen())
        self.browser.execute_script("const s = document.querySelector('input[type=range]'); s.value = 0.5;"
                                    "s.dispatchEvent(new Event('input'))")
        self.assertNotIn("300 of 300 sentences", self.text())

    def test_shows_the_best_labelings(self):
        self.fovea("tag", "a.model", "--n-best", 3, "train.txt", "-o", "out.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("Best labelings", self.chosen())

    def test_shows_visits(self):
        self.fovea("tag", "a.model", "--method", "gibbs", "--show-sampling", "train.txt", "-o", "out.txt", "--report-html",
                   "page.html")
        self.open("page.html")
        self.assertIn("visits", self.one(".sentence .word").get_attribute("title"))

    def test_an_evaluation(self):
        self.fovea("tag", "a.model", "--all-marginals", "train.txt", "-o", "tagged.txt")
        self.fovea("eval", "tags", "tagged.txt", "--report-html", "page.html")
        self.open("page.html")
        for part in ("Scores", "Labels", "Mistakes", "Reliability", "Risk and coverage"):
            self.assertIn(part, self.text())

    def test_two_taggings_side_by_side(self):
        self.write("one.txt", "the X X\nbig Y X\ndog Z Z\n\nit X X\n\na X Y\n")
        self.write("other.txt", "the X Y\nbig Y Y\ndog Z Z\n\nit X X\n\na X Y\n")
        self.fovea("eval", "tags", "one.txt", "--against", "other.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("one.txt against other.txt", self.text())
        self.assertIn("2 of 2 sentences", self.text())
        node = self.all(".list")[-1]
        node.send_keys(Keys.HOME)
        rows = [row.text for row in self.all(".detail tbody tr")]
        self.assertEqual(rows, ["1 the X X Y", "2 big Y X Y"])
        Select(self.one("select")).select_by_visible_text("both")
        self.assertIn("2 of 2 sentences", self.text())
        Select(self.one("select")).select_by_visible_text("one.txt alone")
        self.assertIn("0 of 2 sentences", self.text())

    def test_items_without_a_gold_label_are_no_mistakes(self):
        self.write("partial.txt", "the ? X\nbig Y X\n")
        self.fovea("eval", "tags", "partial.txt", "--unknown-label", "?", "--report-html", "page.html")
        self.open("page.html")
        self.assertEqual([word.text for word in self.all(".wrong")], ["big"])

    def test_an_evaluation_without_mistakes_or_probabilities(self):
        self.write("right.txt", "a X X\nb Y Y\n")
        self.fovea("eval", "tags", "right.txt", "--report-html", "page.html")
        self.open("page.html")
        self.assertIn("No item has a wrong label", self.text())
        self.assertNotIn("Reliability", self.text())

    def test_hostile_words_are_texts(self):
        words = [word.replace(" ", "_").replace("\x00", "\\0") for word in HOSTILE]
        self.write("hostile.txt", "".join(f"{word} L0\n" for word in words))
        self.fovea("tag", "a.model", "hostile.txt", "-o", "out.txt", "--report-html", "page.html")
        self.open("page.html")
        self.chosen()
        self.assert_inert()
        self.assertIn("onerror", self.one(".detail").text)


if __name__ == "__main__":
    unittest.main()
