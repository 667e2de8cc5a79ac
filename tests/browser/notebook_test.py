# SPDX-License-Identifier: Apache-2.0
"""A page of a result of Python, as a notebook shows it: in a frame."""
import unittest

from browser import PageTest
from fovea import graph


class NotebookPage(PageTest):
    def test_a_frame_shows_the_page(self):
        net = graph.FactorGraph()
        net.variable("rain", ["yes", "no"])
        net.factor(["rain"], [.3, .7])
        self.write("notebook.html", f"<!doctype html><html lang=en><title>x</title>{net.solve().report()._repr_html_()}")
        self.browser.get_log("browser")
        self.browser.get((self.folder / "notebook.html").as_uri())
        self.assertEqual(self.browser.get_log("browser"), [])
        self.browser.switch_to.frame(self.one("iframe"))
        self.assertIn("Best assignment", self.text())
        self.one("nav a").click()
        self.assertIn("Best assignment", self.text())
        self.browser.switch_to.default_content()


if __name__ == "__main__":
    unittest.main()
