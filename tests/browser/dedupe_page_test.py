# SPDX-License-Identifier: Apache-2.0
"""The page of `fovea dedupe --report-html`, in a browser."""
import base64
import csv
import json
import random
import re
import time
import unittest

from browser import HOSTILE, PageTest
from selenium.webdriver.common.keys import Keys

RULES = ("--compare", "name:jaro_winkler, town, born", "--block", "name.initial, town")


def people(count, seed):
    """Rows of people, a third of them twice with a wrong letter, and the number of the person."""
    draw = random.Random(seed)
    names = [("".join(draw.choices("abcdefghij", k=7)), draw.choice("ABCDEFGH"), draw.randrange(1950, 1999)) for _ in range(count)]
    rows = []
    for person, (name, town, born) in enumerate(names):
        rows.append((name, town, born, person))
        if person % 3 == 0:
            place = draw.randrange(7)
            rows.append((name[:place] + draw.choice("klmno") + name[place + 1:], town, born, person))
    draw.shuffle(rows)
    return rows


class DedupePage(PageTest):
    def write_table(self, name, rows):
        with open(self.folder / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "name", "town", "born", "person"])
            writer.writerows((i, *row) for i, row in enumerate(rows))

    def dedupe(self, table, *words):
        self.fovea("dedupe", table, "--compare", "name:jaro_winkler, town, born", "--block", "town", "-q", "-o", "out.csv",
                   "--report-html", "page.html", *words)

    def test_shows_the_job(self):
        self.write_table("people.csv", people(300, 1))
        self.dedupe("people.csv", "--gold", "person")
        self.open("page.html")
        for part in ("Numbers", "Against the true clusters", "Blocking rules", "Weights of evidence", "Probabilities of pairs",
                     "Pairs, the most doubtful first", "Clusters, the weakest first"):
            self.assertIn(part, self.text())
        with open(self.folder / "out.csv", encoding="utf-8") as file:
            clusters = len({row["cluster"] for row in csv.DictReader(file)})
        self.assertIn(f"clusters {clusters}", self.text())

    def test_paper_gets_the_first_rows(self):
        self.write_table("people.csv", people(3000, 4))
        self.dedupe("people.csv")
        self.open("page.html")
        printed = base64.b64decode(self.browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
        pages = len(re.findall(rb"/Type\s*/Page\b", printed))
        self.assertGreater(pages, 4)
        self.assertLess(pages, 25)
        self.assertLess(len(self.all(".list .row")), 100)

    def test_hostile_values_are_texts(self):
        rows = [(value, "A", 1970, i) for i, value in enumerate(HOSTILE)]
        self.write_table("hostile.csv", [(name.replace("\x00", "\\0"), *rest) for name, *rest in rows + rows])
        self.dedupe("hostile.csv")
        self.open("page.html")
        lists = self.all(".list")
        self.browser.execute_script("arguments[0].focus()", lists[2])
        lists[2].send_keys(Keys.ARROW_DOWN)
        self.assert_inert()
        self.assertIn("Probability of one entity", self.one(".detail").text)

    def test_labels_by_keys_change_the_next_run(self):
        rows = people(300, 2)
        self.write_table("people.csv", rows)
        self.dedupe("people.csv")
        self.open("page.html")
        saved = self.folder / "labels.csv"
        saved.unlink(missing_ok=True)
        pairs = self.browser.find_element("css selector", "[aria-label='Pairs, the most doubtful first']")
        data = json.loads(self.one("#data").get_attribute("textContent"))
        block = next(block for block in data["blocks"] if block["type"] == "pairs")
        person = [row[-1] for row in rows]
        pairs.send_keys(Keys.HOME)
        for first, second, *_ in block["pairs"][:100]:
            same = person[int(block["ids"][first])] == person[int(block["ids"][second])]
            pairs.send_keys("y" if same else "n")
        next(button for button in self.all("button") if button.text.startswith("Save")).click()
        for _ in range(50):
            if saved.exists():
                break
            time.sleep(.1)
        with open(saved, encoding="utf-8") as file:
            labels = list(csv.DictReader(file))
        shown = min(100, len(block["pairs"]))
        self.assertEqual(len(labels), shown)
        for label in labels:
            same = person[int(label["first_id"])] == person[int(label["second_id"])]
            self.assertEqual(label["match"], "1" if same else "0")
        words = ("dedupe", "people.csv", *RULES[:2], "--block", "town", "--gold", "person", "--json", "-o", "out.csv")
        before = json.loads(self.fovea(*words))
        after = json.loads(self.fovea(*words, "--labelled-pairs", "labels.csv"))
        self.assertGreaterEqual(after["metrics"]["pairs"]["f1"], before["metrics"]["pairs"]["f1"])

    def test_is_refused_where_there_is_no_page(self):
        self.write_table("people.csv", people(50, 3))
        lists = ("--compare", "name:jaro_winkler, town, born", "--block", "town", "-q")
        self.fovea("dedupe", "people.csv", *lists, "--save-model", "a.er", "-o", "out.csv")
        for words in (("--spill", "parts"), ("--clusters", "out.csv"), ("--explain", "0:1")):
            self.refused("--report-html", "dedupe", "people.csv", "--model", "a.er", *words, "-o", "more.csv",
                         "--report-html", "none.html")
        self.assertFalse((self.folder / "none.html").exists())

    def test_a_table_without_pairs_says_so(self):
        self.write_table("apart.csv", [("one", "A", 1950, 0), ("two", "B", 1960, 1)])
        self.dedupe("apart.csv")
        self.open("page.html")
        self.assertIn("No pair of records may match", self.text())


if __name__ == "__main__":
    unittest.main()
