# SPDX-License-Identifier: Apache-2.0
"""A real browser that opens pages, and what it has to say of them."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import axe_core_python
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
PROGRAM = os.environ["FOVEA_PROGRAM"]
HOSTILE = ('</script><img src=x onerror="window.hacked=1">', "<svg onload=window.hacked=1>", "\u202egnp.exe", "a\x00b",
           "'\"><b>bold</b>", "${window.hacked=1}", "日本語 العربية", "x" * 1_000_000)


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("FOVEA_BROWSER", "/usr/bin/chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(os.environ.get("FOVEA_DRIVER", "/usr/bin/chromedriver")))


class PageTest(unittest.TestCase):
    """Tests of pages in one browser and one folder."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.browser = open_browser()
        cls.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(cls.folder)})

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.temporary.cleanup()

    def fovea(self, *words):
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def refused(self, says, *words, code=2):
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(done.returncode, code)
        self.assertIn(says, done.stderr.decode())

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def open(self, name):
        """Opens a page, and checks that it asked for nothing else and that the console is empty."""
        for kind in ("browser", "performance"):
            self.browser.get_log(kind)
        self.browser.get((self.folder / name).as_uri())
        self.assertEqual(self.browser.get_log("browser"), [])
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        self.assertEqual([url for url in asked if not url.endswith(name) and not url.startswith("data:")], [])
        self.assertTrue(self.all("h1"), "the page was not drawn")
        self.assert_inert()
        self.assert_accessible()

    def assert_accessible(self):
        """No violation of WCAG 2, levels A and AA, in light and in dark colours."""
        self.browser.execute_script(AXE)
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                         {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            found = self.browser.execute_async_script(
                "const done = arguments[0];"
                "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']}).then(r => done(r.violations.map("
                "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + n.failureSummary).join(' | '))))")
            self.assertEqual(found, [], scheme)

    def assert_inert(self):
        """No value of the data was executed or became markup."""
        self.assertIsNone(self.browser.execute_script("return window.hacked || null"))
        self.assertEqual(self.all("img:not([src^='data:image/png;base64,']), iframe, object, b, [onload], [onerror]"), [])

    def all(self, selector):
        return self.browser.find_elements("css selector", selector)

    def one(self, selector):
        return self.browser.find_element("css selector", selector)

    def text(self):
        return self.one("main").text
