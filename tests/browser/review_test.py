# SPDX-License-Identifier: Apache-2.0
"""`fovea review --browser`: labels by keys reach the table of answers and the model."""
import csv
import json
import os
import signal
import subprocess
import time
import unittest

from browser import PROGRAM, PageTest
from dedupe_page_test import people
from selenium.webdriver.common.keys import Keys

LISTS = ("--compare", "name:jaro_winkler, town, born", "--block", "town")
PAIRS = "[aria-label='Pairs, the most doubtful first']"


class Review(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.rows = people(300, 5)
        with open(cls.folder / "people.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "name", "town", "born", "person"])
            writer.writerows((f"r{i}", *row) for i, row in enumerate(cls.rows))
        cls.person = {f"r{i}": row[-1] for i, row in enumerate(cls.rows)}

    def setUp(self):
        for name in ("answers.csv", "answers.csv.lock", "better.er"):
            (self.folder / name).unlink(missing_ok=True)
        self.command = None

    def tearDown(self):
        if self.command:
            self.command.kill()
            self.command.wait()
            self.command.stderr.close()
            self.command.stdout.close()

    def start(self, *words, table="people.csv", before=()):
        """Starts a review; returns its address."""
        self.command = subprocess.Popen([*before, PROGRAM, "review", table, *LISTS, "--browser", *words], cwd=self.folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in self.command.stderr:
            if line.startswith("Open http"):
                return line.split()[1]
        self.fail("the review has no address")

    def end(self):
        out, err = self.command.communicate(timeout=60)
        return self.command.returncode, out, err

    def visit(self, address):
        self.browser.get_log("browser")
        self.browser.get(address)
        node = self.one(PAIRS)
        self.wait_for(lambda: len(node.find_elements("css selector", ".row")) > 0)
        return node

    def wait_for(self, holds):
        for _ in range(100):
            if holds():
                return
            time.sleep(.1)
        self.fail(f"waited in vain; the page says: {self.text()[-300:]}")

    def button(self, name):
        return next(button for button in self.all("button") if button.text.startswith(name))

    def saved(self):
        path = self.folder / "answers.csv"
        if not path.exists():
            return []
        with open(path, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def label(self, node, count):
        """Says by keys what is true of the first pairs."""
        data = json.loads(self.one("#data").get_attribute("textContent"))
        block = next(block for block in data["blocks"] if block["type"] == "pairs")
        node.send_keys(Keys.HOME)
        for first, second, *_ in block["pairs"][:count]:
            same = self.person[block["ids"][first]] == self.person[block["ids"][second]]
            node.send_keys("y" if same else "n")

    def test_answers_are_saved_as_they_come_and_teach_the_model(self):
        node = self.visit(self.start("--save-model", "better.er", "--json"))
        self.assertNotIn("token", self.browser.current_url)
        self.label(node, 20)
        self.wait_for(lambda: len(self.saved()) == 20)
        for answer in self.saved():
            same = self.person[answer["first_id"]] == self.person[answer["second_id"]]
            self.assertEqual(answer["match"], "1" if same else "0")
        self.assertFalse((self.folder / "better.er").exists())
        self.assert_accessible()
        self.button("That is all").click()
        code, out, _ = self.end()
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["answers"], 20)
        self.assertTrue((self.folder / "better.er").exists())
        self.assertFalse((self.folder / "answers.csv.lock").exists())
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_an_answer_can_be_changed_and_taken_back_also_after_a_reload(self):
        node = self.visit(self.start())
        node.send_keys(Keys.HOME, "y", "n")
        self.wait_for(lambda: [answer["match"] for answer in self.saved()] == ["1", "0"])
        self.browser.refresh()
        node = self.one(PAIRS)
        self.wait_for(lambda: "different" in node.text)
        node.send_keys(Keys.HOME, "n", "u")
        self.wait_for(lambda: [answer["match"] for answer in self.saved()] == ["0"])
        self.command.send_signal(signal.SIGINT)
        self.end()
        self.assertEqual(len(self.saved()), 1)

    def test_a_second_review_of_the_same_answers_is_refused(self):
        self.start()
        self.refused("another process is writing it", "review", "people.csv", *LISTS, "--browser", code=3)

    def test_the_address_opens_one_browser(self):
        address = self.start()
        self.visit(address)
        self.browser.delete_all_cookies()
        self.browser.get(address)
        self.assertIn("works once", self.one("body").text)

    def test_a_full_disk_loses_no_answer(self):
        # The folder is taken away instead of the disk's space: its file cannot be written either.
        (self.folder / "full").mkdir(exist_ok=True)
        node = self.visit(self.start("--answers", "full/answers.csv"))
        (self.folder / "full").rename(self.folder / "gone")
        node.send_keys(Keys.HOME, "y")
        self.wait_for(lambda: "not saved yet" in self.text())
        self.button("That is all").click()
        self.assertIsNone(self.command.poll())
        (self.folder / "gone").rename(self.folder / "full")
        self.wait_for(lambda: "1 answers are saved" in self.text())
        self.assertTrue((self.folder / "full" / "answers.csv").exists())
        self.button("That is all").click()
        self.assertEqual(self.end()[0], 0)

    def test_nothing_to_ask_says_so(self):
        self.write("apart.csv", "id,name,town,born\n1,one,A,1950\n2,two,B,1960\n")
        self.refused("nothing to ask", "review", "apart.csv", *LISTS, "--browser", code=3)

    def test_what_does_not_go_together_is_refused(self):
        self.refused("--questions", "review", "people.csv", *LISTS, "--browser", "--questions", "q.csv")
        self.refused("--port", "review", "people.csv", *LISTS, "--port", 8000)


if __name__ == "__main__":
    unittest.main()
