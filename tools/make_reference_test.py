#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages follow the description, stale ones are found, and shells complete what they should."""

import pathlib
import subprocess
import tempfile
import unittest

import make_reference

OPTIONS = [
    {"name": "method", "description": "How. And why.", "kind": "word", "group": "Options", "list": False,
     "words": ["exact", "gibbs"], "default": "exact"},
    {"name": "cache", "description": "Cache.", "kind": "flag", "group": "Options", "list": False, "default": True,
     "flag": "--no-cache"},
    {"name": "width", "description": "Wide | narrow.", "kind": "integer", "group": "Limits", "list": False, "min": 1,
     "max": 1048576, "default": 8, "letter": "w"},
]
DESCRIPTION = {
    "program": "fovea", "version": "1.2.3",
    "commands": [
        {"name": "tag", "job": "Text", "summary": "Label.", "description": "Reads.\n.and writes.", "examples": "  fovea tag m\n",
         "arguments": [{"name": "MODEL", "description": "A model.", "kind": "text", "list": False, "required": True},
                       {"name": "FILE", "description": "Text.", "kind": "text", "list": True}], "options": OPTIONS},
        {"name": "eval tags", "job": "Text", "summary": "Score.", "description": "Scores.", "examples": "  fovea eval tags f\n",
         "arguments": [], "options": OPTIONS[:1]},
    ],
}


class PagesTest(unittest.TestCase):
    def setUp(self):
        self.pages = make_reference.pages(DESCRIPTION)

    def test_every_option_is_on_its_page_and_in_every_shell(self):
        self.assertIn("| `-w, --width N` | Wide \\| narrow. | 1 to 1048576; default 8 |", self.pages["docs/reference/tag.md"])
        self.assertIn("fovea tag [OPTIONS] MODEL [FILE...]", self.pages["docs/reference/tag.md"])
        for path in ("docs/reference/tag.md", "completions/fovea.bash", "completions/_fovea"):
            for flag in ("--method", "--no-cache", "--width"):
                self.assertIn(flag, self.pages[path], path)
        self.assertIn("-l no-cache", self.pages["completions/fovea.fish"])

    def test_a_line_of_text_is_no_command_of_roff(self):
        self.assertIn("\n\\&.and writes.", self.pages["docs/man/fovea-tag.1"])

    def complete(self, *words):
        script = (self.pages["completions/fovea.bash"] + f"COMP_WORDS=({' '.join(repr(w) for w in words)})\n"
                  + 'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _fovea; echo "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()

    def test_bash_completes_commands_options_and_words(self):
        self.assertEqual(self.complete("fovea", "t"), ["tag"])
        self.assertEqual(self.complete("fovea", "eval", ""), ["tags"])
        self.assertEqual(self.complete("fovea", "tag", "--wi"), ["--width"])
        self.assertEqual(self.complete("fovea", "eval", "tags", "--"), ["--method", "--help"])
        self.assertEqual(self.complete("fovea", "tag", "--method", "g"), ["gibbs"])

    def test_what_differs_or_is_left_over_is_stale(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in self.pages.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            self.assertEqual(make_reference.stale_pages(self.pages, root), [])
            (root / "docs/man/fovea-gone.1").write_text("")
            (root / "docs/reference/tag.md").write_text("")
            self.assertEqual(make_reference.stale_pages(self.pages, root), ["docs/man/fovea-gone.1", "docs/reference/tag.md"])


if __name__ == "__main__":
    unittest.main()
